"""A proxy that keeps each request of a program, and what the service answered."""

import http.client
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# Paths whose requests sample.
SAMPLING = ("/chat/completions", "/responses", "/messages", "/completions")
# What the end of a stream contains, in each dialect.
ENDS = ("data: [DONE]", "event: message_stop", "event: response.completed")
SINGLE_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


@dataclass
class Exchange:
    method: str
    path: str
    body: str
    status: int = 0
    kind: str = ""
    headers: dict = field(default_factory=dict)
    answer: str = ""

    @property
    def samples(self) -> bool:
        return self.method == "POST" and self.path.split("?")[0].endswith(SAMPLING)

    @property
    def streamed(self) -> bool:
        return self.kind.startswith("text/event-stream")

    def fault(self) -> str | None:
        """Why this is no success."""
        told = f"{self.method} {self.path} {self.status}"
        if not 200 <= self.status < 300:
            return f"{told}: {self.answer[:300]}"
        if self.streamed and not any(end in self.answer for end in ENDS):
            return f"{told}: the stream has no end: {self.answer[-300:]}"
        return None


class Recorder:
    """Relays to `target` from `address`."""

    def __init__(self, target: str):
        self.exchanges: list[Exchange] = []
        recorder, host = self, urlsplit(target).netloc

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def relay(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if "chunked" in self.headers.get("transfer-encoding", ""):
                    body = b"".join(iter(self.chunk, b""))
                exchange = Exchange(self.command, self.path, body.decode(errors="replace"))
                recorder.exchanges.append(exchange)
                sent = {name: value for name, value in self.headers.items() if name.lower() not in SINGLE_HOP}
                # A compressed answer would have to be decoded here.
                sent = {name: value for name, value in sent.items() if name.lower() != "accept-encoding"}
                upstream = http.client.HTTPConnection(host, timeout=600)
                try:
                    upstream.request(self.command, self.path, body or None, sent)
                    response = upstream.getresponse()
                    exchange.status, exchange.kind = response.status, response.headers.get("content-type", "")
                    exchange.headers = {name.lower(): value for name, value in response.getheaders()}
                    self.send_response(response.status)
                    for name, value in response.getheaders():
                        if name.lower() not in SINGLE_HOP:
                            self.send_header(name, value)
                    bodyless = self.command == "HEAD" or response.status in (204, 304)
                    if not bodyless:
                        self.send_header("transfer-encoding", "chunked")
                    self.end_headers()
                    while piece := response.read1(65536):
                        exchange.answer += piece.decode(errors="replace")
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                        self.wfile.flush()
                    if not bodyless:
                        self.wfile.write(b"0\r\n\r\n")
                except OSError:
                    self.close_connection = True
                finally:
                    upstream.close()

            def chunk(self):
                size = int(self.rfile.readline().split(b";")[0], 16)
                piece = self.rfile.read(size)
                self.rfile.readline()
                return piece

            do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = relay

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{server.server_port}"

    def take(self) -> list[Exchange]:
        """The exchanges since the last call."""
        taken, self.exchanges = self.exchanges, []
        return taken


def dump(path, exchanges: list[Exchange]) -> None:
    path.write_text(json.dumps([vars(exchange) for exchange in exchanges], indent=1))
