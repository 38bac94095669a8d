//! Options of a LoRA adapter: rank, scale and target projections.

use serde::{Deserialize, Serialize};

/// Maximum rank of an adapter.
pub const MAX_RANK: usize = 1024;
/// Number of names of projections.
const PROJECTIONS: usize = TargetModules::NAMES.len();

/// Error of invalid LoRA options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoraOptionsError {
    /// The rank is zero or too large.
    #[error("the rank is {0}, it must lie from 1 to {MAX_RANK}")]
    Rank(usize),
    /// Alpha is zero, negative or not finite.
    #[error("alpha is {0}, it must be a finite number above 0")]
    Alpha(f32),
    /// No projection is listed.
    #[error("no target module is named; name at least one of {}", TargetModules::NAMES.join(", "))]
    NoTarget,
    /// An unknown projection name.
    #[error("there is no target module {name:?}; there are {all}", name = .0, all = TargetModules::NAMES.join(", "))]
    Target(String),
}

/// Rank, scale and targets of an adapter. The defaults are rank 8, alpha 16, the projections of
/// [`TargetModules::SEPARATE`], and the scale `alpha / rank`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoraOptions {
    /// Rank of the update.
    pub rank: usize,
    /// Numerator of the scale.
    pub alpha: f32,
    /// Projections that have an adapter.
    #[serde(rename = "target_modules")]
    pub targets: TargetModules,
    /// Whether the scale is `alpha / sqrt(rank)` instead of `alpha / rank`, so that the update's size does not decrease
    /// as the rank grows (Kalajdzievski 2023, "A rank stabilization scaling factor for fine-tuning with LoRA").
    #[serde(rename = "use_rslora")]
    pub rank_stabilised: bool,
}

impl Default for LoraOptions {
    fn default() -> Self {
        Self { rank: 8, alpha: 16.0, targets: TargetModules::SEPARATE, rank_stabilised: false }
    }
}

impl LoraOptions {
    /// Creates options with this rank and alpha, and the default targets and scale.
    pub fn new(rank: usize, alpha: f32) -> Self {
        Self { rank, alpha, ..Self::default() }
    }

    /// Returns the factor on the update `B A x`.
    pub fn scale(&self) -> f32 {
        let (alpha, rank) = (f64::from(self.alpha), self.rank as f64);
        (alpha / if self.rank_stabilised { rank.sqrt() } else { rank }) as f32
    }

    /// Checks that an adapter can be created with the options.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn check(&self) -> Result<(), LoraOptionsError> {
        if !(1..=MAX_RANK).contains(&self.rank) {
            return Err(LoraOptionsError::Rank(self.rank));
        }
        if !(self.alpha.is_finite() && self.alpha > 0.0) {
            return Err(LoraOptionsError::Alpha(self.alpha));
        }
        Ok(())
    }
}

/// Set of the projections of a layer that have an adapter; at least one.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<&'static str>")]
pub struct TargetModules([bool; PROJECTIONS]);

impl TargetModules {
    /// Every projection of the models in which query, key, value, gate and up each are one, and every layer has attention. All
    /// families but Phi-3, Qwen3.5 and LFM2 are such.
    pub const SEPARATE: Self = Self([
        true, true, true, false, true, true, true, false, true, false, false, false, false, false, false, false, false,
        false,
    ]);

    /// No projection, for a model whose own weights are trained.
    pub const NONE: Self = Self([false; PROJECTIONS]);

    /// PEFT's names of the projections, in their canonical order.
    pub const NAMES: [&'static str; 18] = [
        "q_proj",
        "k_proj",
        "v_proj",
        "qkv_proj",
        "o_proj",
        "gate_proj",
        "up_proj",
        "gate_up_proj",
        "down_proj",
        "in_proj_qkv",
        "in_proj_z",
        "in_proj_a",
        "in_proj_b",
        "out_proj",
        "in_proj",
        "w1",
        "w2",
        "w3",
    ];

    /// Returns the set of projections with these names, in any order; duplicates are allowed.
    ///
    /// # Errors
    /// If a name is unknown, or if there is none.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, LoraOptionsError> {
        let mut targets = [false; PROJECTIONS];
        for name in names {
            let index = Self::NAMES.iter().position(|known| *known == name);
            targets[index.ok_or_else(|| LoraOptionsError::Target(name.to_owned()))?] = true;
        }
        if targets == [false; PROJECTIONS] { Err(LoraOptionsError::NoTarget) } else { Ok(Self(targets)) }
    }

    /// Creates a set from a flag for each of [`Self::NAMES`].
    pub const fn from_flags(flags: [bool; PROJECTIONS]) -> Self {
        Self(flags)
    }

    /// Returns a flag for each of [`Self::NAMES`]: whether it is in the set.
    pub const fn flags(self) -> [bool; PROJECTIONS] {
        self.0
    }

    /// Returns the projections that are in both sets; perhaps none.
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] && other.0[index]))
    }

    /// Returns whether every projection is in the other set.
    pub fn are_in(self, other: Self) -> bool {
        self.and(other) == self
    }

    /// Returns the names of the projections, in the order of [`Self::NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().zip(self.0).filter_map(|(name, targeted)| targeted.then_some(name))
    }
}

impl std::fmt::Debug for TargetModules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl std::fmt::Display for TargetModules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}

impl TryFrom<Vec<String>> for TargetModules {
    type Error = LoraOptionsError;

    fn try_from(names: Vec<String>) -> Result<Self, LoraOptionsError> {
        Self::from_names(names.iter().map(String::as_str))
    }
}

impl From<TargetModules> for Vec<&'static str> {
    fn from(targets: TargetModules) -> Self {
        targets.names().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_order_make_the_same_targets() {
        let targets = TargetModules::from_names(["v_proj", "q_proj", "v_proj"]).unwrap();
        assert_eq!(targets.to_string(), "q_proj, v_proj");
        let separate = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];
        assert_eq!(TargetModules::from_names(separate), Ok(TargetModules::SEPARATE));
        assert_eq!(TargetModules::from_names([]), Err(LoraOptionsError::NoTarget));
        assert_eq!(
            TargetModules::from_names(["q_proj", "lm_head"]),
            Err(LoraOptionsError::Target("lm_head".to_owned()))
        );
    }

    #[test]
    fn the_scale_is_plain_or_rank_stabilised() {
        let options = LoraOptions { rank: 64, alpha: 16.0, ..LoraOptions::default() };
        assert_eq!(options.scale(), 0.25);
        assert_eq!(LoraOptions { rank_stabilised: true, ..options }.scale(), 2.0);
    }

    #[test]
    fn numbers_out_of_range_make_no_adapter() {
        let with = |rank, alpha| LoraOptions { rank, alpha, ..LoraOptions::default() }.check();
        assert_eq!(with(1, f32::MIN_POSITIVE), Ok(()));
        assert_eq!(with(0, 1.0), Err(LoraOptionsError::Rank(0)));
        assert_eq!(with(MAX_RANK + 1, 1.0), Err(LoraOptionsError::Rank(MAX_RANK + 1)));
        for alpha in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(with(8, alpha).is_err(), "{alpha}");
        }
    }
}
