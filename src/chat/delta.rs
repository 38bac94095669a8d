//! Increments of a choice: text, reasoning, tool calls and tokens, up to its finish reason.

use super::tools::ToolCallDelta;

/// Reason why a choice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFinish {
    /// The model ended its turn.
    Stop,
    /// The stop text with this index occurred.
    StopText(usize),
    /// The token limit was reached.
    Length,
    /// The model called tools.
    ToolCalls,
}

/// An alternative token at a position.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenAlternative {
    /// Token id.
    pub id: u32,
    /// Logprob under the raw logits.
    pub logprob: f32,
    /// Bytes that the token adds to the text; empty for a control token.
    pub bytes: Vec<u8>,
}

/// A generated token, including the token that ends a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenEntry {
    /// Token id.
    pub id: u32,
    /// Logprob under the raw logits.
    pub logprob: f32,
    /// Bytes that the token adds to the text; empty for a control token.
    pub bytes: Vec<u8>,
    /// Most likely tokens at this position, most likely first; as many as requested.
    pub top: Vec<TokenAlternative>,
}

/// Increment of a choice. Content, calls and tokens continue those of earlier deltas.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatDelta {
    /// Index of the choice.
    pub index: u32,
    /// Additional reasoning content; may be empty.
    pub reasoning: String,
    /// Additional content; may be empty.
    pub content: String,
    /// Additions to tool calls, at most one entry for each call.
    pub tool_calls: Vec<ToolCallDelta>,
    /// Generated tokens, in order; their text may come in a later delta.
    pub tokens: Vec<TokenEntry>,
    /// Finish reason; set in the choice's last delta only.
    pub finish: Option<ChatFinish>,
}
