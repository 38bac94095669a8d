//! Backward pass through the decoder blocks, written by hand. It computes gradients of the adapter and, for full
//! training, of the weights.

use super::batch::Batch;
use super::delta_backward::{DeltaBackwardMemory, DeltaNetwork};
use super::experts::ExpertMemory;
use super::experts_backward::experts_backward;
use super::forward::{InnerWidths, LayerState, Scratch, gate_columns, gated_attention, head_norms, rotated_heads};
use super::linear_backward::{Gradient, LinearBackward};
use super::rotary::RotaryTable;
use super::row_wise::{gated_rows, part_input};
use super::shared_expert::{scale_rows, scale_rows_backward};
use super::short_convolution::{ConvolutionBackwardMemory, ShortConvolution};
use super::weight_gradients::LayerHook;
use crate::config::{Activation, LayerKind};
use crate::kernels::attention_backward::{AttentionBackward, attention_backward, backward_scores_len, turned_len};
use crate::kernels::products::matmul;
use crate::kernels::recurrent::{ColumnsMut, TreeRun, sigmoid_gate_backward};
use crate::kernels::rows::{RmsNorm, geglu_backward, head_norm_rope_backward, rms_norm_backward, swiglu_backward};
use crate::kernels::{Buffer, ComputePool, ROW_BLOCK, for_row_blocks, with_scratch};
use crate::lora::PackedAdapter;
use crate::model::{BaseModel, FeedForward, Fused, LayerNorm, Layout, Mixer, PROJECTIONS, SharedExpert};

/// Memory of the backward pass, shared by all layers.
#[derive(Default)]
pub(crate) struct BackwardScratch {
    /// Gradient of a norm's output.
    d_normed: Buffer,
    /// Gradients of `A x`, one projection after another.
    d_inner: Buffer,
    /// Transposed keys and values for the attention's gradient.
    turned: Buffer,
    /// Probabilities for the attention's gradient.
    scores: Buffer,
    /// Memory of delta networks.
    delta: DeltaBackwardMemory,
    /// Memory of short convolutions.
    convolution: ConvolutionBackwardMemory,
}

impl BackwardScratch {
    /// Returns the lengths of the buffers in f32, for the rows of a forest.
    fn lengths(runs: &[TreeRun], layout: &Layout, inner_widths: InnerWidths, threads: usize) -> [usize; 4] {
        let rows = rows_of(runs);
        let row = |len: usize| rows.saturating_mul(len);
        [
            row(layout.hidden.padded_len()),
            row(inner_widths.into_iter().max().unwrap_or(0)),
            turned_len(rows, layout.attention),
            backward_scores_len(rows, layout.attention, threads),
        ]
    }

    /// Returns the number of f32 of all buffers, for the rows of a forest.
    pub(crate) fn len(runs: &[TreeRun], layout: &Layout, inner_widths: InnerWidths, threads: usize) -> usize {
        let lengths = Self::lengths(runs, layout, inner_widths, threads).into_iter();
        let delta = layout.delta.map_or([0; 7], |delta| DeltaBackwardMemory::lengths(&delta, runs));
        let convolution =
            layout.convolution.map_or([0; 2], |own| ConvolutionBackwardMemory::lengths(&own, rows_of(runs)));
        lengths.chain(delta).chain(convolution).fold(0, usize::saturating_add)
    }

    pub(crate) fn reserve(&mut self, runs: &[TreeRun], layout: &Layout, inner_widths: InnerWidths, threads: usize) {
        let Self { d_normed, d_inner, turned, scores, delta, convolution } = self;
        let lengths = Self::lengths(runs, layout, inner_widths, threads);
        for (buffer, len) in [d_normed, d_inner, turned, scores].into_iter().zip(lengths) {
            buffer.reserve(len);
        }
        if let Some(layout) = &layout.delta {
            delta.reserve(layout, runs);
        }
        if let Some(layout) = &layout.convolution {
            convolution.reserve(layout, rows_of(runs));
        }
    }
}

/// Returns the number of rows of a forest.
pub(super) fn rows_of(runs: &[TreeRun]) -> usize {
    runs.last().map_or(0, |run| run.first_row + run.rows)
}

/// Returns the number of f32 that a layer's backward pass needs, in the memory of the head's logits, for `rows` rows.
/// They hold the gradient of the down projection's input; later the gradient of the attention's output, followed by
/// that of the output of the query, key and value projections; or those of a part in its place.
pub(crate) fn wide_len(rows: usize, layout: &Layout) -> usize {
    let attention = layout.query.padded_len() + Fused::QueryKeyValue.columns(layout);
    let delta = layout.delta.map_or(0, |delta| delta.values.padded_len() + Fused::DeltaInput.columns(layout));
    let convolution =
        layout.convolution.map_or(0, |own| own.channels.padded_len() + Fused::ConvolutionInput.columns(layout));
    rows.saturating_mul(layout.feed_forward().max(attention).max(delta).max(convolution))
}

/// Operands that a backward pass reads.
pub(crate) struct BackwardContext<'a> {
    pub(crate) pool: &'a ComputePool,
    pub(crate) base: &'a BaseModel,
    pub(crate) adapter: &'a PackedAdapter,
    pub(crate) rotary: &'a RotaryTable,
    pub(crate) batch: &'a Batch<'a>,
    /// The rows of the batch, as a forest.
    pub(crate) runs: &'a [TreeRun],
}

/// Operands of the backward pass of one layer.
pub(crate) struct LayerPass<'a> {
    /// Index of the layer.
    pub(crate) index: usize,
    /// Residual stream before the layer.
    pub(crate) input: &'a [f32],
    /// State of the forward pass; the backward pass destroys it.
    pub(crate) state: &'a mut LayerState,
    /// Gradient of the residual stream.
    pub(crate) dx: &'a mut Buffer,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) backward: &'a mut BackwardScratch,
    /// Memory for [`wide_len`] values.
    pub(crate) wide: &'a mut [f32],
    /// Gradients of the adapter's factors in this layer.
    pub(crate) gradients: &'a mut [Gradient; PROJECTIONS],
    /// Collector of the weights' gradients.
    pub(crate) weights: LayerHook<'a>,
}

/// Memory of the backward pass of the maps that read a layer's input.
struct InputMemory<'a> {
    normed: &'a mut Buffer,
    d_normed: &'a mut Buffer,
    d_inner: &'a mut Buffer,
    gradients: &'a mut [Gradient; PROJECTIONS],
    dx: &'a mut Buffer,
}

impl BackwardContext<'_> {
    /// Replaces `dx`, the gradient of a layer's output, by the gradient of its `input`. Adds the gradients of the
    /// adapter, and those of the weights if `weights` collects them. The first layer's input needs no gradient unless
    /// weights are trained; without it, `dx` is left incomplete.
    pub(crate) fn layer(&self, mut pass: LayerPass<'_>) {
        self.feed_forward(&mut pass);
        match self.base.config.kind_of(pass.index) {
            LayerKind::Attention => self.attention(&mut pass),
            LayerKind::Delta => self.delta(&mut pass),
            LayerKind::Convolution => self.convolution(&mut pass),
        }
    }

    /// Computes the backward pass of the feed-forward part.
    fn feed_forward(&self, pass: &mut LayerPass<'_>) {
        let Self { pool, base, batch, .. } = *self;
        let (rows, layer, layout) = (batch.rows(), &base.layers[pass.index], &base.layout);
        let LayerPass { index, state, dx, scratch, backward, wide, gradients, weights, .. } = pass;
        let norm = layer.norm(LayerNorm::Mlp);
        if let FeedForward::Experts(experts) = &layer.feed_forward {
            // Experts have no norm on their output.
            let LayerState { probabilities, gate_up, .. } = &mut **state;
            let Scratch { wide: room, routed, .. } = &mut **scratch;
            let memory = ExpertMemory { probabilities, gate_up, wide: room, routed };
            experts_backward(pool, layout, experts, rows, dx, memory, wide, &mut backward.d_normed);
            if let Some(shared) = &experts.shared {
                self.shared_expert(pass, shared);
            }
            let LayerPass { state, dx, backward, weights, .. } = pass;
            return self.part_backward(weights, LayerNorm::Mlp, norm, &state.middle, &backward.d_normed, dx);
        }
        let BackwardScratch { d_normed, d_inner, .. } = &mut **backward;
        let [_, _, inner_gate_up, inner_down, _] = &state.inner;
        let d_output = self.output_gradient(weights, LayerNorm::MlpOutput, *index, &state.mlp_output, dx, d_normed);
        let width = layout.intermediate.padded_len();
        let activation = base.config.activation;
        gated_rows(pool, activation, width, rows, &state.gate_up, &mut scratch.wide);
        let map = self.linear(*index, Fused::Down, inner_down, d_inner, gradients);
        map.run(&scratch.wide, d_output, Some(&mut *wide), false);
        weights.linear(Fused::Down, &scratch.wide, d_output);
        gate_backward(pool, activation, width, rows, wide, &mut state.gate_up);
        let part = part_input(pool, base, rows, &state.middle, norm, &mut scratch.normed);
        let map = self.linear(*index, Fused::GateUp, inner_gate_up, d_inner, gradients);
        map.run(part, &state.gate_up, Some(&mut *d_normed), false);
        weights.linear(Fused::GateUp, part, &state.gate_up);
        self.part_backward(weights, LayerNorm::Mlp, norm, &state.middle, d_normed, dx);
    }

    /// Computes the backward pass of the shared expert, and adds the gradient of its input to that of the others.
    fn shared_expert(&self, pass: &mut LayerPass<'_>, shared: &SharedExpert) {
        let Self { pool, base, batch, .. } = *self;
        let (rows, layer, layout) = (batch.rows(), &base.layers[pass.index], &base.layout);
        let LayerPass { index, state, dx, scratch, backward, wide, gradients, .. } = pass;
        let BackwardScratch { d_normed, d_inner, .. } = &mut **backward;
        let LayerState { middle, shared_gate_up, shared_gate, inner, .. } = &mut **state;
        let [_, _, inner_gate_up, inner_down, _] = &*inner;
        let (width, activation) = (layout.intermediate.padded_len(), base.config.activation);
        let hidden = &mut scratch.wide[..rows * width];
        gated_rows(pool, activation, width, rows, shared_gate_up, hidden);
        scale_rows(pool, layout, rows, shared_gate, hidden);
        let map = self.linear(*index, Fused::Down, inner_down, d_inner, gradients);
        map.run(hidden, dx, Some(&mut *wide), false);
        scale_rows_backward(pool, layout, rows, hidden, shared_gate, &mut wide[..rows * width]);
        gate_backward(pool, activation, width, rows, wide, shared_gate_up);
        let part = part_input(pool, base, rows, middle, layer.norm(LayerNorm::Mlp), &mut scratch.normed);
        let map = self.linear(*index, Fused::GateUp, inner_gate_up, d_inner, gradients);
        map.run(part, shared_gate_up, Some(&mut *d_normed), true);
        matmul(pool, rows, shared_gate, shared.gate.backward(pool), d_normed, true, &[]);
    }

    /// Computes the backward pass of the attention.
    fn attention(&self, pass: &mut LayerPass<'_>) {
        let Self { pool, base, batch, .. } = *self;
        let (rows, layer, layout) = (batch.rows(), &base.layers[pass.index], &base.layout);
        let (set, eps) = (pool.instruction_set(), base.config.rms_norm_eps);
        let LayerPass { index, input, state, dx, scratch, backward, wide, gradients, weights } = pass;
        let BackwardScratch { d_normed, d_inner, turned, scores, .. } = &mut **backward;
        let [inner_qkv, inner_output, ..] = &state.inner;
        let (width, qkv_width) = (layout.attention.head_stride, Fused::QueryKeyValue.columns(layout));
        let (query_width, kv_width) = (layout.query.padded_len(), layout.kv.padded_len());
        let (d_attention, d_qkv) = wide.split_at_mut(rows * query_width);
        let d_qkv = &mut d_qkv[..rows * qkv_width];
        let attended = &state.attention[..rows * query_width];
        let key_column = layout.attention.key_column();
        let which = LayerNorm::AttentionOutput;
        let d_output = self.output_gradient(weights, which, *index, &state.attention_output, dx, d_normed);
        let map = self.linear(*index, Fused::Output, inner_output, d_inner, gradients);
        let output = gated_attention(pool, layout, rows, &state.qkv, attended, &mut scratch.wide);
        map.run(output, d_output, Some(&mut *d_attention), false);
        weights.linear(Fused::Output, output, d_output);
        if layout.attention.gated {
            let [x, gate] = gate_columns(layout, &state.qkv, attended);
            let d_y = ColumnsMut { values: &mut *d_attention, first: 0, stride: query_width };
            let d_gate = ColumnsMut { values: &mut *d_qkv, first: query_width, stride: qkv_width };
            sigmoid_gate_backward(pool, rows, query_width, x, gate, d_y, d_gate);
        }
        let (query, key) =
            rotated_heads(pool, base, self.rotary, layer, batch.positions, &state.qkv, &mut scratch.wide);
        let attention = AttentionBackward {
            rows,
            spans: batch.spans,
            parts: batch.parts,
            window: layer.window,
            query,
            key,
            qkv: &state.qkv,
            out: attended,
            constants: &state.attention_constants,
            d_out: d_attention,
            d_qkv: &mut *d_qkv,
            turned,
            scores,
        };
        attention_backward(pool, layout.attention, attention);
        let norms = |row: usize| head_norms(base, self.rotary, layer, batch.positions[row]);
        weights.head_norms(&state.qkv, d_qkv, &norms);
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut *d_qkv, qkv_width)], &|block, [d_qkv]| {
            for (row, d_qkv) in block.zip(d_qkv.chunks_exact_mut(qkv_width)) {
                let heads = &state.qkv[row * qkv_width..][..qkv_width];
                let [query_norm, key_norm] = norms(row);
                let norms = std::iter::repeat_n(query_norm, layout.attention.heads).chain(std::iter::repeat(key_norm));
                let heads = heads[..query_width].chunks_exact(width).chain(heads[key_column..].chunks_exact(width));
                let (queries, keys) = d_qkv.split_at_mut(key_column);
                let queries = queries[..query_width].chunks_exact_mut(width);
                let gradients = queries.chain(keys[..kv_width].chunks_exact_mut(width));
                with_scratch(width, |dy| {
                    for ((head, norm), gradient) in heads.zip(norms).zip(gradients) {
                        dy.copy_from_slice(gradient);
                        head_norm_rope_backward(set, head, norm, dy, gradient);
                    }
                });
            }
        });
        if let Some(norms) = layer.head_norms.all() {
            weights.all_heads_norms(&state.qkv, d_qkv);
            for_row_blocks(pool, rows, ROW_BLOCK, [(&mut *d_qkv, qkv_width)], &|block, [d_qkv]| {
                for (row, d_qkv) in block.zip(d_qkv.chunks_exact_mut(qkv_width)) {
                    let (query, rest) = state.qkv[row * qkv_width..][..qkv_width].split_at(key_column);
                    let (d_query, d_rest) = d_qkv.split_at_mut(key_column);
                    let parts = [
                        (&query[..query_width], &mut d_query[..query_width], layout.query),
                        (&rest[..kv_width], &mut d_rest[..kv_width], layout.kv),
                    ];
                    for ((x, dx, axis), weight) in parts.into_iter().zip(norms) {
                        with_scratch(dx.len(), |dy| {
                            dy.copy_from_slice(dx);
                            rms_norm_backward(set, x, RmsNorm { weight, width: axis.len(), eps }, dy, dx, false);
                        });
                    }
                }
            });
        }
        let maps = [(Fused::QueryKeyValue, &inner_qkv[..], &*d_qkv)];
        let memory = InputMemory { normed: &mut scratch.normed, d_normed, d_inner, gradients, dx };
        self.input_backward(*index, input, &maps, memory, weights);
    }

    /// Computes the backward pass of a delta network.
    fn delta(&self, pass: &mut LayerPass<'_>) {
        let Self { pool, base, batch, runs, .. } = *self;
        let (rows, layer, layout) = (batch.rows(), &base.layers[pass.index], &base.layout);
        let (Some(delta), Mixer::Delta(own)) = (&layout.delta, &layer.mixer) else { return };
        let LayerPass { index, input, state, dx, scratch, backward, wide, gradients, weights } = pass;
        let BackwardScratch { d_normed, d_inner, delta: memory, .. } = &mut **backward;
        let LayerState { qkv, delta_gates, attention: out, attention_output, inner, .. } = &mut **state;
        let [inner_input, inner_output, .., inner_gates] = &*inner;
        let (d_y, d_input) = wide.split_at_mut(rows * delta.values.padded_len());
        let d_input = &mut d_input[..rows * delta.input_columns()];
        let y = &mut scratch.wide[..rows * delta.values.padded_len()];
        let network = DeltaNetwork { pool, layout: delta, weights: own, eps: base.config.rms_norm_eps, rows, runs };
        network.again(qkv, delta_gates, memory, out, y);
        let which = LayerNorm::AttentionOutput;
        let d_output = self.output_gradient(weights, which, *index, attention_output, dx, d_normed);
        let map = self.linear(*index, Fused::DeltaOutput, inner_output, d_inner, gradients);
        map.run(y, d_output, Some(&mut *d_y), false);
        weights.linear(Fused::DeltaOutput, y, d_output);
        network.backward(qkv, delta_gates, memory, out, d_y, d_input, weights);
        let maps = [
            (Fused::DeltaInput, &inner_input[..], &*d_input),
            (Fused::DeltaGates, &inner_gates[..], memory.d_gates(&network)),
        ];
        let memory = InputMemory { normed: &mut scratch.normed, d_normed, d_inner, gradients, dx };
        self.input_backward(*index, input, &maps, memory, weights);
    }

    /// Computes the backward pass of a short convolution.
    fn convolution(&self, pass: &mut LayerPass<'_>) {
        let Self { pool, base, batch, runs, .. } = *self;
        let (rows, layer) = (batch.rows(), &base.layers[pass.index]);
        let (Some(layout), Mixer::Convolution(own)) = (&base.layout.convolution, &layer.mixer) else { return };
        let LayerPass { index, input, state, dx, scratch, backward, wide, gradients, weights } = pass;
        let BackwardScratch { d_normed, d_inner, convolution: memory, .. } = &mut **backward;
        let LayerState { qkv, attention: convolved, attention_output, inner, .. } = &mut **state;
        let [inner_input, inner_output, ..] = &*inner;
        let len = rows * layout.channels.padded_len();
        let (d_y, d_input) = wide.split_at_mut(len);
        let (d_input, y) = (&mut d_input[..rows * layout.input.padded_len()], &mut scratch.wide[..len]);
        let convolution = ShortConvolution { pool, layout, weights: own, rows };
        convolution.again(qkv, convolved, y);
        let which = LayerNorm::AttentionOutput;
        let d_output = self.output_gradient(weights, which, *index, attention_output, dx, d_normed);
        let map = self.linear(*index, Fused::ConvolutionOutput, inner_output, d_inner, gradients);
        map.run(y, d_output, Some(&mut *d_y), false);
        weights.linear(Fused::ConvolutionOutput, y, d_output);
        convolution.backward(qkv, convolved, runs, memory, d_y, d_input, weights);
        let maps = [(Fused::ConvolutionInput, &inner_input[..], &*d_input)];
        let memory = InputMemory { normed: &mut scratch.normed, d_normed, d_inner, gradients, dx };
        self.input_backward(*index, input, &maps, memory, weights);
    }

    /// Computes the backward pass of the maps that read a layer's input. Each has `scale * A x` and the gradient of its output.
    fn input_backward(
        &self,
        index: usize,
        input: &[f32],
        maps: &[(Fused, &[f32], &[f32])],
        memory: InputMemory<'_>,
        weights: &mut LayerHook<'_>,
    ) {
        let Self { pool, base, batch, .. } = *self;
        let InputMemory { normed, d_normed, d_inner, gradients, dx } = memory;
        let norm = base.layers[index].norm(LayerNorm::Attention);
        let part = part_input(pool, base, batch.rows(), input, norm, normed);
        let last = index == 0 && !weights.is_active();
        for (number, (fused, inner, dy)) in maps.iter().enumerate() {
            let result = if last { None } else { Some(&mut d_normed[..]) };
            self.linear(index, *fused, inner, d_inner, gradients).run(part, dy, result, number > 0);
            weights.linear(*fused, part, dy);
        }
        if !last {
            self.part_backward(weights, LayerNorm::Attention, norm, input, d_normed, dx);
        }
    }

    /// Returns the backward pass of a fused linear map; `inner` is `scale * A x`, and `d_inner` is memory for its gradient.
    fn linear<'p>(
        &'p self,
        index: usize,
        fused: Fused,
        inner: &'p [f32],
        d_inner: &'p mut [f32],
        gradients: &'p mut [Gradient; PROJECTIONS],
    ) -> LinearBackward<'p> {
        let Self { pool, base, adapter, batch, .. } = *self;
        let (linear, adapter) = (base.layers[index].linear(fused), &adapter.layers[index][fused.slot()]);
        let projections = fused.projections(&base.layout);
        let gradients = &mut gradients[projections[0] as usize..][..projections.len()];
        LinearBackward { pool, linear, adapter, rows: batch.rows(), inner, d_inner, gradients }
    }

    /// Returns the gradient of a part's output: `dx`, that of the residual stream, or written to `d_normed` if the
    /// output, `y`, has a norm.
    fn output_gradient<'g>(
        &self,
        weights: &mut LayerHook<'_>,
        which: LayerNorm,
        index: usize,
        y: &[f32],
        dx: &'g [f32],
        d_normed: &'g mut [f32],
    ) -> &'g [f32] {
        let Some(norm) = self.base.layers[index].norm(which) else { return dx };
        weights.norm(which, y, dx);
        self.norm_backward(y, norm, dx, d_normed, false);
        d_normed
    }

    /// Adds the gradient of a part's input, given that after its norm if it has one, to `dx`.
    fn part_backward(
        &self,
        weights: &mut LayerHook<'_>,
        which: LayerNorm,
        norm: Option<&[f32]>,
        x: &[f32],
        dy: &[f32],
        dx: &mut [f32],
    ) {
        if let Some(norm) = norm {
            weights.norm(which, x, dy);
            return self.norm_backward(x, norm, dy, dx, true);
        }
        let stride = self.base.layout.hidden.padded_len();
        for_row_blocks(self.pool, self.batch.rows(), ROW_BLOCK, [(dx, stride)], &|block, [dx]| {
            dx.iter_mut().zip(&dy[block.start * stride..]).for_each(|(dx, dy)| *dx += dy);
        });
    }

    /// Computes `dx (+)= d rms_norm(x) / d x` applied to `dy`.
    fn norm_backward(&self, x: &[f32], weight: &[f32], dy: &[f32], dx: &mut [f32], accumulate: bool) {
        let stride = self.base.layout.hidden.padded_len();
        let (norm, set) = (self.base.rms_norm(weight), self.pool.instruction_set());
        for_row_blocks(self.pool, self.batch.rows(), ROW_BLOCK, [(dx, stride)], &|block, [dx]| {
            for (row, dx) in block.zip(dx.chunks_exact_mut(stride)) {
                let range = row * stride..(row + 1) * stride;
                rms_norm_backward(set, &x[range.clone()], norm, &dy[range], dx, accumulate);
            }
        });
    }
}

/// Replaces the output of the gate and up projections of rows by its gradient, given that of the down projection's input.
fn gate_backward(
    pool: &ComputePool,
    activation: Activation,
    width: usize,
    rows: usize,
    d_hidden: &[f32],
    gate_up: &mut [f32],
) {
    let set = pool.instruction_set();
    for_row_blocks(pool, rows, ROW_BLOCK, [(gate_up, 2 * width)], &|block, [gate_up]| {
        for (row, gate_up) in block.zip(gate_up.chunks_exact_mut(2 * width)) {
            let (gate, up) = gate_up.split_at_mut(width);
            let dy = &d_hidden[row * width..][..width];
            match activation {
                Activation::Silu => swiglu_backward(set, gate, up, dy),
                Activation::GeluTanh => geglu_backward(set, gate, up, dy),
            }
        }
    });
}

#[cfg(test)]
mod for_tests {
    use super::Buffer;

    impl super::BackwardScratch {
        pub(crate) fn buffers(&self) -> Vec<&Buffer> {
            let Self { d_normed, d_inner, turned, scores, delta, convolution } = self;
            let others = delta.buffers().into_iter().chain(convolution.buffers());
            [d_normed, d_inner, turned, scores].into_iter().chain(others).collect()
        }
    }
}
