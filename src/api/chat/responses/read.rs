//! Converts a Responses request of the OpenAPI document to a request of the chat domain.
//!
//! The conversation is converted to the messages that a chat client would send for it, so that both APIs sample from
//! the same prompt.

use serde_json::{Value, json};

use super::super::super::ignored::Ignored;
use super::super::conversation::{Conversation, there};
use super::super::read::{chosen_tool, ignored_fields, reject, schema, strict_schema, unreadable};
use crate::chat::{ChatError, ChatRequest, ResponseFormat, SamplingRequest};
use crate::generated::types::{
    FunctionName, NamedToolChoice, ResponseContent, ResponseContentPart, ResponseInput, ResponseInputItem,
    ResponseInputItemType as ItemType, ResponseRequest, ResponseRole, ResponseTextFormat, ResponseTool,
    ResponseToolChoice, ToolChoice as WireChoice,
};
use crate::http::ApiError;
use crate::json::ReadObject;

/// Documented options of OpenAI's and of chat completions that would change the response and are not implemented. Null
/// and the given value are accepted.
const REJECTED: [(&str, Option<&str>); 22] = [
    ("background", Some("false")),
    ("context_management", None),
    ("conversation", None),
    ("frequency_penalty", Some("0")),
    ("function_call", None),
    ("functions", None),
    ("logit_bias", Some("{}")),
    ("logprobs", Some("false")),
    ("max_completion_tokens", None),
    ("max_tokens", None),
    ("max_tool_calls", None),
    ("messages", None),
    ("moderation", None),
    ("n", Some("1")),
    ("presence_penalty", Some("0")),
    ("previous_response_id", None),
    ("prompt", None),
    ("reasoning_effort", None),
    ("response_format", None),
    ("stop", None),
    ("store", Some("false")),
    ("truncation", Some(r#""disabled""#)),
];
/// Those options that need stored responses.
const STORED: [&str; 4] = ["background", "conversation", "previous_response_id", "store"];
/// Likewise for the fields of `reasoning`.
const REJECTED_REASONING: [(&str, Option<&str>); 2] = [("generate_summary", None), ("summary", None)];
/// Likewise for the fields of a tool.
const REJECTED_TOOL: [(&str, Option<&str>); 3] =
    [("allowed_callers", Some(r#"["direct"]"#)), ("defer_loading", Some("false")), ("output_schema", None)];

/// Documented fields that cannot change the response.
const WITHOUT_EFFECT: [&str; 8] = [
    "nvext",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "stream_options",
    "user",
];

/// Returns the fields of a body that have no effect.
///
/// # Errors
/// Returns 422 for an unknown field whose name is similar to a known one.
pub(super) fn ignored(body: &ResponseRequest) -> Result<Ignored, ApiError> {
    ignored_fields(&body.extra, ResponseRequest::NAMES, &REJECTED, &WITHOUT_EFFECT)
}

/// Converts a body to a request for the owner of the key. Ignores `model` and the fields that affect only the
/// format of the response.
///
/// # Errors
/// Returns [`ChatError::Invalid`] or [`ChatError::Unsupported`] with the field's path.
pub(super) fn request(body: &ResponseRequest, owner: &str) -> Result<ChatRequest, ChatError> {
    reject(&body.extra, "", &REJECTED).map_err(explained)?;
    let tools = tools(body.tools.as_deref().unwrap_or_default())?;
    let (response_format, format_field) = format(body)?;
    if let Some(reasoning) = &body.reasoning {
        reject(&reasoning.extra, "reasoning.", &REJECTED_REASONING)?;
    }
    let choice = body.tool_choice.clone().map(|choice| match choice {
        ResponseToolChoice::ToolChoiceMode(mode) => WireChoice::ToolChoiceMode(mode),
        ResponseToolChoice::ResponseNamedTool(tool) => WireChoice::NamedToolChoice(NamedToolChoice {
            type_: tool.type_,
            function: FunctionName { name: tool.name },
        }),
    });
    Ok(ChatRequest {
        owner: owner.into(),
        tool_choice: chosen_tool(choice.as_ref(), &tools)?,
        tools,
        parallel_tool_calls: body.parallel_tool_calls != Some(false),
        response_format,
        format_field,
        max_tokens: body.max_output_tokens,
        stream: body.stream == Some(true),
        seed: body.seed.map(i64::cast_unsigned),
        sampling: SamplingRequest {
            temperature: body.temperature.map(|value| value as f32),
            top_p: body.top_p.map(|value| value as f32),
            top_logprobs: body.top_logprobs.unwrap_or(0) as usize,
            ..SamplingRequest::default()
        },
        reasoning_effort: body.reasoning.as_ref().and_then(|reasoning| reasoning.effort.clone()),
        verbosity: body.text.as_ref().and_then(|text| text.verbosity).map(|verbosity| verbosity.as_str().to_owned()),
        chat_template_kwargs: match &body.chat_template_kwargs {
            None => serde_json::Map::new(),
            Some(kwargs) => kwargs.read().map_err(unreadable)?,
        },
        ..ChatRequest::new(messages(body.instructions.as_deref(), &body.input)?)
    })
}

/// Adds the alternative to the message about an option that needs stored responses.
fn explained(error: ChatError) -> ChatError {
    match error {
        ChatError::Unsupported { param, .. } if STORED.contains(&&*param) => {
            let message =
                format!("`{param}` is not supported: no response is stored; send the whole conversation as `input`");
            ChatError::Unsupported { param, message }
        }
        other => other,
    }
}

/// Converts tools to the format of chat completions.
fn tools(tools: &[ResponseTool]) -> Result<Vec<Value>, ChatError> {
    let tool = |(index, tool): (usize, &ResponseTool)| {
        reject(&tool.extra, &format!("tools[{index}]."), &REJECTED_TOOL)?;
        let mut function = json!({"name": tool.name});
        if let Some(description) = &tool.description {
            function["description"] = json!(description);
        }
        if let Some(parameters) = &tool.parameters {
            function["parameters"] = parameters.read().map_err(unreadable)?;
        }
        if let Some(strict) = tool.strict {
            function["strict"] = json!(strict);
        }
        Ok(json!({"type": "function", "function": function}))
    };
    tools.iter().enumerate().map(tool).collect()
}

/// Returns the response format and the field that sets it.
fn format(body: &ResponseRequest) -> Result<(ResponseFormat, &'static str), ChatError> {
    let format = body.text.as_ref().and_then(|text| text.format.as_ref());
    Ok(match format {
        None | Some(ResponseTextFormat::ResponseFormatText(_)) => (ResponseFormat::Text, "text.format"),
        Some(ResponseTextFormat::ResponseFormatJsonObject(format)) => match &format.schema {
            None => (ResponseFormat::JsonObject, "text.format"),
            Some(object) => (ResponseFormat::JsonSchema(schema(object)?), "text.format.schema"),
        },
        Some(ResponseTextFormat::ResponseTextJsonSchema(format)) => {
            (ResponseFormat::JsonSchema(strict_schema(&format.schema, format.strict)?), "text.format.schema")
        }
    })
}

/// Returns the messages of a conversation.
fn messages(instructions: Option<&str>, input: &ResponseInput) -> Result<Vec<Value>, ChatError> {
    let mut conversation = Conversation::default();
    if let Some(instructions) = instructions {
        conversation.say("system", instructions);
    }
    match input {
        ResponseInput::String(text) => conversation.say("user", text.as_str()),
        ResponseInput::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                add(&mut conversation, item, &format!("input[{index}]"))?;
            }
        }
    }
    Ok(conversation.into_messages())
}

/// Adds an item. `at` is its path in the request.
fn add(conversation: &mut Conversation, item: &ResponseInputItem, at: &str) -> Result<(), ChatError> {
    match item.type_.unwrap_or(ItemType::Message) {
        ItemType::Message => {
            let role = there(item.role, at, "role")?;
            let text = text(there(item.content.as_ref(), at, "content")?);
            match role {
                ResponseRole::Assistant => conversation.answer(text),
                role => conversation.say(role.as_str(), text),
            }
        }
        ItemType::Reasoning => {
            if item.encrypted_content.is_some() {
                let param = format!("{at}.encrypted_content");
                let message = format!("`{param}` cannot be read here; leave it out");
                return Err(ChatError::Unsupported { param, message });
            }
            let summary = || item.summary.iter().flatten().map(|part| &*part.text).collect::<Vec<_>>().join("\n\n");
            let thoughts = item.content.as_ref().map_or_else(summary, text);
            conversation.think(&thoughts);
        }
        ItemType::ItemReference => {
            let message = format!(
                "`{at}` refers to a stored item, and none is stored; send the item itself, as clients do with `store` false"
            );
            return Err(ChatError::Unsupported { param: format!("{at}.type"), message });
        }
        ItemType::FunctionCall => {
            let id = there(item.call_id.as_ref(), at, "call_id")?;
            let name = there(item.name.as_ref(), at, "name")?;
            let arguments = there(item.arguments.as_ref(), at, "arguments")?;
            conversation.call(id, name, arguments);
        }
        ItemType::FunctionCallOutput => {
            let id = there(item.call_id.as_ref(), at, "call_id")?;
            let output = text(there(item.output.as_ref(), at, "output")?);
            conversation.result(id, output);
        }
    }
    Ok(())
}

fn text(content: &ResponseContent) -> String {
    let part = |part: &ResponseContentPart| match part {
        ResponseContentPart::ResponseTextPart(part) => part.text.clone(),
        ResponseContentPart::RefusalContentPart(part) => part.refusal.clone(),
    };
    match content {
        ResponseContent::String(text) => text.clone(),
        ResponseContent::Array(parts) => parts.iter().map(part).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(more: Value) -> Result<ChatRequest, ChatError> {
        let mut body = json!({"model": "m", "input": "hi"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request(&serde_json::from_value(body).unwrap(), "acme")
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
            "top_logprobs": 3, "seed": 7, "store": false, "truncation": "disabled", "background": false,
        }));
        let request = read.unwrap();
        let tool = json!({"type": "function", "function": {"name": "f", "parameters": schema, "strict": true}});
        let expected = ChatRequest {
            owner: "acme".into(),
            tools: vec![tool],
            tool_choice: crate::chat::ToolChoice::Function("f".into()),
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
            (json!({"type": "item_reference", "id": "msg_1"}), "type"),
            (json!({"type": "function_call", "name": "f", "arguments": "{}"}), "call_id"),
            (json!({"type": "function_call", "call_id": "c", "arguments": "{}"}), "name"),
            (json!({"type": "function_call", "call_id": "c", "name": "f"}), "arguments"),
            (json!({"type": "function_call_output", "call_id": "c"}), "output"),
            (json!({"type": "reasoning", "summary": [], "encrypted_content": "x"}), "encrypted_content"),
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
    fn unsupported_options_are_rejected_by_name() {
        let names: Vec<Value> = REJECTED.iter().map(|(name, _)| json!({*name: "other"})).collect();
        let inside = [
            (json!({"reasoning": {"summary": "auto"}}), "reasoning.summary"),
            (json!({"tools": [{"type": "function", "name": "f", "defer_loading": true}]}), "tools[0].defer_loading"),
        ];
        let names = names.into_iter().map(|body| {
            let name = body.as_object().unwrap().keys().next().unwrap().clone();
            (body, name)
        });
        for (body, name) in names.chain(inside.map(|(body, name)| (body, name.to_owned()))) {
            match read(body.clone()) {
                Err(ChatError::Unsupported { param, message }) => {
                    assert_eq!(param, name);
                    assert!(message.contains(&name), "{message}");
                    assert_eq!(message.contains("whole conversation"), STORED.contains(&&*name), "{message}");
                }
                other => panic!("{body}: {other:?}"),
            }
        }
        for (name, neutral) in REJECTED {
            read(json!({name: null})).unwrap();
            if let Some(neutral) = neutral {
                read(json!({name: serde_json::from_str::<Value>(neutral).unwrap()})).unwrap();
            }
        }
    }
}
