//! Recorded sessions and their generations.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::UnixMillis;

/// A recorded session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    /// Identity of the session, and the paging cursor.
    pub id: Uuid,
    /// The owning entity.
    pub entity: String,
    /// The key that opened it.
    pub key_id: Uuid,
    /// The values that its owner chose.
    pub labels: SessionLabels,
    /// Its reward; `None` before there is one.
    pub reward: Option<SessionReward>,
    /// Number of its generations.
    pub generations: i64,
    /// Bytes of its generations.
    pub bytes: i64,
    /// Time of its opening.
    pub created_at: UnixMillis,
    /// Time from which it is gone.
    pub expires_at: UnixMillis,
}

/// Values of a session that its owner chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionLabels {
    /// Name of the sampled model, with the step of a pinned session.
    pub model: String,
    /// Name in lists.
    pub name: Option<String>,
    /// Group of sessions whose rewards are compared.
    pub group: Option<String>,
    /// Tags in lists.
    pub tags: Vec<String>,
    /// Free data.
    pub metadata: Map<String, Value>,
}

/// A reward with its metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionReward {
    /// The reward.
    pub reward: f64,
    /// Further numbers and marks.
    #[serde(default)]
    pub metrics: Map<String, Value>,
}

/// The values of a new session.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The new session's id.
    pub id: Uuid,
    /// See [`SessionRecord::entity`].
    pub entity: String,
    /// See [`SessionRecord::key_id`].
    pub key_id: Uuid,
    /// SHA-256 of the session's own key.
    pub sha256: [u8; 32],
    /// See [`SessionRecord::labels`].
    pub labels: SessionLabels,
    /// Time until it expires, in milliseconds.
    pub life: i64,
    /// Number of the entity's sessions from which there is no further one. Expired ones do not count.
    pub most: i64,
}

/// Filters of a listing of sessions, combined with AND.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter<'a> {
    /// The group.
    pub group: Option<&'a str>,
    /// The name of the model; one without a step stands for all of its steps.
    pub model: Option<&'a str>,
}

/// What was sampled for one request, without its tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationRecord {
    /// Identity of the generation.
    pub id: Uuid,
    /// Its number in the session, from 1.
    pub number: i64,
    /// Operation of the request.
    pub operation: String,
    /// Name of the sampled model.
    pub model: String,
    /// Step of the sampled checkpoint; `None` for a base model.
    pub step: Option<i64>,
    /// Whether it came to its end.
    pub is_whole: bool,
    /// Number of the prompts' tokens.
    pub prompt_tokens: i64,
    /// Number of sampled tokens.
    pub completion_tokens: i64,
    /// The request's messages, tools and options, JSON.
    pub request: String,
    /// The choices without tokens, JSON.
    pub choices: String,
    /// Its own reward.
    pub reward: Option<SessionReward>,
    /// Time of the request.
    pub started_at: UnixMillis,
    /// Time of its end.
    pub ended_at: UnixMillis,
}

/// A generation with its tokens, as JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGeneration {
    /// The generation.
    pub generation: GenerationRecord,
    /// Token ids and logprobs, JSON.
    pub tokens: String,
}

impl RecordedGeneration {
    /// Returns the bytes that count for the limits.
    pub fn bytes(&self) -> i64 {
        let GenerationRecord { request, choices, .. } = &self.generation;
        i64::try_from(request.len() + choices.len() + self.tokens.len()).unwrap_or(i64::MAX)
    }
}
