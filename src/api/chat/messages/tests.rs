use std::sync::Arc;

use serde_json::{Value, json};

use super::writer::{MessageForm, MessageWriter};
use super::{failure, read};
use crate::chat::{
    ChatDelta, ChatError, ChatFinish, ChatRequest, TokenEntry, ToolCallDelta, ToolCallStart, ToolChoice,
};
use crate::generated::types::MessageRequest;

fn body(more: Value) -> MessageRequest {
    let mut body = json!({"model": "m", "max_tokens": 8, "messages": [{"role": "user", "content": "hi"}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(body).unwrap()
}

fn request(more: Value) -> Result<ChatRequest, ChatError> {
    read::request(&body(more), "acme")
}

/// Returns the rejected field and the message of an error.
fn rejected(more: Value) -> (String, String) {
    match request(more.clone()) {
        Err(ChatError::Invalid { param, message } | ChatError::Unsupported { param, message }) => (param, message),
        other => panic!("{more}: {other:?}"),
    }
}

#[test]
fn blocks_of_a_turn_are_one_message_of_chat() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "f", "input": {"z": 1, "a": 2}});
    let chat_call =
        |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": r#"{"z":1,"a":2}"#}});
    let request = request(json!({
        "system": [{"type": "text", "text": "x-anthropic-billing-header: cch=1"}, {"type": "text", "text": "be brief"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "b"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "other"}, {"type": "redacted_thinking", "data": "x"},
                {"type": "text", "text": "c"}, {"type": "text", "text": "d"}, call("one"), call("two"),
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "one", "content": "1"},
                {"type": "text", "text": "between"},
                {"type": "tool_result", "tool_use_id": "two", "is_error": true, "content": [{"type": "text", "text": "no"}, {"type": "text", "text": "file"}]},
                {"type": "text", "text": "and?"},
            ]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "trainyard:hidden"}]},
            {"role": "assistant", "content": "e"},
        ],
    }));
    let request = request.unwrap();
    let expected = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "cd", "reasoning_content": "hm", "tool_calls": [chat_call("one"), chat_call("two")]},
        {"role": "tool", "tool_call_id": "one", "content": "1"},
        {"role": "user", "content": "between"},
        {"role": "tool", "tool_call_id": "two", "content": "Error: nofile"},
        {"role": "user", "content": "and?"},
        {"role": "assistant", "content": "e", "reasoning_content": "hidden"},
    ]);
    assert_eq!(Value::Array(request.messages), expected);
    assert_eq!(request.ignored, ["system[0]", "messages[1].content[1]"]);
    assert!(request.continue_final_message && !request.add_generation_prompt);
}

#[test]
fn options_are_those_of_chat() {
    let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    let request = request(json!({
        "tools": [{"name": "f", "description": "d", "input_schema": schema}, {"type": "web_search_20250305", "name": "web_search"}],
        "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": true},
        "stop_sequences": ["###"], "top_k": -1, "top_p": 0.5, "temperature": 0.25, "seed": 7,
        "thinking": {"type": "disabled"}, "output_config": {"effort": "max", "format": {"type": "json_schema", "schema": schema}},
    }));
    let request = request.unwrap();
    let tool = json!({"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}});
    assert_eq!((request.tools, request.tool_choice), (vec![tool], ToolChoice::Function("f".into())));
    assert_eq!((request.parallel_tool_calls, request.thinking), (false, Some(false)));
    assert_eq!(request.reasoning_effort.as_deref(), Some("max"));
    assert_eq!((request.format_field, &*request.stop[0]), ("output_config.format.schema", "###"));
    assert_eq!((request.sampling.top_k, request.sampling.temperature), (Some(0), Some(0.25)));
    assert_eq!(request.ignored, ["tools[1]"]);
}

#[test]
fn tools_without_a_schema_have_the_published_one() {
    let types = [
        ("bash_20250124", "bash", "command"),
        ("text_editor_20250124", "str_replace_editor", "insert_line"),
        ("text_editor_20250728", "str_replace_based_edit_tool", "insert_text"),
        ("memory_20250818", "memory", "old_path"),
    ];
    for (type_, name, parameter) in types {
        let request = request(json!({"tools": [{"type": type_, "name": name}]})).unwrap();
        let function = &request.tools[0]["function"];
        assert_eq!(function["name"], name);
        assert!(function["parameters"]["properties"].get(parameter).is_some(), "{type_}: {function}");
    }
}

#[test]
fn what_cannot_be_read_is_rejected_by_name() {
    let user =
        |block: Value| json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, block]}]});
    let result = |part: Value| user(json!({"type": "tool_result", "tool_use_id": "c", "content": [part]}));
    let search = json!({"type": "web_search_20250305", "name": "web_search"});
    let function = json!({"name": "f", "input_schema": {"type": "object"}});
    let call = json!({"type": "tool_use", "id": "c", "name": "f", "input": {}});
    for (more, param) in [
        (
            user(json!({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}})),
            "messages[0].content[1].type",
        ),
        (user(json!({"type": "document", "source": {}})), "messages[0].content[1].type"),
        (user(json!({"type": "poem"})), "messages[0].content[1].type"),
        (user(json!({"type": "text"})), "messages[0].content[1].text"),
        (user(call.clone()), "messages[0].content[1].type"),
        (user(json!({"type": "tool_result"})), "messages[0].content[1].tool_use_id"),
        (result(json!({"type": "image"})), "messages[0].content[1].content[0].type"),
        (json!({"messages": [{"role": "assistant", "content": [call]}]}), "messages[0]"),
        (json!({"tools": [search]}), "tools[0].type"),
        (json!({"tools": [function, search], "tool_choice": {"type": "tool", "name": "web_search"}}), "tools[1].type"),
        (json!({"tools": [{"type": "computer_20250124", "name": "computer"}]}), "tools[0].type"),
        (json!({"tools": [{"type": "loom_20300101", "name": "loom"}]}), "tools[0].type"),
        (json!({"tools": [{"name": "f"}]}), "tools[0].input_schema"),
        (json!({"tool_choice": {"type": "any"}}), "tool_choice"),
        (json!({"tools": [function], "tool_choice": {"type": "tool", "name": "g"}}), "tool_choice"),
        (json!({"tools": [function], "tool_choice": {"type": "tool"}}), "tool_choice.name"),
    ] {
        let (found, message) = rejected(more.clone());
        assert_eq!(found, param, "{more}");
        assert!(message.contains(param.rsplit('.').next().unwrap()), "{message}");
    }
}

#[test]
fn untyped_options_are_accepted_or_rejected_by_name() {
    let rejected = |more: Value| read::ignored(&body(more)).unwrap_err().param().unwrap().to_owned();
    assert_eq!(rejected(json!({"mcp_servers": [{"name": "a"}]})), "mcp_servers");
    assert_eq!(rejected(json!({"container": "c"})), "container");
    assert_eq!(rejected(json!({"stop_sequence": ["a"]})), "stop_sequence");
    assert_eq!(rejected(json!({"tools": [{"name": "f", "allowed_callers": ["code"]}]})), "tools[0].allowed_callers");
    let accepted = json!({
        "mcp_servers": [], "metadata": {"user_id": "u"}, "cache_control": {"type": "ephemeral"}, "betas": ["a"],
        "context_management": {"edits": []}, "thinking": {"type": "enabled", "budget_tokens": 1024},
        "messages": [{"role": "user", "content": [{"type": "text", "text": "a", "citations": null}]}],
    });
    let named = format!("{:?}", read::ignored(&body(accepted)).unwrap());
    for name in ["metadata", "betas", "context_management", "thinking.budget_tokens"] {
        assert!(named.contains(&format!("{name:?}")), "{named}");
    }
    assert!(!named.contains("cache_control") && !named.contains("mcp_servers"), "{named}");
}

fn token(id: u32) -> TokenEntry {
    TokenEntry { id, logprob: -0.5, bytes: Vec::new(), top: Vec::new() }
}

fn deltas() -> Vec<ChatDelta> {
    let call = |start: Option<&str>, arguments: &str| {
        let start = start.map(|name| ToolCallStart { id: "call_1".into(), name: name.into() });
        vec![ToolCallDelta { index: 0, start, arguments: arguments.into() }]
    };
    let of = |id, delta| ChatDelta { tokens: vec![token(id)], ..delta };
    vec![
        of(1, ChatDelta { reasoning: "h".into(), ..ChatDelta::default() }),
        of(2, ChatDelta { reasoning: "m".into(), ..ChatDelta::default() }),
        of(3, ChatDelta { content: "So".into(), ..ChatDelta::default() }),
        of(4, ChatDelta { tool_calls: call(Some("f"), ""), ..ChatDelta::default() }),
        of(5, ChatDelta { tool_calls: call(None, "{\"a\":"), ..ChatDelta::default() }),
        of(6, ChatDelta { tool_calls: call(None, " 1}"), finish: Some(ChatFinish::ToolCalls), ..ChatDelta::default() }),
    ]
}

fn writer(more: Value) -> MessageWriter {
    MessageWriter::new(MessageForm::of(&body(more)), Arc::from([7, 8]))
}

#[test]
fn a_stream_tells_each_block_from_its_start_to_its_stop() {
    let mut writer = writer(json!({"return_token_ids": true}));
    let mut events: Vec<_> = writer.begin().collect();
    events.extend(deltas().into_iter().flat_map(|delta| writer.push(delta, 0)));
    let events: Vec<Value> = events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    let types: Vec<String> = events
        .iter()
        .map(|event| {
            let kind = |field: &str| event[field]["type"].as_str().map(|kind| format!(" {kind}")).unwrap_or_default();
            format!("{}{}{}", event["type"].as_str().unwrap(), kind("content_block"), kind("delta"))
        })
        .collect();
    let expected = [
        "message_start",
        "ping",
        "content_block_start thinking",
        "content_block_delta thinking_delta",
        "content_block_delta thinking_delta",
        "content_block_delta signature_delta",
        "content_block_stop",
        "content_block_start text",
        "content_block_delta text_delta",
        "content_block_stop",
        "content_block_start tool_use",
        "content_block_delta input_json_delta",
        "content_block_delta input_json_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(types, expected);
    assert_eq!(events[0]["message"]["prompt_token_ids"], json!([7, 8]));
    assert_eq!(events[10]["content_block"], json!({"type": "tool_use", "id": "call_1", "name": "f", "input": {}}));
    assert_eq!((&events[10]["index"], &events[13]["index"]), (&json!(2), &json!(2)));
    assert_eq!(events[14]["delta"], json!({"stop_reason": "tool_use", "stop_sequence": null}));
    assert_eq!((&events[14]["token_ids"], &events[14]["logprobs"][5]), (&json!([1, 2, 3, 4, 5, 6]), &json!(-0.5)));
    assert_eq!(events[14]["usage"]["output_tokens_details"]["thinking_tokens"], 2);
}

#[test]
fn a_whole_message_is_what_its_events_tell() {
    let whole = |more: Value, deltas: Vec<ChatDelta>| {
        let mut whole = writer(more).into_whole();
        deltas.into_iter().for_each(|delta| whole.push(delta, 1));
        serde_json::to_value(whole.into_message()).unwrap()
    };
    let message = whole(json!({}), deltas());
    let expected = json!([
        {"type": "thinking", "thinking": "hm", "signature": "trainyard"},
        {"type": "text", "text": "So"},
        {"type": "tool_use", "id": "call_1", "name": "f", "input": {"a": 1}},
    ]);
    assert_eq!((&message["content"], &message["stop_reason"]), (&expected, &json!("tool_use")));
    let usage = &message["usage"];
    assert_eq!((&usage["input_tokens"], &usage["cache_read_input_tokens"]), (&json!(1), &json!(1)));
    assert!(message.get("token_ids").is_none() && message["stop_sequence"].is_null());
    let omitted = whole(json!({"thinking": {"type": "adaptive", "display": "omitted"}}), deltas());
    assert_eq!(omitted["content"][0], json!({"type": "thinking", "thinking": "", "signature": "trainyard:hm"}));
    let mut cut = deltas();
    cut.truncate(5);
    cut.push(ChatDelta { finish: Some(ChatFinish::Length), ..ChatDelta::default() });
    let message = whole(json!({"max_tokens": 5}), cut.clone());
    assert_eq!(message["content"][2]["input"], json!({"INVALID_JSON": "{\"a\":"}));
    assert_eq!(message["stop_reason"], "max_tokens");
    assert_eq!(whole(json!({}), cut)["stop_reason"], "model_context_window_exceeded");
    let stopped = ChatDelta { finish: Some(ChatFinish::StopText(1)), ..ChatDelta::default() };
    let message = whole(json!({"stop_sequences": ["a", "b"]}), vec![stopped]);
    assert_eq!((&message["stop_reason"], &message["stop_sequence"]), (&json!("stop_sequence"), &json!("b")));
}

#[test]
fn a_long_prompt_has_the_words_that_agents_look_for() {
    let failure = failure(ChatError::PromptTooLong { prompt: 9, limit: 5 });
    assert_eq!((failure.status().code().as_u16(), failure.param()), (400, Some("messages")));
    assert!(failure.message().starts_with("prompt is too long: 9 tokens > 5 maximum"), "{failure}");
}
