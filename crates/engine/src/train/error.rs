//! Errors of training.

/// Error of a rejected training operation. The adapter and the optimizer state have not changed.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// `tokens` and `scored` differ in length, or `scored[0]` is set.
    #[error("{0}")]
    Input(String),
    /// A token id outside the vocabulary.
    #[error("token {token} at position {position} is outside the vocabulary of {vocab_size}")]
    Token {
        /// The token id.
        token: u32,
        /// Position of the token in the sequence.
        position: usize,
        /// Number of tokens of the model.
        vocab_size: usize,
    },
    /// The sequence is longer than the model allows.
    #[error("a sequence of {length} tokens is longer than the model's limit of {limit}")]
    TooLong {
        /// Number of tokens in the sequence.
        length: usize,
        /// The model's `max_position_embeddings`.
        limit: usize,
    },
    /// The sequence needs more memory than the limit.
    #[error(
        "a sequence of {length} tokens needs {needed_bytes} bytes of memory, more than the limit of {limit_bytes}; \
         shorten it or use a machine with more memory"
    )]
    TooLarge {
        /// Number of tokens in the sequence.
        length: usize,
        /// Memory for its states, keys, values and gradients, in bytes.
        needed_bytes: usize,
        /// Memory limit of the session, in bytes.
        limit_bytes: usize,
    },
    /// The sequences of one call together need more memory than the limit.
    #[error(
        "{sequences} sequences of {unique_tokens} different tokens need {needed_bytes} bytes of memory together, more than \
         the limit of {limit_bytes}; give fewer or shorter ones at a time or use a machine with more memory"
    )]
    TooLargeTogether {
        /// Number of sequences of the call.
        sequences: usize,
        /// Number of computed tokens; shared tokens count once.
        unique_tokens: usize,
        /// Memory for their states, keys, values and gradients, in bytes.
        needed_bytes: usize,
        /// Memory limit of the session, in bytes.
        limit_bytes: usize,
    },
    /// Error of one of several sequences.
    #[error("sequence {number} of {count}: {error}")]
    Sequence {
        /// Number of the sequence, counted from 1.
        number: usize,
        /// Number of sequences of the call.
        count: usize,
        /// Error of the sequence.
        error: Box<TrainError>,
    },
    /// `gradient` did not return one list for each sequence.
    #[error("{found} lists of gradient values for {expected} sequences")]
    GradientCount {
        /// Number of lists returned.
        found: usize,
        /// Number of sequences of the call.
        expected: usize,
    },
    /// `gradient` did not return one value for each scored token.
    #[error("{found} gradient values for {expected} scored tokens")]
    GradientLength {
        /// Number of values returned.
        found: usize,
        /// Number of scored tokens.
        expected: usize,
    },
    /// Invalid optimizer setting.
    #[error("optimiser setting {name} = {value} is not usable")]
    Hyper {
        /// Name of the setting.
        name: &'static str,
        /// All settings.
        value: String,
    },
    /// A value is infinite or NaN.
    #[error("{what} is not finite; lower the learning rate or check the adapter")]
    NotFinite {
        /// Description of the value.
        what: String,
    },
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
