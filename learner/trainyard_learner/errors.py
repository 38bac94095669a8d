"""Errors that a client can cause or must handle, as the protocol lists them."""

TYPES = {401: "authentication_error", 404: "not_found_error", 409: "conflict_error", 500: "internal_error", 503: "overloaded_error"}


class ApiError(Exception):
    """Error response: status, stable code, message for people, and the part of the request that caused it."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None):
        super().__init__(message)
        self.status, self.code, self.message, self.param = status, code, message, param

    def body(self) -> dict:
        """Returns the JSON body of the response."""
        kind = TYPES.get(self.status, "invalid_request_error")
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}


def invalid(param: str, message: str) -> ApiError:
    """Returns the error of an invalid parameter, field or tensor."""
    return ApiError(422, "invalid_value", f"{param}: {message}", param)


def is_out_of_memory(error: BaseException) -> bool:
    """Returns whether an allocation failed, on any device."""
    import torch

    text = str(error)
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or (
        isinstance(error, RuntimeError) and ("can't allocate memory" in text or "not enough memory" in text)
    )
