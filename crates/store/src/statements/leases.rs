//! [`Leases`].

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Store, greatest, idempotent, lock, locking, now, queueing, reading, writing};
use super::fetch::Fetch;
use super::sql::job_now;
use super::{checkpoints, claims, columns, held_jobs, job_state, jobs, lineage, models, references, usage};
use crate::artifacts::ArtifactId;
use crate::metadata::{Leases, Result, StoreError};
use crate::records::{
    CheckpointRecord, ClaimedJob, EventRecord, FinishedJob, JobOutcome, JobStart, Lease, NewCheckpoint, NewEvent,
    ReferenceCheckpoint, ResumeState, RewardDeviation, RolloutArtifacts, TrainerKind, Wait, WaitReason, WorkerProfile,
    trainers_json,
};
use crate::rows::{self, Columns};
use crate::rules;

#[async_trait]
impl Leases for Store {
    async fn claim_next(&self, worker: &WorkerProfile, time_to_live: Duration) -> Result<Option<ClaimedJob>> {
        let trainers = trainers_json(&worker.trainers);
        // Reads first: an idle worker claims often, and a read neither writes nor takes SQLite's write lock.
        let waiting: bool = reading!(self, |connection| {
            let waiting = sqlx::query_scalar(concat!(
                "SELECT EXISTS (SELECT 1 ",
                claims::available!(),
                " AND ",
                claims::computable!(),
                claims::included!(),
                ")"
            ))
            .bind(&trainers)
            .bind(dialect::list(&worker.excluded_entities))
            .bind(dialect::list(&worker.excluded_sources));
            Ok(waiting.fetch_one(connection).await?)
        })?;
        if !waiting && !claims::expire_unrenewed(self, time_to_live).await? {
            return Ok(None);
        }
        let claimed: Option<ClaimedJob> = writing!(self, |connection| {
            // Claims are serialized: each sees the numbers of those before it.
            lock!(connection, "SELECT pg_advisory_xact_lock(hashtextextended('claims', 5))");
            // A locked job is being claimed by another worker, or its own worker still writes: it is skipped.
            let row = sqlx::query(concat!(
                "UPDATE jobs SET status = 'running', lease_owner = $4, lease_token = lease_token + 1,
                 lease_deadline = ",
                now!(),
                " + $5, attempts = attempts + 1, fruitless_attempts = fruitless_attempts + 1,
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
                "LIMIT 1",
                locking!("FOR NO KEY UPDATE OF candidate SKIP LOCKED"),
                ") RETURNING claim_number, ",
                columns::jobs!()
            ))
            .bind(&trainers)
            .bind(dialect::list(&worker.excluded_entities))
            .bind(dialect::list(&worker.excluded_sources))
            .bind(&worker.owner)
            .bind(rules::milliseconds(time_to_live))
            .fetch_optional(&mut *connection)
            .await?;
            let Some(row) = row else { return Ok(None) };
            let claimed = rows::claimed_job(&row)?;
            sqlx::query(
                "INSERT INTO entity_claims (entity, claim_number) VALUES ($1, $2)
                 ON CONFLICT (entity) DO UPDATE SET claim_number = excluded.claim_number",
            )
            .bind(&claimed.job.entity)
            .bind(row.integer("claim_number")?)
            .execute(connection)
            .await?;
            Ok(Some(claimed))
        })?;
        if claimed.is_some() {
            self.wake_another_worker();
        }
        Ok(claimed)
    }

    async fn wait_for_job(&self, timeout: Duration) -> Result<()> {
        self.wait_for_notification(timeout).await
    }

    async fn count_jobs_for_others(&self, worker: &WorkerProfile) -> Result<i64> {
        let trainers = trainers_json(&worker.trainers);
        reading!(self, |connection| {
            let count = sqlx::query_scalar(concat!(
                "SELECT count(*) ",
                claims::available!(),
                " AND NOT ",
                claims::computable!()
            ));
            Ok(count.bind(&trainers).fetch_one(connection).await?)
        })
    }

    async fn heartbeat(&self, lease: &Lease, time_to_live: Duration) -> Result<()> {
        idempotent!(self, |connection| {
            let renewed = sqlx::query(concat!(
                "UPDATE jobs SET lease_deadline = ",
                now!(),
                " + $1 WHERE id = $2 AND lease_token = $3 AND status = 'running'"
            ))
            .bind(rules::milliseconds(time_to_live))
            .bind(dialect::id(lease.job_id))
            .bind(lease.token)
            .execute(connection)
            .await?;
            rules::check_lease(lease, renewed.rows_affected())
        })
    }

    async fn release_job(&self, lease: &Lease, reason: Option<WaitReason>) -> Result<()> {
        queueing!(self, |connection| {
            let released = sqlx::query(concat!(
                "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, attempts = attempts - 1,
                     fruitless_attempts = ",
                greatest!("fruitless_attempts - 1", "0"),
                ", waiting = NULL, waiting_for = $1, waiting_since = CASE WHEN $1 IS NOT NULL THEN ",
                now!(),
                " END WHERE id = $2 AND lease_token = $3 AND status = 'running'"
            ))
            .bind(reason.map(WaitReason::as_str))
            .bind(dialect::id(lease.job_id))
            .bind(lease.token)
            .execute(connection)
            .await?;
            rules::check_lease(lease, released.rows_affected())
        })
    }

    async fn note_waiting(&self, lease: &Lease, wait: Option<Wait<'_>>) -> Result<()> {
        let message = wait.and_then(|wait| wait.message).map(dialect::storable);
        idempotent!(self, |connection| {
            let noted = sqlx::query(concat!(
                "UPDATE jobs SET waiting = $2, waiting_for = $1,
                     waiting_since = CASE WHEN waiting_for = $1 THEN waiting_since WHEN $1 IS NOT NULL THEN ",
                now!(),
                " END WHERE id = $3 AND lease_token = $4 AND status = 'running'"
            ))
            .bind(wait.map(|wait| wait.reason.as_str()))
            .bind(message.as_deref())
            .bind(dialect::id(lease.job_id))
            .bind(lease.token)
            .execute(connection)
            .await?;
            rules::check_lease(lease, noted.rows_affected())
        })
    }

    async fn note_failure(&self, lease: &Lease, reason: &str) -> Result<i64> {
        let reason = dialect::storable(reason);
        writing!(self, |connection| {
            let failures = sqlx::query_scalar(
                "UPDATE jobs SET failures = CASE WHEN failure = $1 THEN failures + 1 ELSE 1 END, failure = $1
                 WHERE id = $2 AND lease_token = $3 AND status = 'running' RETURNING failures",
            )
            .bind(&*reason)
            .bind(dialect::id(lease.job_id))
            .bind(lease.token)
            .fetch_optional(connection)
            .await?;
            failures.ok_or(StoreError::LeaseLost(*lease))
        })
    }

    async fn expire_leases_of_other_owners(&self, owner: &str) -> Result<u64> {
        queueing!(self, |connection| {
            let expired = sqlx::query(
                "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, waiting = NULL,
                     waiting_for = NULL, waiting_since = NULL
                 WHERE status = 'running' AND lease_owner <> $1",
            );
            let expired = expired.bind(owner).execute(&mut *connection).await?.rows_affected();
            let batches =
                sqlx::query("UPDATE batches SET lease_deadline = 0 WHERE lease_owner <> $1 AND ended_at IS NULL");
            batches.bind(owner).execute(connection).await?;
            Ok(expired)
        })
    }

    async fn record_start(&self, lease: &Lease, dataset: Option<ArtifactId>) -> Result<JobStart> {
        writing!(self, |connection| {
            let mut row = held_jobs::held(connection, lease).await?;
            if row.optional_integer("start_step")?.is_none() {
                held_jobs::note_progress(connection, lease.job_id).await?;
                let model_id = row.id("model_id")?;
                let last_step = held_jobs::lock_model(connection, model_id).await?;
                row = sqlx::query(concat!(
                    "UPDATE jobs SET start_step = coalesce(newest.step, $3),
                         start_adapter_config = newest.adapter_config, start_adapter_weights = newest.adapter_weights,
                         start_optimizer_state = newest.optimizer_state, start_optimizer_kind = newest.optimizer_kind
                     FROM (SELECT 1) AS always LEFT JOIN (
                         SELECT step, adapter_config, adapter_weights, optimizer_state, optimizer_kind
                         FROM checkpoints WHERE model_id = $2 ORDER BY step DESC LIMIT 1
                     ) AS newest ON true
                     WHERE jobs.id = $1 RETURNING ",
                    columns::jobs!()
                ))
                .bind(dialect::id(lease.job_id))
                .bind(dialect::id(model_id))
                .bind(last_step)
                .fetch_one(&mut *connection)
                .await?;
            }
            if let Some(dataset) = dataset {
                row = sqlx::query(concat!(
                    "UPDATE jobs SET dataset = coalesce(dataset, $1) WHERE id = $2 RETURNING ",
                    columns::jobs!()
                ))
                .bind(dataset.to_string())
                .bind(dialect::id(lease.job_id))
                .fetch_one(connection)
                .await?;
            }
            rules::recorded_start(rows::job(&row)?.start)
        })
    }

    async fn record_trainer(&self, lease: &Lease, trainer: TrainerKind) -> Result<()> {
        writing!(self, |connection| {
            let recorded = rows::trainer(&held_jobs::held(connection, lease).await?)?;
            if rules::is_trainer_new(recorded, trainer)? {
                sqlx::query("UPDATE jobs SET trainer = $1, weight_format = $2 WHERE id = $3")
                    .bind(trainer.stored())
                    .bind(trainer.weights().map(|format| format.to_string()))
                    .bind(dialect::id(lease.job_id))
                    .execute(connection)
                    .await?;
            }
            Ok(())
        })
    }

    async fn record_reference(&self, lease: &Lease, model_id: Uuid, step: Option<i64>) -> Result<ReferenceCheckpoint> {
        writing!(self, |connection| {
            let job = held_jobs::started(connection, lease).await?;
            if let Some(recorded) = rows::reference(&job)? {
                return Ok(recorded);
            }
            // Locked: otherwise the checkpoint could be deleted, and its artifacts collected, before the commit.
            models::lock_owned(connection, job.text("entity")?, model_id).await?;
            let checkpoint = match step {
                Some(step) => checkpoints::at_step(connection, model_id, step).await?,
                None => checkpoints::newest(connection, model_id).await?,
            };
            let checkpoint = checkpoint.ok_or(StoreError::NotFound("checkpoint"))?;
            let (config, weights) = rows::adapter_columns(checkpoint.adapter.as_ref());
            sqlx::query(
                "UPDATE jobs SET reference_model_id = $1, reference_step = $2, reference_adapter_config = $3,
                     reference_adapter_weights = $4 WHERE id = $5",
            )
            .bind(dialect::id(model_id))
            .bind(checkpoint.step)
            .bind(config)
            .bind(weights)
            .bind(dialect::id(lease.job_id))
            .execute(connection)
            .await?;
            Ok(checkpoint.into_reference())
        })
    }

    async fn record_reward_deviation(&self, lease: &Lease, deviation: f64) -> Result<Vec<RewardDeviation>> {
        writing!(self, |connection| {
            held_jobs::started(connection, lease).await?;
            sqlx::query("UPDATE jobs SET reward_deviation = coalesce(reward_deviation, $1) WHERE id = $2")
                .bind(deviation)
                .bind(dialect::id(lease.job_id))
                .execute(&mut *connection)
                .await?;
            jobs::reward_deviations(connection, lease.job_id).await
        })
    }

    async fn record_rollouts(&self, lease: &Lease, rollouts: RolloutArtifacts) -> Result<RolloutArtifacts> {
        writing!(self, |connection| {
            let recorded = sqlx::query(
                "UPDATE jobs SET rollout_index = coalesce(rollout_index, $1), trained_logprobs = coalesce(trained_logprobs, $2)
                 WHERE id = $3 AND lease_token = $4 AND status = 'running' RETURNING rollout_index, trained_logprobs",
            )
            .bind(rollouts.index.map(|artifact| artifact.to_string()))
            .bind(rollouts.logprobs.map(|artifact| artifact.to_string()))
            .bind(dialect::id(lease.job_id))
            .bind(lease.token)
            .optional(connection, rows::rollouts)
            .await?;
            recorded.ok_or(StoreError::LeaseLost(*lease))
        })
    }

    async fn append_event(&self, lease: &Lease, sequence: i64, event: NewEvent) -> Result<EventRecord> {
        writing!(self, |connection| {
            held_jobs::held(connection, lease).await?;
            held_jobs::append(connection, lease.job_id, sequence, &event).await
        })
    }

    async fn record_step(
        &self,
        lease: &Lease,
        sequence: i64,
        event: NewEvent,
        state: ResumeState,
    ) -> Result<Vec<ArtifactId>> {
        writing!(self, |connection| {
            let before = rows::job(&held_jobs::held(connection, lease).await?)?.resume;
            held_jobs::append(connection, lease.job_id, sequence, &event).await?;
            let mut replaced = Vec::new();
            if rules::is_state_newer(&state, before.as_ref()) {
                sqlx::query(
                    "UPDATE jobs SET resume_step = $1, resume_adapter_config = $2, resume_adapter_weights = $3,
                         resume_optimizer_state = $4 WHERE id = $5",
                )
                .bind(state.next_step)
                .bind(state.adapter.config.to_string())
                .bind(state.adapter.weights.to_string())
                .bind(state.optimizer.to_string())
                .bind(dialect::id(lease.job_id))
                .execute(&mut *connection)
                .await?;
                replaced.extend(before.iter().flat_map(ResumeState::artifacts));
            }
            references::unreferenced(connection, &replaced).await
        })
    }

    async fn publish_checkpoint(&self, lease: &Lease, checkpoint: NewCheckpoint) -> Result<CheckpointRecord> {
        writing!(self, |connection| {
            let job = rows::job(&held_jobs::held(connection, lease).await?)?;
            let record = held_jobs::publish(connection, &job, Some(&checkpoint)).await?;
            record.ok_or(StoreError::NotFound("checkpoint"))
        })
    }

    async fn finish_job(
        &self,
        lease: &Lease,
        outcome: JobOutcome,
        checkpoint: Option<NewCheckpoint>,
        last_event: Option<NewEvent>,
    ) -> Result<FinishedJob> {
        let (status, failure) = outcome.into_status();
        let message = failure.as_ref().map(|failure| dialect::storable(&failure.message));
        // The next job of the model is claimable afterwards.
        queueing!(self, |connection| {
            let job = rows::job(&held_jobs::held(connection, lease).await?)?;
            held_jobs::lock_model(connection, job.model_id).await?;
            let checkpoint = held_jobs::publish(connection, &job, checkpoint.as_ref()).await?;
            if let Some(checkpoint) = &checkpoint {
                lineage::retain_artifacts(connection, &job, checkpoint.step).await?;
            }
            if let Some(event) = &last_event {
                job_state::append_last_event(connection, &job, event).await?;
            }
            sqlx::query(concat!(
                "UPDATE jobs SET status = $1, error = $2, error_code = $3, ended_at = ",
                job_now!(),
                ", lease_owner = NULL, lease_deadline = NULL WHERE id = $4"
            ))
            .bind(status.as_str())
            .bind(message.as_deref())
            .bind(failure.as_ref().map(|failure| failure.code.as_str()))
            .bind(dialect::id(lease.job_id))
            .execute(&mut *connection)
            .await?;
            usage::add_training(connection, lease.job_id).await?;
            let mut released = checkpoints::drop_superseded_optimizers(connection, job.model_id).await?;
            released.extend(rules::artifacts_of_job(job));
            let unreferenced = references::unreferenced(connection, &released).await?;
            Ok(FinishedJob { checkpoint, unreferenced })
        })
    }
}
