//! The choices of one request, interleaved as they come.

use std::task::{Context, Poll};

use futures_core::Stream;
use tokio::sync::mpsc::Receiver;

use super::choice::{ChatDelta, ChatFinish, ChoiceAssembler, TokenEntry};
use super::{ChatError, ToolCall};
use crate::engine::scheduler::GenerateEvent;
use crate::metrics::TokenClock;

/// Tokens that were read and written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt, counted once.
    pub prompt_tokens: u64,
    /// Tokens generated over all choices, those that end a turn included.
    pub completion_tokens: u64,
}

/// A whole choice.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatChoice {
    /// Its place among the choices.
    pub index: u32,
    /// Its text; `None` if it only calls tools.
    pub content: Option<String>,
    /// Its tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// Its tokens.
    pub tokens: Vec<TokenEntry>,
    /// Why it ended.
    pub finish: ChatFinish,
}

/// All choices of a request, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatOutcome {
    /// The choices.
    pub choices: Vec<ChatChoice>,
    /// Tokens read and written.
    pub usage: Usage,
}

/// Deltas of all choices of one request. Dropping it cancels what is not finished.
pub struct ChatStream {
    prompt: std::sync::Arc<[u32]>,
    /// `None` once the choice has ended.
    choices: Vec<Option<(ChoiceAssembler, Receiver<GenerateEvent>)>>,
    /// Where polling begins, so that no choice is starved.
    next: usize,
    completion_tokens: u64,
    clock: Option<TokenClock>,
}

impl ChatStream {
    pub(super) fn new(
        prompt: std::sync::Arc<[u32]>,
        choices: impl IntoIterator<Item = (ChoiceAssembler, Receiver<GenerateEvent>)>,
    ) -> Self {
        Self { prompt, choices: choices.into_iter().map(Some).collect(), next: 0, completion_tokens: 0, clock: None }
    }

    /// Takes the times of the tokens from here on.
    pub fn with_clock(mut self, clock: TokenClock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Whether nothing more will come: every choice has ended, or one has failed.
    pub fn has_ended(&self) -> bool {
        self.choices.iter().all(Option::is_none)
    }

    /// The tokens of the prompt.
    pub fn prompt(&self) -> &[u32] {
        &self.prompt
    }

    /// Tokens so far; final once the stream has ended.
    pub fn usage(&self) -> Usage {
        Usage { prompt_tokens: self.prompt.len() as u64, completion_tokens: self.completion_tokens }
    }

    /// The next delta of any choice; `None` when all have ended. After an error nothing follows.
    pub async fn next(&mut self) -> Option<Result<ChatDelta, ChatError>> {
        std::future::poll_fn(|context| self.poll_delta(context)).await
    }

    /// Waits for all choices.
    ///
    /// # Errors
    /// One of them failed.
    pub async fn collect(&mut self) -> Result<ChatOutcome, ChatError> {
        let mut choices: Vec<(ChatDelta, Vec<ToolCall>)> = Vec::new();
        choices.resize_with(self.choices.len(), Default::default);
        while let Some(delta) = self.next().await {
            let delta = delta?;
            let (whole, calls) = &mut choices[delta.index as usize];
            whole.content.push_str(&delta.content);
            whole.tokens.extend(delta.tokens);
            whole.finish = whole.finish.or(delta.finish);
            calls.extend(delta.tool_calls);
        }
        let whole = |(index, (delta, tool_calls)): (usize, (ChatDelta, Vec<ToolCall>))| {
            let finish = delta.finish.ok_or_else(|| ChatError::Failed("a choice ended without a reason".to_owned()))?;
            let content = (!delta.content.is_empty() || tool_calls.is_empty()).then_some(delta.content);
            Ok::<_, ChatError>(ChatChoice { index: index as u32, content, tool_calls, tokens: delta.tokens, finish })
        };
        let usage = self.usage();
        Ok(ChatOutcome { choices: choices.into_iter().enumerate().map(whole).collect::<Result<_, _>>()?, usage })
    }

    fn poll_delta(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<ChatDelta, ChatError>>> {
        let count = self.choices.len();
        let mut open = false;
        for step in 0..count {
            let place = (self.next + step) % count;
            let Some((assembler, receiver)) = &mut self.choices[place] else { continue };
            open = true;
            let Poll::Ready(event) = receiver.poll_recv(context) else { continue };
            self.next = (place + 1) % count;
            let lost = || GenerateEvent::Failed("the sampler ended without an answer".to_owned());
            let result = assembler.push(event.unwrap_or_else(lost));
            match &result {
                Ok(delta) => {
                    self.completion_tokens += delta.tokens.len() as u64;
                    if let Some(clock) = &mut self.clock {
                        clock.tokens(place, delta.tokens.len());
                    }
                    if delta.finish.is_some() {
                        // A stop text may end a choice before the sampler does; this cancels it.
                        self.choices[place] = None;
                    }
                }
                Err(_) => self.choices.iter_mut().for_each(|choice| *choice = None),
            }
            return Poll::Ready(Some(result.map_err(ChatError::Failed)));
        }
        if open { Poll::Pending } else { Poll::Ready(None) }
    }
}

impl Stream for ChatStream {
    type Item = Result<ChatDelta, ChatError>;

    fn poll_next(self: std::pin::Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_delta(context)
    }
}
