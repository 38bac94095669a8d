//! Products of the attention with factors in bf16.
//!
//! Queries are paired with their neighbours in a head, probabilities by slots, in the memory of the f32 that they are made
//! from. A pair of slots begins at an even one, and a slot that a part does not contain has probability zero. Its value is
//! multiplied all the same: it is zero or that of another row of the same call, never what another sequence has left in
//! the page.

use super::*;
use crate::kernels::buffer::with_integer_scratch;
use crate::kernels::products::{BlockSums, Order, PairProduct, Start, gemm_bf16, round_rows, scale_to_pairs};
use crate::kernels::units::{Ahead, RowForm};

impl Block {
    /// Computes [`Block::scores`] of rounded queries.
    ///
    /// # Safety
    /// As for [`Block::scores`].
    pub(super) unsafe fn scores_in_pairs<'a>(
        &self,
        seen: impl Iterator<Item = Seen<'a>>,
        query: &[f32],
        query_row: usize,
        scores: &mut [f32],
    ) {
        let Self { set, width, rows, padded, start } = *self;
        with_integer_scratch(rows * width / 2, |pairs| {
            for (row, pairs) in pairs.chunks_exact_mut(width / 2).enumerate() {
                round_rows(set, &query[row * query_row..][..width], width, pairs);
            }
            let keys = |(part, page, _): &Seen<'_>| page[part.slot..].as_ptr();
            let mut seen = seen.peekable();
            while let Some(now) = seen.next() {
                let (part, _, positions) = now;
                let product = PairProduct {
                    rows,
                    columns: positions.next_multiple_of(LANES),
                    pairs: width / 2,
                    a: pairs.as_ptr(),
                    a_row: width / 2,
                    a_pair: 1,
                    form: RowForm::Pairs,
                    b: keys(&now).cast(),
                    b_pair: PAGE,
                    prefetch: seen.peek().map_or(0, |next| distance(keys(&now), keys(next))),
                    c: scores[part.position - start..].as_mut_ptr(),
                    c_row: padded,
                    block_sums: BlockSums::NONE,
                    start: Start::Zero,
                    order: Order::Chain,
                    ahead: Ahead::NONE,
                };
                // SAFETY: the caller's promise.
                unsafe { gemm_bf16(set, product) };
            }
        });
    }

    /// Computes [`Block::sum_values`] of rounded probabilities, which are replaced by their pairs.
    ///
    /// # Safety
    /// As for [`Block::sum_values`].
    pub(super) unsafe fn sum_values_in_pairs<'a>(
        &self,
        seen: impl Iterator<Item = Seen<'a>> + Clone,
        probabilities: &mut [f32],
        out: *mut f32,
        out_row: usize,
    ) {
        let Self { set, width, rows, padded, start } = *self;
        let values = |(part, page, _): &Seen<'_>| page[(PAGE + part.slot) / 2 * width..].as_ptr();
        // Columns whose pairs follow one another, and the slot of the first one.
        let (mut paired, mut first_slot) = (0..0, 0);
        let mut seen = seen.peekable();
        while let Some(now) = seen.next() {
            let (part, _, positions) = now;
            let first = part.position - start;
            if first >= paired.end {
                (paired, first_slot) = (first..first + positions, part.slot);
                for (next, _, positions) in seen.clone() {
                    if next.slot % 2 == 1 || (first_slot + paired.len()) % 2 == 1 {
                        break;
                    }
                    paired.end += positions;
                }
                for row in probabilities.chunks_exact_mut(padded) {
                    round_to_pairs(set, &mut row[paired.clone()], first_slot);
                }
            }
            let pair = paired.start + (first_slot % 2 + first - paired.start) / 2;
            let product = PairProduct {
                rows,
                columns: width,
                pairs: pairs_of_slots(part.slot, positions),
                a: probabilities[pair..].as_ptr().cast(),
                a_row: padded,
                a_pair: 1,
                form: RowForm::Pairs,
                b: values(&now).cast(),
                b_pair: width,
                prefetch: seen.peek().map_or(0, |next| distance(values(&now), values(next))),
                c: out,
                c_row: out_row,
                block_sums: BlockSums::NONE,
                start: if first > 0 { Start::Sums } else { Start::Zero },
                order: Order::Chain,
                ahead: Ahead::NONE,
            };
            // SAFETY: the caller's promise.
            unsafe { gemm_bf16(set, product) };
        }
    }
}

/// Returns the distance of two addresses in elements.
fn distance<T>(from: *const T, to: *const T) -> isize {
    to.addr().wrapping_sub(from.addr()).cast_signed() / size_of::<T>().cast_signed()
}

/// Returns the number of pairs that contain `slots` slots from `first` on.
pub(crate) fn pairs_of_slots(first: usize, slots: usize) -> usize {
    (first % 2 + slots).div_ceil(2)
}

/// Replaces factors of consecutive slots, from `first` on, by their pairs. A slot before or behind them has a zero.
pub(crate) fn round_to_pairs(set: InstructionSet, factors: &mut [f32], first: usize) {
    let whole = match factors {
        [factor, rest @ ..] if first % 2 == 1 => {
            *factor = f32::from_bits(pair_of(&[0.0, *factor]));
            rest
        }
        all => all,
    };
    scale_to_pairs(set, whole, 1.0);
}
