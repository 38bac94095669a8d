#!/usr/bin/env python3
"""Time of a training job that many clients follow, against its time alone.

    benches/event_streams.py --binary target/release/trainyard --streams 10000 --rounds 3

Starts a server on a temporary directory and makes a model. In each round two jobs with the same data run one after the
other: one that nobody follows, one whose events are streamed to so many connections. A job waits behind another one until
all of its streams are open. Its time is that between its first and its last event by the clock of the database. A process
of its own reads the streams, at the lowest priority, and counts the last events that it got. Both processes need a
descriptor for each stream (ulimit -n). Only the standard library is used.
"""

import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import pathlib
import resource
import selectors
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time

from light_requests import Client, cpu_seconds, server

JOBS = "/v1/preview/sft-training-jobs"


def follow(address, request, streams, opened, over, figures):
    """Opens the streams, reads them to their ends, and reports how many had the job's last event."""
    os.nice(19)
    host, port = address
    selector = selectors.EpollSelector()
    for _ in range(streams):
        connection = socket.create_connection((host, port))
        connection.sendall(request)
        # A stream is open when its response has begun.
        first = connection.recv(64)
        if not first.startswith(b"HTTP/1.1 200"):
            raise SystemExit(first)
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ, b"")
    opened.set()
    complete = received = unfinished = 0
    left = streams
    while left:
        for key, _ in selector.select(timeout=60):
            data = key.fileobj.recv(1 << 18)
            received += len(data)
            # Enough of the end to find the last event of the log.
            tail = (key.data + data)[-4096:]
            if data and not tail.endswith(b"0\r\n\r\n"):
                selector.modify(key.fileobj, selectors.EVENT_READ, tail)
                continue
            complete += b"event: training_ended" in tail
            selector.unregister(key.fileobj)
            key.fileobj.close()
            left -= 1
    figures.put((complete, received, time.process_time()))
    over.set()


class Jobs:
    """Jobs of one model: each runs after the one before it."""

    def __init__(self, address, key, directory, steps):
        self.address, self.key = address, key
        self.database = directory / "data" / "trainyard.db"
        named = {"project": "p", "name": "followed", "base_model": "trainyard/seedling"}
        self.model = self.call("POST", "/v1/preview/models", named)["id"]
        self.data = directory / "rows.jsonl"
        row = {"messages": [{"role": "user", "content": "red?"}, {"role": "assistant", "content": "blue " * 100}]}
        self.data.write_text(f"{json.dumps(row)}\n" * steps, encoding="utf-8")

    def call(self, *request):
        # The server closes a connection that was idle while a job ran.
        return Client(self.address, self.key).call(*request)

    def create(self, epochs=1):
        config = {"batch_size": 1, "learning_rate": 1e-3, "epochs": epochs}
        body = {"model_id": self.model, "training_data_url": f"file://{self.data}", "config": config}
        return self.call("POST", JOBS, body)["id"]

    def cancel(self, job):
        self.call("POST", f"/v1/preview/training-jobs/{job}/cancel", {})

    def finish(self, job):
        """Waits for a job's success; returns the seconds between its first and its last event."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            while True:
                status, = database.execute("SELECT status FROM jobs WHERE id = ?", (job,)).fetchone()
                if status not in ("queued", "running"):
                    break
                time.sleep(0.1)
            if status != "succeeded":
                raise SystemExit(f"job {job}: {status}")
            times = database.execute("SELECT min(created_at), max(created_at) FROM events WHERE job_id = ?", (job,))
            first, last = times.fetchone()
        return (last - first) / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/trainyard")
    parser.add_argument("--streams", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=1000, help="steps of a job, an event each")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    binary = str(pathlib.Path(options.binary).resolve())
    ratios = []
    print("          alone, s  followed, s  ratio  server CPU, s  the same  client CPU, s  received, MB  complete streams")
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        create = [binary, "keys", "create", "--entity", "acme", "--data-dir", str(directory / "data")]
        key = subprocess.run(create, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        more = ["--max-connections", str(options.streams + 100)]
        with server(binary, directory, *more) as (process, address):
            jobs = Jobs(address, key, directory, options.steps)
            host, port = address.split(":")
            for number in range(options.rounds):
                before = cpu_seconds(process)
                alone = jobs.finish(jobs.create())
                used_alone = cpu_seconds(process) - before

                obstacle, job = jobs.create(epochs=1000), jobs.create()
                request = (f"GET /v1/preview/training-jobs/{job}/events HTTP/1.1\r\nHost: {address}\r\n"
                           f"Authorization: Bearer {key}\r\nAccept: text/event-stream\r\n\r\n").encode()
                opened, over, figures = multiprocessing.Event(), multiprocessing.Event(), multiprocessing.Queue()
                arguments = ((host, int(port)), request, options.streams, opened, over, figures)
                client = multiprocessing.Process(target=follow, args=arguments)
                client.start()
                while not opened.wait(1):
                    if not client.is_alive():
                        raise SystemExit("the streams cannot be opened")
                jobs.cancel(obstacle)
                before = cpu_seconds(process)
                followed = jobs.finish(job)
                used = cpu_seconds(process) - before
                complete, received, used_client = figures.get()
                client.join()
                ratios.append(followed / alone)
                print(f"round {number + 1}  {alone:9.2f}  {followed:11.2f}  {ratios[-1]:5.2f}  {used_alone:13.2f}  {used:8.2f}"
                      f"  {used_client:13.2f}  {received / 1e6:12.1f}  {complete}/{options.streams}", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
