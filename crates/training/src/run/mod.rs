//! Runs prepared jobs on a [`Learner`]: one optimizer step per row (reinforcement learning) or per batch (supervised
//! fine-tuning), in the order of the request.
//!
//! Results do not depend on time or scheduling: the same prepared job on the same weights gives the same steps with the
//! same metrics, so a restarted job repeats its events exactly.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::config::MAX_LEARNING_RATE;
use super::learner::{Learner, LearnerError};
use super::sft::PrepareSftError;

mod means;
mod rl;
mod sft;

pub use means::MetricMeans;
pub use rl::{precalculate, run_rl, score_reference};
pub use sft::{largest_call, run_sft};

/// Error of a run. The adapter must not be used afterwards.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum RunError {
    #[error("optimizer step {step} of {total} failed: {source}")]
    Learner { step: usize, total: usize, source: LearnerError },
    /// The loss is infinite or not a number; the step was not made.
    #[error("the loss of optimizer step {step} of {total} is {value}; lower the learning rate")]
    NonFiniteLoss { step: usize, total: usize, value: f64 },
    #[error("the validation loss at optimizer step {step} of {total} is {value}; lower the learning rate")]
    NonFiniteValidationLoss { step: usize, total: usize, value: f64 },
    /// The weights that the job starts from give values that are not finite.
    #[error(
        "the checkpoint that the job starts from cannot be trained: {source}; the values of its adapter or of its \
         weights are too large, so train from another step"
    )]
    UnusableStart { source: LearnerError },
    #[error(
        "the reference of the KL penalty cannot be used: {source}; the values of its adapter or of its weights are too \
         large, so name another one with `kl_ref_adapter_path` or `kl_penalty_reference_step`"
    )]
    UnusableReference { source: LearnerError },
    /// The logprobs of the sampler are not those of the learner under the same weights.
    #[error(
        "the log-probabilities of the rollouts differ from the learner's by {mean_abs} nat in the mean, above {limit}: this \
         is no rounding. The rollouts were sampled from another checkpoint than the job starts from, or sampler and \
         learner hold different weights"
    )]
    SamplerMismatch { mean_abs: f64, limit: f64 },
    /// The learning rate of a step, with the multipliers of the job, is not a number of the engine.
    #[error(
        "the learning rate of optimizer step {step} of {total} is {value} with the multipliers of the job, above 3.4e38; \
         lower `learning_rate`"
    )]
    LearningRate { step: usize, total: usize, value: f64 },
    /// The rows of a step could not be read in the second pass.
    #[error("the rows of optimizer step {step} of {total} cannot be read: {source}")]
    Data { step: usize, total: usize, source: PrepareSftError },
    /// The engine returned a different number of scores than requested.
    #[error("the engine scored {got} tokens of optimizer step {step}, not {expected}")]
    ScoreCount {
        /// Number of the step, from 1; 0 before the first.
        step: usize,
        got: usize,
        expected: usize,
    },
    /// The engine failed before the first step.
    #[error("computing log-probabilities before the first step failed: {source}")]
    Scoring { source: LearnerError },
    /// The job has a KL penalty, but its reference policy was not scored.
    #[error("the log-probabilities of the KL penalty's reference policy are missing")]
    MissingReference,
    /// The job recomputes logprobs, but was resumed without those of its initial weights.
    #[error("cannot continue at step {first}: the log-probabilities computed before the first step are missing")]
    MissingPrecalculated { first: usize },
}

impl RunError {
    /// Returns the error of a failed computation. `is_start` tells that the weights are those of the job's start.
    fn of_learner(step: usize, total: usize, is_start: bool, source: LearnerError) -> Self {
        if is_start && source.is_not_finite() {
            return Self::UnusableStart { source };
        }
        Self::Learner { step, total, source }
    }

    /// Returns the learner's error, if it is the cause.
    pub fn learner(&self) -> Option<&LearnerError> {
        match self {
            Self::Learner { source, .. }
            | Self::Scoring { source }
            | Self::UnusableStart { source }
            | Self::UnusableReference { source } => Some(source),
            _ => None,
        }
    }

    /// Returns whether a value of the model became infinite or not a number in the course of the job.
    pub fn is_divergence(&self) -> bool {
        match self {
            Self::NonFiniteLoss { .. } | Self::NonFiniteValidationLoss { .. } | Self::UnusableStart { .. } => true,
            Self::Learner { source, .. } | Self::Scoring { source } => source.is_not_finite(),
            _ => false,
        }
    }
}

/// One completed optimizer step.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientStep {
    /// Index of the step, from 0.
    pub index: usize,
    /// Number of steps of the job.
    pub total: usize,
    /// Tokens processed by the step, including prompts.
    pub tokens: usize,
    /// Metrics by wire name; all finite.
    pub metrics: BTreeMap<String, f64>,
    /// Logprob of each trained token under the weights before the step, in the order of the sequences. Empty for
    /// supervised fine-tuning.
    pub logprobs: Vec<f32>,
}

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOutcome {
    /// All steps were completed.
    Finished(RunSummary),
    /// `on_step` requested a stop after this number of steps of the job.
    Stopped {
        /// Index of the first step that was not made.
        next: usize,
    },
}

/// Totals of a finished run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunSummary {
    /// Number of steps made in this call.
    pub steps: usize,
    /// Mean of each metric over the steps made in this call that report it; of `loss/val`, the last value.
    pub metrics: BTreeMap<String, f64>,
}

/// Callback after every step, with the learner (for saving its state) and the step; `Break` stops the run.
pub type OnStep<'a, L> = dyn FnMut(&mut L, GradientStep) -> ControlFlow<()> + 'a;

/// Checks the learning rate of a step.
fn check_learning_rate(step: usize, total: usize, value: f64) -> Result<(), RunError> {
    if value <= MAX_LEARNING_RATE { Ok(()) } else { Err(RunError::LearningRate { step, total, value }) }
}

fn check_count(step: usize, got: usize, expected: usize) -> Result<(), RunError> {
    if got == expected { Ok(()) } else { Err(RunError::ScoreCount { step, got, expected }) }
}

/// Reports the completed steps.
struct Report {
    total: usize,
    first: usize,
    steps: usize,
    means: MetricMeans,
}

impl Report {
    fn new(total: usize, first: usize) -> Self {
        Self { total, first, steps: 0, means: MetricMeans::default() }
    }

    fn step<L: Learner>(
        &mut self,
        learner: &mut L,
        index: usize,
        tokens: usize,
        metrics: &[(&str, f64)],
        logprobs: Vec<f32>,
        on_step: &mut OnStep<'_, L>,
    ) -> ControlFlow<()> {
        debug_assert_eq!(index, self.first + self.steps);
        self.steps += 1;
        self.means.add(metrics.iter().copied());
        let metrics = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        on_step(learner, GradientStep { index, total: self.total, tokens, metrics, logprobs })
    }

    fn finish(self) -> RunSummary {
        RunSummary { steps: self.steps, metrics: self.means.finish() }
    }
}

#[cfg(test)]
mod tests;
