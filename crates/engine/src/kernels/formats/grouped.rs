//! Weights of eight, six or four bits: integers with scales for each column and group of neighbours in k.
//!
//! The numbers of eight and four bits are those of GGUF's `Q8_0` and `Q4_0`: integers from -127 to 127, or from -8 to 7, and a
//! scale in f16 for every 32. Those of six bits are GGUF's `Q6_K`: integers from -32 to 31, for every 16 a scale that is an integer
//! of eight bits times one in f16. [`chained_product`](crate::kernels::products::chained_product) says
//! which products they give.

use std::ops::Range;

use super::groups::{Bits, BitsLayout, Groups};
use super::panel::{PANEL, Panel};
use super::unpack::unpack;
use crate::kernels::buffer::AlignedBuffer;
use crate::kernels::units::{InstructionSet, LANES, Simd, f16_value, kernel};

kernel! {
    /// Transposes the weights of each two columns and two steps of k.
    fn transpose_pairs(pairs: &mut [u32]) = transpose_pairs_generic;
}

#[inline(always)]
fn transpose_pairs_generic<S: Simd>(_: S, pairs: &mut [u32]) {
    for [left, right] in pairs.as_chunks_mut().0 {
        (*left, *right) = (*left & 0xffff_0000 | *right >> 16, *left << 16 | *right & 0xffff);
    }
}

/// A matrix `[depth, columns]` of grouped weights.
pub(crate) struct Grouped {
    pub(crate) bits: Bits,
    pub(crate) depth: usize,
    pub(crate) panels: Vec<Panel>,
    pub(crate) data: AlignedBuffer<u8>,
}

impl Grouped {
    /// Returns the bytes of a panel.
    pub(crate) fn panel(&self, panel: Panel) -> &[u8] {
        &self.data[panel.offset..][..self.bits.panel_bytes(self.depth, panel.width)]
    }

    /// Returns the weights of a panel for a range of k, which begins with a group.
    pub(crate) fn groups(&self, panel: Panel, steps: Range<usize>) -> Groups<'_> {
        let group = self.bits.layout().group;
        assert!(steps.start.is_multiple_of(group) && steps.end <= self.depth, "blocks hold whole groups");
        let first = steps.start / group * self.bits.group_bytes(panel.width);
        Groups::new(self.bits, panel.width, steps.len(), &self.panel(panel)[first..])
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
            unpack(set, self.groups(*source, steps.clone()), unpacked);
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

    /// Returns number and scale of a weight.
    pub(crate) fn number(&self, k: usize, column: usize) -> (f32, f32) {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let (column, width) = (column - panel.column, panel.width);
        let BitsLayout { group, block_pairs, block_bytes, scale_pairs, .. } = self.bits.layout();
        let (size, within) = (self.bits.group_bytes(width), k % group);
        let group = &self.panel(panel)[k / group * size..][..size];
        let (scales, blocks) = group.split_at(self.bits.scale_bytes(width));
        let scale = f16_value(u16::from_ne_bytes([scales[2 * column], scales[2 * column + 1]]));
        let (vector, lane, pair) = (column / LANES, column % LANES, within / 2);
        let index = pair / block_pairs * (width / LANES) + vector;
        let block = &blocks[index * block_bytes..][..block_bytes];
        // Number and bits of the part of a word that has this one, of parts with as many bits.
        let part = |pairs: usize, bits: usize, words: &[u8]| {
            let at = bits * (pair % pairs + if k.is_multiple_of(2) { pairs } else { 0 });
            words[word_byte(lane, at / 8)] >> (at % 8) & ((1 << bits) - 1)
        };
        match self.bits {
            Bits::Eight => (f32::from(block[2 * (pair % 2 * LANES + lane) + 1 - k % 2] as i8), scale),
            Bits::Four => (f32::from(part(4, 4, block)) - 8.0, scale),
            Bits::Six => {
                let words = size_of::<u32>() * LANES;
                let low = part(4, 4, &block[pair % 8 / 4 * words..]);
                let high = part(8, 2, &block[2 * words..]);
                let own = scales[(size_of::<u16>() + pair / scale_pairs) * width + column] as i8;
                (f32::from(low | high << 4) - 32.0, scale * f32::from(own))
            }
        }
    }

    /// Returns a weight.
    pub(crate) fn weight(&self, k: usize, column: usize) -> f32 {
        let (number, scale) = self.number(k, column);
        number * scale
    }
}

/// Returns the index of a byte of a word in a block of words, the lowest one first.
const fn word_byte(word: usize, byte: usize) -> usize {
    word * size_of::<u32>() + if cfg!(target_endian = "little") { byte } else { size_of::<u32>() - 1 - byte }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::formats::GROUP;
    use crate::kernels::formats::quantise::quantise;
    use crate::kernels::units::MAX_F16;

    #[test]
    fn the_largest_magnitude_takes_the_last_number() {
        let stored = |bits: Bits, weights: [f32; GROUP]| {
            let mut data = AlignedBuffer::new(bits.panel_bytes(GROUP, LANES));
            quantise(InstructionSet::best(), bits, &weights.map(|weight| [weight; LANES]), LANES, 0, &mut data);
            let panels = vec![Panel { column: 0, width: LANES, offset: 0 }];
            let grouped = Grouped { bits, depth: GROUP, panels, data };
            std::array::from_fn::<f32, GROUP, _>(|k| grouped.weight(k, 3))
        };
        let weights = std::array::from_fn(|i| if i == 7 { -3.5 } else { (i as f32 * 0.37).sin() });
        for (bits, step) in [(Bits::Eight, 3.5 / 127.0), (Bits::Four, 3.5 / 8.0)] {
            let stored = stored(bits, weights);
            assert!((stored[7] + 3.5).abs() <= 3.5 / 32.0);
            let limit = |weight: f32| step * 0.52 + weight.abs() / 256.0;
            assert!(weights.iter().zip(stored).all(|(weight, stored)| (weight - stored).abs() <= limit(*weight)));
        }
        // Weights too small for any f16 are zero, and huge ones stay finite.
        assert_eq!(stored(Bits::Four, [1e-9; GROUP]), [0.0; GROUP]);
        assert_eq!(stored(Bits::Eight, [1e30; GROUP]), [127.0 * MAX_F16; GROUP]);
    }
}
