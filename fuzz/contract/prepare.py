"""Makes something to work on: training data, and a model, a job and a file.

    prepare.py ADDRESS DIRECTORY

Leaves their names in DIRECTORY as the dictionaries that schemathesis.toml reads.
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import requests

EXAMPLE = {"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "world"}]}


def main(address: str, directory: Path) -> None:
    def ask(method: str, what: str, **request) -> dict:
        headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
        response = requests.request(method, f"{address}/v1/{what}", headers=headers, timeout=60, **request)
        if not response.ok:
            sys.exit(f"{what}: {response.status_code} {response.text}")
        return response.json()

    def create(what: str, body: dict | None = None, **form) -> str:
        return ask("POST", what, json=body, **form)["id"]

    def dictionary(name: str, value: str) -> None:
        (directory / f"{name}.dict").write_text(json.dumps(value) + "\n")

    data = directory / "data.jsonl"
    data.write_text(json.dumps(EXAMPLE) + "\n")
    model = create("preview/models", {"project": "fuzzing", "name": "kept", "base_model": "trainyard/seedling"})
    dictionary("data_urls", data.as_uri())
    dictionary("model_ids", model)
    content = data.read_bytes()
    file = create("files", files={"file": ("data.jsonl", content)}, data={"purpose": "fine-tune"})
    dictionary("file_ids", file)
    job = {"model": "trainyard/seedling", "training_file": file}
    dictionary("fine_tuning_job_ids", create("fine_tuning/jobs", job))
    logs = f"preview/models/{model}/log"
    ask("POST", logs, json={"split": "val", "trajectory_groups": []})
    dictionary("log_ids", ask("GET", logs)["data"][0]["id"])
    key = ask("POST", "preview/admin/keys", json={"entity": "fuzzing", "name": "kept"})["key"]
    dictionary("key_ids", key["id"])
    dictionary("session_ids", create("preview/sessions", {"model": "trainyard/seedling"}))
    dictionary("job_ids", create("preview/training-jobs", {"model_id": model, "trajectory_groups": []}))


main(sys.argv[1], Path(sys.argv[2]))
