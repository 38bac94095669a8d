//! Runs reinforcement learning: one optimizer step per row.

use super::{OnStep, Report, RunError, RunOutcome, check_count, check_learning_rate};
use crate::learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};
use crate::loss::{Loss, LossTokens, SamplingMismatch, loss};
use crate::packing::divide_into_rows;
use crate::rl::PreparedRl;
use crate::sequences::{TrainSequence, TrainSequences};

/// Token limit of one call that scores without gradients, shared prefixes counted once. It bounds memory; a longer
/// sequence is scored alone.
const SCORED_AT_ONCE: usize = 8192;

/// Recomputes the old logprobs of all sequences with the learner's current weights, if the job asks for it and they are
/// missing. [`run_rl`] calls it; call it earlier to save the logprobs of a run that may be interrupted.
///
/// # Errors
/// The engine fails.
pub fn precalculate<L: Learner>(learner: &mut L, job: &mut PreparedRl) -> Result<(), RunError> {
    if job.config.precalculate_logprobs && job.recomputed_logprobs.is_none() {
        let unusable = |source| RunError::UnusableStart { source };
        job.recomputed_logprobs = Some(score_all(learner, &job.sequences, unusable)?);
    }
    Ok(())
}

/// Computes the logprobs of all sequences under the reference policy of the KL penalty, which `reference` holds, if the
/// job has a penalty and they are missing. Call it before [`run_rl`].
///
/// # Errors
/// The engine fails.
pub fn score_reference<L: Learner>(reference: &mut L, job: &mut PreparedRl) -> Result<(), RunError> {
    if job.config.kl_reference.is_some() && job.reference_logprobs.is_none() {
        let unusable = |source| RunError::UnusableReference { source };
        job.reference_logprobs = Some(score_all(reference, &job.sequences, unusable)?);
    }
    Ok(())
}

/// Returns the logprobs of the trained tokens of each sequence. Prefixes shared within one scoring call are computed
/// once; the grouping changes no result.
///
/// # Errors
/// `unusable` makes the error of values that are not finite.
fn score_all<L: Learner>(
    learner: &mut L,
    sequences: &TrainSequences,
    unusable: fn(LearnerError) -> RunError,
) -> Result<Vec<Vec<f32>>, RunError> {
    let failed =
        |source: LearnerError| if source.is_not_finite() { unusable(source) } else { RunError::Scoring { source } };
    let mut logprobs = Vec::with_capacity(sequences.len());
    for range in divide_into_rows(sequences, Some(SCORED_AT_ONCE)) {
        let members: Vec<_> = sequences.range(range).collect();
        let scores = learner.score(&inputs(&members)).map_err(failed)?;
        check_count(0, scores.len(), members.len())?;
        for (scores, sequence) in scores.into_iter().zip(&members) {
            check_count(0, scores.logprobs.len(), sequence.trained_tokens())?;
            logprobs.push(scores.logprobs);
        }
    }
    Ok(logprobs)
}

/// Runs a reinforcement learning job from step `first` (0 = the beginning).
///
/// A job without rows finishes at once, without a step.
///
/// # Errors
/// The engine fails, the loss is not finite, or the job has a KL penalty and its reference was not scored. The
/// learner's weights must then be discarded.
pub fn run_rl<L: Learner>(
    learner: &mut L,
    job: &mut PreparedRl,
    first: usize,
    on_step: &mut OnStep<'_, L>,
) -> Result<RunOutcome, RunError> {
    if first > 0 && job.config.precalculate_logprobs && job.recomputed_logprobs.is_none() {
        return Err(RunError::MissingPrecalculated { first });
    }
    if job.config.kl_reference.is_some() && job.reference_logprobs.is_none() && !job.rows.is_empty() {
        return Err(RunError::MissingReference);
    }
    precalculate(learner, job)?;
    let total = job.rows.len();
    let mut report = Report::new(total, first);
    for index in first..total {
        let row = RowTokens::new(job, index);
        let mut made = row.step(learner, index + 1, total)?;
        let logprobs = std::mem::take(&mut made.logprobs);
        if report.step(learner, index, row.tokens(), &row.metrics(&made), logprobs, on_step).is_break() {
            return Ok(RunOutcome::Stopped { next: index + 1 });
        }
    }
    Ok(RunOutcome::Finished(report.finish()))
}

/// Results of an optimizer step.
struct Made {
    loss: Loss,
    gradient_norm: f64,
    /// Difference of sampler and learner under the weights at the start of the job, where the row was scored with them.
    sampler_mismatch: Option<SamplingMismatch>,
    /// Logprobs of the trained tokens under the weights before the step.
    logprobs: Vec<f32>,
}

/// The trained tokens of a row, one entry per token in the order of its sequences.
struct RowTokens<'a> {
    job: &'a PreparedRl,
    sequences: Vec<TrainSequence>,
    sampled: Vec<f32>,
    recomputed: Option<Vec<f32>>,
    reference: Option<Vec<f32>>,
    advantages: Vec<f64>,
    weights: Vec<f64>,
    /// Index of each token's sequence in the row.
    owners: Vec<usize>,
    settings: OptimizerSettings,
}

impl<'a> RowTokens<'a> {
    fn new(job: &'a PreparedRl, row: usize) -> Self {
        let range = job.rows[row].clone();
        let sequences: Vec<_> = job.sequences.range(range.clone()).collect();
        let computed = |logprobs: &Option<Vec<Vec<f32>>>| logprobs.as_ref().map(|all| all[range.clone()].concat());
        let each = |value: fn(&TrainSequence) -> f64| {
            sequences.iter().flat_map(|sequence| vec![value(sequence); sequence.trained_tokens()]).collect()
        };
        let owners = sequences.iter().enumerate();
        Self {
            job,
            sampled: sequences.iter().flat_map(|sequence| &sequence.logprobs).copied().collect(),
            recomputed: computed(&job.recomputed_logprobs),
            reference: computed(&job.reference_logprobs),
            advantages: each(|sequence| sequence.advantage),
            weights: each(|sequence| sequence.weight),
            owners: owners.flat_map(|(owner, sequence)| vec![owner; sequence.trained_tokens()]).collect(),
            settings: OptimizerSettings::reinforcement(job.learning_rate(sequences.len())),
            sequences,
        }
    }

    /// Returns the number of tokens of the sequences, including prompts.
    fn tokens(&self) -> usize {
        self.sequences.iter().map(|sequence| sequence.tokens.len()).sum()
    }

    fn loss(&self, scores: &[TokenScores]) -> Loss {
        let gather = |values: fn(&TokenScores) -> &[f32]| scores.iter().flat_map(values).copied().collect::<Vec<f32>>();
        let tokens = LossTokens {
            new: &gather(|scores| &scores.logprobs),
            old: self.recomputed.as_deref().unwrap_or(&self.sampled),
            original: self.recomputed.as_ref().map(|_| self.sampled.as_slice()),
            reference: self.reference.as_deref(),
            advantages: &self.advantages,
            weights: &self.weights,
            sequences: &self.owners,
            entropies: &gather(|scores| &scores.entropies),
        };
        loss(&tokens, &self.job.config.loss)
    }

    /// Returns whether there is a logprob and an entropy for each trained token.
    fn fits(&self, scores: &[TokenScores]) -> bool {
        scores.len() == self.sequences.len()
            && scores.iter().zip(&self.sequences).all(|(scores, sequence)| {
                [scores.logprobs.len(), scores.entropies.len()] == [sequence.trained_tokens(); 2]
            })
    }

    /// Returns the difference of sampler and learner, if it is asked for and the row was scored with the weights at the
    /// start of the job: later weights differ from the sampler's by training.
    fn sampler_mismatch(&self, step: usize, scores: &[TokenScores]) -> Option<SamplingMismatch> {
        self.job.max_sampler_mismatch?;
        match &self.recomputed {
            Some(recomputed) => SamplingMismatch::of(recomputed, &self.sampled),
            None if step == 1 => {
                let new: Vec<f32> = scores.iter().flat_map(|scores| &scores.logprobs).copied().collect();
                SamplingMismatch::of(&new, &self.sampled)
            }
            None => None,
        }
    }

    /// Accumulates the gradient of the row and makes the optimizer step.
    fn step<L: Learner>(&self, learner: &mut L, step: usize, total: usize) -> Result<Made, RunError> {
        let failed = |source| RunError::Learner { step, total, source };
        let mut outcome = None;
        let mut gradient = |scores: &[TokenScores]| {
            let zeros = || scores.iter().map(|scores| vec![0.0; scores.logprobs.len()]).collect::<Vec<Vec<f32>>>();
            if !self.fits(scores) {
                return zeros();
            }
            let mut loss = self.loss(scores);
            let mut by_sequence = zeros();
            let slots = by_sequence.iter_mut().flatten().zip(&loss.gradient);
            slots.for_each(|(slot, entry)| *slot = *entry as f32);
            // A loss that is not finite fails the job below; until then no such value may reach the accumulated
            // gradients.
            let finite = by_sequence.iter().flatten().all(|entry| entry.is_finite());
            if loss.value.is_finite() && !finite {
                loss.value = f64::NAN;
            }
            let by_sequence = if loss.value.is_finite() { by_sequence } else { zeros() };
            outcome = Some(loss);
            by_sequence
        };
        check_learning_rate(step, total, self.settings.learning_rate)?;
        let scores = learner
            .accumulate(&inputs(&self.sequences), &mut gradient)
            .map_err(|source| RunError::of_learner(step, total, step == 1, source))?;
        let expected = self.sampled.len();
        check_count(step, scores.iter().map(|scores| scores.logprobs.len()).sum(), expected)?;
        let loss = outcome.ok_or(RunError::ScoreCount { step, got: 0, expected })?;
        if !loss.value.is_finite() {
            return Err(RunError::NonFiniteLoss { step, total, value: loss.value });
        }
        let sampler_mismatch = self.sampler_mismatch(step, &scores);
        if let (Some(limit), Some(SamplingMismatch { mean_abs, .. })) =
            (self.job.max_sampler_mismatch, sampler_mismatch)
            && mean_abs > limit
        {
            return Err(RunError::SamplerMismatch { mean_abs, limit });
        }
        let gradient_norm = learner.step(&self.settings).map_err(failed)?;
        let logprobs = scores.into_iter().flat_map(|scores| scores.logprobs).collect();
        Ok(Made { loss, gradient_norm, sampler_mismatch, logprobs })
    }

    /// Returns the metrics of the step. Clients keep names with a slash unchanged; they may take other names for totals
    /// of the job.
    fn metrics(&self, made: &Made) -> Vec<(&'static str, f64)> {
        let Made { loss, gradient_norm, sampler_mismatch, .. } = made;
        let mut metrics = vec![
            ("loss/train", loss.value),
            ("loss/entropy", loss.entropy),
            ("loss/grad_norm", *gradient_norm),
            ("loss/learning_rate", self.settings.learning_rate),
            ("row/num_sequences", self.sequences.len() as f64),
            ("row/num_trained_tokens", self.sampled.len() as f64),
        ];
        metrics.extend(loss.kl_to_reference.map(|kl| ("loss/kl_policy_ref", kl)));
        if let Some(ratios) = &loss.ratios {
            metrics.extend([
                ("importance_ratio/min", ratios.min),
                ("importance_ratio/max", ratios.max),
                ("importance_ratio/mean", ratios.mean),
                ("importance_ratio/clip_share", ratios.clip_share),
            ]);
        }
        if let Some(mismatch) = &loss.mismatch {
            metrics.extend([
                ("logprob_mismatch/mean_abs", mismatch.mean_abs),
                ("logprob_mismatch/max_abs", mismatch.max_abs),
                ("loss/kl_div", mismatch.kl),
            ]);
        }
        if let Some(mismatch) = sampler_mismatch {
            metrics.extend([
                ("sampler_mismatch/mean_abs", mismatch.mean_abs),
                ("sampler_mismatch/max", mismatch.max_abs),
                ("sampler_mismatch/kl", mismatch.kl),
            ]);
        }
        metrics
    }
}

fn inputs(sequences: &[TrainSequence]) -> Vec<Sequence<'_>> {
    sequences.iter().map(TrainSequence::input).collect()
}
