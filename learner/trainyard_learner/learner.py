"""Calls of the protocol on sessions: fencing by epoch, exactly-once by operation number, gradients and optimizer steps.

Every rank runs the same calls in the same order. `ApiError` is raised by all ranks alike. The answer of a call is the value
of a JSON body, the bytes of a safetensors body, or None.
"""

import hashlib
import math
import platform
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field

import peft
import torch
import transformers
from torch.optim.adamw import adamw

from . import __version__
from .adapters import Adapters, load_adapter, read_config, read_moments, write_moments
from .batch import Batch, Piece, Rows, check_gradient, divide, lay_out
from .model import HEAD_ROWS, MAX_DENSE_TREE, BaseModel
from .plan import MemoryPlan, make_plan
from .protocol import (
    ApiError, BackwardQuery, Call, ForwardQuery, OpenQuery, OptimizerSettings, Query, from_bytes, read_tensors, write_tensors,
)  # fmt: skip

# Names whose last epoch is remembered after their session is gone.
MAX_FENCES = 65536
ALLOCATION_FAILED = ("can't allocate memory", "not enough memory")
VERSIONS = {
    "learner": __version__, "python": platform.python_version(), "torch": str(torch.__version__),
    "transformers": transformers.__version__, "peft": peft.__version__,
}  # fmt: skip


@dataclass
class Kept:
    """Batch of the last `forward` with `mode=keep`; `graphs` are its pieces' log-probabilities if they are retained."""

    number: int
    batch: Batch
    packing: str
    graphs: list[tuple[Piece, Rows, torch.Tensor]] | None


@dataclass
class Session:
    """Adapter in training with its optimizer; `first` and `second` are the moments of its parameters."""

    epoch: int
    adapter: str
    parameters: dict[str, torch.nn.Parameter]
    plan: MemoryPlan
    steps: int
    first: list[torch.Tensor]
    second: list[torch.Tensor]
    next_op: int = 0
    last: tuple[bytes, dict | bytes] = (b"", b"")
    kept: Kept | None = None
    call: str = "idle"
    began: float = 0.0
    sequences: int = 0
    sequences_done: int = 0
    used: float = field(default_factory=time.monotonic)
    changing: bool = False


class Learner:
    """A base model and its sessions."""

    def __init__(self, base: BaseModel, max_sessions: int):
        self.base, self.max_sessions, self.opened = base, max_sessions, 0
        self.adapters = Adapters(base.causal, base.device)
        self.sessions: dict[str, Session] = {}
        self.fences: OrderedDict[str, int] = OrderedDict()

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
        seconds = time.monotonic() - session.began if session.call != "idle" else 0.0
        return {
            "call": session.call, "sequences": session.sequences, "sequences_done": session.sequences_done,
            "seconds": seconds, "next_op": session.next_op, "steps": session.steps,
        }  # fmt: skip

    def find(self, query: Query) -> Session:
        """Returns an open session. Raises `ApiError` if there is none, or the epoch is not its own."""
        session = self.sessions.get(query.session)
        if session is None:
            raise ApiError(404, "no_session", "no session of this name is open; open it from the durable state", "session")
        if session.epoch != query.epoch:
            raise ApiError(409, "fenced", f"the session belongs to epoch {session.epoch}", "epoch")
        return session

    def unused_since(self, time: float) -> list[Query]:
        """Returns name and epoch of the sessions without a call since a time."""
        return [Query(session=name, epoch=session.epoch) for name, session in self.sessions.items() if session.used < time]

    def run(self, call: Call) -> dict | bytes | None:
        """Runs a call. An error of a call that has begun to change gradients or parameters drops the session."""
        try:
            if call.name == "open":
                return self.open(call.query, call.body)
            session = self.find(call.query)
            if call.name == "close":
                return self._drop(call.query.session)
            return self._run_once(session, call)
        except (MemoryError, RuntimeError) as error:
            if isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(text in str(error) for text in ALLOCATION_FAILED):
                raise ApiError(503, "out_of_memory", "the call did not fit in memory; send fewer tokens at a time") from error
            raise

    def _run_once(self, session: Session, call: Call) -> dict | bytes:
        op, digest = getattr(call.query, "op", None), hashlib.sha256(repr((call.name, call.query)).encode() + call.body).digest()
        if op is not None and op != session.next_op:
            if op != session.next_op - 1:
                raise ApiError(409, "out_of_order", f"operation {session.next_op} is next, not {op}", "op")
            if digest != session.last[0]:
                raise ApiError(409, "out_of_order", f"operation {op} was another call", "op")
            return session.last[1]
        session.call, session.began, session.sequences, session.sequences_done = call.name, time.monotonic(), 0, 0
        session.changing = False
        try:
            answer = getattr(self, call.name)(session, call.query, call.body)
        except BaseException:
            if session.changing:
                self._drop(call.query.session)
            raise
        finally:
            session.call, session.used = "idle", time.monotonic()
        if op is not None:
            session.next_op, session.last = op + 1, (digest, answer)
        return answer

    def _drop(self, name: str) -> None:
        self.adapters.remove(self.sessions.pop(name).adapter)

    def open(self, query: OpenQuery, body: bytes) -> dict:
        """Opens a session, or takes it over with a larger epoch."""
        name, fence, base = query.session, self.fences.get(query.session, -1), self.base
        if query.epoch <= fence:
            raise ApiError(409, "fenced", f"epoch {query.epoch} is not larger than {fence}", "epoch")
        if name not in self.sessions and len(self.sessions) >= self.max_sessions:
            raise ApiError(503, "busy", f"{self.max_sessions} sessions are open")
        listed = dict.fromkeys(("adapter_config", "adapter", "moments"), (torch.uint8, None))
        files = {part: tensor.numpy().tobytes() for part, tensor in read_tensors(body, listed, ("adapter", "moments")).items()}
        config = read_config(files["adapter_config"])
        self.opened += 1
        adapter = f"session{self.opened}_"
        try:
            parameters = self.adapters.create(adapter, config, query.seed)
            if "adapter" in files:
                load_adapter(parameters, files["adapter"])
            moments = 0, *([torch.zeros_like(p) for p in parameters.values()] for _ in range(2))
            if "moments" in files:
                moments = read_moments(parameters, files["moments"])
            count = sum(parameter.numel() for parameter in parameters.values())
            plan = make_plan(base.config, base.dtype.itemsize, base.weights, count, HEAD_ROWS, base.free())
        except BaseException:
            self.adapters.remove(adapter)
            raise
        if name in self.sessions:
            self._drop(name)
        session = self.sessions[name] = Session(query.epoch, adapter, parameters, plan, *moments)
        self.fences[name] = query.epoch
        self.fences.move_to_end(name)
        if len(self.fences) > MAX_FENCES:
            del self.fences[next(fenced for fenced in self.fences if fenced not in self.sessions)]
        return {
            "epoch": query.epoch, "next_op": 0, "steps": session.steps, "adapter_parameters": count, "plan": asdict(plan), "versions": VERSIONS,
        }  # fmt: skip

    def forward(self, session: Session, query: ForwardQuery, body: bytes) -> bytes:
        """Scores tokens; keeps the batch, or accumulates the gradients of a known derivative."""
        mode, base = query.mode, self.base
        listed = {"tokens": (torch.int32, None), "lengths": (torch.int32, None), "scored": (torch.uint8, None)}
        if mode == "accumulate":
            listed["gradient"] = (torch.float32, None)
        tensors = read_tensors(body, listed)
        batch = Batch.read(*(tensors[name].numpy() for name in ("tokens", "lengths", "scored")), base.vocabulary, base.longest)
        gradient = check_gradient(tensors["gradient"], batch) if mode == "accumulate" else None
        pieces, tokens = self._divide(session, batch, query.packing)
        retain = mode == "keep" and self._retains(session, query.graph, tokens, len(pieces))
        if mode == "keep":
            session.kept = None  # Its memory is free for the batch that replaces it.
        with self.adapters.use(session.adapter if query.adapter == "session" else None):
            results, graphs = self._compute(session, batch, pieces, gradient, retain)
        if mode == "keep":
            session.kept = Kept(query.batch, batch, query.packing, graphs)
        logprobs, entropies = base.ranks.reduce(results)
        return write_tensors({"logprobs": logprobs, "entropies": entropies})

    def backward(self, session: Session, query: BackwardQuery, body: bytes) -> dict:
        """Accumulates the gradients of the kept batch."""
        gradient, kept = read_tensors(body, {"gradient": (torch.float32, None)})["gradient"], session.kept
        if kept is None or kept.number != query.batch:
            held = "none" if kept is None else f"batch {kept.number}"
            raise ApiError(409, "unknown_batch", f"the session keeps {held}", "batch")
        check_gradient(gradient, kept.batch)
        with self.adapters.use(session.adapter):
            if kept.graphs is None:
                pieces, _ = self._divide(session, kept.batch, kept.packing)
                self._compute(session, kept.batch, pieces, gradient)
            else:
                session.sequences, session.changing = len(kept.batch.sequences), True
                while kept.graphs:
                    piece, rows, logprobs = kept.graphs.pop()
                    self._back(session, piece, rows, logprobs, gradient)
        session.kept = None
        return {"next_op": query.op + 1}

    def step(self, session: Session, query: Query, body: bytes) -> dict:
        """Clips the gradients and makes one step of AdamW, or changes nothing if a result would not be finite."""
        settings, parameters = OptimizerSettings.read(body), list(session.parameters.values())
        gradients = [torch.zeros_like(p) if p.grad is None else self.base.ranks.reduce(p.grad.clone()) for p in parameters]
        norm = float(torch.stack([torch.linalg.vector_norm(gradient, dtype=torch.float64) for gradient in gradients]).norm())
        if not math.isfinite(norm):
            raise ApiError(422, "not_finite", "a gradient is not finite; the session is unchanged")
        with torch.no_grad():
            torch._foreach_mul_(gradients, min(1.0, settings.clip_norm / (norm + 1e-6)))
            updated, first, second = ([tensor.clone() for tensor in tensors] for tensors in (parameters, session.first, session.second))
            adamw(
                updated, gradients, first, second, [], [torch.tensor(float(session.steps)) for _ in parameters],
                amsgrad=False, beta1=settings.beta1, beta2=settings.beta2, lr=settings.learning_rate,
                weight_decay=settings.weight_decay, eps=settings.epsilon, maximize=False,
            )  # fmt: skip
            if not all(bool(tensor.isfinite().all()) for tensor in updated + first + second):
                raise ApiError(422, "not_finite", "an updated parameter is not finite; the session is unchanged")
            session.changing = True
            for parameter, value in zip(parameters, updated):
                parameter.copy_(value)
                parameter.grad = None
        session.first, session.second, session.steps, session.kept = first, second, session.steps + 1, None
        return {"norm": norm, "steps": session.steps, "next_op": query.op + 1}

    def state(self, session: Session, query: Query, body: bytes) -> bytes:
        """Returns adapter and moments."""
        files = {
            "adapter": write_tensors(session.parameters),
            "moments": write_moments(list(session.parameters), session.steps, session.first, session.second),
        }
        metadata = {f"{part}_sha256": hashlib.sha256(content).hexdigest() for part, content in files.items()}
        metadata |= {"epoch": str(session.epoch), "steps": str(session.steps)}
        return write_tensors({part: from_bytes(content) for part, content in files.items()}, metadata)

    def _divide(self, session: Session, batch: Batch, packing: str) -> tuple[list[Piece], int]:
        """Returns this rank's pieces, as many as every rank's, and the tokens of the rank with the most."""
        base, limit = self.base, session.plan.max_tokens
        dense = 1 << 62 if base.flex else MAX_DENSE_TREE
        tree = max(map(len, batch.sequences)) <= min(base.tree_limit, dense)
        parts = divide(batch, packing, tree, min(limit, dense) if tree else limit, base.ranks.world)
        # Collectives need equally many passes: ranks without a piece left run an unscored token.
        nothing = [Piece([], 1, False)] * (max(map(len, parts)) - len(parts[base.ranks.rank]))
        return parts[base.ranks.rank] + nothing, max(sum(piece.tokens for piece in part) for part in parts)

    def _retains(self, session: Session, graph: str, tokens: int, pieces: int) -> bool:
        if self.base.ranks.world > 1 and pieces > 1:
            return False  # The graphs of several passes through sharded layers are not kept together.
        layers_input = session.plan.available // 2 // session.plan.token_checkpointed
        return graph == "retain" or graph == "auto" and tokens <= min(session.plan.max_tokens, layers_input)

    def _compute(self, session: Session, batch: Batch, pieces: list[Piece], gradient: torch.Tensor | None, retain: bool = False):
        """Scores pieces; accumulates the gradients of a known derivative. Returns the results, and the graphs to retain."""
        session.sequences, session.changing = len(batch.sequences), gradient is not None
        results = torch.zeros(2, sum(map(len, batch.places)), device=self.base.device)
        together, graphs = sum(piece.tokens for piece in pieces) if retain else 0, []
        with torch.set_grad_enabled(retain or gradient is not None):
            for piece in pieces:
                self.base.checkpoint_layers(torch.is_grad_enabled() and max(piece.tokens, together) > session.plan.max_tokens_retained)
                rows = lay_out(batch, piece)
                logprobs, entropies = self.base.score(rows)
                results[:, rows.results] = torch.stack([logprobs.detach(), entropies])
                if gradient is not None:
                    self._back(session, piece, rows, logprobs, gradient)
                    continue
                session.sequences_done += len(piece.members)
                if retain:
                    graphs.append((piece, rows, logprobs))
        return results, graphs if retain else None

    def _back(self, session: Session, piece: Piece, rows: Rows, logprobs: torch.Tensor, gradient: torch.Tensor) -> None:
        if logprobs.requires_grad:
            logprobs.backward(gradient[rows.results].to(logprobs.device))
        session.sequences_done += len(piece.members)
