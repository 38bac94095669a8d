//! [`Leases`] in SQLite.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::database::SqliteMetadata;
use super::sql::{job_now, now};
use super::{checkpoints, claims, held_jobs, job_state, jobs, lineage, models, references, usage};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Leases, Result, StoreError};
use crate::store::records::{
    CheckpointRecord, ClaimedJob, EventRecord, FinishedJob, JobOutcome, JobStart, Lease, NewCheckpoint, NewEvent,
    ReferenceCheckpoint, ResumeState, RewardDeviation, RolloutArtifacts, TrainerKind, Wait, WaitReason, WorkerProfile,
    trainers_json,
};
use crate::store::rows::{self, Columns};
use crate::store::rules;

#[async_trait]
impl Leases for SqliteMetadata {
    async fn claim_next(&self, worker: &WorkerProfile, time_to_live: Duration) -> Result<Option<ClaimedJob>> {
        let trainers = trainers_json(&worker.trainers);
        let excluded = [&worker.excluded_entities, &worker.excluded_sources].map(rows::json);
        // Reads first: an idle worker claims often, and a read takes no write lock.
        let waiting: bool = sqlx::query_scalar(concat!(
            "SELECT EXISTS (SELECT 1 ",
            claims::available!(),
            " AND ",
            claims::computable!(),
            claims::included!(),
            ")"
        ))
        .bind(&trainers)
        .bind(&excluded[0])
        .bind(&excluded[1])
        .fetch_one(&self.readers)
        .await?;
        if !waiting && !claims::expire_unrenewed(self, time_to_live).await? {
            return Ok(None);
        }
        let mut transaction = self.write().await?;
        let claimed = sqlx::query(concat!(
            "UPDATE jobs SET status = 'running', lease_owner = ?4, lease_token = lease_token + 1, lease_deadline = ",
            now!(),
            " + ?5, attempts = attempts + 1, fruitless_attempts = fruitless_attempts + 1,
             waiting = NULL, waiting_for = NULL, waiting_since = NULL,
             started_at = coalesce(started_at, ",
            job_now!(),
            "), claim_number = (SELECT coalesce(max(claim_number), 0) + 1 FROM entity_claims)
             WHERE sequence = (SELECT candidate.sequence ",
            claims::available!(),
            " AND ",
            claims::computable!(),
            claims::included!(),
            claims::fair_order!(),
            "LIMIT 1) RETURNING *"
        ))
        .bind(trainers)
        .bind(&excluded[0])
        .bind(&excluded[1])
        .bind(&worker.owner)
        .bind(rules::milliseconds(time_to_live))
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = claimed else { return Ok(None) };
        let claimed = rows::claimed_job(&row)?;
        sqlx::query(
            "INSERT INTO entity_claims (entity, claim_number) VALUES (?, ?)
             ON CONFLICT (entity) DO UPDATE SET claim_number = excluded.claim_number",
        )
        .bind(&claimed.job.entity)
        .bind(row.integer("claim_number")?)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Some(claimed))
    }

    async fn wait_for_job(&self, timeout: Duration) -> Result<()> {
        self.watcher.wait(&self.queued, timeout).await
    }

    async fn count_jobs_for_others(&self, worker: &WorkerProfile) -> Result<i64> {
        let count =
            sqlx::query_scalar(concat!("SELECT count(*) ", claims::available!(), " AND NOT ", claims::computable!()))
                .bind(trainers_json(&worker.trainers))
                .fetch_one(&self.readers)
                .await?;
        Ok(count)
    }

    async fn heartbeat(&self, lease: &Lease, time_to_live: Duration) -> Result<()> {
        let renewed = sqlx::query(concat!(
            "UPDATE jobs SET lease_deadline = ",
            now!(),
            " + ? WHERE id = ? AND lease_token = ? AND status = 'running'"
        ))
        .bind(rules::milliseconds(time_to_live))
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .execute(&self.writer)
        .await?;
        rules::check_lease(lease, renewed.rows_affected())
    }

    async fn release_job(&self, lease: &Lease, reason: Option<WaitReason>) -> Result<()> {
        let released = sqlx::query(concat!(
            "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, attempts = attempts - 1,
                 fruitless_attempts = max(fruitless_attempts - 1, 0), waiting = NULL, waiting_for = ?1,
                 waiting_since = CASE WHEN ?1 IS NOT NULL THEN ",
            now!(),
            " END WHERE id = ?2 AND lease_token = ?3 AND status = 'running'"
        ))
        .bind(reason.map(WaitReason::as_str))
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .execute(&self.writer)
        .await?;
        rules::check_lease(lease, released.rows_affected())?;
        self.queued.notify_waiters();
        Ok(())
    }

    async fn note_waiting(&self, lease: &Lease, wait: Option<Wait<'_>>) -> Result<()> {
        let noted = sqlx::query(concat!(
            "UPDATE jobs SET waiting = ?2, waiting_for = ?1,
                 waiting_since = CASE WHEN waiting_for = ?1 THEN waiting_since WHEN ?1 IS NOT NULL THEN ",
            now!(),
            " END WHERE id = ?3 AND lease_token = ?4 AND status = 'running'"
        ))
        .bind(wait.map(|wait| wait.reason.as_str()))
        .bind(wait.and_then(|wait| wait.message))
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .execute(&self.writer)
        .await?;
        rules::check_lease(lease, noted.rows_affected())
    }

    async fn note_failure(&self, lease: &Lease, reason: &str) -> Result<i64> {
        let failures = sqlx::query_scalar(
            "UPDATE jobs SET failures = CASE WHEN failure = ?1 THEN failures + 1 ELSE 1 END, failure = ?1
             WHERE id = ?2 AND lease_token = ?3 AND status = 'running' RETURNING failures",
        )
        .bind(reason)
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .fetch_optional(&self.writer)
        .await?;
        failures.ok_or(StoreError::LeaseLost(*lease))
    }

    async fn expire_leases_of_other_owners(&self, owner: &str) -> Result<u64> {
        let expired = sqlx::query(
            "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, waiting = NULL,
                 waiting_for = NULL, waiting_since = NULL
             WHERE status = 'running' AND lease_owner <> ?",
        )
        .bind(owner)
        .execute(&self.writer)
        .await?;
        Ok(expired.rows_affected())
    }

    async fn record_start(&self, lease: &Lease, dataset: Option<ArtifactId>) -> Result<JobStart> {
        let mut transaction = self.write().await?;
        let mut row = held_jobs::held(&mut transaction, lease).await?;
        if row.optional_integer("start_step")?.is_none() {
            held_jobs::note_progress(&mut transaction, lease.job_id).await?;
            row = sqlx::query(
                "UPDATE jobs SET
                     start_step = coalesce(newest.step, (SELECT last_step FROM models WHERE id = jobs.model_id)),
                     start_adapter_config = newest.adapter_config, start_adapter_weights = newest.adapter_weights,
                     start_optimizer_state = newest.optimizer_state, start_optimizer_kind = newest.optimizer_kind
                 FROM (SELECT 1) LEFT JOIN (
                     SELECT * FROM checkpoints WHERE model_id = ?2 ORDER BY step DESC LIMIT 1
                 ) AS newest
                 WHERE jobs.id = ?1 RETURNING *",
            )
            .bind(lease.job_id.to_string())
            .bind(row.text("model_id")?)
            .fetch_one(&mut *transaction)
            .await?;
        }
        if let Some(dataset) = dataset {
            row = sqlx::query("UPDATE jobs SET dataset = coalesce(dataset, ?) WHERE id = ? RETURNING *")
                .bind(dataset.to_string())
                .bind(lease.job_id.to_string())
                .fetch_one(&mut *transaction)
                .await?;
        }
        let start = rows::job(&row)?.start;
        transaction.commit().await?;
        rules::recorded_start(start)
    }

    async fn record_trainer(&self, lease: &Lease, trainer: TrainerKind) -> Result<()> {
        let mut transaction = self.write().await?;
        let recorded = rows::trainer(&held_jobs::held(&mut transaction, lease).await?)?;
        if rules::is_trainer_new(recorded, trainer)? {
            sqlx::query("UPDATE jobs SET trainer = ?, weight_format = ? WHERE id = ?")
                .bind(trainer.to_string())
                .bind(trainer.weights().map(|format| format.to_string()))
                .bind(lease.job_id.to_string())
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn record_reference(&self, lease: &Lease, model_id: Uuid, step: Option<i64>) -> Result<ReferenceCheckpoint> {
        let mut transaction = self.write().await?;
        let job = held_jobs::started(&mut transaction, lease).await?;
        if let Some(recorded) = rows::reference(&job)? {
            return Ok(recorded);
        }
        models::owned(&mut transaction, job.text("entity")?, model_id).await?;
        let checkpoint = match step {
            Some(step) => checkpoints::at_step(&mut transaction, model_id, step).await?,
            None => checkpoints::newest(&mut transaction, model_id).await?,
        };
        let checkpoint = checkpoint.ok_or(StoreError::NotFound("checkpoint"))?;
        let (config, weights) = rows::adapter_columns(checkpoint.adapter.as_ref());
        sqlx::query(
            "UPDATE jobs SET reference_model_id = ?, reference_step = ?, reference_adapter_config = ?,
             reference_adapter_weights = ? WHERE id = ?",
        )
        .bind(model_id.to_string())
        .bind(checkpoint.step)
        .bind(config)
        .bind(weights)
        .bind(lease.job_id.to_string())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(checkpoint.into_reference())
    }

    async fn record_reward_deviation(&self, lease: &Lease, deviation: f64) -> Result<Vec<RewardDeviation>> {
        let mut transaction = self.write().await?;
        held_jobs::started(&mut transaction, lease).await?;
        sqlx::query("UPDATE jobs SET reward_deviation = coalesce(reward_deviation, ?) WHERE id = ?")
            .bind(deviation)
            .bind(lease.job_id.to_string())
            .execute(&mut *transaction)
            .await?;
        let recorded = jobs::reward_deviations(&mut transaction, lease.job_id).await?;
        transaction.commit().await?;
        Ok(recorded)
    }

    async fn record_rollouts(&self, lease: &Lease, rollouts: RolloutArtifacts) -> Result<RolloutArtifacts> {
        let recorded = sqlx::query(
            "UPDATE jobs SET rollout_index = coalesce(rollout_index, ?), trained_logprobs = coalesce(trained_logprobs, ?)
             WHERE id = ? AND lease_token = ? AND status = 'running' RETURNING rollout_index, trained_logprobs",
        )
        .bind(rollouts.index.map(|artifact| artifact.to_string()))
        .bind(rollouts.logprobs.map(|artifact| artifact.to_string()))
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .fetch_optional(&self.writer)
        .await?;
        rows::rollouts(&recorded.ok_or(StoreError::LeaseLost(*lease))?)
    }

    async fn append_event(&self, lease: &Lease, sequence: i64, event: NewEvent) -> Result<EventRecord> {
        let mut transaction = self.write().await?;
        held_jobs::held(&mut transaction, lease).await?;
        let record = held_jobs::append(&mut transaction, lease.job_id, sequence, event).await?;
        transaction.commit().await?;
        Ok(record)
    }

    async fn record_step(
        &self,
        lease: &Lease,
        sequence: i64,
        event: NewEvent,
        state: ResumeState,
    ) -> Result<Vec<ArtifactId>> {
        let mut transaction = self.write().await?;
        let before = rows::job(&held_jobs::held(&mut transaction, lease).await?)?.resume;
        held_jobs::append(&mut transaction, lease.job_id, sequence, event).await?;
        let mut replaced = Vec::new();
        if rules::is_state_newer(&state, before.as_ref()) {
            sqlx::query(
                "UPDATE jobs SET resume_step = ?, resume_adapter_config = ?, resume_adapter_weights = ?,
                     resume_optimizer_state = ? WHERE id = ?",
            )
            .bind(state.next_step)
            .bind(state.adapter.config.to_string())
            .bind(state.adapter.weights.to_string())
            .bind(state.optimizer.to_string())
            .bind(lease.job_id.to_string())
            .execute(&mut *transaction)
            .await?;
            replaced.extend(before.iter().flat_map(ResumeState::artifacts));
        }
        let unreferenced = references::unreferenced(&mut transaction, &replaced).await?;
        transaction.commit().await?;
        Ok(unreferenced)
    }

    async fn publish_checkpoint(&self, lease: &Lease, checkpoint: NewCheckpoint) -> Result<CheckpointRecord> {
        let mut transaction = self.write().await?;
        let job = rows::job(&held_jobs::held(&mut transaction, lease).await?)?;
        let record = held_jobs::publish(&mut transaction, &job, Some(&checkpoint)).await?;
        transaction.commit().await?;
        record.ok_or(StoreError::NotFound("checkpoint"))
    }

    async fn finish_job(
        &self,
        lease: &Lease,
        outcome: JobOutcome,
        checkpoint: Option<NewCheckpoint>,
        last_event: Option<NewEvent>,
    ) -> Result<FinishedJob> {
        let (status, failure) = outcome.into_status();
        let mut transaction = self.write().await?;
        let job = rows::job(&held_jobs::held(&mut transaction, lease).await?)?;
        let checkpoint = held_jobs::publish(&mut transaction, &job, checkpoint.as_ref()).await?;
        if let Some(checkpoint) = &checkpoint {
            lineage::retain_artifacts(&mut transaction, &job, checkpoint.step).await?;
        }
        if let Some(event) = last_event {
            job_state::append_last_event(&mut transaction, &job, &event).await?;
        }
        sqlx::query(concat!(
            "UPDATE jobs SET status = ?, error = ?, error_code = ?, ended_at = ",
            job_now!(),
            ", lease_owner = NULL, lease_deadline = NULL WHERE id = ?"
        ))
        .bind(status.as_str())
        .bind(failure.as_ref().map(|failure| failure.message.as_str()))
        .bind(failure.as_ref().map(|failure| failure.code.as_str()))
        .bind(lease.job_id.to_string())
        .execute(&mut *transaction)
        .await?;
        usage::add_training(&mut transaction, lease.job_id).await?;
        let mut released = checkpoints::drop_superseded_optimizers(&mut transaction, job.model_id).await?;
        released.extend(rules::artifacts_of_job(job));
        let unreferenced = references::unreferenced(&mut transaction, &released).await?;
        transaction.commit().await?;
        Ok(FinishedJob { checkpoint, unreferenced })
    }
}
