//! The first phase of a job: its data set in the artifact store, and the checkpoint that it starts from.

use serde_json::Value;

use super::context::JobContext;
use super::error::JobError;
use crate::store::artifacts::{ArtifactId, Artifacts};
use crate::store::records::{JobInput, JobKind, JobStart, Lease, RemoteSampler};
use crate::training::{DataSource, SourceLimits};

/// Artifacts of a job's data and the options that it was sent.
pub(super) struct TrainingData {
    /// Method of training, which decides the format of the data.
    pub(super) kind: JobKind,
    /// Data set or trajectory groups.
    pub(super) training: ArtifactId,
    /// Validation data of a supervised job.
    pub(super) validation: Option<ArtifactId>,
    /// Options as they were sent.
    pub(super) config: Value,
    /// Kind of the base model's sampler if it is in other processes.
    pub(super) sampler: Option<RemoteSampler>,
}

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
