//! Removing artifacts that no row refers to.
//!
//! Any number of processes collect at the same time. A name is given to one writing only, so an artifact that a row
//! referred to, and none does any more, stays so: it is removed at once ([`collect`]). An artifact that no row refers to
//! yet may be about to be published by another process: [`sweep`] leaves those alone that are younger than a day.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};

pub use super::artifacts::GRACE;
use super::artifacts::{ArtifactError, ArtifactId, Artifacts};
use super::metadata::{Metadata, StoreError};
use crate::error_chain::error_chain;
use crate::stop::{self, Stop};

/// How often a running server looks for what is older.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);
/// Artifacts about which the database is asked at once.
const BATCH: usize = 500;
/// Artifacts that are removed at the same time.
const PARALLEL: usize = 8;

/// Why garbage was not collected. What was not removed is found again by the next [`sweep`].
#[derive(Debug, thiserror::Error)]
pub enum GarbageError {
    /// The metadata store could not say what is referenced.
    #[error("cannot tell which artifacts are still in use")]
    Metadata(#[from] StoreError),
    /// The artifact store failed.
    #[error("cannot remove unused artifacts")]
    Artifacts(#[from] ArtifactError),
}

/// Removes those of `candidates` that no row refers to; returns how many. Each was named by a row, or is older than
/// [`GRACE`], or was written by the caller and never named.
///
/// # Errors
/// When a store fails; some may be removed then.
pub async fn collect(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    candidates: &[ArtifactId],
) -> Result<usize, GarbageError> {
    let mut removed = 0;
    for batch in candidates.chunks(BATCH) {
        let unused = metadata.unreferenced_artifacts(batch).await?;
        // In this order, see `Artifacts::hold`. What is kept now is found by a sweep.
        if unused.is_empty() || artifacts.is_held().await? {
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

/// As [`collect`], in a task of its own: for what has been answered already, also when the caller goes away. What
/// cannot be removed is found again by a [`sweep`].
pub fn collect_later(metadata: Arc<dyn Metadata>, artifacts: Artifacts, candidates: Vec<ArtifactId>) {
    tokio::spawn(async move {
        if let Err(error) = collect(&*metadata, &artifacts, &candidates).await {
            tracing::warn!(%error, "unused artifacts could not be removed");
        }
    });
}

/// Removes every artifact that is as old as `grace` and that no row refers to, and what was begun as long ago and never
/// finished: what crashed processes left. Returns how many artifacts.
///
/// # Errors
/// When a store fails; some may be removed then.
pub async fn sweep(metadata: &dyn Metadata, artifacts: &Artifacts, grace: Duration) -> Result<usize, GarbageError> {
    artifacts.remove_unfinished(grace).await?;
    let old: Vec<ArtifactId> =
        artifacts.list().await?.into_iter().filter(|stored| stored.age >= grace).map(|stored| stored.id).collect();
    collect(metadata, artifacts, &old).await
}

/// Sweeps now and then until `stop` turns true.
pub async fn keep_swept(metadata: Arc<dyn Metadata>, artifacts: Artifacts, stop: Stop) {
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
