//! The first phase of a job: its data set in the artifact store, and the checkpoint that it starts from.

use super::context::JobContext;
use super::error::JobError;
use crate::store::artifacts::{ArtifactId, Artifacts};
use crate::store::records::{JobInput, JobStart, Lease};
use crate::training::{DataSource, SourceLimits};

/// Returns the start of the job. Its first attempt fetches the data set and records the start, so that every later
/// attempt starts from the same.
pub(super) async fn start(context: &JobContext<'_>, lease: Lease) -> Result<JobStart, JobError> {
    let JobContext { parts, job, .. } = context;
    if let Some(start) = &job.start {
        return Ok(start.clone());
    }
    let dataset = match &job.input {
        JobInput::Artifact(_) | JobInput::File { .. } => None,
        JobInput::Url(url) => Some(download(&parts.artifacts, &parts.data, url).await?),
    };
    Ok(parts.metadata.record_start(&lease, dataset).await?)
}

/// Streams the response of a URL into the artifact store.
pub(super) async fn download(artifacts: &Artifacts, data: &DataSource, url: &str) -> Result<ArtifactId, JobError> {
    let mut stream = data.open(url, &SourceLimits::default()).await?;
    let mut writer = artifacts.writer();
    while let Some(chunk) = stream.next_chunk().await? {
        writer.write(&chunk).await?;
    }
    Ok(writer.finish().await?)
}
