//! Errors of PEFT files.

/// Error of a PEFT file.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// `adapter_config.json` cannot be parsed, or has an option that this engine does not implement.
    #[error("adapter_config.json: {0}")]
    Config(String),
    /// `adapter_model.safetensors` cannot be parsed.
    #[error("adapter_model.safetensors: {0}")]
    File(String),
    /// A tensor is missing, unexpected, of the wrong shape or type, or not finite.
    #[error("adapter_model.safetensors: tensor {name}: {problem}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// Description of the problem.
        problem: String,
    },
}
