//! Instruction sets of a processor.

#[cfg(target_arch = "aarch64")]
use super::neon::{Neon, NeonBf16};
use super::simd::{LANES, Portable};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Bf16};

/// Number of rows from which on a CPU without fast instructions for pairs of bf16 multiplies them in f32, with the rows' pairs
/// split beforehand.
pub(crate) const MIN_F32_ROWS: usize = 3;
/// Number of rows from which on a CPU with tiles uses them. On two cores of a Xeon (Sapphire Rapids), with weights that come from
/// memory, in 10^9 weights/s, tiles beside the next best unit: 4 rows of bf16 8.7 to 9.6, of four bits 12.0 to 12.3; 6 rows 8.7 to
/// 7.7 and 11.4 to 9.6; 16 rows 7.0 to 4.8 and 8.8 to 5.2.
#[cfg(target_arch = "x86_64")]
const MIN_TILE_ROWS: usize = 6;

/// Form of the rows of a left factor in bf16.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowForm {
    /// [Pairs](super::pairs) of neighbours in k.
    Pairs,
    /// Two f32 for each pair (see [`SplitRows`](super::pairs::SplitRows)).
    Split,
    /// Words of the steps (k, k + 2), in whole blocks of sixteen.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other processor has tiles of them"))]
    Tiles,
}

impl RowForm {
    /// Returns the number of words of a pair.
    pub(crate) fn words(self) -> usize {
        if self == Self::Split { 2 } else { 1 }
    }

    /// Returns the number of words of a row of so many steps.
    pub(crate) fn row(self, depth: usize) -> usize {
        let pairs = depth.div_ceil(2);
        match self {
            Self::Pairs => pairs,
            Self::Split => 2 * pairs,
            Self::Tiles => pairs.next_multiple_of(LANES),
        }
    }
}

/// An instruction set of this CPU. All give the same results and differ in speed only.
#[derive(Clone, Copy, Debug)]
pub enum InstructionSet {
    /// AVX-512F with AVX-512-BF16, and AMX's tiles or without them.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16(Avx512Bf16),
    /// AVX-512F.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// AVX2 with FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// NEON with BF16.
    #[cfg(target_arch = "aarch64")]
    NeonBf16(NeonBf16),
    /// NEON.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// Plain Rust.
    Portable(Portable),
}

impl InstructionSet {
    /// Returns the form of so many rows that are multiplied with weights.
    pub(crate) fn row_form(self, rows: usize) -> RowForm {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) if unit.tiles().is_some() && rows >= MIN_TILE_ROWS => RowForm::Tiles,
            set if set.multiplies_pairs_in_f32(rows) => RowForm::Split,
            _ => RowForm::Pairs,
        }
    }

    /// Returns whether products of bf16 with this number of rows are computed by multiply-adds in f32, unless it is by tiles.
    pub(crate) fn multiplies_pairs_in_f32(self, rows: usize) -> bool {
        rows >= MIN_F32_ROWS && self.is_faster_in_f32()
    }

    /// Returns whether multiply-adds in f32 are faster than what instructions there are for pairs.
    pub(crate) fn is_faster_in_f32(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) => unit.is_f32_faster(),
            // Two instructions multiply the pairs of a vector, as many as in f32.
            #[cfg(target_arch = "aarch64")]
            Self::NeonBf16(_) => false,
            _ => true,
        }
    }

    /// Returns whether one instruction multiplies both elements of a pair: `NATIVE` of its unit.
    pub(crate) fn is_native(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(_) => true,
            _ => false,
        }
    }

    /// Returns whether weights in bf16 are compressed: where products expand them for instructions for pairs or tiles. Others, which multiply many
    /// rows in f32, would expand them for each product.
    pub(crate) fn compresses(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) => unit.tiles().is_some() || !self.is_faster_in_f32(),
            _ => false,
        }
    }

    /// Returns the set without its instructions for pairs of bf16.
    pub(crate) fn without_pairs(self) -> Self {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) => Self::Avx512(unit.base()),
            #[cfg(target_arch = "aarch64")]
            Self::NeonBf16(unit) => Self::Neon(unit.base()),
            other => other,
        }
    }

    /// Returns the set without its instructions for pairs of bf16 if multiply-adds in f32 are faster.
    pub(crate) fn without_slow_pairs(self) -> Self {
        if self.is_faster_in_f32() { self.without_pairs() } else { self }
    }

    /// Returns a short name for logs.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) if unit.tiles().is_some() => "amx",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) if unit.is_f32_faster() => "avx512-bf16-in-f32",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(_) => "avx512-bf16",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "aarch64")]
            Self::NeonBf16(_) => "neon-bf16",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
            Self::Portable(_) => "portable",
        }
    }
}
