"""Bodies of the protocol: safetensors files, read and written as NumPy arrays."""

import numpy as np
import safetensors
import safetensors.numpy

from .errors import ApiError, invalid

MEDIA_TYPE = "application/octet-stream"
DTYPES = {"U8": np.uint8, "I32": np.int32, "F32": np.float32, "U64": np.uint64}


def read(body: bytes, required: dict[str, str], optional: dict[str, str] | None = None) -> dict[str, np.ndarray]:
    """Reads one-dimensional tensors; `required` and `optional` map their names to their dtypes.

    Raises `ApiError` if the body is no safetensors file, or a tensor is missing, unlisted, or of another dtype or rank.
    """
    try:
        entries = dict(safetensors.deserialize(body))
    except (safetensors.SafetensorError, ValueError, OverflowError) as error:
        raise ApiError(400, "invalid_body", f"the body is not a safetensors file: {error}") from error
    listed = required | (optional or {})
    tensors = {}
    for name, entry in entries.items():
        shown = name[:80]
        if name not in listed:
            raise invalid(shown, f"unlisted tensor; this call takes {', '.join(listed)}")
        if entry["dtype"] != listed[name] or len(entry["shape"]) != 1:
            raise invalid(shown, f"is {entry['dtype']} {entry['shape']}; expected {listed[name]} with one dimension")
        tensors[name] = np.frombuffer(entry["data"], DTYPES[listed[name]])
    for name in required:
        if name not in tensors:
            raise invalid(name, "the tensor is missing")
    return tensors


def write(tensors: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> bytes:
    """Returns a safetensors file. Equal tensors without metadata have equal bytes."""
    return safetensors.numpy.save({name: np.ascontiguousarray(value) for name, value in tensors.items()}, metadata)
