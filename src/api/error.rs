//! Converts domain errors to error responses.
//!
//! An error that the caller can fix is a 4xx whose message says how. An internal error is a 500 or 503 whose cause is
//! only logged.

use std::time::Duration;

use crate::{
    auth::KeyError,
    error_chain::error_chain,
    http::ApiError,
    jobs::reference::ReferenceError,
    models::ResolveError,
    store::{artifacts::ArtifactError, metadata::StoreError},
    training::ConfigError,
};

/// `Retry-After` of a busy store.
const STORE_RETRY: Duration = Duration::from_secs(1);
/// `Retry-After` of an unreachable object store or a full disk.
const ARTIFACTS_RETRY: Duration = Duration::from_secs(5);
/// `Retry-After` if too many models are in use.
const MODELS_RETRY: Duration = Duration::from_secs(5);
/// `Retry-After` if too many jobs are unfinished.
const JOBS_RETRY: Duration = Duration::from_secs(5);

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound(what) => Self::not_found(format!("there is no such {what}")),
            StoreError::InvalidCursor(_) => Self::invalid("after", error.to_string()),
            StoreError::Conflict(message) => Self::conflict(message.clone()),
            StoreError::TooManyJobs { .. } => Self::too_many_requests(error.to_string(), JOBS_RETRY),
            StoreError::TooManyJobsOfKey { .. } => {
                Self::too_many_requests(error.to_string(), JOBS_RETRY).with_code("queued_jobs_exceeded")
            }
            StoreError::TooManyBytes { .. } => Self::conflict(error.to_string()).with_code("stored_bytes_exceeded"),
            StoreError::LatestCheckpoint(_) => {
                Self::conflict(error.to_string()).with_param("steps").with_code("latest_checkpoint")
            }
            StoreError::KeyReused(_) => {
                Self::invalid("Idempotency-Key", error.to_string()).with_code("idempotency_key_reused")
            }
            StoreError::InvalidValue(message) => Self::invalid("", message.clone()),
            StoreError::Unavailable(_) | StoreError::Frozen(_) => {
                Self::unavailable("the store is busy; try again", STORE_RETRY).with_cause(error_chain(&error))
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
            return Self::unavailable(told, ARTIFACTS_RETRY).with_cause(error_chain(&error));
        }
        Self::internal(error_chain(&error))
    }
}

impl From<ResolveError> for ApiError {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Unknown(_) | ResolveError::BaseNotServed(_) | ResolveError::NothingSamples(_) => {
                Self::not_found(error.to_string()).with_param("model").with_code("model_not_found")
            }
            ResolveError::Store(error) => error.into(),
            ResolveError::Artifact(error) => error.into(),
            ResolveError::Busy => Self::too_many_requests(error.to_string(), MODELS_RETRY),
            ResolveError::Adapter(_)
            | ResolveError::AdapterDirectory(_)
            | ResolveError::Weights(_)
            | ResolveError::BaseWeights(_)
            | ResolveError::Own(_) => Self::internal(error_chain(&error)),
        }
    }
}

impl From<ReferenceError> for ApiError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Store(error) => error.into(),
            error => Self::invalid(format!("experimental_config.{}", error.option()), error.to_string()),
        }
    }
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        Self::internal(error_chain(&error))
    }
}

/// Returns the error response for an invalid training option. `field` is the field that contains the options.
pub(super) fn option_failure(field: &str, error: &ConfigError) -> ApiError {
    match error {
        ConfigError::Invalid { option, .. } | ConfigError::Contradiction { option, .. } => {
            ApiError::invalid(format!("{field}.{option}"), error.to_string())
        }
        ConfigError::NotAnObject { .. } => ApiError::invalid(field, error.to_string()),
        ConfigError::TooFewLearningRates { .. } => {
            ApiError::invalid(format!("{field}.learning_rate"), error.to_string())
        }
    }
}
