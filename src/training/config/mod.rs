//! Options of training jobs as they come over the wire.
//!
//! A null means "not given". Unknown keys were refused where the document is checked. What is wrong or contradicts
//! something else is refused by name.

mod options;
mod resolved;
mod rl;
mod sft;

pub use rl::{DEFAULT_RL_LEARNING_RATE, KlReference, MAX_LEARNING_RATE_POWER, RlConfig};
pub use sft::{
    AssistantTurns, DEFAULT_SFT_BATCH_SIZE, DEFAULT_SFT_LEARNING_RATE, LearningRates, MAX_SFT_BATCH_SIZE,
    MAX_SFT_EPOCHS, MAX_VALIDATION_SPLIT, MetricLogging, OverlongRows, SftConfig,
};

/// An option that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The configuration itself is not an object.
    #[error("the training configuration must be an object or null, not {found}")]
    NotAnObject {
        /// JSON kind of what was sent.
        found: &'static str,
    },
    /// A value of the wrong type or outside its range.
    #[error("`{option}` must be {expected}, not {found}")]
    Invalid {
        /// Name of the option.
        option: &'static str,
        /// What is accepted.
        expected: &'static str,
        /// The value sent, shortened.
        found: String,
    },
    /// Two options of which only one can be followed.
    #[error("`{option}` contradicts `{other}`: {advice}")]
    Contradiction {
        /// Name of the option that is refused.
        option: &'static str,
        /// Name of the option it contradicts.
        other: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The list of learning rates does not cover all batches.
    #[error("`learning_rate` lists {given} values, but the data makes {batches} batches; give one value per batch")]
    TooFewLearningRates {
        /// Values in the list.
        given: usize,
        /// Batches of the data set.
        batches: usize,
    },
}
