//! Converts completions to the wire format.

use std::sync::Arc;

use crate::chat::{ChatDelta, ChatFinish, ChatStream};
use crate::engine::sampler::PromptToken;
use crate::generated::types::{
    self, CompletionChoice, CompletionFinishReason, CompletionLogprobs, CompletionObject, CompletionTopLogprobs,
};
use crate::text::{Detokenizer, Tokenizer};

/// Writes the choices of one request, complete or in chunks.
pub(super) struct Writer {
    id: String,
    created: i64,
    /// The model name of the request.
    model: String,
    /// Number of choices per prompt.
    n: usize,
    echo: bool,
    logprobs: bool,
    /// Whether choices contain the ids of their tokens.
    lists_ids: bool,
    /// Whether the generated text includes control tokens.
    spells_control_tokens: bool,
    names: TokenNames,
    prompts: Vec<WrittenPrompt>,
    choices: Vec<WrittenChoice>,
}

/// A prompt, with the parts that its choices repeat.
struct WrittenPrompt {
    tokens: Arc<[u32]>,
    /// Text of the prompt; used with `echo`.
    text: String,
    /// Logprobs of the prompt; used with `echo` and `logprobs`, once they are known.
    logprobs: Option<CompletionLogprobs>,
}

/// Progress of a choice.
struct WrittenChoice {
    begun: bool,
    ended: bool,
    offsets: Offsets,
}

impl Writer {
    /// Creates a writer without prompts.
    pub(super) fn new(body: &types::CompletionRequest, tokenizer: &Arc<Tokenizer>) -> Self {
        Self {
            id: format!("cmpl-{}", uuid::Uuid::new_v4().simple()),
            created: super::super::now(),
            model: body.model.clone(),
            n: body.n.unwrap_or(1) as usize,
            echo: body.echo == Some(true),
            logprobs: body.logprobs.is_some(),
            lists_ids: body.return_token_ids.unwrap_or(body.stream != Some(true)),
            spells_control_tokens: body.skip_special_tokens == Some(false),
            names: TokenNames { tokenizer: tokenizer.clone(), by_id: body.return_tokens_as_token_ids == Some(true) },
            prompts: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Adds the prompts of a stream that has begun.
    pub(super) fn add_prompts(&mut self, stream: &ChatStream) {
        for tokens in stream.prompts() {
            let mut offsets = Offsets::of_prompt(&self.names.tokenizer);
            let text = if self.echo { offsets.text_of_prompt(&self.names.tokenizer, tokens) } else { String::new() };
            let start = text.chars().count() as u64;
            self.prompts.push(WrittenPrompt { tokens: tokens.clone(), text, logprobs: None });
            self.choices.extend((0..self.n).map(|_| WrittenChoice {
                begun: false,
                ended: false,
                offsets: Offsets {
                    detokenizer: Detokenizer::default(),
                    at: start,
                    spelled: self.spells_control_tokens,
                },
            }));
        }
    }

    /// Adds the logprobs of those prompts for which they are known by now.
    pub(super) fn add_scores(&mut self, stream: &mut ChatStream) {
        if !self.scores() {
            return;
        }
        for (index, prompt) in self.prompts.iter_mut().enumerate().filter(|(_, prompt)| prompt.logprobs.is_none()) {
            if let Some(scores) = stream.take_scores(index) {
                prompt.logprobs = Some(self.names.of_prompt(scores));
            }
        }
    }

    /// Returns whether a delta of this choice can be written, that is whether the logprobs of its prompt are known or
    /// not needed.
    pub(super) fn is_ready(&self, choice: u32) -> bool {
        let prompt = self.prompts.get(choice as usize / self.n);
        !self.scores() || prompt.is_none_or(|prompt| prompt.logprobs.is_some())
    }

    /// Converts a delta of a choice, or a complete choice.
    pub(super) fn choice(&mut self, delta: ChatDelta) -> CompletionChoice {
        let (echo, index) = (self.echo, delta.index as usize);
        let mut choice = self.silent(delta.index);
        let (Some(prompt), Some(written)) = (self.prompts.get(index / self.n), self.choices.get_mut(index)) else {
            return choice;
        };
        let is_first = !std::mem::replace(&mut written.begun, true);
        let mut logprobs = empty();
        if is_first && echo {
            choice.text.clone_from(&prompt.text);
            logprobs = prompt.logprobs.clone().unwrap_or(logprobs);
        }
        choice.text.push_str(&delta.content);
        choice.prompt_token_ids = (is_first && self.lists_ids).then(|| prompt.tokens.to_vec());
        choice.token_ids = self.lists_ids.then(|| delta.tokens.iter().map(|token| token.id).collect());
        if self.logprobs {
            for token in delta.tokens {
                let at = written.offsets.next(&self.names.tokenizer, token.id);
                let top = token.top.into_iter().map(|other| (other.id, other.logprob));
                self.names.add(&mut logprobs, token.id, Some(token.logprob), top, at);
            }
            // A piece of text that was held back has no token of its own.
            choice.logprobs = (!logprobs.tokens.is_empty() || delta.finish.is_some()).then_some(logprobs);
        }
        written.ended = delta.finish.is_some();
        choice.finish_reason = delta.finish.map(|finish| match finish {
            ChatFinish::Length => CompletionFinishReason::Length,
            ChatFinish::Stop | ChatFinish::StopText(_) | ChatFinish::ToolCalls => CompletionFinishReason::Stop,
        });
        choice
    }

    /// Returns an empty delta of a choice that has not ended.
    pub(super) fn silence(&self) -> CompletionChoice {
        let open = self.choices.iter().position(|choice| !choice.ended).unwrap_or(0);
        self.silent(open as u32)
    }

    /// Returns a response with these choices.
    pub(super) fn completion(&self, choices: Vec<CompletionChoice>) -> types::Completion {
        types::Completion {
            id: self.id.clone(),
            object: CompletionObject::TextCompletion,
            created: self.created,
            model: self.model.clone(),
            choices,
            system_fingerprint: None,
            usage: None,
        }
    }

    /// Returns whether choices begin with the logprobs of their prompt.
    fn scores(&self) -> bool {
        self.echo && self.logprobs
    }

    fn silent(&self, index: u32) -> CompletionChoice {
        CompletionChoice {
            finish_reason: None,
            index,
            logprobs: None,
            text: String::new(),
            prompt_token_ids: None,
            token_ids: None,
        }
    }
}

fn empty() -> CompletionLogprobs {
    CompletionLogprobs {
        tokens: Vec::new(),
        token_logprobs: Vec::new(),
        top_logprobs: Vec::new(),
        text_offset: Vec::new(),
    }
}

/// Names of tokens in logprobs.
struct TokenNames {
    tokenizer: Arc<Tokenizer>,
    by_id: bool,
}

impl TokenNames {
    fn name(&self, id: u32) -> String {
        if self.by_id {
            return format!("token_id:{id}");
        }
        let bytes = self.tokenizer.token_bytes(id);
        if bytes.is_empty() {
            return self.tokenizer.id_to_token(id).unwrap_or_default();
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().fold("bytes:".to_owned(), |name, byte| format!("{name}\\x{byte:02x}")),
        }
    }

    fn of_prompt(&self, scores: Vec<PromptToken>) -> CompletionLogprobs {
        let mut logprobs = empty();
        let mut offsets = Offsets::of_prompt(&self.tokenizer);
        let tokens: Vec<u32> = scores.iter().map(|token| token.id).collect();
        let opening = opening_of(&self.tokenizer, &tokens);
        for (index, token) in scores.into_iter().enumerate() {
            let at = if index < opening { 0 } else { offsets.next(&self.tokenizer, token.id) };
            self.add(&mut logprobs, token.id, token.logprob, token.top.into_iter(), at);
        }
        logprobs
    }

    fn add(
        &self,
        logprobs: &mut CompletionLogprobs,
        id: u32,
        logprob: Option<f32>,
        top: impl Iterator<Item = (u32, f32)>,
        at: u64,
    ) {
        let name = self.name(id);
        logprobs.top_logprobs.push(logprob.map(|logprob| {
            let mut named = CompletionTopLogprobs::default();
            let own = std::iter::once((name.clone(), logprob));
            for (name, logprob) in top.map(|(id, logprob)| (self.name(id), logprob)).chain(own) {
                // Among tokens with the same text, the most likely one comes first.
                named.entry(name).or_insert(f64::from(logprob));
            }
            named
        }));
        logprobs.tokens.push(name);
        logprobs.token_logprobs.push(logprob.map(f64::from));
        logprobs.text_offset.push(at);
    }
}

/// Returns the number of tokens at the start of a prompt that the tokenizer adds to every text. They are not part of
/// the request.
fn opening_of(tokenizer: &Tokenizer, tokens: &[u32]) -> usize {
    if tokens.starts_with(tokenizer.opening()) { tokenizer.opening().len() } else { 0 }
}

/// Computes the text offsets of tokens.
struct Offsets {
    detokenizer: Detokenizer,
    /// Number of characters so far.
    at: u64,
    /// Whether the text includes control tokens.
    spelled: bool,
}

impl Offsets {
    fn of_prompt(tokenizer: &Tokenizer) -> Self {
        Self { detokenizer: tokenizer.detokenizer(), at: 0, spelled: true }
    }

    /// Returns the text offset of the next token.
    fn next(&mut self, tokenizer: &Tokenizer, id: u32) -> u64 {
        let at = self.at;
        self.at += self.piece(tokenizer, id).chars().count() as u64;
        at
    }

    /// Returns the text of a whole prompt.
    fn text_of_prompt(&mut self, tokenizer: &Tokenizer, tokens: &[u32]) -> String {
        let said = &tokens[opening_of(tokenizer, tokens)..];
        let text: String = said.iter().map(|&id| self.piece(tokenizer, id)).collect();
        text + &self.detokenizer.finish()
    }

    /// Returns the text that a token completes.
    fn piece(&mut self, tokenizer: &Tokenizer, id: u32) -> String {
        let bytes = tokenizer.token_bytes(id);
        if !bytes.is_empty() || !self.spelled {
            return self.detokenizer.push(bytes);
        }
        self.detokenizer.finish() + &tokenizer.id_to_token(id).unwrap_or_default()
    }
}
