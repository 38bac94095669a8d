//! Recorded sessions: what a program samples under one id is stored token by token, rewarded later, and trained on.
//!
//! Rejected: capture by a proxy or a client library. Neither knows the tokens, and text that is tokenised again trains on what
//! nobody sampled.

mod generation;
mod trajectory;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::generation::{Origin, recorded};
pub(crate) use self::trajectory::{SessionGroups, TrajectoryError};
use crate::store::background::LastOutcome;
use crate::store::metadata::Metadata;

/// Time from the opening of a session to its end, in milliseconds.
pub(crate) const LIFE: i64 = 7 * 24 * 60 * 60 * 1000;
/// Bytes of a session's generations from which it takes no further one.
pub(crate) const MAX_BYTES: i64 = 64 << 20;
/// Number of a session's generations from which it takes no further one.
pub(crate) const MAX_GENERATIONS: i64 = 1000;
/// Bytes of all sessions of an entity from which they take no further generation.
pub(crate) const MAX_ENTITY_BYTES: u64 = 8 << 30;
/// Interval of looks at the expired sessions.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// Deletes expired sessions until `stop` is ready, with the outcome of each look in `outcome`.
pub(crate) async fn run_sweeper(metadata: Arc<dyn Metadata>, outcome: LastOutcome, stop: impl Future<Output = ()>) {
    let rounds = async {
        loop {
            let deleted = metadata.delete_expired_sessions().await;
            outcome.record(&deleted);
            match deleted {
                Ok(0) => tokio::time::sleep(SWEEP_INTERVAL).await,
                Ok(deleted) => tracing::info!(deleted, "expired sessions were deleted"),
                Err(error) => {
                    tracing::warn!(%error, "expired sessions could not be deleted");
                    tokio::time::sleep(SWEEP_INTERVAL).await;
                }
            }
        }
    };
    tokio::select! {
        () = rounds => {}
        () = stop => {}
    }
}
