//! Products of bf16 with [grouped weights](super::grouped) of four bits.
//!
//! The numbers of a group are multiplied as bf16, in which they are exact, as one chain over k that starts at zero. Then
//! `scale * chain` is added to the element, rounded once. Groups follow in the order of k. So a weight needs neither a
//! multiplication with its scale nor a rounding, which would take more time than reading it. Activations are rounded as in
//! [`bf16`](super::bf16), and their chains with integers have no subnormal values, so the bits are the same on every
//! instruction set.
//!
//! The backward pass multiplies `number * scale` in bf16. That is exact if the scale has five significant bits, as those of
//! weights that were quantised here; scales from files have eleven.

use super::InstructionSet;
use super::bf16::{PairProduct, PairUnit, Start};
use super::buffer::with_weight_scratch;
use super::dispatch::pair_kernel;
use super::grouped::{Bits, Groups, PAIRS};
use super::simd::{LANES, Simd};

/// Number of rows up to which tiles unpack their numbers.
const DIRECT_ROWS: usize = 12;
/// Distance in bytes between the numbers in use and those being prefetched.
const PREFETCH: usize = 4096;
/// Size in bytes of a block of sixteen columns.
const BLOCK: usize = Bits::Four.block_bytes();
/// Number of pairs in a block.
const BLOCK_PAIRS: usize = Bits::Four.block_pairs();

/// Computes a product with grouped weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`](super::bf16::gemm_bf16), apart from B. The product has the groups' columns and pairs.
pub(super) unsafe fn gemm_int4(set: InstructionSet, product: PairProduct, groups: Groups<'_>) {
    assert!(product.columns == groups.width && product.pairs == groups.pairs, "the product is that of the groups");
    if product.rows <= DIRECT_ROWS {
        // SAFETY: the caller's promise.
        unsafe { run(set, product, groups, None) };
        return;
    }
    with_weight_scratch(groups.pairs * groups.width, |numbers| {
        // SAFETY: the caller's promise, and all numbers have a place.
        unsafe { run(set, product, groups, Some(numbers.as_mut_ptr())) };
    });
}

pair_kernel! {
    /// Computes a product. With `unpacked`, the numbers are written there first, as pairs of bf16, `[pairs][width]`.
    ///
    /// # Safety
    /// As for [`gemm_int4`]; `unpacked` must be writable at every pair and column.
    unsafe fn run(product: PairProduct, groups: Groups<'_>, unpacked: Option<*mut u32>) = run_generic;
}

/// # Safety
/// As for [`run`].
#[inline(always)]
unsafe fn run_generic<U: PairUnit>(unit: U, product: PairProduct, groups: Groups<'_>, unpacked: Option<*mut u32>) {
    // SAFETY: the caller's promise; all numbers are unpacked before they are multiplied.
    unsafe {
        match unpacked {
            None => strips::<U, Packed>(unit, product, groups, std::ptr::null()),
            Some(numbers) => {
                unpack(unit, groups, numbers);
                strips::<U, Unpacked>(unit, product, groups, numbers);
            }
        }
    }
}

/// # Safety
/// `numbers` must be writable at every pair and column.
#[inline(always)]
unsafe fn unpack<U: PairUnit>(unit: U, groups: Groups<'_>, numbers: *mut u32) {
    let vectors = groups.width / LANES;
    for (i, group) in groups.data.chunks_exact(Bits::Four.group_bytes(groups.width)).enumerate() {
        let blocks = &group[size_of::<u16>() * groups.width..];
        for (j, block) in blocks.chunks_exact(BLOCK).enumerate() {
            let first = i * PAIRS + j / vectors * BLOCK_PAIRS;
            for pair in 0..BLOCK_PAIRS.min(groups.pairs.saturating_sub(first)) {
                // SAFETY: a whole block, whose size and place are multiples of four bytes; the place of a pair below `pairs`.
                unsafe {
                    let place = numbers.add((first + pair) * groups.width + j % vectors * LANES).cast();
                    *place = unit.pairs(unit.load_i4(&*block.as_ptr().cast(), pair));
                }
            }
        }
    }
}

/// Numbers of four pairs of k, in blocks or unpacked.
trait Numbers {
    /// Returns a pair of sixteen columns.
    ///
    /// # Safety
    /// `block` points to the block of these columns, or `unpacked` to its pairs of them, and `pair` is one of them.
    unsafe fn load<U: PairUnit>(
        unit: U,
        block: *const u8,
        unpacked: *const u32,
        width: usize,
        pair: usize,
    ) -> U::Columns;
}

struct Packed;
struct Unpacked;

impl Numbers for Packed {
    #[inline(always)]
    unsafe fn load<U: PairUnit>(unit: U, block: *const u8, _: *const u32, _: usize, pair: usize) -> U::Columns {
        // SAFETY: the caller's promise; sizes and places of blocks are multiples of four bytes.
        unit.load_i4(unsafe { &*block.cast() }, pair)
    }
}

impl Numbers for Unpacked {
    #[inline(always)]
    unsafe fn load<U: PairUnit>(unit: U, _: *const u8, unpacked: *const u32, width: usize, pair: usize) -> U::Columns {
        // SAFETY: the caller's promise.
        unit.load(unsafe { &*unpacked.add(pair * width).cast() })
    }
}

/// # Safety
/// As for [`gemm_int4`]; `unpacked` has all numbers if `B` reads them.
#[inline(always)]
unsafe fn strips<U: PairUnit, B: Numbers>(unit: U, product: PairProduct, groups: Groups<'_>, unpacked: *const u32) {
    let mut column = 0;
    while column < product.columns {
        // A tile has two registers for each of its elements: the sum, and the chain of a group. All rows of a few share one
        // tile, so that a number is unpacked once.
        let widest = match product.rows {
            _ if !U::Simd::WIDE => 1,
            0..=3 => 4,
            4..=6 => 2,
            7..=DIRECT_ROWS => 1,
            _ => 2,
        };
        let vectors = match ((product.columns - column) / LANES).min(widest) {
            3 => 2,
            vectors => vectors,
        };
        // SAFETY: columns from `column` on exist, as many as the vectors have.
        unsafe {
            match vectors {
                4 => strip::<U, B, 4>(unit, product, groups, unpacked, column),
                2 => strip::<U, B, 2>(unit, product, groups, unpacked, column),
                _ => strip::<U, B, 1>(unit, product, groups, unpacked, column),
            }
        }
        column += vectors * LANES;
    }
}

/// Computes all rows of `N` vectors of columns, starting at `column`.
///
/// # Safety
/// As for [`strips`], and the columns exist.
#[inline(always)]
unsafe fn strip<U: PairUnit, B: Numbers, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    unpacked: *const u32,
    column: usize,
) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<U, B, $rows, N>(unit, PairProduct {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                }, groups, unpacked, column);
                i += $rows;
            } )* }};
        }
        if U::NATIVE {
            match N {
                4 => tiles!(3 2 1),
                2 => tiles!(6 5 4 3 2 1),
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
/// As for [`strips`] with `M` rows, and `N` vectors of columns exist from `column` on.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<U: PairUnit, B: Numbers, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    unpacked: *const u32,
    column: usize,
) {
    let (simd, width) = (unit.simd(), groups.width);
    let (c, c_row) = (product.c.wrapping_add(column), product.c_row);
    // SAFETY: rows below `M`, columns and pairs promised by the caller; the groups have their sizes. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = [[simd.zero(); N]; M];
        if product.start != Start::Zero {
            for i in 0..M {
                for j in 0..N {
                    sums[i][j] = simd.load(&*c.add(i * c_row + j * LANES).cast());
                }
            }
        }
        let (mut a, mut rest, mut group) = (product.a, groups.pairs, groups.data.as_ptr());
        let mut unpacked = unpacked.wrapping_add(column);
        while rest > 0 {
            let mut blocks = group.add(size_of::<u16>() * width + column / LANES * BLOCK);
            let mut chains = [[simd.zero(); N]; M];
            let mut left = rest.min(PAIRS);
            rest -= left;
            while left > 0 {
                for j in 0..N {
                    simd.prefetch(blocks.wrapping_add(PREFETCH + j * BLOCK));
                }
                let place = (blocks, unpacked, width);
                macro_rules! steps {
                    ($($pair:literal)*) => {{ $(
                        step::<U, B, M, N>(unit, (a.wrapping_add($pair), product.a_row), place, $pair, &mut chains);
                    )* }};
                }
                match left {
                    1 => steps!(0),
                    2 => steps!(0 1),
                    3 => steps!(0 1 2),
                    _ => steps!(0 1 2 3),
                }
                left = left.saturating_sub(BLOCK_PAIRS);
                a = a.wrapping_add(BLOCK_PAIRS);
                unpacked = unpacked.wrapping_add(BLOCK_PAIRS * width);
                blocks = blocks.wrapping_add(width / LANES * BLOCK);
            }
            for j in 0..N {
                let scale = simd.load_f16(&*group.cast::<u16>().add(column + j * LANES).cast());
                for i in 0..M {
                    sums[i][j] = simd.mul_add(scale, chains[i][j], sums[i][j]);
                }
            }
            group = group.wrapping_add(Bits::Four.group_bytes(width));
        }
        for i in 0..M {
            for j in 0..N {
                simd.store(sums[i][j], &mut *c.add(i * c_row + j * LANES).cast());
            }
        }
    }
}

/// Adds the products of a pair of k to the chains of `M` rows by `N` vectors.
///
/// # Safety
/// The pair must be readable in `M` rows, and as for [`Numbers::load`] in `N` vectors of columns.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
unsafe fn step<U: PairUnit, B: Numbers, const M: usize, const N: usize>(
    unit: U,
    (a, a_row): (*const u32, usize),
    (blocks, unpacked, width): (*const u8, *const u32, usize),
    pair: usize,
    chains: &mut [[<U::Simd as Simd>::V; N]; M],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut columns = [B::load(unit, blocks, unpacked, width, pair); N];
        for j in 1..N {
            columns[j] = B::load(unit, blocks.add(j * BLOCK), unpacked.wrapping_add(j * LANES), width, pair);
        }
        for i in 0..M {
            let row = unit.splat(*a.add(i * a_row));
            for j in 0..N {
                chains[i][j] = unit.multiply_add(row, columns[j], chains[i][j]);
            }
        }
    }
}
