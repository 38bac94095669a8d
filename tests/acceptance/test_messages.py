"""Anthropic's Messages API, through its official client."""
from __future__ import annotations

import json
import re
import typing
from pathlib import Path

import anthropic
import pydantic
import pytest
from anthropic import types
from anthropic.types import beta

from typing_extensions import is_typeddict

from conftest import CFG

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "What is the weather in Rome?"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = {"name": "get_weather", "description": "Current weather of a city", "input_schema": SCHEMA}


class Rating(pydantic.BaseModel):
    good: bool


def client_with(base_url=CFG.root, **more):
    """This client raises when a response field has the wrong type or is missing."""
    options = {"api_key": CFG.api_key, "max_retries": 0, "timeout": 300, "_strict_response_validation": True}
    return anthropic.Anthropic(base_url=base_url, **{**options, **more})


@pytest.fixture(scope="module")
def strict():
    return client_with()


def asked(**more):
    messages = [{"role": "user", "content": "Hello!"}]
    # The newest client has no parameters for sampling.
    return {"model": CFG.base_model, "max_tokens": 16, "messages": messages, "extra_body": {"temperature": 0}, **more}


def ask(client, **more):
    return client.messages.create(**asked(**more))


@pytest.mark.parametrize("base_url", [CFG.root, CFG.inference_url.removesuffix("/v1")])
@pytest.mark.parametrize("auth", [{}, {"api_key": None, "auth_token": CFG.api_key}])
def test_whole_and_streamed_are_the_same(base_url, auth):
    client = client_with(base_url, **auth)
    whole = ask(client, system="Be brief.")
    assert (whole.type, whole.role, whole.model) == ("message", "assistant", CFG.base_model)
    assert whole.stop_reason in ("end_turn", "max_tokens") and whole.stop_sequence is None
    assert whole.usage.output_tokens > 0 and whole.usage.output_tokens_details.thinking_tokens == 0
    with client.messages.stream(**asked(system="Be brief.")) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text == final.content[0].text == whole.content[0].text
    assert (final.stop_reason, final.usage.output_tokens) == (whole.stop_reason, whole.usage.output_tokens)
    events = list(ask(client, stream=True))
    assert [event.type for event in events[:2]] == ["message_start", "content_block_start"]
    assert [event.type for event in events[-2:]] == ["message_delta", "message_stop"]


def test_tools_go_there_and_back(strict):
    more = {"tools": [WEATHER], "messages": [{"role": "user", "content": QUESTION}], "max_tokens": 64}
    for choice in ({"type": "any", "disable_parallel_tool_use": True}, {"type": "tool", "name": "get_weather"}):
        whole = ask(strict, tool_choice=choice, **more)
        with strict.messages.stream(**asked(tool_choice=choice, **more)) as stream:
            final = stream.get_final_message()
        for message in (whole, final):
            assert message.stop_reason == "tool_use" and len(message.content) == 1
            call = message.content[0]
            assert (call.type, call.name) == ("tool_use", "get_weather") and isinstance(call.input["city"], str)
        assert whole.content[0].input == final.content[0].input
    turns = [
        *more["messages"],
        {"role": "assistant", "content": [*whole.content, {"type": "tool_use", "id": "other", "name": "get_weather", "input": {"city": "X"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": whole.content[0].id, "content": [{"type": "text", "text": "sunny"}]},
            {"type": "tool_result", "tool_use_id": "other", "content": "no such city", "is_error": True},
            {"type": "text", "text": "So?"},
        ]},
    ]
    after = ask(strict, **{**more, "messages": turns})
    assert after.usage.output_tokens > 0
    assert all(block.type == "text" for block in ask(strict, tool_choice={"type": "none"}, **more).content)


def test_tools_without_a_schema(strict):
    tools = [
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"type": "memory_20250818", "name": "memory"},
        {"type": "web_search_20250305", "name": "web_search"},
    ]
    raw = strict.messages.with_raw_response.create(**asked(tools=tools, tool_choice={"type": "tool", "name": "bash"}, max_tokens=64))
    assert raw.headers["x-trainyard-warnings"] == "ignored: tools%5B3%5D"
    message = raw.parse()
    assert message.content[0].type == "tool_use" and message.content[0].name == "bash"
    with pytest.raises(anthropic.UnprocessableEntityError, match="web_search"):
        ask(strict, tools=tools[3:])
    with pytest.raises(anthropic.UnprocessableEntityError, match="web_search"):
        ask(strict, tools=tools, tool_choice={"type": "tool", "name": "web_search"})


def test_structured_outputs(strict):
    parsed = strict.messages.parse(**asked(output_format=Rating, max_tokens=64))
    assert isinstance(parsed.parsed_output, Rating)
    schema = {"type": "object", "properties": {"good": {"type": "boolean"}}, "required": ["good"], "additionalProperties": False}
    whole = ask(strict, output_config={"format": {"type": "json_schema", "schema": schema}}, max_tokens=64)
    assert isinstance(json.loads(whole.content[0].text)["good"], bool)


def test_stop_sequences_and_prefill(strict):
    free = ask(strict).content[0].text
    stop = free[1:3]
    stopped = ask(strict, stop_sequences=["never said", stop])
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", stop)
    begun = [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "The answer is ("}]
    continued = ask(strict, messages=begun)
    assert continued.content and continued.usage.input_tokens + continued.usage.cache_read_input_tokens > 0


@pytest.mark.parametrize("thinking", [
    {"type": "enabled", "budget_tokens": 1024}, {"type": "disabled"}, {"type": "adaptive", "display": "omitted"}, {"type": "between_tools"},
])
def test_thinking_is_accepted(strict, thinking):
    assert ask(strict, thinking=thinking).content


def test_thinking_comes_back(strict):
    thought = {"type": "thinking", "thinking": "a greeting", "signature": "of another server"}
    turns = [
        {"role": "user", "content": "Hello!"},
        {"role": "assistant", "content": [thought, {"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": "Hi."}]},
        {"role": "user", "content": "Again!"},
    ]
    raw = strict.messages.with_raw_response.create(**asked(messages=turns))
    assert "content%5B1%5D" in raw.headers["x-trainyard-warnings"]


def test_count_tokens(strict):
    more = {"tools": [WEATHER], "system": "Be brief.", "messages": [{"role": "user", "content": QUESTION}]}
    counted = strict.messages.count_tokens(model=CFG.base_model, **more).input_tokens
    usage = ask(strict, **more).usage
    assert counted == usage.input_tokens + usage.cache_read_input_tokens
    assert strict.beta.messages.count_tokens(model=CFG.base_model, betas=["a-beta"], **more).input_tokens == counted


def test_beta_is_the_same(strict):
    message = strict.beta.messages.create(**asked(betas=["context-management-2025-06-27"], context_management={"edits": []}))
    assert message.content[0].text == ask(strict).content[0].text
    assert ask(strict, extra_query={"beta": "true"}).content[0].text == message.content[0].text


def test_errors_are_those_of_the_client(strict):
    with pytest.raises(anthropic.AuthenticationError) as caught:
        ask(client_with(api_key="ty_wrong"))
    assert caught.value.body["type"] == "error" and caught.value.body["error"]["type"] == "authentication_error"
    with pytest.raises(anthropic.NotFoundError):
        ask(strict, model="nobody/knows")
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long"):
        ask(strict, messages=[{"role": "user", "content": "a " * 40000}])
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}}
    for block in (image, document):
        with pytest.raises(anthropic.UnprocessableEntityError, match=block["type"]):
            ask(strict, messages=[{"role": "user", "content": [block]}])
    for more in ({"mcp_servers": [{"type": "url", "name": "a", "url": "https://example.com"}]}, {"stop_sequence": "a"}):
        with pytest.raises(anthropic.UnprocessableEntityError, match=next(iter(more))):
            ask(strict, extra_body=more)


def test_tokens_for_training(strict):
    extra = {"temperature": 0, "return_token_ids": True}
    message = ask(strict, extra_body=extra)
    fields = message.model_extra
    assert len(fields["token_ids"]) == len(fields["logprobs"]) == message.usage.output_tokens
    last = [event for event in ask(strict, extra_body=extra, stream=True) if event.type == "message_delta"][-1]
    assert last.model_extra["token_ids"] == fields["token_ids"] and last.model_extra["logprobs"] == fields["logprobs"]
    with strict.messages.stream(**asked(extra_body=extra)) as stream:
        assert stream.get_final_message().model_extra["prompt_token_ids"] == fields["prompt_token_ids"]


def test_models(strict):
    models = list(strict.models.list(limit=1))
    assert CFG.base_model in [model.id for model in models]
    model = strict.models.retrieve(CFG.base_model)
    assert (model.type, model.display_name) == ("model", CFG.base_model) and model.max_input_tokens > 0


# The table of options: `src/api/chat/options.rs` decides for each that the document does not type.

OPTIONS = (ROOT / "src/api/chat/options.rs").read_text()
READER = (ROOT / "src/api/chat/messages/read.rs").read_text()
TOOLS = (ROOT / "src/api/chat/messages/tools.rs").read_text()
SCHEMAS = json.loads((ROOT / "generated/openapi.json").read_text())["components"]["schemas"]


def decided(schema: str, table: str) -> set[str]:
    """The fields of an object that the document types or the table has."""
    rows = re.search(rf"const {table}: &Options = &\[(.*?)\];", OPTIONS, re.S)
    return set(SCHEMAS[schema]["properties"]) | set(re.findall(r'\("(\w+)", ', rows[1]))


def members(union) -> list[type]:
    """The dictionaries of a union."""
    return [union] if is_typeddict(union) else [member for part in typing.get_args(union) for member in members(part)]


def literals(hint) -> list[str]:
    return [name for part in typing.get_args(hint) for name in ([part] if isinstance(part, str) else literals(part))]


def type_of(cls) -> list[str]:
    return literals(typing.get_type_hints(cls).get("type"))


REQUESTS = [
    types.message_create_params.MessageCreateParamsBase, beta.message_create_params.MessageCreateParamsBase,
    types.message_count_tokens_params.MessageCountTokensParams, beta.message_count_tokens_params.MessageCountTokensParams,
]


@pytest.mark.parametrize("schema, table, classes", [
    ("MessageRequest", "REQUEST", REQUESTS),
    ("MessageParam", "MESSAGE", [*members(types.MessageParam), *members(beta.BetaMessageParam)]),
    ("MessageTool", "TOOL", [*members(types.ToolUnionParam), *members(beta.BetaToolUnionParam)]),
    ("MessageThinkingConfig", "THINKING", [*members(types.ThinkingConfigParam), *members(beta.BetaThinkingConfigParam)]),
    ("MessageOutputConfig", "OUTPUT_CONFIG", [types.OutputConfigParam, beta.BetaOutputConfigParam]),
    ("MessageToolChoice", "TOOL_CHOICE", [*members(types.ToolChoiceParam), *members(beta.BetaToolChoiceParam)]),
])
def test_every_option_of_the_client_has_a_row(schema, table, classes):
    assert classes
    for cls in classes:
        assert not set(cls.__annotations__) - decided(schema, table), cls.__name__


def test_every_block_and_tool_of_the_client_has_a_row():
    blocks = [*members(types.ContentBlockParam), *members(beta.BetaContentBlockParam)]
    known = set(re.findall(r'"(\w+)"', READER))
    found = {name for cls in blocks for name in type_of(cls)}
    assert {"text", "tool_use", "image"} <= found
    assert not found - known
    readable = ("text", "thinking", "redacted_thinking", "tool_use", "tool_result")
    for cls in blocks:
        if set(type_of(cls)) & set(readable):
            assert not set(cls.__annotations__) - decided("MessageBlockParam", "BLOCK"), cls.__name__
    kinds = re.findall(r'^    \("(\w+)", ', TOOLS, re.M)
    tools = {name for cls in [*members(types.ToolUnionParam), *members(beta.BetaToolUnionParam)] for name in type_of(cls)}
    assert "bash_20250124" in tools
    assert not [name for name in tools if not any(name.startswith(kind) for kind in kinds)]
    thinking = {name for cls in members(types.ThinkingConfigParam) for name in type_of(cls)}
    assert thinking == set(SCHEMAS["MessageThinkingType"]["enum"])
