//! Preparing a reinforcement learning job: rollouts in, weighted token sequences out.

use std::ops::Range;

use super::advantage::{group_advantages, normalise, shared_prompt_length, trajectory_weight};
use super::config::RlConfig;
use super::packing::divide_into_rows;
use super::reward_trend::reward_deviation;
use super::tokenize::{TextModel, TokenizeError, tokenize_history};
use super::trajectory::TrajectoryGroup;

/// One sequence to train on. `tokens`, `mask` and `logprobs` have the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Which tokens are trained; never the first.
    pub mask: Vec<bool>,
    /// Log-probabilities at sampling time, NaN where there is none.
    pub logprobs: Vec<f32>,
    /// Advantage of every trained token.
    pub advantage: f64,
    /// Weight of every trained token.
    pub weight: f64,
    /// Leading tokens shared with all sequences of the group (see [`shared_prompt_length`]).
    pub prompt_length: usize,
    /// Index of the group in the request.
    pub group: usize,
}

impl TrainSequence {
    /// How many tokens are trained.
    pub fn trained_tokens(&self) -> usize {
        self.mask.iter().filter(|trained| **trained).count()
    }
}

/// What became of the rollouts of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RlStatistics {
    /// Groups in the request.
    pub groups: usize,
    /// Groups with more than one distinct reward.
    pub trainable_groups: usize,
    /// Rollouts in the request.
    pub trajectories: usize,
    /// Sequences left out because they are longer than the model allows.
    pub dropped_sequences: usize,
    /// Trained tokens of the sequences that are left.
    pub trained_tokens: usize,
}

/// A job ready to run: one optimizer step per row, in the order of the request.
///
/// [`Self::new`] makes it; [`super::precalculate`] and [`super::score_reference`] add what it asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedRl {
    /// The sequences, with normalised advantages and weights. Empty when there is nothing to learn.
    pub sequences: Vec<TrainSequence>,
    /// The rows, as ranges of `sequences`: one optimizer step each, in this order.
    pub rows: Vec<Range<usize>>,
    /// Options of the job.
    pub config: RlConfig,
    /// What became of the rollouts.
    pub statistics: RlStatistics,
    /// How much rewards deviate within groups ([`reward_deviation`]); `None` when that overflows.
    pub reward_deviation: Option<f64>,
    /// What every learning rate of the job is multiplied by; 1 unless [`RlConfig::follow_reward_deviation`] asks for more.
    pub learning_rate_multiplier: f64,
    /// Log-probabilities of each sequence's trained tokens under the weights the job starts from, once computed.
    pub recomputed_logprobs: Option<Vec<Vec<f32>>>,
    /// Log-probabilities of each sequence's trained tokens under the reference policy of the KL penalty, once computed.
    pub reference_logprobs: Option<Vec<Vec<f32>>>,
}

impl PreparedRl {
    /// A job of these sequences, divided into rows as `config` says.
    pub fn new(sequences: Vec<TrainSequence>, config: RlConfig, statistics: RlStatistics) -> Self {
        Self {
            rows: divide_into_rows(&sequences, config.packed_sequence_length),
            sequences,
            config,
            statistics,
            reward_deviation: None,
            learning_rate_multiplier: 1.0,
            recomputed_logprobs: None,
            reference_logprobs: None,
        }
    }

    /// Learning rate of the optimizer step of a row of so many sequences.
    pub fn learning_rate(&self, sequences: usize) -> f64 {
        let by_count = (sequences as f64).powf(self.config.sequence_count_power);
        self.config.learning_rate * self.learning_rate_multiplier * by_count
    }
}

/// Rollouts that cannot be trained on; the place is a path into the request body.
#[derive(Debug, thiserror::Error)]
pub enum PrepareRlError {
    /// A conversation cannot be turned into tokens.
    #[error("{place}.{source}")]
    Tokenize {
        /// The conversation.
        place: String,
        /// What is wrong with it.
        source: TokenizeError,
    },
    /// Rewards so large that their differences overflow.
    #[error("{place}: the rewards of this group are too large to compare")]
    Rewards {
        /// The group.
        place: String,
    },
}

/// Turn rollouts into rows.
///
/// Order is that of the request: groups, their trajectories, each trajectory's own conversation and then its
/// additional ones. Sequences longer than `max_length` tokens, or than a packed row, are left out and counted, not cut. A trajectory's weight
/// counts the trained tokens of all its conversations, those left out included.
///
/// # Errors
/// When a conversation that would be trained on is malformed, or refused by the chat template.
pub fn prepare_rl(
    groups: &[TrajectoryGroup],
    config: &RlConfig,
    model: &TextModel<'_>,
    max_length: usize,
) -> Result<PreparedRl, PrepareRlError> {
    let max_length = config.packed_sequence_length.map_or(max_length, |row_length| row_length.min(max_length));
    let mut statistics = RlStatistics { groups: groups.len(), ..RlStatistics::default() };
    let mut rows: Vec<TrainSequence> = Vec::new();
    for (group_index, group) in groups.iter().enumerate() {
        statistics.trajectories += group.trajectories.len();
        let rewards: Vec<f64> = group.trajectories.iter().map(|trajectory| trajectory.reward).collect();
        let advantages = group_advantages(&rewards, config.scale_rewards);
        statistics.trainable_groups += usize::from(advantages.iter().any(Option::is_some));
        let first_row = rows.len();
        for (index, (trajectory, advantage)) in group.trajectories.iter().zip(advantages).enumerate() {
            let Some(advantage) = advantage else { continue };
            if !advantage.is_finite() {
                return Err(PrepareRlError::Rewards { place: format!("trajectory_groups[{group_index}]") });
            }
            let mut sequences = Vec::new();
            for (number, history) in trajectory.histories().enumerate() {
                let sequence = tokenize_history(history, model)
                    .map_err(|source| PrepareRlError::Tokenize { place: place(group_index, index, number), source })?;
                sequences.extend(sequence);
            }
            let trained = sequences.iter().flat_map(|sequence| &sequence.mask).filter(|trained| **trained).count();
            let weight = trajectory_weight(trained);
            for sequence in sequences {
                if sequence.tokens.len() > max_length {
                    statistics.dropped_sequences += 1;
                    continue;
                }
                rows.push(TrainSequence {
                    tokens: sequence.tokens,
                    mask: sequence.mask,
                    logprobs: sequence.logprobs,
                    advantage,
                    weight,
                    prompt_length: 0,
                    group: group_index,
                });
            }
        }
        let members = &mut rows[first_row..];
        let known = |logprobs: &[f32]| logprobs.iter().position(|logprob| !logprob.is_nan());
        let shared = shared_prompt_length(members.iter().map(|row| (row.tokens.as_slice(), known(&row.logprobs))));
        for row in members {
            row.prompt_length = shared;
        }
    }
    if !normalise(&mut rows, config.advantage_balance) {
        rows.clear();
    }
    statistics.trained_tokens = rows.iter().map(TrainSequence::trained_tokens).sum();
    let reward_deviation = reward_deviation(groups);
    Ok(PreparedRl { reward_deviation, ..PreparedRl::new(rows, config.clone(), statistics) })
}

fn place(group: usize, trajectory: usize, history: usize) -> String {
    let trajectory = format!("trajectory_groups[{group}].trajectories[{trajectory}]");
    match history.checked_sub(1) {
        None => trajectory,
        Some(additional) => format!("{trajectory}.additional_histories[{additional}]"),
    }
}

#[cfg(test)]
mod tests;
