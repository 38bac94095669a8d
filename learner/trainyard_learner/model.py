"""Base model: log-probabilities and entropies of tokens, with or without a graph."""

import functools
import hashlib
from pathlib import Path

import numpy as np
import psutil
import torch
import transformers
from torch.nn.attention.flex_attention import create_block_mask
from torch.utils.checkpoint import checkpoint
from transformers import AutoConfig, AutoModelForCausalLM

from .batch import Batch, Piece, Rows, lay_out
from .ranks import Ranks

HEAD_ROWS = 512
# Longest prefix tree with a dense mask: its mask has a square of this size.
MAX_DENSE_TREE = 16384


class ScoredHead(torch.autograd.Function):
    """Log-probabilities and entropies by a frozen head, in blocks of rows; never holds all logits.

    Each row has one log-probability, so its derivative by the hidden state is one vector, independent of the loss. The
    forward pass computes it beside the log-probability, and the backward pass multiplies. The head therefore runs once
    forward and once backward, as in a plain loss, although the loss is not known yet.
    """

    @staticmethod
    def forward(ctx, hidden, targets, head):
        slopes = torch.empty_like(hidden) if ctx.needs_input_grad[0] else None
        logprobs, entropies = (torch.empty(len(hidden), device=hidden.device) for _ in range(2))
        for begin in range(0, len(hidden), HEAD_ROWS):
            rows = slice(begin, begin + HEAD_ROWS)
            part = hidden[rows].detach().requires_grad_(slopes is not None)
            with torch.set_grad_enabled(slopes is not None):
                logits = head(part)
            logprobs[rows], entropies[rows], probabilities = scores(logits.detach(), targets[rows])
            if slopes is not None:
                # The derivative of the log-probability by the logits: 1 at the target, less the probabilities.
                derivative = probabilities.neg_().scatter_add_(1, targets[rows, None], torch.ones_like(logprobs[rows, None]))
                (slopes[rows],) = torch.autograd.grad(logits, part, derivative)
        ctx.save_for_backward(slopes)
        ctx.mark_non_differentiable(entropies)
        return logprobs, entropies

    @staticmethod
    def backward(ctx, gradient, _):
        (slopes,) = ctx.saved_tensors
        return (slopes * gradient[:, None]).to(slopes.dtype), None, None


def scores(logits: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns the log-probabilities of the targets, the entropies in nats, and all probabilities."""
    logprobs = logits.log_softmax(-1)
    probabilities = logprobs.exp()
    entropies = -(probabilities * logprobs).nansum(-1)  # A token that cannot be has 0 times infinity, which counts as 0.
    return logprobs.gather(1, targets[:, None])[:, 0], entropies, probabilities


class BaseModel:
    """A frozen model of transformers. Adapters are injected by `Adapters`."""

    def __init__(self, directory: str, dtype: str, device: str, attention: str, memory: int | None):
        self.device, self.memory = torch.device(device), memory
        self.ranks = Ranks(device)
        transformers.utils.logging.disable_progress_bar()
        path = Path(directory)
        self.config_sha256 = hashlib.sha256((path / "config.json").read_bytes()).hexdigest()
        config = AutoConfig.from_pretrained(path, local_files_only=True)
        # Layers are checkpointed in training mode only; nothing random may come with it.
        for part in (config, config.get_text_config()):
            for name, value in vars(part).items():
                if isinstance(value, float) and ("drop" in name or "jitter" in name):
                    setattr(part, name, 0.0)
        if dtype == "auto":
            dtype = "float32" if device == "cpu" else "bfloat16"
        load = functools.partial(
            AutoModelForCausalLM.from_pretrained, path, config=config, dtype=dtype, local_files_only=True, use_safetensors=True
        )
        if attention == "auto":
            attention = None if device == "cpu" else "flex_attention"
        try:
            self.causal = load(attn_implementation=attention)
        except ValueError:
            if attention != "flex_attention":
                raise
            self.causal = load()  # This family has no flexible attention.
        self.flex = self.causal.config._attn_implementation == "flex_attention"
        self.causal.eval().requires_grad_(False)
        self.config, self.dtype = self.causal.config.get_text_config(), self.causal.dtype
        self.decoder = self.causal.get_decoder()
        self.vocabulary = self.causal.get_input_embeddings().num_embeddings
        self.longest = int(getattr(self.config, "max_position_embeddings", 0) or 1 << 20)
        self.parameters = self.causal.num_parameters()
        self.causal.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})
        self.checkpointed = [module for module in self.causal.modules() if hasattr(module, "gradient_checkpointing")]
        self.checkpoint_layers(False)
        if self.ranks.world > 1:
            self.ranks.shard(self.decoder)
        self.causal.to(self.device)
        local = (p.to_local() if hasattr(p, "to_local") else p for p in self.causal.parameters())
        self.weights = sum(parameter.nbytes for parameter in local)
        self.tree_limit = self._tree_limit()
        self._check()

    def free(self) -> int:
        """Returns the memory in bytes that every rank can still allocate."""
        if self.memory is not None:
            free = self.memory
        elif self.device.type == "cuda":
            free = torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        else:
            free = psutil.virtual_memory().available
        return int(self.ranks.reduce(torch.tensor(free), torch.distributed.ReduceOp.MIN))

    def _tree_limit(self) -> int:
        """Returns the longest sequence whose attention a prefix tree can express: each token sees all before it."""
        kinds = set(getattr(self.config, "layer_types", None) or [])
        window = getattr(self.config, "sliding_window", None) if getattr(self.config, "use_sliding_window", True) else None
        if not kinds and window is None or kinds == {"full_attention"}:
            return self.longest
        return min(window, self.longest) if window is not None and kinds <= {"full_attention", "sliding_attention"} else 0

    def _check(self) -> None:
        """Compares with the model's own logits, and trees with padded rows; a family may compute either in another way."""
        tokens = np.array([*range(1, 13), 1, 2, 3, 4, 9, 8, 7], np.int32) % self.vocabulary
        lengths = np.array([12, 7])
        batch = Batch.split(tokens, lengths, np.arange(len(tokens)) % 12 > 0)
        tolerance = {"atol": 1e-3 if self.dtype == torch.float32 else 0.2, "rtol": 0}
        with torch.no_grad():
            padded = self.score(lay_out(batch, Piece([0, 1], 24, False)))[0]
            if self.ranks.world == 1:
                ids = [torch.tensor(sequence, device=self.device)[None] for sequence in batch.sequences]
                logits = torch.cat([self.causal(sequence, use_cache=False).logits[0, :-1] for sequence in ids])
                own, _, _ = scores(logits.float(), torch.cat([sequence[0, 1:] for sequence in ids]).long())
                if not torch.allclose(padded, own, **tolerance):
                    raise SystemExit(f"model_type {self.config.model_type}: the learner does not compute this family's logits")
            try:
                if self.tree_limit and not torch.allclose(padded, self.score(lay_out(batch, Piece([0, 1], 15, True)))[0], **tolerance):
                    self.tree_limit = 0
            except (ValueError, TypeError, RuntimeError, IndexError, KeyError):
                self.tree_limit = 0

    def checkpoint_layers(self, wanted: bool) -> None:
        """Chooses whether graphs keep each layer's input only. The modules within a layer stay in evaluation mode."""
        for module in self.checkpointed:
            module.gradient_checkpointing = module.training = wanted

    def score(self, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns log-probabilities and entropies of a piece, in the order of its results, on the model's device."""
        tokens, where, targets = (torch.as_tensor(a, dtype=torch.int64, device=self.device) for a in (rows.tokens, rows.rows, rows.targets))
        more = {}
        if rows.exits is not None:
            more["position_ids"] = torch.as_tensor(rows.depths, device=self.device)
            more["attention_mask"] = self._tree_mask(torch.as_tensor(rows.exits, device=self.device))
        hidden = self.decoder(input_ids=tokens, use_cache=False, **more).last_hidden_state.flatten(0, 1)[where]
        head = self.causal.get_output_embeddings()
        if not torch.is_grad_enabled() or not any(parameter.requires_grad for parameter in head.parameters()):
            return ScoredHead.apply(hidden, targets, self._logits)
        parts = zip(hidden.split(HEAD_ROWS), targets.split(HEAD_ROWS))
        logprobs, entropies = zip(*(checkpoint(self._trained_head, *part, use_reentrant=False) for part in parts))
        return torch.cat(logprobs), torch.cat(entropies)

    def _trained_head(self, hidden, targets):
        logprobs, entropies, _ = scores(self._logits(hidden), targets)
        return logprobs, entropies.detach()

    def _logits(self, hidden: torch.Tensor) -> torch.Tensor:
        logits = self.causal.get_output_embeddings()(hidden).float()
        if scale := getattr(self.config, "logits_scaling", None):
            logits = logits / scale
        if scale := getattr(self.config, "logit_scale", None):
            logits = logits * scale
        if cap := getattr(self.config, "final_logit_softcapping", None):
            logits = torch.tanh(logits / cap) * cap
        return logits

    def _tree_mask(self, exits: torch.Tensor):
        """Returns the mask in which each node sees its ancestors and itself."""
        order = torch.arange(len(exits), device=self.device)
        if self.flex:
            seen = lambda _batch, _head, query, key: (key <= query) & (query < exits[key])  # noqa: E731
            return create_block_mask(seen, 1, None, len(exits), len(exits), device=self.device)
        seen = (order[None, :] <= order[:, None]) & (order[:, None] < exits[None, :])
        mask = torch.zeros(seen.shape, dtype=self.dtype, device=self.device)
        return mask.masked_fill_(~seen, torch.finfo(self.dtype).min)[None, None]
