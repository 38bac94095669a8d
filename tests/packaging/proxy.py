"""Two servers behind a proxy: python proxy.py caddy|nginx BINARY WORK

WORK has `tls.crt` and `tls.key` of localhost.
"""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

from load import LIMIT, Load, Program, ask, create_key

PACKAGING = Path(__file__).parents[2] / "packaging"
# Seconds of load before and after a change.
STAGE = 3


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_proxy(name, servers, work):
    """Returns the process, its port and the certificate that clients trust."""
    port = free_port()
    if name == "caddy":
        environment = os.environ | {
            "TRAINYARD_HOST": f"localhost:{port}",
            "TRAINYARD_SERVERS": " ".join(servers),
            "XDG_DATA_HOME": str(work / "caddy"),
            "XDG_CONFIG_HOME": str(work / "caddy"),
        }
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(PACKAGING / "proxy/Caddyfile")]
        certificate = work / "caddy/caddy/pki/authorities/local/root.crt"
    else:
        text = (PACKAGING / "proxy/nginx.conf").read_text()
        for old, new in [
            ("server-1:8000", servers[0]),
            ("server-2:8000", servers[1]),
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("/etc/nginx/tls", str(work)),
        ]:
            assert old in text, old
            text = text.replace(old, new)
        # Only an installed package has the directories that nginx uses by default.
        own = ["access_log off;"]
        own += [f"{use}_temp_path {work}/{use};" for use in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
        (work / "nginx.conf").write_text(text.replace("http {", "http {\n    " + "\n    ".join(own), 1))
        directives = f"daemon off; pid {work}/nginx.pid; error_log stderr;"
        command = ["nginx", "-c", str(work / "nginx.conf"), "-p", str(work), "-g", directives]
        environment, certificate = os.environ, work / "tls.crt"
    log = (work / f"{name}.log").open("w")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    return process, port, certificate


def main(name, binary, work):
    work = Path(work)
    data = ["--data-dir", str(work / f"data-{name}")]
    key = create_key(binary, os.environ, *data)

    def start(listen):
        options = [*data, "--threads", "1", "--no-worker", "--drain-notice", "4", "--listen", listen]
        return Program(binary, "serve", options, os.environ, work)

    first, second = [start("127.0.0.1:0") for _ in range(2)]
    proxy, port, certificate = start_proxy(name, [first.address, second.address], work)
    try:
        trusted, deadline = None, time.monotonic() + LIMIT
        while True:
            assert proxy.poll() is None and time.monotonic() < deadline, (work / f"{name}.log").read_text()
            try:
                trusted = trusted or ssl.create_default_context(cafile=certificate)
                connection = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=60)
                connection.request("GET", "/health")
                if connection.getresponse().status == 200:
                    break
            except OSError:
                pass
            time.sleep(0.1)

        def connect():
            return http.client.HTTPSConnection("localhost", port, context=trusted, timeout=60)

        stream(connect(), key)
        bodies(port, certificate, key, work)

        load = Load(connect, key)
        time.sleep(STAGE)
        before = load.sent
        second.stop()
        time.sleep(STAGE)
        second = start(second.address)
        time.sleep(STAGE)
        load.end()
        assert not load.failures and load.sent > before > 20

        # Requests that the killed server had begun are lost; those that follow are not.
        second.process.send_signal(signal.SIGKILL)
        second.process.wait(LIMIT)
        for _ in range(20):
            ask(connect(), key, "GET", "/v1/models")
        print("20 requests after a server was killed, 0 failed")
        first.stop()
    finally:
        proxy.terminate()
        proxy.wait(30)
        for program in (first, second):
            program.process.kill()


def stream(connection, key):
    """The first event arrives long before the last."""
    body = {"model": "trainyard/seedling", "max_tokens": 1500, "min_tokens": 1500, "stream": True}
    body["messages"] = [{"role": "user", "content": "hello"}]
    begun = time.monotonic()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    response = connection.getresponse()
    assert response.status == 200, response.read()
    lines = 0
    while line := response.readline():
        if line.startswith(b"data:"):
            first = time.monotonic() - begun if not lines else first
            lines, last = lines + 1, line
    whole = time.monotonic() - begun
    print(f"stream: first event after {first * 1e3:.0f} ms, the last of {lines} after {whole * 1e3:.0f} ms")
    assert last.strip() == b"data: [DONE]" and lines > 100 and first < whole / 2


def bodies(port, certificate, key, work):
    """A body of 4 MB is answered; one above the limit of its operation is refused by the service, not by the proxy."""
    for megabytes, status, code in [(4, 400, "context_length_exceeded"), (80, 413, "body_too_large")]:
        messages = [{"role": "user", "content": "a" * 1_000_000}] * megabytes
        (work / "body").write_text(json.dumps({"model": "trainyard/seedling", "messages": messages}))
        # curl reads an answer that comes before the end of the body; the module http.client does not.
        command = ["curl", "--silent", "--cacert", certificate, "--write-out", "\n%{http_code}"]
        command += ["--header", f"Authorization: Bearer {key}", "--header", "Content-Type: application/json"]
        command += ["--data-binary", f"@{work}/body", f"https://localhost:{port}/v1/chat/completions"]
        answer = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT).stdout
        text, _, answered = answer.rpartition("\n")
        error = json.loads(text)["error"]
        assert (int(answered), error["code"]) == (status, code), answer
    print("bodies of 4 and 80 MB: refused by the service")


main(*sys.argv[1:])
