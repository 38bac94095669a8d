//! Products of bf16 with [grouped weights](super::grouped): the bits of [`gemm_bf16`] with the same weights in bf16.
//!
//! For few rows a tile unpacks its weights in registers, so that only the packed ones are read from memory. For more rows
//! a strip of columns is unpacked once.

use super::InstructionSet;
use super::bf16::{Emulated, PairProduct, PairUnit, first_sums, gemm_bf16, store_sums};
use super::buffer::with_weight_scratch;
use super::dispatch::kernel;
use super::grouped::{Bits, GROUP, PAIRS};
use super::panels::PANEL;
use super::simd::{LANES, Simd};

/// Number of rows up to which tiles unpack their weights.
const DIRECT_ROWS: usize = 12;
/// Distance in bytes between the weights in use and those being prefetched.
const PREFETCH: usize = 4096;
const CACHE_LINE: usize = 64;

/// Weights of a panel from a multiple of [`GROUP`] in k on.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a> {
    pub bits: Bits,
    /// Number of columns of the panel.
    pub width: usize,
    /// Number of pairs of k.
    pub pairs: usize,
    pub data: &'a [u8],
}

impl<'a> Groups<'a> {
    /// Returns the groups with their sizes checked.
    ///
    /// # Panics
    /// If `data` is too short or not aligned to u16, or the width is not that of a panel.
    pub(super) fn new(bits: Bits, width: usize, depth: usize, data: &'a [u8]) -> Self {
        assert!(width.is_multiple_of(LANES) && width <= PANEL, "columns come in whole vectors of a panel");
        assert!(data.len() >= depth.div_ceil(GROUP) * bits.group_bytes(width), "all groups are there");
        assert!(data.as_ptr().cast::<u16>().is_aligned(), "scales are aligned");
        Self { bits, width, pairs: depth.div_ceil(2), data }
    }

    /// Unpacks all weights to pairs of bf16, `[pairs][width]`. The second weight of an odd number is zero.
    pub(super) fn unpack(self, set: InstructionSet, weights: &mut [u32]) {
        assert!(weights.len() >= self.pairs * self.width, "all weights have a place");
        #[cfg(target_arch = "x86_64")]
        if let InstructionSet::Avx512Bf16(unit) = set {
            // SAFETY: the value exists only on a CPU that has the instructions.
            return unsafe { unpack_native(unit, self, weights) };
        }
        unpack_emulated(set, self, weights);
    }
}

/// Computes a product with grouped weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`], apart from B. The product has the groups' columns and pairs.
pub(super) unsafe fn gemm_grouped(set: InstructionSet, product: PairProduct, groups: Groups<'_>) {
    assert!(product.columns == groups.width && product.pairs == groups.pairs, "the product is that of the groups");
    if product.rows > DIRECT_ROWS {
        with_weight_scratch(groups.pairs * groups.width, |weights| {
            groups.unpack(set, weights);
            // SAFETY: the caller's promise, and all of B is in `weights`.
            unsafe { gemm_bf16(set, PairProduct { b: weights.as_ptr(), b_pair: groups.width, ..product }) };
        });
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if let InstructionSet::Avx512Bf16(unit) = set {
        // SAFETY: the value exists only on a CPU that has the instructions; the rest is the caller's promise.
        unsafe { native(unit, product, groups) };
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { emulated(set, product, groups) };
}

/// # Safety
/// As for [`gemm_grouped`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn native(unit: super::x86::Avx512Bf16, product: PairProduct, groups: Groups<'_>) {
    // SAFETY: the caller's promise.
    unsafe { direct(unit, product, groups) };
}

kernel! {
    /// # Safety
    /// As for [`gemm_grouped`].
    unsafe fn emulated(product: PairProduct, groups: Groups<'_>) = direct_emulated;
}

/// # Safety
/// As for [`gemm_grouped`].
#[inline(always)]
unsafe fn direct_emulated<S: Simd>(simd: S, product: PairProduct, groups: Groups<'_>) {
    // SAFETY: the caller's promise.
    unsafe { direct(Emulated(simd), product, groups) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bf16")]
fn unpack_native(unit: super::x86::Avx512Bf16, groups: Groups<'_>, weights: &mut [u32]) {
    unpack_on(unit, groups, weights);
}

kernel! {
    fn unpack_emulated(groups: Groups<'_>, weights: &mut [u32]) = unpack_simd;
}

#[inline(always)]
fn unpack_simd<S: Simd>(simd: S, groups: Groups<'_>, weights: &mut [u32]) {
    unpack_on(Emulated(simd), groups, weights);
}

/// Blocks of pairs of k and sixteen columns, as [`grouped`](super::grouped) stores them.
trait Block {
    const BITS: Bits;

    /// Returns the numbers of a pair, thirty-two in the order in which they are stored.
    ///
    /// # Safety
    /// `block` must be readable, and the pair one of the block.
    unsafe fn numbers<S: Simd>(simd: S, block: *const u8, pair: usize) -> [S::V; 2];
}

struct Eight;

impl Block for Eight {
    const BITS: Bits = Bits::Eight;
    #[inline(always)]
    unsafe fn numbers<S: Simd>(simd: S, block: *const u8, _: usize) -> [S::V; 2] {
        // SAFETY: the caller's promise.
        unsafe { [simd.load_i8(&*block.cast()), simd.load_i8(&*block.add(LANES).cast())] }
    }
}

struct Four;

impl Block for Four {
    const BITS: Bits = Bits::Four;
    #[inline(always)]
    unsafe fn numbers<S: Simd>(simd: S, block: *const u8, pair: usize) -> [S::V; 2] {
        // SAFETY: the caller's promise; a group and its parts have sizes that are multiples of four bytes.
        let words = unsafe { &*block.cast() };
        [simd.load_i4(words, 2 * pair), simd.load_i4(words, 2 * pair + 1)]
    }
}

/// Returns a pair of k of sixteen columns.
///
/// # Safety
/// As for [`Block::numbers`].
#[inline(always)]
unsafe fn columns<U: PairUnit, B: Block>(
    unit: U,
    block: *const u8,
    pair: usize,
    scale: [<U::Simd as Simd>::V; 2],
) -> U::Columns {
    let simd = unit.simd();
    // SAFETY: the caller's promise.
    let [low, high] = unsafe { B::numbers(simd, block, pair) };
    unit.round_columns(simd.mul(low, scale[0]), simd.mul(high, scale[1]))
}

#[inline(always)]
fn unpack_on<U: PairUnit>(unit: U, groups: Groups<'_>, weights: &mut [u32]) {
    match groups.bits {
        Bits::Eight => unpack_blocks::<U, Eight>(unit, groups, weights),
        Bits::Four => unpack_blocks::<U, Four>(unit, groups, weights),
    }
}

#[inline(always)]
fn unpack_blocks<U: PairUnit, B: Block>(unit: U, groups: Groups<'_>, weights: &mut [u32]) {
    let (simd, width, pairs) = (unit.simd(), groups.width, groups.pairs);
    let (vectors, block_bytes) = (width / LANES, B::BITS.block_bytes());
    let weights = weights[..pairs * width].as_mut_ptr();
    for (i, group) in groups.data.chunks_exact(B::BITS.group_bytes(width)).take(pairs.div_ceil(PAIRS)).enumerate() {
        let (scales, blocks) = group.split_at(size_of::<u16>() * width);
        for j in 0..vectors {
            // SAFETY: the group has sixteen scales, aligned to u16, and all blocks of each vector. Pairs below `pairs` have
            // a place among the weights.
            unsafe {
                let scale = simd.twice(simd.load_f16(&*scales.as_ptr().cast::<u16>().add(j * LANES).cast()));
                let mut block = blocks.as_ptr().add(j * block_bytes);
                let (mut pair, end) = (i * PAIRS, pairs.min((i + 1) * PAIRS));
                while pair < end {
                    for step in 0..B::BITS.block_pairs().min(end - pair) {
                        let place = weights.add((pair + step) * width + j * LANES).cast();
                        *place = unit.pairs(columns::<U, B>(unit, block, step, scale));
                    }
                    pair += B::BITS.block_pairs();
                    block = block.wrapping_add(vectors * block_bytes);
                }
            }
        }
    }
}

/// # Safety
/// As for [`gemm_grouped`], of at most [`DIRECT_ROWS`] rows.
#[inline(always)]
unsafe fn direct<U: PairUnit>(unit: U, product: PairProduct, groups: Groups<'_>) {
    // SAFETY: the caller's promise.
    unsafe {
        match groups.bits {
            Bits::Eight => strips::<U, Eight>(unit, product, groups),
            Bits::Four => strips::<U, Four>(unit, product, groups),
        }
    }
}

/// # Safety
/// As for [`direct`].
#[inline(always)]
unsafe fn strips<U: PairUnit, B: Block>(unit: U, product: PairProduct, groups: Groups<'_>) {
    let mut column = 0;
    while column < product.columns {
        // As many columns as leave room for all rows in the registers, so that a weight is unpacked once.
        let widest = match product.rows {
            _ if !U::Simd::WIDE => 1,
            0..=6 => 4,
            7..=8 => 3,
            _ => 2,
        };
        let vectors = ((product.columns - column) / LANES).min(widest);
        // SAFETY: columns from `column` on exist, as many as the vectors have.
        unsafe {
            match vectors {
                4 => strip::<U, B, 4>(unit, product, groups, column),
                3 => strip::<U, B, 3>(unit, product, groups, column),
                2 => strip::<U, B, 2>(unit, product, groups, column),
                _ => strip::<U, B, 1>(unit, product, groups, column),
            }
        }
        column += vectors * LANES;
    }
}

/// Computes all rows of `N` vectors of columns, starting at `column`.
///
/// # Safety
/// As for [`direct`], and the columns exist.
#[inline(always)]
unsafe fn strip<U: PairUnit, B: Block, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    column: usize,
) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<U, B, $rows, N>(unit, PairProduct {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                }, groups, column);
                i += $rows;
            } )* }};
        }
        if U::NATIVE {
            match N {
                4 => tiles!(6 5 4 3 2 1),
                3 => tiles!(8 7 4 2 1),
                _ => tiles!(12 10 8 6 4 2 1),
            }
        } else {
            tiles!(4 2 1)
        }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`direct`] with `M` rows, and `N` vectors of columns exist from `column` on.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<U: PairUnit, B: Block, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    column: usize,
) {
    let (simd, width, block_bytes) = (unit.simd(), groups.width, B::BITS.block_bytes());
    let (c, c_row) = (product.c.wrapping_add(column), product.c_row);
    // SAFETY: rows below `M`, columns and pairs promised by the caller, groups checked by `Groups::new`. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, product.start);
        let (mut a, mut rest, mut group) = (product.a, groups.pairs, groups.data.as_ptr());
        while rest > 0 {
            let mut scale = [[simd.zero(); 2]; N];
            for j in 0..N {
                scale[j] = simd.twice(simd.load_f16(&*group.cast::<u16>().add(column + j * LANES).cast()));
            }
            let mut blocks = group.add(2 * width + column / LANES * block_bytes);
            let mut left = rest.min(PAIRS);
            rest -= left;
            while left > 0 {
                for line in 0..(N * block_bytes).div_ceil(CACHE_LINE) {
                    simd.prefetch(blocks.wrapping_add(PREFETCH + line * CACHE_LINE));
                }
                // A whole block has a constant number of pairs, which the compiler unrolls.
                if left >= B::BITS.block_pairs() {
                    for pair in 0..B::BITS.block_pairs() {
                        step::<U, B, M, N>(
                            unit,
                            (a.wrapping_add(pair), product.a_row),
                            (blocks, pair),
                            &scale,
                            &mut sums,
                        );
                    }
                } else {
                    for pair in 0..left {
                        step::<U, B, M, N>(
                            unit,
                            (a.wrapping_add(pair), product.a_row),
                            (blocks, pair),
                            &scale,
                            &mut sums,
                        );
                    }
                }
                a = a.wrapping_add(B::BITS.block_pairs());
                left = left.saturating_sub(B::BITS.block_pairs());
                blocks = blocks.wrapping_add(width / LANES * block_bytes);
            }
            group = group.wrapping_add(B::BITS.group_bytes(width));
        }
        store_sums(simd, sums, c, c_row);
    }
}

/// Adds the products of a pair of k to the sums of `M` rows by `N` vectors.
///
/// # Safety
/// The pair must be readable in `M` rows and in `N` blocks.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
unsafe fn step<U: PairUnit, B: Block, const M: usize, const N: usize>(
    unit: U,
    (a, a_row): (*const u32, usize),
    (blocks, pair): (*const u8, usize),
    scale: &[[<U::Simd as Simd>::V; 2]; N],
    sums: &mut [[<U::Simd as Simd>::V; N]; M],
) {
    // SAFETY: the caller's promise.
    unsafe {
        for j in 0..N {
            let columns = columns::<U, B>(unit, blocks.add(j * B::BITS.block_bytes()), pair, scale[j]);
            for i in 0..M {
                sums[i][j] = unit.multiply_add(unit.splat(*a.add(i * a_row)), columns, sums[i][j]);
            }
        }
    }
}
