//! Jobs, their leases and their results.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::spelled::spelled;
use super::{
    AdapterArtifacts, CheckpointRecord, IdempotentRequest, OptimizerArtifact, RemoteSampler, TrainerKind, UnixMillis,
};
use crate::artifacts::ArtifactId;
use crate::paging::Value;

spelled! {
    /// The kind of a job's training.
    pub enum JobKind {
        /// Reinforcement learning from trajectory groups.
        Rl = "rl",
        /// Supervised fine-tuning from example conversations.
        Sft = "sft",
    }
}

spelled! {
    /// The status of a job.
    pub enum JobStatus {
        /// Waiting for a worker.
        Queued = "queued",
        /// Claimed by a worker, whose lease may have expired.
        Running = "running",
        /// Finished successfully.
        Succeeded = "succeeded",
        /// Finished with an error.
        Failed = "failed",
        /// Cancelled by its owner.
        Cancelled = "cancelled",
    }
}

/// The source of a job's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobInput {
    /// A stored request body.
    Artifact(ArtifactId),
    /// The content of an uploaded file. The file may be deleted meanwhile.
    File {
        /// The file.
        id: Uuid,
        /// Its content.
        content: ArtifactId,
    },
    /// A URL that the worker fetches at the job's first start.
    Url(String),
}

/// Name and tags of a job in lists, without effect on training.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobLabels {
    /// Name.
    pub name: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
}

/// Changes to the labels of a job. `None` changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelChange {
    /// The new name; `Some(None)` removes it.
    pub name: Option<Option<String>>,
    /// The new tags.
    pub tags: Option<Vec<String>>,
}

spelled! {
    /// A reason why a job makes no steps.
    pub enum WaitReason {
        /// An older job of its model is unfinished.
        EarlierJob = "earlier_job",
        /// No worker that is alive can compute it.
        Worker = "worker",
        /// The workers that can compute it are busy.
        Turn = "turn",
        /// Its worker prepares or trains other jobs.
        Place = "place",
        /// The data of the service could not be stored.
        Storage = "storage",
        /// The remote learner was lost.
        Learner = "learner",
        /// The last attempt failed.
        Retry = "retry",
        /// Its lease has expired.
        LostWorker = "lost_worker",
    }
}

/// The wait of a job that a worker holds.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// Its reason.
    pub reason: WaitReason,
    /// Details for the owner of the job.
    pub message: Option<&'a str>,
}

impl From<WaitReason> for Wait<'_> {
    fn from(reason: WaitReason) -> Self {
        Self { reason, message: None }
    }
}

/// The wait of a job that makes no steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its reason.
    pub reason: WaitReason,
    /// Its begin.
    pub since: UnixMillis,
    /// Details, if its worker noted any.
    pub message: Option<String>,
}

/// An uploaded file that a job reads. The file may be deleted meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobFile {
    /// The file.
    pub id: Uuid,
    /// Its content.
    pub content: ArtifactId,
}

/// The parts of a fine-tuning request without effect on training, stored for responses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FineTuning {
    /// The model to start from, as named by the request.
    pub model: String,
    /// The words at the beginning of the new model's name.
    pub suffix: Option<String>,
    /// The seed.
    pub seed: Option<i64>,
    /// The owner's metadata.
    pub metadata: Option<BTreeMap<String, String>>,
}

/// The start of a job, recorded once, so that every later attempt starts from the same state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStart {
    /// Step of the starting checkpoint; the model's last step if it has no checkpoint left.
    pub step: i64,
    /// Adapter of that checkpoint.
    pub adapter: Option<AdapterArtifacts>,
    /// Optimizer state to resume from.
    pub optimizer: Option<OptimizerArtifact>,
    /// The fetched data, if the input is a URL.
    pub dataset: Option<ArtifactId>,
    /// The reference checkpoint of the job's KL penalty; `None` for the base model.
    pub reference: Option<ReferenceCheckpoint>,
}

impl JobStart {
    /// Returns the optimizer state for a job of this kind. The moments of the other kind of training do not apply.
    pub fn optimizer_for(&self, kind: JobKind) -> Option<ArtifactId> {
        self.optimizer.as_ref().filter(|saved| saved.kind == kind).map(|saved| saved.state)
    }
}

/// A reference checkpoint, of any of the owner's models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceCheckpoint {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// Its adapter; `None` is the base model itself.
    pub adapter: Option<AdapterArtifacts>,
}

/// The reward deviation in the data of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RewardDeviation {
    /// Step of the job's starting checkpoint.
    pub step: i64,
    /// Mean standard deviation of the rewards within its groups.
    pub deviation: f64,
}

/// The state of training at the end of a step. A later attempt resumes from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeState {
    /// Index of the next step, from 0.
    pub next_step: i64,
    /// The weights.
    pub adapter: AdapterArtifacts,
    /// The optimizer's state.
    pub optimizer: ArtifactId,
}

impl ResumeState {
    /// The artifacts of the state.
    pub fn artifacts(&self) -> [ArtifactId; 3] {
        [self.adapter.config, self.adapter.weights, self.optimizer]
    }
}

/// Artifacts about the rollouts of a reinforcement learning job, for their readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolloutArtifacts {
    /// The index of the trajectory groups.
    pub index: Option<ArtifactId>,
    /// The logprobs of the trained tokens under the weights before their optimizer step, in the order of training.
    pub logprobs: Option<ArtifactId>,
}

/// The part of a job that responses show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSummary {
    /// Identity of the job.
    pub id: Uuid,
    /// The owning entity.
    pub entity: String,
    /// The model it trains.
    pub model_id: Uuid,
    /// The kind of training.
    pub kind: JobKind,
    /// Its status.
    pub status: JobStatus,
    /// Its configuration, JSON text.
    pub config: String,
    /// The source of its data. The artifact may be removed after the job's end.
    pub input: JobInput,
    /// The validation data of a supervised job. The artifact may be removed after the job's end.
    pub validation: Option<JobFile>,
    /// The request, if it was sent to the fine-tuning API.
    pub fine_tuning: Option<FineTuning>,
    /// The kind of the base model's sampler at the job's creation; `None` if this program samples.
    pub sampler: Option<RemoteSampler>,
    /// The kind of its trainer; `None` until training begins.
    pub trainer: Option<TrainerKind>,
    /// Step of its published checkpoint.
    pub published_step: Option<i64>,
    /// The reason of its failure or cancellation.
    pub error: Option<JobFailure>,
    /// Time of creation.
    pub created_at: UnixMillis,
    /// Time of its first claim.
    pub started_at: Option<UnixMillis>,
    /// Time of its end.
    pub ended_at: Option<UnixMillis>,
    /// Its name and tags.
    pub labels: JobLabels,
    /// The worker that holds the lease.
    pub lease_owner: Option<String>,
    /// Number of claims, without released ones.
    pub attempts: i64,
}

/// A training job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// The part of the job that responses show, to which the record dereferences.
    pub summary: JobSummary,
    /// Its start; `None` until its first start. The artifacts may be removed after the job's end.
    pub start: Option<JobStart>,
    /// The resume state of the next attempt; `None` before the first step. The artifacts may be removed after the job's
    /// end.
    pub resume: Option<ResumeState>,
    /// Its artifacts about rollouts. They may be removed after the job's end.
    pub rollouts: RolloutArtifacts,
    /// The lease's deadline.
    pub lease_deadline: Option<UnixMillis>,
    /// Number of attempts since the last recorded progress.
    pub attempts_without_progress: i64,
}

impl Deref for JobRecord {
    type Target = JobSummary;

    fn deref(&self) -> &JobSummary {
        &self.summary
    }
}

impl JobRecord {
    /// The training data; `None` until it is fetched.
    pub fn data(&self) -> Option<ArtifactId> {
        match &self.input {
            JobInput::Artifact(content) | JobInput::File { content, .. } => Some(*content),
            JobInput::Url(_) => self.start.as_ref()?.dataset,
        }
    }
}

/// The values of a new job.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// The new job's id, unique to the request. A returned job with another id was created before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// See [`JobSummary::entity`].
    pub entity: String,
    /// See [`JobSummary::model_id`]; must belong to the entity.
    pub model_id: Uuid,
    /// The API key of the request. The job's usage is added to its sums.
    pub key_id: Option<Uuid>,
    /// The limit on queued and running jobs of this key.
    pub max_unfinished_jobs: Option<u64>,
    /// See [`JobSummary::kind`].
    pub kind: JobKind,
    /// See [`JobSummary::config`].
    pub config: String,
    /// See [`JobSummary::input`]; an artifact must be durable, and a file must exist.
    pub input: JobInput,
    /// See [`JobSummary::validation`]; the file must exist.
    pub validation: Option<JobFile>,
    /// See [`JobSummary::fine_tuning`].
    pub fine_tuning: Option<FineTuning>,
    /// See [`JobSummary::labels`].
    pub labels: JobLabels,
    /// See [`JobSummary::sampler`].
    pub sampler: Option<RemoteSampler>,
    /// The idempotent request; see [`crate::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}

/// A worker and its capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerProfile {
    /// The worker's unique name.
    pub owner: String,
    /// Its base models, each with the trainer of their jobs.
    pub trainers: BTreeMap<String, TrainerKind>,
    /// Entities whose jobs the worker does not claim at present.
    pub excluded_entities: Vec<String>,
    /// Entities whose jobs it does not claim at present if their data is not fetched.
    pub excluded_sources: Vec<String>,
}

/// A lease on a job: the right to write for it. A later claim of the job has a greater token and fences off this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// Fencing token, checked in the transaction of every write.
    pub token: i64,
}

/// A claimed job with its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job after the claim.
    pub job: JobRecord,
    /// The lease.
    pub lease: Lease,
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job has succeeded.
    Succeeded,
    /// The job has failed.
    Failed(JobFailure),
}

/// The reason of a job's failure or cancellation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFailure {
    /// Machine-readable code.
    pub code: JobErrorCode,
    /// Human-readable message.
    pub message: String,
}

spelled! {
    /// Codes of a job's failure or cancellation.
    pub enum JobErrorCode {
        /// The options are invalid for this model or data.
        InvalidConfig = "invalid_config",
        /// The training data is invalid.
        InvalidTrainingData = "invalid_training_data",
        /// The data could not be fetched.
        TrainingDataUnavailable = "training_data_unavailable",
        /// The model cannot be loaded by this worker.
        ModelUnavailable = "model_unavailable",
        /// The worker ran out of memory.
        OutOfMemory = "out_of_memory",
        /// The loss became NaN or infinite.
        Diverged = "diverged",
        /// The sampler's log-probabilities are not the trainer's.
        SamplerMismatch = "sampler_mismatch",
        /// The service could not read or write its own data.
        StorageFailed = "storage_failed",
        /// The service crashed repeatedly during the job.
        Interrupted = "interrupted",
        /// An internal error of the service.
        InternalError = "internal_error",
        /// Its owner cancelled it.
        Cancelled = "cancelled",
        /// It failed before the introduction of codes.
        Unknown = "unknown",
    }
}

impl JobErrorCode {
    /// Returns whether an identical new job may succeed.
    pub fn is_retryable(self) -> bool {
        match self {
            Self::TrainingDataUnavailable
            | Self::StorageFailed
            | Self::Interrupted
            | Self::InternalError
            | Self::Cancelled => true,
            Self::InvalidConfig
            | Self::InvalidTrainingData
            | Self::ModelUnavailable
            | Self::OutOfMemory
            | Self::Diverged
            | Self::SamplerMismatch
            | Self::Unknown => false,
        }
    }
}

/// A job with its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// The job.
    pub job: JobSummary,
    /// Number of recorded optimizer steps.
    pub steps: i64,
    /// Trained tokens of those steps.
    pub trained_tokens: i64,
    /// Data of its first event, with the total number of steps; `None` before that event.
    pub announcement: Option<String>,
    /// Data of its event `training_ended`; `None` before that event.
    pub ending: Option<String>,
    /// Number of jobs queued before it; `None` unless it is queued.
    pub queue_position: Option<i64>,
    /// The time that its last steps took; `None` unless it is running and has made a step.
    pub recent_steps: Option<RecentSteps>,
    /// Its wait; `None` while its worker works on it, and after its end.
    pub waiting: Option<Waiting>,
}

/// The last optimizer steps of a running job, at most 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecentSteps {
    /// Number of steps, at least 1.
    pub count: i64,
    /// End of the step before them, or `training_started`.
    pub since: UnixMillis,
    /// End of the last one.
    pub until: UnixMillis,
}

/// A filter on an entity's jobs. A job must match every given field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobFilter<'a> {
    /// The model.
    pub model_id: Option<Uuid>,
    /// The status.
    pub status: Option<JobStatus>,
    /// The kind of training.
    pub kind: Option<JobKind>,
    /// A text in its name or a tag, in lower case.
    pub text: Option<&'a str>,
}

impl<'a> JobFilter<'a> {
    /// The parameters of a listing, in the order of its SQL.
    pub(crate) fn values(self) -> [Value<'a>; 4] {
        [
            Value::Id(self.model_id),
            Value::Text(self.kind.map(JobKind::as_str)),
            Value::Text(self.status.map(JobStatus::as_str)),
            Value::Text(self.text),
        ]
    }
}

/// The result of cancelling a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelledJob {
    /// The job in its present state.
    pub state: JobState,
    /// Artifacts without any reference left, to be passed to [`crate::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

/// The result of finishing a job.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedJob {
    /// The job's published checkpoint; `None` if it has none or it was deleted.
    pub checkpoint: Option<CheckpointRecord>,
    /// Artifacts of the job or of older checkpoints without any reference left, to be passed to
    /// [`crate::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}
