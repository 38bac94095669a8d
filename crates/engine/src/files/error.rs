//! Errors of model files.

use super::gguf::GgufError;
use super::header::HeaderError;
use super::names::{EMBEDDING, HEAD};
use crate::config::ConfigError;

/// Error of model files that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum LoadError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{file}: not a readable safetensors file: {source}")]
    File { file: String, source: safetensors::SafeTensorError },
    #[error("{file}: {source}")]
    Gguf { file: String, source: GgufError },
    #[error("{file}: {source}")]
    Header { file: String, source: HeaderError },
    #[error("tensor {name} has the value {value} at index {index}; weights must be finite")]
    NotFinite {
        name: String,
        /// Index in the tensor, row by row.
        index: usize,
        value: f32,
    },
    /// A weight was infinite or NaN when it was read first.
    #[error("tensor {0} changed while it was read; start again when nobody writes the file")]
    Changed(String),
    /// The weights are finite, but what the model computes from them is not.
    #[error(
        "the logits after its first tokens are not finite: values of its weights, or of the rotary embedding in config.json, \
         are too large or too small"
    )]
    Logits,
    #[error("tensor {0} is missing")]
    Missing(String),
    #[error("tensor {name} has shape {found:?}, config.json asks for {expected:?}")]
    Shape { name: String, found: Vec<usize>, expected: Vec<usize> },
    #[error("tensor {name} has shape {found:?}; quantised weights and their scales have two dimensions")]
    NotMatrix { name: String, found: Vec<usize> },
    #[error("tensor {name} has element type {found}; F32, F16 and BF16 are read")]
    ElementType { name: String, found: String },
    #[error("tensor {name} has element type {found}; that of quantised weights is {expected}")]
    QuantisedType { name: String, found: String, expected: String },
    #[error("tensor {name} has shape {found:?}, no groups of a matrix of {inputs} inputs and {outputs} outputs")]
    Groups { name: String, found: Vec<usize>, inputs: usize, outputs: usize },
    #[error("tensor {name} names group {group}; the matrix has {groups} groups")]
    Group { name: String, group: u32, groups: usize },
    /// The files have tensors that are not part of the model, so the model may not be the one that `config.json`
    /// describes.
    #[error(
        "tensor {name} is no part of a {model_type} model with this config.json{hint}, and there are {count} such tensors \
         in all; use the config.json that belongs to the weights"
    )]
    Unexpected {
        model_type: &'static str,
        /// Name of the first such tensor, by name.
        name: String,
        /// Probable cause, derived from the name; empty if unknown.
        hint: &'static str,
        count: usize,
    },
    #[error(
        "config.json ties the head to the embedding (tie_word_embeddings), but {HEAD} and {EMBEDDING} are both there and \
         differ; set tie_word_embeddings to false to use both"
    )]
    NotTied,
}
