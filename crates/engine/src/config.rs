//! Shape of a model, read from a Hugging Face `config.json`.

mod fields;
mod rope;

use super::lora_options::TargetModules;
use super::rotary::RopeScaling;
use fields::Fields;

/// Error of a `config.json` that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Invalid JSON.
    #[error("config.json: {0}")]
    Json(#[from] serde_json::Error),
    /// A field with an invalid value, or with one that this engine does not implement.
    #[error("config.json: {field} = {value} is not supported: {reason}")]
    Unsupported {
        /// Name of the field, with the names of enclosing objects and dots before it.
        field: String,
        /// Value as JSON.
        value: String,
        /// Supported values.
        reason: &'static str,
    },
}

/// Implemented kinds of decoder. They share one graph, whose optional parts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Llama 2, 3, 3.x and other models with the type `llama`.
    Llama,
    /// Mistral: Llama without biases. Its sliding window is not implemented; it limits the sequence length instead.
    Mistral,
    /// Qwen2 and Qwen2.5: biases on the query, key and value projections.
    Qwen2,
    /// Qwen3: a norm on each query and key head.
    Qwen3,
    /// Qwen3 with mixtures of experts in place of the feed-forward layers, which this engine does not compute.
    Qwen3Moe,
}

impl Family {
    /// Every family that this engine computes.
    pub const ALL: [Self; 4] = [Self::Llama, Self::Mistral, Self::Qwen2, Self::Qwen3];
    /// Every family whose shape is known.
    const KNOWN: [Self; 5] = [Self::Llama, Self::Mistral, Self::Qwen2, Self::Qwen3, Self::Qwen3Moe];

    /// Returns `model_type` of `config.json`.
    pub fn model_type(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Mistral => "mistral",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Qwen3Moe => "qwen3_moe",
        }
    }

    /// Returns the defaults of `transformers`' configuration class for absent fields.
    fn defaults(self) -> Defaults {
        let base = Defaults {
            num_key_value_heads: None,
            head_dim: None,
            intermediate_size: 22016,
            vocab_size: 151_936,
            max_position_embeddings: 32_768,
        };
        match self {
            Self::Llama => {
                Defaults { intermediate_size: 11008, vocab_size: 32_000, max_position_embeddings: 2048, ..base }
            }
            Self::Mistral => Defaults {
                num_key_value_heads: Some(8),
                intermediate_size: 14336,
                vocab_size: 32_000,
                max_position_embeddings: 131_072,
                ..base
            },
            Self::Qwen2 => Defaults { num_key_value_heads: Some(32), ..base },
            Self::Qwen3 => Defaults { num_key_value_heads: Some(32), head_dim: Some(128), ..base },
            // Its class has no `head_dim`: the attention divides the hidden size.
            Self::Qwen3Moe => Defaults { num_key_value_heads: Some(4), intermediate_size: 6144, ..base },
        }
    }
}

/// Defaults of absent fields that differ between families.
struct Defaults {
    /// `None` for the number of query heads.
    num_key_value_heads: Option<usize>,
    /// `None` for the hidden size divided by the number of heads.
    head_dim: Option<usize>,
    intermediate_size: usize,
    vocab_size: usize,
    max_position_embeddings: usize,
}

/// Shape and constants of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    /// Kind of decoder. Its consequences are in the other fields.
    pub family: Family,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Number of decoder blocks.
    pub layers: usize,
    /// Number of query heads.
    pub heads: usize,
    /// Number of key and value heads, a divisor of `heads`.
    pub kv_heads: usize,
    /// Width of one head, an even number.
    pub head_dim: usize,
    /// Width of the feed-forward layer.
    pub intermediate_size: usize,
    /// Number of tokens in the vocabulary, and of logits.
    pub vocab_size: usize,
    /// Epsilon that norms add to the mean square before the root.
    pub rms_norm_eps: f32,
    /// Whether the query, key and value projections add a bias.
    pub query_key_value_bias: bool,
    /// Whether the attention's output projection adds a bias.
    pub attention_output_bias: bool,
    /// Whether the gate, up and down projections add a bias.
    pub mlp_bias: bool,
    /// Whether each query and key head has a norm.
    pub head_norms: bool,
    /// Base of the rotary frequencies.
    pub rope_theta: f64,
    /// Scaling of the rotary frequencies.
    pub rope_scaling: RopeScaling,
    /// Maximum sequence length in tokens, at most `sliding_window`.
    pub max_position_embeddings: usize,
    /// Number of tokens that each layer attends to. For sequences up to this length the result equals full attention,
    /// which the engine computes.
    pub sliding_window: Option<usize>,
    /// Whether the output head is the transposed embedding.
    pub tie_word_embeddings: bool,
}

/// Maximum of any dimension: products of three fit into `u64`, and a damaged file fails before memory is allocated.
const MAX_DIMENSION: usize = 1 << 20;

fn refuse(field: impl Into<String>, value: impl serde::Serialize, reason: &'static str) -> ConfigError {
    let value = serde_json::to_string(&value).unwrap_or_else(|_| "?".into());
    ConfigError::Unsupported { field: field.into(), value, reason }
}

fn require(
    holds: bool,
    field: impl Into<String>,
    value: impl serde::Serialize,
    reason: &'static str,
) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(refuse(field, value, reason)) }
}

impl ModelConfig {
    /// Reads `config.json`. A field that the engine does not implement is an error with its name. An absent field has
    /// the default of `transformers`' configuration class of the family.
    pub fn from_json(json: &str) -> Result<Self, ConfigError> {
        Self::read(json, true)
    }

    /// Reads `config.json` of a model that other programs compute. Shapes are checked; of families and fields that concern
    /// the computation, more are accepted than by [`Self::from_json`].
    pub fn from_json_of_others(json: &str) -> Result<Self, ConfigError> {
        Self::read(json, false)
    }

    fn read(json: &str, is_computed_here: bool) -> Result<Self, ConfigError> {
        let document = serde_json::from_str(json)?;
        let file = Fields::document(&document)?;
        let model_type = file.text("model_type")?;
        let family = Family::KNOWN.into_iter().find(|family| Some(family.model_type()) == model_type);
        let family = family
            .ok_or_else(|| refuse("model_type", model_type, "the engine implements llama, mistral, qwen2 and qwen3"))?;
        let defaults = family.defaults();
        if is_computed_here {
            let reason =
                "the engine implements llama, mistral, qwen2 and qwen3; others may sample and train this family";
            require(Family::ALL.contains(&family), "model_type", model_type, reason)?;
            let act = file.text("hidden_act")?.unwrap_or("silu");
            require(matches!(act, "silu" | "swish"), "hidden_act", act, "the activation is silu")?;
            let quantization = file.get("quantization_config");
            require(quantization.is_none(), "quantization_config", quantization, "weights are plain")?;
        }

        let hidden_size = file.count("hidden_size")?.unwrap_or(4096);
        let layers = file.count("num_hidden_layers")?.unwrap_or(32);
        let heads = file.count("num_attention_heads")?.unwrap_or(32);
        // Null means the number of query heads in every family.
        let absent = if file.has("num_key_value_heads") { None } else { defaults.num_key_value_heads };
        let kv_heads = file.count("num_key_value_heads")?.or(absent).unwrap_or(heads);
        let intermediate_size = file.count("intermediate_size")?.unwrap_or(defaults.intermediate_size);
        let vocab_size = file.count("vocab_size")?.unwrap_or(defaults.vocab_size);
        let max_position_embeddings =
            file.count("max_position_embeddings")?.unwrap_or(defaults.max_position_embeddings);
        for (field, value) in [
            ("max_position_embeddings", max_position_embeddings),
            ("hidden_size", hidden_size),
            ("num_hidden_layers", layers),
            ("num_attention_heads", heads),
            ("num_key_value_heads", kv_heads),
            ("intermediate_size", intermediate_size),
            ("vocab_size", vocab_size),
        ] {
            require((1..=MAX_DIMENSION).contains(&value), field, value, "it must lie from 1 to 1048576")?;
        }
        let head_dim = match file.count("head_dim")?.or(defaults.head_dim) {
            Some(head_dim) => head_dim,
            None => {
                let reason = "it must be a multiple of num_attention_heads, or head_dim be given";
                require(hidden_size.is_multiple_of(heads), "hidden_size", hidden_size, reason)?;
                hidden_size / heads
            }
        };
        require((1..=MAX_DIMENSION).contains(&head_dim), "head_dim", head_dim, "it must lie from 1 to 1048576")?;
        require(heads * head_dim <= MAX_DIMENSION, "num_attention_heads", heads, "heads are too many")?;
        let divides = heads.is_multiple_of(kv_heads);
        require(divides, "num_key_value_heads", kv_heads, "it must divide num_attention_heads")?;
        require(head_dim.is_multiple_of(2), "head_dim", head_dim, "rotary embedding needs an even head_dim")?;
        let eps = file.number("rms_norm_eps")?.unwrap_or(1e-6);
        require(eps > 0.0 && eps < 1.0, "rms_norm_eps", eps, "it must lie between 0 and 1")?;
        let sliding_window = sliding_window(&file, family, layers)?;
        let (rope_theta, rope_scaling) = rope::read(&file, head_dim, max_position_embeddings)?;
        let attention_bias = file.flag("attention_bias")?.unwrap_or(false);
        // Like `transformers`, this ignores fields of other families. If they matter, the tensors in the file show it.
        let configured = matches!(family, Family::Llama | Family::Qwen3 | Family::Qwen3Moe) && attention_bias;
        Ok(Self {
            family,
            hidden_size,
            layers,
            heads,
            kv_heads,
            head_dim,
            intermediate_size,
            vocab_size,
            rms_norm_eps: eps as f32,
            query_key_value_bias: configured || family == Family::Qwen2,
            attention_output_bias: configured,
            mlp_bias: family == Family::Llama && file.flag("mlp_bias")?.unwrap_or(false),
            head_norms: matches!(family, Family::Qwen3 | Family::Qwen3Moe),
            rope_theta,
            rope_scaling,
            max_position_embeddings: sliding_window.map_or(max_position_embeddings, |w| w.min(max_position_embeddings)),
            sliding_window,
            tie_word_embeddings: file.flag("tie_word_embeddings")?.unwrap_or(false),
        })
    }
}

impl ModelConfig {
    /// Returns the projections that can have an adapter: those of the attention alone beside mixtures of experts, which
    /// have no projections of their own.
    pub fn targets(&self) -> TargetModules {
        match self.family {
            Family::Qwen3Moe => TargetModules::ATTENTION,
            _ => TargetModules::ALL,
        }
    }
}

/// Returns the sliding window, if the layers have one. A window of some layers only is an error.
fn sliding_window(file: &Fields<'_>, family: Family, layers: usize) -> Result<Option<usize>, ConfigError> {
    let kinds = file.get("layer_types");
    let full = kinds
        .is_none_or(|kinds| kinds.as_array().is_some_and(|kinds| kinds.iter().all(|kind| kind == "full_attention")));
    require(full, "layer_types", kinds, "every layer is full_attention")?;
    // Null means no window.
    let absent = if file.has("sliding_window") { None } else { Some(4096) };
    let window = file.count("sliding_window")?.or(absent);
    match family {
        Family::Llama => Ok(None),
        Family::Mistral => {
            require(window != Some(0), "sliding_window", window, "it must be at least 1, or null")?;
            Ok(window)
        }
        Family::Qwen2 | Family::Qwen3 | Family::Qwen3Moe => {
            let slides = file.flag("use_sliding_window")? == Some(true) && window.is_some() && kinds.is_none();
            let windowed = slides && file.count("max_window_layers")?.unwrap_or(28) < layers;
            require(!windowed, "use_sliding_window", true, "attention is full in every layer")?;
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests;
