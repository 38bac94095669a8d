//! Batches: files of requests that are sampled when there is time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::spelled::spelled;
use super::{IdempotentRequest, Lease, NewFile, UnixMillis};
use crate::artifacts::ArtifactId;

spelled! {
    /// The status of a batch.
    pub enum BatchStatus {
        /// Its file is not checked yet.
        Validating = "validating",
        /// Its requests are sampled.
        InProgress = "in_progress",
        /// Its responses are written to files.
        Finalizing = "finalizing",
        /// Every request has a response.
        Completed = "completed",
        /// Its file is invalid.
        Failed = "failed",
        /// It did not end in time.
        Expired = "expired",
        /// Its owner cancelled it, and its responses so far are written to files.
        Cancelling = "cancelling",
        /// Its owner cancelled it.
        Cancelled = "cancelled",
    }
}

impl BatchRecord {
    /// Returns the number of requests that an ended batch did not come to.
    pub fn unanswered(&self) -> i64 {
        self.total.map_or(0, |total| total.saturating_sub(self.completed).saturating_sub(self.failed).max(0))
    }
}

impl BatchStatus {
    /// Returns whether the status is final.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Expired | Self::Cancelled)
    }
}

/// A fault of a batch's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchFault {
    /// Kind of the fault.
    pub code: String,
    /// Line of the file, from 1; `None` for a fault of the whole file.
    pub line: Option<u64>,
    /// Explanation.
    pub message: String,
    /// Field of the line.
    pub param: Option<String>,
}

/// Tokens of the responses of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchUsage {
    /// Tokens of prompts.
    pub input: i64,
    /// Those of them that were in the prefix cache.
    pub cached: i64,
    /// Sampled tokens.
    pub output: i64,
    /// Those of them that are reasoning content.
    pub reasoning: i64,
}

/// A batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRecord {
    /// Identity of the batch, and the paging cursor.
    pub id: Uuid,
    /// The owning entity.
    pub entity: String,
    /// The key under which the requests are made.
    pub key_id: Uuid,
    /// The project of the requests' usage.
    pub project: String,
    /// Path of the operation that handles the requests.
    pub endpoint: String,
    /// The file of requests.
    pub input_file: Uuid,
    /// The content of that file.
    pub input: ArtifactId,
    /// The owner's notes.
    pub metadata: Option<BTreeMap<String, String>>,
    /// Lifetime of the files of responses, in milliseconds.
    pub output_life: Option<i64>,
    /// The status.
    pub status: BatchStatus,
    /// Number of requests; `None` until the file is validated, unless its creator knew it.
    pub total: Option<i64>,
    /// Number of requests that succeeded.
    pub completed: i64,
    /// Number of requests whose response is a failure.
    pub failed: i64,
    /// Tokens of the responses so far.
    pub usage: BatchUsage,
    /// Faults of the file.
    pub errors: Vec<BatchFault>,
    /// The file of responses.
    pub output_file: Option<Uuid>,
    /// The file of failures.
    pub error_file: Option<Uuid>,
    /// Time of creation.
    pub created_at: UnixMillis,
    /// Time limit of its end.
    pub expires_at: UnixMillis,
    /// Time of the first request.
    pub in_progress_at: Option<UnixMillis>,
    /// Time from which its files were made.
    pub finalizing_at: Option<UnixMillis>,
    /// Time of the request to cancel it.
    pub cancelling_at: Option<UnixMillis>,
    /// Time of its end.
    pub ended_at: Option<UnixMillis>,
}

/// The values of a new batch.
#[derive(Clone, Debug)]
pub struct NewBatch {
    /// The new batch's id, unique to the request. A returned batch with another id was created before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// See [`BatchRecord::entity`].
    pub entity: String,
    /// See [`BatchRecord::key_id`].
    pub key_id: Uuid,
    /// See [`BatchRecord::project`].
    pub project: String,
    /// See [`BatchRecord::endpoint`].
    pub endpoint: String,
    /// See [`BatchRecord::input_file`].
    pub input_file: Uuid,
    /// See [`BatchRecord::total`].
    pub total: Option<i64>,
    /// See [`BatchRecord::metadata`].
    pub metadata: Option<BTreeMap<String, String>>,
    /// See [`BatchRecord::output_life`].
    pub output_life: Option<i64>,
    /// Time from its creation to [`BatchRecord::expires_at`], in milliseconds.
    pub window: i64,
    /// The idempotent request; see [`crate::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}

/// A claimed batch with its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedBatch {
    /// The batch after the claim.
    pub batch: BatchRecord,
    /// The lease.
    pub lease: Lease,
}

/// The recorded response to a line of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLine {
    /// Number of the line, from 1.
    pub line: i64,
    /// Whether it is a failure.
    pub is_failed: bool,
    /// Line of the file of responses or of failures.
    pub text: String,
}

/// The end of a batch.
#[derive(Clone, Debug)]
pub struct BatchEnd {
    /// The final status.
    pub status: BatchStatus,
    /// Faults of the file.
    pub errors: Vec<BatchFault>,
    /// The file of responses, if there are any.
    pub output: Option<NewFile>,
    /// The file of failures, if there are any.
    pub failures: Option<NewFile>,
}
