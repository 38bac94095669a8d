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

from trainyard_learner.protocol import OPERATIONS, OptimizerSettings

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


def plain(schema: dict, document: dict) -> dict:
    """Returns what a schema admits, in one form for OpenAPI 3.0 and for pydantic."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/")[-1]]
    if "anyOf" in schema:  # Optional in pydantic.
        schema = next(option for option in schema["anyOf"] if option != {"type": "null"}) | {"default": schema["default"]}
    admits = {key: schema[key] for key in ("type", "enum", "pattern", "minimum", "maximum") if key in schema}
    for bound in ("Minimum", "Maximum"):  # A flag beside the bound in OpenAPI 3.0, the bound itself since.
        exclusive = schema.get(f"exclusive{bound}", False)
        if exclusive is True or isinstance(exclusive, (int, float)) and exclusive is not False:
            admits[f"exclusive{bound}"] = admits.pop(bound.lower()) if exclusive is True else exclusive
    return admits | ({"default": schema["default"]} if schema.get("default") is not None else {})


def test_the_document_is_valid_and_the_server_has_its_operations():
    document = yaml.safe_load(DOCUMENT.read_text())
    validate(document)
    operations = {}
    for path, item in document["paths"].items():
        shared = item.pop("parameters", [])
        for method, operation in item.items():
            parameters = [
                p if "name" in p else document["components"]["parameters"][p["$ref"].rsplit("/")[-1]]
                for p in shared + operation.get("parameters", [])
            ]
            operations[method.upper(), path] = (
                next(iter(operation.get("requestBody", {}).get("content", {})), None),
                operation.get("x-body-limit-bytes", 0),
                {p["name"]: (p.get("required", False), plain(p["schema"], document)) for p in parameters},
            )
    served = {}
    for key, (_, query, media_type, limit) in OPERATIONS.items():
        schema = query.model_json_schema()
        parameters = {name: (name in schema["required"], plain(field, {})) for name, field in schema.get("properties", {}).items()}
        served[key] = (media_type, limit, parameters)
    assert served == operations
    body, served = document["components"]["schemas"]["OptimizerSettings"], OptimizerSettings.model_json_schema()
    assert served["required"] == body["required"] and served["additionalProperties"] is body["additionalProperties"] is False
    for name, field in body["properties"].items():
        assert plain(served["properties"][name], {}) == plain(field, document), name


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
        result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900, check=False)
        assert result.returncode == 0, result.stdout[-12000:] + result.stderr[-2000:]
        # It is still whole.
        client = Client(learner, "after", epoch=1)
        client.open(*adapter)
