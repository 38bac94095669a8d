//! Memory layout of the model's dimensions.
//!
//! Kernels work on whole vectors, so every width is rounded up. The padding holds zeros, which no operation changes:
//! weights, norms and gradients are zero there. Each head is padded separately.

use super::ModelConfig;
use super::config::NormPlacement;
use super::kernels::attention::AttentionShape;
use super::kernels::simd::LANES;

/// A dimension of `blocks * width` values, each block padded to whole vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    blocks: usize,
    width: usize,
    padded: usize,
}

impl Axis {
    pub(crate) fn new(blocks: usize, width: usize) -> Self {
        Self { blocks, width, padded: width.next_multiple_of(LANES) }
    }

    /// Returns the number of values.
    pub(crate) fn len(self) -> usize {
        self.blocks * self.width
    }

    /// Returns the number of places, padding included.
    pub(crate) fn padded_len(self) -> usize {
        self.blocks * self.padded
    }

    /// Returns the index of the value at `place`; `None` for padding.
    pub(crate) fn index(self, place: usize) -> Option<usize> {
        let (block, offset) = (place / self.padded, place % self.padded);
        (offset < self.width).then_some(block * self.width + offset)
    }

    /// Returns the place of a value.
    pub(crate) fn place(self, index: usize) -> usize {
        index / self.width * self.padded + index % self.width
    }

    /// Copies values to their places.
    pub(crate) fn spread(self, values: &[f32], places: &mut [f32]) {
        for (values, places) in values.chunks_exact(self.width).zip(places.chunks_exact_mut(self.padded)) {
            places[..self.width].copy_from_slice(values);
        }
    }

    /// Copies values from their places, the inverse of [`Axis::spread`].
    pub(crate) fn gather(self, places: &[f32], values: &mut [f32]) {
        for (values, places) in values.chunks_exact_mut(self.width).zip(places.chunks_exact(self.padded)) {
            values.copy_from_slice(&places[..self.width]);
        }
    }
}

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
    pub(crate) intermediate: Axis,
    /// `None` if no layer has experts.
    pub(crate) experts: Option<ExpertLayout>,
    pub(crate) vocab: Axis,
    /// A single head.
    pub(crate) head: Axis,
    pub(crate) attention: AttentionShape,
    /// Whether attention and feed-forward part have norms on their outputs.
    pub(crate) output_norms: bool,
}

impl Layout {
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let query = Axis::new(config.heads, config.head_dim);
        Self {
            hidden: Axis::new(1, config.hidden_size),
            query,
            kv: Axis::new(config.kv_heads, config.head_dim),
            intermediate: Axis::new(1, config.intermediate_size),
            experts: config.experts.as_ref().map(|experts| ExpertLayout {
                router: Axis::new(1, experts.count),
                intermediate: Axis::new(1, experts.intermediate_size),
                per_token: experts.per_token,
                some_dense: !experts.dense_layers.is_empty(),
            }),
            vocab: Axis::new(1, config.vocab_size),
            head: Axis::new(1, config.head_dim),
            attention: AttentionShape { heads: config.heads, kv_heads: config.kv_heads, head_stride: query.padded },
            output_norms: LayerNorm::MlpOutput.name(config.norm_placement).is_some(),
        }
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

/// Projections of a layer, each of which can have an adapter, in their canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Projection {
    Query,
    Key,
    Value,
    Output,
    Gate,
    Up,
    Down,
}

/// Number of projections of a layer.
pub(crate) const PROJECTIONS: usize = 7;

impl Projection {
    pub(crate) const ALL: [Self; PROJECTIONS] =
        [Self::Query, Self::Key, Self::Value, Self::Output, Self::Gate, Self::Up, Self::Down];

    /// Returns the name within a layer, as in the model's and PEFT's tensors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Query => "self_attn.q_proj",
            Self::Key => "self_attn.k_proj",
            Self::Value => "self_attn.v_proj",
            Self::Output => "self_attn.o_proj",
            Self::Gate => "mlp.gate_proj",
            Self::Up => "mlp.up_proj",
            Self::Down => "mlp.down_proj",
        }
    }

    /// Returns the input dimension.
    pub(crate) fn input(self, layout: &Layout) -> Axis {
        match self {
            Self::Query | Self::Key | Self::Value | Self::Gate | Self::Up => layout.hidden,
            Self::Output => layout.query,
            Self::Down => layout.intermediate,
        }
    }

    /// Returns the output dimension.
    pub(crate) fn output(self, layout: &Layout) -> Axis {
        match self {
            Self::Query => layout.query,
            Self::Key | Self::Value => layout.kv,
            Self::Gate | Self::Up => layout.intermediate,
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
    pub(crate) fn projections(self) -> &'static [Projection] {
        match self {
            Self::QueryKeyValue => &Projection::ALL[0..3],
            Self::Output => &Projection::ALL[3..4],
            Self::GateUp => &Projection::ALL[4..6],
            Self::Down => &Projection::ALL[6..7],
        }
    }

    /// Returns the input dimension.
    pub(crate) fn input(self, layout: &Layout) -> Axis {
        self.projections()[0].input(layout)
    }

    /// Returns the columns of each projection, padding included.
    pub(crate) fn segments(self, layout: &Layout) -> Vec<std::ops::Range<usize>> {
        let mut start = 0;
        let segment = |projection: &Projection| {
            let end = start + projection.output(layout).padded_len();
            std::mem::replace(&mut start, end)..end
        };
        self.projections().iter().map(segment).collect()
    }

    /// Returns the total number of columns, padding included.
    pub(crate) fn columns(self, layout: &Layout) -> usize {
        self.projections().iter().map(|projection| projection.output(layout).padded_len()).sum()
    }
}
