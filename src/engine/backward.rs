//! The backward pass through the decoder blocks, by hand. Gradients are formed for the adapter only.

use super::ComputePool;
use super::forward::{LayerState, Scratch, normalise, query_scale, swiglu_rows};
use super::full::{LayerHook, LayerNorm};
use super::kernels::Buffer;
use super::kernels::attention::{AttentionBackward, attention_backward, turned_len};
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kernels::rows::{head_norm_rope_backward, rms_norm_backward, swiglu_backward};
use super::kv_cache::KvCache;
use super::layout::{Fused, Layout};
use super::linear_backward::{Gradients, linear_backward};
use super::lora_packed::PackedAdapter;
use super::rotary::RotaryTable;
use super::weights::BaseModel;

/// Memory of the backward pass, shared by all layers.
#[derive(Default)]
pub(crate) struct BackwardScratch {
    /// Gradient of a norm's result.
    d_normed: Buffer,
    /// Gradient of the down projection's input.
    d_hidden: Buffer,
    d_attention: Buffer,
    d_query: Buffer,
    d_key: Buffer,
    d_value: Buffer,
    d_qkv: Buffer,
    /// Gradients of `A x`, one projection after another.
    d_inner: Buffer,
    /// Keys and values for the attention's gradient.
    turned: Buffer,
}

impl BackwardScratch {
    #[cfg(test)]
    pub(crate) fn buffers(&self) -> [&Buffer; 9] {
        let Self { d_normed, d_hidden, d_attention, d_query, d_key, d_value, d_qkv, d_inner, turned } = self;
        [d_normed, d_hidden, d_attention, d_query, d_key, d_value, d_qkv, d_inner, turned]
    }

    /// f32 of a row of all parts.
    pub(crate) fn row_len(layout: &Layout, inner_widths: [usize; 4]) -> usize {
        let Layout { hidden, query, kv, intermediate, .. } = layout;
        hidden.padded_len()
            + intermediate.padded_len()
            + 2 * query.padded_len()
            + 2 * kv.padded_len()
            + Fused::QueryKeyValue.columns(layout)
            + inner_widths.into_iter().max().unwrap_or(0)
    }

    pub(crate) fn reserve(&mut self, rows: usize, layout: &Layout, inner_widths: [usize; 4]) {
        let Layout { hidden, query, kv, intermediate, .. } = layout;
        self.d_normed.reserve(rows * hidden.padded_len());
        self.d_hidden.reserve(rows * intermediate.padded_len());
        self.d_attention.reserve(rows * query.padded_len());
        self.d_query.reserve(rows * query.padded_len());
        self.d_key.reserve(rows * kv.padded_len());
        self.d_value.reserve(rows * kv.padded_len());
        self.turned.reserve(turned_len(rows, layout.attention));
        self.d_qkv.reserve(rows * Fused::QueryKeyValue.columns(layout));
        self.d_inner.reserve(rows * inner_widths.into_iter().max().unwrap_or(0));
    }
}

/// What a backward pass reads and does not change.
pub(crate) struct BackwardContext<'a> {
    pub(crate) pool: &'a ComputePool,
    pub(crate) base: &'a BaseModel,
    pub(crate) adapter: &'a PackedAdapter,
    pub(crate) rotary: &'a RotaryTable,
    pub(crate) cache: &'a KvCache,
    /// Pages of the sequence.
    pub(crate) pages: &'a [usize],
    /// Rows of the sequence, which are positions `0..rows`.
    pub(crate) rows: usize,
}

impl BackwardContext<'_> {
    /// Turns `dx`, the gradient of a layer's result, into that of its `input`, and adds the adapter's gradients, and those
    /// of the weights where `weights` takes them. Destroys `state`. The first layer's input needs no gradient unless weights
    /// are trained: there `dx` is left unfinished.
    #[allow(clippy::too_many_arguments)] // the state of a pass, owned by the session
    pub(crate) fn layer(
        &self,
        index: usize,
        input: &[f32],
        state: &mut LayerState,
        dx: &mut Buffer,
        scratch: &mut Scratch,
        backward: &mut BackwardScratch,
        gradients: &mut Gradients,
        mut weights: LayerHook<'_>,
    ) {
        let Self { pool, base, rows, .. } = *self;
        let (layer, layout) = (&base.layers[index], &base.layout);
        let (set, eps) = (pool.instruction_set(), base.config.rms_norm_eps);
        let gradients = &mut gradients.layers[index];
        let [inner_qkv, inner_output, inner_gate_up, inner_down] = &state.inner;
        let mut linear = |fused: Fused,
                          x: &[f32],
                          inner: &[f32],
                          dy: &[f32],
                          d_inner: &mut [f32],
                          dx: Option<&mut [f32]>| {
            let gradients = &mut gradients[fused.projections()[0] as usize..][..fused.projections().len()];
            let packed = &self.adapter.layers[index][fused as usize];
            linear_backward(pool, &layer.linears[fused as usize], packed, rows, x, inner, dy, d_inner, dx, gradients);
        };
        let BackwardScratch { d_normed, d_hidden, d_attention, d_query, d_key, d_value, d_qkv, d_inner, turned } =
            backward;

        // Feed-forward.
        swiglu_rows(pool, base, rows, &state.gate_up, &mut scratch.hidden);
        linear(Fused::Down, &scratch.hidden, inner_down, dx, d_inner, Some(d_hidden));
        weights.linear(Fused::Down, &scratch.hidden, dx);
        let width = layout.intermediate.padded_len();
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut state.gate_up, 2 * width)], &|block, [gate_up]| {
            for (row, gate_up) in block.zip(gate_up.chunks_exact_mut(2 * width)) {
                let (gate, up) = gate_up.split_at_mut(width);
                swiglu_backward(set, gate, up, &d_hidden[row * width..][..width]);
            }
        });
        normalise(pool, base, rows, &state.middle, &layer.mlp_norm, &mut scratch.normed);
        linear(Fused::GateUp, &scratch.normed, inner_gate_up, &state.gate_up, d_inner, Some(d_normed));
        weights.linear(Fused::GateUp, &scratch.normed, &state.gate_up);
        weights.norm(LayerNorm::Mlp, &state.middle, d_normed);
        self.norm_backward(&state.middle, &layer.mlp_norm, d_normed, dx);

        // Attention.
        linear(Fused::Output, &state.attention, inner_output, dx, d_inner, Some(d_attention));
        weights.linear(Fused::Output, &state.attention, dx);
        let pass = AttentionBackward {
            rows,
            pages: self.cache.layer_pages(index, self.pages),
            query: &state.query,
            out: &state.attention,
            d_out: d_attention,
            d_query,
            d_key,
            d_value,
            turned,
        };
        attention_backward(pool, layout.attention, pass);
        let (width, qkv_width) = (layout.attention.head_stride, Fused::QueryKeyValue.columns(layout));
        let (query_width, kv_width) = (layout.query.padded_len(), layout.kv.padded_len());
        let norms = |row: usize| {
            let query_norm = self.rotary.head_norm(layer.query_norm.as_deref(), eps, row, query_scale(base));
            [query_norm, self.rotary.head_norm(layer.key_norm.as_deref(), eps, row, 1.0)]
        };
        weights.head_norms(&state.qkv, (d_query, d_key), &norms);
        for_row_blocks(pool, rows, ROW_BLOCK, [(&mut *d_qkv, qkv_width)], &|block, [d_qkv]| {
            for (row, d_qkv) in block.zip(d_qkv.chunks_exact_mut(qkv_width)) {
                let heads = state.qkv[row * qkv_width..][..qkv_width].chunks_exact(width);
                let [query_norm, key_norm] = norms(row);
                let norms = std::iter::repeat_n(query_norm, layout.attention.heads).chain(std::iter::repeat(key_norm));
                let gradients = d_query[row * query_width..][..query_width]
                    .chunks_exact(width)
                    .chain(d_key[row * kv_width..][..kv_width].chunks_exact(width));
                let (normed, values) = d_qkv.split_at_mut(query_width + kv_width);
                for (((head, norm), dy), dx) in heads.zip(norms).zip(gradients).zip(normed.chunks_exact_mut(width)) {
                    head_norm_rope_backward(set, head, norm, dy, dx);
                }
                values.copy_from_slice(&d_value[row * kv_width..][..kv_width]);
            }
        });
        normalise(pool, base, rows, input, &layer.attention_norm, &mut scratch.normed);
        let last = index == 0 && !weights.is_active();
        let result = if last { None } else { Some(&mut d_normed[..]) };
        linear(Fused::QueryKeyValue, &scratch.normed, inner_qkv, d_qkv, d_inner, result);
        weights.linear(Fused::QueryKeyValue, &scratch.normed, d_qkv);
        if !last {
            weights.norm(LayerNorm::Attention, input, d_normed);
            self.norm_backward(input, &layer.attention_norm, d_normed, dx);
        }
    }

    /// `dx += d rms_norm(x) / d x` applied to `dy`.
    fn norm_backward(&self, x: &[f32], weight: &[f32], dy: &[f32], dx: &mut [f32]) {
        let stride = self.base.layout.hidden.padded_len();
        let shape = (self.base.config.hidden_size, self.base.config.rms_norm_eps);
        let set = self.pool.instruction_set();
        for_row_blocks(self.pool, self.rows, ROW_BLOCK, [(dx, stride)], &|block, [dx]| {
            for (row, dx) in block.zip(dx.chunks_exact_mut(stride)) {
                let range = row * stride..(row + 1) * stride;
                rms_norm_backward(set, &x[range.clone()], weight, shape, &dy[range], dx, true);
            }
        });
    }
}
