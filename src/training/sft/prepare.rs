//! The first reading of the data: every row is validated and measured, none is kept.

use std::io::BufRead;

use super::{DropReason, PrepareSftError, SftTokenizer, Tokenized};
use crate::training::config::SftConfig;
use crate::training::dataset::{DataUse, DatasetLimits, read_rows};

/// How many dropped rows are told of one by one.
const DROPPED_ROWS_TOLD: usize = 20;
/// How often the validation loss is computed in a job that does not say, beside its start and end.
const VALIDATIONS: usize = 10;

/// Where a row is and how large: all that is kept of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SftRow {
    /// The data set that it is in.
    pub data: DataUse,
    /// Where its line begins, in bytes from the start of the data.
    pub offset: u64,
    /// Its line, from 1.
    pub line: u32,
    /// Its tokens; 0 when it is left out.
    pub tokens: u32,
    /// How many of them are trained; 0 when it is left out.
    pub trained: u32,
}

impl SftRow {
    /// Whether the row is left out.
    pub fn is_dropped(&self) -> bool {
        self.trained == 0
    }
}

/// A row that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedRow {
    /// The data set that it is in.
    pub data: DataUse,
    /// Its line, from 1.
    pub line: u32,
    /// Why.
    pub reason: DropReason,
}

/// What the first reading found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SftStatistics {
    /// Rows of the data sets.
    pub rows: usize,
    /// Rows left out.
    pub dropped: usize,
    /// Rows whose end was cut off.
    pub truncated: usize,
    /// Rows that validate instead of being trained, those left out not counted.
    pub validation: usize,
    /// The first rows left out.
    pub dropped_rows: Vec<DroppedRow>,
}

/// A job ready to run: one optimizer step per batch, as often as there are epochs. No batches when the data set is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSft {
    /// Rows to train, in file order. Rows left out keep their place in their batch.
    pub training: Vec<SftRow>,
    /// Rows to validate on, in file order; none of them is left out.
    pub validation: Vec<SftRow>,
    /// The options.
    pub config: SftConfig,
    /// What was found.
    pub statistics: SftStatistics,
}

impl PreparedSft {
    /// Optimizer steps of the job.
    pub fn steps(&self) -> usize {
        self.batches().saturating_mul(self.config.epochs)
    }

    /// Batches of one epoch.
    fn batches(&self) -> usize {
        self.training.len().div_ceil(self.config.batch_size)
    }

    /// The rows of one step; the last of an epoch may have fewer than the others.
    pub fn batch(&self, index: usize) -> &[SftRow] {
        let size = self.config.batch_size;
        let start = (index % self.batches().max(1)).saturating_mul(size).min(self.training.len());
        &self.training[start..self.training.len().min(start.saturating_add(size))]
    }

    /// Whether the validation loss is computed after a step.
    pub fn validates_after(&self, index: usize) -> bool {
        let steps = self.steps();
        let every = self.config.validation_every.unwrap_or_else(|| steps.div_ceil(VALIDATIONS)).max(1);
        !self.validation.is_empty() && ((index + 1).is_multiple_of(every) || index + 1 == steps)
    }
}

/// Read a data set to its end and plan the job.
///
/// A row that is too long, or has nothing to train, is left out and counted. `proceed` is asked before each row whether
/// to go on.
///
/// # Errors
/// When the data set is malformed, a row is refused by the chat template, the learning rates do not cover all batches,
/// or `proceed` says no.
pub fn prepare_sft(
    source: impl BufRead,
    limits: DatasetLimits,
    config: SftConfig,
    tokenizer: &SftTokenizer<'_>,
    proceed: &dyn Fn() -> bool,
) -> Result<PreparedSft, PrepareSftError> {
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    let mut statistics = SftStatistics::default();
    let mut index = 0;
    measure((source, DataUse::Training, limits), tokenizer, proceed, &mut statistics, &mut |row: SftRow| {
        let validates = config.validation_split.is_some_and(|fraction| is_validation(index, fraction));
        index += 1;
        match (validates, row.is_dropped()) {
            (false, _) => training.push(row),
            (true, false) => validation.push(row),
            (true, true) => {}
        }
    })?;
    statistics.validation = validation.len();
    let prepared = PreparedSft { training, validation, config, statistics };
    prepared.config.learning_rate.check(prepared.steps())?;
    Ok(prepared)
}

impl PreparedSft {
    /// Reads a data set to its end that validates, beside the rows that a split has set aside.
    ///
    /// # Errors
    /// As [`prepare_sft`].
    pub fn validate_on(
        &mut self,
        source: impl BufRead,
        limits: DatasetLimits,
        tokenizer: &SftTokenizer<'_>,
        proceed: &dyn Fn() -> bool,
    ) -> Result<(), PrepareSftError> {
        let Self { validation, statistics, .. } = self;
        measure((source, DataUse::Validation, limits), tokenizer, proceed, statistics, &mut |row: SftRow| {
            validation.extend((!row.is_dropped()).then_some(row));
        })?;
        statistics.validation = validation.len();
        Ok(())
    }
}

/// Reads a data set to its end, counts its rows and gives each to `keep`.
fn measure(
    (source, data, limits): (impl BufRead, DataUse, DatasetLimits),
    tokenizer: &SftTokenizer<'_>,
    proceed: &dyn Fn() -> bool,
    statistics: &mut SftStatistics,
    keep: &mut dyn FnMut(SftRow),
) -> Result<(), PrepareSftError> {
    for row in read_rows(source, data, limits) {
        if !proceed() {
            return Err(PrepareSftError::Stopped);
        }
        let row = row?;
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let mut place = SftRow { data, offset: row.offset, line: number(row.line), tokens: 0, trained: 0 };
        match tokenizer.tokenize(&row)? {
            Tokenized::Used { sequence, truncated } => {
                place.tokens = number(sequence.tokens.len());
                place.trained = number(sequence.trained_tokens());
                statistics.truncated += usize::from(truncated);
            }
            Tokenized::Dropped(reason) => {
                statistics.dropped += 1;
                if statistics.dropped_rows.len() < DROPPED_ROWS_TOLD {
                    statistics.dropped_rows.push(DroppedRow { data, line: place.line, reason });
                }
            }
        }
        statistics.rows += 1;
        keep(place);
    }
    Ok(())
}

/// Whether the row at `index` (from 0) validates: where `(index + 1) * fraction` passes a whole number. So validation
/// rows are spread evenly, the first `n` rows have `floor(n * fraction)` of them, and rows added at the end change
/// nothing for those before.
fn is_validation(index: usize, fraction: f64) -> bool {
    ((index + 1) as f64 * fraction).floor() > (index as f64 * fraction).floor()
}

#[cfg(test)]
mod tests;
