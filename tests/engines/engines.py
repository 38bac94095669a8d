"""Chat and jobs on engines that the service itself starts, and what becomes of the processes when one of them dies.

usage: engines.py [NAME…]     all tests, or those whose name contains one of these

Needs TRAINYARD_BINARY, TRAINYARD_ENGINES_DIR and the learner's interpreter; see `run` beside this file.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "remote_training"))

from jobs import BINARY, SFT, Service, conversations, main, sampled_groups  # noqa: E402

ENGINES = Path(os.environ["TRAINYARD_ENGINES_DIR"]).resolve()
SEEDLING = "trainyard/seedling"


class Managed(Service):
    """A service with its engines."""

    def __init__(self, directory):
        self.begin = time.monotonic()
        super().__init__(directory, "--engine", "managed", "--engines-dir", ENGINES)

    def ready(self, engine):
        """Waits for an engine, as its log says."""
        self.wait_for(f'the engine is ready.*engine="{engine}"')
        print(f"    {engine} is ready after {time.monotonic() - self.begin:.0f} s")

    def processes(self):
        """The engines' processes by name, and all that they have started."""
        found = {}
        for child in psutil.Process(self.process.pid).children():
            words = child.cmdline()
            found["learner" if "trainyard_learner" in words else "vllm"] = child
        return found, psutil.Process(self.process.pid).children(recursive=True)

    def chat(self, model, text, **more):
        """A completion. The service checks a vLLM server before it asks it, so the first may have to wait."""
        body = {"model": model, "messages": [{"role": "user", "content": text}], "max_tokens": 12} | more
        begin = time.monotonic()
        while True:
            try:
                return self.call("POST", "/v1/chat/completions", body)
            except AssertionError as error:
                assert " 503 " in str(error) and time.monotonic() - begin < 900, error
                time.sleep(0.5)


def check():
    """The exit status of `trainyard engines check`, and its report."""
    command = [BINARY, "engines", "check", "--dir", ENGINES, "--json"]
    checked = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, timeout=300)
    return checked.returncode, json.loads(checked.stdout)


def gone(processes, seconds=60):
    _, alive = psutil.wait_procs(processes, seconds)
    assert not alive, alive


def test_the_check_finds_both_environments(directory):
    status, report = check()
    print(f"    {[each['versions'] for each in report['environments']]}, {report['plan']}")
    assert status == 0 and report["passed"], report


def test_chat_and_training_run_on_the_engines(directory):
    service = Managed(directory)
    service.ready("learner")
    service.ready("vllm")
    answer = service.chat(SEEDLING, "say yes or no", temperature=0)["choices"][0]["message"]["content"]
    print(f"    the base model says {answer!r}")
    model = service.model()
    steps = service.ended(service.sft(model, conversations(30), **SFT))
    assert len(steps) == 10, steps
    program = service.call("GET", f"/v1/preview/models/{model}/checkpoints/1/manifest")["manifest"]["program"]
    has_gpu = "gpus" in check()[1]["devices"]
    assert program["learner"]["device"] == ("cuda" if has_gpu else "cpu"), program
    name = service.call("GET", f"/v1/preview/models/{model}")["name"]
    trained = f"wandb-artifact:///default/test/{name}:step1"
    begin = time.monotonic()
    service.chat(trained, "question 1", temperature=0)
    print(f"    the first answer of the checkpoint took {time.monotonic() - begin:.1f} s")
    # Rollouts of vLLM, trained by the learner from the same weights.
    groups = sampled_groups(service, SEEDLING)
    steps = service.ended(service.rl(service.model(), groups, learning_rate=1e-4))
    mismatch = steps[0]["sampler_mismatch/mean_abs"]
    print(f"    sampler mismatch {mismatch:.1e} nat")
    # Both compute in f32 on processors. On a GPU they compute in bf16, and a job fails above 0.1.
    assert 0 < mismatch <= (0.1 if has_gpu else 1e-3), steps[0]
    metrics = service.call("GET", "/metrics").decode()
    assert 'trainyard_replica_tokens_total' in metrics
    _, processes = service.processes()
    service.stop()
    gone(processes, 5)


def test_a_killed_engine_is_started_again(directory):
    service = Managed(directory)
    service.ready("vllm")
    engines, _ = service.processes()
    begin = time.monotonic()
    for engine in engines.values():
        engine.kill()
    service.chat(SEEDLING, "say yes or no")
    print(f"    vLLM answers again {time.monotonic() - begin:.0f} s after SIGKILL")
    assert len(service.ended(service.sft(service.model(), conversations(30), **SFT))) == 10
    again, _ = service.processes()
    assert all(again[name].pid != engines[name].pid for name in engines), again
    service.stop()


def test_engines_end_with_a_service_that_is_killed(directory):
    service = Managed(directory)
    service.ready("vllm")
    _, processes = service.processes()
    service.kill()
    begin = time.monotonic()
    gone(processes)
    print(f"    {len(processes)} processes ended {time.monotonic() - begin:.1f} s after SIGKILL of the service")


main(globals())
