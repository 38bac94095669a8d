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
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ConfigError {
    #[error("the training configuration must be an object or null, not {found}")]
    NotAnObject { found: &'static str },
    #[error("`{option}` must be {expected}, not {found}")]
    Invalid {
        option: &'static str,
        expected: &'static str,
        /// Value sent, shortened.
        found: String,
    },
    #[error("`{option}` contradicts `{other}`: {advice}")]
    Contradiction { option: &'static str, other: &'static str, advice: &'static str },
    #[error("`learning_rate` lists {given} values, but the data makes {batches} batches; give one value per batch")]
    TooFewLearningRates { given: usize, batches: usize },
}
