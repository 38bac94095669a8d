"""Programs under test and load on them, for the tests beside this file."""

import http.client
import json
import subprocess
import threading
import time

# Seconds that a program may take to start, to stop or to answer.
LIMIT = 120


class Program:
    """A running server or worker, its address for a server."""

    def __init__(self, binary, command, options, environment, work):
        self.log = work / f"{command}.{time.monotonic_ns()}.log"
        self.process = subprocess.Popen([binary, command, *options], env=environment, stderr=self.log.open("w"))
        ready = {"serve": "listening on http://", "worker": "working on "}[command]
        deadline = time.monotonic() + LIMIT
        while True:
            line = next((l for l in self.log.read_text().splitlines() if l.startswith(ready)), None)
            if line:
                break
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)
        self.address = line.removeprefix(ready)

    def stop(self):
        self.process.terminate()
        assert self.process.wait(LIMIT) == 0, self.log.read_text()[-2000:]


def create_key(binary, environment, *options):
    command = [binary, "keys", "create", "--entity", "load", *options]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=LIMIT).stdout.strip()


def ask(connection, key, method, path, body=None):
    """Returns the text of a success; anything else is an error."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    response = connection.getresponse()
    text = response.read().decode()
    if not 200 <= response.status < 300:
        raise OSError(f"{method} {path}: {response.status} {text[:200]}")
    return text


class Load:
    """Clients that send chat completions, streams, models and listings without a pause.

    `connect` returns a connection for each request. A request is sent once: any status other than a success, and any
    broken connection, is a failure.
    """

    def __init__(self, connect, key, clients=4):
        self.connect, self.key = connect, key
        self.sent, self.failures, self.stopped = 0, [], False
        self.threads = [threading.Thread(target=self.run, args=(number,), daemon=True) for number in range(clients)]
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
                connection = self.connect()
                answer = ask(connection, self.key, method, path, body)
                connection.close()
                if not answer.rstrip().endswith(end):
                    raise OSError(f"{path} ended with {answer[-60:]!r}")
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))

    def end(self):
        """Stops the clients and prints their failures."""
        self.stopped = True
        for thread in self.threads:
            thread.join(LIMIT)
            assert not thread.is_alive(), "a request is not answered"
        print(f"{self.sent} requests, {len(self.failures)} failed")
        for failure in self.failures[:20]:
            print(" ", failure)
