//! Gradients of the causal convolution over a tree of sequences.

use super::convolution::{Context, Convolution, MAX_TAPS, Taps, sum_of_taps, vector};
use super::{Columns, ColumnsMut, TreeRun, children_of};
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::rows::{sigmoid, silu_slope};
use crate::kernels::units::{LANES, Simd, kernel};

/// Number of columns whose weights' gradients one task sums, over all rows.
const COLUMN_BLOCK: usize = 4 * LANES;

#[inline(always)]
fn silu_backward_generic<S: Simd>(simd: S, conv: Convolution<'_>, first: usize, taps: Taps<'_>, d_y: &mut [f32]) {
    for (i, d_y) in d_y.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let sum = sum_of_taps(simd, conv, &taps, [first + i * LANES, first]);
        let slope = silu_slope(simd, sum, sigmoid(simd, sum));
        simd.store(simd.mul(simd.load(d_y), slope), d_y);
    }
}

kernel! {
    /// Replaces the gradient of a row's columns by that of their sums.
    fn silu_backward(conv: Convolution<'_>, first: usize, taps: Taps<'_>, d_y: &mut [f32]) = silu_backward_generic;
}

#[inline(always)]
fn gather_generic<S: Simd>(simd: S, conv: Convolution<'_>, terms: &[(usize, &[f32])], d_x: &mut [f32]) {
    for (i, d_x) in d_x.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let (mut sum, column) = (simd.zero(), i * LANES);
        for (tap, d_y) in terms {
            let weight = vector(simd, conv.weights, tap * conv.channels + column);
            sum = simd.mul_add(weight, vector(simd, d_y, column), sum);
        }
        simd.store(sum, d_x);
    }
}

kernel! {
    /// Computes the gradient of a row: the sum of taps' weights times gradients of sums.
    fn gather(conv: Convolution<'_>, terms: &[(usize, &[f32])], d_x: &mut [f32]) = gather_generic;
}

/// Rows of a tree that follow others.
struct Successors<'a> {
    runs: &'a [TreeRun],
    children: Vec<Vec<usize>>,
    taps: usize,
}

impl Successors<'_> {
    /// Appends the rows behind a run that read it: those at a distance of less than `taps`, of which `distance` is that of the
    /// first one behind the run.
    fn behind(&self, run: usize, distance: usize, rows: &mut Vec<(usize, usize)>) {
        for child in &self.children[run] {
            let TreeRun { first_row, rows: count, .. } = self.runs[*child];
            rows.extend((0..count).zip(distance..self.taps).map(|(row, distance)| (first_row + row, distance)));
            if distance + count < self.taps {
                self.behind(*child, distance + count, rows);
            }
        }
    }

    /// Returns the rows that read a row of a run, its own included, and their distances, in the order of rows.
    fn of(&self, run: usize, row: usize) -> Vec<(usize, usize)> {
        let end = self.runs[run].first_row + self.runs[run].rows;
        let mut rows: Vec<_> = (row..end).zip(0..self.taps).collect();
        self.behind(run, end - row, &mut rows);
        rows.sort_unstable();
        rows
    }
}

/// Computes the gradient of x from that of the convolution's output, which is replaced by the gradient of the sums before
/// the activation. Each value sums its rows in order.
pub fn convolution_backward(
    pool: &ComputePool,
    conv: Convolution<'_>,
    x: Columns<'_>,
    runs: &[TreeRun],
    d_y: &mut [f32],
    d_x: ColumnsMut<'_>,
) {
    let (set, channels, zeros) = (pool.instruction_set(), conv.channels, vec![0.0; conv.channels]);
    let context = Context::of_tree(conv, x, runs, &zeros);
    if conv.silu {
        context.for_rows(pool, d_y, &|taps, first, d_y| silu_backward(set, conv, first, taps, d_y));
    }
    let (d_y, d_x) = (Columns { values: d_y, first: 0, stride: channels }, d_x.share(channels));
    let (tasks, successors) = (context.blocks(), Successors { runs, children: children_of(runs), taps: conv.taps });
    pool.run(tasks.len(), &|task| {
        let (run, rows) = &tasks[task];
        for row in rows.clone() {
            let rows = successors.of(*run, row).into_iter();
            let terms: Vec<_> =
                rows.map(|(row, distance)| (conv.taps - 1 - distance, d_y.row(row, channels))).collect();
            // SAFETY: tasks have different rows.
            gather(set, conv, &terms, unsafe { d_x.row(row) });
        }
    });
}

#[inline(always)]
fn add_row_generic<S: Simd>(simd: S, taps: &[&[f32]], d_y: &[f32], sums: &mut [f32]) {
    for (sums, x) in sums.chunks_exact_mut(d_y.len()).zip(taps) {
        let columns = sums.as_chunks_mut::<LANES>().0.iter_mut();
        for ((sum, x), d_y) in columns.zip(x.as_chunks::<LANES>().0).zip(d_y.as_chunks::<LANES>().0) {
            simd.store(simd.mul_add(simd.load(x), simd.load(d_y), simd.load(sum)), sum);
        }
    }
}

kernel! {
    /// Adds the products of a row's gradient and each of its taps to the taps' sums.
    fn add_row(taps: &[&[f32]], d_y: &[f32], sums: &mut [f32]) = add_row_generic;
}

/// Adds the gradients of weights, `[taps][channels]`, and biases to their sums. `d_y` is the gradient of the sums before the activation,
/// as [`convolution_backward`] leaves it. Each gradient sums the rows in order.
pub fn convolution_weights_backward(
    pool: &ComputePool,
    conv: Convolution<'_>,
    x: Columns<'_>,
    runs: &[TreeRun],
    d_y: &[f32],
    d_weights: &mut [f32],
    d_bias: Option<&mut [f32]>,
) {
    let (set, channels, zeros) = (pool.instruction_set(), conv.channels, vec![0.0; conv.channels]);
    assert!(d_weights.len() == conv.taps * channels, "weights have gradients");
    assert!(d_bias.as_ref().is_none_or(|bias| bias.len() == channels), "biases have gradients");
    let context = Context::of_tree(conv, x, runs, &zeros);
    let rows = |run: usize| context.runs[run][0]..context.runs[run][0] + context.runs[run][1];
    let d_weights = Shared::new(d_weights);
    let d_bias = d_bias.map(Shared::new);
    pool.run(channels.div_ceil(COLUMN_BLOCK), &|block| {
        let columns = block * COLUMN_BLOCK..channels.min((block + 1) * COLUMN_BLOCK);
        let (width, ones) = (columns.len(), [1.0; COLUMN_BLOCK]);
        let mut sums = [0.0; (MAX_TAPS + 1) * COLUMN_BLOCK];
        for run in 0..context.runs.len() {
            for row in rows(run) {
                let mut taps = [&ones[..width]; MAX_TAPS + 1];
                taps[1..].copy_from_slice(&context.taps(run, row, &columns));
                let d_y = &d_y[row * channels..][columns.clone()];
                add_row(set, &taps[..=conv.taps], d_y, &mut sums);
            }
        }
        let mut sums = sums.chunks_exact(width);
        let biases = sums.next().zip(d_bias.map(|bias| (bias, columns.start)));
        let weights = sums.take(conv.taps).enumerate().map(|(tap, s)| (s, (d_weights, tap * channels + columns.start)));
        for (sums, (gradient, at)) in biases.into_iter().chain(weights) {
            // SAFETY: tasks have different columns.
            let gradient = unsafe { gradient.part(at..at + width) };
            gradient.iter_mut().zip(sums).for_each(|(gradient, sum)| *gradient += sum);
        }
    });
}
