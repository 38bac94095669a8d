//! The rows of the metadata store as plain values, and the values that callers hand in to make them.

use std::collections::BTreeMap;
use std::fmt;

use uuid::Uuid;

use super::artifacts::ArtifactId;
use super::metadata::StoreError;
use crate::engine::TrainingMethod;

mod files;
mod jobs;
mod keys;
mod manifest;

pub use files::{FilePurpose, FileRecord, FileVersion, NewFile};
pub use jobs::{
    CancelledJob, ClaimedJob, FineTuning, FinishedJob, JobErrorCode, JobFailure, JobFile, JobFilter, JobInput, JobKind,
    JobOutcome, JobRecord, JobStart, JobState, JobStatus, Lease, NewJob, ReferenceCheckpoint, ResumeState,
    RewardDeviation, WorkerProfile,
};
pub use keys::{KeyLimits, KeyRecord, NewKey};
pub(super) use manifest::Origin;
pub use manifest::{
    BaseModelHash, FileHashes, MadeBy, Manifest, ManifestRecord, OptimizerHash, Parent, Program, Provenance,
    ReferenceHash, TrainingManifest, sha256,
};

/// Milliseconds since 1970-01-01 UTC, read from the database's clock.
pub type UnixMillis = i64;

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
    /// The highest step whose checkpoint is there; `None` if all were deleted.
    pub latest_step: Option<i64>,
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
    /// It stored this file.
    File(Uuid),
    /// It made this checkpoint.
    Checkpoint(Uuid),
    /// It kept these trajectories.
    TrajectoryLog(Uuid),
}

impl IdempotentResult {
    /// The stored spelling of what was done.
    pub(super) fn outcome(self) -> &'static str {
        match self {
            Self::Job(_) => "job_created",
            Self::CreatedModel(_) => "model_created",
            Self::ExistingModel(_) => "model_existing",
            Self::File(_) => "file_created",
            Self::Checkpoint(_) => "checkpoint_created",
            Self::TrajectoryLog(_) => "log_created",
        }
    }

    /// Reads the stored form.
    pub(super) fn parse(outcome: &str, object_id: Uuid) -> Option<Self> {
        let all =
            [Self::Job, Self::CreatedModel, Self::ExistingModel, Self::File, Self::Checkpoint, Self::TrajectoryLog];
        all.into_iter().map(|result| result(object_id)).find(|result| result.outcome() == outcome)
    }

    /// What was made or found.
    pub fn object_id(self) -> Uuid {
        match self {
            Self::Job(id)
            | Self::CreatedModel(id)
            | Self::ExistingModel(id)
            | Self::File(id)
            | Self::Checkpoint(id)
            | Self::TrajectoryLog(id) => id,
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
    /// What its manifest says of the base model.
    pub provenance: Provenance,
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

impl ModelCreation {
    /// The new model.
    ///
    /// # Errors
    /// When the name was taken.
    pub(super) fn created(self) -> Result<ModelRecord, StoreError> {
        match self {
            Self::Created(model) => Ok(model),
            Self::Existing(ModelRecord { entity, project, name, .. }) => {
                Err(StoreError::Conflict(format!("{entity}/{project} already has a model {name:?}")))
            }
        }
    }
}

/// A model that is made for a job.
#[derive(Clone, Debug)]
pub struct FirstModel {
    /// The model; its own [`NewModel::request`] is `None`, since the job's stands for both.
    pub model: NewModel,
    /// The checkpoint that the job begins from, if that is not the base model.
    pub copy: Option<AddedCheckpoint>,
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
    /// Notes of its owner: the text of a JSON object.
    pub metadata: Option<String>,
    /// When it was made.
    pub created_at: UnixMillis,
}

/// The note that says how the weights of a checkpoint were made, as a list of methods.
const PROVENANCE: &str = "wandb.provenance";

impl CheckpointRecord {
    /// The notes that hold for a checkpoint made from this one too: its provenance.
    pub(super) fn inherited_metadata(&self) -> Option<String> {
        let mut notes: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(self.metadata.as_ref()?).ok()?;
        let provenance = notes.remove(PROVENANCE)?;
        Some(serde_json::json!({ PROVENANCE: provenance }).to_string())
    }
}

/// A checkpoint to be published.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewCheckpoint {
    /// See [`CheckpointRecord::metrics`]; every value finite.
    pub metrics: BTreeMap<String, f64>,
    /// See [`CheckpointRecord::adapter`].
    pub adapter: Option<AdapterArtifacts>,
    /// See [`CheckpointRecord::optimizer`].
    pub optimizer: Option<OptimizerArtifact>,
    /// What its manifest says of its making.
    pub provenance: Provenance,
    /// The lowest step that it may get; it gets the model's next one if that is higher.
    pub least_step: i64,
    /// See [`CheckpointRecord::metadata`]; without, it inherits the provenance of the checkpoint it is made from.
    pub metadata: Option<String>,
}

/// A checkpoint that its owner makes without training.
#[derive(Clone, Debug)]
pub struct AddedCheckpoint {
    /// The id that it gets, new for every request: a checkpoint that has another was made before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// The owner of the model and of what the checkpoint is made from.
    pub entity: String,
    /// The model that gets it, under its next step.
    pub model_id: Uuid,
    /// See [`NewCheckpoint::least_step`].
    pub least_step: i64,
    /// See [`NewCheckpoint::metadata`].
    pub metadata: Option<String>,
    /// What it is made from.
    pub source: CheckpointSource,
    /// What its manifest says of its making.
    pub provenance: Provenance,
    /// Under what name the request may be repeated; see [`super::metadata::Metadata::find_idempotent_result`].
    pub request: Option<IdempotentRequest>,
}

/// What a checkpoint is made from without training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointSource {
    /// A step of the same or another model, with its metrics and optimizer state.
    Step {
        /// Whose step.
        model_id: Uuid,
        /// Which.
        step: i64,
    },
    /// An uploaded file of adapter weights.
    File {
        /// The file; there must be one still.
        file: Uuid,
        /// `adapter_config.json`; must be durable already.
        config: ArtifactId,
    },
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
    /// Tokens trained on.
    pub trained_tokens: i64,
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

/// A sum of what one key used on one day in one project of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyUsage {
    /// Days since 1970-01-01 UTC; 0 for what was used before days were told apart.
    pub day: i64,
    /// The job that trained; `None` for chat, and for training before jobs were told apart.
    pub job_id: Option<Uuid>,
    /// Who used what, and how much.
    pub usage: UsageRecord,
}

/// Trajectories that a client logged without training on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTrajectoryLog {
    /// The id that it gets, new for every request: a log that has another was stored before, by the same
    /// [`Self::request`].
    pub id: Uuid,
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
    /// Under what name the request may be repeated; see [`super::metadata::Metadata::find_idempotent_result`].
    pub request: Option<IdempotentRequest>,
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
    /// Who needs it.
    pub holder: ArtifactHolder,
}

/// What keeps an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactHolder {
    /// This model, by a checkpoint, job or trajectory log.
    Model(Uuid),
    /// This uploaded file.
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
