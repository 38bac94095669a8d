"""Batches through OpenAI's client, and tokens as lm-eval 0.4.13 asks for them (`tokenizer_backend=remote`)."""
import json
import time

import httpx
import jinja2
import pytest

from conftest import CFG, unique


@pytest.fixture(scope="module")
def openai_client():
    from openai import OpenAI

    with OpenAI(base_url=CFG.base_url, api_key=CFG.api_key) as client:
        yield client


def lines(url: str, bodies: list[dict]) -> bytes:
    rows = [{"custom_id": f"row-{n}", "method": "POST", "url": url, "body": body} for n, body in enumerate(bodies)]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def ended(client, batch):
    for _ in range(1200):
        batch = client.batches.retrieve(batch.id)
        if batch.status in ("completed", "failed", "expired", "cancelled"):
            return batch
        time.sleep(0.1)
    raise AssertionError(batch)


def content(client, file_id: str) -> list[dict]:
    return [json.loads(line) for line in client.files.content(file_id).text.splitlines()]


def test_a_batch_runs_to_its_files(openai_client):
    question = {"model": CFG.base_model, "messages": [{"role": "user", "content": "hi"}], "max_tokens": 4, "seed": 7}
    bodies = [question, {**question, "temperature": 9}, {**question, "seed": 8}]
    name = f"{unique()}.jsonl"
    file = openai_client.files.create(file=(name, lines("/v1/chat/completions", bodies)), purpose="batch")
    batch = openai_client.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={"run": name},
        output_expires_after={"anchor": "created_at", "seconds": 3600},
    )
    assert (batch.object, batch.input_file_id, batch.metadata) == ("batch", file.id, {"run": name})
    batch = ended(openai_client, batch)
    assert batch.status == "completed", batch
    assert batch.request_counts.model_dump() == {"completed": 2, "failed": 1, "total": 3}
    output, failures = content(openai_client, batch.output_file_id), content(openai_client, batch.error_file_id)
    assert [line["custom_id"] for line in output] == ["row-0", "row-2"]
    assert [line["response"]["body"]["error"]["param"] for line in failures] == ["temperature"]
    live = openai_client.chat.completions.create(**question)
    sampled = output[0]["response"]["body"]
    assert sampled["choices"][0]["message"]["content"] == live.choices[0].message.content
    assert batch.usage.output_tokens == sum(line["response"]["body"]["usage"]["completion_tokens"] for line in output)
    output_file = openai_client.files.retrieve(batch.output_file_id)
    assert output_file.purpose == "batch_output" and output_file.expires_at > output_file.created_at + 3000
    assert batch.id in [listed.id for listed in openai_client.batches.list(limit=2)]


def test_faults_of_a_file_name_their_lines(openai_client):
    file = openai_client.files.create(file=("bad.jsonl", b"nothing\n"), purpose="batch")
    batch = openai_client.batches.create(
        input_file_id=file.id, endpoint="/v1/responses", completion_window="24h"
    )
    batch = ended(openai_client, batch)
    assert (batch.status, batch.errors.data[0].line, batch.errors.data[0].code) == ("failed", 1, "invalid_json_line")


def test_a_batch_is_cancelled(openai_client):
    body = {"model": CFG.base_model, "prompt": "once", "max_tokens": 400, "logit_bias": {"2": -100}}
    file = openai_client.files.create(file=("many.jsonl", lines("/v1/completions", [body] * 500)), purpose="batch")
    batch = openai_client.batches.create(
        input_file_id=file.id, endpoint="/v1/completions", completion_window="24h"
    )
    assert openai_client.batches.cancel(batch.id).status in ("cancelling", "cancelled")
    batch = ended(openai_client, batch)
    assert batch.status == "cancelled" and batch.cancelled_at >= batch.created_at


def test_tokens_come_as_lm_eval_asks_for_them():
    # What `RemoteTokenizer` and `check_remote_tokenizer_support` of lm_eval/utils.py send and read.
    with httpx.Client(base_url=CFG.root, headers={"Authorization": f"Bearer {CFG.api_key}"}) as client:
        info = client.get("/tokenizer_info").raise_for_status().json()
        assert "eos_token" in info

        def encode(text: str) -> list[int]:
            body = {"prompt": text, "add_special_tokens": False}
            return client.post("/tokenize", json=body).raise_for_status().json()["tokens"]

        assert len(encode(info["eos_token"])) == 1
        tokens = encode("yes, no or maybe?")
        text = client.post("/detokenize", json={"tokens": tokens}).raise_for_status().json()["prompt"]
        assert text == "yes, no or maybe?"
        template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(info["chat_template"])
        messages = [{"role": "user", "content": "hi"}]
        prompt = template.render(messages=messages, add_generation_prompt=True, **{"tools": None})
        body = {"model": CFG.base_model, "messages": messages, "max_tokens": 1}
        chat = client.post("/v1/chat/completions", json=body).raise_for_status().json()
        assert encode(prompt) == chat["choices"][0]["prompt_token_ids"]
