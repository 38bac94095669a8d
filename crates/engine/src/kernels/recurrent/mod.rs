//! Layers whose context is a state of fixed size: the gated delta rule, causal convolutions, and the norms and gates around
//! them.
//!
//! Each reads the rows of a sequence in order, with one order of operations for each element, so a row has the same bits for
//! any cut of its sequence into calls, any batch and any number of threads. The parallel work is over heads and columns, never
//! over time. In serving, a [`Run`] carries the state of its sequence. In training, a [`TreeRun`] continues an earlier one, and
//! states are computed again from checkpoints.
//!
//! Everything is in f32, beside weights of any format: a state sums over the whole sequence. Heads are padded to whole vectors
//! with zeros.
//!
//! Rejected: the chunked form of the delta rule, which solves a triangular system for each chunk of rows. Its matrix products
//! are faster, but they round differently for each cut, so a token would have other bits in a prompt than in a step.

mod convolution;
mod convolution_backward;
mod delta_backward;
mod delta_rule;
mod gates;
mod heads;

use super::pool::Shared;

pub use convolution::{Convolution, convolution, convolution_tree};
pub use convolution_backward::{convolution_backward, convolution_weights_backward};
pub use delta_backward::{CHECKPOINT_ROWS, DeltaBackward, delta_rule_backward};
pub use delta_rule::{DeltaInputs, DeltaShape, delta_rule, delta_rule_tree};
pub use gates::{
    GateWeights, delta_gates, delta_gates_backward, delta_gates_weights_backward, multiply_rows, sigmoid_gate,
    sigmoid_gate_backward,
};
pub use heads::{
    GatedNorm, gated_norm, gated_norm_backward, gated_norm_weight_backward, normalise_heads, normalise_heads_backward,
};

/// Columns of a matrix: row `r` is `values[r * stride + first..]`.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    /// The matrix.
    pub values: &'a [f32],
    /// First column.
    pub first: usize,
    /// Distance between rows.
    pub stride: usize,
}

impl<'a> Columns<'a> {
    /// Returns the first `len` columns of a row.
    pub(super) fn row(self, row: usize, len: usize) -> &'a [f32] {
        &self.values[row * self.stride + self.first..][..len]
    }
}

/// Columns of a matrix to write.
pub struct ColumnsMut<'a> {
    /// The matrix.
    pub values: &'a mut [f32],
    /// First column.
    pub first: usize,
    /// Distance between rows.
    pub stride: usize,
}

impl<'a> ColumnsMut<'a> {
    /// Shares the columns among tasks that write different rows.
    ///
    /// # Panics
    /// If `len` columns do not fit between two rows.
    fn share(self, len: usize) -> SharedColumns<'a> {
        assert!(self.first + len <= self.stride, "columns of rows do not overlap");
        SharedColumns { values: Shared::new(self.values), first: self.first, stride: self.stride, len }
    }
}

/// Columns that tasks share.
#[derive(Clone, Copy)]
struct SharedColumns<'a> {
    values: Shared<'a>,
    first: usize,
    stride: usize,
    len: usize,
}

impl<'a> SharedColumns<'a> {
    /// Returns a row.
    ///
    /// # Safety
    /// A row in use must not be requested again.
    unsafe fn row(self, row: usize) -> &'a mut [f32] {
        let start = row * self.stride + self.first;
        // SAFETY: rows do not overlap, and this one is in use once by the caller's promise.
        unsafe { self.values.part(start..start + self.len) }
    }
}

/// Consecutive rows of one sequence in a call, with the sequence's state. A new sequence's state is zero.
pub struct Run<'a> {
    /// First row in the call.
    pub first_row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of rows, the first ones, that change the state. Results of the other rows, such as drafts, follow the state
    /// that these would leave; a later call with the accepted ones among them as its inputs makes the change.
    pub committed: usize,
    /// State before the rows; after the call the state after the committed rows.
    pub state: &'a mut [f32],
}

/// Checks that each run lies inside the rows of a call, behind the run before it, and has a state of `state_len` values.
fn check_runs(runs: &[Run<'_>], rows: usize, state_len: usize) {
    let mut end = 0;
    for run in runs {
        assert!(run.first_row >= end && run.committed <= run.rows, "runs are in the order of rows");
        assert!(run.state.len() == state_len, "each run has a whole state");
        end = run.first_row + run.rows;
    }
    assert!(end <= rows, "runs lie inside the rows");
}

/// Consecutive rows of a tree of sequences, which continue behind the last row of an earlier run or begin a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRun {
    /// First row.
    pub first_row: usize,
    /// Number of rows, at least one.
    pub rows: usize,
    /// Index of the run that this one continues.
    pub parent: Option<usize>,
}

/// Cuts the branches of a forest into runs, behind each row at which another branch begins. A branch is its first row, its
/// number of rows, and the row that it continues, or `None` if it begins a sequence. Branches are in the order of rows
/// and cover all.
pub fn tree_runs(branches: &[(usize, usize, Option<usize>)]) -> Vec<TreeRun> {
    let mut cuts: Vec<usize> = branches.iter().filter_map(|(.., after)| after.map(|row| row + 1)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut runs: Vec<TreeRun> = Vec::new();
    for &(first_row, rows, after) in branches {
        let end = first_row + rows;
        // The run that ends with a row; every row that a branch continues is the last one of a run.
        let mut parent = after.map(|row| runs.partition_point(|run| run.first_row + run.rows <= row));
        let inside = cuts.partition_point(|cut| *cut <= first_row)..cuts.partition_point(|cut| *cut < end);
        let mut start = first_row;
        for end in cuts[inside].iter().copied().chain([end]) {
            runs.push(TreeRun { first_row: start, rows: end - start, parent });
            (start, parent) = (end, Some(runs.len() - 1));
        }
    }
    runs
}

/// Checks that runs are in the order of rows, cover all rows, and continue earlier runs. Returns the number of rows.
fn check_tree(runs: &[TreeRun]) -> usize {
    runs.iter().enumerate().fold(0, |end, (index, run)| {
        assert!(run.first_row == end && run.rows > 0, "runs cover all rows in order");
        assert!(run.parent.is_none_or(|parent| parent < index), "a run continues an earlier one");
        end + run.rows
    })
}

/// Returns the runs that continue each run, in order.
fn children_of(runs: &[TreeRun]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); runs.len()];
    for (index, run) in runs.iter().enumerate() {
        if let Some(parent) = run.parent {
            children[parent].push(index);
        }
    }
    children
}
