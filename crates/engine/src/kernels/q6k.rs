//! Reading of GGUF's `Q6_K`: blocks of 256 numbers of six bits, every sixteen with a scale of their own.
//!
//! A block holds the lower four bits of its numbers, which are increased by 32, then their upper two bits, sixteen scales as signed
//! bytes, and a scale in f16.

use super::dispatch::kernel;
use super::simd::Simd;

/// Number of weights of a block.
pub const Q6K_WEIGHTS: usize = 256;
/// Size in bytes of a block.
pub const Q6K_BYTES: usize = Q6K_WEIGHTS / 2 + Q6K_WEIGHTS / 4 + Q6K_WEIGHTS / 16 + size_of::<u16>();

kernel! {
    /// Writes the weights of a block, whose own scale at the end is `scale`.
    ///
    /// # Panics
    /// If the block is shorter.
    pub fn read_q6k(block: &[u8], scale: f32, values: &mut [f32]) = read_q6k_generic;
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
fn read_q6k_generic<S: Simd>(_: S, block: &[u8], scale: f32, values: &mut [f32]) {
    let (low, rest) = block.split_at(Q6K_WEIGHTS / 2);
    let (high, scales) = rest.split_at(Q6K_WEIGHTS / 4);
    // Each half of a block has four rows of 32, which share bytes: two rows the nibbles of `low`, all four the pairs of bits of
    // `high`.
    let (low, high) = (low.as_chunks::<16>().0, high.as_chunks::<16>().0);
    for (i, values) in values.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let (part, row, first) = (i / 8, i % 8 / 2, i % 2);
        let (low, high) = (&low[part * 4 + row % 2 * 2 + first], &high[part * 2 + first]);
        let scale = scale * f32::from(scales[i] as i8);
        for j in 0..16 {
            let number = low[j] >> (row / 2 * 4) & 15 | (high[j] >> (2 * row) & 3) << 4;
            values[j] = scale * (f32::from(number) - 32.0);
        }
    }
}
