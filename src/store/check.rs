//! Whether everything that rows refer to is there, byte for byte, and what is there that no row refers to.

use std::collections::HashSet;

use futures_util::{StreamExt, stream};

use super::artifacts::{ArtifactError, ArtifactId, Artifacts, StoredArtifact};
use super::garbage::{GRACE, GarbageError};
use super::metadata::Metadata;
use super::records::{ArtifactHolder, ArtifactReference};

/// References read at once.
const PAGE: u32 = 500;
/// Artifacts read at the same time.
const PARALLEL: usize = 4;

/// An artifact that a row refers to and that cannot be used.
#[derive(Debug)]
pub struct Fault {
    /// The artifact.
    pub artifact: ArtifactId,
    /// Who needs it.
    pub holder: ArtifactHolder,
    /// What is wrong with it.
    pub error: ArtifactError,
}

/// What a check found.
#[derive(Debug, Default)]
pub struct Report {
    /// Artifacts that rows refer to.
    pub referenced: u64,
    /// Those of them that are missing or damaged.
    pub faults: Vec<Fault>,
    /// Artifacts that no row refers to and that are old enough to be collected; a running server does so within hours.
    pub orphans: Vec<StoredArtifact>,
    /// Younger artifacts that no row refers to: being written, or left by a crash.
    pub unpublished: Vec<StoredArtifact>,
}

/// Reads every artifact that a row refers to and compares its hash with its name. `on_progress` gets how many are read.
/// A server may run meanwhile.
///
/// # Errors
/// When rows or the list of artifacts cannot be read; a single artifact that cannot is a [`Fault`].
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
                // A row that went meanwhile took its artifact along.
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
