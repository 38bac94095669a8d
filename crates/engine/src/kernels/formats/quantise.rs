//! Rounding of weights to integers of eight and four bits with the scales of groups.

use super::groups::{BlockFormat, GROUP};
use crate::kernels::units::{LANES, MAX_F16, Simd, f16_bits, f16_value, kernel};

kernel! {
    /// Rounds sixteen columns, `[depth][16]`, into their position in a panel. The largest magnitude of a group becomes 127 of
    /// eight bits, and -8 of four bits, which have one more negative number than positive ones.
    ///
    /// # Panics
    /// If the format is none that weights are rounded to.
    pub(crate) fn quantise(blocks: BlockFormat, strip: &[[f32; LANES]], width: usize, column: usize, panel: &mut [u8])
        = quantise_generic;
}

#[inline(always)]
fn quantise_generic<S: Simd>(
    simd: S,
    blocks: BlockFormat,
    strip: &[[f32; LANES]],
    width: usize,
    column: usize,
    panel: &mut [u8],
) {
    assert!(blocks.is_computed(), "weights of other formats come from files");
    let (in_bytes, block_bytes) = (blocks == BlockFormat::Q8_0, blocks.layout().numbers.block_bytes());
    let (least, most) = if in_bytes { (-127.0, 127.0) } else { (-8.0, 7.0) };
    for (strip, group) in strip.chunks(GROUP).zip(panel.chunks_exact_mut(blocks.group_bytes(width))) {
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
        let (scales, vectors) = group.split_at_mut(size_of::<u16>() * width);
        for (bytes, scale) in scales[2 * column..].as_chunks_mut().0.iter_mut().zip(scale) {
            *bytes = scale.to_ne_bytes();
        }
        let (step, least, most) =
            (simd.load(&for_lanes(|lane| step(scale[lane]))), simd.splat(least), simd.splat(most));
        let range = [step, least, most];
        let vectors = vectors.chunks_exact_mut(block_bytes).skip(column / LANES).step_by(width / LANES);
        for (i, block) in vectors.enumerate() {
            if in_bytes {
                for (j, pairs) in block.chunks_exact_mut(2 * LANES).enumerate() {
                    let first = numbers(simd, strip.get(4 * i + 2 * j), range);
                    let second = numbers(simd, strip.get(4 * i + 2 * j + 1), range);
                    for (lane, bytes) in pairs.as_chunks_mut().0.iter_mut().enumerate() {
                        *bytes = ((first[lane] << 8 | second[lane] & 0xff) as u16).to_le_bytes();
                    }
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
