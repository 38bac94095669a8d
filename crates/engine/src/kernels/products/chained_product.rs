//! Products of bf16 with [grouped weights](crate::kernels::formats::groups).
//!
//! Numbers are multiplied as bf16, in which they are exact, in the order [`Order::Scaled`]. So a weight needs neither a
//! multiplication with its scale nor a rounding, which would take more time than reading it. Sums of products of bf16 with
//! integers have no subnormal values, so the bits are the same on every instruction set. For few rows a tile unpacks its numbers
//! in registers, so that only the packed ones are read from memory. For more rows they are unpacked in blocks that stay in the
//! first-level cache, once for all rows of a task.
//!
//! The backward pass multiplies `number * scale - minimum` in bf16. That is exact if the scale has few significant bits, as those of
//! weights that were quantised here to four bits; eight bits, and scales from files, have more.

#[cfg(target_arch = "x86_64")]
use std::ops::Range;

use super::pair_product::{Order, PairProduct, add_block, first_sums, gemm_bf16, store_sums};
#[cfg(target_arch = "x86_64")]
use super::tile_product::gemm_tiles;
use crate::kernels::buffer::with_weight_scratch;
use crate::kernels::formats::{Groups, Packed, UNPACKED_PAIRS, for_pairs, of_numbers, unpack_numbers};
#[cfg(target_arch = "x86_64")]
use crate::kernels::units::x86::Avx512;
use crate::kernels::units::{CACHE_LINE, InstructionSet, LANES, MIN_F32_ROWS, PairUnit, RowForm, Simd, pair_kernel};

/// Distance in bytes from the blocks that are read to those being prefetched, for tiles of a matrix unit, and of few rows on units
/// that multiply pairs in f32. On Intel's with AVX-512, a single row with eight bits then reads 22 GB/s in place of 16; with AVX2 on
/// Zen 3, single streams gained a tenth. Others leave prefetching to the processor, which reads ahead in the order of memory: on Zen 4,
/// a single row was slower by up to a half.
const PREFETCH: usize = 4096;

/// Returns the number of rows up to which tiles unpack their numbers.
fn direct_rows(set: InstructionSet) -> usize {
    match set {
        InstructionSet::Portable(_) => 0,
        set if set.is_native() => 4,
        _ => MIN_F32_ROWS - 1,
    }
}

/// Computes a product with grouped weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`], apart from B. The product has the groups' columns and pairs.
pub(crate) unsafe fn gemm_chained(set: InstructionSet, product: PairProduct<'_>, groups: Groups<'_>) {
    assert!(product.columns == groups.width && product.pairs == groups.pairs, "the product is that of the groups");
    let product = product.keeping_small_starts();
    if product.form == RowForm::Pairs && product.rows <= direct_rows(set) {
        // SAFETY: the caller's promise.
        unsafe { direct(set.without_slow_pairs(), product, groups) };
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if product.form == RowForm::Tiles {
        let (size, bytes) = (groups.blocks.group_pairs(), groups.blocks.group_bytes(groups.width));
        let product = PairProduct { order: Order::Scaled { groups, column: 0 }, ..product };
        // Where instructions for pairs are slow, so is the one that rounds to pairs, which bytes are unpacked with.
        let in_bytes = groups.blocks.layout().numbers.bits() == 8;
        let unpacking = if in_bytes { set.without_slow_pairs() } else { set };
        let fill = |simd: Avx512, pairs: Range<usize>, numbers: &mut [u32]| {
            let data = &groups.data[pairs.start / size * bytes..][..bytes];
            for line in (0..bytes).step_by(CACHE_LINE) {
                simd.prefetch(data.as_ptr().wrapping_add(line + PREFETCH));
            }
            unpack_numbers(unpacking, groups.part(data, pairs.len()), numbers);
        };
        // SAFETY: the caller's promise.
        return unsafe { gemm_tiles(set, &product, size, fill) };
    }
    with_weight_scratch(UNPACKED_PAIRS.min(groups.pairs) * groups.width, |numbers| {
        for (part, groups) in product.blocks(groups) {
            unpack_numbers(set, groups, numbers);
            let (b, order) = (numbers.as_ptr(), Order::Scaled { groups, column: 0 });
            // SAFETY: the caller's promise, and all of B is in `numbers`.
            unsafe { gemm_bf16(set, PairProduct { b, b_pair: groups.width, prefetch: 0, order, ..part }) };
        }
    });
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_chained`], of few rows.
    unsafe fn direct(product: PairProduct<'_>, groups: Groups<'_>) = direct_generic;
}

/// # Safety
/// As for [`direct`].
#[inline(always)]
unsafe fn direct_generic<U: PairUnit>(unit: U, product: PairProduct<'_>, groups: Groups<'_>) {
    if U::Simd::IS_PORTABLE {
        unreachable!("the reference unpacks numbers first"); // so that nothing is compiled for it
    }
    // SAFETY: the caller's promise.
    unsafe { of_numbers!(groups, direct_rows_of, U; unit, product, groups) };
}

/// # Safety
/// As for [`direct`], and the groups are of this format.
#[inline(always)]
unsafe fn direct_rows_of<F: Packed, U: PairUnit>(unit: U, product: PairProduct<'_>, groups: Groups<'_>) {
    let mut column = 0;
    while column < product.columns {
        // All rows share one tile, so that a number is unpacked once. A single row has registers for all columns of a panel, so that
        // it reads memory in order.
        let widest = if U::Simd::WIDE || product.rows == 1 { 4 } else { 2 };
        let vectors = match ((product.columns - column) / LANES).min(widest) {
            3 => 2,
            vectors => vectors,
        };
        // SAFETY: columns from `column` on exist, as many as the vectors have.
        unsafe {
            match vectors {
                4 => strip::<F, U, 4>(unit, product, groups, column),
                2 => strip::<F, U, 2>(unit, product, groups, column),
                _ => strip::<F, U, 1>(unit, product, groups, column),
            }
        }
        column += vectors * LANES;
    }
}

/// Computes all rows of `N` vectors of columns, starting at `column`.
///
/// # Safety
/// As for [`direct_rows_of`], and the columns exist.
#[inline(always)]
unsafe fn strip<F: Packed, U: PairUnit, const N: usize>(
    unit: U,
    product: PairProduct<'_>,
    groups: Groups<'_>,
    column: usize,
) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<F, U, $rows, N>(unit, product.starting_at(i), groups, column);
                i += $rows;
            } )* }};
        }
        // Two rows of four vectors need more registers than narrow units have.
        if U::NATIVE {
            tiles!(4 3 2 1)
        } else if U::Simd::WIDE || N < 4 {
            tiles!(2 1)
        } else {
            tiles!(1)
        }
    }
}

/// Computes `M` rows by `N` vectors.
///
/// # Safety
/// As for [`direct_rows_of`] with `M` rows, and `N` vectors of columns exist from `column` on.
#[inline(always)]
unsafe fn tile<F: Packed, U: PairUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct<'_>,
    groups: Groups<'_>,
    column: usize,
) {
    let (simd, blocks_of, scale_pairs) = (unit.simd(), groups.blocks, F::NUMBERS.scale_pairs());
    let product = PairProduct { order: Order::Scaled { groups, column }, ..product };
    let (c, c_row) = (product.c.wrapping_add(column), product.c_row);
    let (block_bytes, row) = (F::NUMBERS.block_bytes(), groups.width / LANES * F::NUMBERS.block_bytes());
    let (scale_bytes, bytes, scales) =
        (blocks_of.scale_bytes(groups.width), blocks_of.group_bytes(groups.width), blocks_of.scales());
    // SAFETY: rows below `M`, columns and pairs promised by the caller; the groups have their sizes.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, product.start);
        let (mut a, mut rest, mut index, mut group) = (product.a, groups.pairs, 0, groups.data.as_ptr());
        while rest > 0 {
            let mut blocks = group.add(scale_bytes + column / LANES * block_bytes);
            for _ in 0..scales {
                let pairs = rest.min(scale_pairs);
                let part = PairProduct { a, pairs, ..product };
                let chains = chains::<F, U, M, N>(unit, part, blocks, row);
                add_block(simd, &mut sums, chains, product, index);
                (rest, index) = (rest - pairs, index + 1);
                a = a.wrapping_add(scale_pairs);
                blocks = blocks.wrapping_add(scale_pairs / F::NUMBERS.block_pairs() * row);
            }
            group = group.wrapping_add(bytes);
        }
        store_sums(simd, sums, c, c_row);
    }
}

/// Returns the chains over the even and over the odd ones of the product's pairs, of `M` rows and `N` vectors of columns. Blocks of
/// the next pairs are at the distance `block_row`.
///
/// # Safety
/// The pairs must be readable in `M` rows, and in `N` blocks of columns.
#[inline(always)]
unsafe fn chains<F: Packed, U: PairUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct<'_>,
    blocks: *const u8,
    block_row: usize,
) -> [[[<U::Simd as Simd>::V; N]; M]; 2] {
    let mut both = [[[unit.simd().zero(); N]; M]; 2];
    // SAFETY: the caller's promise.
    unsafe {
        if U::Simd::WIDE && M * N <= 8 {
            // There are registers for all of them, so memory is read once, in order.
            chain::<F, U, M, N, true, true>(unit, product, blocks, block_row, &mut both);
        } else {
            chain::<F, U, M, N, true, false>(unit, product, blocks, block_row, &mut both);
            chain::<F, U, M, N, false, true>(unit, product, blocks, block_row, &mut both);
        }
    }
    both
}

/// Adds to the chains over the even pairs, the odd ones, or both.
///
/// # Safety
/// As for [`chains`].
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn chain<F: Packed, U: PairUnit, const M: usize, const N: usize, const EVEN: bool, const ODD: bool>(
    unit: U,
    product: PairProduct<'_>,
    mut blocks: *const u8,
    block_row: usize,
    both: &mut [[[<U::Simd as Simd>::V; N]; M]; 2],
) {
    const { assert!(U::ROW_WORDS == 1) };
    let mut chains = *both;
    let PairProduct { mut a, a_row, mut pairs, .. } = product;
    while pairs > 0 {
        if EVEN && !U::NATIVE {
            for line in (0..N * F::NUMBERS.block_bytes()).step_by(CACHE_LINE) {
                unit.simd().prefetch(blocks.wrapping_add(line + PREFETCH));
            }
        }
        macro_rules! steps {
            ($odd:literal, $($pair:literal)*) => {{ if U::Simd::WIDE { $(
                // SAFETY: the caller's promise.
                unsafe {
                    let mut columns = [F::load(unit, blocks, $pair); N];
                    for j in 1..N {
                        columns[j] = F::load(unit, blocks.add(j * F::NUMBERS.block_bytes()), $pair);
                    }
                    for i in 0..M {
                        let row = unit.row_for(a.add(i * a_row + $pair), F::position($pair));
                        for j in 0..N {
                            chains[$odd][i][j] = unit.multiply_add(row, columns[j], chains[$odd][i][j]);
                        }
                    }
                }
            )* } else {
                // The pairs of a vector of columns after each other: its numbers and the rows then need few of the registers that the
                // chains leave.
                // SAFETY: the caller's promise.
                unsafe {
                    let mut rows = [[$( unit.row_for(a.add($pair), F::position($pair)) ),*]; M];
                    for i in 1..M {
                        rows[i] = [$( unit.row_for(a.add(i * a_row + $pair), F::position($pair)) ),*];
                    }
                    for j in 0..N {
                        let block = blocks.add(j * F::NUMBERS.block_bytes());
                        $(
                            let columns = F::load(unit, block, $pair);
                            for i in 0..M {
                                chains[$odd][i][j] = unit.multiply_add(rows[i][$pair / 2], columns, chains[$odd][i][j]);
                            }
                        )*
                    }
                }
            } }};
        }
        macro_rules! even {
            ($($pair:literal)*) => { steps!(0, $($pair)*) };
        }
        macro_rules! odd {
            ($($pair:literal)*) => { steps!(1, $($pair)*) };
        }
        if EVEN {
            for_pairs!(false, F, pairs, even);
        }
        if ODD {
            for_pairs!(true, F, pairs, odd);
        }
        pairs = pairs.saturating_sub(F::NUMBERS.block_pairs());
        a = a.wrapping_add(F::NUMBERS.block_pairs());
        blocks = blocks.wrapping_add(block_row);
    }
    *both = chains;
}
