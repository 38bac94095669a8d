//! API keys.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{KeyLimits, KeyRecord, NewKey};

/// API keys and their limits.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Stores a new key.
    async fn create_key(&self, key: NewKey) -> Result<KeyRecord>;
    /// Lists keys, including revoked ones, oldest first. Without an `entity`, lists the keys of every entity.
    async fn list_keys(&self, entity: Option<&str>) -> Result<Vec<KeyRecord>>;
    /// Revokes a key. Revoking a revoked key changes nothing.
    async fn revoke_key(&self, id: Uuid) -> Result<KeyRecord>;
    /// Ends all sessions that were signed with the key.
    async fn end_sessions(&self, id: Uuid) -> Result<KeyRecord>;
    /// Replaces the limits of a key.
    async fn set_key_limits(&self, id: Uuid, limits: KeyLimits) -> Result<KeyRecord>;
    /// Finds a key by the SHA-256 of its text, including a revoked one.
    async fn find_key_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<KeyRecord>>;
    /// Reads a key, including a revoked one.
    async fn get_key(&self, id: Uuid) -> Result<KeyRecord>;
    /// Returns those of the keys that are revoked.
    async fn revoked_keys(&self, ids: &[Uuid]) -> Result<Vec<Uuid>>;
    /// Records the time of the key's last use, at most once a minute.
    async fn touch_key(&self, id: Uuid) -> Result<()>;
}
