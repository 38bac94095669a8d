//! Forward pass through the decoder blocks: one implementation for training, prefill and decoding.

use std::ops::Range;

use super::experts::experts_forward;
use super::kernels::Buffer;
use super::kernels::attention::{AttentionSpan, PagePart, attention};
use super::kernels::buffer::with_scratch;
use super::kernels::matmul::{Factor, FactorLayout, LowRankTerm, SmallProduct, matmul, small_products};
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kernels::rows::{geglu, head_norm_rope, rms_norm, swiglu};
use super::kv_cache::KvCache;
use super::layout::{Fused, LayerNorm, Layout};
use super::lora_packed::{PackedAdapter, PackedLinear};
use super::rotary::RotaryTable;
use super::weights::{BaseModel, FeedForward, Layer, Linear};
use super::{Activation, ComputePool};

/// Rows of one call.
pub(crate) struct Batch<'a> {
    /// Position of each row in its sequence.
    pub(crate) positions: &'a [usize],
    /// Rows by sequence, in order.
    pub(crate) spans: &'a [AttentionSpan],
    /// Places of the spans' keys and values.
    pub(crate) parts: &'a [PagePart],
    /// Ranges of rows with an adapter, in order and disjoint.
    pub(crate) adapters: &'a [(Range<usize>, &'a PackedAdapter)],
}

impl Batch<'_> {
    pub(crate) fn rows(&self) -> usize {
        self.positions.len()
    }
}

/// Intermediate results of a layer, kept for the backward pass. Rows are contiguous.
#[derive(Default)]
pub(crate) struct LayerState {
    /// Fused output of the query, key and value projections.
    pub(crate) qkv: Buffer,
    /// Output of the attention.
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
    /// `scale * A x` of each fused linear map.
    pub(crate) inner: [Buffer; 4],
}

impl LayerState {
    /// Reserves room for `rows` rows.
    pub(crate) fn reserve(&mut self, rows: usize, layout: &Layout, inner_widths: [usize; 4]) {
        let Layout { hidden, query, .. } = layout;
        self.qkv.reserve(rows * Fused::QueryKeyValue.columns(layout));
        self.attention.reserve(rows * query.padded_len());
        self.attention_constants.reserve(rows * 2 * layout.attention.heads);
        self.middle.reserve(rows * hidden.padded_len());
        self.gate_up.reserve(rows * 2 * layout.feed_forward());
        self.probabilities.reserve(rows * layout.router());
        let output = if layout.output_norms { rows * hidden.padded_len() } else { 0 };
        self.attention_output.reserve(output);
        self.mlp_output.reserve(output);
        for (inner, width) in self.inner.iter_mut().zip(inner_widths) {
            inner.reserve(rows * width);
        }
    }

    /// Returns the number of f32 of a row, over all parts.
    pub(crate) fn row_len(layout: &Layout, inner_widths: [usize; 4]) -> usize {
        let Layout { hidden, query, .. } = layout;
        Fused::QueryKeyValue.columns(layout)
            + query.padded_len()
            + 2 * layout.attention.heads
            + hidden.padded_len() * if layout.output_norms { 3 } else { 1 }
            + 2 * layout.feed_forward()
            + layout.router()
            + inner_widths.iter().sum::<usize>()
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
}

impl Scratch {
    /// Returns the number of f32 of a row, over all parts.
    pub(crate) fn row_len(layout: &Layout) -> usize {
        layout.hidden.padded_len() + Self::wide_len(layout) + layout.routed()
    }

    fn wide_len(layout: &Layout) -> usize {
        layout.feed_forward().max(query_key_width(layout))
    }

    pub(crate) fn reserve(&mut self, rows: usize, layout: &Layout) {
        self.normed.reserve(rows * layout.hidden.padded_len());
        self.wide.reserve(rows * Self::wide_len(layout));
        self.routed.reserve(rows * layout.routed());
    }
}

/// Returns the width of `scale * A x` for each fused linear map: the maximum over the batch's adapters.
pub(crate) fn inner_widths<'a>(adapters: impl Iterator<Item = &'a PackedAdapter>) -> [usize; 4] {
    let mut widths = [0; 4];
    for adapter in adapters {
        if let Some(layer) = adapter.layers.first() {
            for (width, linear) in widths.iter_mut().zip(layer) {
                *width = linear.inner_width().max(*width);
            }
        }
    }
    widths
}

/// Runs one decoder block on the residual stream `x`, `[rows, hidden]`, and writes the rows' keys and values to `cache`.
#[allow(clippy::too_many_arguments)] // the state of a call, owned by two different callers
pub(crate) fn layer_forward(
    pool: &ComputePool,
    base: &BaseModel,
    rotary: &RotaryTable,
    index: usize,
    batch: &Batch<'_>,
    cache: &mut KvCache,
    x: &mut Buffer,
    state: &mut LayerState,
    scratch: &mut Scratch,
) {
    let (rows, layer, layout) = (batch.rows(), &base.layers[index], &base.layout);
    let widths = inner_widths(batch.adapters.iter().map(|(_, adapter)| *adapter));
    let linear = |fused: Fused, input: &[f32], inner: &mut [f32], output: &mut [f32], accumulate: bool| {
        let adapters: Vec<_> = batch
            .adapters
            .iter()
            .map(|(rows, adapter)| (rows.clone(), &adapter.layers[index][fused as usize]))
            .collect();
        adapted_linear(pool, layer, fused, rows, input, (inner, widths[fused as usize]), output, accumulate, &adapters);
    };
    let LayerState { qkv, attention: attended, attention_constants, attention_output, middle, .. } = state;
    let LayerState { gate_up, probabilities, mlp_output, inner, .. } = state;
    let [inner_qkv, inner_output, inner_gate_up, inner_down] = inner;

    let part = part_input(pool, base, rows, x, layer.norm(LayerNorm::Attention), &mut scratch.normed);
    linear(Fused::QueryKeyValue, part, inner_qkv, qkv, false);
    let (query, key) = rotated_heads(pool, base, rotary, layer, batch.positions, qkv, &mut scratch.wide);
    let values = (&qkv[..], query_key_width(layout), Fused::QueryKeyValue.columns(layout));
    cache.write(pool, index, (batch.spans, batch.parts), key, values);
    let pages = cache.layer_pages(index, batch.parts, layer.window);
    attention(pool, layout.attention, pages, batch.spans, query, attended, attention_constants);
    if let Some(norm) = layer.norm(LayerNorm::AttentionOutput) {
        linear(Fused::Output, attended, inner_output, attention_output, false);
        add_normalised(pool, base, rows, attention_output, norm, x);
    } else {
        linear(Fused::Output, attended, inner_output, x, true);
    }
    copy_rows(pool, rows, layout.hidden.padded_len(), x, middle);

    let part = part_input(pool, base, rows, x, layer.norm(LayerNorm::Mlp), &mut scratch.normed);
    if let FeedForward::Experts(experts) = &layer.feed_forward {
        let memory = (&mut scratch.wide, &mut scratch.routed);
        let routing = experts_forward(pool, layout, experts, rows, part, (probabilities, gate_up), memory);
        return routing.combine(pool, layout.hidden.padded_len(), &scratch.routed, true, x);
    }
    linear(Fused::GateUp, part, inner_gate_up, gate_up, false);
    gated_rows(pool, base.config.activation, layout.intermediate.padded_len(), rows, gate_up, &mut scratch.wide);
    if let Some(norm) = layer.norm(LayerNorm::MlpOutput) {
        linear(Fused::Down, &scratch.wide, inner_down, mlp_output, false);
        add_normalised(pool, base, rows, mlp_output, norm, x);
    } else {
        linear(Fused::Down, &scratch.wide, inner_down, x, true);
    }
}

/// Returns the number of f32 of a row's queries and keys.
fn query_key_width(layout: &Layout) -> usize {
    layout.query.padded_len() + layout.kv.padded_len()
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
    let (rows, layout, eps) = (positions.len(), &base.layout, base.config.rms_norm_eps);
    let (set, width, qkv_width) =
        (pool.instruction_set(), layout.attention.head_stride, Fused::QueryKeyValue.columns(layout));
    let (query_width, kv_width) = (layout.query.padded_len(), layout.kv.padded_len());
    let (query, key) = wide[..rows * (query_width + kv_width)].split_at_mut(rows * query_width);
    for_row_blocks(pool, rows, ROW_BLOCK, [(query, query_width), (key, kv_width)], &|block, [query, key]| {
        let outputs = query.chunks_exact_mut(query_width).zip(key.chunks_exact_mut(kv_width));
        for (row, (query, key)) in block.zip(outputs) {
            let heads = &qkv[row * qkv_width..][..query_width + kv_width];
            let (rotation, position) = (layer.rotation, positions[row]);
            let [query_norm, key_norm] = layer.head_norms.each();
            let query_norm = rotary.head_norm(query_norm, eps, rotation, position, base.config.query_scale);
            let key_norm = rotary.head_norm(key_norm, eps, rotation, position, 1.0);
            let mut rotate = |heads: &[f32]| {
                let norms = std::iter::repeat_n(query_norm, layout.attention.heads).chain(std::iter::repeat(key_norm));
                let outputs = query.chunks_exact_mut(width).chain(key.chunks_exact_mut(width));
                for ((head, norm), output) in heads.chunks_exact(width).zip(norms).zip(outputs) {
                    head_norm_rope(set, head, norm, output);
                }
            };
            match layer.head_norms.all() {
                None => rotate(heads),
                Some([query_norm, key_norm]) => with_scratch(query_width + kv_width, |normed| {
                    let ((query, key), (query_out, key_out)) =
                        (heads.split_at(query_width), normed.split_at_mut(query_width));
                    rms_norm(set, query, query_norm, layout.query.len(), eps, query_out);
                    rms_norm(set, key, key_norm, layout.kv.len(), eps, key_out);
                    rotate(normed);
                }),
            }
        }
    });
    (query, key)
}

/// Copies rows of `stride` values on all threads, since one thread cannot use the memory's full bandwidth.
pub(crate) fn copy_rows(pool: &ComputePool, rows: usize, stride: usize, from: &[f32], to: &mut [f32]) {
    for_row_blocks(pool, rows, ROW_BLOCK, [(to, stride)], &|block, [to]| {
        to.copy_from_slice(&from[block.start * stride..][..to.len()]);
    });
}

/// Returns the input of a part of a layer: `rms_norm(x)`, written to `normed`, or x itself without a norm.
pub(crate) fn part_input<'a>(
    pool: &ComputePool,
    base: &BaseModel,
    rows: usize,
    x: &'a [f32],
    norm: Option<&[f32]>,
    normed: &'a mut [f32],
) -> &'a [f32] {
    let Some(weight) = norm else { return x };
    normalise(pool, base, rows, x, weight, normed);
    normed
}

/// Computes `x += rms_norm(y)`, `[rows, hidden]`.
fn add_normalised(pool: &ComputePool, base: &BaseModel, rows: usize, y: &[f32], weight: &[f32], x: &mut [f32]) {
    let (width, set, stride) = (base.config.hidden_size, pool.instruction_set(), base.layout.hidden.padded_len());
    for_row_blocks(pool, rows, ROW_BLOCK, [(x, stride)], &|block, [x]| {
        with_scratch(stride, |normed| {
            for (row, x) in block.zip(x.chunks_exact_mut(stride)) {
                rms_norm(set, &y[row * stride..][..stride], weight, width, base.config.rms_norm_eps, normed);
                x.iter_mut().zip(&*normed).for_each(|(x, normed)| *x += normed);
            }
        });
    });
}

/// Computes `y = rms_norm(x)`, `[rows, hidden]`.
pub(crate) fn normalise(pool: &ComputePool, base: &BaseModel, rows: usize, x: &[f32], weight: &[f32], y: &mut [f32]) {
    let (width, set, stride) = (base.config.hidden_size, pool.instruction_set(), base.layout.hidden.padded_len());
    for_row_blocks(pool, rows, ROW_BLOCK, [(y, stride)], &|block, [y]| {
        for (row, y) in block.zip(y.chunks_exact_mut(stride)) {
            rms_norm(set, &x[row * stride..][..stride], weight, width, base.config.rms_norm_eps, y);
        }
    });
}

/// Computes `hidden = f(gate) * up`, `[rows, width]`.
pub(crate) fn gated_rows(
    pool: &ComputePool,
    activation: Activation,
    width: usize,
    rows: usize,
    gate_up: &[f32],
    hidden: &mut [f32],
) {
    let set = pool.instruction_set();
    for_row_blocks(pool, rows, ROW_BLOCK, [(hidden, width)], &|block, [hidden]| {
        for (row, hidden) in block.zip(hidden.chunks_exact_mut(width)) {
            let (gate, up) = gate_up[row * 2 * width..][..2 * width].split_at(width);
            match activation {
                Activation::Silu => swiglu(set, gate, up, hidden),
                Activation::GeluTanh => geglu(set, gate, up, hidden),
            }
        }
    });
}

/// Computes `output (+)= W input + bias + B (scale A input)`, summed in this order, with each row's own adapter.
/// `scale A input` stays in `inner`, whose rows are `inner_width` apart.
#[allow(clippy::too_many_arguments)] // a product's operands
fn adapted_linear(
    pool: &ComputePool,
    layer: &Layer,
    fused: Fused,
    rows: usize,
    input: &[f32],
    (inner, inner_width): (&mut [f32], usize),
    output: &mut [f32],
    accumulate: bool,
    adapters: &[(Range<usize>, &PackedLinear)],
) {
    let Linear { forward: weights, bias, .. } = layer.linear(fused);
    let depth = weights.depth();
    let (mut rest, mut skipped) = (&mut inner[..], 0);
    let mut products = Vec::with_capacity(adapters.len());
    for (range, adapter) in adapters {
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
                right_layout: FactorLayout::Panels(segment.columns.start - segment.place),
            });
        }
    }
    matmul(pool, rows, input, weights, output, accumulate, &terms);
}
