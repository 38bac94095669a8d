//! Factors of an adapter, and their names.

use crate::model::{PROJECTIONS, Projection};

/// Factors A and B of one projection, or two matrices of their shapes (gradients, optimizer moments). Both are empty if
/// the projection has no adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Factors {
    /// A: `[rank, in]`
    pub(crate) a: Vec<f32>,
    /// B: `[out, rank]`
    pub(crate) b: Vec<f32>,
}

impl Factors {
    /// Returns zeros of the same shape.
    pub(crate) fn zeros_like(&self) -> Self {
        Self { a: vec![0.0; self.a.len()], b: vec![0.0; self.b.len()] }
    }

    /// Returns whether the projection has no adapter.
    pub(crate) fn is_empty(&self) -> bool {
        self.a.is_empty()
    }
}

/// Factors of a layer's projections, in the order of [`Projection::ALL`].
pub(crate) type LayerFactors = [Factors; PROJECTIONS];

/// Returns the projections of a layer that have an adapter.
pub(crate) fn present(layer: &LayerFactors) -> impl Iterator<Item = (Projection, &Factors)> {
    Projection::ALL.into_iter().zip(layer).filter(|(_, factors)| !factors.is_empty())
}

/// Returns each factor of all layers, with its layer, its projection and its side, A or B.
pub(crate) fn each_factor(layers: &[LayerFactors]) -> impl Iterator<Item = (usize, Projection, char, &Vec<f32>)> {
    let factors = layers.iter().enumerate().flat_map(|(layer, factors)| present(factors).map(move |one| (layer, one)));
    factors
        .flat_map(|(layer, (projection, Factors { a, b }))| [(layer, projection, 'A', a), (layer, projection, 'B', b)])
}

/// Returns the name of a projection's parameters, such as `layers.0.self_attn.q_proj`.
pub(crate) fn parameter_name(layer: usize, projection: Projection) -> String {
    format!("layers.{layer}.{}", projection.name())
}

pub(super) fn peft_name(parameter: &str, side: char) -> String {
    format!("base_model.model.model.{parameter}.lora_{side}.weight")
}

/// Returns all factors by PEFT's names.
pub(crate) fn named_values(layers: &[LayerFactors]) -> Vec<(String, Vec<f32>)> {
    let name = |layer, projection, side| peft_name(&parameter_name(layer, projection), side);
    each_factor(layers)
        .map(|(layer, projection, side, values)| (name(layer, projection, side), values.clone()))
        .collect()
}
