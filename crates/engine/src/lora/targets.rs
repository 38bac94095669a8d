//! Projections of a model that an adapter changes.

use trainyard_model_options::{LoraOptions, TargetModules};

use crate::config::{Family, LayerKind, ModelConfig};
use crate::model::Projection;

impl ModelConfig {
    /// Returns the projections that can have an adapter: all, or those outside the feed-forward part if the model has experts and no shared one.
    pub fn lora_targets(&self) -> TargetModules {
        let feed_forward = [Projection::Gate, Projection::Up, Projection::GateUp, Projection::Down];
        let possible = |projection: Projection| {
            LayerKind::ALL.into_iter().any(|kind| self.layers_of(kind) > 0 && projection.is_in(self, kind))
                && (self.experts.as_ref().is_none_or(|experts| experts.has_shared)
                    || !feed_forward.contains(&projection))
        };
        let mut flags = TargetModules::NONE.flags();
        Projection::ALL.into_iter().filter(|one| possible(*one)).for_each(|one| flags[one.target(self.family)] = true);
        TargetModules::from_flags(flags)
    }

    /// Returns the default options of an adapter: every projection that can have one is a target.
    pub fn lora_options(&self) -> LoraOptions {
        LoraOptions { targets: self.lora_targets(), ..LoraOptions::default() }
    }
}

impl Projection {
    /// Returns the index of its module's name among [`TargetModules::NAMES`]. Parts of a layer may have modules of one name.
    pub(crate) fn target(self, family: Family) -> usize {
        let name = self.name(family).rsplit('.').next();
        TargetModules::NAMES.iter().position(|target| Some(*target) == name).expect("every module can be a target")
    }

    /// Returns whether this projection has an adapter, in layers that have it.
    pub(crate) fn is_targeted(self, targets: TargetModules, family: Family) -> bool {
        targets.flags()[self.target(family)]
    }

    /// Returns whether this projection has an adapter in the layers of a kind.
    pub(crate) fn is_targeted_in(self, targets: TargetModules, config: &ModelConfig, kind: LayerKind) -> bool {
        self.is_targeted(targets, config.family) && self.is_in(config, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_projection_of_a_family_is_the_target_of_its_name() {
        let mut named = TargetModules::NONE.flags();
        for family in Family::ALL {
            for projection in Projection::ALL {
                let target = projection.target(family);
                let only = TargetModules::from_names([TargetModules::NAMES[target]]).unwrap();
                assert!(projection.is_targeted(only, family), "{family:?} {projection:?}");
                named[target] = true;
            }
        }
        assert!(named.into_iter().all(|named| named), "each name is one of a projection: {named:?}");
    }
}
