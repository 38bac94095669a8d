//! Extracts tool calls from the text of a completion while it is generated.
//!
//! Arguments are emitted as JSON while they are generated. Text that begins like a call but is none stays content, including
//! the marker. There is a reader for each notation of arguments; `json_calls` passes JSON on as the model wrote it, and
//! `member_calls` writes names and values of another notation as JSON.

mod header;
mod json_calls;
mod literals;
mod member_calls;
mod parameters;

use serde_json::Value;

use super::stop::held_back;
use super::tool_formats::{Notation, ToolFormat};
use json_calls::JsonCalls;
use member_calls::MemberCalls;

pub(super) use parameters::{resolved, types};

/// A tool call of the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// Id of the call in the conversation: `call_` and 24 hexadecimal digits, or nine letters and digits.
    pub id: String,
    /// Name of the function.
    pub name: String,
    /// Arguments: JSON as the model wrote it, truncated if the completion was.
    pub arguments: String,
}

/// Increment of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCallDelta {
    /// Index among the calls of the choice.
    pub index: u32,
    /// Id and name, in the call's first delta.
    pub start: Option<ToolCallStart>,
    /// Additional text of the arguments; may be empty.
    pub arguments: String,
}

/// Beginning of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCallStart {
    /// Same as [`ToolCall::id`].
    pub id: String,
    /// Same as [`ToolCall::name`].
    pub name: String,
}

impl ToolCallDelta {
    /// Adds the delta to the calls of a choice; deltas must come in order.
    pub(super) fn apply(self, calls: &mut Vec<ToolCall>) {
        if let Some(ToolCallStart { id, name }) = self.start {
            calls.push(ToolCall { id, name, arguments: String::new() });
        }
        if let Some(call) = calls.get_mut(self.index as usize) {
            call.arguments.push_str(&self.arguments);
        }
    }
}

/// Output for a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Content.
    Text(String),
    /// A call of this function begins.
    Call(String),
    /// Additional text of the call's arguments.
    Arguments(String),
    /// The call is complete.
    End,
}

/// Reads the text of a completion piece by piece, and splits it into content and calls.
pub(super) trait CallReader: Send {
    /// Adds a piece of text. After the beginning of a call, the rest of the piece stays buffered until the next one, so
    /// that a call's first delta has no arguments.
    fn push(&mut self, piece: &str) -> Vec<Part>;

    /// Ends the text. An incomplete opening of a call becomes text, and so does white space unless it follows a call.
    fn finish(&mut self) -> Vec<Part>;
}

/// Returns a reader of a format's calls at the start of a completion. `functions` are those of the callable tools.
pub(super) fn reader(format: &ToolFormat, functions: &[Value]) -> Box<dyn CallReader> {
    match format.kind().notation() {
        Notation::Json => Box::new(JsonCalls::new(format.kind(), functions)),
        Notation::Parameters | Notation::Literals(_) => Box::new(MemberCalls::new(format.kind(), functions)),
    }
}

/// Result of one parsing step.
enum Step {
    Again,
    /// A call has begun: its arguments belong to the next delta.
    Begun,
    Wait,
}

/// Emits the content before the marker that opens a call. Returns the length of the buffered text up to the marker's end, once there
/// is one.
fn find_opening(held: &mut String, open: &str, parts: &mut Vec<Part>) -> Option<usize> {
    let start = held.find(open);
    // White space before a call belongs to the template, not to the content; it is buffered until this is decided.
    let certain = start.unwrap_or_else(|| held.len() - held_back(held, std::iter::once(open)));
    let content = held[..certain].trim_end().len();
    text(&held[..content], parts);
    held.drain(..content);
    start.map(|start| start - content + open.len())
}

/// Emits text, unless it is empty.
fn text(text: &str, parts: &mut Vec<Part>) {
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
}

#[cfg(test)]
mod tests;
