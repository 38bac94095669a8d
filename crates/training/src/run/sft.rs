//! Runs supervised fine-tuning: one optimizer step per batch.

use super::means::VALIDATION;
use super::{OnStep, Report, RunError, RunOutcome, check_count};
use crate::learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};
use crate::sft::{PreparedSft, SftRow, SftRows, SftSequence};

/// Token limit of one call of the learner, unless a single row has more. It affects the last bits of a batch's result,
/// so it is the same on every machine.
pub(super) const MICRO_BATCH_TOKENS: usize = 4096;

/// Metric name of the validation loss before the first step.
const VALIDATION_BEFORE: &str = "loss/val_before";

/// Runs a supervised fine-tuning job from batch `first` (0 = the beginning). `rows` returns the tokens of the job's
/// rows.
///
/// The loss of a batch is the mean negative logprob of its trained tokens. A batch without trained tokens makes no
/// optimizer step, but is reported with loss 0 and gradient norm 0. The validation loss is the same mean over all
/// validation rows; computing it does not affect training.
///
/// # Errors
/// The engine fails, a row cannot be read, or a loss is not finite. The learner's weights must then be discarded.
pub fn run_sft<L: Learner>(
    learner: &mut L,
    job: &PreparedSft,
    rows: &mut dyn SftRows,
    first: usize,
    on_step: &mut OnStep<'_, L>,
) -> Result<RunOutcome, RunError> {
    let total = job.steps();
    let mut report = Report::new(total, first);
    for index in first..total {
        let mut run = Step { learner: &mut *learner, rows: &mut *rows, number: index + 1, total, is_start: index == 0 };
        let mut metrics = Vec::new();
        if index == 0 && !job.validation.is_empty() {
            metrics.push((VALIDATION_BEFORE, run.validate(&job.validation)?));
        }
        let batch = job.batch(index);
        let rate = job.config.learning_rate.at(index);
        let made = run.train(batch, rate)?;
        metrics.extend([
            ("loss/train", made.loss),
            ("loss/learning_rate", rate),
            ("loss/grad_norm", made.gradient_norm),
        ]);
        let used = || batch.iter().filter(|row| !row.is_dropped());
        let sum = |of: fn(&SftRow) -> u32| used().map(|row| of(row) as usize).sum::<usize>();
        let tokens = sum(|row| row.tokens);
        // Reported for every step, because the job is charged by it.
        metrics.push(("num_trainable_tokens", sum(|row| row.trained) as f64));
        if job.config.metric_logging.reports_details(index, total) {
            let count = used().count();
            metrics.extend([
                ("loss/entropy", made.entropy),
                ("num_tokens", tokens as f64),
                ("num_trajectories", count as f64),
                ("num_dropped_trajectories", (batch.len() - count) as f64),
            ]);
        }
        if job.validates_after(index) {
            metrics.push((VALIDATION, run.validate(&job.validation)?));
        }
        if report.step(learner, index, tokens, &metrics, Vec::new(), on_step).is_break() {
            return Ok(RunOutcome::Stopped { next: index + 1 });
        }
    }
    Ok(RunOutcome::Finished(report.finish()))
}

/// Groups rows into calls of the learner.
fn micro_batches(rows: &[SftRow]) -> impl Iterator<Item = Vec<&SftRow>> {
    let mut rows = rows.iter().filter(|row| !row.is_dropped()).peekable();
    std::iter::from_fn(move || {
        let mut batch = vec![rows.next()?];
        let mut tokens = batch[0].tokens as usize;
        while let Some(row) = rows.next_if(|row| tokens + row.tokens as usize <= MICRO_BATCH_TOKENS) {
            tokens += row.tokens as usize;
            batch.push(row);
        }
        Some(batch)
    })
}

/// Returns the sequence lengths of the job's largest call; empty if it makes no call.
pub fn largest_call(job: &PreparedSft) -> Vec<usize> {
    let batches = job.training.chunks(job.config.batch_size).chain([job.validation.as_slice()]);
    let calls = batches.flat_map(micro_batches);
    let lengths = calls.map(|rows| rows.iter().map(|row| row.tokens as usize).collect::<Vec<_>>());
    lengths.max_by_key(|lengths| lengths.iter().sum::<usize>()).unwrap_or_default()
}

/// Results of an optimizer step.
#[derive(Default)]
struct Made {
    loss: f64,
    entropy: f64,
    gradient_norm: f64,
}

/// Context of a step.
struct Step<'a, L> {
    learner: &'a mut L,
    rows: &'a mut dyn SftRows,
    /// Number of the step, from 1.
    number: usize,
    total: usize,
    /// Whether the weights are those of the job's start.
    is_start: bool,
}

/// Sums over tokens, in order.
#[derive(Default)]
struct Sums {
    negative_logprob: f64,
    entropy: f64,
}

impl Sums {
    fn add(&mut self, scores: &[TokenScores]) {
        for scores in scores {
            self.negative_logprob -= scores.logprobs.iter().map(|value| f64::from(*value)).sum::<f64>();
            self.entropy += scores.entropies.iter().map(|value| f64::from(*value)).sum::<f64>();
        }
    }
}

impl<L: Learner> Step<'_, L> {
    /// Trains one batch.
    fn train(&mut self, batch: &[SftRow], learning_rate: f64) -> Result<Made, RunError> {
        let trained = batch.iter().map(|row| u64::from(row.trained)).sum::<u64>() as f64;
        if trained == 0.0 {
            return Ok(Made::default());
        }
        let derivative = (-1.0 / trained) as f32;
        let sums = self.sums(batch, &mut |learner, sequences| learner.accumulate_known(sequences, derivative))?;
        let (step, total) = (self.number, self.total);
        let loss = sums.negative_logprob / trained;
        if !loss.is_finite() {
            return Err(RunError::NonFiniteLoss { step, total, value: loss });
        }
        let settings = OptimizerSettings::supervised(learning_rate);
        let gradient_norm = self.learner.step(&settings).map_err(|source| RunError::Learner { step, total, source })?;
        self.is_start = false;
        Ok(Made { loss, entropy: sums.entropy / trained, gradient_norm })
    }

    /// Returns the loss on validation rows.
    fn validate(&mut self, rows: &[SftRow]) -> Result<f64, RunError> {
        let tokens = rows.iter().map(|row| u64::from(row.trained)).sum::<u64>() as f64;
        let sums = self.sums(rows, &mut |learner, sequences| learner.score(sequences))?;
        let value = sums.negative_logprob / tokens;
        let (step, total) = (self.number, self.total);
        if value.is_finite() { Ok(value) } else { Err(RunError::NonFiniteValidationLoss { step, total, value }) }
    }

    /// Passes the rows to the learner, one micro-batch at a time.
    fn sums(&mut self, rows: &[SftRow], call: &mut Call<'_, L>) -> Result<Sums, RunError> {
        let (step, total) = (self.number, self.total);
        let mut sums = Sums::default();
        for batch in micro_batches(rows) {
            let sequences = batch.iter().map(|row| self.rows.sequence(row)).collect::<Result<Vec<SftSequence>, _>>();
            let sequences = sequences.map_err(|source| RunError::Data { step, total, source })?;
            let inputs: Vec<_> = sequences
                .iter()
                .map(|sequence| Sequence { tokens: &sequence.tokens, scored: &sequence.trained })
                .collect();
            let scores = call(self.learner, &inputs)
                .map_err(|source| RunError::of_learner(step, total, self.is_start, source))?;
            let expected = batch.iter().map(|row| row.trained as usize).sum();
            check_count(step, scores.iter().map(|scores| scores.logprobs.len()).sum(), expected)?;
            sums.add(&scores);
        }
        Ok(sums)
    }
}

/// A call of the learner.
type Call<'a, L> = dyn FnMut(&mut L, &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> + 'a;
