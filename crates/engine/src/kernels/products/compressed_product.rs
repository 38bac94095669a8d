//! Products of bf16 with [compressed weights](crate::kernels::formats::compressed).
//!
//! They are those of [`gemm_bf16`] with the same weights, bit for bit. For few rows a tile expands its weights in registers; for
//! more rows they are expanded in blocks that stay in the first-level cache.

use super::pair_product::{PairProduct, add_block, first_sums, gemm_bf16, store_sums};
#[cfg(target_arch = "x86_64")]
use super::tile_product::gemm_tiles;
use crate::kernels::buffer::with_weight_scratch;
use crate::kernels::formats::{CompressedPairs, PAIRS, PANEL, UNPACKED_PAIRS, expand};
use crate::kernels::units::{InstructionSet, LANES, PairUnit, RowForm, Simd, pair_kernel};

/// Maximum number of rows of a product whose tiles expand their weights in registers.
const DIRECT_ROWS: usize = 12;
/// Maximum number of rows of a tile of four vectors. With more rows, tiles have two.
const WHOLE_ROWS: usize = 6;
/// Number of pairs of k that two such tiles read after each other, from the first-level cache the second time.
const DIRECT_PAIRS: usize = 64;

/// Computes a product with compressed weights in place of `product.b`.
///
/// # Safety
/// As for [`gemm_bf16`], apart from B. The product has 64 columns and these pairs.
pub(crate) unsafe fn gemm_compressed(set: InstructionSet, product: PairProduct<'_>, pairs: CompressedPairs<'_>) {
    assert!(product.columns == PANEL && product.pairs == pairs.pairs, "the product is that of the pairs");
    let rows = product.rows;
    let few = rows <= DIRECT_ROWS && !set.multiplies_pairs_in_f32(rows);
    let is_direct = set.is_native() && product.form == RowForm::Pairs && few;
    if is_direct && rows <= WHOLE_ROWS {
        // SAFETY: the caller's promise.
        return unsafe { direct(set, product, pairs) };
    }
    #[cfg(target_arch = "x86_64")]
    if product.form == RowForm::Tiles {
        let mut blocks = pairs.blocks(PAIRS).peekable();
        let fill = |_, _: std::ops::Range<usize>, words: &mut [u32]| {
            if let Some(block) = blocks.next() {
                expand(set, block, blocks.peek().map_or(product.ahead, |next| next.ahead()), words);
            }
        };
        // SAFETY: the caller's promise.
        return unsafe { gemm_tiles(set, &product, PAIRS, fill) };
    }
    let mut first = 0;
    let mut blocks = pairs.blocks(if is_direct { DIRECT_PAIRS } else { UNPACKED_PAIRS }).peekable();
    while let Some(block) = blocks.next() {
        let ahead = blocks.peek().map_or(product.ahead, |next| next.ahead());
        let part = PairProduct { ahead, ..product.part(first, block.pairs) };
        first += block.pairs;
        if is_direct {
            // SAFETY: the caller's promise.
            unsafe { direct(set, part, block) };
            continue;
        }
        with_weight_scratch(block.pairs * PANEL, |words| {
            expand(set, block, ahead, words);
            // SAFETY: the caller's promise, and all of B is in `words`.
            unsafe { gemm_bf16(set, PairProduct { b: words.as_ptr(), b_pair: PANEL, prefetch: 0, ..part }) };
        });
    }
}

pair_kernel! {
    /// # Safety
    /// As for [`gemm_compressed`], of up to [`DIRECT_ROWS`] rows.
    unsafe fn direct(product: PairProduct<'_>, pairs: CompressedPairs<'_>) = direct_generic;
}

/// # Safety
/// As for [`direct`].
#[inline(always)]
unsafe fn direct_generic<U: PairUnit>(unit: U, product: PairProduct<'_>, pairs: CompressedPairs<'_>) {
    const { assert!(U::ROW_WORDS == 1) };
    if !U::NATIVE {
        unreachable!("other units expand weights first"); // so that nothing is compiled for them
    }
    macro_rules! tiles {
        ($vectors:literal from $first:literal, $($rows:literal)*) => {
            match product.rows {
                // SAFETY: the caller's promise.
                $($rows => unsafe { tile::<U, $rows, $vectors, $first>(unit, product, pairs) },)*
                _ => unreachable!("few rows"),
            }
        };
    }
    if product.rows <= WHOLE_ROWS {
        tiles!(4 from 0, 1 2 3 4 5 6);
    } else {
        tiles!(2 from 0, 7 8 9 10 11 12);
        tiles!(2 from 2, 7 8 9 10 11 12);
    }
}

/// Computes `M` rows by `N` vectors from the vector `FIRST` on.
///
/// # Safety
/// As for [`direct`] with `M` rows.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<U: PairUnit, const M: usize, const N: usize, const FIRST: usize>(
    unit: U,
    product: PairProduct<'_>,
    pairs: CompressedPairs<'_>,
) {
    let (simd, c) = (unit.simd(), product.c.wrapping_add(FIRST * LANES));
    let (mut a_block, mut block, mut rest) = (product.a, pairs.walk(product.ahead), pairs.pairs);
    // SAFETY: rows below `M` and pairs of the product, promised by the caller. Its blocks have no scales.
    unsafe {
        let mut sums = first_sums::<_, M, N>(simd, c, product.c_row, product.start);
        while rest > 0 {
            let count = rest.min(PAIRS);
            let (begin, mut even) = (block, [[simd.zero(); N]; M]);
            for first in 0..2 {
                let mut chains = [[simd.zero(); N]; M];
                block = begin;
                if first == 1 {
                    block.pass();
                }
                for pair in (first..count).step_by(2) {
                    let columns = block.next(unit);
                    for i in 0..M {
                        let row = unit.row(a_block.add(i * product.a_row + pair * product.a_pair));
                        for j in 0..N {
                            chains[i][j] = unit.multiply_add(row, columns[FIRST + j], chains[i][j]);
                        }
                    }
                    if pair + 1 < count {
                        block.pass();
                    }
                }
                if first == 0 {
                    even = chains;
                } else {
                    add_block(simd, &mut sums, [even, chains], product, 0);
                }
            }
            a_block = a_block.wrapping_add(count * product.a_pair);
            rest -= count;
        }
        store_sums(simd, sums, c, product.c_row);
    }
}
