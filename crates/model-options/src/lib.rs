//! Options of models and adapters that the engine computes with and the store records.
//!
//! They lie below both, so that neither names the other. The engine offers them under its own paths.

mod adapter_effect;
pub mod lora_options;
mod training_method;
mod weight_format;

pub use adapter_effect::AdapterEffect;
pub use lora_options::{LoraOptions, LoraOptionsError, TargetModules};
pub use training_method::TrainingMethod;
pub use weight_format::{UnknownWeightFormat, WeightFormat};
