//! Group-relative advantages and their normalisation over a job.

use serde::{Deserialize, Serialize};

use super::distribution::moments;
use super::sequences::Stake;

/// Constant added to a deviation or a count before dividing by it.
const STABILITY: f64 = 1e-6;
/// Tolerance within which a reward equals the first of its group (`art.preprocessing`, since 0.5.21).
const EQUAL_REWARDS: f64 = 1e-12;

/// Returns the advantages of one group's members from their rewards, in order.
///
/// The advantage is `reward - mean`, divided by the population standard deviation plus 1e-6 if `scale_rewards` is set.
/// It is `None` for a member without a training signal: its advantage is zero, or all rewards of the group are equal.
/// Equality is tested on the rewards themselves, to 1e-12: the mean of equal floating-point numbers can differ from
/// them by a rounding error, which normalisation would amplify to a full-size update.
pub(crate) fn group_advantages(rewards: &[f64], scale_rewards: bool) -> Vec<Option<f64>> {
    let first = rewards.first().copied().unwrap_or_default();
    if rewards.iter().all(|reward| (reward - first).abs() <= EQUAL_REWARDS) {
        return vec![None; rewards.len()];
    }
    let [mean, deviation] = moments(rewards);
    rewards
        .iter()
        .map(|reward| {
            let advantage = if scale_rewards { (reward - mean) / (deviation + STABILITY) } else { reward - mean };
            (advantage != 0.0).then_some(advantage)
        })
        .collect()
}

/// Returns the weight of each sequence of a trajectory: one over the trained tokens of all its histories together.
pub(crate) fn trajectory_weight(trained_tokens: usize) -> f64 {
    1.0 / (trained_tokens as f64 + STABILITY)
}

/// Balances and normalises advantages and weights over all trained tokens of a job, in place.
///
/// Weights get mean 1. Advantages of one sign are scaled by `1 - |balance|` (`balance` in -1 ..= 1; positive: the
/// advantages at or below zero, negative: those at or above). Then advantages are divided by the mean of `|advantage| *
/// weight`, so that the effect of the learning rate does not depend on the scale of the rewards.
///
/// Returns the normalisation, or `None` if there is no training signal (no trained token, or balance removed every
/// advantage): nothing is changed then, and the job has no optimizer steps.
pub(crate) fn normalise(sequences: &mut [Stake], balance: f64) -> Option<Normalisation> {
    let trained: f64 = sequences.iter().map(|sequence| sequence.trained_tokens as f64).sum();
    let weight: f64 = sequences.iter().map(|sequence| sequence.trained_tokens as f64 * sequence.weight).sum();
    let mean_weight = weight / trained;
    let scale = sequences
        .iter()
        .map(|sequence| {
            let tokens = sequence.trained_tokens as f64;
            tokens * balanced(sequence.advantage, balance).abs() * (sequence.weight / mean_weight)
        })
        .sum::<f64>()
        / trained;
    // also false for NaN, the result for an empty job
    if !(mean_weight > 0.0 && scale > 0.0 && scale.is_finite()) {
        return None;
    }
    let normalisation = Normalisation { balance, mean_weight, scale };
    for sequence in sequences {
        sequence.weight = normalisation.weight(sequence.weight);
        sequence.advantage = normalisation.advantage(sequence.advantage);
    }
    Some(normalisation)
}

/// The normalisation of a job's advantages and weights; see [`normalise`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Normalisation {
    balance: f64,
    mean_weight: f64,
    scale: f64,
}

impl Normalisation {
    /// Returns the advantage that training uses.
    pub fn advantage(&self, advantage: f64) -> f64 {
        balanced(advantage, self.balance) / self.scale
    }

    /// Returns the weight that training uses.
    pub fn weight(&self, weight: f64) -> f64 {
        weight / self.mean_weight
    }
}

fn balanced(advantage: f64, balance: f64) -> f64 {
    match advantage {
        advantage if balance > 0.0 && advantage <= 0.0 => advantage * (1.0 - balance),
        advantage if balance < 0.0 && advantage >= 0.0 => advantage * (1.0 + balance),
        advantage => advantage,
    }
}
