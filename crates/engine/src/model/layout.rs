//! Parts of a model's layers, and the padded sizes of its dimensions.

use std::ops::Range;

use super::axis::Axis;
use crate::config::{HeadNorms, ModelConfig, NormPlacement};
use crate::kernels::WeightFormat;
use crate::kernels::attention::AttentionShape;

/// Padded sizes of a layer's experts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpertLayout {
    /// Experts, as the columns of the router.
    pub(crate) router: Axis,
    /// Width of an expert.
    pub(crate) intermediate: Axis,
    /// Number of experts of a row.
    pub(crate) per_token: usize,
    /// Whether some layers have a plain feed-forward part.
    some_dense: bool,
}

/// Padded sizes of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) hidden: Axis,
    pub(crate) query: Axis,
    pub(crate) kv: Axis,
    pub(crate) query_key_value: Axis,
    pub(crate) intermediate: Axis,
    pub(crate) gate_up: Axis,
    /// `None` if no layer has experts.
    pub(crate) experts: Option<ExpertLayout>,
    pub(crate) vocab: Axis,
    /// Norms of queries and of keys; `None` if they have none.
    pub(crate) head_norms: Option<[Axis; 2]>,
    pub(crate) attention: AttentionShape,
    /// Whether attention and feed-forward part have norms on their outputs.
    pub(crate) output_norms: bool,
    /// Whether query, key and value are one projection, and gate and up another.
    pub(crate) joint_projections: bool,
}

impl Layout {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let [query, kv] = [config.heads, config.kv_heads].map(|heads| Axis::new(heads, config.head_dim));
        let head = Axis::new(1, config.head_dim);
        Self {
            hidden: Axis::new(1, config.hidden_size),
            query,
            kv,
            query_key_value: Axis::new(config.heads + 2 * config.kv_heads, config.head_dim)
                .with_rotated(config.heads + config.kv_heads, config.rotated_dim),
            intermediate: Axis::new(1, config.intermediate_size),
            gate_up: Axis::new(2, config.intermediate_size),
            experts: config.experts.as_ref().map(|experts| ExpertLayout {
                router: Axis::new(1, experts.count),
                intermediate: Axis::new(1, experts.intermediate_size),
                per_token: experts.per_token,
                some_dense: !experts.dense_layers.is_empty(),
            }),
            vocab: Axis::new(1, config.vocab_size),
            head_norms: match config.head_norms {
                HeadNorms::None => None,
                HeadNorms::Each => Some([head, head]),
                HeadNorms::All => Some([query, kv]),
            },
            attention: AttentionShape {
                heads: config.heads,
                kv_heads: config.kv_heads,
                head_stride: head.padded_len(),
                bf16: false,
            },
            output_norms: LayerNorm::MlpOutput.name(config.norm_placement).is_some(),
            joint_projections: config.joint_projections,
        }
    }

    /// Returns the layout of a model whose weights have a format. Beside weights other than f32, the attention rounds its
    /// factors to bf16.
    pub(crate) fn with_weights(mut self, format: WeightFormat) -> Self {
        self.attention.bf16 = format != WeightFormat::F32;
        self
    }

    /// Returns the number of values between the projections of a row's feed-forward part, padding included: of a plain
    /// part or of all experts of the row, if layers have both the larger one.
    pub(crate) fn feed_forward(&self) -> usize {
        let plain = self.intermediate.padded_len();
        self.experts.map_or(plain, |experts| {
            let routed = experts.per_token * experts.intermediate.padded_len();
            if experts.some_dense { routed.max(plain) } else { routed }
        })
    }

    /// Returns the number of f32 of the hidden rows of all experts of a row; zero without experts.
    pub(crate) fn routed(&self) -> usize {
        self.experts.map_or(0, |experts| experts.per_token * self.hidden.padded_len())
    }

    /// Returns the number of f32 of the probabilities of a row's experts; zero without experts.
    pub(crate) fn router(&self) -> usize {
        self.experts.map_or(0, |experts| experts.router.padded_len())
    }
}

/// Norms of a layer's hidden rows, in the order of their use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerNorm {
    /// On the input of the attention.
    Attention,
    /// On the output of the attention.
    AttentionOutput,
    /// On the input of the feed-forward part.
    Mlp,
    /// On the output of the feed-forward part.
    MlpOutput,
}

/// Number of kinds of [`LayerNorm`].
pub(crate) const LAYER_NORMS: usize = 4;

impl LayerNorm {
    pub(crate) const ALL: [Self; LAYER_NORMS] = [Self::Attention, Self::AttentionOutput, Self::Mlp, Self::MlpOutput];

    /// Returns the name within a layer, as in the model's tensors; `None` if layers have no such norm.
    pub(crate) fn name(self, placement: NormPlacement) -> Option<&'static str> {
        let before = placement != NormPlacement::After;
        let after = placement != NormPlacement::Before;
        match self {
            Self::Attention => before.then_some("input_layernorm"),
            Self::AttentionOutput => after.then_some("post_attention_layernorm"),
            // The name is older than norms on outputs.
            Self::Mlp if placement == NormPlacement::Before => Some("post_attention_layernorm"),
            Self::Mlp => before.then_some("pre_feedforward_layernorm"),
            Self::MlpOutput => after.then_some("post_feedforward_layernorm"),
        }
    }
}

/// Projections of a layer, each of which can have an adapter, in their canonical order. No model has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Projection {
    Query,
    Key,
    Value,
    /// The rows of query, key and value.
    QueryKeyValue,
    Output,
    Gate,
    Up,
    /// The rows of gate and up.
    GateUp,
    Down,
}

/// Number of kinds of [`Projection`].
pub(crate) const PROJECTIONS: usize = 9;

impl Projection {
    pub(crate) const ALL: [Self; PROJECTIONS] = [
        Self::Query,
        Self::Key,
        Self::Value,
        Self::QueryKeyValue,
        Self::Output,
        Self::Gate,
        Self::Up,
        Self::GateUp,
        Self::Down,
    ];

    /// Returns whether a model has the projection in its layers without experts.
    pub(crate) fn is_in(self, config: &ModelConfig) -> bool {
        match self {
            Self::Query | Self::Key | Self::Value | Self::Gate | Self::Up => !config.joint_projections,
            Self::QueryKeyValue | Self::GateUp => config.joint_projections,
            Self::Output | Self::Down => true,
        }
    }

    /// Returns whether a model has the projection, with a bias.
    pub(crate) fn has_bias(self, config: &ModelConfig) -> bool {
        self.is_in(config)
            && match self {
                Self::Query | Self::Key | Self::Value | Self::QueryKeyValue => config.query_key_value_bias,
                Self::Output => config.attention_output_bias,
                Self::Gate | Self::Up | Self::GateUp | Self::Down => config.mlp_bias,
            }
    }

    /// Returns the name within a layer, as in the model's and PEFT's tensors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Query => "self_attn.q_proj",
            Self::Key => "self_attn.k_proj",
            Self::Value => "self_attn.v_proj",
            Self::QueryKeyValue => "self_attn.qkv_proj",
            Self::Output => "self_attn.o_proj",
            Self::Gate => "mlp.gate_proj",
            Self::Up => "mlp.up_proj",
            Self::GateUp => "mlp.gate_up_proj",
            Self::Down => "mlp.down_proj",
        }
    }

    /// Returns the input dimension.
    pub(crate) fn input(self, layout: &Layout) -> Axis {
        match self {
            Self::Output => layout.query,
            Self::Down => layout.intermediate,
            _ => layout.hidden,
        }
    }

    /// Returns the output dimension.
    pub(crate) fn output(self, layout: &Layout) -> Axis {
        match self {
            Self::Query => layout.query,
            Self::Key | Self::Value => layout.kv,
            Self::QueryKeyValue => layout.query_key_value,
            Self::Gate | Self::Up => layout.intermediate,
            Self::GateUp => layout.gate_up,
            Self::Output | Self::Down => layout.hidden,
        }
    }
}

/// Projections that read the same input and are computed as one product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fused {
    QueryKeyValue,
    Output,
    GateUp,
    Down,
}

impl Fused {
    pub(crate) const ALL: [Self; 4] = [Self::QueryKeyValue, Self::Output, Self::GateUp, Self::Down];

    /// Returns the projections in the order of their columns.
    pub(crate) fn projections(self, layout: &Layout) -> &'static [Projection] {
        let range = match (self, layout.joint_projections) {
            (Self::QueryKeyValue, false) => 0..3,
            (Self::QueryKeyValue, true) => 3..4,
            (Self::Output, _) => 4..5,
            (Self::GateUp, false) => 5..7,
            (Self::GateUp, true) => 7..8,
            (Self::Down, _) => 8..9,
        };
        &Projection::ALL[range]
    }

    /// Returns the input dimension.
    pub(crate) fn input(self, layout: &Layout) -> Axis {
        self.projections(layout)[0].input(layout)
    }

    /// Returns the columns of each projection, padding included.
    pub(crate) fn segments(self, layout: &Layout) -> Vec<Range<usize>> {
        let mut start = 0;
        let segment = |projection: &Projection| {
            let end = start + projection.output(layout).padded_len();
            std::mem::replace(&mut start, end)..end
        };
        self.projections(layout).iter().map(segment).collect()
    }

    /// Returns the total number of columns, padding included.
    pub(crate) fn columns(self, layout: &Layout) -> usize {
        self.projections(layout).iter().map(|projection| projection.output(layout).padded_len()).sum()
    }
}
