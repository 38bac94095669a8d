//! Gates: those of the delta rule, a sigmoid on the output of an attention, and plain products.

use super::{Columns, ColumnsMut};
use crate::kernels::pool::{ComputePool, ROW_BLOCK, for_row_blocks, sum_row_blocks};
use crate::kernels::rows::sigmoid;
use crate::kernels::units::{InstructionSet, LANES, Simd, kernel};

/// Weights of the delta rule's decay, for each head of values, padded to whole vectors.
#[derive(Clone, Copy)]
pub struct GateWeights<'a> {
    /// Logarithm of the decay's factor.
    pub a_log: &'a [f32],
    /// Bias of the argument of the softplus.
    pub dt_bias: &'a [f32],
}

impl GateWeights<'_> {
    /// Returns the number of heads, padding included.
    fn padded_len(self) -> usize {
        assert!(self.a_log.len() == self.dt_bias.len() && self.a_log.len().is_multiple_of(LANES), "heads have weights");
        self.a_log.len()
    }
}

/// Computes `ln(1 + e^x)` as `max(x, 0) + ln(1 + t)` with `t = e^-|x|`, and `ln(1 + t) = 2 artanh(t / (2 + t))`. The argument of the
/// artanh is at most 1/3, so that its power series up to the 17th power has a relative error below 2^-29.
#[inline(always)]
fn softplus<S: Simd>(simd: S, x: S::V) -> S::V {
    let zero = simd.zero();
    let t = simd.exp(simd.min(x, simd.sub(zero, x)));
    let s = simd.div(t, simd.add(simd.splat(2.0), t));
    let square = simd.mul(s, s);
    let mut p = simd.splat(1.0 / 17.0);
    for c in [1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0] {
        p = simd.mul_add(p, square, simd.splat(c));
    }
    let s = simd.add(s, s);
    simd.add(simd.max(zero, x), simd.mul(s, p))
}

/// Returns `-exp(a_log)`, and the argument of the softplus.
#[inline(always)]
fn decay_parts<S: Simd>(simd: S, weights: [&[f32; LANES]; 2], a: &[f32; LANES]) -> [S::V; 2] {
    let [a_log, dt_bias] = weights;
    let factor = simd.sub(simd.zero(), simd.exp(simd.load(a_log)));
    [factor, simd.add(simd.load(a), simd.load(dt_bias))]
}

#[inline(always)]
fn gates_generic<S: Simd>(simd: S, weights: GateWeights<'_>, [a, b]: [&[f32]; 2], gates: &mut [f32]) {
    let (g, beta) = gates.split_at_mut(a.len());
    let weights = weights.a_log.as_chunks().0.iter().zip(weights.dt_bias.as_chunks().0);
    for (((a_log, dt_bias), a), g) in weights.zip(a.as_chunks().0).zip(g.as_chunks_mut().0) {
        let [factor, x] = decay_parts(simd, [a_log, dt_bias], a);
        simd.store(simd.mul(factor, softplus(simd, x)), g);
    }
    for (b, beta) in b.as_chunks().0.iter().zip(beta.as_chunks_mut().0) {
        simd.store(sigmoid(simd, simd.load(b)), beta);
    }
}

kernel! {
    fn gates_row(weights: GateWeights<'_>, ab: [&[f32]; 2], gates: &mut [f32]) = gates_generic;
}

#[inline(always)]
fn gates_backward_generic<S: Simd>(simd: S, weights: GateWeights<'_>, [a, b]: [&[f32]; 2], d_gates: &mut [f32]) {
    let one = simd.splat(1.0);
    let (d_g, d_beta) = d_gates.split_at_mut(a.len());
    let weights = weights.a_log.as_chunks().0.iter().zip(weights.dt_bias.as_chunks().0);
    for (((a_log, dt_bias), a), d_g) in weights.zip(a.as_chunks().0).zip(d_g.as_chunks_mut().0) {
        let [factor, x] = decay_parts(simd, [a_log, dt_bias], a);
        // The derivative of softplus is the sigmoid.
        simd.store(simd.mul(simd.load(d_g), simd.mul(factor, sigmoid(simd, x))), d_g);
    }
    for (b, d_beta) in b.as_chunks().0.iter().zip(d_beta.as_chunks_mut().0) {
        let s = sigmoid(simd, simd.load(b));
        simd.store(simd.mul(simd.load(d_beta), simd.mul(s, simd.sub(one, s))), d_beta);
    }
}

kernel! {
    fn gates_row_backward(weights: GateWeights<'_>, ab: [&[f32]; 2], d_gates: &mut [f32]) = gates_backward_generic;
}

#[inline(always)]
fn a_log_generic<S: Simd>(simd: S, weights: GateWeights<'_>, [a, d_g]: [&[f32]; 2], sum: &mut [f32]) {
    let (d_a_log, d_dt_bias) = sum.split_at_mut(a.len());
    let weights = weights.a_log.as_chunks().0.iter().zip(weights.dt_bias.as_chunks().0);
    let sums = d_a_log.as_chunks_mut().0.iter_mut().zip(d_dt_bias.as_chunks_mut().0);
    for (((weights, a), d_g), (d_a_log, d_dt_bias)) in
        weights.zip(a.as_chunks().0).zip(d_g.as_chunks::<LANES>().0).zip(sums)
    {
        let [factor, x] = decay_parts(simd, [weights.0, weights.1], a);
        let d = simd.mul(simd.load(d_g), factor);
        simd.store(simd.mul_add(d, softplus(simd, x), simd.load(d_a_log)), d_a_log);
        simd.store(simd.mul_add(d, sigmoid(simd, x), simd.load(d_dt_bias)), d_dt_bias);
    }
}

kernel! {
    /// Adds the gradients of `a_log` and of `dt_bias` by a row, from those of the logarithms of decays.
    fn add_weights_row(weights: GateWeights<'_>, row: [&[f32]; 2], sum: &mut [f32]) = a_log_generic;
}

/// A kernel of a row's gates.
type GatesRow = fn(InstructionSet, GateWeights<'_>, [&[f32]; 2], &mut [f32]);

/// Calls `f(set, weights, [a, b], gates)` for each row of gates, `[rows, 2, gate_stride]`, on all threads.
fn for_gates(
    pool: &ComputePool,
    weights: GateWeights<'_>,
    rows: usize,
    [a, b]: [Columns<'_>; 2],
    gates: &mut [f32],
    f: GatesRow,
) {
    let (set, len) = (pool.instruction_set(), weights.padded_len());
    for_row_blocks(pool, rows, ROW_BLOCK, [(gates, 2 * len)], &|block, [gates]| {
        for (row, gates) in block.zip(gates.chunks_exact_mut(2 * len)) {
            f(set, weights, [a.row(row, len), b.row(row, len)], gates);
        }
    });
}

/// Computes the gates of rows, `[rows, 2, gate_stride]`: `g = -exp(a_log) softplus(a + dt_bias)`, then `beta = sigmoid(b)`.
pub fn delta_gates(
    pool: &ComputePool,
    weights: GateWeights<'_>,
    rows: usize,
    a: Columns<'_>,
    b: Columns<'_>,
    gates: &mut [f32],
) {
    for_gates(pool, weights, rows, [a, b], gates, gates_row);
}

/// Replaces the gradients of `g` and `beta` by those of a and b.
pub fn delta_gates_backward(
    pool: &ComputePool,
    weights: GateWeights<'_>,
    rows: usize,
    a: Columns<'_>,
    b: Columns<'_>,
    d_gates: &mut [f32],
) {
    for_gates(pool, weights, rows, [a, b], d_gates, gates_row_backward);
}

/// Adds the gradients of the weights to their sums, from the gradients of `g`, which come first in `d_gates`.
pub fn delta_gates_weights_backward(
    pool: &ComputePool,
    weights: GateWeights<'_>,
    rows: usize,
    a: Columns<'_>,
    d_gates: &[f32],
    d_a_log: &mut [f32],
    d_dt_bias: &mut [f32],
) {
    let (set, len) = (pool.instruction_set(), weights.padded_len());
    let mut sums = vec![0.0; 2 * len];
    sum_row_blocks(pool, rows, &mut sums, &|row, sum| {
        add_weights_row(set, weights, [a.row(row, len), &d_gates[row * 2 * len..][..len]], sum);
    });
    let gradients = d_a_log[..len].iter_mut().chain(&mut d_dt_bias[..len]);
    gradients.zip(&sums).for_each(|(gradient, sum)| *gradient += sum);
}

#[inline(always)]
fn multiply_generic<S: Simd>(simd: S, a: &[f32], b: &[f32], y: &mut [f32]) {
    for ((a, b), y) in a.as_chunks().0.iter().zip(b.as_chunks().0).zip(y.as_chunks_mut().0) {
        simd.store(simd.mul(simd.load(a), simd.load(b)), y);
    }
}

kernel! {
    fn multiply_row(a: &[f32], b: &[f32], y: &mut [f32]) = multiply_generic;
}

#[inline(always)]
fn sigmoid_gate_generic<S: Simd>(simd: S, x: &[f32], gate: &[f32], y: &mut [f32]) {
    for ((x, gate), y) in x.as_chunks().0.iter().zip(gate.as_chunks().0).zip(y.as_chunks_mut().0) {
        simd.store(simd.mul(simd.load(x), sigmoid(simd, simd.load(gate))), y);
    }
}

kernel! {
    fn sigmoid_gate_row(x: &[f32], gate: &[f32], y: &mut [f32]) = sigmoid_gate_generic;
}

#[inline(always)]
fn sigmoid_gate_backward_generic<S: Simd>(simd: S, x: &[f32], gate: &[f32], d_y: &mut [f32], d_gate: &mut [f32]) {
    let one = simd.splat(1.0);
    let inputs = x.as_chunks().0.iter().zip(gate.as_chunks().0);
    for (((x, gate), d_y), d_gate) in inputs.zip(d_y.as_chunks_mut().0).zip(d_gate.as_chunks_mut().0) {
        let (s, d) = (sigmoid(simd, simd.load(gate)), simd.load(d_y));
        let d_x = simd.mul(d, s);
        simd.store(simd.mul(simd.mul(d_x, simd.load(x)), simd.sub(one, s)), d_gate);
        simd.store(d_x, d_y);
    }
}

kernel! {
    fn sigmoid_gate_row_backward(x: &[f32], gate: &[f32], d_y: &mut [f32], d_gate: &mut [f32]) =
        sigmoid_gate_backward_generic;
}

/// Calls `f(row)` for all rows, on all threads.
fn for_rows(pool: &ComputePool, rows: usize, f: &(dyn Fn(usize) + Sync)) {
    for_row_blocks(pool, rows, ROW_BLOCK, [], &|block, []| block.for_each(f));
}

/// Computes `y = a * b` for `columns` columns of each row, whole vectors.
pub fn multiply_rows(
    pool: &ComputePool,
    rows: usize,
    columns: usize,
    a: Columns<'_>,
    b: Columns<'_>,
    y: ColumnsMut<'_>,
) {
    let (set, y) = (pool.instruction_set(), y.share(columns));
    assert!(columns.is_multiple_of(LANES), "columns are whole vectors");
    // SAFETY: each row is written once.
    for_rows(pool, rows, &|row| multiply_row(set, a.row(row, columns), b.row(row, columns), unsafe { y.row(row) }));
}

/// Computes `y = x * sigmoid(gate)` for `columns` columns of each row, whole vectors.
pub fn sigmoid_gate(
    pool: &ComputePool,
    rows: usize,
    columns: usize,
    x: Columns<'_>,
    gate: Columns<'_>,
    y: ColumnsMut<'_>,
) {
    let (set, y) = (pool.instruction_set(), y.share(columns));
    assert!(columns.is_multiple_of(LANES), "columns are whole vectors");
    for_rows(pool, rows, &|row| {
        // SAFETY: each row is written once.
        sigmoid_gate_row(set, x.row(row, columns), gate.row(row, columns), unsafe { y.row(row) });
    });
}

/// Replaces the gradient of [`sigmoid_gate`]'s output by that of x, and computes that of the gate.
pub fn sigmoid_gate_backward(
    pool: &ComputePool,
    rows: usize,
    columns: usize,
    x: Columns<'_>,
    gate: Columns<'_>,
    d_y: ColumnsMut<'_>,
    d_gate: ColumnsMut<'_>,
) {
    assert!(columns.is_multiple_of(LANES), "columns are whole vectors");
    let (set, d_y, d_gate) = (pool.instruction_set(), d_y.share(columns), d_gate.share(columns));
    for_rows(pool, rows, &|row| {
        // SAFETY: each row is written once.
        let (d_y, d_gate) = unsafe { (d_y.row(row), d_gate.row(row)) };
        sigmoid_gate_row_backward(set, x.row(row, columns), gate.row(row, columns), d_y, d_gate);
    });
}
