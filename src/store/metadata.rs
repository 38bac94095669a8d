//! The interface to the metadata store, whichever database keeps it.
//!
//! Rules that every implementation keeps (the conformance suite checks them):
//! - a read names the entity; an object of another entity answers exactly as one that does not exist;
//! - one call is one transaction; times come from the database's clock;
//! - a worker's write checks its [`Lease`] in that transaction and answers [`StoreError::LeaseLost`] without it;
//! - an event log is gapless, never repeated, never reordered; a step of a model is never used twice.

use std::ops::RangeInclusive;
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::artifacts::ArtifactId;
use super::records::{
    AddedCheckpoint, ArtifactReference, CancelledJob, CheckpointRecord, ClaimedJob, DailyUsage, DeletedCheckpoints,
    DeletedModel, EventRecord, FilePurpose, FileRecord, FileVersion, FinishedJob, FirstModel, IdempotentRequest,
    IdempotentResult, JobFilter, JobOutcome, JobRecord, JobStart, JobState, KeyLimits, KeyRecord, Lease,
    ManifestRecord, ModelCreation, ModelRecord, NewCheckpoint, NewEvent, NewFile, NewJob, NewKey, NewModel,
    NewTrajectoryLog, Page, PageRequest, QueueDepth, ReferenceCheckpoint, ResumeState, RewardDeviation,
    TrajectoryLogRecord, UsageCount, UsageKey, UsageRecord, WorkerProfile,
};
use crate::engine::WeightFormat;

/// What can go wrong in the metadata store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such object, or it belongs to another entity.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// `after` is not an item of this listing.
    #[error("the cursor {0} is not an item of this listing")]
    InvalidCursor(Uuid),
    /// The request contradicts what is stored.
    #[error("{0}")]
    Conflict(String),
    /// The entity has as many unfinished jobs as it may have; one must end first.
    #[error("there are {limit} queued or running jobs already; try again when one of them has ended")]
    TooManyJobs {
        /// See [`MAX_UNFINISHED_JOBS`].
        limit: i64,
    },
    /// The key has as many unfinished jobs as it may have; one must end first.
    #[error("this key may have {limit} queued or running jobs; try again when one of them has ended")]
    TooManyJobsOfKey {
        /// Its limit.
        limit: u64,
    },
    /// The files of the key have as many bytes as they may have; some must be deleted first.
    #[error("this key may store {limit} bytes of files and has {stored}; delete files that are not needed")]
    TooManyBytes {
        /// Its limit.
        limit: u64,
        /// What is there.
        stored: u64,
    },
    /// The idempotency key named another request before.
    #[error("the idempotency key {0:?} was used for another request; use a new key for a new request")]
    KeyReused(String),
    /// The checkpoint is the newest of its model, which would serve an older one without it.
    #[error(
        "step {0} is the newest of the model, which its name stands for; delete it with `allow_latest`, and the name \
         stands for the newest step that is left"
    )]
    LatestCheckpoint(i64),
    /// The value cannot be stored.
    #[error("{0}")]
    InvalidValue(String),
    /// The job was taken over by another worker, has ended or was deleted; stop working on it.
    #[error("the lease on job {} (token {}) is no longer held", .0.job_id, .0.token)]
    LeaseLost(Lease),
    /// The database is busy, its disk is full or it cannot be reached; the same call may succeed later. If the
    /// connection broke, what was to be written may have been.
    #[error("the metadata store cannot do this at the moment; try again later")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database failed.
    #[error("the metadata store failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored value does not read back; the database was damaged or changed by hand.
    #[error("the metadata store holds an unreadable {column}: {reason}")]
    Corrupt {
        /// Where.
        column: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl StoreError {
    /// Whether the call was understood and refused, so that nothing was written.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, Self::Unavailable(_) | Self::Database(_) | Self::Corrupt { .. })
    }
}

/// The most queued and running jobs of one entity: each keeps its input on disk.
pub const MAX_UNFINISHED_JOBS: i64 = 1000;

/// How long the result of a request under an idempotency key is kept, in milliseconds: a day.
pub const IDEMPOTENT_RESULT_LIFE: i64 = 24 * 60 * 60 * 1000;

/// Result of a call to the metadata store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Everything the service remembers, apart from artifact bytes.
#[async_trait]
pub trait Metadata: Send + Sync {
    // -- keys

    /// Stores a new key.
    async fn create_key(&self, key: NewKey) -> Result<KeyRecord>;
    /// Lists keys, revoked ones included, oldest first; of every entity if none is named.
    async fn list_keys(&self, entity: Option<&str>) -> Result<Vec<KeyRecord>>;
    /// Ends a key's validity. Revoking a revoked key changes nothing.
    async fn revoke_key(&self, id: Uuid) -> Result<KeyRecord>;
    /// Sets what a key may do, instead of what it might before.
    async fn set_key_limits(&self, id: Uuid, limits: KeyLimits) -> Result<KeyRecord>;
    /// Finds a key by the SHA-256 of its text, also when it is revoked.
    async fn find_key_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<KeyRecord>>;
    /// Reads a key, also when it is revoked.
    async fn get_key(&self, id: Uuid) -> Result<KeyRecord>;
    /// Notes that a key was used; writes at most once a minute per key.
    async fn touch_key(&self, id: Uuid) -> Result<()>;

    // -- repeated requests

    /// What a request under this key did within the last day, if anything. [`StoreError::KeyReused`] if it was another
    /// request. The creates look here themselves: one with a `request` that was done before returns what it returned
    /// then, the record as it is now; [`StoreError::NotFound`] if that was deleted meanwhile. The result is recorded in
    /// the transaction of the create; of a refused one nothing is recorded.
    async fn find_idempotent_result(
        &self,
        entity: &str,
        request: &IdempotentRequest,
    ) -> Result<Option<IdempotentResult>>;

    // -- models

    /// Creates a model and its checkpoint of step 0, or returns the one that has the name.
    async fn create_model(&self, model: NewModel) -> Result<ModelCreation>;
    /// Reads a model.
    async fn get_model(&self, entity: &str, id: Uuid) -> Result<ModelRecord>;
    /// Finds a model by name.
    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord>;
    /// Lists an entity's models, oldest first.
    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>>;
    /// Lists an entity's models by age, those of one project if one is named.
    async fn page_models(&self, entity: &str, project: Option<&str>, page: PageRequest) -> Result<Page<ModelRecord>>;
    /// Removes a model with its checkpoints, jobs, events and trajectory logs. A worker on one of its jobs loses the lease;
    /// what the job trained on counts as used.
    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel>;

    // -- checkpoints

    /// Lists a model's checkpoints by step.
    async fn list_checkpoints(&self, entity: &str, model_id: Uuid, page: PageRequest)
    -> Result<Page<CheckpointRecord>>;
    /// The checkpoint with the highest step; `None` if all were deleted.
    async fn newest_checkpoint(&self, entity: &str, model_id: Uuid) -> Result<Option<CheckpointRecord>>;
    /// Lists the checkpoints of all of an entity's models, newest first, at most `limit`.
    async fn list_newest_checkpoints(&self, entity: &str, limit: u32) -> Result<Vec<CheckpointRecord>>;
    /// The checkpoint of one step.
    async fn checkpoint_at_step(&self, entity: &str, model_id: Uuid, step: i64) -> Result<CheckpointRecord>;
    /// The checkpoint with this id.
    async fn get_checkpoint(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord>;
    /// Deletes the checkpoints of these steps; a step named twice counts once. Unless `allow_latest`, it is
    /// [`StoreError::LatestCheckpoint`] if the newest is among them, and nothing is deleted.
    async fn delete_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        steps: &[i64],
        allow_latest: bool,
    ) -> Result<DeletedCheckpoints>;

    /// Replaces the notes of a checkpoint, which are the text of a JSON object; returns the checkpoint with them.
    async fn set_checkpoint_metadata(
        &self,
        entity: &str,
        model_id: Uuid,
        step: i64,
        metadata: &str,
    ) -> Result<CheckpointRecord>;

    /// Makes a checkpoint without training, under the model's next step or the least that it may get. [`StoreError::NotFound`] if what it is
    /// made from is not there; one that was made before and is deleted meanwhile is not found either. Both models of a copied step have
    /// the same base model and training method: the caller sees to it.
    async fn add_checkpoint(&self, checkpoint: AddedCheckpoint) -> Result<CheckpointRecord>;

    /// How the checkpoints of a model came to be, by step from `first_step` on, at most `limit`; also of those that were
    /// deleted. Checkpoints that were made before there were manifests have none.
    async fn list_manifests(
        &self,
        entity: &str,
        model_id: Uuid,
        first_step: i64,
        limit: u32,
    ) -> Result<Vec<ManifestRecord>>;

    // -- files

    /// Keeps an uploaded file.
    async fn create_file(&self, file: NewFile) -> Result<FileRecord>;
    /// Reads what is known of a file.
    async fn get_file(&self, entity: &str, id: Uuid) -> Result<FileRecord>;
    /// Finds a file by name: the `version`-th that got it, counted from 0, or the newest.
    async fn find_file(&self, entity: &str, name: &str, version: Option<u32>) -> Result<FileVersion>;
    /// Lists an entity's files by age, those of one purpose if one is named.
    async fn list_files(
        &self,
        entity: &str,
        purpose: Option<FilePurpose>,
        page: PageRequest,
    ) -> Result<Page<FileRecord>>;
    /// Removes a file; returns its content if nothing else refers to it. Jobs that were created with it keep the content.
    async fn delete_file(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>>;

    // -- jobs, as their owner sees them

    /// Queues a job; [`StoreError::TooManyJobs`] if the entity has [`MAX_UNFINISHED_JOBS`] already.
    async fn create_job(&self, job: NewJob) -> Result<JobRecord>;
    /// Creates a model and queues its first job, both or neither; otherwise as [`Self::create_job`].
    /// [`StoreError::Conflict`] if the model's name is taken.
    async fn create_model_with_job(&self, first: FirstModel, job: NewJob) -> Result<JobRecord>;
    /// Reads a job.
    async fn get_job(&self, entity: &str, id: Uuid) -> Result<JobRecord>;
    /// Reads a job and how far it is.
    async fn get_job_state(&self, entity: &str, id: Uuid) -> Result<JobState>;
    /// Lists an entity's jobs by age.
    async fn list_jobs(&self, entity: &str, filter: JobFilter, page: PageRequest) -> Result<Page<JobState>>;
    /// Ends a job that waits or runs, with the event as its last, as [`Self::finish_job`]: whoever computes it loses the
    /// lease. One that was cancelled before is returned as it is; one that has ended otherwise is a
    /// [`StoreError::Conflict`].
    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob>;
    /// Lists a job's events by sequence.
    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>>;

    // -- jobs, as a worker sees them

    /// Claims the oldest job that is queued or whose lease ran out (by its deadline, or because this process has not seen
    /// it renewed for `time_to_live`, whatever the clock says), whose model has no older unfinished job, and which
    /// the worker can compute: it has the base model, in the number format that the job began with.
    async fn claim_next(&self, worker: &WorkerProfile, time_to_live: Duration) -> Result<Option<ClaimedJob>>;
    /// Waits until there may be a job to claim, at most `timeout`. It may return early for no reason; it does so within
    /// milliseconds of a job being queued or given back, in this process or another.
    async fn wait_for_job(&self, timeout: Duration) -> Result<()>;
    /// Counts the unfinished jobs that are free but which this worker cannot compute; see [`Self::claim_next`].
    async fn count_jobs_for_others(&self, worker: &WorkerProfile) -> Result<i64>;
    /// Prolongs a lease to `time_to_live` from now.
    async fn heartbeat(&self, lease: &Lease, time_to_live: Duration) -> Result<()>;
    /// Gives a lease back unfinished, so that any worker may claim the job at once. The claim does not count as an
    /// attempt; to have it counted, let the lease run out.
    async fn release_job(&self, lease: &Lease) -> Result<()>;
    /// Notes that an attempt failed for `reason`; returns how many in a row failed for that reason while nothing was
    /// recorded of the job's work. The lease stays.
    async fn note_failure(&self, lease: &Lease, reason: &str) -> Result<i64>;
    /// Ends the leases of every other owner; returns how many. Only for a process that is sure to be alone.
    async fn expire_leases_of_other_owners(&self, owner: &str) -> Result<u64>;
    /// Records what the job works from: the model's newest checkpoint and the fetched data. What an earlier attempt
    /// recorded stays; returns what is recorded. Its artifacts stay referenced until the job ends, also when the
    /// checkpoint is deleted meanwhile.
    async fn record_start(&self, lease: &Lease, dataset: Option<ArtifactId>) -> Result<JobStart>;
    /// Records how the weights are stored that the job computes with; see [`Self::claim_next`].
    /// [`StoreError::Conflict`] if an earlier attempt computed with another format.
    async fn record_weight_format(&self, lease: &Lease, format: WeightFormat) -> Result<()>;
    /// Records the checkpoint that the job compares with, of any model of its entity; without a `step`, the newest. What
    /// an earlier attempt recorded stays; returns what is recorded. Its artifacts stay referenced until the job ends.
    /// [`StoreError::NotFound`] if there is no such checkpoint, [`StoreError::Conflict`] before [`Self::record_start`].
    async fn record_reference(&self, lease: &Lease, model_id: Uuid, step: Option<i64>) -> Result<ReferenceCheckpoint>;
    /// Records how much the rewards in the job's data deviate; what an earlier attempt recorded stays. Returns the
    /// deviations of the model's jobs that succeeded and recorded one, oldest first, this job's last.
    /// [`StoreError::Conflict`] before [`Self::record_start`].
    async fn record_reward_deviation(&self, lease: &Lease, deviation: f64) -> Result<Vec<RewardDeviation>>;
    /// What [`Self::record_reward_deviation`] returned to a job that recorded one.
    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>>;
    /// Appends event `sequence`. If it is there already with the same type (a repeated attempt), returns that one.
    /// A gap or another type is a [`StoreError::Conflict`].
    async fn append_event(&self, lease: &Lease, sequence: i64, event: NewEvent) -> Result<EventRecord>;
    /// Appends the event of a finished step as [`Self::append_event`] does and records the state to go on from in the
    /// same transaction, unless one of a later step is recorded. Returns artifacts that only the state before referred
    /// to.
    async fn record_step(
        &self,
        lease: &Lease,
        sequence: i64,
        event: NewEvent,
        state: ResumeState,
    ) -> Result<Vec<ArtifactId>>;
    /// Makes the job's checkpoint the model's newest, under its next step. A second call returns the first one's, or
    /// [`StoreError::NotFound`] if it was deleted meanwhile.
    async fn publish_checkpoint(&self, lease: &Lease, checkpoint: NewCheckpoint) -> Result<CheckpointRecord>;
    /// Ends a job: the checkpoint (as [`Self::publish_checkpoint`]), the last event, with the steps and trained tokens of
    /// the job added to it, and the status. What it trained on counts as used by the key that created it. Releases the
    /// optimizer state of all but the model's newest checkpoint, and the job's input and start; of a job with a checkpoint,
    /// what it takes to run it again is kept until the model has neither that nor a later one.
    async fn finish_job(
        &self,
        lease: &Lease,
        outcome: JobOutcome,
        checkpoint: Option<NewCheckpoint>,
        last_event: Option<NewEvent>,
    ) -> Result<FinishedJob>;

    // -- usage, logs, health

    /// Adds to a sum of usage, of today.
    async fn add_usage(&self, usage: UsageKey, count: UsageCount) -> Result<()>;
    /// Lists usage of all days together; of every entity if none is named.
    async fn list_usage(&self, entity: Option<&str>) -> Result<Vec<UsageRecord>>;
    /// Lists an entity's usage by day, from one day to another, both included, in one project if one is named; at most `limit`
    /// sums, the earliest first.
    async fn list_daily_usage(
        &self,
        entity: &str,
        days: RangeInclusive<i64>,
        project: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DailyUsage>>;
    /// Tokens of chat and training that a key used from a day on, counted from 1970-01-01 UTC.
    async fn used_tokens(&self, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64>;
    /// Bytes of the files that a key has uploaded and that are there.
    async fn stored_bytes(&self, key_id: Uuid) -> Result<u64>;
    /// Stores a reference to logged trajectories.
    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord>;
    /// Which of these artifacts no row refers to.
    async fn unreferenced_artifacts(&self, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>>;
    /// The artifacts that rows refer to, each once, in the order of their names: at most `limit` behind `after`.
    async fn artifact_references(&self, after: Option<ArtifactId>, limit: u32) -> Result<Vec<ArtifactReference>>;
    /// Asks the database for an answer; returns how long it took.
    async fn ping(&self) -> Result<Duration>;
    /// Counts waiting and running jobs of all entities.
    async fn queue_depth(&self) -> Result<QueueDepth>;
}
