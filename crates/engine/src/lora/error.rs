//! Errors of PEFT files.

/// Error of a PEFT file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum AdapterError {
    /// `adapter_config.json` cannot be parsed, or has an option that this engine does not implement.
    #[error("adapter_config.json: {0}")]
    Config(String),
    #[error("adapter_model.safetensors: {0}")]
    File(String),
    /// A tensor is missing, unexpected, of the wrong shape or type, or not finite.
    #[error("adapter_model.safetensors: tensor {name}: {problem}")]
    Tensor { name: String, problem: String },
}
