//! Gives the parts of a conversation that a template does not show a place in messages that it shows.
//!
//! | part | place |
//! |---|---|
//! | tools | the end of the system message, in the form of Hermes |
//! | tool calls | the end of the assistant's text, each between `<tool_call>` and `</tool_call>` |
//! | tool results | one message of the user, each between `<tool_response>` and `</tool_response>` |
//! | calls and results in the older form | tool calls and results |
//! | `developer` | `system` |
//! | a system message | the start of the next message of the user |
//! | consecutive messages of one role | one message, with an empty line between their texts |

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::RenderInput;
use super::probe::Support;
use crate::json::{JsonStyle, dumps};

/// A part of a conversation that has another place than the template's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Adaptation {
    /// Tools are in the system message.
    Tools,
    /// Tool calls are in the assistant's text.
    ToolCalls,
    /// Tool results are messages of the user.
    ToolResults,
    /// Calls and results in the older form are tool calls and results.
    Functions,
    /// `developer` is `system`.
    Developer,
    /// A system message is in one of the user, or in the system message before it.
    System,
    /// Consecutive messages of one role are one message.
    Joined,
}

impl Adaptation {
    /// Returns the part and its place, in words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Tools => "tools in the system message",
            Self::ToolCalls => "tool calls in the text of the assistant",
            Self::ToolResults => "tool results in messages of the user",
            Self::Functions => "function calls as tool calls",
            Self::Developer => "developer as system",
            Self::System => "system messages in other messages",
            Self::Joined => "consecutive messages joined",
        }
    }
}

/// The adaptations of a conversation.
pub(crate) type Adaptations = BTreeSet<Adaptation>;

/// Separator of texts that become one message.
const GAP: &str = "\n\n";
/// Text of the system message before and after the list of tools: that of Hermes as Qwen's templates have it.
const TOOLS_START: &str = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with \
     function signatures within <tools></tools> XML tags:\n<tools>";
const TOOLS_END: &str = "\n</tools>\n\nFor each function call, return a json object with function name and arguments within \
     <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>";

/// Converts calls and results in the older form to tool calls and results. Comes before the messages are normalised.
pub(super) fn convert_functions(messages: &mut [Value], adaptations: &mut Adaptations) {
    for (index, message) in messages.iter_mut().enumerate() {
        let Some(fields) = message.as_object_mut() else { continue };
        // A result follows its call, and templates that check ids require nine characters.
        let id = |index: usize| format!("call{index:05}");
        match role(fields) {
            "assistant" if !has_calls(fields) && fields.get("function_call").is_some_and(Value::is_object) => {
                let function = fields.shift_remove("function_call");
                let call = json!({"id": id(index), "type": "function", "function": function});
                fields.insert("tool_calls".to_owned(), json!([call]));
            }
            "function" => {
                fields.insert("role".to_owned(), "tool".into());
                fields.insert("tool_call_id".to_owned(), id(index.saturating_sub(1)).into());
            }
            _ => continue,
        }
        adaptations.insert(Adaptation::Functions);
    }
}

/// Gives the parts that the template does not show another place. The messages are normalised.
pub(super) fn adapt(input: &mut RenderInput, support: Support, own_calls: bool, adaptations: &mut Adaptations) {
    if own_calls {
        write_calls(&mut input.messages, adaptations);
    }
    if own_calls && !input.tools.is_empty() {
        let tools = std::mem::take(&mut input.tools);
        add_to_system(&mut input.messages, &described(&tools));
        adaptations.insert(Adaptation::Tools);
    }
    move_system_messages(&mut input.messages, support, adaptations);
    join_turns(&mut input.messages, support, adaptations);
}

fn role(fields: &Map<String, Value>) -> &str {
    fields.get("role").and_then(Value::as_str).unwrap_or_default()
}

fn has_calls(fields: &Map<String, Value>) -> bool {
    fields.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty())
}

/// Returns JSON as templates print it.
fn printed(value: &Value) -> String {
    dumps(value, &JsonStyle::default())
}

/// Returns the text that describes tools.
fn described(tools: &[Value]) -> String {
    let lines: String = tools.iter().map(|tool| format!("\n{}", printed(tool))).collect();
    [TOOLS_START, &lines, TOOLS_END].concat()
}

/// Returns the text of a call. Arguments stay as the model wrote them.
fn written(call: &Value) -> String {
    let function = call.get("function").unwrap_or(call);
    let name = function.get("name").map(printed).unwrap_or_default();
    let arguments = match function.get("arguments") {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) if text.trim().is_empty() => "{}".to_owned(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(other) => printed(other),
    };
    format!("<tool_call>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</tool_call>")
}

/// Writes calls into the text of the assistant, and results into messages of the user.
fn write_calls(messages: &mut Vec<Value>, adaptations: &mut Adaptations) {
    let mut after_result = false;
    let mut written_messages: Vec<Value> = Vec::with_capacity(messages.len());
    for mut message in std::mem::take(messages) {
        let mut is_result = false;
        if let Some(fields) = message.as_object_mut() {
            if role(fields) == "tool" {
                is_result = true;
                let content = fields.shift_remove("content").unwrap_or_default();
                let content = joined("<tool_response>\n".into(), content, "");
                let content = joined(content, "\n</tool_response>".into(), "");
                message = json!({"role": "user", "content": content});
                adaptations.insert(Adaptation::ToolResults);
            } else if has_calls(fields)
                && let Some(Value::Array(calls)) = fields.shift_remove("tool_calls")
            {
                let calls: Vec<String> = calls.iter().map(written).collect();
                let content = fields.shift_remove("content").unwrap_or_default();
                fields.insert("content".to_owned(), joined(content, calls.join("\n").into(), "\n"));
                adaptations.insert(Adaptation::ToolCalls);
            }
        }
        match written_messages.last_mut() {
            Some(last) if is_result && after_result => append(last, message, "\n"),
            _ => written_messages.push(message),
        }
        after_result = is_result;
    }
    *messages = written_messages;
}

/// Appends a text to the system message, which is added if there is none.
fn add_to_system(messages: &mut Vec<Value>, text: &str) {
    let addition = json!({"role": "system", "content": text});
    match messages.first_mut() {
        Some(first) if first["role"] == "system" => append(first, addition, GAP),
        _ => messages.insert(0, addition),
    }
}

/// Moves the system messages that the template does not show.
fn move_system_messages(messages: &mut Vec<Value>, support: Support, adaptations: &mut Adaptations) {
    let mut moved: Vec<Value> = Vec::with_capacity(messages.len());
    // Whether the last message is a system message that waits for one of the user.
    let mut waits = false;
    for (index, mut message) in std::mem::take(messages).into_iter().enumerate() {
        let shown = if index == 0 { support.system } else { support.later_system };
        let is_system = message["role"] == "system";
        let is_lost = is_system && !shown;
        if is_lost {
            adaptations.insert(Adaptation::System);
            // The first one is shown, and this one follows it.
            let follows_first = support.system && moved.len() == 1 && moved[0]["role"] == "system";
            if follows_first && let Some(first) = moved.first_mut() {
                append(first, message, GAP);
                continue;
            }
            message["role"] = "user".into();
        }
        match moved.last_mut() {
            Some(last) if waits && message["role"] == "user" => append(last, message, GAP),
            _ => moved.push(message),
        }
        waits = is_lost;
    }
    *messages = moved;
}

/// Joins consecutive messages of a role of which the template shows one at a time.
fn join_turns(messages: &mut Vec<Value>, support: Support, adaptations: &mut Adaptations) {
    let mut turns: Vec<Value> = Vec::with_capacity(messages.len());
    for message in std::mem::take(messages) {
        let joins = |last: &Value| match (last["role"].as_str(), message["role"].as_str()) {
            (Some("user"), Some("user")) => !support.users,
            (Some("assistant"), Some("assistant")) => {
                !support.assistants && [last, &message].iter().all(|turn| !turn.as_object().is_some_and(has_calls))
            }
            _ => false,
        };
        match turns.last_mut() {
            Some(last) if joins(last) => {
                append(last, message, GAP);
                adaptations.insert(Adaptation::Joined);
            }
            _ => turns.push(message),
        }
    }
    *messages = turns;
}

/// Appends the content of a message to that of another.
fn append(message: &mut Value, mut other: Value, separator: &str) {
    let content = joined(message["content"].take(), other["content"].take(), separator);
    message["content"] = content;
}

/// Returns two contents as one: text, or a list of parts.
fn joined(one: Value, other: Value, separator: &str) -> Value {
    let part = |text: &str| json!({"type": "text", "text": text});
    let parts = |content: Value| match content {
        Value::Array(parts) => parts,
        Value::String(text) => vec![part(&text)],
        _ => Vec::new(),
    };
    match (one, other) {
        (Value::Null, content) | (content, Value::Null) => content,
        (Value::String(text), content) | (content, Value::String(text)) if text.is_empty() => content,
        (Value::String(mut text), Value::String(more)) => {
            text.push_str(separator);
            text.push_str(&more);
            text.into()
        }
        (one, other) => {
            let between = (!separator.is_empty()).then(|| part(separator));
            parts(one).into_iter().chain(between).chain(parts(other)).collect()
        }
    }
}
