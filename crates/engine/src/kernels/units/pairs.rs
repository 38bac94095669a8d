//! Units that multiply pairs of bf16, and their emulation in f32, which is the reference of the others.
//!
//! bf16 is the upper half of an f32. Two neighbours in k are stored as a pair in one u32, the first in the upper half. The
//! instruction `vdpbf16ps` multiplies and adds the upper halves first, then the lower ones, each as a fused multiply-add.
//! Pairs after each other are therefore one chain over k in order, as with f32; which pairs a product chains is
//! [`Order`](crate::kernels::products::Order). On Arm, `bfmlalt` and `bfmlalb` are these two multiply-adds. Without such
//! instructions, or with slow ones, they are computed in f32. `bfmmla` rounds in another way, so it has no use here
//! (`crates/engine/README.md`).
//!
//! The instruction treats subnormal inputs and outputs as zero. To have the same bits everywhere, no subnormal may occur. A
//! factor below 2^-56 in magnitude therefore counts as zero: products, and their sums, are multiples of 2^-126, the least
//! normal number.

use super::compressed_pair::{COMPRESSED, Table, expanded};
use super::numbers::pair_of;
use super::simd::{LANES, Simd};

/// Unit that multiplies pairs of bf16 and adds the products to f32.
pub(crate) trait MultiplyUnit: Copy {
    /// Unit that adds and stores.
    type Simd: Simd;
    /// Pairs of sixteen columns.
    type Columns: Copy;
    /// A pair of one row.
    type Row: Copy;
    /// Whether one instruction does both multiplications.
    const NATIVE: bool;
    /// Number of words of A that hold a pair: one, or two f32.
    const ROW_WORDS: usize;

    fn simd(self) -> Self::Simd;
    fn load(self, pairs: &[u32; LANES]) -> Self::Columns;
    /// Reads a pair of one row.
    ///
    /// # Safety
    /// All its words must be readable.
    unsafe fn row(self, words: *const u32) -> Self::Row;
    /// Adds the product of the first elements, then that of the second ones, each rounded once.
    fn multiply_add(
        self,
        row: Self::Row,
        columns: Self::Columns,
        sum: <Self::Simd as Simd>::V,
    ) -> <Self::Simd as Simd>::V;
}

/// Unit that also rounds and unpacks to pairs, and whose rows are such.
pub(crate) trait PairUnit: MultiplyUnit {
    /// Rounds thirty-two values, in order, to sixteen pairs.
    fn round(self, low: <Self::Simd as Simd>::V, high: <Self::Simd as Simd>::V) -> [u32; LANES];
    /// Reads a pair of signed bytes of each of sixteen columns, the second number before the first one.
    fn load_i8(self, bytes: &[u8; 2 * LANES]) -> Self::Columns;
    /// Reads a pair of numbers of four bits of sixteen columns, from words that hold four of them: the first number of pair
    /// `i` in the bits from `16 + 4 * i` on, the second one in those from `4 * i` on, each increased by `OFFSET`. This and the
    /// next two functions may read numbers in place (see [`PairUnit::row_for`]).
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], pair: usize) -> Self::Columns;
    /// Reads a pair of numbers of five bits of sixteen columns, from four vectors of words with four bits of each and one
    /// with the fifth bits (see [`Simd::load_i5`]).
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], pair: usize) -> Self::Columns;
    /// Reads a pair of numbers of six bits of sixteen columns, the first of them number `8 + pair` and the second one number `pair`
    /// of [`Simd::load_i6`].
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> Self::Columns;
    /// Reads a pair of one row for columns at this position of words. Units that read columns in place, times `16^position`,
    /// divide the row by that power of two, so that the products are the same.
    ///
    /// # Safety
    /// As for [`MultiplyUnit::row`].
    #[inline(always)]
    unsafe fn row_for(self, words: *const u32, _position: usize) -> Self::Row {
        // SAFETY: the caller's promise.
        unsafe { self.row(words) }
    }
    /// Returns columns that were read at this position as the numbers that they are.
    #[inline(always)]
    fn exact(self, columns: Self::Columns, _position: usize) -> Self::Columns {
        columns
    }
    /// Expands a compressed pair of k of 64 columns (see [`compressed_pair`](super::compressed_pair)).
    #[inline(always)]
    fn load_compressed(self, pair: &[u8; COMPRESSED], table: &Table) -> [Self::Columns; 4] {
        let words = expanded(pair, table);
        [self.load(&words[0]), self.load(&words[1]), self.load(&words[2]), self.load(&words[3])]
    }
    /// Returns pairs as they are stored.
    fn pairs(self, columns: Self::Columns) -> [u32; LANES];
}

/// Emulation: the two multiply-adds in f32.
#[derive(Clone, Copy)]
pub(crate) struct Emulated<S>(pub(crate) S);

impl<S: Simd> MultiplyUnit for Emulated<S> {
    type Simd = S;
    type Columns = [S::V; 2];
    type Row = [S::V; 2];
    const NATIVE: bool = false;
    const ROW_WORDS: usize = 1;

    #[inline(always)]
    fn simd(self) -> S {
        self.0
    }
    #[inline(always)]
    fn load(self, pairs: &[u32; LANES]) -> Self::Columns {
        [self.0.load_first(pairs), self.0.load_second(pairs)]
    }
    #[inline(always)]
    unsafe fn row(self, words: *const u32) -> Self::Row {
        // SAFETY: the caller's promise.
        self.0.splat_halves(unsafe { *words })
    }
    #[inline(always)]
    fn multiply_add(self, row: Self::Row, columns: Self::Columns, sum: S::V) -> S::V {
        self.0.mul_add(row[1], columns[1], self.0.mul_add(row[0], columns[0], sum))
    }
}

impl<S: Simd> PairUnit for Emulated<S> {
    #[inline(always)]
    fn round(self, low: S::V, high: S::V) -> [u32; LANES] {
        let mut values = [[0.0; LANES]; 2];
        self.0.store(low, &mut values[0]);
        self.0.store(high, &mut values[1]);
        let mut pairs = [0; LANES];
        for (pair, values) in pairs.iter_mut().zip(values.as_flattened().as_chunks::<2>().0) {
            *pair = pair_of(values);
        }
        pairs
    }
    #[inline(always)]
    fn load_i8(self, bytes: &[u8; 2 * LANES]) -> Self::Columns {
        self.0.load_i8_pairs(bytes)
    }
    #[inline(always)]
    fn load_i4<const OFFSET: i32>(self, words: &[u32; LANES], pair: usize) -> Self::Columns {
        [self.0.load_i4::<OFFSET>(words, 4 + pair), self.0.load_i4::<OFFSET>(words, pair)]
    }
    #[inline(always)]
    fn load_i5<const OFFSET: i32>(self, words: &[[u32; LANES]; 5], pair: usize) -> Self::Columns {
        let (vector, nibble) = (pair / 4, pair % 4);
        [self.0.load_i5::<OFFSET>(words, vector, 4 + nibble), self.0.load_i5::<OFFSET>(words, vector, nibble)]
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> Self::Columns {
        [self.0.load_i6(words, 8 + pair), self.0.load_i6(words, pair)]
    }
    #[inline(always)]
    unsafe fn row_for(self, words: *const u32, position: usize) -> Self::Row {
        // SAFETY: the caller's promise.
        self.exact(unsafe { self.row(words) }, position)
    }
    #[inline(always)]
    fn exact(self, [first, second]: Self::Columns, position: usize) -> Self::Columns {
        if !S::READS_IN_PLACE || position == 0 {
            return [first, second];
        }
        let factor = self.0.splat(1.0 / (1 << (4 * position)) as f32);
        [self.0.mul(first, factor), self.0.mul(second, factor)]
    }
    #[inline(always)]
    fn pairs(self, columns: Self::Columns) -> [u32; LANES] {
        self.0.pairs(columns[0], columns[1])
    }
}

/// Emulation whose pairs of rows are split beforehand into two f32, which saves time where many columns share a row. An f32
/// represents every bf16, so the bits are those of [`Emulated`]. Products with weights use it where
/// [`InstructionSet::multiplies_pairs_in_f32`](super::instruction_set::InstructionSet::multiplies_pairs_in_f32) is true; the
/// attention and the gradient of the head multiply pairs in f32 there without splitting them.
#[derive(Clone, Copy)]
pub(crate) struct SplitRows<S>(pub(crate) Emulated<S>);

impl<S: Simd> MultiplyUnit for SplitRows<S> {
    type Simd = S;
    type Columns = [S::V; 2];
    type Row = [S::V; 2];
    const ROW_WORDS: usize = 2;
    const NATIVE: bool = false;

    #[inline(always)]
    fn simd(self) -> S {
        self.0.simd()
    }
    #[inline(always)]
    fn load(self, pairs: &[u32; LANES]) -> Self::Columns {
        self.0.load(pairs)
    }
    #[inline(always)]
    unsafe fn row(self, words: *const u32) -> Self::Row {
        // SAFETY: the caller's promise.
        unsafe { [self.simd().splat(f32::from_bits(*words)), self.simd().splat(f32::from_bits(*words.add(1)))] }
    }
    #[inline(always)]
    fn multiply_add(self, row: Self::Row, columns: Self::Columns, sum: S::V) -> S::V {
        self.0.multiply_add(row, columns, sum)
    }
}
