//! The interface of the metadata store, the same for every database.
//!
//! Rules of every implementation, checked by the conformance suite:
//! - A read names the entity. An object of another entity is indistinguishable from a missing one.
//! - One call is one transaction, or reads the same as in one. Times come from the database's clock.
//! - A worker's write checks the fencing token of its [`Lease`] in that transaction, and fails with
//!   [`StoreError::LeaseLost`] if the lease is lost.
//! - An event log has no gaps, duplicates or reordering. A step of a model is never reused.

mod batches;
mod checkpoints;
mod files;
mod idempotency;
mod jobs;
mod keys;
mod leases;
mod models;
mod responses;
mod sessions;
mod steps;
mod usage;
mod workers;

use uuid::Uuid;

pub use self::batches::Batches;
pub use self::checkpoints::Checkpoints;
pub use self::files::Files;
pub use self::idempotency::Idempotency;
pub use self::jobs::Jobs;
pub use self::keys::Keys;
pub use self::leases::Leases;
pub use self::models::Models;
pub use self::responses::{MAX_CONVERSATION_BYTES, Responses};
pub use self::sessions::Sessions;
pub use self::steps::Steps;
pub use self::usage::Usage;
pub use self::workers::Workers;
use super::records::Lease;

/// A result of the store for an object that may be missing.
pub trait OptionalExtension<T> {
    /// Returns `None` instead of [`StoreError::NotFound`].
    ///
    /// # Errors
    /// Every other error.
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Err(StoreError::NotFound(_)) => Ok(None),
            found => found.map(Some),
        }
    }
}

/// An error of the metadata store.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum StoreError {
    /// The object does not exist, or it belongs to another entity.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("the cursor {0} is not an item of this listing")]
    InvalidCursor(Uuid),
    /// The request conflicts with the stored state.
    #[error("{0}")]
    Conflict(String),
    #[error("there are {limit} queued or running jobs already; try again when one of them has ended")]
    TooManyJobs {
        /// See [`MAX_UNFINISHED_JOBS`].
        limit: i64,
    },
    #[error("there are {limit} batches under way already; try again when one of them has ended")]
    TooManyBatches {
        /// See [`MAX_UNFINISHED_BATCHES`].
        limit: i64,
    },
    #[error("this key may have {limit} queued or running jobs; try again when one of them has ended")]
    TooManyJobsOfKey { limit: u64 },
    #[error("there are {0} recorded sessions already; delete those that are not needed, or wait until some expire")]
    TooManySessions(i64),
    #[error("this key may store {limit} bytes of files and has {stored}; delete files that are not needed")]
    TooManyBytes { limit: u64, stored: u64 },
    #[error("the idempotency key {0:?} was used for another request; use a new key for a new request")]
    KeyReused(String),
    /// The checkpoint is the newest of its model. Without it, the model would serve an older one.
    #[error(
        "step {0} is the newest of the model, which its name stands for; delete it with `allow_latest`, and the name \
         stands for the newest step that is left"
    )]
    LatestCheckpoint(i64),
    /// The value cannot be stored.
    #[error("{0}")]
    InvalidValue(String),
    /// The lease is lost: another worker claimed the job, or the job has ended or was deleted.
    #[error("the lease on job {} (token {}) is no longer held", .0.job_id, .0.token)]
    LeaseLost(Lease),
    /// The database is busy, its disk is full, or it is unreachable. The same call may succeed later. After a broken
    /// connection, the write may have taken effect.
    #[error("the metadata store cannot do this at the moment; try again later")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Another process keeps this one from writing.
    #[error("{0}")]
    Frozen(String),
    #[error("the metadata store failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored value is unreadable: the database was damaged or changed by hand.
    #[error("the metadata store holds an unreadable {column}: {reason}")]
    Corrupt { column: &'static str, reason: String },
}

impl StoreError {
    /// Returns whether the store rejected the call, so that nothing was written.
    pub fn is_rejection(&self) -> bool {
        !matches!(self, Self::Unavailable(_) | Self::Database(_) | Self::Corrupt { .. })
    }
}

/// The limit on queued and running jobs of one entity. Each of them retains its input.
pub const MAX_UNFINISHED_JOBS: i64 = 1000;

/// The limit on unfinished batches of one entity.
pub const MAX_UNFINISHED_BATCHES: i64 = 100;

/// The lifetime of the result of an idempotent request, in milliseconds: a day.
pub const IDEMPOTENT_RESULT_LIFE: i64 = 24 * 60 * 60 * 1000;

/// The result of a call to the metadata store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

macro_rules! metadata {
    ($($subject:ident),+ $(,)?) => {
        /// The metadata store: everything that the service stores, apart from artifact bytes.
        ///
        /// Its methods are those of its supertraits. A `dyn Metadata` has them all without an import.
        pub trait Metadata: $($subject +)+ {}

        impl<T: $($subject +)+> Metadata for T {}
    };
}

metadata!(
    Keys,
    Idempotency,
    Models,
    Checkpoints,
    Jobs,
    Leases,
    Steps,
    Files,
    Usage,
    Workers,
    Batches,
    Sessions,
    Responses,
);
