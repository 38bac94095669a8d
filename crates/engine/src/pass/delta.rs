//! Gated delta networks: a convolution over queries, keys and values, the gated delta rule, and the norm and gate of its output.

use super::context::States;
use crate::kernels::ComputePool;
use crate::kernels::recurrent::{
    Columns, DeltaInputs, Run, convolution, convolution_tree, delta_gates, delta_rule, delta_rule_tree, gated_norm,
    normalise_heads,
};
use crate::model::{DeltaLayout, DeltaWeights};

/// Memory of a delta network in a pass.
pub(super) struct DeltaMemory<'a> {
    /// Output of the projections of queries, keys, values and output gate.
    pub(super) input: &'a [f32],
    /// Output of the projections of decays and strengths.
    pub(super) projected: &'a [f32],
    /// Memory for decays and strengths.
    pub(super) gates: &'a mut [f32],
    /// Memory for the output of the delta rule.
    pub(super) out: &'a mut [f32],
    /// Memory for the rows of the convolution, and later those of the result.
    pub(super) wide: &'a mut [f32],
}

impl DeltaLayout {
    /// Returns the number of columns of the projections of queries, keys, values and output gate.
    pub(super) fn input_columns(&self) -> usize {
        self.mixed.padded_len() + self.values.padded_len()
    }

    /// Returns the columns of queries, keys and values, and those of the output gate.
    pub(super) fn split_input<'a>(&self, values: &'a [f32]) -> [Columns<'a>; 2] {
        [0, self.mixed.padded_len()].map(|first| Columns { values, first, stride: self.input_columns() })
    }

    /// Returns the columns of decays, and those of strengths.
    pub(super) fn split_gates<'a>(&self, values: &'a [f32]) -> [Columns<'a>; 2] {
        let width = self.heads.padded_len();
        [0, width].map(|first| Columns { values, first, stride: 2 * width })
    }
}

/// Computes a delta network up to the input of its output projection, `[rows, values]`, which is returned. `layer` is the index among
/// the layers with one.
#[allow(clippy::too_many_arguments)] // the parts of a layer and of a call
pub(super) fn delta_forward<'a>(
    pool: &ComputePool,
    layout: &DeltaLayout,
    weights: &DeltaWeights,
    eps: f32,
    rows: usize,
    memory: DeltaMemory<'a>,
    states: &mut States<'_>,
    layer: usize,
) -> &'a [f32] {
    let DeltaMemory { input, projected, gates, out, wide } = memory;
    let (shape, conv) = (layout.shape, weights.convolution(layout));
    let [x, z] = layout.split_input(input);
    let [a, b] = layout.split_gates(projected);
    let mixed = &mut wide[..rows * shape.qkv_len()];
    delta_gates(pool, weights.decay(), rows, a, b, gates);
    match states {
        States::Sequences(sequences) => {
            let (mut before, mut rules) = (Vec::with_capacity(sequences.len()), Vec::with_capacity(sequences.len()));
            for run in sequences.iter_mut() {
                let own = &mut run.states[layer * layout.state_len()..][..layout.state_len()];
                let (convolution, rule) = own.split_at_mut(layout.convolution_state_len());
                let (first_row, rows) = (run.first_row, run.rows);
                before.push(Run { first_row, rows, committed: rows, state: convolution });
                rules.push(Run { first_row, rows, committed: rows, state: rule });
            }
            convolution(pool, conv, x, &mut before, mixed);
            normalise_heads(pool, shape, rows, mixed, None);
            delta_rule(pool, shape, DeltaInputs { qkv: mixed, gates }, &mut rules, out);
        }
        States::Forest(runs, checkpoints) => {
            convolution_tree(pool, conv, x, runs, mixed);
            normalise_heads(pool, shape, rows, mixed, None);
            delta_rule_tree(pool, shape, DeltaInputs { qkv: mixed, gates }, runs, usize::MAX, checkpoints, out);
        }
    }
    let y = &mut wide[..rows * shape.value_len()];
    gated_norm(pool, shape, weights.norm(eps), rows, out, z, y);
    y
}
