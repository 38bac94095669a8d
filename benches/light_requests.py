#!/usr/bin/env python3
"""CPU time of the server for each of the requests that only read the store, and for /health beside them.

    benches/light_requests.py --binary target/release/trainyard --rounds 5 --requests 1000

Starts a server on a temporary directory, makes models with a job each, and starts a server without a worker on the same
data. `--database` names an empty PostgreSQL database in place of SQLite. One client sends the requests one after the other
over one connection; operations take turns. The CPU time is that of all threads of the server, its log lines included.
With SQLite, each operation has a second figure: the client writes to the database before each request, so that the server
cannot respond as it did before. Figures are medians. Only the standard library is used.
"""

import argparse
import contextlib
import http.client
import json
import pathlib
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import time


def cpu_seconds(process):
    """CPU time of all threads of a process: clock_getcpuclockid(3)."""
    return time.clock_gettime((~process.pid << 3) | 2)


@contextlib.contextmanager
def server(binary, directory, *more):
    command = [binary, "serve", "--listen", "127.0.0.1:0", "--data-dir", str(directory / "data"), "--allow-data",
               f"file://{directory}/", *more]
    log = directory / "log"
    with open(log, "w", encoding="utf-8") as stderr:
        process = subprocess.Popen(command, stderr=stderr)
    try:
        while "listening on http://" not in (text := log.read_text(encoding="utf-8")):
            if process.poll() is not None:
                raise SystemExit(text)
            time.sleep(0.05)
        yield process, text.split("listening on http://")[1].split()[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


class Writer:
    """Another process that writes."""

    def __init__(self, directory):
        # The server checkpoints.
        self.database = sqlite3.connect(directory / "data" / "trainyard.db", isolation_level=None)
        self.database.executescript("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")

    def write(self):
        self.database.execute("UPDATE keys SET last_used_at = last_used_at + 1")


class Client:
    def __init__(self, address, key, timeout=60):
        self.connection = http.client.HTTPConnection(address, timeout=timeout)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def send(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.status != 200:
            raise SystemExit(f"{method} {path}: {response.status} {content.decode()[:500]}")
        return content

    def call(self, method, path, body=None):
        return json.loads(self.send(method, path, body))

    def wait(self, job):
        """Waits for the success of a job."""
        while (state := self.call("GET", f"/v1/preview/training-jobs/{job}"))["status"] in ("queued", "running"):
            time.sleep(0.02)
        if state["status"] != "succeeded":
            raise SystemExit(state)


def fill(client, directory, models, steps):
    """Makes models, each with a job of so many steps; returns the ids of the last model and of its job."""
    rows = directory / "rows.jsonl"
    row = {"messages": [{"role": "user", "content": "red?"}, {"role": "assistant", "content": "blue"}]}
    rows.write_text(f"{json.dumps(row)}\n" * steps, encoding="utf-8")
    for number in range(models):
        named = {"project": "p", "name": f"agent-{number}", "base_model": "trainyard/seedling"}
        model = client.call("POST", "/v1/preview/models", named)["id"]
        job = {"model_id": model, "training_data_url": f"file://{rows}", "config": {"batch_size": 1, "learning_rate": 1e-3}}
        job = client.call("POST", "/v1/preview/sft-training-jobs", job)["id"]
        client.wait(job)
    return model, job


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/trainyard")
    parser.add_argument("--database", help="URL of an empty PostgreSQL database")
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--steps", type=int, default=20, help="steps of each model's job")
    parser.add_argument("--requests", type=int, default=1000, help="requests of an operation in a turn")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        store = ["--database", options.database] if options.database else []
        create = [binary, "keys", "create", "--entity", "acme", "--data-dir", str(directory / "data"), *store]
        key = subprocess.run(create, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        with server(binary, directory, "--threads", "1", *store) as (_, address):
            model, job = fill(Client(address, key), directory, options.models, options.steps)
        operations = {
            "GET /health": "/health",
            "GET a model": f"/v1/preview/models/{model}",
            "GET models, 1": "/v1/preview/models?limit=1",
            "GET models, 20": "/v1/preview/models?limit=20",
            "GET a job": f"/v1/preview/training-jobs/{job}",
            "GET jobs, 1": "/v1/preview/training-jobs?limit=1",
            "GET jobs, 20": "/v1/preview/training-jobs?limit=20",
            "GET events, 1": f"/v1/preview/training-jobs/{job}/events?limit=1",
            "GET events, 20": f"/v1/preview/training-jobs/{job}/events?limit=20",
            "GET checkpoints": f"/v1/preview/models/{model}/checkpoints",
            "GET /v1/models": "/v1/models",
        }
        with server(binary, directory, "--threads", "1", "--no-worker", *store) as (process, address):
            client = Client(address, key)
            changes = {"unchanged": lambda: None}
            if not options.database:
                changes["changed"] = Writer(directory).write
            figures = {(name, column): [] for name in operations for column in changes}
            sizes = {name: len(client.send("GET", path)) for name, path in operations.items()}
            for _ in range(options.rounds):
                for (name, column), values in figures.items():
                    begin = cpu_seconds(process)
                    for _ in range(options.requests):
                        changes[column]()
                        client.send("GET", operations[name])
                    values.append((cpu_seconds(process) - begin) / options.requests)
    print("ms of CPU for a request" + "".join(f"{column:>12}  lowest" for column in changes) + "   bytes")
    for name in operations:
        columns = [figures[name, column] for column in changes]
        print(f"{name:23}" + "".join(f"{statistics.median(values) * 1e3:12.3f} {min(values) * 1e3:7.3f}" for values in columns)
              + f" {sizes[name]:7}")


if __name__ == "__main__":
    main()
