//! A compressed pair of k: the weights of 64 columns in bf16, in 12 bits each.
//!
//! It holds four vectors of sixteen columns: 64 lower bytes of the first two vectors, 64 of the other two, and 64 bytes of
//! indices into a table of sixteen upper bytes, in the lower halves those of the first two vectors. Byte `16 q + 8 h + i` belongs
//! to the 16-bit half `8 q + i` of the vector `h` of the two, so that interleaving bytes within 128 bits gives the words.

use super::simd::{CACHE_LINE, LANES};

/// Vectors of a pair of k.
pub(crate) const VECTORS: usize = 4;
/// Size in bytes of a compressed pair of k.
pub(crate) const COMPRESSED: usize = 3 * CACHE_LINE;
/// Sixteen upper bytes, those of a panel's compressed weights.
pub(crate) type Table = [u8; 16];

/// Returns the index of a 16-bit half of a vector in the bytes of the two vectors.
pub(crate) const fn half_index(vector: usize, half: usize) -> usize {
    16 * (half / 8) + 8 * (vector % 2) + half % 8
}

/// Expands the word of a lane of a vector in plain Rust.
#[inline(always)]
pub(crate) fn word(pair: &[u8; COMPRESSED], table: &Table, vector: usize, lane: usize) -> u32 {
    let bits = |half: usize| {
        let at = half_index(vector, half);
        let index = pair[2 * CACHE_LINE + at] >> (4 * (vector / 2)) & 15;
        u32::from(u16::from_be_bytes([table[index as usize], pair[vector / 2 * CACHE_LINE + at]]))
    };
    bits(2 * lane + 1) << 16 | bits(2 * lane)
}

/// Expands a pair of k in plain Rust.
#[inline(always)]
pub(crate) fn expanded(pair: &[u8; COMPRESSED], table: &Table) -> [[u32; LANES]; VECTORS] {
    std::array::from_fn(|vector| std::array::from_fn(|lane| word(pair, table, vector, lane)))
}
