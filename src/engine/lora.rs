//! LoRA adapters and their PEFT files.

use super::ModelConfig;

/// Why adapter files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// `adapter_config.json` cannot be read or asks for something this engine does not implement.
    #[error("adapter_config.json: {0}")]
    Config(String),
    /// `adapter_model.safetensors` cannot be read.
    #[error("adapter_model.safetensors: {0}")]
    File(String),
    /// A tensor is missing, unexpected, of the wrong shape or type, or not finite.
    #[error("adapter_model.safetensors: tensor {name}: {problem}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The two files of a PEFT adapter directory.
#[derive(Clone, Debug, PartialEq)]
pub struct PeftFiles {
    /// Content of `adapter_config.json`.
    pub adapter_config_json: Vec<u8>,
    /// Content of `adapter_model.safetensors`.
    pub adapter_model_safetensors: Vec<u8>,
}

/// A LoRA adapter on the q, k, v, o, gate, up and down projections of every layer: `y = W x + (alpha / rank) B (A x)`.
#[derive(Clone)]
pub struct Adapter {
    /// Rank of the update.
    pub rank: usize,
    /// Numerator of the scale `alpha / rank`.
    pub alpha: f32,
}

impl Adapter {
    /// A fresh adapter: A uniform in ±1/sqrt(in) (Kaiming with a = sqrt 5) drawn by counter from `seed`, B zero.
    pub fn new(_config: &ModelConfig, _rank: usize, _alpha: f32, _seed: u64) -> Self {
        todo!()
    }

    /// The adapter as PEFT's two files; the same adapter gives the same bytes.
    pub fn to_peft(&self, _base_model: &str, _config: &ModelConfig) -> PeftFiles {
        todo!()
    }

    /// Reads PEFT's two files; refuses names, shapes and numbers that do not fit `config`.
    pub fn from_peft(_config: &ModelConfig, _adapter_config: &[u8], _safetensors: &[u8]) -> Result<Self, AdapterError> {
        todo!()
    }

    /// Memory of the parameters in bytes.
    pub fn bytes(&self) -> usize {
        todo!()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        todo!()
    }
}
