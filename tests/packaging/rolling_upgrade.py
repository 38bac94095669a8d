"""Load and upgrade of `rolling_upgrade`: python rolling_upgrade.py OLD NEW DATABASE

The load asks the servers in turn, as a proxy with health checks does: a server gets requests while its `GET /health`
answers 200.
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

from load import LIMIT, Load, Program, ask, create_key

# Seconds between two health checks of one server, and the server's notice before it stops accepting: longer.
CHECK, NOTICE = 0.2, 2
# Seconds that each mixture of versions runs under load.
STAGE = 3


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

    def connect(self):
        with self.lock:
            self.turn += 1
            address = self.healthy[self.turn % len(self.healthy)].address
        return http.client.HTTPConnection(address, timeout=60)


def status(address, path):
    try:
        connection = http.client.HTTPConnection(address, timeout=5)
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None


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

    key = create_key(old, environment)
    balancer = Balancer()
    balancer.servers = [start(old, "serve"), start(old, "serve")]
    workers = [start(old, "worker")]
    while len(balancer.healthy) < 2:
        time.sleep(CHECK)
    model = {"project": "p", "name": "long", "base_model": "trainyard/seedling"}
    model = json.loads(ask(balancer.connect(), key, "POST", "/v1/preview/models", model))
    body = {"model_id": model["id"], "training_data_url": rows.as_uri(), "config": {"batch_size": 1}}
    job = json.loads(ask(balancer.connect(), key, "POST", "/v1/preview/sft-training-jobs", body))["id"]
    load = Load(balancer.connect, key)
    time.sleep(STAGE)

    migrate = subprocess.run([new, "migrate", "--json"], env=environment, check=True, capture_output=True, text=True, timeout=LIMIT)
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
        state = json.loads(ask(balancer.connect(), key, "GET", f"/v1/preview/training-jobs/{job}"))
        if state["status"] not in ("queued", "running"):
            break
        time.sleep(0.5)
    for program in [*balancer.servers, *workers]:
        program.stop()
    print(f"the job {state['status']}")
    assert not load.failures and state["status"] == "succeeded", state
    assert load.sent > 100, "too little load to prove anything"


main(*sys.argv[1:])
