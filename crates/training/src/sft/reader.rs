//! Second pass over the data: tokenises rows when a step needs them.

use std::io::{BufRead, Seek};

use super::{PrepareSftError, SftRow, SftSequence, SftTokenizer, Tokenized};
use crate::dataset::{DataLine, DataUse, DatasetLimits, read_row_at};

/// Source of the tokens of rows that the first pass found.
pub trait SftRows {
    /// Returns tokens and labels of a row that is not dropped.
    ///
    /// # Errors
    /// The data cannot be read, or it has changed.
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError>;
}

/// Reads rows from their offsets.
pub struct SftReader<'a, R> {
    training: R,
    validation: Option<R>,
    limits: DatasetLimits,
    tokenizer: SftTokenizer<'a>,
}

impl<'a, R: BufRead + Seek> SftReader<'a, R> {
    /// Creates a reader for the data of the first pass, with the same limits and tokenizer.
    pub fn new(training: R, validation: Option<R>, limits: DatasetLimits, tokenizer: SftTokenizer<'a>) -> Self {
        Self { training, validation, limits, tokenizer }
    }
}

impl<R: BufRead + Seek> SftRows for SftReader<'_, R> {
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError> {
        let at = DataLine { data: row.data, line: row.line as usize };
        let changed = || PrepareSftError::Changed(at);
        let source = match row.data {
            DataUse::Training => &mut self.training,
            DataUse::Validation => self.validation.as_mut().ok_or_else(changed)?,
        };
        let found = read_row_at(source, at, row.offset, &self.limits)?;
        match self.tokenizer.tokenize(found)? {
            Tokenized::Used { sequence, .. }
                if (sequence.tokens.len(), sequence.trained_tokens())
                    == (row.tokens as usize, row.trained as usize) =>
            {
                Ok(sequence)
            }
            _ => Err(changed()),
        }
    }
}
