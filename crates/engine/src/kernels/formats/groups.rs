//! Groups of weights that share scales: their layout in a panel and in a file, one row for each type of GGUF files.
//!
//! A panel of `width` columns holds the groups in order. A group holds the columns' scales in f16, then their minima in f16 if
//! they have some, then the scales of their own that parts of a group have, as bytes, and so the minima; then blocks of pairs of
//! k, sixteen columns side by side. A weight is `number * scale - minimum`, where scale and minimum of a part are those of the
//! group times its own.
//!
//! Eight bits have blocks of two pairs, one after the other: of each column in turn the second number, then the first one.
//! Four bits have blocks of four pairs: a word of 32 bits for each column, whose upper half has the first numbers and whose lower half the second
//! ones, those of the first pair in the lowest bits. Five bits have blocks of sixteen pairs: four such vectors of words, followed
//! by one with the fifth bits, those of the vector `i` in every fourth bit from `i` on. Six bits have blocks of eight pairs: two
//! vectors of words with the lower four bits, followed by one with the upper two bits, in the order of the pairs. Numbers of four to six
//! bits are increased by an offset, so that none is negative.

use super::panel::PANEL;
use crate::kernels::units::{LANES, PairUnit, Simd};

/// Number of neighbours in k of the largest part with one scale.
pub(crate) const GROUP: usize = 32;
/// Number of pairs of k in such a part.
pub(crate) const PAIRS: usize = GROUP / 2;
/// Number of pairs of k, in whole groups, that are unpacked at once: those of a panel fit into the first-level cache.
pub(crate) const UNPACKED_PAIRS: usize = 128;

/// Type of GGUF's blocks of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of GGUF")]
pub enum BlockFormat {
    Q8_0,
    Q6K,
    Q5K,
    Q5_1,
    Q5_0,
    Q4K,
    Q4_1,
    Q4_0,
}

/// Packing of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Signed bytes.
    Eight,
    /// Increased by 32.
    Six,
    /// Increased by 16.
    Five,
    /// Not increased.
    FiveUnsigned,
    /// Increased by 8.
    Four,
    /// Not increased.
    FourUnsigned,
}

impl Numbers {
    /// Returns the number of bits of a number.
    pub(crate) const fn bits(self) -> usize {
        match self {
            Self::Eight => 8,
            Self::Six => 6,
            Self::Five | Self::FiveUnsigned => 5,
            Self::Four | Self::FourUnsigned => 4,
        }
    }

    /// Returns the number of pairs of k in a block.
    pub(crate) const fn block_pairs(self) -> usize {
        match self.bits() {
            8 => 2,
            6 => 8,
            5 => 16,
            _ => 4,
        }
    }

    /// Returns the size in bytes of a block of sixteen columns.
    pub(crate) const fn block_bytes(self) -> usize {
        self.block_pairs() * 2 * LANES * self.bits() / 8
    }

    /// Returns the number of pairs of k that share a scale.
    pub(crate) const fn scale_pairs(self) -> usize {
        if matches!(self, Self::Six) { PAIRS / 2 } else { PAIRS }
    }

    /// Returns what numbers are increased by.
    pub(crate) const fn offset(self) -> i32 {
        match self {
            Self::Six => 32,
            Self::Five => 16,
            Self::Four => 8,
            _ => 0,
        }
    }
}

/// Layout of blocks.
pub(crate) struct BlockLayout {
    /// Name of the format in messages.
    pub(crate) name: &'static str,
    pub(crate) numbers: Numbers,
    /// Number of neighbours in k of a group.
    pub(crate) group: usize,
    /// Whether each part has scales of its own, times those of the group.
    pub(crate) has_own: bool,
    pub(crate) has_minima: bool,
    /// Number of weights of a block of a file.
    pub(crate) file_weights: usize,
    /// Size in bytes of a block of a file.
    pub(crate) file_bytes: usize,
    /// Offset in it of the scale in f16, which the minimum follows.
    pub(crate) file_scale: usize,
}

impl BlockFormat {
    /// Every format.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 8] =
        [Self::Q8_0, Self::Q6K, Self::Q5K, Self::Q5_1, Self::Q5_0, Self::Q4K, Self::Q4_1, Self::Q4_0];

    /// Returns the layout.
    #[inline]
    pub(crate) const fn layout(self) -> BlockLayout {
        const fn simple(name: &'static str, numbers: Numbers, has_minima: bool) -> BlockLayout {
            let halves = if has_minima { 2 } else { 1 };
            BlockLayout {
                name,
                numbers,
                group: GROUP,
                has_own: false,
                has_minima,
                file_weights: GROUP,
                file_bytes: 2 * halves + GROUP * numbers.bits() / 8,
                file_scale: 0,
            }
        }
        const fn with_own(name: &'static str, numbers: Numbers) -> BlockLayout {
            // Scale and minimum, twelve bytes with eight of six bits for each, and the numbers.
            let file_bytes = 2 * 2 + 12 + 256 * numbers.bits() / 8;
            BlockLayout { group: 256, has_own: true, file_weights: 256, file_bytes, ..simple(name, numbers, true) }
        }
        match self {
            Self::Q8_0 => simple("int8", Numbers::Eight, false),
            Self::Q6K => BlockLayout {
                group: 64,
                has_own: true,
                file_weights: 256,
                file_bytes: 128 + 64 + 16 + 2,
                file_scale: 128 + 64 + 16,
                ..simple("int6", Numbers::Six, false)
            },
            Self::Q5K => with_own("q5_k", Numbers::FiveUnsigned),
            Self::Q5_1 => simple("q5_1", Numbers::FiveUnsigned, true),
            Self::Q5_0 => simple("q5_0", Numbers::Five, false),
            Self::Q4K => with_own("q4_k", Numbers::FourUnsigned),
            Self::Q4_1 => simple("q4_1", Numbers::FourUnsigned, true),
            Self::Q4_0 => simple("int4", Numbers::Four, false),
        }
    }

    /// Returns whether weights are rounded to the format. Others come from files.
    pub(crate) const fn is_computed(self) -> bool {
        matches!(self, Self::Q8_0 | Self::Q4_0)
    }

    /// Returns the number of pairs of k in a group.
    #[inline]
    pub(crate) const fn group_pairs(self) -> usize {
        self.layout().group / 2
    }

    /// Returns the number of scales of a column in a group.
    #[inline]
    pub(crate) const fn scales(self) -> usize {
        self.group_pairs() / self.layout().numbers.scale_pairs()
    }

    /// Returns the number of f16 of a column in a group: a scale, and a minimum if there are minima.
    #[inline]
    pub(crate) const fn halves(self) -> usize {
        if self.layout().has_minima { 2 } else { 1 }
    }

    /// Returns the size in bytes of the scales of a group of `width` columns.
    #[inline]
    pub(crate) const fn scale_bytes(self, width: usize) -> usize {
        let own = if self.layout().has_own { self.scales() } else { 0 };
        self.halves() * (size_of::<u16>() + own) * width
    }

    /// Returns the size in bytes of a group of `width` columns.
    #[inline]
    pub(crate) const fn group_bytes(self, width: usize) -> usize {
        self.scale_bytes(width) + self.layout().group * self.layout().numbers.bits() / 8 * width
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
    pub(crate) blocks: BlockFormat,
    /// Number of columns of the panel.
    pub(crate) width: usize,
    /// Number of pairs of k.
    pub(crate) pairs: usize,
    pub(crate) data: &'a [u8],
    /// Size in bytes of a group.
    bytes: usize,
    /// Binary logarithm of the number of scales of a column in a group.
    scales: u32,
    /// Offset in a group of the scales that parts have of their own; zero if they have none.
    own: usize,
}

impl<'a> Groups<'a> {
    /// Returns the groups with their sizes checked.
    ///
    /// # Panics
    /// If `data` is too short or not aligned to words, the width is not that of a panel, or a group of a format that only files have
    /// is not whole.
    pub(crate) fn new(blocks: BlockFormat, width: usize, depth: usize, data: &'a [u8]) -> Self {
        let (layout, scales) = (blocks.layout(), blocks.scales());
        assert!(width.is_multiple_of(LANES) && width <= PANEL, "columns come in whole vectors of a panel");
        assert!(data.len() >= blocks.panel_bytes(depth, width), "all groups are there");
        assert!(data.as_ptr().cast::<u32>().is_aligned(), "words are aligned");
        assert!(blocks.is_computed() || depth.is_multiple_of(layout.group), "files have whole groups");
        assert!(scales.is_power_of_two());
        Self {
            blocks,
            width,
            pairs: depth.div_ceil(2),
            data: &data[..blocks.panel_bytes(depth, width)],
            bytes: blocks.group_bytes(width),
            scales: scales.ilog2(),
            own: if layout.has_own { blocks.halves() * size_of::<u16>() * width } else { 0 },
        }
    }

    /// Returns a part from a group on, with so many pairs of k.
    pub(crate) fn part(self, data: &'a [u8], pairs: usize) -> Self {
        Self { data, pairs, ..self }
    }

    /// Returns whether weights have minima.
    #[inline(always)]
    pub(crate) fn has_minima(&self) -> bool {
        self.blocks.layout().has_minima
    }

    /// Reads the scales of sixteen columns from `column` on for the pairs with one scale of this index, or their minima.
    ///
    /// # Safety
    /// The group and the columns must be there, and minima if they are asked for.
    #[inline(always)]
    pub(crate) unsafe fn scale<S: Simd>(&self, simd: S, index: usize, column: usize, of_minima: bool) -> S::V {
        let (group, kind) =
            (self.data.as_ptr().wrapping_add((index >> self.scales) * self.bytes), usize::from(of_minima));
        // SAFETY: the caller's promise. An array reference needs no more than the alignment of its elements, which groups have.
        unsafe {
            let shared = simd.load_f16(&*group.cast::<u16>().add(kind * self.width + column).cast());
            if self.own == 0 {
                return shared;
            }
            let part = (kind << self.scales) + (index & ((1 << self.scales) - 1));
            simd.mul(shared, simd.load_i8(&*group.add(self.own + part * self.width + column).cast()))
        }
    }
}

/// Numbers that are packed in one way.
pub(crate) trait Packed {
    const NUMBERS: Numbers;

    /// Reads a pair of numbers of sixteen columns, times the power of two of its [position](Packed::position).
    ///
    /// # Safety
    /// `block` must be readable as a block, and aligned to its words.
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, pair: usize) -> U::Columns;

    /// Returns the position of a pair in a word, for units that read numbers in place (see [`PairUnit::row_for`]).
    fn position(pair: usize) -> usize {
        if Self::NUMBERS.bits() == 8 { 0 } else { pair % 4 }
    }
}

/// Defines packed numbers by the loads of units.
macro_rules! packed {
    ($($(#[$meta:meta])* $name:ident: |$unit:ident, $block:ident, $pair:ident| $load:expr;)*) => { $(
        $(#[$meta])*
        pub(crate) struct $name;

        impl Packed for $name {
            const NUMBERS: Numbers = Numbers::$name;

            #[inline(always)]
            unsafe fn load<U: PairUnit>($unit: U, $block: *const u8, $pair: usize) -> U::Columns {
                // SAFETY: the caller's promise.
                unsafe { $load }
            }
        }
    )* };
}

packed! {
    /// [`Numbers::Eight`].
    Eight: |unit, block, pair| unit.load_i8(&*block.add(2 * LANES * pair).cast());
    /// [`Numbers::Six`].
    Six: |unit, block, pair| unit.load_i6(&*block.cast(), pair);
    /// [`Numbers::Five`].
    Five: |unit, block, pair| unit.load_i5::<16>(&*block.cast(), pair);
    /// [`Numbers::FiveUnsigned`].
    FiveUnsigned: |unit, block, pair| unit.load_i5::<0>(&*block.cast(), pair);
    /// [`Numbers::Four`].
    Four: |unit, block, pair| unit.load_i4::<8>(&*block.cast(), pair);
    /// [`Numbers::FourUnsigned`].
    FourUnsigned: |unit, block, pair| unit.load_i4::<0>(&*block.cast(), pair);
}
