//! Options of training jobs in their wire form.
//!
//! A null means "not given". Unknown keys are rejected earlier, when the document is checked. Errors for invalid or
//! contradictory options name the option.

mod options;
mod resolved;
mod rl;
mod sft;

pub use rl::{KlReference, RlConfig};
#[cfg(test)]
pub(crate) use sft::MetricLogging;
pub(crate) use sft::{AssistantTurns, OverlongRows};
pub use sft::{DEFAULT_SFT_LEARNING_RATE, LearningRates, SftConfig};

/// Maximum learning rate: a larger one is infinite in the engine, which computes in single precision.
pub const MAX_LEARNING_RATE: f64 = f32::MAX as f64;

/// Error in a training option.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The configuration itself is not an object.
    #[error("the training configuration must be an object or null, not {found}")]
    NotAnObject {
        /// JSON type of the configuration.
        found: &'static str,
    },
    /// A value of the wrong type or outside its range.
    #[error("`{option}` must be {expected}, not {found}")]
    Invalid {
        /// Name of the option.
        option: &'static str,
        /// Accepted values.
        expected: &'static str,
        /// Value sent, shortened.
        found: String,
    },
    /// Two options that exclude each other.
    #[error("`{option}` contradicts `{other}`: {advice}")]
    Contradiction {
        /// Name of the rejected option.
        option: &'static str,
        /// Name of the contradicting option.
        other: &'static str,
        /// Advice on how to fix the request.
        advice: &'static str,
    },
    /// The list of learning rates does not cover all batches.
    #[error("`learning_rate` lists {given} values, but the data makes {batches} batches; give one value per batch")]
    TooFewLearningRates {
        /// Number of values in the list.
        given: usize,
        /// Number of batches of the data set.
        batches: usize,
    },
}
