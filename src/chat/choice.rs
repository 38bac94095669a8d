//! One choice: from a sample's tokens to thoughts, text, tool calls and an end.

use std::sync::Arc;

use super::answer::{AnswerForm, AnswerParser};
use super::stop::{StopMatcher, Stopped};
use super::tools::ToolCallDelta;
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
    /// More of the thoughts before the answer, perhaps none.
    pub reasoning: String,
    /// More text, perhaps none.
    pub content: String,
    /// More of its calls, at most one entry for each.
    pub tool_calls: Vec<ToolCallDelta>,
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
    answer: AnswerParser,
}

impl ChoiceAssembler {
    /// At the start of a choice.
    pub fn new(index: u32, tokenizer: Arc<Tokenizer>, mut options: TextOptions, form: AnswerForm) -> Self {
        let stops = StopMatcher::new(std::mem::take(&mut options.stop_texts), options.include_stop);
        Self {
            index,
            detokenizer: if form.continues { Detokenizer::default() } else { tokenizer.detokenizer() },
            tokenizer,
            options,
            generated: 0,
            stops,
            answer: AnswerParser::new(form),
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
                match self.marker(&entry) {
                    Some(marker) => self.take_marker(&marker, &mut delta),
                    None => {
                        let piece = self.piece(&entry);
                        self.text(&piece, &mut delta);
                    }
                }
                delta.tokens.push(entry);
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

    /// The spelling of a control token that tells thoughts or calls from content.
    fn marker(&self, entry: &TokenEntry) -> Option<String> {
        if !entry.bytes.is_empty() {
            return None;
        }
        self.answer.marker(self.tokenizer.id_to_token(entry.id).as_deref(), entry.id)
    }

    /// Such a token is no text, so no stop text reaches across it.
    fn take_marker(&mut self, marker: &str, delta: &mut ChatDelta) {
        let before = self.detokenizer.finish();
        self.text(&before, delta);
        if delta.finish.is_none() {
            let rest = self.stops.finish();
            self.parse(&rest, delta);
        }
        if delta.finish.is_none() {
            self.parse(marker, delta);
        }
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
        if self.answer.push(text, delta) {
            delta.finish = Some(ChatFinish::ToolCalls);
        }
    }

    fn end(&mut self, reason: FinishReason, delta: &mut ChatDelta) {
        self.answer.finish(delta);
        delta.finish = Some(match reason {
            FinishReason::Length => ChatFinish::Length,
            FinishReason::Stop if self.answer.called() => ChatFinish::ToolCalls,
            FinishReason::Stop => ChatFinish::Stop,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of tokens in an answer, or where they go on with a text.
    fn text(tokenizer: &Arc<Tokenizer>, tokens: &[u32], continues: bool) -> String {
        let form = AnswerForm { continues, ..AnswerForm::default() };
        let mut assembler = ChoiceAssembler::new(0, tokenizer.clone(), TextOptions::default(), form);
        let token = |&id: &u32| GenerateEvent::Token { id, logprob: 0.0, top: Vec::new() };
        let events = tokens.iter().map(token).chain([GenerateEvent::Finished(FinishReason::Length)]);
        events.map(|event| assembler.push(event).unwrap().content).collect()
    }

    #[test]
    fn a_space_at_the_start_belongs_to_a_text_that_goes_on() {
        let file = include_bytes!("../../tests/golden/tokenizers/prepended.json");
        let tokenizer = Arc::new(Tokenizer::from_bytes(file).unwrap());
        let tokens = tokenizer.encode("world").unwrap();
        assert_eq!(text(&tokenizer, &tokens, false), "world", "encoding put it there");
        assert_eq!(text(&tokenizer, &tokens, true), " world");
    }
}
