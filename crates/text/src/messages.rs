//! Converts messages and tools from the wire format to the form that a template expects.

use serde_json::{Map, Value};

use super::template_error::TemplateError;

/// Maximum number of values in the arguments of a conversation's tool calls, which are texts until a template needs them
/// as objects. A parsed value takes a hundred times the bytes of its text.
const MAX_ARGUMENT_VALUES: usize = 100_000;

/// Properties of a template that decide the form of its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MessageStyle {
    /// Whether the template expects the arguments of tool calls as objects instead of JSON text.
    pub parses_arguments: bool,
    /// Whether the template tests content for none.
    pub knows_null_content: bool,
    /// Whether the template iterates over content parts itself.
    pub takes_parts: bool,
    /// Whether the template has a role `developer`.
    pub knows_developer: bool,
}

impl MessageStyle {
    /// Detects the style from the template's source. Whether it parses arguments is only known by rendering.
    pub(crate) fn of(source: &str) -> Self {
        let dense: String =
            source.chars().filter(|character| !character.is_whitespace()).collect::<String>().to_lowercase();
        let asks = |question: &str| {
            ["content", "content']", "content\"]"].iter().any(|content| dense.contains(&format!("{content}{question}")))
        };
        Self {
            parses_arguments: false,
            knows_null_content: ["isnone", "isnotnone", "==none", "!=none"].into_iter().any(asks),
            takes_parts: loops_over_content(source),
            knows_developer: source.contains("developer"),
        }
    }
}

/// Returns whether a `for` iterates over a variable named content.
fn loops_over_content(source: &str) -> bool {
    source.split("{%").skip(1).any(|tag| {
        let tag = tag.split("%}").next().unwrap_or_default().trim_matches(|c: char| c == '-' || c.is_whitespace());
        let Some(head) = tag.strip_prefix("for ") else { return false };
        let Some((_, iterated)) = head.split_once(" in ") else { return false };
        let iterated = iterated.split(" if ").next().unwrap_or_default().split('|').next().unwrap_or_default();
        let name = iterated.trim().trim_end_matches(['\'', '"', ']']);
        name.ends_with("content")
    })
}

/// Converts messages to the form that a template expects: null or missing content becomes empty text, text parts are
/// joined, `developer` becomes `system`, null fields are removed, reasoning content is set under each of its names, and
/// with `parses_arguments` the arguments of tool calls become objects. Parts that the template handles itself stay
/// unchanged.
///
/// # Errors
/// A message is not an object, has no role, or has content other than text.
pub(crate) fn normalize_messages(messages: &mut [Value], style: MessageStyle) -> Result<(), TemplateError> {
    let mut room = MAX_ARGUMENT_VALUES;
    messages.iter_mut().enumerate().try_for_each(|(index, message)| normalize_message(index, message, style, &mut room))
}

fn normalize_message(
    index: usize,
    message: &mut Value,
    style: MessageStyle,
    room: &mut usize,
) -> Result<(), TemplateError> {
    let fault = |field: &str, reason: &str| TemplateError::Message {
        index,
        field: field.to_owned(),
        reason: reason.to_owned(),
    };
    let Some(fields) = message.as_object_mut() else { return Err(fault("", "a message is an object")) };
    let Some(role) = fields.get("role").and_then(Value::as_str) else {
        return Err(fault("role", "a message has a role, which is text"));
    };
    let unknown_role = role == "developer" && !style.knows_developer;
    if unknown_role {
        fields.insert("role".to_owned(), "system".into());
    }
    fields.retain(|key, value| !value.is_null() || key == "content");
    let content = match fields.get_mut("content").map(Value::take) {
        None | Some(Value::Null) if style.knows_null_content => Value::Null,
        None | Some(Value::Null) => "".into(),
        Some(text @ Value::String(_)) => text,
        Some(Value::Array(parts)) => {
            let joined = join_parts(index, &parts)?;
            if style.takes_parts { parts.into() } else { joined.into() }
        }
        Some(_) => return Err(fault("content", "content is text, a list of text parts, or null")),
    };
    fields.insert("content".to_owned(), content);
    // Templates read reasoning content under one of these names; clients may send it under another.
    let reasoning = ["reasoning_content", "thinking", "reasoning"].iter().find_map(|name| fields.get(*name)).cloned();
    if let Some(reasoning) = reasoning {
        fields.entry("thinking").or_insert_with(|| reasoning.clone());
        fields.insert("reasoning_content".to_owned(), reasoning);
    }
    if style.parses_arguments {
        let calls = fields.get_mut("tool_calls").and_then(Value::as_array_mut);
        for call in calls.into_iter().flatten() {
            let Some(arguments) = call.pointer_mut("/function/arguments") else { continue };
            // Text that is not a JSON object is kept; the template handles it.
            let Some(text) = arguments.as_str() else { continue };
            // Each value but the first follows one of these.
            let values = text.bytes().filter(|byte| matches!(byte, b'{' | b'[' | b',' | b':')).count();
            *room = room.checked_sub(values).ok_or_else(|| {
                let reason = format!("the arguments of all tool calls have more than {MAX_ARGUMENT_VALUES} values");
                fault("tool_calls", &reason)
            })?;
            if let Ok(parsed @ Value::Object(_)) = serde_json::from_str(text) {
                *arguments = parsed;
            }
        }
    }
    Ok(())
}

fn join_parts(index: usize, parts: &[Value]) -> Result<String, TemplateError> {
    let mut text = String::new();
    for (part_index, part) in parts.iter().enumerate() {
        let piece = match part["type"].as_str() {
            Some("text") => part["text"].as_str(),
            Some("refusal") => part["refusal"].as_str(),
            _ => None,
        };
        text.push_str(piece.ok_or_else(|| TemplateError::Message {
            index,
            field: format!("content[{part_index}]"),
            reason: "only parts of type `text` are supported".to_owned(),
        })?);
    }
    Ok(text)
}

/// Puts the keys of tools into a fixed order: `type`, `function` with `name`, `description`, `parameters`, `strict`,
/// then any others. Templates print tools in the given order, and the client library sends different orders for
/// sampling and training.
pub(crate) fn normalize_tools(tools: &mut [Value]) {
    for tool in tools {
        reorder(tool, &["type", "function"]);
        if let Some(function) = tool.get_mut("function") {
            reorder(function, &["name", "description", "parameters", "strict"]);
        }
    }
}

/// Moves the keys of an object that are in `first` to its start.
fn reorder(value: &mut Value, first: &[&str]) {
    let Some(fields) = value.as_object_mut() else { return };
    let mut ordered: Map<String, Value> = first.iter().filter_map(|&key| fields.shift_remove_entry(key)).collect();
    ordered.append(fields);
    *fields = ordered;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PARSING: MessageStyle =
        MessageStyle { parses_arguments: true, knows_null_content: false, takes_parts: false, knows_developer: false };

    fn normalized(messages: &[Value], style: MessageStyle) -> Result<Vec<Value>, TemplateError> {
        let mut messages = messages.to_vec();
        normalize_messages(&mut messages, style).map(|()| messages)
    }

    #[test]
    fn messages_are_normalised() {
        let messages = [
            json!({"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
            json!({"role": "assistant", "content": null, "audio": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"z\": 1, \"a\": 2}"}}]}),
        ];
        let parsed = normalized(&messages, PARSING).unwrap();
        assert_eq!(parsed[0], json!({"role": "system", "content": "ab"}));
        assert_eq!(
            parsed[1].to_string(),
            r#"{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"z":1,"a":2}}}]}"#
        );
        let plain = normalized(&messages, MessageStyle::default()).unwrap();
        assert!(plain[1]["tool_calls"][0]["function"]["arguments"].is_string());
        for bad in
            [json!("x"), json!({}), json!({"role": 1}), json!({"role": "user", "content": [{"type": "image_url"}]})]
        {
            for style in [MessageStyle::default(), MessageStyle { takes_parts: true, ..PARSING }] {
                assert!(normalized(std::slice::from_ref(&bad), style).is_err());
            }
        }
    }

    #[test]
    fn messages_that_a_template_handles_are_unchanged() {
        let style = MessageStyle::of(
            "{% if m['content'] is none %}{% endif %}{%- for part in m.content if part.type -%}{% endfor %}{{ 'developer' }}",
        );
        let all = MessageStyle { knows_null_content: true, takes_parts: true, knows_developer: true, ..style };
        assert_eq!(style, all);
        let messages = [
            json!({"role": "developer", "content": [{"type": "text", "text": "a"}]}),
            json!({"role": "assistant"}),
            json!({"role": "assistant", "content": "b", "reasoning": "r"}),
        ];
        let given = normalized(&messages, style).unwrap();
        assert_eq!(given[0], messages[0]);
        assert_eq!(given[1], json!({"role": "assistant", "content": null}));
        assert_eq!((&given[2]["reasoning_content"], &given[2]["thinking"]), (&json!("r"), &json!("r")));
        let simple = "{% for m in messages %}{{ m.content }}{% if m.tool_calls is none %}{% endif %}{% endfor %}";
        assert_eq!(MessageStyle::of(simple), MessageStyle::default());
    }

    #[test]
    fn arguments_of_many_values_are_rejected_where_they_would_be_parsed() {
        let call = |values: usize| {
            let arguments = format!(r#"{{"a":[0{}]}}"#, ",0".repeat(values));
            vec![json!({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": arguments}}]})]
        };
        assert!(normalized(&call(MAX_ARGUMENT_VALUES - 3), PARSING).is_ok());
        let rejected = normalized(&[call(60_000), call(60_000)].concat(), PARSING).unwrap_err();
        assert!(matches!(&rejected, TemplateError::Message { index: 1, .. }), "{rejected}");
        assert!(normalized(&call(200_000), MessageStyle::default()).is_ok(), "they stay a text");
    }

    #[test]
    fn tools_have_one_order() {
        let mut tools =
            [json!({"function": {"parameters": {"b": 1, "a": 2}, "extra": 1, "name": "f"}, "type": "function"})];
        normalize_tools(&mut tools);
        let text = serde_json::to_string(&tools).unwrap();
        assert_eq!(text, r#"[{"type":"function","function":{"name":"f","parameters":{"b":1,"a":2},"extra":1}}]"#);
    }
}
