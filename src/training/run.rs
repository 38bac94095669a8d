//! Running prepared jobs on a [`Learner`]: one optimizer step per row (reinforcement learning) or per batch
//! (supervised fine-tuning), in the order of the request.
//!
//! Nothing here depends on time or scheduling: the same prepared job on the same weights gives the same steps with the
//! same metrics, so a job that is started again repeats its events exactly.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::learner::{Learner, LearnerError};
use super::sft::PrepareSftError;

mod means;
mod rl;
mod sft;

pub use means::MetricMeans;
pub use rl::{precalculate, run_rl, score_reference};
pub use sft::{MICRO_BATCH_TOKENS, largest_call, run_sft};

/// Why a run failed. The adapter must not be used afterwards.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The engine failed.
    #[error("optimizer step {step} of {total} failed: {source}")]
    Learner {
        /// Number of the step, from 1.
        step: usize,
        /// Steps of the job.
        total: usize,
        /// What the engine says.
        source: LearnerError,
    },
    /// The loss is infinite or not a number; the step was not made.
    #[error("the loss of optimizer step {step} of {total} is {value}; lower the learning rate")]
    NonFiniteLoss {
        /// Number of the step, from 1.
        step: usize,
        /// Steps of the job.
        total: usize,
        /// The loss.
        value: f64,
    },
    /// The validation loss is infinite or not a number.
    #[error("the validation loss at optimizer step {step} of {total} is {value}; lower the learning rate")]
    NonFiniteValidationLoss {
        /// Number of the step, from 1.
        step: usize,
        /// Steps of the job.
        total: usize,
        /// The loss.
        value: f64,
    },
    /// The rows of a step could not be read again.
    #[error("the rows of optimizer step {step} of {total} cannot be read: {source}")]
    Data {
        /// Number of the step, from 1.
        step: usize,
        /// Steps of the job.
        total: usize,
        /// Why.
        source: PrepareSftError,
    },
    /// The engine returned another number of scores than tokens were to be scored.
    #[error("the engine scored {got} tokens of optimizer step {step}, not {expected}")]
    ScoreCount {
        /// Number of the step, from 1; 0 before the first.
        step: usize,
        /// Scores returned.
        got: usize,
        /// Scores asked for.
        expected: usize,
    },
    /// The engine failed before the first step.
    #[error("computing log-probabilities before the first step failed: {source}")]
    Scoring {
        /// What the engine says.
        source: LearnerError,
    },
    /// A job with a KL penalty whose reference policy was not scored.
    #[error("the log-probabilities of the KL penalty's reference policy are missing")]
    MissingReference,
    /// A job that recomputes log-probabilities was continued without those of its first weights.
    #[error("cannot continue at step {first}: the log-probabilities computed before the first step are missing")]
    MissingPrecalculated {
        /// Index of the step to continue at.
        first: usize,
    },
}

/// One finished optimizer step.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientStep {
    /// Index of the step, from 0.
    pub index: usize,
    /// Steps of the job.
    pub total: usize,
    /// Tokens that the step went through, prompts included.
    pub tokens: usize,
    /// Metrics by wire name; all finite.
    pub metrics: BTreeMap<String, f64>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunOutcome {
    /// All steps were made.
    Finished(RunSummary),
    /// `on_step` asked to stop after this many steps of the job.
    Stopped {
        /// Index of the first step that was not made.
        next: usize,
    },
}

/// Totals of a finished run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunSummary {
    /// Steps made in this call.
    pub steps: usize,
    /// Mean of each metric over the steps made in this call that report it; of `loss/val`, the last value.
    pub metrics: BTreeMap<String, f64>,
}

/// Called after every step with the learner (for saving its state) and the step; `Break` stops the run.
pub type OnStep<'a, L> = dyn FnMut(&mut L, GradientStep) -> ControlFlow<()> + 'a;

fn check_count(step: usize, got: usize, expected: usize) -> Result<(), RunError> {
    if got == expected { Ok(()) } else { Err(RunError::ScoreCount { step, got, expected }) }
}

/// Tells of the steps made.
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
        on_step: &mut OnStep<'_, L>,
    ) -> ControlFlow<()> {
        debug_assert_eq!(index, self.first + self.steps);
        self.steps += 1;
        self.means.add(metrics.iter().copied());
        let metrics = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        on_step(learner, GradientStep { index, total: self.total, tokens, metrics })
    }

    fn finish(self) -> RunSummary {
        RunSummary { steps: self.steps, metrics: self.means.finish() }
    }
}

#[cfg(test)]
mod tests;
