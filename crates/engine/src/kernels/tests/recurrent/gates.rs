//! Tests of gates and norms.

use super::*;

const ROWS: usize = 70;
const SHAPE: DeltaShape = DeltaShape { key_heads: 2, value_heads: 4, key_width: 6, value_width: 20 };

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Asserts that gradients are those by differences, of every `step`-th input.
fn assert_gradient(found: &[f32], inputs: &[f32], dy: &[f32], step: usize, f: impl Fn(&[f64]) -> Vec<f64>) {
    let at = |i: usize, step: f64| {
        let mut inputs = double(inputs);
        inputs[i] += step;
        f(&inputs).iter().zip(dy).map(|(y, d)| y * f64::from(*d)).sum::<f64>()
    };
    for i in (0..inputs.len()).step_by(step) {
        assert_close(&found[i..=i], &[(at(i, 1e-6) - at(i, -1e-6)) / 2e-6], 3e-5);
    }
}

/// Returns rows of heads that are padded with zeros.
fn heads(rows: usize, heads: usize, width: usize, seed: u64) -> Vec<f32> {
    let mut all = values(rows * heads * width.next_multiple_of(16), seed);
    all.chunks_exact_mut(width.next_multiple_of(16)).for_each(|head| head[width..].fill(0.0));
    all
}

#[test]
fn gates_of_the_delta_rule() {
    let len = SHAPE.gate_stride();
    let (a_log, dt_bias) = (values(len, 1), values(len, 2));
    let weights = GateWeights { a_log: &a_log, dt_bias: &dt_bias };
    // a and b are columns of wider rows.
    let mut ab: Vec<f32> = values(ROWS * 3 * len, 3).iter().map(|x| 4.0 * x).collect();
    ab[len..len + 8].copy_from_slice(&[0.0, 30.0, -30.0, 90.0, -80.0, 1e-3, 200.0, -20.0]);
    let columns = |first| Columns { values: &ab, first, stride: 3 * len };
    let (a, b) = (columns(len), columns(2 * len));
    let reference = |inputs: &[f64]| -> Vec<f64> {
        let (ab, weights) = inputs.split_at(ROWS * 3 * len);
        let row = |row: &[f64]| {
            let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
            let g = (0..len).map(|i| -weights[i].exp() * softplus(row[len + i] + weights[len + i]));
            g.chain((0..len).map(|i| sigmoid(row[2 * len + i]))).collect::<Vec<_>>()
        };
        ab.chunks_exact(3 * len).flat_map(row).collect()
    };
    let inputs = [&ab[..], &a_log, &dt_bias].concat();
    let gates = same(|set| {
        let mut gates = vec![9.0; ROWS * 2 * len];
        delta_gates(&ComputePool::with_instruction_set(2, set), weights, ROWS, a, b, &mut gates);
        gates
    });
    for (found, expected) in gates.iter().zip(reference(&double(&inputs))) {
        // Relative: decays near zero are small.
        assert!((f64::from(*found) - expected).abs() <= 1e-6 * expected.abs() + 1e-34, "{found} {expected}");
    }
    let dy = values(ROWS * 2 * len, 4);
    let gradients = same(|set| {
        let pool = ComputePool::with_instruction_set(2, set);
        let (mut d_gates, mut sums) = (dy.clone(), [vec![0.0; len], vec![0.0; len]]);
        let [d_a_log, d_dt_bias] = &mut sums;
        delta_gates_weights_backward(&pool, weights, ROWS, a, &d_gates, d_a_log, d_dt_bias);
        delta_gates_backward(&pool, weights, ROWS, a, b, &mut d_gates);
        let mut wide = vec![0.0; ROWS * 3 * len];
        for (wide, d) in wide.chunks_exact_mut(3 * len).zip(d_gates.chunks_exact(2 * len)) {
            wide[len..].copy_from_slice(d);
        }
        [wide, sums.concat()].concat()
    });
    assert_gradient(&gradients, &inputs, &dy, 1, reference);
}

#[test]
fn queries_and_keys_have_length_one() {
    let len = SHAPE.qkv_len();
    let raw: Vec<f32> = {
        let (keys, values) = (heads(ROWS, 4, SHAPE.key_width, 1), heads(ROWS, 4, SHAPE.value_width, 2));
        let rows = keys.chunks_exact(64).zip(values.chunks_exact(SHAPE.value_len()));
        rows.flat_map(|(keys, values)| [keys, values].concat()).collect()
    };
    let reference = |x: &[f64]| -> Vec<f64> {
        let mut y = x.to_vec();
        for row in y.chunks_exact_mut(len) {
            for (head, x) in row[..64].chunks_exact_mut(16).enumerate() {
                let root = (x.iter().map(|x| x * x).sum::<f64>() + 1e-6).sqrt();
                let scale = if head < 2 { 1.0 / (SHAPE.key_width as f64).sqrt() } else { 1.0 };
                x.iter_mut().for_each(|x| *x *= scale / root);
            }
        }
        y
    };
    let run = |set, with_roots: bool| {
        let (mut qkv, mut roots) = (raw.clone(), vec![0.0; ROWS * 4]);
        let pool = ComputePool::with_instruction_set(2, set);
        normalise_heads(&pool, SHAPE, ROWS, &mut qkv, with_roots.then_some(&mut roots));
        (qkv, roots)
    };
    let y = same(|set| run(set, true).0);
    assert_eq!(bits(&y), bits(&run(InstructionSet::best(), false).0));
    assert_close(&y, &reference(&double(&raw)), 1e-6);
    let dy = values(raw.len(), 3);
    let dx = same(|set| {
        let ((qkv, roots), mut d) = (run(set, true), dy.clone());
        normalise_heads_backward(&ComputePool::with_instruction_set(2, set), SHAPE, ROWS, &qkv, &roots, &mut d);
        d
    });
    let unpadded = |i: usize| i % len >= 64 || i % 16 < SHAPE.key_width;
    let mut expected = dx.clone();
    (0..dx.len()).filter(|i| !unpadded(*i)).for_each(|i| expected[i] = f32::NAN);
    for (i, row) in expected.chunks_exact(len).enumerate().step_by(9) {
        let range = i * len..(i + 1) * len;
        let expected = differences(&raw[range.clone()], &dy[range], reference);
        for (found, expected) in row.iter().zip(expected).filter(|(found, _)| !found.is_nan()) {
            assert_close(&[*found], &[expected], 3e-5);
        }
    }
}

#[test]
fn norms_with_gates() {
    let (len, stride, width) = (SHAPE.value_len(), SHAPE.value_stride(), SHAPE.value_width);
    let (x, z) = (heads(ROWS, 4, width, 1), heads(ROWS, 4, width, 2));
    let weight = heads(1, 1, width, 3);
    let norm = GatedNorm { weight: &weight, eps: 1e-5 };
    let mut wide = vec![9.0; ROWS * (len + 16)];
    for (wide, z) in wide.chunks_exact_mut(len + 16).zip(z.chunks_exact(len)) {
        wide[16..].copy_from_slice(z);
    }
    let columns = Columns { values: &wide, first: 16, stride: len + 16 };
    let inputs = [&x[..], &z, &weight].concat();
    let reference = |inputs: &[f64]| -> Vec<f64> {
        let (x, rest) = inputs.split_at(ROWS * len);
        let (z, weight) = rest.split_at(ROWS * len);
        let head = |(x, z): (&[f64], &[f64])| {
            let root = (x[..width].iter().map(|x| x * x).sum::<f64>() / width as f64 + 1e-5).sqrt();
            (0..stride).map(|i| x[i] / root * weight[i] * silu(z[i])).collect::<Vec<_>>()
        };
        x.chunks_exact(stride).zip(z.chunks_exact(stride)).flat_map(head).collect()
    };
    let y = same(|set| {
        let mut y = vec![9.0; ROWS * len];
        gated_norm(&ComputePool::with_instruction_set(2, set), SHAPE, norm, ROWS, &x, columns, &mut y);
        y
    });
    assert_close(&y, &reference(&double(&inputs)), 1e-5);
    let dy = heads(ROWS, 4, width, 4);
    let gradients = same(|set| {
        let pool = ComputePool::with_instruction_set(2, set);
        let (mut d, mut d_wide, mut d_weight) = (dy.clone(), vec![0.0; wide.len()], vec![0.0; stride]);
        gated_norm_weight_backward(&pool, SHAPE, norm, ROWS, &x, columns, &d, &mut d_weight);
        let d_z = ColumnsMut { values: &mut d_wide, first: 16, stride: len + 16 };
        gated_norm_backward(&pool, SHAPE, norm, ROWS, &x, columns, &mut d, d_z);
        let d_z = d_wide.chunks_exact(len + 16).flat_map(|row| row[16..].to_vec()).collect();
        [d, d_z, d_weight].concat()
    });
    // 101 is no divisor of a row, and the last inputs are weights.
    assert_gradient(&gradients, &inputs, &dy, 101, reference);
    let tail = inputs.len() - width - 12;
    let of_weight = |weight: &[f64]| reference(&[&double(&inputs[..tail]), weight].concat());
    assert_gradient(&gradients[tail..], &inputs[tail..], &dy, 1, of_weight);
}

#[test]
fn products_and_gates_of_columns() {
    let (rows, columns) = (37, 48);
    let (x, gate, dy) = (values(rows * 64, 1), values(rows * 96, 2), values(rows * columns, 3));
    let (x, gate) = (Columns { values: &x, first: 16, stride: 64 }, Columns { values: &gate, first: 32, stride: 96 });
    let run = |f: &dyn Fn(&ComputePool, ColumnsMut<'_>)| {
        same(|set| {
            let mut y = vec![9.0; rows * columns];
            let to = ColumnsMut { values: &mut y, first: 0, stride: columns };
            f(&ComputePool::with_instruction_set(2, set), to);
            y
        })
    };
    let pairs: Vec<f32> = (0..rows).flat_map(|row| [x.row(row, columns), gate.row(row, columns)].concat()).collect();
    let expected = |f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        let row = |row: &[f64]| (0..columns).map(|i| f(row[i], row[columns + i])).collect::<Vec<_>>();
        double(&pairs).chunks_exact(2 * columns).flat_map(row).collect()
    };
    let products = run(&|pool, y| multiply_rows(pool, rows, columns, x, gate, y));
    assert_close(&products, &expected(&|x, gate| x * gate), 1e-6);
    let gated = run(&|pool, y| sigmoid_gate(pool, rows, columns, x, gate, y));
    assert_close(&gated, &expected(&|x, gate| x * sigmoid(gate)), 1e-6);
    let gradients = same(|set| {
        let (mut d, mut d_gate) = (dy.clone(), vec![9.0; rows * columns]);
        let d_y = ColumnsMut { values: &mut d, first: 0, stride: columns };
        let of_gate = ColumnsMut { values: &mut d_gate, first: 0, stride: columns };
        let pool = ComputePool::with_instruction_set(2, set);
        sigmoid_gate_backward(&pool, rows, columns, x, gate, d_y, of_gate);
        d.chunks_exact(columns).zip(d_gate.chunks_exact(columns)).flat_map(|(d, g)| [d, g].concat()).collect()
    });
    assert_gradient(&gradients, &pairs, &dy, 7, |pairs| {
        let row = |row: &[f64]| (0..columns).map(|i| row[i] * sigmoid(row[columns + i])).collect::<Vec<_>>();
        pairs.chunks_exact(2 * columns).flat_map(row).collect()
    });
}
