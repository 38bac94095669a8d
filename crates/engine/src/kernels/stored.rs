//! Weights that a file has in the format of the panels: reading, checking, and packing, which moves their numbers and computes
//! none.

use std::array;
use std::ops::Range;
use std::sync::Arc;

use super::InstructionSet;
use super::bf16::{MIN_FACTOR, rounded};
use super::buffer::AlignedBuffer;
use super::dispatch::kernel;
use super::format::MatrixFormat;
use super::grouped::{Bits, GROUP, Grouped, PAIRS, Rounding, f16_value};
use super::panels::{Panel, Weights, for_panels};
use super::q6k::{Q6K_BYTES, Q6K_WEIGHTS, move_q6k, read_q6k};
use super::simd::{LANES, Simd};
use crate::ComputePool;

/// Columns of a matrix in the form of a file, numbers in little-endian order:
///
/// | format | bytes of a column |
/// |---|---|
/// | `bf16` | the numbers in bf16 |
/// | `int8` | blocks of 32 weights as in GGUF's `Q8_0`: scale in f16, 32 signed bytes |
/// | `int4` | blocks of 32 weights as in GGUF's `Q4_0`: scale in f16, 16 bytes; byte `i` has the numbers `i` and `i + 16`, increased by 8 |
/// | `int6` | blocks of 256 weights as in GGUF's `Q6_K` (see [`read_q6k`]) |
pub trait StoredColumns: Send + Sync {
    /// Returns the bytes of a column, or `None` if all its weights are zero.
    fn column(&self, column: usize) -> Option<&[u8]>;
}

/// The weights of sixteen columns.
pub(super) type SixteenColumns<'a> = [Option<&'a [u8]>; LANES];

/// Returns the number of weights in a block of grouped weights or in a pair of bf16, and their size in bytes.
fn block(bits: Option<Bits>) -> (usize, usize) {
    match bits {
        Some(Bits::Eight) => (GROUP, size_of::<u16>() + GROUP),
        Some(Bits::Six) => (Q6K_WEIGHTS, Q6K_BYTES),
        Some(Bits::Four) => (GROUP, size_of::<u16>() + GROUP / 2),
        None => (2, 2 * size_of::<u16>()),
    }
}

kernel! {
    /// Returns whether the weights of whole rows of a file are finite, in the form of [`StoredColumns`].
    pub fn are_finite_in_file(format: MatrixFormat, rows: &[u8]) -> bool = are_finite_generic;
}

#[inline(always)]
fn are_finite_generic<S: Simd>(_: S, format: MatrixFormat, rows: &[u8]) -> bool {
    // One more than the largest exponent overflows into the place of the sign.
    if let Some(bits) = format.bits() {
        // A block begins or ends with its scale in f16.
        let (mut sum, bytes) = (0, block(Some(bits)).1);
        let upper = if bits == Bits::Six { bytes - 1 } else { 1 };
        for block in rows.chunks_exact(bytes) {
            sum |= (block[upper] & 0x7c) + 4;
        }
        return sum & 0x80 == 0;
    }
    let mut sum = 0;
    for number in rows.as_chunks().0 {
        sum |= (u16::from_le_bytes(*number) & 0x7f80) + 0x80;
    }
    sum & 0x8000 == 0
}

/// Checks that columns of a file can be packed.
///
/// # Panics
/// If the format is f32, or the depth is odd or not in whole blocks.
pub(super) fn check_packable(format: MatrixFormat, depth: usize) {
    assert!(format != MatrixFormat::F32, "files of f32 are packed by value");
    assert!(depth.is_multiple_of(block(format.bits()).0), "whole blocks, depth {depth}");
}

/// Packs all panels.
///
/// # Panics
/// As [`check_packable`], and if a column is shorter.
pub(super) fn pack_columns(
    pool: &ComputePool,
    format: MatrixFormat,
    depth: usize,
    panels: &[Panel],
    columns: &dyn StoredColumns,
) -> Weights {
    check_packable(format, depth);
    let set = pool.instruction_set();
    let len = format.panels_len(depth, panels);
    match format.bits() {
        Some(bits) => {
            let mut data = AlignedBuffer::new(len);
            for_panels(pool, panels, &mut data, &|panel, groups| {
                pack_groups(set, bits, columns, panel, 0..depth, groups);
            });
            Weights::Grouped(Arc::new(Grouped { bits, depth, panels: panels.to_vec(), data }))
        }
        None => Weights::of_pairs(pool, depth, panels, &|panel, pairs| {
            pack_pairs(set, columns, panel, 0..depth, pairs);
        }),
    }
}

/// Packs some steps of a panel in bf16, and returns whether they are finite.
///
/// # Panics
/// If a column is shorter, or the steps are not whole pairs.
pub(super) fn pack_pairs(
    set: InstructionSet,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: Range<usize>,
    pairs: &mut [u32],
) -> bool {
    let mut are_finite = true;
    for first in (0..panel.width).step_by(LANES) {
        let columns = sixteen(None, columns, panel.column + first, &steps);
        are_finite &= move_pairs(set, &columns, panel.width, first, &mut pairs[..steps.len() / 2 * panel.width]);
    }
    are_finite
}

/// Packs some steps of a panel of grouped weights, and returns whether they are finite.
///
/// # Panics
/// If a column is shorter, or the steps are not whole groups.
pub(super) fn pack_groups(
    set: InstructionSet,
    bits: Bits,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: Range<usize>,
    groups: &mut [u8],
) -> bool {
    let mut are_finite = true;
    for first in (0..panel.width).step_by(LANES) {
        let columns = sixteen(Some(bits), columns, panel.column + first, &steps);
        let groups = &mut groups[..bits.panel_bytes(steps.len(), panel.width)];
        are_finite &= move_groups(set, bits, &columns, panel.width, first, groups);
    }
    are_finite
}

/// Returns some steps of sixteen columns.
fn sixteen<'a>(
    bits: Option<Bits>,
    columns: &'a dyn StoredColumns,
    first: usize,
    steps: &Range<usize>,
) -> SixteenColumns<'a> {
    let (weights, bytes) = block(bits);
    assert!(steps.start.is_multiple_of(weights) && steps.end.is_multiple_of(weights), "whole blocks, steps {steps:?}");
    let steps = steps.start / weights * bytes..steps.end / weights * bytes;
    array::from_fn(|lane| columns.column(first + lane).map(|column| &column[steps.clone()]))
}

/// Reads the weights of a column. Tiny ones of bf16 are zero, as in products.
pub(super) fn read_column(format: MatrixFormat, column: Option<&[u8]>, rounding: Rounding, values: &mut [f32]) {
    let Some(column) = column else { return values.fill(0.0) };
    let (weights, bytes) = block(format.bits());
    for (block, values) in column.chunks_exact(bytes).zip(values.chunks_exact_mut(weights)) {
        let Some(bits) = format.bits() else {
            for (value, bytes) in values.iter_mut().zip(block.as_chunks().0) {
                *value = f32::from_bits(rounded(f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16)));
            }
            continue;
        };
        let scale = |bytes: &[u8]| f16_value(u16::from_le_bytes([bytes[0], bytes[1]]));
        if bits == Bits::Six {
            read_q6k(InstructionSet::best(), block, scale(&block[Q6K_BYTES - 2..]), values);
            continue;
        }
        let (scale, numbers) = (scale(block), &block[size_of::<u16>()..]);
        for (i, value) in values.iter_mut().enumerate() {
            *value = if bits == Bits::Eight {
                rounding.apply(bits, f32::from(numbers[i] as i8) * scale)
            } else {
                scale * (f32::from(numbers[i % (GROUP / 2)] >> (i / (GROUP / 2) * 4) & 15) - 8.0)
            };
        }
    }
}

kernel! {
    /// Moves the bf16 of sixteen columns to their place in a panel, and returns whether they are finite. The first number of a
    /// pair becomes its upper half.
    fn move_pairs(columns: &SixteenColumns<'_>, width: usize, first: usize, panel: &mut [u32]) -> bool = move_pairs_generic;
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
fn move_pairs_generic<S: Simd>(
    simd: S,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u32],
) -> bool {
    let (pairs, distance) = (panel.len() / width, distance_of_next(columns));
    let mut sums = [0; LANES];
    for start in (0..pairs).step_by(LANES) {
        let mut words = [[0; LANES]; LANES];
        for lane in 0..LANES {
            let column = columns[lane].unwrap_or_default();
            simd.prefetch(column.as_ptr().wrapping_add(distance).wrapping_add(4 * start));
            read_words(&column[column.len().min(4 * start)..], &mut words[lane]);
        }
        simd.transpose(&mut words);
        for pair in 0..LANES.min(pairs - start) {
            let row = lanes_of(&mut panel[(start + pair) * width + first..]);
            for lane in 0..LANES {
                // Tiny numbers become zero, as in all pairs.
                let pair = words[pair][lane].rotate_left(16);
                // As in `are_finite_in_file`.
                sums[lane] |= (pair & 0x7f80_7f80) + 0x0080_0080;
                let upper = if pair & 0x7fff_0000 < MIN_FACTOR { 0 } else { pair & 0xffff_0000 };
                let lower = if pair << 16 & 0x7fff_0000 < MIN_FACTOR { 0 } else { pair & 0xffff };
                row[lane] = upper | lower;
            }
        }
    }
    sums.into_iter().fold(0, |sum, other| sum | other) & 0x8000_8000 == 0
}

/// Returns the distance in bytes between these columns and the next sixteen, which are most likely read next.
#[inline(always)]
pub(super) fn distance_of_next(columns: &SixteenColumns<'_>) -> usize {
    let [Some(first), Some(second), ..] = columns else { return 0 };
    LANES.wrapping_mul(second.as_ptr().addr().wrapping_sub(first.as_ptr().addr()))
}

/// Returns the first sixteen elements.
#[inline(always)]
pub(super) fn lanes_of<T>(elements: &mut [T]) -> &mut [T; LANES] {
    elements.first_chunk_mut().expect("a whole vector")
}

/// Reads words, no more than there are.
#[inline(always)]
pub(super) fn read_words<const N: usize>(bytes: &[u8], words: &mut [u32; N]) {
    let bytes = bytes.as_chunks::<4>().0;
    if let Some(bytes) = bytes.first_chunk::<N>() {
        for i in 0..N {
            words[i] = u32::from_le_bytes(bytes[i]);
        }
    } else {
        for i in 0..bytes.len() {
            words[i] = u32::from_le_bytes(bytes[i]);
        }
    }
}

kernel! {
    /// Moves scales and numbers of sixteen columns to their place in a panel (see [`grouped`](super::grouped)), and returns whether
    /// the scales are finite.
    fn move_groups(bits: Bits, columns: &SixteenColumns<'_>, width: usize, first: usize, panel: &mut [u8]) -> bool
        = move_groups_generic;
}

#[inline(always)]
fn move_groups_generic<S: Simd>(
    simd: S,
    bits: Bits,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u8],
) -> bool {
    match bits {
        Bits::Eight => move_words::<S, { PAIRS / 2 }>(simd, bits, columns, width, first, panel),
        Bits::Six => move_q6k(simd, columns, width, first, panel),
        Bits::Four => move_words::<S, { PAIRS / 4 }>(simd, bits, columns, width, first, panel),
    }
}

/// Moves groups whose numbers are `WORDS` words of each column.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
fn move_words<S: Simd, const WORDS: usize>(
    simd: S,
    bits: Bits,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u8],
) -> bool {
    let (size, block_bytes) = (bits.group_bytes(width), block(Some(bits)).1);
    let (groups, distance) = (panel.len() / size, distance_of_next(columns));
    // Numbers of zero in columns without weights.
    let zero = if bits == Bits::Eight { 0 } else { 0x8888_8888 };
    let mut exponents = 0;
    for start in (0..groups).step_by(LANES / WORDS) {
        let count = (LANES / WORDS).min(groups - start);
        let mut words = [[zero; LANES]; LANES];
        for index in 0..count {
            let scales = lanes_of(panel[(start + index) * size..].as_chunks_mut().0.split_at_mut(first).1);
            for lane in 0..LANES {
                scales[lane] = [0; 2];
                let Some(column) = columns[lane] else { continue };
                let block = &column[(start + index) * block_bytes..][..block_bytes];
                simd.prefetch(block.as_ptr().wrapping_add(distance));
                scales[lane] = u16::from_le_bytes([block[0], block[1]]).to_ne_bytes();
                // As in `are_finite_in_file`.
                exponents |= (block[1] & 0x7c) + 4;
                read_words(&block[size_of::<u16>()..], &mut words[lane].as_chunks_mut::<WORDS>().0[index]);
            }
        }
        simd.transpose(&mut words);
        for (index, words) in words.as_chunks::<WORDS>().0[..count].iter().enumerate() {
            let blocks = &mut panel[(start + index) * size + size_of::<u16>() * width..];
            if bits == Bits::Eight {
                store_bytes(words, width, first, blocks);
            } else {
                store_nibbles(words, width, first, blocks);
            }
        }
    }
    exponents & 0x80 == 0
}

/// Stores the numbers of a group of eight bits, two pairs for each word.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
fn store_bytes(words: &[[u32; LANES]], width: usize, first: usize, blocks: &mut [u8]) {
    for pair in 0..PAIRS {
        let block = lanes_of(blocks[2 * (pair * width + first)..].as_chunks_mut().0);
        let words = &words[pair / 2];
        for lane in 0..LANES {
            // The second number comes first.
            block[lane] = ((words[lane] >> (16 * (pair % 2))) as u16).to_be_bytes();
        }
    }
}

/// Stores the numbers of a group of four bits, four pairs for each word. The lower halves of bytes are the first sixteen numbers.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
fn store_nibbles(words: &[[u32; LANES]], width: usize, first: usize, blocks: &mut [u8]) {
    for (block, [half, word]) in [[0, 0], [0, 2], [4, 0], [4, 2]].into_iter().enumerate() {
        let block = lanes_of(blocks[4 * (block * width + first)..].as_chunks_mut().0);
        store_word_of_nibbles([&words[word], &words[word + 1]], half, block);
    }
}

/// Stores a vector of words with eight numbers of four bits each: those in the eight bytes of two words, from the bit `half` on.
#[inline(always)]
pub(super) fn store_word_of_nibbles([left, right]: [&[u32; LANES]; 2], half: usize, block: &mut [[u8; 4]; LANES]) {
    for lane in 0..LANES {
        let [left, right] = [left[lane] >> half, right[lane] >> half];
        let upper = gather(left) | gather(right) << 8;
        let lower = gather(left >> 8) | gather(right >> 8) << 8;
        block[lane] = (upper << 16 | lower).to_ne_bytes();
    }
}

/// Returns the lower halves of the first and the third byte, side by side.
#[inline(always)]
fn gather(bytes: u32) -> u32 {
    let halves = bytes & 0x000f_000f;
    (halves | halves >> 12) & 0xff
}

#[cfg(test)]
mod tests {
    use super::super::format::WeightFormat;
    use super::super::matmul::matmul;
    use super::super::panels::{Panels, Source};
    use super::*;
    use crate::testing::noise;

    /// A file of columns of the same size, of which some have no weights.
    struct File {
        bytes: Vec<u8>,
        column: usize,
    }

    impl StoredColumns for File {
        fn column(&self, column: usize) -> Option<&[u8]> {
            (column % 19 != 5).then(|| &self.bytes[column * self.column..][..self.column])
        }
    }

    const DEPTH: usize = 3 * Q6K_WEIGHTS;
    const SEGMENTS: [usize; 3] = [80, 16, 48];
    const FORMATS: [MatrixFormat; 4] = [MatrixFormat::Bf16, MatrixFormat::Int8, MatrixFormat::Int6, MatrixFormat::Int4];

    fn file(format: MatrixFormat, depth: usize) -> File {
        let (weights, size) = block(format.bits());
        let column = depth / weights * size;
        let mut noise = noise(7);
        let mut bytes: Vec<u8> =
            (0..SEGMENTS.iter().sum::<usize>() * column).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
        // Finite scales, and finite bf16.
        let (unit, upper) = match format {
            MatrixFormat::Bf16 => (2, 1),
            MatrixFormat::Int6 => (size, size - 1),
            _ => (size, 1),
        };
        bytes.chunks_exact_mut(unit).for_each(|block| block[upper] &= 0xbf);
        assert!(are_finite_in_file(InstructionSet::best(), format, &bytes));
        File { bytes, column }
    }

    #[test]
    fn panels_have_the_weights_of_the_file() {
        let pool = ComputePool::new(2);
        for format in FORMATS {
            let file = Arc::new(file(format, DEPTH));
            let packed = Panels::pack_stored(&pool, format, DEPTH, &SEGMENTS, &*file);
            let lazy = Panels::in_file(format, DEPTH, &SEGMENTS, file.clone());
            for column in 0..SEGMENTS.iter().sum() {
                let mut expected = vec![f32::NAN; DEPTH];
                let mut exact = vec![f32::NAN; DEPTH];
                read_column(format, file.column(column), Rounding::OfProducts, &mut expected);
                read_column(format, file.column(column), Rounding::None, &mut exact);
                for panels in [&packed, &lazy] {
                    let mut found = vec![f32::NAN; DEPTH];
                    panels.column(column, &mut found);
                    assert!(found == expected, "{format:?}, column {column}");
                    panels.exact_column(column, &mut found);
                    assert!(found == exact, "{format:?}, column {column}");
                }
            }
            // The same bytes as from values, where these have one form only.
            if format == MatrixFormat::Bf16 {
                let computed = Panels::pack(&pool, WeightFormat::Bf16, DEPTH, &SEGMENTS, &|column, values| {
                    read_column(format, file.column(column), Rounding::None, values);
                });
                let [Source::Packed(Weights::Bf16(computed)), Source::Packed(Weights::Bf16(moved))] =
                    [computed.source(), packed.source()]
                else {
                    panic!()
                };
                assert!(computed[..] == moved[..]);
            }
        }
    }

    #[test]
    fn products_do_not_depend_on_whether_the_weights_are_packed() {
        // More steps than a task packs at once.
        const DEPTH: usize = 5 * Q6K_WEIGHTS;
        let columns: usize = SEGMENTS.iter().sum();
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            for format in FORMATS {
                let file = Arc::new(file(format, DEPTH));
                let panels = Panels::in_file(format, DEPTH, &SEGMENTS, file.clone());
                let products = || {
                    [1, 7, 70].map(|rows| {
                        let mut noise = noise(rows as u64);
                        let x: Vec<f32> = (0..rows * DEPTH).map(|_| noise()).collect();
                        let mut y = vec![0.0; rows * columns];
                        matmul(&pool, rows, &x, &panels, &mut y, false, &[]);
                        y.into_iter().map(f32::to_bits).collect::<Vec<u32>>()
                    })
                };
                let lazy = products();
                assert_eq!(Arc::strong_count(&file), 2);
                panels.pack_rest(&pool);
                assert_eq!(Arc::strong_count(&file), 1, "the file is dropped");
                assert!(lazy == products(), "{format:?} {}", set.name());
            }
        }
    }
}
