//! Jobs, from the side of the workers that hold their leases.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::artifacts::ArtifactId;
use crate::records::{
    CheckpointRecord, ClaimedJob, EventRecord, FinishedJob, JobOutcome, JobStart, Lease, NewCheckpoint, NewEvent,
    ReferenceCheckpoint, ResumeState, RewardDeviation, RolloutArtifacts, TrainerKind, Wait, WaitReason, WorkerProfile,
};

/// Jobs, from the side of the workers that hold their leases.
///
/// Every call with a [`Lease`] checks its fencing token in its own transaction.
///
/// # Errors
/// [`StoreError::LeaseLost`](super::StoreError::LeaseLost) from every call whose lease is no longer held.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Claims a queued job, or a job with an expired lease. A lease expires at its deadline, or when this process has
    /// not seen a renewal for `time_to_live` by its monotonic clock. The job's model must have no older unfinished job.
    /// The worker must have the job's base model, with a trainer of the kind that the job began with, and must not exclude
    /// its entity.
    ///
    /// The share is fair: the claimed job is of the entity whose last claim is the least recent, and of that entity's
    /// model whose last claim is the least recent; then age decides. So if `n` entities have claimable jobs, each of
    /// them gets one of the next `n` claims. Every claim counts, also one that is released.
    async fn claim_next(&self, worker: &WorkerProfile, time_to_live: Duration) -> Result<Option<ClaimedJob>>;
    /// Waits for a job to claim, at most `timeout`. Returns within milliseconds of a job being queued or released, by
    /// this process or another. May return spuriously.
    async fn wait_for_job(&self, timeout: Duration) -> Result<()>;
    /// Counts the claimable jobs that need another worker; see [`Self::claim_next`].
    async fn count_jobs_for_others(&self, worker: &WorkerProfile) -> Result<i64>;
    /// Renews a lease until `time_to_live` from now.
    async fn heartbeat(&self, lease: &Lease, time_to_live: Duration) -> Result<()>;
    /// Releases a lease on an unfinished job, so that any worker may claim the job at once. The claim does not count as an
    /// attempt; an expired lease does. `reason` is noted as that of the job's wait until its next claim.
    async fn release_job(&self, lease: &Lease, reason: Option<WaitReason>) -> Result<()>;
    /// Records the failure of an attempt, with its `reason`. Returns the number of consecutive failures for that reason
    /// without progress. The lease stays.
    async fn note_failure(&self, lease: &Lease, reason: &str) -> Result<i64>;
    /// Records the reason for which the job makes no steps although a worker holds it; `None` once it goes on. A claim
    /// removes it.
    async fn note_waiting(&self, lease: &Lease, wait: Option<Wait<'_>>) -> Result<()>;
    /// Expires the leases of every other owner, also those on batches; returns the number of those on jobs. The caller must
    /// be the only process on the database.
    async fn expire_leases_of_other_owners(&self, owner: &str) -> Result<u64>;
    /// Records the job's start: the model's newest checkpoint and the fetched data. The record of an earlier attempt
    /// stays. Returns the recorded start. Its artifacts stay referenced until the job ends, even if the checkpoint is
    /// deleted.
    async fn record_start(&self, lease: &Lease, dataset: Option<ArtifactId>) -> Result<JobStart>;
    /// Records the kind of the trainer that computes the job; see [`Self::claim_next`].
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) if an earlier attempt had another one.
    async fn record_trainer(&self, lease: &Lease, trainer: TrainerKind) -> Result<()>;
    /// Records the job's reference checkpoint, of any model of its entity; without a `step`, the newest. The record of an
    /// earlier attempt stays. Returns the recorded reference. Its artifacts stay referenced until the job ends.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) if the checkpoint does not exist,
    /// [`StoreError::Conflict`](super::StoreError::Conflict) before [`Self::record_start`].
    async fn record_reference(&self, lease: &Lease, model_id: Uuid, step: Option<i64>) -> Result<ReferenceCheckpoint>;
    /// Records the reward deviation in the job's data. The record of an earlier attempt stays. Returns the recorded
    /// deviations of the model's succeeded jobs, oldest first, then that of this job.
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) before [`Self::record_start`].
    async fn record_reward_deviation(&self, lease: &Lease, deviation: f64) -> Result<Vec<RewardDeviation>>;
    /// Records artifacts about the job's rollouts. Those that an earlier attempt recorded stay. Returns the recorded ones.
    async fn record_rollouts(&self, lease: &Lease, rollouts: RolloutArtifacts) -> Result<RolloutArtifacts>;
    /// Appends event `sequence`. Returns the existing event if an earlier attempt appended one of the same type.
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) for a gap, or if the existing event has another type.
    async fn append_event(&self, lease: &Lease, sequence: i64, event: NewEvent) -> Result<EventRecord>;
    /// Appends the event of a finished step as [`Self::append_event`] does and records the resume state in the same
    /// transaction, unless a later step's state is recorded. Returns the artifacts that only the replaced state referred
    /// to.
    async fn record_step(
        &self,
        lease: &Lease,
        sequence: i64,
        event: NewEvent,
        state: ResumeState,
    ) -> Result<Vec<ArtifactId>>;
    /// Publishes the job's checkpoint as the model's newest, under its next step. A second call returns the first one's
    /// checkpoint.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) if the published checkpoint was deleted.
    async fn publish_checkpoint(&self, lease: &Lease, checkpoint: NewCheckpoint) -> Result<CheckpointRecord>;
    /// Finishes a job: publishes the checkpoint as [`Self::publish_checkpoint`] does, appends the last event with the
    /// job's steps and trained tokens, and sets the status. The trained tokens are added to the usage of the key that
    /// created the job.
    ///
    /// Drops the optimizer state of all but the model's newest checkpoint, and the references to the job's input and
    /// start. The artifacts needed to replay a job with a checkpoint are retained until the model has neither that
    /// checkpoint nor a later one.
    async fn finish_job(
        &self,
        lease: &Lease,
        outcome: JobOutcome,
        checkpoint: Option<NewCheckpoint>,
        last_event: Option<NewEvent>,
    ) -> Result<FinishedJob>;
}
