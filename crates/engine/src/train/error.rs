//! Errors of training.

/// Error of a rejected training operation. The adapter and the optimizer state have not changed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum TrainError {
    /// `tokens` and `scored` differ in length, or `scored[0]` is set.
    #[error("{0}")]
    Input(String),
    #[error("token {token} at position {position} is outside the vocabulary of {vocab_size}")]
    Token { token: u32, position: usize, vocab_size: usize },
    #[error("a sequence of {length} tokens is longer than the model's limit of {limit}")]
    TooLong { length: usize, limit: usize },
    #[error(
        "a sequence of {length} tokens needs {needed_bytes} bytes of memory, more than the limit of {limit_bytes}; \
         shorten it or use a machine with more memory"
    )]
    TooLarge {
        length: usize,
        /// Memory for its states, keys, values and gradients, in bytes.
        needed_bytes: usize,
        limit_bytes: usize,
    },
    #[error(
        "{sequences} sequences of {unique_tokens} different tokens need {needed_bytes} bytes of memory together, more than \
         the limit of {limit_bytes}; give fewer or shorter ones at a time or use a machine with more memory"
    )]
    TooLargeTogether {
        sequences: usize,
        /// Number of computed tokens; shared tokens count once.
        unique_tokens: usize,
        /// Memory for their states, keys, values and gradients, in bytes.
        needed_bytes: usize,
        limit_bytes: usize,
    },
    #[error("sequence {number} of {count}: {error}")]
    Sequence {
        /// Number of the sequence, counted from 1.
        number: usize,
        count: usize,
        error: Box<TrainError>,
    },
    /// `gradient` did not return one list for each sequence.
    #[error("{found} lists of gradient values for {expected} sequences")]
    GradientCount { found: usize, expected: usize },
    /// `gradient` did not return one value for each scored token.
    #[error("{found} gradient values for {expected} scored tokens")]
    GradientLength { found: usize, expected: usize },
    #[error("optimiser setting {name} = {value} is not usable")]
    Hyper { name: &'static str, value: String },
    #[error("{what} is not finite; lower the learning rate or check the adapter")]
    NotFinite { what: String },
}

impl TrainError {
    /// Returns whether a value is infinite or NaN.
    pub fn is_not_finite(&self) -> bool {
        match self {
            Self::NotFinite { .. } => true,
            Self::Sequence { error, .. } => error.is_not_finite(),
            _ => false,
        }
    }

    /// Adds the number of the sequence at `index`, if there are several.
    pub(crate) fn of_sequence(self, index: usize, count: usize) -> Self {
        if count == 1 { self } else { Self::Sequence { number: index + 1, count, error: Box::new(self) } }
    }
}
