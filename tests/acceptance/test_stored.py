"""Stored chat completions and compaction through OpenAI's client, batches of messages through Anthropic's."""
from __future__ import annotations

import time

import anthropic
import openai
import pytest
from openai import OpenAI

from conftest import CFG, unique

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": [{"type": "text", "text": "Hello!"}]}]


@pytest.fixture(scope="module")
def client():
    with OpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0, timeout=300) as client:
        yield client


@pytest.fixture(scope="module")
def claude():
    """This client raises when a response field has the wrong type or is missing."""
    options = {"max_retries": 0, "timeout": 300, "_strict_response_validation": True}
    with anthropic.Anthropic(base_url=CFG.root, api_key=CFG.api_key, **options) as client:
        yield client


def chat(client, **more):
    return client.chat.completions.create(model=CFG.base_model, messages=MESSAGES, max_tokens=8, store=True, **more)


def test_a_stored_completion_is_listed_read_updated_and_deleted(client):
    run = unique()
    first, second = (chat(client, metadata={"run": run, "turn": turn}) for turn in ("1", "2"))
    assert client.chat.completions.retrieve(first.id) == first
    listed = client.chat.completions.list(metadata={"run": run}, model=CFG.base_model, order="desc", limit=1)
    assert [completion.id for completion in listed] == [second.id, first.id], "by pages of one"
    assert [completion.id for completion in client.chat.completions.list(metadata={"run": run, "turn": "1"})] == [first.id]
    messages = list(client.chat.completions.messages.list(first.id, limit=1))
    assert [message.id for message in messages] == [f"{first.id}-0", f"{first.id}-1"]
    assert messages[0].content == "Be brief." and messages[0].content_parts is None
    assert messages[1].content is None and messages[1].content_parts[0].text == "Hello!"
    updated = client.chat.completions.update(first.id, metadata={"run": "done"})
    assert updated.metadata == {"run": "done"} and updated.choices == first.choices
    for completion in (first, second):
        assert client.chat.completions.delete(completion.id).deleted
        with pytest.raises(openai.NotFoundError):
            client.chat.completions.retrieve(completion.id)


def test_a_stream_is_stored_at_its_end(client):
    with chat(client, stream=True) as stream:
        chunks = list(stream)
    stored = client.chat.completions.retrieve(chunks[0].id)
    text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
    assert stored.choices[0].message.content == text
    client.chat.completions.delete(stored.id)


def test_a_conversation_is_compacted(client):
    if not hasattr(client.responses, "compact"):
        pytest.skip("an older client")
    first = client.responses.create(model=CFG.base_model, input="Hello!", max_output_tokens=8)
    compacted = client.responses.compact(model=CFG.base_model, previous_response_id=first.id)
    assert compacted.object == "response.compaction" and compacted.usage.output_tokens > 0
    *said, compaction = compacted.output
    assert [item.role for item in said] == ["user"]
    assert compaction.type == "compaction" and compaction.encrypted_content.startswith("trainyard:summary:")
    items = [item.model_dump(exclude_none=True) for item in compacted.output]
    following = client.responses.create(
        model=CFG.base_model, input=[*items, {"role": "user", "content": "And now?"}], max_output_tokens=8
    )
    assert following.output[0].type == "message"
    foreign = {"type": "compaction", "encrypted_content": "gAAAAABo"}
    with pytest.raises(openai.UnprocessableEntityError, match="compaction of this service"):
        client.responses.create(model=CFG.base_model, input=[foreign])


def ended(claude, batch):
    for _ in range(1200):
        batch = claude.messages.batches.retrieve(batch.id)
        if batch.processing_status == "ended":
            return batch
        time.sleep(0.1)
    raise AssertionError(batch)


def request(name: str, **more):
    params = {"model": CFG.base_model, "max_tokens": 8, "messages": [{"role": "user", "content": name}], **more}
    return {"custom_id": name, "params": params}


def test_a_batch_of_messages_has_results(claude):
    batch = claude.messages.batches.create(requests=[request("one"), request("two", temperature=9), request("three")])
    assert (batch.type, batch.processing_status, batch.request_counts.processing) == ("message_batch", "in_progress", 3)
    assert batch.expires_at > batch.created_at and batch.results_url is None
    batch = ended(claude, batch)
    assert (batch.request_counts.succeeded, batch.request_counts.errored) == (2, 1)
    results = {line.custom_id: line.result for line in claude.messages.batches.results(batch.id)}
    assert {name: result.type for name, result in results.items()} == {"one": "succeeded", "two": "errored", "three": "succeeded"}
    assert results["one"].message.role == "assistant" and results["one"].message.usage.output_tokens > 0
    assert results["two"].error.error.type == "invalid_request_error"
    assert batch.id in [listed.id for listed in claude.messages.batches.list(limit=1)]
    assert claude.messages.batches.delete(batch.id).type == "message_batch_deleted"
    with pytest.raises(anthropic.NotFoundError):
        claude.messages.batches.retrieve(batch.id)


def test_a_batch_of_messages_is_cancelled(claude):
    batch = claude.messages.batches.create(requests=[request(f"{number}", max_tokens=400) for number in range(200)])
    cancelled = claude.messages.batches.cancel(batch.id)
    assert cancelled.processing_status in ("canceling", "ended") and cancelled.cancel_initiated_at is not None
    batch = ended(claude, batch)
    kinds = [line.result.type for line in claude.messages.batches.results(batch.id)]
    assert len(kinds) == 200 and kinds.count("canceled") == batch.request_counts.canceled > 0
    claude.messages.batches.delete(batch.id)
