//! Backward pass of gated delta networks. The forward pass keeps the output of the projections only; the states of the delta rule,
//! and all that the gradients read besides, are computed again.

use super::weight_gradients::LayerHook;
use crate::kernels::recurrent::{
    CHECKPOINT_ROWS, ColumnsMut, DeltaBackward, DeltaInputs, TreeRun, convolution_backward, convolution_tree,
    delta_gates, delta_gates_backward, delta_gates_weights_backward, delta_rule_backward, delta_rule_tree, gated_norm,
    gated_norm_backward, gated_norm_weight_backward, normalise_heads, normalise_heads_backward,
};
use crate::kernels::{Buffer, ComputePool};
use crate::model::{DeltaLayout, DeltaPart, DeltaWeights, LayerPart};

/// Memory of the backward pass of delta networks, shared by all layers.
#[derive(Default)]
pub(super) struct DeltaBackwardMemory {
    /// Normalised queries and keys, and values.
    mixed: Buffer,
    /// Factors of the normalisation.
    roots: Buffer,
    /// Decays and strengths.
    gates: Buffer,
    d_mixed: Buffer,
    d_gates: Buffer,
    /// States of the delta rule.
    checkpoints: Buffer,
    scratch: Buffer,
}

impl DeltaBackwardMemory {
    /// Returns the lengths of the buffers in f32, for the rows of a forest.
    pub(super) fn lengths(layout: &DeltaLayout, runs: &[TreeRun]) -> [usize; 7] {
        let (shape, rows) = (layout.shape, super::backward::rows_of(runs));
        let row = |len: usize| rows.saturating_mul(len);
        let [mixed, gates] = [shape.qkv_len(), 2 * shape.gate_stride()].map(row);
        let checkpoints = shape.checkpoints_len(runs, CHECKPOINT_ROWS);
        [mixed, row(2 * shape.key_heads), gates, mixed, gates, checkpoints, shape.backward_len(runs)]
    }

    pub(super) fn reserve(&mut self, layout: &DeltaLayout, runs: &[TreeRun]) {
        let Self { mixed, roots, gates, d_mixed, d_gates, checkpoints, scratch } = self;
        let buffers = [mixed, roots, gates, d_mixed, d_gates, checkpoints, scratch];
        for (buffer, len) in buffers.into_iter().zip(Self::lengths(layout, runs)) {
            buffer.reserve(len);
        }
    }

    /// Returns the gradient of the output of the projections of decays and strengths, once it is computed.
    pub(super) fn d_gates(&self, network: &DeltaNetwork<'_>) -> &[f32] {
        &self.d_gates[..network.rows * 2 * network.layout.shape.gate_stride()]
    }
}

/// Delta network of a layer, over the rows of a forest.
pub(super) struct DeltaNetwork<'a> {
    pub(super) pool: &'a ComputePool,
    pub(super) layout: &'a DeltaLayout,
    pub(super) weights: &'a DeltaWeights,
    pub(super) eps: f32,
    pub(super) rows: usize,
    pub(super) runs: &'a [TreeRun],
}

impl DeltaNetwork<'_> {
    /// Computes the forward pass again from the output of the projections, up to `y`, the input of the output projection, and keeps
    /// what the backward pass reads. `out` has the output of the delta rule.
    pub(super) fn again(
        &self,
        input: &[f32],
        projected: &[f32],
        memory: &mut DeltaBackwardMemory,
        out: &mut [f32],
        y: &mut [f32],
    ) {
        let Self { pool, layout, weights, eps, rows, runs } = *self;
        let (shape, conv) = (layout.shape, weights.convolution(layout));
        let [x, z] = layout.split_input(input);
        let [a, b] = layout.split_gates(projected);
        let DeltaBackwardMemory { mixed, roots, gates, checkpoints, .. } = memory;
        let mixed = &mut mixed[..rows * shape.qkv_len()];
        convolution_tree(pool, conv, x, runs, mixed);
        normalise_heads(pool, shape, rows, mixed, Some(roots));
        delta_gates(pool, weights.decay(), rows, a, b, gates);
        let checkpoints = &mut checkpoints[..shape.checkpoints_len(runs, CHECKPOINT_ROWS)];
        delta_rule_tree(pool, shape, DeltaInputs { qkv: mixed, gates }, runs, CHECKPOINT_ROWS, checkpoints, out);
        gated_norm(pool, shape, weights.norm(eps), rows, out, z, y);
    }

    /// Replaces the gradient of `y` by that of `out`, and computes those of the output of the projections: `d_input`, and the decays'
    /// and strengths' in `memory`. Adds the gradients of the weights if `hook` collects them.
    #[allow(clippy::too_many_arguments)] // the state of a pass, owned by the session
    pub(super) fn backward(
        &self,
        input: &[f32],
        projected: &[f32],
        memory: &mut DeltaBackwardMemory,
        out: &[f32],
        d_y: &mut [f32],
        d_input: &mut [f32],
        hook: &mut LayerHook<'_>,
    ) {
        let Self { pool, layout, weights, eps, rows, runs } = *self;
        let (shape, conv, norm) = (layout.shape, weights.convolution(layout), weights.norm(eps));
        let [x, z] = layout.split_input(input);
        let [a, b] = layout.split_gates(projected);
        let DeltaBackwardMemory { mixed, roots, gates, d_mixed, d_gates, checkpoints, scratch } = memory;
        let (mixed, d_mixed) = (&mixed[..rows * shape.qkv_len()], &mut d_mixed[..rows * shape.qkv_len()]);
        let d_gates = &mut d_gates[..rows * 2 * shape.gate_stride()];
        if let Some(gradient) = hook.of(LayerPart::Delta(DeltaPart::Norm)) {
            gated_norm_weight_backward(pool, shape, norm, rows, out, z, d_y, gradient);
        }
        let stride = layout.input_columns();
        let d_z = ColumnsMut { values: &mut *d_input, first: layout.mixed.padded_len(), stride };
        gated_norm_backward(pool, shape, norm, rows, out, z, d_y, d_z);
        delta_rule_backward(
            pool,
            shape,
            DeltaBackward {
                inputs: DeltaInputs { qkv: mixed, gates },
                runs,
                checkpoints: &checkpoints[..shape.checkpoints_len(runs, CHECKPOINT_ROWS)],
                d_out: d_y,
                d_qkv: &mut *d_mixed,
                d_gates: &mut *d_gates,
                scratch: &mut scratch[..shape.backward_len(runs)],
            },
        );
        if let Some([log, bias]) = hook.decay() {
            delta_gates_weights_backward(pool, weights.decay(), rows, a, d_gates, log, bias);
        }
        delta_gates_backward(pool, weights.decay(), rows, a, b, d_gates);
        normalise_heads_backward(pool, shape, rows, mixed, roots, d_mixed);
        convolution_backward(pool, conv, x, runs, d_mixed, ColumnsMut { values: d_input, first: 0, stride });
        hook.convolution(conv, x, runs, d_mixed, [LayerPart::Delta(DeltaPart::Convolution)]);
    }
}

#[cfg(test)]
mod for_tests {
    use super::Buffer;

    impl super::DeltaBackwardMemory {
        pub(crate) fn buffers(&self) -> [&Buffer; 7] {
            let Self { mixed, roots, gates, d_mixed, d_gates, checkpoints, scratch } = self;
            [mixed, roots, gates, d_mixed, d_gates, checkpoints, scratch]
        }
    }
}
