//! Matrix products over all threads: packed weights with low-rank terms, and batches of small plain products.
//!
//! Threads share out tiles of the result; no sum is ever split, so the number of threads does not show.

use std::ops::Range;

use super::buffer::{Buffer, with_scratch};
use super::gemm::{Product, gemm};
use super::parallel::Shared;
use super::simd::LANES;
use crate::engine::ComputePool;

/// Widest panel in columns.
pub const PANEL: usize = 64;
/// Rows of one task when there are many.
const ROW_CHUNK: usize = 96;

/// A matrix `[depth, columns]` packed for the kernels: panels of up to 64 columns, each stored `[depth][width]`.
pub struct Panels {
    depth: usize,
    columns: usize,
    panels: Vec<Panel>,
    data: Buffer,
}

#[derive(Clone, Copy)]
struct Panel {
    column: usize,
    width: usize,
    offset: usize,
}

impl Panels {
    /// Packs a matrix whose columns come in segments (each a multiple of [`LANES`] wide); no panel spans two segments.
    /// `fill(column, values)` writes a column's `depth` values into zeroed memory.
    pub fn pack(
        pool: &ComputePool,
        depth: usize,
        segments: &[usize],
        fill: &(dyn Fn(usize, &mut [f32]) + Sync),
    ) -> Self {
        let mut panels = Vec::new();
        let mut columns = 0;
        for &segment in segments {
            assert!(segment.is_multiple_of(LANES), "segments come in whole vectors");
            for start in (0..segment).step_by(PANEL) {
                let (column, width) = (columns + start, PANEL.min(segment - start));
                panels.push(Panel { column, width, offset: column * depth });
            }
            columns += segment;
        }
        let mut data = Buffer::new(depth * columns);
        let shared = Shared::new(&mut data);
        pool.run(panels.len(), &|i| {
            let Panel { column, width, offset } = panels[i];
            // SAFETY: panels do not overlap.
            let panel = unsafe { shared.part(offset..offset + depth * width) };
            with_scratch(depth, |values| {
                for j in 0..width {
                    values.fill(0.0);
                    fill(column + j, values);
                    for (k, value) in values.iter().enumerate() {
                        panel[k * width + j] = *value;
                    }
                }
            });
        });
        Self { depth, columns, panels, data }
    }

    /// The transposed matrix, in one segment.
    pub fn transposed(&self, pool: &ComputePool) -> Self {
        Self::pack(pool, self.columns, &[self.depth], &|column, values| {
            for panel in &self.panels {
                let row = &self.data[panel.offset + column * panel.width..][..panel.width];
                values[panel.column..][..panel.width].copy_from_slice(row);
            }
        })
    }

    /// Copies one column.
    pub fn column(&self, column: usize, values: &mut [f32]) {
        let panel = self.panels[self.panels.partition_point(|panel| panel.column <= column) - 1];
        let data = &self.data[panel.offset + column - panel.column..];
        for (k, value) in values[..self.depth].iter_mut().enumerate() {
            *value = data[k * panel.width];
        }
    }

    /// Number of rows of the matrix.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Number of columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.data.len() * size_of::<f32>()
    }
}

/// Adds `left[rows, depth] right[depth, columns]` to a part of a product, after the product's own sum.
#[derive(Clone)]
pub struct LowRankTerm<'a> {
    /// Rows of the result it applies to.
    pub rows: Range<usize>,
    /// Columns of the result it applies to; whole panels.
    pub columns: Range<usize>,
    /// Number of steps.
    pub depth: usize,
    /// Left factor; its row 0 belongs to row 0 of the result.
    pub left: &'a [f32],
    /// Distance of its rows.
    pub left_stride: usize,
    /// Right factor; its column 0 belongs to column 0 of the result.
    pub right: &'a [f32],
    /// Distance of its rows.
    pub right_stride: usize,
}

/// `y (+)= x w + terms`, where x is `[rows, depth]` and y `[rows, columns]`, both without gaps.
pub fn matmul(
    pool: &ComputePool,
    rows: usize,
    x: &[f32],
    w: &Panels,
    y: &mut [f32],
    accumulate: bool,
    terms: &[LowRankTerm<'_>],
) {
    if rows == 0 {
        return;
    }
    let (depth, columns) = (w.depth, w.columns);
    let (x, y) = (&x[..rows * depth], &mut y[..rows * columns]);
    for term in terms {
        assert!(term.rows.end <= rows && term.columns.end <= columns);
        assert_reach(term.left.len(), (term.rows.end, term.left_stride), (term.depth, 1));
        assert_reach(term.right.len(), (term.depth, term.right_stride), (term.columns.end, 1));
    }
    let set = pool.instruction_set();
    let row_chunk = if rows > 2 * ROW_CHUNK { ROW_CHUNK } else { rows };
    // With few rows a panel alone is too little work for a task.
    let group = if rows >= 64 { 1 } else { ((1 << 17) / (depth * PANEL * rows.max(8))).clamp(1, 8) };
    let groups = w.panels.len().div_ceil(group);
    let y = Shared::new(y);
    pool.run(rows.div_ceil(row_chunk) * groups, &|task| {
        let chunk = task / groups * row_chunk..rows.min((task / groups + 1) * row_chunk);
        let first = task % groups * group;
        for panel in &w.panels[first..w.panels.len().min(first + group)] {
            let product = Product {
                rows: chunk.len(),
                columns: panel.width,
                depth,
                a: x[chunk.start * depth..].as_ptr(),
                a_row: depth,
                a_depth: 1,
                b: w.data[panel.offset..].as_ptr(),
                b_depth: panel.width,
                c: y.pointer(chunk.start * columns + panel.column),
                c_row: columns,
                accumulate,
            };
            // SAFETY: inside x, the panel and y, whose lengths were checked; tasks have distinct tiles of y.
            unsafe { gemm(set, product) };
            for term in terms.iter().filter(|term| term.columns.contains(&panel.column)) {
                let range = chunk.start.max(term.rows.start)..chunk.end.min(term.rows.end);
                if range.is_empty() {
                    continue;
                }
                assert!(panel.column + panel.width <= term.columns.end);
                let product = Product {
                    rows: range.len(),
                    depth: term.depth,
                    a: term.left[range.start * term.left_stride..].as_ptr(),
                    a_row: term.left_stride,
                    b: term.right[panel.column..].as_ptr(),
                    b_depth: term.right_stride,
                    c: y.pointer(range.start * columns + panel.column),
                    accumulate: true,
                    ..product
                };
                // SAFETY: inside both factors, checked above, and inside this task's tile of y.
                unsafe { gemm(set, product) };
            }
        }
    });
}

/// A small plain product `c[rows, columns] (+)= a[rows, depth] b[depth, columns]`.
pub struct SmallProduct<'a> {
    /// Rows of the result.
    pub rows: usize,
    /// Columns of the result, a multiple of [`LANES`].
    pub columns: usize,
    /// Length of every sum.
    pub depth: usize,
    /// Left factor.
    pub a: &'a [f32],
    /// Distances in `a` of neighbours by row and by step.
    pub a_strides: (usize, usize),
    /// Right factor.
    pub b: &'a [f32],
    /// Distance of its rows.
    pub b_stride: usize,
    /// Result.
    pub c: &'a mut [f32],
    /// Distance of its rows, at least `columns`.
    pub c_stride: usize,
    /// Whether to add to the result.
    pub accumulate: bool,
}

/// Computes several products side by side.
pub fn small_products(pool: &ComputePool, products: Vec<SmallProduct<'_>>) {
    let mut tasks = Vec::new();
    let set = pool.instruction_set();
    let products: Vec<_> = products
        .into_iter()
        .filter(|product| product.rows > 0 && product.columns > 0)
        .enumerate()
        .map(|(index, p)| {
            assert!(p.c_stride >= p.columns, "rows of a result do not overlap");
            assert_reach(p.a.len(), (p.rows, p.a_strides.0), (p.depth, p.a_strides.1));
            assert_reach(p.b.len(), (p.depth, p.b_stride), (p.columns, 1));
            assert_reach(p.c.len(), (p.rows, p.c_stride), (p.columns, 1));
            for row in (0..p.rows).step_by(ROW_CHUNK) {
                tasks.extend((0..p.columns).step_by(PANEL).map(|column| (index, row, column)));
            }
            let c = Shared::new(p.c);
            (
                c,
                Part {
                    rows: p.rows,
                    columns: p.columns,
                    depth: p.depth,
                    a: p.a,
                    a_strides: p.a_strides,
                    b: p.b,
                    b_stride: p.b_stride,
                    c_stride: p.c_stride,
                    accumulate: p.accumulate,
                },
            )
        })
        .collect();
    pool.run(tasks.len(), &|task| {
        let (index, row, column) = tasks[task];
        let (c, p) = &products[index];
        let product = Product {
            rows: ROW_CHUNK.min(p.rows - row),
            columns: PANEL.min(p.columns - column),
            depth: p.depth,
            a: p.a[(row * p.a_strides.0).min(p.a.len())..].as_ptr(),
            a_row: p.a_strides.0,
            a_depth: p.a_strides.1,
            b: p.b[column.min(p.b.len())..].as_ptr(),
            b_depth: p.b_stride,
            c: c.pointer(row * p.c_stride + column),
            c_row: p.c_stride,
            accumulate: p.accumulate,
        };
        // SAFETY: inside the three slices, checked above; tasks have distinct tiles of distinct results.
        unsafe { gemm(set, product) };
    });
}

/// A [`SmallProduct`] without its result.
struct Part<'a> {
    rows: usize,
    columns: usize,
    depth: usize,
    a: &'a [f32],
    a_strides: (usize, usize),
    b: &'a [f32],
    b_stride: usize,
    c_stride: usize,
    accumulate: bool,
}

/// Checks that `(count, stride)` in two dimensions stays inside a slice.
fn assert_reach(len: usize, (rows, row_stride): (usize, usize), (steps, step_stride): (usize, usize)) {
    if rows > 0 && steps > 0 {
        let last = (rows - 1) * row_stride + (steps - 1) * step_stride;
        assert!(last < len, "a product stays inside its factors");
    }
}
