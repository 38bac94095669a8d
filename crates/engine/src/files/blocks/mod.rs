//! Readers of GGUF's blocks of quantised weights: the weights of a block as f32.
//!
//! Layouts and the order of operations are those of llama.cpp's `ggml-quants.c` and its package `gguf`, so the values
//! are theirs to the bit. Here are numbers with scales and minima, and numbers that stand for levels (`IQ4`, `FP4`);
//! [`grids`] has blocks whose groups of weights stand in a table. A reader takes a block as an array, so its sizes are
//! part of its type, from which [`element_types`](super::element_types) takes them.

pub(super) mod grids;

use std::array::from_fn;

use crate::kernels::half_to_f32;

/// Levels of `IQ4_NL` and `IQ4_XS`.
const IQ4_LEVELS: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
/// Twice the values of floats of four bits.
const FP4_LEVELS: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Reads the blocks of a row.
pub(super) fn read_row<const BYTES: usize, const WEIGHTS: usize>(
    read: fn(&[u8; BYTES]) -> [f32; WEIGHTS],
    row: &[u8],
    values: &mut [f32],
) {
    for (block, values) in row.as_chunks().0.iter().zip(values.as_chunks_mut().0) {
        *values = read(block);
    }
}

/// Returns numbers of `BITS` bits. Those of each `RUN` bytes come in turns, the ones of the lowest bits first.
#[inline(always)]
fn numbers<const BITS: usize, const RUN: usize, const COUNT: usize>(bytes: &[u8]) -> [u8; COUNT] {
    let mut numbers = [0; COUNT];
    for (bytes, turns) in bytes.as_chunks::<RUN>().0.iter().zip(numbers.chunks_exact_mut(RUN * 8 / BITS)) {
        for (turn, numbers) in turns.as_chunks_mut::<RUN>().0.iter_mut().enumerate() {
            *numbers = bytes.map(|byte| byte >> (BITS * turn) & ((1 << BITS) - 1));
        }
    }
    numbers
}

/// Returns numbers whose highest bit is elsewhere.
#[inline(always)]
fn with_high<const COUNT: usize>(low: [u8; COUNT], high: [u8; COUNT], bits: usize) -> [u8; COUNT] {
    from_fn(|i| low[i] | high[i] << bits)
}

/// Returns weights of equal groups by the scale of a group and the numbers.
#[inline(always)]
fn weights<S: Copy, const GROUPS: usize, const COUNT: usize>(
    scales: [S; GROUPS],
    numbers: [u8; COUNT],
    weight: impl Fn(S, u8) -> f32,
) -> [f32; COUNT] {
    let mut weights = [0.0; COUNT];
    let groups = weights.chunks_exact_mut(COUNT / GROUPS).zip(numbers.chunks_exact(COUNT / GROUPS));
    for ((weights, numbers), scale) in groups.zip(scales) {
        weights.iter_mut().zip(numbers).for_each(|(value, number)| *value = weight(scale, *number));
    }
    weights
}

/// Returns weights whose numbers are more by an offset.
#[inline(always)]
fn around<const GROUPS: usize, const COUNT: usize>(
    offset: f32,
    scales: [f32; GROUPS],
    numbers: [u8; COUNT],
) -> [f32; COUNT] {
    weights(scales, numbers, |scale, number| scale * (f32::from(number) - offset))
}

/// Returns weights whose numbers stand for levels.
#[inline(always)]
fn of_levels<const GROUPS: usize, const COUNT: usize>(
    levels: [i8; 16],
    scales: [f32; GROUPS],
    numbers: [u8; COUNT],
) -> [f32; COUNT] {
    weights(scales, numbers, |scale, number| scale * f32::from(levels[usize::from(number)]))
}

/// Returns a word of 16 bits.
#[inline(always)]
fn word(bytes: &[u8], index: usize) -> u16 {
    u16::from_le_bytes(bytes.as_chunks().0[index])
}

/// Returns the f16 in the first two bytes.
#[inline(always)]
fn half(bytes: &[u8]) -> f32 {
    half_to_f32(word(bytes, 0))
}

pub(super) fn q1_0(block: &[u8; 18]) -> [f32; 128] {
    weights([half(block)], numbers::<1, 1, _>(&block[2..]), |scale, bit| if bit == 1 { scale } else { -scale })
}

pub(super) fn q2_0(block: &[u8; 18]) -> [f32; 64] {
    around(1.0, [half(block)], numbers::<2, 1, _>(&block[2..]))
}

pub(super) fn q8_0(block: &[u8; 34]) -> [f32; 32] {
    let scale = half(block);
    from_fn(|i| scale * f32::from(block[2 + i] as i8))
}

pub(super) fn q4_0(block: &[u8; 18]) -> [f32; 32] {
    around(8.0, [half(block)], numbers::<4, 16, _>(&block[2..]))
}

pub(super) fn q4_1(block: &[u8; 20]) -> [f32; 32] {
    let min = half(&block[2..]);
    weights([half(block)], numbers::<4, 16, _>(&block[4..]), |scale, number| scale * f32::from(number) + min)
}

pub(super) fn q5_0(block: &[u8; 22]) -> [f32; 32] {
    around(16.0, [half(block)], five_bits(&block[2..]))
}

pub(super) fn q5_1(block: &[u8; 24]) -> [f32; 32] {
    let min = half(&block[2..]);
    weights([half(block)], five_bits(&block[4..]), |scale, number| scale * f32::from(number) + min)
}

/// Returns 32 numbers, whose highest bits come first.
#[inline(always)]
fn five_bits(bytes: &[u8]) -> [u8; 32] {
    with_high(numbers::<4, 16, _>(&bytes[4..]), numbers::<1, 1, _>(bytes), 4)
}

pub(super) fn q2_k(block: &[u8; 84]) -> [f32; 256] {
    let (scales, rest) = block.split_at(16);
    let (bytes, halves) = rest.split_at(64);
    let (scale, min) = (half(halves), half(&halves[2..]));
    let scales: [_; 16] = from_fn(|j| (scale * f32::from(scales[j] & 15), min * f32::from(scales[j] >> 4)));
    above_minima(scales, numbers::<2, 32, _>(bytes))
}

pub(super) fn q3_k(block: &[u8; 110]) -> [f32; 256] {
    let (high, rest) = block.split_at(32);
    let (low, rest) = rest.split_at(64);
    let (scales, scale) = rest.split_at(12);
    let scales: [u8; 16] = with_high(numbers::<4, 8, _>(&scales[..8]), numbers::<2, 4, _>(&scales[8..]), 4);
    let scales = around(32.0, [half(scale)], scales);
    around(4.0, scales, with_high(numbers::<2, 32, _>(low), numbers::<1, 32, _>(high), 2))
}

pub(super) fn q4_k(block: &[u8; 144]) -> [f32; 256] {
    above_minima(eight_scales(block), numbers::<4, 32, _>(&block[16..]))
}

pub(super) fn q5_k(block: &[u8; 176]) -> [f32; 256] {
    let (high, low) = block[16..].split_at(32);
    above_minima(eight_scales(block), with_high(numbers::<4, 32, _>(low), numbers::<1, 32, _>(high), 4))
}

pub(super) fn q6_k(block: &[u8; 210]) -> [f32; 256] {
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (scales, scale) = rest.split_at(16);
    let scale = half(scale);
    let scales: [_; 16] = from_fn(|j| scale * f32::from(scales[j] as i8));
    around(32.0, scales, with_high(numbers::<4, 64, _>(low), numbers::<2, 32, _>(high), 4))
}

/// Returns scale and minimum of each group of `Q4_K` and `Q5_K`. Both have six bits, the upper two of the last four
/// groups in the bytes of the first four.
fn eight_scales(block: &[u8]) -> [(f32, f32); 8] {
    let (scale, min, bytes) = (half(block), half(&block[2..]), &block[4..16]);
    from_fn(|j| {
        let (own_scale, own_min) = if j < 4 {
            (bytes[j] & 63, bytes[j + 4] & 63)
        } else {
            (bytes[j + 4] & 15 | bytes[j - 4] >> 6 << 4, bytes[j + 4] >> 4 | bytes[j] >> 6 << 4)
        };
        (scale * f32::from(own_scale), min * f32::from(own_min))
    })
}

/// Returns weights of groups with a scale and a minimum, which is stored negated.
#[inline(always)]
fn above_minima<const GROUPS: usize>(scales: [(f32, f32); GROUPS], numbers: [u8; 256]) -> [f32; 256] {
    weights(scales, numbers, |(scale, min), number| scale * f32::from(number) - min)
}

/// Numbers to the base three as fractions of a byte: five in each of 48 bytes, four in each of the next four.
pub(super) fn tq1_0(block: &[u8; 54]) -> [f32; 256] {
    let numbers = from_fn(|i| {
        let (byte, digit) = match i {
            0..160 => (i % 32, i / 32),
            160..240 => (32 + i % 16, (i - 160) / 16),
            _ => (48 + i % 4, (i - 240) / 4),
        };
        let fraction = block[byte].wrapping_mul(3_u8.pow(digit as u32));
        ((u16::from(fraction) * 3) >> 8) as u8
    });
    around(1.0, [half(&block[52..])], numbers)
}

pub(super) fn tq2_0(block: &[u8; 66]) -> [f32; 256] {
    around(1.0, [half(&block[64..])], numbers::<2, 32, _>(block))
}

pub(super) fn iq4_nl(block: &[u8; 18]) -> [f32; 32] {
    of_levels(IQ4_LEVELS, [half(block)], numbers::<4, 16, _>(&block[2..]))
}

pub(super) fn iq4_xs(block: &[u8; 136]) -> [f32; 256] {
    let (high, rest) = block[2..].split_at(2);
    let (low, bytes) = rest.split_at(4);
    let scales: [u8; 8] = with_high(numbers::<4, 1, _>(low), numbers::<2, 1, _>(high), 4);
    of_levels(IQ4_LEVELS, around(32.0, [half(block)], scales), numbers::<4, 16, _>(bytes))
}

/// Floats of four bits with a power of two.
pub(super) fn mxfp4(block: &[u8; 17]) -> [f32; 32] {
    // Half of it, since the levels are doubled. The two smallest are subnormal.
    let exponent = u32::from(block[0]);
    let scale = f32::from_bits(if exponent < 2 { 1 << (21 + exponent) } else { (exponent - 1) << 23 });
    of_levels(FP4_LEVELS, [scale], numbers::<4, 16, _>(&block[1..]))
}

/// Floats of four bits, with one of eight bits for each sixteen.
pub(super) fn nvfp4(block: &[u8; 36]) -> [f32; 64] {
    let (scales, bytes) = block.split_at(4);
    let scales: [f32; 4] = from_fn(|j| half_of_fp8(scales[j]));
    of_levels(FP4_LEVELS, scales, numbers::<4, 8, _>(bytes))
}

/// Returns half of a float with four bits of exponent and three of mantissa. The sign does not count, and NaN is zero.
fn half_of_fp8(bits: u8) -> f32 {
    let (exponent, mantissa) = (u32::from(bits >> 3 & 15), f32::from(bits & 7));
    match (bits, exponent) {
        (0x7f, _) => 0.0,
        (_, 0) => mantissa / 1024.0,
        // 2^(exponent - 8)
        _ => (1.0 + mantissa / 8.0) * f32::from_bits((exponent + 119) << 23),
    }
}
