//! Expert of every row: a feed-forward part whose output has a factor for each row, the sigmoid of a projection to one number.
//!
//! The factor is applied to the input of the down projection, so that the output is added to the residual stream as that of a plain
//! feed-forward part is.

use crate::kernels::products::matmul;
use crate::kernels::recurrent::{Columns, ColumnsMut, sigmoid_gate};
use crate::kernels::rows::dot;
use crate::kernels::{ComputePool, LANES, ROW_BLOCK, for_row_blocks, with_scratch};
use crate::model::{Layout, SharedExpert};

/// Computes the factors of rows, `[rows, shared_gate]`, of which the first of a row counts.
pub(super) fn shared_expert_gate(
    pool: &ComputePool,
    layout: &Layout,
    shared: &SharedExpert,
    rows: usize,
    normed: &[f32],
    factors: &mut [f32],
) {
    let stride = layout.shared_gate();
    with_scratch(rows * stride, |logits| {
        matmul(pool, rows, normed, &shared.gate.forward, logits, false, &[]);
        let ones = Columns { values: &[1.0; LANES], first: 0, stride: 0 };
        let logits = Columns { values: logits, first: 0, stride };
        sigmoid_gate(pool, rows, stride, ones, logits, ColumnsMut { values: factors, first: 0, stride });
    });
}

/// Multiplies the rows of the down projection's input by their factors.
pub(super) fn scale_rows(pool: &ComputePool, layout: &Layout, rows: usize, factors: &[f32], hidden: &mut [f32]) {
    let (width, stride) = (layout.intermediate.padded_len(), layout.shared_gate());
    for_row_blocks(pool, rows, ROW_BLOCK, [(hidden, width)], &|block, [hidden]| {
        for (row, hidden) in block.zip(hidden.chunks_exact_mut(width)) {
            hidden.iter_mut().for_each(|x| *x *= factors[row * stride]);
        }
    });
}

/// Replaces the gradient of the down projection's input by that before the factors, and the factors by the gradients of their logits.
/// `hidden` is the input, with the factors.
pub(super) fn scale_rows_backward(
    pool: &ComputePool,
    layout: &Layout,
    rows: usize,
    hidden: &[f32],
    factors: &mut [f32],
    d_hidden: &mut [f32],
) {
    let (set, width, stride) = (pool.instruction_set(), layout.intermediate.padded_len(), layout.shared_gate());
    let outputs = [(factors, stride), (d_hidden, width)];
    for_row_blocks(pool, rows, ROW_BLOCK, outputs, &|block, [factors, d_hidden]| {
        let gradients = factors.chunks_exact_mut(stride).zip(d_hidden.chunks_exact_mut(width));
        for (row, (factors, d_hidden)) in block.zip(gradients) {
            let factor = factors[0];
            // The derivative of the factor by its logit is `factor (1 - factor)`, and `hidden` has the first of both already.
            let d_logit = (1.0 - factor) * dot(set, &hidden[row * width..][..width], d_hidden);
            factors.fill(0.0);
            factors[0] = d_logit;
            d_hidden.iter_mut().for_each(|d| *d *= factor);
        }
    });
}
