use serde_json::json;

use super::*;
use crate::chat::ToolChoice;

fn body(more: &Value) -> ResponseRequest {
    let mut body = json!({"model": "m", "input": "hi"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(body).unwrap()
}

fn read(more: Value) -> Result<ChatRequest, ChatError> {
    request(&body(&more), &Recalled::default(), "acme")
}

fn items(items: Value) -> Vec<ResponseInputItem> {
    serde_json::from_value(items).unwrap()
}

fn messages_of(input: Value) -> Value {
    Value::Array(read(json!({"input": input})).unwrap().messages)
}

#[test]
fn items_of_one_turn_are_one_message() {
    let call = |id: &str| json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": "f", "arguments": "{}", "status": "completed"});
    let chat_call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let messages = messages_of(json!([
        {"role": "developer", "content": "be brief"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": "c", "annotations": [], "logprobs": []}]},
        call("one"),
        call("two"),
        {"type": "function_call_output", "call_id": "one", "output": "1"},
        {"type": "function_call_output", "call_id": "two", "output": [{"type": "input_text", "text": "2"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}, {"type": "summary_text", "text": "y"}]},
        {"role": "assistant", "content": "d"},
        {"role": "assistant", "content": "e"},
    ]));
    let expected = json!([
        {"role": "developer", "content": "be brief"},
        {"role": "user", "content": "ab"},
        {"role": "assistant", "content": "c", "reasoning_content": "hm", "tool_calls": [chat_call("one"), chat_call("two")]},
        {"role": "tool", "tool_call_id": "one", "content": "1"},
        {"role": "tool", "tool_call_id": "two", "content": "2"},
        {"role": "assistant", "content": "d", "reasoning_content": "x\n\ny"},
        {"role": "assistant", "content": "e"},
    ]);
    assert_eq!(messages, expected);
}

#[test]
fn a_text_is_a_message_of_the_user() {
    let request = read(json!({"instructions": "be brief"})).unwrap();
    let expected = [json!({"role": "system", "content": "be brief"}), json!({"role": "user", "content": "hi"})];
    assert_eq!(request.messages, expected);
}

#[test]
fn options_are_those_of_chat() {
    let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    let read = read(json!({
        "tools": [{"type": "function", "name": "f", "parameters": schema, "strict": true}],
        "tool_choice": {"type": "function", "name": "f"}, "parallel_tool_calls": false,
        "text": {"format": {"type": "json_schema", "name": "n", "schema": schema}, "verbosity": "low"},
        "reasoning": {"effort": "none"}, "max_output_tokens": 5, "temperature": 0.5, "top_p": 0.25,
        "top_logprobs": 3, "seed": 7,
    }));
    let request = read.unwrap();
    let tool = json!({"type": "function", "function": {"name": "f", "parameters": schema, "strict": true}});
    let expected = ChatRequest {
        owner: "acme".into(),
        tools: vec![tool],
        tool_choice: ToolChoice::Function("f".into()),
        parallel_tool_calls: false,
        response_format: ResponseFormat::JsonSchema(schema.clone()),
        format_field: "text.format.schema",
        max_tokens: Some(5),
        seed: Some(7),
        sampling: SamplingRequest {
            temperature: Some(0.5),
            top_p: Some(0.25),
            top_logprobs: 3,
            ..SamplingRequest::default()
        },
        reasoning_effort: Some("none".into()),
        effort_field: "reasoning.effort",
        verbosity: Some("low".into()),
        ..ChatRequest::new(vec![json!({"role": "user", "content": "hi"})])
    };
    assert_eq!(request, expected);
    assert_eq!(
        request.tools[0]["function"]["parameters"]["properties"].to_string(),
        r#"{"z":{},"a":{}}"#,
        "the order of keys is part of the prompt"
    );
}

#[test]
fn items_lack_nothing() {
    for (item, field) in [
        (json!({"content": "a"}), "role"),
        (json!({"role": "user"}), "content"),
        (json!({"id": "msg_1"}), "role"),
        (json!({"type": "item_reference", "id": "msg_1"}), "id"),
        (json!({"type": "item_reference"}), "id"),
        (json!({"type": "custom_tool_call", "call_id": "c", "name": "f"}), "input"),
        (json!({"type": "function_call", "name": "f", "arguments": "{}"}), "call_id"),
        (json!({"type": "function_call", "call_id": "c", "arguments": "{}"}), "name"),
        (json!({"type": "function_call", "call_id": "c", "name": "f"}), "arguments"),
        (json!({"type": "function_call_output", "call_id": "c"}), "output"),
    ] {
        let expected = format!("input[1].{field}");
        match read(json!({"input": [{"role": "user", "content": "hi"}, item]})) {
            Err(ChatError::Invalid { param, .. } | ChatError::Unsupported { param, .. }) => {
                assert_eq!(param, expected);
            }
            other => panic!("{expected}: {other:?}"),
        }
    }
}

#[test]
fn stored_items_precede_the_input_and_replace_references() {
    let context = items(json!([
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": "b", "annotations": [], "logprobs": []}]},
    ]));
    let thought = items(
        json!([{"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]}]),
    );
    let references = [("rs_1".to_owned(), thought[0].clone())].into();
    let more = json!({"instructions": "be brief", "input": [
        {"role": "user", "content": "c"}, {"type": "item_reference", "id": "rs_1"}, {"role": "assistant", "content": "d"},
    ]});
    let messages = request(&body(&more), &Recalled { context, references }, "acme").unwrap().messages;
    let expected = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
        {"role": "assistant", "content": "d", "reasoning_content": "hm"},
    ]);
    assert_eq!(Value::Array(messages), expected);
}

#[test]
fn reasoning_of_another_server_is_its_summary() {
    let input = json!([
        {"role": "user", "content": "a"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "short"}], "encrypted_content": "x"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
        {"type": "reasoning", "summary": [], "encrypted_content": "y"},
        {"role": "assistant", "content": "d"},
    ]);
    let request = read(json!({"input": input})).unwrap();
    assert_eq!(request.messages[1], json!({"role": "assistant", "content": "b", "reasoning_content": "short"}));
    assert_eq!(request.messages[3], json!({"role": "assistant", "content": "d"}));
    assert_eq!(request.ignored, ["input[1].encrypted_content", "input[4].encrypted_content"]);
}

#[test]
fn calls_of_custom_and_namespaced_tools_are_calls_of_their_functions() {
    let input = json!([
        {"type": "custom_tool_call", "call_id": "1", "name": "shell", "input": "ls \"a\""},
        {"type": "custom_tool_call_output", "call_id": "1", "output": "b"},
        {"type": "function_call", "call_id": "2", "namespace": "files", "name": "read", "arguments": "{}"},
    ]);
    let messages = messages_of(input);
    assert_eq!(
        messages[0]["tool_calls"][0]["function"],
        json!({"name": "shell", "arguments": "{\"input\":\"ls \\\"a\\\"\"}"})
    );
    assert_eq!(messages[1], json!({"role": "tool", "tool_call_id": "1", "content": "b"}));
    assert_eq!(messages[2]["tool_calls"][0]["function"]["name"], "files__read");
}

#[test]
fn unsupported_options_are_rejected_by_name() {
    for (more, name) in [
        (json!({"conversation": "conv_1"}), "conversation"),
        (json!({"prompt": {"id": "x"}}), "prompt"),
        (json!({"truncation": "auto"}), "truncation"),
        (json!({"max_tokens": 5}), "max_tokens"),
        (json!({"tools": [{"type": "function", "name": "f", "output_schema": {}}]}), "tools[0].output_schema"),
        (
            json!({"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "function", "allowed_callers": ["programmatic"]}]}]}),
            "tools[0].tools[0].allowed_callers",
        ),
    ] {
        let failure = ignored(&body(&more)).unwrap_err();
        assert_eq!((failure.param(), failure.code()), (Some(name), Some("unsupported_parameter")), "{more}");
    }
    for neutral in [json!({"truncation": "disabled", "n": 1.0, "conversation": null}), json!({"logprobs": false})] {
        ignored(&body(&neutral)).unwrap();
    }
    let misspelt = ignored(&body(&json!({"previous_response": "resp_1"}))).unwrap_err();
    assert_eq!(misspelt.code(), Some("unknown_parameter"));
}
