//! Batches of requests, from the side of their owners and of the processes that run them.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::artifacts::ArtifactId;
use crate::records::{
    BatchEnd, BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, Lease, NewBatch, Page, PageRequest,
};

/// Batches of requests.
///
/// Every call with a [`Lease`] checks its fencing token in its own transaction.
///
/// # Errors
/// [`StoreError::LeaseLost`](super::StoreError::LeaseLost) from every call whose lease is no longer held.
#[async_trait]
pub trait Batches: Send + Sync {
    /// Stores a new batch of a file, whose content it keeps until it ends.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) without the file,
    /// [`StoreError::TooManyBatches`](super::StoreError::TooManyBatches) over the limit of unfinished ones.
    async fn create_batch(&self, batch: NewBatch) -> Result<BatchRecord>;
    /// Reads a batch.
    async fn get_batch(&self, entity: &str, id: Uuid) -> Result<BatchRecord>;
    /// Lists an entity's batches by age.
    async fn list_batches(&self, entity: &str, request: PageRequest) -> Result<Page<BatchRecord>>;
    /// Asks for the end of a batch. Cancelling a cancelled one changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) if it has ended otherwise, or its files are being made.
    async fn cancel_batch(&self, entity: &str, id: Uuid) -> Result<BatchRecord>;
    /// Deletes a batch that has ended, with the files of its responses. Returns the artifacts that nothing refers to any more.
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) if it has not ended.
    async fn delete_batch(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>>;
    /// Claims an unfinished batch that no process holds: one of the entity with the fewest held ones, then the oldest.
    /// Its lease expires at its deadline.
    async fn claim_batch(&self, owner: &str, time_to_live: Duration) -> Result<Option<ClaimedBatch>>;
    /// Renews a lease until `time_to_live` from now. Returns the status of the batch.
    async fn renew_batch(&self, lease: &Lease, time_to_live: Duration) -> Result<BatchStatus>;
    /// Releases a lease, so that any process may claim the batch at once.
    async fn release_batch(&self, lease: &Lease) -> Result<()>;
    /// Records that the file is valid and has so many requests. A cancelled batch stays so.
    async fn start_batch(&self, lease: &Lease, total: i64) -> Result<BatchStatus>;
    /// Returns the numbers of the recorded lines, in order.
    async fn recorded_batch_lines(&self, lease: &Lease) -> Result<Vec<i64>>;
    /// Records the response to a line, unless there is one. Returns whether it was recorded.
    async fn record_batch_line(&self, lease: &Lease, line: BatchLine, usage: BatchUsage) -> Result<bool>;
    /// Records that the files of the responses are made now. A cancelled batch stays so.
    async fn finalize_batch(&self, lease: &Lease) -> Result<BatchStatus>;
    /// Reads recorded lines of one kind in their order: at most `limit` after line `after`.
    async fn read_batch_lines(&self, lease: &Lease, is_failed: bool, after: i64, limit: u32) -> Result<Vec<BatchLine>>;
    /// Ends a batch: stores its files, and deletes its recorded lines. The lease ends too.
    async fn end_batch(&self, lease: &Lease, end: BatchEnd) -> Result<BatchRecord>;
}
