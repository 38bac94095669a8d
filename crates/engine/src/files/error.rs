//! Errors of model files.

use super::gguf::GgufError;
use super::header::HeaderError;
use super::names::{EMBEDDING, HEAD};
use crate::config::ConfigError;

/// Error of model files that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// `config.json` cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file is not a safetensors file.
    #[error("{file}: not a readable safetensors file: {source}")]
    File {
        /// Name of the file.
        file: String,
        /// Error of the parser.
        source: safetensors::SafeTensorError,
    },
    /// A GGUF file cannot be used.
    #[error("{file}: {source}")]
    Gguf {
        /// Name of the file.
        file: String,
        /// The fault.
        source: GgufError,
    },
    /// The header of a file is larger than that of any model.
    #[error("{file}: {source}")]
    Header {
        /// Name of the file.
        file: String,
        /// The limit.
        source: HeaderError,
    },
    /// A weight is infinite or NaN.
    #[error("tensor {name} has the value {value} at index {index}; weights must be finite")]
    NotFinite {
        /// Name of the tensor.
        name: String,
        /// Index in the tensor, row by row.
        index: usize,
        /// The value.
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
    /// No file has this tensor.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// A tensor has another shape than `config.json` requires.
    #[error("tensor {name} has shape {found:?}, config.json asks for {expected:?}")]
    Shape {
        /// Name of the tensor.
        name: String,
        /// Shape in the file.
        found: Vec<usize>,
        /// Shape that `config.json` requires.
        expected: Vec<usize>,
    },
    /// A part of a quantised matrix does not have two dimensions.
    #[error("tensor {name} has shape {found:?}; quantised weights and their scales have two dimensions")]
    NotMatrix {
        /// Name of the tensor.
        name: String,
        /// Shape in the file.
        found: Vec<usize>,
    },
    /// The element type of a tensor is not supported.
    #[error("tensor {name} has element type {found}; F32, F16 and BF16 are read")]
    ElementType {
        /// Name of the tensor.
        name: String,
        /// Element type of the tensor.
        found: String,
    },
    /// A part of a quantised matrix has another element type.
    #[error("tensor {name} has element type {found}; that of quantised weights is {expected}")]
    QuantisedType {
        /// Name of the tensor.
        name: String,
        /// Element type of the tensor.
        found: String,
        /// Element types that are read.
        expected: String,
    },
    /// The groups of a quantised matrix are not those of its inputs and outputs.
    #[error("tensor {name} has shape {found:?}, no groups of a matrix of {inputs} inputs and {outputs} outputs")]
    Groups {
        /// Name of the tensor.
        name: String,
        /// Shape of the tensor.
        found: Vec<usize>,
        /// Number of inputs.
        inputs: usize,
        /// Number of outputs.
        outputs: usize,
    },
    /// An input of a quantised matrix belongs to a group that is not there.
    #[error("tensor {name} names group {group}; the matrix has {groups} groups")]
    Group {
        /// Name of the tensor.
        name: String,
        /// The group.
        group: u32,
        /// Number of groups.
        groups: usize,
    },
    /// The files have tensors that are not part of the model, so the model may not be the one that `config.json`
    /// describes.
    #[error(
        "tensor {name} is no part of a {model_type} model with this config.json{hint}, and there are {count} such tensors \
         in all; use the config.json that belongs to the weights"
    )]
    Unexpected {
        /// `model_type` of `config.json`.
        model_type: &'static str,
        /// Name of the first such tensor, by name.
        name: String,
        /// Probable cause, derived from the name; empty if unknown.
        hint: &'static str,
        /// Number of such tensors.
        count: usize,
    },
    /// The head is stored beside the embedding that it is tied to, with different values.
    #[error(
        "config.json ties the head to the embedding (tie_word_embeddings), but {HEAD} and {EMBEDDING} are both there and \
         differ; set tie_word_embeddings to false to use both"
    )]
    NotTied,
}
