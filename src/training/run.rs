//! Running prepared jobs on a [`Learner`]: one optimizer step per sequence (reinforcement learning) or per batch
//! (supervised fine-tuning), in the order of the request.
//!
//! Nothing here depends on time or scheduling: the same prepared job on the same weights gives the same steps with the
//! same metrics, so a job that is started again repeats its events exactly.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::learner::{Learner, LearnerError, OptimizerSettings, TokenScores};
use super::loss::{LossTokens, loss};
use super::rl::PreparedRl;
use super::sft::{PreparedSft, SftBatch};

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

/// Recompute the old log-probabilities of all rows with the learner's current weights, where the job asks for it and
/// it has not been done. [`run_rl`] does it by itself; call it before to be able to stop on the way.
///
/// `before_row` is asked before each row; after `Break` nothing is kept and the result is `Break`.
///
/// # Errors
/// When the engine fails.
pub fn precalculate<L: Learner>(
    learner: &mut L,
    job: &mut PreparedRl,
    before_row: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<ControlFlow<()>, RunError> {
    if !job.config.precalculate_logprobs || job.recomputed_logprobs.is_some() {
        return Ok(ControlFlow::Continue(()));
    }
    let total = job.rows.len();
    let mut recomputed = Vec::with_capacity(total);
    for (index, row) in job.rows.iter().enumerate() {
        if before_row().is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let step = index + 1;
        let scores =
            learner.score(&row.tokens, &row.mask).map_err(|source| RunError::Learner { step, total, source })?;
        check_count(step, scores.logprobs.len(), row.trained_tokens())?;
        recomputed.push(scores.logprobs);
    }
    job.recomputed_logprobs = Some(recomputed);
    Ok(ControlFlow::Continue(()))
}

/// Run a reinforcement learning job from step `first` (0 = the beginning).
///
/// A job without rows makes no step and is finished at once.
///
/// # Errors
/// When the engine fails or the loss is not finite; the learner's weights must then be thrown away.
pub fn run_rl<L: Learner>(
    learner: &mut L,
    job: &mut PreparedRl,
    first: usize,
    on_step: &mut OnStep<'_, L>,
) -> Result<RunOutcome, RunError> {
    if first > 0 && job.config.precalculate_logprobs && job.recomputed_logprobs.is_none() {
        return Err(RunError::MissingPrecalculated { first });
    }
    if precalculate(learner, job, &mut || ControlFlow::Continue(()))?.is_break() {
        return Ok(RunOutcome::Stopped { next: first });
    }
    let total = job.rows.len();
    let settings = OptimizerSettings::reinforcement(job.config.learning_rate);
    let mut report = Report::new(total, first);
    for (index, row) in job.rows.iter().enumerate().skip(first) {
        let step = index + 1;
        let sampled: Vec<f32> = pick(&row.logprobs, &row.mask);
        let count = sampled.len();
        let recomputed = job.recomputed_logprobs.as_ref().map(|rows| rows[index].as_slice());
        let advantages = vec![row.advantage; count];
        let weights = vec![row.weight; count];
        let sequences = vec![0; count];
        let mut outcome = None;
        let mut gradient = |scores: &TokenScores| {
            if scores.logprobs.len() != count || scores.entropies.len() != count {
                return vec![0.0; scores.logprobs.len()];
            }
            let loss = loss(
                &LossTokens {
                    new: &scores.logprobs,
                    old: recomputed.unwrap_or(&sampled),
                    original: recomputed.map(|_| sampled.as_slice()),
                    reference: None,
                    advantages: &advantages,
                    weights: &weights,
                    sequences: &sequences,
                    entropies: &scores.entropies,
                },
                &job.config.loss,
            );
            let finite = loss.value.is_finite() && loss.gradient.iter().all(|entry| (*entry as f32).is_finite());
            // A bad loss fails the job below; until then nothing non-finite may reach the accumulated gradients.
            let gradient =
                if finite { loss.gradient.iter().map(|entry| *entry as f32).collect() } else { vec![0.0; count] };
            outcome = Some((if finite { loss.value } else { non_finite(loss.value) }, loss.entropy));
            gradient
        };
        let scores = learner.accumulate(&row.tokens, &row.mask, &mut gradient).map_err(|source| RunError::Learner {
            step,
            total,
            source,
        })?;
        check_count(step, scores.logprobs.len(), count)?;
        let (value, entropy) = outcome.ok_or(RunError::ScoreCount { step, got: 0, expected: count })?;
        if !value.is_finite() {
            return Err(RunError::NonFiniteLoss { step, total, value });
        }
        let norm = learner.step(&settings).map_err(|source| RunError::Learner { step, total, source })?;
        let metrics = [
            ("loss/train", value),
            ("loss/entropy", entropy),
            ("loss/grad_norm", norm),
            ("loss/learning_rate", settings.learning_rate),
        ];
        if report.step(learner, index, &metrics, on_step).is_break() {
            return Ok(RunOutcome::Stopped { next: index + 1 });
        }
    }
    Ok(RunOutcome::Finished(report.finish()))
}

/// Run a supervised fine-tuning job from batch `first` (0 = the beginning).
///
/// The loss of a batch is the mean negative log-probability of its trained tokens. A batch without trained tokens
/// makes no optimizer step, but is reported with loss 0 and gradient norm 0.
///
/// # Errors
/// When the engine fails or the loss is not finite; the learner's weights must then be thrown away.
pub fn run_sft<L: Learner>(
    learner: &mut L,
    job: &PreparedSft,
    first: usize,
    on_step: &mut OnStep<'_, L>,
) -> Result<RunOutcome, RunError> {
    let total = job.batches.len();
    let mut report = Report::new(total, first);
    for (index, batch) in job.batches.iter().enumerate().skip(first) {
        let (value, norm) = run_batch(learner, batch, index + 1, total)?;
        let metrics = [
            ("loss/train", value),
            ("loss/learning_rate", batch.learning_rate),
            ("loss/grad_norm", norm),
            ("num_tokens", batch.rows.iter().map(|row| row.tokens.len()).sum::<usize>() as f64),
            ("num_trainable_tokens", batch.trained_tokens() as f64),
            ("num_trajectories", batch.rows.len() as f64),
            ("num_dropped_trajectories", batch.dropped as f64),
        ];
        if report.step(learner, index, &metrics, on_step).is_break() {
            return Ok(RunOutcome::Stopped { next: index + 1 });
        }
    }
    Ok(RunOutcome::Finished(report.finish()))
}

/// Loss and gradient norm of one supervised batch.
fn run_batch<L: Learner>(learner: &mut L, batch: &SftBatch, step: usize, total: usize) -> Result<(f64, f64), RunError> {
    let trained = batch.trained_tokens();
    if trained == 0 {
        return Ok((0.0, 0.0));
    }
    let mut sum = 0.0;
    for row in batch.rows.iter().filter(|row| row.trained.contains(&true)) {
        let derivative = (-1.0 / trained as f64) as f32;
        let mut gradient = |scores: &TokenScores| vec![derivative; scores.logprobs.len()];
        let scores = learner
            .accumulate(&row.tokens, &row.trained, &mut gradient)
            .map_err(|source| RunError::Learner { step, total, source })?;
        check_count(step, scores.logprobs.len(), row.trained_tokens())?;
        sum -= scores.logprobs.iter().map(|logprob| f64::from(*logprob)).sum::<f64>();
    }
    let value = sum / trained as f64;
    if !value.is_finite() {
        return Err(RunError::NonFiniteLoss { step, total, value });
    }
    let settings = OptimizerSettings::supervised(batch.learning_rate);
    let norm = learner.step(&settings).map_err(|source| RunError::Learner { step, total, source })?;
    Ok((value, norm))
}

fn check_count(step: usize, got: usize, expected: usize) -> Result<(), RunError> {
    if got == expected { Ok(()) } else { Err(RunError::ScoreCount { step, got, expected }) }
}

/// The value to report when a gradient, but perhaps not the loss itself, is not finite.
fn non_finite(value: f64) -> f64 {
    if value.is_finite() { f64::NAN } else { value }
}

/// The entries whose place in the mask is true.
fn pick(values: &[f32], mask: &[bool]) -> Vec<f32> {
    values.iter().zip(mask).filter(|(_, wanted)| **wanted).map(|(value, _)| *value).collect()
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
        metrics: &[(&str, f64)],
        on_step: &mut OnStep<'_, L>,
    ) -> ControlFlow<()> {
        debug_assert_eq!(index, self.first + self.steps);
        self.steps += 1;
        for (name, value) in metrics {
            *self.sums.entry((*name).to_owned()).or_default() += value;
        }
        let metrics = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        on_step(learner, GradientStep { index, total: self.total, metrics })
    }

    fn finish(self) -> RunSummary {
        let steps = self.steps;
        RunSummary { steps, metrics: self.sums.into_iter().map(|(name, sum)| (name, sum / steps as f64)).collect() }
    }
}

#[cfg(test)]
mod tests;
