//! Products of bf16 with [grouped weights](crate::kernels::formats::groups) of eight bits.
//!
//! A weight is `number * scale` rounded to bf16, and the products are those of [`gemm_bf16`] with these weights, bit for bit,
//! forwards and backwards. For few rows a tile unpacks its weights in registers, so that only the packed ones are read from
//! memory. For more rows they are unpacked in blocks that stay in the first-level cache, once for all rows of a task.

use super::pair_product::{PairProduct, first_sums, gemm_bf16, store_sums};
use crate::kernels::buffer::with_weight_scratch;
use crate::kernels::formats::{Bits, Groups, INT8_BLOCK, INT8_PREFETCH, PAIRS, UNPACKED_PAIRS, unpack_int8};
use crate::kernels::units::{CACHE_LINE, InstructionSet, LANES, MIN_F32_ROWS, PairUnit, Simd, pair_kernel};

/// Returns the number of rows up to which tiles unpack their weights.
fn direct_rows(set: InstructionSet) -> usize {
    if set.is_native() { 8 } else { MIN_F32_ROWS - 1 }
}

/// Computes a product with grouped weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`], apart from B. The product has the groups' columns and pairs.
pub(crate) unsafe fn gemm_int8(set: InstructionSet, product: PairProduct, groups: Groups<'_>) {
    assert!(product.columns == groups.width && product.pairs == groups.pairs, "the product is that of the groups");
    if product.is_split || product.rows > direct_rows(set) {
        with_weight_scratch(UNPACKED_PAIRS.min(groups.pairs) * groups.width, |weights| {
            for (part, groups) in product.blocks(groups) {
                unpack_int8(set, groups, weights);
                // SAFETY: the caller's promise, and all of B is in `weights`.
                unsafe {
                    gemm_bf16(set, PairProduct { b: weights.as_ptr(), b_pair: groups.width, prefetch: 0, ..part })
                };
            }
        });
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { direct(set, product, groups) };
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_int8`], of few rows.
    unsafe fn direct(product: PairProduct, groups: Groups<'_>) = direct_generic;
}

/// # Safety
/// As for [`direct`].
#[inline(always)]
unsafe fn direct_generic<U: PairUnit>(unit: U, product: PairProduct, groups: Groups<'_>) {
    let mut column = 0;
    while column < product.columns {
        // As many columns as leave room for all rows in the registers, so that a weight is unpacked once.
        let widest = match product.rows {
            _ if !U::Simd::WIDE => 1,
            0..=6 => 4,
            _ => 3,
        };
        let vectors = ((product.columns - column) / LANES).min(widest);
        // SAFETY: columns from `column` on exist, as many as the vectors have.
        unsafe {
            match vectors {
                4 => strip::<U, 4>(unit, product, groups, column),
                3 => strip::<U, 3>(unit, product, groups, column),
                2 => strip::<U, 2>(unit, product, groups, column),
                _ => strip::<U, 1>(unit, product, groups, column),
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
unsafe fn strip<U: PairUnit, const N: usize>(unit: U, product: PairProduct, groups: Groups<'_>, column: usize) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<U, $rows, N>(unit, PairProduct {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                }, groups, column);
                i += $rows;
            } )* }};
        }
        if U::NATIVE {
            match N {
                4 => tiles!(6 5 4 3 2 1),
                3 => tiles!(8 7 4 2 1),
                _ => tiles!(8 6 4 2 1),
            }
        } else {
            tiles!(2 1)
        }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`direct`] with `M` rows, and `N` vectors of columns exist from `column` on.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<U: PairUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    column: usize,
) {
    const { assert!(U::ROW_WORDS == 1) };
    let (simd, width) = (unit.simd(), groups.width);
    let (c, c_row) = (product.c.wrapping_add(column), product.c_row);
    // SAFETY: rows below `M`, columns and pairs promised by the caller; the groups have their sizes. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, product.start);
        let (mut a, mut rest, mut group) = (product.a, groups.pairs, groups.data.as_ptr());
        while rest > 0 {
            let mut scale = [unit.scales(simd.zero()); N];
            for j in 0..N {
                scale[j] = unit.scales(simd.load_f16(&*group.cast::<u16>().add(column + j * LANES).cast()));
            }
            let mut blocks = group.add(2 * width + column / LANES * INT8_BLOCK);
            let pairs = rest.min(PAIRS);
            for _ in 0..pairs {
                for line in 0..(N * INT8_BLOCK).div_ceil(CACHE_LINE) {
                    simd.prefetch(blocks.wrapping_add(INT8_PREFETCH + line * CACHE_LINE));
                }
                for j in 0..N {
                    let columns = unit.load_i8(&*blocks.add(j * INT8_BLOCK).cast(), scale[j]);
                    for i in 0..M {
                        sums[i][j] = unit.multiply_add(unit.row(a.add(i * product.a_row)), columns, sums[i][j]);
                    }
                }
                a = a.wrapping_add(1);
                blocks = blocks.wrapping_add(width / LANES * INT8_BLOCK);
            }
            rest -= pairs;
            group = group.wrapping_add(Bits::Eight.group_bytes(width));
        }
        store_sums(simd, sums, c, c_row);
    }
}
