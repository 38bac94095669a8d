//! Gradient of the gated delta rule over a tree of sequences.
//!
//! Blocks of [`CHECKPOINT_ROWS`] rows are processed from the last to the first. Of each, a task per head and block of columns
//! computes the states again from the checkpoint, with the bits of the forward pass, and then goes back through the rows with
//! the gradient D of the state. In the notation of [`delta_rule`](super::delta_rule), with the gradient p of a row's output:
//!
//! ```text
//! dq = S p                      D += q p^T
//! w = beta (D^T k)              dbeta = (D^T k) u              dv = w
//! dk = D d - e S' w             dg = e (sum of D S' - w m)     D = e D - e k w^T
//! ```
//!
//! where S' is the state before the row. Sums over columns of values are over blocks of columns, each in one order, and then
//! over the blocks and the heads that share a key, in order. A state that several runs continue sums their gradients, the last
//! run first.

use std::ops::Range;

use super::delta_rule::{
    BLOCK, Block, DeltaInputs, DeltaShape, HeadBlock, correction, first_states, keys_of, keys_of_mut, load_block,
    read_state, scaled, store_block,
};
use super::{TreeRun, check_tree, children_of};
use crate::kernels::buffer::with_scratch;
use crate::kernels::pool::{ComputePool, Shared};
use crate::kernels::units::{LANES, Simd, kernel};

/// Number of rows between the checkpoints that the backward pass starts from. A thread holds the states of a block's rows, one
/// mebibyte for keys of 128 values.
pub const CHECKPOINT_ROWS: usize = 64;
/// Number of rows of a task that sums blocks of columns.
const SUM_ROWS: usize = 4;

/// Operands of [`delta_rule_backward`].
pub struct DeltaBackward<'a> {
    /// Inputs of the forward pass.
    pub inputs: DeltaInputs<'a>,
    /// Runs of the tree.
    pub runs: &'a [TreeRun],
    /// States that [`delta_rule_tree`](super::delta_rule_tree) wrote every [`CHECKPOINT_ROWS`] rows.
    pub checkpoints: &'a [f32],
    /// Gradient of the output, `[rows, value_len]`.
    pub d_out: &'a [f32],
    /// Gradients of normalised queries and keys, and of values, `[rows, qkv_len]`; overwritten.
    pub d_qkv: &'a mut [f32],
    /// Gradients of the logarithms of decays, and of betas, `[rows, 2, gate_stride]`; overwritten.
    pub d_gates: &'a mut [f32],
    /// Memory for [`DeltaShape::backward_len`] values.
    pub scratch: &'a mut [f32],
}

impl DeltaShape {
    /// Returns the number of f32 that the backward pass needs: gradients of the states of runs that others continue, that of one more
    /// state, and the sums of a block's rows.
    pub fn backward_len(self, runs: &[TreeRun]) -> usize {
        let parents = children_of(runs).iter().filter(|children| !children.is_empty()).count();
        (1 + parents) * self.state_len() + CHECKPOINT_ROWS * self.parts() * self.sums_len()
    }

    /// Returns the number of f32 of a row's sums over a block of columns: gradients of query, key, g and beta.
    fn sums_len(self) -> usize {
        2 * self.key_stride() + LANES
    }
}

/// Memory of a task.
struct Task<'a> {
    part: HeadBlock,
    inputs: DeltaInputs<'a>,
    rows: Range<usize>,
    /// State before the rows.
    state: &'a [f32],
    /// Gradient of the output.
    d_out: &'a [f32],
    /// Gradient of the state behind the rows, replaced by that of the state before them.
    d_state: &'a mut [f32],
    /// States before each row, then m and u of each.
    room: &'a mut [f32],
    /// Sums of each row.
    sums: &'a mut [f32],
    key_stride: usize,
    d_qkv: Shared<'a>,
}

/// Vectors of one key of each of sixteen, before their lanes are added.
type Lanes = [[f32; LANES]; LANES];

/// Returns the sums of the lanes of sixteen vectors, in the order of [`Simd::sum`].
#[inline(always)]
fn sums_of_lanes<S: Simd>(simd: S, vectors: &mut Lanes) -> S::V {
    // SAFETY: f32 and u32 have the same size and alignment, and no invalid values.
    let words = unsafe { &mut *std::ptr::from_mut(vectors).cast::<[[u32; LANES]; LANES]>() };
    simd.transpose(words);
    let mut half = LANES / 2;
    let mut x = [simd.zero(); LANES];
    for (x, vector) in x.iter_mut().zip(&*vectors) {
        *x = simd.load(vector);
    }
    while half > 0 {
        for i in 0..half {
            x[i] = simd.add(x[i], x[i + half]);
        }
        half /= 2;
    }
    x[0]
}

/// Computes the states before each row, m and u of each, and the gradients of queries.
#[inline(always)]
fn recompute<S: Simd, const N: usize>(simd: S, task: &mut Task<'_>) {
    let Task { part, inputs, rows, state, d_out, room, sums, key_stride, .. } = task;
    let (part, inputs, len) = (*part, *inputs, state.len());
    let (states, corrections) = room.split_at_mut(rows.len() * len);
    states[..len].copy_from_slice(state);
    let mut last = [0.0; LANES * BLOCK];
    let mut m = read_state::<S, N>(simd, keys_of(state), part.key(inputs, rows.start));
    let sums_len = sums.len() / rows.len();
    for (i, row) in rows.clone().enumerate() {
        let [g, beta] = part.gates(inputs, row);
        let e = simd.exp(simd.splat(g));
        let u = correction(simd, e, m, &inputs.qkv[part.value(row)]);
        let (own_m, own_u) = corrections[2 * i * part.width()..][..2 * part.width()].split_at_mut(part.width());
        store_block(simd, m, own_m);
        store_block(simd, u, own_u);
        let (d, p) = (scaled(simd, u, beta), load_block::<S, N>(simd, &d_out[part.output(row)]));
        let (key, query_sums) = (part.key(inputs, row), &mut sums[i * sums_len..][..*key_stride]);
        let next = part.key(inputs, (row + 1).min(rows.end - 1));
        m = [simd.zero(); N];
        let (before, after) = states[i * len..].split_at_mut(len);
        // The state behind the last row is needed here only.
        let has_next = row + 1 < rows.end;
        for (group, sum) in query_sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let first = group * LANES;
            let keys = first..key.len().min(first + LANES);
            let (mut lanes, values) = ([[0.0; LANES]; LANES], keys.start * N * LANES..keys.end * N * LANES);
            let after = if has_next { &mut after[values.clone()] } else { &mut last[..values.len()] };
            let states = keys_of::<N>(&before[values]).iter().zip(keys_of_mut::<N>(after));
            let factors = key[keys.clone()].iter().zip(&next[keys]);
            for (((before, after), (k, next)), lanes) in states.zip(factors).zip(&mut lanes) {
                let (k, next) = (simd.splat(*k), simd.splat(*next));
                let mut product = simd.zero();
                for v in 0..N {
                    let s = simd.mul_add(k, d[v], simd.mul(e, simd.load(&before[v])));
                    simd.store(s, &mut after[v]);
                    m[v] = simd.mul_add(next, s, m[v]);
                    product = simd.mul_add(s, p[v], product);
                }
                simd.store(product, lanes);
            }
            simd.store(sums_of_lanes(simd, &mut lanes), sum);
        }
    }
}

/// Adds `q p^T` to the gradient of a state, and returns its product with a key.
#[inline(always)]
fn add_output<S: Simd, const N: usize>(
    simd: S,
    d_state: &mut [f32],
    query: &[f32],
    key: &[f32],
    p: Block<S, N>,
) -> Block<S, N> {
    let mut w = [simd.zero(); N];
    for (d_state, (q, k)) in keys_of_mut::<N>(d_state).iter_mut().zip(query.iter().zip(key)) {
        let (q, k) = (simd.splat(*q), simd.splat(*k));
        for v in 0..N {
            let d = simd.mul_add(q, p[v], simd.load(&d_state[v]));
            simd.store(d, &mut d_state[v]);
            w[v] = simd.mul_add(k, d, w[v]);
        }
    }
    w
}

/// Values of a row that its gradients are made of.
#[derive(Clone, Copy)]
struct RowFactors<S: Simd, const N: usize> {
    /// Decay.
    e: S::V,
    /// `d`, and `-e w`.
    d: Block<S, N>,
    d_m: Block<S, N>,
    /// Gradient of the output of the row before.
    p: Block<S, N>,
}

/// Moves the gradient of a state back over a row: computes `dk`, the sum of `D S'`, and `D = e D - e k w^T`. With `MORE` there is a row
/// before, of which it adds the output's part, and returns the product with that row's key.
#[inline(always)]
fn step_back<S: Simd, const N: usize, const MORE: bool>(
    simd: S,
    row: RowFactors<S, N>,
    keys: [&[f32]; 3],
    before: &[f32],
    d_state: &mut [f32],
    key_sums: &mut [f32],
) -> (Block<S, N>, Block<S, N>) {
    let RowFactors { e, d, d_m, p } = row;
    let [key, previous_query, previous_key] = keys;
    let (mut d_e, mut w) = ([simd.zero(); N], [simd.zero(); N]);
    for (group, sum) in key_sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let first = group * LANES;
        let range = first..key.len().min(first + LANES);
        let (mut lanes, values) = ([[0.0; LANES]; LANES], range.start * N * LANES..range.end * N * LANES);
        let states = keys_of::<N>(&before[values.clone()]).iter().zip(keys_of_mut::<N>(&mut d_state[values]));
        let factors = key[range.clone()].iter().zip(&previous_query[range.clone()]).zip(&previous_key[range]);
        for (((before, d_state), ((k, q), previous)), lanes) in states.zip(factors).zip(&mut lanes) {
            let (k, q, previous) = (simd.splat(*k), simd.splat(*q), simd.splat(*previous));
            let mut product = simd.zero();
            for v in 0..N {
                let (s, x) = (simd.load(&before[v]), simd.load(&d_state[v]));
                d_e[v] = simd.mul_add(x, s, d_e[v]);
                product = simd.mul_add(s, d_m[v], simd.mul_add(x, d[v], product));
                let mut x = simd.mul_add(k, d_m[v], simd.mul(e, x));
                if MORE {
                    x = simd.mul_add(q, p[v], x);
                    w[v] = simd.mul_add(previous, x, w[v]);
                }
                simd.store(x, &mut d_state[v]);
            }
            simd.store(product, lanes);
        }
        simd.store(sums_of_lanes(simd, &mut lanes), sum);
    }
    (d_e, w)
}

/// # Safety
/// The block's columns of the gradients of the rows' values must not be in use.
#[inline(always)]
unsafe fn block_backward<S: Simd, const N: usize>(simd: S, mut task: Task<'_>) {
    recompute::<S, N>(simd, &mut task);
    let Task { part, inputs, rows, state, d_out, d_state, room, sums, key_stride, d_qkv } = task;
    let (width, len) = (part.width(), state.len());
    let (states, corrections) = room.split_at(rows.len() * len);
    let sums_len = sums.len() / rows.len();
    let last = rows.end - 1;
    let p = load_block::<S, N>(simd, &d_out[part.output(last)]);
    let mut product = add_output(simd, d_state, part.query(inputs, last), part.key(inputs, last), p);
    for (i, row) in rows.clone().enumerate().rev() {
        let [g, beta] = part.gates(inputs, row);
        let e = simd.exp(simd.splat(g));
        let of_row = &corrections[2 * i * width..][..2 * width];
        let (m, u) = (load_block::<S, N>(simd, of_row), load_block::<S, N>(simd, &of_row[width..]));
        let w = scaled(simd, product, beta);
        // SAFETY: the caller's promise.
        store_block(simd, w, unsafe { d_qkv.part(part.value(row)) });
        let (mut d_beta, mut d_e, mut d_m) = (simd.zero(), simd.zero(), w);
        for v in 0..N {
            d_beta = simd.mul_add(product[v], u[v], d_beta);
            d_e = simd.neg_mul_add(w[v], m[v], d_e);
            d_m[v] = simd.sub(simd.zero(), simd.mul(e, w[v]));
        }
        let previous = row.max(rows.start + 1) - 1;
        let p = load_block::<S, N>(simd, &d_out[part.output(previous)]);
        let factors = RowFactors { e, d: scaled(simd, u, beta), d_m, p };
        let keys = [part.key(inputs, row), part.query(inputs, previous), part.key(inputs, previous)];
        let (key_sums, gates) = sums[i * sums_len + key_stride..][..key_stride + LANES].split_at_mut(key_stride);
        let before = &states[i * len..][..len];
        let (of_state, next) = if i > 0 {
            step_back::<S, N, true>(simd, factors, keys, before, d_state, key_sums)
        } else {
            step_back::<S, N, false>(simd, factors, keys, before, d_state, key_sums)
        };
        product = next;
        for of_state in of_state {
            d_e = simd.add(d_e, of_state);
        }
        (gates[0], gates[1]) = (simd.sum(d_e), simd.sum(d_beta));
    }
}

/// # Safety
/// See [`block_backward`].
#[inline(always)]
unsafe fn backward_generic<S: Simd>(simd: S, task: Task<'_>) {
    // SAFETY: the caller's promise.
    unsafe {
        match task.part.width() {
            BLOCK => block_backward::<S, 2>(simd, task),
            _ => block_backward::<S, 1>(simd, task),
        }
    }
}

kernel! {
    /// Computes a block's part of the gradients of its rows, and moves the gradient of its state back.
    ///
    /// # Safety
    /// See [`block_backward`].
    unsafe fn part_backward(task: Task<'_>) = backward_generic;
}

/// Terms of a row's sums: parts of the heads that share keys, one after the other.
#[derive(Clone, Copy)]
struct Terms<'a> {
    sums: &'a [f32],
    sums_len: usize,
    /// Distance between parts.
    stride: usize,
    shape: DeltaShape,
}

#[inline(always)]
fn sum_row_generic<S: Simd>(simd: S, terms: Terms<'_>, g: &[f32], d_qk: &mut [f32], d_gates: &mut [f32]) {
    let Terms { sums, sums_len, stride, shape } = terms;
    let (width, parts) = (shape.key_stride(), shape.group() * shape.blocks());
    let (d_query, d_key) = d_qk.split_at_mut(shape.keys_len());
    for (first, gradients) in [(0, d_query), (width, d_key)] {
        for (head, gradient) in gradients.chunks_exact_mut(width).enumerate() {
            for (i, gradient) in gradient.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let mut sum = simd.zero();
                for part in head * parts..(head + 1) * parts {
                    let at = part * stride + first + i * LANES;
                    sum = simd.add(sum, simd.load(sums[at..].first_chunk().expect("sums are whole vectors")));
                }
                simd.store(sum, gradient);
            }
        }
    }
    let (d_g, d_beta) = d_gates.split_at_mut(shape.gate_stride());
    d_g.fill(0.0);
    d_beta.fill(0.0);
    for head in 0..shape.value_heads {
        for part in head * shape.blocks()..(head + 1) * shape.blocks() {
            let gates = &sums[part * stride + 2 * width..][..sums_len - 2 * width];
            d_g[head] += gates[0];
            d_beta[head] += gates[1];
        }
    }
    for (d_g, g) in d_g.as_chunks_mut::<LANES>().0.iter_mut().zip(g.as_chunks::<LANES>().0) {
        simd.store(simd.mul(simd.load(d_g), simd.exp(simd.load(g))), d_g);
    }
}

kernel! {
    /// Computes the gradients of a row's queries, keys and gates.
    fn sum_row(terms: Terms<'_>, g: &[f32], d_qk: &mut [f32], d_gates: &mut [f32]) = sum_row_generic;
}

/// Computes the gradients of the delta rule's inputs.
pub fn delta_rule_backward(pool: &ComputePool, shape: DeltaShape, pass: DeltaBackward<'_>) {
    let DeltaBackward { inputs, runs, checkpoints, d_out, d_qkv, d_gates, scratch } = pass;
    let rows = check_tree(runs);
    inputs.check(shape, rows);
    let (qkv_len, gates_len) = (shape.qkv_len(), 2 * shape.gate_stride());
    assert!(d_out.len() >= rows * shape.value_len(), "rows have gradients of outputs");
    assert!(d_qkv.len() >= rows * qkv_len && d_gates.len() >= rows * gates_len, "rows have gradients");
    let (set, len, sums_len) = (pool.instruction_set(), shape.state_len(), shape.sums_len());
    let checkpoints = &checkpoints[len..shape.checkpoints_len(runs, CHECKPOINT_ROWS)];
    let (first, children) = (first_states(runs, CHECKPOINT_ROWS), children_of(runs));
    let scratch = &mut scratch[..shape.backward_len(runs)];
    let (sums, states) = scratch.split_at_mut(CHECKPOINT_ROWS * shape.parts() * sums_len);
    // The gradient of the state behind each run: that of runs which others continue has memory of its own.
    let mut slots = Vec::new();
    let mut used = 0;
    for children in &children {
        used += usize::from(!children.is_empty());
        slots.push(if children.is_empty() { 0 } else { used });
    }
    states.fill(0.0);
    let (states, d_qkv, d_gates) = (Shared::new(states), Shared::new(d_qkv), Shared::new(d_gates));
    for (index, run) in runs.iter().enumerate().rev() {
        let parent = run.parent.map(|parent| slots[parent] * len);
        for block in (0..run.rows.div_ceil(CHECKPOINT_ROWS)).rev() {
            let start = block * CHECKPOINT_ROWS;
            let end = run.rows.min(start + CHECKPOINT_ROWS);
            let rows = run.first_row + start..run.first_row + end;
            let part_sums = rows.len() * sums_len;
            let of_parts = Shared::new(&mut *sums);
            pool.run(shape.parts(), &|task| {
                let part = shape.part(task);
                let range = part.state();
                let at = |state: usize| state + range.start..state + range.end;
                let states_len = rows.len() * range.len();
                with_scratch(states_len + 2 * rows.len() * part.width(), |room| {
                    // SAFETY: parts have ranges of their own in each state, and columns of their own in the gradients.
                    unsafe {
                        let d_state = states.part(at(slots[index] * len));
                        if slots[index] == 0 && end == run.rows {
                            d_state.fill(0.0);
                        }
                        part_backward(
                            set,
                            Task {
                                part,
                                inputs,
                                rows: rows.clone(),
                                state: &checkpoints[at((first[index] + block) * len)],
                                d_out,
                                d_state,
                                room,
                                sums: of_parts.part(task * part_sums..(task + 1) * part_sums),
                                key_stride: shape.key_stride(),
                                d_qkv,
                            },
                        );
                        if let (0, Some(parent)) = (start, parent) {
                            let sum = states.part(at(parent)).iter_mut();
                            sum.zip(states.part(at(slots[index] * len))).for_each(|(sum, d)| *sum += *d);
                        }
                    }
                });
            });
            let sums = &*sums;
            pool.run(rows.len().div_ceil(SUM_ROWS), &|task| {
                for i in task * SUM_ROWS..rows.len().min((task + 1) * SUM_ROWS) {
                    let (row, terms) =
                        (rows.start + i, Terms { sums: &sums[i * sums_len..], sums_len, stride: part_sums, shape });
                    let (qkv, gates) = (row * qkv_len, row * gates_len);
                    // SAFETY: tasks have different rows.
                    let (d_qk, d_gates) = unsafe {
                        (d_qkv.part(qkv..qkv + 2 * shape.keys_len()), d_gates.part(gates..gates + gates_len))
                    };
                    sum_row(set, terms, &inputs.gates[gates..][..gates_len / 2], d_qk, d_gates);
                }
            });
        }
    }
}
