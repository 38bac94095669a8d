//! A sample on its way: its tokens, how the next one is drawn, and whom to tell.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::mpsc;

use super::prefix_tree::PrefixKey;
use super::{FinishReason, GenerateEvent, GenerateRequest, PromptToken, TokenConstraint};
use crate::engine::sampling::{SamplingScratch, TokenMask, TokenSampler, score};
use crate::error_chain::panic_text;

/// Tokens of a prompt that are told at once.
const PROMPT_TOKENS_PER_EVENT: usize = 256;

thread_local! {
    /// Room for a draw, one for each thread of the pool.
    static ROOM: RefCell<(TokenMask, SamplingScratch)> = RefCell::default();
}

/// A request with the sender of its events; dropping it unfinished tells the receiver nothing, so do not.
pub(super) struct Sample {
    pub key: PrefixKey,
    pub prompt: Arc<[u32]>,
    /// Prompt and generated tokens.
    pub tokens: Vec<u32>,
    /// How often the sample was taken out of the batch.
    pub suspended: usize,
    /// Whether there was no room when it was its turn.
    pub lacks_room: bool,
    /// Samples that were let in while there was no room for this one.
    pub passed_by: usize,
    max_length: usize,
    /// Length before which no stop token may come.
    min_length: usize,
    sampler: TokenSampler,
    stop_tokens: Vec<u32>,
    constraint: Option<Box<dyn TokenConstraint>>,
    scores: Option<PromptScores>,
    events: mpsc::Sender<GenerateEvent>,
}

/// Log-probabilities of a prompt as they come.
struct PromptScores {
    top: usize,
    /// Tokens that have theirs.
    scored: usize,
    /// Those that the receiver has not been told yet.
    untold: Vec<PromptToken>,
}

impl Sample {
    /// `context` is the number of tokens that prompt and answer may have together.
    pub fn new(request: GenerateRequest, context: usize) -> (Self, mpsc::Receiver<GenerateEvent>) {
        let length = request.prompt.len();
        let max_tokens = request.max_tokens.min(context.saturating_sub(length));
        // Room for every event there can be, so that a slow reader never holds up the batch.
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
            key: PrefixKey { owner: request.owner, adapter: request.adapter },
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
            scores,
            events,
        };
        sample.tell_scores();
        (sample, receiver)
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.events.is_closed()
    }

    /// Tells the receiver; it may be gone, which is its right.
    fn send(&self, event: GenerateEvent) {
        let _ = self.events.try_send(event);
    }

    /// Ends the sample with an error.
    pub fn fail(self, reason: &str) {
        self.send(GenerateEvent::Failed(reason.to_owned()));
    }

    /// Tokens that need not be run if their keys and values are there: the logits of the last one are wanted, and of those
    /// before a prompt's token that has no log-probability yet.
    pub fn reusable(&self) -> usize {
        match &self.scores {
            Some(scores) if scores.scored < self.prompt.len() => scores.scored - 1,
            _ => self.tokens.len() - 1,
        }
    }

    /// Whether tokens of the prompt have no log-probability yet that were asked to have one.
    pub fn is_scoring(&self) -> bool {
        self.scores.as_ref().is_some_and(|scores| scores.scored < self.prompt.len())
    }

    /// What is wanted of the logits after the token at `position`.
    pub fn wants(&self, position: usize) -> Wanted {
        if position + 1 == self.tokens.len() {
            return Wanted::Draw;
        }
        match &self.scores {
            Some(scores) if (scores.scored..self.prompt.len()).contains(&(position + 1)) => {
                Wanted::Score { id: self.prompt[position + 1], top: scores.top }
            }
            _ => Wanted::Nothing,
        }
    }

    /// Takes the log-probability of the next token of the prompt.
    pub fn add_score(&mut self, token: PromptToken) {
        if let Some(scores) = &mut self.scores {
            scores.untold.push(token);
            scores.scored += 1;
        }
        self.tell_scores();
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

    /// Draws the next token and tells the receiver; true if the sample has ended. A panic ends this sample alone.
    pub fn advance(&mut self, logits: &[f32]) -> bool {
        let drawn = ROOM.with_borrow_mut(|(mask, scratch)| {
            let drawn = catch_unwind(AssertUnwindSafe(|| self.draw(logits, mask, scratch)));
            if drawn.is_err() {
                // They may have been left half written.
                (*mask, *scratch) = Default::default();
            }
            drawn
        });
        let drawn = drawn.unwrap_or_else(|panic| {
            tracing::error!(cause = panic_text(&*panic), "choosing a token failed");
            Err("choosing the next token failed; the server's log has the cause".to_owned())
        });
        match drawn {
            Ok(None) => false,
            Ok(Some(reason)) => {
                self.send(GenerateEvent::Finished(reason));
                true
            }
            Err(reason) => {
                self.send(GenerateEvent::Failed(reason));
                true
            }
        }
    }

    fn draw(
        &mut self,
        logits: &[f32],
        mask: &mut TokenMask,
        scratch: &mut SamplingScratch,
    ) -> Result<Option<FinishReason>, String> {
        // Only the prompt was to be scored.
        if self.tokens.len() >= self.max_length {
            return Ok(Some(FinishReason::Length));
        }
        let allowed = self.allowed(logits.len(), mask)?.then_some(&*mask);
        let token = self.sampler.sample(logits, allowed, scratch).map_err(|error| error.to_string())?;
        self.tokens.push(token.id);
        self.send(GenerateEvent::Token { id: token.id, logprob: token.logprob, top: token.top });
        if self.stop_tokens.contains(&token.id) {
            return Ok(Some(FinishReason::Stop));
        }
        if let Some(constraint) = &mut self.constraint {
            constraint.accept(token.id)?;
            if constraint.is_finished() {
                return Ok(Some(FinishReason::Stop));
            }
        }
        Ok((self.tokens.len() >= self.max_length).then_some(FinishReason::Length))
    }

    /// Writes the tokens that may come next; false if all may.
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
                // What is complete by its grammar cannot be made longer.
                stops.iter().for_each(|stop| mask.insert(*stop));
            }
        }
        Ok(true)
    }
}

/// What the logits of a row are for.
pub(super) enum Wanted {
    /// They are not wanted.
    Nothing,
    /// To draw the next token.
    Draw,
    /// To score the prompt's next token.
    Score {
        /// That token.
        id: u32,
        /// Alternatives that are reported with it.
        top: usize,
    },
}

/// Scores a token of a prompt; `None` if the logits are not finite.
pub(super) fn score_prompt_token(logits: &[f32], id: u32, top: usize) -> Option<PromptToken> {
    let (logprob, top) = ROOM.with_borrow_mut(|(_, scratch)| score(logits, id, top, scratch))?;
    Some(PromptToken { id, logprob: Some(logprob), top })
}
