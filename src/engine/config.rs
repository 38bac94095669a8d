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

/// Largest value of any dimension: products of three stay inside `u64`, and a damaged file fails before it allocates.
const LARGEST_DIMENSION: usize = 1 << 20;

/// The fields of `config.json` that matter here, with the defaults of `transformers`' `Qwen3Config`.
#[derive(serde::Deserialize)]
struct File {
    model_type: String,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: usize,
    #[serde(default = "default_head_dim")]
    head_dim: usize,
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
    #[serde(default = "default_rms_norm_eps")]
    rms_norm_eps: f64,
    rope_theta: Option<f64>,
    rope_parameters: Option<serde_json::Value>,
    rope_scaling: Option<serde_json::Value>,
    #[serde(default)]
    tie_word_embeddings: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    use_sliding_window: bool,
    #[serde(default = "default_hidden_act")]
    hidden_act: String,
    layer_types: Option<Vec<String>>,
    quantization_config: Option<serde_json::Value>,
}

fn default_head_dim() -> usize {
    128
}

fn default_rms_norm_eps() -> f64 {
    1e-6
}

fn default_hidden_act() -> String {
    "silu".into()
}

fn require(
    holds: bool,
    field: &'static str,
    value: impl serde::Serialize,
    reason: &'static str,
) -> Result<(), ConfigError> {
    if holds {
        return Ok(());
    }
    let value = serde_json::to_string(&value).unwrap_or_else(|_| "?".into());
    Err(ConfigError::Unsupported { field, value, reason })
}

impl ModelConfig {
    /// Reads `config.json`; refuses what the engine does not implement, by name.
    pub fn from_json(json: &str) -> Result<Self, ConfigError> {
        let file: File = serde_json::from_str(json)?;
        require(file.model_type == "qwen3", "model_type", &file.model_type, "the engine implements qwen3")?;
        require(!file.attention_bias, "attention_bias", file.attention_bias, "projections have no bias")?;
        require(!file.use_sliding_window, "use_sliding_window", file.use_sliding_window, "attention is full")?;
        require(file.hidden_act == "silu", "hidden_act", &file.hidden_act, "the activation is silu")?;
        require(file.rope_scaling.is_none(), "rope_scaling", &file.rope_scaling, "rotary angles are not scaled")?;
        require(
            file.quantization_config.is_none(),
            "quantization_config",
            &file.quantization_config,
            "weights are plain",
        )?;
        let full = file.layer_types.iter().flatten().all(|kind| kind == "full_attention");
        require(full, "layer_types", &file.layer_types, "every layer is full_attention")?;
        let parameter = |name: &str| file.rope_parameters.as_ref().and_then(|parameters| parameters.get(name));
        let rope_type = parameter("rope_type").and_then(|kind| kind.as_str()).unwrap_or("default");
        require(rope_type == "default", "rope_parameters", &file.rope_parameters, "rotary angles are not scaled")?;
        let rope_theta =
            parameter("rope_theta").and_then(|theta| theta.as_f64()).or(file.rope_theta).unwrap_or(10_000.0);
        for (field, value) in [
            ("hidden_size", file.hidden_size),
            ("num_hidden_layers", file.num_hidden_layers),
            ("num_attention_heads", file.num_attention_heads),
            ("num_key_value_heads", file.num_key_value_heads),
            ("head_dim", file.head_dim),
            ("intermediate_size", file.intermediate_size),
            ("vocab_size", file.vocab_size),
            ("max_position_embeddings", file.max_position_embeddings),
        ] {
            require((1..=LARGEST_DIMENSION).contains(&value), field, value, "it must lie from 1 to 1048576")?;
        }
        let width = file.num_attention_heads * file.head_dim;
        require(width <= LARGEST_DIMENSION, "num_attention_heads", file.num_attention_heads, "heads are too many")?;
        require(
            file.num_attention_heads.is_multiple_of(file.num_key_value_heads),
            "num_key_value_heads",
            file.num_key_value_heads,
            "it must divide num_attention_heads",
        )?;
        require(file.head_dim.is_multiple_of(2), "head_dim", file.head_dim, "rotary embedding needs an even head_dim")?;
        let eps = file.rms_norm_eps;
        require(eps > 0.0 && eps < 1.0, "rms_norm_eps", eps, "it must lie between 0 and 1")?;
        require(rope_theta >= 1.0 && rope_theta.is_finite(), "rope_theta", rope_theta, "it must be at least 1")?;
        Ok(Self {
            hidden_size: file.hidden_size,
            layers: file.num_hidden_layers,
            heads: file.num_attention_heads,
            kv_heads: file.num_key_value_heads,
            head_dim: file.head_dim,
            intermediate_size: file.intermediate_size,
            vocab_size: file.vocab_size,
            rms_norm_eps: eps as f32,
            rope_theta,
            max_position_embeddings: file.max_position_embeddings,
            tie_word_embeddings: file.tie_word_embeddings,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> serde_json::Value {
        serde_json::json!({
            "model_type": "qwen3", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
            "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 96, "vocab_size": 100,
            "max_position_embeddings": 128, "rms_norm_eps": 1e-6, "tie_word_embeddings": true, "rope_scaling": null,
            "sliding_window": null, "layer_types": ["full_attention", "full_attention"], "attention_bias": false,
        })
    }

    #[test]
    fn reads_both_places_of_rope_theta() {
        let mut json = base();
        json["rope_theta"] = 5e5.into();
        assert_eq!(ModelConfig::from_json(&json.to_string()).unwrap().rope_theta, 5e5);
        let mut json = base();
        json["rope_parameters"] = serde_json::json!({"rope_theta": 1e6, "rope_type": "default"});
        let config = ModelConfig::from_json(&json.to_string()).unwrap();
        assert_eq!((config.rope_theta, config.heads, config.kv_heads), (1e6, 4, 2));
    }

    #[test]
    fn refuses_by_name_what_it_does_not_implement() {
        for (field, value) in [
            ("model_type", serde_json::json!("llama")),
            ("attention_bias", true.into()),
            ("use_sliding_window", true.into()),
            ("hidden_act", "gelu".into()),
            ("rope_scaling", serde_json::json!({"rope_type": "yarn", "factor": 4.0})),
            ("rope_parameters", serde_json::json!({"rope_type": "yarn", "rope_theta": 1e6})),
            ("quantization_config", serde_json::json!({"bits": 4})),
            ("layer_types", serde_json::json!(["sliding_attention"])),
            ("num_key_value_heads", 3.into()),
            ("head_dim", 15.into()),
            ("vocab_size", 0.into()),
            ("hidden_size", (1u64 << 40).into()),
            ("rms_norm_eps", 0.into()),
        ] {
            let mut json = base();
            json[field] = value;
            let error = ModelConfig::from_json(&json.to_string()).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
        assert!(ModelConfig::from_json("{}").unwrap_err().to_string().contains("model_type"));
    }
}
