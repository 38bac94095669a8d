"""Two gloo processes that share a model (FSDP2): the golden numbers, and errors that both see alike."""

import json

import pytest
from client import Client, LearnerProcess, Refused
from conftest import TINY
from golden import Steps


def test_two_ranks(adapter):
    with LearnerProcess(TINY, ranks=2) as learner:
        health = json.loads(Client(learner).send("GET", "/health")[1])
        assert health["world_size"] == 2 and health["model"]["parameters"] == 137904
        epoch = 0
        for packing, graph in (("pad", "retain"), ("tree", "retain"), ("pad", "recompute"), ("pad", "known")):
            for case in ("step-supervised", "step-reinforce"):  # One sequence: the second rank has nothing to score.
                steps, known = Steps(case), graph == "known"
                options = {"packing": packing} | ({} if known else {"graph": graph})
                epoch += 1
                client = Client(learner, "gradients", epoch, **options)
                assert client.open(*adapter)["plan"]["weights"] < 137904 * 4 * 0.75, "the weights are sharded"
                steps.accumulate(client, known)
                with pytest.raises(Refused, match="fenced"):
                    Client(learner, "gradients", epoch - 1).state()
                steps.check_gradients(client)
                client = Client(learner, "steps", epoch, **options)
                client.open(*adapter)
                steps.check_steps(client, known)
        # A batch stays kept while another session scores.
        steps, client, other = Steps("step-supervised"), Client(learner, "a", 1), Client(learner, "b", 1)
        client.open(*adapter), other.open(*adapter)
        client.forward(steps.sequences, steps.scored, "keep", batch=0)
        other.forward(steps.sequences, steps.scored)
        other.forward(steps.sequences, steps.scored, adapter="none")
        client.backward(steps.factors)
        steps.check_gradients(client)


def test_a_lost_rank_ends_the_learner(adapter):
    with LearnerProcess(TINY, ranks=2) as learner:
        client = Client(learner)
        client.open(*adapter)
        learner.others[0].kill()
        with pytest.raises((Refused, OSError, Exception)):
            Steps("step-supervised").accumulate(client)
        assert learner.process.wait(timeout=60) != 0
