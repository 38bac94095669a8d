//! The second reading of the data: rows are tokenised when their turn comes.

use std::io::{BufRead, Seek};

use super::{PrepareSftError, SftRow, SftSequence, SftTokenizer, Tokenized};
use crate::training::dataset::{DatasetLimits, read_row_at};

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
    source: R,
    limits: DatasetLimits,
    tokenizer: SftTokenizer<'a>,
}

impl<'a, R: BufRead + Seek> SftReader<'a, R> {
    /// `limits` and `tokenizer` are those of the first reading.
    pub fn new(source: R, limits: DatasetLimits, tokenizer: SftTokenizer<'a>) -> Self {
        Self { source, limits, tokenizer }
    }
}

impl<R: BufRead + Seek> SftRows for SftReader<'_, R> {
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError> {
        let line = row.line as usize;
        let found = read_row_at(&mut self.source, (line, row.offset), &self.limits)?;
        match self.tokenizer.tokenize(&found)? {
            Tokenized::Used { sequence, .. }
                if (sequence.tokens.len(), sequence.trained_tokens())
                    == (row.tokens as usize, row.trained as usize) =>
            {
                Ok(sequence)
            }
            _ => Err(PrepareSftError::Changed { line }),
        }
    }
}
