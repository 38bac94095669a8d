//! Group-relative advantages and their normalisation over a job.

use super::sequences::Stake;

/// Added to a deviation or a count before dividing by it.
const STABILITY: f64 = 1e-6;
/// Rewards that differ from the first of their group by no more are equal (`art.preprocessing`, since 0.5.21).
const EQUAL_REWARDS: f64 = 1e-12;

/// Advantages of one group's members from their rewards, in order.
///
/// `reward - mean`, divided by the population standard deviation plus 1e-6 when `scale_rewards` is set. `None` for a
/// member that teaches nothing: its advantage is zero, or all rewards of the group are equal. Equality is tested on
/// the rewards themselves, to 1e-12, because the mean of equal floating-point numbers can differ from them by a rounding
/// step, which later normalisation would blow up to a full-size update.
pub fn group_advantages(rewards: &[f64], scale_rewards: bool) -> Vec<Option<f64>> {
    let first = rewards.first().copied().unwrap_or_default();
    if rewards.iter().all(|reward| (reward - first).abs() <= EQUAL_REWARDS) {
        return vec![None; rewards.len()];
    }
    let count = rewards.len() as f64;
    let mean = rewards.iter().sum::<f64>() / count;
    let deviation = (rewards.iter().map(|reward| (reward - mean).powi(2)).sum::<f64>() / count).sqrt();
    rewards
        .iter()
        .map(|reward| {
            let advantage = if scale_rewards { (reward - mean) / (deviation + STABILITY) } else { reward - mean };
            (advantage != 0.0).then_some(advantage)
        })
        .collect()
}

/// Weight of each sequence of a trajectory: one over the trained tokens of all its histories together.
pub fn trajectory_weight(trained_tokens: usize) -> f64 {
    1.0 / (trained_tokens as f64 + STABILITY)
}

/// Balance and normalise advantages and weights over all trained tokens of a job, in place.
///
/// Weights get mean 1; advantages of one sign are scaled by `1 - |balance|` (`balance` in -1 ..= 1; positive: the
/// advantages at or below zero, negative: those at or above); then advantages are divided by the mean of
/// `|advantage| * weight`, so that the learning rate means the same whatever the scale of the rewards.
///
/// Returns whether there is anything to learn. If not (no trained token, or balance removed every advantage), nothing
/// is changed and the job has no steps to make.
pub fn normalise(sequences: &mut [Stake], balance: f64) -> bool {
    let trained: f64 = sequences.iter().map(|sequence| sequence.trained_tokens as f64).sum();
    let weight: f64 = sequences.iter().map(|sequence| sequence.trained_tokens as f64 * sequence.weight).sum();
    let mean_weight = weight / trained;
    let balanced = |advantage: f64| match advantage {
        advantage if balance > 0.0 && advantage <= 0.0 => advantage * (1.0 - balance),
        advantage if balance < 0.0 && advantage >= 0.0 => advantage * (1.0 + balance),
        advantage => advantage,
    };
    let scale = sequences
        .iter()
        .map(|sequence| {
            let tokens = sequence.trained_tokens as f64;
            tokens * balanced(sequence.advantage).abs() * (sequence.weight / mean_weight)
        })
        .sum::<f64>()
        / trained;
    // also false for NaN, which an empty job gives
    if !(mean_weight > 0.0 && scale > 0.0 && scale.is_finite()) {
        return false;
    }
    for sequence in sequences {
        sequence.weight /= mean_weight;
        sequence.advantage = balanced(sequence.advantage) / scale;
    }
    true
}
