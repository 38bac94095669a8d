"""Base model: log-probabilities and entropies of tokens, with or without a graph."""

import functools
import hashlib
import sys
from pathlib import Path

import numpy as np
import psutil
import torch
import transformers
from torch.nn.attention.flex_attention import create_block_mask
from torch.utils.checkpoint import checkpoint
from transformers import AttentionInterface, AutoConfig, AutoModelForCausalLM
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from .batch import Piece, lay_out, split
from .ranks import Ranks

HEAD_ROWS = 512
# Part of the free memory that is planned with; allocators and temporary tensors need the rest.
USABLE = 0.8


def scores(logits: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns the log-probabilities of the targets, and without a graph the entropies in nats and all probabilities."""
    logprobs = logits.log_softmax(-1)
    with torch.no_grad():
        probabilities = logprobs.exp()
        entropies = -(probabilities * logprobs).nansum(-1)  # A token that cannot be has 0 times infinity, which counts as 0.
    return logprobs.gather(1, targets[:, None])[:, 0], entropies, probabilities


def frozen_scores(hidden: torch.Tensor, targets: torch.Tensor, head) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns log-probabilities and entropies by a frozen head, in blocks of rows; never holds all logits.

    Each row has one log-probability, so its derivative by the hidden state is one vector, its slope, independent of the
    loss. It is computed beside the log-probability. The head therefore runs once forward and once backward, as in a plain
    loss, although the loss is not known yet.
    """
    logprobs, entropies = (torch.empty(len(hidden), device=hidden.device) for _ in range(2))
    slopes = torch.empty(hidden.shape, device=hidden.device) if hidden.requires_grad else None
    for begin in range(0, len(hidden), HEAD_ROWS):
        rows = slice(begin, begin + HEAD_ROWS)
        part = hidden[rows].detach().requires_grad_(slopes is not None)
        logits = head(part)
        logprobs[rows], entropies[rows], probabilities = scores(logits.detach(), targets[rows])
        if slopes is not None:
            # The derivative of the log-probability by the logits: 1 at the target, less the probabilities.
            derivative = probabilities.neg_().scatter_add_(1, targets[rows, None], torch.ones_like(logprobs[rows, None]))
            (slopes[rows],) = torch.autograd.grad(logits, part, derivative)
    if slopes is not None:
        linear = (hidden.float() * slopes).sum(-1)
        logprobs += linear - linear.detach()  # Zero with the slopes as derivative.
    return logprobs, entropies


def path_attention(module, query, key, value, attention_mask, **options):
    """Attention in which the nodes of a tree see their paths: a mask over all nodes would cost their square.

    Shapes are [1, heads, nodes, size], of the result [1, nodes, heads, size]. Without a tree it is `sdpa` or the family's own.
    """
    attend = sdpa_attention_forward
    if module.config._attn_implementation == "eager":
        attend = sys.modules[type(module).__module__].eager_attention_forward
    if not hasattr(attention_mask, "paths"):
        return attend(module, query, key, value, attention_mask, **options)
    outputs, begin = [], 0
    for path in attention_mask.paths:
        end = int(path[-1]) + 1
        if end == begin:
            continue  # A copy of the sequence before.
        mask = None  # The first path is a row; `sdpa` is causal by itself.
        if begin or attend is not sdpa_attention_forward:
            unseen = torch.full((end - begin, len(path)), torch.finfo(query.dtype).min, dtype=query.dtype, device=path.device)
            mask = unseen.triu(len(path) - (end - begin) + 1)[None, None]
        seen = key.index_select(2, path), value.index_select(2, path)
        outputs.append(attend(module, query[:, :, begin:end], *seen, mask, **options)[0])
        begin = end
    return torch.cat(outputs, 1), None


for implementation in ("sdpa", "eager"):
    AttentionInterface.register(implementation, path_attention)


class BaseModel:
    """A frozen model of transformers. Adapters are injected by `Adapters`."""

    def __init__(self, directory: str, dtype: str, device: str, attention: str, memory: int | None):
        self.device, self.memory, self.ranks = torch.device(device), memory, Ranks(device)
        transformers.utils.logging.disable_progress_bar()
        self.config_sha256 = hashlib.sha256((Path(directory) / "config.json").read_bytes()).hexdigest()
        config = AutoConfig.from_pretrained(directory, local_files_only=True)
        # Layers are checkpointed in training mode only; nothing random may come with it.
        for part in (config, config.get_text_config()):
            for name, value in vars(part).items():
                if isinstance(value, float) and ("drop" in name or "jitter" in name):
                    setattr(part, name, 0.0)
        if dtype == "auto":
            dtype = "float32" if device == "cpu" else "bfloat16"
        # The attention of cuDNN makes a plan for every new shape, and the lengths of each batch are new.
        torch.backends.cuda.enable_cudnn_sdp(False)
        options = {"dtype": dtype, "attn_implementation": None if attention == "auto" else attention}
        try:
            self.causal = AutoModelForCausalLM.from_pretrained(
                directory, config=config, local_files_only=True, use_safetensors=True, **options
            )
        except ValueError as error:
            raise SystemExit(f"the model cannot be loaded: {error}") from error
        self.flex = self.causal.config._attn_implementation == "flex_attention"
        # Torch's own kernel for fewer than 128 tokens cannot be compiled for the heads of some models.
        self.options = {"kernel_options": {"FORCE_USE_FLEX_ATTENTION": True}} if self.flex else {}
        self.causal.eval().requires_grad_(False)
        self.config, self.dtype, self.decoder = self.causal.config.get_text_config(), self.causal.dtype, self.causal.get_decoder()
        self.vocabulary = self.causal.get_input_embeddings().num_embeddings
        self.longest = int(getattr(self.config, "max_position_embeddings", 0) or 1 << 20)
        self.parameters = self.causal.num_parameters()
        self.causal.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})
        self.causal.disable_input_require_grads()  # It costs gradients below the first adapter, which no one needs.
        self.checkpointed = [module for module in self.causal.modules() if hasattr(module, "gradient_checkpointing")]
        self.checkpoint_layers(False)
        if self.ranks.world > 1:
            self.ranks.shard(self.decoder)
        self.causal.to(self.device)
        local = (p.to_local() if hasattr(p, "to_local") else p for p in self.causal.parameters())
        self.weights = sum(parameter.nbytes for parameter in local)
        self.tree_limit = self._tree_limit()
        self._check()

    def plan(self, parameters: int) -> dict[str, int]:
        """Returns the memory plan of a session with so many parameters: bytes of one process, and the tokens that fit.

        It estimates from the model's shape what a retained, a checkpointed and a recomputed graph need.
        """
        if self.memory is not None:
            free = self.memory
        elif self.device.type == "cuda":
            free = torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        else:
            free = psutil.virtual_memory().available
        free = int(self.ranks.reduce(torch.tensor(free), torch.distributed.ReduceOp.MIN))
        hidden, layers = self.config.hidden_size, self.config.num_hidden_layers
        sizes = {"intermediate_size": 4 * hidden, "moe_intermediate_size": 0, "num_experts_per_tok": 1}
        sizes |= {name: size for name, size in vars(self.config).items() if isinstance(size, int)}
        inner = max(sizes["intermediate_size"], sizes["moe_intermediate_size"] * sizes["num_experts_per_tok"])
        layer, boundary = (10 * hidden + 4 * inner) * self.dtype.itemsize, layers * hidden * self.dtype.itemsize
        head = HEAD_ROWS * self.vocabulary * 4 * 3
        available = max(0, int(free * USABLE) - head)
        return {
            "weights": self.weights, "session": 16 * parameters, "token_retained": layers * layer, "token_checkpointed": boundary,
            "head": head, "available": available, "max_tokens_retained": available // 2 // (layers * layer),
            "max_tokens": available // (boundary + layer),
        }  # fmt: skip

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
        sequences = split(tokens, np.array([12, 7]), np.arange(len(tokens)) % 12 > 0)
        tolerance = {"atol": 1e-3 if self.dtype == torch.float32 else 0.2, "rtol": 0}
        with torch.no_grad():
            padded = self.score(Piece(sequences, 24, False))[0]
            if self.ranks.world == 1:
                ids = [torch.tensor(sequence.tokens, dtype=torch.int64, device=self.device) for sequence in sequences]
                own = [scores(self.causal(i[None], use_cache=False, **self.options).logits[0, :-1].float(), i[1:])[0] for i in ids]
                if not torch.allclose(padded, torch.cat(own), **tolerance):
                    raise SystemExit(f"model_type {self.config.model_type}: the learner does not compute this family's logits")
            try:
                if self.tree_limit and not torch.allclose(padded, self.score(Piece(sequences, 15, True))[0], **tolerance):
                    self.tree_limit = 0
            except (AttributeError, ValueError, TypeError, RuntimeError, IndexError, KeyError):
                self.tree_limit = 0

    def checkpoint_layers(self, wanted: bool) -> None:
        """Chooses whether graphs keep each layer's input only. The modules within a layer stay in evaluation mode."""
        for module in self.checkpointed:
            module.gradient_checkpointing = module.training = wanted

    def score(self, piece: Piece) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns log-probabilities and entropies of a piece, in the order of its results, on the model's device."""
        place = functools.partial(torch.as_tensor, dtype=torch.int64, device=self.device)
        tokens, rows, positions, paths = lay_out(piece)
        tree = {"position_ids": place(positions), "attention_mask": self._tree_mask(paths)} if piece.tree else {}
        hidden = self.decoder(input_ids=place(tokens), use_cache=False, **tree, **self.options).last_hidden_state.flatten(0, 1)[place(rows)]
        targets = place(np.concatenate([sequence.tokens[sequence.places] for sequence in piece.sequences]))
        head = self.causal.get_output_embeddings()
        if not torch.is_grad_enabled() or not any(parameter.requires_grad for parameter in head.parameters()):
            return frozen_scores(hidden, targets, self._logits)
        parts = zip(hidden.split(HEAD_ROWS), targets.split(HEAD_ROWS))
        parts = [checkpoint(lambda h, t: scores(self._logits(h), t)[:2], *part, use_reentrant=False) for part in parts]
        return torch.cat([logprobs for logprobs, _ in parts]), torch.cat([entropies for _, entropies in parts])

    def _logits(self, hidden: torch.Tensor) -> torch.Tensor:
        logits = self.causal.get_output_embeddings()(hidden).float()
        scale = (getattr(self.config, "logit_scale", None) or 1) / (getattr(self.config, "logits_scaling", None) or 1)
        if scale != 1:
            logits = logits * scale
        cap = getattr(self.config, "final_logit_softcapping", None)
        return torch.tanh(logits / cap) * cap if cap else logits

    def _tree_mask(self, paths: list[np.ndarray]):
        """Returns what tells the attention that each node sees its ancestors and itself."""
        if not self.flex:
            mask = torch.empty(1, 1, 1, 1, device=self.device)  # Models hand on what has four dimensions.
            mask.paths = [torch.as_tensor(path, device=self.device) for path in paths]
            return mask
        # The descendants of node `n` and itself are the nodes `n .. exits[n]`: the last path through it ends them.
        count = 1 + int(paths[-1][-1])
        exits = torch.zeros(count, dtype=torch.int64, device=self.device)
        for path in paths:
            exits[path] = int(path[-1]) + 1
        return create_block_mask(
            lambda _batch, _head, query, key: (key <= query) & (query < exits[key]), 1, None, count, count, device=self.device
        )
