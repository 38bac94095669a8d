"""Memory plan: tokens that fit with a retained, a checkpointed and a recomputed graph."""

from dataclasses import asdict, dataclass

import torch

# Longest prefix tree with a dense mask: its mask has a square of this size.
MAX_DENSE_TREE = 16384
# Part of the free memory that is planned with; allocators and temporary tensors need the rest.
USABLE = 0.8


@dataclass
class MemoryPlan:
    """Bytes of one process, estimated from the model's shape, and the tokens that fit."""

    weights: int
    session: int
    token_retained: int
    token_checkpointed: int
    head: int
    available: int
    max_tokens_retained: int
    max_tokens: int

    def json(self) -> dict:
        """Returns the fields as the protocol names them."""
        return asdict(self)


def free_memory(device: torch.device) -> int:
    """Returns the memory that can still be allocated, in bytes."""
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def make_plan(config, element_size: int, weights: int, parameters: int, head_rows: int, available: int) -> MemoryPlan:
    """Plans with `available` bytes. `config` is the text model's, `parameters` the number of trained parameters."""

    def size(*names, default: int = 1) -> int:
        return next((int(getattr(config, name)) for name in names if isinstance(getattr(config, name, None), int)), default)

    hidden, layers = size("hidden_size", "n_embd"), size("num_hidden_layers", "n_layer")
    inner = max(
        size("intermediate_size", "n_inner", default=4 * hidden),
        size("moe_intermediate_size", default=0) * size("num_experts_per_tok", default=1),
    )
    layer = (10 * hidden + 4 * inner) * element_size
    retained, boundary = layers * layer, layers * hidden * element_size
    head = head_rows * size("vocab_size") * 4 * 3
    room = max(0, int(available * USABLE) - head)
    return MemoryPlan(
        weights=weights,
        session=16 * parameters,
        token_retained=retained,
        token_checkpointed=boundary,
        head=head,
        available=room,
        max_tokens_retained=room // 2 // retained,
        max_tokens=room // (boundary + layer),
    )
