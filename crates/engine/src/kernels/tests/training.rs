//! Tests of the kernels of the backward pass and of the optimizer.

use super::*;
use crate::kernels::adam::{AdamStep, adam, adam_stays_finite};
use crate::kernels::cross_entropy::{GradientFormat, TokenScore, score_and_differentiate};
use crate::kernels::products::{
    NarrowFactor, matmul, matmul_pairs, narrow_index, narrow_products, narrow_width, round_rows, round_split_rows,
};
use crate::kernels::units::rounded;

#[test]
fn the_gradient_of_a_log_probability_is_left_in_the_row() {
    for (len, padded) in [(1, 16), (16, 16), (77, 80), (100, 112)] {
        let mut logits = values(len, 5);
        logits.iter_mut().for_each(|x| *x *= 5.0);
        logits[len / 3] = f32::NEG_INFINITY;
        let target = len / 2;
        logits[target] = 1.0;
        let row: Vec<f32> = logits.iter().copied().chain(std::iter::repeat_n(9.0, padded - len)).collect();
        let p = softmax_reference(&double(&logits));
        let expected: Vec<f64> = p
            .iter()
            .enumerate()
            .map(|(i, p)| if i == target { 1.0 - p } else { -p })
            .chain(vec![0.0; padded - len])
            .collect();
        let gradient = same(|set| {
            let mut row = row.clone();
            let TokenScore { logprob, entropy } =
                score_and_differentiate(set, &mut row, len, target, GradientFormat::F32);
            let stats = log_softmax_with(set, &logits);
            assert_eq!((logprob, entropy), (stats.logprob(logits[target]), stats.entropy), "the bits of serving");
            row
        });
        assert_close(&gradient, &expected, 1e-5);
        let pairs = same(|set| {
            let mut row = row.clone();
            score_and_differentiate(set, &mut row, len, target, GradientFormat::Bf16Pairs);
            row.truncate(padded / 2);
            row
        });
        for (i, pair) in pairs.iter().enumerate() {
            let pair = pair.to_bits();
            let expected = rounded(gradient[2 * i]) | rounded(gradient[2 * i + 1]) >> 16;
            assert_eq!(pair, expected, "pair {i} of {len}");
        }
    }
}

#[test]
fn a_gradient_of_spoilt_logits_is_not_finite() {
    for invalid in [f32::NAN, f32::INFINITY] {
        for set in InstructionSet::available() {
            let mut row = values(32, 1);
            row[20] = invalid;
            let score = score_and_differentiate(set, &mut row, 32, 3, GradientFormat::F32);
            assert!(score.logprob.is_nan());
        }
    }
}

#[test]
fn values_are_rounded_to_pairs_alike_everywhere() {
    let special =
        [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-40];
    let around = |bits: u32| (0..4).map(move |step| f32::from_bits(bits + step * 0x7fff));
    for depth in [1, 2, 31, 32, 33, 64, 99] {
        let mut x = values(5 * depth, 7);
        let odd =
            special.into_iter().chain(around(0x3f80_7fff)).chain(around((127 - 56) << 23)).chain(around(0xff7f_0000));
        x.iter_mut().rev().step_by(3).zip(odd.cycle()).for_each(|(x, odd)| *x = odd);
        let width = usize::div_ceil(depth, 2);
        for set in InstructionSet::available() {
            let mut pairs = vec![1; 5 * width];
            round_rows(set, &x, depth, &mut pairs);
            for (row, pairs) in x.chunks_exact(depth).zip(pairs.chunks_exact(width)) {
                for (i, pair) in pairs.iter().enumerate() {
                    let second = row.get(2 * i + 1).map_or(0, |x| rounded(*x) >> 16);
                    assert_eq!(*pair, rounded(row[2 * i]) | second, "{} {:?}", set.name(), &row[2 * i..]);
                }
            }
            let width = 2 * width;
            let mut words = vec![1; 5 * width];
            round_split_rows(set, &x, depth, &mut words);
            for (row, words) in x.chunks_exact(depth).zip(words.chunks_exact(width)) {
                let expected = row.iter().map(|x| rounded(*x)).chain([0]).take(width);
                assert!(expected.eq(words.iter().copied()), "{} {row:?}", set.name());
            }
        }
    }
}

#[test]
fn a_product_of_rounded_rows_is_that_of_the_rows() {
    let (rows, depth, columns, stride) = (70, 99, 48, 60);
    let (x, w) = (values(rows * depth, 1), values(depth * columns, 2));
    let y = same(|set| {
        let pool = ComputePool::with_instruction_set(2, set);
        let panels = Panels::pack(&pool, WeightFormat::Bf16, depth, &[columns], &|column, values| {
            (0..depth).for_each(|k| values[k] = w[k * columns + column]);
        });
        let mut pairs = vec![f32::NAN; rows * stride];
        for (x, pairs) in x.chunks_exact(depth).zip(pairs.chunks_exact_mut(stride)) {
            let mut rounded = vec![0; depth.div_ceil(2)];
            round_rows(set, x, depth, &mut rounded);
            pairs.iter_mut().zip(rounded).for_each(|(value, pair)| *value = f32::from_bits(pair));
        }
        let (mut y, mut expected) = (vec![f32::NAN; rows * columns], vec![f32::NAN; rows * columns]);
        matmul_pairs(&pool, rows, &pairs, stride, &panels, &mut y);
        matmul(&pool, rows, &x, &panels, &mut expected, false, &[]);
        assert_eq!(bits(&y), bits(&expected));
        y
    });
    assert!(y.iter().all(|y| y.is_finite()));
}

#[test]
fn products_with_few_columns() {
    for (rows, columns) in [(1, 1), (7, 8), (21, 3), (40, 16), (13, 20), (9, 70)] {
        let parts = [(4..36, 0), (40..56, 40)];
        let (stride, steps) = (60, 56);
        let (a, b) = (values(rows * stride, 1), values(steps * columns, 2));
        let mut packed = vec![0.0; steps * narrow_width(columns)];
        for k in 0..steps {
            (0..columns).for_each(|column| packed[narrow_index(k, column, columns)] = b[k * columns + column]);
        }
        let c = same(|set| {
            let mut c = vec![9.0; rows * 2 * columns];
            let factor = NarrowFactor { values: &packed, columns, parts: &parts };
            narrow_products(&ComputePool::with_instruction_set(2, set), rows, &a, stride, factor, &mut c);
            c
        });
        let mut expected = Vec::new();
        for row in 0..rows {
            for (part, first) in &parts {
                for column in 0..columns {
                    let term = |k: usize| {
                        let b = b[(first + k - part.start) * columns + column];
                        f64::from(a[row * stride + k]) * f64::from(b)
                    };
                    expected.push(part.clone().map(term).sum::<f64>());
                }
            }
        }
        assert_close(&c, &expected, 1e-5);
    }
}

#[test]
fn a_step_of_adam() {
    let step = AdamStep { clip: 0.5, decay: 0.999, beta1: 0.9, beta2: 0.99, step_size: 0.01, root2: 0.3, eps: 1e-8 };
    for len in [0, 1, 16, 37] {
        let (p, g, m) = (values(len, 1), values(len, 2), values(len, 3));
        let v: Vec<f32> = values(len, 4).iter().map(|v| v * v).collect();
        let found = same(|set| {
            let (mut p, mut m, mut v) = (p.clone(), m.clone(), v.clone());
            assert!(adam_stays_finite(set, step, &p, &g, &m, &v));
            adam(set, step, &mut p, &g, &mut m, &mut v);
            [p, m, v].concat()
        });
        let mut expected = [Vec::new(), Vec::new(), Vec::new()];
        for i in 0..len {
            let g = 0.5 * f64::from(g[i]);
            let (m, v) = (0.9 * f64::from(m[i]) + 0.1 * g, 0.99 * f64::from(v[i]) + 0.01 * g * g);
            expected[0].push(0.999 * f64::from(p[i]) - 0.01 * m / (v.sqrt() / 0.3 + 1e-8));
            expected[1].push(m);
            expected[2].push(v);
        }
        assert_close(&found, &expected.concat(), 1e-5);
    }
    for set in InstructionSet::available() {
        let parameters = [1.0, f32::MAX, 2.0];
        let huge = AdamStep { step_size: -f32::MAX, ..step };
        assert!(!adam_stays_finite(set, huge, &parameters, &[1.0; 3], &[1.0; 3], &[1.0; 3]));
    }
}
