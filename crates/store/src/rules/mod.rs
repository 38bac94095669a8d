//! Decisions, limits and checks of the metadata store, the same for every database.
//!
//! They are functions of records that a transaction has read. A decision inside of SQL would be written once for each dialect,
//! and tested through a database only.

mod checkpoints;
mod jobs;
mod leases;

use std::time::Duration;

pub(super) use self::checkpoints::*;
pub(super) use self::jobs::*;
pub(super) use self::leases::*;
use super::metadata::{Result, StoreError};
use super::records::{IdempotentResult, ModelCreation, ModelRecord};

impl ModelCreation {
    /// The result that is recorded under the request's idempotency key.
    pub(super) fn idempotent_result(&self) -> IdempotentResult {
        match self {
            Self::Created(model) => IdempotentResult::CreatedModel(model.id),
            Self::Existing(model) => IdempotentResult::ExistingModel(model.id),
        }
    }

    /// The result of a repeated request, from its recorded result and the model in its present state.
    pub(super) fn repeated(result: IdempotentResult, model: ModelRecord) -> Self {
        match result {
            IdempotentResult::ExistingModel(_) => Self::Existing(model),
            _ => Self::Created(model),
        }
    }

    /// The new model.
    ///
    /// # Errors
    /// When the name was taken.
    pub(super) fn created(self) -> Result<ModelRecord> {
        match self {
            Self::Created(model) => Ok(model),
            Self::Existing(ModelRecord { entity, project, name, .. }) => {
                Err(StoreError::Conflict(format!("{entity}/{project} already has a model {name:?}")))
            }
        }
    }
}

/// Checks the limit on the stored bytes of a key before a file of `added` bytes is stored.
///
/// # Errors
/// [`StoreError::TooManyBytes`] if the file would exceed it.
pub(super) fn check_stored_bytes(stored: u64, added: i64, limit: u64) -> Result<()> {
    if stored.saturating_add(added.unsigned_abs()) > limit {
        return Err(StoreError::TooManyBytes { limit, stored });
    }
    Ok(())
}

/// Maximum number of steps that the rate of a job is computed from.
pub(super) const RECENT_STEPS: i64 = 20;
/// Time without a report after which a worker is presumed dead, in milliseconds: three reports that did not arrive.
pub(super) const WORKER_SILENCE: i64 = 45_000;
/// Time without a report after which a worker is forgotten, in milliseconds.
pub(super) const WORKER_LIFE: i64 = 24 * 60 * 60 * 1000;

/// Converts a duration for SQL. Adding the result to a time does not overflow.
pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
