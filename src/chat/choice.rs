//! One choice: turns a sample's tokens into reasoning content, text, tool calls and a finish reason.

use std::sync::Arc;

use super::completion_parser::{CompletionForm, CompletionParser};
use super::delta::{ChatDelta, ChatFinish, TokenAlternative, TokenEntry};
use super::stop::{StopMatcher, Stopped};
use crate::engine::sampler::{FinishReason, GenerateEvent, SampleError};
use crate::text::{Detokenizer, Tokenizer};

/// Options of the conversion from a choice's tokens to its text.
#[derive(Debug, Clone, Default)]
pub(super) struct TextOptions {
    /// Texts that end the choice.
    pub stop_texts: Vec<String>,
    /// Tokens that end the choice.
    pub stop_tokens: Vec<u32>,
    /// Whether the stop text or stop token stays at the end of the text.
    pub include_stop: bool,
    /// Number of tokens before which no stop text ends the choice.
    pub min_tokens: usize,
    /// Whether control tokens appear in the text.
    pub spell_control_tokens: bool,
}

/// Assembles one choice from the events of its sample.
pub(super) struct ChoiceAssembler {
    index: u32,
    tokenizer: Arc<Tokenizer>,
    detokenizer: Detokenizer,
    options: TextOptions,
    /// Number of tokens so far.
    generated: usize,
    stops: StopMatcher,
    completion: CompletionParser,
}

impl ChoiceAssembler {
    /// Creates an assembler at the start of a choice.
    pub(super) fn new(index: u32, tokenizer: Arc<Tokenizer>, mut options: TextOptions, form: CompletionForm) -> Self {
        let stops = StopMatcher::new(std::mem::take(&mut options.stop_texts), options.include_stop);
        Self {
            index,
            detokenizer: if form.continues { Detokenizer::default() } else { tokenizer.detokenizer() },
            tokenizer,
            options,
            generated: 0,
            stops,
            completion: CompletionParser::new(form),
        }
    }

    /// Processes an event of the sample. No event may follow a delta with `finish`.
    ///
    /// # Errors
    /// The sample failed.
    pub(super) fn push(&mut self, event: GenerateEvent) -> Result<ChatDelta, SampleError> {
        let mut delta = ChatDelta { index: self.index, ..ChatDelta::default() };
        match event {
            // Prompt scores belong to all choices; the stream keeps them.
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
            GenerateEvent::Failed(error) => return Err(error),
        }
        Ok(delta)
    }

    fn entry(&self, id: u32, logprob: f32, top: Vec<(u32, f32)>) -> TokenEntry {
        let bytes = |id| self.tokenizer.token_bytes(id).to_vec();
        let top = top.into_iter().map(|(id, logprob)| TokenAlternative { id, logprob, bytes: bytes(id) }).collect();
        TokenEntry { id, logprob, bytes: bytes(id), top }
    }

    /// Returns the spelling of a control token that delimits reasoning content or tool calls.
    fn marker(&self, entry: &TokenEntry) -> Option<String> {
        if !entry.bytes.is_empty() {
            return None;
        }
        self.completion.marker(self.tokenizer.id_to_token(entry.id).as_deref(), entry.id)
    }

    /// Processes a marker. It is no text, so no stop text spans it.
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

    /// Returns the text that a token completes.
    fn piece(&mut self, entry: &TokenEntry) -> String {
        // The sampler emits no stop token before it may end the choice.
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
                if let (Some(ChatFinish::Stop), Some(index)) = (delta.finish, self.stops.found()) {
                    delta.finish = Some(ChatFinish::StopText(index));
                }
            }
        }
    }

    fn parse(&mut self, text: &str, delta: &mut ChatDelta) {
        if self.completion.push(text, delta) {
            delta.finish = Some(ChatFinish::ToolCalls);
        }
    }

    fn end(&mut self, reason: FinishReason, delta: &mut ChatDelta) {
        self.completion.finish(delta);
        delta.finish = Some(match reason {
            FinishReason::Length => ChatFinish::Length,
            FinishReason::Stop if self.completion.called() => ChatFinish::ToolCalls,
            FinishReason::Stop => ChatFinish::Stop,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of tokens in a completion, or of tokens that continue a text.
    fn text(tokenizer: &Arc<Tokenizer>, tokens: &[u32], continues: bool) -> String {
        let form = CompletionForm { continues, ..CompletionForm::default() };
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
