//! The model's shape, read from a Hugging Face `config.json`.

/// Why a `config.json` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not JSON, or a field is missing or of the wrong type.
    #[error("config.json: {0}")]
    Json(#[from] serde_json::Error),
    /// A value this engine does not implement.
    #[error("config.json: {field} = {value} is not supported: {reason}")]
    Unsupported {
        /// Name of the field.
        field: &'static str,
        /// Its value as JSON.
        value: String,
        /// What is supported instead.
        reason: &'static str,
    },
}

/// Shape and constants of a Qwen3 decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Number of decoder blocks.
    pub layers: usize,
    /// Number of query heads.
    pub heads: usize,
    /// Number of key and value heads; divides `heads`.
    pub kv_heads: usize,
    /// Width of one head; even.
    pub head_dim: usize,
    /// Width of the feed-forward layer.
    pub intermediate_size: usize,
    /// Number of tokens, and of logits.
    pub vocab_size: usize,
    /// Added to the mean square before its root.
    pub rms_norm_eps: f32,
    /// Base of the rotary frequencies.
    pub rope_theta: f64,
    /// Longest sequence the model may see, in tokens.
    pub max_position_embeddings: usize,
    /// Whether the output head is the transposed embedding.
    pub tie_word_embeddings: bool,
}

impl ModelConfig {
    /// Reads `config.json`; refuses what the engine does not implement, by name.
    pub fn from_json(_json: &str) -> Result<Self, ConfigError> {
        todo!()
    }
}
