//! Batches of small plain products on all threads.

use std::ops::Range;

use super::gemm::{Product, SIDE_BY_SIDE, gemm, gemm_side_by_side, is_single_row};
use crate::kernels::formats::PANEL;
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::units::{CACHE_LINE, InstructionSet, Simd, kernel};

/// Number of rows in a task of small products.
pub(super) const ROW_CHUNK: usize = 96;

/// Right factor of a product.
#[derive(Clone, Copy)]
pub enum Factor<'a> {
    /// f32.
    F32(&'a [f32]),
    /// bf16, multiplied like the same numbers in f32.
    Bf16(&'a [u16]),
}

impl Factor<'_> {
    fn is_bf16(self) -> bool {
        matches!(self, Self::Bf16(_))
    }

    pub(super) fn len(self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::Bf16(values) => values.len(),
        }
    }

    /// Prefetches a part.
    pub(super) fn prefetch(self, set: InstructionSet, part: Range<usize>) {
        match self {
            Self::F32(values) => prefetch_f32(set, &values[part]),
            Self::Bf16(values) => prefetch_bf16(set, &values[part]),
        }
    }

    /// Computes `product` with the values from `first` on as its right factor; its own right factor is ignored.
    ///
    /// # Safety
    /// As for [`gemm`].
    pub(super) unsafe fn multiply(self, set: InstructionSet, first: usize, product: Product) {
        let first = first.min(self.len());
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Self::F32(values) => gemm(set, product.with(values[first..].as_ptr())),
                Self::Bf16(values) => gemm(set, product.with(values[first..].as_ptr())),
            }
        }
    }
}

kernel! {
    /// Prefetches f32 values.
    fn prefetch_f32(values: &[f32]) = prefetch;
}

kernel! {
    /// Prefetches bf16 values.
    fn prefetch_bf16(values: &[u16]) = prefetch;
}

#[inline(always)]
fn prefetch<S: Simd, T>(simd: S, values: &[T]) {
    for line in values.chunks(CACHE_LINE / size_of::<T>()) {
        simd.prefetch(line.as_ptr().cast());
    }
}

/// Operands of a small plain product `c[rows, columns] (+)= a[rows, depth] b[depth, columns]`.
pub struct SmallProduct<'a> {
    /// Number of rows of the result.
    pub rows: usize,
    /// Number of columns of the result, a multiple of [`LANES`](crate::kernels::units::simd::LANES).
    pub columns: usize,
    /// Number of terms in every sum.
    pub depth: usize,
    /// Left factor.
    pub a: &'a [f32],
    /// Distances in `a` between neighbouring rows and between neighbouring steps.
    pub a_strides: (usize, usize),
    /// Right factor.
    pub b: Factor<'a>,
    /// Distance between the rows of `b`.
    pub b_stride: usize,
    /// Result.
    pub c: &'a mut [f32],
    /// Distance between the rows of `c`, at least `columns`.
    pub c_stride: usize,
    /// Whether to add to the result.
    pub accumulate: bool,
}

/// Computes several products in parallel.
pub fn small_products(pool: &ComputePool, products: Vec<SmallProduct<'_>>) {
    let set = pool.instruction_set();
    let (mut tasks, mut single_rows) = (Vec::new(), Vec::new());
    let products: Vec<_> = products
        .into_iter()
        .filter(|product| product.rows > 0 && product.columns > 0)
        .enumerate()
        .map(|(index, mut p)| {
            assert!(p.c_stride >= p.columns, "rows of a result do not overlap");
            assert_reach(p.a.len(), (p.rows, p.a_strides.0), (p.depth, p.a_strides.1));
            assert_reach(p.b.len(), (p.depth, p.b_stride), (p.columns, 1));
            assert_reach(p.c.len(), (p.rows, p.c_stride), (p.columns, 1));
            if is_single_row(p.rows, p.columns) && !p.accumulate {
                single_rows.push(index);
            } else {
                for row in (0..p.rows).step_by(ROW_CHUNK) {
                    tasks.extend((0..p.columns).step_by(PANEL).map(|column| Task::Tile { index, row, column }));
                }
            }
            (Shared::new(std::mem::take(&mut p.c)), p)
        })
        .collect();
    let shape = |index: &usize| (products[*index].1.columns, products[*index].1.depth, products[*index].1.b.is_bf16());
    for alike in single_rows.chunk_by(|left, right| shape(left) == shape(right)) {
        let (together, rest) = alike.as_chunks();
        tasks.extend(together.iter().map(|indices| Task::Together(*indices)));
        tasks.extend(rest.iter().map(|&index| Task::Tile { index, row: 0, column: 0 }));
    }
    pool.run(tasks.len(), &|task| {
        let product = |index: usize, row: usize, column: usize| {
            let (c, p) = &products[index];
            Product {
                rows: ROW_CHUNK.min(p.rows - row),
                columns: PANEL.min(p.columns - column),
                depth: p.depth,
                a: p.a[(row * p.a_strides.0).min(p.a.len())..].as_ptr(),
                a_row: p.a_strides.0,
                a_depth: p.a_strides.1,
                b: std::ptr::null(),
                b_depth: p.b_stride,
                c: c.pointer(row * p.c_stride + column),
                c_row: p.c_stride,
                accumulate: p.accumulate,
            }
        };
        match tasks[task] {
            // SAFETY: inside the three slices, checked above; tasks have distinct tiles of distinct results.
            Task::Tile { index, row, column } => unsafe {
                products[index].1.b.multiply(set, column, product(index, row, column));
            },
            // SAFETY: as above.
            Task::Together(indices) => unsafe {
                let of = indices.map(|index| product(index, 0, 0));
                multiply_together(set, indices.map(|index| products[index].1.b), of);
            },
        }
    });
}

/// Task of [`small_products`].
enum Task {
    /// A tile of up to [`ROW_CHUNK`] rows and [`PANEL`] columns of a product.
    Tile { index: usize, row: usize, column: usize },
    /// Whole products of a single row each, all of the same shape.
    Together([usize; SIDE_BY_SIDE]),
}

/// Computes the products with these right factors, all of the same type; the products' own right factors are ignored.
///
/// # Safety
/// As for [`gemm_side_by_side`].
unsafe fn multiply_together(set: InstructionSet, right: [Factor<'_>; SIDE_BY_SIDE], products: [Product; SIDE_BY_SIDE]) {
    // SAFETY: the caller's promise.
    unsafe {
        match right {
            [Factor::F32(a), Factor::F32(b), Factor::F32(c), Factor::F32(d)] => {
                let right = [a, b, c, d];
                gemm_side_by_side(set, std::array::from_fn(|i| products[i].with(right[i].as_ptr())));
            }
            [Factor::Bf16(a), Factor::Bf16(b), Factor::Bf16(c), Factor::Bf16(d)] => {
                let right = [a, b, c, d];
                gemm_side_by_side(set, std::array::from_fn(|i| products[i].with(right[i].as_ptr())));
            }
            mixed => {
                for (right, product) in mixed.into_iter().zip(products) {
                    right.multiply(set, 0, product);
                }
            }
        }
    }
}

/// Checks that accesses with `(count, stride)` in two dimensions stay inside a slice.
pub(super) fn assert_reach(len: usize, (rows, row_stride): (usize, usize), (steps, step_stride): (usize, usize)) {
    if rows > 0 && steps > 0 {
        let last = (rows - 1) * row_stride + (steps - 1) * step_stride;
        assert!(last < len, "a product stays inside its factors");
    }
}
