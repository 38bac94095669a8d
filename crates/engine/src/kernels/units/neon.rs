//! Implementation of sixteen lanes by four NEON registers.
//!
//! Of the instructions of FEAT_BF16, `bfmlalt` and `bfmlalb` are used: fused multiply-adds of the upper and the lower halves,
//! which are the steps of the chain that [`pairs`](super::pairs) specifies. `bfdot` and `bfmmla` do more at once, with other
//! results: they add the two products of a pair before the sum, and round to odd (with FPCR.EBF to nearest, still in this
//! order). `sdot` and `smmla` multiply integers by integers, and no format of this engine has integer activations.

#![allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all blocks of an implementation")]

use std::arch::aarch64::*;
use std::arch::asm;

use super::numbers::MIN_FACTOR;
use super::pairs::{MultiplyUnit, PairUnit};
use super::simd::{LANES, Simd, lanewise, six_bits_position};

/// The NEON instructions. A value exists only on a CPU that has them, which all 64-bit Arm systems do.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// Returns the implementation if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// The NEON and BF16 instructions. A value exists only on a CPU that has them.
#[derive(Clone, Copy, Debug)]
pub struct NeonBf16(Neon);

impl NeonBf16 {
    /// Returns the implementation if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        Neon::detect().filter(|_| std::arch::is_aarch64_feature_detected!("bf16")).map(Self)
    }

    /// Returns its NEON implementation, which does all operations except products of bf16.
    pub fn base(self) -> Neon {
        self.0
    }
}

/// Applies an intrinsic to each of the four registers.
macro_rules! each {
    ($operation:ident$(::<$constant:literal>)?($($argument:ident),+)) => {
        [
            $operation$(::<$constant>)?($($argument[0]),+), $operation$(::<$constant>)?($($argument[1]),+),
            $operation$(::<$constant>)?($($argument[2]),+), $operation$(::<$constant>)?($($argument[3]),+),
        ]
    };
}

impl Neon {
    /// Reads numbers of four bits from the bit `low_shift` on, whose higher bits are those of `high` that a mask selects after a shift.
    /// The numbers are increased by an offset.
    #[inline(always)]
    fn with_high(
        self,
        low: &[u32; LANES],
        low_shift: usize,
        high: &[u32; LANES],
        (high_shift, mask): (usize, u32),
        offset: i32,
    ) -> [float32x4_t; 4] {
        let (low, high) = (low.as_ptr(), high.as_ptr());
        // SAFETY: as in the implementation of `Simd`.
        unsafe {
            let (low_shift, high_shift) =
                ([vdupq_n_s32(-(low_shift as i32)); 4], [vdupq_n_s32(-(high_shift as i32)); 4]);
            let (low_mask, high_mask, offset) =
                ([vdupq_n_u32(15); 4], [vdupq_n_u32(mask); 4], [vdupq_n_s32(offset); 4]);
            let low = [vld1q_u32(low), vld1q_u32(low.add(4)), vld1q_u32(low.add(8)), vld1q_u32(low.add(12))];
            let high = [vld1q_u32(high), vld1q_u32(high.add(4)), vld1q_u32(high.add(8)), vld1q_u32(high.add(12))];
            let (low, high) = (each!(vshlq_u32(low, low_shift)), each!(vshlq_u32(high, high_shift)));
            let (low, high) = (each!(vandq_u32(low, low_mask)), each!(vandq_u32(high, high_mask)));
            let number = each!(vsliq_n_u32::<4>(low, high));
            let number = each!(vreinterpretq_s32_u32(number));
            let number = each!(vsubq_s32(number, offset));
            each!(vcvtq_f32_s32(number))
        }
    }
}

/// Converts sixteen integers.
#[inline]
#[target_feature(enable = "neon")]
fn widen_i8(numbers: int8x16_t) -> [float32x4_t; 4] {
    let (low, high) = (vmovl_s8(vget_low_s8(numbers)), vmovl_s8(vget_high_s8(numbers)));
    [
        vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))),
        vcvtq_f32_s32(vmovl_s16(vget_high_s16(low))),
        vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))),
        vcvtq_f32_s32(vmovl_s16(vget_high_s16(high))),
    ]
}

/// Reads four f16. The standard library's intrinsic is younger than the oldest compiler that builds this crate.
///
/// # Safety
/// They must be readable.
#[inline(always)]
unsafe fn widen_f16(x: *const u16) -> float32x4_t {
    let wide;
    // SAFETY: every 64-bit Arm CPU has the instruction, which works on registers only; the rest is the caller's promise.
    unsafe {
        asm!(
            "fcvtl {0:v}.4s, {1:v}.4h", out(vreg) wide, in(vreg) vld1_u16(x),
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    wide
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
            let bits = each!(vshlq_n_u32::<16>(pairs));
            each!(vreinterpretq_f32_u32(bits))
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
    fn load_i8_pairs(self, x: &[u8; 2 * LANES]) -> [Self::V; 2] {
        unsafe {
            // Even bytes, the second numbers, and odd ones.
            let int8x16x2_t(second, first) = vld2q_s8(x.as_ptr().cast());
            [widen_i8(first), widen_i8(second)]
        }
    }
    #[inline(always)]
    fn round_to_bf16(self, v: Self::V) -> Self::V {
        unsafe {
            let (one, half, mask) = ([vdupq_n_u32(1); 4], [vdupq_n_u32(0x7fff); 4], [vdupq_n_u32(0xffff_0000); 4]);
            let bits = each!(vreinterpretq_u32_f32(v));
            let upper = each!(vshrq_n_u32::<16>(bits));
            let even = each!(vandq_u32(upper, one));
            let bits = each!(vaddq_u32(bits, half));
            let bits = each!(vaddq_u32(bits, even));
            let bits = each!(vandq_u32(bits, mask));
            each!(vreinterpretq_f32_u32(bits))
        }
    }
    #[inline(always)]
    fn pairs(self, first: Self::V, second: Self::V) -> [u32; LANES] {
        unsafe {
            let (first, second) = (each!(vreinterpretq_u32_f32(first)), each!(vreinterpretq_u32_f32(second)));
            std::mem::transmute::<[uint32x4_t; 4], [u32; LANES]>(each!(vsriq_n_u32::<16>(first, second)))
        }
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], nibble: usize) -> Self::V {
        let p = words.as_ptr();
        unsafe {
            let (shift, mask, offset) =
                ([vdupq_n_s32(-4 * nibble as i32); 4], [vdupq_n_u32(15); 4], [vdupq_n_s32(OFFSET); 4]);
            let words = [vld1q_u32(p), vld1q_u32(p.add(4)), vld1q_u32(p.add(8)), vld1q_u32(p.add(12))];
            let shifted = each!(vshlq_u32(words, shift));
            let number = each!(vandq_u32(shifted, mask));
            let number = each!(vreinterpretq_s32_u32(number));
            let number = each!(vsubq_s32(number, offset));
            each!(vcvtq_f32_s32(number))
        }
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], vector: usize, nibble: usize) -> Self::V {
        self.with_high(&words[vector], 4 * nibble, &words[4], (4 * nibble + vector, 1), OFFSET)
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], number: usize) -> Self::V {
        let [low, shift] = six_bits_position(number);
        self.with_high(&words[low], shift, &words[2], (2 * number, 3), 32)
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::V {
        unsafe { widen_i8(vld1q_s8(x.as_ptr().cast())) }
    }
    #[inline(always)]
    fn load_f16(self, x: &[u16; LANES]) -> Self::V {
        let x = x.as_ptr();
        unsafe { [widen_f16(x), widen_f16(x.add(4)), widen_f16(x.add(8)), widen_f16(x.add(12))] }
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
    lanewise! {
        add(a, b) = unsafe { each!(vaddq_f32(a, b)) };
        sub(a, b) = unsafe { each!(vsubq_f32(a, b)) };
        mul(a, b) = unsafe { each!(vmulq_f32(a, b)) };
        div(a, b) = unsafe { each!(vdivq_f32(a, b)) };
        mul_add(a, b, c) = unsafe { each!(vfmaq_f32(c, a, b)) };
        neg_mul_add(a, b, c) = unsafe { each!(vfmsq_f32(c, a, b)) };
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
            let power = each!(vshlq_n_s32::<23>(exponent));
            let power = each!(vreinterpretq_f32_s32(power));
            each!(vmulq_f32(a, power))
        }
    }
}

// The standard library has no type of bf16 vectors, so these are intrinsics of our own.

/// Defines `a * b + sum` of the upper or the lower halves, rounded once.
macro_rules! multiply_add {
    ($name:ident, $instruction:literal) => {
        #[inline]
        #[target_feature(enable = "bf16")]
        fn $name(mut sum: float32x4_t, a: uint16x8_t, b: uint16x8_t) -> float32x4_t {
            // SAFETY: the function has the instruction, which works on registers only.
            unsafe {
                asm!(
                    concat!($instruction, " {0:v}.4s, {1:v}.8h, {2:v}.8h"), inout(vreg) sum, in(vreg) a, in(vreg) b,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            sum
        }
    };
}
multiply_add!(multiply_add_upper, "bfmlalt");
multiply_add!(multiply_add_lower, "bfmlalb");

/// Rounds eight values to bf16.
#[inline]
#[target_feature(enable = "bf16")]
fn narrow(low: float32x4_t, high: float32x4_t) -> uint16x8_t {
    let rounded;
    // SAFETY: as above. The first instruction may write before the second one reads.
    unsafe {
        asm!(
            "bfcvtn {0:v}.4h, {1:v}.4s", "bfcvtn2 {0:v}.8h, {2:v}.4s",
            out(vreg) rounded, in(vreg) low, in(vreg) high,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    rounded
}

/// Rounds thirty-two values to bf16.
#[inline]
#[target_feature(enable = "bf16")]
fn narrow_all(low: [float32x4_t; 4], high: [float32x4_t; 4]) -> [uint16x8_t; 4] {
    [narrow(low[0], low[1]), narrow(low[2], low[3]), narrow(high[0], high[1]), narrow(high[2], high[3])]
}

/// Returns the bytes of the numbers of four bits in bf16, which are increased by an offset: the lower bytes, then the upper ones.
const fn table(offset: i32) -> [[u8; LANES]; 2] {
    let mut numbers = [[0; LANES]; 2];
    let mut i = 0;
    while i < LANES {
        let bits = (i as f32 - offset as f32).to_bits();
        numbers[0][i] = (bits >> 16) as u8;
        numbers[1][i] = (bits >> 24) as u8;
        i += 1;
    }
    numbers
}

impl MultiplyUnit for NeonBf16 {
    type Simd = Neon;
    type Columns = [uint16x8_t; 4];
    type Row = uint16x8_t;
    const NATIVE: bool = false;
    const ROW_WORDS: usize = 1;

    // SAFETY (every block of this implementation): a value of `NeonBf16` exists only where `neon` and `bf16` were detected,
    // and the pointers stay inside references to sixteen pairs, or are readable by the caller's promise.
    #[inline(always)]
    fn simd(self) -> Neon {
        self.0
    }
    #[inline(always)]
    fn load(self, pairs: &[u32; LANES]) -> Self::Columns {
        let p: *const u16 = pairs.as_ptr().cast();
        unsafe { [vld1q_u16(p), vld1q_u16(p.add(8)), vld1q_u16(p.add(16)), vld1q_u16(p.add(24))] }
    }
    #[inline(always)]
    unsafe fn row(self, words: *const u32) -> uint16x8_t {
        unsafe { vreinterpretq_u16_u32(vdupq_n_u32(*words)) }
    }
    #[inline(always)]
    fn multiply_add(self, row: uint16x8_t, columns: Self::Columns, sum: [float32x4_t; 4]) -> [float32x4_t; 4] {
        let row = [row; 4];
        unsafe {
            let sum = each!(multiply_add_upper(sum, row, columns));
            each!(multiply_add_lower(sum, row, columns))
        }
    }
}

impl PairUnit for NeonBf16 {
    // SAFETY (every block of this implementation): as above.
    #[inline(always)]
    fn round(self, low: [float32x4_t; 4], high: [float32x4_t; 4]) -> [u32; LANES] {
        unsafe {
            let least = [vdupq_n_f32(f32::from_bits(MIN_FACTOR)); 4];
            // "Less than" is false of NaN.
            let (small_low, small_high) = (each!(vcaltq_f32(low, least)), each!(vcaltq_f32(high, least)));
            let (low, high) = (each!(vreinterpretq_u32_f32(low)), each!(vreinterpretq_u32_f32(high)));
            let (low, high) = (each!(vbicq_u32(low, small_low)), each!(vbicq_u32(high, small_high)));
            let (low, high) = (each!(vreinterpretq_f32_u32(low)), each!(vreinterpretq_f32_u32(high)));
            // The instruction writes the first of two values into the lower half, and rounds like `rounded`.
            let reversed = narrow_all(low, high);
            self.pairs(each!(vrev32q_u16(reversed)))
        }
    }
    #[inline(always)]
    fn load_i8(self, bytes: &[u8; 2 * LANES]) -> Self::Columns {
        unsafe {
            let bytes = bytes.as_ptr().cast();
            narrow_all(widen_i8(vld1q_s8(bytes)), widen_i8(vld1q_s8(bytes.add(LANES))))
        }
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], pair: usize) -> Self::Columns {
        let table = const { &table(OFFSET) };
        unsafe {
            let numbers = [uint8x16x2_t(vld1q_u8(table[0].as_ptr()), vld1q_u8(table[1].as_ptr())); 4];
            let (shift, mask, upper) =
                ([vdupq_n_s32(-4 * pair as i32); 4], [vdupq_n_u16(15); 4], [vdupq_n_u16((LANES as u16) << 8); 4]);
            let p = words.as_ptr();
            let words = [vld1q_u32(p), vld1q_u32(p.add(4)), vld1q_u32(p.add(8)), vld1q_u32(p.add(12))];
            let shifted = each!(vshlq_u32(words, shift));
            let halves = each!(vreinterpretq_u16_u32(shifted));
            let number = each!(vandq_u16(halves, mask));
            // The positions of the lower bytes, and those of the upper ones.
            let positions = each!(vsliq_n_u16::<8>(number, number));
            let positions = each!(vorrq_u16(positions, upper));
            let positions = each!(vreinterpretq_u8_u16(positions));
            let bytes = each!(vqtbl2q_u8(numbers, positions));
            each!(vreinterpretq_u16_u8(bytes))
        }
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], pair: usize) -> Self::Columns {
        let (vector, nibble) = (pair / 4, pair % 4);
        let first = self.0.load_i5::<OFFSET>(words, vector, 4 + nibble);
        self.load(&self.0.pairs(first, self.0.load_i5::<OFFSET>(words, vector, nibble)))
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> Self::Columns {
        self.load(&self.0.pairs(self.0.load_i6(words, 8 + pair), self.0.load_i6(words, pair)))
    }
    #[inline(always)]
    fn pairs(self, columns: Self::Columns) -> [u32; LANES] {
        let mut pairs = [0; LANES];
        let p: *mut u16 = pairs.as_mut_ptr().cast();
        unsafe {
            vst1q_u16(p, columns[0]);
            vst1q_u16(p.add(8), columns[1]);
            vst1q_u16(p.add(16), columns[2]);
            vst1q_u16(p.add(24), columns[3]);
        }
        pairs
    }
}
