//! Running prepared jobs on a [`Learner`]: one optimizer step per sequence (reinforcement learning) or per batch
//! (supervised fine-tuning), in the order of the request.
//!
//! Nothing here depends on time or scheduling: the same prepared job on the same weights gives the same steps with the
//! same metrics, so a job that is started again repeats its events exactly.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::learner::{Learner, LearnerError};

mod rl;
mod sft;

pub use rl::{precalculate, run_rl};
pub use sft::run_sft;

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
    /// The engine returned another number of scores than tokens were to be scored.
    #[error("the engine scored {got} tokens of optimizer step {step}, not {expected}")]
    ScoreCount {
        /// Number of the step, from 1.
        step: usize,
        /// Scores returned.
        got: usize,
        /// Scores asked for.
        expected: usize,
    },
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
    /// Mean of each metric over the steps made in this call.
    pub metrics: BTreeMap<String, f64>,
}

/// Called after every step with the learner (for saving its state) and the step; `Break` stops the run.
pub type OnStep<'a, L> = dyn FnMut(&mut L, GradientStep) -> ControlFlow<()> + 'a;

fn check_count(step: usize, got: usize, expected: usize) -> Result<(), RunError> {
    if got == expected { Ok(()) } else { Err(RunError::ScoreCount { step, got, expected }) }
}

/// Sums the metrics of the steps made.
struct Report {
    total: usize,
    first: usize,
    steps: usize,
    sums: BTreeMap<String, f64>,
}

impl Report {
    fn new(total: usize, first: usize) -> Self {
        Self { total, first, steps: 0, sums: BTreeMap::new() }
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
        for (name, value) in metrics {
            *self.sums.entry((*name).to_owned()).or_default() += value;
        }
        let metrics = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        on_step(learner, GradientStep { index, total: self.total, tokens, metrics })
    }

    fn finish(self) -> RunSummary {
        let steps = self.steps;
        RunSummary { steps, metrics: self.sums.into_iter().map(|(name, sum)| (name, sum / steps as f64)).collect() }
    }
}

#[cfg(test)]
mod tests;
