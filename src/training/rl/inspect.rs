//! Groups and trajectories as training sees them, for their reader.

use super::{
    super::{
        advantage::group_advantages, config::RlConfig, drops::Diagnostic, sequences::TrainSequence,
        tokenize::TextModel, trajectory::TrajectoryGroup,
    },
    DropReason, MEAN_REWARD, Rollouts, group_drop,
};

/// Rewards and advantages of a group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GroupSummary {
    /// Position of the group in the request.
    pub index: usize,
    /// Number of trajectories.
    pub trajectories: usize,
    /// Rewards of the first trajectories.
    pub rewards: Vec<f64>,
    /// Advantage of each of them, before normalisation over the job; `None` if it is not trained.
    pub advantages: Vec<Option<f64>>,
    /// Mean and population standard deviation of the rewards, if there are any.
    pub moments: Option<(f64, f64)>,
    /// Reason why no trajectory of the group is trained.
    pub dropped: Option<Remark>,
}

/// A trajectory and its tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InspectedTrajectory {
    /// Advantage before normalisation over the job; `None` if the rewards of the group leave none.
    pub advantage: Option<f64>,
    /// Sequences in the order of their turns.
    pub sequences: Vec<TrainSequence>,
    /// Dropped parts.
    pub dropped: Vec<Remark>,
    /// Turns whose message and tokens disagree.
    pub drift: Vec<Remark>,
}

/// A remark on a part of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    /// Stable name for programs.
    pub code: &'static str,
    /// Path into the request.
    pub place: String,
    /// Human-readable text.
    pub message: String,
}

/// Returns the rewards and advantages of group `index` of a request; those of its first trajectories only, if `most` are
/// fewer.
pub(crate) fn summarise_group(index: usize, group: &TrajectoryGroup, config: &RlConfig, most: usize) -> GroupSummary {
    let mut rewards: Vec<f64> = group.trajectories.iter().map(|trajectory| trajectory.reward).collect();
    let advantages = group_advantages(&rewards, config.scale_rewards);
    let dropped = group_drop(&advantages).map(|(reason, message)| Remark {
        code: reason.name(),
        place: format!("trajectory_groups[{index}]"),
        message: message.to_owned(),
    });
    let count = rewards.len() as f64;
    let moments = (!rewards.is_empty()).then(|| {
        let mean = rewards.iter().sum::<f64>() / count;
        (mean, (rewards.iter().map(|reward| (reward - mean).powi(2)).sum::<f64>() / count).sqrt())
    });
    let trajectories = rewards.len();
    let mut advantages = match dropped {
        Some(_) => vec![None; trajectories],
        None => advantages,
    };
    rewards.truncate(most);
    advantages.truncate(most);
    rewards.shrink_to_fit();
    advantages.shrink_to_fit();
    GroupSummary { index, trajectories, rewards, advantages, moments, dropped }
}

/// Returns trajectory `number` of group `index` with its tokens. It has them also if its advantage is zero.
///
/// # Panics
/// The group has no such trajectory.
pub(crate) fn inspect_trajectory(
    (index, group): (usize, &TrajectoryGroup),
    number: usize,
    config: &RlConfig,
    model: &TextModel<'_>,
    is_trained: &dyn Fn(&str) -> bool,
    max_length: usize,
) -> InspectedTrajectory {
    let GroupSummary { advantages, dropped, .. } = summarise_group(index, group, config, usize::MAX);
    let place = format!("trajectory_groups[{index}].trajectories[{number}]");
    let advantage = advantages[number];
    let mut rollouts = Rollouts::new(config, model, is_trained, max_length);
    rollouts.add_trajectory(&group.trajectories[number], advantage.unwrap_or_default(), &place);
    let of_rewards = match advantage {
        None if dropped.is_none() => {
            Some(Remark { code: DropReason::MeanReward.name(), place, message: MEAN_REWARD.to_owned() })
        }
        _ => dropped,
    };
    let remark = |code, found: &Diagnostic| Remark { code, place: found.place.clone(), message: found.reason.clone() };
    let report = &rollouts.report;
    let drops = report.first_drops().map(|(reason, found)| remark(reason.name(), found));
    InspectedTrajectory {
        advantage,
        dropped: of_rewards.into_iter().chain(drops).collect(),
        drift: report.first_drifts().map(|(kind, found)| remark(kind.name(), found)).collect(),
        sequences: rollouts.sequences.iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_summary_lists_the_first_rewards_and_counts_all() {
        let group = json!({"trajectories": [{"reward": 1}, {"reward": 2}, {"reward": 6}]});
        let group: TrajectoryGroup = serde_json::from_value(group).unwrap();
        let config = RlConfig { scale_rewards: false, ..RlConfig::default() };
        let summary = summarise_group(4, &group, &config, 2);
        assert_eq!((summary.index, summary.trajectories, summary.dropped), (4, 3, None));
        assert_eq!((summary.rewards, summary.advantages), (vec![1.0, 2.0], vec![Some(-2.0), Some(-1.0)]));
        assert_eq!(summary.moments, Some((3.0, (14.0_f64 / 3.0).sqrt())));
        let empty = summarise_group(0, &TrajectoryGroup { trajectories: vec![] }, &config, 2);
        assert_eq!((empty.moments, empty.dropped.map(|remark| remark.code)), (None, Some("no_trajectories")));
    }
}
