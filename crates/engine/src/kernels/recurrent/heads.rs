//! Norms of the delta rule's heads: of queries and keys to length one, and of the output, with a gate.

use super::{Columns, ColumnsMut, DeltaShape};
use crate::kernels::pool::{ComputePool, ROW_BLOCK, Shared, for_row_blocks, sum_row_blocks};
use crate::kernels::rows::{RmsNorm, dot_generic, sigmoid, silu_slope};
use crate::kernels::units::{LANES, Simd, kernel};

/// Epsilon that is added to the sum of squares of a query or key.
const EPS: f32 = 1e-6;

#[inline(always)]
fn normalise_generic<S: Simd>(simd: S, x: &mut [f32], scale: f32) -> f32 {
    let root = scale / (dot_generic(simd, x, x) + EPS).sqrt();
    let factor = simd.splat(root);
    for x in x.as_chunks_mut::<LANES>().0 {
        simd.store(simd.mul(simd.load(x), factor), x);
    }
    root
}

kernel! {
    /// Replaces a head by `x * scale / sqrt(sum(x^2) + EPS)`, and returns the factor.
    fn normalise(x: &mut [f32], scale: f32) -> f32 = normalise_generic;
}

#[inline(always)]
fn normalise_backward_generic<S: Simd>(simd: S, y: &[f32], root: f32, scale: f32, d: &mut [f32]) {
    // With y = scale x / sqrt(sum(x^2) + EPS), d x = root (d y - y (y d y) / scale^2).
    let slope = simd.splat(dot_generic(simd, y, d) / (scale * scale));
    let root = simd.splat(root);
    for (y, d) in y.as_chunks::<LANES>().0.iter().zip(d.as_chunks_mut::<LANES>().0) {
        simd.store(simd.mul(root, simd.neg_mul_add(simd.load(y), slope, simd.load(d))), d);
    }
}

kernel! {
    /// Replaces the gradient of a normalised head y by that of the head.
    fn normalise_backward(y: &[f32], root: f32, scale: f32, d: &mut [f32]) = normalise_backward_generic;
}

impl DeltaShape {
    /// Returns the factors of a row's heads of queries and keys.
    fn scales(self) -> impl Iterator<Item = f32> {
        let query = 1.0 / (self.key_width as f32).sqrt();
        (0..2 * self.key_heads).map(move |head| if head < self.key_heads { query } else { 1.0 })
    }

    /// Returns the heads of a row of outputs, `[rows, value_len]`, each with that of its gate.
    fn output_heads<'a>(
        self,
        x: &'a [f32],
        z: Columns<'a>,
        row: usize,
    ) -> impl Iterator<Item = (&'a [f32], &'a [f32])> {
        let (len, head) = (self.value_len(), self.value_stride());
        x[row * len..][..len].chunks_exact(head).zip(z.row(row, len).chunks_exact(head))
    }
}

/// Divides the queries and keys of rows, `[rows, qkv_len]`, by the roots of their sums of squares, and queries also by the root
/// of their width. Writes the factors to `roots`, `[rows, 2, key_heads]`.
pub fn normalise_heads(pool: &ComputePool, shape: DeltaShape, rows: usize, qkv: &mut [f32], roots: Option<&mut [f32]>) {
    let (set, len, heads) = (pool.instruction_set(), shape.qkv_len(), 2 * shape.key_heads);
    let roots = roots.map(Shared::new);
    for_row_blocks(pool, rows, ROW_BLOCK, [(qkv, len)], &|block, [qkv]| {
        for (row, qkv) in block.zip(qkv.chunks_exact_mut(len)) {
            let normed = qkv.chunks_exact_mut(shape.key_stride()).zip(shape.scales());
            let found = normed.map(|(x, scale)| normalise(set, x, scale));
            match roots {
                // SAFETY: each row is written once.
                Some(roots) => unsafe { roots.part(row * heads..(row + 1) * heads) }
                    .iter_mut()
                    .zip(found)
                    .for_each(|(root, found)| *root = found),
                None => found.for_each(drop),
            }
        }
    });
}

/// Replaces the gradients of normalised queries and keys by those of their origins.
pub fn normalise_heads_backward(
    pool: &ComputePool,
    shape: DeltaShape,
    rows: usize,
    qkv: &[f32],
    roots: &[f32],
    d_qkv: &mut [f32],
) {
    let (set, len, heads) = (pool.instruction_set(), shape.qkv_len(), 2 * shape.key_heads);
    for_row_blocks(pool, rows, ROW_BLOCK, [(d_qkv, len)], &|block, [d_qkv]| {
        for (row, d_qkv) in block.zip(d_qkv.chunks_exact_mut(len)) {
            let normed = qkv[row * len..][..len].chunks_exact(shape.key_stride());
            let factors = roots[row * heads..][..heads].iter().zip(shape.scales());
            for ((d, y), (root, scale)) in d_qkv.chunks_exact_mut(shape.key_stride()).zip(normed).zip(factors) {
                normalise_backward(set, y, *root, scale, d);
            }
        }
    });
}

/// The norm of a head of outputs.
#[derive(Clone, Copy)]
pub struct GatedNorm<'a> {
    /// Weights, padded like a head.
    pub weight: &'a [f32],
    /// Epsilon that is added to the mean square.
    pub eps: f32,
}

impl<'a> GatedNorm<'a> {
    fn of_head(self, shape: DeltaShape) -> RmsNorm<'a> {
        assert!(self.weight.len() == shape.value_stride(), "a head has weights");
        RmsNorm { weight: self.weight, width: shape.value_width, eps: self.eps }
    }
}

#[inline(always)]
fn gated_norm_generic<S: Simd>(simd: S, x: &[f32], norm: RmsNorm<'_>, z: &[f32], y: &mut [f32]) {
    let scale = simd.splat(norm.scale(simd, x));
    let inputs = x.as_chunks::<LANES>().0.iter().zip(norm.weight.as_chunks::<LANES>().0);
    for (((x, weight), z), y) in inputs.zip(z.as_chunks::<LANES>().0).zip(y.as_chunks_mut::<LANES>().0) {
        let (normed, z) = (simd.mul(simd.mul(simd.load(x), scale), simd.load(weight)), simd.load(z));
        simd.store(simd.mul(normed, simd.mul(z, sigmoid(simd, z))), y);
    }
}

kernel! {
    fn gated_norm_head(x: &[f32], norm: RmsNorm<'_>, z: &[f32], y: &mut [f32]) = gated_norm_generic;
}

#[inline(always)]
fn gated_norm_backward_generic<S: Simd>(
    simd: S,
    x: &[f32],
    norm: RmsNorm<'_>,
    z: &[f32],
    d: &mut [f32],
    d_z: &mut [f32],
) {
    let root = norm.scale(simd, x);
    let scale = simd.splat(root);
    let weights = norm.weight.as_chunks::<LANES>().0;
    let mut sum = simd.zero();
    let inputs = x.as_chunks::<LANES>().0.iter().zip(weights).zip(z.as_chunks::<LANES>().0);
    for (((x, weight), z), (d, d_z)) in
        inputs.zip(d.as_chunks_mut::<LANES>().0.iter_mut().zip(d_z.as_chunks_mut::<LANES>().0))
    {
        let (x, weight, z, d_y) = (simd.load(x), simd.load(weight), simd.load(z), simd.load(d));
        let s = sigmoid(simd, z);
        let slope = silu_slope(simd, z, s);
        simd.store(simd.mul(simd.mul(d_y, simd.mul(simd.mul(x, scale), weight)), slope), d_z);
        // The gradient of the normalised value.
        let gradient = simd.mul(simd.mul(d_y, simd.mul(z, s)), weight);
        sum = simd.mul_add(gradient, x, sum);
        simd.store(gradient, d);
    }
    let slope = simd.splat(simd.sum(sum) * root * root * root / norm.width as f32);
    for (x, d) in x.as_chunks::<LANES>().0.iter().zip(d.as_chunks_mut::<LANES>().0) {
        simd.store(simd.neg_mul_add(simd.load(x), slope, simd.mul(simd.load(d), scale)), d);
    }
}

kernel! {
    /// Replaces the gradient of a head's output by that of x, and computes that of z.
    fn gated_norm_head_backward(x: &[f32], norm: RmsNorm<'_>, z: &[f32], d: &mut [f32], d_z: &mut [f32]) =
        gated_norm_backward_generic;
}

#[inline(always)]
fn gated_norm_weight_generic<S: Simd>(simd: S, x: &[f32], norm: RmsNorm<'_>, [z, d]: [&[f32]; 2], sum: &mut [f32]) {
    let scale = simd.splat(norm.scale(simd, x));
    let inputs = x.as_chunks::<LANES>().0.iter().zip(z.as_chunks::<LANES>().0);
    for (((x, z), d), sum) in inputs.zip(d.as_chunks::<LANES>().0).zip(sum.as_chunks_mut::<LANES>().0) {
        let z = simd.load(z);
        let gradient = simd.mul(simd.load(d), simd.mul(z, sigmoid(simd, z)));
        simd.store(simd.mul_add(gradient, simd.mul(simd.load(x), scale), simd.load(sum)), sum);
    }
}

kernel! {
    /// Adds a head's part of the weight's gradient.
    fn gated_norm_head_weight(x: &[f32], norm: RmsNorm<'_>, zd: [&[f32]; 2], sum: &mut [f32]) =
        gated_norm_weight_generic;
}

/// Computes `y = rms_norm(x) * weight * silu(z)` for each head of rows, `[rows, value_len]`.
pub fn gated_norm(
    pool: &ComputePool,
    shape: DeltaShape,
    norm: GatedNorm<'_>,
    rows: usize,
    x: &[f32],
    z: Columns<'_>,
    y: &mut [f32],
) {
    let (set, norm) = (pool.instruction_set(), norm.of_head(shape));
    let (len, head) = (shape.value_len(), shape.value_stride());
    for_row_blocks(pool, rows, ROW_BLOCK, [(y, len)], &|block, [y]| {
        for (row, y) in block.zip(y.chunks_exact_mut(len)) {
            for ((x, z), y) in shape.output_heads(x, z, row).zip(y.chunks_exact_mut(head)) {
                gated_norm_head(set, x, norm, z, y);
            }
        }
    });
}

/// Replaces the gradient of [`gated_norm`]'s output by that of x, and computes that of z.
#[expect(clippy::too_many_arguments, reason = "operands of one function")]
pub fn gated_norm_backward(
    pool: &ComputePool,
    shape: DeltaShape,
    norm: GatedNorm<'_>,
    rows: usize,
    x: &[f32],
    z: Columns<'_>,
    d_y: &mut [f32],
    d_z: ColumnsMut<'_>,
) {
    let (set, norm) = (pool.instruction_set(), norm.of_head(shape));
    let (len, head) = (shape.value_len(), shape.value_stride());
    let d_z = d_z.share(len);
    for_row_blocks(pool, rows, ROW_BLOCK, [(d_y, len)], &|block, [d_y]| {
        for (row, d_y) in block.zip(d_y.chunks_exact_mut(len)) {
            // SAFETY: each row is written once.
            let gradients = d_y.chunks_exact_mut(head).zip(unsafe { d_z.row(row) }.chunks_exact_mut(head));
            for ((x, z), (d_y, d_z)) in shape.output_heads(x, z, row).zip(gradients) {
                gated_norm_head_backward(set, x, norm, z, d_y, d_z);
            }
        }
    });
}

/// Adds the gradient of the weight to its sum, from that of [`gated_norm`]'s output.
#[expect(clippy::too_many_arguments, reason = "operands of one function")]
pub fn gated_norm_weight_backward(
    pool: &ComputePool,
    shape: DeltaShape,
    norm: GatedNorm<'_>,
    rows: usize,
    x: &[f32],
    z: Columns<'_>,
    d_y: &[f32],
    d_weight: &mut [f32],
) {
    let (set, norm) = (pool.instruction_set(), norm.of_head(shape));
    let (len, head) = (shape.value_len(), shape.value_stride());
    sum_row_blocks(pool, rows, &mut d_weight[..head], &|row, sum| {
        for ((x, z), d) in shape.output_heads(x, z, row).zip(d_y[row * len..][..len].chunks_exact(head)) {
            gated_norm_head_weight(set, x, norm, [z, d], sum);
        }
    });
}
