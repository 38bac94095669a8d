//! Rules of jobs.

use crate::artifacts::ArtifactId;
use crate::metadata::{MAX_UNFINISHED_JOBS, Result, StoreError};
use crate::records::{
    JobFailure, JobInput, JobLabels, JobOutcome, JobRecord, JobState, JobStatus, LabelChange, NewEvent, ResumeState,
};

/// Checks the number of an entity's unfinished jobs before another is queued.
///
/// # Errors
/// [`StoreError::TooManyJobs`] at the limit.
pub(crate) fn check_unfinished_jobs(unfinished: i64) -> Result<()> {
    if unfinished >= MAX_UNFINISHED_JOBS {
        return Err(StoreError::TooManyJobs { limit: MAX_UNFINISHED_JOBS });
    }
    Ok(())
}

/// Checks the number of a key's unfinished jobs before another is queued.
///
/// # Errors
/// [`StoreError::TooManyJobsOfKey`] at the limit.
pub(crate) fn check_unfinished_jobs_of_key(unfinished: i64, limit: u64) -> Result<()> {
    if unfinished.unsigned_abs() >= limit {
        return Err(StoreError::TooManyJobsOfKey { limit });
    }
    Ok(())
}

/// Returns whether a job is to be cancelled: `false` if it is cancelled already.
///
/// # Errors
/// [`StoreError::Conflict`] if it has succeeded or failed.
pub(crate) fn is_cancellable(job: &JobRecord) -> Result<bool> {
    match job.status {
        JobStatus::Queued | JobStatus::Running => Ok(true),
        JobStatus::Cancelled => Ok(false),
        ended @ (JobStatus::Succeeded | JobStatus::Failed) => Err(StoreError::Conflict(format!(
            "the job has ended already: it {}; only one that waits or runs can be cancelled",
            ended.as_str()
        ))),
    }
}

/// Returns the labels of a job after a change.
pub(crate) fn changed_labels(job: JobRecord, change: LabelChange) -> JobLabels {
    let JobLabels { name, tags } = job.summary.labels;
    JobLabels { name: change.name.unwrap_or(name), tags: change.tags.unwrap_or(tags) }
}

/// Adds the job's steps and trained tokens to its last event.
///
/// # Errors
/// [`StoreError::InvalidValue`] if the event's data is not a JSON object.
pub(crate) fn last_event(event: &NewEvent, reached: &JobState) -> Result<NewEvent> {
    let mut data: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&event.data)
        .map_err(|error| StoreError::InvalidValue(format!("the data of an event is no JSON object: {error}")))?;
    data.insert("num_gradient_steps".to_owned(), reached.steps.into());
    data.insert("num_trained_tokens".to_owned(), reached.trained_tokens.into());
    Ok(NewEvent { kind: event.kind.clone(), data: serde_json::Value::from(data).to_string() })
}

impl JobOutcome {
    /// The status and the failure that are stored for the outcome.
    pub(crate) fn into_status(self) -> (JobStatus, Option<JobFailure>) {
        match self {
            Self::Succeeded => (JobStatus::Succeeded, None),
            Self::Failed(failure) => (JobStatus::Failed, Some(failure)),
        }
    }
}

/// The artifacts needed to replay a job and to read its rollouts, each once: its data, its reference, its start, and the
/// artifacts about its rollouts. A reproducible start is not needed.
pub(crate) fn artifacts_to_keep(job: &JobRecord, is_start_reproducible: bool) -> Vec<ArtifactId> {
    let mut artifacts: Vec<ArtifactId> = job.data().into_iter().collect();
    artifacts.extend(job.rollouts.index.into_iter().chain(job.rollouts.logprobs));
    artifacts.extend(job.validation.map(|file| file.content));
    if let Some(start) = &job.start {
        let reference = start.reference.as_ref().and_then(|reference| reference.adapter.as_ref());
        let adapter = start.adapter.as_ref().filter(|_| !is_start_reproducible);
        artifacts.extend(adapter.into_iter().chain(reference).flat_map(|files| [files.config, files.weights]));
        let optimizer = start.optimizer.as_ref().filter(|_| !is_start_reproducible);
        artifacts.extend(optimizer.map(|optimizer| optimizer.state));
    }
    super::distinct(artifacts)
}

/// The artifacts that a job refers to until it ends.
pub(crate) fn artifacts_of_job(job: JobRecord) -> Vec<ArtifactId> {
    let mut artifacts = Vec::new();
    match job.input {
        JobInput::Artifact(input) | JobInput::File { content: input, .. } => artifacts.push(input),
        JobInput::Url(_) => {}
    }
    artifacts.extend(job.validation.map(|file| file.content));
    artifacts.extend(job.rollouts.index.into_iter().chain(job.rollouts.logprobs));
    if let Some(start) = job.start {
        let reference = start.reference.and_then(|reference| reference.adapter);
        let adapters = start.adapter.into_iter().chain(reference);
        artifacts.extend(adapters.flat_map(|adapter| [adapter.config, adapter.weights]));
        artifacts.extend(start.optimizer.map(|optimizer| optimizer.state));
        artifacts.extend(start.dataset);
    }
    artifacts.extend(job.resume.iter().flat_map(ResumeState::artifacts));
    artifacts
}
