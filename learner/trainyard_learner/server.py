"""HTTP server of the protocol: token, limits, parameters; hands tensor calls to one thread.

The standard library's server is enough here: one client per session, few calls a second, and the package runs wherever
torch, transformers and PEFT are installed, without further wheels.
"""

import hmac
import json
import math
import queue
import re
import sys
import threading
import time
import traceback
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from .learner import Learner
from .protocol import CALLS, JSON, TENSORS, ApiError, Call, invalid
from .ranks import HEARTBEAT_SECONDS

MAX_CONNECTIONS, MAX_WAITING = 64, 16
IDLE_SECONDS, BODY_SECONDS = 600, 30
DRAINED_BYTES = 1 << 20
SESSION_PATH = re.compile(r"/v1/sessions/([^/]*)(?:/([a-z]+))?")
COUNT = re.compile(r"0|[1-9][0-9]{0,15}")


class TensorThread:
    """The one thread that computes, so that calls run one after the other and in the same order on all ranks."""

    def __init__(self, learner: Learner, idle: float = math.inf):
        self.learner, self.idle, self.busy, self.failed = learner, idle, False, False
        self.calls: queue.Queue[tuple[Call, Future]] = queue.Queue()
        self.slots = threading.BoundedSemaphore(MAX_WAITING)

    def submit(self, call: Call) -> dict | bytes | None:
        """Waits for the answer of a call; raises its error."""
        future: Future = Future()
        self.calls.put((call, future))
        return future.result()

    def serve(self) -> None:
        """Runs calls until none has come for `idle` seconds. Closes sessions whose worker is gone for that long.

        With several ranks an error that others may not have ends the process: the group cannot go on.
        """
        ranks, last = self.learner.base.ranks, time.monotonic()
        while True:
            for unused in self.learner.unused_since(time.monotonic() - self.idle):
                self.learner.run(ranks.broadcast(Call("close", unused)))
            try:
                call, future = self.calls.get(timeout=min(HEARTBEAT_SECONDS, self.idle))
            except queue.Empty:
                ended = time.monotonic() - last >= self.idle
                ranks.broadcast("end" if ended else "heartbeat")
                if ended:
                    return
                continue
            self.busy = True
            try:
                future.set_result(self.learner.run(ranks.broadcast(call)))
            except BaseException as error:  # noqa: BLE001 the client gets it
                self.failed = ranks.world > 1 and divides_ranks(error)
                future.set_exception(error)
                if self.failed:
                    raise
            finally:
                self.busy, last = False, time.monotonic()

    def follow(self) -> None:
        """Runs the calls of rank 0 on any other rank."""
        while (call := self.learner.base.ranks.broadcast()) != "end":
            try:
                if call != "heartbeat":
                    self.learner.run(call)
            except ApiError as error:
                if divides_ranks(error):
                    raise


def divides_ranks(error: BaseException) -> bool:
    """Returns whether other ranks may not have this error: one that no check of the request has found."""
    return not isinstance(error, ApiError) or error.code == "out_of_memory" and error.__cause__ is not None


class Server(ThreadingHTTPServer):
    """Server with a bound on its connections."""

    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, address, thread: TensorThread, token: str, body_limit: int):
        self.thread, self.token, self.body_limit = thread, token.encode(), body_limit
        super().__init__(address, Handler)

    def verify_request(self, request, client_address):
        return threading.active_count() <= MAX_CONNECTIONS  # Each connection has a thread.

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            traceback.print_exc()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "trainyard-learner", ""
    timeout, disable_nagle_algorithm = IDLE_SECONDS, True
    server: Server
    unread = 0

    def __getattr__(self, name):
        """Answers each method alike: the base class looks for `do_GET` and so on."""
        if name.startswith("do_"):
            return self._handle
        raise AttributeError(name)

    def log_message(self, *_):
        pass

    def send_error(self, code, message=None, explain=None):
        """Sends the errors that the base class finds in a request's head."""
        self.close_connection = True
        self._send_error(ApiError(code, "malformed_request", message or "the request is not HTTP"))

    def _handle(self):
        try:
            answer = self._answer()
        except ApiError as error:
            return self._send_error(error)
        except Exception:
            traceback.print_exc()
            return self._send_error(ApiError(500, "internal_error", "a fault of the learner; its log has the cause"))
        self._send(204 if answer is None else 200, answer)

    def _answer(self) -> dict | bytes | None:
        self.unread = DRAINED_BYTES  # Until the length is known.
        length = self.headers.get("content-length", "0")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            raise ApiError(400, "malformed_request", "Content-Length is not a number", "Content-Length")
        if "transfer-encoding" in self.headers:
            raise ApiError(411, "length_required", "send Content-Length instead of Transfer-Encoding", "Content-Length")
        self.unread = int(length)
        target, thread = urlsplit(self.path), self.server.thread
        sent = self.headers.get("authorization", "").encode("utf-8", "surrogateescape")
        if target.path != "/health" and not hmac.compare_digest(sent, b"Bearer " + self.server.token):
            message = "the token is missing or wrong: send the header `Authorization: Bearer TOKEN`"
            raise ApiError(401, "invalid_token", message, headers={"WWW-Authenticate": "Bearer"})
        match = SESSION_PATH.fullmatch(target.path)
        calls = {method: call for (method, last), call in CALLS.items() if match and last == match[2]}
        allowed = ["GET"] if target.path == "/health" else list(calls)
        if not allowed:
            raise ApiError(404, "not_found", "no such path")
        if self.command not in allowed:
            methods = ", ".join(allowed)
            raise ApiError(405, "method_not_allowed", f"the path allows {methods}", headers={"Allow": methods})
        if not match:
            if thread.failed:
                raise ApiError(503, "busy", "a rank failed; the learner is ending")
            return thread.learner.health(thread.busy)
        name, parameters, media_type, limit = calls[self.command]
        query = parameters.read(read_query(unquote(match[1]), target.query))
        if name == "progress":
            return thread.learner.progress(query)
        if not thread.slots.acquire(blocking=False):
            raise ApiError(503, "busy", f"{MAX_WAITING} calls wait")
        try:
            return thread.submit(Call(name, query, self._body(media_type, min(limit, self.server.body_limit))))
        finally:
            thread.slots.release()

    def _body(self, media_type: str | None, limit: int) -> bytes:
        if media_type is None:
            return b""
        if self.headers.get("content-type", media_type).split(";")[0].strip().lower() != media_type:
            raise ApiError(415, "unsupported_media_type", f"the body must be {media_type}", "Content-Type")
        if "content-length" not in self.headers:
            self.close_connection = True
            raise ApiError(411, "length_required", "Content-Length is missing", "Content-Length")
        if self.unread > limit:
            raise ApiError(413, "body_too_large", f"the body has {self.unread} bytes; {limit} are allowed")
        self.connection.settimeout(BODY_SECONDS)
        try:
            body = self.rfile.read(self.unread)
        except TimeoutError as error:
            raise ApiError(408, "body_timeout", f"the body sent nothing for {BODY_SECONDS} s") from error
        finally:
            self.connection.settimeout(IDLE_SECONDS)
        if len(body) < self.unread:
            raise ApiError(400, "malformed_request", "the body ended early")
        self.unread = 0
        return body

    def _send_error(self, error: ApiError) -> None:
        self._send(error.status, error.body(), error.headers)

    def _send(self, status: int, answer: dict | bytes | None, headers: dict[str, str] | None = None) -> None:
        body = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
        self.close_connection |= self.unread > 0
        headers = dict(headers or {})
        if answer is not None:
            headers |= {"Content-Type": TENSORS if isinstance(answer, bytes) else JSON, "Content-Length": str(len(body))}
        if self.close_connection:
            headers["Connection"] = "close"
        self.send_response(status)
        for header in headers.items():
            self.send_header(*header)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        if self.unread:
            self._drain()

    def _drain(self) -> None:
        """Reads a bounded part of a refused body: closing before that could take the response from the client."""
        try:
            self.connection.settimeout(2)
            remaining = min(self.unread, DRAINED_BYTES)
            while remaining and (read := len(self.rfile.read1(min(remaining, 65536)))):
                remaining -= read
        except OSError:
            pass


def read_query(session: str, text: str) -> dict[str, str | int]:
    """Returns the parameters of a call. Raises `ApiError` where the query is no query, or has one of them twice."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=16)
    except ValueError as error:
        raise invalid("query", f"is not valid: {error}") from error
    values: dict[str, str | int] = {"session": session}
    for name, value in pairs:
        if name in values:
            raise invalid(name, "is given twice")
        values[name] = int(value) if COUNT.fullmatch(value) else value
    return values
