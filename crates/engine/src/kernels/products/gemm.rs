//! Matrix product on one thread: `C = A B` or `C += A B` in register tiles.
//!
//! Every element of C is one chain of fused multiply-adds over k, in order. Tiling, blocking and the instruction set
//! affect the speed, never the chain.

use super::narrow_vectors;
use crate::kernels::units::{InstructionSet, LANES, Simd, kernel};

/// Number of steps of k that are computed for all rows before the next ones, so that this part of B stays in the
/// second-level cache.
const DEPTH_BLOCK: usize = 2048;

/// Number of steps of k between the values of B in use and those being prefetched.
const PREFETCH: usize = 16;

/// Operands of `C[rows, columns] (+)= A[rows, depth] B[depth, columns]`.
#[derive(Clone, Copy)]
pub(crate) struct Product<T = f32> {
    pub rows: usize,
    /// A multiple of [`LANES`].
    pub columns: usize,
    pub depth: usize,
    pub a: *const f32,
    /// Distance in A from one row to the next.
    pub a_row: usize,
    /// Distance in A from one k to the next.
    pub a_depth: usize,
    pub b: *const T,
    /// Distance in B from one k to the next.
    pub b_depth: usize,
    pub c: *mut f32,
    /// Distance in C from one row to the next.
    pub c_row: usize,
    /// Whether to add to C rather than overwrite it.
    pub accumulate: bool,
}

impl<T> Product<T> {
    /// Returns the product with another right factor.
    pub(crate) fn with<U>(self, b: *const U) -> Product<U> {
        let Self { rows, columns, depth, a, a_row, a_depth, b: _, b_depth, c, c_row, accumulate } = self;
        Product { rows, columns, depth, a, a_row, a_depth, b, b_depth, c, c_row, accumulate }
    }
}

/// Element type of a right factor, which is exactly representable in f32: that itself, or u16 for bf16.
pub(crate) trait Element: Copy {
    /// Reads sixteen elements, exactly.
    fn load<S: Simd>(simd: S, values: &[Self; LANES]) -> S::V;

    /// Computes [`gemm`] after its check.
    ///
    /// # Safety
    /// As for [`gemm`], and `product.columns` is a multiple of [`LANES`].
    unsafe fn whole_vectors(set: InstructionSet, product: Product<Self>);

    /// Computes [`gemm_side_by_side`] after its checks.
    ///
    /// # Safety
    /// As for [`gemm_side_by_side`], and the shapes are right.
    unsafe fn single_rows(set: InstructionSet, products: [Product<Self>; SIDE_BY_SIDE]);
}

macro_rules! element {
    ($type:ty, $load:ident) => {
        impl Element for $type {
            #[inline(always)]
            fn load<S: Simd>(simd: S, values: &[Self; LANES]) -> S::V {
                simd.$load(values)
            }
            kernel! {
                unsafe fn whole_vectors(product: Product<$type>) = gemm_generic;
            }
            kernel! {
                unsafe fn single_rows(products: [Product<$type>; SIDE_BY_SIDE]) = side_by_side;
            }
        }
    };
}
element!(f32, load);
element!(u16, load_bf16);

/// Computes a product. With a right factor in bf16, the result equals that of the same numbers in f32, bit for bit.
///
/// # Safety
/// A must be readable at every row and k, B at every k and column and C writable at every row and column, and nobody else
/// may use those elements of C meanwhile.
pub(crate) unsafe fn gemm<T: Element>(set: InstructionSet, product: Product<T>) {
    assert!(product.columns.is_multiple_of(LANES), "columns come in whole vectors");
    // SAFETY: the caller's promise; whole vectors were checked.
    unsafe { T::whole_vectors(set, product) };
}

/// Distance in bytes between the values of B in use and those being prefetched, in products of a single row.
const SINGLE_ROW_PREFETCH: usize = 4096;

/// Number of products that [`gemm_side_by_side`] computes in one loop.
pub(crate) const SIDE_BY_SIDE: usize = 4;

/// Returns whether [`gemm_side_by_side`] can compute a product of this shape.
pub(crate) fn is_single_row(rows: usize, columns: usize) -> bool {
    rows == 1 && columns <= 2 * LANES
}

/// Computes products of a single row and one or two vectors of columns, all of the same shape. A single such product
/// would mostly wait for its own sums and for memory. The chains are those of [`gemm`].
///
/// # Safety
/// As for [`gemm`], for each of them.
pub(crate) unsafe fn gemm_side_by_side<T: Element>(set: InstructionSet, products: [Product<T>; SIDE_BY_SIDE]) {
    let first = &products[0];
    for product in &products {
        assert!(is_single_row(product.rows, product.columns) && product.columns.is_multiple_of(LANES));
        assert!((product.columns, product.depth) == (first.columns, first.depth), "products are of one shape");
        assert!(!product.accumulate, "single rows start at zero");
    }
    // SAFETY: the caller's promise; the shapes were checked.
    unsafe { T::single_rows(set, products) };
}

/// # Safety
/// As for [`gemm_side_by_side`], and the shapes are right.
#[inline(always)]
unsafe fn side_by_side<S: Simd, T: Element>(simd: S, products: [Product<T>; SIDE_BY_SIDE]) {
    // SAFETY: the caller's promise.
    unsafe {
        match products[0].columns / LANES {
            2 => single_rows::<S, T, 2>(simd, products),
            _ => single_rows::<S, T, 1>(simd, products),
        }
    }
}

/// # Safety
/// As for [`gemm_side_by_side`], and each product has `N` vectors of columns.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn single_rows<S: Simd, T: Element, const N: usize>(simd: S, products: [Product<T>; SIDE_BY_SIDE]) {
    // SAFETY: columns below `N * LANES` and k below `depth`, all promised by the caller. An array reference needs no more
    // than the alignment of its elements.
    unsafe {
        let mut sums = [[simd.zero(); N]; SIDE_BY_SIDE];
        let (mut a, mut b) = (products.map(|product| product.a), products.map(|product| product.b));
        for _ in 0..products[0].depth {
            for i in 0..SIDE_BY_SIDE {
                let x = simd.splat(*a[i]);
                for j in 0..N {
                    simd.prefetch(b[i].wrapping_add(j * LANES).cast::<u8>().wrapping_add(SINGLE_ROW_PREFETCH));
                    sums[i][j] = simd.mul_add(x, T::load(simd, &*b[i].add(j * LANES).cast()), sums[i][j]);
                }
                a[i] = a[i].wrapping_add(products[i].a_depth);
                b[i] = b[i].wrapping_add(products[i].b_depth);
            }
        }
        for (product, sums) in products.iter().zip(sums) {
            for (j, sum) in sums.into_iter().enumerate() {
                simd.store(sum, &mut *product.c.add(j * LANES).cast());
            }
        }
    }
}

/// # Safety
/// As for [`gemm`], and `product.columns` is a multiple of [`LANES`].
#[inline(always)]
unsafe fn gemm_generic<S: Simd, T: Element>(simd: S, product: Product<T>) {
    let Product { columns, depth, .. } = product;
    let mut k = 0;
    loop {
        let mut j = 0;
        while j < columns {
            let widest = match product.rows {
                rows if !S::WIDE => narrow_vectors(rows),
                // Eight rows, a common rank, are one tile, so that B is read once.
                8 => 2,
                _ => 4,
            };
            let vectors = ((columns - j) / LANES).min(widest);
            // SAFETY: offsets stay below `depth` and `columns`.
            let part = unsafe {
                Product {
                    columns: vectors * LANES,
                    depth: (depth - k).min(DEPTH_BLOCK),
                    a: product.a.add(k * product.a_depth),
                    b: product.b.add(k * product.b_depth + j),
                    c: product.c.add(j),
                    accumulate: product.accumulate || k > 0,
                    ..product
                }
            };
            // SAFETY: a part of what the caller of `gemm` vouches for.
            unsafe {
                match vectors {
                    4 => strip::<S, T, 4>(simd, part),
                    3 => strip::<S, T, 3>(simd, part),
                    2 => strip::<S, T, 2>(simd, part),
                    _ => strip::<S, T, 1>(simd, part),
                }
            }
            j += vectors * LANES;
        }
        k += DEPTH_BLOCK;
        if k >= depth {
            return;
        }
    }
}

/// Computes all rows of a strip of `N` vectors of columns.
///
/// # Safety
/// As for [`gemm`], and `product.columns` is `N` times [`LANES`].
#[inline(always)]
unsafe fn strip<S: Simd, T: Element, const N: usize>(simd: S, product: Product<T>) {
    let mut i = 0;
    // SAFETY: `i` plus the tile's rows never exceeds `rows`; the rest is the caller's promise.
    unsafe {
        macro_rules! tiles {
            ($($rows:literal)*) => {{ $( while product.rows - i >= $rows {
                tile::<S, T, $rows, N>(simd, Product {
                    a: product.a.add(i * product.a_row), c: product.c.add(i * product.c_row), ..product
                });
                i += $rows;
            } )* }};
        }
        // As many rows as fit into the registers.
        if S::WIDE {
            match N {
                4 => tiles!(6 4 3 2 1),
                3 => tiles!(8 4 2 1),
                // No more, although there are registers: rows at a distance of a multiple of 4096 bytes would evict
                // each other from the first-level cache if there are more of them than it has ways.
                _ => tiles!(8 4 2 1),
            }
        } else {
            match N {
                1 => tiles!(6 4 3 2 1),
                2 => tiles!(2 1),
                _ => tiles!(1),
            }
        }
    }
}

/// Computes `M` rows by `N` vectors, held in registers over all of k.
///
/// # Safety
/// As for [`gemm`] with `M` rows and `N` times [`LANES`] columns.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // counted loops over constants, which the compiler unrolls into registers
unsafe fn tile<S: Simd, T: Element, const M: usize, const N: usize>(simd: S, product: Product<T>) {
    let Product { a_row, a_depth, b_depth, c_row, .. } = product;
    // SAFETY: rows below `M`, columns below `N * LANES` and k below `depth`, all promised by the caller. An array reference
    // needs no more than the alignment of its elements.
    unsafe {
        let mut sums = [[simd.zero(); N]; M];
        if product.accumulate {
            for i in 0..M {
                for j in 0..N {
                    sums[i][j] = simd.load(&*product.c.add(i * c_row + j * LANES).cast());
                }
            }
        }
        let (mut a, mut b) = (product.a, product.b);
        for _ in 0..product.depth {
            let mut row = [simd.zero(); N];
            for j in 0..N {
                simd.prefetch(b.wrapping_add(PREFETCH * b_depth + j * LANES).cast());
                row[j] = T::load(simd, &*b.add(j * LANES).cast());
            }
            for i in 0..M {
                let x = simd.splat(*a.add(i * a_row));
                for j in 0..N {
                    sums[i][j] = simd.mul_add(x, row[j], sums[i][j]);
                }
            }
            a = a.wrapping_add(a_depth);
            b = b.wrapping_add(b_depth);
        }
        for i in 0..M {
            for j in 0..N {
                simd.store(sums[i][j], &mut *product.c.add(i * c_row + j * LANES).cast());
            }
        }
    }
}
