//! Rounding of left factors to bf16: to pairs of neighbours in k, or to split pairs for units that multiply in f32.

use crate::kernels::formats::{GROUP, PAIRS, transpose_pairs};
use crate::kernels::units::{InstructionSet, LANES, PairUnit, RowForm, Simd, kernel, pair_kernel, pair_of, rounded};

/// Number of values of a row that form one vector of pairs.
const PAIRED: usize = 2 * LANES;

/// Rounds rows of `depth` values to rows of pairs. An odd depth is padded with zero.
pub(crate) fn round_rows(set: InstructionSet, x: &[f32], depth: usize, pairs: &mut [u32]) {
    if depth.is_multiple_of(2) {
        return round_values(set, x, pairs);
    }
    for (x, pairs) in x.chunks_exact(depth).zip(pairs.chunks_exact_mut(depth.div_ceil(2))) {
        round_values(set, x, pairs);
    }
}

/// Rounds values to pairs. The last value of an odd number is paired with zero.
fn round_values(set: InstructionSet, x: &[f32], pairs: &mut [u32]) {
    assert_eq!(x.len().div_ceil(2), pairs.len());
    round(set, x, pairs);
}

pair_kernel! {
    fn round(x: &[f32], pairs: &mut [u32]) = round_generic;
}

#[inline(always)]
fn round_generic<U: PairUnit>(unit: U, x: &[f32], pairs: &mut [u32]) {
    let simd = unit.simd();
    let (x, rest) = x.as_chunks::<PAIRED>();
    let (pairs, rest_pairs) = pairs.split_at_mut(x.len() * LANES);
    for (x, pairs) in x.iter().zip(pairs.as_chunks_mut::<LANES>().0) {
        let (low, high) = halves(x);
        *pairs = unit.round(simd.load(low), simd.load(high));
    }
    for (x, pair) in rest.chunks(2).zip(rest_pairs) {
        *pair = pair_of(x);
    }
}

#[inline(always)]
fn halves(x: &[f32; PAIRED]) -> (&[f32; LANES], &[f32; LANES]) {
    let halves = x.as_chunks::<LANES>().0;
    (&halves[0], &halves[1])
}

pair_kernel! {
    /// Replaces a row by `factor` times the row, rounded to pairs of bf16. Their bits are in the first half of the row's
    /// memory. The last value of an odd number is paired with zero.
    pub(crate) fn scale_to_pairs(row: &mut [f32], factor: f32) = scale_generic;
}

#[inline(always)]
fn scale_generic<U: PairUnit>(unit: U, row: &mut [f32], factor: f32) {
    let simd = unit.simd();
    let scale = simd.splat(factor);
    let whole = row.len() / PAIRED;
    for i in 0..whole {
        let (low, high) = halves(row[i * PAIRED..][..PAIRED].as_chunks().0.first().expect("a whole chunk"));
        let pairs = unit.round(simd.mul(simd.load(low), scale), simd.mul(simd.load(high), scale));
        for (value, pair) in row[i * LANES..][..LANES].iter_mut().zip(pairs) {
            *value = f32::from_bits(pair);
        }
    }
    for i in whole * LANES..row.len().div_ceil(2) {
        let first = row[2 * i] * factor;
        let second = row.get(2 * i + 1).map_or(0.0, |second| second * factor);
        row[i] = f32::from_bits(pair_of(&[first, second]));
    }
}

kernel! {
    /// Rounds two rows to pairs of their values in the same column.
    pub(crate) fn pair_rows(first: &[f32], second: &[f32], pairs: &mut [f32]) = pair_rows_generic;
}

#[inline(always)]
fn pair_rows_generic<S: Simd>(_simd: S, first: &[f32], second: &[f32], pairs: &mut [f32]) {
    for ((first, second), pair) in first.iter().zip(second).zip(pairs) {
        *pair = f32::from_bits(pair_of(&[*first, *second]));
    }
}

/// Rounds rows of `depth` values to bf16, stored as f32. An odd depth is padded with zero.
pub(crate) fn round_split_rows(set: InstructionSet, x: &[f32], depth: usize, words: &mut [u32]) {
    for (x, words) in x.chunks_exact(depth).zip(words.chunks_exact_mut(depth.next_multiple_of(2))) {
        words[depth..].fill(0);
        round_split(set, x, words);
    }
}

/// Rounds rows of `depth` values to rows of words of tiles.
pub(crate) fn round_tile_rows(set: InstructionSet, x: &[f32], depth: usize, words: &mut [u32]) {
    let pairs = depth.div_ceil(2);
    for (x, words) in x.chunks_exact(depth).zip(words.chunks_exact_mut(RowForm::Tiles.row(depth))) {
        round_values(set, x, &mut words[..pairs]);
        words[pairs..].fill(0);
        transpose_pairs(set, words);
    }
}

/// Computes the sum of each block of rows of `depth` rounded values, by the chains of a product with weights of 1.
pub(crate) fn sum_blocks(rounded: &[u32], depth: usize, form: RowForm, sums: &mut [f32]) {
    let blocks = depth.div_ceil(GROUP);
    let rows = rounded.chunks_exact(form.row(depth)).zip(sums.chunks_exact_mut(blocks));
    for (row, sums) in rows {
        for (block, sum) in row.chunks(form.words() * PAIRS).zip(sums) {
            let mut chains = [0.0; 2];
            for (index, pair) in block.chunks_exact(form.words()).enumerate() {
                let [first, second] = match pair {
                    [pair] => [pair & 0xffff_0000, pair << 16],
                    pair => [pair[0], pair[1]],
                };
                // A word of tiles has a step of each chain.
                let of_second = if form == RowForm::Tiles { 1 } else { index % 2 };
                let of_first = if form == RowForm::Tiles { 0 } else { index % 2 };
                chains[of_first] += f32::from_bits(first);
                chains[of_second] += f32::from_bits(second);
            }
            *sum = chains[0] + chains[1];
        }
    }
}

kernel! {
    fn round_split(x: &[f32], words: &mut [u32]) = round_split_generic;
}

#[inline(always)]
fn round_split_generic<S: Simd>(_: S, x: &[f32], words: &mut [u32]) {
    for (x, word) in x.iter().zip(words) {
        *word = rounded(*x);
    }
}
