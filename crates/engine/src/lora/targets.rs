//! Projections of a model that an adapter changes.

use trainyard_model_options::{LoraOptions, TargetModules};

use crate::config::{LayerKind, ModelConfig};
use crate::model::Projection;

impl ModelConfig {
    /// Returns the projections that can have an adapter: all, or those outside the feed-forward part if the model has experts.
    pub fn lora_targets(&self) -> TargetModules {
        let feed_forward = [Projection::Gate, Projection::Up, Projection::GateUp, Projection::Down];
        let possible = |projection: Projection| {
            LayerKind::ALL.into_iter().any(|kind| self.layers_of(kind) > 0 && projection.is_in(self, kind))
                && (self.experts.is_none() || !feed_forward.contains(&projection))
        };
        TargetModules::from_flags(Projection::ALL.map(possible))
    }

    /// Returns the default options of an adapter: every projection that can have one is a target.
    pub fn lora_options(&self) -> LoraOptions {
        LoraOptions { targets: self.lora_targets(), ..LoraOptions::default() }
    }
}

impl Projection {
    /// Returns whether this projection has an adapter, in layers that have it.
    pub(crate) fn is_targeted(self, targets: TargetModules) -> bool {
        targets.flags()[self as usize]
    }

    /// Returns whether this projection has an adapter in the layers of a kind.
    pub(crate) fn is_targeted_in(self, targets: TargetModules, config: &ModelConfig, kind: LayerKind) -> bool {
        self.is_targeted(targets) && self.is_in(config, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_projections() {
        for (projection, name) in Projection::ALL.into_iter().zip(TargetModules::NAMES) {
            assert_eq!(projection.name().rsplit('.').next(), Some(name));
            let only = TargetModules::from_names([name]).unwrap();
            assert_eq!(Projection::ALL.map(|other| other.is_targeted(only)), Projection::ALL.map(|p| p == projection));
        }
    }
}
