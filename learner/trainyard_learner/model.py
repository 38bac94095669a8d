"""Base model: log-probabilities and entropies of tokens, with or without a graph."""

import functools
import hashlib
from pathlib import Path

import numpy as np
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

from .batch import Batch, Piece, Rows, lay_out
from .plan import free_memory
from .ranks import Ranks

HEAD_ROWS = 512


class ScoredHead(torch.autograd.Function):
    """Log-probabilities and entropies by a frozen head, in blocks of rows; never holds all logits.

    Each row has one log-probability, so its derivative by the hidden state is one vector, independent of the loss. The
    forward pass computes it beside the log-probability, and the backward pass multiplies. The head therefore runs once
    forward and once backward, as in a plain loss, although the loss is not known yet.
    """

    @staticmethod
    def forward(ctx, hidden, targets, head):
        slopes = torch.empty_like(hidden) if ctx.needs_input_grad[0] else None
        logprobs, entropies = [], []
        for begin in range(0, len(hidden), HEAD_ROWS):
            rows = slice(begin, begin + HEAD_ROWS)
            part = hidden[rows].detach().requires_grad_(slopes is not None)
            with torch.set_grad_enabled(slopes is not None):
                logits = head(part)
            logprob, entropy, probabilities = scores(logits.detach(), targets[rows])
            logprobs.append(logprob)
            entropies.append(entropy)
            if slopes is not None:
                # The derivative of the log-probability by the logits: 1 at the target, less the probabilities.
                derivative = probabilities.neg_().scatter_add_(1, targets[rows, None], torch.ones_like(logprob)[:, None])
                (slopes[rows],) = torch.autograd.grad(logits, part, derivative)
        if slopes is not None:
            ctx.save_for_backward(slopes)
        joined = torch.cat(entropies)
        ctx.mark_non_differentiable(joined)
        return torch.cat(logprobs), joined

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
        self.device = torch.device(device)
        self.ranks = Ranks(self.device.type)
        self.memory = memory
        transformers.utils.logging.disable_progress_bar()
        path = Path(directory)
        self.config_sha256 = hashlib.sha256((path / "config.json").read_bytes()).hexdigest()
        config = AutoConfig.from_pretrained(path, local_files_only=True)
        if dtype == "auto":
            dtype = "float32" if self.device.type == "cpu" else "bfloat16"
        if attention == "auto":
            attention = None if self.device.type == "cpu" else "flex_attention"
        load = functools.partial(
            AutoModelForCausalLM.from_pretrained,
            path,
            config=config,
            dtype=getattr(torch, dtype),
            local_files_only=True,
            use_safetensors=True,
        )
        try:
            self.causal = load(attn_implementation=attention)
        except ValueError:
            if attention != "flex_attention":
                raise
            self.causal = load()  # This family has no flexible attention.
        self.flex = self.causal.config._attn_implementation == "flex_attention"
        self.causal.requires_grad_(False)
        self.config = self.causal.config.get_text_config()
        self.dtype = self.causal.dtype
        self.decoder = self.causal.get_decoder()
        self.vocabulary = self.causal.get_input_embeddings().num_embeddings
        self.longest = int(getattr(self.config, "max_position_embeddings", 0) or 1 << 20)
        self.parameters = sum(parameter.numel() for parameter in self.causal.parameters())
        # Layers are checkpointed in training mode only; nothing random may come with it.
        for module in self.causal.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
            for name in ("attention_dropout", "dropout", "jitter_noise", "router_jitter_noise"):
                if isinstance(getattr(module, name, None), float):
                    setattr(module, name, 0.0)
        self.causal.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})
        self.causal.eval()
        self.tree_limit = self._tree_limit()
        if self.ranks.world > 1:
            self.ranks.shard(self.decoder)
        self.causal.to(self.device)
        self.weights = sum(_local(p).numel() * p.element_size() for p in self.causal.parameters())
        self._check()

    def free(self) -> int:
        """Returns the memory in bytes that every rank can still allocate."""
        return self.ranks.minimum(free_memory(self.device) if self.memory is None else self.memory)

    def _tree_limit(self) -> int:
        """Returns the longest sequence whose attention a prefix tree can express: each token sees all before it."""
        kinds = set(getattr(self.config, "layer_types", None) or [])
        window = getattr(self.config, "sliding_window", None) if getattr(self.config, "use_sliding_window", True) else None
        if not kinds and window is None or kinds == {"full_attention"}:
            return self.longest
        if kinds <= {"full_attention", "sliding_attention"} and window is not None:
            return min(window, self.longest)
        return 0

    def _check(self) -> None:
        """Compares with the model's own logits, and trees with padded rows; a family may compute either in another way."""
        ids = [np.arange(1, 13, dtype=np.int32) % self.vocabulary, np.array([1, 2, 3, 4, 9, 8, 7], np.int32) % self.vocabulary]
        places = [np.arange(1, len(sequence)) for sequence in ids]
        batch = Batch(ids, places, np.cumsum([0] + [len(place) for place in places]), None)
        tolerance = 1e-3 if self.dtype == torch.float32 else 0.2
        with torch.no_grad():
            padded = self.score(batch, Piece([0, 1], 24, False))[0]
            if self.ranks.world == 1:
                expected = []
                for sequence in ids:
                    tokens = torch.tensor(sequence.astype(np.int64), device=self.device)
                    logits = self.causal(tokens[None], use_cache=False).logits[0, :-1]
                    expected.append(logits.float().log_softmax(-1).gather(1, tokens[1:, None])[:, 0])
                if not torch.allclose(padded, torch.cat(expected), atol=tolerance, rtol=0):
                    raise SystemExit(f"model_type {self.config.model_type}: the learner does not compute this family's logits")
            if self.tree_limit:
                try:
                    tree = self.score(batch, Piece([0, 1], 15, True))[0]
                    if not torch.allclose(padded, tree, atol=tolerance, rtol=0):
                        self.tree_limit = 0
                except (ValueError, TypeError, RuntimeError, IndexError, KeyError):
                    self.tree_limit = 0

    def checkpoint_layers(self, wanted: bool) -> None:
        """Chooses whether graphs keep each layer's input only."""
        if self.causal.training != wanted:
            self.causal.train(wanted)

    def score(self, batch: Batch, piece: Piece) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns log-probabilities and entropies of a piece, in the order of its members, on the model's device."""
        rows = lay_out(batch, piece)
        hidden = self._hidden(rows)
        if len(rows.rows) == 0:
            # The layers of all ranks must run backward together, even where nothing is scored.
            nothing = hidden.sum().float() * 0
            return nothing.expand(1)[:0] if self.ranks.world == 1 else nothing[None], nothing.detach().expand(1)[:0]
        hidden = hidden.flatten(0, 1)[torch.as_tensor(rows.rows, device=self.device)]
        targets = torch.as_tensor(rows.targets, device=self.device)
        head = self.causal.get_output_embeddings()
        if torch.is_grad_enabled() and any(parameter.requires_grad for parameter in head.parameters()):
            parts = [
                torch.utils.checkpoint.checkpoint(self._trained_head, h, t, use_reentrant=False)
                for h, t in zip(hidden.split(HEAD_ROWS), targets.split(HEAD_ROWS))
            ]
            return torch.cat([part[0] for part in parts]), torch.cat([part[1] for part in parts])
        return ScoredHead.apply(hidden, targets, self._logits)

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

    def _hidden(self, rows: Rows) -> torch.Tensor:
        more = {}
        if rows.exits is not None:
            more["position_ids"] = torch.as_tensor(rows.depths, device=self.device)
            more["attention_mask"] = self._tree_mask(torch.as_tensor(rows.exits, device=self.device))
        tokens = torch.as_tensor(rows.tokens, device=self.device)
        return self.decoder(input_ids=tokens, use_cache=False, **more).last_hidden_state

    def _tree_mask(self, exits: torch.Tensor):
        """Returns the mask in which each node sees its ancestors and itself."""
        count = len(exits)
        if self.flex:
            from torch.nn.attention.flex_attention import create_block_mask

            def ancestor(_batch, _head, query, key):
                return (key <= query) & (query < exits[key])

            return create_block_mask(ancestor, 1, None, count, count, device=self.device)
        order = torch.arange(count, device=self.device)
        seen = (order[None, :] <= order[:, None]) & (order[:, None] < exits[None, :])
        mask = torch.zeros(count, count, dtype=self.dtype, device=self.device)
        return mask.masked_fill_(~seen, torch.finfo(self.dtype).min)[None, None]


def _local(parameter: torch.Tensor) -> torch.Tensor:
    return parameter.to_local() if hasattr(parameter, "to_local") else parameter
