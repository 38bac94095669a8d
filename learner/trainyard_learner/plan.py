"""Memory plan: tokens that fit with a retained, a checkpointed and a recomputed graph."""

from dataclasses import dataclass

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


def make_plan(config, element_size: int, weights: int, parameters: int, head_rows: int, free: int) -> MemoryPlan:
    """Plans with `free` bytes. `config` is the text model's, `parameters` the number of trained parameters."""

    def size(name: str, default: int) -> int:
        value = getattr(config, name, None)
        return value if isinstance(value, int) else default

    hidden, layers = config.hidden_size, config.num_hidden_layers
    inner = max(size("intermediate_size", 4 * hidden), size("moe_intermediate_size", 0) * size("num_experts_per_tok", 1))
    layer, boundary = (10 * hidden + 4 * inner) * element_size, layers * hidden * element_size
    head = head_rows * config.vocab_size * 4 * 3
    available = max(0, int(free * USABLE) - head)
    return MemoryPlan(
        weights=weights,
        session=16 * parameters,
        token_retained=layers * layer,
        token_checkpointed=boundary,
        head=head,
        available=available,
        max_tokens_retained=available // 2 // (layers * layer),
        max_tokens=available // (boundary + layer),
    )
