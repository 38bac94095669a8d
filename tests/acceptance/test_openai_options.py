"""Each option of OpenAI's client is decided: a new release that adds one fails here. The service is not asked.

`test_responses_stored.py` has the options of the Responses API, and `test_messages.py` those of Anthropic's.
"""
from __future__ import annotations

import json
import re
import typing
from pathlib import Path

import pytest
from openai.types import chat, completion_create_params, responses
from typing_extensions import is_typeddict

ROOT = Path(__file__).parents[2]
SCHEMAS = json.loads((ROOT / "generated/openapi.json").read_text())["components"]["schemas"]
FIELDS = (ROOT / "src/api/chat/read/mod.rs").read_text()
COMPLETION_FIELDS = (ROOT / "src/api/chat/completions/read.rs").read_text()

# Items of tools that run elsewhere or whose form no model here has. The document's enumeration rejects them by name.
REJECTED_ITEMS = {
    "additional_tools", "apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "compaction", "compaction_trigger",
    "computer_call", "computer_call_output", "configuration_update", "file_search_call", "image_generation_call", "local_shell_call",
    "local_shell_call_output", "mcp_approval_request", "mcp_approval_response", "mcp_call", "mcp_list_tools", "program",
    "program_output", "shell_call", "shell_call_output", "tool_search_call", "tool_search_output", "web_search_call",
}
# Tools and choices of chat completions.
REJECTED_TOOLS = {"custom"}
REJECTED_PARTS = {"image_url", "input_audio", "file"}


def listed(source: str, *tables: str) -> set[str]:
    """The fields that tables of the code name."""
    rows = [re.search(rf"const {table}: \[.*?\] = \[(.*?)\];", source, re.S)[1] for table in tables]
    return {name for text in rows for name in re.findall(r'^\s*\(?"(\w+)"|, "(\w+)"|\["(\w+)"', text, re.M) for name in name if name}


def members(union) -> list[type]:
    """The dictionaries of a union."""
    return [union] if is_typeddict(union) else [member for part in typing.get_args(union) for member in members(part)]


def literals(hint) -> list[str]:
    return [name for part in typing.get_args(hint) for name in ([part] if isinstance(part, str) else literals(part))]


def kinds(union) -> set[str]:
    """The values of `type` of a union's dictionaries."""
    return {kind for cls in members(union) for kind in literals(typing.get_type_hints(cls).get("type"))}


@pytest.mark.parametrize("schema, source, cls", [
    ("ChatCompletionRequest", FIELDS, chat.completion_create_params.CompletionCreateParamsBase),
    ("CompletionRequest", COMPLETION_FIELDS, completion_create_params.CompletionCreateParamsBase),
])
def test_every_option_of_a_request(schema, source, cls):
    decided = set(SCHEMAS[schema]["properties"]) | listed(source, "REJECTED", "WITHOUT_EFFECT")
    assert {"model", "stream", "user"} <= decided and len(cls.__annotations__) > 10
    assert not set(cls.__annotations__) - decided


def test_every_kind_of_item():
    found = kinds(responses.response_input_param.ResponseInputItemParam)
    assert "function_call" in found
    assert not found - set(SCHEMAS["ResponseInputItemType"]["enum"]) - REJECTED_ITEMS


def test_every_kind_of_tool_choice_and_format_in_chat():
    tools = kinds(chat.ChatCompletionToolUnionParam)
    assert "function" in tools
    assert not tools - {"function"} - REJECTED_TOOLS
    assert not kinds(chat.ChatCompletionToolChoiceOptionParam) - set(SCHEMAS["ToolChoiceType"]["enum"]) - REJECTED_TOOLS
    formats = kinds(chat.completion_create_params.ResponseFormat)
    assert formats and not formats - set(SCHEMAS["ResponseFormat"]["discriminator"]["mapping"])
    assert not kinds(chat.ChatCompletionContentPartParam) - {"text"} - REJECTED_PARTS
