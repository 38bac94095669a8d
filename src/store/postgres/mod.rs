//! Metadata in PostgreSQL 14 or newer, for any number of processes.
//!
//! Transactions run at READ COMMITTED and lock the rows that their decisions rest on: a worker's write its job, and what
//! reads or changes the checkpoints of a model that model, in this order. Connections break: see [`transactions`].
//! Columns are named one by one, so that a newer program may add some while this one runs. What it keeps in tables of its
//! own this one knows nothing of: `docs/storage.md` says when older programs must be stopped.

mod address;
mod checkpoints;
mod columns;
mod comparisons;
mod events;
mod files;
mod idempotency;
mod jobs;
mod keys;
mod lineage;
mod models;
mod open;
mod owned_jobs;
mod paging;
mod queue;
mod references;
#[cfg(test)]
mod tests;
mod transactions;
mod usage;
mod worker;

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::PgPool;
use uuid::Uuid;

pub use self::address::DatabaseAddress;
pub use self::open::PostgresOpenError;
use self::queue::Queue;
use self::transactions::{reading, statement};
use super::artifacts::ArtifactId;
use super::lease_watch::LeaseWatch;
use super::metadata::{Metadata, Result, StoreError};
use super::records::{
    AddedCheckpoint, ArtifactReference, CancelledJob, CheckpointRecord, ClaimedJob, DailyUsage, DeletedCheckpoints,
    DeletedModel, EventRecord, FilePurpose, FileRecord, FileVersion, FinishedJob, FirstModel, IdempotentRequest,
    IdempotentResult, JobFilter, JobOutcome, JobRecord, JobStart, JobState, KeyLimits, KeyRecord, Lease,
    ManifestRecord, ModelCreation, ModelRecord, NewCheckpoint, NewEvent, NewFile, NewJob, NewKey, NewModel,
    NewTrajectoryLog, Page, PageRequest, QueueDepth, ReferenceCheckpoint, ResumeState, RewardDeviation,
    TrajectoryLogRecord, UsageCount, UsageKey, UsageRecord, WorkerProfile,
};
use crate::engine::WeightFormat;

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
    };
}
use now;

/// The metadata store in a PostgreSQL database.
pub struct PostgresMetadata {
    pool: PgPool,
    queue: Queue,
    leases: LeaseWatch,
    /// Writes done by this process.
    writes: AtomicU32,
}

impl PostgresMetadata {
    /// Closes every connection.
    pub async fn close(&self) {
        self.queue.close();
        self.pool.close().await;
    }
}

#[async_trait]
impl Metadata for PostgresMetadata {
    async fn create_key(&self, key: NewKey) -> Result<KeyRecord> {
        keys::create(self, key).await
    }

    async fn list_keys(&self, entity: Option<&str>) -> Result<Vec<KeyRecord>> {
        keys::list(self, entity).await
    }

    async fn revoke_key(&self, id: Uuid) -> Result<KeyRecord> {
        keys::revoke(self, id).await
    }

    async fn set_key_limits(&self, id: Uuid, limits: KeyLimits) -> Result<KeyRecord> {
        keys::set_limits(self, id, limits).await
    }

    async fn find_key_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<KeyRecord>> {
        keys::find_by_hash(self, sha256).await
    }

    async fn get_key(&self, id: Uuid) -> Result<KeyRecord> {
        keys::get(self, id).await
    }

    async fn touch_key(&self, id: Uuid) -> Result<()> {
        keys::touch(self, id).await
    }

    async fn find_idempotent_result(
        &self,
        entity: &str,
        request: &IdempotentRequest,
    ) -> Result<Option<IdempotentResult>> {
        reading!(self, |connection| idempotency::find(connection, entity, request).await)
    }

    async fn create_model(&self, model: NewModel) -> Result<ModelCreation> {
        models::create(self, model).await
    }

    async fn get_model(&self, entity: &str, id: Uuid) -> Result<ModelRecord> {
        reading!(self, |connection| models::owned(connection, entity, id).await)
    }

    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord> {
        models::find(self, entity, project, name).await
    }

    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>> {
        models::list(self, entity).await
    }

    async fn page_models(&self, entity: &str, project: Option<&str>, page: PageRequest) -> Result<Page<ModelRecord>> {
        models::page_of(self, entity, project, page).await
    }

    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel> {
        models::delete(self, entity, id).await
    }

    async fn list_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        page: PageRequest,
    ) -> Result<Page<CheckpointRecord>> {
        checkpoints::list(self, entity, model_id, page).await
    }

    async fn newest_checkpoint(&self, entity: &str, model_id: Uuid) -> Result<Option<CheckpointRecord>> {
        reading!(self, |connection| {
            models::owned(connection, entity, model_id).await?;
            checkpoints::newest(connection, model_id).await
        })
    }

    async fn list_newest_checkpoints(&self, entity: &str, limit: u32) -> Result<Vec<CheckpointRecord>> {
        checkpoints::list_newest(self, entity, limit).await
    }

    async fn checkpoint_at_step(&self, entity: &str, model_id: Uuid, step: i64) -> Result<CheckpointRecord> {
        reading!(self, |connection| {
            models::owned(connection, entity, model_id).await?;
            checkpoints::at_step(connection, model_id, step).await?.ok_or(StoreError::NotFound("checkpoint"))
        })
    }

    async fn get_checkpoint(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord> {
        reading!(self, |connection| {
            models::owned(connection, entity, model_id).await?;
            checkpoints::of_id(connection, model_id, id).await
        })
    }

    async fn delete_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        steps: &[i64],
        allow_latest: bool,
    ) -> Result<DeletedCheckpoints> {
        checkpoints::delete(self, entity, model_id, steps, allow_latest).await
    }

    async fn set_checkpoint_metadata(
        &self,
        entity: &str,
        model_id: Uuid,
        step: i64,
        metadata: &str,
    ) -> Result<CheckpointRecord> {
        checkpoints::set_metadata(self, entity, model_id, step, metadata).await
    }

    async fn add_checkpoint(&self, checkpoint: AddedCheckpoint) -> Result<CheckpointRecord> {
        checkpoints::add(self, checkpoint).await
    }

    async fn list_manifests(
        &self,
        entity: &str,
        model_id: Uuid,
        first_step: i64,
        limit: u32,
    ) -> Result<Vec<ManifestRecord>> {
        reading!(self, |connection| lineage::list(connection, entity, model_id, first_step, limit).await)
    }

    async fn create_file(&self, file: NewFile) -> Result<FileRecord> {
        files::create(self, file).await
    }

    async fn get_file(&self, entity: &str, id: Uuid) -> Result<FileRecord> {
        reading!(self, |connection| files::owned(connection, entity, id).await)
    }

    async fn find_file(&self, entity: &str, name: &str, version: Option<u32>) -> Result<FileVersion> {
        files::find(self, entity, name, version).await
    }

    async fn list_files(
        &self,
        entity: &str,
        purpose: Option<FilePurpose>,
        page: PageRequest,
    ) -> Result<Page<FileRecord>> {
        files::list(self, entity, purpose, page).await
    }

    async fn delete_file(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
        files::delete(self, entity, id).await
    }

    async fn create_job(&self, job: NewJob) -> Result<JobRecord> {
        jobs::create(self, job).await
    }

    async fn create_model_with_job(&self, first: FirstModel, job: NewJob) -> Result<JobRecord> {
        jobs::create_with(self, Some(first), job).await
    }

    async fn get_job(&self, entity: &str, id: Uuid) -> Result<JobRecord> {
        reading!(self, |connection| jobs::owned(connection, entity, id).await)
    }

    async fn get_job_state(&self, entity: &str, id: Uuid) -> Result<JobState> {
        owned_jobs::get(self, entity, id).await
    }

    async fn list_jobs(&self, entity: &str, filter: JobFilter, page: PageRequest) -> Result<Page<JobState>> {
        owned_jobs::list(self, entity, filter, page).await
    }

    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob> {
        owned_jobs::cancel(self, entity, id, message, event).await
    }

    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>> {
        events::list(self, entity, job_id, page).await
    }

    async fn claim_next(&self, worker: &WorkerProfile, time_to_live: Duration) -> Result<Option<ClaimedJob>> {
        jobs::claim_next(self, worker, time_to_live).await
    }

    async fn count_jobs_for_others(&self, worker: &WorkerProfile) -> Result<i64> {
        jobs::count_for_others(self, worker).await
    }

    async fn wait_for_job(&self, timeout: Duration) -> Result<()> {
        self.queue.wait(timeout).await;
        Ok(())
    }

    async fn heartbeat(&self, lease: &Lease, time_to_live: Duration) -> Result<()> {
        jobs::heartbeat(self, lease, time_to_live).await
    }

    async fn release_job(&self, lease: &Lease) -> Result<()> {
        jobs::release(self, lease).await
    }

    async fn note_failure(&self, lease: &Lease, reason: &str) -> Result<i64> {
        jobs::note_failure(self, lease, reason).await
    }

    async fn expire_leases_of_other_owners(&self, owner: &str) -> Result<u64> {
        jobs::expire_leases_of_other_owners(self, owner).await
    }

    async fn record_start(&self, lease: &Lease, dataset: Option<ArtifactId>) -> Result<JobStart> {
        worker::record_start(self, lease, dataset).await
    }

    async fn record_weight_format(&self, lease: &Lease, format: WeightFormat) -> Result<()> {
        worker::record_weight_format(self, lease, format).await
    }

    async fn record_reference(&self, lease: &Lease, model_id: Uuid, step: Option<i64>) -> Result<ReferenceCheckpoint> {
        comparisons::record_reference(self, lease, model_id, step).await
    }

    async fn record_reward_deviation(&self, lease: &Lease, deviation: f64) -> Result<Vec<RewardDeviation>> {
        comparisons::record_reward_deviation(self, lease, deviation).await
    }

    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
        reading!(self, |connection| comparisons::reward_deviations(connection, entity, job_id).await)
    }

    async fn append_event(&self, lease: &Lease, sequence: i64, event: NewEvent) -> Result<EventRecord> {
        worker::append_event(self, lease, sequence, event).await
    }

    async fn record_step(
        &self,
        lease: &Lease,
        sequence: i64,
        event: NewEvent,
        state: ResumeState,
    ) -> Result<Vec<ArtifactId>> {
        worker::record_step(self, lease, sequence, event, state).await
    }

    async fn publish_checkpoint(&self, lease: &Lease, checkpoint: NewCheckpoint) -> Result<CheckpointRecord> {
        worker::publish_checkpoint(self, lease, checkpoint).await
    }

    async fn finish_job(
        &self,
        lease: &Lease,
        outcome: JobOutcome,
        checkpoint: Option<NewCheckpoint>,
        last_event: Option<NewEvent>,
    ) -> Result<FinishedJob> {
        worker::finish(self, lease, outcome, checkpoint, last_event).await
    }

    async fn add_usage(&self, usage: UsageKey, count: UsageCount) -> Result<()> {
        usage::add(self, usage, count).await
    }

    async fn list_usage(&self, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
        usage::list(self, entity).await
    }

    async fn list_daily_usage(
        &self,
        entity: &str,
        days: RangeInclusive<i64>,
        project: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DailyUsage>> {
        usage::list_daily(self, entity, days, project, limit).await
    }

    async fn used_tokens(&self, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64> {
        usage::used_tokens(self, entity, key_id, first_day).await
    }

    async fn stored_bytes(&self, key_id: Uuid) -> Result<u64> {
        reading!(self, |connection| files::stored_bytes(connection, key_id).await)
    }

    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord> {
        models::add_trajectory_log(self, log).await
    }

    async fn unreferenced_artifacts(&self, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>> {
        reading!(self, |connection| references::unreferenced(connection, candidates).await)
    }

    async fn artifact_references(&self, after: Option<ArtifactId>, limit: u32) -> Result<Vec<ArtifactReference>> {
        reading!(self, |connection| references::list(connection, after, limit).await)
    }

    async fn ping(&self) -> Result<Duration> {
        let begun = Instant::now();
        statement!(self, |connection| Ok(sqlx::query("SELECT 1").execute(connection).await?))?;
        Ok(begun.elapsed())
    }

    async fn queue_depth(&self) -> Result<QueueDepth> {
        jobs::queue_depth(self).await
    }
}
