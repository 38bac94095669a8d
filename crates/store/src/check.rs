//! Consistency check of rows and artifacts.

use std::collections::HashSet;

use futures_util::{StreamExt, stream};

use super::artifacts::{ArtifactError, ArtifactId, Artifacts, StoredArtifact};
use super::garbage::{GRACE, GarbageError};
use super::metadata::Metadata;
use super::records::{ArtifactHolder, ArtifactReference};

/// References per page.
const PAGE: u32 = 500;
/// Concurrent reads of artifacts.
const PARALLEL: usize = 4;

/// A referenced artifact that is missing or damaged.
#[derive(Debug)]
pub struct Fault {
    /// The artifact.
    pub artifact: ArtifactId,
    /// The holder of the reference.
    pub holder: ArtifactHolder,
    /// The reason.
    pub error: ArtifactError,
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Report {
    /// Number of referenced artifacts.
    pub referenced: u64,
    /// Referenced artifacts that are missing or damaged.
    pub faults: Vec<Fault>,
    /// Unreferenced artifacts older than [`GRACE`]. A running server collects them within hours.
    pub orphans: Vec<StoredArtifact>,
    /// Younger unreferenced artifacts: being written, or left by a crash.
    pub unpublished: Vec<StoredArtifact>,
}

/// Reads every referenced artifact and compares its hash with its name. `on_progress` gets the number of read
/// artifacts. A server may run meanwhile.
///
/// # Errors
/// When rows or the list of artifacts cannot be read. An unreadable artifact is a [`Fault`].
pub async fn check(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Report, GarbageError> {
    let mut report = Report::default();
    let mut named = HashSet::new();
    let mut after = None;
    loop {
        let page = metadata.artifact_references(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.artifact);
        named.extend(page.iter().map(|reference| reference.artifact));
        let mut reading =
            stream::iter(page.into_iter().map(|reference| read(artifacts, reference))).buffer_unordered(PARALLEL);
        while let Some(fault) = reading.next().await {
            report.referenced += 1;
            on_progress(report.referenced);
            if let Some(fault) = fault
                // A row deleted meanwhile took its artifact along.
                && metadata.unreferenced_artifacts(&[fault.artifact]).await?.is_empty()
            {
                report.faults.push(fault);
            }
        }
    }
    let mut unnamed = artifacts.list().await?;
    unnamed.retain(|stored| !named.contains(&stored.id));
    for batch in unnamed.chunks(PAGE as usize) {
        let ids: Vec<ArtifactId> = batch.iter().map(|stored| stored.id).collect();
        let unreferenced: HashSet<ArtifactId> = metadata.unreferenced_artifacts(&ids).await?.into_iter().collect();
        for stored in batch.iter().filter(|stored| unreferenced.contains(&stored.id)) {
            if stored.age >= GRACE { &mut report.orphans } else { &mut report.unpublished }.push(*stored);
        }
    }
    Ok(report)
}

async fn read(artifacts: &Artifacts, reference: ArtifactReference) -> Option<Fault> {
    let ArtifactReference { artifact, holder } = reference;
    artifacts.verify(artifact).await.err().map(|error| Fault { artifact, holder, error })
}
