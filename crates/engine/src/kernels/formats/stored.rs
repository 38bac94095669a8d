//! Weights that a file has in the format of the panels: reading, checking, and packing, which moves their numbers and computes
//! none.

use std::array;
use std::ops::Range;

use super::columns::{SixteenColumns, StoredColumns, block, distance_of_next, lanes_of, read_words};
use super::format::MatrixFormat;
use super::grouped::Grouped;
use super::groups::{BlockFormat, PAIRS};
use super::nibbles::move_nibbles;
use super::panel::{Panel, divide};
use super::q6k::move_q6k;
use crate::kernels::buffer::AlignedBuffer;
use crate::kernels::units::{InstructionSet, LANES, MIN_FACTOR, Simd, bf16_to_f32, kernel, round_to_bf16};

kernel! {
    /// Returns whether the weights of whole rows of a file are finite, in the form of [`StoredColumns`].
    pub fn are_finite_in_file(format: MatrixFormat, rows: &[u8]) -> bool = are_finite_generic;
}

#[inline(always)]
fn are_finite_generic<S: Simd>(_: S, format: MatrixFormat, rows: &[u8]) -> bool {
    // One more than the largest exponent overflows into the bit of the sign.
    if let Some(blocks) = format.blocks() {
        let (mut sum, layout, halves) = (0, blocks.layout(), blocks.halves());
        for block in rows.chunks_exact(layout.file_bytes) {
            for kind in 0..halves {
                sum |= (block[layout.file_scale + 2 * kind + 1] & 0x7c) + 4;
            }
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
/// If a format is f32, the depth is odd or not in whole blocks, or bf16 stands beside blocks.
pub(crate) fn check_packable(panels: &[Panel], depth: usize) {
    let is_bf16 = |panel: &Panel| panel.format == MatrixFormat::Bf16;
    for panel in panels {
        assert!(panel.format != MatrixFormat::F32, "files of f32 are packed by value");
        assert!(depth.is_multiple_of(block(panel.format).0), "whole blocks, depth {depth}");
        assert_eq!(is_bf16(panel), is_bf16(&panels[0]), "all panels are in blocks, or none");
    }
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
    for_sixteen(columns, panel, &steps, |columns, first| move_pairs(set, columns, panel.width, first, pairs))
}

/// Packs some steps of a panel of grouped weights, and returns whether they are finite.
///
/// # Panics
/// If a column is shorter, or the steps are not whole groups.
pub(crate) fn pack_groups(
    set: InstructionSet,
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: Range<usize>,
    groups: &mut [u8],
) -> bool {
    let blocks = panel.format.blocks().expect("grouped weights are in blocks");
    let groups = &mut groups[..blocks.panel_bytes(steps.len(), panel.width)];
    let store = |columns: &SixteenColumns<'_>, first| move_groups(set, blocks, columns, panel.width, first, groups);
    for_sixteen(columns, panel, &steps, store)
}

/// Calls `store` with some steps of each sixteen columns of a panel and the first one's position in it. Returns whether it always
/// returns true.
fn for_sixteen(
    columns: &dyn StoredColumns,
    panel: Panel,
    steps: &Range<usize>,
    mut store: impl FnMut(&SixteenColumns<'_>, usize) -> bool,
) -> bool {
    let (weights, bytes) = block(panel.format);
    assert!(steps.start.is_multiple_of(weights) && steps.end.is_multiple_of(weights), "whole blocks, steps {steps:?}");
    let steps = steps.start / weights * bytes..steps.end / weights * bytes;
    (0..panel.width).step_by(LANES).fold(true, |all, first| {
        let column = |lane| columns.column(panel.column + first + lane).map(|column| &column[steps.clone()]);
        store(&array::from_fn(column), first) && all
    })
}

/// Reads the weights of a column. Tiny ones of bf16 are zero, as in products.
pub(crate) fn read_column(format: MatrixFormat, column: Option<&[u8]>, values: &mut [f32]) {
    let Some(bytes) = column else { return values.fill(0.0) };
    if format == MatrixFormat::Bf16 {
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = round_to_bf16(bf16_to_f32(u16::from_le_bytes(*bytes)));
        }
        return;
    }
    // The first of sixteen columns.
    struct First<'a>(&'a [u8]);
    impl StoredColumns for First<'_> {
        fn column(&self, column: usize) -> Option<&[u8]> {
            (column == 0).then_some(self.0)
        }
    }
    let (depth, panels) = (values.len(), divide(values.len(), [(LANES, format)]));
    let mut data = AlignedBuffer::new(format.panel_len(depth, LANES));
    pack_groups(InstructionSet::best(), &First(bytes), panels[0], 0..depth, &mut data);
    let grouped = Grouped { depth, panels, data };
    values.iter_mut().enumerate().for_each(|(k, value)| *value = grouped.weight(k, 0));
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
    fn move_groups(blocks: BlockFormat, columns: &SixteenColumns<'_>, width: usize, first: usize, panel: &mut [u8]) -> bool
        = move_groups_generic;
}

#[inline(always)]
fn move_groups_generic<S: Simd>(
    simd: S,
    blocks: BlockFormat,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u8],
) -> bool {
    match blocks {
        BlockFormat::Q8_0 => move_q8_0(simd, columns, width, first, panel),
        BlockFormat::Q6K => move_q6k(simd, columns, width, first, panel),
        other => move_nibbles(simd, other, columns, width, first, panel),
    }
}

/// Moves groups of eight bits.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
fn move_q8_0<S: Simd>(simd: S, columns: &SixteenColumns<'_>, width: usize, first: usize, panel: &mut [u8]) -> bool {
    const WORDS: usize = PAIRS / 2;
    let (size, block_bytes) = (BlockFormat::Q8_0.group_bytes(width), BlockFormat::Q8_0.layout().file_bytes);
    let (groups, distance) = (panel.len() / size, distance_of_next(columns));
    let mut exponents = 0;
    for start in (0..groups).step_by(LANES / WORDS) {
        let count = (LANES / WORDS).min(groups - start);
        let mut words = [[0; LANES]; LANES];
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
    }
    exponents & 0x80 == 0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::kernels::formats::{Panels, Segment, Source, WeightFormat, Weights};
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

    const DEPTH: usize = 3 * 256;
    const SEGMENTS: [usize; 3] = [80, 16, 48];

    fn formats() -> impl Iterator<Item = MatrixFormat> {
        BlockFormat::ALL.into_iter().map(MatrixFormat::Blocks).chain([MatrixFormat::Bf16])
    }

    fn segments(format: MatrixFormat) -> [Segment; 3] {
        SEGMENTS.map(|width| (width, format))
    }

    fn file(format: MatrixFormat, depth: usize) -> File {
        let (weights, size) = block(format);
        let column = depth / weights * size;
        let mut noise = noise(7);
        let mut bytes: Vec<u8> =
            (0..SEGMENTS.iter().sum::<usize>() * column).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
        // Finite scales, and finite bf16.
        let (unit, scale, halves) =
            format.blocks().map_or((2, 0, 1), |blocks| (size, blocks.layout().file_scale, blocks.halves()));
        for block in bytes.chunks_exact_mut(unit) {
            (0..halves).for_each(|half| block[scale + 2 * half + 1] &= 0xbf);
        }
        assert!(are_finite_in_file(InstructionSet::best(), format, &bytes));
        File { bytes, column }
    }

    #[test]
    fn panels_have_the_weights_of_the_file() {
        let pool = ComputePool::new(2);
        for format in formats() {
            let file = Arc::new(file(format, DEPTH));
            let packed = Panels::pack_stored(&pool, DEPTH, &segments(format), &*file);
            let lazy = Panels::in_file(DEPTH, &segments(format), file.clone());
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
        const DEPTH: usize = 5 * 256;
        let columns: usize = SEGMENTS.iter().sum();
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            for format in formats() {
                let file = Arc::new(file(format, DEPTH));
                let panels = Panels::in_file(DEPTH, &segments(format), file.clone());
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
