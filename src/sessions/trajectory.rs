//! Recorded sessions as trajectories: the captured exchanges that training reads, written by the service itself.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};
use uuid::Uuid;

use super::generation::{ChoiceTokens, PromptTokens};
use crate::models::names_model;
use crate::store::artifacts::{ArtifactError, ArtifactWriter};
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{
    GenerationRecord, ModelRecord, Order, PageRequest, RecordedGeneration, SessionFilter, SessionLabels, SessionRecord,
    SessionReward, UnixMillis,
};

/// Number of generations or sessions of one read of the store.
const READ_AT_ONCE: u32 = 50;
/// Bytes of the sessions of one job; as many as a request with trajectories may have.
const MAX_BYTES: i64 = 256 << 20;
/// Number of sessions of one job.
const MAX_SESSIONS: usize = 1000;
/// Number of sessions that an error names.
const NAMED: usize = 5;

/// Sessions that cannot be trained on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub(crate) enum TrajectoryError {
    #[error("there is no session {0}")]
    Unknown(String),
    #[error("no session has the group {0:?}")]
    EmptyGroup(String),
    #[error("session {0} is named twice")]
    Twice(Uuid),
    #[error("session {id} samples {model}, which is not the model of this job")]
    OtherModel { id: Uuid, model: String },
    #[error("{0} without a reward; set it with POST /v1/preview/sessions/ID/reward, or delete the session")]
    WithoutReward(String),
    #[error("there are more than {MAX_SESSIONS} sessions; train on them with several jobs")]
    TooMany,
    #[error("the sessions have {0} bytes, and those of a job may have {MAX_BYTES}; train on them with several jobs")]
    TooLarge(i64),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("a stored generation cannot be read")]
    Corrupt(#[from] serde_json::Error),
}

/// A session with the reward that it is trained with.
struct Rewarded {
    session: SessionRecord,
    reward: SessionReward,
}

/// The groups of a job's sessions: each is one trajectory group.
pub(crate) struct SessionGroups {
    groups: Vec<(Option<String>, Vec<Rewarded>)>,
}

impl SessionGroups {
    /// Finds the sessions of these ids and of a group.
    ///
    /// # Errors
    /// A session is unknown, is not of the model, or has no reward.
    pub(crate) async fn find(
        metadata: &dyn Metadata,
        model: &ModelRecord,
        ids: &[String],
        group: Option<&str>,
    ) -> Result<Self, TrajectoryError> {
        let mut sessions: Vec<SessionRecord> = Vec::new();
        for id in ids {
            let found = match id.parse::<Uuid>() {
                Ok(id) => metadata.get_session(&model.entity, id).await,
                Err(_) => Err(StoreError::NotFound("session")),
            };
            let session = found.map_err(|error| match error {
                StoreError::NotFound(_) => TrajectoryError::Unknown(id.clone()),
                error => error.into(),
            })?;
            if sessions.iter().any(|earlier| earlier.id == session.id) {
                return Err(TrajectoryError::Twice(session.id));
            }
            sessions.push(session);
        }
        if let Some(group) = group {
            let members = members(metadata, &model.entity, group).await?;
            let is_new = |session: &SessionRecord| ids.iter().all(|id| id.parse() != Ok(session.id));
            sessions.extend(members.into_iter().filter(is_new));
        }
        if sessions.len() > MAX_SESSIONS {
            return Err(TrajectoryError::TooMany);
        }
        let bytes = sessions.iter().map(|session| session.bytes).sum();
        if bytes > MAX_BYTES {
            return Err(TrajectoryError::TooLarge(bytes));
        }
        Self::rewarded(metadata, model, sessions).await
    }

    async fn rewarded(
        metadata: &dyn Metadata,
        model: &ModelRecord,
        sessions: Vec<SessionRecord>,
    ) -> Result<Self, TrajectoryError> {
        let mut groups: Vec<(Option<String>, Vec<Rewarded>)> = Vec::new();
        let mut without: Vec<Uuid> = Vec::new();
        for session in sessions {
            if !names_model(&session.labels.model, model) {
                return Err(TrajectoryError::OtherModel { id: session.id, model: session.labels.model });
            }
            let Some(reward) = reward_of(metadata, &session).await? else {
                without.push(session.id);
                continue;
            };
            let group = session.labels.group.clone();
            let member = Rewarded { session, reward };
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, members)) => members.push(member),
                None => groups.push((group, vec![member])),
            }
        }
        if !without.is_empty() {
            let named: Vec<String> = without.iter().take(NAMED).map(Uuid::to_string).collect();
            let more = match without.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            return Err(TrajectoryError::WithoutReward(format!("sessions {}{more} are", named.join(", "))));
        }
        Ok(Self { groups })
    }

    /// Returns the number of groups.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Writes the groups as items of a JSON array, part by part. The first one begins the array if it `is_first`.
    ///
    /// # Errors
    /// A session was deleted meanwhile, a stored generation is unreadable, or a store fails.
    pub(crate) async fn write(
        &self,
        metadata: &dyn Metadata,
        mut is_first: bool,
        writer: &mut ArtifactWriter,
    ) -> Result<(), TrajectoryError> {
        for (name, members) in &self.groups {
            let separator = if std::mem::take(&mut is_first) { '[' } else { ',' };
            let begin = format!("{separator}{{\"metadata\":{},\"trajectories\":[", json!({ "group": name }));
            writer.write(begin.as_bytes()).await?;
            for (number, member) in members.iter().enumerate() {
                if number > 0 {
                    writer.write(b",").await?;
                }
                member.write(metadata, writer).await?;
            }
            writer.write(b"]}").await?;
        }
        Ok(())
    }
}

impl Rewarded {
    async fn write(&self, metadata: &dyn Metadata, writer: &mut ArtifactWriter) -> Result<(), TrajectoryError> {
        let Self { session, reward } = self;
        let SessionLabels { name, tags, metadata: data, .. } = &session.labels;
        let about = json!({ "session_id": session.id, "name": name, "tags": tags, "metadata": data });
        let (reward, metrics) = (json!(reward.reward), json!(reward.metrics));
        let begin =
            format!("{{\"reward\":{reward},\"metrics\":{metrics},\"metadata\":{about},\"exchanges\":{{\"responses\":[");
        writer.write(begin.as_bytes()).await?;
        let mut separator = "";
        for number in 0..session.generations {
            let next = metadata.next_generation(session.id, number).await?;
            let recorded = next.ok_or_else(|| TrajectoryError::Unknown(session.id.to_string()))?;
            for exchange in exchanges(&recorded)? {
                writer.write(format!("{separator}{exchange}").as_bytes()).await?;
                separator = ",";
            }
        }
        writer.write(b"]}}").await?;
        Ok(())
    }
}

/// Lists the sessions of a group.
async fn members(metadata: &dyn Metadata, entity: &str, group: &str) -> Result<Vec<SessionRecord>, TrajectoryError> {
    let filter = SessionFilter { group: Some(group), model: None };
    let mut request = PageRequest { after: None, limit: READ_AT_ONCE, order: Order::Ascending };
    let mut members = Vec::new();
    loop {
        let page = metadata.list_sessions(entity, filter, request).await?;
        members.extend(page.items);
        if members.len() > MAX_SESSIONS {
            return Err(TrajectoryError::TooMany);
        }
        match members.last() {
            None => return Err(TrajectoryError::EmptyGroup(group.to_owned())),
            Some(_) if !page.has_more => return Ok(members),
            Some(last) => request.after = Some(last.id),
        }
    }
}

/// Returns the reward of a session: its own, or else the sum of those of its generations.
async fn reward_of(metadata: &dyn Metadata, session: &SessionRecord) -> Result<Option<SessionReward>, StoreError> {
    if session.reward.is_some() {
        return Ok(session.reward.clone());
    }
    let (mut sum, mut after) = (None, 0);
    loop {
        let generations = metadata.list_generations(session.id, after, READ_AT_ONCE).await?;
        let Some(last) = generations.last() else { break };
        after = last.number;
        let rewards = generations.iter().filter_map(|generation| Some(generation.reward.as_ref()?.reward));
        sum = rewards.fold(sum, |sum, reward| Some(sum.unwrap_or(0.0) + reward));
    }
    Ok(sum.map(|reward| SessionReward { reward, metrics: serde_json::Map::new() }))
}

/// Returns a generation as captured exchanges, one for each prompt; none if it was abandoned, because nothing that the program did
/// follows from its tokens.
fn exchanges(recorded: &RecordedGeneration) -> serde_json::Result<Vec<Value>> {
    let RecordedGeneration { generation, tokens } = recorded;
    let GenerationRecord { is_whole, model, started_at, ended_at, .. } = generation;
    if !is_whole {
        return Ok(Vec::new());
    }
    let choices: Value = serde_json::from_str(&generation.choices)?;
    let prompts: Vec<PromptTokens> = serde_json::from_str(tokens)?;
    let exchange = |prompt: PromptTokens| {
        let PromptTokens { prompt_token_ids, choices: sampled } = prompt;
        let output_tokens: usize = sampled.iter().map(|choice| choice.token_ids.len()).sum();
        let generations = sampled.into_iter().map(|choice| {
            let ChoiceTokens { token_ids, compact_logprobs } = choice;
            json!({"prompt_token_ids": prompt_token_ids, "token_ids": token_ids, "compact_logprobs": compact_logprobs})
        });
        let response = json!({
            "output": choices,
            "usage": {"output_tokens": output_tokens},
            "token_generations": generations.collect::<Vec<_>>(),
        });
        json!({
            "start_time": time(*started_at), "end_time": time(*ended_at), "model": model,
            "request": {"model": model, "operation": generation.operation, "generation_id": generation.id, "step": generation.step},
            "response": response,
        })
    };
    Ok(prompts.into_iter().map(exchange).collect())
}

fn time(at: UnixMillis) -> String {
    DateTime::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}
