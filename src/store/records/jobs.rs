//! Jobs: what they are asked to do, who does it, and what they leave.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{AdapterArtifacts, CheckpointRecord, IdempotentRequest, OptimizerArtifact, UnixMillis};
use crate::engine::WeightFormat;
use crate::store::artifacts::ArtifactId;

/// The kind of training that a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// Reinforcement learning from trajectory groups.
    Rl,
    /// Supervised fine-tuning from example conversations.
    Sft,
}

impl JobKind {
    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rl => "rl",
            Self::Sft => "sft",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Rl, Self::Sft].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobStatus {
    /// Waiting for a worker.
    Queued,
    /// A worker holds (or held, until it died) a lease on it.
    Running,
    /// Ended well.
    Succeeded,
    /// Ended with an error.
    Failed,
    /// Ended by its owner.
    Cancelled,
}

impl JobStatus {
    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed, Self::Cancelled];
        all.into_iter().find(|status| status.as_str() == text)
    }
}

/// Where a job's data comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobInput {
    /// A stored request body.
    Artifact(ArtifactId),
    /// The content of an uploaded file, which may be deleted meanwhile.
    File {
        /// The file.
        id: Uuid,
        /// Its content.
        content: ArtifactId,
    },
    /// An address that the worker fetches at its first run.
    Url(String),
}

/// An uploaded file that a job reads, which may be deleted meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobFile {
    /// The file.
    pub id: Uuid,
    /// Its content.
    pub content: ArtifactId,
}

/// The parts of a fine-tuning request that have no effect on training; they are kept to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FineTuning {
    /// The model that training begins from, as the request named it.
    pub model: String,
    /// The words that the name of the new model begins with.
    pub suffix: Option<String>,
    /// The seed.
    pub seed: Option<i64>,
    /// The owner's notes.
    pub metadata: Option<BTreeMap<String, String>>,
}

/// What a job works from, recorded at its first start, so that every later attempt works from the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStart {
    /// Step of the checkpoint that training starts from; the model's last step if it has no checkpoint left.
    pub step: i64,
    /// Adapter of that checkpoint.
    pub adapter: Option<AdapterArtifacts>,
    /// Optimizer state to go on from.
    pub optimizer: Option<OptimizerArtifact>,
    /// The fetched data, when the input is an address.
    pub dataset: Option<ArtifactId>,
    /// The checkpoint that the job's KL penalty compares with, where that is not the base model.
    pub reference: Option<ReferenceCheckpoint>,
}

impl JobStart {
    /// The optimizer state that a job of this kind goes on from: moments of the other kind of training say nothing about it.
    pub fn optimizer_for(&self, kind: JobKind) -> Option<ArtifactId> {
        self.optimizer.as_ref().filter(|saved| saved.kind == kind).map(|saved| saved.state)
    }
}

/// A checkpoint that a job compares with, whichever of the owner's models it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceCheckpoint {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// Its adapter; `None` is the base model itself.
    pub adapter: Option<AdapterArtifacts>,
}

/// The deviation of rewards in the data of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RewardDeviation {
    /// Step of the checkpoint that the job started from.
    pub step: i64,
    /// Mean standard deviation of the rewards within its groups.
    pub deviation: f64,
}

/// Training as of the end of a step, from which a later attempt at the job goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeState {
    /// Index of the first step that is not made, from 0.
    pub next_step: i64,
    /// The weights.
    pub adapter: AdapterArtifacts,
    /// The optimizer's state.
    pub optimizer: ArtifactId,
}

impl ResumeState {
    /// The artifacts it consists of.
    pub fn artifacts(&self) -> [ArtifactId; 3] {
        [self.adapter.config, self.adapter.weights, self.optimizer]
    }
}

/// A training job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// Identity of the job.
    pub id: Uuid,
    /// The entity that owns it.
    pub entity: String,
    /// The model it trains.
    pub model_id: Uuid,
    /// The kind of training.
    pub kind: JobKind,
    /// Where it is in its life.
    pub status: JobStatus,
    /// Its configuration, JSON text.
    pub config: String,
    /// Where its data comes from. The artifact may be gone when the job has ended.
    pub input: JobInput,
    /// The data that a supervised job validates on, beside its input. The artifact may be gone when the job has ended.
    pub validation: Option<JobFile>,
    /// The request, if it came through the fine-tuning API.
    pub fine_tuning: Option<FineTuning>,
    /// What it works from; `None` until its first start. The artifacts may be gone when the job has ended.
    pub start: Option<JobStart>,
    /// Where the next attempt goes on; `None` before the first step. The artifacts may be gone when the job has ended.
    pub resume: Option<ResumeState>,
    /// Step of the checkpoint that it made.
    pub published_step: Option<i64>,
    /// The worker that holds the lease.
    pub lease_owner: Option<String>,
    /// When the lease ends unless it is renewed.
    pub lease_deadline: Option<UnixMillis>,
    /// How the base model's weights are stored where it computes; `None` until training begins.
    pub weights: Option<WeightFormat>,
    /// How often it was claimed, not counting claims that were given back.
    pub attempts: i64,
    /// Those of the attempts since anything was last recorded of its work.
    pub fruitless_attempts: i64,
    /// Why it failed or was cancelled.
    pub error: Option<JobFailure>,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it was first claimed.
    pub started_at: Option<UnixMillis>,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
}

impl JobRecord {
    /// What it trains on; `None` while that is yet to be fetched.
    pub fn data(&self) -> Option<ArtifactId> {
        match &self.input {
            JobInput::Artifact(content) | JobInput::File { content, .. } => Some(*content),
            JobInput::Url(_) => self.start.as_ref()?.dataset,
        }
    }
}

/// A job to be queued.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// The id that it gets, new for every request: a job that has another was created before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// See [`JobRecord::entity`].
    pub entity: String,
    /// See [`JobRecord::model_id`]; must belong to the entity.
    pub model_id: Uuid,
    /// The key that it was asked for with: what the job uses counts for it.
    pub key_id: Option<Uuid>,
    /// The most jobs of this key that may wait or run.
    pub most_unfinished: Option<u64>,
    /// See [`JobRecord::kind`].
    pub kind: JobKind,
    /// See [`JobRecord::config`].
    pub config: String,
    /// See [`JobRecord::input`]; an artifact must be durable already, and a file be there still.
    pub input: JobInput,
    /// See [`JobRecord::validation`]; the file must be there still.
    pub validation: Option<JobFile>,
    /// See [`JobRecord::fine_tuning`].
    pub fine_tuning: Option<FineTuning>,
    /// Under what name the request may be repeated; see [`crate::store::metadata::Metadata::find_idempotent_result`].
    pub request: Option<IdempotentRequest>,
}

/// Who claims jobs, and which it can compute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerProfile {
    /// A name that no other worker has.
    pub owner: String,
    /// The base models it has.
    pub base_models: Vec<String>,
    /// How their weights are stored.
    pub weights: WeightFormat,
}

/// The right to write for a job. A later claim of the same job has a greater token and ends this right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// Fencing token; checked in the transaction of every write.
    pub token: i64,
}

/// A job together with the lease that its claim gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job after the claim.
    pub job: JobRecord,
    /// The lease to write with.
    pub lease: Lease,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// It did what it was asked.
    Succeeded,
    /// It could not.
    Failed(JobFailure),
}

/// Why a job did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFailure {
    /// For programs.
    pub code: JobErrorCode,
    /// For its owner.
    pub message: String,
}

/// Kinds of reasons why a job does not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobErrorCode {
    /// Options that cannot be used with this model or data.
    InvalidConfig,
    /// The data is not what it should be.
    InvalidTrainingData,
    /// The data could not be fetched.
    TrainingDataUnavailable,
    /// The model cannot be loaded here.
    ModelUnavailable,
    /// More memory is needed than there is.
    OutOfMemory,
    /// The loss was no number any more.
    Diverged,
    /// The service could not read or write its own data.
    StorageFailed,
    /// The service ended again and again while it worked on the job.
    Interrupted,
    /// A fault of the service.
    InternalError,
    /// By its owner.
    Cancelled,
    /// It failed before codes were kept.
    Unknown,
}

impl JobErrorCode {
    /// Every code.
    pub const ALL: [Self; 11] = [
        Self::InvalidConfig,
        Self::InvalidTrainingData,
        Self::TrainingDataUnavailable,
        Self::ModelUnavailable,
        Self::OutOfMemory,
        Self::Diverged,
        Self::StorageFailed,
        Self::Interrupted,
        Self::InternalError,
        Self::Cancelled,
        Self::Unknown,
    ];

    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidConfig => "invalid_config",
            Self::InvalidTrainingData => "invalid_training_data",
            Self::TrainingDataUnavailable => "training_data_unavailable",
            Self::ModelUnavailable => "model_unavailable",
            Self::OutOfMemory => "out_of_memory",
            Self::Diverged => "diverged",
            Self::StorageFailed => "storage_failed",
            Self::Interrupted => "interrupted",
            Self::InternalError => "internal_error",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == text)
    }

    /// Whether the same job, created again, may succeed without anything being changed in it.
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
            | Self::Unknown => false,
        }
    }
}

/// A job and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// The job.
    pub job: JobRecord,
    /// Optimizer steps whose events are there.
    pub steps: i64,
    /// Tokens that those steps have learned from.
    pub trained_tokens: i64,
    /// Data of its first event, if that is there: it says how many steps there are to make.
    pub announcement: Option<String>,
    /// Data of its event `training_ended`, if that is there.
    pub ending: Option<String>,
    /// How many jobs of the service that wait were queued before it; `None` unless it waits.
    pub queue_position: Option<i64>,
}

/// Which of an entity's jobs are meant: those that fit all that is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Of this model.
    pub model_id: Option<Uuid>,
    /// In this place of their life.
    pub status: Option<JobStatus>,
    /// Of this kind of training.
    pub kind: Option<JobKind>,
}

/// What cancelling a job did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelledJob {
    /// The job as it is now.
    pub state: JobState,
    /// Artifacts that only the job still referred to; hand them to [`crate::store::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

/// What ending a job did.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedJob {
    /// The checkpoint that the job published, now or before; `None` if there is none or it was deleted.
    pub checkpoint: Option<CheckpointRecord>,
    /// Artifacts that only the job, or checkpoints older than the newest, still referred to; hand them to [`crate::store::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}
