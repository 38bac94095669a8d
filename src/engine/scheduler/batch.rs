//! The scheduler proper: which rows run next, and what becomes of their logits. No thread, no queue, no clock.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::mpsc;

use super::{FinishReason, GenerateEvent, GenerateRequest, SamplerLimits, SamplerLoad, TokenConstraint};
use crate::engine::sampling::{SamplingScratch, TokenMask, TokenSampler};
use crate::engine::{Adapter, BatchRow, DecodeError, Decoder, SequenceHandle};
use crate::error_chain::panic_text;

/// One token to run, as [`BatchRow`].
pub struct Row<'a, S> {
    /// Token id.
    pub token: u32,
    /// Its place in the sequence.
    pub position: usize,
    /// The sequence it continues.
    pub sequence: S,
    /// Adapter of the sequence.
    pub adapter: Option<&'a Arc<Adapter>>,
    /// Whether its logits are wanted.
    pub want_logits: bool,
}

/// Why rows did not run. No sequence has changed.
#[derive(Debug)]
pub enum RowError {
    /// The cache is full; with fewer sequences it can go on.
    CacheFull,
    /// It will not work again either.
    Failed(String),
}

/// What the scheduler needs of the engine.
pub trait RowEngine {
    /// A sequence.
    type Sequence: Copy;
    /// A new, empty sequence.
    fn add_sequence(&mut self) -> Self::Sequence;
    /// A new sequence that starts with the first `length` tokens of another.
    ///
    /// # Errors
    /// The cache is full.
    fn fork_sequence(&mut self, parent: Self::Sequence, length: usize) -> Result<Self::Sequence, RowError>;
    /// Forgets a sequence.
    fn remove_sequence(&mut self, sequence: Self::Sequence);
    /// Tokens for which there is room.
    fn free_tokens(&self) -> usize;
    /// Runs the rows; gives the logits of the wanted ones to `take`, with their number among the wanted.
    ///
    /// # Errors
    /// No row has run.
    fn run(&mut self, rows: &[Row<'_, Self::Sequence>], take: &mut dyn FnMut(usize, &[f32])) -> Result<(), RowError>;
}

impl From<DecodeError> for RowError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::CacheFull { .. } => Self::CacheFull,
            other => Self::Failed(other.to_string()),
        }
    }
}

impl RowEngine for Decoder {
    type Sequence = SequenceHandle;

    fn add_sequence(&mut self) -> SequenceHandle {
        Decoder::add_sequence(self)
    }

    fn fork_sequence(&mut self, parent: SequenceHandle, length: usize) -> Result<SequenceHandle, RowError> {
        Ok(Decoder::fork_sequence(self, parent, length)?)
    }

    fn remove_sequence(&mut self, sequence: SequenceHandle) {
        Decoder::remove_sequence(self, sequence);
    }

    fn free_tokens(&self) -> usize {
        Decoder::free_tokens(self)
    }

    fn run(&mut self, rows: &[Row<'_, SequenceHandle>], take: &mut dyn FnMut(usize, &[f32])) -> Result<(), RowError> {
        let rows: Vec<BatchRow<'_>> = rows
            .iter()
            .map(|row| BatchRow {
                token: row.token,
                position: row.position,
                sequence: row.sequence,
                adapter: row.adapter,
                want_logits: row.want_logits,
            })
            .collect();
        let logits = self.forward(&rows)?;
        for index in 0..logits.rows() {
            take(index, logits.row(index));
        }
        Ok(())
    }
}

/// A request with the sender of its events; dropping it unfinished tells the receiver nothing, so do not.
pub(super) struct Sample {
    adapter: Option<Arc<Adapter>>,
    prompt: Arc<[u32]>,
    /// Prompt and generated tokens.
    tokens: Vec<u32>,
    max_length: usize,
    sampler: TokenSampler,
    stop_tokens: Vec<u32>,
    constraint: Option<Box<dyn TokenConstraint>>,
    events: mpsc::Sender<GenerateEvent>,
}

impl Sample {
    /// `context` is the number of tokens that prompt and answer may have together.
    pub fn new(request: GenerateRequest, context: usize) -> (Self, mpsc::Receiver<GenerateEvent>) {
        let room = context.saturating_sub(request.prompt.len());
        let max_tokens = request.max_tokens.min(room).max(1);
        // Room for every event there can be, so that a slow reader never holds up the batch.
        let (events, receiver) = mpsc::channel(max_tokens + 1);
        let sample = Self {
            tokens: request.prompt.to_vec(),
            max_length: request.prompt.len() + max_tokens,
            sampler: TokenSampler::new(request.sampling, &request.prompt),
            adapter: request.adapter,
            prompt: request.prompt,
            stop_tokens: request.stop_tokens,
            constraint: request.constraint,
            events,
        };
        (sample, receiver)
    }

    /// Tells the receiver; it may be gone, which is its right.
    fn send(&self, event: GenerateEvent) {
        let _ = self.events.try_send(event);
    }

    /// Ends the sample with an error.
    pub fn fail(self, reason: &str) {
        self.send(GenerateEvent::Failed(reason.to_owned()));
    }

    fn shares_prompt(&self, other: &Self) -> bool {
        let same_adapter = match (&self.adapter, &other.adapter) {
            (None, None) => true,
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        same_adapter && Arc::ptr_eq(&self.prompt, &other.prompt)
    }
}

struct Running<S> {
    sample: Sample,
    sequence: S,
    /// Tokens that are in the cache.
    done: usize,
}

/// Samples in the batch and samples waiting for it.
pub(super) struct Batch<E: RowEngine> {
    engine: E,
    limits: SamplerLimits,
    waiting: VecDeque<Sample>,
    running: Vec<Running<E::Sequence>>,
    mask: TokenMask,
    scratch: SamplingScratch,
}

impl<E: RowEngine> Batch<E> {
    pub fn new(engine: E, limits: SamplerLimits) -> Self {
        Self {
            engine,
            limits,
            waiting: VecDeque::new(),
            running: Vec::new(),
            mask: TokenMask::new(),
            scratch: SamplingScratch::default(),
        }
    }

    pub fn submit(&mut self, sample: Sample) {
        self.waiting.push_back(sample);
    }

    pub fn load(&self) -> SamplerLoad {
        SamplerLoad { running: self.running.len(), waiting: self.waiting.len(), ..SamplerLoad::default() }
    }

    pub fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    /// Ends all samples with an error.
    pub fn fail_all(&mut self, reason: &str) {
        for running in self.running.drain(..) {
            running.sample.fail(reason);
        }
        for sample in self.waiting.drain(..) {
            sample.fail(reason);
        }
    }

    /// Runs one batch of rows.
    pub fn step(&mut self) {
        self.drop_cancelled();
        self.admit();
        while !self.running.is_empty() {
            match self.forward() {
                Ok(()) => return,
                Err(RowError::CacheFull) if self.running.len() > 1 => self.suspend_youngest(),
                Err(RowError::CacheFull) => {
                    return self.fail_running("the key-value cache is too small for this request");
                }
                Err(RowError::Failed(reason)) => return self.fail_running(&reason),
            }
        }
    }

    fn fail_running(&mut self, reason: &str) {
        for running in self.running.drain(..) {
            self.engine.remove_sequence(running.sequence);
            running.sample.fail(reason);
        }
    }

    fn drop_cancelled(&mut self) {
        self.waiting.retain(|sample| !sample.events.is_closed());
        let engine = &mut self.engine;
        self.running.retain(|running| {
            let wanted = !running.sample.events.is_closed();
            if !wanted {
                engine.remove_sequence(running.sequence);
            }
            wanted
        });
    }

    /// Moves waiting samples into the batch, in order, as far as there is room.
    fn admit(&mut self) {
        // Each running sample may need a new page in this very step.
        let mut room = self.engine.free_tokens().saturating_sub(self.running.len() * Decoder::PAGE_TOKENS);
        let mut index = 0;
        while index < self.waiting.len() && self.running.len() < self.limits.max_running {
            let sample = &self.waiting[index];
            let leader = self.running.iter().find(|running| running.sample.shares_prompt(sample));
            let shared = match leader {
                Some(leader) => {
                    // The last token of the prompt is run again: its logits are needed.
                    let shared = sample.prompt.len() - 1;
                    if leader.done < shared {
                        index += 1;
                        continue;
                    }
                    shared / Decoder::PAGE_TOKENS * Decoder::PAGE_TOKENS
                }
                None => 0,
            };
            let needed = sample.tokens.len() - shared + Decoder::PAGE_TOKENS;
            if needed > room && !self.running.is_empty() {
                return;
            }
            let (sequence, done) = match leader {
                Some(leader) => match self.engine.fork_sequence(leader.sequence, sample.prompt.len() - 1) {
                    Ok(sequence) => (sequence, sample.prompt.len() - 1),
                    Err(_) => return,
                },
                None => (self.engine.add_sequence(), 0),
            };
            room = room.saturating_sub(needed);
            if let Some(sample) = self.waiting.remove(index) {
                self.running.push(Running { sample, sequence, done });
            }
        }
    }

    /// Takes the sample that came last out of the batch. What it has generated is kept; its cache is computed again
    /// later, with the same bits.
    fn suspend_youngest(&mut self) {
        if let Some(running) = self.running.pop() {
            self.engine.remove_sequence(running.sequence);
            self.waiting.push_front(running.sample);
        }
    }

    fn forward(&mut self) -> Result<(), RowError> {
        // The rows may not borrow the samples, which go on while the engine still lends out its logits.
        let adapters: Vec<Option<Arc<Adapter>>> =
            self.running.iter().map(|running| running.sample.adapter.clone()).collect();
        let mut rows = Vec::new();
        let mut counts = vec![0; self.running.len()];
        let mut wanted = Vec::new();
        // Samples that are generating take one row each; prompts share what is left.
        let generating = self.running.iter().filter(|running| running.sample.tokens.len() - running.done == 1).count();
        let mut budget = self.limits.rows_per_step.saturating_sub(generating).max(usize::from(generating == 0));
        for (index, running) in self.running.iter().enumerate() {
            let left = running.sample.tokens.len() - running.done;
            let count = if left == 1 { 1 } else { left.min(budget) };
            if left > 1 {
                budget -= count;
            }
            for position in running.done..running.done + count {
                let last = position + 1 == running.sample.tokens.len();
                if last {
                    wanted.push(index);
                }
                rows.push(Row {
                    token: running.sample.tokens[position],
                    position,
                    sequence: running.sequence,
                    adapter: adapters[index].as_ref(),
                    want_logits: last,
                });
            }
            counts[index] = count;
        }
        let mut ended = Vec::new();
        let Self { engine, running, mask, scratch, .. } = self;
        engine.run(&rows, &mut |place, logits| {
            let index = wanted[place];
            if running[index].sample.advance(logits, mask, scratch) {
                ended.push(index);
            }
        })?;
        for (running, count) in self.running.iter_mut().zip(counts) {
            running.done += count;
        }
        for index in ended.into_iter().rev() {
            let running = self.running.remove(index);
            self.engine.remove_sequence(running.sequence);
        }
        Ok(())
    }
}

impl Sample {
    /// Draws the next token and tells the receiver; true if the sample has ended. A panic ends this sample alone.
    fn advance(&mut self, logits: &[f32], mask: &mut TokenMask, scratch: &mut SamplingScratch) -> bool {
        let drawn = catch_unwind(AssertUnwindSafe(|| self.draw(logits, mask, scratch)));
        let drawn = drawn.unwrap_or_else(|panic| {
            tracing::error!(cause = panic_text(&*panic), "choosing a token failed");
            // They may have been left half written.
            (*mask, *scratch) = (TokenMask::new(), SamplingScratch::default());
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
        let allowed = match &mut self.constraint {
            Some(constraint) => {
                mask.clear();
                constraint.allowed(mask)?;
                Some(&*mask)
            }
            None => None,
        };
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
}
