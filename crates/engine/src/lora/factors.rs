//! Factors of an adapter, and their names.

use crate::config::Family;
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
pub(crate) fn parameter_name(layer: usize, projection: Projection, family: Family) -> String {
    format!("layers.{layer}.{}", projection.name(family))
}

/// Modules that have the layers: of a decoder, and of one inside a model that reads images too. The first of these is that of
/// `transformers` from 4.52 on, the name that vLLM finds; the second is older, and the last is of an adapter for the decoder alone.
const DECODER: [&str; 1] = ["model"];
const TEXT_PART: [&str; 3] = ["model.language_model", "language_model.model", "model"];

/// Returns the modules that have the layers in an adapter's names. The first one is written, and all are read.
pub(super) fn layers_modules(is_text_part: bool) -> &'static [&'static str] {
    if is_text_part { &TEXT_PART } else { &DECODER }
}

/// Returns PEFT's name of a factor.
pub(super) fn peft_name(module: &str, parameter: &str, side: char) -> String {
    format!("base_model.model.{module}.{parameter}.lora_{side}.weight")
}

/// Returns all factors by PEFT's names.
pub(crate) fn named_values(layers: &[LayerFactors], family: Family) -> Vec<(String, Vec<f32>)> {
    let name = |layer, projection, side| peft_name(DECODER[0], &parameter_name(layer, projection, family), side);
    each_factor(layers)
        .map(|(layer, projection, side, values)| (name(layer, projection, side), values.clone()))
        .collect()
}
