//! Weights of eight, six or four bits: integers with scales for each column and group of neighbours in k.
//!
//! The numbers of eight and four bits are those of GGUF's `Q8_0` and `Q4_0`: integers from -127 to 127, or from -8 to 7, and a
//! scale in f16 for every 32. Those of six bits are GGUF's `Q6_K`: integers from -32 to 31, for every 16 a scale that is an integer
//! of eight bits times one in f16. [`int8_product`] and [`chained_product`](super::chained_product) say which products they give.
//!
//! A panel of `width` columns holds the groups in order. A group holds the columns' scales, followed by blocks of pairs of
//! k, sixteen columns side by side.
//!
//! Eight bits have blocks of one pair: of each column in turn the second number, then the first one. Four bits have blocks
//! of four pairs: a word of 32 bits for each column, whose upper half has the first numbers and whose lower half the second
//! ones, those of the first pair in the lowest bits, each number increased by 8. Six bits have blocks of eight pairs: two such
//! vectors of words with the lower four bits of numbers that are increased by 32, followed by one with the upper two bits, in
//! the same order. A group of them holds 64 neighbours: the scales in f16, then the integers for the first 16, and so on.

use std::ops::Range;

use super::InstructionSet;
use super::bf16::{Ahead, Emulated, PairProduct, round_to_bf16};
use super::buffer::AlignedBuffer;
use super::chained_product::{Chained, Four, Six};
use super::dispatch::kernel;
use super::int8_product;
use super::panels::{PANEL, Panel};
use super::simd::{LANES, Simd};

/// Number of neighbours in k of a group of eight or four bits.
pub(super) const GROUP: usize = 32;
/// Number of pairs of k in such a group.
pub(super) const PAIRS: usize = GROUP / 2;
/// Number of pairs of k, in whole groups, that are unpacked at once: those of a panel fit into the first-level cache.
pub(super) const UNPACKED_PAIRS: usize = 128;
/// Largest finite f16.
const MAX_F16: f32 = 65504.0;

/// Number of bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bits {
    Eight,
    /// Only from files.
    Six,
    Four,
}

impl Bits {
    /// Returns the number of neighbours in k of a group.
    pub(super) const fn group(self) -> usize {
        match self {
            Self::Eight | Self::Four => GROUP,
            Self::Six => 64,
        }
    }

    /// Returns the number of pairs of k in a group.
    pub(super) const fn group_pairs(self) -> usize {
        self.group() / 2
    }

    /// Returns the number of pairs in a block.
    pub(super) const fn block_pairs(self) -> usize {
        match self {
            Self::Eight => 1,
            Self::Six => 8,
            Self::Four => 4,
        }
    }

    /// Returns the size in bytes of a block of sixteen columns.
    pub(super) const fn block_bytes(self) -> usize {
        match self {
            Self::Eight => 2 * LANES,
            Self::Six => 12 * LANES,
            Self::Four => 4 * LANES,
        }
    }

    /// Returns the size in bytes of the scales of a group of `width` columns.
    pub(super) const fn scale_bytes(self, width: usize) -> usize {
        match self {
            Self::Eight | Self::Four => size_of::<u16>() * width,
            Self::Six => (size_of::<u16>() + Six::CHAINS) * width,
        }
    }

    /// Returns the size in bytes of a group of `width` columns.
    pub(super) const fn group_bytes(self, width: usize) -> usize {
        self.scale_bytes(width) + self.group_pairs() / self.block_pairs() * self.block_bytes() * (width / LANES)
    }

    /// Returns the size in bytes of a panel.
    pub(super) const fn panel_bytes(self, depth: usize, width: usize) -> usize {
        depth.div_ceil(self.group()) * self.group_bytes(width)
    }
}

/// Rounding of weights that are read one by one.
#[derive(Clone, Copy)]
pub(super) enum Rounding {
    /// That of products of the forward pass: weights of eight bits are rounded to bf16.
    OfProducts,
    None,
}

impl Rounding {
    pub(super) fn apply(self, bits: Bits, weight: f32) -> f32 {
        match (self, bits) {
            (Self::OfProducts, Bits::Eight) => round_to_bf16(weight),
            _ => weight,
        }
    }
}

/// Weights of a panel from the beginning of a group on.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a> {
    pub bits: Bits,
    /// Number of columns of the panel.
    pub width: usize,
    /// Number of pairs of k.
    pub pairs: usize,
    pub data: &'a [u8],
}

impl<'a> Groups<'a> {
    /// Returns the groups with their sizes checked.
    ///
    /// # Panics
    /// If `data` is too short or not aligned to words, the width is not that of a panel, or a group of six bits is not whole.
    pub(super) fn new(bits: Bits, width: usize, depth: usize, data: &'a [u8]) -> Self {
        assert!(width.is_multiple_of(LANES) && width <= PANEL, "columns come in whole vectors of a panel");
        assert!(data.len() >= bits.panel_bytes(depth, width), "all groups are there");
        assert!(data.as_ptr().cast::<u32>().is_aligned(), "words are aligned");
        assert!(bits != Bits::Six || depth.is_multiple_of(bits.group()), "files have whole groups");
        Self { bits, width, pairs: depth.div_ceil(2), data: &data[..bits.panel_bytes(depth, width)] }
    }

    /// Divides a product with these groups into parts of [`UNPACKED_PAIRS`] pairs, the last one of fewer. Each prefetches the
    /// groups of the next one.
    pub(super) fn blocks(self, product: PairProduct) -> impl Iterator<Item = (PairProduct, Self)> {
        let bytes = UNPACKED_PAIRS / self.bits.group_pairs() * self.bits.group_bytes(self.width);
        (0..self.pairs).step_by(UNPACKED_PAIRS).zip(self.data.chunks(bytes)).map(move |(first, data)| {
            let pairs = UNPACKED_PAIRS.min(self.pairs - first);
            let next = self.data.chunks(bytes).nth(first / UNPACKED_PAIRS + 1);
            let ahead = next.map_or(product.ahead, Ahead::of);
            (PairProduct { ahead, ..product.part(first, pairs) }, Self { pairs, data, ..self })
        })
    }

    /// Writes the weights as pairs of bf16, `[pairs][width]`. The second weight of an odd number is zero.
    fn unpack(self, set: InstructionSet, weights: &mut [u32]) {
        match self.bits {
            Bits::Eight => int8_product::unpack(set, self, weights),
            Bits::Six => unpack_int6(set, self, weights),
            Bits::Four => unpack_int4(set, self, weights),
        }
    }
}

kernel! {
    fn unpack_int4(groups: Groups<'_>, weights: &mut [u32]) = unpack_generic::<Four, _>;
}

kernel! {
    fn unpack_int6(groups: Groups<'_>, weights: &mut [u32]) = unpack_generic::<Six, _>;
}

#[inline(always)]
fn unpack_generic<F: Chained, S: Simd>(simd: S, groups: Groups<'_>, weights: &mut [u32]) {
    assert!(groups.bits == F::BITS, "the groups have this format");
    let (bits, width) = (F::BITS, groups.width);
    let weights = weights[..groups.pairs * width].chunks_mut(bits.group_pairs() * width);
    for (group, weights) in groups.data.chunks_exact(bits.group_bytes(width)).zip(weights) {
        let blocks = group[bits.scale_bytes(width)..].chunks_exact(bits.block_bytes());
        for (j, block) in blocks.enumerate() {
            let (vector, first) = (j % (width / LANES), j / (width / LANES) * bits.block_pairs());
            // SAFETY: all of the group is there, and words and scales are aligned.
            let scale = unsafe { F::scale(simd, group.as_ptr(), width, vector * LANES, first / F::CHAIN_PAIRS) };
            let rows = weights.chunks_exact_mut(width).skip(first).take(bits.block_pairs());
            for (pair, row) in rows.enumerate() {
                // SAFETY: as above.
                let [first, second] = unsafe { F::load(Emulated(simd), block.as_ptr(), pair) };
                let first = simd.round_to_bf16(simd.mul(first, scale));
                let second = simd.round_to_bf16(simd.mul(second, scale));
                row[vector * LANES..][..LANES].copy_from_slice(&simd.pairs(first, second));
            }
        }
    }
}

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

/// Returns the f16 nearest to a finite `x` of at most [`MAX_F16`], ties to even.
#[inline(always)]
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

/// Returns the f16 with five significant bits that is nearest to one. The product of such a scale and a number of four bits
/// is exact in bf16, so the backward pass multiplies the forward pass's weights.
#[inline(always)]
fn five_bits(scale: u16) -> u16 {
    // Six of the ten stored bits go. The largest f16 has no larger neighbour.
    (scale + 0x20).min(0x7bff | scale & 0x8000) & !0x3f
}

/// Returns the divisor of weights for a scale. Weights of a scale of zero are less than half of the least f16, and become
/// zero.
#[inline(always)]
fn step(scale: u16) -> f32 {
    if scale & 0x7fff == 0 { f32::INFINITY } else { f16_value(scale) }
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
        let group = self.bits.group();
        assert!(steps.start.is_multiple_of(group) && steps.end <= self.depth, "blocks hold whole groups");
        let first = steps.start / group * self.bits.group_bytes(panel.width);
        Groups::new(self.bits, panel.width, steps.len(), &self.panel(panel)[first..])
    }

    /// Writes a part of the transposed matrix: the columns `columns` as pairs of steps, and the values of k of a panel of the
    /// transposed matrix as columns.
    ///
    /// # Panics
    /// If `columns` begins or ends with a half of a pair.
    pub(super) fn transpose(&self, set: InstructionSet, panel: Panel, columns: Range<usize>, weights: &mut [u32]) {
        assert!(columns.start.is_multiple_of(2) && columns.end.is_multiple_of(2), "columns come in pairs");
        let steps = panel.column..self.depth.min(panel.column + panel.width);
        let mut unpacked = [0; PANEL / 2 * PANEL];
        for source in &self.panels {
            let part = columns.start.max(source.column)..columns.end.min(source.column + source.width);
            if part.is_empty() {
                continue;
            }
            let unpacked = &mut unpacked[..steps.len().div_ceil(2) * source.width];
            self.groups(*source, steps.clone()).unpack(set, unpacked);
            transpose_pairs(set, unpacked);
            let places = weights[(part.start - columns.start) / 2 * panel.width..].chunks_exact_mut(panel.width);
            for (place, column) in places.zip(part.step_by(2)) {
                let rows = unpacked.chunks_exact(source.width);
                for (pairs, row) in place.as_chunks_mut().0.iter_mut().zip(rows) {
                    *pairs = row.as_chunks::<2>().0[(column - source.column) / 2];
                }
            }
        }
    }

    /// Returns number and scale of a weight.
    pub(super) fn number(&self, k: usize, column: usize) -> (f32, f32) {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let (column, width) = (column - panel.column, panel.width);
        let (size, within) = (self.bits.group_bytes(width), k % self.bits.group());
        let group = &self.panel(panel)[k / self.bits.group() * size..][..size];
        let (scales, blocks) = group.split_at(self.bits.scale_bytes(width));
        let scale = f16_value(u16::from_ne_bytes([scales[2 * column], scales[2 * column + 1]]));
        let (vector, lane, pair) = (column / LANES, column % LANES, within / 2);
        let index = pair / self.bits.block_pairs() * (width / LANES) + vector;
        let block = &blocks[index * self.bits.block_bytes()..][..self.bits.block_bytes()];
        // Number and bits of the part of a word that has this one, of parts with as many bits.
        let part = |pairs: usize, bits: usize, words: &[u8]| {
            let at = bits * (pair % pairs + if k.is_multiple_of(2) { pairs } else { 0 });
            words[word_byte(lane, at / 8)] >> (at % 8) & ((1 << bits) - 1)
        };
        match self.bits {
            Bits::Eight => (f32::from(block[2 * lane + 1 - k % 2] as i8), scale),
            Bits::Four => (f32::from(part(4, 4, block)) - 8.0, scale),
            Bits::Six => {
                let words = size_of::<u32>() * LANES;
                let low = part(4, 4, &block[pair % 8 / 4 * words..]);
                let high = part(8, 2, &block[2 * words..]);
                let own = scales[(size_of::<u16>() + within / (2 * Six::CHAIN_PAIRS)) * width + column] as i8;
                (f32::from(low | high << 4) - 32.0, scale * f32::from(own))
            }
        }
    }

    /// Returns a weight.
    pub(super) fn weight(&self, k: usize, column: usize, rounding: Rounding) -> f32 {
        let (number, scale) = self.number(k, column);
        rounding.apply(self.bits, number * scale)
    }
}

/// Returns the index of a byte of a word in a block of words, the lowest one first.
const fn word_byte(word: usize, byte: usize) -> usize {
    word * size_of::<u32>() + if cfg!(target_endian = "little") { byte } else { size_of::<u32>() - 1 - byte }
}

kernel! {
    /// Rounds sixteen columns, `[depth][16]`, into their place in a panel. The largest magnitude of a group becomes 127 of
    /// eight bits, and -8 of four bits, which have one more negative number than positive ones.
    ///
    /// # Panics
    /// If weights are to have six bits: those come from files.
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
    assert_ne!(bits, Bits::Six, "weights of six bits come from files");
    let in_bytes = bits == Bits::Eight;
    let (least, most) = if in_bytes { (-127.0, 127.0) } else { (-8.0, 7.0) };
    for (strip, group) in strip.chunks(GROUP).zip(panel.chunks_exact_mut(bits.group_bytes(width))) {
        let (mut lowest, mut highest) = (simd.zero(), simd.zero());
        for weights in strip {
            let weights = simd.load(weights);
            (lowest, highest) = (simd.min(lowest, weights), simd.max(highest, weights));
        }
        let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
        simd.store(lowest, &mut low);
        simd.store(highest, &mut high);
        let mut scale = for_lanes(|lane| {
            let (low, high) = (low[lane], high[lane]);
            let exact = if in_bytes { high.max(-low) / 127.0 } else { (if high > -low { high } else { low }) / -8.0 };
            f16_bits(exact.clamp(-MAX_F16, MAX_F16))
        });
        if !in_bytes {
            // A scale of more bits stays only where it represents every weight, as that of a file of such weights does. There
            // the number of the largest magnitude is -8, or any other one if a group of the file has more weights.
            let mut rests = rests_of(simd, strip, scale);
            for largest in (1..8u8).rev() {
                let other = for_lanes(|lane| f16_bits((high[lane].max(-low[lane]) / f32::from(largest)).min(MAX_F16)));
                if rests_of(simd, &strip[..1], other).iter().all(|rest| *rest != 0.0) {
                    continue;
                }
                for (lane, rest) in rests_of(simd, strip, other).into_iter().enumerate() {
                    if rest == 0.0 && rests[lane] != 0.0 {
                        (scale[lane], rests[lane]) = (other[lane], rest);
                    }
                }
            }
            for (scale, rest) in scale.iter_mut().zip(rests) {
                *scale = if rest == 0.0 { *scale } else { five_bits(*scale) };
            }
        }
        let (scales, blocks) = group.split_at_mut(size_of::<u16>() * width);
        for (bytes, scale) in scales[2 * column..].as_chunks_mut().0.iter_mut().zip(scale) {
            *bytes = scale.to_ne_bytes();
        }
        let (step, least, most) =
            (simd.load(&for_lanes(|lane| step(scale[lane]))), simd.splat(least), simd.splat(most));
        let range = [step, least, most];
        let vectors = blocks.chunks_exact_mut(bits.block_bytes()).skip(column / LANES).step_by(width / LANES);
        for (i, block) in vectors.enumerate() {
            if in_bytes {
                let first = numbers(simd, strip.get(2 * i), range);
                let second = numbers(simd, strip.get(2 * i + 1), range);
                for (lane, bytes) in block.as_chunks_mut().0.iter_mut().enumerate() {
                    *bytes = ((first[lane] << 8 | second[lane] & 0xff) as u16).to_le_bytes();
                }
                continue;
            }
            let mut words = [0; LANES];
            for j in 0..4 {
                let first = numbers(simd, strip.get(8 * i + 2 * j), range);
                let second = numbers(simd, strip.get(8 * i + 2 * j + 1), range);
                for (lane, word) in words.iter_mut().enumerate() {
                    let (first, second) = (first[lane].wrapping_add(8) & 15, second[lane].wrapping_add(8) & 15);
                    *word |= second << (4 * j) | first << (4 * (4 + j));
                }
            }
            for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_ne_bytes();
            }
        }
    }
}

/// Returns the numbers between `least` and `most` that are nearest to weights in units of `step`, zeros without weights. Their two's
/// complement is in the lower 22 bits. The weights are finite.
#[inline(always)]
fn numbers<S: Simd>(simd: S, weights: Option<&[f32; LANES]>, [step, least, most]: [S::V; 3]) -> [u32; LANES] {
    // In this range of f32 the last bit is worth one.
    const OFFSET: f32 = (3 << 22) as f32;
    let number = simd.round(simd.div(weights.map_or(simd.zero(), |weights| simd.load(weights)), step));
    let mut numbers = [0.0; LANES];
    simd.store(simd.add(simd.max(least, simd.min(most, number)), simd.splat(OFFSET)), &mut numbers);
    for_lanes(|lane| numbers[lane].to_bits())
}

/// Calls `f` for each lane. Compilers do not inline the standard library's functions for this in large kernels.
#[inline(always)]
fn for_lanes<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; LANES] {
    let mut values = [T::default(); LANES];
    values.iter_mut().enumerate().for_each(|(lane, value)| *value = f(lane));
    values
}

/// Returns the largest magnitude of a column's weights less their nearest multiples of its scale.
#[inline(always)]
fn rests_of<S: Simd>(simd: S, strip: &[[f32; LANES]], scale: [u16; LANES]) -> [f32; LANES] {
    let steps = simd.load(&for_lanes(|lane| step(scale[lane])));
    let mut largest = simd.zero();
    for weights in strip {
        let weights = simd.load(weights);
        let rest = simd.neg_mul_add(simd.round(simd.div(weights, steps)), steps, weights);
        largest = simd.max(largest, simd.max(rest, simd.sub(simd.zero(), rest)));
    }
    let mut rests = [0.0; LANES];
    simd.store(largest, &mut rests);
    rests
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
            std::array::from_fn::<f32, GROUP, _>(|k| grouped.weight(k, 3, Rounding::OfProducts))
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
        assert_eq!(stored(Bits::Eight, [1e30; GROUP]), [round_to_bf16(127.0 * MAX_F16); GROUP]);
    }
}
