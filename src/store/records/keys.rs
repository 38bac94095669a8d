//! API keys, and what they may do.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::UnixMillis;

/// An API key as stored: everything but the key itself.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Identity of the key.
    pub id: Uuid,
    /// The entity that the key acts for.
    pub entity: String,
    /// What its owner calls it.
    pub name: String,
    /// The last characters of the key, for telling keys apart.
    pub suffix: String,
    /// SHA-256 of the whole key text.
    pub sha256: [u8; 32],
    /// What it may do.
    pub limits: KeyLimits,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it stopped being valid.
    pub revoked_at: Option<UnixMillis>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<UnixMillis>,
}

impl fmt::Debug for KeyRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("KeyRecord")
            .field("id", &self.id)
            .field("entity", &self.entity)
            .field("name", &self.name)
            .field("suffix", &self.suffix)
            .field("limits", &self.limits)
            .field("revoked_at", &self.revoked_at)
            .finish_non_exhaustive()
    }
}

/// A key to be stored.
#[derive(Clone)]
pub struct NewKey {
    /// See [`KeyRecord::entity`].
    pub entity: String,
    /// See [`KeyRecord::name`].
    pub name: String,
    /// See [`KeyRecord::suffix`].
    pub suffix: String,
    /// See [`KeyRecord::sha256`].
    pub sha256: [u8; 32],
    /// See [`KeyRecord::limits`].
    pub limits: KeyLimits,
}

/// The most that a key may do; `None` is no limit of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyLimits {
    /// Requests in a minute, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Tokens of chat in a minute, of prompts and generated, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// Chat completions and event streams under way at a time, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
    /// Jobs that wait or run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_jobs: Option<u64>,
    /// Bytes of uploaded files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes: Option<u64>,
    /// Tokens of chat and training in a calendar month, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_month: Option<u64>,
}
