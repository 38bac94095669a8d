//! Preparation of a reinforcement learning job: turns rollouts into weighted token sequences.

mod inspect;

use std::ops::Range;

use serde_json::{Map, Value};

pub use self::inspect::{GroupAdvantages, Remark, inspect_trajectory};
use super::advantage::{Normalisation, group_advantages, normalise, trajectory_weight};
use super::config::RlConfig;
use super::distribution::Distribution;
use super::drops::{DropReason, IndexedRemark, RolloutReport};
use super::packing::divide_into_rows;
use super::reward_trend::RewardDeviation;
use super::sequences::{TrainSequence, TrainSequences};
use super::tokenize::{
    TextModel, TokenizeError, TokenizedHistory, TokenizedSequence, tokenize_exchanges, tokenize_history,
};
use super::trajectory::{Trajectory, TrajectoryGroup};

/// Explanation of [`DropReason::MeanReward`].
const MEAN_REWARD: &str = "the reward is the mean of its group: the advantage is zero";

/// Counts of the rollouts of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RlStatistics {
    /// Number of groups in the request.
    pub groups: usize,
    /// Number of groups with more than one distinct reward.
    pub trainable_groups: usize,
    /// Number of rollouts in the request.
    pub trajectories: usize,
    /// Number of sequences dropped because they exceed the model's token limit.
    pub dropped_sequences: usize,
    /// Number of trained tokens in the remaining sequences.
    pub trained_tokens: usize,
}

/// Distributions of the rollouts of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RolloutDistributions {
    /// Rewards of all trajectories.
    pub rewards: Option<Distribution>,
    /// Numbers of sampled tokens of those trajectories that tell it.
    pub completion_tokens: Option<Distribution>,
}

/// A prepared job: one optimizer step per row, in the order of the request.
///
/// [`Self::new`] creates it; [`super::precalculate`] and [`super::score_reference`] add the logprobs that it requires.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedRl {
    /// Sequences with normalised advantages and weights; empty without a training signal.
    pub sequences: TrainSequences,
    /// Rows as ranges of `sequences`: one optimizer step each, in this order.
    pub rows: Vec<Range<usize>>,
    /// Options of the job.
    pub config: RlConfig,
    /// Counts of the rollouts.
    pub statistics: RlStatistics,
    /// Distributions of the rollouts.
    pub distributions: RolloutDistributions,
    /// Normalisation of the advantages and weights; `None` without a training signal.
    pub normalisation: Option<Normalisation>,
    /// Dropped data, and turns whose message and tokens disagree.
    pub report: RolloutReport,
    /// Deviation of the rewards within groups ([`RewardDeviation`]); `None` if it overflows.
    pub reward_deviation: Option<f64>,
    /// Factor of every learning rate of the job; 1 unless [`RlConfig::follow_reward_deviation`] is set.
    pub learning_rate_multiplier: f64,
    /// Logprobs of each sequence's trained tokens under the job's initial weights, once computed.
    pub recomputed_logprobs: Option<Vec<Vec<f32>>>,
    /// Logprobs of each sequence's trained tokens under the reference policy of the KL penalty, once computed.
    pub reference_logprobs: Option<Vec<Vec<f32>>>,
    /// Mean difference of logprobs in nats between sampler and learner, under the same weights, above which the job fails.
    /// `None` if both are the same engine, which computes the same bits.
    pub max_sampler_mismatch: Option<f64>,
}

/// Mean difference of logprobs, in nats, between the sampler and a remote learner above which a job fails. Rounding in bf16
/// makes a tenth of it.
pub const MAX_SAMPLER_MISMATCH: f64 = 0.1;

impl PreparedRl {
    /// Creates a job of these sequences, divided into rows according to `config`.
    pub fn new(sequences: TrainSequences, config: RlConfig, statistics: RlStatistics) -> Self {
        Self {
            rows: divide_into_rows(&sequences, config.packed_sequence_length),
            sequences,
            config,
            statistics,
            distributions: RolloutDistributions::default(),
            normalisation: None,
            report: RolloutReport::default(),
            reward_deviation: None,
            learning_rate_multiplier: 1.0,
            recomputed_logprobs: None,
            reference_logprobs: None,
            max_sampler_mismatch: None,
        }
    }

    /// Returns the share of the groups without a training signal; `None` without groups.
    fn share_without_signal(&self) -> Option<f64> {
        let RlStatistics { groups, trainable_groups, .. } = self.statistics;
        (groups > 0).then(|| (groups - trainable_groups) as f64 / groups as f64)
    }

    /// Returns the metrics of the rewards of all rollouts, trained or not. Each step of the job has the same: the rows
    /// lack the groups without a training signal, so the mean over a row is not that of the policy.
    pub fn reward_metrics(&self) -> Vec<(&'static str, f64)> {
        let rewards = self.distributions.rewards.as_ref();
        let metrics = [
            ("reward/mean", rewards.map(|rewards| rewards.mean)),
            ("reward/std", rewards.map(|rewards| rewards.deviation)),
            ("reward/zero_signal", self.share_without_signal()),
        ];
        metrics.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Returns the distributions of the rollouts as data of the event `training_started`.
    pub fn distributions(&self) -> Map<String, Value> {
        let RolloutDistributions { rewards, completion_tokens } = &self.distributions;
        let fields = [
            ("rewards", rewards.as_ref().map(Distribution::data)),
            ("completion_tokens", completion_tokens.as_ref().map(Distribution::data)),
            ("share_without_signal", self.share_without_signal().map(Value::from)),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// Returns the learning rate of the optimizer step of a row with this number of sequences.
    pub fn learning_rate(&self, sequences: usize) -> f64 {
        let by_count = (sequences as f64).powf(self.config.sequence_count_power);
        self.config.learning_rate * self.learning_rate_multiplier * by_count
    }
}

/// Collects rollouts and turns them into rows.
///
/// The order is that of the request: groups, their trajectories, each trajectory's own conversation and then its
/// additional ones, each conversation's sequences in the order of their turns. Data that cannot be trained on is
/// dropped and reported. So are sequences longer than the model's limit or than a packed row: they are not truncated. A
/// trajectory's advantage depends on all rewards of its group; its weight depends on the trained tokens of all its
/// sequences, including those that are too long as far as they are tokenised.
pub struct Rollouts<'a> {
    config: &'a RlConfig,
    model: &'a TextModel<'a>,
    is_trained: &'a dyn Fn(&str) -> bool,
    max_length: usize,
    sequences: TrainSequences,
    statistics: RlStatistics,
    report: RolloutReport,
    deviation: RewardDeviation,
    /// Rewards of all trajectories.
    rewards: Vec<f64>,
    /// Numbers of sampled tokens of the trajectories that tell it.
    completion_tokens: Vec<f64>,
}

/// A group that was added to a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AddedGroup {
    /// Number of trained tokens of each trajectory; empty if the group is dropped.
    pub trained_tokens: Vec<u64>,
    /// Remarks on the group in the report, if [`Rollouts::with_every_remark`] asked for them.
    pub remarks: Vec<IndexedRemark>,
}

impl<'a> Rollouts<'a> {
    /// Creates an empty collection. `is_trained` matches the names under which the trained model and its steps are
    /// sampled. Sequences of more than `max_length` tokens are dropped.
    pub fn new(
        config: &'a RlConfig,
        model: &'a TextModel<'a>,
        is_trained: &'a dyn Fn(&str) -> bool,
        max_length: usize,
    ) -> Self {
        let max_length = config.packed_sequence_length.map_or(max_length, |row_length| row_length.min(max_length));
        Self {
            config,
            model,
            is_trained,
            max_length,
            sequences: TrainSequences::default(),
            statistics: RlStatistics::default(),
            report: RolloutReport::default(),
            deviation: RewardDeviation::default(),
            rewards: Vec::new(),
            completion_tokens: Vec::new(),
        }
    }

    /// Asks for the remarks on each group in the report.
    pub fn with_every_remark(mut self) -> Self {
        self.report = RolloutReport::of_every_remark();
        self
    }

    /// Returns the job for all added groups.
    pub fn finish(self) -> PreparedRl {
        let Self { config, mut sequences, mut statistics, report, deviation, .. } = self;
        let normalisation = normalise(sequences.stakes_mut(), config.advantage_balance);
        if normalisation.is_none() {
            sequences = TrainSequences::default();
        }
        statistics.trained_tokens = sequences.stakes().iter().map(|stake| stake.trained_tokens).sum();
        let job = PreparedRl::new(sequences, config.clone(), statistics);
        let rewards = Distribution::of(self.rewards);
        let completion_tokens = Distribution::of(self.completion_tokens);
        let distributions = RolloutDistributions { rewards, completion_tokens };
        PreparedRl { report, distributions, normalisation, reward_deviation: deviation.mean(), ..job }
    }

    /// Adds the next group of the request.
    pub fn add(&mut self, group: &TrajectoryGroup) -> AddedGroup {
        let trained_tokens = self.add_group(group);
        AddedGroup { trained_tokens, remarks: self.report.take_remarks() }
    }

    /// Adds the next group. Returns the number of trained tokens of each trajectory, or nothing if it is dropped.
    fn add_group(&mut self, group: &TrajectoryGroup) -> Vec<u64> {
        let index = self.statistics.groups;
        self.statistics.groups += 1;
        self.statistics.trajectories += group.trajectories.len();
        let path = || format!("trajectory_groups[{index}]");
        let rewards: Vec<f64> = group.trajectories.iter().map(|trajectory| trajectory.reward).collect();
        self.deviation.add(&rewards);
        self.rewards.extend(&rewards);
        let lengths = group.trajectories.iter().filter_map(Trajectory::completion_tokens);
        self.completion_tokens.extend(lengths.map(|tokens| tokens as f64));
        let advantages = group_advantages(&rewards, self.config.scale_rewards);
        if let Some((reason, explanation)) = group_drop(&advantages) {
            self.report.dropped(reason, path, || explanation.to_owned());
            return Vec::new();
        }
        self.statistics.trainable_groups += 1;
        let members = group.trajectories.iter().zip(advantages).enumerate();
        let add = |(number, (trajectory, advantage)): (usize, (&Trajectory, Option<f64>))| {
            let path = format!("trajectory_groups[{index}].trajectories[{number}]");
            let Some(advantage) = advantage else {
                self.report.dropped(DropReason::MeanReward, || path.clone(), || MEAN_REWARD.to_owned());
                return 0;
            };
            self.add_trajectory(trajectory, advantage, &path)
        };
        members.map(add).collect()
    }

    /// Adds a trajectory. Returns the number of its trained tokens.
    fn add_trajectory(&mut self, trajectory: &Trajectory, advantage: f64, path: &str) -> u64 {
        let mut sequences = Vec::new();
        let (mut failed, mut drifted) = (false, false);
        for (conversation, tokenized) in self.tokenize(trajectory, path) {
            let tokenized = match tokenized {
                Ok(tokenized) => tokenized,
                Err(error) => {
                    failed = true;
                    self.report.dropped((&error).into(), || conversation, || error.to_string());
                    continue;
                }
            };
            for drift in &tokenized.drift {
                drifted = true;
                self.report.drifted(drift.kind, || format!("{conversation}.{}", drift.path));
            }
            sequences.extend(tokenized.sequences.into_iter().map(|sequence| (conversation.clone(), sequence)));
        }
        if drifted {
            self.report.drifted_trajectory();
        }
        if sequences.is_empty() && !failed {
            let reason = || "no choice of this trajectory has logprobs, so no token of it is trained".to_owned();
            self.report.dropped(DropReason::NothingTrained, || path.to_owned(), reason);
        }
        let weight = trajectory_weight(sequences.iter().map(|(_, sequence)| sequence.trained_tokens()).sum());
        let mut trained = 0;
        for (conversation, sequence) in sequences {
            let length = sequence.tokens.len();
            if length > self.max_length {
                self.statistics.dropped_sequences += 1;
                let reason = || format!("{length} tokens are more than the {} that are trained", self.max_length);
                self.report.dropped(DropReason::TooLong, || conversation, reason);
                continue;
            }
            let logprobs: Vec<f32> = sequence.trained_logprobs().collect();
            trained += logprobs.len() as u64;
            let TokenizedSequence { tokens, mask, .. } = sequence;
            self.sequences.push(&TrainSequence { tokens, mask, logprobs, advantage, weight });
        }
        trained
    }

    /// Returns the tokens of a trajectory's exchanges, or else of each of its conversations, with their paths.
    fn tokenize(&self, trajectory: &Trajectory, path: &str) -> Vec<(String, Result<TokenizedHistory, TokenizeError>)> {
        let without_logprobs = self.config.train_without_logprobs;
        if !trajectory.exchanges.is_empty() {
            let (exchanges, is_trained) = (&trajectory.exchanges, self.is_trained);
            let tokenized = tokenize_exchanges(exchanges, self.model, is_trained, without_logprobs, self.max_length);
            return vec![(path.to_owned(), tokenized)];
        }
        let histories = trajectory.histories().enumerate();
        let tokenize = |history| tokenize_history(history, self.model, without_logprobs, self.max_length);
        histories.map(|(number, history)| (conversation_path(path, number), tokenize(history))).collect()
    }
}

/// Returns the reason why no trajectory of a group with these advantages is trained, and its explanation.
fn group_drop(advantages: &[Option<f64>]) -> Option<(DropReason, &'static str)> {
    match advantages {
        [] => Some((DropReason::NoTrajectories, "the group has no trajectories")),
        [_] => Some((DropReason::TooFewTrajectories, "a group of one trajectory has nothing to be compared with")),
        all if all.iter().all(Option::is_none) => {
            Some((DropReason::EqualRewards, "all rewards of the group are equal"))
        }
        all if !all.iter().flatten().all(|advantage| advantage.is_finite()) => {
            Some((DropReason::RewardsTooLarge, "the rewards of this group are too large to compare"))
        }
        _ => None,
    }
}

/// Returns the path of a conversation: the trajectory's own has number 0, the additional ones are numbered from 1.
fn conversation_path(trajectory: &str, number: usize) -> String {
    match number.checked_sub(1) {
        None => trajectory.to_owned(),
        Some(additional) => format!("{trajectory}.additional_histories[{additional}]"),
    }
}

#[cfg(test)]
pub(crate) mod tests;
