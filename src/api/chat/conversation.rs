//! The one internal form of a conversation: messages as in chat completions, which the chat template gets. The readers of the other
//! dialects make them from their items and blocks, so that the same conversation has the same prompt in each.

use serde_json::{Value, json};

use super::read::invalid;
use crate::chat::ChatError;

/// The messages so far, and the assistant message that is being assembled from its parts.
#[derive(Default)]
pub(super) struct Conversation {
    messages: Vec<Value>,
    turn: Turn,
}

/// The parts of one assistant message.
#[derive(Default)]
struct Turn {
    reasoning: Option<String>,
    content: Option<String>,
    calls: Vec<Value>,
}

impl Turn {
    /// Returns whether the message has what follows its reasoning content.
    fn has_begun(&self) -> bool {
        self.content.is_some() || !self.calls.is_empty()
    }
}

impl Conversation {
    /// Adds a message of another role than assistant.
    pub(super) fn say(&mut self, role: &str, content: impl Into<Value>) {
        self.end_turn();
        self.messages.push(json!({"role": role, "content": content.into()}));
    }

    /// Adds reasoning content of the assistant. It begins a message, unless it follows other reasoning content.
    pub(super) fn think(&mut self, reasoning: &str) {
        if self.turn.has_begun() {
            self.end_turn();
        }
        self.turn.reasoning.get_or_insert_default().push_str(reasoning);
    }

    /// Adds text of the assistant. It begins a message, unless it follows reasoning content.
    pub(super) fn answer(&mut self, text: String) {
        if self.turn.has_begun() {
            self.end_turn();
        }
        self.turn.content = Some(text);
    }

    /// Adds text of the assistant to its message, or begins one after calls.
    pub(super) fn continue_answer(&mut self, text: &str) {
        if !self.turn.calls.is_empty() {
            self.end_turn();
        }
        self.turn.content.get_or_insert_default().push_str(text);
    }

    /// Adds a call of the assistant to its message.
    pub(super) fn call(&mut self, id: &str, name: &str, arguments: &str) {
        let function = json!({"name": name, "arguments": arguments});
        self.turn.calls.push(json!({"id": id, "type": "function", "function": function}));
    }

    /// Adds the result of a call.
    pub(super) fn result(&mut self, id: &str, content: impl Into<Value>) {
        self.end_turn();
        self.messages.push(json!({"role": "tool", "tool_call_id": id, "content": content.into()}));
    }

    /// Returns the messages.
    pub(super) fn into_messages(mut self) -> Vec<Value> {
        self.end_turn();
        self.messages
    }

    /// Completes the assistant message, if there is one.
    fn end_turn(&mut self) {
        let Turn { reasoning, content, calls } = std::mem::take(&mut self.turn);
        if reasoning.is_none() && content.is_none() && calls.is_empty() {
            return;
        }
        let mut message = json!({"role": "assistant", "content": content});
        if let Some(reasoning) = reasoning {
            message["reasoning_content"] = json!(reasoning);
        }
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        self.messages.push(message);
    }
}

/// Returns a field that an item or block of its type requires.
pub(super) fn there<T>(value: Option<T>, at: &str, field: &str) -> Result<T, ChatError> {
    value.ok_or_else(|| {
        let param = format!("{at}.{field}");
        let message = format!("{param} is missing");
        invalid(param, message)
    })
}
