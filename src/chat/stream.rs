//! Interleaves the choices of one request as they are generated.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::mpsc::Receiver;

use super::choice::ChoiceAssembler;
use super::completion_memory;
use super::delta::{ChatDelta, ChatFinish, TokenEntry};
use super::open_samples::Opened;
use super::recording::{Recording, StoreRecording};
use super::{ChatError, ServedModel, ToolCall};
#[cfg(test)]
use crate::budget::Budget;
use crate::budget::Share;
use crate::engine::sampler::{GenerateEvent, PromptToken, SampleError};
use crate::metrics::TokenClock;
use crate::text::{Adaptation, Tokenizer};

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompts, each prompt counted once.
    pub prompt_tokens: u64,
    /// Tokens generated over all choices, including end-of-turn tokens.
    pub completion_tokens: u64,
}

/// A complete choice.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatChoice {
    /// Index among the choices.
    pub index: u32,
    /// Reasoning content; `None` if there is none.
    pub reasoning: Option<String>,
    /// Text; `None` if the choice only has tool calls or reasoning content.
    pub content: Option<String>,
    /// Tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// Generated tokens.
    pub tokens: Vec<TokenEntry>,
    /// Finish reason.
    pub finish: ChatFinish,
}

/// A prompt token or an alternative to it, with its logprob.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptLogprob {
    /// Token id.
    pub id: u32,
    /// Logprob under the raw logits.
    pub logprob: f32,
    /// Rank among the most likely tokens, from 1; `None` for a prompt token that is not among the requested ones.
    pub rank: Option<u32>,
    /// Text of the token; an incomplete character becomes U+FFFD, a control token its spelling.
    pub text: String,
}

/// All choices of a request, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatOutcome {
    /// Choices.
    pub choices: Vec<ChatChoice>,
    /// Token counts.
    pub usage: Usage,
}

/// Choices that are put together from their deltas.
#[derive(Debug, Default)]
pub(crate) struct CollectedChoices(Vec<(ChatDelta, Vec<ToolCall>)>);

impl CollectedChoices {
    /// Adds a delta.
    pub(crate) fn add(&mut self, delta: ChatDelta) {
        let index = delta.index as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Default::default);
        }
        let (whole, calls) = &mut self.0[index];
        whole.reasoning.push_str(&delta.reasoning);
        whole.content.push_str(&delta.content);
        whole.tokens.extend(delta.tokens);
        whole.finish = whole.finish.or(delta.finish);
        delta.tool_calls.into_iter().for_each(|call| call.apply(calls));
    }

    /// Returns the choices, which have ended.
    ///
    /// # Errors
    /// A choice has not ended.
    pub(crate) fn finish(self) -> Result<Vec<ChatChoice>, ChatError> {
        let whole = |(index, (delta, tool_calls)): (usize, (ChatDelta, Vec<ToolCall>))| {
            let finish = delta.finish.ok_or_else(|| ChatError::Failed("a choice ended without a reason".to_owned()))?;
            let says_more = !tool_calls.is_empty() || !delta.reasoning.is_empty();
            let content = (!delta.content.is_empty() || !says_more).then_some(delta.content);
            let reasoning = (!delta.reasoning.is_empty()).then_some(delta.reasoning);
            let (index, tokens) = (index as u32, delta.tokens);
            Ok(ChatChoice { index, reasoning, content, tool_calls, tokens, finish })
        };
        self.0.into_iter().enumerate().map(whole).collect()
    }
}

/// A prompt and the scores of its tokens received so far.
struct AskedPrompt {
    tokens: Arc<[u32]>,
    scored: Vec<PromptToken>,
}

/// Stream of the deltas of all choices of one request. Dropping it cancels unfinished choices.
pub struct ChatStream {
    /// Prompts, at least one. The choices are in the order of the prompts, the same number for each.
    prompts: Vec<AskedPrompt>,
    /// `None` once the choice has ended.
    choices: Vec<Option<(ChoiceAssembler, Receiver<GenerateEvent>)>>,
    /// Index where polling begins, so that no choice is starved.
    next: usize,
    completion_tokens: u64,
    clock: Option<TokenClock>,
    /// Cause of a failed sample, if it is an error of the request.
    failure: Option<Arc<OnceLock<ChatError>>>,
    /// Parts of the conversation that have another place than the template's.
    adaptations: Vec<Adaptation>,
    /// Fields of the request that have no effect.
    ignored: Vec<String>,
    /// Whether the model has trained weights or an adapter, which belong to its owner.
    is_trained: bool,
    /// Number of the prompts' tokens that came from the prefix cache, so far.
    cached: Arc<AtomicUsize>,
    /// Messages, tools and options of the request as they are recorded, JSON.
    recorded: String,
    /// Recording of the tokens.
    recording: Option<Recording>,
    /// Bytes of the deltas that are kept until the response.
    kept: Share,
    /// Model that keeps the sampler running while the completions are read.
    model: Option<Arc<ServedModel>>,
    /// Guard that counts the samples among the owner's open ones.
    _open: Option<Opened>,
}

impl ChatStream {
    pub(super) fn new(
        prompts: Vec<Arc<[u32]>>,
        choices: impl IntoIterator<Item = (ChoiceAssembler, Receiver<GenerateEvent>)>,
        failure: Option<Arc<OnceLock<ChatError>>>,
    ) -> Self {
        let choices = choices.into_iter().map(Some).collect();
        Self {
            prompts: prompts.into_iter().map(|tokens| AskedPrompt { tokens, scored: Vec::new() }).collect(),
            choices,
            next: 0,
            completion_tokens: 0,
            clock: None,
            failure,
            adaptations: Vec::new(),
            ignored: Vec::new(),
            is_trained: false,
            cached: Arc::default(),
            recorded: String::new(),
            recording: None,
            kept: completion_memory::none(),
            model: None,
            _open: None,
        }
    }

    /// Attaches the model, whether it is a trained one, and the guard of the owner's open samples.
    pub(super) fn of(mut self, model: Arc<ServedModel>, is_trained: bool, open: Opened) -> Self {
        self.model = Some(model);
        self.is_trained = is_trained;
        self._open = Some(open);
        self
    }

    /// Attaches the counter of cached tokens, to which the sampler adds.
    pub(super) fn with_cached(self, cached: Arc<AtomicUsize>) -> Self {
        Self { cached, ..self }
    }

    /// Returns the number of the prompts' tokens that came from the prefix cache; final once each choice has a token.
    pub fn cached_tokens(&self) -> u64 {
        self.cached.load(Ordering::Relaxed) as u64
    }

    /// Attaches the adaptations of the conversation and the fields without effect.
    pub(super) fn with_warnings(self, adaptations: Vec<Adaptation>, ignored: Vec<String>) -> Self {
        Self { adaptations, ignored, ..self }
    }

    /// Attaches what is recorded of the request.
    pub(super) fn with_recorded(self, recorded: String) -> Self {
        Self { recorded, ..self }
    }

    /// Records the tokens from here on. The last delta is yielded once `store` has stored them.
    ///
    /// # Errors
    /// All completions together would take more memory than they may.
    pub(crate) fn record(&mut self, store: StoreRecording) -> Result<(), ChatError> {
        let (request, prompts) = (std::mem::take(&mut self.recorded), self.prompts().cloned().collect());
        self.recording = Some(Recording::new(request, prompts, self.choices.len(), store)?);
        Ok(())
    }

    /// Takes the paths of the request's fields that have no effect.
    pub fn take_ignored(&mut self) -> Vec<String> {
        std::mem::take(&mut self.ignored)
    }

    /// Returns the parts of the conversation that have another place than the template's.
    pub fn adaptations(&self) -> &[Adaptation] {
        &self.adaptations
    }

    /// Counts kept deltas in another limit than that of the process.
    #[cfg(test)]
    pub(super) fn kept_in(mut self, budget: &'static Budget) -> Self {
        self.kept = Share::none_of(budget);
        self
    }

    /// Records token times from here on.
    pub fn with_clock(mut self, clock: TokenClock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Returns whether the stream has ended: every choice has ended, or one has failed.
    pub fn has_ended(&self) -> bool {
        self.choices.iter().all(Option::is_none)
    }

    /// Takes the logprobs of the prompt's tokens and their alternatives, if requested. The first token's entry is empty
    /// because no token precedes it. They are complete once the first choice has a token, and are returned only once.
    pub fn take_prompt_logprobs(&mut self, tokenizer: &Tokenizer) -> Option<Vec<Vec<PromptLogprob>>> {
        let entry = |id: u32, logprob, rank| PromptLogprob { id, logprob, rank, text: spelling(tokenizer, id) };
        let scored = |token: PromptToken| {
            let Some(logprob) = token.logprob else { return Vec::new() };
            let own = token.top.iter().all(|(id, _)| *id != token.id).then(|| entry(token.id, logprob, None));
            let ranked = (1..).zip(&token.top).map(|(rank, &(id, logprob))| entry(id, logprob, Some(rank)));
            own.into_iter().chain(ranked).collect()
        };
        Some(self.take_scores(0)?.into_iter().map(scored).collect())
    }

    /// Takes the tokens of a prompt with their logprobs, if requested. They are complete once the prompt's first choice
    /// has a token, and are returned only once.
    pub fn take_scores(&mut self, prompt: usize) -> Option<Vec<PromptToken>> {
        let AskedPrompt { tokens, scored } = self.prompts.get_mut(prompt)?;
        (scored.len() == tokens.len()).then(|| std::mem::take(scored))
    }

    /// Returns the tokens of the first prompt.
    pub fn prompt(&self) -> &Arc<[u32]> {
        &self.prompts[0].tokens
    }

    /// Returns the tokens of every prompt.
    pub fn prompts(&self) -> impl Iterator<Item = &Arc<[u32]>> {
        self.prompts.iter().map(|prompt| &prompt.tokens)
    }

    /// Returns the token counts so far; final once the stream has ended.
    pub fn usage(&self) -> Usage {
        let prompt_tokens = self.prompts().map(|tokens| tokens.len() as u64).sum();
        Usage { prompt_tokens, completion_tokens: self.completion_tokens }
    }

    /// Returns the next delta of any choice; `None` after all have ended. An error is the last item.
    pub async fn next(&mut self) -> Option<Result<ChatDelta, ChatError>> {
        std::future::poll_fn(|context| self.poll_recorded(context)).await
    }

    /// Like [`Self::next`], for a caller that keeps every delta. Their memory counts until the stream is dropped. It is an
    /// error if the kept deltas of all requests take too much.
    pub async fn next_kept(&mut self) -> Option<Result<ChatDelta, ChatError>> {
        let delta = self.next().await?;
        Some(delta.and_then(|delta| completion_memory::add(&mut self.kept, &delta).map(|()| delta)))
    }

    /// Takes the memory of the kept deltas, which counts until the result is dropped.
    pub(crate) fn take_kept(&mut self) -> Share {
        self.kept.take()
    }

    /// Waits for all choices to end.
    ///
    /// # Errors
    /// A choice failed, or the completions of all requests take too much memory.
    pub async fn collect(&mut self) -> Result<ChatOutcome, ChatError> {
        let mut collected = CollectedChoices::default();
        while let Some(delta) = self.next_kept().await {
            collected.add(delta?);
        }
        Ok(ChatOutcome { choices: collected.finish()?, usage: self.usage() })
    }

    /// Polls the next delta and records it. The last one is held back until the recording is stored.
    fn poll_recorded(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<ChatDelta, ChatError>>> {
        let Some(recording) = &mut self.recording else { return self.poll_delta(context) };
        if let Some(end) = recording.poll_end(context) {
            return end.map(Some);
        }
        let Poll::Ready(next) = self.poll_delta(context) else { return Poll::Pending };
        let (Some(mut next), Some(recording)) = (next, &mut self.recording) else { return Poll::Ready(None) };
        if let Ok(delta) = &next
            && let Err(error) = recording.add(delta)
        {
            self.choices.iter_mut().for_each(|choice| *choice = None);
            next = Err(error);
        }
        if !self.choices.iter().all(Option::is_none) {
            return Poll::Ready(Some(next));
        }
        recording.end(next);
        recording.poll_end(context).map_or(Poll::Ready(None), |end| end.map(Some))
    }

    fn poll_delta(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<ChatDelta, ChatError>>> {
        let count = self.choices.len();
        let of_each_prompt = count / self.prompts.len();
        let mut open = false;
        for step in 0..count {
            let index = (self.next + step) % count;
            let Some((assembler, receiver)) = &mut self.choices[index] else { continue };
            open = true;
            let scored = &mut self.prompts[index / of_each_prompt].scored;
            let Poll::Ready(event) = poll_event(receiver, scored, context) else { continue };
            self.next = (index + 1) % count;
            let lost = || GenerateEvent::Failed(SampleError::Failed("the sampler ended without an answer".to_owned()));
            let result = assembler.push(event.unwrap_or_else(lost));
            match &result {
                Ok(delta) => {
                    self.completion_tokens += delta.tokens.len() as u64;
                    if let Some(clock) = &mut self.clock {
                        clock.tokens(index, delta.tokens.len());
                    }
                    if delta.finish.is_some() {
                        // A stop text may end a choice before the sampler does; dropping the receiver cancels the
                        // sample.
                        self.choices[index] = None;
                    }
                }
                Err(_) => self.choices.iter_mut().for_each(|choice| *choice = None),
            }
            return Poll::Ready(Some(result.map_err(|error| self.failure_of(error))));
        }
        if open { Poll::Pending } else { Poll::Ready(None) }
    }

    /// Returns the error of a request with a failed sample.
    fn failure_of(&self, error: SampleError) -> ChatError {
        let cause = self.failure.as_ref().and_then(|failure| failure.get().cloned());
        cause.unwrap_or_else(|| match (error, &self.model) {
            (SampleError::NotFinite, _) if self.is_trained => ChatError::NotFinite,
            (SampleError::NotFinite, Some(model)) => ChatError::BaseNotFinite(model.name().to_owned()),
            (SampleError::Unavailable(message), _) => ChatError::Unavailable(message),
            (error, _) => ChatError::Failed(error.to_string()),
        })
    }
}

/// Polls the next event of a choice; adds the scores of the prompt's tokens to `scored`.
fn poll_event(
    receiver: &mut Receiver<GenerateEvent>,
    scored: &mut Vec<PromptToken>,
    context: &mut Context<'_>,
) -> Poll<Option<GenerateEvent>> {
    loop {
        match receiver.poll_recv(context) {
            Poll::Ready(Some(GenerateEvent::Prompt(tokens))) => scored.extend(tokens),
            other => return other,
        }
    }
}

fn spelling(tokenizer: &Tokenizer, id: u32) -> String {
    let bytes = tokenizer.token_bytes(id);
    if bytes.is_empty() {
        return tokenizer.id_to_token(id).unwrap_or_default();
    }
    String::from_utf8_lossy(bytes).into_owned()
}

impl Stream for ChatStream {
    type Item = Result<ChatDelta, ChatError>;

    fn poll_next(self: std::pin::Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_recorded(context)
    }
}
