//! API keys and their limits.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::UnixMillis;

/// An API key as stored, without its text.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Identity of the key.
    pub id: Uuid,
    /// The key's entity.
    pub entity: String,
    /// The owner's name for it.
    pub name: String,
    /// The last characters of the key's text, for identification.
    pub suffix: String,
    /// SHA-256 of the key's text.
    pub sha256: [u8; 32],
    /// Its limits.
    pub limits: KeyLimits,
    /// Time of creation.
    pub created_at: UnixMillis,
    /// Time of revocation.
    pub revoked_at: Option<UnixMillis>,
    /// Time of its last use, to the minute.
    pub last_used_at: Option<UnixMillis>,
    /// Number of times that its sessions were ended.
    pub session_ends: i64,
    /// Whether it may use the operations of operators.
    pub is_admin: bool,
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
            .field("is_admin", &self.is_admin)
            .field("revoked_at", &self.revoked_at)
            .finish_non_exhaustive()
    }
}

/// The values of a new key.
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
    /// See [`KeyRecord::is_admin`].
    pub is_admin: bool,
}

/// The limits of a key; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyLimits {
    /// Requests per minute, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Prompt and completion tokens of chat per minute, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// Concurrent chat completions and event streams, at each server process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
    /// Queued and running jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_jobs: Option<u64>,
    /// Bytes of uploaded files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_bytes: Option<u64>,
    /// Tokens of chat and training per calendar month, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_month: Option<u64>,
}
