//! The frozen base model.

use std::sync::Arc;

use super::{ComputePool, ConfigError, ModelConfig};

/// Why a model's files cannot be used.
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
        /// The reader's own words.
        source: safetensors::SafeTensorError,
    },
    /// A tensor is in none of the files.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// A tensor has another shape than `config.json` says.
    #[error("tensor {name} has shape {found:?}, config.json asks for {expected:?}")]
    Shape {
        /// Name of the tensor.
        name: String,
        /// Its shape in the file.
        found: Vec<usize>,
        /// The shape that follows from `config.json`.
        expected: Vec<usize>,
    },
    /// A tensor has an element type that is not read.
    #[error("tensor {name} has element type {found}; F32, F16 and BF16 are read")]
    ElementType {
        /// Name of the tensor.
        name: String,
        /// Its element type.
        found: String,
    },
}

/// A loaded base model: frozen, packed for the kernels, shared by trainer and sampler.
pub struct BaseModel {
    /// Shape and constants.
    pub config: ModelConfig,
}

impl BaseModel {
    /// Packs the tensors of `shards` (file name, safetensors bytes).
    pub fn load(_config_json: &str, _shards: &[(&str, &[u8])], _pool: &ComputePool) -> Result<Arc<Self>, LoadError> {
        todo!()
    }

    /// As [`BaseModel::load`]; `progress` is told (tensor bytes packed, tensor bytes in all).
    pub fn load_with_progress(
        _config_json: &str,
        _shards: &[(&str, &[u8])],
        _pool: &ComputePool,
        _progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Arc<Self>, LoadError> {
        todo!()
    }

    /// Memory held by the packed weights in bytes.
    pub fn bytes(&self) -> usize {
        todo!()
    }
}
