"""LoRA adapters as PEFT's files, and the optimizer's state in the form of Trainyard's engine."""

from contextlib import contextmanager
from typing import Annotated, Literal

import torch
from peft import LoraConfig
from peft.functional import delete_adapter, inject_adapter_in_model
from pydantic import Field
from transformers import PreTrainedModel

from .protocol import ApiError, Strict, invalid, read_tensors

# Fields of adapter_config.json that describe and change nothing.
DESCRIBING = {
    "auto_mapping", "base_model_name_or_path", "inference_mode", "init_lora_weights", "lora_bias", "lora_dropout", "megatron_core", "peft_type",
    "peft_version", "qalora_group_size", "revision", "task_type",
}  # fmt: skip

Rank = Annotated[int, Field(ge=1, le=512)]
Alpha = Annotated[float, Field(gt=0, le=1e6)]
Names = Annotated[list[Annotated[str, Field(min_length=1, max_length=256)]], Field(max_length=4096)]
# PEFT matches these names as regular expressions.
PlainName = Annotated[str, Field(pattern="^[A-Za-z0-9_.]+$", max_length=256)]


@contextmanager
def part_of_body(part: str, unreadable: str, unfit: str):
    """Names the part in errors of a file within the body, with the code of a file that cannot be read or does not fit."""
    try:
        yield
    except ApiError as error:
        raise ApiError(422, unreadable if error.status == 400 else unfit, f"{part}: {error}", part) from error


class AdapterConfig(Strict, extra="allow"):
    """Fields of `adapter_config.json` that count."""

    r: Rank
    lora_alpha: Alpha
    target_modules: Literal["all-linear"] | Names | None = None
    target_parameters: Names | None = None
    exclude_modules: Names | None = None
    layers_to_transform: list[Annotated[int, Field(ge=0, lt=1 << 16)]] | None = None
    rank_pattern: Annotated[dict[PlainName, Rank], Field(max_length=4096)] | None = None
    alpha_pattern: Annotated[dict[PlainName, Alpha], Field(max_length=4096)] | None = None
    use_rslora: bool | None = None


def read_config(content: bytes) -> LoraConfig:
    """Reads `adapter_config.json`. Raises `ApiError` for options that are not supported, by name."""
    with part_of_body("adapter_config", "invalid_value", "invalid_value"):
        config, defaults = AdapterConfig.read(content), LoraConfig().to_dict()
        for name, value in config.model_extra.items():
            if name not in DESCRIBING and value not in (None, False, [], {}, 0, "none") and value != defaults.get(name):
                raise invalid(name, "this option is not supported")
        if not config.target_modules and not config.target_parameters:
            raise invalid("target_modules", "is missing")
    fields = config.model_dump(include=set(AdapterConfig.model_fields)).items()
    counting = {name: value for name, value in fields if value not in (None, [], {})}
    return LoraConfig(lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", **counting)


def create_adapter(causal: PreTrainedModel, name: str, config: LoraConfig, seed: int) -> dict[str, torch.nn.Parameter]:
    """Adds an adapter that PEFT draws from `seed`; returns its f32 parameters by the names in PEFT's file.

    No name may begin with another one. Raises `ApiError` where the configuration does not fit the model.
    """
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            inject_adapter_in_model(config, causal, name)
    except (ValueError, KeyError, RuntimeError, TypeError, NotImplementedError) as error:
        raise ApiError(422, "adapter_mismatch", f"adapter_config: PEFT cannot apply it: {error}"[:500], "adapter_config") from error
    parameters = {"base_model.model." + n.replace(f".{name}", ""): p for n, p in causal.named_parameters() if f".{name}" in n}
    for parameter in parameters.values():
        parameter.data = parameter.data.to(causal.device, torch.float32)
    return parameters


def remove_adapter(causal: PreTrainedModel, name: str) -> None:
    """Removes an adapter, or what is left of one that did not fit."""
    delete_adapter(causal, name, "lora_")
    getattr(causal, "peft_config", {}).pop(name, None)


def load_adapter(parameters: dict[str, torch.nn.Parameter], content: bytes) -> None:
    """Copies PEFT's `adapter_model.safetensors` to `parameters`. Raises `ApiError` if it has others."""
    with part_of_body("adapter", "invalid_value", "adapter_mismatch"), torch.no_grad():
        tensors = read_tensors(content, {name: (None, parameter.shape) for name, parameter in parameters.items()})
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])
            if not parameter.isfinite().all():
                raise invalid(name, "has values that are not finite")


def load_moments(parameters: dict[str, torch.nn.Parameter], content: bytes | None) -> tuple[int, dict[str, torch.Tensor]]:
    """Reads steps and moments, the first of all parameters before the second; without content those of step 0.

    Raises `ApiError` if they are not those of `parameters`.
    """
    shapes = {
        f"{kind}.{name.removeprefix('base_model.model.model.').removesuffix('.weight')}": (torch.float32, (parameter.numel(),))
        for kind in ("exp_avg", "exp_avg_sq")
        for name, parameter in parameters.items()
    }
    device = next(iter(parameters.values())).device
    if content is None:
        return 0, {name: torch.zeros(shape, dtype=dtype, device=device) for name, (dtype, shape) in shapes.items()}
    with part_of_body("moments", "adapter_mismatch", "adapter_mismatch"):
        tensors = read_tensors(content, {"step": (torch.uint64, (1,))} | shapes)
        for name in shapes:
            if not tensors[name].isfinite().all() or name.startswith("exp_avg_sq.") and (tensors[name] < 0).any():
                raise invalid(name, "has values that no gradient can give")
        if (steps := int(tensors["step"])) >= 1 << 31:
            raise invalid("step", "must be below 2^31")
    return steps, {name: tensors[name].to(device) for name in shapes}
