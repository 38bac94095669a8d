//! Tests of layers with a recurrent state.

mod delta_rule;
mod gates;

use super::*;
use crate::kernels::recurrent::*;

/// Returns a tree of sequences: branches that fork inside others, also in their first and last rows, and runs of a single row.
fn tree() -> Vec<TreeRun> {
    tree_runs(&[(0, 9, None), (9, 1, Some(2)), (10, 4, Some(9)), (14, 2, None), (16, 3, Some(2)), (19, 2, Some(8))])
}

/// Returns the rows before each row of a tree, the nearest first.
fn ancestors(runs: &[TreeRun]) -> Vec<Vec<usize>> {
    let mut paths: Vec<Vec<usize>> = Vec::new();
    for run in runs {
        for row in run.first_row..run.first_row + run.rows {
            let before = match (row > run.first_row, run.parent) {
                (true, _) => Some(row - 1),
                (false, parent) => parent.map(|parent| runs[parent].first_row + runs[parent].rows - 1),
            };
            paths.push(before.map_or(Vec::new(), |before| [vec![before], paths[before].clone()].concat()));
        }
    }
    paths
}

#[test]
fn branches_are_cut_at_their_forks() {
    let run = |first_row, rows, parent| TreeRun { first_row, rows, parent };
    let expected = [
        run(0, 3, None),
        run(3, 6, Some(0)),
        run(9, 1, Some(0)),
        run(10, 4, Some(2)),
        run(14, 2, None),
        run(16, 3, Some(0)),
        run(19, 2, Some(1)),
    ];
    assert_eq!(tree(), expected);
    assert_eq!(tree_runs(&[]), []);
    let paths = ancestors(&tree());
    assert_eq!(paths[18], [17, 16, 2, 1, 0]);
    assert_eq!(paths[20], [19, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
}

fn silu(x: f64) -> f64 {
    x / (1.0 + (-x).exp())
}

/// A convolution with four columns of padding on the left of x.
struct Case {
    channels: usize,
    taps: usize,
    silu: bool,
    weights: Vec<f32>,
    bias: Option<Vec<f32>>,
    x: Vec<f32>,
}

const ROWS: usize = 21;
const LEFT: usize = 16;

impl Case {
    fn new(channels: usize, taps: usize, silu: bool, bias: bool) -> Self {
        let bias = bias.then(|| values(channels, 3));
        Self { channels, taps, silu, weights: values(taps * channels, 1), bias, x: values(ROWS * (channels + LEFT), 2) }
    }

    fn all() -> Vec<Self> {
        vec![Self::new(32, 4, true, false), Self::new(1040, 3, false, true), Self::new(16, 8, true, true)]
    }

    fn conv(&self) -> Convolution<'_> {
        let Self { channels, taps, silu, .. } = *self;
        Convolution { channels, taps, silu, weights: &self.weights, bias: self.bias.as_deref() }
    }

    fn columns(&self) -> Columns<'_> {
        Columns { values: &self.x, first: LEFT, stride: self.channels + LEFT }
    }

    /// Computes the convolution of x, followed by weights and biases.
    fn reference(&self, inputs: &[f64], runs: &[TreeRun]) -> Vec<f64> {
        let (channels, stride) = (self.channels, self.channels + LEFT);
        let (x, parameters) = inputs.split_at(ROWS * stride);
        let (weights, bias) = parameters.split_at(self.taps * channels);
        let mut y = Vec::new();
        for (row, before) in ancestors(runs).into_iter().enumerate() {
            for c in 0..channels {
                let rows = [row].into_iter().chain(before.iter().copied()).take(self.taps);
                let term = |(distance, row): (usize, usize)| {
                    weights[(self.taps - 1 - distance) * channels + c] * x[row * stride + LEFT + c]
                };
                let sum = rows.enumerate().map(term).sum::<f64>() + bias.get(c).copied().unwrap_or(0.0);
                y.push(if self.silu { silu(sum) } else { sum });
            }
        }
        y
    }

    fn inputs(&self) -> Vec<f32> {
        [&self.x[..], &self.weights, self.bias.as_deref().unwrap_or(&[])].concat()
    }
}

#[test]
fn convolutions_of_trees() {
    for case in Case::all() {
        let runs = tree();
        let y = same(|set| {
            let mut y = vec![9.0; ROWS * case.channels];
            convolution_tree(&ComputePool::with_instruction_set(2, set), case.conv(), case.columns(), &runs, &mut y);
            y
        });
        assert_close(&y, &case.reference(&double(&case.inputs()), &runs), 1e-5);
    }
}

#[test]
fn a_convolution_has_the_same_bits_for_any_cut_and_batch() {
    for case in Case::all() {
        let (conv, channels) = (case.conv(), case.channels);
        let (pool, runs) = (ComputePool::new(3), tree_runs(&[(0, 12, None), (12, 9, None)]));
        let mut expected = vec![9.0; ROWS * channels];
        convolution_tree(&pool, conv, case.columns(), &runs, &mut expected);
        // Rows of both sequences in each call; the rest of a call's rows is computed again, as if it had been drafts.
        for cuts in [&[(12, 9)][..], &[(1, 1); 12], &[(5, 0), (2, 8), (0, 1), (5, 0)], &[(4, 3); 3], &[(9, 0), (3, 9)]]
        {
            let mut states = [vec![0.0; conv.state_len()], vec![0.0; conv.state_len()]];
            let mut done = [0, 0];
            for &(first, second) in cuts {
                let counts = [first.min(12 - done[0]), second.min(9 - done[1])];
                let drafts = [2.min(12 - done[0] - counts[0]), 0];
                let rows = [counts[0] + drafts[0], counts[1] + drafts[1]];
                let starts = [done[0], 12 + done[1]];
                let stride = channels + LEFT;
                let mut x = Vec::new();
                for i in 0..2 {
                    x.extend_from_slice(&case.x[starts[i] * stride..(starts[i] + rows[i]) * stride]);
                }
                let x = Columns { values: &x, first: LEFT, stride };
                let mut y = vec![9.0; (rows[0] + rows[1]) * channels];
                let [a, b] = &mut states;
                let mut runs = [
                    Run { first_row: 0, rows: rows[0], committed: counts[0], state: a },
                    Run { first_row: rows[0], rows: rows[1], committed: counts[1], state: b },
                ];
                convolution(&pool, conv, x, &mut runs, &mut y);
                let (y0, y1) = y.split_at(rows[0] * channels);
                for (y, (start, rows)) in [y0, y1].into_iter().zip(starts.into_iter().zip(rows)) {
                    assert_eq!(bits(y), bits(&expected[start * channels..(start + rows) * channels]));
                }
                (0..2).for_each(|i| done[i] += counts[i]);
            }
            assert_eq!(done, [12, 9]);
        }
    }
}

#[test]
fn gradients_of_convolutions() {
    for (case, checked) in Case::all().into_iter().zip([usize::MAX, 200, usize::MAX]) {
        let (runs, dy, stride) = (tree(), values(ROWS * case.channels, 5), case.channels + LEFT);
        let (x_len, weights_len) = (ROWS * stride, case.taps * case.channels);
        for threads in [1, 3] {
            let found = same(|set| {
                let pool = ComputePool::with_instruction_set(threads, set);
                let (mut d_y, mut d_x) = (dy.clone(), vec![0.0; x_len]);
                let columns = ColumnsMut { values: &mut d_x, first: LEFT, stride };
                convolution_backward(&pool, case.conv(), case.columns(), &runs, &mut d_y, columns);
                let mut d_bias = case.bias.as_ref().map(|bias| vec![0.5; bias.len()]);
                let (mut d_weights, bias) = (vec![0.5; weights_len], d_bias.as_deref_mut());
                convolution_weights_backward(&pool, case.conv(), case.columns(), &runs, &d_y, &mut d_weights, bias);
                [d_x, d_weights, d_bias.unwrap_or_default()].concat()
            });
            let inputs = case.inputs();
            let at = |i: usize, step: f64| -> f64 {
                let mut inputs = double(&inputs);
                inputs[i] += step;
                case.reference(&inputs, &runs).iter().zip(&dy).map(|(y, d)| y * f64::from(*d)).sum()
            };
            for i in (0..inputs.len()).step_by((inputs.len() / checked).max(1)) {
                let before = if i < x_len { 0.0 } else { 0.5 };
                let expected = before + (at(i, 1e-6) - at(i, -1e-6)) / 2e-6;
                assert_close(&found[i..=i], &[expected], 2e-5);
            }
        }
    }
}
