//! Records of the metadata store, and the values that callers pass to create them.
//!
//! They name no type of a database, of the engine or of the API, so that each of these can change alone.

use std::collections::BTreeMap;
use std::fmt;

use uuid::Uuid;

use super::artifacts::ArtifactId;
use trainyard_model_options::{AdapterEffect, TrainingMethod};

mod batches;
mod computed_by;
mod files;
mod jobs;
mod keys;
mod manifest;
mod responses;
mod sessions;
mod spelled;
mod steps;
mod workers;

pub use batches::{BatchEnd, BatchFault, BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, NewBatch};
pub(super) use computed_by::trainers_json;
pub use computed_by::{RemoteSampler, TrainerKind};
pub use files::{FilePurpose, FileRecord, FileVersion, NewFile};
pub use jobs::{
    CancelledJob, ClaimedJob, FineTuning, FinishedJob, JobErrorCode, JobFailure, JobFile, JobFilter, JobInput, JobKind,
    JobLabels, JobOutcome, JobRecord, JobStart, JobState, JobStatus, JobSummary, LabelChange, Lease, NewJob,
    RecentSteps, ReferenceCheckpoint, ResumeState, RewardDeviation, RolloutArtifacts, Wait, WaitReason, Waiting,
    WorkerProfile,
};
pub use keys::{KeyLimits, KeyRecord, NewKey};
pub(super) use manifest::Origin;
pub use manifest::{
    BaseModelHash, FileHashes, LearnerProgram, MadeBy, Manifest, ManifestRecord, OptimizerHash, Parent, Program,
    Provenance, ReferenceHash, TrainingManifest, sha256,
};
pub use responses::{
    NewResponse, ResponseItem, ResponseOutcome, ResponseRecord, ResponseState, StoredConversation, StoredKind,
};
pub use sessions::{
    GenerationRecord, NewSession, RecordedGeneration, SessionFilter, SessionLabels, SessionRecord, SessionReward,
};
pub use spelled::UnknownKind;
pub use steps::{JobSteps, StepPosition, StepRecord, StepsOf};
pub use workers::{LeasedJob, WorkerRecord, WorkerReport};

/// Milliseconds since 1970-01-01 UTC, read from the database's clock.
pub type UnixMillis = i64;

/// A version of the whole store. Equal versions have equal contents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StoreVersion([u8; Self::BYTES]);

impl StoreVersion {
    /// Size of a version.
    pub(super) const BYTES: usize = 48;

    pub(super) fn new(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }
}

/// A model in training.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRecord {
    /// Identity of the model.
    pub id: Uuid,
    /// The owning entity.
    pub entity: String,
    /// Project within the entity.
    pub project: String,
    /// Name within the project.
    pub name: String,
    /// The base model that training starts from.
    pub base_model: String,
    /// The training method; immutable.
    pub method: TrainingMethod,
    /// The model's run in an experiment tracker.
    pub run_id: Option<String>,
    /// The highest step ever used. It never decreases, even when checkpoints are deleted.
    pub last_step: i64,
    /// The highest step with a checkpoint; `None` if all were deleted.
    pub latest_step: Option<i64>,
    /// Time of creation.
    pub created_at: UnixMillis,
}

/// An idempotent request: its sender may repeat it after a lost response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The idempotency key, chosen by the sender; unique within its entity.
    pub key: String,
    /// SHA-256 of the request. Another request under the same key is rejected.
    pub sha256: [u8; 32],
}

/// The result of an idempotent request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdempotentResult {
    /// A queued job.
    Job(Uuid),
    /// A created model.
    CreatedModel(Uuid),
    /// An existing model with the requested name.
    ExistingModel(Uuid),
    /// A stored file.
    File(Uuid),
    /// A created checkpoint.
    Checkpoint(Uuid),
    /// A stored trajectory log.
    TrajectoryLog(Uuid),
    /// A created batch.
    Batch(Uuid),
}

impl IdempotentResult {
    /// The stored spelling of the result's kind.
    pub(super) fn outcome(self) -> &'static str {
        match self {
            Self::Job(_) => "job_created",
            Self::CreatedModel(_) => "model_created",
            Self::ExistingModel(_) => "model_existing",
            Self::File(_) => "file_created",
            Self::Checkpoint(_) => "checkpoint_created",
            Self::TrajectoryLog(_) => "log_created",
            Self::Batch(_) => "batch_created",
        }
    }

    /// Parses the stored form.
    pub(super) fn parse(outcome: &str, object_id: Uuid) -> Option<Self> {
        let all = [
            Self::Job,
            Self::CreatedModel,
            Self::ExistingModel,
            Self::File,
            Self::Checkpoint,
            Self::TrajectoryLog,
            Self::Batch,
        ];
        all.into_iter().map(|result| result(object_id)).find(|result| result.outcome() == outcome)
    }

    /// The id of the created or existing object.
    pub fn object_id(self) -> Uuid {
        match self {
            Self::Job(id)
            | Self::CreatedModel(id)
            | Self::ExistingModel(id)
            | Self::File(id)
            | Self::Checkpoint(id)
            | Self::TrajectoryLog(id)
            | Self::Batch(id) => id,
        }
    }
}

/// The values of a new model.
#[derive(Clone, Debug)]
pub struct NewModel {
    /// The new model's id, unique to the request. A returned model with another id was created before.
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
    /// The base model's part of the manifest.
    pub provenance: Provenance,
    /// The idempotent request; see [`super::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}

/// The result of creating a model.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelCreation {
    /// The new model. Its checkpoint of step 0 exists.
    Created(ModelRecord),
    /// The existing model with the requested name, unchanged.
    Existing(ModelRecord),
}

/// Filters of a model listing, combined with AND.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelFilter<'a> {
    /// The project.
    pub project: Option<&'a str>,
    /// A text in `project/name`, in lower case.
    pub text: Option<&'a str>,
}

/// A model created for its first job.
#[derive(Clone, Debug)]
pub struct FirstModel {
    /// The model. Its [`NewModel::request`] is `None`: the job's request covers both.
    pub model: NewModel,
    /// The checkpoint that the job starts from; `None` for the base model.
    pub copy: Option<AddedCheckpoint>,
}

/// The result of deleting a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedModel {
    /// Number of deleted checkpoints, including step 0.
    pub checkpoints: u64,
    /// Number of deleted jobs.
    pub jobs: u64,
    /// Number of deleted events.
    pub events: u64,
    /// Artifacts without any reference left, to be passed to [`super::garbage::collect`].
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

/// The state of an optimizer after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimizerArtifact {
    /// The saved state.
    pub state: ArtifactId,
    /// The kind of training that made it.
    pub kind: JobKind,
}

/// An immutable state of a model, for serving and further training.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointRecord {
    /// Identity, and the paging cursor.
    pub id: Uuid,
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step; unique within the model, never reused.
    pub step: i64,
    /// Training metrics.
    pub metrics: BTreeMap<String, f64>,
    /// The adapter; `None` is the base model itself (step 0).
    pub adapter: Option<AdapterArtifacts>,
    /// The optimizer's state, for resuming training. It is dropped when a job finishes with a newer checkpoint.
    pub optimizer: Option<OptimizerArtifact>,
    /// The owner's metadata: the text of a JSON object.
    pub metadata: Option<String>,
    /// Time of creation.
    pub created_at: UnixMillis,
}

/// A checkpoint of a list that only names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointStep {
    /// The model it belongs to.
    pub model_id: Uuid,
    /// Its step.
    pub step: i64,
    /// Time of creation.
    pub created_at: UnixMillis,
}

/// The newest models of an entity, and the newest checkpoints of all its models.
#[derive(Clone, Debug, PartialEq)]
pub struct NewestModels {
    /// Models, newest first.
    pub models: Vec<ModelRecord>,
    /// Checkpoints, newest first.
    pub checkpoints: Vec<CheckpointStep>,
}

/// The metadata key of a checkpoint's provenance: a list of training methods.
const PROVENANCE: &str = "wandb.provenance";

impl CheckpointRecord {
    /// The metadata inherited by a checkpoint made from this one: its provenance.
    pub(super) fn inherited_metadata(&self) -> Option<String> {
        let mut notes: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(self.metadata.as_ref()?).ok()?;
        let provenance = notes.remove(PROVENANCE)?;
        Some(serde_json::json!({ PROVENANCE: provenance }).to_string())
    }
}

/// The values of a new checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewCheckpoint {
    /// See [`CheckpointRecord::metrics`]; every value finite.
    pub metrics: BTreeMap<String, f64>,
    /// See [`CheckpointRecord::adapter`].
    pub adapter: Option<AdapterArtifacts>,
    /// See [`CheckpointRecord::optimizer`].
    pub optimizer: Option<OptimizerArtifact>,
    /// The provenance in its manifest.
    pub provenance: Provenance,
    /// The effect of the adapter in training.
    pub effect: Option<AdapterEffect>,
    /// The minimum of its step. It gets the model's next step if that is higher.
    pub min_step: i64,
    /// See [`CheckpointRecord::metadata`]. `None` inherits the provenance of its parent.
    pub metadata: Option<String>,
}

/// A copied or imported checkpoint.
#[derive(Clone, Debug)]
pub struct AddedCheckpoint {
    /// The new checkpoint's id, unique to the request. A returned checkpoint with another id was made before, by the
    /// same [`Self::request`].
    pub id: Uuid,
    /// The owner of the model and of the source.
    pub entity: String,
    /// The model it is added to.
    pub model_id: Uuid,
    /// See [`NewCheckpoint::min_step`].
    pub min_step: i64,
    /// See [`NewCheckpoint::metadata`].
    pub metadata: Option<String>,
    /// Its source.
    pub source: CheckpointSource,
    /// The provenance in its manifest.
    pub provenance: Provenance,
    /// The idempotent request; see [`super::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}

/// The source of a copied or imported checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointSource {
    /// A step of the same or another model, with its metrics and optimizer state.
    Step {
        /// The source model.
        model_id: Uuid,
        /// The step.
        step: i64,
    },
    /// An uploaded file of adapter weights.
    File {
        /// The file; it must exist.
        file: Uuid,
        /// `adapter_config.json`; must be durable already.
        config: ArtifactId,
    },
}

/// The result of deleting checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeletedCheckpoints {
    /// Deleted steps, ascending.
    pub deleted: Vec<i64>,
    /// Requested steps without a checkpoint, ascending, each once.
    pub not_found: Vec<i64>,
    /// Artifacts without any reference left, to be passed to [`super::garbage::collect`].
    pub unreferenced: Vec<ArtifactId>,
}

/// An entry of a job's append-only log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// Identity, and the paging cursor.
    pub id: Uuid,
    /// The job it belongs to.
    pub job_id: Uuid,
    /// Position in the log: 1, 2, 3, … without a gap.
    pub sequence: i64,
    /// Type of the event.
    pub kind: String,
    /// Its data, JSON text.
    pub data: String,
    /// Time of the write.
    pub created_at: UnixMillis,
}

/// The values of a new event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// See [`EventRecord::kind`].
    pub kind: String,
    /// See [`EventRecord::data`].
    pub data: String,
}

/// The key of a usage sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UsageKey {
    /// The API key.
    pub key_id: Uuid,
    /// The key's entity.
    pub entity: String,
    /// The project named by the request; empty if it named none.
    pub project: String,
    /// The model named by the request.
    pub model: String,
}

/// Counts of usage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCount {
    /// Requests.
    pub requests: i64,
    /// Tokens of prompts.
    pub prompt_tokens: i64,
    /// Tokens generated.
    pub completion_tokens: i64,
    /// Tokens trained on.
    pub trained_tokens: i64,
}

/// A usage sum of one key, project and model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRecord {
    /// The key of the sum.
    pub usage: UsageKey,
    /// The key's name.
    pub key_name: String,
    /// The key's last characters.
    pub key_suffix: String,
    /// The sum.
    pub count: UsageCount,
}

/// A usage sum of one day, key, project and model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyUsage {
    /// Days since 1970-01-01 UTC; 0 for usage from before the introduction of daily sums.
    pub day: i64,
    /// The training job; `None` for chat, and for training from before the introduction of sums per job.
    pub job_id: Option<Uuid>,
    /// The sum.
    pub usage: UsageRecord,
}

/// The values of a new trajectory log: trajectories that a client logs without training on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTrajectoryLog {
    /// The new log's id, unique to the request. A returned log with another id was stored before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// The model's owner.
    pub entity: String,
    /// The model that generated them.
    pub model_id: Uuid,
    /// The split named by the client.
    pub split: String,
    /// The logged body.
    pub artifact: ArtifactId,
    /// Number of groups in it.
    pub groups: i64,
    /// The idempotent request; see [`super::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}

/// A stored trajectory log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrajectoryLogRecord {
    /// Identity of the log.
    pub id: Uuid,
    /// The model that generated them.
    pub model_id: Uuid,
    /// The split named by the client.
    pub split: String,
    /// The logged body.
    pub artifact: ArtifactId,
    /// Number of groups in it.
    pub groups: i64,
    /// Time of storage.
    pub created_at: UnixMillis,
}

/// A reference from a row to an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtifactReference {
    /// The artifact.
    pub artifact: ArtifactId,
    /// The holder of the reference.
    pub holder: ArtifactHolder,
}

/// The holder of a reference to an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactHolder {
    /// A model, by a checkpoint, job or trajectory log.
    Model(Uuid),
    /// An uploaded file.
    File(Uuid),
}

impl fmt::Display for ArtifactHolder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(id) => write!(formatter, "model {id}"),
            Self::File(id) => write!(formatter, "file {id}"),
        }
    }
}

/// The numbers of queued and running jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// Queued jobs.
    pub queued: i64,
    /// Running jobs.
    pub running: i64,
}

/// Direction of a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Oldest first.
    #[default]
    Ascending,
    /// Newest first.
    Descending,
}

/// A request for a page of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest {
    /// The cursor: the page begins after this item.
    pub after: Option<Uuid>,
    /// The maximum number of items, at least 1.
    pub limit: u32,
    /// Direction.
    pub order: Order,
}

/// A page of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The items in the requested order.
    pub items: Vec<T>,
    /// Whether more items follow.
    pub has_more: bool,
}
