//! Stored responses and chat completions.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{
    NewResponse, Page, PageRequest, ResponseItem, ResponseOutcome, ResponseRecord, StoredConversation, StoredKind,
};

/// The limit on the bytes of a stored conversation: 16 MiB.
pub const MAX_CONVERSATION_BYTES: i64 = 16 << 20;

/// Stored responses and chat completions, which share the room of their entity. Expired ones do not exist.
#[async_trait]
pub trait Responses: Send + Sync {
    /// Stores a response. Deletes expired ones of its entity, and the oldest ones that have ended while there is no room.
    async fn store_response(&self, response: NewResponse) -> Result<()>;
    /// Reads a response or a chat completion.
    async fn get_response(&self, entity: &str, kind: StoredKind, id: Uuid) -> Result<ResponseRecord>;
    /// Lists what is stored of a kind by age, without items.
    async fn list_responses(
        &self,
        entity: &str,
        kind: StoredKind,
        request: PageRequest,
    ) -> Result<Page<ResponseRecord>>;
    /// Replaces the JSON of a response or a chat completion that has ended.
    async fn replace_response_object(&self, entity: &str, kind: StoredKind, id: Uuid, object: &str) -> Result<()>;
    /// Reads the items of a response and of those that it continues.
    ///
    /// # Errors
    /// [`StoreError::InvalidValue`](super::StoreError::InvalidValue) if they exceed [`MAX_CONVERSATION_BYTES`].
    async fn stored_conversation(&self, entity: &str, id: Uuid) -> Result<StoredConversation>;
    /// Finds the items with these ids; those that are not found are absent. Of several with an id, one that was sampled comes first,
    /// then the oldest, since later ones were sent again.
    ///
    /// # Errors
    /// [`StoreError::InvalidValue`](super::StoreError::InvalidValue) if they exceed [`MAX_CONVERSATION_BYTES`].
    async fn find_response_items(&self, entity: &str, ids: &[String]) -> Result<Vec<ResponseItem>>;
    /// Deletes a response with its items. A response that continues it cannot be continued any more.
    async fn delete_response(&self, entity: &str, kind: StoredKind, id: Uuid) -> Result<()>;
    /// Ends a response that is in progress; returns whether it was.
    async fn cancel_response(&self, entity: &str, id: Uuid) -> Result<bool>;
    /// Renews the lease on a response that this process samples; returns false if the response has ended or is deleted.
    async fn renew_response(&self, id: Uuid, lease: Duration) -> Result<bool>;
    /// Stores the result of a response that was in progress; returns false, and stores nothing, if it has ended or is deleted.
    async fn finish_response(&self, entity: &str, id: Uuid, outcome: ResponseOutcome) -> Result<bool>;
    /// Deletes the expired responses of all entities.
    async fn expire_responses(&self) -> Result<()>;
}
