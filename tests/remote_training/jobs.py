"""Jobs of the service on the real learner, and what becomes of them when the learner or the worker fails.

usage: jobs.py [NAME…]     all tests, or those whose name contains one of these

Needs TRAINYARD_BINARY and this interpreter with the learner's libraries; see `run` beside this file.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
from safetensors.numpy import load

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ["TRAINYARD_BINARY"]).resolve()
SEEDLING = ROOT / "assets/seedling"
TOKEN = "a-key-of-the-test"
# Difference of two adapters in relation to what training changed, as for the recorded jobs of tests/golden/training.
TOLERANCE = 1e-3
# Seconds to wait for a start, or for the end of a job.
TIMEOUT = 600
ANSWERS = ["yes", "no", "maybe yes", "perhaps not"]


class Process:
    """A process whose output is read line by line, until it is told to end."""

    def __init__(self, command, environment, log):
        self.log, self.lines, self.new = open(log, "ab"), [], threading.Condition()
        self.process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.log.write(line)
            self.log.flush()
            with self.new:
                self.lines.append(line.decode(errors="replace").rstrip())
                self.new.notify_all()

    def wait_for(self, pattern):
        """The first match in the output so far or to come."""
        found = lambda: next((match for line in self.lines if (match := re.search(pattern, line))), None)
        with self.new:
            if not self.new.wait_for(lambda: found() or self.process.poll() is not None, TIMEOUT) or not found():
                raise AssertionError(f"no {pattern!r} in:\n" + "\n".join(self.lines[-20:]))
            return found()

    def kill(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait(60)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class Learner(Process):
    """A learner on the bundled model or another one; `port` is that of an earlier learner."""

    def __init__(self, directory, port=0, model=SEEDLING):
        command = [sys.executable, "-m", "trainyard_learner", "--model", str(model), "--dtype", "float32", "--threads", "1", "--port", str(port)]
        super().__init__(command, {"TRAINYARD_LEARNER_TOKEN": TOKEN, "PYTHONPATH": str(ROOT / "learner"), "HF_HUB_OFFLINE": "1"}, directory / "learner.log")
        self.url = json.loads(self.wait_for(r"^TRAINYARD_LEARNER (.*)").group(1))["url"]
        self.port = int(self.url.rsplit(":", 1)[1])

    def sessions(self):
        with urllib.request.urlopen(f"{self.url}/health", timeout=30) as answer:
            return json.load(answer)["sessions"]


class Service(Process):
    """`trainyard serve` on a directory, with or without its own worker."""

    def __init__(self, directory, *options):
        self.directory = directory
        command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--data-dir", directory / "data", "--threads", "1",
                   "--allow-data", directory.as_uri() + "/", *options]
        super().__init__(list(map(str, command)), {}, directory / "serve.log")
        self.url = self.wait_for(r"^listening on (http\S+)").group(1)
        keys = directory / "key"
        if not keys.exists():
            keys.write_text(next(word for line in self.lines for word in re.findall(r"ty_[A-Za-z0-9_-]+", line)))
        self.key = keys.read_text()

    def call(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                data = answer.read()
                return json.loads(data) if answer.headers.get_content_type() == "application/json" else data
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def model(self, **more):
        body = {"entity": "default", "project": "test", "name": f"m{time.time_ns()}", "base_model": "trainyard/seedling"} | more
        return self.call("POST", "/v1/preview/models", body)["id"]

    def sft(self, model, rows, **config):
        data = self.directory / "train.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        body = {"model_id": model, "training_data_url": data.as_uri(), "config": config}
        return self.call("POST", "/v1/preview/sft-training-jobs", body)["id"]

    def rl(self, model, groups, **config):
        body = {"model_id": model, "trajectory_groups": groups, "experimental_config": config}
        return self.call("POST", "/v1/preview/training-jobs", body)["id"]

    def events(self, job):
        events, after = [], ""
        while True:
            page = self.call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100&order=asc{after}")
            events += page["data"]
            if not page.get("has_more"):
                return events
            after = f"&after={page['data'][-1]['id']}"

    def steps(self, job):
        return [event["data"] for event in self.events(job) if event["type"] == "gradient_step"]

    def wait(self, job, condition):
        """Waits for events that meet a condition, and returns them."""
        begin = time.monotonic()
        while time.monotonic() - begin < TIMEOUT:
            events = self.events(job)
            if condition(events):
                return events
            time.sleep(0.05)
        raise AssertionError(f"job {job}: {events[-3:]}")

    def ended(self, job):
        events = self.wait(job, lambda events: events and events[-1]["type"] in ("training_ended", "training_failed"))
        assert events[-1]["type"] == "training_ended", events[-1]
        return [event["data"] for event in events if event["type"] == "gradient_step"]

    def adapter(self, model, step=None):
        step = step or max(checkpoint["step"] for checkpoint in self.call("GET", f"/v1/preview/models/{model}/checkpoints")["data"])
        return self.call("GET", f"/v1/preview/models/{model}/checkpoints/{step}/files/adapter_model.safetensors")


class Worker(Process):
    def __init__(self, directory, *options):
        command = [BINARY, "worker", "--data-dir", directory / "data", "--threads", "1", "--allow-data", directory.as_uri() + "/", *options]
        super().__init__(list(map(str, command)), {}, directory / "worker.log")
        self.wait_for("^working on the jobs")


def conversations(count):
    turn = lambda number: [{"role": "user", "content": f"question {number}"}, {"role": "assistant", "content": ANSWERS[number % 4] * (1 + number % 3)}]
    return [{"messages": turn(number)} for number in range(count)]


def sampled_groups(service, model_name, prompts=2, answers=4):
    """Groups of answers that the service sampled, with rewards by their length."""
    groups = []
    for prompt in range(prompts):
        question = {"role": "user", "content": f"say yes or no {prompt}"}
        request = {"model": model_name, "messages": [question], "n": answers, "max_tokens": 12, "logprobs": True, "seed": 7 + prompt}
        choices = service.call("POST", "/v1/chat/completions", request)["choices"]
        rollout = lambda index, choice: {"messages_and_choices": [question, choice], "reward": float(index % 3)}
        groups.append({"trajectories": [rollout(index, choice) for index, choice in enumerate(choices)]})
    return groups


def assert_near(remote, embedded):
    """Compares two adapters; the second factors begin at zero, so that training made all of them."""
    remote, embedded = load(remote), load(embedded)
    assert remote.keys() == embedded.keys()
    second = [name for name in embedded if "lora_B" in name]
    norm = lambda tensors: np.sqrt(sum(float((tensor.astype(np.float64) ** 2).sum()) for tensor in tensors))
    relative = norm(remote[name] - embedded[name] for name in second) / norm(embedded[name] for name in second)
    print(f"    adapters differ by {relative:.1e} of what training changed")
    assert relative <= TOLERANCE


def trained(directory, options, run):
    """Runs jobs on a service of its own; `run` returns the adapters."""
    directory.mkdir()
    service = Service(directory, *options)
    try:
        return run(service)
    finally:
        service.stop()


def remote(learner, directory):
    key = directory / "learner-key"
    key.write_text(TOKEN + "\n")
    return ["--trainer", learner.url, "--trainer-key-file", key]


SFT = {"batch_size": 3, "learning_rate": 1e-3}


def run_sft(service):
    model = service.model()
    metrics = service.ended(service.sft(model, conversations(30), **SFT))
    return service.adapter(model), metrics


def test_sft_ends_where_the_engine_ends(directory):
    embedded, expected = trained(directory / "embedded", [], run_sft)
    learner = Learner(directory)
    def run(service):
        adapter, metrics = run_sft(service)
        model = service.call("GET", "/v1/preview/models")["data"][0]["id"]
        program = service.call("GET", f"/v1/preview/models/{model}/checkpoints/1/manifest")["manifest"]["program"]
        assert program["learner"]["dtype"] == "float32" and "torch" in program["learner"]["versions"], program
        return adapter, metrics

    found, metrics = trained(directory / "remote", remote(learner, directory), run)
    learner.stop()
    assert_near(found, embedded)
    assert len(metrics) == len(expected) == 10
    for before, now in zip(expected, metrics):
        assert abs(before["loss/train"] - now["loss/train"]) <= 1e-4, (before, now)
        assert abs(now["loss/grad_norm"] / before["loss/grad_norm"] - 1) <= 1e-3, (before, now)


def test_rl_ends_where_the_engine_ends(directory):
    def run_embedded(service):
        model = service.model()
        # The rollouts of both runs are these: the base model and the first step are the same everywhere.
        groups = sampled_groups(service, "trainyard/seedling")
        job = service.rl(model, groups, learning_rate=1e-3)
        return service.adapter(model) if service.ended(job) else None, groups

    embedded, groups = trained(directory / "embedded", [], run_embedded)
    learner = Learner(directory)

    def run_remote(service):
        model = service.model()
        steps = service.ended(service.rl(model, groups, learning_rate=1e-3))
        adapter = service.adapter(model)
        # With a KL penalty, and logprobs of the initial weights: two sessions more.
        more = service.ended(service.rl(model, groups, learning_rate=1e-3, kl_penalty_coef=0.1, precalculate_logprobs=True))
        return adapter, steps, more

    found, steps, more = trained(directory / "remote", remote(learner, directory), run_remote)
    learner.stop()
    assert_near(found, embedded)
    mismatch = steps[0]["sampler_mismatch/mean_abs"]
    print(f"    sampler mismatch {mismatch:.1e} nat")
    assert 0 <= mismatch <= 1e-4 and steps[0]["sampler_mismatch/max"] <= 1e-3 and steps[0]["sampler_mismatch/kl"] <= 1e-6
    assert "sampler_mismatch/mean_abs" not in steps[1]
    assert all("loss/kl_policy_ref" in step and "sampler_mismatch/mean_abs" in step for step in more)


def test_a_killed_learner_changes_no_byte(directory):
    learner = Learner(directory)
    expected, undisturbed = trained(directory / "undisturbed", remote(learner, directory), run_sft)

    def run(service):
        nonlocal learner
        model = service.model()
        job = service.sft(model, conversations(30), **SFT)
        for steps in (2, 5):
            service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= steps)
            learner.kill()
            learner = Learner(directory, learner.port)
        metrics = service.ended(job)
        return service.adapter(model), metrics

    found, metrics = trained(directory / "killed", remote(learner, directory), run)
    learner.stop()
    assert found == expected, "the bytes of the adapter differ"
    comparable = lambda steps: [{name: value for name, value in step.items() if name != "tokens_per_second"} for step in steps]
    assert comparable(metrics) == comparable(undisturbed), "an event is missing, doubled or different"


def test_a_cancelled_job_frees_its_session(directory):
    learner = Learner(directory)

    def run(service):
        job = service.sft(service.model(), conversations(600), batch_size=2, learning_rate=1e-4)
        service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
        assert learner.sessions() == 1
        begin = time.monotonic()
        service.call("POST", f"/v1/preview/training-jobs/{job}/cancel")
        while learner.sessions() > 0:
            assert time.monotonic() - begin < 30, "the session is still open"
            time.sleep(0.05)
        print(f"    the session was closed after {time.monotonic() - begin:.1f} s")
        assert service.call("GET", f"/v1/preview/training-jobs/{job}")["status"] == "cancelled"

    trained(directory / "data", remote(learner, directory), run)
    learner.stop()


def test_a_frozen_worker_is_fenced_off(directory):
    learner = Learner(directory)
    options = remote(learner, directory)
    expected, _ = trained(directory / "undisturbed", options, run_sft)
    (directory / "shared").mkdir()
    service = Service(directory / "shared", "--no-worker")
    first = Worker(directory / "shared", *options)
    model = service.model()
    job = service.sft(model, conversations(30), **SFT)
    service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
    first.process.send_signal(signal.SIGSTOP)
    second = Worker(directory / "shared", *options)
    second.wait_for("session opened")
    # Both hold a session of the job now, as far as they know.
    first.process.send_signal(signal.SIGCONT)
    metrics = service.ended(job)
    assert len(metrics) == 10, "an event is missing or doubled"
    assert service.adapter(model) == expected, "the bytes of the adapter differ"
    for process in (first, second, service, learner):
        process.stop()


def test_a_model_of_all_weights_is_refused_by_name(directory):
    learner = Learner(directory)

    def run(service):
        model = service.model(training_method="full")
        job = service.sft(model, conversations(3), batch_size=3)
        event = service.wait(job, lambda events: events and events[-1]["type"] == "training_failed")[-1]
        assert "trains all weights" in event["data"]["error_message"], event
        assert learner.sessions() == 0

    trained(directory / "data", remote(learner, directory), run)
    learner.stop()


def test_a_job_stays_with_its_kind_of_trainer(directory):
    learner = Learner(directory)
    options = remote(learner, directory)
    expected, _ = trained(directory / "undisturbed", options, run_sft)
    (directory / "shared").mkdir()
    service = Service(directory / "shared", "--no-worker")
    first = Worker(directory / "shared", *options)
    model = service.model()
    job = service.sft(model, conversations(30), **SFT)
    service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
    first.stop()
    # A worker with the engine leaves it, and says so.
    other = Worker(directory / "shared")
    other.wait_for("jobs wait for a worker with another base model, or with the trainer that they began with")
    found = service.call("GET", f"/v1/preview/training-jobs/{job}")
    assert (found["status"], found["trainer"]) == ("queued", "learner"), found
    assert service.ended(service.sft(service.model(), conversations(3), batch_size=3)), "it works on other jobs"
    made = len(service.steps(job))
    second = Worker(directory / "shared", *options)
    assert len(service.ended(job)) == 10 and made < 10
    assert service.adapter(model) == expected, "the bytes of the adapter differ"
    for process in (second, other, service, learner):
        process.stop()


def test_a_mixture_of_experts_is_trained_without_weights_here(directory):
    sys.path.append(str(ROOT / "tests/cluster"))
    from mixture import BASE, make_mixture

    whole, small = make_mixture(directory / "mixture"), directory / "small"
    shutil.copytree(whole, small, ignore=shutil.ignore_patterns("*.safetensors*"))
    learner = Learner(directory, model=whole)

    def run(service):
        model = service.model(base_model=BASE, lora={"rank": 4})
        metrics = service.ended(service.sft(model, conversations(12), batch_size=3, learning_rate=1e-2, epochs=4))
        losses = [step["loss/train"] for step in metrics]
        print(f"    losses of a mixture of experts: {losses[0]:.3f} to {losses[-1]:.3f}")
        assert losses[-1] < 0.7 * losses[0], losses
        adapter = load(service.adapter(model))
        modules = {name.split(".lora_")[0].rsplit(".", 1)[1] for name in adapter}
        assert modules == {"q_proj", "k_proj", "v_proj", "o_proj"}, modules
        assert all(np.abs(tensor).max() > 0 for tensor in adapter.values()), "a factor was not trained"

    # Nobody samples in this test.
    options = ["--base-model", f"{BASE}={small}", "--sampler", f"{BASE}=vllm=http://127.0.0.1:9", *remote(learner, directory)]
    trained(directory / "data", options, run)
    learner.stop()


def test_the_check_of_a_cluster_measures_the_learner(directory):
    learner = Learner(directory)
    command = [BINARY, "cluster", "check", "--json", "--threads", "1", "--data-dir", directory / "data", *remote(learner, directory)]
    checked = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, timeout=TIMEOUT)
    report = json.loads(checked.stdout)["base_models"][0]
    assert checked.returncode == 0 and report["passed"], report
    figures = report["learner"]["figures"]
    assert figures["program"]["dtype"] == "float32" and figures["program"]["world_size"] == 1, figures
    assert figures["base_model_difference"] <= 1e-4 and figures["step_difference"] <= 1e-4, figures
    assert abs(figures["gradient_norm"] / figures["expected_gradient_norm"] - 1) <= 1e-3, figures
    assert learner.sessions() == 0
    (directory / "learner-key").write_text("another key")
    refused = subprocess.run(list(map(str, command[:3] + command[4:])), stdout=subprocess.PIPE, text=True, timeout=TIMEOUT)
    assert refused.returncode == 1 and "cannot be used" in refused.stdout, refused.stdout
    learner.stop()


def main(module):
    """Runs the tests of a module."""
    tests = [(name, test) for name, test in module.items() if name.startswith("test_")]
    chosen = [(name, test) for name, test in tests if not sys.argv[1:] or any(word in name for word in sys.argv[1:])]
    failed = 0
    for name, test in chosen:
        begin = time.monotonic()
        print(name, flush=True)
        with tempfile.TemporaryDirectory(prefix="trainyard-learner-") as directory:
            try:
                test(Path(directory))
                print(f"    passed in {time.monotonic() - begin:.0f} s", flush=True)
            except Exception:
                failed += 1
                traceback.print_exc()
                for log in sorted(Path(directory).rglob("*.log")):
                    print(f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]))
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main(globals())
