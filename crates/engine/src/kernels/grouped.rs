//! Weights of eight or four bits: integers with a scale for each column and group of 32 neighbours in k.
//!
//! The numbers are those of GGUF's `Q8_0` and `Q4_0`: integers from -127 to 127, or from -8 to 7, and a scale in f16. A
//! weight is `number * scale`, which is exact in f32, rounded to bf16. Products are those of the same weights in
//! [`bf16`](super::bf16), bit for bit, forwards and backwards. Only their place in memory is smaller.
//!
//! A panel of `width` columns holds the groups in order. A group holds the columns' scales, followed by blocks of pairs of
//! k, sixteen columns side by side. The values of a pair are in the order of columns, of each the second, then the first
//! one, thirty-two in all. Eight bits have blocks of one pair. Four bits have blocks of four pairs: word `i` of a block has
//! the values `i` and `i + 16` of the first pair in its lowest two nibbles, then those of the other pairs, each increased
//! by 8.

use std::ops::Range;

use super::InstructionSet;
use super::bf16::round_to_bf16;
use super::buffer::AlignedBuffer;
use super::dispatch::kernel;
use super::grouped_product::Groups;
use super::panels::{PANEL, Panel};
use super::simd::{LANES, Simd};

/// Number of neighbours in k that share a scale.
pub(super) const GROUP: usize = 32;
/// Number of pairs of k in a group.
pub(super) const PAIRS: usize = GROUP / 2;
/// Largest finite f16.
const MAX_F16: f32 = 65504.0;

/// Number of bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bits {
    Eight,
    Four,
}

impl Bits {
    /// Returns the number of pairs in a block.
    pub(super) const fn block_pairs(self) -> usize {
        match self {
            Self::Eight => 1,
            Self::Four => 4,
        }
    }

    /// Returns the size in bytes of a block of sixteen columns.
    pub(super) const fn block_bytes(self) -> usize {
        match self {
            Self::Eight => 2 * LANES,
            Self::Four => 4 * LANES,
        }
    }

    /// Returns the size in bytes of a group of `width` columns.
    pub(super) const fn group_bytes(self, width: usize) -> usize {
        size_of::<u16>() * width + PAIRS / self.block_pairs() * self.block_bytes() * (width / LANES)
    }

    /// Returns the size in bytes of a panel.
    pub(super) const fn panel_bytes(self, depth: usize, width: usize) -> usize {
        depth.div_ceil(GROUP) * self.group_bytes(width)
    }
}

/// Returns the f16 nearest to a finite `x` of at most [`MAX_F16`], ties to even.
pub(super) fn f16_bits(x: f32) -> u16 {
    // Adding this power of two leaves a multiple of the last place that an f16 of this magnitude has.
    let magnitude = x.abs();
    let exponent = (magnitude.to_bits() >> 23).max(127 - 14);
    let rounder = f32::from_bits((exponent + 13) << 23);
    let rounded = (magnitude + rounder) - rounder;
    // In units of 2^112, the exponents of f32 are those of f16, also of subnormal ones.
    let bits = (rounded * f32::from_bits((127 - 112) << 23)).to_bits() >> 13;
    bits as u16 | (x.to_bits() >> 16 & 0x8000) as u16
}

/// Returns the value of a finite f16.
#[inline(always)]
pub(super) fn f16_value(bits: u16) -> f32 {
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23);
    f32::from_bits(magnitude.to_bits() | u32::from(bits & 0x8000) << 16)
}

/// A matrix `[depth, columns]` of grouped weights.
pub(super) struct Grouped {
    pub(super) bits: Bits,
    pub(super) depth: usize,
    pub(super) panels: Vec<Panel>,
    pub(super) data: AlignedBuffer<u8>,
}

impl Grouped {
    /// Returns the bytes of a panel.
    pub(super) fn panel(&self, panel: Panel) -> &[u8] {
        &self.data[panel.offset..][..self.bits.panel_bytes(self.depth, panel.width)]
    }

    /// Returns the weights of a panel for a range of k, which begins with a group.
    pub(super) fn groups(&self, panel: Panel, steps: Range<usize>) -> Groups<'_> {
        assert!(steps.start.is_multiple_of(GROUP) && steps.end <= self.depth, "blocks hold whole groups");
        let first = steps.start / GROUP * self.bits.group_bytes(panel.width);
        Groups::new(self.bits, panel.width, steps.len(), &self.panel(panel)[first..])
    }

    /// Writes a part of the transposed matrix: the columns `columns` as pairs of steps, and the values of k of a panel of the
    /// transposed matrix as columns. The second half of an odd number's last pair is zero.
    ///
    /// # Panics
    /// If `columns` begins with an odd number.
    pub(super) fn transpose(&self, set: InstructionSet, panel: Panel, columns: Range<usize>, weights: &mut [u32]) {
        assert!(columns.start.is_multiple_of(2), "columns come in pairs");
        let steps = panel.column..self.depth.min(panel.column + panel.width);
        let mut unpacked = [0; PANEL / 2 * PANEL];
        for source in &self.panels {
            let part = columns.start.max(source.column)..columns.end.min(source.column + source.width);
            if part.is_empty() {
                continue;
            }
            self.groups(*source, steps.clone()).unpack(set, &mut unpacked);
            let places = weights[(part.start - columns.start) / 2 * panel.width..].chunks_exact_mut(panel.width);
            for (place, column) in places.zip(part.clone().step_by(2)) {
                let column = column - source.column;
                let rows = unpacked.chunks_exact(source.width).zip(place.chunks_mut(2));
                for (row, pairs) in rows.take(steps.len().div_ceil(2)) {
                    let left = row[column];
                    let right = if column + 1 < part.end - source.column { row[column + 1] } else { 0 };
                    pairs[0] = left & 0xffff_0000 | right >> 16;
                    if let Some(second) = pairs.get_mut(1) {
                        *second = left << 16 | right & 0xffff;
                    }
                }
            }
        }
    }

    /// Returns a weight.
    pub(super) fn weight(&self, k: usize, column: usize) -> f32 {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let (column, width) = (column - panel.column, panel.width);
        let size = self.bits.group_bytes(width);
        let (scales, blocks) = self.panel(panel)[k / GROUP * size..][..size].split_at(size_of::<u16>() * width);
        let scale = u16::from_ne_bytes([scales[2 * column], scales[2 * column + 1]]);
        let (vector, value, pair) = (column / LANES, 2 * (column % LANES) + 1 - k % 2, k % GROUP / 2);
        let index = pair / self.bits.block_pairs() * (width / LANES) + vector;
        let block = &blocks[index * self.bits.block_bytes()..][..self.bits.block_bytes()];
        let number = match self.bits {
            Bits::Eight => block[value] as i8,
            Bits::Four => {
                let nibble = 2 * (pair % 4) + value / LANES;
                (block[word_byte(value % LANES, nibble)] >> (4 * (nibble % 2)) & 15) as i8 - 8
            }
        };
        round_to_bf16(f32::from(number) * f16_value(scale))
    }
}

/// Returns the index of the byte that holds a nibble of a word in a block of words.
const fn word_byte(word: usize, nibble: usize) -> usize {
    let byte = nibble / 2;
    word * size_of::<u32>() + if cfg!(target_endian = "little") { byte } else { size_of::<u32>() - 1 - byte }
}

kernel! {
    /// Rounds sixteen columns, `[depth][16]`, into their place in a panel. The largest magnitude of a group becomes 127 of
    /// eight bits, and -8 of four bits, which have one more negative number than positive ones.
    pub(super) fn quantise(bits: Bits, strip: &[[f32; LANES]], width: usize, column: usize, panel: &mut [u8])
        = quantise_generic;
}

#[inline(always)]
fn quantise_generic<S: Simd>(
    simd: S,
    bits: Bits,
    strip: &[[f32; LANES]],
    width: usize,
    column: usize,
    panel: &mut [u8],
) {
    let (least, most) = match bits {
        Bits::Eight => (-127.0, 127.0),
        Bits::Four => (-8.0, 7.0),
    };
    for (strip, group) in strip.chunks(GROUP).zip(panel.chunks_exact_mut(bits.group_bytes(width))) {
        let (mut lowest, mut highest) = (simd.zero(), simd.zero());
        for weights in strip {
            let weights = simd.load(weights);
            (lowest, highest) = (simd.min(lowest, weights), simd.max(highest, weights));
        }
        let (mut low, mut high, mut steps) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        simd.store(lowest, &mut low);
        simd.store(highest, &mut high);
        let (scales, blocks) = group.split_at_mut(size_of::<u16>() * width);
        let scales = scales[2 * column..].as_chunks_mut::<2>().0;
        for ((scale, step), (low, high)) in scales.iter_mut().zip(&mut steps).zip(low.into_iter().zip(high)) {
            let exact = match bits {
                Bits::Eight => high.max(-low) / most,
                Bits::Four => (if high > -low { high } else { low }) / least,
            };
            let rounded = f16_bits(exact.clamp(-MAX_F16, MAX_F16));
            *scale = rounded.to_ne_bytes();
            // The weights of a step of zero are less than half of the least f16, and become zero.
            *step = if rounded & 0x7fff == 0 { f32::INFINITY } else { f16_value(rounded) };
        }
        let (step, least, most) = (simd.load(&steps), simd.splat(least), simd.splat(most));
        let number = |weights: Option<&[f32; LANES]>| {
            let number = simd.round(simd.div(weights.map_or(simd.zero(), |weights| simd.load(weights)), step));
            let mut numbers = [0.0; LANES];
            simd.store(simd.max(least, simd.min(most, number)), &mut numbers);
            numbers.map(|number| number as i8)
        };
        let vectors = blocks.chunks_exact_mut(bits.block_bytes()).skip(column / LANES).step_by(width / LANES);
        for (i, block) in vectors.enumerate() {
            for j in 0..bits.block_pairs() {
                let k = 2 * (i * bits.block_pairs() + j);
                put_pair(bits, block, j, number(strip.get(k)), number(strip.get(k + 1)));
            }
        }
    }
}

/// Writes the numbers of a pair of k and sixteen columns to a zeroed block.
#[inline(always)]
fn put_pair(bits: Bits, block: &mut [u8], pair: usize, first: [i8; LANES], second: [i8; LANES]) {
    for column in 0..LANES {
        for (number, value) in [(second[column], 2 * column), (first[column], 2 * column + 1)] {
            match bits {
                Bits::Eight => block[value] = number as u8,
                Bits::Four => {
                    let nibble = 2 * pair + value / LANES;
                    block[word_byte(value % LANES, nibble)] |= ((number + 8) as u8) << (4 * (nibble % 2));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_is_read_and_written_back() {
        for bits in (0..=0xffff_u16).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let exponent = i32::from(bits >> 10 & 31);
            let mantissa = f64::from(bits & 1023) + if exponent == 0 { 0.0 } else { 1024.0 };
            let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
            let value = sign * mantissa * 2f64.powi(exponent.max(1) - 25);
            assert_eq!(f64::from(f16_value(bits)), value);
            assert_eq!(f16_bits(value as f32), bits);
            // A quarter of the way to the next one is rounded back, three quarters are not.
            if bits & 0x7fff < 0x7bff {
                let next = f64::from(f16_value(bits + 1));
                assert_eq!(f16_bits((value + 0.25 * (next - value)) as f32), bits);
                assert_eq!(f16_bits((value + 0.75 * (next - value)) as f32), bits + 1);
                let even = if bits % 2 == 0 { bits } else { bits + 1 };
                assert_eq!(f16_bits((value + 0.5 * (next - value)) as f32), even);
            }
        }
    }

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
            assert!((stored[7] + 3.5).abs() <= 3.5 / 256.0);
            let limit = |weight: f32| step / 2.0 + weight.abs() / 256.0;
            assert!(weights.iter().zip(stored).all(|(weight, stored)| (weight - stored).abs() <= limit(*weight)));
        }
        // Weights too small for any f16 are zero, and huge ones stay finite.
        assert_eq!(stored(Bits::Four, [1e-9; GROUP]), [0.0; GROUP]);
        assert_eq!(stored(Bits::Eight, [1e30; GROUP]), [round_to_bf16(127.0 * MAX_F16); GROUP]);
    }
}
