//! Trajectories of a group, with their tokens.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::list::advantages;
use super::{Opened, Part, StoredGroups, read_range};
use crate::jobs::error::JobError;
use crate::jobs::estimate::EstimateError;
use crate::models::{Base, names_model};
use crate::store::artifacts::{ArtifactReader, Artifacts};
use crate::store::records::ModelRecord;
use crate::training::{
    GroupAdvantages, GroupEntry, IndexEnd, IndexReader, MAX_TRAJECTORIES, Remark, TrainSequence, Trajectory,
    TrajectoryGroup, inspect_trajectory, read_trajectory,
};

/// Number of tokens after which a page ends.
const MAX_TOKENS: usize = 200_000;
/// Number of bytes of messages after which a page ends.
const MAX_BYTES: usize = 8 << 20;
/// Keys of a choice with its tokens, which its sequence has.
const TOKEN_KEYS: [&str; 3] = ["logprobs", "token_ids", "prompt_token_ids"];

/// A trajectory of a group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadTrajectory {
    /// Position in the group.
    pub number: usize,
    /// Reward.
    pub reward: f64,
    /// Advantage before normalisation over the job; `None` if the rewards of the group leave none.
    pub advantage: Option<f64>,
    /// Messages and choices without their tokens.
    pub items: Vec<Map<String, Value>>,
    /// Recorded session that the trajectory is.
    pub session: Option<Uuid>,
    /// Sequences in the order of their turns.
    pub sequences: Vec<ReadSequence>,
    /// Number of sequences that are left out.
    pub omitted_sequences: usize,
    /// Dropped parts.
    pub dropped: Vec<Remark>,
    /// Turns whose message and tokens disagree.
    pub drift: Vec<Remark>,
}

/// A sequence of a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadSequence {
    /// Tokens, with their logprobs when they were sampled.
    pub sequence: TrainSequence,
    /// Text that each token completes.
    pub texts: Vec<String>,
    /// Logprobs of the trained tokens under the weights before their optimizer step; NaN where they are not known, and
    /// empty if none is.
    pub trained_logprobs: Vec<f32>,
    /// Advantage and weight of each trained token after normalisation over the job; `None` before the job has prepared its
    /// data, and without a training signal.
    pub normalised: Option<(f64, f64)>,
}

/// Source of trajectories of a group.
enum Members {
    /// The bytes of each are known.
    Located(GroupEntry),
    /// The group is read as a whole.
    Whole(TrajectoryGroup),
}

impl StoredGroups {
    /// Reads at most `limit` trajectories of group `index` from trajectory `first`, and fewer if they are large. `None` if
    /// there is no such group.
    ///
    /// # Errors
    /// The groups cannot be read.
    pub(crate) async fn trajectories(
        self,
        artifacts: &Artifacts,
        base: Arc<Base>,
        model: ModelRecord,
        index: usize,
        first: usize,
        limit: usize,
    ) -> Result<Option<Part<ReadTrajectory>>, EstimateError> {
        self.read(artifacts, move |mut opened| opened.trajectories(&base, &model, index, first, limit)).await
    }
}

impl Opened {
    fn trajectories(
        &mut self,
        base: &Base,
        model: &ModelRecord,
        index: usize,
        first: usize,
        limit: usize,
    ) -> Result<Option<Part<ReadTrajectory>>, JobError> {
        let Some(entry) = self.group(index)? else { return Ok(None) };
        let end = self.index_end()?;
        let advantages = self.advantages_of(&entry)?;
        let count = entry.trajectories;
        let mut members = match count <= MAX_TRAJECTORIES {
            true => Members::Located(entry.clone()),
            false => Members::Whole(self.whole_group(&entry)?),
        };
        let mut part = Part { items: Vec::new(), has_more: false };
        let (mut tokens, mut bytes) = (0, 0);
        for number in first..count {
            if part.items.len() == limit || tokens >= MAX_TOKENS || bytes >= MAX_BYTES {
                part.has_more = true;
                break;
            }
            let (trajectory, session) = self.member(&mut members, number)?;
            let mut read = self.inspect((index, number), &trajectory, &advantages, base, model, MAX_TOKENS - tokens);
            read.session = session;
            self.add_results(&mut read, &entry, &end)?;
            tokens += read.sequences.iter().map(|read| read.sequence.tokens.len()).sum::<usize>();
            bytes += read.items.iter().map(size).sum::<usize>();
            part.items.push(read);
        }
        Ok(Some(part))
    }

    /// Returns the last line of the index.
    fn index_end(&mut self) -> Result<IndexEnd, JobError> {
        let Some(index) = &mut self.index else { return Ok(IndexEnd::default()) };
        // The reader of the group stands behind its line.
        Ok(IndexReader::new(index).end()?)
    }

    /// Returns the advantages of all trajectories of a group.
    fn advantages_of(&mut self, entry: &GroupEntry) -> Result<GroupAdvantages, JobError> {
        if entry.trajectories <= MAX_TRAJECTORIES {
            return Ok(advantages(entry, &self.config));
        }
        let group = self.whole_group(entry)?;
        let rewards: Vec<f64> = group.trajectories.iter().map(|trajectory| trajectory.reward).collect();
        Ok(GroupAdvantages::of(&rewards, &self.config))
    }

    /// Reads a trajectory, and which recorded session it is; larger groups have none.
    fn member(&mut self, members: &mut Members, number: usize) -> Result<(Trajectory, Option<Uuid>), JobError> {
        match members {
            Members::Located(entry) => {
                let bytes = self.bytes(entry.bytes_of(number).unwrap_or_default())?;
                Ok((read_trajectory(&bytes)?, session_of(&bytes)))
            }
            Members::Whole(group) => Ok((group.trajectories[number].clone(), None)),
        }
    }

    /// Reads a trajectory. It has one sequence at least, if there is one, and no further ones beyond `max_tokens`.
    fn inspect(
        &self,
        index: (usize, usize),
        trajectory: &Trajectory,
        advantages: &GroupAdvantages,
        base: &Base,
        model: &ModelRecord,
        max_tokens: usize,
    ) -> ReadTrajectory {
        let is_trained = |name: &str| names_model(name, model);
        let (config, text, longest) = (&self.config, base.text(), base.longest_sequence());
        let inspected = inspect_trajectory(index, trajectory, advantages, config, &text, &is_trained, longest);
        let mut tokens = 0;
        let kept = inspected.sequences.iter().take_while(|sequence| {
            let is_kept = tokens == 0 || tokens + sequence.tokens.len() <= max_tokens;
            tokens += sequence.tokens.len();
            is_kept
        });
        let kept = kept.count();
        let omitted_sequences = inspected.sequences.len() - kept;
        let sequences = inspected.sequences.into_iter().take(kept).map(|sequence| ReadSequence {
            texts: base.texts_of(&sequence.tokens),
            trained_logprobs: Vec::new(),
            normalised: None,
            sequence,
        });
        let items = trajectory.histories().flat_map(|history| &history.messages_and_choices).map(|item| {
            let mut item = item.clone();
            TOKEN_KEYS.iter().for_each(|key| drop(item.shift_remove(*key)));
            item
        });
        ReadTrajectory {
            number: index.1,
            reward: trajectory.reward,
            advantage: inspected.advantage,
            items: items.collect(),
            session: None,
            sequences: sequences.collect(),
            omitted_sequences,
            dropped: inspected.dropped,
            drift: inspected.drift,
        }
    }

    /// Adds the results of preparation and training to the sequences of a trajectory that was trained.
    fn add_results(&mut self, read: &mut ReadTrajectory, entry: &GroupEntry, end: &IndexEnd) -> Result<(), JobError> {
        let (Some(tokens), Some(normalisation)) = (entry.tokens_of(read.number), end.normalisation) else {
            return Ok(());
        };
        if read.advantage.is_none() {
            return Ok(());
        }
        for sequence in &mut read.sequences {
            let TrainSequence { advantage, weight, .. } = sequence.sequence;
            sequence.normalised = Some((normalisation.advantage(advantage), normalisation.weight(weight)));
        }
        let Some(logprobs) = &mut self.logprobs else { return Ok(()) };
        let mut logprobs = read_logprobs(logprobs, tokens.start, tokens.end)?.into_iter();
        for sequence in &mut read.sequences {
            let count = sequence.sequence.trained_tokens();
            sequence.trained_logprobs = logprobs.by_ref().take(count).collect();
        }
        Ok(())
    }
}

/// Returns the recorded session that a trajectory is.
fn session_of(trajectory: &[u8]) -> Option<Uuid> {
    #[derive(Deserialize)]
    struct About {
        metadata: Metadata,
    }
    #[derive(Deserialize)]
    struct Metadata {
        session_id: Uuid,
    }
    read_trajectory::<About>(trajectory).ok().map(|about| about.metadata.session_id)
}

/// Reads the logprobs of trained tokens from an artifact with those of all trained tokens of the job.
fn read_logprobs(artifact: &mut ArtifactReader, first: u64, end: u64) -> Result<Vec<f32>, JobError> {
    const SIZE: u64 = size_of::<f32>() as u64;
    let bytes = read_range(artifact, first * SIZE..end * SIZE)?;
    let (numbers, _) = bytes.as_chunks();
    Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Returns about the number of bytes of an item as JSON.
fn size(item: &Map<String, Value>) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len() + 3,
            Value::Array(items) => items.iter().map(of).sum::<usize>() + 2,
            Value::Object(fields) => size(fields) + 2,
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    item.iter().map(|(name, value)| name.len() + 4 + of(value)).sum()
}
