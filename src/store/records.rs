//! The rows of the metadata store as plain values, and the values that callers hand in to make them.

use std::collections::BTreeMap;
use std::fmt;

use uuid::Uuid;

use super::artifacts::ArtifactId;
use crate::engine::{TrainingMethod, WeightFormat};

/// Milliseconds since 1970-01-01 UTC, read from the database's clock.
pub type UnixMillis = i64;

/// An API key as stored: everything but the key itself.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// Identity of the key.
    pub id: Uuid,
    /// The entity that the key acts for.
    pub entity: String,
    /// What its owner calls it.
    pub name: String,
    /// The last characters of the key, for telling keys apart.
    pub suffix: String,
    /// SHA-256 of the whole key text.
    pub sha256: [u8; 32],
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it stopped being valid.
    pub revoked_at: Option<UnixMillis>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<UnixMillis>,
}

impl fmt::Debug for KeyRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("KeyRecord")
            .field("id", &self.id)
            .field("entity", &self.entity)
            .field("name", &self.name)
            .field("suffix", &self.suffix)
            .field("revoked_at", &self.revoked_at)
            .finish_non_exhaustive()
    }
}

/// A key to be stored.
#[derive(Clone)]
pub struct NewKey {
    /// See [`KeyRecord::entity`].
    pub entity: String,
    /// See [`KeyRecord::name`].
    pub name: String,
    /// See [`KeyRecord::suffix`].
    pub suffix: String,
    /// See [`KeyRecord::sha256`].
    pub sha256: [u8; 32],
}

/// A model that is being trained.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRecord {
    /// Identity of the model.
    pub id: Uuid,
    /// The entity that owns it.
    pub entity: String,
    /// Project within the entity.
    pub project: String,
    /// Name within the project.
    pub name: String,
    /// The base model that training starts from.
    pub base_model: String,
    /// How it is trained; never changes.
    pub method: TrainingMethod,
    /// Run of an experiment tracker, if one belongs to the model.
    pub run_id: Option<String>,
    /// The highest step ever made; never falls, also when checkpoints are deleted.
    pub last_step: i64,
    /// When it was made.
    pub created_at: UnixMillis,
}

/// A request that its sender may repeat, for lack of an answer, without its being done twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The name that the sender gave it; unique within its entity.
    pub key: String,
    /// SHA-256 of what was asked; another request under the same key is refused.
    pub sha256: [u8; 32],
}

/// What a request under an idempotency key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdempotentResult {
    /// It queued this job.
    Job(Uuid),
    /// It created this model.
    CreatedModel(Uuid),
    /// It found that this model has the name.
    ExistingModel(Uuid),
}

impl IdempotentResult {
    /// The stored spelling of what was done.
    pub(super) fn outcome(self) -> &'static str {
        match self {
            Self::Job(_) => "job_created",
            Self::CreatedModel(_) => "model_created",
            Self::ExistingModel(_) => "model_existing",
        }
    }

    /// Reads the stored form.
    pub(super) fn parse(outcome: &str, object_id: Uuid) -> Option<Self> {
        let all = [Self::Job(object_id), Self::CreatedModel(object_id), Self::ExistingModel(object_id)];
        all.into_iter().find(|result| result.outcome() == outcome)
    }

    /// The job or model.
    pub fn object_id(self) -> Uuid {
        match self {
            Self::Job(id) | Self::CreatedModel(id) | Self::ExistingModel(id) => id,
        }
    }
}

/// A model to be created.
#[derive(Clone, Debug)]
pub struct NewModel {
    /// The id that it gets, new for every request: a model that has another was created before.
    pub id: Uuid,
    /// See [`ModelRecord::entity`].
    pub entity: String,
    /// See [`ModelRecord::project`].
    pub project: String,
    /// See [`ModelRecord::name`].
    pub name: String,
    /// See [`ModelRecord::base_model`].
    pub base_model: String,
    /// See [`ModelRecord::method`].
    pub method: TrainingMethod,
    /// See [`ModelRecord::run_id`].
    pub run_id: Option<String>,
    /// Under what name the request may be repeated; see [`super::metadata::Metadata::find_idempotent_result`].
    pub request: Option<IdempotentRequest>,
}

/// What became of a request to create a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelCreation {
    /// The model and its checkpoint of step 0 were made.
    Created(ModelRecord),
    /// The name was taken; this is the model that has it, unchanged.
    Existing(ModelRecord),
}

/// What was removed with a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedModel {
    /// Checkpoints removed, step 0 included.
    pub checkpoints: u64,
    /// Jobs removed.
    pub jobs: u64,
    /// Events removed.
    pub events: u64,
    /// Artifacts that nothing refers to any more; hand them to [`super::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

/// The two files of a PEFT adapter directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterArtifacts {
    /// `adapter_config.json`.
    pub config: ArtifactId,
    /// `adapter_model.safetensors`.
    pub weights: ArtifactId,
}

/// State of an optimizer after a step, and the kind of job that left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimizerArtifact {
    /// The saved state.
    pub state: ArtifactId,
    /// Which kind of training the moments come from.
    pub kind: JobKind,
}

/// An immutable state of a model that can be served and trained further.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointRecord {
    /// Identity, and the paging cursor.
    pub id: Uuid,
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step; unique within the model, never used twice.
    pub step: i64,
    /// Training metrics.
    pub metrics: BTreeMap<String, f64>,
    /// The adapter; `None` is the base model itself (step 0).
    pub adapter: Option<AdapterArtifacts>,
    /// The optimizer's state, if training may go on from it. Dropped once a job has ended with a newer checkpoint.
    pub optimizer: Option<OptimizerArtifact>,
    /// When it was made.
    pub created_at: UnixMillis,
}

/// A checkpoint to be published by a job.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCheckpoint {
    /// See [`CheckpointRecord::metrics`]; every value finite.
    pub metrics: BTreeMap<String, f64>,
    /// See [`CheckpointRecord::adapter`].
    pub adapter: Option<AdapterArtifacts>,
    /// See [`CheckpointRecord::optimizer`].
    pub optimizer: Option<OptimizerArtifact>,
}

/// What was removed by deleting checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedCheckpoints {
    /// Steps removed, ascending.
    pub deleted: Vec<i64>,
    /// Steps asked for that the model does not have, ascending, each once.
    pub not_found: Vec<i64>,
    /// Artifacts that nothing refers to any more; hand them to [`super::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

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
}

impl JobStatus {
    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Succeeded, Self::Failed].into_iter().find(|status| status.as_str() == text)
    }
}

/// Where a job's data comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobInput {
    /// A stored request body.
    Artifact(ArtifactId),
    /// An address that the worker fetches at its first run.
    Url(String),
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
    /// What it works from; `None` until its first start. The artifacts may be gone when the job has ended.
    pub start: Option<JobStart>,
    /// Where the next attempt goes on; `None` before the first step. The artifacts may be gone when the job has ended.
    pub resume: Option<ResumeState>,
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
    /// Why it failed.
    pub error: Option<String>,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it was first claimed.
    pub started_at: Option<UnixMillis>,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
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
    /// See [`JobRecord::kind`].
    pub kind: JobKind,
    /// See [`JobRecord::config`].
    pub config: String,
    /// See [`JobRecord::input`]; an artifact must be durable already.
    pub input: JobInput,
    /// Under what name the request may be repeated; see [`super::metadata::Metadata::find_idempotent_result`].
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
    /// The step of the checkpoint that an earlier attempt published for this job.
    pub published_step: Option<i64>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// It did what it was asked.
    Succeeded,
    /// It could not; the text is for its owner.
    Failed(String),
}

/// What ending a job did.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedJob {
    /// The checkpoint that the job published, now or before; `None` if there is none or it was deleted.
    pub checkpoint: Option<CheckpointRecord>,
    /// Artifacts that only the job, or checkpoints older than the newest, still referred to; hand them to [`super::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

/// An entry of a job's append-only log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// Identity, and the paging cursor.
    pub id: Uuid,
    /// The job it belongs to.
    pub job_id: Uuid,
    /// Place in the log: 1, 2, 3, … without a gap.
    pub sequence: i64,
    /// Type of the event.
    pub kind: String,
    /// Its data, JSON text.
    pub data: String,
    /// When it was written.
    pub created_at: UnixMillis,
}

/// An event to be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// See [`EventRecord::kind`].
    pub kind: String,
    /// See [`EventRecord::data`].
    pub data: String,
}

/// Who used tokens, of what.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UsageKey {
    /// The key that was used.
    pub key_id: Uuid,
    /// The key's entity.
    pub entity: String,
    /// The project that the request named; empty if it named none.
    pub project: String,
    /// The model that the request named.
    pub model: String,
}

/// How much was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCount {
    /// Requests.
    pub requests: i64,
    /// Tokens of prompts.
    pub prompt_tokens: i64,
    /// Tokens generated.
    pub completion_tokens: i64,
}

/// A sum of what one key used in one project of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// Who used what.
    pub usage: UsageKey,
    /// The key's name.
    pub key_name: String,
    /// The key's last characters.
    pub key_suffix: String,
    /// How much.
    pub count: UsageCount,
}

/// Trajectories that a client logged without training on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTrajectoryLog {
    /// The model's owner.
    pub entity: String,
    /// The model they were made with.
    pub model_id: Uuid,
    /// The split that the client named.
    pub split: String,
    /// The logged body.
    pub artifact: ArtifactId,
    /// How many groups it holds.
    pub groups: i64,
}

/// A stored trajectory log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrajectoryLogRecord {
    /// Identity of the log.
    pub id: Uuid,
    /// The model they were made with.
    pub model_id: Uuid,
    /// The split that the client named.
    pub split: String,
    /// The logged body.
    pub artifact: ArtifactId,
    /// How many groups it holds.
    pub groups: i64,
    /// When it was stored.
    pub created_at: UnixMillis,
}

/// An artifact that a row refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtifactReference {
    /// The artifact.
    pub artifact: ArtifactId,
    /// A model that needs it.
    pub model_id: Uuid,
}

/// How many jobs are waiting and running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Jobs that wait for a worker.
    pub queued: i64,
    /// Jobs that a worker has claimed.
    pub running: i64,
}

/// Direction of a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Oldest first.
    #[default]
    Ascending,
    /// Newest first.
    Descending,
}

/// Which part of a listing is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Begin behind this item.
    pub after: Option<Uuid>,
    /// The most items to return, at least 1.
    pub limit: u32,
    /// Direction.
    pub order: Order,
}

/// Part of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The items in the order asked for.
    pub items: Vec<T>,
    /// Whether more items follow the last one.
    pub has_more: bool,
}
