//! Converts errors of the store to error responses, by the rules of the service's `src/api/error.rs`.

use std::time::Duration;

use trainyard_runtime::error_chain;
use trainyard_runtime::http::ApiError;

use crate::artifacts::ArtifactError;
use crate::metadata::StoreError;

/// `Retry-After` of a busy store.
const SOON: Duration = Duration::from_secs(1);
/// `Retry-After` of an unreachable object store, a full disk or too many unfinished jobs.
const LATER: Duration = Duration::from_secs(5);

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound(what) => Self::not_found(format!("there is no such {what}")),
            StoreError::InvalidCursor(_) => Self::invalid("after", error.to_string()),
            StoreError::Conflict(message) => Self::conflict(message.clone()),
            StoreError::TooManyJobs { .. } | StoreError::TooManyBatches { .. } => {
                Self::too_many_requests(error.to_string(), LATER)
            }
            StoreError::TooManyJobsOfKey { .. } => {
                Self::too_many_requests(error.to_string(), LATER).with_code("queued_jobs_exceeded")
            }
            StoreError::TooManySessions(_) => Self::too_many_requests(error.to_string(), LATER)
                .with_code("sessions_exceeded")
                .with_should_retry(false),
            StoreError::TooManyBytes { .. } => Self::conflict(error.to_string()).with_code("stored_bytes_exceeded"),
            StoreError::LatestCheckpoint(_) => {
                Self::conflict(error.to_string()).with_param("steps").with_code("latest_checkpoint")
            }
            StoreError::KeyReused(_) => {
                Self::invalid("Idempotency-Key", error.to_string()).with_code("idempotency_key_reused")
            }
            StoreError::InvalidValue(message) => Self::invalid("", message.clone()),
            StoreError::Unavailable(_) | StoreError::Frozen(_) => {
                Self::unavailable("the store is busy; try again", SOON).with_cause(error_chain(&error))
            }
            StoreError::LeaseLost(_) | StoreError::Database(_) | StoreError::Corrupt { .. } => {
                Self::internal(error_chain(&error))
            }
        }
    }
}

impl From<ArtifactError> for ApiError {
    fn from(error: ArtifactError) -> Self {
        if error.is_transient() {
            let told = "the store for data and checkpoints cannot be used at the moment; try again";
            return Self::unavailable(told, LATER).with_cause(error_chain(&error));
        }
        Self::internal(error_chain(&error))
    }
}
