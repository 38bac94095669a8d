//! Jobs in the wire format.

use serde::Deserialize;
use serde_json::Value;

use crate::{
    generated::types::{
        TrainingEstimate, TrainingFinding, TrainingJobError, TrainingJobErrorCode, TrainingJobKind,
        TrainingJobProgress, TrainingJobResponse, TrainingJobStatus,
    },
    jobs,
    store::records::{JobErrorCode, JobKind, JobRecord, JobState, JobStatus, UnixMillis},
};

/// Converts a job and its progress to the wire format.
pub(super) fn wire(state: &JobState) -> TrainingJobResponse {
    let JobState { job, announcement, ending, .. } = state;
    let steps = unsigned(state.steps);
    let announced = announcement.as_deref().and_then(|data| serde_json::from_str::<Value>(data).ok());
    let total_steps = announced.as_ref().and_then(|data| data.get("num_sequences")?.as_u64());
    let error = job.error.as_ref().map(|failure| TrainingJobError {
        code: error_code(failure.code),
        message: failure.message.clone(),
        retryable: failure.code.is_retryable(),
        step: total_steps.filter(|total| steps < *total).map(|_| steps + 1),
    });
    TrainingJobResponse {
        id: job.id.to_string(),
        status: Some(wire_status(job.status)),
        kind: Some(wire_kind(job.kind)),
        model_id: Some(job.model_id.to_string()),
        progress: total_steps.map(|total_steps| TrainingJobProgress { steps, total_steps }),
        queue_position: state.queue_position.map(unsigned),
        created_at: Some(seconds(job.created_at)),
        started_at: job.started_at.map(seconds),
        finished_at: job.ended_at.map(seconds),
        trained_tokens: Some(unsigned(state.trained_tokens)),
        error,
        warnings: warnings(&jobs::ignored_options(job), ending.as_deref()),
        config: Some(jobs::resolved_config(job)),
        estimate: None,
    }
}

/// Returns the warnings of a job: options without effect, and the findings of its last event.
fn warnings(ignored: &[&str], ending: Option<&str>) -> Option<Vec<TrainingFinding>> {
    let option = |name: &&str| TrainingFinding {
        code: "ignored_option".to_owned(),
        count: 1,
        message: format!("`{name}` is accepted for compatibility and has no effect here"),
    };
    let ending = ending.and_then(|data| serde_json::from_str::<Ending>(data).ok());
    let findings = ending.map(|ending| ending.findings).unwrap_or_default();
    let warnings: Vec<_> = ignored.iter().map(option).chain(findings).collect();
    (!warnings.is_empty()).then_some(warnings)
}

/// The part of a last event's data that is read.
#[derive(Deserialize)]
struct Ending {
    #[serde(default)]
    findings: Vec<TrainingFinding>,
}

/// Returns the response of a dry run, which creates no job.
pub(super) fn of_dry_run(estimate: TrainingEstimate, ignored: &[&str]) -> TrainingJobResponse {
    TrainingJobResponse {
        id: String::new(),
        estimate: Some(estimate),
        warnings: warnings(ignored, None),
        status: None,
        kind: None,
        model_id: None,
        progress: None,
        queue_position: None,
        created_at: None,
        started_at: None,
        finished_at: None,
        trained_tokens: None,
        error: None,
        config: None,
    }
}

/// Returns the state of a job of which only the record is known.
pub(super) fn new_state(job: JobRecord) -> JobState {
    JobState { job, steps: 0, trained_tokens: 0, announcement: None, ending: None, queue_position: None }
}

/// Converts a count. Counts are never negative.
fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}

pub(super) fn seconds(time: UnixMillis) -> i64 {
    time.div_euclid(1000)
}

fn wire_status(status: JobStatus) -> TrainingJobStatus {
    match status {
        JobStatus::Queued => TrainingJobStatus::Queued,
        JobStatus::Running => TrainingJobStatus::Running,
        JobStatus::Succeeded => TrainingJobStatus::Succeeded,
        JobStatus::Failed => TrainingJobStatus::Failed,
        JobStatus::Cancelled => TrainingJobStatus::Cancelled,
    }
}

pub(super) fn asked_status(status: TrainingJobStatus) -> JobStatus {
    match status {
        TrainingJobStatus::Queued => JobStatus::Queued,
        TrainingJobStatus::Running => JobStatus::Running,
        TrainingJobStatus::Succeeded => JobStatus::Succeeded,
        TrainingJobStatus::Failed => JobStatus::Failed,
        TrainingJobStatus::Cancelled => JobStatus::Cancelled,
    }
}

fn wire_kind(kind: JobKind) -> TrainingJobKind {
    match kind {
        JobKind::Rl => TrainingJobKind::Rl,
        JobKind::Sft => TrainingJobKind::Sft,
    }
}

pub(super) fn asked_kind(kind: TrainingJobKind) -> JobKind {
    match kind {
        TrainingJobKind::Rl => JobKind::Rl,
        TrainingJobKind::Sft => JobKind::Sft,
    }
}

pub(super) fn error_code(code: JobErrorCode) -> TrainingJobErrorCode {
    match code {
        JobErrorCode::InvalidConfig => TrainingJobErrorCode::InvalidConfig,
        JobErrorCode::InvalidTrainingData => TrainingJobErrorCode::InvalidTrainingData,
        JobErrorCode::TrainingDataUnavailable => TrainingJobErrorCode::TrainingDataUnavailable,
        JobErrorCode::ModelUnavailable => TrainingJobErrorCode::ModelUnavailable,
        JobErrorCode::OutOfMemory => TrainingJobErrorCode::OutOfMemory,
        JobErrorCode::Diverged => TrainingJobErrorCode::Diverged,
        JobErrorCode::StorageFailed => TrainingJobErrorCode::StorageFailed,
        JobErrorCode::Interrupted => TrainingJobErrorCode::Interrupted,
        JobErrorCode::InternalError => TrainingJobErrorCode::InternalError,
        JobErrorCode::Cancelled => TrainingJobErrorCode::Cancelled,
        JobErrorCode::Unknown => TrainingJobErrorCode::Unknown,
    }
}
