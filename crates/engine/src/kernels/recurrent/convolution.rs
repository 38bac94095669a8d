//! Depthwise causal convolution over the rows of a sequence.
//!
//! Column c of row t is `f(bias[c] + sum over i of weight[i][c] x[t - taps + 1 + i][c])`: one chain of multiply-adds from the
//! bias or zero, the oldest row first; f is SiLU or nothing. Rows before a sequence are zero and take part in the chain.

use std::ops::Range;

use super::{Columns, Run, TreeRun, check_runs, check_tree};
use crate::kernels::pool::{ComputePool, ROW_BLOCK, Shared};
use crate::kernels::rows::sigmoid;
use crate::kernels::units::{LANES, Simd, kernel};

/// Largest number of taps.
pub(super) const MAX_TAPS: usize = 8;
/// Number of columns of a task, so that a single row has several tasks.
const COLUMN_BLOCK: usize = 64 * LANES;

/// A depthwise convolution.
#[derive(Clone, Copy)]
pub struct Convolution<'a> {
    /// Number of columns, whole vectors.
    pub channels: usize,
    /// Number of rows that a row depends on, its own included.
    pub taps: usize,
    /// Whether SiLU follows.
    pub silu: bool,
    /// Weights, `[taps][channels]`; those of the oldest row come first.
    pub weights: &'a [f32],
    /// Biases of the columns.
    pub bias: Option<&'a [f32]>,
}

impl Convolution<'_> {
    /// Returns the number of f32 of a sequence's state: its last rows, the oldest one first.
    pub fn state_len(self) -> usize {
        (self.taps - 1) * self.channels
    }

    /// Checks the shapes.
    pub(super) fn check(self) {
        let Self { channels, taps, weights, bias, .. } = self;
        assert!(channels.is_multiple_of(LANES) && (2..=MAX_TAPS).contains(&taps), "the convolution has whole vectors");
        assert!(
            weights.len() == taps * channels && bias.is_none_or(|bias| bias.len() == channels),
            "columns have weights"
        );
    }
}

/// The rows that a row depends on, the oldest first; those behind the number of taps are empty.
pub(super) type Taps<'a> = [&'a [f32]; MAX_TAPS];

/// Returns a vector of the sum, before the activation.
#[inline(always)]
pub(super) fn sum_of_taps<S: Simd>(
    simd: S,
    conv: Convolution<'_>,
    taps: &Taps<'_>,
    [column, first]: [usize; 2],
) -> S::V {
    let mut sum = match conv.bias {
        Some(bias) => vector(simd, bias, column),
        None => simd.zero(),
    };
    for (tap, x) in taps[..conv.taps].iter().enumerate() {
        let weight = vector(simd, conv.weights, tap * conv.channels + column);
        sum = simd.mul_add(weight, vector(simd, x, column - first), sum);
    }
    sum
}

/// Reads a vector.
#[inline(always)]
pub(super) fn vector<S: Simd>(simd: S, x: &[f32], at: usize) -> S::V {
    simd.load(x[at..].first_chunk().expect("columns are whole vectors"))
}

#[inline(always)]
fn convolve_generic<S: Simd>(simd: S, conv: Convolution<'_>, first: usize, taps: Taps<'_>, y: &mut [f32]) {
    for (i, y) in y.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sum = sum_of_taps(simd, conv, &taps, [first + i * LANES, first]);
        if conv.silu {
            sum = simd.mul(sum, sigmoid(simd, sum));
        }
        simd.store(sum, y);
    }
}

kernel! {
    /// Computes columns of a row, from `first` on; the taps have these columns only.
    fn convolve(conv: Convolution<'_>, first: usize, taps: Taps<'_>, y: &mut [f32]) = convolve_generic;
}

/// Rows that the rows of runs depend on.
pub(super) struct Context<'a> {
    pub(super) conv: Convolution<'a>,
    pub(super) x: Columns<'a>,
    /// First row and number of rows of each run.
    pub(super) runs: Vec<[usize; 2]>,
    /// The `taps - 1` rows before each run, the oldest first.
    pub(super) before: Vec<Taps<'a>>,
}

impl<'a> Context<'a> {
    /// Returns the context of a tree's runs. `zeros` is a row before every sequence.
    pub(super) fn of_tree(conv: Convolution<'a>, x: Columns<'a>, runs: &[TreeRun], zeros: &'a [f32]) -> Self {
        check_tree(runs);
        conv.check();
        let mut before: Vec<Taps<'a>> = Vec::with_capacity(runs.len());
        for run in runs {
            let mut rows: Taps<'a> = [&[]; MAX_TAPS];
            let (mut parent, mut back) = (run.parent, 1);
            for tap in (0..conv.taps - 1).rev() {
                // The row is behind the ancestors that are too short.
                while let Some(ancestor) = parent.map(|parent| runs[parent]).filter(|ancestor| ancestor.rows < back) {
                    back -= ancestor.rows;
                    parent = ancestor.parent;
                }
                let row = parent.map(|parent| runs[parent].first_row + runs[parent].rows - back);
                rows[tap] = row.map_or(zeros, |row| x.row(row, conv.channels));
                back += 1;
            }
            before.push(rows);
        }
        Self { conv, x, runs: runs.iter().map(|run| [run.first_row, run.rows]).collect(), before }
    }

    /// Returns blocks of rows of each run: the index of the run, and the rows.
    pub(super) fn blocks(&self) -> Vec<(usize, Range<usize>)> {
        let blocks = |(index, [first, rows]): (usize, &[usize; 2])| {
            let end = first + rows;
            (*first..end).step_by(ROW_BLOCK).map(move |row| (index, row..end.min(row + ROW_BLOCK)))
        };
        self.runs.iter().enumerate().flat_map(blocks).collect()
    }

    /// Returns some columns of the rows that a run's row depends on.
    pub(super) fn taps(&self, run: usize, row: usize, columns: &Range<usize>) -> Taps<'a> {
        let (before, first) = (self.conv.taps - 1, self.runs[run][0]);
        let mut taps: Taps<'_> = [&[]; MAX_TAPS];
        for (tap, of_row) in taps[..=before].iter_mut().enumerate() {
            // Index among the rows before the run, followed by its own.
            let at = row - first + tap;
            let whole = match at.checked_sub(before) {
                Some(at) => self.x.row(first + at, self.conv.channels),
                None => self.before[run][at],
            };
            *of_row = &whole[columns.clone()];
        }
        taps
    }

    /// Calls `f(taps, first column, part of the row)` for each row, on all threads, in parts of its columns.
    pub(super) fn for_rows(&self, pool: &ComputePool, y: &mut [f32], f: &RowTask<'_>) {
        let channels = self.conv.channels;
        let (tasks, blocks) = (self.blocks(), channels.div_ceil(COLUMN_BLOCK));
        let y = Shared::new(y);
        pool.run(tasks.len() * blocks, &|task| {
            let ((run, rows), block) = (&tasks[task / blocks], task % blocks);
            let columns = block * COLUMN_BLOCK..channels.min((block + 1) * COLUMN_BLOCK);
            for row in rows.clone() {
                let at = row * channels;
                // SAFETY: tasks have different rows or columns.
                let part = unsafe { y.part(at + columns.start..at + columns.end) };
                f(self.taps(*run, row, &columns), columns.start, part);
            }
        });
    }
}

/// Work on some columns of a row.
type RowTask<'a> = dyn Fn(Taps<'_>, usize, &mut [f32]) + Sync + 'a;

/// Returns the rows of a state.
fn rows_of(state: &[f32], channels: usize) -> Taps<'_> {
    let mut rows: Taps<'_> = [&[]; MAX_TAPS];
    rows.iter_mut().zip(state.chunks_exact(channels)).for_each(|(row, state)| *row = state);
    rows
}

/// Computes the rows of runs, `[rows, channels]`, and moves their states on. Runs must be in the order of rows.
pub fn convolution(pool: &ComputePool, conv: Convolution<'_>, x: Columns<'_>, runs: &mut [Run<'_>], y: &mut [f32]) {
    conv.check();
    let Convolution { channels, taps, .. } = conv;
    check_runs(runs, y.len() / channels, conv.state_len());
    let spans = runs.iter().map(|run| [run.first_row, run.rows]).collect();
    let context =
        Context { conv, x, runs: spans, before: runs.iter().map(|run| rows_of(run.state, channels)).collect() };
    let set = pool.instruction_set();
    context.for_rows(pool, y, &|taps, first, y| convolve(set, conv, first, taps, y));
    for run in runs {
        let kept = (taps - 1).saturating_sub(run.committed);
        run.state.copy_within((taps - 1 - kept) * channels.., 0);
        for (row, state) in run.state.chunks_exact_mut(channels).enumerate().skip(kept) {
            state.copy_from_slice(x.row(run.first_row + run.committed + row + 1 - taps, channels));
        }
    }
}

/// Computes the rows of a tree, `[rows, channels]`, with the bits of [`convolution`].
pub fn convolution_tree(pool: &ComputePool, conv: Convolution<'_>, x: Columns<'_>, runs: &[TreeRun], y: &mut [f32]) {
    let (set, zeros) = (pool.instruction_set(), vec![0.0; conv.channels]);
    let context = Context::of_tree(conv, x, runs, &zeros);
    context.for_rows(pool, y, &|taps, first, y| convolve(set, conv, first, taps, y));
}
