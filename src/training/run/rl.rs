//! Running reinforcement learning: one optimizer step per row.

use std::ops::ControlFlow;

use super::{OnStep, Report, RunError, RunOutcome, check_count};
use crate::engine::SequenceInput;
use crate::training::learner::{Learner, OptimizerSettings, TokenScores};
use crate::training::loss::{LossTokens, loss};
use crate::training::rl::PreparedRl;

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
        let sequence = SequenceInput { tokens: &row.tokens, scored: &row.mask };
        let scores = learner.score(&[sequence]).map_err(|source| RunError::Learner { step, total, source })?;
        let logprobs = scores.into_iter().next().unwrap_or_default().logprobs;
        check_count(step, logprobs.len(), row.trained_tokens())?;
        recomputed.push(logprobs);
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
        let mut gradient = |scores: &[TokenScores]| {
            let scores = &scores[0];
            if scores.logprobs.len() != count || scores.entropies.len() != count {
                return vec![vec![0.0; scores.logprobs.len()]];
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
            vec![gradient]
        };
        let sequence = SequenceInput { tokens: &row.tokens, scored: &row.mask };
        let scores = learner.accumulate(&[sequence], &mut gradient).map_err(|source| RunError::Learner {
            step,
            total,
            source,
        })?;
        check_count(step, scores.iter().map(|scores| scores.logprobs.len()).sum(), count)?;
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
        if report.step(learner, index, row.tokens.len(), &metrics, on_step).is_break() {
            return Ok(RunOutcome::Stopped { next: index + 1 });
        }
    }
    Ok(RunOutcome::Finished(report.finish()))
}

/// The value to report when a gradient, but perhaps not the loss itself, is not finite.
fn non_finite(value: f64) -> f64 {
    if value.is_finite() { f64::NAN } else { value }
}

/// The entries whose place in the mask is true.
fn pick(values: &[f32], mask: &[bool]) -> Vec<f32> {
    values.iter().zip(mask).filter(|(_, wanted)| **wanted).map(|(value, _)| *value).collect()
}
