//! Products of bf16 with [grouped weights](crate::kernels::formats::groups) of four and of six bits.
//!
//! The numbers that share a scale are multiplied as bf16, in which they are exact, as one chain over k that starts at zero. Then
//! `scale * chain` is added to the element, rounded once. Chains follow in the order of k. So a weight needs neither a
//! multiplication with its scale nor a rounding, which would take more time than reading it. Activations are rounded as in
//! [`bf16`](crate::kernels::units::pairs), and their chains with integers have no subnormal values, so the bits are the same on every
//! instruction set.
//!
//! The backward pass multiplies `number * scale` in bf16. That is exact if the scale has five significant bits, as those of
//! weights that were quantised here; scales from files have more.

use super::pair_product::{PairProduct, first_sums, store_sums};
use crate::kernels::buffer::with_weight_scratch;
use crate::kernels::formats::{Bits, Chained, Four, Groups, Six, UNPACKED_PAIRS};
use crate::kernels::units::{
    Emulated, InstructionSet, LANES, Lines, MIN_F32_ROWS, MultiplyUnit, PairUnit, Simd, SplitRows, kernel, pair_kernel,
};

// Tiles of few rows leave prefetching to the processor, which reads ahead in the order of memory. With instructions for that, a single row
// was slower: by up to a half on Zen 4.

/// Returns the number of rows up to which tiles unpack their numbers.
fn direct_rows(set: InstructionSet) -> usize {
    if set.is_native() { 3 } else { MIN_F32_ROWS - 1 }
}

/// Computes a product with grouped weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`](super::pair_product::gemm_bf16), apart from B. The product has the groups' columns and pairs.
pub(crate) unsafe fn gemm_chained(set: InstructionSet, product: PairProduct, groups: Groups<'_>) {
    assert!(product.columns == groups.width && product.pairs == groups.pairs, "the product is that of the groups");
    let product = product.keeping_small_starts();
    if !product.is_split && product.rows <= direct_rows(set) {
        // SAFETY: the caller's promise.
        unsafe { direct(set, product, groups) };
        return;
    }
    with_weight_scratch(UNPACKED_PAIRS.min(groups.pairs) * groups.width, |numbers| {
        for (part, groups) in product.blocks(groups) {
            unpack(set, groups, numbers);
            // SAFETY: the caller's promise, and the numbers are those of the groups.
            unsafe {
                if product.is_split {
                    scaled_chains_split(set, part, groups, numbers);
                } else {
                    scaled_chains(set, part, groups, numbers);
                }
            }
        }
    });
}

/// Calls a function of the groups' number of bits.
macro_rules! of_bits {
    ($groups:ident, $function:ident $(, $type:ty)* ; $($argument:expr),*) => {
        match $groups.bits {
            Bits::Four => $function::<Four $(, $type)*>($($argument),*),
            Bits::Six => $function::<Six $(, $type)*>($($argument),*),
            Bits::Eight => unreachable!("eight bits are multiplied as weights"),
        }
    };
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_chained`], of few rows.
    unsafe fn direct(product: PairProduct, groups: Groups<'_>) = direct_generic;
}

pair_kernel! {
    /// Writes the numbers as pairs of bf16, `[pairs][width]`.
    fn unpack(groups: Groups<'_>, numbers: &mut [u32]) = unpack_generic;
}

#[inline(always)]
fn unpack_generic<U: PairUnit>(unit: U, groups: Groups<'_>, numbers: &mut [u32]) {
    assert!(numbers.len() >= groups.pairs * groups.width, "all numbers have a place");
    of_bits!(groups, unpack_bits, U; unit, groups, numbers);
}

#[inline(always)]
fn unpack_bits<F: Chained, U: PairUnit>(unit: U, groups: Groups<'_>, numbers: &mut [u32]) {
    let target = numbers.as_mut_ptr();
    // SAFETY: the groups' width is that of a panel, and all numbers have memory, as was checked.
    unsafe {
        match groups.width / LANES {
            4 => unpack_vectors::<F, U, 4>(unit, groups, target),
            3 => unpack_vectors::<F, U, 3>(unit, groups, target),
            2 => unpack_vectors::<F, U, 2>(unit, groups, target),
            _ => unpack_vectors::<F, U, 1>(unit, groups, target),
        }
    }
}

/// Runs a macro with the pairs of a block as literals, or with those that are left of it.
macro_rules! for_pairs {
    ($format:ident, $left:expr, $pairs:ident) => {
        // The last block of four bits may have fewer pairs.
        match ($format::BITS.layout().block_pairs, $left) {
            (8, _) => $pairs!(0 1 2 3 4 5 6 7),
            (_, 1) => $pairs!(0),
            (_, 2) => $pairs!(0 1),
            (_, 3) => $pairs!(0 1 2),
            _ => $pairs!(0 1 2 3),
        }
    };
}

/// # Safety
/// The groups are of this format and have `N` vectors of columns, and `numbers` must be writable at every pair and column.
#[inline(always)]
unsafe fn unpack_vectors<F: Chained, U: PairUnit, const N: usize>(unit: U, groups: Groups<'_>, mut numbers: *mut u32) {
    let (bytes, block) = (F::BITS.group_bytes(N * LANES), F::BITS.layout().block_bytes);
    let (mut rest, mut group) = (groups.pairs, groups.data.as_ptr());
    // SAFETY: the caller's promise. A group has all blocks, whose sizes and offsets are multiples of four bytes.
    unsafe {
        while rest > 0 {
            let mut blocks = group.add(F::BITS.scale_bytes(N * LANES));
            let mut left = rest.min(F::BITS.group_pairs());
            rest -= left;
            while left > 0 {
                macro_rules! pairs {
                    ($($pair:literal)*) => {{ $( for j in 0..N {
                        let columns = F::load(unit, blocks.add(j * block), $pair);
                        *numbers.add(($pair * N + j) * LANES).cast() = unit.pairs(columns);
                    } )* }};
                }
                for_pairs!(F, left, pairs);
                left = left.saturating_sub(F::BITS.layout().block_pairs);
                numbers = numbers.wrapping_add(F::BITS.layout().block_pairs * N * LANES);
                blocks = blocks.wrapping_add(N * block);
            }
            group = group.wrapping_add(bytes);
        }
    }
}

pair_kernel! {
    /// Computes all rows with unpacked numbers.
    ///
    /// # Safety
    /// As for [`gemm_chained`]; `numbers` are the groups' unpacked ones.
    unsafe fn scaled_chains(product: PairProduct, groups: Groups<'_>, numbers: &[u32]) = scaled_chains_generic;
}

kernel! {
    /// Computes the product with unpacked numbers.
    ///
    /// # Safety
    /// As for [`gemm_chained`]; `numbers` are the groups' unpacked ones.
    unsafe fn scaled_chains_split(product: PairProduct, groups: Groups<'_>, numbers: &[u32])
        = scaled_chains_split_generic;
}

/// # Safety
/// As for [`scaled_chains_split`].
#[inline(always)]
unsafe fn scaled_chains_split_generic<S: Simd>(simd: S, product: PairProduct, groups: Groups<'_>, numbers: &[u32]) {
    // SAFETY: the caller's promise.
    unsafe { scaled_chains_generic(SplitRows(Emulated(simd)), product, groups, numbers) };
}

/// # Safety
/// As for [`scaled_chains`].
#[inline(always)]
unsafe fn scaled_chains_generic<U: MultiplyUnit>(unit: U, product: PairProduct, groups: Groups<'_>, numbers: &[u32]) {
    assert!(numbers.len() >= groups.pairs * groups.width, "all numbers are there");
    // SAFETY: the caller's promise.
    unsafe { of_bits!(groups, unpacked_rows, U; unit, product, groups, numbers) };
}

/// # Safety
/// As for [`scaled_chains`], and the groups are of this format.
#[inline(always)]
unsafe fn unpacked_rows<F: Chained, U: MultiplyUnit>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    numbers: &[u32],
) {
    let (mut i, mut ahead) = (0, product.ahead);
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                let mut column = 0;
                while column < product.columns {
                    let part = PairProduct {
                        a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row + column), ..product
                    };
                    let ahead = ahead.take(product.pairs);
                    if U::Simd::WIDE && product.columns - column >= 2 * LANES {
                        unpacked_tile::<F, U, $rows, 2>(unit, part, groups, numbers, column, ahead);
                        column += 2 * LANES;
                    } else {
                        unpacked_tile::<F, U, $rows, 1>(unit, part, groups, numbers, column, ahead);
                        column += LANES;
                    }
                }
                i += $rows;
            } )* }};
        }
        if U::NATIVE { tiles!(8 6 4 2 1) } else { tiles!(4 2 1) }
    }
}

/// Computes `M` rows by `N` vectors, starting at `column`, which is also that of `product.c`. Each pair prefetches a line of
/// `ahead`.
///
/// # Safety
/// As for [`unpacked_rows`] with `M` rows, and the columns exist.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn unpacked_tile<F: Chained, U: MultiplyUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    numbers: &[u32],
    column: usize,
    mut ahead: Lines,
) {
    let (simd, width) = (unit.simd(), groups.width);
    let PairProduct { a_row, c, c_row, start, .. } = product;
    let (mut a, mut b) = (product.a, numbers.as_ptr().wrapping_add(column));
    let (mut rest, mut group) = (groups.pairs, groups.data.as_ptr());
    // SAFETY: rows below `M`, columns and pairs promised by the caller; the groups have their sizes. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, start);
        while rest > 0 {
            for chain in 0..F::CHAINS {
                let mut chains = [[simd.zero(); N]; M];
                let pairs = rest.min(F::CHAIN_PAIRS);
                for _ in 0..pairs {
                    ahead.prefetch(simd);
                    let mut columns = [unit.load(&*b.cast()); N];
                    for j in 1..N {
                        columns[j] = unit.load(&*b.add(j * LANES).cast());
                    }
                    for i in 0..M {
                        let row = unit.row(a.add(i * a_row));
                        for j in 0..N {
                            chains[i][j] = unit.multiply_add(row, columns[j], chains[i][j]);
                        }
                    }
                    a = a.wrapping_add(U::ROW_WORDS);
                    b = b.wrapping_add(width);
                }
                for j in 0..N {
                    let scale = F::scale(simd, group, width, column + j * LANES, chain);
                    for i in 0..M {
                        sums[i][j] = simd.mul_add(scale, chains[i][j], sums[i][j]);
                    }
                }
                rest -= pairs;
            }
            group = group.wrapping_add(F::BITS.group_bytes(width));
        }
        store_sums(simd, sums, c, c_row);
    }
}

/// # Safety
/// As for [`direct`].
#[inline(always)]
unsafe fn direct_generic<U: PairUnit>(unit: U, product: PairProduct, groups: Groups<'_>) {
    // SAFETY: the caller's promise.
    unsafe { of_bits!(groups, direct_rows_of, U; unit, product, groups) };
}

/// # Safety
/// As for [`direct`], and the groups are of this format.
#[inline(always)]
unsafe fn direct_rows_of<F: Chained, U: PairUnit>(unit: U, product: PairProduct, groups: Groups<'_>) {
    let mut column = 0;
    while column < product.columns {
        // A tile has two registers for each of its elements: the sum, and the chain. All rows share one tile, so
        // that a number is unpacked once.
        let widest = if U::Simd::WIDE { 4 } else { 1 };
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
unsafe fn strip<F: Chained, U: PairUnit, const N: usize>(
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
                tile::<F, U, $rows, N>(unit, PairProduct {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                }, groups, column);
                i += $rows;
            } )* }};
        }
        if U::NATIVE { tiles!(3 2 1) } else { tiles!(2 1) }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`direct_rows_of`] with `M` rows, and `N` vectors of columns exist from `column` on.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<F: Chained, U: PairUnit, const M: usize, const N: usize>(
    unit: U,
    product: PairProduct,
    groups: Groups<'_>,
    column: usize,
) {
    const { assert!(U::ROW_WORDS == 1) };
    let (simd, width, block) = (unit.simd(), groups.width, F::BITS.layout().block_bytes);
    let (c, c_row) = (product.c.wrapping_add(column), product.c_row);
    // SAFETY: rows below `M`, columns and pairs promised by the caller; the groups have their sizes. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, c_row, product.start);
        let (mut a, mut rest, mut group) = (product.a, groups.pairs, groups.data.as_ptr());
        while rest > 0 {
            let mut blocks = group.add(F::BITS.scale_bytes(width) + column / LANES * block);
            for chain in 0..F::CHAINS {
                let mut chains = [[simd.zero(); N]; M];
                let mut left = rest.min(F::CHAIN_PAIRS);
                rest -= left;
                while left > 0 {
                    macro_rules! steps {
                        ($($pair:literal)*) => {{ $(
                            step::<F, U, M, N>(unit, a.wrapping_add($pair), product.a_row, blocks, $pair, &mut chains);
                        )* }};
                    }
                    for_pairs!(F, left, steps);
                    left = left.saturating_sub(F::BITS.layout().block_pairs);
                    a = a.wrapping_add(F::BITS.layout().block_pairs);
                    blocks = blocks.wrapping_add(width / LANES * block);
                }
                for j in 0..N {
                    let scale = F::scale(simd, group, width, column + j * LANES, chain);
                    for i in 0..M {
                        sums[i][j] = simd.mul_add(scale, chains[i][j], sums[i][j]);
                    }
                }
            }
            group = group.wrapping_add(F::BITS.group_bytes(width));
        }
        store_sums(simd, sums, c, c_row);
    }
}

/// Adds the products of a pair of k to the chains of `M` rows by `N` vectors.
///
/// # Safety
/// The pair must be readable in `M` rows and in `N` blocks of columns.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // as above
unsafe fn step<F: Chained, U: PairUnit, const M: usize, const N: usize>(
    unit: U,
    a: *const u32,
    a_row: usize,
    blocks: *const u8,
    pair: usize,
    chains: &mut [[<U::Simd as Simd>::V; N]; M],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut columns = [F::load(unit, blocks, pair); N];
        for j in 1..N {
            columns[j] = F::load(unit, blocks.add(j * F::BITS.layout().block_bytes), pair);
        }
        for i in 0..M {
            let row = unit.row(a.add(i * a_row));
            for j in 0..N {
                chains[i][j] = unit.multiply_add(row, columns[j], chains[i][j]);
            }
        }
    }
}
