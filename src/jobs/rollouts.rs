//! Reads the trajectory groups of a reinforcement learning job as its training sees them.

use std::{io::BufReader, ops::ControlFlow, sync::Arc};

use serde_json::{Map, Value};

use super::{
    blocking::blocking, error::JobError, estimate::EstimateError, rl::names_model, sequence_limit::longest_sequence,
};
use crate::{
    models::Base,
    store::{
        artifacts::{ArtifactId, Artifacts},
        records::ModelRecord,
    },
    training::{
        GroupSummary, InspectedTrajectory, RlConfig, TrainSequence, TrajectoryGroup, inspect_trajectory,
        read_groups_from, summarise_group,
    },
};

/// Number of tokens after which a page ends.
const MAX_TOKENS: usize = 200_000;
/// Number of rewards of a group in a listing. A request may consist of millions of empty trajectories.
const MAX_REWARDS: usize = 1000;
/// Keys of a choice with its tokens, which its sequence has.
const TOKEN_KEYS: [&str; 3] = ["logprobs", "token_ids", "prompt_token_ids"];

/// Groups of a job and the options that it was sent.
pub(crate) struct JobGroups {
    /// Artifact of the groups.
    pub data: ArtifactId,
    /// Options as they were sent.
    pub config: Value,
}

/// Items of a listing, and whether more follow.
pub(crate) struct Part<T> {
    /// Items.
    pub items: Vec<T>,
    /// Whether more items follow.
    pub has_more: bool,
}

/// A trajectory of a group.
pub(crate) struct ReadTrajectory {
    /// Position in the group.
    pub number: usize,
    /// Reward.
    pub reward: f64,
    /// Messages and choices without their tokens.
    pub items: Vec<Map<String, Value>>,
    /// Tokens, advantage and remarks.
    pub inspected: InspectedTrajectory,
    /// Text that each token of each sequence completes.
    pub texts: Vec<Vec<String>>,
    /// Number of sequences that are left out.
    pub omitted_sequences: usize,
}

impl JobGroups {
    /// Reads at most `limit` groups from group `first`.
    ///
    /// # Errors
    /// The groups cannot be read.
    pub(crate) async fn list(
        self,
        artifacts: &Artifacts,
        first: usize,
        limit: usize,
    ) -> Result<Part<GroupSummary>, EstimateError> {
        let mut data = artifacts.open(self.data).await.map_err(JobError::from)?;
        let read = blocking(move || {
            let config = RlConfig::from_wire(Some(&self.config))?;
            let mut part = Part { items: Vec::new(), has_more: false };
            read_groups_from(BufReader::new(&mut data), first, |group| {
                if part.items.len() == limit {
                    part.has_more = true;
                    return ControlFlow::Break(());
                }
                part.items.push(summarise_group(first + part.items.len(), &group, &config, MAX_REWARDS));
                ControlFlow::Continue(())
            })?;
            Ok(part)
        });
        Ok(read.await?)
    }

    /// Reads at most `limit` trajectories of group `index` from trajectory `first`, and fewer if they have many tokens.
    /// `None` if there is no such group.
    ///
    /// # Errors
    /// The groups cannot be read.
    pub(crate) async fn trajectories(
        self,
        artifacts: &Artifacts,
        (base, model): (Arc<Base>, ModelRecord),
        index: usize,
        (first, limit): (usize, usize),
    ) -> Result<Option<Part<ReadTrajectory>>, EstimateError> {
        let mut data = artifacts.open(self.data).await.map_err(JobError::from)?;
        let read = blocking(move || {
            let config = RlConfig::from_wire(Some(&self.config))?;
            let mut found = None;
            read_groups_from(BufReader::new(&mut data), index, |group| {
                found = Some(group);
                ControlFlow::Break(())
            })?;
            let Some(group) = found else { return Ok(None) };
            let mut part = Part { items: Vec::new(), has_more: false };
            let mut tokens = 0;
            for number in first..group.trajectories.len() {
                if part.items.len() == limit || tokens >= MAX_TOKENS {
                    part.has_more = true;
                    break;
                }
                let trajectory = read(index, &group, number, &config, (&base, &model), MAX_TOKENS - tokens);
                tokens += trajectory.inspected.sequences.iter().map(|sequence| sequence.tokens.len()).sum::<usize>();
                part.items.push(trajectory);
            }
            Ok(Some(part))
        });
        Ok(read.await?)
    }
}

/// Reads a trajectory. It has one sequence at least, if there is one, and no further ones beyond `max_tokens`.
fn read(
    index: usize,
    group: &TrajectoryGroup,
    number: usize,
    config: &RlConfig,
    (base, model): (&Base, &ModelRecord),
    max_tokens: usize,
) -> ReadTrajectory {
    let is_trained = |name: &str| names_model(name, model);
    let text = base.text();
    let mut inspected = inspect_trajectory((index, group), number, config, &text, &is_trained, longest_sequence(base));
    let mut tokens = 0;
    let kept = inspected.sequences.iter().take_while(|sequence| {
        let is_kept = tokens == 0 || tokens + sequence.tokens.len() <= max_tokens;
        tokens += sequence.tokens.len();
        is_kept
    });
    let kept = kept.count();
    let omitted_sequences = inspected.sequences.len() - kept;
    inspected.sequences.truncate(kept);
    let texts = inspected.sequences.iter().map(|sequence| texts(sequence, base)).collect();
    let trajectory = &group.trajectories[number];
    let items = trajectory.histories().flat_map(|history| &history.messages_and_choices).map(|item| {
        let mut item = item.clone();
        TOKEN_KEYS.iter().for_each(|key| drop(item.shift_remove(*key)));
        item
    });
    ReadTrajectory { number, reward: trajectory.reward, items: items.collect(), inspected, texts, omitted_sequences }
}

/// Returns the text that each token of a sequence completes.
fn texts(sequence: &TrainSequence, base: &Base) -> Vec<String> {
    let tokenizer = base.text().tokenizer;
    let mut detokenizer = tokenizer.detokenizer();
    let text = |id: &u32| match tokenizer.token_bytes(*id) {
        [] => tokenizer.id_to_token(*id).unwrap_or_default(),
        bytes => detokenizer.push(bytes),
    };
    sequence.tokens.iter().map(text).collect()
}
