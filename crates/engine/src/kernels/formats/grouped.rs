//! Weights in blocks: integers with scales for each column and group of neighbours in k.
//!
//! They are those of GGUF's types, to the bit. Weights are rounded here to `Q8_0` and `Q4_0` alone: integers from -127 to 127, or from
//! -8 to 7, and a scale in f16 for every 32. [`chained_product`](crate::kernels::products::chained_product) says which products they
//! give.

use std::ops::Range;

use super::groups::Groups;
use super::panel::{PANEL, Panel};
use super::unpack::unpack;
use crate::kernels::buffer::AlignedBuffer;
use crate::kernels::units::{InstructionSet, LANES, Simd, f16_value, kernel};

kernel! {
    /// Transposes the halves of each two pairs: those of two columns and two steps of k, or of the steps k to k + 3, which
    /// become words of tiles.
    pub(crate) fn transpose_pairs(pairs: &mut [u32]) = transpose_pairs_generic;
}

#[inline(always)]
fn transpose_pairs_generic<S: Simd>(_: S, pairs: &mut [u32]) {
    for [left, right] in pairs.as_chunks_mut().0 {
        (*left, *right) = transposed_pair(*left, *right);
    }
}

/// Transposes the halves of two pairs.
#[inline(always)]
pub(crate) fn transposed_pair(left: u32, right: u32) -> (u32, u32) {
    (left & 0xffff_0000 | right >> 16, left << 16 | right & 0xffff)
}

/// A matrix `[depth, columns]` of grouped weights.
pub(crate) struct Grouped {
    pub(crate) depth: usize,
    /// All of them in blocks.
    pub(crate) panels: Vec<Panel>,
    pub(crate) data: AlignedBuffer<u8>,
}

/// A weight in parts: `number * scale - minimum`.
pub(crate) struct Number {
    pub(crate) number: f32,
    pub(crate) scale: f32,
    /// Zero if there are no minima.
    pub(crate) minimum: f32,
}

impl Grouped {
    /// Returns the weights of a panel for a range of k, which begins with a group.
    pub(crate) fn groups(&self, panel: Panel, steps: Range<usize>) -> Groups<'_> {
        let blocks = panel.format.blocks().expect("grouped weights are in blocks");
        let group = blocks.layout().group;
        assert!(steps.start.is_multiple_of(group) && steps.end <= self.depth, "blocks hold whole groups");
        let first = steps.start / group * blocks.group_bytes(panel.width);
        let bytes = blocks.panel_bytes(self.depth, panel.width);
        Groups::new(blocks, panel.width, steps.len(), &self.data[panel.offset..][..bytes][first..])
    }

    /// Writes a part of the transposed matrix: the columns `columns` as pairs of steps, and the values of k of a panel of the
    /// transposed matrix as columns.
    ///
    /// # Panics
    /// If `columns` begins or ends with a half of a pair.
    pub(crate) fn transpose(&self, set: InstructionSet, panel: Panel, columns: Range<usize>, weights: &mut [u32]) {
        assert!(columns.start.is_multiple_of(2) && columns.end.is_multiple_of(2), "columns come in pairs");
        let steps = panel.column..self.depth.min(panel.column + panel.width);
        let mut unpacked = [0; PANEL / 2 * PANEL];
        for source in &self.panels {
            let part = columns.start.max(source.column)..columns.end.min(source.column + source.width);
            if part.is_empty() {
                continue;
            }
            let unpacked = &mut unpacked[..steps.len().div_ceil(2) * source.width];
            let group = source.format.blocks().map_or(1, |blocks| blocks.layout().group);
            let first = steps.start / group * group;
            let end = self.depth.min(steps.end.next_multiple_of(group));
            unpack(set, self.groups(*source, first..end), (steps.start - first) / 2, unpacked);
            transpose_pairs(set, unpacked);
            let rows_of_pairs = weights[(part.start - columns.start) / 2 * panel.width..].chunks_exact_mut(panel.width);
            for (pairs_of_column, column) in rows_of_pairs.zip(part.step_by(2)) {
                let rows = unpacked.chunks_exact(source.width);
                for (pairs, row) in pairs_of_column.as_chunks_mut().0.iter_mut().zip(rows) {
                    *pairs = row.as_chunks::<2>().0[(column - source.column) / 2];
                }
            }
        }
    }

    /// Returns the parts of a weight.
    pub(crate) fn number(&self, k: usize, column: usize) -> Number {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let (column, width) = (column - panel.column, panel.width);
        let groups = self.groups(panel, 0..self.depth);
        let (layout, numbers) = (groups.blocks.layout(), groups.blocks.layout().numbers);
        let (size, within) = (groups.blocks.group_bytes(width), k % layout.group);
        let group = &groups.data[k / layout.group * size..][..size];
        let (scales, blocks) = group.split_at(groups.blocks.scale_bytes(width));
        let (vector, lane, pair) = (column / LANES, column % LANES, within / 2);
        let scale = |kind: usize| {
            let shared = scales.as_chunks().0[kind * width + column];
            let own = groups.blocks.halves() * size_of::<u16>() * width;
            let part = kind * groups.blocks.scales() + pair / numbers.scale_pairs();
            let own = if layout.has_own { f32::from(scales[own + part * width + column] as i8) } else { 1.0 };
            f16_value(u16::from_ne_bytes(shared)) * own
        };
        let index = pair / numbers.block_pairs() * (width / LANES) + vector;
        let block = &blocks[index * numbers.block_bytes()..][..numbers.block_bytes()];
        let words = block.as_chunks::<4>().0;
        // Bits of the word of a vector, from a position of the first pair's second number on.
        let bits = |vector: usize, bit: usize, count: usize| {
            let word = u32::from_ne_bytes(words[vector * LANES + lane]);
            let half = if k.is_multiple_of(2) { 16 } else { 0 };
            (word >> (half + bit) & ((1 << count) - 1)) as i32
        };
        let pair = pair % numbers.block_pairs();
        let low = || bits(pair / 4, pair % 4 * 4, 4);
        let number = match numbers.bits() {
            8 => i32::from(block[2 * (pair * LANES + lane) + 1 - k % 2] as i8),
            6 => low() | bits(2, 2 * pair, 2) << 4,
            5 => low() | bits(4, pair % 4 * 4 + pair / 4, 1) << 4,
            _ => low(),
        };
        let number = (number - numbers.offset()) as f32;
        Number { number, scale: scale(0), minimum: if layout.has_minima { scale(1) } else { 0.0 } }
    }

    /// Returns a weight.
    pub(crate) fn weight(&self, k: usize, column: usize) -> f32 {
        let Number { number, scale, minimum } = self.number(k, column);
        number * scale - minimum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::formats::quantise::quantise;
    use crate::kernels::formats::{BlockFormat, GROUP, MatrixFormat};
    use crate::kernels::units::MAX_F16;

    #[test]
    fn the_largest_magnitude_takes_the_last_number() {
        let stored = |blocks: BlockFormat, weights: [f32; GROUP]| {
            let mut data = AlignedBuffer::new(blocks.panel_bytes(GROUP, LANES));
            quantise(InstructionSet::best(), blocks, &weights.map(|weight| [weight; LANES]), LANES, 0, &mut data);
            let panels = vec![Panel { column: 0, width: LANES, offset: 0, format: MatrixFormat::Blocks(blocks) }];
            let grouped = Grouped { depth: GROUP, panels, data };
            std::array::from_fn::<f32, GROUP, _>(|k| grouped.weight(k, 3))
        };
        let weights = std::array::from_fn(|i| if i == 7 { -3.5 } else { (i as f32 * 0.37).sin() });
        for (blocks, step) in [(BlockFormat::Q8_0, 3.5 / 127.0), (BlockFormat::Q4_0, 3.5 / 8.0)] {
            let stored = stored(blocks, weights);
            assert!((stored[7] + 3.5).abs() <= 3.5 / 32.0);
            let limit = |weight: f32| step * 0.52 + weight.abs() / 256.0;
            assert!(weights.iter().zip(stored).all(|(weight, stored)| (weight - stored).abs() <= limit(*weight)));
        }
        // Weights too small for any f16 are zero, and huge ones stay finite.
        assert_eq!(stored(BlockFormat::Q4_0, [1e-9; GROUP]), [0.0; GROUP]);
        assert_eq!(stored(BlockFormat::Q8_0, [1e30; GROUP]), [127.0 * MAX_F16; GROUP]);
    }
}
