"""LoRA adapters as PEFT's files, and the optimizer's state in the form of Trainyard's engine."""

import json

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch
from peft import LoraConfig, PeftModel, get_peft_model

from . import wire
from .errors import ApiError, invalid
from .model import BaseModel

MAX_RANK = 512
# Fields of adapter_config.json that describe and change nothing.
DESCRIBING = {
    "auto_mapping", "base_model_name_or_path", "inference_mode", "init_lora_weights", "lora_bias", "lora_dropout", "megatron_core", "peft_type",
    "peft_version", "qalora_group_size", "revision", "task_type",
}  # fmt: skip


def read_config(content: bytes) -> LoraConfig:
    """Reads `adapter_config.json`. Raises `ApiError` for options that are not supported, by name."""

    def fail(field: str, problem: str) -> ApiError:
        return ApiError(422, "invalid_value", f"adapter_config: {field}: {problem}", "adapter_config")

    try:
        fields = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise invalid("adapter_config", f"is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise invalid("adapter_config", "must be a JSON object")
    kept = {}

    def take(name: str, valid, expected: str) -> None:
        value = fields.pop(name, None)
        if value is not None and value != {} and value != []:
            if not valid(value):
                raise fail(name, f"must be {expected}")
            kept[name] = value

    def names(value) -> bool:
        return isinstance(value, list) and len(value) <= 4096 and all(isinstance(v, str) and 0 < len(v) <= 256 for v in value)

    def rank(value) -> bool:
        return type(value) is int and 1 <= value <= MAX_RANK

    def alpha(value) -> bool:
        return type(value) in (int, float) and 0 < value <= 1e6

    def by_name(valid):
        # PEFT matches these names as regular expressions.
        plain = lambda name: 0 < len(name) <= 256 and name.replace("_", "").replace(".", "").isalnum()  # noqa: E731
        return lambda value: isinstance(value, dict) and len(value) <= 4096 and all(plain(k) and valid(v) for k, v in value.items())

    take("r", rank, f"an integer from 1 to {MAX_RANK}")
    take("lora_alpha", alpha, "a number above 0")
    take("target_modules", lambda value: value == "all-linear" or names(value), "a list of names or 'all-linear'")
    take("target_parameters", names, "a list of names")
    take("exclude_modules", names, "a list of names")
    take("layers_to_transform", lambda v: isinstance(v, list) and all(type(i) is int and 0 <= i < 1 << 16 for i in v), "a list of layers")
    take("rank_pattern", by_name(rank), "an object of ranks by module name")
    take("alpha_pattern", by_name(alpha), "an object of alphas by module name")
    take("use_rslora", lambda value: isinstance(value, bool), "true or false")
    for name in ("r", "lora_alpha"):
        if name not in kept:
            raise fail(name, "is missing")
    if "target_modules" not in kept and "target_parameters" not in kept:
        raise fail("target_modules", "is missing")
    defaults = LoraConfig().to_dict()
    for name, value in fields.items():
        if name not in DESCRIBING and value not in (None, False, [], {}, 0, "none") and value != defaults.get(name):
            raise fail(str(name)[:80], "this option is not supported")
    return LoraConfig(lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", **kept)


class Adapters:
    """Named adapters on one base model, of which one is active at a time."""

    def __init__(self, base: BaseModel):
        self.base = base
        self.peft: PeftModel | None = None
        self.active: str | None = None
        self.created = 0

    def create(self, config: LoraConfig, content: bytes | None, seed: int) -> tuple[str, dict[str, torch.nn.Parameter]]:
        """Adds an adapter; returns its internal name and its f32 parameters by PEFT's names.

        Without `content` PEFT draws it from `seed`. Raises `ApiError` and adds nothing where it does not fit the model.
        """
        tensors = None
        if content is not None:
            try:
                tensors = safetensors.torch.load(content)
            except (safetensors.SafetensorError, ValueError, KeyError) as error:
                raise invalid("adapter", f"is not a safetensors file: {error}") from error
        self.created += 1
        name = f"session{self.created}"
        self.active = None
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                if self.peft is None:
                    self.peft = get_peft_model(self.base.causal, config, adapter_name=name, autocast_adapter_dtype=False)
                else:
                    self.peft.add_adapter(name, config)
            parameters = {
                n.replace(f".{name}", ""): p for n, p in self.peft.named_parameters() if f".{name}." in n or n.endswith(f".{name}")
            }
            for parameter in parameters.values():
                parameter.data = parameter.data.to(self.base.device, torch.float32)
            if tensors is not None:
                _copy(parameters, tensors)
        except ApiError:
            self.remove(name)
            raise
        except (ValueError, KeyError, RuntimeError, TypeError, NotImplementedError) as error:
            self.remove(name)
            raise ApiError(422, "adapter_mismatch", f"adapter_config: PEFT cannot apply it: {error}"[:500], "adapter_config") from error
        return name, parameters

    def remove(self, name: str) -> None:
        """Removes an adapter, if it is there."""
        self.active = None
        if self.peft is not None and name in self.peft.peft_config:
            self.peft.delete_adapter(name)

    def activate(self, name: str) -> None:
        """Makes an adapter the one that the model computes with and whose parameters get gradients."""
        if self.active != name:
            self.peft.set_adapter(name)
            self.active = name


def _copy(parameters: dict[str, torch.nn.Parameter], tensors: dict[str, torch.Tensor]) -> None:
    def mismatch(name: str, problem: str) -> ApiError:
        return ApiError(422, "adapter_mismatch", f"adapter: tensor {name[:200]} {problem}", "adapter")

    for name in sorted(set(parameters) - set(tensors)):
        raise mismatch(name, "is missing")
    for name in sorted(set(tensors) - set(parameters)):
        raise mismatch(name, "belongs to no targeted module of this model")
    for name, parameter in parameters.items():
        tensor = tensors[name]
        if tensor.shape != parameter.shape or not tensor.is_floating_point():
            raise mismatch(name, f"is {tensor.dtype} {list(tensor.shape)}; expected floating point {list(parameter.shape)}")
        if not torch.isfinite(tensor.float()).all():
            raise mismatch(name, "has values that are not finite")
        with torch.no_grad():
            parameter.copy_(tensor)


def moment_name(name: str) -> str:
    """Returns the name of a parameter in the optimizer's state."""
    return name.removeprefix("base_model.model.model.").removesuffix(".weight")


def read_moments(content: bytes, parameters: dict[str, torch.nn.Parameter]) -> tuple[int, dict, dict]:
    """Reads steps, first and second moments. Raises `ApiError` if they are not those of `parameters`."""

    def mismatch(problem: str) -> ApiError:
        return ApiError(422, "adapter_mismatch", f"moments: {problem}", "moments")

    names = {prefix: {name: f"{prefix}.{moment_name(name)}" for name in parameters} for prefix in ("exp_avg", "exp_avg_sq")}
    required = {"step": "U64"} | {moment: "F32" for group in names.values() for moment in group.values()}
    try:
        tensors = wire.read(content, required)
    except ApiError as error:
        raise mismatch(error.message) from error
    if len(tensors["step"]) != 1 or tensors["step"][0] >= 1 << 31:
        raise mismatch("tensor step must hold one number below 2^31")
    moments = {}
    for prefix, group in names.items():
        moments[prefix] = {}
        for name, moment in group.items():
            values, parameter = tensors[moment], parameters[name]
            if len(values) != parameter.numel():
                raise mismatch(f"tensor {moment} has {len(values)} elements; the adapter has {parameter.numel()}")
            if not np.isfinite(values).all() or (prefix == "exp_avg_sq" and (values < 0).any()):
                raise mismatch(f"tensor {moment} has values that no gradient can give")
            moments[prefix][name] = torch.tensor(values, device=parameter.device).view(parameter.shape)
    return int(tensors["step"][0]), moments["exp_avg"], moments["exp_avg_sq"]


def write_moments(steps: int, first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bytes:
    """Returns the optimizer's state as safetensors."""
    tensors = {"step": np.array([steps], np.uint64)}
    for prefix, group in (("exp_avg", first), ("exp_avg_sq", second)):
        tensors |= {f"{prefix}.{moment_name(name)}": tensor.cpu().numpy().reshape(-1) for name, tensor in group.items()}
    return wire.write(tensors)


def write_adapter(parameters: dict[str, torch.nn.Parameter]) -> bytes:
    """Returns PEFT's `adapter_model.safetensors`."""
    return wire.write({name: parameter.detach().cpu().numpy() for name, parameter in parameters.items()})
