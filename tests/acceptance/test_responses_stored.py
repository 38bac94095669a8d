"""OpenAI's Responses API with memory, and what agent programs send to it, through the official client."""
from __future__ import annotations

import json
import re
import time
import typing
from pathlib import Path

import openai
import pytest
from openai import OpenAI
from openai.types import responses as types
from openai.types.shared_params import Reasoning
from typing_extensions import is_typeddict

from conftest import CFG

ROOT = Path(__file__).parents[2]
SCHEMAS = json.loads((ROOT / "generated/openapi.json").read_text())["components"]["schemas"]
OPTIONS = (ROOT / "src/api/chat/options.rs").read_text()
TOOLS = (ROOT / "src/api/chat/responses/tools.rs").read_text()


@pytest.fixture(scope="module")
def strict():
    """This client raises when a response field has the wrong type or is missing."""
    return OpenAI(base_url=CFG.base_url, api_key=CFG.api_key, max_retries=0, timeout=300, _strict_response_validation=True)


def ask(client, **more):
    return client.responses.create(**{"model": CFG.base_model, "input": "Hello!", "max_output_tokens": 16, **more})


def prompt(response):
    return response.model_extra["token_generations"][0]["prompt_token_ids"]


def test_a_conversation_is_continued(strict):
    first = ask(strict, temperature=0)
    assert first.store if hasattr(first, "store") else first.model_extra["store"]
    second = ask(strict, input="And now?", previous_response_id=first.id)
    conversation = [{"role": "user", "content": "Hello!"}, *(item.model_dump() for item in first.output)]
    whole = ask(strict, input=[*conversation, {"role": "user", "content": "And now?"}], store=False)
    assert prompt(second) == prompt(whole) and second.previous_response_id == first.id
    references = [{"role": "user", "content": "Hello!"}, *({"type": "item_reference", "id": item.id} for item in first.output)]
    assert prompt(ask(strict, input=[*references, {"role": "user", "content": "And now?"}])) == prompt(second)
    assert strict.responses.retrieve(second.id) == second
    count = strict.responses.input_tokens.count(model=CFG.base_model, input="And now?", previous_response_id=first.id)
    assert count.input_tokens == second.usage.input_tokens
    items = strict.responses.input_items.list(second.id, order="asc")
    assert [item.content[0].text for item in items] == ["And now?"]
    strict.responses.delete(first.id)
    for gone in (first.id, whole.id):
        with pytest.raises(openai.NotFoundError):
            strict.responses.retrieve(gone)
        with pytest.raises(openai.NotFoundError) as failure:
            ask(strict, previous_response_id=gone)
        assert failure.value.code == "previous_response_not_found"


def test_pages_of_input_items(strict):
    response = ask(strict, input=[{"role": "user", "content": str(turn)} for turn in range(25)])
    listed = [item.content[0].text for item in strict.responses.input_items.list(response.id, limit=10)]
    assert listed == [str(turn) for turn in reversed(range(25))]


def test_background_is_polled_streamed_and_resumed(strict):
    response = ask(strict, background=True, temperature=0)
    assert response.status == "in_progress" and response.background
    while response.status in ("queued", "in_progress"):
        time.sleep(0.05)
        response = strict.responses.retrieve(response.id)
    assert response.output_text == ask(strict, temperature=0).output_text
    events = list(ask(strict, background=True, stream=True, temperature=0))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    done = events[-1].response
    assert done.output_text == response.output_text
    again = list(strict.responses.retrieve(done.id, stream=True, starting_after=2))
    assert again == events[3:]
    assert strict.responses.cancel(done.id).status == done.status
    with pytest.raises(openai.ConflictError):
        strict.responses.cancel(ask(strict).id)


def test_what_agent_programs_send(strict):
    def function(name):
        return {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}

    raw = strict.responses.with_raw_response.create(
        model=CFG.base_model,
        instructions="Be brief.",
        input=[
            {"role": "user", "content": "Hello!"},
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "A greeting."}], "encrypted_content": "gAAA"},
            {"role": "assistant", "content": "Hi."},
            {"role": "user", "content": "What is here?"},
        ],
        include=["reasoning.encrypted_content"],
        reasoning={"effort": "high", "summary": "auto"},
        tools=[
            function("exec_command"),
            {"type": "local_shell"},
            {"type": "web_search"},
            {"type": "image_generation"},
            {"type": "custom", "name": "apply_patch", "description": "Edits files.", "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"}},
            {"type": "namespace", "name": "mcp__files__", "description": "Files.", "tools": [function("read")]},
        ],
        tool_choice="auto",
        store=False,
        max_output_tokens=16,
        prompt_cache_key="k",
    )
    warnings = raw.headers["x-trainyard-warnings"]
    for name in ("tools%5B1%5D", "tools%5B2%5D", "tools%5B3%5D", "tools%5B4%5D.format", "reasoning.summary", "input%5B1%5D.encrypted_content"):
        assert name in warnings, warnings
    response = raw.parse()
    assert all(item.type != "reasoning" or item.encrypted_content is None for item in response.output)
    # What the service cannot run alone is rejected.
    with pytest.raises(openai.UnprocessableEntityError):
        ask(strict, tools=[{"type": "web_search"}])


def test_custom_and_namespaced_tools_are_called(strict):
    shell = {"type": "custom", "name": "shell", "format": {"type": "grammar", "syntax": "regex", "definition": "ls|pwd"}}
    choice = {"type": "custom", "name": "shell"}
    events = list(ask(strict, tools=[shell], tool_choice=choice, max_output_tokens=128, stream=True))
    call = events[-1].response.output[0]
    assert call.type == "custom_tool_call" and call.name == "shell" and call.input in ("ls", "pwd")
    done = [event for event in events if event.type == "response.custom_tool_call_input.done"]
    assert [event.input for event in done] == [call.input]
    output = {"type": "custom_tool_call_output", "call_id": call.call_id, "output": "a.txt"}
    after = ask(strict, input=[output], previous_response_id=events[-1].response.id, tools=[shell])
    assert len(prompt(after)) > len(prompt(events[-1].response))
    parameters = {"type": "object", "properties": {"path": {"type": "string", "enum": ["a"]}}, "required": ["path"], "additionalProperties": False}
    read = {"type": "function", "name": "read", "parameters": parameters, "strict": True}
    files = {"type": "namespace", "name": "files", "description": "Files.", "tools": [read]}
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "read", "namespace": "files"}]}
    call = ask(strict, tools=[shell, files], tool_choice=allowed, max_output_tokens=128).output[0]
    assert (call.type, call.name, call.namespace) == ("function_call", "read", "files")


def test_allowed_tools_in_chat(strict):
    def function(name):
        parameters = {"type": "object", "properties": {}, "additionalProperties": False}
        return {"type": "function", "function": {"name": name, "parameters": parameters}}

    allowed = {"mode": "required", "tools": [{"type": "function", "function": {"name": "two"}}]}
    chat = strict.chat.completions.create(
        model=CFG.base_model,
        messages=[{"role": "user", "content": "Hello!"}],
        tools=[function("one"), function("two")],
        tool_choice={"type": "allowed_tools", "allowed_tools": allowed},
        max_tokens=64,
        reasoning_effort="low",
    )
    assert [call.function.name for call in chat.choices[0].message.tool_calls] == ["two"]


def decided(schema: str, table: str) -> set[str]:
    """The fields of an object that the document types or the table has."""
    rows = re.search(rf"const {table}: &Options =\s*&\[(.*?)\];", OPTIONS[OPTIONS.index("mod responses {"):], re.S)
    return set(SCHEMAS[schema]["properties"]) | set(re.findall(r'\("(\w+)", ', rows[1]))


def members(union) -> list[type]:
    """The dictionaries of a union."""
    return [union] if is_typeddict(union) else [member for part in typing.get_args(union) for member in members(part)]


def literals(hint) -> list[str]:
    return [name for part in typing.get_args(hint) for name in ([part] if isinstance(part, str) else literals(part))]


REQUESTS = [types.response_create_params.ResponseCreateParamsBase, types.input_token_count_params.InputTokenCountParams]


@pytest.mark.parametrize("schema, table, classes", [
    ("ResponseRequest", "REQUEST", REQUESTS),
    ("ResponseReasoning", "REASONING", [Reasoning]),
    ("ResponseTool", "TOOL", members(types.tool_param.ToolParam)),
    ("ResponseChosenTool", "TOOL_CHOICE", members(types.response_create_params.ToolChoice)),
])
def test_every_option_of_the_client_has_a_row(schema, table, classes):
    assert classes
    for cls in classes:
        assert not set(cls.__annotations__) - decided(schema, table), cls.__name__


def test_every_kind_of_tool_of_the_client_has_a_row():
    known = {"function", "custom", "namespace", *re.findall(r'^    \("(\w+)", [A-Z_]+\),$', TOOLS, re.M)}
    kinds = {kind for cls in members(types.tool_param.ToolParam) for kind in literals(typing.get_type_hints(cls)["type"])}
    assert {"local_shell", "web_search"} <= kinds
    assert not {re.sub(r"_20\d\d.*", "", kind) for kind in kinds} - known
