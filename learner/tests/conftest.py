"""Models and learners that several tests share."""

import hashlib
import sys

import pytest
from client import REPOSITORY, LearnerProcess

sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "tests/golden/training"), str(REPOSITORY / "learner")]

TINY = REPOSITORY / "tests/golden/qwen3-tiny"


@pytest.fixture(scope="session")
def tiny():
    """A learner on the golden Qwen3."""
    with LearnerProcess(TINY, "--max-sessions", "64") as learner:
        yield learner


@pytest.fixture(scope="session")
def adapter() -> tuple[bytes, bytes]:
    """Configuration and tensors of the golden adapter."""
    return (TINY / "adapter/adapter_config.json").read_bytes(), (TINY / "adapter/adapter_model.safetensors").read_bytes()


@pytest.fixture
def name(request) -> str:
    """A session name of the test's own: names of tests are longer than those of sessions."""
    return hashlib.sha256(request.node.name.encode()).hexdigest()
