"""The server against `spec/learner.yaml`: the document is valid, and the server does what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml
from client import REPOSITORY, TOKEN, Client, LearnerProcess
from conftest import TINY
from openapi_spec_validator import validate

from trainyard_learner.server import CALLS, CHOICES

DOCUMENT = REPOSITORY / "spec/learner.yaml"
SETTINGS = """
headers = {{ Authorization = "Bearer {token}" }}
hooks = "{hooks}"
request-timeout = 120
continue-on-failure = true
suppress-health-check = ["data_too_large", "too_slow", "large_base_example"]
[checks]
max_response_time = 600
"""


def test_the_document_is_valid_and_the_server_has_its_operations():
    document = yaml.safe_load(DOCUMENT.read_text())
    validate(document)
    schemas = document["components"]["schemas"]
    for name, schema in (("mode", "ForwardMode"), ("adapter", "ForwardAdapter"), ("graph", "Graph"), ("packing", "Packing")):
        assert list(CHOICES[name]) == schemas[schema]["enum"]
    operations = {}
    for path, item in document["paths"].items():
        shared = item.pop("parameters", [])
        for method, operation in item.items():
            parameters = [
                p if "name" in p else document["components"]["parameters"][p["$ref"].rsplit("/")[-1]]
                for p in shared + operation.get("parameters", [])
            ]
            parts = path.split("/")
            operations[method.upper(), parts[4] if len(parts) == 5 else None if len(parts) == 4 else "health"] = (
                next(iter(operation.get("requestBody", {}).get("content", {})), None),
                operation.get("x-body-limit-bytes", 0),
                sorted((p["name"], p.get("required", False)) for p in parameters if p["in"] == "query"),
            )
    del operations["GET", "health"]
    served = {}
    for key, (_, media_type, limit, required, optional) in CALLS.items():
        served[key] = (media_type, limit, sorted([(name, True) for name in required] + [(name, False) for name in optional]))
    assert served == operations


def test_schemathesis(tmp_path, adapter):
    hooks = Path(__file__).with_name("contract_hooks.py")
    (tmp_path / "schemathesis.toml").write_text(SETTINGS.format(token=TOKEN, hooks=hooks))
    codes = " ".join(re.findall(r"\| \d{3} \| (`\w+`) \|", DOCUMENT.read_text()))
    assert len(codes.split()) > 15
    with LearnerProcess(TINY) as learner:
        for name in ("open", "open-closing"):
            Client(learner, name).open(*adapter)
        command = [
            Path(sys.executable).with_name("schemathesis"), "--config-file", "schemathesis.toml", "run", str(DOCUMENT), "--url", learner.url, "--checks", "all",
            "--phases", "examples,coverage,fuzzing", "--max-examples", "25", "--generation-deterministic", "--max-failures", "20",
        ]  # fmt: skip
        environment = os.environ | {"LEARNER_SESSION": "open", "LEARNER_CODES": codes}
        result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900)
        assert result.returncode == 0, result.stdout[-12000:] + result.stderr[-2000:]
        # It is still whole.
        client = Client(learner, "after", epoch=1)
        client.open(*adapter)
