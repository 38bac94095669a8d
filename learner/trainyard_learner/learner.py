"""Calls of the protocol on sessions: fencing by epoch, exactly-once by operation number, gradients and optimizer steps.

Every rank runs the same calls in the same order. `ApiError` is raised by all ranks alike.
"""

import hashlib
import json
import math
import platform
import time
from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
import peft
import torch
import transformers

from . import __version__, adapters, wire
from .adapters import Adapters
from .batch import Batch, Piece, check_gradient, divide
from .errors import ApiError, invalid, is_out_of_memory
from .model import HEAD_ROWS, BaseModel
from .plan import MAX_DENSE_TREE, MemoryPlan, make_plan

JSON = "application/json"
# Names whose last epoch is remembered after their session is gone.
MAX_FENCES = 65536
# Bounds of each optimizer setting: smallest, largest, whether the smallest itself is allowed.
SETTINGS = {
    "learning_rate": (0.0, 1e6, True),
    "beta1": (0.0, math.nextafter(1.0, 0.0), True),
    "beta2": (0.0, math.nextafter(1.0, 0.0), True),
    "epsilon": (0.0, 1.0, False),
    "weight_decay": (0.0, 1e6, True),
    "clip_norm": (0.0, math.inf, False),
}


@dataclass
class Answer:
    """Successful response: media type and body."""

    media_type: str | None
    body: bytes


def json_answer(value: dict) -> Answer:
    """Returns a JSON response."""
    return Answer(JSON, json.dumps(value).encode())


@dataclass
class Kept:
    """Batch of the last `forward` with `mode=keep`; `graphs` are its pieces' log-probabilities if they are retained."""

    number: int
    batch: Batch
    packing: str
    graphs: list[tuple[Piece, torch.Tensor]] | None


@dataclass
class Session:
    """Adapter in training with its optimizer."""

    epoch: int
    adapter: str
    parameters: dict[str, torch.nn.Parameter]
    plan: MemoryPlan
    steps: int
    first: dict[str, torch.Tensor]
    second: dict[str, torch.Tensor]
    next_op: int = 0
    last: tuple[str, Answer] | None = None
    kept: Kept | None = None
    call: str = "idle"
    began: float = 0.0
    sequences: int = 0
    sequences_done: int = 0
    used: float = field(default_factory=time.monotonic)
    changing: bool = field(default=False)

    def progress(self) -> dict:
        """Returns the body of a `progress` response; called while another thread computes."""
        seconds = time.monotonic() - self.began if self.call != "idle" else 0.0
        return {
            "call": self.call, "sequences": self.sequences, "sequences_done": min(self.sequences_done, self.sequences),
            "seconds": seconds, "next_op": self.next_op, "steps": self.steps,
        }  # fmt: skip


def versions() -> dict:
    """Returns the versions of the software."""
    return {
        "learner": __version__, "python": platform.python_version(), "torch": str(torch.__version__),
        "transformers": transformers.__version__, "peft": peft.__version__,
    }  # fmt: skip


class Learner:
    """A base model and its sessions."""

    def __init__(self, base: BaseModel, max_sessions: int):
        self.base, self.adapters, self.max_sessions = base, Adapters(base), max_sessions
        self.sessions: dict[str, Session] = {}
        self.fences: OrderedDict[str, int] = OrderedDict()

    def health(self, busy: bool) -> dict:
        """Returns the body of a `health` response."""
        base = self.base
        model = {
            "model_type": base.config.model_type, "vocabulary_size": base.vocabulary, "max_sequence_tokens": base.longest,
            "parameters": base.parameters, "config_sha256": base.config_sha256, "prefix_sharing": base.tree_limit > 0,
        }  # fmt: skip
        return {
            "status": "busy" if busy else "idle", "sessions": len(self.sessions), "model": model, "versions": versions(),
            "device": str(base.device), "dtype": str(base.dtype).removeprefix("torch."), "world_size": base.ranks.world,
        }  # fmt: skip

    def find(self, name: str, epoch: int) -> Session:
        """Returns an open session. Raises `ApiError` if there is none, or `epoch` is not its own."""
        session = self.sessions.get(name)
        if session is None:
            raise ApiError(404, "no_session", "no session of this name is open; open it from the durable state", "session")
        if session.epoch != epoch:
            raise ApiError(409, "fenced", f"the session belongs to epoch {session.epoch}", "epoch")
        return session

    def unused_since(self, time: float) -> list[tuple[str, int]]:
        """Returns name and epoch of the sessions without a call since a time."""
        return [(name, session.epoch) for name, session in self.sessions.items() if session.used < time]

    def run(self, call: str, arguments: dict, body: bytes) -> Answer:
        """Runs a call. An error of a call that has begun to change gradients or parameters drops the session."""
        name = arguments["session"]
        if call == "open":
            return self._guard(lambda: self.open(name, arguments, body))
        session = self.find(name, arguments["epoch"])
        if call == "close":
            self._drop(name)
            return Answer(None, b"")
        op, digest = arguments.get("op"), ""
        if op is not None:
            settled = json.dumps([call, arguments], sort_keys=True).encode()
            digest = hashlib.sha256(settled + body).hexdigest()
            if op == session.next_op - 1 and session.last is not None:
                if session.last[0] != digest:
                    raise ApiError(409, "out_of_order", f"operation {op} was another call", "op")
                return session.last[1]
            if op != session.next_op:
                raise ApiError(409, "out_of_order", f"operation {session.next_op} is next, not {op}", "op")
        session.call, session.began, session.sequences, session.sequences_done = call, time.monotonic(), 0, 0
        session.changing = False
        try:
            answer = self._guard(lambda: getattr(self, call)(session, arguments, body))
        except BaseException:
            if session.changing:
                self._drop(name)
            raise
        finally:
            session.call, session.used = "idle", time.monotonic()
        if op is not None:
            session.next_op, session.last = op + 1, (digest, answer)
        return answer

    def _guard(self, work):
        try:
            return work()
        except ApiError:
            raise
        except Exception as error:
            if is_out_of_memory(error):
                raise ApiError(503, "out_of_memory", "the call did not fit in memory; send fewer tokens at a time") from error
            raise

    def _drop(self, name: str) -> None:
        session = self.sessions.pop(name)
        self.adapters.remove(session.adapter)

    def open(self, name: str, arguments: dict, body: bytes) -> Answer:
        """Opens a session, or takes it over with a larger epoch."""
        epoch, fence = arguments["epoch"], self.fences.get(name)
        if fence is not None and epoch <= fence:
            raise ApiError(409, "fenced", f"epoch {epoch} is not larger than {fence}", "epoch")
        if name not in self.sessions and len(self.sessions) >= self.max_sessions:
            raise ApiError(503, "busy", f"{self.max_sessions} sessions are open")
        tensors = wire.read(body, {"adapter_config": "U8"}, {"adapter": "U8", "moments": "U8"})
        config = adapters.read_config(tensors["adapter_config"].tobytes())
        content = tensors["adapter"].tobytes() if "adapter" in tensors else None
        adapter, parameters = self.adapters.create(config, content, arguments.get("seed", 0))
        try:
            steps, first, second = 0, *({n: torch.zeros_like(p) for n, p in parameters.items()} for _ in range(2))
            if "moments" in tensors:
                steps, first, second = adapters.read_moments(tensors["moments"].tobytes(), parameters)
            count, base = sum(p.numel() for p in parameters.values()), self.base
            plan = make_plan(base.config, base.dtype.itemsize, base.weights, count, HEAD_ROWS, base.free())
        except BaseException:
            self.adapters.remove(adapter)
            raise
        if name in self.sessions:
            self._drop(name)
        self.sessions[name] = Session(epoch, adapter, parameters, plan, steps, first, second)
        self.fences[name] = epoch
        self.fences.move_to_end(name)
        gone = (fenced for fenced in self.fences if fenced not in self.sessions)
        if len(self.fences) > MAX_FENCES:
            del self.fences[next(gone)]
        return json_answer(
            {"epoch": epoch, "next_op": 0, "steps": steps, "adapter_parameters": count, "plan": plan.json(), "versions": versions()}
        )

    def forward(self, session: Session, arguments: dict, body: bytes) -> Answer:
        """Scores tokens; keeps the batch, or accumulates the gradients of a known derivative."""
        mode, packing = arguments["mode"], arguments.get("packing", "auto")
        batch = Batch.read(body, mode == "accumulate", self.base.vocabulary, self.base.longest)
        session.sequences = len(batch.sequences)
        pieces, tokens = self._divide(session, batch, packing)
        logprobs, entropies = (torch.zeros(batch.results, device=self.base.device) for _ in range(2))
        retain = mode == "keep" and self._retains(session, arguments.get("graph", "auto"), tokens, len(pieces))
        if mode == "keep":
            session.kept = None  # Its memory is free for the batch that replaces it.
        self.adapters.activate(session.adapter)
        if mode == "accumulate":
            self._accumulate(session, batch, pieces, batch.gradient, (logprobs, entropies))
        elif arguments.get("adapter") == "none" and self.adapters.peft is not None:
            with self.adapters.peft.disable_adapter():
                self._score(session, batch, pieces, (logprobs, entropies))
            self.adapters.active = None
        else:
            with torch.set_grad_enabled(retain):
                self.base.checkpoint_layers(retain and tokens > session.plan.max_tokens_retained)
                graphs = self._score(session, batch, pieces, (logprobs, entropies))
            if mode == "keep":
                session.kept = Kept(arguments["batch"], batch, packing, graphs if retain else None)
        results = {"logprobs": logprobs, "entropies": entropies}
        return Answer(wire.MEDIA_TYPE, wire.write({name: self.base.ranks.sum(value).cpu().numpy() for name, value in results.items()}))

    def backward(self, session: Session, arguments: dict, body: bytes) -> Answer:
        """Accumulates the gradients of the kept batch."""
        gradient = wire.read(body, {"gradient": "F32"})["gradient"]
        kept = session.kept
        if kept is None or kept.number != arguments["batch"]:
            held = "none" if kept is None else f"batch {kept.number}"
            raise ApiError(409, "unknown_batch", f"the session keeps {held}", "batch")
        check_gradient(gradient, kept.batch.results)
        session.sequences = len(kept.batch.sequences)
        self.adapters.activate(session.adapter)
        if kept.graphs is None:
            pieces, _ = self._divide(session, kept.batch, kept.packing)
            self._accumulate(session, kept.batch, pieces, gradient, None)
        else:
            session.changing = True
            while kept.graphs:
                piece, logprobs = kept.graphs.pop()
                self._back(kept.batch, piece, logprobs, gradient)
                session.sequences_done += len(piece.members)
        session.kept = None
        return json_answer({"next_op": session.next_op + 1})

    def step(self, session: Session, arguments: dict, body: bytes) -> Answer:
        """Clips the gradients and makes one step of AdamW, or changes nothing if a result would not be finite."""
        settings = read_settings(body)
        names = list(session.parameters)
        gradients = []
        for name in names:
            parameter = session.parameters[name]
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            gradients.append(self.base.ranks.sum(gradient.clone()) if self.base.ranks.world > 1 else gradient)
        norm = math.sqrt(float(torch.stack([g.double().pow(2).sum() for g in gradients]).sum()))
        if not math.isfinite(norm):
            raise ApiError(422, "not_finite", "a gradient is not finite; the session is unchanged")
        scale = min(1.0, settings["clip_norm"] / (norm + 1e-6))
        beta1, beta2, rate = settings["beta1"], settings["beta2"], settings["learning_rate"]
        correction1, correction2 = (1 - beta ** (session.steps + 1) for beta in (beta1, beta2))
        updated = []
        with torch.no_grad():
            for name, gradient in zip(names, gradients):
                gradient = gradient * scale
                first = session.first[name].lerp(gradient, 1 - beta1)
                second = (session.second[name] * beta2).addcmul_(gradient, gradient, value=1 - beta2)
                root = (second.sqrt() / math.sqrt(correction2)).add_(settings["epsilon"])
                decayed = session.parameters[name] * (1 - rate * settings["weight_decay"])
                updated.append((decayed.addcdiv_(first, root, value=-rate / correction1), first, second))
            if not bool(torch.stack([torch.isfinite(t).all() for tensors in updated for t in tensors]).all()):
                raise ApiError(422, "not_finite", "an updated parameter is not finite; the session is unchanged")
            session.changing = True
            for name, (parameter, first, second) in zip(names, updated):
                session.parameters[name].copy_(parameter)
                session.parameters[name].grad = None
                session.first[name], session.second[name] = first, second
        session.steps, session.kept = session.steps + 1, None
        return json_answer({"norm": norm, "steps": session.steps, "next_op": session.next_op + 1})

    def state(self, session: Session, arguments: dict, body: bytes) -> Answer:
        """Returns adapter and moments."""
        files = {
            "adapter": adapters.write_adapter(session.parameters),
            "moments": adapters.write_moments(session.steps, session.first, session.second),
        }
        metadata = {f"{name}_sha256": hashlib.sha256(content).hexdigest() for name, content in files.items()}
        metadata |= {"epoch": str(session.epoch), "steps": str(session.steps)}
        arrays = {name: np.frombuffer(content, np.uint8) for name, content in files.items()}
        return Answer(wire.MEDIA_TYPE, wire.write(arrays, metadata))

    def _divide(self, session: Session, batch: Batch, packing: str) -> tuple[list[Piece], int]:
        """Returns this rank's pieces, as many as every rank's, and the tokens of the rank with the most."""
        base = self.base
        longest, limit = max(map(len, batch.sequences)), session.plan.max_tokens
        tree = packing != "pad" and longest <= (base.tree_limit if base.flex else min(base.tree_limit, MAX_DENSE_TREE))
        if tree and not base.flex:
            limit = min(limit, MAX_DENSE_TREE)
        parts = divide(batch, packing, tree, limit, base.ranks.world)
        mine, rounds = parts[base.ranks.rank], max(map(len, parts))
        # Collectives need equally many passes: ranks without a piece left run an unscored token.
        mine += [Piece([], 1, False)] * (rounds - len(mine))
        return mine, max(sum(piece.tokens for piece in part) for part in parts)

    def _retains(self, session: Session, graph: str, tokens: int, pieces: int) -> bool:
        if self.base.ranks.world > 1 and pieces > 1:
            return False  # The graphs of several passes through sharded layers are not kept together.
        layers_input = session.plan.available // 2 // session.plan.token_checkpointed
        return graph == "retain" or graph == "auto" and tokens <= min(session.plan.max_tokens, layers_input)

    def _score(self, session: Session, batch: Batch, pieces: list[Piece], results) -> list[tuple[Piece, torch.Tensor]]:
        graphs = []
        for piece in pieces:
            logprobs = self._one(batch, piece, results)
            graphs.append((piece, logprobs))
            session.sequences_done += len(piece.members)
        return graphs

    def _one(self, batch: Batch, piece: Piece, results) -> torch.Tensor:
        if piece.members:
            logprobs, entropies = self.base.score(batch, piece)
        else:
            logprobs, entropies = self.base.score(
                Batch([np.zeros(1, np.int32)], [np.zeros(0, np.int64)], np.zeros(2, np.int64), None), Piece([0], 1, False)
            )
        if results is not None:
            where = torch.as_tensor(batch.result_indices(piece.members), device=self.base.device)
            for result, values in zip(results, (logprobs, entropies)):
                result[where] = values.detach().float()[: len(where)]
        return logprobs

    def _accumulate(self, session: Session, batch: Batch, pieces: list[Piece], gradient: np.ndarray, results) -> None:
        session.changing = True
        for piece in pieces:
            self.base.checkpoint_layers(piece.tokens > session.plan.max_tokens_retained)
            with torch.enable_grad():
                logprobs = self._one(batch, piece, results)
            self._back(batch, piece, logprobs, gradient)
            session.sequences_done += len(piece.members)

    def _back(self, batch: Batch, piece: Piece, logprobs: torch.Tensor, gradient: np.ndarray) -> None:
        values = torch.zeros(len(logprobs), device=self.base.device)
        where = batch.result_indices(piece.members)
        values[: len(where)] = torch.as_tensor(gradient[where], device=self.base.device)
        if logprobs.requires_grad and len(logprobs):
            logprobs.backward(values.to(logprobs.dtype))


def read_settings(body: bytes) -> dict[str, float]:
    """Reads the body of `step`. Raises `ApiError` naming the field."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "invalid_body", f"the body is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ApiError(422, "invalid_value", "the body must be a JSON object")
    for name in fields:
        if name not in SETTINGS:
            raise invalid(name[:80], f"unknown field; a step has {', '.join(SETTINGS)}")
    settings = {}
    for name, (smallest, largest, inclusive) in SETTINGS.items():
        value = fields.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise invalid(name, "must be a number" if name in fields else "is missing")
        try:
            value = float(value)
        except OverflowError as error:
            raise invalid(name, "is too large") from error
        if not (math.isfinite(value) and (smallest < value or inclusive and value == smallest) and value <= largest):
            raise invalid(name, f"must be finite, {'at least' if inclusive else 'above'} {smallest} and at most {largest}")
        settings[name] = value
    return settings
