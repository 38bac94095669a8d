//! The gated delta rule (Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks"), token by token.
//!
//! A value head has a state `S` of `key_width` by `value_width`. A token with query q, key k, value v, decay g and beta
//! computes, with `e = exp(g)`:
//!
//! ```text
//! m = S^T k          one chain of multiply-adds over the keys, from zero
//! u = v - e m
//! d = beta u
//! S = e S + k d^T    a product, then one multiply-add
//! o = S^T q          one chain of multiply-adds over the keys, from zero
//! ```
//!
//! Vectors are over columns of values, and so no operation of a column depends on another one. While a state is
//! updated, the products with the token's query and with the next token's key follow, so that a prompt reads and writes each
//! state once per token. Columns are in blocks whose state stays in the first-level cache.

use std::ops::Range;

use super::{Run, TreeRun, check_runs, check_tree, children_of};
use crate::kernels::buffer::with_scratch;
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::units::{InstructionSet, LANES, Simd, kernel};

/// Number of columns of values in a block; the last block of a head may have fewer.
pub(super) const BLOCK: usize = 2 * LANES;
/// Largest number of rows of a task in training, which yields between tasks.
const STEP_ROWS: usize = 512;

/// Shape of a layer's heads.
#[derive(Clone, Copy, Debug)]
pub struct DeltaShape {
    /// Number of heads of queries and keys. Each serves several consecutive heads of values.
    pub key_heads: usize,
    /// Number of heads of values, a multiple of the number of key heads.
    pub value_heads: usize,
    /// Width of a query or key.
    pub key_width: usize,
    /// Width of a value.
    pub value_width: usize,
}

impl DeltaShape {
    /// Returns the distance between queries or keys in a row.
    pub fn key_stride(self) -> usize {
        self.key_width.next_multiple_of(LANES)
    }

    /// Returns the distance between values in a row.
    pub fn value_stride(self) -> usize {
        self.value_width.next_multiple_of(LANES)
    }

    /// Returns the number of heads of values, rounded up to whole vectors.
    pub fn gate_stride(self) -> usize {
        self.value_heads.next_multiple_of(LANES)
    }

    /// Returns the number of columns of queries, keys and values.
    pub fn qkv_len(self) -> usize {
        2 * self.keys_len() + self.value_len()
    }

    /// Returns the number of columns of values, and of the output.
    pub fn value_len(self) -> usize {
        self.value_heads * self.value_stride()
    }

    /// Returns the number of f32 of a sequence's state.
    pub fn state_len(self) -> usize {
        self.value_heads * self.head_len()
    }

    /// Returns the number of f32 of a state for each run, and one for every `interval` rows behind its first ones, and of a
    /// working state.
    pub fn checkpoints_len(self, runs: &[TreeRun], interval: usize) -> usize {
        (1 + runs.iter().map(|run| run.rows.div_ceil(interval)).sum::<usize>()) * self.state_len()
    }

    /// Returns the number of columns of keys.
    pub(super) fn keys_len(self) -> usize {
        self.key_heads * self.key_stride()
    }

    /// Returns the number of value heads that share a key head.
    pub(super) fn group(self) -> usize {
        self.value_heads / self.key_heads
    }

    /// Returns the number of f32 of a head's state.
    fn head_len(self) -> usize {
        self.key_width * self.value_stride()
    }

    /// Returns the number of blocks of a head.
    pub(super) fn blocks(self) -> usize {
        self.value_stride().div_ceil(BLOCK)
    }

    /// Returns the part of a task: a block of a head.
    pub(super) fn part(self, task: usize) -> HeadBlock {
        let (head, block) = (task / self.blocks(), task % self.blocks());
        let columns = block * BLOCK..self.value_stride().min((block + 1) * BLOCK);
        HeadBlock { shape: self, head, columns: [columns.start, columns.len()] }
    }

    /// Returns the number of parts.
    pub(super) fn parts(self) -> usize {
        self.value_heads * self.blocks()
    }
}

/// A block of columns of a head.
#[derive(Clone, Copy)]
pub(super) struct HeadBlock {
    shape: DeltaShape,
    head: usize,
    /// First column in the head, and the number of columns.
    columns: [usize; 2],
}

impl HeadBlock {
    /// Returns the number of columns.
    pub(super) fn width(self) -> usize {
        self.columns[1]
    }

    /// Returns the range of the block in a state: a row of columns for each key.
    pub(super) fn state(self) -> Range<usize> {
        let start = self.head * self.shape.head_len() + self.columns[0] * self.shape.key_width;
        start..start + self.columns[1] * self.shape.key_width
    }

    /// Returns the query of a row, followed by padding.
    pub(super) fn query(self, inputs: DeltaInputs<'_>, row: usize) -> &[f32] {
        let head = self.head / self.shape.group() * self.shape.key_stride();
        &inputs.qkv[row * self.shape.qkv_len() + head..][..self.shape.key_width]
    }

    /// Returns the key of a row.
    pub(super) fn key(self, inputs: DeltaInputs<'_>, row: usize) -> &[f32] {
        let head = self.shape.keys_len() + self.head / self.shape.group() * self.shape.key_stride();
        &inputs.qkv[row * self.shape.qkv_len() + head..][..self.shape.key_width]
    }

    /// Returns the range of the block's columns among the values of a row of queries, keys and values.
    pub(super) fn value(self, row: usize) -> Range<usize> {
        let start = row * self.shape.qkv_len() + 2 * self.shape.keys_len() + self.column();
        start..start + self.columns[1]
    }

    /// Returns the range of the block's columns in a row of outputs.
    pub(super) fn output(self, row: usize) -> Range<usize> {
        let start = row * self.shape.value_len() + self.column();
        start..start + self.columns[1]
    }

    /// Returns the logarithm of the decay, and beta of a row.
    pub(super) fn gates(self, inputs: DeltaInputs<'_>, row: usize) -> [f32; 2] {
        let stride = self.shape.gate_stride();
        [0, stride].map(|first| inputs.gates[row * 2 * stride + first + self.head])
    }

    fn column(self) -> usize {
        self.head * self.shape.value_stride() + self.columns[0]
    }
}

/// Inputs of the delta rule.
#[derive(Clone, Copy)]
pub struct DeltaInputs<'a> {
    /// Queries, keys and values, `[rows, qkv_len]`: [`normalise_heads`](super::normalise_heads) has been applied.
    pub qkv: &'a [f32],
    /// Logarithms of decays, then betas, `[rows, 2, gate_stride]`.
    pub gates: &'a [f32],
}

impl DeltaInputs<'_> {
    /// Checks the shape, and that the buffers hold a number of rows.
    pub(super) fn check(self, shape: DeltaShape, rows: usize) {
        assert!(shape.value_heads == shape.group() * shape.key_heads, "key heads have whole groups");
        assert!(shape.key_width > 0 && shape.value_width > 0, "heads have columns");
        assert!(self.qkv.len() >= rows * shape.qkv_len(), "rows have queries, keys and values");
        assert!(self.gates.len() >= rows * 2 * shape.gate_stride(), "rows have gates");
    }
}

/// A vector of columns for each vector of a block.
pub(super) type Block<S, const N: usize> = [<S as Simd>::V; N];

/// Reads the vectors of a block's row.
#[inline(always)]
pub(super) fn load_block<S: Simd, const N: usize>(simd: S, columns: &[f32]) -> Block<S, N> {
    let mut block = [simd.zero(); N];
    for (v, columns) in block.iter_mut().zip(columns.as_chunks::<LANES>().0) {
        *v = simd.load(columns);
    }
    block
}

/// Writes the vectors of a block's row.
#[inline(always)]
pub(super) fn store_block<S: Simd, const N: usize>(simd: S, block: Block<S, N>, columns: &mut [f32]) {
    for (v, columns) in block.into_iter().zip(columns.as_chunks_mut::<LANES>().0) {
        simd.store(v, columns);
    }
}

/// Returns the vectors of each key of a block's state.
#[inline(always)]
pub(super) fn keys_of<const N: usize>(state: &[f32]) -> &[[[f32; LANES]; N]] {
    state.as_chunks::<LANES>().0.as_chunks::<N>().0
}

/// Returns the vectors of each key of a block's state, to write.
#[inline(always)]
pub(super) fn keys_of_mut<const N: usize>(state: &mut [f32]) -> &mut [[[f32; LANES]; N]] {
    state.as_chunks_mut::<LANES>().0.as_chunks_mut::<N>().0
}

/// Computes `m = S^T k`.
#[inline(always)]
pub(super) fn read_state<S: Simd, const N: usize>(simd: S, state: &[[[f32; LANES]; N]], key: &[f32]) -> Block<S, N> {
    let mut m = [simd.zero(); N];
    for (state, k) in state.iter().zip(key) {
        let k = simd.splat(*k);
        for v in 0..N {
            m[v] = simd.mul_add(k, simd.load(&state[v]), m[v]);
        }
    }
    m
}

/// Computes `u = v - e m` in place of m.
#[inline(always)]
pub(super) fn correction<S: Simd, const N: usize>(simd: S, e: S::V, m: Block<S, N>, value: &[f32]) -> Block<S, N> {
    let mut u = load_block::<S, N>(simd, value);
    for v in 0..N {
        u[v] = simd.neg_mul_add(e, m[v], u[v]);
    }
    u
}

/// Multiplies a block by a number.
#[inline(always)]
pub(super) fn scaled<S: Simd, const N: usize>(simd: S, x: Block<S, N>, factor: f32) -> Block<S, N> {
    let (mut y, factor) = (x, simd.splat(factor));
    for y in &mut y {
        *y = simd.mul(factor, *y);
    }
    y
}

/// # Safety
/// The block's columns of the rows' outputs must not be in use.
#[inline(always)]
unsafe fn advance_block<S: Simd, const N: usize>(
    simd: S,
    part: HeadBlock,
    inputs: DeltaInputs<'_>,
    rows: Range<usize>,
    state: &mut [f32],
    out: Shared<'_>,
) {
    let state = keys_of_mut::<N>(state);
    let mut m = read_state(simd, state, part.key(inputs, rows.start));
    for row in rows.clone() {
        let [g, beta] = part.gates(inputs, row);
        let e = simd.exp(simd.splat(g));
        let d = scaled(simd, correction(simd, e, m, &inputs.qkv[part.value(row)]), beta);
        // The last row has no next key; the product with its own is not used.
        let next = part.key(inputs, (row + 1).min(rows.end - 1));
        let factors = part.key(inputs, row).iter().zip(part.query(inputs, row)).zip(next);
        let mut o = [simd.zero(); N];
        m = o;
        for (state, ((k, q), next)) in state.iter_mut().zip(factors) {
            let (k, q, next) = (simd.splat(*k), simd.splat(*q), simd.splat(*next));
            for v in 0..N {
                let s = simd.mul_add(k, d[v], simd.mul(e, simd.load(&state[v])));
                simd.store(s, &mut state[v]);
                o[v] = simd.mul_add(q, s, o[v]);
                m[v] = simd.mul_add(next, s, m[v]);
            }
        }
        // SAFETY: the caller's promise.
        store_block(simd, o, unsafe { out.part(part.output(row)) });
    }
}

/// # Safety
/// See [`advance_block`].
#[inline(always)]
unsafe fn advance_generic<S: Simd>(
    simd: S,
    part: HeadBlock,
    inputs: DeltaInputs<'_>,
    rows: Range<usize>,
    state: &mut [f32],
    out: Shared<'_>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        match part.width() {
            BLOCK => advance_block::<S, 2>(simd, part, inputs, rows, state, out),
            _ => advance_block::<S, 1>(simd, part, inputs, rows, state, out),
        }
    }
}

kernel! {
    /// Advances a block's state over rows, at least one, and writes their outputs.
    ///
    /// # Safety
    /// The block's columns of the rows' outputs must not be in use.
    unsafe fn advance(
        part: HeadBlock, inputs: DeltaInputs<'_>, rows: Range<usize>, state: &mut [f32], out: Shared<'_>,
    ) = advance_generic;
}

/// Advances a block over rows, of which the first `committed` change its state.
///
/// # Safety
/// See [`advance`].
unsafe fn advance_run(
    set: InstructionSet,
    part: HeadBlock,
    inputs: DeltaInputs<'_>,
    rows: Range<usize>,
    committed: usize,
    state: &mut [f32],
    out: Shared<'_>,
) {
    let drafts = rows.start + committed..rows.end;
    if committed > 0 {
        // SAFETY: the caller's promise.
        unsafe { advance(set, part, inputs, rows.start..drafts.start, state, out) };
    }
    if !drafts.is_empty() {
        with_scratch(state.len(), |copy| {
            copy.copy_from_slice(state);
            // SAFETY: the caller's promise.
            unsafe { advance(set, part, inputs, drafts, copy, out) };
        });
    }
}

/// Computes the outputs of runs, `[rows, value_len]`, and advances their states. Runs must be in the order of rows.
pub fn delta_rule(
    pool: &ComputePool,
    shape: DeltaShape,
    inputs: DeltaInputs<'_>,
    runs: &mut [Run<'_>],
    out: &mut [f32],
) {
    let rows = out.len() / shape.value_len();
    check_runs(runs, rows, shape.state_len());
    inputs.check(shape, runs.last().map_or(0, |run| run.first_row + run.rows));
    let (set, out) = (pool.instruction_set(), Shared::new(out));
    let runs: Vec<_> = runs
        .iter_mut()
        .map(|run| (run.first_row..run.first_row + run.rows, run.committed, Shared::new(run.state)))
        .collect();
    pool.run(runs.len() * shape.parts(), &|task| {
        let ((rows, committed, state), part) = (&runs[task / shape.parts()], shape.part(task % shape.parts()));
        // SAFETY: runs have states and rows of their own, and the parts of a run columns of their own.
        unsafe { advance_run(set, part, inputs, rows.clone(), *committed, state.part(part.state()), out) };
    });
}

/// Computes the outputs of the rows of a tree, `[rows, value_len]`, and the states at the start of each run and behind every
/// `interval` of its rows, in [`DeltaShape::checkpoints_len`] values. Outputs have the bits of [`delta_rule`].
pub fn delta_rule_tree(
    pool: &ComputePool,
    shape: DeltaShape,
    inputs: DeltaInputs<'_>,
    runs: &[TreeRun],
    interval: usize,
    checkpoints: &mut [f32],
    out: &mut [f32],
) {
    let rows = check_tree(runs);
    inputs.check(shape, rows);
    assert!(out.len() >= rows * shape.value_len(), "rows have outputs");
    let (set, len) = (pool.instruction_set(), shape.state_len());
    let (first, children) = (first_states(runs, interval), children_of(runs));
    let (working, states) = checkpoints[..shape.checkpoints_len(runs, interval)].split_at_mut(len);
    let (working, states, out) = (Shared::new(working), Shared::new(states), Shared::new(out));
    for (index, run) in runs.iter().enumerate() {
        let (mut row, end) = (0, run.rows);
        while row < end {
            let next = end.min(row + STEP_ROWS).min((row / interval + 1).saturating_mul(interval));
            pool.run(shape.parts(), &|task| {
                let part = shape.part(task);
                let range = part.state();
                let at = |state: usize| state * len + range.start..state * len + range.end;
                // SAFETY: parts have ranges of their own in each state, and columns of their own in the outputs.
                unsafe {
                    let state = working.part(range.clone());
                    if row == 0 {
                        let start = states.part(at(first[index]));
                        if run.parent.is_none() {
                            start.fill(0.0);
                        }
                        state.copy_from_slice(start);
                    } else if row.is_multiple_of(interval) {
                        states.part(at(first[index] + row / interval)).copy_from_slice(state);
                    }
                    advance(set, part, inputs, run.first_row + row..run.first_row + next, state, out);
                    if next == end {
                        children[index].iter().for_each(|child| states.part(at(first[*child])).copy_from_slice(state));
                    }
                }
            });
            row = next;
        }
    }
}

/// Returns the index of the first state of each run behind the working state.
pub(super) fn first_states(runs: &[TreeRun], interval: usize) -> Vec<usize> {
    let mut end = 0;
    let next = |run: &TreeRun| {
        let first = end;
        end += run.rows.div_ceil(interval);
        first
    };
    runs.iter().map(next).collect()
}
