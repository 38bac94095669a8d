//! Report on the rollouts of a job: dropped data with reasons, and turns whose message and tokens disagree.
//!
//! A rollout that cannot be trained on affects no other rollout: it is dropped, the job trains on the others, and the
//! event `training_started` reports it. The event has all counts, but only the first remarks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::tokenize::{DriftKind, TokenizeError};

/// Maximum number of remarks in each list.
const MAX_REMARKS: usize = 20;
/// Maximum length of a reason in characters; some reasons contain text of a chat template.
const REASON_LENGTH: usize = 300;

/// Reason why data was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// A group without trajectories: every rollout failed, or there was none.
    NoTrajectories,
    /// A group of one trajectory, which has no comparison.
    TooFewTrajectories,
    /// A group whose rewards are all equal.
    EqualRewards,
    /// A group whose rewards are so large that their differences overflow.
    RewardsTooLarge,
    /// A trajectory whose reward equals its group's mean.
    MeanReward,
    /// A trajectory without a sampled choice that has logprobs.
    NothingTrained,
    /// A conversation that the chat template rejects or in which it hides trained turns.
    ChatTemplate,
    /// A conversation with a malformed choice.
    MalformedChoice,
    /// A conversation with a logprob that is not finite.
    InfiniteLogprob,
    /// A conversation with token ids outside the model's vocabulary.
    OutsideVocabulary,
    /// A rollout whose captured exchanges are all with other models.
    OtherModelsOnly,
    /// A captured exchange without the server's token ids.
    WithoutTokenIds,
    /// A captured exchange without logprobs.
    WithoutLogprobs,
    /// A sequence over the token limit.
    TooLong,
}

impl DropReason {
    /// Returns the name of the count in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoTrajectories => "no_trajectories",
            Self::TooFewTrajectories => "too_few_trajectories",
            Self::EqualRewards => "equal_rewards",
            Self::RewardsTooLarge => "rewards_too_large",
            Self::MeanReward => "mean_reward",
            Self::NothingTrained => "nothing_trained",
            Self::ChatTemplate => "chat_template",
            Self::MalformedChoice => "malformed_choice",
            Self::InfiniteLogprob => "infinite_logprob",
            Self::OutsideVocabulary => "outside_vocabulary",
            Self::OtherModelsOnly => "other_models_only",
            Self::WithoutTokenIds => "exchange_without_token_ids",
            Self::WithoutLogprobs => "exchange_without_logprobs",
            Self::TooLong => "too_long",
        }
    }
}

impl DropReason {
    /// Returns an explanation for a count of this reason.
    fn meaning(self) -> &'static str {
        match self {
            Self::NoTrajectories => "groups have no trajectories: every rollout failed, or there was none",
            Self::TooFewTrajectories => "groups have one trajectory: there is nothing to compare",
            Self::EqualRewards => "groups have rewards that are all equal: nothing can be learned from them",
            Self::RewardsTooLarge => "groups have rewards so large that their differences overflow",
            Self::MeanReward => "trajectories have exactly the mean reward of their group: they teach nothing",
            Self::NothingTrained => {
                "trajectories have no sampled choice with log-probabilities: there is nothing to train"
            }
            Self::ChatTemplate => "conversations are refused by the chat template, or it hides trained turns of them",
            Self::MalformedChoice => "conversations have a choice of another form",
            Self::InfiniteLogprob => "conversations have a log-probability that is not finite",
            Self::OutsideVocabulary => "conversations have tokens that the model does not have",
            Self::OtherModelsOnly => "trajectories have no captured exchange with the trained model",
            Self::WithoutTokenIds => {
                "trajectories have a captured exchange without the server's token ids (ask for `return_token_ids`)"
            }
            Self::WithoutLogprobs => "trajectories have a captured exchange without log-probabilities",
            Self::TooLong => "sequences exceed the token limit",
        }
    }
}

impl From<&TokenizeError> for DropReason {
    fn from(error: &TokenizeError) -> Self {
        match error {
            TokenizeError::Template(_)
            | TokenizeError::Tokenizer(_)
            | TokenizeError::TurnsNotFound { .. }
            | TokenizeError::TurnNotOpened { .. } => Self::ChatTemplate,
            TokenizeError::Choice { .. } | TokenizeError::Exchange { .. } => Self::MalformedChoice,
            TokenizeError::OtherModelsOnly => Self::OtherModelsOnly,
            TokenizeError::WithoutTokenIds { .. } => Self::WithoutTokenIds,
            TokenizeError::WithoutLogprobs { .. } => Self::WithoutLogprobs,
            TokenizeError::InfiniteLogprob { .. } => Self::InfiniteLogprob,
            TokenizeError::OutsideVocabulary { .. } => Self::OutsideVocabulary,
        }
    }
}

impl DriftKind {
    const ALL: [Self; 5] =
        [Self::Edited, Self::WithoutTokenIds, Self::WithoutPromptIds, Self::WithoutLogprobs, Self::Discontinued];

    /// Returns the name of the count in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Edited => "edited_turns",
            Self::WithoutTokenIds => "turns_without_token_ids",
            Self::WithoutPromptIds => "turns_without_prompt_token_ids",
            Self::WithoutLogprobs => "turns_without_logprobs",
            Self::Discontinued => "discontinued_turns",
        }
    }

    /// Returns an explanation for a count of this kind.
    fn told(self) -> &'static str {
        match self {
            Self::Edited => "turns have a message that differs from its tokens; the tokens are trained",
            Self::WithoutTokenIds => "turns have no ids of their tokens; their text is tokenised again",
            Self::WithoutPromptIds => "turns have no prompt_token_ids; the chat template renders their prompt",
            Self::WithoutLogprobs => "turns have tokens without a log-probability; their ratio is 1",
            Self::Discontinued => "turns do not go on from the tokens of the turns before; each is trained on its own",
        }
    }

    /// Returns an explanation for one turn, as events show it.
    fn meaning(self) -> &'static str {
        match self {
            Self::Edited => "the message differs from its tokens; the tokens are trained",
            Self::WithoutTokenIds => "the choice has no ids of its tokens; they are those of its text",
            Self::WithoutPromptIds => "the choice has no prompt_token_ids; the chat template rendered its prompt",
            Self::WithoutLogprobs => "tokens have no log-probability; their ratio is 1",
            Self::Discontinued => {
                "the prompt does not begin with the tokens of the turns before; the turn is trained on its own"
            }
        }
    }
}

/// A diagnostic message on a part of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Path into the request body.
    pub path: String,
    /// Human-readable message.
    pub reason: String,
}

/// Counts by kind, and the first remarks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tally<Kind: Ord> {
    counts: BTreeMap<Kind, usize>,
    remarks: Vec<(Kind, Diagnostic)>,
}

impl<Kind: Ord> Default for Tally<Kind> {
    fn default() -> Self {
        Self { counts: BTreeMap::new(), remarks: Vec::new() }
    }
}

impl<Kind: Ord + Copy> Tally<Kind> {
    /// Counts a remark. Returns it if `is_wanted`.
    fn add(&mut self, kind: Kind, is_wanted: bool, remark: impl FnOnce() -> Diagnostic) -> Option<Diagnostic> {
        *self.counts.entry(kind).or_default() += 1;
        let is_among_first = self.remarks.len() < MAX_REMARKS;
        if !is_among_first && !is_wanted {
            return None;
        }
        let Diagnostic { path, reason } = remark();
        let reason = match reason.char_indices().nth(REASON_LENGTH) {
            None => reason,
            Some((end, _)) => format!("{}…", &reason[..end]),
        };
        let remark = Diagnostic { path, reason };
        if is_among_first {
            self.remarks.push((kind, remark.clone()));
        }
        is_wanted.then_some(remark)
    }

    fn first(&self) -> Value {
        let item = |remark: &Diagnostic| json!({ "place": remark.path, "reason": remark.reason });
        self.remarks.iter().map(|(_, remark)| item(remark)).collect()
    }
}

/// Dropped data of a job, and turns whose message and tokens disagree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RolloutReport {
    drops: Tally<DropReason>,
    drift: Tally<DriftKind>,
    drifted_trajectories: usize,
    /// Every remark since the last [`Self::take_remarks`]; `None` if only the first ones are kept.
    every: Option<Vec<IndexedRemark>>,
}

/// A dropped part of a group, or a turn whose message and tokens disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedRemark {
    /// Whether the tokens are trained.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drift: bool,
    /// Stable name for programs.
    pub code: String,
    /// Path into the request.
    #[serde(rename = "place")]
    pub path: String,
    /// Human-readable text.
    pub message: String,
}

impl RolloutReport {
    /// Records that the group, trajectory, conversation or sequence at `path` was dropped.
    pub fn dropped(&mut self, kind: DropReason, path: impl FnOnce() -> String, reason: impl FnOnce() -> String) {
        let is_wanted = self.every.is_some();
        let found = self.drops.add(kind, is_wanted, || Diagnostic { path: path(), reason: reason() });
        self.note(false, kind.name(), found);
    }

    /// Records that message and tokens of the turn at `path` disagree.
    pub fn drifted(&mut self, kind: DriftKind, path: impl FnOnce() -> String) {
        let is_wanted = self.every.is_some();
        let found = self.drift.add(kind, is_wanted, || Diagnostic { path: path(), reason: kind.meaning().to_owned() });
        self.note(true, kind.name(), found);
    }

    fn note(&mut self, drift: bool, code: &'static str, found: Option<Diagnostic>) {
        if let Some((remarks, Diagnostic { path, reason })) = self.every.as_mut().zip(found) {
            remarks.push(IndexedRemark { drift, code: code.to_owned(), path, message: reason });
        }
    }

    /// Creates a report whose every remark [`Self::take_remarks`] returns.
    pub fn of_every_remark() -> Self {
        Self { every: Some(Vec::new()), ..Self::default() }
    }

    /// Returns the remarks since the last call.
    pub fn take_remarks(&mut self) -> Vec<IndexedRemark> {
        self.every.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Records a trajectory with such turns.
    pub fn drifted_trajectory(&mut self) {
        self.drifted_trajectories += 1;
    }

    /// Returns the number of drops for this reason.
    #[cfg(test)]
    pub fn drops(&self, kind: DropReason) -> usize {
        self.drops.counts.get(&kind).copied().unwrap_or_default()
    }

    /// Returns the number of turns with this kind of drift.
    pub fn drifts(&self, kind: DriftKind) -> usize {
        self.drift.counts.get(&kind).copied().unwrap_or_default()
    }

    /// Returns the findings on the rollouts for their owner, before training: code, count and explanation.
    pub fn findings(&self) -> Vec<(&'static str, usize, &'static str)> {
        let drops = self.drops.counts.iter().map(|(kind, count)| (kind.name(), *count, kind.meaning()));
        let drifts = self.drift.counts.iter().map(|(kind, count)| (kind.name(), *count, kind.told()));
        drops.chain(drifts).collect()
    }

    /// Returns the first dropped items, each with its reason.
    pub fn first_drops(&self) -> impl Iterator<Item = (DropReason, &Diagnostic)> {
        self.drops.remarks.iter().map(|(kind, remark)| (*kind, remark))
    }

    /// Returns the first turns whose message and tokens disagree, each with the kind of drift.
    pub fn first_drifts(&self) -> impl Iterator<Item = (DriftKind, &Diagnostic)> {
        self.drift.remarks.iter().map(|(kind, remark)| (*kind, remark))
    }

    /// Returns the report as data of the event `training_started`. `dropped` counts drops by reason, and
    /// `dropped_places` lists the first of them. `drift` counts turns by kind of drift, and the trajectories with such
    /// turns; `drift_places` lists the first of them.
    pub fn data(&self) -> Map<String, Value> {
        let dropped: Map<String, Value> =
            self.drops.counts.iter().map(|(kind, count)| (kind.name().to_owned(), (*count).into())).collect();
        let mut drift: Map<String, Value> =
            DriftKind::ALL.into_iter().map(|kind| (kind.name().to_owned(), self.drifts(kind).into())).collect();
        drift.insert("trajectories".to_owned(), self.drifted_trajectories.into());
        let fields = [
            ("dropped", dropped.into()),
            ("dropped_places", self.drops.first()),
            ("drift", drift.into()),
            ("drift_places", self.drift.first()),
        ];
        fields.into_iter().map(|(name, value): (&str, Value)| (name.to_owned(), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_counted_but_only_the_first_remarks_are_named() {
        let mut report = RolloutReport::default();
        for index in 0..1000 {
            report.dropped(DropReason::ChatTemplate, || format!("at {index}"), || "☃".repeat(100_000));
            report.drifted(DriftKind::Edited, || format!("at {index}"));
        }
        report.dropped(DropReason::TooLong, || "last".to_owned(), || "too long".to_owned());
        let data = Value::from(report.data());
        assert_eq!(data["dropped"], json!({"chat_template": 1000, "too_long": 1}));
        assert_eq!(data["drift"]["edited_turns"], 1000);
        assert_eq!(data["drift"]["discontinued_turns"], 0);
        let remarks = data["dropped_places"].as_array().expect("a list");
        assert_eq!((remarks.len(), remarks[19]["place"].as_str()), (20, Some("at 19")));
        assert_eq!(remarks[0]["reason"].as_str().map(|reason| reason.chars().count()), Some(301));
        assert!(data.to_string().len() < 50_000);
    }

    #[test]
    fn every_remark_is_returned_once_if_it_is_wanted() {
        let mut report = RolloutReport::of_every_remark();
        for index in 0..30 {
            report.dropped(DropReason::EqualRewards, || format!("at {index}"), || "equal".to_owned());
        }
        report.drifted(DriftKind::Edited, || "a turn".to_owned());
        let remarks = report.take_remarks();
        assert_eq!((remarks.len(), remarks[29].path.as_str(), &*remarks[29].code), (31, "at 29", "equal_rewards"));
        assert!(remarks[30].drift && !remarks[0].drift);
        assert_eq!(report.take_remarks(), []);
        assert_eq!(report.data()["dropped_places"].as_array().map(Vec::len), Some(20));
        let mut counted = RolloutReport::default();
        counted.drifted(DriftKind::Edited, || "a turn".to_owned());
        assert_eq!(counted.take_remarks(), []);
    }

    #[test]
    fn every_name_is_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = DriftKind::ALL.into_iter().map(DriftKind::name).collect();
        assert_eq!(names.len(), DriftKind::ALL.len());
    }
}
