//! Groups of weights of eight, six or four bits: their layout in a panel and in a file, one row for each number of bits.
//!
//! A panel of `width` columns holds the groups in order. A group holds the columns' scales, followed by blocks of pairs of
//! k, sixteen columns side by side.
//!
//! Eight bits have blocks of two pairs, one after the other: of each column in turn the second number, then the first one.
//! Four bits have blocks of four pairs: a word of 32 bits for each column, whose upper half has the first numbers and whose lower half the second
//! ones, those of the first pair in the lowest bits, each number increased by 8. Six bits have blocks of eight pairs: two such
//! vectors of words with the lower four bits of numbers that are increased by 32, followed by one with the upper two bits, in
//! the same order. A group of them holds 64 neighbours: the scales in f16, then the integers for the first 16, and so on.

use super::panel::PANEL;
use crate::kernels::units::{LANES, PairUnit, Simd};

/// Number of neighbours in k of a group of eight or four bits.
pub(crate) const GROUP: usize = 32;
/// Number of pairs of k in such a group.
pub(crate) const PAIRS: usize = GROUP / 2;
/// Number of pairs of k, in whole groups, that are unpacked at once: those of a panel fit into the first-level cache.
pub(crate) const UNPACKED_PAIRS: usize = 128;

/// Number of bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Eight,
    /// Only from files.
    Six,
    Four,
}

/// Layout of weights with a number of bits.
pub(crate) struct BitsLayout {
    /// Number of neighbours in k of a group.
    pub(crate) group: usize,
    /// Number of pairs of k in a block.
    pub(crate) block_pairs: usize,
    /// Size in bytes of a block of sixteen columns.
    pub(crate) block_bytes: usize,
    /// Size in bytes of the scales of a column in a group.
    pub(crate) scale_bytes: usize,
    /// Number of pairs of k that share a scale, in whole blocks.
    pub(crate) scale_pairs: usize,
    /// Number of weights of a block of a file.
    pub(crate) file_weights: usize,
    /// Size in bytes of a block of a file, which begins or ends with a scale in f16.
    pub(crate) file_bytes: usize,
    /// Offset of that scale.
    pub(crate) file_scale: usize,
}

impl Bits {
    /// Returns the layout.
    #[inline]
    pub(crate) const fn layout(self) -> BitsLayout {
        match self {
            Self::Eight => BitsLayout {
                group: GROUP,
                block_pairs: 2,
                block_bytes: 4 * LANES,
                scale_bytes: 2,
                scale_pairs: GROUP / 2,
                file_weights: GROUP,
                file_bytes: 2 + GROUP,
                file_scale: 0,
            },
            Self::Six => BitsLayout {
                group: 64,
                block_pairs: 8,
                block_bytes: 12 * LANES,
                scale_bytes: 2 + 64 / 16,
                scale_pairs: 16 / 2,
                file_weights: 256,
                file_bytes: 128 + 64 + 16 + 2,
                file_scale: 128 + 64 + 16,
            },
            Self::Four => BitsLayout {
                group: GROUP,
                block_pairs: 4,
                block_bytes: 4 * LANES,
                scale_bytes: 2,
                scale_pairs: GROUP / 2,
                file_weights: GROUP,
                file_bytes: 2 + GROUP / 2,
                file_scale: 0,
            },
        }
    }

    /// Returns the number of pairs of k in a group.
    #[inline]
    pub(crate) const fn group_pairs(self) -> usize {
        self.layout().group / 2
    }

    /// Returns the number of scales of a column in a group.
    #[inline]
    pub(crate) const fn scales(self) -> usize {
        self.group_pairs() / self.layout().scale_pairs
    }

    /// Returns the size in bytes of the scales of a group of `width` columns.
    #[inline]
    pub(crate) const fn scale_bytes(self, width: usize) -> usize {
        self.layout().scale_bytes * width
    }

    /// Returns the size in bytes of a group of `width` columns.
    #[inline]
    pub(crate) const fn group_bytes(self, width: usize) -> usize {
        let BitsLayout { block_pairs, block_bytes, .. } = self.layout();
        self.scale_bytes(width) + self.group_pairs() / block_pairs * block_bytes * (width / LANES)
    }

    /// Returns the size in bytes of a panel.
    #[inline]
    pub(crate) const fn panel_bytes(self, depth: usize, width: usize) -> usize {
        depth.div_ceil(self.layout().group) * self.group_bytes(width)
    }
}

/// Weights of a panel from the beginning of a group on.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a> {
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
    pub(crate) fn new(bits: Bits, width: usize, depth: usize, data: &'a [u8]) -> Self {
        assert!(width.is_multiple_of(LANES) && width <= PANEL, "columns come in whole vectors of a panel");
        assert!(data.len() >= bits.panel_bytes(depth, width), "all groups are there");
        assert!(data.as_ptr().cast::<u32>().is_aligned(), "words are aligned");
        assert!(bits != Bits::Six || depth.is_multiple_of(bits.layout().group), "files have whole groups");
        Self { bits, width, pairs: depth.div_ceil(2), data: &data[..bits.panel_bytes(depth, width)] }
    }

    /// Reads the scales of sixteen columns from `column` on for the pairs with one scale of this index.
    ///
    /// # Safety
    /// The group and the columns must be there.
    #[inline(always)]
    pub(crate) unsafe fn scale<S: Simd>(&self, simd: S, index: usize, column: usize) -> S::V {
        let (count, size) = (self.bits.scales(), self.bits.group_bytes(self.width));
        let group = self.data.as_ptr().wrapping_add(index / count * size);
        // SAFETY: the caller's promise. An array reference needs no more than the alignment of its elements, which groups have.
        unsafe {
            let shared = simd.load_f16(&*group.cast::<u16>().add(column).cast());
            if self.bits != Bits::Six {
                return shared;
            }
            let own = group.add((size_of::<u16>() + index % count) * self.width + column);
            simd.mul(shared, simd.load_i8(&*own.cast()))
        }
    }
}

/// Numbers that are packed with a number of bits.
pub(crate) trait Packed {
    const BITS: Bits;

    /// Reads a pair of numbers of sixteen columns.
    ///
    /// # Safety
    /// `block` must be readable as a block, and aligned to its words.
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, pair: usize) -> U::Columns;
}

/// Numbers of eight bits.
pub(crate) struct Eight;

impl Packed for Eight {
    const BITS: Bits = Bits::Eight;

    #[inline(always)]
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, pair: usize) -> U::Columns {
        // SAFETY: the caller's promise.
        unsafe { unit.load_i8(&*block.add(2 * LANES * pair).cast()) }
    }
}

/// Numbers of six bits.
pub(crate) struct Six;

impl Packed for Six {
    const BITS: Bits = Bits::Six;

    #[inline(always)]
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, pair: usize) -> U::Columns {
        // SAFETY: the caller's promise.
        unsafe { unit.load_i6(&*block.cast(), pair) }
    }
}

/// Numbers of four bits.
pub(crate) struct Four;

impl Packed for Four {
    const BITS: Bits = Bits::Four;

    #[inline(always)]
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, pair: usize) -> U::Columns {
        // SAFETY: the caller's promise.
        unsafe { unit.load_i4(&*block.cast(), pair) }
    }
}
