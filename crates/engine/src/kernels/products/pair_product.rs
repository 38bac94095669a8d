//! Products in bf16: both factors are rounded to [pairs](crate::kernels::units::pairs) of it, sums are f32.
//!
//! An initial value that a product is added to counts as zero below 2^-103 in magnitude, so that it is a multiple of 2^-126 as
//! the products of pairs are, and no sum is a subnormal number.

use super::narrow_vectors;
#[cfg(target_arch = "x86_64")]
use super::tile_product::gemm_tiles;
use crate::kernels::formats::{Groups, PAIRS, UNPACKED_PAIRS};
use crate::kernels::units::{
    Ahead, Emulated, InstructionSet, LANES, Lines, MAGNITUDE, MultiplyUnit, RowForm, Simd, SplitRows, kernel,
    pair_kernel,
};

/// Bits of 2^-103 as an f32.
const MIN_START: u32 = (127 - 103) << 23;

/// Operands of `C[rows, columns] (+)= A B`, where A and B are stored in pairs of k.
#[derive(Clone, Copy)]
pub(crate) struct PairProduct<'a> {
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
    pub form: RowForm,
    pub b: *const u32,
    /// Distance in B from one pair of k to the next.
    pub b_pair: usize,
    /// Distance from the pairs of B in use to those being prefetched, which need not be readable.
    pub prefetch: isize,
    pub c: *mut f32,
    /// Distance in C from one row to the next.
    pub c_row: usize,
    pub block_sums: BlockSums,
    pub start: Start,
    pub order: Order<'a>,
    /// Memory that the caller reads next, prefetched during the product.
    pub ahead: Ahead,
}

impl PairProduct<'_> {
    /// Distance of prefetching, 8 KiB, in a B that comes from memory in order.
    pub(crate) const IN_ORDER: isize = 2048;

    /// Returns the product of `pairs` pairs from `first` on, apart from B. Its sums continue those of the pairs before.
    pub(crate) fn part(self, first: usize, pairs: usize) -> Self {
        let start = if first == 0 { self.start } else { Start::Sums };
        let block_sums = self.block_sums.from(0, first / PAIRS);
        Self { pairs, a: self.a.wrapping_add(first * self.a_pair), block_sums, start, ..self }
    }

    /// Returns the product of the rows from `row` on.
    #[inline(always)]
    pub(super) fn starting_at(self, row: usize) -> Self {
        Self {
            a: self.a.wrapping_add(row * self.a_row),
            c: self.c.wrapping_add(row * self.c_row),
            block_sums: self.block_sums.from(row, 0),
            ..self
        }
    }

    /// Divides the product into parts of [`UNPACKED_PAIRS`] pairs, the last one of fewer, each with its part of the groups. Each
    /// prefetches the groups of the next one.
    pub(super) fn blocks(self, groups: Groups<'_>) -> impl Iterator<Item = (Self, Groups<'_>)> {
        let bytes = UNPACKED_PAIRS / groups.blocks.group_pairs() * groups.blocks.group_bytes(groups.width);
        (0..groups.pairs).step_by(UNPACKED_PAIRS).zip(groups.data.chunks(bytes)).map(move |(first, data)| {
            let pairs = UNPACKED_PAIRS.min(groups.pairs - first);
            let next = groups.data.chunks(bytes).nth(first / UNPACKED_PAIRS + 1);
            let ahead = next.map_or(self.ahead, Ahead::of);
            (Self { ahead, ..self.part(first, pairs) }, groups.part(data, pairs))
        })
    }

    /// Returns the product that adds to small initial values too, as scaled chains do, which are added in f32.
    pub(crate) fn keeping_small_starts(self) -> Self {
        let start = if self.start == Start::Before { Start::Sums } else { self.start };
        Self { start, ..self }
    }
}

/// Sums of each block of the rows of A, as chains with weights of 1. Only products with weights that have minima read them.
#[derive(Clone, Copy)]
pub(crate) struct BlockSums {
    pub start: *const f32,
    /// Distance from one row to the next.
    pub row: usize,
}

impl BlockSums {
    pub(crate) const NONE: Self = Self { start: std::ptr::null(), row: 0 };

    /// Returns those from a row and a block on.
    #[inline(always)]
    pub(super) fn from(self, row: usize, block: usize) -> Self {
        Self { start: self.start.wrapping_add(row * self.row + block), ..self }
    }
}

/// Order in which the products of an element are added.
#[derive(Clone, Copy)]
pub(crate) enum Order<'a> {
    /// One chain over k, from the initial value on.
    Chain,
    /// Blocks of [`PAIRS`] pairs from k = 0 on. Of a block there are two chains that begin at zero, one over the even pairs and
    /// one over the odd ones; their sum is added to the element, block after block.
    ///
    /// A tile unit computes this with one instruction for a block.
    Blocks,
    /// Likewise, with a block for each scale of the groups. The sum of its chains is multiplied with the scale and added, rounded
    /// once; then the product of the minimum and the sum of the same chains with weights of 1 is subtracted, likewise.
    Scaled {
        groups: Groups<'a>,
        /// Column of the groups that is the product's first one.
        column: usize,
    },
}

impl Order<'_> {
    /// Returns the order of the columns from `column` on.
    fn from(self, column: usize) -> Self {
        match self {
            Self::Scaled { groups, column: first } => Self::Scaled { groups, column: first + column },
            other => other,
        }
    }

    /// Returns the number of pairs of a block.
    pub(super) fn pairs(self) -> usize {
        match self {
            Self::Chain => usize::MAX,
            Self::Blocks => PAIRS,
            Self::Scaled { groups, .. } => groups.blocks.layout().numbers.scale_pairs(),
        }
    }

    /// Returns whether weights have minima.
    #[inline(always)]
    pub(super) fn has_minima(self) -> bool {
        matches!(self, Self::Scaled { groups, .. } if groups.has_minima())
    }

    /// Returns the factors of a block's sums in sixteen columns.
    ///
    /// # Safety
    /// Groups must have a scale of this index.
    #[inline(always)]
    pub(super) unsafe fn scale<S: Simd>(self, simd: S, index: usize, first: usize) -> S::V {
        match self {
            // SAFETY: the caller's promise.
            Self::Scaled { groups, column } => unsafe { groups.scale(simd, index, column + first, false) },
            _ => simd.splat(1.0),
        }
    }

    /// Returns the minima of a block in sixteen columns, if there are some.
    ///
    /// # Safety
    /// As for [`Order::scale`].
    #[inline(always)]
    pub(super) unsafe fn minimum<S: Simd>(self, simd: S, index: usize, first: usize) -> Option<S::V> {
        match self {
            Self::Scaled { groups, column } if self.has_minima() => {
                // SAFETY: the caller's promise.
                Some(unsafe { groups.scale(simd, index, column + first, true) })
            }
            _ => None,
        }
    }
}

/// Initial value of a tile's sums.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Start {
    Zero,
    /// Previous content of C, with zero for values below 2^-103.
    Before,
    /// Partial sums, which C holds.
    Sums,
}

/// Computes a product.
///
/// # Safety
/// A must be readable at every row and pair, sums of blocks at every row and block if weights have minima, B at every pair and
/// column and C writable at every row and column, and nobody else may use those elements of C meanwhile.
pub(crate) unsafe fn gemm_bf16(set: InstructionSet, product: PairProduct<'_>) {
    assert!(product.columns.is_multiple_of(LANES), "columns come in whole vectors");
    // SAFETY: the caller's promise; whole vectors were checked.
    unsafe {
        match product.form {
            RowForm::Split => gemm_split(set, product),
            #[cfg(target_arch = "x86_64")]
            RowForm::Tiles => gemm_tiles(set, &product, PAIRS, |simd, pairs, words| {
                for (pair, words) in pairs.zip(words.chunks_exact_mut(product.columns)) {
                    let b = product.b.wrapping_add(pair * product.b_pair);
                    for (j, words) in words.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                        let b = b.wrapping_add(j * LANES);
                        simd.prefetch(b.wrapping_offset(product.prefetch).cast());
                        *words = *b.cast();
                    }
                }
            }),
            _ => gemm(if set.multiplies_pairs_in_f32(product.rows) { set.without_pairs() } else { set }, product),
        }
    }
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_bf16`], and `product.columns` is a multiple of [`LANES`].
    unsafe fn gemm(product: PairProduct<'_>) = gemm_generic;
}

kernel! {
    /// # Safety
    /// As for [`gemm_bf16`], and `product.columns` is a multiple of [`LANES`].
    unsafe fn gemm_split(product: PairProduct<'_>) = gemm_split_generic;
}

/// # Safety
/// As for [`gemm_split`].
#[inline(always)]
unsafe fn gemm_split_generic<S: Simd>(simd: S, product: PairProduct<'_>) {
    // SAFETY: the caller's promise.
    unsafe { gemm_generic(SplitRows(Emulated(simd)), product) };
}

/// # Safety
/// As for [`gemm_bf16`], and `product.columns` is a multiple of [`LANES`].
#[inline(always)]
unsafe fn gemm_generic<U: MultiplyUnit>(unit: U, product: PairProduct<'_>) {
    let mut j = 0;
    while j < product.columns {
        let widest = if U::Simd::WIDE { 4 } else { narrow_vectors(product.rows) };
        let vectors = ((product.columns - j) / LANES).min(widest);
        // SAFETY: offsets stay below `columns`; the rest is the caller's promise.
        unsafe {
            let (b, c, order) = (product.b.add(j), product.c.add(j), product.order.from(j));
            let part = PairProduct { columns: vectors * LANES, b, c, order, ..product };
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
unsafe fn strip<U: MultiplyUnit, const N: usize>(unit: U, product: PairProduct<'_>) {
    let (mut i, mut ahead) = (0, product.ahead);
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<U, $rows, N>(unit, product.starting_at(i), ahead.take(product.pairs));
                i += $rows;
            } )* }};
        }
        // As many rows as fit into the registers, of split ones beside four vectors, or one of AVX2.
        match N {
            3.. if !U::Simd::WIDE => tiles!(1),
            2 if !U::Simd::WIDE => tiles!(2 1),
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
pub(crate) unsafe fn first_sums<S: Simd, const M: usize, const N: usize>(
    simd: S,
    c: *const f32,
    c_row: usize,
    start: Start,
) -> [[S::V; N]; M] {
    let mut sums = [[simd.zero(); N]; M];
    for (i, sums) in sums.iter_mut().enumerate() {
        for (j, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *sum = unsafe { first_sum(simd, c.wrapping_add(i * c_row + j * LANES), start) };
        }
    }
    sums
}

/// Returns the initial sums of a vector.
///
/// # Safety
/// `c` must be readable at sixteen columns, unless sums begin at zero.
#[inline(always)]
pub(super) unsafe fn first_sum<S: Simd>(simd: S, c: *const f32, start: Start) -> S::V {
    if start == Start::Zero {
        return simd.zero();
    }
    // SAFETY: the caller's promise. An array needs no more than the alignment of its elements.
    let mut before: [f32; LANES] = unsafe { *c.cast() };
    if start == Start::Before {
        for x in &mut before {
            *x = if x.to_bits() & MAGNITUDE < MIN_START { 0.0 } else { *x };
        }
    }
    simd.load(&before)
}

/// Writes the sums of `M` rows by `N` vectors.
///
/// # Safety
/// `c` must be writable at every row and column, and nobody else may use those elements meanwhile.
#[inline(always)]
pub(crate) unsafe fn store_sums<S: Simd, const M: usize, const N: usize>(
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

/// Computes `M` rows by `N` vectors. Each pair prefetches a line of `ahead`.
///
/// # Safety
/// As for [`gemm_bf16`] with `M` rows and `N` times [`LANES`] columns.
#[inline(always)]
unsafe fn tile<U: MultiplyUnit, const M: usize, const N: usize>(unit: U, product: PairProduct<'_>, mut ahead: Lines) {
    let PairProduct { a, a_pair, b, b_pair, c, c_row, start, order, .. } = product;
    let simd = unit.simd();
    // SAFETY: rows below `M`, columns below `N * LANES` and pairs below `pairs`, all promised by the caller, and groups have a
    // scale for each block.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, start);
        if let Order::Chain = order {
            sums = chain(unit, product, sums, &mut ahead);
        } else {
            let (size, mut even) = (order.pairs(), sums);
            for first in (0..product.pairs).step_by(size) {
                for odd in 0..2 {
                    let at = first + odd;
                    let pairs = (size.min(product.pairs - first) + 1 - odd) / 2;
                    let part = PairProduct {
                        pairs,
                        a: a.wrapping_add(at * a_pair),
                        a_pair: 2 * a_pair,
                        b: b.wrapping_add(at * b_pair),
                        b_pair: 2 * b_pair,
                        ..product
                    };
                    let chains = chain(unit, part, [[simd.zero(); N]; M], &mut ahead);
                    if odd == 0 {
                        even = chains;
                    } else {
                        add_block(simd, &mut sums, [even, chains], product, first / size);
                    }
                }
            }
        }
        store_sums(simd, sums, c, c_row);
    }
}

/// Adds products of pairs to chains of `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`tile`].
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn chain<U: MultiplyUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct<'_>,
    mut chains: [[<U::Simd as Simd>::V; N]; M],
    ahead: &mut Lines,
) -> [[<U::Simd as Simd>::V; N]; M] {
    let PairProduct { mut a, a_row, a_pair, mut b, b_pair, prefetch, .. } = product;
    let simd = unit.simd();
    for _ in 0..product.pairs {
        // SAFETY: the caller's promise. An array reference needs no more than the alignment of its elements.
        unsafe {
            let mut columns = [unit.load(&*b.cast()); N];
            ahead.prefetch(simd);
            for j in 0..N {
                simd.prefetch(b.wrapping_add(j * LANES).wrapping_offset(prefetch).cast());
                columns[j] = unit.load(&*b.add(j * LANES).cast());
            }
            for i in 0..M {
                let row = unit.row(a.add(i * a_row));
                for j in 0..N {
                    chains[i][j] = unit.multiply_add(row, columns[j], chains[i][j]);
                }
            }
        }
        a = a.wrapping_add(a_pair);
        b = b.wrapping_add(b_pair);
    }
    chains
}

/// Adds a block's chains over the even pairs and over the odd ones to sums.
///
/// # Safety
/// Groups of the order must have a scale of this index, and the product sums of the blocks in `M` rows if they have minima.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
pub(super) unsafe fn add_block<S: Simd, const M: usize, const N: usize>(
    simd: S,
    sums: &mut [[S::V; N]; M],
    [even, odd]: [[[S::V; N]; M]; 2],
    PairProduct { order, block_sums, .. }: PairProduct<'_>,
    index: usize,
) {
    for j in 0..N {
        // SAFETY: the caller's promise.
        let scale = unsafe { order.scale(simd, index, j * LANES) };
        for i in 0..M {
            sums[i][j] = simd.mul_add(scale, simd.add(even[i][j], odd[i][j]), sums[i][j]);
        }
        // SAFETY: as above.
        if let Some(minimum) = unsafe { order.minimum(simd, index, j * LANES) } {
            for i in 0..M {
                // SAFETY: as above.
                let block_sum = simd.splat(unsafe { *block_sums.from(i, index).start });
                sums[i][j] = simd.neg_mul_add(minimum, block_sum, sums[i][j]);
            }
        }
    }
}
