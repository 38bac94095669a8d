//! State of a sample: its tokens, its sampler, and the sender of its events.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::prefix_tree::PrefixKey;
use crate::generate::Logits;
use crate::generate::sampler::{
    AdapterRef, FinishReason, GenerateEvent, GenerateRequest, PromptToken, SampleError, TokenConstraint,
};
use crate::sampling::{SamplingScratch, TokenMask, TokenSampler, score};
use crate::threads::panic_text;

/// Maximum number of prompt tokens in one event.
const PROMPT_TOKENS_PER_EVENT: usize = 256;
/// Maximum number of forced tokens that are added at once.
const FORCED_RUN: usize = 32;
/// Time after which no more forced tokens are added at once, since the whole batch waits.
const FORCED_TIME: Duration = Duration::from_millis(1);
const DRAW_FAILED: &str = "choosing the next token failed; the server's log has the cause";

thread_local! {
    /// Working memory for sampling, one per thread of the pool.
    static ROOM: RefCell<(TokenMask, SamplingScratch)> = RefCell::default();
}

/// A request with the sender of its events. Dropping an unfinished sample sends no event, so finish or fail it.
pub(super) struct Sample {
    pub key: PrefixKey,
    pub prompt: Arc<[u32]>,
    /// Prompt and generated tokens.
    pub tokens: Vec<u32>,
    /// Number of times the sample was suspended.
    pub suspended: usize,
    /// Whether there was no room at the last attempt to admit it.
    pub lacks_room: bool,
    /// Number of samples that overtook this one while it lacked room.
    pub passed_by: usize,
    max_length: usize,
    /// Length in tokens before which stop tokens are masked out.
    min_length: usize,
    sampler: TokenSampler,
    stop_tokens: Vec<u32>,
    constraint: Option<Box<dyn TokenConstraint>>,
    /// Result of the constraint for the next token, if it is known already.
    next: Option<Next>,
    /// Number of forced tokens at the end of `tokens` that have not been sent, since they have no logprob yet.
    unscored: usize,
    /// Events to send after those of the forced tokens before them.
    held: Vec<GenerateEvent>,
    scores: Option<PromptScores>,
    events: mpsc::Sender<GenerateEvent>,
    cached_tokens: Option<Arc<AtomicUsize>>,
}

/// Result of a constraint for the next token.
struct Next {
    /// Allowed tokens.
    mask: Result<TokenMask, String>,
    /// Result of the acceptance of the only allowed token, if the constraint has accepted it already.
    accepted: Option<Result<(), String>>,
}

/// Logprobs of a prompt, computed so far.
struct PromptScores {
    top: usize,
    /// Number of prompt tokens that have been scored.
    scored: usize,
    /// Scored tokens that have not been sent.
    untold: Vec<PromptToken>,
}

impl Sample {
    /// Creates a sample; `context` is the maximum number of tokens in prompt and response together.
    pub(super) fn new(request: GenerateRequest, context: usize) -> (Self, mpsc::Receiver<GenerateEvent>) {
        let length = request.prompt.len();
        let max_tokens = request.max_tokens.min(context.saturating_sub(length));
        // Capacity for all possible events, so that a slow receiver never blocks the batch.
        let prompt_events = request.prompt_logprobs.map_or(0, |_| length.div_ceil(PROMPT_TOKENS_PER_EVENT));
        let (events, receiver) = mpsc::channel(max_tokens + 1 + prompt_events);
        let scores = request.prompt_logprobs.map(|top| PromptScores {
            top,
            scored: 1,
            untold: request
                .prompt
                .first()
                .map(|&id| PromptToken { id, logprob: None, top: Vec::new() })
                .into_iter()
                .collect(),
        });
        let mut sample = Self {
            // `EngineSampler::generate` has checked the adapter's location.
            key: PrefixKey { owner: request.owner, adapter: request.adapter.and_then(AdapterRef::into_memory) },
            tokens: request.prompt.to_vec(),
            suspended: 0,
            lacks_room: false,
            passed_by: 0,
            max_length: length + max_tokens,
            min_length: length.saturating_add(request.min_tokens),
            sampler: TokenSampler::new(request.sampling, &request.prompt),
            prompt: request.prompt,
            stop_tokens: request.stop_tokens,
            constraint: request.constraint,
            next: None,
            unscored: 0,
            held: Vec::new(),
            scores,
            events,
            cached_tokens: request.cached_tokens,
        };
        sample.tell_scores();
        (sample, receiver)
    }

    /// Returns whether the receiver is gone.
    pub(super) fn is_cancelled(&self) -> bool {
        self.events.is_closed()
    }

    /// Tells how many of the prompt's tokens were cached.
    pub(super) fn tell_cached(&self, tokens: usize) {
        if let Some(cached) = &self.cached_tokens {
            cached.fetch_add(tokens.min(self.prompt.len()), Ordering::Relaxed);
        }
    }

    /// Sends an event. If the receiver is gone, the event is dropped.
    fn send(&self, event: GenerateEvent) {
        let _ = self.events.try_send(event);
    }

    /// Fails the sample.
    pub(super) fn fail(self, error: SampleError) {
        self.send(GenerateEvent::Failed(error));
    }

    /// Returns the number of tokens that need not be run if their keys and values are cached. The logits of the last
    /// token are needed, and those before each token that still needs a logprob.
    pub(super) fn reusable(&self) -> usize {
        match &self.scores {
            Some(scores) if scores.scored < self.prompt.len() => scores.scored - 1,
            _ => self.tokens.len() - 1 - self.unscored,
        }
    }

    /// Returns the number of forced tokens that still need a logprob. They are the last tokens.
    pub(super) fn unscored(&self) -> usize {
        self.unscored
    }

    /// Returns whether prompt tokens still need a logprob.
    pub(super) fn is_scoring(&self) -> bool {
        self.scores.as_ref().is_some_and(|scores| scores.scored < self.prompt.len())
    }

    /// Returns the purpose of the logits after the token at `position`.
    pub(super) fn wants(&self, position: usize) -> Wanted {
        if position + 1 == self.tokens.len() {
            return Wanted::Draw;
        }
        match &self.scores {
            Some(scores) if (scores.scored..self.prompt.len()).contains(&(position + 1)) => {
                Wanted::Score { id: self.prompt[position + 1], top: scores.top }
            }
            _ if position + 1 + self.unscored >= self.tokens.len() => {
                Wanted::Score { id: self.tokens[position + 1], top: self.sampler.top_logprobs() }
            }
            _ => Wanted::Nothing,
        }
    }

    /// Adds the score of the prompt's next token, or sends the next forced token with its score; returns true for a
    /// forced token.
    pub(super) fn add_score(&mut self, id: u32, (logprob, top): Score) -> bool {
        match &mut self.scores {
            Some(scores) if scores.scored < self.prompt.len() => {
                scores.untold.push(PromptToken { id, logprob: Some(logprob), top });
                scores.scored += 1;
                self.tell_scores();
                false
            }
            _ => {
                self.unscored -= 1;
                self.send(GenerateEvent::Token { id, logprob, top });
                true
            }
        }
    }

    /// Sends the events that were held back for the scores of forced tokens.
    pub(super) fn send_held(&mut self) {
        for event in std::mem::take(&mut self.held) {
            self.send(event);
        }
    }

    fn tell_scores(&mut self) {
        if let Some(scores) = &mut self.scores
            && (scores.untold.len() == PROMPT_TOKENS_PER_EVENT || scores.scored == self.prompt.len())
            && !scores.untold.is_empty()
        {
            let tokens = std::mem::take(&mut scores.untold);
            self.send(GenerateEvent::Prompt(tokens));
        }
    }

    /// Returns the number of drafts whose logits can be of use.
    pub(super) fn max_drafts(&self) -> usize {
        // The last token needs no logits after it.
        self.max_length.saturating_sub(self.tokens.len() + 1)
    }

    /// Returns whether sampling this token ends the sample.
    pub(super) fn stops_at(&self, token: u32) -> bool {
        self.stop_tokens.contains(&token)
    }

    /// Samples the next token from row `first` of the logits and, while the token is the next of `drafts`, one more from
    /// the row after. Returns the number of right drafts, and whether the sample has finished. With `looks_ahead`, then
    /// adds the forced tokens that follow. Events are held back while forced tokens before them have no score.
    pub(super) fn advance(
        &mut self,
        logits: &Logits<'_>,
        first: usize,
        drafts: &[u32],
        looks_ahead: bool,
    ) -> (usize, bool) {
        let holds = self.unscored > 0;
        let mut accepted = 0;
        loop {
            let row = logits.row(first + accepted);
            if self.sample_next(row, holds) {
                return (accepted, true);
            }
            if drafts.get(accepted) != self.tokens.last() {
                if looks_ahead && self.constraint.is_some() {
                    self.look_ahead(row.len());
                }
                return (accepted, false);
            }
            accepted += 1;
        }
    }

    /// Samples the next token and sends or holds it; returns true if the sample has finished. A panic fails this sample
    /// only.
    fn sample_next(&mut self, logits: &[f32], holds: bool) -> bool {
        let drawn = ROOM.with_borrow_mut(|(mask, scratch)| {
            let drawn = catch_unwind(AssertUnwindSafe(|| self.draw(logits, mask, scratch, holds)));
            if drawn.is_err() {
                // A panic may have left them in an inconsistent state.
                (*mask, *scratch) = Default::default();
            }
            drawn
        });
        let drawn = drawn.unwrap_or_else(|panic| Err(SampleError::Failed(draw_failed(&*panic))));
        let last = match drawn {
            Ok(None) => return false,
            Ok(Some(reason)) => GenerateEvent::Finished(reason),
            Err(error) => GenerateEvent::Failed(error),
        };
        self.emit(last, holds);
        true
    }

    fn emit(&mut self, event: GenerateEvent, holds: bool) {
        match holds {
            true => self.held.push(event),
            false => self.send(event),
        }
    }

    fn draw(
        &mut self,
        logits: &[f32],
        mask: &mut TokenMask,
        scratch: &mut SamplingScratch,
        holds: bool,
    ) -> Result<Option<FinishReason>, SampleError> {
        // The request was to score the prompt only.
        if self.tokens.len() >= self.max_length {
            return Ok(Some(FinishReason::Length));
        }
        let (is_restricted, accepted) = match self.next.take() {
            Some(next) => {
                *mask = next.mask.map_err(SampleError::Failed)?;
                (true, next.accepted)
            }
            None => (self.allowed(logits.len(), mask).map_err(SampleError::Failed)?, None),
        };
        let token = self.sampler.sample(logits, is_restricted.then_some(&*mask), scratch)?;
        self.tokens.push(token.id);
        self.emit(GenerateEvent::Token { id: token.id, logprob: token.logprob, top: token.top }, holds);
        if self.stops_at(token.id) {
            return Ok(Some(FinishReason::Stop));
        }
        if let Some(constraint) = &mut self.constraint {
            accepted.unwrap_or_else(|| constraint.accept(token.id)).map_err(SampleError::Failed)?;
            if constraint.is_finished() {
                return Ok(Some(FinishReason::Stop));
            }
        }
        Ok((self.tokens.len() >= self.max_length).then_some(FinishReason::Length))
    }

    /// Adds forced tokens: each is the only one that the constraint allows, so its logits decide its logprob only. A
    /// token that ends the sample is not added, but sampled as any other.
    fn look_ahead(&mut self, vocabulary: usize) {
        if !self.sampler.takes_forced() {
            return;
        }
        let started = Instant::now();
        for _ in 0..FORCED_RUN {
            let forced = catch_unwind(AssertUnwindSafe(|| self.forced_token(vocabulary)));
            // A panic fails the sample where the constraint is needed next.
            let forced = forced.unwrap_or_else(|panic| Err(Next { mask: Err(draw_failed(&*panic)), accepted: None }));
            match forced {
                Ok(id) => {
                    self.tokens.push(id);
                    self.sampler.force(id);
                    self.unscored += 1;
                }
                Err(next) => {
                    self.next = Some(next);
                    return;
                }
            }
            if started.elapsed() > FORCED_TIME {
                return;
            }
        }
    }

    /// Returns the next token if it is forced, after the constraint has accepted it.
    ///
    /// # Errors
    /// The next token is to be sampled, with this result of the constraint.
    fn forced_token(&mut self, vocabulary: usize) -> Result<u32, Next> {
        let mut mask = TokenMask::new();
        if let Err(error) = self.allowed(vocabulary, &mut mask) {
            return Err(Next { mask: Err(error), accepted: None });
        }
        let is_last = self.tokens.len() + 1 >= self.max_length;
        let forced = mask
            .only_token()
            .filter(|id| !is_last && usize::try_from(*id).is_ok_and(|id| id < vocabulary) && !self.stops_at(*id));
        let (Some(id), Some(constraint)) = (forced, &mut self.constraint) else {
            return Err(Next { mask: Ok(mask), accepted: None });
        };
        let accepted = constraint.accept(id);
        if accepted.is_err() || constraint.is_finished() {
            return Err(Next { mask: Ok(mask), accepted: Some(accepted) });
        }
        Ok(id)
    }

    /// Writes the allowed next tokens to `mask`; returns false if all are allowed.
    fn allowed(&mut self, vocabulary: usize, mask: &mut TokenMask) -> Result<bool, String> {
        let too_short = self.tokens.len() < self.min_length && !self.stop_tokens.is_empty();
        match &mut self.constraint {
            None if !too_short => return Ok(false),
            None => mask.fill(vocabulary),
            Some(constraint) => {
                mask.clear();
                constraint.allowed(mask)?;
            }
        }
        if too_short {
            let stops: Vec<u32> = self.stop_tokens.iter().copied().filter(|stop| mask.contains(*stop)).collect();
            stops.iter().for_each(|stop| mask.remove(*stop));
            if mask.is_empty() {
                // A sample that is complete by its grammar cannot be extended.
                stops.iter().for_each(|stop| mask.insert(*stop));
            }
        }
        Ok(true)
    }
}

fn draw_failed(panic: &(dyn std::any::Any + Send)) -> String {
    tracing::error!(cause = panic_text(panic), "choosing a token failed");
    DRAW_FAILED.to_owned()
}

/// Purpose of a row's logits.
pub(super) enum Wanted {
    /// No logits are needed.
    Nothing,
    /// Sampling of the next token.
    Draw,
    /// Scoring of the next token, which is known: of the prompt's, or a forced one.
    Score {
        /// Id of that token.
        id: u32,
        /// Number of alternatives to report with it.
        top: usize,
    },
}

/// Logprob of a known token, and the likeliest tokens at its position.
pub(super) type Score = (f32, Vec<(u32, f32)>);

/// Scores a known token; `None` if the logits are not finite.
pub(super) fn score_token(logits: &[f32], id: u32, top: usize) -> Option<Score> {
    ROOM.with_borrow_mut(|(_, scratch)| score(logits, id, top, scratch))
}
