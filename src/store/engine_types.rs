//! The types of the engine that records contain.

pub(super) use crate::engine::sampler::AdapterEffect;
#[cfg(test)]
pub(super) use crate::engine::{LoraOptions, TargetModules};
pub(super) use crate::engine::{TrainingMethod, WeightFormat};
