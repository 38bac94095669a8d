//! The second reading of the data: rows are tokenised when their turn comes.

use std::io::{BufRead, Seek};

use super::{PrepareSftError, SftRow, SftSequence, SftTokenizer, Tokenized};
use crate::training::dataset::{DataUse, DatasetLimits, read_row_at};

/// Gives the tokens of rows that a first reading found.
pub trait SftRows {
    /// Tokens and labels of a row that is not left out.
    ///
    /// # Errors
    /// When the data cannot be read, or is not what it was.
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError>;
}

/// Reads rows from where they are.
pub struct SftReader<'a, R> {
    training: R,
    validation: Option<R>,
    limits: DatasetLimits,
    tokenizer: SftTokenizer<'a>,
}

impl<'a, R: BufRead + Seek> SftReader<'a, R> {
    /// Creates a reader of the data that was read before, with the limits and the tokenizer of then.
    pub fn new(training: R, validation: Option<R>, limits: DatasetLimits, tokenizer: SftTokenizer<'a>) -> Self {
        Self { training, validation, limits, tokenizer }
    }
}

impl<R: BufRead + Seek> SftRows for SftReader<'_, R> {
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError> {
        let (data, line) = (row.data, row.line as usize);
        let changed = || PrepareSftError::Changed { data, line };
        let source = match data {
            DataUse::Training => &mut self.training,
            DataUse::Validation => self.validation.as_mut().ok_or_else(changed)?,
        };
        let found = read_row_at(source, data, (line, row.offset), &self.limits)?;
        match self.tokenizer.tokenize(&found)? {
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
