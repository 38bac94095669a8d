//! Macros that compile a kernel for each instruction set.

/// Declares a function that runs a kernel, generic over [`Simd`](super::simd::Simd), with the given instruction set.
///
/// `fn name(arguments) -> result = generic;` declares `name(set, arguments)`, which runs the `#[inline(always)]`
/// function `generic(simd, arguments)`, compiled once for each instruction set. Of an `unsafe fn`, the caller must meet the safety
/// conditions of `generic`.
macro_rules! kernel {
    ($(#[$meta:meta])* $visibility:vis unsafe fn $($rest:tt)*) => {
        $crate::kernels::units::kernel! { @ [unsafe] $(#[$meta])* $visibility fn $($rest)* }
    };
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $crate::kernels::units::kernel! { @ [] $(#[$meta])* $visibility fn $($rest)* }
    };
    (@ [$($unsafe:tt)?] $(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?)
        $(-> $result:ty)? = $generic:path;) => {
        $(#[$meta])*
        $visibility $($unsafe)? fn $name(
            set: $crate::kernels::units::InstructionSet, $($argument: $type),*
        ) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            $($unsafe)? fn avx512(simd: $crate::kernels::units::x86::Avx512, $($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller's promise.
                $($unsafe)? { $generic(simd, $($argument),*) }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c")]
            $($unsafe)? fn avx2(simd: $crate::kernels::units::x86::Avx2, $($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller's promise.
                $($unsafe)? { $generic(simd, $($argument),*) }
            }
            use $crate::kernels::units::InstructionSet;
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
                InstructionSet::NeonBf16(simd) => $($unsafe)? { $generic(simd.base(), $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon(simd) => $($unsafe)? { $generic(simd, $($argument),*) },
                // SAFETY: the caller's promise.
                InstructionSet::Portable(simd) => $($unsafe)? { $generic(simd, $($argument),*) },
            }
        }
    };
}
pub(crate) use kernel;

/// Declares a function that runs a kernel, generic over [`PairUnit`](super::pairs::PairUnit), with the unit of the given
/// instruction set, or else its emulation. The forms are those of [`kernel!`].
macro_rules! pair_kernel {
    ($(#[$meta:meta])* $visibility:vis unsafe fn $($rest:tt)*) => {
        $crate::kernels::units::pair_kernel! { @ [unsafe] $(#[$meta])* $visibility fn $($rest)* }
    };
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $crate::kernels::units::pair_kernel! { @ [] $(#[$meta])* $visibility fn $($rest)* }
    };
    (@ [$($unsafe:tt)?] $(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?)
        $(-> $result:ty)? = $generic:path;) => {
        $(#[$meta])*
        $visibility $($unsafe)? fn $name(
            set: $crate::kernels::units::InstructionSet, $($argument: $type),*
        ) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
            $($unsafe)? fn native(unit: $crate::kernels::units::x86::Avx512Bf16, $($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller's promise.
                $($unsafe)? { $generic(unit, $($argument),*) }
            }
            #[cfg(target_arch = "aarch64")]
            #[target_feature(enable = "bf16")]
            $($unsafe)? fn native(unit: $crate::kernels::units::neon::NeonBf16, $($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller's promise.
                $($unsafe)? { $generic(unit, $($argument),*) }
            }
            #[inline(always)]
            $($unsafe)? fn emulated<S: $crate::kernels::units::Simd>(simd: S, $($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller's promise.
                $($unsafe)? { $generic($crate::kernels::units::Emulated(simd), $($argument),*) }
            }
            $crate::kernels::units::kernel! {
                @ [$($unsafe)?] fn others($($argument: $type),*) $(-> $result)? = emulated;
            }
            use $crate::kernels::units::InstructionSet;
            match set {
                // SAFETY: the value exists only on a CPU that has the instructions; the rest is the caller's promise.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512Bf16(unit) => unsafe { native(unit, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "aarch64")]
                InstructionSet::NeonBf16(unit) => unsafe { native(unit, $($argument),*) },
                // SAFETY: the caller's promise.
                _ => $($unsafe)? { others(set, $($argument),*) },
            }
        }
    };
}
pub(crate) use pair_kernel;
