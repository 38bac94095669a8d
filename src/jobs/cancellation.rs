//! A trainer that stops between sequences when its job is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::JobError;
use super::trainer::{State, Trainer};
use crate::engine::ComputePool;
use crate::engine::sampler::AdapterEffect;
use crate::models::{Base, Servable};
use crate::training::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};

/// Number of sequences of the last batch that an adapter's effect is looked for in.
const TEXTS: usize = 4;
/// Maximum number of tokens of each.
const TEXT_TOKENS: usize = 256;

/// A [`Trainer`] that rejects further sequences once its job is cancelled: one optimizer step may span a whole data
/// set.
pub(super) struct CancellableTrainer {
    trainer: Trainer,
    cancel: Arc<AtomicBool>,
    /// Whether the weights have moved since the last recorded step.
    dirty: bool,
    /// Ends of some sequences of the last batch.
    last_batch: Vec<Vec<u32>>,
}

impl CancellableTrainer {
    /// Wraps a trainer; it stops when `cancel` turns true.
    pub(super) fn new(trainer: Trainer, cancel: Arc<AtomicBool>) -> Self {
        Self { trainer, cancel, dirty: false, last_batch: Vec::new() }
    }

    /// Returns the wrapped trainer.
    pub(super) fn trainer(&self) -> &Trainer {
        &self.trainer
    }

    /// Returns the state after the last step if `wanted` accepts its size in bytes, and marks the step as recorded.
    pub(super) fn record(&mut self, wanted: impl FnOnce(usize) -> bool) -> Result<Option<State>, LearnerError> {
        self.dirty = false;
        self.trainer.state(wanted)
    }

    /// Returns whether the weights have moved since the last recorded step.
    pub(super) fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Returns the effect of an adapter on the last batch; `None` without one, and for weights that are trained as a whole.
    ///
    /// # Errors
    /// The trainer fails.
    pub(super) fn effect(
        &mut self,
        pool: &Arc<ComputePool>,
        base: &Base,
    ) -> Result<Option<AdapterEffect>, LearnerError> {
        self.check()?;
        self.trainer.effect(pool, base, &self.last_batch)
    }

    /// Keeps the ends of a batch's first sequences, which stand for it.
    fn note_batch(&mut self, sequences: &[Sequence<'_>]) {
        let end =
            |sequence: &Sequence<'_>| sequence.tokens[sequence.tokens.len().saturating_sub(TEXT_TOKENS)..].to_vec();
        self.last_batch = sequences.iter().take(TEXTS).map(end).collect();
    }

    /// Ends training and returns the state after the last step, and the weights to serve.
    pub(super) fn finish(self) -> Result<(State, Servable), LearnerError> {
        self.trainer.finish()
    }

    fn check(&self) -> Result<(), LearnerError> {
        if self.cancel.load(Ordering::Relaxed) { Err(LearnerError::Failed(JobError::Stopped.into())) } else { Ok(()) }
    }
}

impl Learner for CancellableTrainer {
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.trainer.learner().score(sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.note_batch(sequences);
        self.trainer.learner().accumulate(sequences, gradient)
    }

    fn accumulate_known(
        &mut self,
        sequences: &[Sequence<'_>],
        derivative: f32,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.note_batch(sequences);
        self.trainer.learner().accumulate_known(sequences, derivative)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.dirty = true;
        self.trainer.learner().step(settings)
    }
}
