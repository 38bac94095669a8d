//! Products in bf16: both factors rounded to bf16, sums in f32.
//!
//! bf16 is the upper half of an f32. Two neighbours in k are stored as a pair in one u32, the first in the upper half.
//! The instruction `vdpbf16ps` multiplies and adds the upper halves first, then the lower ones, each as a fused
//! multiply-add. An element is therefore one chain over k in order, as with f32. On Arm, `bfmlalt` and `bfmlalb` are these
//! two multiply-adds. Without such instructions, or with slow ones, they are computed in f32. `bfmmla` and AMX's `tdpbf16ps` add in another
//! order, so they have no use here (`docs/architecture.md`).
//!
//! The instruction treats subnormal inputs and outputs as zero. To have the same bits everywhere, no subnormal may
//! occur. A factor below 2^-56 in magnitude therefore counts as zero: products, and their sums, are multiples of
//! 2^-126, the least normal number. An initial value that a product is added to counts as zero below 2^-103, so it is
//! such a multiple too.

use super::InstructionSet;
use super::compressed::{COMPRESSED, Table, expanded};
use super::dispatch::{kernel, pair_kernel};
use super::simd::{CACHE_LINE, LANES, Simd};
use super::split_rows::gemm_split;

/// Bits of 2^-56 as an f32.
pub(super) const MIN_FACTOR: u32 = (127 - 56) << 23;
/// Bits of 2^-103 as an f32.
const MIN_START: u32 = (127 - 103) << 23;
/// Bits of an f32 without its sign.
const MAGNITUDE: u32 = 0x7fff_ffff;

/// Returns the bf16 nearest to `x` (ties to even) in the upper half; zero below 2^-56 in magnitude.
#[inline(always)]
pub(super) fn rounded(x: f32) -> u32 {
    let bits = x.to_bits();
    let even = (bits >> 16) & 1;
    let rounded = bits.wrapping_add(0x7fff + even) & 0xffff_0000;
    let nan = (bits | 0x0040_0000) & 0xffff_0000;
    let magnitude = bits & MAGNITUDE;
    let value = if magnitude > 0x7f80_0000 { nan } else { rounded };
    if magnitude < MIN_FACTOR { 0 } else { value }
}

/// Returns the result of [`rounded`] as a bf16.
pub fn bf16_bits(x: f32) -> u16 {
    (rounded(x) >> 16) as u16
}

/// Returns the result of [`rounded`] as a number.
pub fn round_to_bf16(x: f32) -> f32 {
    f32::from_bits(rounded(x))
}

/// Number of values of a row that form one vector of pairs.
const PAIRED: usize = 2 * LANES;

/// Rounds rows of `depth` values to rows of pairs. An odd depth is padded with zero.
pub(super) fn round_rows(set: InstructionSet, x: &[f32], depth: usize, pairs: &mut [u32]) {
    if depth.is_multiple_of(2) {
        return round_values(set, x, pairs);
    }
    for (x, pairs) in x.chunks_exact(depth).zip(pairs.chunks_exact_mut(depth.div_ceil(2))) {
        round_values(set, x, pairs);
    }
}

/// Rounds values to pairs. The last value of an odd number is paired with zero.
fn round_values(set: InstructionSet, x: &[f32], pairs: &mut [u32]) {
    assert_eq!(x.len().div_ceil(2), pairs.len());
    round(set, x, pairs);
}

pair_kernel! {
    fn round(x: &[f32], pairs: &mut [u32]) = round_generic;
}

#[inline(always)]
fn round_generic<U: PairUnit>(unit: U, x: &[f32], pairs: &mut [u32]) {
    let simd = unit.simd();
    let (x, rest) = x.as_chunks::<PAIRED>();
    let (pairs, rest_pairs) = pairs.split_at_mut(x.len() * LANES);
    for (x, pairs) in x.iter().zip(pairs.as_chunks_mut::<LANES>().0) {
        let (low, high) = halves(x);
        *pairs = unit.round(simd.load(low), simd.load(high));
    }
    for (x, pair) in rest.chunks(2).zip(rest_pairs) {
        *pair = pair_of(x);
    }
}

#[inline(always)]
fn halves(x: &[f32; PAIRED]) -> (&[f32; LANES], &[f32; LANES]) {
    let halves = x.as_chunks::<LANES>().0;
    (&halves[0], &halves[1])
}

/// Returns one or two values as a pair.
#[inline(always)]
pub(super) fn pair_of(x: &[f32]) -> u32 {
    rounded(x[0]) | x.get(1).map_or(0, |second| rounded(*second) >> 16)
}

pair_kernel! {
    /// Replaces a row by `factor` times the row, rounded to pairs of bf16. Their bits are in the first half of the row's
    /// memory. The last value of an odd number is paired with zero.
    pub(super) fn scale_to_pairs(row: &mut [f32], factor: f32) = scale_generic;
}

#[inline(always)]
fn scale_generic<U: PairUnit>(unit: U, row: &mut [f32], factor: f32) {
    let simd = unit.simd();
    let scale = simd.splat(factor);
    let whole = row.len() / PAIRED;
    for i in 0..whole {
        let (low, high) = halves(row[i * PAIRED..][..PAIRED].as_chunks().0.first().expect("a whole chunk"));
        let pairs = unit.round(simd.mul(simd.load(low), scale), simd.mul(simd.load(high), scale));
        for (place, pair) in row[i * LANES..][..LANES].iter_mut().zip(pairs) {
            *place = f32::from_bits(pair);
        }
    }
    for i in whole * LANES..row.len().div_ceil(2) {
        let first = row[2 * i] * factor;
        let second = row.get(2 * i + 1).map_or(0.0, |second| second * factor);
        row[i] = f32::from_bits(pair_of(&[first, second]));
    }
}

kernel! {
    /// Rounds two rows to pairs of their values in the same column.
    pub(super) fn pair_rows(first: &[f32], second: &[f32], pairs: &mut [f32]) = pair_rows_generic;
}

#[inline(always)]
fn pair_rows_generic<S: Simd>(_simd: S, first: &[f32], second: &[f32], pairs: &mut [f32]) {
    for ((first, second), pair) in first.iter().zip(second).zip(pairs) {
        *pair = f32::from_bits(pair_of(&[*first, *second]));
    }
}

/// Operands of `C[rows, columns] (+)= A B`, where A and B are stored in pairs of k.
#[derive(Clone, Copy)]
pub(super) struct PairProduct {
    pub rows: usize,
    /// A multiple of [`LANES`].
    pub columns: usize,
    /// Number of pairs of k.
    pub pairs: usize,
    pub a: *const u32,
    /// Distance in A from one row to the next.
    pub a_row: usize,
    /// Distance in A from one pair of k to the next.
    pub a_pair: usize,
    /// Whether A holds two f32 for each pair (see [`split_rows`](super::split_rows)).
    pub is_split: bool,
    pub b: *const u32,
    /// Distance in B from one pair of k to the next.
    pub b_pair: usize,
    /// Distance from the pairs of B in use to those being prefetched, which need not be readable.
    pub prefetch: isize,
    pub c: *mut f32,
    /// Distance in C from one row to the next.
    pub c_row: usize,
    pub start: Start,
    /// Memory that the caller reads next, prefetched during the product.
    pub ahead: Ahead,
}

/// Memory to prefetch into the second-level cache, a cache line for each pair of k of a tile.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    start: *const u8,
    bytes: usize,
}

impl Ahead {
    pub(super) const NONE: Self = Self { start: std::ptr::null(), bytes: 0 };

    pub(super) fn of<T>(values: &[T]) -> Self {
        Self { start: values.as_ptr().cast(), bytes: size_of_val(values) }
    }

    /// Returns the wrapping distance in bytes from an address to the memory: zero if there is none.
    pub(super) fn distance_from(self, address: *const u8) -> usize {
        if self.bytes == 0 { 0 } else { self.start.addr().wrapping_sub(address.addr()) }
    }

    /// Removes the lines of a tile of `pairs` pairs. Returns the first one and the distance to the next: zero if none is
    /// left.
    #[inline(always)]
    pub(super) fn take(&mut self, pairs: usize) -> (*const u8, usize) {
        let (first, bytes) = (self.start, self.bytes.min(pairs * CACHE_LINE));
        *self = Self { start: first.wrapping_add(bytes), bytes: self.bytes - bytes };
        (first, if bytes > 0 { CACHE_LINE } else { 0 })
    }
}

impl PairProduct {
    /// Distance of prefetching, 8 KiB, in a B that comes from memory in order.
    pub(super) const IN_ORDER: isize = 2048;

    /// Returns the product of `pairs` pairs from `first` on, apart from B. Its sums continue those of the pairs before.
    pub(super) fn part(self, first: usize, pairs: usize) -> Self {
        let start = if first == 0 { self.start } else { Start::Sums };
        Self { pairs, a: self.a.wrapping_add(first * self.a_pair), start, ..self }
    }

    /// Returns the product that adds to small initial values too, as scaled chains do, which are added in f32.
    pub(super) fn keeping_small_starts(self) -> Self {
        let start = if self.start == Start::Before { Start::Sums } else { self.start };
        Self { start, ..self }
    }
}

/// Initial value of a tile's sums.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Start {
    Zero,
    /// Previous content of C, with zero for values below 2^-103.
    Before,
    /// Partial sums, which C holds.
    Sums,
}

/// Computes a product.
///
/// # Safety
/// A must be readable at every row and pair, B at every pair and column and C writable at every row and column, and nobody
/// else may use those elements of C meanwhile.
pub(super) unsafe fn gemm_bf16(set: InstructionSet, product: PairProduct) {
    assert!(product.columns.is_multiple_of(LANES), "columns come in whole vectors");
    // SAFETY: the caller's promise; whole vectors were checked.
    unsafe {
        if product.is_split {
            gemm_split(set, product);
        } else {
            gemm(if set.multiplies_pairs_in_f32(product.rows) { set.without_pairs() } else { set }, product);
        }
    }
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_bf16`], and `product.columns` is a multiple of [`LANES`].
    unsafe fn gemm(product: PairProduct) = gemm_generic;
}

/// Unit that multiplies pairs of bf16 and adds the products to f32.
pub(super) trait MultiplyUnit: Copy {
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
pub(super) trait PairUnit: MultiplyUnit {
    /// Scales of sixteen columns.
    type Scales: Copy;

    /// Rounds thirty-two values, in order, to sixteen pairs.
    fn round(self, low: <Self::Simd as Simd>::V, high: <Self::Simd as Simd>::V) -> [u32; LANES];
    /// Returns the scales of sixteen columns for [`PairUnit::load_i8`].
    fn scales(self, scales: <Self::Simd as Simd>::V) -> Self::Scales;
    /// Reads a pair of signed bytes of each of sixteen columns, the second number before the first one, and rounds their
    /// products with the columns' scales. No magnitude of these is below 2^-56 except zero.
    fn load_i8(self, block: &[u8; 2 * LANES], scales: Self::Scales) -> Self::Columns;
    /// Reads a pair of numbers of four bits of sixteen columns, from words that hold four of them: the first number of pair
    /// `i` in the bits from `16 + 4 * i` on, the second one in those from `4 * i` on, each increased by 8.
    fn load_i4(self, words: &[u32; LANES], pair: usize) -> Self::Columns;
    /// Reads a pair of numbers of six bits of sixteen columns, the first of them number `8 + pair` and the second one number `pair`
    /// of [`Simd::load_i6`].
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> Self::Columns;
    /// Expands a compressed pair of k of 64 columns (see [`compressed`](super::compressed)).
    #[inline(always)]
    fn load_compressed(self, pair: &[u8; COMPRESSED], table: &Table) -> [Self::Columns; 4] {
        let words = expanded(pair, table);
        [self.load(&words[0]), self.load(&words[1]), self.load(&words[2]), self.load(&words[3])]
    }
    /// Returns pairs as they are stored.
    fn pairs(self, columns: Self::Columns) -> [u32; LANES];
}

pair_kernel! {
    /// Returns whether one instruction multiplies both elements of a pair.
    pub(super) fn is_native() -> bool = is_native_generic;
}

#[inline(always)]
fn is_native_generic<U: PairUnit>(_unit: U) -> bool {
    U::NATIVE
}

/// Emulation: the two multiply-adds in f32.
#[derive(Clone, Copy)]
pub(super) struct Emulated<S>(pub(super) S);

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
        let pair = unsafe { *words };
        [self.0.splat(f32::from_bits(pair & 0xffff_0000)), self.0.splat(f32::from_bits(pair << 16))]
    }
    #[inline(always)]
    fn multiply_add(self, row: Self::Row, columns: Self::Columns, sum: S::V) -> S::V {
        self.0.mul_add(row[1], columns[1], self.0.mul_add(row[0], columns[0], sum))
    }
}

impl<S: Simd> PairUnit for Emulated<S> {
    type Scales = S::V;

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
    fn scales(self, scales: S::V) -> S::V {
        scales
    }
    #[inline(always)]
    fn load_i8(self, block: &[u8; 2 * LANES], scales: S::V) -> Self::Columns {
        let [first, second] = self.0.load_i8_pairs(block);
        [self.0.round_to_bf16(self.0.mul(first, scales)), self.0.round_to_bf16(self.0.mul(second, scales))]
    }
    #[inline(always)]
    fn load_i4(self, words: &[u32; LANES], pair: usize) -> Self::Columns {
        [self.0.load_i4(words, 4 + pair), self.0.load_i4(words, pair)]
    }
    #[inline(always)]
    fn load_i6(self, words: &[[u32; LANES]; 3], pair: usize) -> Self::Columns {
        [self.0.load_i6(words, 8 + pair), self.0.load_i6(words, pair)]
    }
    #[inline(always)]
    fn pairs(self, columns: Self::Columns) -> [u32; LANES] {
        self.0.pairs(columns[0], columns[1])
    }
}

/// # Safety
/// As for [`gemm_bf16`], and `product.columns` is a multiple of [`LANES`].
#[inline(always)]
pub(super) unsafe fn gemm_generic<U: MultiplyUnit>(unit: U, product: PairProduct) {
    let mut j = 0;
    while j < product.columns {
        let vectors = if U::Simd::WIDE { ((product.columns - j) / LANES).min(4) } else { 1 };
        // SAFETY: offsets stay below `columns`; the rest is the caller's promise.
        unsafe {
            let part = PairProduct { columns: vectors * LANES, b: product.b.add(j), c: product.c.add(j), ..product };
            match vectors {
                4 => strip::<U, 4>(unit, part),
                3 => strip::<U, 3>(unit, part),
                2 => strip::<U, 2>(unit, part),
                _ => strip::<U, 1>(unit, part),
            }
        }
        j += vectors * LANES;
    }
}

/// Computes all rows of a strip of `N` vectors of columns.
///
/// # Safety
/// As for [`gemm_bf16`], and `product.columns` is `N` times [`LANES`].
#[inline(always)]
unsafe fn strip<U: MultiplyUnit, const N: usize>(unit: U, product: PairProduct) {
    let (mut i, mut ahead) = (0, product.ahead);
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                let part = PairProduct {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                };
                tile::<U, $rows, N>(unit, part, ahead.take(product.pairs));
                i += $rows;
            } )* }};
        }
        // As many rows as fit into the registers, of split ones beside four vectors, or one of AVX2.
        match N {
            _ if U::ROW_WORDS == 2 => tiles!(5 3 2 1),
            _ if !U::NATIVE => tiles!(4 2 1),
            4 => tiles!(6 4 3 2 1),
            3 => tiles!(8 4 2 1),
            2 => tiles!(12 8 4 2 1),
            _ => tiles!(16 8 4 2 1),
        }
    }
}

/// Returns the initial sums of `M` rows by `N` vectors.
///
/// # Safety
/// `c` must be readable at every row and column.
#[inline(always)]
pub(super) unsafe fn first_sums<S: Simd, const M: usize, const N: usize>(
    simd: S,
    c: *const f32,
    c_row: usize,
    start: Start,
) -> [[S::V; N]; M] {
    let mut sums = [[simd.zero(); N]; M];
    if start != Start::Zero {
        for (i, sums) in sums.iter_mut().enumerate() {
            for (j, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the caller's promise. An array needs no more than the alignment of its elements.
                let mut before: [f32; LANES] = unsafe { *c.add(i * c_row + j * LANES).cast() };
                if start == Start::Before {
                    for x in &mut before {
                        *x = if x.to_bits() & MAGNITUDE < MIN_START { 0.0 } else { *x };
                    }
                }
                *sum = simd.load(&before);
            }
        }
    }
    sums
}

/// Writes the sums of `M` rows by `N` vectors.
///
/// # Safety
/// `c` must be writable at every row and column, and nobody else may use those elements meanwhile.
#[inline(always)]
pub(super) unsafe fn store_sums<S: Simd, const M: usize, const N: usize>(
    simd: S,
    sums: [[S::V; N]; M],
    c: *mut f32,
    c_row: usize,
) {
    for (i, sums) in sums.into_iter().enumerate() {
        for (j, sum) in sums.into_iter().enumerate() {
            // SAFETY: the caller's promise. An array reference needs no more than the alignment of its elements.
            simd.store(sum, unsafe { &mut *c.add(i * c_row + j * LANES).cast() });
        }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k. Each pair prefetches a line of `ahead`.
///
/// # Safety
/// As for [`gemm_bf16`] with `M` rows and `N` times [`LANES`] columns.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<U: MultiplyUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    (mut ahead, line): (*const u8, usize),
) {
    let PairProduct { a_row, a_pair, b_pair, prefetch, c_row, start, .. } = product;
    let simd = unit.simd();
    // SAFETY: rows below `M`, columns below `N * LANES` and pairs below `pairs`, all promised by the caller. An array
    // reference needs no more than the alignment of its elements.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, product.c, c_row, start);
        let (mut a, mut b) = (product.a, product.b);
        for _ in 0..product.pairs {
            let mut columns = [unit.load(&*b.cast()); N];
            simd.prefetch_second_level(ahead);
            ahead = ahead.wrapping_add(line);
            for j in 0..N {
                simd.prefetch(b.wrapping_add(j * LANES).wrapping_offset(prefetch).cast());
                columns[j] = unit.load(&*b.add(j * LANES).cast());
            }
            for i in 0..M {
                let row = unit.row(a.add(i * a_row));
                for j in 0..N {
                    sums[i][j] = unit.multiply_add(row, columns[j], sums[i][j]);
                }
            }
            a = a.wrapping_add(a_pair);
            b = b.wrapping_add(b_pair);
        }
        store_sums(simd, sums, product.c, c_row);
    }
}
