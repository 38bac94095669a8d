"""HTTP server of the protocol: token, limits, parameters; hands tensor calls to one thread.

The standard library's server is enough here: one client per session, few calls a second, and the package runs wherever
torch, transformers and PEFT are installed, without further wheels.
"""

import hmac
import math
import queue
import re
import socket
import sys
import threading
import time
import traceback
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from . import wire
from .errors import ApiError, invalid
from .learner import JSON, Answer, Learner, json_answer
from .ranks import HEARTBEAT_SECONDS

MAX_CONNECTIONS, MAX_WAITING = 64, 16
IDLE_SECONDS, BODY_SECONDS = 600, 30
DRAINED_BYTES = 1 << 20
SESSION = re.compile(r"[A-Za-z0-9_-]{1,64}")
COUNT = re.compile(r"0|[1-9][0-9]{0,15}")
MAX_COUNT = (1 << 53) - 1
MIB = 1 << 20
# Of each call: method and last part of the path, body's media type and limit, parameters (required first).
CALLS = {
    ("POST", None): ("open", wire.MEDIA_TYPE, 4096 * MIB, ["epoch"], ["seed"]),
    ("DELETE", None): ("close", None, 0, ["epoch"], []),
    ("POST", "forward"): ("forward", wire.MEDIA_TYPE, 256 * MIB, ["epoch", "mode"], ["op", "batch", "adapter", "graph", "packing"]),
    ("POST", "backward"): ("backward", wire.MEDIA_TYPE, 64 * MIB, ["epoch", "op", "batch"], []),
    ("POST", "step"): ("step", JSON, 65536, ["epoch", "op"], []),
    ("GET", "state"): ("state", None, 0, ["epoch"], []),
    ("GET", "progress"): ("progress", None, 0, ["epoch"], []),
}
CHOICES = {
    "mode": ("score", "keep", "accumulate"),
    "adapter": ("session", "none"),
    "graph": ("auto", "retain", "recompute"),
    "packing": ("auto", "pad", "tree"),
}


class TensorThread:
    """The one thread that computes, so that calls run one after the other and in the same order on all ranks."""

    def __init__(self, learner: Learner, idle: float | None = None):
        self.learner, self.busy, self.failed, self.idle = learner, False, False, idle
        self.calls: queue.Queue = queue.Queue()
        self.slots = threading.BoundedSemaphore(MAX_WAITING)

    def submit(self, call: str, arguments: dict, body: bytes) -> Answer:
        """Waits for the result of a call; raises its error."""
        future: Future = Future()
        self.calls.put((call, arguments, body, future))
        return future.result()

    def serve(self) -> None:
        """Runs calls until none has come for `idle` seconds. Closes sessions whose worker is gone for that long.

        With several ranks an unexpected error ends the process: the group cannot go on.
        """
        ranks, last = self.learner.base.ranks, time.monotonic()
        waits = [HEARTBEAT_SECONDS] * (ranks.world > 1) + [self.idle] * (self.idle is not None)
        while True:
            for name, epoch in self.learner.unused_since(time.monotonic() - (self.idle or math.inf)):
                arguments = {"session": name, "epoch": epoch}
                ranks.send("close", arguments, b"")
                self.learner.run("close", arguments, b"")
            try:
                call, arguments, body, future = self.calls.get(timeout=min(waits, default=None))
            except queue.Empty:
                if self.idle is not None and time.monotonic() - last >= self.idle:
                    return ranks.send("end", {}, b"")
                ranks.send("", {}, b"")
                continue
            self.busy = True
            try:
                ranks.send(call, arguments, body)
                future.set_result(self.learner.run(call, arguments, body))
            except BaseException as error:  # noqa: BLE001 the client gets it
                future.set_exception(error)
                if ranks.world > 1 and not isinstance(error, ApiError):
                    self.failed = True
                    raise
            finally:
                self.busy, last = False, time.monotonic()

    def follow(self) -> None:
        """Runs the calls that rank 0 sends, on any other rank."""
        while True:
            call, arguments, body = self.learner.base.ranks.receive()
            if call == "end":
                return
            if call:
                try:
                    self.learner.run(call, arguments, body)
                except ApiError as error:
                    if error.code == "out_of_memory" and error.__cause__ is not None:
                        raise  # Not all ranks need have failed.


class Server(ThreadingHTTPServer):
    """Server with a bound on its connections."""

    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, address, thread: TensorThread, token: str, body_limit: int):
        self.thread, self.token, self.body_limit = thread, token.encode(), body_limit
        self.connections = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(address, Handler)

    def process_request(self, request, client_address):
        if not self.connections.acquire(blocking=False):
            return self.shutdown_request(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.release()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            traceback.print_exc()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "trainyard-learner", ""
    timeout = IDLE_SECONDS
    server: Server

    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_):
        pass

    def send_error(self, code, message=None, explain=None):
        """Sends the errors that the base class finds in a request's head."""
        self.close_connection = True
        if code == 501:
            return self._send_error(ApiError(405, "method_not_allowed", "the path does not allow this method"))
        self._send_error(ApiError(code, "malformed_request", message or "the request is not HTTP"))

    def handle_expect_100(self):
        return True  # Sent when the body is wanted.

    def _handle(self):
        self.unread = None
        try:
            answer = self._answer()
        except ApiError as error:
            return self._send_error(error)
        except Exception:
            traceback.print_exc()
            return self._send_error(ApiError(500, "internal_error", "a fault of the learner; its log has the cause"))
        self._send(200 if answer.media_type else 204, answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_TRACE = do_QUERY = _handle

    def _answer(self) -> Answer:
        length = self.headers.get("content-length")
        if length is not None and not re.fullmatch(r"[0-9]{1,15}", length):
            self.close_connection = True
            raise ApiError(400, "malformed_request", "Content-Length is not a number", "Content-Length")
        self.unread = int(length or 0)
        if "transfer-encoding" in self.headers:
            self.close_connection = True
            raise ApiError(411, "length_required", "send Content-Length instead of Transfer-Encoding", "Content-Length")
        target = urlsplit(self.path)
        thread, learner = self.server.thread, self.server.thread.learner
        if target.path == "/health":
            if self.command != "GET":
                raise ApiError(405, "method_not_allowed", "the path allows GET")
            if thread.failed:
                raise ApiError(503, "busy", "a rank failed; the learner is ending")
            return json_answer(learner.health(thread.busy))
        sent = self.headers.get("authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(sent, b"Bearer " + self.server.token):
            raise ApiError(401, "invalid_token", "the token is missing or wrong: send the header `Authorization: Bearer TOKEN`")
        parts = target.path.split("/")
        if parts[:3] != ["", "v1", "sessions"] or not 4 <= len(parts) <= 5:
            raise ApiError(404, "not_found", "no such path")
        verb = parts[4] if len(parts) == 5 else None
        allowed = [method for method, last in CALLS if last == verb]
        if not allowed:
            raise ApiError(404, "not_found", "no such path")
        if self.command not in allowed:
            raise ApiError(405, "method_not_allowed", f"the path allows {', '.join(allowed)}")
        call, media_type, limit, required, optional = CALLS[self.command, verb]
        arguments = {"session": unquote(parts[3])} | self._parameters(target.query, required, optional)
        if not SESSION.fullmatch(arguments["session"]):
            raise invalid("session", "must be 1 to 64 of A-Z a-z 0-9 _ -")
        if call == "forward":
            check_forward(arguments)
        if call == "progress":
            return json_answer(learner.find(arguments["session"], arguments["epoch"]).progress())
        if not thread.slots.acquire(blocking=False):
            raise ApiError(503, "busy", f"{MAX_WAITING} calls wait")
        try:
            return thread.submit(call, arguments, self._body(media_type, min(limit, self.server.body_limit)))
        finally:
            thread.slots.release()

    def _parameters(self, query: str, required: list[str], optional: list[str]) -> dict:
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=16)
        except ValueError as error:
            raise ApiError(422, "invalid_value", f"the query is not valid: {error}", "query") from error
        values: dict = {}
        for name, text in pairs:
            shown = name[:80]
            if name not in required and name not in optional:
                raise invalid(shown, "unknown parameter")
            if name in values:
                raise invalid(shown, "is given twice")
            if name in CHOICES:
                if text not in CHOICES[name]:
                    raise invalid(name, f"must be one of {', '.join(CHOICES[name])}")
                values[name] = text
            elif not COUNT.fullmatch(text) or int(text) > MAX_COUNT:
                raise invalid(name, f"must be an integer from 0 to {MAX_COUNT}")
            else:
                values[name] = int(text)
        for name in required:
            if name not in values:
                raise invalid(name, "the parameter is missing")
        return values

    def _body(self, media_type: str | None, limit: int) -> bytes:
        if media_type is None:
            return b""
        sent = self.headers.get("content-type")
        if sent is not None and sent.split(";")[0].strip().lower() != media_type:
            raise ApiError(415, "unsupported_media_type", f"the body must be {media_type}", "Content-Type")
        if "content-length" not in self.headers:
            self.close_connection = True
            raise ApiError(411, "length_required", "Content-Length is missing", "Content-Length")
        if self.unread > limit:
            raise ApiError(413, "body_too_large", f"the body has {self.unread} bytes; {limit} are allowed")
        if self.headers.get("expect", "").lower() == "100-continue":
            self.send_response_only(100)
            self.end_headers()
        self.connection.settimeout(BODY_SECONDS)
        try:
            body = self.rfile.read(self.unread)
        except TimeoutError as error:
            self.close_connection, self.unread = True, 0
            raise ApiError(408, "body_timeout", f"the body sent nothing for {BODY_SECONDS} s") from error
        finally:
            self.connection.settimeout(IDLE_SECONDS)
        if len(body) < self.unread:
            self.close_connection, self.unread = True, 0
            raise ApiError(400, "malformed_request", "the body ended early")
        self.unread = 0
        return body

    def _send_error(self, error: ApiError) -> None:
        if getattr(self, "unread", None):
            self.close_connection = True
            if self.headers.get("expect", "").lower() != "100-continue":
                self._drain()
        self._send(error.status, json_answer(error.body()))

    def _drain(self) -> None:
        """Reads a bounded part of a refused body: closing before that could take the response from the client."""
        try:
            self.connection.settimeout(2)
            remaining = min(self.unread, DRAINED_BYTES)
            while remaining and (read := len(self.rfile.read1(min(remaining, 65536)))):
                remaining -= read
        except OSError:
            pass

    def _send(self, status: int, answer: Answer) -> None:
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if status == 405:
            self.send_header("Allow", self._allowed())
        if answer.media_type:
            self.send_header("Content-Type", answer.media_type)
            self.send_header("Content-Length", str(len(answer.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def _allowed(self) -> str:
        parts = urlsplit(self.path).path.split("/")
        verb = parts[4] if len(parts) == 5 else None
        return "GET" if len(parts) < 4 else ", ".join(method for method, last in CALLS if last == verb)


def check_forward(arguments: dict) -> None:
    """Raises `ApiError` where the parameters of `forward` contradict each other."""
    mode = arguments["mode"]
    for name, owner in (("op", "accumulate"), ("batch", "keep")):
        if mode == owner and name not in arguments:
            raise invalid(name, f"the parameter is missing; mode={owner} needs it")
        if mode != owner and name in arguments:
            raise invalid(name, f"is allowed with mode={owner} only")
    if mode != "score" and arguments.get("adapter") == "none":
        raise invalid("adapter", "none is allowed with mode=score only")
