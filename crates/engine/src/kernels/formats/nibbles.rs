//! Packing of GGUF's blocks whose numbers have four bits, or five with the fifth apart.
//!
//! Blocks of 32 weights (`Q4_0`, `Q4_1`, `Q5_0`, `Q5_1`) hold a scale in f16, a minimum that is added, a word with the fifth bits, and 16
//! bytes, of which byte `i` has the numbers `i` and `i + 16`. Blocks of 256 weights (`Q4_K`, `Q5_K`) hold a scale and a minimum that
//! is subtracted, twelve bytes with a scale and a minimum of six bits for every 32 weights, 32 bytes with the fifth bits, the lowest bits
//! first, and 128 bytes, of which each 32 have the numbers of two times 32 weights.

use super::columns::{SixteenColumns, distance_of_next, lanes_of, read_words, store_word_of_nibbles};
use super::groups::{BlockFormat, BlockLayout, GROUP};
use crate::kernels::units::{CACHE_LINE, LANES, Simd};

/// Parts with scales that are moved together: those of the largest block.
const PARTS: usize = 256 / GROUP;
/// Blocks of four pairs of k of a part.
const VECTORS: usize = GROUP / 8;
/// Size in bytes of the numbers of a part without the fifth bits.
const NIBBLES: usize = GROUP / 2;

/// Words of sixteen columns: word, then column.
type Square = [[u32; LANES]; LANES];

/// Moves scales and numbers of sixteen columns to their position in a panel, and returns whether the scales are finite.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler turns into vectors
pub(crate) fn move_nibbles<S: Simd>(
    simd: S,
    format: BlockFormat,
    columns: &SixteenColumns<'_>,
    width: usize,
    first: usize,
    panel: &mut [u8],
) -> bool {
    let BlockLayout { numbers, has_own, file_bytes, .. } = format.layout();
    let (size, distance, halves) = (format.group_bytes(width), distance_of_next(columns), format.halves());
    let (has_fifth, scale_bytes) = (numbers.bits() == 5, format.scale_bytes(width));
    // Blocks of a file, and groups of a panel, that are moved together.
    let blocks = if has_own { 1 } else { PARTS };
    let mut exponents = 0;
    for (run, groups) in panel.chunks_mut(blocks * size).enumerate() {
        // Of each column the numbers of four parts in turn, and the fifth bits: a word for each of the parts, or those of all
        // parts in each byte of eight words.
        let (mut words, mut fifth): ([Square; 2], Square) = ([[[0; LANES]; LANES]; 2], [[0; LANES]; LANES]);
        let mut own = [[0; LANES]; 4];
        for lane in 0..LANES {
            let Some(column) = columns[lane] else {
                for group in groups.chunks_exact_mut(size) {
                    (0..halves).for_each(|kind| store_half(group, kind * width + first + lane, 0));
                }
                continue;
            };
            let those = column[run * blocks * file_bytes..].chunks_exact(file_bytes);
            for (index, (block, group)) in those.zip(groups.chunks_exact_mut(size)).enumerate() {
                for line in 0..file_bytes.div_ceil(CACHE_LINE) {
                    simd.prefetch(block.as_ptr().wrapping_add(distance + line * CACHE_LINE));
                }
                let (scales, rest) = block.as_chunks().0.split_at(halves);
                for (kind, scale) in scales.iter().enumerate() {
                    // As in `stored::are_finite_in_file`.
                    exponents |= (scale[1] & 0x7c) + 4;
                    // A minimum is subtracted.
                    let sign = if kind == 1 && !has_own { 0x8000 } else { 0 };
                    store_half(group, kind * width + first + lane, u16::from_le_bytes(*scale) ^ sign);
                }
                let rest = rest.as_flattened();
                if has_own {
                    let (scales, rest) = rest.split_at(12);
                    own_scales(scales).into_iter().zip(&mut own).for_each(|(word, own)| own[lane] = word);
                    let (high, low) = rest.split_at(if has_fifth { GROUP } else { 0 });
                    read_words(high, fifth[lane].first_chunk_mut::<PARTS>().expect("as many words"));
                    for (words, low) in words.iter_mut().zip(low.chunks_exact(4 * LANES)) {
                        read_words(low, &mut words[lane]);
                    }
                } else {
                    let (high, low) = rest.split_at(if has_fifth { size_of::<u32>() } else { 0 });
                    read_words(high, std::array::from_mut(&mut fifth[lane][index]));
                    let words = words[index / 4][lane].as_chunks_mut::<{ NIBBLES / 4 }>().0;
                    read_words(low, &mut words[index % 4]);
                }
            }
        }
        words.iter_mut().for_each(|words| simd.transpose(words));
        if has_fifth {
            simd.transpose(&mut fifth);
        }
        for part in 0..PARTS * groups.len() / (blocks * size) {
            let (group, within) = if has_own { (0, part) } else { (part, 0) };
            let group = &mut groups[group * size..][..size];
            if has_own {
                for kind in 0..halves {
                    let at = (halves * size_of::<u16>() + kind * PARTS + part) * width + first;
                    let (words, bytes) = (&own[2 * kind + part / 4], lanes_of(&mut group[at..]));
                    for lane in 0..LANES {
                        bytes[lane] = (words[lane] >> (8 * (part % 4))) as u8;
                    }
                }
            }
            let vectors = group[scale_bytes..].as_chunks_mut().0;
            let mut high = [0; LANES];
            for vector in 0..VECTORS {
                let (word, half) = if has_own {
                    (part / 2 % 2 * LANES / 2 + 2 * vector, part % 2 * 4)
                } else {
                    (part % 4 * (NIBBLES / 4) + vector % 2 * 2, vector / 2 * 4)
                };
                let at = if has_fifth {
                    (within * width / LANES + first / LANES) * (VECTORS + 1) + vector
                } else {
                    (within * VECTORS + vector) * width / LANES + first / LANES
                };
                let pair = [&words[part / 4][word], &words[part / 4][word + 1]];
                store_word_of_nibbles(pair, half, lanes_of(&mut vectors[at * LANES..]));
                for i in 0..if has_fifth { 2 } else { 0 } {
                    for lane in 0..LANES {
                        // In the lowest bits of four bytes.
                        let bits = if has_own {
                            fifth[2 * vector + i][lane] >> part
                        } else {
                            let bits = fifth[part][lane] >> (8 * vector + 4 * i);
                            bits & 1 | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21
                        };
                        high[lane] |= spread(bits) << (8 * i + vector);
                    }
                }
            }
            if has_fifth {
                let at = (within * width / LANES + first / LANES) * (VECTORS + 1) + VECTORS;
                *lanes_of(&mut vectors[at * LANES..]) = high.map(u32::to_ne_bytes);
            }
        }
    }
    exponents & 0x80 == 0
}

/// Returns the lowest bits of the bytes of a word where the fifth bits of two pairs are: the first numbers in the upper half, the pairs at
/// a distance of four bits.
#[inline(always)]
fn spread(bytes: u32) -> u32 {
    (bytes & 1) << 16 | bytes >> 8 & 1 | (bytes >> 16 & 1) << 20 | (bytes >> 24 & 1) << 4
}

/// Stores an f16 of a column.
#[inline(always)]
fn store_half(group: &mut [u8], index: usize, bits: u16) {
    group.as_chunks_mut().0[index] = bits.to_ne_bytes();
}

/// Returns eight scales and eight minima, in bytes. Both have six bits, the upper two of the last four in the bytes of the first
/// four.
#[inline(always)]
fn own_scales(bytes: &[u8]) -> [u32; 4] {
    let mut words = [0; 3];
    read_words(bytes, &mut words);
    let [scales, minima, rest] = words;
    [
        scales & 0x3f3f_3f3f,
        rest & 0x0f0f_0f0f | (scales >> 6 & 0x0303_0303) << 4,
        minima & 0x3f3f_3f3f,
        rest >> 4 & 0x0f0f_0f0f | (minima >> 6 & 0x0303_0303) << 4,
    ]
}
