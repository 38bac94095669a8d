//! Products with few columns, for gradients: `c = a b`, where b has one column for each rank of an adapter.
//!
//! A vector holds eight columns for two neighbours in k, so eight columns, a common rank, fill it. The sums over even
//! and over odd k are separate chains, added at the end.

use std::ops::Range;

use crate::kernels::pool::{ComputePool, ROW_BLOCK, for_row_blocks};
use crate::kernels::units::{LANES, Simd, kernel};

/// Number of columns in a vector.
const COLUMNS: usize = LANES / 2;

/// Returns the number of values of a [`NarrowFactor`] per step of k: its columns, rounded up to fill a vector.
pub fn narrow_width(columns: usize) -> usize {
    columns.next_multiple_of(COLUMNS)
}

/// Returns the index of an element in a right factor of `columns` columns.
pub fn narrow_index(k: usize, column: usize, columns: usize) -> usize {
    k / 2 * 2 * narrow_width(columns) + 2 * column + k % 2
}

/// Right factors of products that read neighbouring parts of the same rows.
#[derive(Clone, Copy)]
pub struct NarrowFactor<'a> {
    /// Elements `[k / 2][width][2]`, see [`narrow_index`]; padding is zero.
    pub values: &'a [f32],
    /// Number of columns of each product.
    pub columns: usize,
    /// For each product, its steps of k in the left factor and the first step in this factor; all numbers are even.
    pub parts: &'a [(Range<usize>, usize)],
}

/// Computes for every row and part:
/// `c[row, part * columns + column] = sum over k in the part of a[row, k] b[k, column]`. Rows of `a` are `a_stride`
/// apart; rows of `c` are contiguous.
pub fn narrow_products(
    pool: &ComputePool,
    rows: usize,
    a: &[f32],
    a_stride: usize,
    factor: NarrowFactor<'_>,
    c: &mut [f32],
) {
    let NarrowFactor { values, columns, parts } = factor;
    let (width, c_stride) = (2 * narrow_width(columns), parts.len() * columns);
    for (part, first_step) in parts {
        assert!([part.start, part.end, *first_step].iter().all(|step| step.is_multiple_of(2)), "steps come in twos");
        assert!(rows == 0 || (rows - 1) * a_stride + part.end <= a.len(), "rows lie inside the left factor");
        assert!((first_step + part.len()) / 2 * width <= values.len(), "steps lie inside the right factor");
    }
    let set = pool.instruction_set();
    for_row_blocks(pool, rows, ROW_BLOCK, [(c, c_stride)], &|block, [c]| {
        for (index, (part, first_step)) in parts.iter().enumerate() {
            for vector in (0..width).step_by(MAX_VECTORS * LANES) {
                let first = vector / 2;
                let product = Narrow {
                    rows: block.len(),
                    vectors: ((width - vector) / LANES).min(MAX_VECTORS),
                    columns: (columns - first).min(MAX_VECTORS * COLUMNS),
                    pairs: part.len() / 2,
                    a: a[(block.start * a_stride + part.start).min(a.len())..].as_ptr(),
                    a_row: a_stride,
                    b: values[(first_step / 2 * width + vector).min(values.len())..].as_ptr(),
                    b_pair: width,
                    c: c[index * columns + first..].as_mut_ptr(),
                    c_row: c_stride,
                };
                // SAFETY: rows and steps lie inside both factors and the block's rows of c, as checked above.
                unsafe { narrow(set, product) };
            }
        }
    });
}

/// Maximum number of vectors in a tile.
const MAX_VECTORS: usize = 3;

/// Operands of a product on one thread.
#[derive(Clone, Copy)]
struct Narrow {
    rows: usize,
    vectors: usize,
    columns: usize,
    pairs: usize,
    a: *const f32,
    a_row: usize,
    b: *const f32,
    b_pair: usize,
    c: *mut f32,
    c_row: usize,
}

kernel! {
    /// # Safety
    /// A must be readable at every row and k, B at every pair and vector and C writable at every row and column, by this
    /// thread alone.
    unsafe fn narrow(product: Narrow) = narrow_generic;
}

/// # Safety
/// As for [`narrow`].
#[inline(always)]
unsafe fn narrow_generic<S: Simd>(simd: S, product: Narrow) {
    // SAFETY: the caller's promise.
    unsafe {
        match product.vectors {
            3 => rows_of::<S, 3>(simd, product),
            2 => rows_of::<S, 2>(simd, product),
            _ => rows_of::<S, 1>(simd, product),
        }
    }
}

/// # Safety
/// As for [`narrow`], with `N` vectors.
#[inline(always)]
unsafe fn rows_of<S: Simd, const N: usize>(simd: S, product: Narrow) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<S, $rows, N>(simd, Narrow {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                });
                i += $rows;
            } )* }};
        }
        if S::WIDE { tiles!(8 4 2 1) } else { tiles!(4 2 1) }
    }
}

/// # Safety
/// As for [`narrow`], with `M` rows and `N` vectors.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<S: Simd, const M: usize, const N: usize>(simd: S, product: Narrow) {
    let Narrow { columns, pairs, a_row, b_pair, c_row, .. } = product;
    // SAFETY: rows below `M`, vectors below `N` and k below twice `pairs`, all promised by the caller.
    unsafe {
        let mut sums = [[simd.zero(); N]; M];
        let (mut a, mut b) = (product.a, product.b);
        for _ in 0..pairs {
            let mut row = [simd.zero(); N];
            for j in 0..N {
                row[j] = simd.load(&*b.add(j * LANES).cast());
            }
            for i in 0..M {
                let x = simd.splat_pair(&*a.add(i * a_row).cast());
                for j in 0..N {
                    sums[i][j] = simd.mul_add(x, row[j], sums[i][j]);
                }
            }
            a = a.wrapping_add(2);
            b = b.wrapping_add(b_pair);
        }
        for i in 0..M {
            for j in 0..N {
                let mut lanes = [0.0; LANES];
                simd.store(sums[i][j], &mut lanes);
                for column in j * COLUMNS..columns.min((j + 1) * COLUMNS) {
                    let [even, odd] = lanes.as_chunks::<2>().0[column - j * COLUMNS];
                    *product.c.add(i * c_row + column) = even + odd;
                }
            }
        }
    }
}
