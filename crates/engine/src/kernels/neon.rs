//! Implementation of sixteen lanes by four NEON registers.

#![allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all blocks of an implementation")]

use std::arch::aarch64::*;

use super::simd::{LANES, Simd};

/// The NEON instructions. A value exists only on a CPU that has them, which all 64-bit Arm systems do.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// Returns the implementation if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// Applies an intrinsic to each of the four registers.
macro_rules! each {
    ($operation:ident($($argument:ident),+)) => {
        [
            $operation($($argument[0]),+), $operation($($argument[1]),+),
            $operation($($argument[2]),+), $operation($($argument[3]),+),
        ]
    };
}

impl Simd for Neon {
    type V = [float32x4_t; 4];
    const WIDE: bool = false;

    // SAFETY (every block of this implementation): a value of `Neon` exists only where `neon` was detected, and the
    // pointers stay inside references to sixteen values.
    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { [vdupq_n_f32(x); 4] }
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::V {
        let x = x.as_ptr();
        unsafe { [vld1q_f32(x), vld1q_f32(x.add(4)), vld1q_f32(x.add(8)), vld1q_f32(x.add(12))] }
    }
    #[inline(always)]
    fn load_first(self, pairs: &[u32; LANES]) -> Self::V {
        let p = pairs.as_ptr();
        unsafe {
            let mask = [vdupq_n_u32(0xffff_0000); 4];
            let pairs = [vld1q_u32(p), vld1q_u32(p.add(4)), vld1q_u32(p.add(8)), vld1q_u32(p.add(12))];
            let bits = each!(vandq_u32(pairs, mask));
            each!(vreinterpretq_f32_u32(bits))
        }
    }
    #[inline(always)]
    fn load_second(self, pairs: &[u32; LANES]) -> Self::V {
        let p = pairs.as_ptr();
        unsafe {
            let pairs = [vld1q_u32(p), vld1q_u32(p.add(4)), vld1q_u32(p.add(8)), vld1q_u32(p.add(12))];
            [
                vreinterpretq_f32_u32(vshlq_n_u32::<16>(pairs[0])),
                vreinterpretq_f32_u32(vshlq_n_u32::<16>(pairs[1])),
                vreinterpretq_f32_u32(vshlq_n_u32::<16>(pairs[2])),
                vreinterpretq_f32_u32(vshlq_n_u32::<16>(pairs[3])),
            ]
        }
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> Self::V {
        let x = x.as_ptr();
        unsafe {
            [
                vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(x))),
                vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(x.add(4)))),
                vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(x.add(8)))),
                vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(x.add(12)))),
            ]
        }
    }
    #[inline(always)]
    fn splat_pair(self, x: &[f32; 2]) -> Self::V {
        unsafe {
            let pair = vld1_f32(x.as_ptr());
            [vcombine_f32(pair, pair); 4]
        }
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::V {
        unsafe {
            let bytes = vld1q_s8(x.as_ptr().cast());
            let (low, high) = (vmovl_s8(vget_low_s8(bytes)), vmovl_s8(vget_high_s8(bytes)));
            [
                vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))),
                vcvtq_f32_s32(vmovl_s16(vget_high_s16(low))),
                vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))),
                vcvtq_f32_s32(vmovl_s16(vget_high_s16(high))),
            ]
        }
    }
    #[inline(always)]
    fn store(self, v: Self::V, x: &mut [f32; LANES]) {
        let x = x.as_mut_ptr();
        unsafe {
            vst1q_f32(x, v[0]);
            vst1q_f32(x.add(4), v[1]);
            vst1q_f32(x.add(8), v[2]);
            vst1q_f32(x.add(12), v[3]);
        }
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { each!(vaddq_f32(a, b)) }
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { each!(vsubq_f32(a, b)) }
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { each!(vmulq_f32(a, b)) }
    }
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe { each!(vdivq_f32(a, b)) }
    }
    #[inline(always)]
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { each!(vfmaq_f32(c, a, b)) }
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        unsafe { each!(vfmsq_f32(c, a, b)) }
    }
    // Not the instructions' own maximum and minimum, which treat NaN and zeros differently than this trait specifies.
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe {
            let greater = each!(vcgtq_f32(a, b));
            each!(vbslq_f32(greater, a, b))
        }
    }
    #[inline(always)]
    fn min(self, a: Self::V, b: Self::V) -> Self::V {
        unsafe {
            let less = each!(vcltq_f32(a, b));
            each!(vbslq_f32(less, a, b))
        }
    }
    #[inline(always)]
    fn round(self, a: Self::V) -> Self::V {
        unsafe { each!(vrndnq_f32(a)) }
    }
    #[inline(always)]
    fn scale_by_power_of_two(self, a: Self::V, n: Self::V) -> Self::V {
        unsafe {
            let whole = each!(vcvtq_s32_f32(n));
            let bias = [vdupq_n_s32(127); 4];
            let exponent = each!(vaddq_s32(whole, bias));
            let power = [
                vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent[0])),
                vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent[1])),
                vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent[2])),
                vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent[3])),
            ];
            each!(vmulq_f32(a, power))
        }
    }
}
