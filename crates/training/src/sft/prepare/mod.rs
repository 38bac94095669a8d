//! First pass over the data: validates and measures every row, and keeps none.

use std::io::BufRead;

use super::{DropReason, PrepareSftError, SftTokenizer, Tokenized};
use crate::config::SftConfig;
use crate::dataset::{DataUse, DatasetLimits, read_rows};

/// Maximum number of dropped rows that are reported individually.
const DROPPED_ROWS_TOLD: usize = 20;
/// Default number of validations in a job, in addition to those at its start and end.
const VALIDATIONS: usize = 10;

/// Position and size of a row; nothing else of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SftRow {
    /// Data set of the row.
    pub data: DataUse,
    /// Offset of its line in bytes from the start of the data.
    pub offset: u64,
    /// Line number, from 1.
    pub line: u32,
    /// Number of tokens; 0 for a dropped row.
    pub tokens: u32,
    /// Number of trained tokens; 0 for a dropped row.
    pub trained: u32,
}

impl SftRow {
    /// Returns whether the row is dropped.
    pub fn is_dropped(&self) -> bool {
        self.trained == 0
    }
}

/// A dropped row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedRow {
    /// Data set of the row.
    pub data: DataUse,
    /// Line number, from 1.
    pub line: u32,
    /// Reason for the drop.
    pub reason: DropReason,
}

/// Counts of the first pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SftStatistics {
    /// Number of rows of the data sets.
    pub rows: usize,
    /// Number of dropped rows.
    pub dropped: usize,
    /// Number of truncated rows.
    pub truncated: usize,
    /// Number of validation rows, without dropped ones.
    pub validation: usize,
    /// First dropped rows.
    pub dropped_rows: Vec<DroppedRow>,
}

/// A prepared job: one optimizer step per batch and epoch. There are no batches if the data set is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSft {
    /// Rows to train, in file order. Dropped rows keep their position in their batch.
    pub training: Vec<SftRow>,
    /// Rows to validate on, in file order, without dropped ones.
    pub validation: Vec<SftRow>,
    /// Options of the job.
    pub config: SftConfig,
    /// Counts of the first pass.
    pub statistics: SftStatistics,
}

impl PreparedSft {
    /// Returns the number of optimizer steps of the job.
    pub fn steps(&self) -> usize {
        self.batches().saturating_mul(self.config.epochs)
    }

    /// Returns the number of batches of one epoch.
    fn batches(&self) -> usize {
        self.training.len().div_ceil(self.config.batch_size)
    }

    /// Returns the rows of one step; the last batch of an epoch may be smaller.
    pub fn batch(&self, index: usize) -> &[SftRow] {
        let size = self.config.batch_size;
        let start = (index % self.batches().max(1)).saturating_mul(size).min(self.training.len());
        &self.training[start..self.training.len().min(start.saturating_add(size))]
    }

    /// Returns whether the validation loss is computed after a step.
    pub fn validates_after(&self, index: usize) -> bool {
        let steps = self.steps();
        let every = self.config.validation_every.unwrap_or_else(|| steps.div_ceil(VALIDATIONS)).max(1);
        !self.validation.is_empty() && ((index + 1).is_multiple_of(every) || index + 1 == steps)
    }
}

/// Reads a data set to its end and plans the job.
///
/// A row that is too long or has no trained tokens is dropped and counted. `proceed` is called before each row; false
/// stops the reading.
///
/// # Errors
/// The data set is malformed, the chat template rejects a row, the learning rates do not cover all batches, or
/// `proceed` returns false.
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
    /// Reads a validation data set to its end; its rows are added to those that a split reserves.
    ///
    /// # Errors
    /// Same as [`prepare_sft`].
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

/// Reads a data set to its end, counts its rows and passes each to `keep`.
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
        let mut kept = SftRow { data, offset: row.offset, line: number(row.at.line), tokens: 0, trained: 0 };
        match tokenizer.tokenize(row)? {
            Tokenized::Used { sequence, truncated } => {
                kept.tokens = number(sequence.tokens.len());
                kept.trained = number(sequence.trained_tokens());
                statistics.truncated += usize::from(truncated);
            }
            Tokenized::Dropped(reason) => {
                statistics.dropped += 1;
                if statistics.dropped_rows.len() < DROPPED_ROWS_TOLD {
                    statistics.dropped_rows.push(DroppedRow { data, line: kept.line, reason });
                }
            }
        }
        statistics.rows += 1;
        keep(kept);
    }
    Ok(())
}

/// Returns whether the row at `index` (from 0) is a validation row: true where `(index + 1) * fraction` passes a whole
/// number. Validation rows are thus spread evenly, the first `n` rows have `floor(n * fraction)` of them, and rows
/// appended at the end do not change the split of earlier ones.
fn is_validation(index: usize, fraction: f64) -> bool {
    ((index + 1) as f64 * fraction).floor() > (index as f64 * fraction).floor()
}

#[cfg(test)]
mod tests;
