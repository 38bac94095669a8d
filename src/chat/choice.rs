//! One choice: from a sample's tokens to text, tool calls and an end.

use std::sync::Arc;

use super::stop::{StopMatcher, Stopped};
use super::tools::{Part, ToolCall, ToolParser};
use crate::engine::scheduler::{FinishReason, GenerateEvent};
use crate::text::{Detokenizer, Tokenizer};

/// Why a choice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFinish {
    /// The model ended its turn, or a stop text came.
    Stop,
    /// The limit of tokens was reached.
    Length,
    /// The model called tools.
    ToolCalls,
}

/// A token that might have come.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenAlternative {
    /// The token.
    pub id: u32,
    /// Its log-probability under the raw logits.
    pub logprob: f32,
    /// Bytes that it adds to the text; none for a control token.
    pub bytes: Vec<u8>,
}

/// A generated token. The token that ends a turn is one too.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenEntry {
    /// The token.
    pub id: u32,
    /// Its log-probability under the raw logits.
    pub logprob: f32,
    /// Bytes that it adds to the text; none for a control token.
    pub bytes: Vec<u8>,
    /// The likeliest tokens at this place, as many as were asked for, most likely first.
    pub top: Vec<TokenAlternative>,
}

/// What has become known of a choice. Content, calls and tokens continue those of the deltas before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatDelta {
    /// Which choice.
    pub index: u32,
    /// More text, perhaps none.
    pub content: String,
    /// More calls, each whole.
    pub tool_calls: Vec<ToolCall>,
    /// Tokens that were generated, in order; their text may come in a later delta.
    pub tokens: Vec<TokenEntry>,
    /// Why the choice ended; in its last delta and in no other.
    pub finish: Option<ChatFinish>,
}

/// What of a choice's tokens becomes its text.
#[derive(Debug, Clone, Default)]
pub(super) struct TextOptions {
    /// Texts that end the choice.
    pub stop_texts: Vec<String>,
    /// Tokens that end it.
    pub stop_tokens: Vec<u32>,
    /// Whether what ended it stays at its end.
    pub include_stop: bool,
    /// Tokens before which no text ends it.
    pub min_tokens: usize,
    /// Whether control tokens are spelled in the text.
    pub spell_control_tokens: bool,
}

/// Assembles one choice.
pub(super) struct ChoiceAssembler {
    index: u32,
    tokenizer: Arc<Tokenizer>,
    detokenizer: Detokenizer,
    options: TextOptions,
    /// Tokens so far.
    generated: usize,
    stops: StopMatcher,
    tools: Option<ToolParser>,
    called: bool,
    /// The choice ends with its first call.
    single_call: bool,
}

/// Whether tool calls are looked for in the text, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolParsing {
    Off,
    One,
    Many,
}

impl ChoiceAssembler {
    /// At the start of a choice.
    pub fn new(index: u32, tokenizer: Arc<Tokenizer>, mut options: TextOptions, tools: ToolParsing) -> Self {
        let stops = StopMatcher::new(std::mem::take(&mut options.stop_texts), options.include_stop);
        Self {
            index,
            tokenizer,
            detokenizer: Detokenizer::new(),
            options,
            generated: 0,
            stops,
            tools: (tools != ToolParsing::Off).then(ToolParser::default),
            called: false,
            single_call: tools == ToolParsing::One,
        }
    }

    /// Takes an event of the sample. After a delta with `finish` nothing may follow.
    ///
    /// # Errors
    /// The sample failed, for this reason.
    pub fn push(&mut self, event: GenerateEvent) -> Result<ChatDelta, String> {
        let mut delta = ChatDelta { index: self.index, ..ChatDelta::default() };
        match event {
            // Belongs to all choices: the stream keeps it.
            GenerateEvent::Prompt(_) => {}
            GenerateEvent::Token { id, logprob, top } => {
                let entry = self.entry(id, logprob, top);
                self.generated += 1;
                let piece = self.piece(&entry);
                delta.tokens.push(entry);
                self.text(&piece, &mut delta);
            }
            GenerateEvent::Finished(reason) => {
                let piece = self.detokenizer.finish();
                self.text(&piece, &mut delta);
                if delta.finish.is_none() {
                    let rest = self.stops.finish();
                    self.parse(&rest, &mut delta);
                }
                if delta.finish.is_none() {
                    self.end(reason, &mut delta);
                }
            }
            GenerateEvent::Failed(reason) => return Err(reason),
        }
        Ok(delta)
    }

    fn entry(&self, id: u32, logprob: f32, top: Vec<(u32, f32)>) -> TokenEntry {
        let bytes = |id| self.tokenizer.token_bytes(id).to_vec();
        let top = top.into_iter().map(|(id, logprob)| TokenAlternative { id, logprob, bytes: bytes(id) }).collect();
        TokenEntry { id, logprob, bytes: bytes(id), top }
    }

    /// The text that a token completes.
    fn piece(&mut self, entry: &TokenEntry) -> String {
        // The sampler lets no stop token come before it may end the choice.
        if self.options.stop_tokens.contains(&entry.id) && !self.options.include_stop {
            return String::new();
        }
        if entry.bytes.is_empty() && self.options.spell_control_tokens {
            let before = self.detokenizer.finish();
            return before + &self.tokenizer.id_to_token(entry.id).unwrap_or_default();
        }
        self.detokenizer.push(&entry.bytes)
    }

    fn text(&mut self, piece: &str, delta: &mut ChatDelta) {
        if self.generated < self.options.min_tokens {
            return self.parse(piece, delta);
        }
        match self.stops.push(piece) {
            Stopped::No(text) => self.parse(&text, delta),
            Stopped::Yes(text) => {
                self.parse(&text, delta);
                if delta.finish.is_none() {
                    self.end(FinishReason::Stop, delta);
                }
            }
        }
    }

    fn parse(&mut self, text: &str, delta: &mut ChatDelta) {
        match &mut self.tools {
            None => delta.content.push_str(text),
            Some(parser) => {
                let parts = parser.push(text);
                self.take(parts, delta);
            }
        }
    }

    fn take(&mut self, parts: Vec<Part>, delta: &mut ChatDelta) {
        for part in parts {
            match part {
                Part::Text(text) => delta.content.push_str(&text),
                Part::Call { name, arguments } => {
                    self.called = true;
                    delta.tool_calls.push(ToolCall { id: call_id(), name, arguments });
                    if self.single_call {
                        delta.finish = Some(ChatFinish::ToolCalls);
                        return;
                    }
                }
            }
        }
    }

    fn end(&mut self, reason: FinishReason, delta: &mut ChatDelta) {
        let parts = self.tools.as_mut().map(ToolParser::finish).unwrap_or_default();
        self.take(parts, delta);
        delta.finish = Some(match reason {
            FinishReason::Length => ChatFinish::Length,
            FinishReason::Stop if self.called => ChatFinish::ToolCalls,
            FinishReason::Stop => ChatFinish::Stop,
        });
    }
}

/// Names a call so that no other call has the same name.
fn call_id() -> String {
    let id = uuid::Uuid::new_v4().simple().to_string();
    format!("call_{}", &id[..24])
}
