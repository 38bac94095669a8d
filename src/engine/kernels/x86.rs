//! The sixteen lanes as one AVX-512 register or two AVX2 registers.

use std::arch::x86_64::*;

use super::simd::{LANES, Simd};

/// AVX-512F. Exists only on a CPU that has it.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The implementation, if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

/// AVX2 with FMA. Exists only on a CPU that has both.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The implementation, if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

impl Simd for Avx512 {
    type V = __m512;
    const WIDE: bool = true;

    // SAFETY (every block of this implementation): a value of `Avx512` exists only where `avx512f` was detected, and the
    // pointers come from references to sixteen floats.
    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        unsafe { _mm512_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> __m512 {
        unsafe { _mm512_loadu_ps(x.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, v: __m512, x: &mut [f32; LANES]) {
        unsafe { _mm512_storeu_ps(x.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_mul_ps(a, b) }
    }
    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_div_ps(a, b) }
    }
    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn neg_mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fnmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_max_ps(a, b) }
    }
    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_min_ps(a, b) }
    }
    #[inline(always)]
    fn round(self, a: __m512) -> __m512 {
        unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a) }
    }
    #[inline(always)]
    fn scale_by_power_of_two(self, a: __m512, n: __m512) -> __m512 {
        unsafe {
            let exponent = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
            _mm512_mul_ps(a, _mm512_castsi512_ps(_mm512_slli_epi32::<23>(exponent)))
        }
    }
}

impl Simd for Avx2 {
    type V = [__m256; 2];
    const WIDE: bool = false;

    // SAFETY (every block of this implementation): a value of `Avx2` exists only where `avx2` and `fma` were detected,
    // and the pointers stay inside references to sixteen floats.
    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { [_mm256_set1_ps(x); 2] }
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::V {
        unsafe { [_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(x.as_ptr().add(8))] }
    }
    #[inline(always)]
    fn store(self, v: Self::V, x: &mut [f32; LANES]) {
        unsafe {
            _mm256_storeu_ps(x.as_mut_ptr(), v[0]);
            _mm256_storeu_ps(x.as_mut_ptr().add(8), v[1]);
        }
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_div_ps(a[0], b[0]), _mm256_div_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { [_mm256_fmadd_ps(a[0], b[0], c[0]), _mm256_fmadd_ps(a[1], b[1], c[1])] }
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { [_mm256_fnmadd_ps(a[0], b[0], c[0]), _mm256_fnmadd_ps(a[1], b[1], c[1])] }
    }
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn min(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { [_mm256_min_ps(a[0], b[0]), _mm256_min_ps(a[1], b[1])] }
    }
    #[inline(always)]
    fn round(self, a: Self::V) -> Self::V {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        unsafe { [_mm256_round_ps::<NEAREST>(a[0]), _mm256_round_ps::<NEAREST>(a[1])] }
    }
    #[inline(always)]
    fn scale_by_power_of_two(self, a: Self::V, n: Self::V) -> Self::V {
        unsafe {
            let bias = _mm256_set1_epi32(127);
            let low = _mm256_slli_epi32::<23>(_mm256_add_epi32(_mm256_cvtps_epi32(n[0]), bias));
            let high = _mm256_slli_epi32::<23>(_mm256_add_epi32(_mm256_cvtps_epi32(n[1]), bias));
            [_mm256_mul_ps(a[0], _mm256_castsi256_ps(low)), _mm256_mul_ps(a[1], _mm256_castsi256_ps(high))]
        }
    }
}
