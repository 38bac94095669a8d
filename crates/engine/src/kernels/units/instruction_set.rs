//! Instruction sets of a processor.

#[cfg(target_arch = "aarch64")]
use super::neon::{Neon, NeonBf16};
use super::simd::Portable;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Bf16};

/// Number of rows from which on a CPU without fast instructions for pairs of bf16 multiplies them in f32, with the rows' pairs
/// split beforehand.
pub(crate) const MIN_F32_ROWS: usize = 3;

/// An instruction set of this CPU. All give the same results and differ in speed only.
#[derive(Clone, Copy, Debug)]
pub enum InstructionSet {
    /// AVX-512F with AVX-512-BF16.
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
    /// Returns whether products of bf16 with this number of rows are computed by multiply-adds in f32.
    pub(crate) fn multiplies_pairs_in_f32(self, rows: usize) -> bool {
        rows >= MIN_F32_ROWS
            && match self {
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

    /// Returns whether weights in bf16 are compressed: where tiles of instructions for pairs expand them. Others, which multiply many
    /// rows in f32, would expand them for each product.
    pub(crate) fn compresses(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) => !unit.is_f32_faster(),
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

    /// Returns a short name for logs.
    pub fn name(self) -> &'static str {
        match self {
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
