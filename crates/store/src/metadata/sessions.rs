//! Recorded sessions.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{
    GenerationRecord, KeyRecord, NewSession, Page, PageRequest, RecordedGeneration, SessionFilter, SessionRecord,
    SessionReward,
};

/// Recorded sessions. An expired session is indistinguishable from a missing one.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Stores a new session.
    ///
    /// # Errors
    /// [`StoreError::TooManySessions`](super::StoreError::TooManySessions).
    async fn create_session(&self, session: NewSession) -> Result<SessionRecord>;
    /// Finds a session by the SHA-256 of its own key, with the key that opened it, which may be revoked.
    async fn find_session_by_key(&self, sha256: &[u8; 32]) -> Result<Option<(SessionRecord, KeyRecord)>>;
    /// Reads a session.
    async fn get_session(&self, entity: &str, id: Uuid) -> Result<SessionRecord>;
    /// Lists an entity's sessions by age.
    async fn list_sessions(
        &self,
        entity: &str,
        filter: SessionFilter<'_>,
        page: PageRequest,
    ) -> Result<Page<SessionRecord>>;
    /// Deletes a session with its generations.
    async fn delete_session(&self, entity: &str, id: Uuid) -> Result<()>;
    /// Sets the reward of a session, or of one of its generations. Returns the session.
    async fn reward_session(
        &self,
        entity: &str,
        id: Uuid,
        generation: Option<Uuid>,
        reward: SessionReward,
    ) -> Result<SessionRecord>;
    /// Stores a generation of a session; its number is the next one.
    async fn add_generation(&self, session: Uuid, generation: RecordedGeneration) -> Result<()>;
    /// Lists the generations of a session after a number, at most `limit`.
    async fn list_generations(&self, session: Uuid, after: i64, limit: u32) -> Result<Vec<GenerationRecord>>;
    /// Reads the first generation of a session after a number, with its tokens.
    async fn next_generation(&self, session: Uuid, after: i64) -> Result<Option<RecordedGeneration>>;
    /// Sums the bytes of an entity's sessions that are not expired.
    async fn session_bytes(&self, entity: &str) -> Result<u64>;
    /// Deletes some of the expired sessions; returns their number.
    async fn delete_expired_sessions(&self) -> Result<u64>;
}
