//! Backward pass through the experts of a layer, whose weights are frozen: gradient of their input, also by way of the
//! router.

use super::experts::{ExpertMemory, Routing};
use super::row_wise::gated_rows;
use crate::config::Activation;
use crate::kernels::products::matmul;
use crate::kernels::rows::{dot, softmax_backward, swiglu_backward};
use crate::kernels::{ComputePool, ROW_BLOCK, for_row_blocks, with_scratch};
use crate::model::{Experts, Layout};

/// Writes the gradient of the experts' input to `d_normed`, given that of their output. It replaces `probabilities` and
/// `gate_up` of the forward pass by gradients. `d_wide` has room for the values between the projections.
///
/// The gradient of an assignment's weight is the product of its output `W h` and the gradient `dy` of the row's sum. It
/// is computed as `h (W^T dy)`, so that no output needs to be kept.
#[allow(clippy::too_many_arguments)] // the state of a pass, owned by the session
pub(crate) fn experts_backward(
    pool: &ComputePool,
    layout: &Layout,
    experts: &Experts,
    rows: usize,
    d_output: &[f32],
    memory: ExpertMemory<'_>,
    d_wide: &mut [f32],
    d_normed: &mut [f32],
) {
    let ExpertMemory { probabilities, gate_up, wide, routed } = memory;
    let (hidden, router) = (layout.hidden.padded_len(), layout.router());
    let (set, width) = (pool.instruction_set(), experts.linears[0][1].forward.depth());
    let routing = Routing::new(experts.choice, rows, probabilities, router);
    let assignments = routing.len();
    routing.gather(pool, hidden, d_output, routed);
    gated_rows(pool, Activation::Silu, width, assignments, gate_up, wide);
    routing.multiply(pool, routed, |expert| experts.linears[expert][1].backward(pool), d_wide);
    let mut by_weight = vec![0.0; assignments];
    let outputs = [(&mut gate_up[..], 2 * width), (&mut *d_wide, width), (&mut by_weight[..], 1)];
    for_row_blocks(pool, assignments, ROW_BLOCK, outputs, &|block, [gate_up, d_wide, by_weight]| {
        let rows = gate_up.chunks_exact_mut(2 * width).zip(d_wide.chunks_exact_mut(width)).zip(by_weight);
        for (assignment, ((gate_up, d_wide), by_weight)) in block.zip(rows) {
            *by_weight = dot(set, d_wide, &wide[assignment * width..][..width]);
            d_wide.iter_mut().for_each(|gradient| *gradient *= routing.weights[assignment]);
            let (gate, up) = gate_up.split_at_mut(width);
            swiglu_backward(set, gate, up, d_wide);
        }
    });
    routing.multiply(pool, gate_up, |expert| experts.linears[expert][0].backward(pool), routed);
    for_row_blocks(pool, rows, ROW_BLOCK, [(&mut probabilities[..], router)], &|block, [probabilities]| {
        with_scratch(router, |gradient| {
            for (row, probabilities) in block.zip(probabilities.chunks_exact_mut(router)) {
                routing.probability_gradient(row, &by_weight, gradient);
                let delta = dot(set, probabilities, gradient);
                softmax_backward(set, probabilities, gradient, delta, experts.choice.count);
                probabilities.copy_from_slice(gradient);
            }
        });
    });
    matmul(pool, rows, probabilities, experts.router.backward(pool), d_normed, false, &[]);
    routing.combine(pool, hidden, routed, false, d_normed);
}
