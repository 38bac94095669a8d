//! Forward pass through the decoder blocks: one implementation for training, prefill and decoding.

use super::batch::Batch;
use super::context::Context;
use super::delta::{DeltaMemory, delta_forward};
use super::experts::{ExpertMemory, experts_forward};
use super::rotary::RotaryTable;
use super::row_wise::{add_normalised, copy_rows, gated_rows, part_input};
use super::shared_expert::{scale_rows, shared_expert_gate};
use super::short_convolution::ShortConvolution;
use crate::kernels::attention::attention;
use crate::kernels::products::{Factor, FactorLayout, LowRankTerm, SmallProduct, matmul, small_products};
use crate::kernels::recurrent::{Columns, ColumnsMut, sigmoid_gate};
use crate::kernels::rows::{HeadNorm, RmsNorm, head_norm_rope, rms_norm};
use crate::kernels::{Buffer, ComputePool, ROW_BLOCK, for_row_blocks, with_scratch};
use crate::lora::{PackedAdapter, PackedLinear};
use crate::model::{BaseModel, FUSED, FeedForward, Fused, Layer, LayerNorm, Layout, Linear, Mixer};

/// Intermediate results of a layer, kept for the backward pass. Rows are contiguous.
#[derive(Default)]
pub(crate) struct LayerState {
    /// Fused output of the query, key and value projections; of a delta network, those and its output gate; of a short convolution,
    /// gates and values.
    pub(crate) qkv: Buffer,
    /// Decays and strengths of a delta network, as projected; empty without one.
    pub(crate) delta_gates: Buffer,
    /// Output of the attention, of the delta rule, or of a short convolution.
    pub(crate) attention: Buffer,
    /// Constants of the attention's softmaxes, two for each head.
    pub(crate) attention_constants: Buffer,
    /// Output of the attention's output projection; empty unless a norm follows.
    pub(crate) attention_output: Buffer,
    /// Residual stream between attention and feed-forward.
    pub(crate) middle: Buffer,
    /// Fused output of the gate and up projections; with experts, of each row's experts.
    pub(crate) gate_up: Buffer,
    /// Probabilities of the experts; empty without experts.
    pub(crate) probabilities: Buffer,
    /// Output of the down projection; empty unless a norm follows.
    pub(crate) mlp_output: Buffer,
    /// Fused output of the gate and up projections of the shared expert; empty without one.
    pub(crate) shared_gate_up: Buffer,
    /// Factor on each value of the shared expert's output, the same for all of a row; empty without one.
    pub(crate) shared_gate: Buffer,
    /// `scale * A x` of each fused linear map.
    pub(crate) inner: [Buffer; FUSED],
}

impl LayerState {
    /// Reserves room for `rows` rows of any layer.
    pub(crate) fn reserve(&mut self, rows: usize, layout: &Layout, inner_widths: InnerWidths) {
        let widths = Self::widths(layout);
        let Self { qkv, delta_gates, attention, attention_constants, attention_output, middle, .. } = self;
        let Self { gate_up, probabilities, mlp_output, shared_gate_up, shared_gate, inner, .. } = self;
        let buffers = [
            qkv,
            delta_gates,
            attention,
            attention_constants,
            attention_output,
            middle,
            gate_up,
            probabilities,
            mlp_output,
            shared_gate_up,
            shared_gate,
        ];
        let buffers = buffers.into_iter().zip(widths).chain(inner.iter_mut().zip(inner_widths));
        buffers.for_each(|(buffer, width)| buffer.reserve(rows * width));
    }

    /// Returns the number of f32 of a row, over all parts.
    pub(crate) fn row_len(layout: &Layout, inner_widths: InnerWidths) -> usize {
        Self::widths(layout).iter().chain(&inner_widths).sum()
    }

    /// Returns the number of f32 of a row of each part: the largest one of all kinds of layers.
    fn widths(layout: &Layout) -> [usize; 11] {
        let Layout { hidden, query, .. } = layout;
        let output = if layout.output_norms { hidden.padded_len() } else { 0 };
        let delta = layout.delta.map_or([0; 3], |delta| {
            let [input, gates] = [Fused::DeltaInput, Fused::DeltaGates].map(|fused| fused.columns(layout));
            [input, gates, delta.values.padded_len()]
        });
        let convolution = layout
            .convolution
            .map_or([0; 2], |convolution| [convolution.input.padded_len(), convolution.channels.padded_len()]);
        [
            Fused::QueryKeyValue.columns(layout).max(delta[0]).max(convolution[0]),
            delta[1],
            query.padded_len().max(delta[2]).max(convolution[1]),
            2 * layout.attention.heads,
            output,
            hidden.padded_len(),
            2 * layout.feed_forward(),
            layout.router(),
            output,
            if layout.shared_gate() > 0 { Fused::GateUp.columns(layout) } else { 0 },
            layout.shared_gate(),
        ]
    }
}

/// Memory shared by all layers.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Output of a norm.
    pub(crate) normed: Buffer,
    /// Queries (normalised, rotated and scaled), followed by the keys (normalised and rotated); later the input of the
    /// down projection.
    pub(crate) wide: Buffer,
    /// Hidden rows of each row's experts; empty without experts.
    pub(crate) routed: Buffer,
    /// Decays and strengths of a delta network; empty without one.
    pub(crate) delta_gates: Buffer,
}

impl Scratch {
    /// Returns the number of f32 of a row, over all parts.
    pub(crate) fn row_len(layout: &Layout) -> usize {
        layout.hidden.padded_len() + Self::wide_len(layout) + layout.routed() + delta_gates_len(layout)
    }

    fn wide_len(layout: &Layout) -> usize {
        let delta = layout.delta.map_or(0, |delta| delta.mixed.padded_len());
        let convolution = layout.convolution.map_or(0, |convolution| convolution.channels.padded_len());
        layout.feed_forward().max(query_key_width(layout)).max(delta).max(convolution)
    }

    pub(crate) fn reserve(&mut self, rows: usize, layout: &Layout) {
        self.normed.reserve(rows * layout.hidden.padded_len());
        self.wide.reserve(rows * Self::wide_len(layout));
        self.routed.reserve(rows * layout.routed());
        self.delta_gates.reserve(rows * delta_gates_len(layout));
    }
}

/// Returns the number of f32 of a row's decays and strengths; zero without delta networks.
fn delta_gates_len(layout: &Layout) -> usize {
    layout.delta.map_or(0, |delta| 2 * delta.heads.padded_len())
}

/// Width of `scale * A x` for each fused linear map of a layer.
pub(crate) type InnerWidths = [usize; FUSED];

/// Widths without an adapter.
pub(crate) const NO_WIDTHS: InnerWidths = [0; FUSED];

/// Returns the largest widths of any layer and of the batch's adapters.
pub(crate) fn inner_widths<'a>(adapters: impl Iterator<Item = &'a PackedAdapter>) -> InnerWidths {
    let layers = adapters.flat_map(|adapter| &adapter.layers);
    layers.fold(NO_WIDTHS, |widths, layer| largest_widths(widths, layer))
}

fn largest_widths(mut widths: InnerWidths, layer: &[PackedLinear]) -> InnerWidths {
    for (width, linear) in widths.iter_mut().zip(layer) {
        *width = linear.inner_width().max(*width);
    }
    widths
}

/// Runs one decoder block on the residual stream `x`, `[rows, hidden]`, and writes what the rows leave for later ones to `context`.
#[allow(clippy::too_many_arguments)] // the state of a call, owned by two different callers
pub(crate) fn layer_forward(
    pool: &ComputePool,
    base: &BaseModel,
    rotary: &RotaryTable,
    index: usize,
    batch: &Batch<'_>,
    context: &mut Context<'_>,
    x: &mut Buffer,
    state: &mut LayerState,
    scratch: &mut Scratch,
) {
    let (rows, layer, layout) = (batch.rows(), &base.layers[index], &base.layout);
    let index_in_kind = base.config.index_in_kind(index);
    let adapters = batch.adapters.iter().map(|(_, adapter)| &adapter.layers[index][..]);
    let linear = AdaptedLinears { pool, layer, index, batch, widths: adapters.fold(NO_WIDTHS, largest_widths) };
    let LayerState { qkv, delta_gates, attention: attended, attention_constants, attention_output, middle, .. } = state;
    let LayerState { gate_up, probabilities, mlp_output, shared_gate_up, shared_gate, inner, .. } = state;
    let [inner_input, inner_output, inner_gate_up, inner_down, inner_gates] = inner;

    let part = part_input(pool, base, rows, x, layer.norm(LayerNorm::Attention), &mut scratch.normed);
    let (mixed, output) = match (&layer.mixer, &layout.delta, &layout.convolution) {
        (Mixer::Delta(weights), Some(delta), _) => {
            linear.run(Fused::DeltaInput, part, inner_input, qkv, false);
            linear.run(Fused::DeltaGates, part, inner_gates, delta_gates, false);
            let Scratch { wide, delta_gates: gates, .. } = &mut *scratch;
            let memory = DeltaMemory { input: qkv, projected: delta_gates, gates, out: attended, wide };
            let eps = base.config.rms_norm_eps;
            let states = &mut context.states;
            (delta_forward(pool, delta, weights, eps, rows, memory, states, index_in_kind), Fused::DeltaOutput)
        }
        (Mixer::Convolution(weights), _, Some(layout)) => {
            linear.run(Fused::ConvolutionInput, part, inner_input, qkv, false);
            let (states, wide) = (&mut context.states, &mut scratch.wide);
            let convolution = ShortConvolution { pool, layout, weights, rows };
            (convolution.forward(qkv, attended, wide, states, index_in_kind), Fused::ConvolutionOutput)
        }
        _ => {
            linear.run(Fused::QueryKeyValue, part, inner_input, qkv, false);
            let (query, key) = rotated_heads(pool, base, rotary, layer, batch.positions, qkv, &mut scratch.wide);
            context.cache.write(pool, index_in_kind, batch, key, qkv);
            let pages = context.cache.layer_pages(index_in_kind, batch.parts, layer.window);
            attention(pool, layout.attention, pages, batch.spans, query, attended, attention_constants);
            (gated_attention(pool, layout, rows, qkv, attended, &mut scratch.wide), Fused::Output)
        }
    };
    if let Some(norm) = layer.norm(LayerNorm::AttentionOutput) {
        linear.run(output, mixed, inner_output, attention_output, false);
        add_normalised(pool, base, rows, attention_output, norm, x);
    } else {
        linear.run(output, mixed, inner_output, x, true);
    }
    copy_rows(pool, rows, layout.hidden.padded_len(), x, middle);

    let part = part_input(pool, base, rows, x, layer.norm(LayerNorm::Mlp), &mut scratch.normed);
    if let FeedForward::Experts(experts) = &layer.feed_forward {
        let Scratch { wide, routed, .. } = scratch;
        let memory = ExpertMemory { probabilities, gate_up, wide, routed };
        let routing = experts_forward(pool, layout, experts, rows, part, memory);
        if let Some(shared) = &experts.shared {
            linear.run(Fused::GateUp, part, inner_gate_up, shared_gate_up, false);
            shared_expert_gate(pool, layout, shared, rows, part, shared_gate);
            gated_rows(pool, base.config.activation, layout.intermediate.padded_len(), rows, shared_gate_up, wide);
            scale_rows(pool, layout, rows, shared_gate, wide);
        }
        routing.combine(pool, layout.hidden.padded_len(), routed, true, x);
        if experts.shared.is_some() {
            linear.run(Fused::Down, wide, inner_down, x, true);
        }
        return;
    }
    linear.run(Fused::GateUp, part, inner_gate_up, gate_up, false);
    gated_rows(pool, base.config.activation, layout.intermediate.padded_len(), rows, gate_up, &mut scratch.wide);
    if let Some(norm) = layer.norm(LayerNorm::MlpOutput) {
        linear.run(Fused::Down, &scratch.wide, inner_down, mlp_output, false);
        add_normalised(pool, base, rows, mlp_output, norm, x);
    } else {
        linear.run(Fused::Down, &scratch.wide, inner_down, x, true);
    }
}

/// Returns the output of the attention, `[rows, query]`: `attended` itself, or written to `wide` if it has a gate.
pub(crate) fn gated_attention<'a>(
    pool: &ComputePool,
    layout: &Layout,
    rows: usize,
    qkv: &[f32],
    attended: &'a [f32],
    wide: &'a mut [f32],
) -> &'a [f32] {
    if !layout.attention.gated {
        return attended;
    }
    let width = layout.query.padded_len();
    let [x, gate] = gate_columns(layout, qkv, attended);
    sigmoid_gate(pool, rows, width, x, gate, ColumnsMut { values: wide, first: 0, stride: width });
    wide
}

/// Returns the columns of the attention's output and of its gate.
pub(crate) fn gate_columns<'a>(layout: &Layout, qkv: &'a [f32], attended: &'a [f32]) -> [Columns<'a>; 2] {
    let width = layout.query.padded_len();
    [
        Columns { values: attended, first: 0, stride: width },
        Columns { values: qkv, first: width, stride: layout.attention.qkv_stride() },
    ]
}

/// Returns the number of f32 of a row's queries and keys.
fn query_key_width(layout: &Layout) -> usize {
    layout.query.padded_len() + layout.kv.padded_len()
}

/// Returns norm, rotation and scale of the query and the key heads at a position.
pub(super) fn head_norms<'a>(
    base: &BaseModel,
    rotary: &'a RotaryTable,
    layer: &'a Layer,
    position: usize,
) -> [HeadNorm<'a>; 2] {
    let [query, key] = layer.head_norms.each();
    [(query, base.config.query_scale), (key, 1.0)]
        .map(|(weight, scale)| rotary.head_norm(weight, base.config.rms_norm_eps, layer.rotation, position, scale))
}

/// Returns the attention's queries `[rows, query]` and keys `[rows, kv]`, computed from the projections' output.
pub(crate) fn rotated_heads<'a>(
    pool: &ComputePool,
    base: &BaseModel,
    rotary: &RotaryTable,
    layer: &Layer,
    positions: &[usize],
    qkv: &[f32],
    wide: &'a mut [f32],
) -> (&'a [f32], &'a [f32]) {
    let (rows, layout) = (positions.len(), &base.layout);
    let (set, width, qkv_width) =
        (pool.instruction_set(), layout.attention.head_stride, Fused::QueryKeyValue.columns(layout));
    let (query_width, kv_width, key_column) =
        (layout.query.padded_len(), layout.kv.padded_len(), layout.attention.key_column());
    let (query, key) = wide[..rows * (query_width + kv_width)].split_at_mut(rows * query_width);
    for_row_blocks(pool, rows, ROW_BLOCK, [(query, query_width), (key, kv_width)], &|block, [query, key]| {
        let outputs = query.chunks_exact_mut(query_width).zip(key.chunks_exact_mut(kv_width));
        for (row, (query, key)) in block.zip(outputs) {
            let row_heads = &qkv[row * qkv_width..][..qkv_width];
            let (queries, keys) = (&row_heads[..query_width], &row_heads[key_column..][..kv_width]);
            let [query_norm, key_norm] = head_norms(base, rotary, layer, positions[row]);
            let mut rotate = |queries: &[f32], keys: &[f32]| {
                let norms = std::iter::repeat_n(query_norm, layout.attention.heads).chain(std::iter::repeat(key_norm));
                let outputs = query.chunks_exact_mut(width).chain(key.chunks_exact_mut(width));
                let heads = queries.chunks_exact(width).chain(keys.chunks_exact(width));
                for ((head, norm), output) in heads.zip(norms).zip(outputs) {
                    head_norm_rope(set, head, norm, output);
                }
            };
            match layer.head_norms.all() {
                None => rotate(queries, keys),
                Some([query, key]) => with_scratch(query_width + kv_width, |normed| {
                    let (query_out, key_out) = normed.split_at_mut(query_width);
                    let [query, key] = [(query, layout.query), (key, layout.kv)].map(|(weight, axis)| RmsNorm {
                        weight,
                        width: axis.len(),
                        eps: base.config.rms_norm_eps,
                    });
                    rms_norm(set, queries, query, query_out);
                    rms_norm(set, keys, key, key_out);
                    rotate(query_out, key_out);
                }),
            }
        }
    });
    (query, key)
}

/// Linear maps of a layer, with each row's own adapter.
struct AdaptedLinears<'a> {
    pool: &'a ComputePool,
    layer: &'a Layer,
    index: usize,
    batch: &'a Batch<'a>,
    /// Distances between the rows of `scale A input` of each map.
    widths: InnerWidths,
}

impl AdaptedLinears<'_> {
    /// Computes `output (+)= W input + bias + B (scale A input)`, summed in this order. `scale A input` stays in `inner`.
    fn run(&self, fused: Fused, input: &[f32], inner: &mut [f32], output: &mut [f32], accumulate: bool) {
        let Self { pool, layer, index, batch, widths } = *self;
        let (rows, inner_width) = (batch.rows(), widths[fused.slot()]);
        let adapters = batch.adapters.iter().map(|(rows, adapter)| (rows, &adapter.layers[index][fused.slot()]));
        let Linear { forward: weights, bias, .. } = layer.linear(fused);
        let depth = weights.depth();
        let (mut rest, mut skipped) = (&mut inner[..], 0);
        let mut products = Vec::with_capacity(batch.adapters.len());
        for (range, adapter) in adapters.clone() {
            let (own, tail) = rest[(range.start - skipped) * inner_width..].split_at_mut(range.len() * inner_width);
            (rest, skipped) = (tail, range.end);
            products.push(SmallProduct {
                rows: range.len(),
                columns: adapter.inner_width(),
                depth,
                a: &input[range.start * depth..],
                a_strides: (depth, 1),
                b: adapter.down.factor(),
                b_stride: adapter.down_stride(),
                c: own,
                c_stride: inner_width,
                accumulate: false,
            });
        }
        small_products(pool, products);
        // A bias is a product of depth one, whose left factor is a one that all rows share.
        let bias = bias.as_ref().map(|bias| LowRankTerm {
            rows: 0..rows,
            columns: 0..weights.columns(),
            depth: 1,
            left: &[1.0],
            left_stride: 0,
            right: Factor::F32(bias),
            right_layout: FactorLayout::Rows(weights.columns()),
        });
        let mut terms: Vec<_> = bias.into_iter().collect();
        for (range, adapter) in adapters {
            for (index, segment) in adapter.segments.iter().enumerate() {
                terms.push(LowRankTerm {
                    rows: range.clone(),
                    columns: segment.columns.clone(),
                    depth: adapter.rank,
                    left: &inner[index * adapter.padded_rank..],
                    left_stride: inner_width,
                    right: adapter.up.factor(),
                    right_layout: FactorLayout::Panels(segment.columns.start - segment.first_column),
                });
            }
        }
        matmul(pool, rows, input, weights, output, accumulate, &terms);
    }
}
