"""Errors, parameters and bodies of the protocol, as `spec/learner.yaml` has them."""

from typing import Annotated, Literal

import safetensors.torch
import torch
from pydantic import BaseModel, Field, ValidationError, create_model, model_validator

JSON, TENSORS = "application/json", "application/octet-stream"
ERROR_TYPES = {401: "authentication_error", 404: "not_found_error", 409: "conflict_error", 500: "internal_error", 503: "overloaded_error"}


class ApiError(Exception):
    """Error response: status, stable code, message for people, and the part of the request that caused it."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None, headers: dict[str, str] | None = None):
        super().__init__(message)
        self.status, self.code, self.param, self.headers = status, code, param, headers or {}

    def body(self) -> dict:
        """Returns the JSON body of the response."""
        kind = ERROR_TYPES.get(self.status, "invalid_request_error")
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}


def invalid(param: str, message: str) -> ApiError:
    """Returns the error of an invalid parameter, field or tensor."""
    return ApiError(422, "invalid_value", f"{param[:80]}: {message}", param[:80])


class Strict(BaseModel, extra="forbid", strict=True, allow_inf_nan=False):
    """Fields without conversion: a number is no string, and infinity is no number."""

    @classmethod
    def read(cls, content: bytes | dict):
        """Reads JSON or its values. Raises `ApiError` naming the first field that is wrong."""
        try:
            return cls.model_validate(content) if isinstance(content, dict) else cls.model_validate_json(content)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            if first["type"] == "json_invalid":
                raise ApiError(400, "invalid_body", f"the body is not JSON: {first['msg']}") from error
            raise invalid(str(first["loc"][0]) if first["loc"] else "body", first["msg"]) from error


Count = Annotated[int, Field(ge=0, le=(1 << 53) - 1)]


class Query(Strict):
    """Parameters of each call, and all of `close`, `state` and `progress`."""

    session: str = Field(pattern="^[A-Za-z0-9_-]{1,64}$")
    epoch: Count


class ForwardQuery(Query):
    """Parameters of `forward`."""

    mode: Literal["score", "keep", "accumulate"]
    op: Count | None = None
    batch: Count | None = None
    adapter: Literal["session", "none"] = "session"
    graph: Literal["auto", "retain", "recompute"] = "auto"
    packing: Literal["auto", "pad", "tree"] = "auto"

    @model_validator(mode="after")
    def check(self):
        """Raises `ApiError` where parameters contradict each other."""
        for name, mode in (("op", "accumulate"), ("batch", "keep")):
            if (getattr(self, name) is None) == (self.mode == mode):
                raise invalid(name, f"is allowed with mode={mode} only, and required there")
        if self.adapter == "none" and self.mode != "score":
            raise invalid("adapter", "none is allowed with mode=score only")
        return self


OpenQuery = create_model("OpenQuery", __base__=Query, seed=(Count, 0))
StepQuery = create_model("StepQuery", __base__=Query, op=Count)
BackwardQuery = create_model("BackwardQuery", __base__=Query, op=Count, batch=Count)


class OptimizerSettings(Strict):
    """Body of `step`."""

    learning_rate: float = Field(ge=0, le=1e6)
    beta1: float = Field(ge=0, lt=1)
    beta2: float = Field(ge=0, lt=1)
    epsilon: float = Field(gt=0, le=1)
    weight_decay: float = Field(ge=0, le=1e6)
    clip_norm: float = Field(gt=0)


# Of each operation: name, parameters, and the body's media type and largest size in bytes.
SESSION = "/v1/sessions/{session}"
OPERATIONS = {
    ("GET", "/health"): ("health", Strict, None, 0),
    ("POST", SESSION): ("open", OpenQuery, TENSORS, 4 << 30),
    ("DELETE", SESSION): ("close", Query, None, 0),
    ("POST", f"{SESSION}/forward"): ("forward", ForwardQuery, TENSORS, 256 << 20),
    ("POST", f"{SESSION}/backward"): ("backward", BackwardQuery, TENSORS, 64 << 20),
    ("POST", f"{SESSION}/step"): ("step", StepQuery, JSON, 64 << 10),
    ("GET", f"{SESSION}/state"): ("state", Query, None, 0),
    ("GET", f"{SESSION}/progress"): ("progress", Query, None, 0),
}


def read_tensors(body: bytes, listed: dict[str, tuple], optional: tuple[str, ...] = ()) -> dict[str, torch.Tensor]:
    """Reads a safetensors file. `listed` has dtype and shape by name; None is any floating point, and one dimension of any size.

    Raises `ApiError` if the body is no such file, or a tensor is missing, unlisted, or of another dtype or shape.
    """
    try:
        tensors = safetensors.torch.load(body)
    except (safetensors.SafetensorError, AssertionError, KeyError, OverflowError, RuntimeError, ValueError) as error:
        raise ApiError(400, "invalid_body", f"the body is not a safetensors file: {error}") from error
    for name in sorted(tensors.keys() - listed.keys()):
        raise invalid(name, f"unlisted tensor; expected are {', '.join(listed)}"[:500])
    for name, (dtype, shape) in listed.items():
        if name in tensors:
            found = tensors[name]
            is_dtype = found.is_floating_point() if dtype is None else found.dtype == dtype
            if not is_dtype or (found.dim() != 1 if shape is None else found.shape != shape):
                expected = f"{dtype or 'floating point'} {'with one dimension' if shape is None else list(shape)}"
                raise invalid(name, f"is {found.dtype} {list(found.shape)}; expected {expected}")
        elif name not in optional:
            raise invalid(name, "the tensor is missing")
    return tensors


def write_tensors(tensors: dict[str, torch.Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """Returns a safetensors file. Equal tensors without metadata have equal bytes."""
    return safetensors.torch.save({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, metadata)
