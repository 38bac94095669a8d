//! A trainer that stops between sequences when its job is cancelled.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{
    error::JobError,
    trainer::{State, Trainer},
};
use crate::{
    models::Servable,
    training::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores},
};

/// A [`Trainer`] that rejects further sequences once its job is cancelled: one optimizer step may span a whole data
/// set.
pub(super) struct CancellableTrainer {
    trainer: Trainer,
    cancel: Arc<AtomicBool>,
    /// Whether the weights have moved since the last recorded step.
    dirty: bool,
}

impl CancellableTrainer {
    /// Wraps a trainer; it stops when `cancel` turns true.
    pub(super) fn new(trainer: Trainer, cancel: Arc<AtomicBool>) -> Self {
        Self { trainer, cancel, dirty: false }
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
        self.trainer.score(sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.trainer.accumulate(sequences, gradient)
    }

    fn accumulate_known(
        &mut self,
        sequences: &[Sequence<'_>],
        derivative: f32,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.trainer.accumulate_known(sequences, derivative)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.dirty = true;
        self.trainer.step(settings)
    }
}
