//! AdamW update of a tensor.

use super::units::{Simd, kernel};

/// Constants of a step, the same for every element.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// Factor on the gradient that limits its norm.
    pub clip: f32,
    /// Factor on the parameter: one minus learning rate times weight decay.
    pub decay: f32,
    /// Decay rate of the first moment.
    pub beta1: f32,
    /// Decay rate of the second moment.
    pub beta2: f32,
    /// Learning rate divided by the first moment's bias correction.
    pub step_size: f32,
    /// Square root of the second moment's bias correction.
    pub root2: f32,
    /// Epsilon added to the root of the second moment.
    pub eps: f32,
}

impl AdamStep {
    /// Returns parameter and moments after the step. It uses single operations in a fixed order, so the bits do not
    /// depend on the vectorisation.
    #[inline(always)]
    fn element(self, parameter: f32, gradient: f32, first: f32, second: f32) -> [f32; 3] {
        let Self { clip, decay, beta1, beta2, step_size, root2, eps } = self;
        let g = gradient * clip;
        let first = first + (g - first) * (1.0 - beta1);
        let second = second * beta2 + (1.0 - beta2) * g * g;
        let parameter = parameter * decay - step_size * (first / (second.sqrt() / root2 + eps));
        [parameter, first, second]
    }
}

#[inline(always)]
fn stays_finite_generic<S: Simd>(
    _simd: S,
    step: AdamStep,
    parameters: &[f32],
    gradients: &[f32],
    first: &[f32],
    second: &[f32],
) -> bool {
    let mut finite = true;
    let moments = first.iter().zip(second);
    for ((p, g), (m, v)) in parameters.iter().zip(gradients).zip(moments) {
        finite &= step.element(*p, *g, *m, *v)[0].is_finite();
    }
    finite
}

kernel! {
    /// Returns whether all parameters are finite after [`adam`].
    pub fn adam_stays_finite(
        step: AdamStep, parameters: &[f32], gradients: &[f32], first: &[f32], second: &[f32],
    ) -> bool = stays_finite_generic;
}

#[inline(always)]
fn adam_generic<S: Simd>(
    _simd: S,
    step: AdamStep,
    parameters: &mut [f32],
    gradients: &[f32],
    first: &mut [f32],
    second: &mut [f32],
) {
    let moments = first.iter_mut().zip(second);
    for ((p, g), (m, v)) in parameters.iter_mut().zip(gradients).zip(moments) {
        [*p, *m, *v] = step.element(*p, *g, *m, *v);
    }
}

kernel! {
    /// Applies one step to a tensor: parameters, gradients and the two moments, all of the same length.
    pub fn adam(
        step: AdamStep, parameters: &mut [f32], gradients: &[f32], first: &mut [f32], second: &mut [f32],
    ) = adam_generic;
}
