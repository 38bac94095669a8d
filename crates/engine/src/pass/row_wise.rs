//! Operations on the rows of hidden values, on all threads.

use crate::config::Activation;
use crate::kernels::rows::{geglu, rms_norm, swiglu};
use crate::kernels::{ComputePool, ROW_BLOCK, for_row_blocks, with_scratch};
use crate::model::BaseModel;

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
pub(super) fn add_normalised(
    pool: &ComputePool,
    base: &BaseModel,
    rows: usize,
    y: &[f32],
    weight: &[f32],
    x: &mut [f32],
) {
    let (norm, set, stride) = (base.rms_norm(weight), pool.instruction_set(), base.layout.hidden.padded_len());
    for_row_blocks(pool, rows, ROW_BLOCK, [(x, stride)], &|block, [x]| {
        with_scratch(stride, |normed| {
            for (row, x) in block.zip(x.chunks_exact_mut(stride)) {
                rms_norm(set, &y[row * stride..][..stride], norm, normed);
                x.iter_mut().zip(&*normed).for_each(|(x, normed)| *x += normed);
            }
        });
    });
}

/// Computes `y = rms_norm(x)`, `[rows, hidden]`.
pub(crate) fn normalise(pool: &ComputePool, base: &BaseModel, rows: usize, x: &[f32], weight: &[f32], y: &mut [f32]) {
    let (norm, set, stride) = (base.rms_norm(weight), pool.instruction_set(), base.layout.hidden.padded_len());
    for_row_blocks(pool, rows, ROW_BLOCK, [(y, stride)], &|block, [y]| {
        for (row, y) in block.zip(y.chunks_exact_mut(stride)) {
            rms_norm(set, &x[row * stride..][..stride], norm, y);
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
