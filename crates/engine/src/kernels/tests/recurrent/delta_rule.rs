//! Tests of the gated delta rule.

use super::*;

/// Inputs with unit keys and queries, and decays and betas as models have.
struct Inputs {
    shape: DeltaShape,
    rows: usize,
    qkv: Vec<f32>,
    gates: Vec<f32>,
}

impl Inputs {
    fn new(shape: DeltaShape, rows: usize, seed: u64) -> Self {
        let (key, value) = (shape.key_stride(), shape.value_stride());
        let mut qkv = values(rows * shape.qkv_len(), seed);
        for row in qkv.chunks_exact_mut(shape.qkv_len()) {
            let (keys, values) = row.split_at_mut(2 * shape.key_heads * key);
            keys.chunks_exact_mut(key).for_each(|head| head[shape.key_width..].fill(0.0));
            values.chunks_exact_mut(value).for_each(|head| head[shape.value_width..].fill(0.0));
        }
        normalise_heads(&ComputePool::new(1), shape, rows, &mut qkv, None);
        let mut gates = values(rows * 2 * shape.gate_stride(), seed + 1);
        for row in gates.chunks_exact_mut(2 * shape.gate_stride()) {
            let (g, beta) = row.split_at_mut(shape.gate_stride());
            g.iter_mut().for_each(|g| *g = -0.3 * g.abs());
            beta.iter_mut().for_each(|beta| *beta = 0.5 + 0.25 * *beta);
        }
        Self { shape, rows, qkv, gates }
    }

    fn inputs(&self) -> DeltaInputs<'_> {
        DeltaInputs { qkv: &self.qkv, gates: &self.gates }
    }

    /// Returns the index of every input that is not padding, among rows of queries, keys and values, followed by rows of gates.
    fn indices(&self) -> Vec<usize> {
        let DeltaShape { key_heads, value_heads, key_width, value_width } = self.shape;
        let (keys, width) = (2 * key_heads * self.shape.key_stride(), self.shape.qkv_len());
        let is_qkv = |i: &usize| match (i % width).checked_sub(keys) {
            None => i % width % self.shape.key_stride() < key_width,
            Some(column) => column % self.shape.value_stride() < value_width,
        };
        let is_gate = |i: &usize| i % self.shape.gate_stride() < value_heads;
        let gates = (0..self.gates.len()).filter(is_gate).map(|i| self.qkv.len() + i);
        (0..self.qkv.len()).filter(is_qkv).chain(gates).collect()
    }

    /// Computes the outputs in double precision, state by state.
    fn reference(&self, inputs: &[f64], runs: &[TreeRun]) -> Vec<f64> {
        let DeltaShape { key_heads, value_heads, key_width, value_width } = self.shape;
        let (key_stride, value_stride) = (self.shape.key_stride(), self.shape.value_stride());
        let (qkv, gates) = inputs.split_at(self.qkv.len());
        let mut out = vec![0.0; self.rows * self.shape.value_len()];
        let mut last: Vec<Vec<Vec<f64>>> = Vec::new();
        for run in runs {
            let zero = || vec![vec![0.0; key_width * value_width]; value_heads];
            let mut states = run.parent.map_or_else(zero, |parent| last[parent].clone());
            for row in run.first_row..run.first_row + run.rows {
                let of_row = &qkv[row * self.shape.qkv_len()..][..self.shape.qkv_len()];
                let gates = &gates[row * 2 * self.shape.gate_stride()..][..2 * self.shape.gate_stride()];
                for (head, s) in states.iter_mut().enumerate() {
                    let q = &of_row[head / (value_heads / key_heads) * key_stride..];
                    let k = &of_row[(key_heads + head / (value_heads / key_heads)) * key_stride..];
                    let v = &of_row[2 * key_heads * key_stride + head * value_stride..];
                    let (e, beta) = (gates[head].exp(), gates[self.shape.gate_stride() + head]);
                    s.iter_mut().for_each(|s| *s *= e);
                    for j in 0..value_width {
                        let memory: f64 = (0..key_width).map(|i| k[i] * s[i * value_width + j]).sum();
                        let delta = beta * (v[j] - memory);
                        (0..key_width).for_each(|i| s[i * value_width + j] += k[i] * delta);
                        out[row * self.shape.value_len() + head * value_stride + j] =
                            (0..key_width).map(|i| q[i] * s[i * value_width + j]).sum();
                    }
                }
            }
            last.push(states);
        }
        out
    }

    fn all(&self) -> Vec<f64> {
        double(&[&self.qkv[..], &self.gates].concat())
    }

    /// Computes the outputs of a tree, and the checkpoints.
    fn forward(&self, pool: &ComputePool, runs: &[TreeRun], interval: usize) -> [Vec<f32>; 2] {
        let mut out = vec![9.0; self.rows * self.shape.value_len()];
        let mut checkpoints = vec![9.0; self.shape.checkpoints_len(runs, interval)];
        delta_rule_tree(pool, self.shape, self.inputs(), runs, interval, &mut checkpoints, &mut out);
        [out, checkpoints]
    }

    /// Computes the gradients of queries, keys, values and gates.
    fn backward(&self, pool: &ComputePool, runs: &[TreeRun], d_out: &[f32]) -> Vec<f32> {
        let [_, checkpoints] = self.forward(pool, runs, CHECKPOINT_ROWS);
        let (mut d_qkv, mut d_gates) = (vec![9.0; self.qkv.len()], vec![9.0; self.gates.len()]);
        let mut scratch = vec![9.0; self.shape.backward_len(runs)];
        let pass = DeltaBackward {
            inputs: self.inputs(),
            runs,
            checkpoints: &checkpoints,
            d_out,
            d_qkv: &mut d_qkv,
            d_gates: &mut d_gates,
            scratch: &mut scratch,
        };
        delta_rule_backward(pool, self.shape, pass);
        [d_qkv, d_gates].concat()
    }
}

fn shape(key_heads: usize, value_heads: usize, key_width: usize, value_width: usize) -> DeltaShape {
    DeltaShape { key_heads, value_heads, key_width, value_width }
}

/// Shapes with padding, whole blocks of columns, a part of one, and shared keys.
fn shapes() -> [DeltaShape; 4] {
    [shape(1, 1, 5, 3), shape(2, 6, 16, 36), shape(3, 3, 20, 64), shape(2, 4, 128, 128)]
}

#[test]
fn outputs_of_trees() {
    for shape in shapes() {
        let (inputs, runs) = (Inputs::new(shape, 21, 1), tree());
        let expected = inputs.reference(&inputs.all(), &runs);
        let out = same(|set| {
            let pool = ComputePool::with_instruction_set(2, set);
            let [out, _] = inputs.forward(&pool, &runs, usize::MAX);
            assert_eq!(bits(&out), bits(&inputs.forward(&pool, &runs, 2)[0]), "checkpoints change nothing");
            out
        });
        assert_close(&out, &expected, 1e-5);
    }
}

#[test]
fn long_sequences_stay_accurate() {
    // More rows than a step of training has.
    let inputs = Inputs::new(shape(1, 1, 12, 16), 1100, 1);
    let runs = tree_runs(&[(0, 1100, None)]);
    for interval in [CHECKPOINT_ROWS, 700, usize::MAX] {
        let out = same(|set| inputs.forward(&ComputePool::with_instruction_set(1, set), &runs, interval)[0].clone());
        assert_close(&out, &inputs.reference(&inputs.all(), &runs), 2e-5);
    }
}

#[test]
fn rows_have_the_same_bits_for_any_cut_batch_and_number_of_threads() {
    for shape in shapes() {
        let inputs = Inputs::new(shape, 21, 3);
        let runs = tree_runs(&[(0, 12, None), (12, 9, None)]);
        let [expected, checkpoints] = inputs.forward(&ComputePool::new(1), &runs, usize::MAX);
        let (qkv, gates, value) = (shape.qkv_len(), 2 * shape.gate_stride(), shape.value_len());
        let cuts = [&[(12, 9)][..], &[(1, 1); 12], &[(5, 0), (2, 8), (0, 1), (5, 0)], &[(4, 3); 3], &[(9, 0), (3, 9)]];
        let mut last: Vec<Vec<Vec<f32>>> = Vec::new();
        for (cuts, threads) in cuts.into_iter().zip([1, 2, 3, 5, 2]) {
            let pool = ComputePool::new(threads);
            let mut states = [vec![0.0; shape.state_len()], vec![0.0; shape.state_len()]];
            let mut done = [0, 0];
            for &(first, second) in cuts {
                let counts = [first.min(12 - done[0]), second.min(9 - done[1])];
                // Drafts behind the first sequence's rows, which the next call computes again.
                let rows = [counts[0] + 2.min(12 - done[0] - counts[0]), counts[1]];
                let starts = [done[0], 12 + done[1]];
                let (mut call_qkv, mut call_gates) = (Vec::new(), Vec::new());
                for i in 0..2 {
                    call_qkv.extend_from_slice(&inputs.qkv[starts[i] * qkv..(starts[i] + rows[i]) * qkv]);
                    call_gates.extend_from_slice(&inputs.gates[starts[i] * gates..(starts[i] + rows[i]) * gates]);
                }
                let mut out = vec![9.0; (rows[0] + rows[1]) * value];
                let [a, b] = &mut states;
                let mut runs = [
                    Run { first_row: 0, rows: rows[0], committed: counts[0], state: a },
                    Run { first_row: rows[0], rows: rows[1], committed: counts[1], state: b },
                ];
                let call = DeltaInputs { qkv: &call_qkv, gates: &call_gates };
                delta_rule(&pool, shape, call, &mut runs, &mut out);
                let (first, second) = out.split_at(rows[0] * value);
                for (out, (start, rows)) in [first, second].into_iter().zip(starts.into_iter().zip(rows)) {
                    assert_eq!(bits(out), bits(&expected[start * value..(start + rows) * value]));
                }
                (0..2).for_each(|i| done[i] += counts[i]);
            }
            assert_eq!(done, [12, 9]);
            last.push(states.to_vec());
        }
        assert!(last.iter().all(|states| *states == last[0]), "states have the same bits");
        assert_eq!(checkpoints[..shape.state_len()], last[0][1], "the working state is the last run's");
    }
}

#[test]
fn gradients_of_trees() {
    for (shape, step) in shapes().into_iter().zip([1, 23, 37, 997]) {
        let (inputs, runs) = (Inputs::new(shape, 21, 5), tree());
        let dy = values(21 * shape.value_len(), 7);
        let found = same(|set| inputs.backward(&ComputePool::with_instruction_set(2, set), &runs, &dy));
        assert_differences(&inputs, &runs, &dy, &found, step);
        // Padding.
        let mut padding = found.clone();
        inputs.indices().into_iter().for_each(|i| padding[i] = 0.0);
        // Padded columns of values have no inputs and yet outputs, whose gradients are the caller's.
        let keys = 2 * shape.key_heads * shape.key_stride();
        padding[..inputs.qkv.len()].chunks_exact_mut(shape.qkv_len()).for_each(|row| row[keys..].fill(0.0));
        assert!(padding.iter().all(|x| *x == 0.0), "padding has no gradient");
    }
}

/// Compares gradients with central differences, of every `step`-th input that is not padding.
fn assert_differences(inputs: &Inputs, runs: &[TreeRun], dy: &[f32], found: &[f32], step: usize) {
    let stride = inputs.shape.value_stride();
    let at = |i: usize, step: f64| {
        let mut all = inputs.all();
        all[i] += step;
        let y = inputs.reference(&all, runs);
        let terms = y.iter().zip(dy).enumerate().filter(|(i, _)| i % stride < inputs.shape.value_width);
        terms.map(|(_, (y, d))| y * f64::from(*d)).sum::<f64>()
    };
    for i in inputs.indices().into_iter().step_by(step) {
        let expected = (at(i, 1e-5) - at(i, -1e-5)) / 2e-5;
        let limit = 3e-5 * expected.abs().max(1.0);
        assert!((f64::from(found[i]) - expected).abs() < limit, "[{i}] {} {expected}", found[i]);
    }
}

#[test]
fn gradients_cross_checkpoints_and_branches() {
    let rows = 3 * CHECKPOINT_ROWS + 50;
    // A run that ends inside a block, and two that continue it; one of them is longer than a block.
    let first = CHECKPOINT_ROWS + 7;
    let runs =
        tree_runs(&[(0, first, None), (first, 20, Some(first - 1)), (first + 20, rows - first - 20, Some(first - 1))]);
    let inputs = Inputs::new(shape(1, 2, 6, 20), rows, 9);
    let dy = values(rows * inputs.shape.value_len(), 11);
    let found = same(|set| inputs.backward(&ComputePool::with_instruction_set(3, set), &runs, &dy));
    assert_differences(&inputs, &runs, &dy, &found, 29);
}

#[test]
fn gradients_have_the_same_bits_for_any_cut_and_number_of_threads() {
    let rows = 2 * CHECKPOINT_ROWS + 11;
    let inputs = Inputs::new(shape(2, 4, 20, 72), rows, 13);
    let dy = values(rows * inputs.shape.value_len(), 15);
    let whole = [TreeRun { first_row: 0, rows, parent: None }];
    let expected = inputs.backward(&ComputePool::new(1), &whole, &dy);
    for (cuts, threads) in [(&[1, 50, 100][..], 2), (&[64][..], 3), (&[13, 14, 80][..], 5)] {
        let mut runs: Vec<TreeRun> = Vec::new();
        for (start, end) in [0].iter().chain(cuts).zip(cuts.iter().chain([&rows])) {
            runs.push(TreeRun { first_row: *start, rows: end - start, parent: runs.len().checked_sub(1) });
        }
        let found = inputs.backward(&ComputePool::new(threads), &runs, &dy);
        assert_eq!(bits(&found), bits(&expected));
    }
}
