//! Claims batches and runs them, beside the live requests of a server.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tracing::Instrument;

use super::Execute;
use super::run::{self, LEASE, Parts, RunError};
use crate::error_chain;
use crate::stop::{self, Stop};
use crate::store::artifacts::Artifacts;
use crate::store::metadata::Metadata;
use crate::store::records::ClaimedBatch;

/// Maximum number of batches that one process runs at a time.
const MAX_BATCHES: usize = 4;
/// Interval of looks for a batch, which find those of other processes.
const POLL: Duration = Duration::from_secs(1);

/// Runs the batches of all entities.
pub(crate) struct BatchRunner {
    parts: Parts,
    owner: String,
    /// Notified of a new batch.
    created: Arc<Notify>,
}

impl BatchRunner {
    /// Creates a runner with a unique name.
    pub(crate) fn new(
        metadata: Arc<dyn Metadata>,
        artifacts: Artifacts,
        execute: Arc<dyn Execute>,
        created: Arc<Notify>,
    ) -> Self {
        let owner = format!("server-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple());
        Self { parts: Parts { metadata, artifacts, execute, in_flight: Arc::default() }, owner, created }
    }

    /// Runs batches until `stop` turns true. Those that it holds can then be claimed by others.
    pub(crate) async fn run(self, mut stop: Stop) {
        let mut running = JoinSet::new();
        while !*stop.borrow() {
            let may_claim = running.len() < MAX_BATCHES;
            if may_claim {
                match self.parts.metadata.claim_batch(&self.owner, LEASE).await {
                    Ok(Some(claimed)) => {
                        let span = tracing::info_span!("batch", id = %claimed.batch.id);
                        running.spawn(hold(self.parts.clone(), claimed, stop.clone()).instrument(span));
                        continue;
                    }
                    Ok(None) => {}
                    Err(error) => tracing::warn!(error = %error_chain(&error), "batches cannot be looked for"),
                }
            }
            tokio::select! {
                () = tokio::time::sleep(POLL) => {}
                () = self.created.notified(), if may_claim => {}
                Some(ended) = running.join_next() => if let Err(error) = ended {
                    tracing::error!(%error, "a batch ended badly; its lease will expire");
                },
                () = stop::requested(&mut stop) => {}
            }
        }
        while running.join_next().await.is_some() {}
    }
}

/// Runs a batch to its end, or gives it back.
async fn hold(parts: Parts, claimed: ClaimedBatch, mut stop: Stop) {
    let lease = claimed.lease;
    tracing::info!("batch claimed");
    let metadata = parts.metadata.clone();
    let ended = tokio::select! {
        ended = run::run(parts, claimed) => ended,
        () = stop::requested(&mut stop) => Err(RunError::Stopped),
    };
    let Err(error) = ended else { return };
    run::left(&error);
    if !matches!(error, RunError::Stopped) {
        tokio::time::sleep(POLL).await;
    }
    // If it cannot be released, its lease expires.
    if let Err(error) = metadata.release_batch(&lease).await {
        tracing::debug!(%error, "the lease of a batch could not be released");
    }
}
