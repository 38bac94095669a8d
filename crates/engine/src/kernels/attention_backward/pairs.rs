//! Products of the attention's gradient with factors in bf16.
//!
//! Factors are stored in pairs of the dimension that a product sums over: neighbours in a head for the scores and for the
//! gradient of the probabilities, neighbouring keys for that of the queries, and two rows of a block for those of keys and
//! values.

use super::*;
use crate::kernels::attention::pairs::{pairs_of_slots, round_to_pairs};
use crate::kernels::products::{BlockSums, Order, PairProduct, Start, gemm_bf16, scale_to_pairs};
use crate::kernels::units::{Ahead, InstructionSet, RowForm, pair_of};

/// Writes the keys in pairs of rows, `[rows / 2, kv_heads * head_stride]`.
pub(super) fn pair_keys(pool: &ComputePool, shape: AttentionShape, rows: usize, key: &[f32], key_pairs: &mut [f32]) {
    let (set, kv_stride) = (pool.instruction_set(), shape.kv_heads * shape.head_stride);
    for_row_blocks(pool, rows.div_ceil(2), ROW_BLOCK, [(key_pairs, kv_stride)], &|block, [key_pairs]| {
        let keys = key[block.start * 2 * kv_stride..rows.min(2 * block.end) * kv_stride].chunks(2 * kv_stride);
        for (keys, pairs) in keys.zip(key_pairs.chunks_exact_mut(kv_stride)) {
            let (first, second) = keys.split_at(kv_stride);
            // The row behind the last one may be multiplied by zero.
            pair_rows_or_zero(set, first, (!second.is_empty()).then_some(second), pairs);
        }
    });
}

/// Rounds two rows, of which the second may be missing, to pairs.
fn pair_rows_or_zero(set: InstructionSet, first: &[f32], second: Option<&[f32]>, pairs: &mut [f32]) {
    match second {
        Some(second) => pair_rows(set, first, second, pairs),
        None => pair_rows(set, first, &vec![0.0; first.len()], pairs),
    }
}

impl Pass<'_> {
    /// Copies a block's queries in pairs of two rows, and the gradient of its output likewise. Both follow in pairs of
    /// neighbours: for each row those of the gradient, then those of the queries.
    pub(super) fn round_rows(&self, item: &Item, at: usize, copies: &mut [f32]) {
        let (width, stride, set) = (self.shape.head_stride, self.shape.query_stride(), self.pool.instruction_set());
        let range = |row: usize| at + row * stride..at + row * stride + width;
        let (pairs, neighbours) = copies.split_at_mut(copies.len() / 2);
        for (first, pairs) in (0..item.rows).step_by(2).zip(pairs.chunks_exact_mut(2 * width)) {
            let second = (first + 1 < item.rows).then(|| range(first + 1));
            let (queries, d_out) = pairs.split_at_mut(width);
            for (x, pairs) in [(self.query, queries), (self.d_out, d_out)] {
                pair_rows_or_zero(set, &x[range(first)], second.clone().map(|second| &x[second]), pairs);
            }
        }
        for (row, pairs) in neighbours.chunks_exact_mut(width).take(item.rows).enumerate() {
            pairs.copy_from_slice(&self.d_out[range(row)]);
            scale_to_pairs(set, pairs, 1.0);
            for (pair, query) in pairs[width / 2..].iter_mut().zip(self.query[range(row)].chunks_exact(2)) {
                *pair = f32::from_bits(pair_of(query));
            }
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
            form: RowForm::Pairs,
            b: self.key_pairs[row / 2 * product.b_depth + kv_head * product.columns..].as_ptr().cast(),
            b_pair: product.b_depth,
            prefetch: 0,
            c: product.c,
            c_row: product.c_row,
            block_sums: BlockSums::NONE,
            start: if product.accumulate { Start::Sums } else { Start::Zero },
            order: Order::Chain,
            ahead: Ahead::NONE,
        };
        // SAFETY: spans and parts were checked to lie inside the buffers; tasks write distinct rows or heads.
        unsafe { gemm_bf16(set, product) };
    }
}

/// Computes a block's scores for a part of the keys, and the gradient of its probabilities. Both products have the rows of
/// the copies in place of their left factors. The next part's right factors are at the distance `next`.
///
/// # Safety
/// As for [`gemm`] with both products.
pub(super) unsafe fn scores_and_gradients(
    set: InstructionSet,
    scores: Product,
    gradients: Product,
    copies: &[f32],
    next: isize,
) {
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
            form: RowForm::Pairs,
            b: product.b.cast(),
            b_pair: product.b_depth,
            prefetch: next,
            c: product.c,
            c_row: product.c_row,
            block_sums: BlockSums::NONE,
            start: Start::Zero,
            order: Order::Chain,
            ahead: Ahead::NONE,
        };
        // SAFETY: the copies were checked; the rest is the caller's promise.
        unsafe { gemm_bf16(set, product) };
    }
}

/// Computes the products of a block for the gradients of keys and values. `d_keys` is the first of them with factors in
/// f32; `pairs` are those of the probabilities for its part of the keys and of their gradients, row by row, and `d_values` is
/// the result of the second one.
///
/// # Safety
/// As for [`gemm`] with the product `d_keys`, with `pairs` in place of its left factor, and with `d_values` in place of its
/// result.
pub(super) unsafe fn add_keys_and_values(
    set: InstructionSet,
    d_keys: Product,
    pairs: &[f32],
    copies: &[f32],
    d_values: *mut f32,
) {
    let (count, width) = (d_keys.depth.div_ceil(2), d_keys.columns);
    assert!(2 * count * d_keys.rows <= pairs.len() && 2 * count * width <= copies.len(), "all pairs are there");
    let values = PairProduct {
        rows: d_keys.rows,
        columns: width,
        pairs: count,
        a: pairs.as_ptr().cast(),
        a_row: 1,
        a_pair: 2 * d_keys.rows,
        form: RowForm::Pairs,
        b: copies[width..].as_ptr().cast(),
        b_pair: 2 * width,
        prefetch: 0,
        c: d_values,
        c_row: d_keys.c_row,
        block_sums: BlockSums::NONE,
        start: Start::Sums,
        order: Order::Chain,
        ahead: Ahead::NONE,
    };
    let a = values.a.wrapping_add(d_keys.rows);
    // SAFETY: the caller's promise, and the pairs were checked.
    unsafe {
        gemm_bf16(set, PairProduct { a, b: copies.as_ptr().cast(), c: d_keys.c, ..values });
        gemm_bf16(set, values);
    }
}
