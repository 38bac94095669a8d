//! Families of decoders: one row for each, with what its parts are and what its configuration class in `transformers` assumes.
//!
//! Other files ask for a field of the row, never for a family, so a family without parts of its own is a variant and a row here. A
//! new part is a field of the row, a field of [`ModelConfig`](super::ModelConfig), and its computation in
//! [`pass`](crate::pass).

use super::experts::ExpertTraits;
use super::layer_kind::LayerKind;

/// Implemented kinds of decoder. They share one graph, whose optional parts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Llama 2, 3, 3.x and other models with the type `llama`.
    Llama,
    /// Mistral: Llama without biases.
    Mistral,
    /// Ministral 3: Mistral with a scale of the queries of late positions.
    Ministral3,
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
    /// Qwen3.5, 3.6 and 3.8: gated delta networks in three of four layers, and in the others attention whose output has a
    /// gate and of whose heads a quarter rotates.
    Qwen35,
    /// Qwen3.5, 3.6 and 3.8 with experts, of which every token uses a shared one.
    Qwen35Moe,
    /// LFM2 and LFM2.5: gated short convolutions, and attention in some layers.
    Lfm2,
}

/// Position of the norms of hidden rows in a layer.
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
pub(super) const SUPPORTED: &str = "the engine implements llama, mistral, ministral3, qwen2, qwen3, qwen3_moe, smollm3, olmo2, olmo3, \
                                     gemma3_text, phi3, qwen3_5_text, qwen3_5_moe_text and lfm2";

impl Family {
    /// Every family.
    pub const ALL: [Self; 14] = [
        Self::Llama,
        Self::Mistral,
        Self::Ministral3,
        Self::Qwen2,
        Self::Qwen3,
        Self::Qwen3Moe,
        Self::SmolLm3,
        Self::Olmo2,
        Self::Olmo3,
        Self::Gemma3,
        Self::Phi3,
        Self::Qwen35,
        Self::Qwen35Moe,
        Self::Lfm2,
    ];

    /// Returns `model_type` of `config.json`.
    pub fn model_type(self) -> &'static str {
        self.traits().model_type
    }

    /// Returns the name of a tensor or of a part of a layer, given that of most families.
    pub(crate) fn name_of(self, name: &'static str) -> &'static str {
        self.traits().other_names.iter().find(|(usual, _)| *usual == name).map_or(name, |(_, own)| own)
    }

    /// Returns the family's row.
    pub(crate) fn traits(self) -> Traits {
        let llama = Traits {
            model_type: "llama",
            class: "LlamaForCausalLM",
            gguf_architecture: "llama",
            gguf_reorders_heads: true,
            other_parts: &[],
            other_names: &[],
            norm_placement: NormPlacement::Before,
            norm_offset: 0.0,
            head_norms: HeadNorms::None,
            activation: Activation::Silu,
            joint_projections: false,
            attention_bias: AttentionBias::Configured,
            mlp_bias: true,
            scales_embeddings: false,
            query_scalar: None,
            experts: None,
            window_layers: WindowLayers::None,
            window: None,
            window_needs_flag: false,
            lists_layers_without_rope: false,
            rotated_part: None,
            has_longrope: false,
            other_kind: LayerKind::Attention,
            output_gate: false,
            scales_late_queries: false,
            hidden_size: 4096,
            layers: 32,
            heads: 32,
            num_key_value_heads: None,
            head_dim: None,
            intermediate_field: "intermediate_size",
            intermediate_size: 11008,
            vocab_size: 32_000,
            max_position_embeddings: 2048,
            eps_field: "rms_norm_eps",
            rms_norm_eps: 1e-6,
            rope_theta: 10_000.0,
            local_rope_theta: None,
            tie_field: None,
            tie_word_embeddings: false,
        };
        let mistral = Traits {
            model_type: "mistral",
            class: "MistralForCausalLM",
            attention_bias: AttentionBias::None,
            mlp_bias: false,
            window_layers: WindowLayers::All,
            window: Some(4096),
            num_key_value_heads: Some(8),
            intermediate_size: 14336,
            max_position_embeddings: 131_072,
            ..llama
        };
        let qwen2 = Traits {
            model_type: "qwen2",
            class: "Qwen2ForCausalLM",
            gguf_architecture: "qwen2",
            gguf_reorders_heads: false,
            attention_bias: AttentionBias::QueryKeyValue,
            mlp_bias: false,
            window_layers: WindowLayers::Last,
            window: Some(4096),
            window_needs_flag: true,
            num_key_value_heads: Some(32),
            intermediate_size: 22016,
            vocab_size: 151_936,
            max_position_embeddings: 32_768,
            ..llama
        };
        let qwen3 = Traits {
            model_type: "qwen3",
            class: "Qwen3ForCausalLM",
            gguf_architecture: "qwen3",
            head_norms: HeadNorms::Each,
            attention_bias: AttentionBias::Configured,
            head_dim: Some(128),
            ..qwen2
        };
        let olmo2 = Traits {
            model_type: "olmo2",
            class: "Olmo2ForCausalLM",
            gguf_architecture: "olmo2",
            gguf_reorders_heads: false,
            norm_placement: NormPlacement::After,
            head_norms: HeadNorms::All,
            mlp_bias: false,
            vocab_size: 50_304,
            rms_norm_eps: 1e-5,
            ..llama
        };
        let qwen35 = Traits {
            model_type: "qwen3_5_text",
            class: "Qwen3_5ForCausalLM",
            gguf_architecture: "qwen35",
            gguf_reorders_heads: false,
            other_parts: &["mtp.", "model.visual."],
            norm_offset: 1.0,
            head_norms: HeadNorms::Each,
            mlp_bias: false,
            rotated_part: Some(0.25),
            other_kind: LayerKind::Delta,
            output_gate: true,
            heads: 16,
            num_key_value_heads: Some(4),
            head_dim: Some(256),
            intermediate_size: 12288,
            vocab_size: 248_320,
            max_position_embeddings: 32_768,
            ..llama
        };
        match self {
            Self::Llama => llama,
            Self::Mistral => mistral,
            Self::Ministral3 => Traits {
                model_type: "ministral3",
                class: "Ministral3ForCausalLM",
                gguf_architecture: "mistral3",
                scales_late_queries: true,
                window: None,
                layers: 34,
                head_dim: Some(128),
                vocab_size: 131_072,
                max_position_embeddings: 262_144,
                rms_norm_eps: 1e-5,
                rope_theta: 1_000_000.0,
                ..mistral
            },
            Self::Qwen2 => qwen2,
            Self::Qwen3 => qwen3,
            Self::Qwen3Moe => Traits {
                model_type: "qwen3_moe",
                class: "Qwen3MoeForCausalLM",
                gguf_architecture: "qwen3moe",
                experts: Some(ExpertTraits {
                    count: 128,
                    intermediate_size: 768,
                    is_configured: true,
                    has_shared: false,
                }),
                window_layers: WindowLayers::All,
                hidden_size: 2048,
                layers: 24,
                num_key_value_heads: Some(4),
                head_dim: None,
                intermediate_size: 6144,
                ..qwen3
            },
            Self::SmolLm3 => Traits {
                model_type: "smollm3",
                class: "SmolLM3ForCausalLM",
                gguf_architecture: "smollm3",
                window_layers: WindowLayers::WithoutRope,
                window_needs_flag: true,
                lists_layers_without_rope: true,
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
            Self::Olmo2 => olmo2,
            Self::Olmo3 => Traits {
                model_type: "olmo3",
                class: "Olmo3ForCausalLM",
                window_layers: WindowLayers::ExceptEvery { number: 4, field: None },
                window: Some(4096),
                rope_theta: 500_000.0,
                local_rope_theta: Some(500_000.0),
                ..olmo2
            },
            Self::Gemma3 => Traits {
                model_type: "gemma3_text",
                class: "Gemma3ForCausalLM",
                gguf_architecture: "gemma3",
                gguf_reorders_heads: false,
                norm_placement: NormPlacement::Both,
                norm_offset: 1.0,
                head_norms: HeadNorms::Each,
                activation: Activation::GeluTanh,
                mlp_bias: false,
                scales_embeddings: true,
                query_scalar: Some(256.0),
                window_layers: WindowLayers::ExceptEvery { number: 6, field: Some("sliding_window_pattern") },
                window: Some(4096),
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
            Self::Phi3 => Traits {
                model_type: "phi3",
                class: "Phi3ForCausalLM",
                gguf_architecture: "phi3",
                gguf_reorders_heads: false,
                joint_projections: true,
                attention_bias: AttentionBias::None,
                mlp_bias: false,
                window_layers: WindowLayers::All,
                rotated_part: Some(1.0),
                has_longrope: true,
                hidden_size: 3072,
                intermediate_size: 8192,
                vocab_size: 32_064,
                max_position_embeddings: 4096,
                rms_norm_eps: 1e-5,
                ..llama
            },
            Self::Qwen35 => qwen35,
            Self::Qwen35Moe => Traits {
                model_type: "qwen3_5_moe_text",
                class: "Qwen3_5MoeForCausalLM",
                gguf_architecture: "qwen35moe",
                other_names: &[
                    ("mlp.gate_proj", "mlp.shared_expert.gate_proj"),
                    ("mlp.up_proj", "mlp.shared_expert.up_proj"),
                    ("mlp.down_proj", "mlp.shared_expert.down_proj"),
                ],
                experts: Some(ExpertTraits {
                    count: 256,
                    intermediate_size: 512,
                    is_configured: false,
                    has_shared: true,
                }),
                hidden_size: 2048,
                layers: 40,
                num_key_value_heads: Some(2),
                intermediate_field: "shared_expert_intermediate_size",
                intermediate_size: 512,
                ..qwen35
            },
            Self::Lfm2 => Traits {
                model_type: "lfm2",
                class: "Lfm2ForCausalLM",
                gguf_architecture: "lfm2",
                gguf_reorders_heads: false,
                other_names: &[
                    ("model.norm.weight", "model.embedding_norm.weight"),
                    ("input_layernorm", "operator_norm"),
                    ("post_attention_layernorm", "ffn_norm"),
                    ("self_attn.q_norm", "self_attn.q_layernorm"),
                    ("self_attn.k_norm", "self_attn.k_layernorm"),
                    ("self_attn.o_proj", "self_attn.out_proj"),
                    ("mlp.gate_proj", "feed_forward.w1"),
                    ("mlp.up_proj", "feed_forward.w3"),
                    ("mlp.down_proj", "feed_forward.w2"),
                ],
                head_norms: HeadNorms::Each,
                attention_bias: AttentionBias::None,
                mlp_bias: false,
                other_kind: LayerKind::Convolution,
                hidden_size: 2560,
                num_key_value_heads: Some(8),
                intermediate_size: 12288,
                vocab_size: 65_536,
                max_position_embeddings: 128_000,
                eps_field: "norm_eps",
                rms_norm_eps: 1e-5,
                rope_theta: 1_000_000.0,
                tie_field: Some("tie_embedding"),
                tie_word_embeddings: true,
                ..llama
            },
        }
    }
}

/// Biases of the attention's projections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttentionBias {
    /// None, whatever `attention_bias` says.
    None,
    /// On all projections if `attention_bias` says so.
    Configured,
    /// On the query, key and value projections.
    QueryKeyValue,
}

/// Layers of a family that have a window, unless `layer_types` lists them.
#[derive(Clone, Copy)]
pub(super) enum WindowLayers {
    /// None. `layer_types` may list no window.
    None,
    /// All. `layer_types` may list no window.
    All,
    /// The last ones, from `max_window_layers` on.
    Last,
    /// Those without rotary embedding.
    WithoutRope,
    /// All but every so many, a number that a field may change.
    ExceptEvery { number: usize, field: Option<&'static str> },
}

/// Parts and assumptions of a family.
#[derive(Clone, Copy)]
pub(crate) struct Traits {
    /// `model_type` of `config.json`.
    pub(super) model_type: &'static str,
    /// Class of `transformers`.
    pub(super) class: &'static str,
    /// llama.cpp's name of the architecture.
    pub(crate) gguf_architecture: &'static str,
    /// Whether llama.cpp reorders the rows of queries and keys.
    pub(crate) gguf_reorders_heads: bool,
    /// Beginnings of the names of tensors that are not the decoder's: of heads that predict later tokens, and of parts for images.
    pub(crate) other_parts: &'static [&'static str],
    /// Names of tensors and of parts of a layer that differ: the one of most families, and the family's own.
    other_names: &'static [(&'static str, &'static str)],
    pub(super) norm_placement: NormPlacement,
    /// Value added to every norm's weights.
    pub(super) norm_offset: f32,
    pub(super) head_norms: HeadNorms,
    pub(super) activation: Activation,
    pub(super) joint_projections: bool,
    pub(super) attention_bias: AttentionBias,
    /// Whether `mlp_bias` is read.
    pub(super) mlp_bias: bool,
    /// Whether embeddings are multiplied by the root of the hidden size.
    pub(super) scales_embeddings: bool,
    /// Default of `query_pre_attn_scalar`, whose root divides attention scores; `None` if the head's width does.
    pub(super) query_scalar: Option<f64>,
    /// Experts, with the defaults of their fields; `None` for a family without any.
    pub(super) experts: Option<ExpertTraits>,
    /// Layers with a sliding window, if there is one.
    pub(super) window_layers: WindowLayers,
    /// Default of `sliding_window`.
    pub(super) window: Option<usize>,
    /// Whether the window is used only if `use_sliding_window` says so.
    pub(super) window_needs_flag: bool,
    /// Whether some layers do not rotate queries and keys.
    pub(super) lists_layers_without_rope: bool,
    /// Default of `partial_rotary_factor`, the part of each head that rotates; `None` if the whole head does.
    pub(super) rotated_part: Option<f64>,
    /// Whether frequencies may be scaled by `longrope`, and by nothing else.
    pub(super) has_longrope: bool,
    /// Kind of the layers without attention; attention if all have it.
    pub(super) other_kind: LayerKind,
    /// Whether the output of the attention has a gate, whose projection is a part of that of the queries.
    pub(super) output_gate: bool,
    /// Whether queries from a position on are scaled by `llama_4_scaling_beta` of the rotary embedding.
    pub(super) scales_late_queries: bool,
    // Defaults of `transformers`' configuration class for absent fields.
    pub(super) hidden_size: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// `None` for the number of query heads.
    pub(super) num_key_value_heads: Option<usize>,
    /// `None` for the hidden size divided by the number of heads.
    pub(super) head_dim: Option<usize>,
    /// Field of the width of the feed-forward layer.
    pub(super) intermediate_field: &'static str,
    pub(super) intermediate_size: usize,
    pub(super) vocab_size: usize,
    pub(super) max_position_embeddings: usize,
    /// Field of the epsilon of norms.
    pub(super) eps_field: &'static str,
    pub(super) rms_norm_eps: f64,
    pub(super) rope_theta: f64,
    /// Base in layers with a sliding window; `None` if all layers have the same rotary embedding.
    pub(super) local_rope_theta: Option<f64>,
    /// Field that stands above `tie_word_embeddings`.
    pub(super) tie_field: Option<&'static str>,
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
