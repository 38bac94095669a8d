//! Garbage collection of unreferenced artifacts.
//!
//! Any number of processes may collect at once. Every write has a unique artifact name, so an artifact whose last
//! reference was deleted stays unreferenced: [`collect`] removes it at once. An artifact without a reference yet may be
//! about to get one from another process: [`sweep`] spares artifacts younger than a day.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};

pub use super::artifacts::GRACE;
use super::artifacts::{ArtifactError, ArtifactId, Artifacts, Uncollected};
use super::metadata::{Metadata, StoreError};
use trainyard_runtime::error_chain;

/// Interval at which a collection that failed is tried again.
const RETRY: Duration = Duration::from_secs(15);
/// Maximum number of candidates that are kept until then.
const MAX_KEPT: usize = 100_000;
/// Interval between a running server's sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);
/// Artifacts in one query to the database.
const BATCH: usize = 500;
/// Maximum number of expired files that one sweep deletes.
const EXPIRED: u32 = 100_000;
/// Concurrent removals.
const PARALLEL: usize = 8;

/// An error of a garbage collection. The next [`sweep`] finds the remaining artifacts.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum GarbageError {
    #[error("cannot tell which artifacts are still in use")]
    Metadata(#[from] StoreError),
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

/// Runs [`collect`] in a background task, which outlives the request. The sweeper tries again what fails.
pub fn collect_later(metadata: Arc<dyn Metadata>, artifacts: Artifacts, candidates: Vec<ArtifactId>) {
    tokio::spawn(async move {
        if let Err(error) = collect(&*metadata, &artifacts, &candidates).await {
            artifacts.uncollected().failed(candidates, &error);
        }
    });
}

impl Uncollected {
    /// Records a collection that failed, and keeps its candidates.
    fn failed(&self, candidates: Vec<ArtifactId>, error: &GarbageError) {
        tracing::warn!(error = %error_chain(error), "unused artifacts could not be removed");
        self.outcome.record(&Err::<(), _>(error.told()));
        let mut kept = self.candidates.lock();
        // A sweep finds the others when they are a day old.
        kept.extend(candidates);
        kept.truncate(MAX_KEPT);
    }

    /// Runs a [`sweep`], collects the candidates that were kept, and deletes expired responses and sessions. Returns whether
    /// nothing failed.
    async fn sweep(&self, metadata: &dyn Metadata, artifacts: &Artifacts) -> bool {
        let kept = std::mem::take(&mut *self.candidates.lock());
        let swept = async {
            let expired = metadata.delete_expired_files(EXPIRED).await?;
            let removed = collect(metadata, artifacts, &[kept.clone(), expired].concat()).await?;
            metadata.expire_responses().await?;
            while metadata.delete_expired_sessions().await? > 0 {}
            Ok(removed + sweep(metadata, artifacts, GRACE).await?)
        };
        match swept.await {
            Ok(removed) => {
                if removed > 0 {
                    tracing::info!(removed, "artifacts that nothing refers to were removed");
                }
                // A collection may have failed meanwhile.
                if self.candidates.lock().is_empty() {
                    self.outcome.record(&Ok::<_, String>(()));
                }
                true
            }
            Err(error) => {
                self.failed(kept, &error);
                false
            }
        }
    }
}

impl Artifacts {
    /// Returns why unused artifacts are not removed; `None` if they are.
    pub fn collection_failure(&self) -> Option<String> {
        self.uncollected().outcome.failure()
    }
}

impl GarbageError {
    /// Returns what any key may know: cause and remedy, without a path.
    fn told(&self) -> String {
        let mut causes = std::iter::successors(Some(self as &(dyn Error + 'static)), |&error| error.source());
        let kind = causes.find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
        let cause = kind.map_or_else(|| "the log has the cause".to_owned(), |kind| kind.to_string());
        let remedy = match kind {
            Some(io::ErrorKind::PermissionDenied) => {
                "; give all files of the data directory to the service's user (chown -R)"
            }
            _ => "",
        };
        format!("{self}: {cause}{remedy}")
    }
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

/// Runs a [`sweep`] every hour until `stop` is ready.
pub async fn run_sweeper(metadata: Arc<dyn Metadata>, artifacts: Artifacts, stop: impl Future<Output = ()>) {
    sweep_every(SWEEP_INTERVAL, metadata, artifacts, stop).await;
}

async fn sweep_every(
    interval: Duration,
    metadata: Arc<dyn Metadata>,
    artifacts: Artifacts,
    stop: impl Future<Output = ()>,
) {
    let uncollected = artifacts.uncollected();
    let rounds = async {
        let mut swept_at: Option<Instant> = None;
        loop {
            let is_due = swept_at.is_none_or(|at| at.elapsed() >= interval);
            if (is_due || uncollected.outcome.failure().is_some()) && uncollected.sweep(&*metadata, &artifacts).await {
                swept_at = Some(Instant::now());
            }
            tokio::time::sleep(interval.min(RETRY)).await;
        }
    };
    tokio::select! {
        () = rounds => {}
        () = stop => {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::sqlite::SqliteMetadata;

    #[tokio::test]
    async fn a_sweep_that_fails_is_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        let location = directory.path().join("artifacts");
        let metadata = Arc::new(SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap());
        let artifacts = Artifacts::open_directory(&location).unwrap();
        let orphan = artifacts.put("nobody names this").await.unwrap();
        let name = orphan.to_string();
        let file =
            std::fs::File::options().write(true).open(location.join("sha256").join(&name[..2]).join(&name)).unwrap();
        file.set_modified(SystemTime::now() - 2 * GRACE).unwrap();
        // The store is away.
        let away = directory.path().join("away");
        std::fs::rename(&location, &away).unwrap();
        std::fs::write(&location, "no directory").unwrap();
        assert!(sweep(&*metadata, &artifacts, GRACE).await.is_err());
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let stopped = async { stopped.await.unwrap() };
        let interval = Duration::from_millis(5);
        let sweeping = tokio::spawn(sweep_every(interval, metadata, artifacts.clone(), stopped));
        tokio::time::sleep(20 * interval).await;
        assert!(!sweeping.is_finished());
        std::fs::remove_file(&location).unwrap();
        std::fs::rename(&away, &location).unwrap();
        let back = Instant::now();
        while !artifacts.list().await.unwrap().is_empty() {
            assert!(back.elapsed() < Duration::from_secs(60), "nobody sweeps any more");
            tokio::time::sleep(interval).await;
        }
        stop.send(()).unwrap();
        sweeping.await.unwrap();
    }
}
