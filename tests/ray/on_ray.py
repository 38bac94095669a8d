"""Jobs on learners that a Ray cluster starts, and what becomes of them when learner or cluster fail.

usage: on_ray.py [NAME…]     all tests, or those whose name contains one of these

Needs TRAINYARD_BINARY, TRAINYARD_RAY_VENV and this interpreter with the learner's libraries; see `run` beside this file.
"""

import http.client
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "remote_training"))

from jobs import SFT, Process, Service, Worker, assert_near, conversations, main, run_sft, sampled_groups, trained  # noqa: E402

RAY = Path(os.environ["TRAINYARD_RAY_VENV"]).resolve() / "bin/ray"
TOKEN = "a-token-of-the-test-cluster-0123456789abcdef"
# Seconds in which a service of this machine does what it does at once.
AT_ONCE = 5


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Ray:
    """A Ray cluster of one node without GPUs; `start` again brings a new head up at the same address."""

    def __init__(self, directory, token=None):
        self.directory, self.token, self.process = directory, token, None
        self.gcs, self.dashboard, *self.others = free_ports(6)
        self.address = f"http://127.0.0.1:{self.dashboard}"
        self.start()

    def start(self):
        client, agent, metrics, grpc = self.others
        command = [
            RAY, "start", "--head", "--block", "--node-ip-address", "127.0.0.1", "--port", self.gcs, "--dashboard-port", self.dashboard,
            "--ray-client-server-port", client, "--dashboard-agent-listen-port", agent, "--metrics-export-port", metrics,
            "--dashboard-agent-grpc-port", grpc, "--num-cpus", 2, "--num-gpus", 0, "--object-store-memory", 100_000_000,
            "--temp-dir", f"/tmp/ty-ray-{os.getpid()}", "--disable-usage-stats",
        ]  # fmt: skip
        environment = {"RAY_DISABLE_MEMORY_MONITOR": "1", "PYTHONPATH": "", "PATH": f"{RAY.parent}:{os.environ['PATH']}"}
        if self.token:
            environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": self.token}
        self.process = Process(list(map(str, command)), environment, self.directory / "ray.log")
        begin = time.monotonic()
        while True:
            try:
                if self.call("GET", "/api/version")[0] == 200 and self.call("GET", "/api/gcs_healthz")[0] == 200:
                    return
            except OSError:
                pass
            assert self.process.process.poll() is None and time.monotonic() - begin < 180, self.process.lines[-20:]
            time.sleep(0.5)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.dashboard, timeout=30)
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {self.token}"} if self.token else {})
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def jobs(self):
        """The learners' jobs by their names, with their states."""
        jobs = {job["submission_id"]: job for job in json.loads(self.call("GET", "/api/jobs/")[1])}
        return {name: job["status"] for name, job in jobs.items() if name and name.startswith("trainyard-")}

    def processes(self):
        return psutil.Process(self.process.process.pid).children(recursive=True)

    def learners(self):
        """Processes that run a learner, without the shells around them."""
        found = []
        for process in self.processes():
            try:
                if "trainyard_learner" in process.cmdline() and "python" in process.name():
                    found.append(process)
            except psutil.NoSuchProcess:
                pass
        return found

    def kill_control_process(self):
        """Kills what keeps the state of the cluster; the dashboard goes on."""
        (control,) = [process for process in self.processes() if process.name() == "gcs_server"]
        control.kill()

    def stop(self):
        processes = self.processes()
        self.process.process.terminate()
        for process in processes:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                pass
        self.process.process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def on_ray(ray, directory, **options):
    """Options of a service that trains on a cluster, with the learner on processors and in f32."""
    key = []
    if ray.token:
        (directory / "ray-token").write_text(ray.token)
        key = ["--trainer-key-file", directory / "ray-token"]
    options = {"gpus": 0, "dtype": "float32", "python": sys.executable} | options
    return ["--trainer", f"ray={ray.address}", *key, *(word for name, value in options.items() for word in (f"--trainer-{name}", value))]


def waiting_for(service, job, words, seconds=120):
    """Waits until a job says that it waits for something."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        state = service.call("GET", f"/v1/preview/training-jobs/{job}")
        if words in (state.get("waiting_for") or {}).get("message", ""):
            return state
        time.sleep(0.3)
    raise AssertionError(state)


def comparable(steps):
    return [{name: value for name, value in step.items() if name != "tokens_per_second"} for step in steps]


def test_jobs_end_where_the_engine_ends(directory):
    def embedded(service):
        adapter, metrics = run_sft(service)
        model = service.model()
        groups = sampled_groups(service, "trainyard/seedling")
        service.ended(service.rl(model, groups, learning_rate=1e-3))
        return adapter, metrics, service.adapter(model), groups

    adapter, metrics, policy, groups = trained(directory / "embedded", [], embedded)
    with Ray(directory, TOKEN) as ray:

        def remote(service):
            begin = time.monotonic()
            found, found_metrics = run_sft(service)
            print(f"    first job, with the start of its learner: {time.monotonic() - begin:.1f} s")
            model = service.model()
            begin = time.monotonic()
            service.ended(service.rl(model, groups, learning_rate=1e-3))
            print(f"    second job, on the same learner: {time.monotonic() - begin:.1f} s")
            return found, found_metrics, service.adapter(model)

        found, found_metrics, found_policy = trained(directory / "ray", on_ray(ray, directory), remote)
        assert list(ray.jobs().values()) == ["RUNNING"], "one learner serves both jobs"
    assert_near(found, adapter)
    assert_near(found_policy, policy)
    for before, now in zip(metrics, found_metrics, strict=True):
        assert abs(before["loss/train"] - now["loss/train"]) <= 1e-4, (before, now)


def undisturbed(ray, directory):
    return trained(directory / "undisturbed", on_ray(ray, directory), run_sft)


def disturbed(service, disturb):
    """A supervised job that is disturbed after its second step."""
    model = service.model()
    job = service.sft(model, conversations(30), **SFT)
    service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
    disturb(job)
    metrics = service.ended(job)
    return service.adapter(model), metrics


def test_a_killed_learner_is_started_again(directory):
    with Ray(directory) as ray:
        expected, metrics = undisturbed(ray, directory)

        def kill(_):
            (learner,) = ray.learners()
            learner.kill()

        found, again = trained(directory / "killed", on_ray(ray, directory), lambda service: disturbed(service, kill))
        states = ray.jobs()
    assert sorted(states.values()) == ["FAILED", "RUNNING"] and len(states) == 2, states
    assert found == expected, "the bytes of the adapter differ"
    assert comparable(again) == comparable(metrics), "an event is missing, doubled or different"


def test_a_frozen_learner_is_replaced(directory):
    with Ray(directory) as ray:
        expected, metrics = undisturbed(ray, directory)

        def freeze(_):
            (learner,) = ray.learners()
            learner.send_signal(signal.SIGSTOP)

        found, again = trained(directory / "frozen", on_ray(ray, directory), lambda service: disturbed(service, freeze))
        states = ray.jobs()
    assert len(states) == 2 and "RUNNING" in states.values(), states
    assert found == expected and comparable(again) == comparable(metrics)


def test_a_lost_head_is_waited_for(directory):
    with Ray(directory) as ray:
        expected, metrics = undisturbed(ray, directory)

        def lose(service, job):
            ray.kill_control_process()
            begin = time.monotonic()
            # The learner outlives the control process for some seconds; the job may go on as long.
            state = waiting_for(service, job, "ray=")
            print(f"    after {time.monotonic() - begin:.0f} s the job waits: {state['waiting_for']['message']}")
            assert state["status"] == "running", state
            ray.stop()
            time.sleep(5)
            ray.start()

        def run(service):
            model = service.model()
            job = service.sft(model, conversations(400), batch_size=3, learning_rate=1e-5)
            service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
            lose(service, job)
            steps = service.ended(job)
            assert len(steps) == 134, "an event is missing or doubled"
            return None

        trained(directory / "lost", on_ray(ray, directory), run)
        found, again = trained(directory / "after", on_ray(ray, directory), run_sft)
        assert found == expected and comparable(again) == comparable(metrics)


def test_gpus_that_are_not_to_be_had(directory):
    with Ray(directory) as ray:

        def run(service):
            job = service.sft(service.model(), conversations(3), batch_size=3)
            state = waiting_for(service, job, "waiting for resources")
            print(f"    the job waits: {state['waiting_for']['message']}")
            assert state["status"] == "running", state
            begin = time.monotonic()
            state = service.call("POST", f"/v1/preview/training-jobs/{job}/cancel")
            assert state["status"] == "cancelled" and "waiting_for" not in state, state
            # The worker is free for the next job at once, too.
            other = service.sft(service.model(), conversations(3), batch_size=3)
            waiting_for(service, other, "ray=")
            print(f"    cancelled, and the next job is at work, after {time.monotonic() - begin:.1f} s")
            assert time.monotonic() - begin < AT_ONCE
            service.call("POST", f"/v1/preview/training-jobs/{other}/cancel")

        trained(directory / "data", on_ray(ray, directory, gpus=8), run)


def test_a_used_name_is_left_alone(directory):
    with Ray(directory) as ray:
        expected, metrics = undisturbed(ray, directory)
        (name,) = ray.jobs()
        ray.stop()
        ray.start()
        # Whatever has this name ended long ago.
        status, text = ray.call("POST", "/api/jobs/", {"entrypoint": "false", "submission_id": name})
        assert status == 200, text
        while ray.jobs()[name] != "FAILED":
            time.sleep(0.5)
        found, again = trained(directory / "next", on_ray(ray, directory), run_sft)
        states = ray.jobs()
    assert states == {name: "FAILED", name[:-1] + "2": "RUNNING"}, states
    assert found == expected and comparable(again) == comparable(metrics)


def test_workers_meet_at_one_learner_or_have_one_each(directory):
    with Ray(directory) as ray:
        expected, _ = undisturbed(ray, directory)
        (directory / "shared").mkdir()
        service = Service(directory / "shared", "--no-worker")
        workers = [Worker(directory / "shared", *on_ray(ray, directory)) for _ in range(2)]
        models = [service.model() for _ in range(4)]
        for job in [service.sft(model, conversations(30), **SFT) for model in models]:
            assert len(service.ended(job)) == 10
        assert all(service.adapter(model) == expected for model in models)
        states = ray.jobs()
        print(f"    learners: {states}")
        assert set(states.values()) == {"RUNNING"} and len(states) <= 2, states
        for process in (*workers, service):
            process.stop()


def test_a_cancelled_job_frees_its_session(directory):
    with Ray(directory) as ray:

        def run(service):
            job = service.sft(service.model(), conversations(600), batch_size=2, learning_rate=1e-4)
            service.wait(job, lambda events: sum(event["type"] == "gradient_step" for event in events) >= 2)
            begin = time.monotonic()
            state = service.call("POST", f"/v1/preview/training-jobs/{job}/cancel")
            assert state["status"] == "cancelled" and time.monotonic() - begin < AT_ONCE, state
            run_sft(service)
            assert list(ray.jobs().values()) == ["RUNNING"], "the next job has the same learner"

        trained(directory / "data", on_ray(ray, directory), run)


def test_a_learner_that_cannot_start_fails_the_job_with_its_words(directory):
    with Ray(directory) as ray:

        def run(service):
            job = service.sft(service.model(), conversations(3), batch_size=3)
            event = service.wait(job, lambda events: events and events[-1]["type"] == "training_failed")[-1]
            print(f"    {event['data']['error_message']}")
            assert "nowhere" in event["data"]["error_message"], event

        trained(directory / "data", on_ray(ray, directory, model="/nowhere"), run)
        assert set(ray.jobs().values()) == {"FAILED"} and len(ray.jobs()) == 3, ray.jobs()


def test_a_wrong_token_is_waited_for(directory):
    with Ray(directory, TOKEN) as ray:
        options = on_ray(ray, directory)
        (directory / "ray-token").write_text("another-token-0123456789abcdef0123456789abcdef")

        def run(service):
            model = service.model()
            job = service.sft(model, conversations(30), **SFT)
            state = waiting_for(service, job, "403")
            print(f"    the job waits: {state['waiting_for']['message']}")
            (directory / "ray-token").write_text(TOKEN)
            assert len(service.ended(job)) == 10

        trained(directory / "data", options, run)


if __name__ == "__main__":
    main(globals())
