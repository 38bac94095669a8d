//! Shape of a model, read from a Hugging Face `config.json`.
//!
//! Everything that differs between models of one kind is a number or a flag of [`ModelConfig`]; the engine computes with these,
//! and asks for the family only in messages and for llama.cpp's names. Here a field is read, checked and given the default of
//! its family. Tensors and their layout are in [`model`](crate::model), which reads this.
//!
//! A new family is a row of [`family`]. A group of fields that some families have, such as those of experts, is a file with its type
//! and its `read`.
//!
//! Rejected: types derived from the JSON by serde. The same field has other defaults in each family, a field that is not
//! implemented must be rejected by its name, and an absent one differs from null.

mod convolution;
mod delta;
mod error;
mod experts;
mod family;
mod fields;
mod frequencies;
mod gguf;
mod layer_kind;
mod model_config;
mod quantisation;
mod rope;
mod text_part;
mod window;

#[cfg(test)]
mod tests;

pub use convolution::ConvolutionConfig;
pub use delta::DeltaConfig;
pub use error::ConfigError;
pub use experts::ExpertConfig;
pub use family::{Activation, Family, HeadNorms, NormPlacement};
pub use gguf::{GgufConfigError, gguf_config};
pub(crate) use gguf::{LAYERS_OF_GEMMA_27B, ROPE_PERIOD, window_period};
pub(crate) use layer_kind::LayerKind;
pub use model_config::ModelConfig;
pub use quantisation::{Packing, Quantisation};
pub(crate) use rope::Rotation;
pub use rope::{Rope, RopeScaling};
pub use text_part::decoder_config;
pub(crate) use text_part::decoder_name;
pub use window::SlidingWindow;
