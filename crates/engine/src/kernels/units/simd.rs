//! Vectors of sixteen f32 lanes, in several implementations that give the same bits.
//!
//! A kernel is written once over [`Simd`] and compiled for each instruction set. Multiply-add is always fused, sums
//! over lanes use one tree, and `exp` is one polynomial, so results do not depend on the instruction set. A value of an
//! implementation proves that this CPU has its instructions, which makes the operations safe to call.

use super::numbers::{f16_value, rounded};

/// Number of lanes of a vector. Every padded dimension of the engine is a multiple of it.
pub const LANES: usize = 16;
/// Size of a cache line, in bytes.
pub(crate) const CACHE_LINE: usize = 64;

/// Builds an array of lanes. Compilers do not inline the standard library's functions for this in large kernels.
macro_rules! lanes {
    ($f:expr) => {{
        let mut out = [0.0; LANES];
        for (i, x) in out.iter_mut().enumerate() {
            *x = $f(i);
        }
        out
    }};
}

/// Defines operations of [`Simd`] on two or three vectors.
macro_rules! lanewise {
    ($($name:ident($($argument:ident),+) = $result:expr;)+) => { $(
        #[inline(always)]
        fn $name(self, $($argument: Self::V),+) -> Self::V {
            $result
        }
    )+ };
}
pub(super) use lanewise;

/// Returns the vector and the shift of the lower four bits of a number (see [`Simd::load_i6`]).
#[inline(always)]
pub(crate) fn six_bits_position(number: usize) -> [usize; 2] {
    [number % 8 / 4, 4 * (number % 4) + number / 8 * 16]
}

/// Operations on vectors of [`LANES`] f32.
pub(crate) trait Simd: Copy + Send + Sync {
    /// Vector of sixteen lanes.
    type V: Copy;
    /// Whether there are enough registers for tiles of six rows by four vectors.
    const WIDE: bool;
    /// Whether this is the reference in plain Rust, whose speed does not count.
    const IS_PORTABLE: bool = false;
    /// Whether numbers of four to six bits are read where they are in a word, without a shift: times 16 to the power of their
    /// position among the four of a half of the word.
    const READS_IN_PLACE: bool = false;

    /// Sets all lanes to one value.
    fn splat(self, x: f32) -> Self::V;
    /// Sets all lanes to the first and to the second element of a pair of bf16.
    #[inline(always)]
    fn splat_halves(self, pair: u32) -> [Self::V; 2] {
        [self.splat(f32::from_bits(pair & 0xffff_0000)), self.splat(f32::from_bits(pair << 16))]
    }
    /// Fills the lanes with two values alternately.
    fn splat_pair(self, x: &[f32; 2]) -> Self::V;
    /// Reads sixteen values.
    fn load(self, x: &[f32; LANES]) -> Self::V;
    /// Reads the first elements of sixteen pairs of bf16 (see [`pairs`](super::pairs)).
    fn load_first(self, pairs: &[u32; LANES]) -> Self::V;
    /// Reads the second elements of sixteen pairs of bf16.
    fn load_second(self, pairs: &[u32; LANES]) -> Self::V;
    /// Reads sixteen bf16.
    fn load_bf16(self, x: &[u16; LANES]) -> Self::V;
    /// Reads two signed bytes for each lane, the second number before the first one. Returns the first ones, and the second
    /// ones.
    #[inline(always)]
    fn load_i8_pairs(self, x: &[u8; 2 * LANES]) -> [Self::V; 2] {
        [1, 0].map(|position| self.load(&lanes!(|i: usize| f32::from(x[2 * i + position] as i8))))
    }
    /// Reads a number of four bits, increased by `OFFSET`, from each of sixteen words that hold eight of them; the first is in the
    /// lowest bits.
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], nibble: usize) -> Self::V {
        self.load(&lanes!(|i: usize| (words[i] >> (4 * nibble) & 15) as f32 - OFFSET as f32))
    }
    /// Reads a number of five bits, increased by `OFFSET`, for each lane: four bits as [`Simd::load_i4`] from one of four vectors of
    /// words, and the fifth from the last vector, where those of each vector are at a distance of four bits, from the bit with
    /// its number on.
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], vector: usize, nibble: usize) -> Self::V {
        self.load(&lanes!(|i: usize| {
            let low = words[vector][i] >> (4 * nibble) & 15;
            (low | (words[4][i] >> (4 * nibble + vector) & 1) << 4) as f32 - OFFSET as f32
        }))
    }
    /// Reads a number of six bits, increased by 32, for each lane. The lower four bits are in the first two vectors of words, the
    /// upper two in the third: of the numbers 0 to 7 in the lower halves of words, from the lowest bits on, and of 8 to 15 in
    /// the upper halves; the first vector has every second four of them.
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], number: usize) -> Self::V {
        let [low, shift] = six_bits_position(number);
        self.load(&lanes!(|i: usize| {
            (words[low][i] >> shift & 15 | (words[2][i] >> (2 * number) & 3) << 4) as f32 - 32.0
        }))
    }
    /// Reads sixteen signed bytes.
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::V {
        self.load(&lanes!(|i: usize| f32::from(x[i] as i8)))
    }
    /// Rounds finite numbers, of which none is below 2^-56 in magnitude except zero, to the nearest bf16, ties to even. The sign
    /// of a zero is not specified: it is a factor of sums that start at zero, which it does not change.
    #[inline(always)]
    fn round_to_bf16(self, v: Self::V) -> Self::V {
        let mut x = [0.0; LANES];
        self.store(v, &mut x);
        self.load(&lanes!(|i: usize| f32::from_bits(rounded(x[i]))))
    }
    /// Returns pairs of bf16 (see [`pairs`](super::pairs)) of numbers that are such.
    #[inline(always)]
    fn pairs(self, first: Self::V, second: Self::V) -> [u32; LANES] {
        let mut values = [[0.0; LANES]; 2];
        self.store(first, &mut values[0]);
        self.store(second, &mut values[1]);
        let mut pairs = [0; LANES];
        for (lane, pair) in pairs.iter_mut().enumerate() {
            *pair = values[0][lane].to_bits() | values[1][lane].to_bits() >> 16;
        }
        pairs
    }
    /// Reads sixteen finite f16.
    #[inline(always)]
    fn load_f16(self, x: &[u16; LANES]) -> Self::V {
        self.load(&lanes!(|i: usize| f16_value(x[i])))
    }
    /// Prefetches the cache line at an address, which need not be readable.
    #[inline(always)]
    fn prefetch(self, _address: *const u8) {}
    /// Prefetches the cache line at an address into the second-level cache only.
    #[inline(always)]
    fn prefetch_second_level(self, _address: *const u8) {}
    /// Writes sixteen values.
    fn store(self, v: Self::V, x: &mut [f32; LANES]);
    /// Computes `a + b`.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes `a - b`.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes `a * b`.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes `a / b`.
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// Transposes a square of words.
    #[inline(always)]
    fn transpose(self, words: &mut [[u32; LANES]; LANES]) {
        for i in 1..LANES {
            let (before, from) = words.split_at_mut(i);
            for (j, other) in before.iter_mut().enumerate() {
                std::mem::swap(&mut other[i], &mut from[0][j]);
            }
        }
    }
    /// Computes `a * b + c`, rounded once.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Computes `c - a * b`, rounded once.
    fn neg_mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Computes `if a > b { a } else { b }` in each lane, so that a NaN in `b` is kept.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes `if a < b { a } else { b }` in each lane, so that a NaN in `b` is kept.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// Rounds to the nearest integer, ties to even.
    fn round(self, a: Self::V) -> Self::V;
    /// Computes `a * 2^n` for an integer `n` from -126 to 127.
    fn scale_by_power_of_two(self, a: Self::V, n: Self::V) -> Self::V;

    /// Sets all lanes to zero.
    #[inline(always)]
    fn zero(self) -> Self::V {
        self.splat(0.0)
    }

    /// Returns the sum of the lanes: halves are added until one lane is left.
    #[inline(always)]
    fn sum(self, v: Self::V) -> f32 {
        let mut x = [0.0; LANES];
        self.store(v, &mut x);
        let mut half = LANES / 2;
        while half > 0 {
            for i in 0..half {
                x[i] += x[i + half];
            }
            half /= 2;
        }
        x[0]
    }

    /// Returns the largest lane; NaN if any lane is NaN.
    #[inline(always)]
    fn largest(self, v: Self::V) -> f32 {
        let mut x = [0.0; LANES];
        self.store(v, &mut x);
        let mut largest = x[0];
        for x in x {
            if x > largest || x.is_nan() {
                largest = x;
            }
        }
        largest
    }

    /// Computes `e^x` as 2^n times a polynomial of degree 7 of the remainder (Cephes `expf`), with a relative error
    /// below 2e-7. The argument is clamped to [-87, 88], where the result is a normal number; NaN stays NaN.
    #[inline(always)]
    fn exp(self, x: Self::V) -> Self::V {
        let x = self.min(self.splat(88.0), self.max(self.splat(-87.0), x));
        let n = self.round(self.mul(x, self.splat(std::f32::consts::LOG2_E)));
        // ln 2 as a sum of two constants, so that the remainder is exact.
        let r = self.neg_mul_add(n, self.splat(0.693_359_4), x);
        let r = self.neg_mul_add(n, self.splat(-2.121_944_4e-4), r);
        let mut p = self.splat(1.987_569_1e-4);
        for c in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5.0e-1] {
            p = self.mul_add(p, r, self.splat(c));
        }
        let p = self.mul_add(self.mul(r, r), p, r);
        self.scale_by_power_of_two(self.add(p, self.splat(1.0)), n)
    }
}

/// Implementation in plain Rust, which runs on any CPU and is the reference of the others.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Simd for Portable {
    type V = [f32; LANES];
    const WIDE: bool = false;
    const IS_PORTABLE: bool = true;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        [x; LANES]
    }
    #[inline(always)]
    fn splat_pair(self, x: &[f32; 2]) -> Self::V {
        lanes!(|i: usize| x[i % 2])
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::V {
        *x
    }
    #[inline(always)]
    fn load_first(self, pairs: &[u32; LANES]) -> Self::V {
        lanes!(|i: usize| f32::from_bits(pairs[i] & 0xffff_0000))
    }
    #[inline(always)]
    fn load_second(self, pairs: &[u32; LANES]) -> Self::V {
        lanes!(|i: usize| f32::from_bits(pairs[i] << 16))
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> Self::V {
        lanes!(|i: usize| f32::from_bits(u32::from(x[i]) << 16))
    }
    #[inline(always)]
    fn store(self, v: Self::V, x: &mut [f32; LANES]) {
        *x = v;
    }
    lanewise! {
        add(a, b) = lanes!(|i| a[i] + b[i]);
        sub(a, b) = lanes!(|i| a[i] - b[i]);
        mul(a, b) = lanes!(|i| a[i] * b[i]);
        div(a, b) = lanes!(|i| a[i] / b[i]);
        mul_add(a, b, c) = lanes!(|i: usize| f32::mul_add(a[i], b[i], c[i]));
        neg_mul_add(a, b, c) = lanes!(|i: usize| f32::mul_add(-a[i], b[i], c[i]));
        max(a, b) = lanes!(|i: usize| if a[i] > b[i] { a[i] } else { b[i] });
        min(a, b) = lanes!(|i: usize| if a[i] < b[i] { a[i] } else { b[i] });
    }
    #[inline(always)]
    fn round(self, a: Self::V) -> Self::V {
        lanes!(|i: usize| f32::round_ties_even(a[i]))
    }
    #[inline(always)]
    fn scale_by_power_of_two(self, a: Self::V, n: Self::V) -> Self::V {
        lanes!(|i: usize| a[i] * f32::from_bits(((n[i] as i32 + 127) as u32) << 23))
    }
}
