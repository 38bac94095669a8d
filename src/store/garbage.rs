//! Garbage collection of unreferenced artifacts.
//!
//! Any number of processes may collect at once. Every write has a unique artifact name, so an artifact whose last
//! reference was deleted stays unreferenced: [`collect`] removes it at once. An artifact without a reference yet may be
//! about to get one from another process: [`sweep`] spares artifacts younger than a day.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};

pub use super::artifacts::GRACE;
use super::artifacts::{ArtifactError, ArtifactId, Artifacts};
use super::metadata::{Metadata, StoreError};
use crate::error_chain::error_chain;
use crate::stop::{self, Stop};

/// Interval between a running server's sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);
/// Artifacts in one query to the database.
const BATCH: usize = 500;
/// Concurrent removals.
const PARALLEL: usize = 8;

/// An error of a garbage collection. The next [`sweep`] finds the remaining artifacts.
#[derive(Debug, thiserror::Error)]
pub enum GarbageError {
    /// The metadata store failed to list references.
    #[error("cannot tell which artifacts are still in use")]
    Metadata(#[from] StoreError),
    /// The artifact store failed.
    #[error("cannot remove unused artifacts")]
    Artifacts(#[from] ArtifactError),
}

/// Removes the unreferenced ones of `candidates`; returns their number. Each candidate must have been referenced by a
/// row, be older than [`GRACE`], or have been written by the caller and never referenced.
///
/// # Errors
/// When a store fails; some artifacts may be removed then.
pub async fn collect(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    candidates: &[ArtifactId],
) -> Result<usize, GarbageError> {
    let mut removed = 0;
    for batch in candidates.chunks(BATCH) {
        let unused = metadata.unreferenced_artifacts(batch).await?;
        // In this order, see `Artifacts::lock_retention`. A later sweep finds the artifacts retained now.
        if unused.is_empty() || artifacts.is_retention_locked().await? {
            continue;
        }
        removed += unused.len();
        stream::iter(unused.into_iter().map(|id| artifacts.delete(id)))
            .buffer_unordered(PARALLEL)
            .try_collect::<()>()
            .await?;
    }
    Ok(removed)
}

/// Runs [`collect`] in a background task, which outlives the request. A [`sweep`] finds artifacts that cannot be
/// removed.
pub fn collect_later(metadata: Arc<dyn Metadata>, artifacts: Artifacts, candidates: Vec<ArtifactId>) {
    tokio::spawn(async move {
        if let Err(error) = collect(&*metadata, &artifacts, &candidates).await {
            tracing::warn!(%error, "unused artifacts could not be removed");
        }
    });
}

/// Removes every unreferenced artifact older than `grace`, and unfinished writes as old: the remains of crashed
/// processes. Returns the number of artifacts.
///
/// # Errors
/// When a store fails; some artifacts may be removed then.
pub async fn sweep(metadata: &dyn Metadata, artifacts: &Artifacts, grace: Duration) -> Result<usize, GarbageError> {
    artifacts.remove_unfinished(grace).await?;
    let old: Vec<ArtifactId> =
        artifacts.list().await?.into_iter().filter(|stored| stored.age >= grace).map(|stored| stored.id).collect();
    collect(metadata, artifacts, &old).await
}

/// Runs a [`sweep`] every hour until `stop` turns true.
pub async fn run_sweeper(metadata: Arc<dyn Metadata>, artifacts: Artifacts, stop: Stop) {
    sweep_every(SWEEP_INTERVAL, metadata, artifacts, stop).await;
}

async fn sweep_every(interval: Duration, metadata: Arc<dyn Metadata>, artifacts: Artifacts, mut stop: Stop) {
    loop {
        let swept = tokio::select! {
            swept = sweep(&*metadata, &artifacts, GRACE) => swept,
            () = stop::requested(&mut stop) => return,
        };
        match swept {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "artifacts that nothing refers to were removed"),
            Err(error) => {
                let error = error_chain(&error);
                tracing::warn!(error, "unused artifacts could not be removed; trying again in {interval:?}");
            }
        }
        tokio::select! {
            () = tokio::time::sleep(interval) => {}
            () = stop::requested(&mut stop) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Instant, SystemTime};

    use super::*;
    use crate::store::sqlite::SqliteMetadata;

    #[tokio::test]
    async fn a_sweep_that_fails_is_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("artifacts");
        let metadata = Arc::new(SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap());
        let artifacts = Artifacts::open_directory(&place).unwrap();
        let orphan = artifacts.put("nobody names this").await.unwrap();
        let name = orphan.to_string();
        let file =
            std::fs::File::options().write(true).open(place.join("sha256").join(&name[..2]).join(&name)).unwrap();
        file.set_modified(SystemTime::now() - 2 * GRACE).unwrap();
        // The store is away.
        let away = directory.path().join("away");
        std::fs::rename(&place, &away).unwrap();
        std::fs::write(&place, "no directory").unwrap();
        assert!(sweep(&*metadata, &artifacts, GRACE).await.is_err());
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let interval = Duration::from_millis(5);
        let sweeping = tokio::spawn(sweep_every(interval, metadata, artifacts.clone(), stopped));
        tokio::time::sleep(20 * interval).await;
        assert!(!sweeping.is_finished());
        std::fs::remove_file(&place).unwrap();
        std::fs::rename(&away, &place).unwrap();
        let back = Instant::now();
        while !artifacts.list().await.unwrap().is_empty() {
            assert!(back.elapsed() < Duration::from_secs(60), "nobody sweeps any more");
            tokio::time::sleep(interval).await;
        }
        stop.send(true).unwrap();
        sweeping.await.unwrap();
    }
}
