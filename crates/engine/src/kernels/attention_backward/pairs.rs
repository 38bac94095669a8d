//! Products of the attention's gradient with factors in bf16.
//!
//! Factors are stored in pairs of the dimension that a product sums over: neighbours in a head for the scores and for the
//! gradient of the probabilities, neighbouring keys for that of the queries, and two rows of a block for those of keys and
//! values.

use super::super::attention::pairs::{pairs_of_slots, round_to_pairs};
use super::super::bf16::{Ahead, PairProduct, Start, gemm_bf16, pair_rows, pair_two_rows, scale_to_pairs};
use super::*;
use crate::kernels::InstructionSet;

/// Writes the keys in pairs of rows, `[rows / 2, kv_heads * head_stride]`.
pub(super) fn pair_keys(pool: &ComputePool, shape: AttentionShape, rows: usize, key: &[f32], key_pairs: &mut [f32]) {
    let kv_stride = shape.kv_heads * shape.head_stride;
    for_row_blocks(pool, rows.div_ceil(2), ROW_BLOCK, [(key_pairs, kv_stride)], &|block, [key_pairs]| {
        let keys = key[block.start * 2 * kv_stride..rows.min(2 * block.end) * kv_stride].chunks(2 * kv_stride);
        for (keys, pairs) in keys.zip(key_pairs.chunks_exact_mut(kv_stride)) {
            let (first, second) = keys.split_at(kv_stride);
            // The row behind the last one may be multiplied by zero.
            if second.is_empty() {
                pair_rows(first, &vec![0.0; kv_stride], pairs)
            } else {
                pair_rows(first, second, pairs)
            }
        }
    });
}

impl Pass<'_> {
    /// Copies a block's queries in pairs of two rows, and the gradient of its output likewise. Both follow in pairs of
    /// neighbours: for each row those of the gradient, then those of the queries.
    pub(super) fn round_rows(&self, item: &Item, at: usize, copies: &mut [f32]) {
        let (width, stride, set) = (self.shape.head_stride, self.shape.query_stride(), self.pool.instruction_set());
        let (queries, d_out) = copies.split_at_mut(copies.len() / 2);
        for (rows, x) in [(&mut *queries, self.query), (&mut *d_out, self.d_out)] {
            for (row, copy) in rows.chunks_exact_mut(width).take(item.rows).enumerate() {
                copy.copy_from_slice(&x[at + row * stride..][..width]);
            }
        }
        self.pair(item, width, queries, d_out);
        for (row, d_out) in d_out.chunks_exact_mut(width).take(item.rows).enumerate() {
            scale_to_pairs(set, d_out, 1.0);
            let query = &self.query[at + row * stride..][..width];
            for (pair, query) in d_out[width / 2..].iter_mut().zip(query.chunks_exact(2)) {
                *pair = f32::from_bits(pair_of(query));
            }
        }
    }

    /// Replaces every two rows of `x` by their pairs, and by those of `y`. A missing last row is zero.
    pub(super) fn pair(&self, item: &Item, stride: usize, x: &mut [f32], y: &mut [f32]) {
        x[item.rows * stride..].fill(0.0);
        y[item.rows * stride..].fill(0.0);
        for (rows, y_rows) in x.chunks_exact_mut(2 * stride).zip(y.chunks_exact_mut(2 * stride)) {
            let ((x0, x1), (y0, y1)) = (rows.split_at_mut(stride), y_rows.split_at_mut(stride));
            pair_two_rows(self.pool.instruction_set(), [x0, x1], [y0, y1]);
        }
    }

    /// Computes a product with the keys from `row` on. Its left factor, `d_scores`, is replaced by pairs.
    pub(super) fn d_queries_bf16(&self, product: Product, kv_head: usize, row: usize, d_scores: &mut [f32]) {
        let set = self.pool.instruction_set();
        for d_scores in d_scores.chunks_mut(product.a_row).take(product.rows) {
            round_to_pairs(set, &mut d_scores[..product.depth], row);
        }
        let product = PairProduct {
            rows: product.rows,
            columns: product.columns,
            pairs: pairs_of_slots(row, product.depth),
            a: d_scores.as_ptr().cast(),
            a_row: product.a_row,
            a_pair: 1,
            is_split: false,
            b: self.key_pairs[row / 2 * product.b_depth + kv_head * product.columns..].as_ptr().cast(),
            b_pair: product.b_depth,
            prefetch: 0,
            c: product.c,
            c_row: product.c_row,
            start: if product.accumulate { Start::Sums } else { Start::Zero },
            ahead: Ahead::NONE,
        };
        // SAFETY: spans and parts were checked to lie inside the buffers; tasks write distinct rows or heads.
        unsafe { gemm_bf16(set, product) };
    }
}

/// Computes a block's scores for a part of the keys, and the gradient of its probabilities. Both products have the rows of
/// the copies in place of their left factors.
///
/// # Safety
/// As for [`gemm`] with both products.
pub(super) unsafe fn scores_and_gradients(set: InstructionSet, scores: Product, gradients: Product, copies: &[f32]) {
    let (width, rows) = (scores.depth, &copies[copies.len() / 2..]);
    assert!(scores.rows * width <= rows.len(), "the copies have the rows of the block");
    for (product, a) in [(scores, &rows[width / 2..]), (gradients, rows)] {
        let product = PairProduct {
            rows: product.rows,
            columns: product.columns,
            pairs: width / 2,
            a: a.as_ptr().cast(),
            a_row: width,
            a_pair: 1,
            is_split: false,
            b: product.b.cast(),
            b_pair: product.b_depth,
            prefetch: 0,
            c: product.c,
            c_row: product.c_row,
            start: Start::Zero,
            ahead: Ahead::NONE,
        };
        // SAFETY: the copies were checked; the rest is the caller's promise.
        unsafe { gemm_bf16(set, product) };
    }
}

/// Computes the products of a block for the gradients of keys and values. `d_keys` is the first of them with factors in
/// f32; `probabilities` are the pairs of its part of the keys, and `d_values` is the result of the second one.
///
/// # Safety
/// As for [`gemm`] with the product `d_keys`, with `probabilities` in place of its left factor, and with `d_values` in
/// place of its result.
pub(super) unsafe fn add_keys_and_values(
    set: InstructionSet,
    d_keys: Product,
    probabilities: *const f32,
    copies: &[f32],
    d_values: *mut f32,
) {
    let values = PairProduct {
        rows: d_keys.rows,
        columns: d_keys.columns,
        pairs: d_keys.depth.div_ceil(2),
        a: probabilities.cast(),
        a_row: 1,
        a_pair: 2 * d_keys.a_depth,
        is_split: false,
        b: copies[d_keys.columns..].as_ptr().cast(),
        b_pair: 2 * d_keys.columns,
        prefetch: 0,
        c: d_values,
        c_row: d_keys.c_row,
        start: Start::Sums,
        ahead: Ahead::NONE,
    };
    // Pairs of the scores' gradients follow those of the probabilities, row by row.
    let a = values.a.wrapping_add(d_keys.a_depth);
    // SAFETY: the caller's promise. Each row of probabilities and of copies is followed by another one.
    unsafe {
        gemm_bf16(set, PairProduct { a, b: copies.as_ptr().cast(), c: d_keys.c, ..values });
        gemm_bf16(set, values);
    }
}
