"""HTTP server of the protocol: token, limits, parameters, one call at a time.

The standard library's server is enough here: one client per session, few calls a second, and the package runs wherever
torch, transformers and PEFT are installed, without further wheels. Servers of ASGI are no substitute: uvicorn's has no
timeout before the first request of a connection, nor a bound on how much of a refused body it reads.
"""

import hmac
import json
import re
import sys
import threading
import time
import traceback
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from accelerate.utils.memory import should_reduce_batch_size

from .learner import Learner
from .protocol import JSON, OPERATIONS, SESSION, TENSORS, ApiError, Query, invalid

MAX_CONNECTIONS, MAX_WAITING = 64, 16
IDLE_SECONDS, BODY_SECONDS, HEARTBEAT_SECONDS = 600, 30, 60
DRAINED_BYTES = 1 << 20
COUNT = re.compile(r"0|[1-9][0-9]{0,15}")


class Server(ThreadingHTTPServer):
    """Server with bounds on connections and waiting calls. Calls run one after the other, in the same order on all ranks."""

    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, address: tuple[str, int], learner: Learner, token: str, body_limit: int, idle: float):
        self.learner, self.token, self.body_limit, self.idle = learner, token.encode(), body_limit, idle
        self.slots, self.computing, self.failed = threading.BoundedSemaphore(MAX_WAITING), threading.Lock(), threading.Event()
        self.used = time.monotonic()
        super().__init__(address, Handler)

    def run(self, *call) -> dict | bytes | None:
        """Runs a call on all ranks. A fault, which others may not have, ends a learner of several: the group cannot go on."""
        ranks = self.learner.base.ranks
        with self.computing:
            try:
                return self.learner.run(*ranks.broadcast(call))
            except BaseException as error:
                if ranks.world > 1 and not isinstance(error, ApiError):
                    self.failed.set()
                raise
            finally:
                self.used = time.monotonic()

    def watch(self) -> int:
        """Closes sessions that are unused for `idle` seconds. Returns the exit status when no call has come for as long."""
        ranks = self.learner.base.ranks
        while not self.failed.wait(min(HEARTBEAT_SECONDS, self.idle)):
            with self.computing:
                since = time.monotonic() - self.idle
                for name, session in list(self.learner.sessions.items()):
                    if session.used < since:
                        self.learner.run(*ranks.broadcast(("close", Query(session=name, epoch=session.epoch))))
                if ranks.broadcast("end" if self.used < since else "heartbeat") == "end":
                    return 0
        return 1

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
        self._send(ApiError(code, "malformed_request", message or "the request is not HTTP"))

    def _handle(self):
        try:
            answer = self._answer()
        except ApiError as error:
            answer = error
        except Exception as error:  # noqa: BLE001 the client gets it
            traceback.print_exc()
            answer = ApiError(500, "internal_error", "a fault of the learner; its log has the cause")
            if isinstance(error, MemoryError) or should_reduce_batch_size(error):
                answer = ApiError(503, "out_of_memory", "the call did not fit in memory; send fewer tokens at a time")
        self._send(answer)

    def _answer(self) -> dict | bytes | None:
        self.unread, length = DRAINED_BYTES, self.headers.get("content-length", "0")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            raise ApiError(400, "malformed_request", "Content-Length is not a number", "Content-Length")
        if "transfer-encoding" not in self.headers:
            self.unread = int(length)
        target, server = urlsplit(self.path), self.server
        sent = self.headers.get("authorization", "").encode("utf-8", "surrogateescape")
        if target.path != "/health" and not hmac.compare_digest(sent, b"Bearer " + server.token):
            message = "the token is missing or wrong: send the header `Authorization: Bearer TOKEN`"
            raise ApiError(401, "invalid_token", message, headers={"WWW-Authenticate": "Bearer"})
        template = re.sub("^/v1/sessions/[^/]*", SESSION, target.path)
        operations = {method: operation for (method, path), operation in OPERATIONS.items() if path == template}
        if not operations:
            raise ApiError(404, "not_found", "no such path")
        if self.command not in operations:
            methods = ", ".join(operations)
            raise ApiError(405, "method_not_allowed", f"the path allows {methods}", headers={"Allow": methods})
        name, parameters, media_type, limit = operations[self.command]
        if name == "health":
            if server.failed.is_set():
                raise ApiError(503, "busy", "a rank failed; the learner is ending")
            return server.learner.health(server.computing.locked())
        query = parameters.read(read_query(unquote(target.path.split("/")[3]), target.query))
        if name == "progress":
            return server.learner.progress(query)
        if not server.slots.acquire(blocking=False):
            raise ApiError(503, "busy", f"{MAX_WAITING} calls wait")
        try:
            return server.run(name, query, self._body(media_type, min(limit, server.body_limit)))
        finally:
            server.slots.release()

    def _body(self, media_type: str | None, limit: int) -> bytes:
        if media_type is None:
            return b""
        if self.headers.get("content-type", media_type).split(";")[0].strip().lower() != media_type:
            raise ApiError(415, "unsupported_media_type", f"the body must be {media_type}", "Content-Type")
        if "transfer-encoding" in self.headers or "content-length" not in self.headers:
            self.close_connection = True
            raise ApiError(411, "length_required", "send the size of the body as Content-Length", "Content-Length")
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

    def _send(self, answer: dict | bytes | ApiError | None) -> None:
        status, headers = 204 if answer is None else 200, {}
        if isinstance(answer, ApiError):
            status, headers, answer = answer.status, answer.headers, answer.body()
        media_type, body = (TENSORS, answer) if isinstance(answer, bytes) else (JSON, json.dumps(answer).encode())
        if status != 204:
            headers = headers | {"Content-Type": media_type, "Content-Length": str(len(body))}
        self.close_connection |= self.unread > 0
        if self.close_connection:
            headers = headers | {"Connection": "close"}
        self.send_response(status)
        for header in headers.items():
            self.send_header(*header)
        self.end_headers()
        if status != 204 and self.command != "HEAD":
            self.wfile.write(body)
        # Reads a bounded part of a refused body: closing before that could take the response from the client.
        while self.unread > 0:
            self.connection.settimeout(2)
            self.unread = min(self.unread, DRAINED_BYTES) - (len(self.rfile.read1(65536)) or DRAINED_BYTES)


def read_query(session: str, text: str) -> dict[str, str | int]:
    """Returns the parameters of a call. Raises `ApiError` where the query has one of them twice."""
    pairs = parse_qsl(text, keep_blank_values=True)
    name, times = Counter(["session", *(name for name, _ in pairs)]).most_common(1)[0]
    if times > 1:
        raise invalid(name, "is given twice")
    return {name: int(value) if COUNT.fullmatch(value) else value for name, value in pairs} | {"session": session}
