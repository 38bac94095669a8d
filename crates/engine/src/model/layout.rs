//! Parts of a model's layers, and the padded sizes of its dimensions.

use std::ops::Range;

use super::axis::Axis;
use crate::config::{Family, HeadNorms, LayerKind, ModelConfig, NormPlacement};
use crate::kernels::WeightFormat;
use crate::kernels::attention::AttentionShape;
use crate::kernels::recurrent::DeltaShape;

/// Padded sizes of a layer's experts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpertLayout {
    /// Experts, as the columns of the router.
    pub(crate) router: Axis,
    /// Width of an expert.
    pub(crate) intermediate: Axis,
    /// Number of experts of a row.
    pub(crate) per_token: usize,
    /// Gate of the shared expert; none without one.
    pub(crate) shared_gate: Axis,
    /// Whether some layers have a plain feed-forward part, or a shared expert.
    some_dense: bool,
}

/// Names of the norms of queries and of keys within a layer, in most families.
pub(super) const QUERY_NORM: &str = "self_attn.q_norm";
pub(super) const KEY_NORM: &str = "self_attn.k_norm";
/// Dimension of a projection that no layer has.
const NONE: Axis = Axis::none();

/// Padded sizes of a gated delta network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeltaLayout {
    /// Queries, keys and values, which the convolution mixes.
    pub(crate) mixed: Axis,
    /// Output, and its gate.
    pub(crate) values: Axis,
    /// A number for each value head.
    pub(crate) heads: Axis,
    /// Value head.
    pub(crate) head: Axis,
    /// Weights of the convolution for a value.
    pub(crate) taps: Axis,
    pub(crate) shape: DeltaShape,
}

impl DeltaLayout {
    /// Returns the number of f32 of a sequence's states in a layer: the last rows of the convolution, and the state of the delta
    /// rule.
    pub(crate) fn state_len(&self) -> usize {
        self.convolution_state_len() + self.shape.state_len()
    }

    /// Returns the number of f32 of the convolution's rows among the states.
    pub(crate) fn convolution_state_len(&self) -> usize {
        (self.taps.len() - 1) * self.mixed.padded_len()
    }
}

/// Padded sizes of a gated short convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvolutionLayout {
    /// Values that the convolution mixes, and the gate of its output.
    pub(crate) channels: Axis,
    /// Gate of the input, gate of the output, and values.
    pub(crate) input: Axis,
    /// Weights of the convolution for a value.
    pub(crate) taps: Axis,
}

impl ConvolutionLayout {
    /// Returns the number of f32 of a sequence's state in a layer: the last rows of the convolution.
    pub(crate) fn state_len(&self) -> usize {
        (self.taps.len() - 1) * self.channels.padded_len()
    }
}

/// Padded sizes of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) hidden: Axis,
    /// Output of the attention.
    pub(crate) query: Axis,
    /// Queries, followed by their gates if the output of the attention has any.
    pub(crate) query_gate: Axis,
    pub(crate) key: Axis,
    /// Values; as wide as the keys.
    pub(crate) kv: Axis,
    pub(crate) query_key_value: Axis,
    pub(crate) intermediate: Axis,
    pub(crate) gate_up: Axis,
    /// `None` if no layer has experts.
    pub(crate) experts: Option<ExpertLayout>,
    /// `None` if no layer has a delta network.
    pub(crate) delta: Option<DeltaLayout>,
    /// `None` if no layer has a short convolution.
    pub(crate) convolution: Option<ConvolutionLayout>,
    pub(crate) vocab: Axis,
    /// Norms of queries and of keys; `None` if they have none.
    pub(crate) head_norms: Option<[Axis; 2]>,
    pub(crate) attention: AttentionShape,
    /// Whether attention and feed-forward part have norms on their outputs.
    pub(crate) output_norms: bool,
    /// Whether query, key and value are one projection, and gate and up another.
    pub(crate) joint_projections: bool,
    /// Kind of decoder, by which parts have their names.
    pub(crate) family: Family,
}

impl Layout {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let [query, kv] = [config.heads, config.kv_heads].map(|heads| Axis::new(heads, config.head_dim));
        let head = Axis::new(1, config.head_dim);
        let rotated = |axis: Axis, heads: usize| axis.with_rotated(heads, config.rotated_dim);
        let (rotated_query, key) = (rotated(query, config.heads), rotated(kv, config.kv_heads));
        let queries_and_gates = Axis::new(2 * config.heads, config.head_dim).in_turns();
        Self {
            hidden: Axis::new(1, config.hidden_size),
            query,
            query_gate: if config.output_gate { rotated(queries_and_gates, config.heads) } else { rotated_query },
            key,
            kv,
            query_key_value: Axis::new(config.heads + 2 * config.kv_heads, config.head_dim)
                .with_rotated(config.heads + config.kv_heads, config.rotated_dim),
            intermediate: Axis::new(1, config.intermediate_size),
            gate_up: Axis::new(2, config.intermediate_size),
            experts: config.experts.as_ref().map(|experts| ExpertLayout {
                router: Axis::new(1, experts.count),
                intermediate: Axis::new(1, experts.intermediate_size),
                per_token: experts.per_token,
                some_dense: !experts.dense_layers.is_empty() || experts.has_shared,
                shared_gate: if experts.has_shared { Axis::new(1, 1) } else { NONE },
            }),
            delta: config.delta.as_ref().map(|delta| DeltaLayout {
                // Heads of different widths are whole vectors.
                mixed: match delta.key_dim == delta.value_dim {
                    true => Axis::new(2 * delta.key_heads + delta.value_heads, delta.key_dim),
                    false => Axis::new(1, delta.mixed()),
                },
                values: Axis::new(delta.value_heads, delta.value_dim),
                heads: Axis::new(1, delta.value_heads),
                head: Axis::new(1, delta.value_dim),
                taps: Axis::new(1, delta.convolution),
                shape: DeltaShape {
                    key_heads: delta.key_heads,
                    value_heads: delta.value_heads,
                    key_width: delta.key_dim,
                    value_width: delta.value_dim,
                },
            }),
            convolution: config.convolution.map(|convolution| ConvolutionLayout {
                channels: Axis::new(1, config.hidden_size),
                input: Axis::new(3, config.hidden_size),
                taps: Axis::new(1, convolution.taps),
            }),
            vocab: Axis::new(1, config.vocab_size),
            head_norms: match config.head_norms {
                HeadNorms::None => None,
                HeadNorms::Each => Some([rotated(head, 1); 2]),
                HeadNorms::All => Some([rotated_query, key]),
            },
            attention: AttentionShape {
                heads: config.heads,
                kv_heads: config.kv_heads,
                head_stride: head.padded_len(),
                gated: config.output_gate,
                bf16: false,
            },
            output_norms: LayerNorm::MlpOutput.name(config).is_some(),
            joint_projections: config.joint_projections,
            family: config.family,
        }
    }

    /// Returns the layout of a model whose weights have a format. Beside weights other than f32, the attention rounds its
    /// factors to bf16.
    pub(crate) fn with_weights(mut self, format: WeightFormat) -> Self {
        self.attention.bf16 = format != WeightFormat::F32;
        self
    }

    /// Returns the number of f32 of a page of keys and values, over all layers with attention.
    pub(crate) fn page_len(&self, config: &ModelConfig) -> usize {
        config.layers_of(LayerKind::Attention) * self.attention.page_len()
    }

    /// Returns the number of f32 of a sequence's states, over all layers without attention.
    pub(crate) fn states_len(&self, config: &ModelConfig) -> usize {
        let delta = self.delta.map_or(0, |delta| delta.state_len());
        let convolution = self.convolution.map_or(0, |convolution| convolution.state_len());
        config.layers_of(LayerKind::Delta) * delta + config.layers_of(LayerKind::Convolution) * convolution
    }

    /// Returns whether a sequence has states beside its keys and values.
    pub(crate) fn has_states(&self) -> bool {
        self.delta.is_some() || self.convolution.is_some()
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

    /// Returns the number of f32 of a row's gate of the shared expert; zero without one.
    pub(crate) fn shared_gate(&self) -> usize {
        self.experts.map_or(0, |experts| experts.shared_gate.padded_len())
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
    pub(crate) fn name(self, config: &ModelConfig) -> Option<&'static str> {
        self.usual_name(config.norm_placement).map(|name| config.family.name_of(name))
    }

    /// Returns the name in most families.
    fn usual_name(self, placement: NormPlacement) -> Option<&'static str> {
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
    /// Queries, keys and values of a delta network.
    DeltaQueryKeyValue,
    /// Gate of the output of a delta network.
    DeltaGate,
    /// Decay of a delta network's state, for each value head.
    DeltaDecay,
    /// Strength of a delta network's update, for each value head.
    DeltaStrength,
    DeltaOutput,
    /// Gates and values of a short convolution.
    ConvolutionInput,
    ConvolutionOutput,
}

/// Number of kinds of [`Projection`].
pub(crate) const PROJECTIONS: usize = 16;

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
        Self::DeltaQueryKeyValue,
        Self::DeltaGate,
        Self::DeltaDecay,
        Self::DeltaStrength,
        Self::DeltaOutput,
        Self::ConvolutionInput,
        Self::ConvolutionOutput,
    ];

    /// Returns the kind of the layers that have the projection; `None` if it is that of all.
    fn kind(self) -> Option<LayerKind> {
        match self {
            Self::Query | Self::Key | Self::Value | Self::QueryKeyValue | Self::Output => Some(LayerKind::Attention),
            Self::Gate | Self::Up | Self::GateUp | Self::Down => None,
            Self::DeltaQueryKeyValue | Self::DeltaGate | Self::DeltaDecay | Self::DeltaStrength | Self::DeltaOutput => {
                Some(LayerKind::Delta)
            }
            Self::ConvolutionInput | Self::ConvolutionOutput => Some(LayerKind::Convolution),
        }
    }

    /// Returns whether the layers of a kind, without experts, have the projection.
    pub(crate) fn is_in(self, config: &ModelConfig, kind: LayerKind) -> bool {
        self.kind().is_none_or(|own| own == kind)
            && match self {
                Self::Query | Self::Key | Self::Value | Self::Gate | Self::Up => !config.joint_projections,
                Self::QueryKeyValue | Self::GateUp => config.joint_projections,
                _ => true,
            }
    }

    /// Returns whether the projection has a bias in layers that have it.
    pub(crate) fn has_bias(self, config: &ModelConfig) -> bool {
        match self {
            Self::Query | Self::Key | Self::Value | Self::QueryKeyValue => config.query_key_value_bias,
            Self::Output => config.attention_output_bias,
            Self::Gate | Self::Up | Self::GateUp | Self::Down => config.mlp_bias,
            Self::DeltaQueryKeyValue | Self::DeltaGate | Self::DeltaDecay | Self::DeltaStrength | Self::DeltaOutput => {
                false
            }
            Self::ConvolutionInput | Self::ConvolutionOutput => {
                config.convolution.is_some_and(|convolution| convolution.bias)
            }
        }
    }

    /// Returns the name within a layer, as in the model's and PEFT's tensors.
    pub(crate) fn name(self, family: Family) -> &'static str {
        family.name_of(match self {
            Self::Query => "self_attn.q_proj",
            Self::Key => "self_attn.k_proj",
            Self::Value => "self_attn.v_proj",
            Self::QueryKeyValue => "self_attn.qkv_proj",
            Self::Output => "self_attn.o_proj",
            Self::Gate => "mlp.gate_proj",
            Self::Up => "mlp.up_proj",
            Self::GateUp => "mlp.gate_up_proj",
            Self::Down => "mlp.down_proj",
            Self::DeltaQueryKeyValue => "linear_attn.in_proj_qkv",
            Self::DeltaGate => "linear_attn.in_proj_z",
            Self::DeltaDecay => "linear_attn.in_proj_a",
            Self::DeltaStrength => "linear_attn.in_proj_b",
            Self::DeltaOutput => "linear_attn.out_proj",
            Self::ConvolutionInput => "conv.in_proj",
            Self::ConvolutionOutput => "conv.out_proj",
        })
    }

    /// Returns the input dimension.
    pub(crate) fn input(self, layout: &Layout) -> Axis {
        match self {
            Self::Output => layout.query,
            Self::Down => layout.intermediate,
            Self::DeltaOutput => layout.delta.map_or(NONE, |delta| delta.values),
            _ => layout.hidden,
        }
    }

    /// Returns the output dimension.
    pub(crate) fn output(self, layout: &Layout) -> Axis {
        match self {
            Self::Query => layout.query_gate,
            Self::Key => layout.key,
            Self::Value => layout.kv,
            Self::QueryKeyValue => layout.query_key_value,
            Self::Gate | Self::Up => layout.intermediate,
            Self::GateUp => layout.gate_up,
            Self::Output | Self::Down | Self::DeltaOutput | Self::ConvolutionOutput => layout.hidden,
            Self::DeltaQueryKeyValue => layout.delta.map_or(NONE, |delta| delta.mixed),
            Self::DeltaGate => layout.delta.map_or(NONE, |delta| delta.values),
            Self::DeltaDecay | Self::DeltaStrength => layout.delta.map_or(NONE, |delta| delta.heads),
            Self::ConvolutionInput => layout.convolution.map_or(NONE, |convolution| convolution.input),
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
    /// Queries, keys, values and output gate of a delta network.
    DeltaInput,
    DeltaOutput,
    /// Decays and strengths of a delta network. Rounded decays would add up over a sequence, so their weights are f32 in every number
    /// format.
    DeltaGates,
    /// Gates and values of a short convolution.
    ConvolutionInput,
    ConvolutionOutput,
}

/// Maximum number of fused products of a layer.
pub(crate) const FUSED: usize = 5;

impl Fused {
    /// Returns those of a layer, in the order of [`Fused::slot`].
    pub(crate) fn of(kind: LayerKind) -> &'static [Self] {
        match kind {
            LayerKind::Attention => &[Self::QueryKeyValue, Self::Output, Self::GateUp, Self::Down],
            LayerKind::Delta => &[Self::DeltaInput, Self::DeltaOutput, Self::GateUp, Self::Down, Self::DeltaGates],
            LayerKind::Convolution => &[Self::ConvolutionInput, Self::ConvolutionOutput, Self::GateUp, Self::Down],
        }
    }

    /// Returns whether the product reads the input of the layer.
    pub(crate) fn reads_layer(self) -> bool {
        matches!(self, Self::QueryKeyValue | Self::DeltaInput | Self::DeltaGates | Self::ConvolutionInput)
    }

    /// Returns the index among those of its layer.
    pub(crate) fn slot(self) -> usize {
        match self {
            Self::QueryKeyValue | Self::DeltaInput | Self::ConvolutionInput => 0,
            Self::Output | Self::DeltaOutput | Self::ConvolutionOutput => 1,
            Self::GateUp => 2,
            Self::Down => 3,
            Self::DeltaGates => 4,
        }
    }

    /// Returns the number format of the weights in a model of a format.
    pub(crate) fn format(self, model: WeightFormat) -> WeightFormat {
        if self == Self::DeltaGates { WeightFormat::F32 } else { model }
    }

    /// Returns the projections in the order of their columns.
    pub(crate) fn projections(self, layout: &Layout) -> &'static [Projection] {
        let range = match (self, layout.joint_projections) {
            (Self::QueryKeyValue, false) => 0..3,
            (Self::QueryKeyValue, true) => 3..4,
            (Self::Output, _) => 4..5,
            (Self::GateUp, false) => 5..7,
            (Self::GateUp, true) => 7..8,
            (Self::Down, _) => 8..9,
            (Self::DeltaInput, _) => 9..11,
            (Self::DeltaGates, _) => 11..13,
            (Self::DeltaOutput, _) => 13..14,
            (Self::ConvolutionInput, _) => 14..15,
            (Self::ConvolutionOutput, _) => 15..16,
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
