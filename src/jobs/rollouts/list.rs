//! Listings of groups, and of the remarks on what training left out.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::search::SearchedText;
use super::{Opened, Part, StoredGroups};
use crate::jobs::error::JobError;
use crate::jobs::estimate::EstimateError;
use crate::store::artifacts::Artifacts;
use crate::training::{GroupAdvantages, GroupEntry, RlConfig};

/// Order of a listing of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupSort {
    /// Position in the request.
    Position,
    /// Mean of the rewards.
    RewardMean,
    /// Deviation of the rewards.
    RewardDeviation,
    /// Number of trajectories.
    Trajectories,
    /// Mean number of sampled tokens.
    CompletionTokens,
}

/// Question for a listing of groups.
#[derive(Clone, Debug)]
pub(crate) struct GroupQuery {
    /// Order; groups without the value come last.
    pub sort: GroupSort,
    /// Whether the largest value comes first.
    pub is_descending: bool,
    /// Whether the groups are dropped.
    pub dropped: Option<bool>,
    /// Smallest mean reward.
    pub min_reward: Option<f64>,
    /// Largest mean reward.
    pub max_reward: Option<f64>,
    /// Text in a message.
    pub text: Option<String>,
    /// Number of the group before the page.
    pub after: Option<usize>,
    /// Maximum number of groups.
    pub limit: usize,
}

/// A group of a listing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListedGroup {
    /// Position in the request.
    pub number: usize,
    /// The group.
    pub entry: GroupEntry,
    /// Advantage of each described trajectory, before normalisation over the job; `None` if it is not trained.
    pub advantages: Vec<Option<f64>>,
}

/// Question for a listing of remarks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropQuery {
    /// Whether the remarks are those of drift.
    pub drift: Option<bool>,
    /// Number of the remark from which the page begins.
    pub first: u64,
    /// Maximum number of remarks.
    pub limit: usize,
}

/// A remark of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedRemark {
    /// Position among all remarks of the job.
    pub number: u64,
    /// Position of its group.
    pub group: usize,
    /// Whether its tokens are trained.
    pub is_drift: bool,
    /// Stable name for programs.
    pub code: String,
    /// Path into the request.
    pub path: String,
    /// Human-readable text.
    pub message: String,
}

/// The cursor is not a group of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownCursor;

impl StoredGroups {
    /// Lists groups.
    ///
    /// # Errors
    /// The groups cannot be read; inside, the cursor is unknown.
    pub(crate) async fn list(
        self,
        artifacts: &Artifacts,
        query: GroupQuery,
    ) -> Result<Result<Part<ListedGroup>, UnknownCursor>, EstimateError> {
        self.read(artifacts, move |mut opened| opened.list(&query)).await
    }

    /// Lists the parts that training left out, and the turns whose message and tokens disagree. Nothing before the job has
    /// prepared its data.
    ///
    /// # Errors
    /// The groups cannot be read.
    pub(crate) async fn drops(
        self,
        artifacts: &Artifacts,
        query: DropQuery,
    ) -> Result<Part<ListedRemark>, EstimateError> {
        if self.index.is_none() {
            return Ok(Part { items: Vec::new(), has_more: false });
        }
        self.read(artifacts, move |mut opened| opened.drops(query)).await
    }
}

impl Opened {
    fn list(&mut self, query: &GroupQuery) -> Result<Result<Part<ListedGroup>, UnknownCursor>, JobError> {
        let is_by_position = query.sort == GroupSort::Position && !query.is_descending;
        if is_by_position {
            let first = query.after.map_or(0, |after| after.saturating_add(1));
            return self.following(query, first).map(Ok);
        }
        let after = match query.after {
            None => None,
            Some(after) => match self.group(after)? {
                Some(entry) => Some(Rank::of(after, &entry, query)),
                None => return Ok(Err(UnknownCursor)),
            },
        };
        // The first groups after the cursor, and one more that tells whether more follow.
        let mut first: BTreeMap<Rank, ListedGroup> = BTreeMap::new();
        let config = self.config.clone();
        self.each_match(query, 0, &mut |number, entry| {
            let rank = Rank::of(number, &entry, query);
            let is_full = first.len() > query.limit;
            let is_behind = is_full && first.last_key_value().is_some_and(|(last, _)| rank > *last);
            if !is_behind && after.is_none_or(|after| rank > after) {
                first.insert(rank, listed(number, entry, &config));
                if is_full {
                    first.pop_last();
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let mut items: Vec<ListedGroup> = first.into_values().collect();
        let has_more = items.len() > query.limit;
        items.truncate(query.limit);
        Ok(Ok(Part { items, has_more }))
    }

    /// Returns the matching groups from group `first` on, by position.
    fn following(&mut self, query: &GroupQuery, first: usize) -> Result<Part<ListedGroup>, JobError> {
        let (mut items, config) = (Vec::new(), self.config.clone());
        self.each_match(query, first, &mut |number, entry| {
            items.push(listed(number, entry, &config));
            let is_enough = items.len() > query.limit;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        let has_more = items.len() > query.limit;
        items.truncate(query.limit);
        Ok(Part { items, has_more })
    }

    /// Passes the groups that match the query to `visit`.
    fn each_match(
        &mut self,
        query: &GroupQuery,
        first: usize,
        visit: &mut dyn FnMut(usize, GroupEntry) -> Result<ControlFlow<()>, JobError>,
    ) -> Result<(), JobError> {
        let Some(text) = &query.text else {
            return self.each_group(first, &mut |number, entry| match fits(&entry, query) {
                true => visit(number, entry),
                false => Ok(ControlFlow::Continue(())),
            });
        };
        // Texts are long enough to be searched for, and short enough to be built.
        let Ok(searched) = SearchedText::new(text) else { return Ok(()) };
        // The groups are read while the index is.
        let mut groups = self.data.reopened();
        self.each_group(first, &mut |number, entry| {
            if fits(&entry, query) {
                let bytes = super::read_range(&mut groups, entry.start..entry.end)?;
                if searched.may_be_in(&bytes) && searched.is_in(&crate::training::read_group(&bytes)?) {
                    return visit(number, entry);
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    fn drops(&mut self, query: DropQuery) -> Result<Part<ListedRemark>, JobError> {
        let (mut number, mut items) = (0, Vec::new());
        self.each_group(0, &mut |group, entry| {
            for remark in entry.remarks {
                let at = number;
                number += 1;
                if at < query.first || query.drift.is_some_and(|drift| drift != remark.drift) {
                    continue;
                }
                if items.len() > query.limit {
                    return Ok(ControlFlow::Break(()));
                }
                items.push(ListedRemark {
                    number: at,
                    group,
                    is_drift: remark.drift,
                    code: remark.code,
                    path: remark.path,
                    message: remark.message,
                });
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let has_more = items.len() > query.limit;
        items.truncate(query.limit);
        Ok(Part { items, has_more })
    }
}

/// Returns whether a group passes the filters of a query, except for its text.
fn fits(entry: &GroupEntry, query: &GroupQuery) -> bool {
    let reward = |is_in: &dyn Fn(f64) -> bool| entry.reward_mean.is_some_and(is_in);
    query.dropped.is_none_or(|dropped| dropped == entry.dropped.is_some())
        && query.min_reward.is_none_or(|min| reward(&|mean| mean >= min))
        && query.max_reward.is_none_or(|max| reward(&|mean| mean <= max))
}

fn listed(number: usize, entry: GroupEntry, config: &RlConfig) -> ListedGroup {
    let advantages = advantages(&entry, config).advantages;
    ListedGroup { number, entry, advantages }
}

/// Returns the advantages of the described trajectories of a group. Those of a group with more trajectories follow from the
/// moments of its rewards.
pub(super) fn advantages(entry: &GroupEntry, config: &RlConfig) -> GroupAdvantages {
    if entry.trajectories == entry.rewards.len() {
        return GroupAdvantages::of(&entry.rewards, config);
    }
    let moments = entry.reward_mean.zip(entry.reward_deviation).filter(|_| entry.dropped.is_none());
    let advantage = |reward: &f64| {
        let (mean, deviation) = moments?;
        let scale = if config.scale_rewards { deviation } else { 1.0 };
        Some((reward - mean) / scale).filter(|advantage| *advantage != 0.0)
    };
    GroupAdvantages { advantages: entry.rewards.iter().map(advantage).collect(), dropped: None }
}

/// The position of a group in a sorted listing: earlier groups are smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rank {
    /// Value of the sort, negated for a descending one; infinite if the group has none.
    key: f64,
    number: usize,
}

impl Rank {
    fn of(number: usize, entry: &GroupEntry, query: &GroupQuery) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts of one request")]
        let value = match query.sort {
            GroupSort::Position => Some(number as f64),
            GroupSort::RewardMean => entry.reward_mean,
            GroupSort::RewardDeviation => entry.reward_deviation,
            GroupSort::Trajectories => Some(entry.trajectories as f64),
            GroupSort::CompletionTokens => entry.mean_completion_tokens(),
        };
        let key = value.map(|value| if query.is_descending { -value } else { value });
        Self { key: key.unwrap_or(f64::INFINITY), number }
    }
}

impl Eq for Rank {}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.total_cmp(&other.key).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
