//! Removing artifacts that no row refers to any more.

use std::sync::Arc;

use super::artifacts::{ArtifactError, ArtifactId, Artifacts};
use super::metadata::{Metadata, StoreError};

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

/// Removes those of `candidates` that no row refers to; returns how many. Nothing is published meanwhile.
pub async fn collect(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    candidates: &[ArtifactId],
) -> Result<usize, GarbageError> {
    if candidates.is_empty() {
        return Ok(0);
    }
    let _alone = artifacts.collecting().await;
    // Ask again: since the candidates were named, a new row may have come to refer to equal bytes.
    let unused = metadata.unreferenced_artifacts(candidates).await?;
    for id in &unused {
        artifacts.delete(*id).await?;
    }
    Ok(unused.len())
}

/// As [`collect`], in a task of its own: for what has been answered already, also when the caller goes away. What
/// cannot be removed is found again by the next [`sweep`].
pub fn collect_later(metadata: Arc<dyn Metadata>, artifacts: Artifacts, candidates: Vec<ArtifactId>) {
    tokio::spawn(async move {
        if let Err(error) = collect(&*metadata, &artifacts, &candidates).await {
            tracing::warn!(%error, "unused artifacts could not be removed");
        }
    });
}

/// Removes every artifact that no row refers to: what was written before a crash and never published.
pub async fn sweep(metadata: &dyn Metadata, artifacts: &Artifacts) -> Result<usize, GarbageError> {
    let present = artifacts.list().await?;
    collect(metadata, artifacts, &present).await
}
