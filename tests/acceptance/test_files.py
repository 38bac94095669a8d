"""Files through OpenAI's client; data sets and checkpoints through ART's and W&B's, with no server but this one."""
import json
import os
import struct

import httpx
import pytest

from conftest import CFG, art_backend, assert_error, run, row, trainable, unique, wait_job

needs_wandb = pytest.mark.skipif(not os.environ.get("WANDB_BASE_URL"), reason="WANDB_BASE_URL not set")


@pytest.fixture(scope="module")
def openai_client():
    from openai import OpenAI

    with OpenAI(base_url=CFG.base_url, api_key=CFG.api_key) as client:
        yield client


def rows(count: int) -> bytes:
    return b"".join(json.dumps(row(f"question {n}", "an answer")).encode() + b"\n" for n in range(count))


# ---------------------------------------------------------------- openai.files
def test_a_file_is_kept_listed_and_deleted(openai_client, tmp_path):
    path = tmp_path / "train.jsonl"
    path.write_bytes(rows(3))
    made = openai_client.files.create(file=path.open("rb"), purpose="fine-tune")
    assert (made.filename, made.bytes, made.purpose, made.object, made.status) == ("train.jsonl", len(rows(3)), "fine-tune", "file", "processed")
    assert openai_client.files.retrieve(made.id) == made
    assert openai_client.files.content(made.id).read() == rows(3)
    assert made.id in [file.id for file in openai_client.files.list(purpose="fine-tune")]
    assert made.id not in [file.id for file in openai_client.files.list(purpose="user_data")]
    deleted = openai_client.files.delete(made.id)
    assert (deleted.id, deleted.deleted) == (made.id, True)
    from openai import NotFoundError

    with pytest.raises(NotFoundError):
        openai_client.files.retrieve(made.id)


def test_the_client_pages_by_itself(openai_client):
    names = [f"{unique()}.jsonl" for _ in range(5)]
    made = [openai_client.files.create(file=(name, rows(1)), purpose="fine-tune").id for name in names]
    seen = [file.id for file in openai_client.files.list(limit=2) if file.id in made]
    assert seen == made[::-1], "the newest first, each once"
    for file in made:
        openai_client.files.delete(file)


def test_a_purpose_that_nothing_uses_is_refused(openai_client):
    from openai import UnprocessableEntityError

    with pytest.raises(UnprocessableEntityError, match="purpose is one of fine-tune, user_data, batch"):
        openai_client.files.create(file=("a.jsonl", b"{}"), purpose="assistants")


@pytest.mark.training
def test_an_uploaded_file_is_trained_on(openai_client, http_client, raw_model):
    file = openai_client.files.create(file=("train.jsonl", rows(4)), purpose="fine-tune")
    job = http_client.post("/preview/sft-training-jobs", json={"model_id": raw_model.id, "training_data_url": file.id, "config": {"batch_size": 2}})
    events = wait_job(http_client, job.json()["id"])
    assert events[-1]["type"] == "training_ended" and events[0]["data"]["num_rows"] == 4


# ---------------------------------------------------------------- checkpoints
def train(http_client, openai_client, model) -> None:
    file = openai_client.files.create(file=("train.jsonl", rows(2)), purpose="fine-tune")
    job = http_client.post("/preview/sft-training-jobs", json={"model_id": model.id, "training_data_url": file.id, "config": {"learning_rate": 1e-3}})
    assert wait_job(http_client, job.json()["id"])[-1]["type"] == "training_ended"


@pytest.mark.training
def test_a_download_that_breaks_off_goes_on(openai_client, http_client, raw_model):
    train(http_client, openai_client, raw_model)
    path = f"/preview/models/{raw_model.id}/checkpoints/1/files/adapter_model.safetensors"
    whole = http_client.get(path)
    tag = whole.headers["etag"]
    half = len(whole.content) // 2
    rest = http_client.get(path, headers={"Range": f"bytes={half}-", "If-Range": tag})
    assert rest.status_code == 206 and whole.content[:half] + rest.content == whole.content
    assert http_client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert_error(http_client.get(path, headers={"Range": f"bytes={len(whole.content)}-"}), 416)


@pytest.mark.training
@needs_wandb
def test_art_pulls_a_checkpoint(openai_client, http_client, tmp_path):
    async def go():
        async with art_backend() as backend:
            model = trainable()
            await model.register(backend)
            train(http_client, openai_client, model)
            where = await backend._experimental_pull_model_checkpoint(model, step="latest", local_path=str(tmp_path))
            path = f"/preview/models/{model.id}/checkpoints/1/files/adapter_model.safetensors"
            served = http_client.get(path).content
            await backend.delete(model)
            return where, served

    where, served = run(go)
    assert json.loads((tmp_path / "adapter_config.json").read_text())["peft_type"] == "LORA"
    weights = (tmp_path / "adapter_model.safetensors").read_bytes()
    assert where == str(tmp_path) and weights == served
    (length,) = struct.unpack("<Q", weights[:8])
    assert "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight" in json.loads(weights[8 : 8 + length])


@needs_wandb
def test_another_entitys_checkpoints_are_not_pulled(http_client):
    import wandb

    api = wandb.Api(api_key=CFG.api_key)
    assert api.default_entity == http_client.post("/preview/models", json={"project": "p", "name": unique(), "base_model": CFG.base_model}).json()["entity"]
    with pytest.raises(Exception, match="not for"):
        api.artifact("somebody-else/p/agent:step1", type="lora")
    with pytest.raises(Exception, match="not found"):
        api.artifact(f"{api.default_entity}/p/nobody:step1", type="lora")


def test_the_query_address_wants_a_key():
    url = CFG.base_url.removesuffix("/v1") + "/graphql"
    query = {"query": "query Viewer { viewer { id } }"}
    assert_error(httpx.post(url, json=query), 401)
    assert_error(httpx.post(url, json=query, auth=("api", CFG.api_key[:-1])), 401)
    assert httpx.post(url, json=query, auth=("api", CFG.api_key)).json()["data"]["viewer"]["entity"]
