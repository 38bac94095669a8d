//! Products of bf16 by tiles of a matrix unit, with the bits of [`gemm_bf16`](super::gemm_bf16).
//!
//! Weights are first written as tiles of words that the unit reads, a part of k at a time, once for all rows of a task. A unit that
//! adds a block to its tile adds as [`Order::Blocks`] says, so that tiles of results stay in it over a part of k. Blocks
//! with scales, and few rows, whose tiles would wait for each other, are multiplied each for itself and added in vectors.

use std::ops::Range;

use super::pair_product::{Order, PairProduct, Start, first_sum};
use crate::kernels::buffer::with_tile_scratch;
use crate::kernels::formats::{PAIRS, PANEL, transposed_pair};
use crate::kernels::units::tiles::{BlockFactors, BlockProduct, TILE, TileRows, Tiles};
use crate::kernels::units::x86::Avx512;
use crate::kernels::units::{InstructionSet, LANES, Simd};

/// Number of pairs of k whose weights are written as tiles at once: those of 32 columns, which results stay in tiles for, or of a
/// panel with scales fit into the first-level cache.
const PARTS: [usize; 2] = [256, 128];
/// Largest number of blocks in such a part.
const BLOCKS: usize = PARTS[0] / PAIRS;
/// Number of blocks that are multiplied together.
const TOGETHER: usize = 4;

/// Working memory of a part of k.
struct Working {
    /// Factors of the blocks of each vector of columns.
    factors: [[BlockFactors; BLOCKS]; PANEL / LANES],
    products: [BlockProduct; TOGETHER],
}

/// Computes a product whose left factor is in words of tiles. `fill(simd, pairs, words)` writes pairs of B, `size` of them
/// or the last ones, in order.
///
/// # Safety
/// As for [`gemm_bf16`](super::gemm_bf16), apart from B; of A, whole blocks must be readable in every row.
pub(super) unsafe fn gemm_tiles(
    set: InstructionSet,
    product: &PairProduct<'_>,
    size: usize,
    mut fill: impl FnMut(Avx512, Range<usize>, &mut [u32]),
) {
    let InstructionSet::Avx512Bf16(unit) = set else { unreachable!("rows are in words of tiles") };
    let (tiles, simd) = (unit.tiles().expect("rows are in words of tiles"), unit.base());
    let (columns, block) = (product.columns, product.order.pairs());
    let part = PARTS[usize::from(!matches!(product.order, Order::Blocks))];
    assert!(part.is_multiple_of(size) && size.is_multiple_of(block), "blocks are whole");
    let room = size_of::<Working>() / size_of::<u32>();
    with_tile_scratch(room + (size + part) * columns, |scratch| {
        let (working, scratch) = scratch.split_at_mut(room);
        let (pairs, words) = scratch.split_at_mut(size * columns);
        // SAFETY: the memory has their size, and any bits are numbers.
        let working = unsafe { &mut *working.as_mut_ptr().cast() };
        for first in (0..product.pairs).step_by(part) {
            let end = product.pairs.min(first + part);
            let vector_words = (end - first).next_multiple_of(block) * LANES;
            for start in (first..end).step_by(size) {
                let count = size.min(end - start);
                let pairs = &mut pairs[..count.next_multiple_of(block) * columns];
                pairs[count * columns..].fill(0);
                fill(simd, start..start + count, pairs);
                // SAFETY: the unit's instructions are there.
                unsafe { write_tiles(columns, pairs, &mut words[(start - first) * LANES..], vector_words) };
            }
            let blocks = first / block..end.div_ceil(block);
            // SAFETY: the caller's promise, and the words of all vectors are written.
            unsafe {
                match block {
                    PAIRS => rows_of::<PAIRS>(tiles, simd, product, blocks, words, working),
                    _ => rows_of::<{ PAIRS / 2 }>(tiles, simd, product, blocks, words, working),
                }
            }
        }
    });
    tiles.release();
}

/// Writes pairs `[pairs][columns]` as tiles: for each vector of columns, at the distance `vector_words`, words of the steps (k, k + 2)
/// and (k + 1, k + 3) in turns.
#[target_feature(enable = "avx512f")]
fn write_tiles(columns: usize, pairs: &[u32], words: &mut [u32], vector_words: usize) {
    let (vectors, rows) = (columns / LANES, pairs.len() / columns);
    assert!((vectors - 1) * vector_words + rows * LANES <= words.len() && rows.is_multiple_of(2), "words have a place");
    // Pointers, since the iterators of the standard library stay calls in functions for an instruction set.
    for row in (0..rows).step_by(2) {
        for j in 0..vectors {
            let from = pairs.as_ptr().wrapping_add(row * columns + j * LANES);
            let to = words.as_mut_ptr().wrapping_add(j * vector_words + row * LANES);
            // SAFETY: both rows have so many columns, and their words a place, as was checked.
            unsafe {
                let (mut first, mut second): ([u32; LANES], [u32; LANES]) =
                    (*from.cast(), *from.wrapping_add(columns).cast());
                for lane in 0..LANES {
                    (first[lane], second[lane]) = transposed_pair(first[lane], second[lane]);
                }
                *to.cast() = [first, second];
            }
        }
    }
}

/// Computes all rows with weights that are tiles, of blocks with so many pairs.
///
/// # Safety
/// As for [`gemm_tiles`], and the words are those of the blocks, vector by vector.
#[target_feature(enable = "avx512f")]
unsafe fn rows_of<const BLOCK: usize>(
    tiles: Tiles,
    simd: Avx512,
    product: &PairProduct<'_>,
    blocks: Range<usize>,
    words: &[u32],
    Working { factors, products }: &mut Working,
) {
    let (vectors, vector_words) = (product.columns / LANES, blocks.len() * BLOCK * LANES);
    let whole = product.rows / TILE * TILE;
    let start = if blocks.start == 0 { product.start } else { Start::Sums };
    let of_vector = |j: usize| words[j * vector_words..][..vector_words].as_ptr();
    let (by_two_rows, by_two_vectors) = match product.order {
        Order::Blocks => (whole / (2 * TILE) * (2 * TILE), vectors / 2 * 2),
        _ => (0, 0),
    };
    // Shapes are set for many tiles, since that takes as long as the products of some blocks.
    // SAFETY: rows and vectors exist; the rest is the caller's promise.
    unsafe {
        for (j, factors) in factors.iter_mut().enumerate().take(vectors) {
            set_factors(simd, product.order, blocks.start, j, &mut factors[..blocks.len()]);
        }
        if whole > 0 {
            tiles.configure(TILE, BLOCK);
        }
        for j in (0..by_two_vectors).step_by(2) {
            for i in (0..by_two_rows).step_by(2 * TILE) {
                let c = product.c.wrapping_add(i * product.c_row + j * LANES);
                if start == Start::Before {
                    keep_starts(simd, c, product.c_row);
                }
                let (a, b) = (rows_at(product, i, blocks.start * BLOCK), [of_vector(j), of_vector(j + 1)]);
                tiles.multiply_two_by_two(a, b, blocks.len(), (c, product.c_row), start != Start::Zero);
            }
        }
        // A part of sixteen rows stays in the first-level cache for all vectors, beside their weights.
        for i in (0..product.rows).step_by(TILE) {
            let rows = TILE.min(product.rows - i);
            if rows < TILE {
                tiles.configure(rows, BLOCK);
            }
            for j in (if i < by_two_rows { by_two_vectors } else { 0 })..vectors {
                let (at, b, factors) = ((i, rows, j), of_vector(j), &mut factors[j][..blocks.len()]);
                if rows > TILE / 2 {
                    tile::<TILE, BLOCK>(tiles, simd, product, at, start, b, blocks.start, factors, products);
                } else {
                    tile::<{ TILE / 2 }, BLOCK>(tiles, simd, product, at, start, b, blocks.start, factors, products);
                }
            }
        }
    }
}

/// Sets the scales and minima of blocks from `first` on for a vector of columns.
///
/// # Safety
/// Groups must have a scale for each of them.
#[target_feature(enable = "avx512f")]
unsafe fn set_factors(simd: Avx512, order: Order<'_>, first: usize, vector: usize, factors: &mut [BlockFactors]) {
    let mut block = 0;
    while block < factors.len() {
        let [scales, minima, _] = &mut factors[block];
        // SAFETY: the caller's promise.
        unsafe {
            simd.store(order.scale(simd, first + block, vector * LANES), scales);
            if let Some(minimum) = order.minimum(simd, first + block, vector * LANES) {
                simd.store(minimum, minima);
            }
        }
        block += 1;
    }
}

/// Returns the left factor from a row and a pair of k on.
#[inline(always)]
fn rows_at(product: &PairProduct<'_>, row: usize, pair: usize) -> TileRows {
    TileRows { start: product.a.wrapping_add(row * product.a_row + pair), row: product.a_row }
}

/// Replaces small initial values by zero in two by two tiles.
///
/// # Safety
/// `c` must be writable at 32 rows and columns.
#[target_feature(enable = "avx512f")]
unsafe fn keep_starts(simd: Avx512, c: *mut f32, c_row: usize) {
    for i in 0..2 * TILE {
        for j in 0..2 {
            let c = c.wrapping_add(i * c_row + j * LANES);
            // SAFETY: the caller's promise.
            unsafe { simd.store(first_sum(simd, c, Start::Before), &mut *c.cast()) };
        }
    }
}

/// Computes up to `M` rows of a vector of columns, from `first` on, by the products of each block, whose weights are in `b`.
///
/// # Safety
/// As for [`gemm_tiles`]; so many rows must exist, and a block in `b` for each of the factors, which are those of the vector.
#[target_feature(enable = "avx512f")]
#[allow(clippy::too_many_arguments)] // a product's operands
#[allow(clippy::needless_range_loop)] // as for `write_tiles`
unsafe fn tile<const M: usize, const BLOCK: usize>(
    tiles: Tiles,
    simd: Avx512,
    product: &PairProduct<'_>,
    (first, rows, vector): (usize, usize, usize),
    start: Start,
    b: *const u32,
    first_block: usize,
    factors: &mut [BlockFactors],
    products: &mut [BlockProduct; TOGETHER],
) {
    let &PairProduct { c_row, order, block_sums, .. } = product;
    let has_minima = order.has_minima();
    let c = product.c.wrapping_add(first * c_row + vector * LANES);
    let together = factors.len() / TOGETHER * TOGETHER;
    let a = |block: usize| rows_at(product, first, (first_block + block) * BLOCK);
    // SAFETY: the rows, the column and the blocks exist, as the caller promises.
    unsafe {
        let mut sums = [[0.0; LANES]; M];
        for i in 0..rows {
            simd.store(first_sum(simd, c.wrapping_add(i * c_row), start), &mut sums[i]);
        }
        if has_minima {
            for block in 0..factors.len() {
                for i in 0..rows {
                    factors[block][2][i] = *block_sums.from(first + i, first_block + block).start;
                }
            }
        }
        if together > 0 {
            if has_minima {
                tiles.add_blocks::<BLOCK, true>(a(0), b, &mut sums, &factors[..together], products);
            } else {
                tiles.add_blocks::<BLOCK, false>(a(0), b, &mut sums, &factors[..together], products);
            }
        }
        for block in together..factors.len() {
            let [scales, minima, of_rows] = &factors[block];
            tiles.multiply_block(a(block), b.wrapping_add(block * BLOCK * LANES), &mut products[0]);
            for i in 0..rows {
                let mut sum = simd.mul_add(simd.load(scales), simd.load(&products[0][i]), simd.load(&sums[i]));
                if has_minima {
                    sum = simd.neg_mul_add(simd.load(minima), simd.splat(of_rows[i]), sum);
                }
                simd.store(sum, &mut sums[i]);
            }
        }
        for i in 0..rows {
            *c.wrapping_add(i * c_row).cast() = sums[i];
        }
    }
}
