"""Load and upgrade of `rolling_upgrade`: python rolling_upgrade.py OLD NEW DATABASE

The load asks the servers in turn, as a proxy with health checks does: a server gets requests while its `GET /health`
answers 200. A request is sent once; any status other than a success, and any broken connection, is a failure.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CLIENTS = 4
# Seconds between two health checks of one server, and the server's notice before it stops accepting: longer.
CHECK, NOTICE = 0.2, 2
# Seconds that each mixture of versions runs under load.
STAGE = 3


class Program:
    """A running server or worker, its address for a server."""

    def __init__(self, binary, command, options, environment, work):
        self.log = work / f"{command}.{time.monotonic_ns()}.log"
        self.process = subprocess.Popen([binary, command, *options], env=environment, stderr=self.log.open("w"))
        ready = {"serve": "listening on http://", "worker": "working on "}[command]
        while True:
            line = next((l for l in self.log.read_text().splitlines() if l.startswith(ready)), None)
            if line:
                break
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        self.address = line.removeprefix(ready)

    def stop(self):
        self.process.terminate()
        assert self.process.wait(120) == 0, self.log.read_text()[-2000:]


class Balancer:
    """Servers that pass their health checks."""

    def __init__(self):
        self.lock, self.servers, self.healthy, self.turn = threading.Lock(), [], [], 0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            healthy = [server for server in list(self.servers) if status(server.address, "/health") == 200]
            with self.lock:
                self.healthy = healthy
            time.sleep(CHECK)

    def choose(self):
        with self.lock:
            self.turn += 1
            return self.healthy[self.turn % len(self.healthy)].address


def status(address, path):
    try:
        connection = http.client.HTTPConnection(address, timeout=5)
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None


def ask(address, key, method, path, body=None):
    connection = http.client.HTTPConnection(address, timeout=60)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if not 200 <= response.status < 300:
        raise OSError(f"{method} {path}: {response.status} {text[:200]}")
    return text


class Load:
    """Clients that send chat completions, streams, models and listings without a pause."""

    def __init__(self, balancer, key):
        self.balancer, self.key = balancer, key
        self.sent, self.failures, self.stopped = 0, [], False
        self.threads = [threading.Thread(target=self.run, args=(number,)) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        count = 0
        while not self.stopped:
            count += 1
            chat = {"model": "trainyard/seedling", "max_tokens": 4, "messages": [{"role": "user", "content": "hello"}]}
            model = {"project": "load", "name": f"m{number}-{count}", "base_model": "trainyard/seedling"}
            method, path, body, end = [
                ("POST", "/v1/chat/completions", chat, "}"),
                ("POST", "/v1/chat/completions", chat | {"stream": True}, "data: [DONE]"),
                ("POST", "/v1/preview/models", model, "}"),
                ("GET", "/v1/preview/training-jobs?limit=5", None, "}"),
            ][count % 4]
            self.sent += 1
            try:
                answer = ask(self.balancer.choose(), self.key, method, path, body)
                if not answer.rstrip().endswith(end):
                    raise OSError(f"{path} ended with {answer[-60:]!r}")
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))

    def end(self):
        self.stopped = True
        for thread in self.threads:
            thread.join()


def main(old, new, database):
    work = Path(tempfile.mkdtemp())
    environment = os.environ | {"TRAINYARD_DATABASE": database, "TRAINYARD_ARTIFACTS": str(work / "artifacts")}
    rows = work / "rows.jsonl"
    turn = [{"role": "user", "content": "red?"}, {"role": "assistant", "content": "left right up down"}]
    rows.write_text((json.dumps({"messages": turn}) + "\n") * 4000)

    def start(binary, command, *options):
        options = ["--data-dir", str(work / f"data{time.monotonic_ns()}"), "--threads", "1", *options]
        if command == "serve":
            options += ["--no-worker", "--listen", "127.0.0.1:0", "--drain-notice", str(NOTICE)]
        return Program(binary, command, [*options, "--allow-data", work.as_uri() + "/"], environment, work)

    keys = [old, "keys", "create", "--entity", "load"]
    key = subprocess.run(keys, env=environment, check=True, capture_output=True, text=True).stdout.strip()
    balancer = Balancer()
    balancer.servers = [start(old, "serve"), start(old, "serve")]
    workers = [start(old, "worker")]
    while len(balancer.healthy) < 2:
        time.sleep(CHECK)
    address = balancer.choose()
    model = {"project": "p", "name": "long", "base_model": "trainyard/seedling"}
    model = json.loads(ask(address, key, "POST", "/v1/preview/models", model))
    body = {"model_id": model["id"], "training_data_url": rows.as_uri(), "config": {"batch_size": 1}}
    job = json.loads(ask(address, key, "POST", "/v1/preview/sft-training-jobs", body))["id"]
    load = Load(balancer, key)
    time.sleep(STAGE)

    migrate = subprocess.run([new, "migrate", "--json"], env=environment, check=True, capture_output=True, text=True)
    print(f"migrations applied under load: {len(json.loads(migrate.stdout)['applied'])}")
    time.sleep(STAGE)
    for replaced in list(balancer.servers):
        balancer.servers.append(start(new, "serve"))
        time.sleep(STAGE)
        replaced.stop()
        balancer.servers.remove(replaced)
    workers.append(start(new, "worker"))
    workers.pop(0).stop()
    time.sleep(STAGE)
    load.end()

    while True:
        state = json.loads(ask(balancer.choose(), key, "GET", f"/v1/preview/training-jobs/{job}"))
        if state["status"] not in ("queued", "running"):
            break
        time.sleep(0.5)
    for program in [*balancer.servers, *workers]:
        program.stop()
    print(f"{load.sent} requests, {len(load.failures)} failed; the job {state['status']}")
    for failure in load.failures[:20]:
        print(" ", failure)
    assert not load.failures and state["status"] == "succeeded", state
    assert load.sent > 100, "too little load to prove anything"


main(*sys.argv[1:])
