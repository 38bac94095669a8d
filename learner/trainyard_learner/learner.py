"""Calls of the protocol on sessions: fencing by epoch, exactly-once by operation number, gradients and optimizer steps.

Every rank runs the same calls in the same order. `ApiError` is raised by all ranks alike. The answer of a call is the value
of a JSON body, the bytes of a safetensors body, or None.
"""

import hashlib
import math
import platform
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import peft
import torch
import transformers
from peft.functional import set_adapter
from torch.optim.adamw import adamw

from . import __version__
from .adapters import create_adapter, load_adapter, load_moments, read_config, remove_adapter
from .batch import Piece, check, divide, split
from .model import BaseModel
from .protocol import ApiError, OptimizerSettings, Query, invalid, read_tensors, write_tensors

VERSIONS = {
    "learner": __version__, "python": platform.python_version(), "torch": str(torch.__version__),
    "transformers": transformers.__version__, "peft": peft.__version__,
}  # fmt: skip
# Names whose last epoch is remembered after their session is gone.
MAX_FENCES = 65536


@dataclass
class Session:
    """Adapter in training with its optimizer, whose moments are named as in its file."""

    epoch: int
    adapter: str
    parameters: dict[str, torch.nn.Parameter]
    steps: int
    moments: dict[str, torch.Tensor]
    plan: dict[str, int]
    next_op: int = 0
    last: tuple[bytes, dict | bytes] = (b"", b"")
    # Batch of the last `forward` with `mode=keep`: its number and that of its results, its pieces on this rank, and their
    # log-probabilities where the graph is retained.
    kept: tuple[int | None, int, Sequence[tuple[Piece, torch.Tensor | None]]] = (None, 0, ())
    call: str = "idle"
    began: float = 0.0
    sequences: int = 0
    sequences_done: int = 0
    used: float = field(default_factory=time.monotonic)


class Learner:
    """A base model and its sessions."""

    def __init__(self, base: BaseModel, max_sessions: int):
        self.base, self.max_sessions = base, max_sessions
        self.sessions: dict[str, Session] = {}
        self.fences: dict[str, int] = {}

    def health(self, busy: bool) -> dict:
        """Returns the answer of `health`."""
        base = self.base
        model = {
            "model_type": base.config.model_type, "vocabulary_size": base.vocabulary, "max_sequence_tokens": base.longest,
            "parameters": base.parameters, "config_sha256": base.config_sha256, "prefix_sharing": base.tree_limit > 0,
        }  # fmt: skip
        return {
            "status": "busy" if busy else "idle", "sessions": len(self.sessions), "model": model, "versions": VERSIONS,
            "device": str(base.device), "dtype": str(base.dtype).removeprefix("torch."), "world_size": base.ranks.world,
        }  # fmt: skip

    def progress(self, query: Query) -> dict:
        """Returns the answer of `progress`; called while another thread computes."""
        session = self.find(query)
        return {
            "call": session.call, "sequences": session.sequences, "sequences_done": min(session.sequences_done, session.sequences),
            "seconds": time.monotonic() - session.began if session.call != "idle" else 0.0,
            "next_op": session.next_op, "steps": session.steps,
        }  # fmt: skip

    def find(self, query: Query) -> Session:
        """Returns an open session. Raises `ApiError` if there is none, or the epoch is not its own."""
        session = self.sessions.get(query.session)
        if session is None:
            raise ApiError(404, "no_session", "no session of this name is open; open it from the durable state", "session")
        if session.epoch != query.epoch:
            raise ApiError(409, "fenced", f"the session belongs to epoch {session.epoch}", "epoch")
        return session

    def run(self, name: str, query: Query, body: bytes = b"") -> dict | bytes | None:
        """Runs a call. A fault in one that changes gradients or parameters drops the session."""
        if name == "open":
            return self.open(query, body)
        session, op = self.find(query), getattr(query, "op", None)
        if name == "close":
            return self._drop(query.session)
        digest = b"" if op is None else hashlib.sha256(repr((name, query)).encode() + body).digest()
        if op is not None and op != session.next_op:
            if op != session.next_op - 1:
                raise ApiError(409, "out_of_order", f"operation {session.next_op} is next, not {op}", "op")
            if digest != session.last[0]:
                raise ApiError(409, "out_of_order", f"operation {op} was another call", "op")
            return session.last[1]
        session.call, session.began, session.sequences, session.sequences_done = name, time.monotonic(), 0, 0
        try:
            answer = getattr(self, name)(session, query, body)
        except BaseException as error:
            if op is not None and not isinstance(error, ApiError):
                self._drop(query.session)
            raise
        finally:
            session.call, session.used = "idle", time.monotonic()
        if op is not None:
            session.next_op, session.last = op + 1, (digest, answer)
        return answer

    def follow(self) -> None:
        """Runs the calls of rank 0 on any other rank, until it ends or has a fault."""
        while (call := self.base.ranks.broadcast()) != "end":
            with suppress(ApiError):
                if call != "heartbeat":
                    self.run(*call)

    def _drop(self, name: str) -> None:
        remove_adapter(self.base.causal, self.sessions.pop(name).adapter)

    def open(self, query: Query, body: bytes) -> dict:
        """Opens a session, or takes it over with a larger epoch."""
        name, fence = query.session, self.fences.get(query.session, -1)
        if query.epoch <= fence:
            raise ApiError(409, "fenced", f"epoch {query.epoch} is not larger than {fence}", "epoch")
        if name not in self.sessions and len(self.sessions) >= self.max_sessions:
            raise ApiError(503, "busy", f"{self.max_sessions} sessions are open")
        files = read_tensors(body, dict.fromkeys(("adapter_config", "adapter", "moments"), (torch.uint8, None)), ("adapter", "moments"))
        contents = {part: tensor.numpy().tobytes() for part, tensor in files.items()}
        config = read_config(contents["adapter_config"])
        adapter = f"{name}@{query.epoch}@"  # No session's name has this sign.
        try:
            parameters = create_adapter(self.base.causal, adapter, config, query.seed)
            if "adapter" in contents:
                load_adapter(parameters, contents["adapter"])
            steps, moments = load_moments(parameters, contents.get("moments"))
            count = sum(parameter.numel() for parameter in parameters.values())
            session = Session(query.epoch, adapter, parameters, steps, moments, self.base.plan(count))
        except BaseException:
            remove_adapter(self.base.causal, adapter)
            raise
        if name in self.sessions:
            self._drop(name)
        self.fences.pop(name, None)
        self.sessions[name], self.fences[name] = session, query.epoch
        if len(self.fences) > MAX_FENCES:
            del self.fences[next(iter(self.fences))]
        return {
            "epoch": query.epoch, "next_op": 0, "steps": steps, "adapter_parameters": count, "plan": session.plan, "versions": VERSIONS,
        }  # fmt: skip

    def forward(self, session: Session, query: Query, body: bytes) -> bytes:
        """Scores tokens; keeps the batch, or accumulates the gradients of a known derivative."""
        base = self.base
        listed = {"tokens": (torch.int32, None), "lengths": (torch.int32, None), "scored": (torch.uint8, None)}
        if query.mode == "accumulate":
            listed["gradient"] = (torch.float32, None)
        tensors = read_tensors(body, listed)
        arrays = [tensors[name].numpy() for name in ("tokens", "lengths", "scored")]
        check(*arrays, base.vocabulary, base.longest)
        tree_allowed = arrays[1].max() <= base.tree_limit
        parts = divide(split(*arrays), query.packing, tree_allowed, session.plan["max_tokens"], base.ranks.world)
        count = sum(len(piece.results) for part in parts for piece in part)
        gradient = check_gradient(tensors["gradient"], count) if query.mode == "accumulate" else None
        session.sequences = len(arrays[1])
        tokens, plan = max(sum(piece.tokens for piece in part) for part in parts), session.plan
        fits = tokens <= min(plan["max_tokens"], plan["available"] // 2 // plan["token_checkpointed"])
        # The graphs of several passes through sharded layers are not kept together.
        single = len(parts) == 1 or len(parts[0]) == 1
        retain, kept = query.mode == "keep" and single and (query.graph == "retain" or query.graph == "auto" and fits), []
        if query.mode == "keep":
            session.kept = Session.kept  # Its memory is free for the batch that replaces it.
        results = torch.zeros(2, count, device=base.device)
        set_adapter(base.causal, session.adapter if query.adapter == "session" else [])
        for piece in parts[base.ranks.rank]:
            logprobs, entropies = self._score(session, piece, retain or gradient is not None, tokens if retain else piece.tokens)
            results[:, piece.results] = torch.stack([logprobs.detach(), entropies])
            kept.append((piece, logprobs if retain else None))
            if gradient is None:
                session.sequences_done += len(piece.sequences)
            else:
                self._back(session, piece, logprobs, gradient)
        if query.mode == "keep":
            session.kept = query.batch, count, kept
        logprobs, entropies = base.ranks.reduce(results)
        return write_tensors({"logprobs": logprobs, "entropies": entropies})

    def backward(self, session: Session, query: Query, body: bytes) -> dict:
        """Accumulates the gradients of the kept batch."""
        gradient = read_tensors(body, {"gradient": (torch.float32, None)})["gradient"]
        number, count, pieces = session.kept
        if number != query.batch:
            held = "none" if number is None else f"batch {number}"
            raise ApiError(409, "unknown_batch", f"the session keeps {held}", "batch")
        check_gradient(gradient, count)
        session.sequences = sum(len(piece.sequences) for piece, _ in pieces)
        set_adapter(self.base.causal, session.adapter)
        for piece, logprobs in pieces:
            if logprobs is None:
                logprobs, _ = self._score(session, piece, True, piece.tokens)
            self._back(session, piece, logprobs, gradient)
        session.kept = Session.kept
        return {"next_op": query.op + 1}

    def step(self, session: Session, query: Query, body: bytes) -> dict:
        """Clips the gradients and makes one step of AdamW, or changes nothing if a result would not be finite."""
        settings, parameters = OptimizerSettings.read(body), list(session.parameters.values())
        count, sizes, moments = len(parameters), [p.numel() for p in parameters], list(session.moments.values())
        # Vectors of all parameters: a GPU takes longer to launch a kernel for each of them than to compute.
        gradient = self.base.ranks.reduce(join(torch.zeros_like(p) if p.grad is None else p.grad for p in parameters))
        norm = float(torch.linalg.vector_norm(gradient, dtype=torch.float64))
        if not math.isfinite(norm):
            raise ApiError(422, "not_finite", "a gradient is not finite; the session is unchanged")
        gradient *= min(1.0, settings.clip_norm / (norm + 1e-6))
        values, first, second = join(parameters), join(moments[:count]), join(moments[count:])
        adamw(
            [values], [gradient], [first], [second], [], [torch.tensor(float(session.steps))], amsgrad=False, beta1=settings.beta1,
            beta2=settings.beta2, lr=settings.learning_rate, weight_decay=settings.weight_decay, eps=settings.epsilon, maximize=False,
        )  # fmt: skip
        if not all(vector.isfinite().all() for vector in (values, first, second)):
            raise ApiError(422, "not_finite", "an updated parameter is not finite; the session is unchanged")
        for parameter, value in zip(parameters, values.split(sizes)):
            parameter.data.copy_(value.view_as(parameter))
            parameter.grad = None
        session.moments = dict(zip(session.moments, first.split(sizes) + second.split(sizes)))
        session.steps, session.kept = session.steps + 1, Session.kept
        return {"norm": norm, "steps": session.steps, "next_op": query.op + 1}

    def state(self, session: Session, query: Query, body: bytes) -> bytes:
        """Returns adapter and moments."""
        moments = {"step": torch.tensor([session.steps], dtype=torch.uint64)} | session.moments
        files = {"adapter": write_tensors(session.parameters), "moments": write_tensors(moments)}
        metadata = {f"{part}_sha256": hashlib.sha256(content).hexdigest() for part, content in files.items()}
        metadata |= {"epoch": str(session.epoch), "steps": str(session.steps)}
        return write_tensors({part: torch.frombuffer(bytearray(content), dtype=torch.uint8) for part, content in files.items()}, metadata)

    def _score(self, session: Session, piece: Piece, graph: bool, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.set_grad_enabled(graph):
            self.base.checkpoint_layers(graph and tokens > session.plan["max_tokens_retained"])
            return self.base.score(piece)

    def _back(self, session: Session, piece: Piece, logprobs: torch.Tensor, gradient: torch.Tensor) -> None:
        if logprobs.requires_grad:
            logprobs.backward(gradient[piece.results].to(logprobs.device))
        session.sequences_done += len(piece.sequences)


def join(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
    """Returns the elements of all tensors in a new vector."""
    return torch.cat([tensor.detach().flatten() for tensor in tensors])


def check_gradient(gradient: torch.Tensor, count: int) -> torch.Tensor:
    """Returns the derivatives. Raises `ApiError` unless there is one finite derivative for each log-probability."""
    if len(gradient) != count:
        raise invalid("gradient", f"has {len(gradient)} elements; there are {count} log-probabilities")
    if not gradient.isfinite().all():
        raise ApiError(422, "not_finite", "gradient: a derivative is not finite", "gradient")
    return gradient
