//! Families of decoders, and what their configuration classes assume.

/// Implemented kinds of decoder. They share one graph, whose optional parts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Llama 2, 3, 3.x and other models with the type `llama`.
    Llama,
    /// Mistral: Llama without biases.
    Mistral,
    /// Qwen2 and Qwen2.5: biases on the query, key and value projections.
    Qwen2,
    /// Qwen3: a norm on each query and key head.
    Qwen3,
    /// Qwen3 with experts: a router chooses a few of many feed-forward parts for each token.
    Qwen3Moe,
    /// SmolLM3: Llama with layers that do not rotate queries and keys.
    SmolLm3,
    /// OLMo 2: norms on the outputs of attention and feed-forward part in place of their inputs, and one on all heads'
    /// queries and one on all keys.
    Olmo2,
    /// OLMo 3: OLMo 2 with a sliding window in three of four layers, whose rotary embedding may differ.
    Olmo3,
    /// Gemma 3 for text: norms on inputs and outputs, gated by GELU, with a sliding window and a rotary embedding of their
    /// own in five of six layers.
    Gemma3,
    /// Phi-3, Phi-3.5 and Phi-4 for text: query, key and value are one projection, and gate and up another; a part of each
    /// head may be all that rotates.
    Phi3,
}

/// Place of the norms of hidden rows in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormPlacement {
    /// On the inputs of attention and feed-forward part.
    Before,
    /// On their outputs, before these are added to the residual stream.
    After,
    /// On both.
    Both,
}

/// Norms of queries and keys, before they are rotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadNorms {
    /// None.
    None,
    /// One of each head, with the same weights for all heads.
    Each,
    /// One over all heads together.
    All,
}

/// Function of the gate in the feed-forward part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// `x sigmoid(x)`.
    Silu,
    /// GELU, approximated with the hyperbolic tangent.
    GeluTanh,
}

/// Value of `model_type` in an error: the families of [`Family::ALL`].
pub(super) const SUPPORTED: &str = "the engine implements llama, mistral, qwen2, qwen3, qwen3_moe, smollm3, olmo2, olmo3, \
                                     gemma3_text and phi3";

impl Family {
    /// Every family.
    pub const ALL: [Self; 10] = [
        Self::Llama,
        Self::Mistral,
        Self::Qwen2,
        Self::Qwen3,
        Self::Qwen3Moe,
        Self::SmolLm3,
        Self::Olmo2,
        Self::Olmo3,
        Self::Gemma3,
        Self::Phi3,
    ];

    /// Returns `model_type` of `config.json`.
    pub fn model_type(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Mistral => "mistral",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Qwen3Moe => "qwen3_moe",
            Self::SmolLm3 => "smollm3",
            Self::Olmo2 => "olmo2",
            Self::Olmo3 => "olmo3",
            Self::Gemma3 => "gemma3_text",
            Self::Phi3 => "phi3",
        }
    }

    /// Returns the place of the norms of hidden rows.
    pub(super) fn norm_placement(self) -> NormPlacement {
        match self {
            Self::Olmo2 | Self::Olmo3 => NormPlacement::After,
            Self::Gemma3 => NormPlacement::Both,
            _ => NormPlacement::Before,
        }
    }

    /// Returns the function of the gate in the feed-forward part.
    pub(super) fn activation(self) -> Activation {
        match self {
            Self::Gemma3 => Activation::GeluTanh,
            _ => Activation::Silu,
        }
    }

    /// Returns the norms of queries and keys.
    pub(super) fn head_norms(self) -> HeadNorms {
        match self {
            Self::Qwen3 | Self::Qwen3Moe | Self::Gemma3 => HeadNorms::Each,
            Self::Olmo2 | Self::Olmo3 => HeadNorms::All,
            _ => HeadNorms::None,
        }
    }

    /// Returns whether query, key and value are one projection, and gate and up another.
    pub(super) fn has_joint_projections(self) -> bool {
        self == Self::Phi3
    }

    /// Returns the defaults of `transformers`' configuration class for absent fields.
    pub(super) fn defaults(self) -> Defaults {
        let llama = Defaults {
            hidden_size: 4096,
            layers: 32,
            heads: 32,
            num_key_value_heads: None,
            head_dim: None,
            intermediate_size: 11008,
            vocab_size: 32_000,
            max_position_embeddings: 2048,
            rms_norm_eps: 1e-6,
            rope_theta: 10_000.0,
            local_rope_theta: None,
            tie_word_embeddings: false,
        };
        let qwen = Defaults {
            num_key_value_heads: Some(32),
            intermediate_size: 22016,
            vocab_size: 151_936,
            max_position_embeddings: 32_768,
            ..llama
        };
        let olmo = Defaults { vocab_size: 50_304, rms_norm_eps: 1e-5, ..llama };
        match self {
            Self::Llama => llama,
            Self::Mistral => Defaults {
                num_key_value_heads: Some(8),
                intermediate_size: 14336,
                max_position_embeddings: 131_072,
                ..llama
            },
            Self::Qwen2 => qwen,
            Self::Qwen3 => Defaults { head_dim: Some(128), ..qwen },
            Self::Qwen3Moe => Defaults {
                hidden_size: 2048,
                layers: 24,
                num_key_value_heads: Some(4),
                intermediate_size: 6144,
                ..qwen
            },
            Self::SmolLm3 => Defaults {
                hidden_size: 2048,
                layers: 36,
                heads: 16,
                num_key_value_heads: Some(4),
                vocab_size: 128_256,
                max_position_embeddings: 32_768,
                rope_theta: 2_000_000.0,
                tie_word_embeddings: true,
                ..llama
            },
            Self::Olmo2 => olmo,
            Self::Olmo3 => Defaults { rope_theta: 500_000.0, local_rope_theta: Some(500_000.0), ..olmo },
            Self::Gemma3 => Defaults {
                hidden_size: 2304,
                layers: 26,
                heads: 8,
                num_key_value_heads: Some(4),
                head_dim: Some(256),
                intermediate_size: 9216,
                vocab_size: 262_208,
                max_position_embeddings: 131_072,
                rope_theta: 1_000_000.0,
                local_rope_theta: Some(10_000.0),
                tie_word_embeddings: true,
                ..llama
            },
            Self::Phi3 => Defaults {
                hidden_size: 3072,
                intermediate_size: 8192,
                vocab_size: 32_064,
                max_position_embeddings: 4096,
                rms_norm_eps: 1e-5,
                ..llama
            },
        }
    }
}

/// Defaults of absent fields that differ between families.
#[derive(Clone, Copy)]
pub(super) struct Defaults {
    pub(super) hidden_size: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// `None` for the number of query heads.
    pub(super) num_key_value_heads: Option<usize>,
    /// `None` for the hidden size divided by the number of heads.
    pub(super) head_dim: Option<usize>,
    pub(super) intermediate_size: usize,
    pub(super) vocab_size: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) rms_norm_eps: f64,
    pub(super) rope_theta: f64,
    /// Base in layers with a sliding window; `None` if all layers have the same rotary embedding.
    pub(super) local_rope_theta: Option<f64>,
    pub(super) tie_word_embeddings: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_every_family() {
        let names = SUPPORTED.strip_prefix("the engine implements ").unwrap().replace(" and ", ", ");
        let names: Vec<_> = names.split(", ").collect();
        assert_eq!(names, Family::ALL.map(Family::model_type));
    }
}
