//! Implementations of sixteen lanes by one AVX-512 register or two AVX2 registers.

#![allow(clippy::undocumented_unsafe_blocks, reason = "one comment for all blocks of an implementation")]

use std::arch::x86_64::*;

use super::compressed_pair::{COMPRESSED, Table};
use super::numbers::MIN_FACTOR;
use super::pairs::{MultiplyUnit, PairUnit};
use super::simd::{LANES, Simd, lanewise, six_bits_position};
use super::tiles::Tiles;

/// The AVX-512F instructions. A value exists only on a CPU that has them.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the implementation if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

/// The AVX-512F, AVX-512BW and AVX-512-BF16 instructions. A value exists only on a CPU that has all of them.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Bf16 {
    base: Avx512,
    is_f32_faster: bool,
    tiles: Option<Tiles>,
}

impl Avx512Bf16 {
    /// Returns the implementation if this CPU has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let both = is_x86_feature_detected!("avx512bf16") && is_x86_feature_detected!("avx512bw");
        Some(Self { base: Avx512::detect().filter(|_| both)?, is_f32_faster: false, tiles: None })
    }

    /// Sets whether this CPU multiplies faster in f32 than in bf16.
    pub(crate) fn with_f32(self, is_faster: bool) -> Self {
        Self { is_f32_faster: is_faster, ..self }
    }

    /// Sets the unit that multiplies tiles.
    pub(crate) fn with_tiles(self, tiles: Option<Tiles>) -> Self {
        Self { tiles, ..self }
    }

    /// Returns the unit that multiplies tiles, if they are used.
    pub(crate) fn tiles(self) -> Option<Tiles> {
        self.tiles
    }

    /// Returns its AVX-512F implementation, which does all operations except products of bf16.
    pub fn base(self) -> Avx512 {
        self.base
    }

    /// Returns whether this CPU multiplies faster in f32 than in bf16.
    pub fn is_f32_faster(self) -> bool {
        self.is_f32_faster
    }
}

/// The AVX2, FMA and F16C instructions. A value exists only on a CPU that has all of them, as those with AVX2 do.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// Returns the implementation if this CPU has the instructions.
    pub fn detect() -> Option<Self> {
        let others = is_x86_feature_detected!("fma") && is_x86_feature_detected!("f16c");
        (is_x86_feature_detected!("avx2") && others).then_some(Self(()))
    }

    /// Returns integers as numbers, decreased by an offset.
    #[inline(always)]
    fn decreased(self, numbers: __m256i, offset: i32) -> __m256 {
        // SAFETY: a value of `Avx2` exists only where `avx2` was detected.
        unsafe {
            let numbers = _mm256_cvtepi32_ps(numbers);
            if offset == 0 { numbers } else { _mm256_sub_ps(numbers, _mm256_set1_ps(offset as f32)) }
        }
    }

    /// Returns the bits of words that a mask selects after a shift to the right, or to the left if it is negative.
    #[inline(always)]
    fn bits(self, words: &[u32; LANES / 2], shift: i32, mask: i32) -> __m256i {
        // SAFETY: as above, and the pointer comes from a reference to eight words.
        unsafe {
            let words = _mm256_loadu_si256(words.as_ptr().cast());
            let shifted = if shift < 0 {
                _mm256_sll_epi32(words, _mm_cvtsi32_si128(-shift))
            } else {
                _mm256_srl_epi32(words, _mm_cvtsi32_si128(shift))
            };
            _mm256_and_si256(shifted, _mm256_set1_epi32(mask))
        }
    }

    /// Reads numbers of four bits and more in place: those of `low` at a position in the half of words from the bit `half` on, and the
    /// bits of `high` that a mask selects after a shift.
    #[inline(always)]
    fn with_high(
        self,
        low: &[u32; LANES],
        [half, position]: [usize; 2],
        high: &[u32; LANES],
        (shift, mask): (i32, i32),
        offset: i32,
    ) -> [__m256; 2] {
        let (low, high, unit) = (halves(low), halves(high), 4 * position);
        // SAFETY: as above.
        unsafe {
            let first = self.bits(low[0], half as i32, 15 << unit);
            let first = _mm256_or_si256(first, self.bits(high[0], shift, mask << unit));
            let second = self.bits(low[1], half as i32, 15 << unit);
            let second = _mm256_or_si256(second, self.bits(high[1], shift, mask << unit));
            [self.decreased(first, offset << unit), self.decreased(second, offset << unit)]
        }
    }
}

/// Returns the halves of sixteen elements.
#[inline(always)]
fn halves<T>(elements: &[T; LANES]) -> [&[T; LANES / 2]; 2] {
    // SAFETY: both halves lie inside the array. Compilers do not inline the standard library's functions for this in large kernels.
    unsafe { [&*elements.as_ptr().cast(), &*elements.as_ptr().add(LANES / 2).cast()] }
}

/// Returns a table of `count` numbers in turns, each decreased by an offset.
const fn table<const N: usize>(count: usize, offset: i32) -> [f32; N] {
    let mut numbers = [0.0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = (i % count) as f32 - offset as f32;
        i += 1;
    }
    numbers
}

/// Returns the same in bf16.
const fn table_of_bf16<const N: usize>(count: usize, offset: i32) -> [u16; N] {
    let (numbers, mut bits) = (table::<N>(count, offset), [0; N]);
    let mut i = 0;
    while i < N {
        bits[i] = (numbers[i].to_bits() >> 16) as u16;
        i += 1;
    }
    bits
}

impl Simd for Avx512 {
    type V = __m512;
    const WIDE: bool = true;

    // SAFETY (every block of this implementation): a value of `Avx512` exists only where `avx512f` was detected, and the
    // pointers come from references to sixteen values; a prefetch takes any address.
    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        unsafe { _mm512_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> __m512 {
        unsafe { _mm512_loadu_ps(x.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(self, pairs: &[u32; LANES]) -> __m512 {
        unsafe {
            let pairs = _mm512_loadu_si512(pairs.as_ptr().cast());
            _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(0xffff_0000_u32 as i32)))
        }
    }
    #[inline(always)]
    fn load_second(self, pairs: &[u32; LANES]) -> __m512 {
        unsafe { _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_loadu_si512(pairs.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> __m512 {
        unsafe {
            let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(x.as_ptr().cast()));
            _mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide))
        }
    }
    #[inline(always)]
    fn transpose(self, words: &mut [[u32; LANES]; LANES]) {
        unsafe {
            let mut rows = [_mm512_setzero_si512(); LANES];
            for i in 0..LANES {
                rows[i] = _mm512_loadu_si512(words[i].as_ptr().cast());
            }
            // Of four rows, each vector then has a column of each of the four quarters.
            for i in (0..LANES).step_by(4) {
                let [a, b] = [_mm512_unpacklo_epi32(rows[i], rows[i + 1]), _mm512_unpackhi_epi32(rows[i], rows[i + 1])];
                let (third, fourth) = (rows[i + 2], rows[i + 3]);
                let [c, d] = [_mm512_unpacklo_epi32(third, fourth), _mm512_unpackhi_epi32(third, fourth)];
                rows[i] = _mm512_unpacklo_epi64(a, c);
                rows[i + 1] = _mm512_unpackhi_epi64(a, c);
                rows[i + 2] = _mm512_unpacklo_epi64(b, d);
                rows[i + 3] = _mm512_unpackhi_epi64(b, d);
            }
            // The quarters of four vectors are transposed.
            for i in 0..4 {
                let [a, b, c, d] = [rows[i], rows[i + 4], rows[i + 8], rows[i + 12]];
                let [first, third] = [_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b)];
                let [second, fourth] = [_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d)];
                let columns = [
                    _mm512_shuffle_i32x4::<0x88>(first, second),
                    _mm512_shuffle_i32x4::<0xdd>(first, second),
                    _mm512_shuffle_i32x4::<0x88>(third, fourth),
                    _mm512_shuffle_i32x4::<0xdd>(third, fourth),
                ];
                for j in 0..4 {
                    _mm512_storeu_si512(words[4 * j + i].as_mut_ptr().cast(), columns[j]);
                }
            }
        }
    }
    #[inline(always)]
    fn splat_pair(self, x: &[f32; 2]) -> __m512 {
        unsafe { _mm512_castpd_ps(_mm512_set1_pd(x.as_ptr().cast::<f64>().read_unaligned())) }
    }
    #[inline(always)]
    fn load_i8_pairs(self, x: &[u8; 2 * LANES]) -> [__m512; 2] {
        unsafe {
            let both = _mm512_cvtepi16_epi32(_mm256_loadu_si256(x.as_ptr().cast()));
            let second = _mm512_srai_epi32::<24>(_mm512_slli_epi32::<24>(both));
            [_mm512_cvtepi32_ps(_mm512_srai_epi32::<8>(both)), _mm512_cvtepi32_ps(second)]
        }
    }
    #[inline(always)]
    fn round_to_bf16(self, v: __m512) -> __m512 {
        unsafe {
            let bits = _mm512_castps_si512(v);
            let even = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let rounded = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), even);
            _mm512_castsi512_ps(_mm512_and_si512(rounded, _mm512_set1_epi32(0xffff_0000_u32 as i32)))
        }
    }
    #[inline(always)]
    fn pairs(self, first: __m512, second: __m512) -> [u32; LANES] {
        unsafe {
            let second = _mm512_srli_epi32::<16>(_mm512_castps_si512(second));
            std::mem::transmute::<__m512i, [u32; LANES]>(_mm512_or_si512(_mm512_castps_si512(first), second))
        }
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], nibble: usize) -> __m512 {
        let numbers = self.load(const { &table(16, OFFSET) });
        unsafe {
            let words = _mm512_loadu_si512(words.as_ptr().cast());
            // The instruction ignores all but the lower four bits of an index.
            _mm512_permutexvar_ps(_mm512_srl_epi32(words, _mm_cvtsi32_si128(4 * nibble as i32)), numbers)
        }
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], vector: usize, nibble: usize) -> __m512 {
        let numbers: &[[f32; LANES]; 2] = const { &[table(32, OFFSET), table(32, OFFSET - 16)] };
        unsafe {
            let low = _mm512_loadu_si512(words[vector].as_ptr().cast());
            let low = _mm512_srl_epi32(low, _mm_cvtsi32_si128(4 * nibble as i32));
            let high = _mm512_loadu_si512(words[4].as_ptr().cast());
            // The fifth bit of an index.
            let high = if 4 * nibble + vector < 4 {
                _mm512_sll_epi32(high, _mm_cvtsi32_si128(4 - vector as i32))
            } else {
                _mm512_srl_epi32(high, _mm_cvtsi32_si128((4 * nibble + vector) as i32 - 4))
            };
            // Bits of `low` where the mask has them, else of `high`.
            let indices = _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(15), low, high);
            // The instruction ignores all but the lower five bits of an index.
            _mm512_permutex2var_ps(self.load(&numbers[0]), indices, self.load(&numbers[1]))
        }
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], number: usize) -> __m512 {
        let [low, shift] = six_bits_position(number);
        unsafe {
            let low = _mm512_loadu_si512(words[low].as_ptr().cast());
            let low = _mm512_srl_epi32(low, _mm_cvtsi32_si128(shift as i32));
            let high = _mm512_loadu_si512(words[2].as_ptr().cast());
            let high = _mm512_slli_epi32::<4>(_mm512_srl_epi32(high, _mm_cvtsi32_si128(2 * number as i32)));
            let low = _mm512_and_si512(low, _mm512_set1_epi32(15));
            let number = _mm512_or_si512(low, _mm512_and_si512(high, _mm512_set1_epi32(48)));
            _mm512_cvtepi32_ps(_mm512_sub_epi32(number, _mm512_set1_epi32(32)))
        }
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> __m512 {
        unsafe { _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(x.as_ptr().cast()))) }
    }
    #[inline(always)]
    fn load_f16(self, x: &[u16; LANES]) -> __m512 {
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(x.as_ptr().cast())) }
    }
    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[inline(always)]
    fn prefetch_second_level(self, address: *const u8) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }
    #[inline(always)]
    fn store(self, v: __m512, x: &mut [f32; LANES]) {
        unsafe { _mm512_storeu_ps(x.as_mut_ptr(), v) }
    }
    lanewise! {
        add(a, b) = unsafe { _mm512_add_ps(a, b) };
        sub(a, b) = unsafe { _mm512_sub_ps(a, b) };
        mul(a, b) = unsafe { _mm512_mul_ps(a, b) };
        div(a, b) = unsafe { _mm512_div_ps(a, b) };
        max(a, b) = unsafe { _mm512_max_ps(a, b) };
        min(a, b) = unsafe { _mm512_min_ps(a, b) };
        mul_add(a, b, c) = unsafe { _mm512_fmadd_ps(a, b, c) };
        neg_mul_add(a, b, c) = unsafe { _mm512_fnmadd_ps(a, b, c) };
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
    const READS_IN_PLACE: bool = true;

    // SAFETY (every block of this implementation): a value of `Avx2` exists only where `avx2`, `fma` and `f16c` were detected,
    // and the pointers stay inside references to sixteen values; a prefetch takes any address.
    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        unsafe { [_mm256_set1_ps(x); 2] }
    }
    #[inline(always)]
    fn splat_halves(self, pair: u32) -> [Self::V; 2] {
        unsafe {
            let pairs = _mm256_set1_epi32(pair as i32);
            let first = _mm256_and_si256(pairs, _mm256_set1_epi32(0xffff_0000_u32 as i32));
            [[_mm256_castsi256_ps(first); 2], [_mm256_castsi256_ps(_mm256_slli_epi32::<16>(pairs)); 2]]
        }
    }
    #[inline(always)]
    fn load(self, x: &[f32; LANES]) -> Self::V {
        unsafe { [_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(x.as_ptr().add(8))] }
    }
    #[inline(always)]
    fn load_first(self, pairs: &[u32; LANES]) -> Self::V {
        unsafe {
            let mask = _mm256_set1_epi32(0xffff_0000_u32 as i32);
            let low = _mm256_loadu_si256(pairs.as_ptr().cast());
            let high = _mm256_loadu_si256(pairs.as_ptr().add(8).cast());
            [_mm256_castsi256_ps(_mm256_and_si256(low, mask)), _mm256_castsi256_ps(_mm256_and_si256(high, mask))]
        }
    }
    #[inline(always)]
    fn load_second(self, pairs: &[u32; LANES]) -> Self::V {
        unsafe {
            let low = _mm256_loadu_si256(pairs.as_ptr().cast());
            let high = _mm256_loadu_si256(pairs.as_ptr().add(8).cast());
            [_mm256_castsi256_ps(_mm256_slli_epi32::<16>(low)), _mm256_castsi256_ps(_mm256_slli_epi32::<16>(high))]
        }
    }
    #[inline(always)]
    fn load_bf16(self, x: &[u16; LANES]) -> Self::V {
        unsafe {
            let low = _mm256_cvtepu16_epi32(_mm_loadu_si128(x.as_ptr().cast()));
            let high = _mm256_cvtepu16_epi32(_mm_loadu_si128(x.as_ptr().add(8).cast()));
            [_mm256_castsi256_ps(_mm256_slli_epi32::<16>(low)), _mm256_castsi256_ps(_mm256_slli_epi32::<16>(high))]
        }
    }
    #[inline(always)]
    fn splat_pair(self, x: &[f32; 2]) -> Self::V {
        unsafe { [_mm256_castpd_ps(_mm256_set1_pd(x.as_ptr().cast::<f64>().read_unaligned())); 2] }
    }
    #[inline(always)]
    fn load_i8_pairs(self, x: &[u8; 2 * LANES]) -> [Self::V; 2] {
        unsafe {
            let low = _mm256_cvtepi16_epi32(_mm_loadu_si128(x.as_ptr().cast()));
            let high = _mm256_cvtepi16_epi32(_mm_loadu_si128(x.as_ptr().add(LANES).cast()));
            let [low_first, high_first] = [_mm256_srai_epi32::<8>(low), _mm256_srai_epi32::<8>(high)];
            let low_second = _mm256_srai_epi32::<24>(_mm256_slli_epi32::<24>(low));
            let high_second = _mm256_srai_epi32::<24>(_mm256_slli_epi32::<24>(high));
            [
                [_mm256_cvtepi32_ps(low_first), _mm256_cvtepi32_ps(high_first)],
                [_mm256_cvtepi32_ps(low_second), _mm256_cvtepi32_ps(high_second)],
            ]
        }
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], nibble: usize) -> Self::V {
        let ([low, high], half, unit) = (halves(words), nibble as i32 / 4 * 16, 4 * (nibble % 4));
        let [low, high] = [self.bits(low, half, 15 << unit), self.bits(high, half, 15 << unit)];
        [self.decreased(low, OFFSET << unit), self.decreased(high, OFFSET << unit)]
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], vector: usize, nibble: usize) -> Self::V {
        let (half, high) = (nibble / 4 * 16, ((nibble / 4 * 16) as i32 - (4 - vector as i32), 16));
        self.with_high(&words[vector], [half, nibble % 4], &words[4], high, OFFSET)
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], number: usize) -> Self::V {
        let ([vector, _], position) = (six_bits_position(number), number % 4);
        // From two bits for each number to the fifth and the sixth of its four.
        let high = (2 * number as i32 - 4 * position as i32 - 4, 48);
        self.with_high(&words[vector], [number / 8 * 16, position], &words[2], high, 32)
    }
    #[inline(always)]
    fn load_i8(self, x: &[u8; LANES]) -> Self::V {
        unsafe {
            let bytes = _mm_loadu_si128(x.as_ptr().cast());
            let (low, high) = (_mm256_cvtepi8_epi32(bytes), _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(bytes)));
            [_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(high)]
        }
    }
    #[inline(always)]
    fn load_f16(self, x: &[u16; LANES]) -> Self::V {
        unsafe {
            let (low, high) = (_mm_loadu_si128(x.as_ptr().cast()), _mm_loadu_si128(x.as_ptr().add(8).cast()));
            [_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)]
        }
    }
    #[inline(always)]
    fn round_to_bf16(self, v: Self::V) -> Self::V {
        unsafe {
            let (one, half) = (_mm256_set1_epi32(1), _mm256_set1_epi32(0x7fff));
            let mask = _mm256_set1_epi32(0xffff_0000_u32 as i32);
            let (low, high) = (_mm256_castps_si256(v[0]), _mm256_castps_si256(v[1]));
            let low_even = _mm256_and_si256(_mm256_srli_epi32::<16>(low), one);
            let high_even = _mm256_and_si256(_mm256_srli_epi32::<16>(high), one);
            let low = _mm256_and_si256(_mm256_add_epi32(_mm256_add_epi32(low, half), low_even), mask);
            let high = _mm256_and_si256(_mm256_add_epi32(_mm256_add_epi32(high, half), high_even), mask);
            [_mm256_castsi256_ps(low), _mm256_castsi256_ps(high)]
        }
    }
    #[inline(always)]
    fn pairs(self, first: Self::V, second: Self::V) -> [u32; LANES] {
        unsafe {
            let low = _mm256_srli_epi32::<16>(_mm256_castps_si256(second[0]));
            let high = _mm256_srli_epi32::<16>(_mm256_castps_si256(second[1]));
            std::mem::transmute::<[__m256i; 2], [u32; LANES]>([
                _mm256_or_si256(_mm256_castps_si256(first[0]), low),
                _mm256_or_si256(_mm256_castps_si256(first[1]), high),
            ])
        }
    }
    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[inline(always)]
    fn prefetch_second_level(self, address: *const u8) {
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) }
    }
    #[inline(always)]
    fn store(self, v: Self::V, x: &mut [f32; LANES]) {
        unsafe {
            _mm256_storeu_ps(x.as_mut_ptr(), v[0]);
            _mm256_storeu_ps(x.as_mut_ptr().add(8), v[1]);
        }
    }
    lanewise! {
        add(a, b) = unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] };
        sub(a, b) = unsafe { [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])] };
        mul(a, b) = unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] };
        div(a, b) = unsafe { [_mm256_div_ps(a[0], b[0]), _mm256_div_ps(a[1], b[1])] };
        max(a, b) = unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] };
        min(a, b) = unsafe { [_mm256_min_ps(a[0], b[0]), _mm256_min_ps(a[1], b[1])] };
        mul_add(a, b, c) = unsafe { [_mm256_fmadd_ps(a[0], b[0], c[0]), _mm256_fmadd_ps(a[1], b[1], c[1])] };
        neg_mul_add(a, b, c) = unsafe { [_mm256_fnmadd_ps(a[0], b[0], c[0]), _mm256_fnmadd_ps(a[1], b[1], c[1])] };
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

impl MultiplyUnit for Avx512Bf16 {
    type Simd = Avx512;
    type Columns = __m512i;
    type Row = __m512i;
    const NATIVE: bool = true;
    const ROW_WORDS: usize = 1;

    // SAFETY (every block of this implementation): a value of `Avx512Bf16` exists only where `avx512f`, `avx512bw` and
    // `avx512bf16` were detected, the pointers come from a reference to sixteen pairs or are readable by the caller's
    // promise, and all three vector types are 64 plain bytes.
    #[inline(always)]
    fn simd(self) -> Avx512 {
        self.base
    }
    #[inline(always)]
    fn load(self, pairs: &[u32; LANES]) -> __m512i {
        unsafe { _mm512_loadu_si512(pairs.as_ptr().cast()) }
    }
    #[inline(always)]
    unsafe fn row(self, words: *const u32) -> __m512i {
        unsafe { _mm512_set1_epi32(*words as i32) }
    }
    #[inline(always)]
    fn multiply_add(self, row: __m512i, columns: __m512i, sum: __m512) -> __m512 {
        unsafe {
            let (row, columns) =
                (std::mem::transmute::<__m512i, __m512bh>(row), std::mem::transmute::<__m512i, __m512bh>(columns));
            _mm512_dpbf16_ps(sum, row, columns)
        }
    }
}

impl PairUnit for Avx512Bf16 {
    // SAFETY (every block of this implementation): as above.
    #[inline(always)]
    fn round(self, low: __m512, high: __m512) -> [u32; LANES] {
        unsafe {
            let least = _mm512_set1_ps(f32::from_bits(MIN_FACTOR));
            // "Not less than" keeps NaN.
            let keep = |x: __m512| {
                let keep = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(_mm512_abs_ps(x), least);
                _mm512_maskz_mov_ps(keep, x)
            };
            // The instruction writes the first of two values into the lower half, and rounds like `rounded`.
            let both = _mm512_cvtne2ps_pbh(keep(high), keep(low));
            let pairs = _mm512_rol_epi32::<16>(std::mem::transmute::<__m512bh, __m512i>(both));
            std::mem::transmute::<__m512i, [u32; LANES]>(pairs)
        }
    }
    #[inline(always)]
    fn load_i8(self, bytes: &[u8; 2 * LANES]) -> __m512i {
        unsafe {
            let low = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(bytes.as_ptr().cast())));
            let high = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(bytes.as_ptr().add(LANES).cast())));
            std::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(high, low))
        }
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], pair: usize) -> __m512i {
        let numbers: &[u16; 32] = const { &table_of_bf16(16, OFFSET) };
        unsafe {
            let words = _mm512_loadu_si512(words.as_ptr().cast());
            let indices = _mm512_srl_epi32(words, _mm_cvtsi32_si128(4 * pair as i32));
            // The instruction ignores all but the lower five bits of an index, and the table has each number twice.
            _mm512_permutexvar_epi16(indices, _mm512_loadu_si512(numbers.as_ptr().cast()))
        }
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], pair: usize) -> __m512i {
        let (vector, position) = (pair / 4, pair % 4);
        let numbers: &[u16; 32] = const { &table_of_bf16(32, OFFSET) };
        unsafe {
            let low = _mm512_loadu_si512(words[vector].as_ptr().cast());
            let low = _mm512_srl_epi32(low, _mm_cvtsi32_si128(4 * position as i32));
            let high = _mm512_loadu_si512(words[4].as_ptr().cast());
            // The fifth bit of an index.
            let high = if position == 0 {
                _mm512_sll_epi32(high, _mm_cvtsi32_si128(4 - vector as i32))
            } else {
                _mm512_srl_epi32(high, _mm_cvtsi32_si128((4 * position + vector) as i32 - 4))
            };
            // Bits of `low` where the mask has them, else of `high`.
            let indices = _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi16(15), low, high);
            _mm512_permutexvar_epi16(indices, _mm512_loadu_si512(numbers.as_ptr().cast()))
        }
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> __m512i {
        let [low, shift] = six_bits_position(pair);
        unsafe {
            let low = _mm512_loadu_si512(words[low].as_ptr().cast());
            let low = _mm512_srl_epi32(low, _mm_cvtsi32_si128(shift as i32));
            let high = _mm512_loadu_si512(words[2].as_ptr().cast());
            // The upper two bits of an index are the fifth and the sixth one of its half of the word.
            let high = if pair < 2 {
                _mm512_sll_epi32(high, _mm_cvtsi32_si128(4 - 2 * pair as i32))
            } else {
                _mm512_srl_epi32(high, _mm_cvtsi32_si128(2 * pair as i32 - 4))
            };
            // Bits of `low` where the mask has them, else of `high`.
            let indices = _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi16(15), low, high);
            let numbers: &[u16; 64] = const { &table_of_bf16(64, 32) };
            let table = numbers.as_ptr().cast::<__m512i>();
            let (negative, positive) = (_mm512_loadu_si512(table), _mm512_loadu_si512(table.add(1)));
            // The instruction ignores all but the lower six bits of an index.
            _mm512_permutex2var_epi16(negative, indices, positive)
        }
    }
    #[inline(always)]
    fn load_compressed(self, pair: &[u8; COMPRESSED], table: &Table) -> [__m512i; 4] {
        unsafe {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
            let half = _mm512_set1_epi8(15);
            let pair = pair.as_ptr().cast::<__m512i>();
            let (first, second) = (_mm512_loadu_si512(pair), _mm512_loadu_si512(pair.add(1)));
            let indices = _mm512_loadu_si512(pair.add(2));
            let low = _mm512_shuffle_epi8(table, _mm512_and_si512(indices, half));
            let high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16::<4>(indices), half));
            [
                _mm512_unpacklo_epi8(first, low),
                _mm512_unpackhi_epi8(first, low),
                _mm512_unpacklo_epi8(second, high),
                _mm512_unpackhi_epi8(second, high),
            ]
        }
    }
    #[inline(always)]
    fn pairs(self, columns: __m512i) -> [u32; LANES] {
        unsafe { std::mem::transmute::<__m512i, [u32; LANES]>(columns) }
    }
}

#[cfg(test)]
mod tests {
    /// A closure has no target features, so an intrinsic that is called in one may stay a call. Kernels with such calls take ten
    /// times as long.
    #[test]
    #[cfg(all(target_os = "linux", not(debug_assertions)))]
    fn no_intrinsic_is_a_function() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let of_crate = |name: &[u8]| program.windows(name.len()).any(|bytes| bytes == name);
        assert!(of_crate(b"16trainyard_engine"), "the test reads the names of functions, and the program has none");
        // In parts, so that the program does not have the names for this test's sake.
        let sets = ["3avx", "4avx2", "3fma", "4f16c", "7avx512f", "8avx512bw", "10avx512bf16"];
        let calls = sets.iter().flat_map(|set| {
            let path = [b"core_arch3x86".as_slice(), set.as_bytes()].concat();
            let names = program.windows(path.len() + 24).filter(move |bytes| bytes.starts_with(&path));
            names.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        });
        // Numbers alone: searches for bytes, in other crates, select their function when they run.
        let calls: Vec<_> = calls.filter(|name| name.contains("_ps")).collect();
        assert!(calls.is_empty(), "{calls:?}");
    }
}
