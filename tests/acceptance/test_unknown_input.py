"""Names that the service does not know, as the clients of the field send and read them."""
from __future__ import annotations

import openai
import pytest

from conftest import CFG, unique

MESSAGES = [{"role": "user", "content": "red?"}]


@pytest.fixture
def sync_client():
    with openai.OpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0) as client:
        yield client


def create(client, **options):
    return client.chat.completions.with_raw_response.create(model=CFG.base_model, messages=MESSAGES, max_tokens=2, **options)


def test_what_is_ignored_is_named_in_a_header(sync_client):
    answer = create(sync_client, user="me", extra_body={"nvext": {"extra_fields": ["engine_data"]}, "some_future_field": {"x": [1]}})
    assert set(answer.headers["x-trainyard-warnings"].removeprefix("ignored: ").split(", ")) == {"user", "nvext", "some_future_field"}
    assert answer.parse().choices[0].message.content is not None


def test_a_request_without_such_fields_has_no_header(sync_client):
    answer = create(sync_client, temperature=0, store=False, extra_body={"return_tokens_as_token_ids": True, "temprature": None})
    assert "x-trainyard-warnings" not in answer.headers


def test_a_streamed_answer_has_the_header_too(sync_client):
    with sync_client.chat.completions.with_streaming_response.create(model=CFG.base_model, messages=MESSAGES, max_tokens=2, stream=True, user="me", stream_options={"include_usage": True, "include_obfuscation": False}) as answer:
        assert answer.headers["x-trainyard-warnings"] == "ignored: user"
        assert "data: [DONE]" in list(line for line in answer.iter_lines() if line)


@pytest.mark.parametrize(("field", "meant"), [("temprature", "temperature"), ("max_new_tokens", "max_tokens"), ("topP", "top_p")])
def test_a_slip_is_refused_with_the_name_that_was_meant(sync_client, field, meant):
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        create(sync_client, extra_body={field: 1})
    assert (refused.value.param, refused.value.code) == (field, "unknown_parameter")
    assert f"did you mean `{meant}`?" in str(refused.value)


@pytest.mark.parametrize("option", ["learning_rat", "loss_function"])
def test_an_unknown_option_of_training_is_refused(http_client, raw_model, option):
    body = {"model_id": raw_model.id, "trajectory_groups": [], "experimental_config": {option: 1}}
    answer = http_client.post("/preview/training-jobs", json=body)
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert error["param"] == f"experimental_config.{option}" and ("learning_rate" in error["message"] or "loss_fn" in error["message"])


def test_the_newest_step_is_kept_unless_told(http_client, raw_model):
    path = f"/preview/models/{raw_model.id}/checkpoints"
    refused = http_client.request("DELETE", path, json={"steps": [0]})
    assert refused.status_code == 409 and refused.headers["x-should-retry"] == "false", refused.text
    told = http_client.request("DELETE", path, json={"steps": [0], "allow_latest": True})
    assert told.json() == {"deleted_count": 1, "not_found_steps": []}


def test_a_field_of_a_newer_client_is_named_when_a_model_is_made(http_client):
    body = {"project": "acceptance", "name": unique(), "base_model": CFG.base_model, "future_field": {"a": 1}}
    answer = http_client.post("/preview/models", json=body)
    assert (answer.status_code, answer.headers["x-trainyard-warnings"]) == (200, "ignored: future_field"), answer.text
    http_client.delete(f"/preview/models/{answer.json()['id']}")
