//! Packing of GGUF's `Q6_K`: blocks of 256 numbers of six bits, every sixteen with a scale of their own.
//!
//! A block holds the lower four bits of its numbers, which are increased by 32, then their upper two bits, sixteen scales as signed
//! bytes, and a scale in f16.

use super::columns::{SixteenColumns, distance_of_next, lanes_of, read_words, store_word_of_nibbles};
use super::groups::BlockFormat;
use crate::kernels::units::{CACHE_LINE, LANES, Simd};

/// Number of weights of a block.
const Q6K_WEIGHTS: usize = BlockFormat::Q6K.layout().file_weights;
/// Size in bytes of a block.
const Q6K_BYTES: usize = BlockFormat::Q6K.layout().file_bytes;

/// Moves scales and numbers of sixteen columns to their position in a panel, and returns whether the scales are finite.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
pub(crate) fn move_q6k<S: Simd>(
    simd: S,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u8],
) -> bool {
    const CHAINS: usize = BlockFormat::Q6K.scales();
    const GROUPS: usize = Q6K_WEIGHTS / BlockFormat::Q6K.layout().group;
    let (size, distance) = (BlockFormat::Q6K.group_bytes(width), distance_of_next(columns));
    let mut exponents = 0;
    for (index, groups) in panel.chunks_exact_mut(GROUPS * size).enumerate() {
        // Of each column the lower bits of 128 weights in turn, the upper bits of all, the scales of 16 weights each, and
        // the scale of all; weights of zero in columns without weights.
        let mut words = [[[0; LANES]; LANES]; 4];
        words[2] = [[0xaaaa_aaaa; LANES]; LANES];
        let mut scales = [[0; 2]; LANES];
        for lane in 0..LANES {
            let Some(column) = columns[lane] else { continue };
            let block: &[u8; Q6K_BYTES] = column[index * Q6K_BYTES..].first_chunk().expect("a whole block");
            for line in 0..Q6K_BYTES.div_ceil(CACHE_LINE) {
                simd.prefetch(block.as_ptr().wrapping_add(distance + line * CACHE_LINE));
            }
            for (part, words) in block.chunks(size_of::<u32>() * LANES).zip(&mut words) {
                read_words(part, &mut words[lane]);
            }
            scales[lane] = [block[Q6K_BYTES - 2], block[Q6K_BYTES - 1]];
            // As in `stored::are_finite_in_file`.
            exponents |= (block[Q6K_BYTES - 1] & 0x7c) + 4;
        }
        words.iter_mut().for_each(|words| simd.transpose(words));
        for (part, group) in groups.chunks_exact_mut(size).enumerate() {
            let (shared, rest) = group.split_at_mut(size_of::<u16>() * width);
            let (own, blocks) = rest.split_at_mut(CHAINS * width);
            *lanes_of(shared.as_chunks_mut().0.split_at_mut(first).1) =
                scales.map(|scale| u16::from_le_bytes(scale).to_ne_bytes());
            for chain in 0..CHAINS {
                let own = lanes_of(&mut own[chain * width + first..]);
                let words_of_scales = &words[3][part];
                for lane in 0..LANES {
                    own[lane] = (words_of_scales[lane] >> (8 * chain)) as u8;
                }
                let block = blocks[(chain * width + first) * BlockFormat::Q6K.layout().numbers.block_bytes() / LANES..]
                    .as_chunks_mut()
                    .0;
                let (low, high) = block.split_at_mut(2 * LANES);
                // The upper halves of bytes are the second 64 of 128 weights; of the pairs of bits in a byte, each is for 32.
                let numbers = &words[part / 2][4 * chain..][..4];
                for (i, low) in low.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                    store_word_of_nibbles([&numbers[2 * i], &numbers[2 * i + 1]], part % 2 * 4, low);
                }
                let (upper, high) = (&words[2][part / 2 * 8 + chain % 2 * 4..][..4], lanes_of(high));
                let shift = part % 2 * 4 + chain / 2 * 2;
                for lane in 0..LANES {
                    let mut word = 0;
                    for i in 0..4 {
                        let bytes = upper[i][lane] >> shift;
                        word |= gather_two_bits(bytes) << (16 + 4 * i) | gather_two_bits(bytes >> 8) << (4 * i);
                    }
                    high[lane] = word.to_ne_bytes();
                }
            }
        }
    }
    exponents & 0x80 == 0
}

/// Returns the lowest two bits of the first and the third byte, side by side.
#[inline(always)]
fn gather_two_bits(bytes: u32) -> u32 {
    let bits = bytes & 0x0003_0003;
    (bits | bits >> 14) & 15
}
