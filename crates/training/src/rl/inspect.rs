//! Groups and trajectories as training sees them, for their reader.

use super::super::advantage::group_advantages;
use super::super::config::RlConfig;
use super::super::drops::Diagnostic;
use super::super::sequences::TrainSequence;
use super::super::tokenize::TextModel;
use super::super::trajectory::Trajectory;
use super::{DropReason, MEAN_REWARD, Rollouts, group_drop};

/// Advantages of a group's trajectories.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupAdvantages {
    /// Advantage of each trajectory, before normalisation over the job; `None` if it is not trained.
    pub advantages: Vec<Option<f64>>,
    /// Code and explanation of the reason why no trajectory of the group is trained.
    pub dropped: Option<(&'static str, &'static str)>,
}

impl GroupAdvantages {
    /// Returns the advantages of a group with these rewards.
    pub fn of(rewards: &[f64], config: &RlConfig) -> Self {
        let advantages = group_advantages(rewards, config.scale_rewards);
        match group_drop(&advantages) {
            Some((reason, message)) => {
                Self { advantages: vec![None; rewards.len()], dropped: Some((reason.name(), message)) }
            }
            None => Self { advantages, dropped: None },
        }
    }
}

/// A trajectory and its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct InspectedTrajectory {
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
pub struct Remark {
    /// Stable name for programs.
    pub code: String,
    /// Path into the request.
    pub path: String,
    /// Human-readable text.
    pub message: String,
}

/// Returns trajectory `number` of group `index` with its tokens. It has them also if its advantage is zero.
///
/// # Panics
/// The group has no such trajectory.
pub fn inspect_trajectory(
    (index, number): (usize, usize),
    trajectory: &Trajectory,
    GroupAdvantages { advantages, dropped }: &GroupAdvantages,
    config: &RlConfig,
    model: &TextModel<'_>,
    is_trained: &dyn Fn(&str) -> bool,
    max_length: usize,
) -> InspectedTrajectory {
    let path = format!("trajectory_groups[{index}].trajectories[{number}]");
    let remark =
        |code: &str, path: String, message: &str| Remark { code: code.to_owned(), path, message: message.to_owned() };
    let advantage = advantages[number];
    let mut rollouts = Rollouts::new(config, model, is_trained, max_length);
    rollouts.add_trajectory(trajectory, advantage.unwrap_or_default(), &path);
    let of_rewards = match (advantage, dropped) {
        (_, Some((code, message))) => Some(remark(code, format!("trajectory_groups[{index}]"), message)),
        (None, None) => Some(remark(DropReason::MeanReward.name(), path, MEAN_REWARD)),
        (Some(_), None) => None,
    };
    let found = |code: &str, Diagnostic { path, reason }: &Diagnostic| remark(code, path.clone(), reason);
    let report = &rollouts.report;
    let drops = report.first_drops().map(|(reason, diagnostic)| found(reason.name(), diagnostic));
    InspectedTrajectory {
        advantage,
        dropped: of_rewards.into_iter().chain(drops).collect(),
        drift: report.first_drifts().map(|(kind, diagnostic)| found(kind.name(), diagnostic)).collect(),
        sequences: rollouts.sequences.iter().collect(),
    }
}
