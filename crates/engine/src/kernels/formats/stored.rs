//! Weights that a file has in the format of the panels: reading, checking, and packing, which moves their numbers and computes
//! none.

use std::array;
use std::ops::Range;

use super::columns::{
    SixteenColumns, StoredColumns, block, distance_of_next, lanes_of, read_words, store_word_of_nibbles,
};
use super::format::MatrixFormat;
use super::groups::{Bits, GROUP, PAIRS};
use super::panel::Panel;
use super::q6k::{move_q6k, read_q6k};
use crate::kernels::units::{InstructionSet, LANES, MIN_FACTOR, Simd, bf16_to_f32, half_to_f32, kernel, round_to_bf16};

kernel! {
    /// Returns whether the weights of whole rows of a file are finite, in the form of [`StoredColumns`].
    pub fn are_finite_in_file(format: MatrixFormat, rows: &[u8]) -> bool = are_finite_generic;
}

#[inline(always)]
fn are_finite_generic<S: Simd>(_: S, format: MatrixFormat, rows: &[u8]) -> bool {
    // One more than the largest exponent overflows into the bit of the sign.
    if let Some(bits) = format.bits() {
        let (mut sum, layout) = (0, bits.layout());
        for block in rows.chunks_exact(layout.file_bytes) {
            sum |= (block[layout.file_scale + 1] & 0x7c) + 4;
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
pub(crate) fn check_packable(format: MatrixFormat, depth: usize) {
    assert!(format != MatrixFormat::F32, "files of f32 are packed by value");
    assert!(depth.is_multiple_of(block(format.bits()).0), "whole blocks, depth {depth}");
}

/// Packs some steps of a panel in bf16, and returns whether they are finite.
///
/// # Panics
/// If a column is shorter, or the steps are not whole pairs.
pub(crate) fn pack_pairs(
    set: InstructionSet,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: Range<usize>,
    pairs: &mut [u32],
) -> bool {
    let pairs = &mut pairs[..steps.len() / 2 * panel.width];
    for_sixteen(None, columns, panel, &steps, |columns, first| move_pairs(set, columns, panel.width, first, pairs))
}

/// Packs some steps of a panel of grouped weights, and returns whether they are finite.
///
/// # Panics
/// If a column is shorter, or the steps are not whole groups.
pub(crate) fn pack_groups(
    set: InstructionSet,
    bits: Bits,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: Range<usize>,
    groups: &mut [u8],
) -> bool {
    let groups = &mut groups[..bits.panel_bytes(steps.len(), panel.width)];
    let store = |columns: &SixteenColumns<'_>, first| move_groups(set, bits, columns, panel.width, first, groups);
    for_sixteen(Some(bits), columns, panel, &steps, store)
}

/// Calls `store` with some steps of each sixteen columns of a panel and the first one's position in it. Returns whether it always
/// returns true.
fn for_sixteen(
    bits: Option<Bits>,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: &Range<usize>,
    mut store: impl FnMut(&SixteenColumns<'_>, usize) -> bool,
) -> bool {
    let (weights, bytes) = block(bits);
    assert!(steps.start.is_multiple_of(weights) && steps.end.is_multiple_of(weights), "whole blocks, steps {steps:?}");
    let steps = steps.start / weights * bytes..steps.end / weights * bytes;
    (0..panel.width).step_by(LANES).fold(true, |all, first| {
        let column = |lane| columns.column(panel.column + first + lane).map(|column| &column[steps.clone()]);
        store(&array::from_fn(column), first) && all
    })
}

/// Reads the weights of a column. Tiny ones of bf16 are zero, as in products.
pub(crate) fn read_column(format: MatrixFormat, column: Option<&[u8]>, values: &mut [f32]) {
    let Some(column) = column else { return values.fill(0.0) };
    let Some(bits) = format.bits() else {
        for (value, bytes) in values.iter_mut().zip(column.as_chunks().0) {
            *value = round_to_bf16(bf16_to_f32(u16::from_le_bytes(*bytes)));
        }
        return;
    };
    read_blocks(bits, column, values);
}

/// Reads the weights of blocks, as they are.
pub(crate) fn read_blocks(bits: Bits, blocks: &[u8], values: &mut [f32]) {
    let layout = bits.layout();
    let blocks = blocks.chunks_exact(layout.file_bytes).zip(values.chunks_exact_mut(layout.file_weights));
    for (block, values) in blocks {
        let scale = half_to_f32(u16::from_le_bytes([block[layout.file_scale], block[layout.file_scale + 1]]));
        let numbers = &block[size_of::<u16>()..];
        match bits {
            Bits::Eight => {
                values.iter_mut().zip(numbers).for_each(|(value, number)| *value = scale * f32::from(*number as i8));
            }
            Bits::Six => read_q6k(InstructionSet::best(), block, scale, values),
            Bits::Four => {
                let (low, high) = values.split_at_mut(GROUP / 2);
                for ((low, high), number) in low.iter_mut().zip(high).zip(numbers) {
                    *low = scale * (f32::from(number & 15) - 8.0);
                    *high = scale * (f32::from(number >> 4) - 8.0);
                }
            }
        }
    }
}

kernel! {
    /// Moves the bf16 of sixteen columns to their position in a panel, and returns whether they are finite. The first number of a
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

kernel! {
    /// Moves scales and numbers of sixteen columns to their position in a panel (see [`groups`](super::groups)), and returns whether
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
    let (size, block_bytes) = (bits.group_bytes(width), bits.layout().file_bytes);
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
        let block = pair / 2 * width + first + pair % 2 * LANES / 2;
        let block = lanes_of(blocks[4 * block..].as_chunks_mut().0);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::kernels::formats::{Panels, Q6K_WEIGHTS, Source, WeightFormat, Weights};
    use crate::kernels::pool::ComputePool;
    use crate::kernels::products::matmul;
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
                let mut exact = vec![f32::NAN; DEPTH];
                read_column(format, file.column(column), &mut exact);
                for panels in [&packed, &lazy] {
                    let mut found = vec![f32::NAN; DEPTH];
                    panels.column(column, &mut found);
                    assert!(found == exact, "{format:?}, column {column}");
                }
            }
            // The same bytes as from values, where these have one form only.
            if format == MatrixFormat::Bf16 {
                let computed = Panels::pack(&pool, WeightFormat::Bf16, DEPTH, &SEGMENTS, &|column, values| {
                    read_column(format, file.column(column), values);
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
