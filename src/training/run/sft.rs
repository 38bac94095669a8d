//! Running supervised fine-tuning: one optimizer step per batch.

use super::{OnStep, Report, RunError, RunOutcome, check_count};
use crate::engine::SequenceInput;
use crate::training::learner::{Learner, OptimizerSettings, TokenScores};
use crate::training::sft::{PreparedSft, SftBatch};

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
        let tokens = batch.rows.iter().map(|row| row.tokens.len()).sum();
        let metrics = [
            ("loss/train", value),
            ("loss/learning_rate", batch.learning_rate),
            ("loss/grad_norm", norm),
            ("num_tokens", tokens as f64),
            ("num_trainable_tokens", batch.trained_tokens() as f64),
            ("num_trajectories", batch.rows.len() as f64),
            ("num_dropped_trajectories", batch.dropped as f64),
        ];
        if report.step(learner, index, tokens, &metrics, on_step).is_break() {
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
    let derivative = (-1.0 / trained as f64) as f32;
    let rows: Vec<_> = batch.rows.iter().filter(|row| row.trained.contains(&true)).collect();
    let sequences: Vec<_> =
        rows.iter().map(|row| SequenceInput { tokens: &row.tokens, scored: &row.trained }).collect();
    let mut gradient =
        |scores: &[TokenScores]| scores.iter().map(|scores| vec![derivative; scores.logprobs.len()]).collect();
    let scores =
        learner.accumulate(&sequences, &mut gradient).map_err(|source| RunError::Learner { step, total, source })?;
    check_count(step, scores.iter().map(|scores| scores.logprobs.len()).sum(), trained)?;
    let sum = -scores.iter().flat_map(|scores| &scores.logprobs).map(|logprob| f64::from(*logprob)).sum::<f64>();
    let value = sum / trained as f64;
    if !value.is_finite() {
        return Err(RunError::NonFiniteLoss { step, total, value });
    }
    let settings = OptimizerSettings::supervised(batch.learning_rate);
    let norm = learner.step(&settings).map_err(|source| RunError::Learner { step, total, source })?;
    Ok((value, norm))
}
