//! Completions in the words of the document.

use std::sync::Arc;

use crate::{
    chat::{ChatDelta, ChatFinish, ChatStream},
    engine::scheduler::PromptToken,
    generated::types::{
        self, CompletionChoice, CompletionFinishReason, CompletionLogprobs, CompletionObject, CompletionTopLogprobs,
    },
    text::{Detokenizer, Tokenizer},
};

/// Writes the choices of one request, whole or piece by piece.
pub(super) struct Writer {
    id: String,
    created: i64,
    /// As the request named it.
    model: String,
    /// Choices of each prompt.
    n: usize,
    echo: bool,
    logprobs: bool,
    /// Whether choices list the numbers of their tokens.
    lists_ids: bool,
    /// Whether control tokens are spelled in what is generated.
    spells_control_tokens: bool,
    names: TokenNames,
    prompts: Vec<WrittenPrompt>,
    choices: Vec<WrittenChoice>,
}

/// What choices begin with.
struct WrittenPrompt {
    tokens: Arc<[u32]>,
    /// With `echo`.
    text: String,
    /// With `echo` and `logprobs`, once they are known.
    logprobs: Option<CompletionLogprobs>,
}

/// How far a choice is.
struct WrittenChoice {
    begun: bool,
    ended: bool,
    places: Places,
}

impl Writer {
    /// For a request whose prompts are still to be added.
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
            let mut places = Places::of_prompt(&self.names.tokenizer);
            let text = if self.echo { places.text_of_prompt(&self.names.tokenizer, tokens) } else { String::new() };
            let start = text.chars().count() as u64;
            self.prompts.push(WrittenPrompt { tokens: tokens.clone(), text, logprobs: None });
            self.choices.extend((0..self.n).map(|_| WrittenChoice {
                begun: false,
                ended: false,
                places: Places { detokenizer: Detokenizer::default(), at: start, spelled: self.spells_control_tokens },
            }));
        }
    }

    /// Adds the scores of those prompts that have them by now.
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

    /// Whether all is there that news of this choice need.
    pub(super) fn is_ready(&self, choice: u32) -> bool {
        let prompt = self.prompts.get(choice as usize / self.n);
        !self.scores() || prompt.is_none_or(|prompt| prompt.logprobs.is_some())
    }

    /// News of one choice, or all there is of it.
    pub(super) fn choice(&mut self, delta: ChatDelta) -> CompletionChoice {
        let (echo, place) = (self.echo, delta.index as usize);
        let mut choice = self.silent(delta.index);
        let (Some(prompt), Some(written)) = (self.prompts.get(place / self.n), self.choices.get_mut(place)) else {
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
                let at = written.places.next(&self.names.tokenizer, token.id);
                let top = token.top.into_iter().map(|other| (other.id, other.logprob));
                self.names.add(&mut logprobs, token.id, Some(token.logprob), top, at);
            }
            // A chunk of text that was held back has no token of its own.
            choice.logprobs = (!logprobs.tokens.is_empty() || delta.finish.is_some()).then_some(logprobs);
        }
        written.ended = delta.finish.is_some();
        choice.finish_reason = delta.finish.map(|finish| match finish {
            ChatFinish::Length => CompletionFinishReason::Length,
            ChatFinish::Stop | ChatFinish::ToolCalls => CompletionFinishReason::Stop,
        });
        choice
    }

    /// No news, of a choice that has not ended.
    pub(super) fn silence(&self) -> CompletionChoice {
        let open = self.choices.iter().position(|choice| !choice.ended).unwrap_or(0);
        self.silent(open as u32)
    }

    /// An answer with these choices.
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

    /// Whether choices begin with the scores of their prompt.
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

/// How tokens are named.
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
        let mut places = Places::of_prompt(&self.tokenizer);
        let tokens: Vec<u32> = scores.iter().map(|token| token.id).collect();
        let opening = opening_of(&self.tokenizer, &tokens);
        for (index, token) in scores.into_iter().enumerate() {
            let at = if index < opening { 0 } else { places.next(&self.tokenizer, token.id) };
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
                // The likeliest of those with the same text comes first.
                named.entry(name).or_insert(f64::from(logprob));
            }
            named
        }));
        logprobs.tokens.push(name);
        logprobs.token_logprobs.push(logprob.map(f64::from));
        logprobs.text_offset.push(at);
    }
}

/// How many tokens at the start of a prompt are those that the tokenizer puts before every text: no part of what was sent.
fn opening_of(tokenizer: &Tokenizer, tokens: &[u32]) -> usize {
    if tokens.starts_with(tokenizer.opening()) { tokenizer.opening().len() } else { 0 }
}

/// Where the next token of a text begins.
struct Places {
    detokenizer: Detokenizer,
    /// Characters so far.
    at: u64,
    /// Whether control tokens are spelled.
    spelled: bool,
}

impl Places {
    fn of_prompt(tokenizer: &Tokenizer) -> Self {
        Self { detokenizer: tokenizer.detokenizer(), at: 0, spelled: true }
    }

    /// Where a token begins that comes next.
    fn next(&mut self, tokenizer: &Tokenizer, id: u32) -> u64 {
        let at = self.at;
        self.at += self.piece(tokenizer, id).chars().count() as u64;
        at
    }

    /// The text of a whole prompt.
    fn text_of_prompt(&mut self, tokenizer: &Tokenizer, tokens: &[u32]) -> String {
        let said = &tokens[opening_of(tokenizer, tokens)..];
        let text: String = said.iter().map(|&id| self.piece(tokenizer, id)).collect();
        text + &self.detokenizer.finish()
    }

    /// The text that a token completes.
    fn piece(&mut self, tokenizer: &Tokenizer, id: u32) -> String {
        let bytes = tokenizer.token_bytes(id);
        if !bytes.is_empty() || !self.spelled {
            return self.detokenizer.push(bytes);
        }
        self.detokenizer.finish() + &tokenizer.id_to_token(id).unwrap_or_default()
    }
}
