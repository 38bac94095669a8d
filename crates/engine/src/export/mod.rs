//! Files of models and adapters for other programs: safetensors in Hugging Face's layout, and GGUF.
//!
//! A [`MergedModel`] is a base model with an adapter merged into its weights. Each weight is read exactly as the base's files have
//! it, the adapter's update is computed and added in f32, and the sum is rounded once, to the file's [`ElementType`]. A
//! [`TensorFile`] knows its length before it is written, and is written a few megabytes at a time. Every step depends on the
//! inputs only, so two exports have the same bytes, on every machine.
//!
//! Texts are no matter here: the tokenizer of a GGUF file is a list of [`MetadataValue`]s.
//!
//! Rejected: rounding to a base's own quantisation. Merged weights are no multiples of its scales.

mod architecture;
mod element;
mod gguf;
mod k_quants;
mod merged;
mod rows;
mod safetensors;
mod tensor_file;

pub use element::{ElementType, ElementTypeError};
pub use gguf::adapter_gguf;
pub use merged::MergedModel;
pub use safetensors::SafetensorsFiles;
pub use tensor_file::{TensorFile, WriteProgress};
pub use trainyard_gguf::MetadataValue;

use crate::files::LoadError;

/// Error of an export.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ExportError {
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    #[error(
        "tensor {name} has the value {value} at index {index}, which {element} cannot hold; export f32, which holds all \
         finite values"
    )]
    Range {
        name: String,
        /// Index in the tensor of the file, row by row.
        index: usize,
        value: f32,
        element: ElementType,
    },
    #[error("safetensors have no element type {0}; export f32, f16 or bf16, or a GGUF file")]
    NoSafetensors(ElementType),
    /// llama.cpp's architecture computes something else.
    #[error("the model cannot be a GGUF file: {0}; export it merged")]
    NoGguf(String),
    #[error("the adapter is not one of this model: its shape differs")]
    Adapter,
}
