//! Columns of a matrix as a file has them, and the moves of their words that all formats share.

use super::format::MatrixFormat;
use crate::kernels::units::LANES;

/// Columns of a matrix in the form of a file, numbers in little-endian order: of bf16, or in the blocks of GGUF's types.
///
/// | type | weights | bytes of a block |
/// |---|---|---|
/// | `Q8_0` | 32 | scale in f16, 32 signed bytes |
/// | `Q4_0`, `Q4_1`, `Q5_0`, `Q5_1` | 32 | scale in f16, minimum in f16, fifth bits, 16 bytes; each has those of these that its name says ([`nibbles`](super::nibbles)) |
/// | `Q4_K`, `Q5_K` | 256 | scale and minimum in f16, those of every 32 weights, fifth bits, 128 bytes ([`nibbles`](super::nibbles)) |
/// | `Q6_K` | 256 | see [`q6k`](super::q6k) |
pub trait StoredColumns: Send + Sync {
    /// Returns the bytes of a column, or `None` if all its weights are zero.
    fn column(&self, column: usize) -> Option<&[u8]>;
}

/// The weights of sixteen columns.
pub(crate) type SixteenColumns<'a> = [Option<&'a [u8]>; LANES];

/// Returns the number of weights in a block or in a pair of bf16, and their size in bytes.
pub(super) fn block(format: MatrixFormat) -> (usize, usize) {
    let of_layout = |layout: super::groups::BlockLayout| (layout.file_weights, layout.file_bytes);
    format.blocks().map_or((2, 2 * size_of::<u16>()), |blocks| of_layout(blocks.layout()))
}

/// Returns the distance in bytes between these columns and the next sixteen, which are most likely read next.
#[inline(always)]
pub(crate) fn distance_of_next(columns: &SixteenColumns<'_>) -> usize {
    let [Some(first), Some(second), ..] = columns else { return 0 };
    LANES.wrapping_mul(second.as_ptr().addr().wrapping_sub(first.as_ptr().addr()))
}

/// Returns the first sixteen elements.
#[inline(always)]
pub(crate) fn lanes_of<T>(elements: &mut [T]) -> &mut [T; LANES] {
    elements.first_chunk_mut().expect("a whole vector")
}

/// Reads words, no more than there are.
#[inline(always)]
pub(crate) fn read_words<const N: usize>(bytes: &[u8], words: &mut [u32; N]) {
    let bytes = bytes.as_chunks::<4>().0;
    if let Some(bytes) = bytes.first_chunk::<N>() {
        for i in 0..N {
            words[i] = u32::from_le_bytes(bytes[i]);
        }
    } else {
        for i in 0..bytes.len() {
            words[i] = u32::from_le_bytes(bytes[i]);
        }
    }
}

/// Stores a vector of words with eight numbers of four bits each: those in the eight bytes of two words, from the bit `half` on.
#[inline(always)]
pub(crate) fn store_word_of_nibbles([left, right]: [&[u32; LANES]; 2], half: usize, block: &mut [[u8; 4]; LANES]) {
    for lane in 0..LANES {
        let [left, right] = [left[lane] >> half, right[lane] >> half];
        let upper = gather(left) | gather(right) << 8;
        let lower = gather(left >> 8) | gather(right >> 8) << 8;
        block[lane] = (upper << 16 | lower).to_ne_bytes();
    }
}

/// Returns the lower halves of the first and the third byte, side by side.
#[inline(always)]
fn gather(bytes: u32) -> u32 {
    let halves = bytes & 0x000f_000f;
    (halves | halves >> 12) & 0xff
}
