"""Recorded numbers of Trainyard through the HTTP server: losses, gradients, steps, whole jobs."""

import json

import numpy as np
import pytest
import torch
from client import PROJECTIONS, REPOSITORY, Client, LearnerProcess, moment_name, relative
from golden import Steps
from safetensors.numpy import load, load_file
from safetensors.torch import save

WAYS = [("retain", "pad"), ("retain", "tree"), ("recompute", "pad"), ("recompute", "tree"), ("known", "pad"), ("known", "tree")]


@pytest.mark.parametrize("case", ["step-supervised", "step-reinforce"])
@pytest.mark.parametrize("graph,packing", WAYS)
def test_steps(tiny, adapter, name, case, graph, packing):
    steps, known = Steps(case), graph == "known"
    options = {"packing": packing} | ({} if known else {"graph": graph})
    client = Client(tiny, name, **options)
    client.open(*adapter)
    steps.accumulate(client, known)
    steps.check_gradients(client)
    client = Client(tiny, name, epoch=2, **options)
    client.open(*adapter)
    steps.check_steps(client, known)


def test_little_memory_divides_and_checkpoints(adapter, name):
    """A plan for few tokens gives the same gradients in several checkpointed pieces."""
    steps = Steps("step-supervised")
    longest = max(map(len, steps.sequences))
    with LearnerProcess(REPOSITORY / "tests/golden/qwen3-tiny", "--memory", str(2_600_000 + longest * 9000)) as learner:
        for number, options in enumerate([{"graph": "auto"}, {"graph": "recompute"}, {"graph": "retain", "packing": "tree"}], 1):
            client = Client(learner, name, epoch=number, **options)
            plan = client.open(*adapter)["plan"]
            assert longest <= plan["max_tokens"] < sum(map(len, steps.sequences)), "more than one piece"
            assert plan["max_tokens_retained"] < longest, "checkpointed"
            steps.accumulate(client)
            steps.check_gradients(client)


@pytest.mark.parametrize("case", json.loads((REPOSITORY / "tests/golden/lora/cases.json").read_text()))
def test_lora_options(tmp_path, case):
    from make_golden_families import tokens, value, write_model

    directory = REPOSITORY / "tests/golden/lora" / case
    write_model(json.loads((directory.parent / "cases.json").read_text())[case], tmp_path)
    expected = load_file(directory / "expected.safetensors")
    ids, factors = tokens(f"{case}/trained", 48).numpy(), value(f"{case}/factors", (47,)).numpy()
    with LearnerProcess(tmp_path) as learner:
        client = Client(learner)
        client.open((directory / "adapter_config.json").read_bytes(), (directory / "adapter_model.safetensors").read_bytes())
        logprobs, _ = client.accumulate([ids], [np.arange(48) > 0], lambda *_: [factors])
        assert np.abs(logprobs[0] - expected["logprobs"]).max() < 4e-5
        gradients = client.gradients()
        for name in expected:
            if name.startswith("gradient."):
                assert relative(gradients[moment_name(name.removeprefix("gradient."))], expected[name]) < 1e-5, name


@pytest.mark.parametrize("kind", ["qwen3", "llama"])
def test_jobs_of_twenty_steps(tmp_path, kind):
    """The recorded jobs of a model, step by step in turn: sessions of one process do not disturb each other."""
    import reference

    recorded = {job["name"]: job for job in json.loads((REPOSITORY / "tests/golden/training/jobs.json").read_text())}
    ends = load_file(REPOSITORY / "tests/golden/training/adapters.safetensors")
    model = reference.load_model(kind, 8, 16, dtype=torch.float32)
    reference.draw_initial_adapter(model, 3407)
    begin = {name: value.detach().contiguous().clone() for name, value in reference.adapter_parameters(model).items()}
    model.unload().save_pretrained(tmp_path)
    config = {"r": 8, "lora_alpha": 16, "target_modules": PROJECTIONS}
    jobs = [job for job in recorded.values() if job["model"] == kind]
    assert len(jobs) == 2
    with LearnerProcess(tmp_path) as learner:
        clients = []
        for number, job in enumerate(jobs):
            clients.append(Client(learner, f"job{number}", packing="tree", graph=["recompute", "retain"][number]))
            clients[-1].open(config, save(begin))
        for step in range(20):
            for job, client in zip(jobs, clients):
                loss, norm = (reinforce if "groups" in job else supervise)(reference, job, client, step)
                assert abs(loss - job["losses"][step]) < 1e-5 * max(1, abs(job["losses"][step]))
                assert abs(norm / job["grad_norms"][step] - 1) < 1e-4
        for job, client in zip(jobs, clients):
            end = load(client.state()[0])
            flat, start = (np.concatenate([np.asarray(values[n]).ravel() for n in sorted(values)]) for values in (end, begin))
            change = np.linalg.norm(ends[job["name"]] - start)
            assert np.linalg.norm(flat - ends[job["name"]]) < 1e-3 * change


def reinforce(reference, job, client, step):
    config = job["config"]
    sequence = reference.prepare(job["groups"], config)[step]
    mask = np.array(sequence.mask)
    old = [float("nan") if e is None or e["logprob"] is None else np.float32(e["logprob"]) for e in sequence.entries]
    old = torch.tensor(old, dtype=torch.float64)[torch.tensor(sequence.mask)]
    out = {}

    def gradient(logprobs, entropies):
        new = torch.tensor(logprobs[0], dtype=torch.float64, requires_grad=True)
        terms = reference.TokenTerms(
            new=new, old=old, advantages=torch.full_like(old, sequence.advantage), weights=torch.full_like(old, sequence.weight),
            sequences=torch.zeros(len(old)), entropies=torch.tensor(entropies[0], dtype=torch.float64), sampled=old,
        )  # fmt: skip
        out["loss"] = reference.policy_loss(terms, config)["loss"]
        return [torch.autograd.grad(out["loss"], new)[0].numpy()]

    client.accumulate([np.array(sequence.tokens)], [mask], gradient)
    settings = {"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.1, "clip_norm": 0.1}
    return out["loss"].item(), client.step(learning_rate=config["learning_rate"], **settings)["norm"]


def supervise(reference, job, client, step):
    size = job["config"]["batch_size"]
    rows = [reference.supervised_row(row) for row in job["rows"][step * size : (step + 1) * size]]
    scored = [np.isin(np.arange(len(ids)), places) for ids, places in rows]
    count = sum(int(places.sum()) for places in scored)
    known = [np.full(int(places.sum()), -1 / count) for places in scored]
    logprobs, _ = client.accumulate_known([np.array(ids) for ids, _ in rows], scored, known)
    settings = {"beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.0, "clip_norm": 1.0}
    norm = client.step(learning_rate=job["config"]["learning_rate"][step], **settings)["norm"]
    return -float(sum(values.astype(np.float64).sum() for values in logprobs)) / count, norm
