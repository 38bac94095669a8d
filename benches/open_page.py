#!/usr/bin/env python3
"""Share of the server's processor time that open pages of the dashboard take from a training job.

    benches/open_page.py --binary target/release/trainyard --pages 20 --rounds 3

Starts a server on a temporary directory with one long training job. In each round the job runs for a while without a page,
and as long with so many pages open. A page of a job reads the event stream of the job and asks for the job every two
seconds; an overview asks for the newest jobs every two seconds and for the system check every fifteen; a list asks for the
newest fifty jobs every two seconds. Requests have the session's cookie, as those of a browser have. Processor time is read
by thread: the threads that train, which are the busy ones without a page, are left out. The rest is the cost of requests and of the job's own
bookkeeping, which also runs without a page. The clients run at the lowest priority. What the browser itself takes is not in
the figures. Only the standard library is used.
"""

import argparse
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

from event_streams import Jobs
from light_requests import server

TICK = os.sysconf("SC_CLK_TCK")
# Share of a core above which a thread without pages is one that trains.
COMPUTING = 0.1
# Path and seconds between two requests of each kind of page.
POLLS = {
    "job": [("/v1/preview/training-jobs/{job}", 2)],
    "overview": [("/v1/preview/training-jobs?limit=50&order=desc", 2), ("/v1/system-check", 15)],
    "list": [("/v1/preview/training-jobs?limit=50&order=desc", 2)],
}


def sign_in(address, key):
    """Returns the headers of the dashboard's requests."""
    marked = {"x-trainyard-dashboard": "1", "sec-fetch-site": "same-origin"}
    connection = http.client.HTTPConnection(address)
    connection.request("POST", "/dashboard/session", json.dumps({"api_key": key}), marked)
    response = connection.getresponse()
    response.read()
    cookie = response.getheader("set-cookie").split(";")[0]
    return {**marked, "cookie": cookie}


def used(process):
    """Processor time in seconds of each thread."""
    times = {}
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            continue
        times[task.name] = (int(fields[11]) + int(fields[12])) / TICK
    return times


class Page:
    """A page that is open until `close`."""

    def __init__(self, kind, address, headers, job):
        self.address, self.headers, self.job = address, headers, job
        self.closed = threading.Event()
        self.threads = [threading.Thread(target=self.poll, args=poll) for poll in POLLS[kind]]
        if kind == "job":
            self.threads.append(threading.Thread(target=self.stream))
        for thread in self.threads:
            thread.start()

    def poll(self, path, seconds):
        connection = http.client.HTTPConnection(self.address)
        while not self.closed.wait(seconds):
            connection.request("GET", path.format(job=self.job), headers=self.headers)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise SystemExit(f"{path}: {response.status}")

    def stream(self):
        connection = http.client.HTTPConnection(self.address)
        headers = {**self.headers, "accept": "text/event-stream"}
        connection.request("GET", f"/v1/preview/training-jobs/{self.job}/events", headers=headers)
        response = connection.getresponse()
        while not self.closed.is_set() and response.read1(1 << 16):
            pass
        connection.close()

    def close(self):
        self.closed.set()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/trainyard")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="time of each part of a round")
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        create = [binary, "keys", "create", "--entity", "acme", "--data-dir", str(directory / "data")]
        key = subprocess.run(create, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        with server(binary, directory) as (process, address):
            os.nice(19)
            headers = sign_in(address, key)
            jobs = Jobs(address, key, directory, 1000)
            # Others to be listed; they end before the long one begins.
            for _ in range(50):
                jobs.cancel(jobs.create())
            job = jobs.create(epochs=1000)
            address_of_job = f"/v1/preview/training-jobs/{job}"

            def steps():
                return (jobs.call("GET", address_of_job).get("progress") or {}).get("steps", 0)

            while steps() < 20:
                time.sleep(0.2)

            def measure():
                """Share of a core of each thread, and steps a second."""
                first, done, started = used(process), steps(), time.monotonic()
                time.sleep(options.seconds)
                last, seconds = used(process), time.monotonic() - started
                return {task: (time - first.get(task, 0)) / seconds for task, time in last.items()}, (steps() - done) / seconds

            print("page      alone, % of a core  with pages, %  of each page, %  steps/s alone  with pages")
            for kind in POLLS:
                costs = []
                for _ in range(options.rounds):
                    shares, pace = measure()
                    computing = {task for task, share in shares.items() if share > COMPUTING}
                    alone = sum(share for task, share in shares.items() if task not in computing)
                    pages = [Page(kind, address, headers, job) for _ in range(options.pages)]
                    time.sleep(3)
                    shares, pace_watched = measure()
                    watched = sum(share for task, share in shares.items() if task not in computing)
                    for page in pages:
                        page.close()
                    for thread in (thread for page in pages for thread in page.threads):
                        thread.join()
                    costs.append(100 * (watched - alone) / options.pages)
                    print(f"{kind:8}  {100 * alone:18.1f}  {100 * watched:13.1f}  {costs[-1]:15.2f}  {pace:13.1f}  {pace_watched:10.1f}", flush=True)
                print(f"{kind:8}  median of each page {statistics.median(costs):.2f} % of a core", flush=True)
            jobs.cancel(job)


if __name__ == "__main__":
    main()
