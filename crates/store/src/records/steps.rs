//! Optimizer steps across jobs.

use uuid::Uuid;

use super::{JobKind, UnixMillis};

/// The jobs whose optimizer steps are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepsOf {
    /// One job.
    Job(Uuid),
    /// The jobs that made the checkpoints of a model, in their order, then the one that runs.
    Model(Uuid),
}

/// A job with the number of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSteps {
    /// The job.
    pub job_id: Uuid,
    /// The kind of its training.
    pub kind: JobKind,
    /// Number of recorded optimizer steps.
    pub steps: i64,
    /// Step of its published checkpoint.
    pub published_step: Option<i64>,
    /// Data of its first event, JSON text; `None` before that event.
    pub announcement: Option<String>,
}

/// The position of a step, in the order of [`StepsOf::Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPosition {
    /// Sequence of the job.
    pub job: i64,
    /// Sequence of the event.
    pub event: i64,
}

/// An optimizer step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRecord {
    /// Position of the step.
    pub position: StepPosition,
    /// The job.
    pub job_id: Uuid,
    /// The event of the step.
    pub event_id: Uuid,
    /// Data of its event, JSON text.
    pub data: String,
    /// Time of its event.
    pub created_at: UnixMillis,
}
