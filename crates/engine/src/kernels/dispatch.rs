//! Instruction sets of the kernels, and the macro that compiles a kernel for each.

use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use super::neon::{Neon, NeonBf16};
use super::simd::Portable;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Bf16};

/// Number of rows from which on a CPU without fast instructions for pairs of bf16 multiplies them in f32, with the rows' pairs
/// split beforehand.
pub(super) const MIN_F32_ROWS: usize = 3;

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
    /// Returns the instruction sets of this CPU, fastest first.
    pub fn available() -> Vec<Self> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            sets.extend(Avx512Bf16::detect().map(Self::Avx512Bf16));
            #[cfg(test)]
            sets.extend(Avx512Bf16::detect().map(|unit| Self::Avx512Bf16(unit.with_the_other_choice())));
            sets.extend(Avx512::detect().map(Self::Avx512));
            sets.extend(Avx2::detect().map(Self::Avx2));
        }
        #[cfg(target_arch = "aarch64")]
        {
            sets.extend(NeonBf16::detect().map(Self::NeonBf16));
            sets.extend(Neon::detect().map(Self::Neon));
        }
        sets.push(Self::Portable(Portable));
        sets
    }

    /// Returns the fastest instruction set of this CPU.
    pub fn best() -> Self {
        static BEST: OnceLock<InstructionSet> = OnceLock::new();
        *BEST.get_or_init(|| Self::available()[0])
    }

    /// Returns whether products of bf16 with this number of rows are computed by multiply-adds in f32.
    pub(super) fn multiplies_pairs_in_f32(self, rows: usize) -> bool {
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

    /// Returns whether weights in bf16 are compressed: where tiles of instructions for pairs expand them. Others, which multiply many
    /// rows in f32, would expand them for each product.
    pub(super) fn compresses(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Bf16(unit) => !unit.is_f32_faster(),
            _ => false,
        }
    }

    /// Returns the set without its instructions for pairs of bf16.
    pub(super) fn without_pairs(self) -> Self {
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

/// Declares a function that runs a kernel, generic over [`Simd`](super::simd::Simd), with the given instruction set.
///
/// `fn name(arguments) -> result = generic;` declares `name(set, arguments)`, which runs the `#[inline(always)]`
/// function `generic(simd, arguments)`, compiled once for each instruction set.
macro_rules! kernel {
    // An unsafe kernel: `unsafe fn name(...) = generic;`. Its caller must meet the safety conditions of `generic`.
    ($(#[$meta:meta])* $visibility:vis unsafe fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $generic:path;) => {
        $(#[$meta])*
        $visibility unsafe fn $name(set: $crate::kernels::InstructionSet, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            unsafe fn avx512(simd: $crate::kernels::x86::Avx512, $($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $generic(simd, $($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2(simd: $crate::kernels::x86::Avx2, $($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $generic(simd, $($argument),*) }
            }
            use $crate::kernels::InstructionSet;
            match set {
                // SAFETY: the value exists only on a CPU that has the instructions; the rest is the caller's promise.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512Bf16(simd) => unsafe { avx512(simd.base(), $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512(simd) => unsafe { avx512(simd, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2(simd) => unsafe { avx2(simd, $($argument),*) },
                // SAFETY: the caller's promise. NEON needs no function of its own: every 64-bit Arm target has it.
                #[cfg(target_arch = "aarch64")]
                InstructionSet::NeonBf16(simd) => unsafe { $generic(simd.base(), $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon(simd) => unsafe { $generic(simd, $($argument),*) },
                // SAFETY: the caller's promise.
                InstructionSet::Portable(simd) => unsafe { $generic(simd, $($argument),*) },
            }
        }
    };
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $generic:path;) => {
        $(#[$meta])*
        $visibility fn $name(set: $crate::kernels::InstructionSet, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512(simd: $crate::kernels::x86::Avx512, $($argument: $type),*) $(-> $result)? {
                $generic(simd, $($argument),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2(simd: $crate::kernels::x86::Avx2, $($argument: $type),*) $(-> $result)? {
                $generic(simd, $($argument),*)
            }
            use $crate::kernels::InstructionSet;
            match set {
                // SAFETY: the value exists only on a CPU that has the instructions.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512Bf16(simd) => unsafe { avx512(simd.base(), $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512(simd) => unsafe { avx512(simd, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2(simd) => unsafe { avx2(simd, $($argument),*) },
                // Every 64-bit Arm target has NEON.
                #[cfg(target_arch = "aarch64")]
                InstructionSet::NeonBf16(simd) => $generic(simd.base(), $($argument),*),
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon(simd) => $generic(simd, $($argument),*),
                InstructionSet::Portable(simd) => $generic(simd, $($argument),*),
            }
        }
    };
}
pub(crate) use kernel;

/// Declares a function that runs a kernel, generic over [`PairUnit`](super::bf16::PairUnit), with the unit of the given
/// instruction set, or else its emulation. The forms are those of [`kernel!`], without a visibility for the unsafe one.
macro_rules! pair_kernel {
    ($(#[$meta:meta])* unsafe fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $generic:path;) => {
        $(#[$meta])*
        unsafe fn $name(set: $crate::kernels::InstructionSet, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
            unsafe fn native(unit: $crate::kernels::x86::Avx512Bf16, $($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $generic(unit, $($argument),*) }
            }
            #[cfg(target_arch = "aarch64")]
            #[target_feature(enable = "bf16")]
            unsafe fn native(unit: $crate::kernels::neon::NeonBf16, $($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $generic(unit, $($argument),*) }
            }
            #[inline(always)]
            unsafe fn emulated<S: $crate::kernels::simd::Simd>(simd: S, $($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $generic($crate::kernels::bf16::Emulated(simd), $($argument),*) }
            }
            $crate::kernels::dispatch::kernel! {
                unsafe fn others($($argument: $type),*) = emulated;
            }
            match set {
                // SAFETY: the value exists only on a CPU that has the instructions; the rest is the caller's promise.
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::InstructionSet::Avx512Bf16(unit) => unsafe { native(unit, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                $crate::kernels::InstructionSet::NeonBf16(unit) => unsafe { native(unit, $($argument),*) },
                // SAFETY: the caller's promise.
                _ => unsafe { others(set, $($argument),*) },
            }
        }
    };
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $generic:path;) => {
        $(#[$meta])*
        $visibility fn $name(set: $crate::kernels::InstructionSet, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
            fn native(unit: $crate::kernels::x86::Avx512Bf16, $($argument: $type),*) $(-> $result)? {
                $generic(unit, $($argument),*)
            }
            #[cfg(target_arch = "aarch64")]
            #[target_feature(enable = "bf16")]
            fn native(unit: $crate::kernels::neon::NeonBf16, $($argument: $type),*) $(-> $result)? {
                $generic(unit, $($argument),*)
            }
            #[inline(always)]
            fn emulated<S: $crate::kernels::simd::Simd>(simd: S, $($argument: $type),*) $(-> $result)? {
                $generic($crate::kernels::bf16::Emulated(simd), $($argument),*)
            }
            $crate::kernels::dispatch::kernel! {
                fn others($($argument: $type),*) $(-> $result)? = emulated;
            }
            match set {
                // SAFETY: the value exists only on a CPU that has the instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::kernels::InstructionSet::Avx512Bf16(unit) => unsafe { native(unit, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                $crate::kernels::InstructionSet::NeonBf16(unit) => unsafe { native(unit, $($argument),*) },
                _ => others(set, $($argument),*),
            }
        }
    };
}
pub(crate) use pair_kernel;
