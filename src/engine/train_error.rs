//! Why training refuses to go on.

/// Why a training operation was refused. The adapter and the optimiser state are as they were before the call.
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
        /// Where it stands.
        position: usize,
        /// Number of tokens of the model.
        vocab_size: usize,
    },
    /// The sequence is longer than the model allows.
    #[error("a sequence of {length} tokens is longer than the model's limit of {limit}")]
    TooLong {
        /// Tokens of the sequence.
        length: usize,
        /// The model's `max_position_embeddings`.
        limit: usize,
    },
    /// The sequence needs more memory than the session may take.
    #[error(
        "a sequence of {length} tokens needs {needed_bytes} bytes of memory, more than the limit of {limit_bytes}; \
         shorten it or use a machine with more memory"
    )]
    TooLarge {
        /// Tokens of the sequence.
        length: usize,
        /// Memory for its states, keys, values and gradients.
        needed_bytes: usize,
        /// What the session may take.
        limit_bytes: usize,
    },
    /// Sequences of one call need more memory together than the session may take.
    #[error(
        "{sequences} sequences of {unique_tokens} different tokens need {needed_bytes} bytes of memory together, more than \
         the limit of {limit_bytes}; give fewer or shorter ones at a time or use a machine with more memory"
    )]
    TooLargeTogether {
        /// Sequences of the call.
        sequences: usize,
        /// Tokens that are run, those that sequences share counted once.
        unique_tokens: usize,
        /// Memory for their states, keys, values and gradients.
        needed_bytes: usize,
        /// What the session may take.
        limit_bytes: usize,
    },
    /// One of several sequences is at fault.
    #[error("sequence {number} of {count}: {error}")]
    Sequence {
        /// Which, counted from 1.
        number: usize,
        /// Sequences of the call.
        count: usize,
        /// What is wrong with it.
        error: Box<TrainError>,
    },
    /// What `gradient` returned has not one list for each sequence.
    #[error("{found} lists of gradient values for {expected} sequences")]
    GradientCount {
        /// Lists returned.
        found: usize,
        /// Sequences of the call.
        expected: usize,
    },
    /// What `gradient` returned has not one value for each scored token.
    #[error("{found} gradient values for {expected} scored tokens")]
    GradientLength {
        /// Values returned.
        found: usize,
        /// Scored tokens.
        expected: usize,
    },
    /// A setting of the optimiser makes no sense.
    #[error("optimiser setting {name} = {value} is not usable")]
    Hyper {
        /// Name of the setting.
        name: &'static str,
        /// All settings.
        value: String,
    },
    /// A number became infinite or NaN.
    #[error("{what} is not finite; lower the learning rate or check the adapter")]
    NotFinite {
        /// Which number.
        what: String,
    },
}

impl TrainError {
    /// Names the sequence at `index`, where there are several.
    pub(crate) fn of_sequence(self, index: usize, count: usize) -> Self {
        if count == 1 { self } else { Self::Sequence { number: index + 1, count, error: Box::new(self) } }
    }
}
