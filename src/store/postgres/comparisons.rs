//! What a job compares with, recorded at its first start: the reference of its KL penalty, and the rewards of earlier jobs.

use sqlx::PgConnection;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use super::transactions::writing;
use super::{PostgresMetadata, checkpoints, jobs, models, worker};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{Lease, ReferenceCheckpoint, RewardDeviation};
use crate::store::rows::{self, Columns};

pub(super) async fn record_reference(
    store: &PostgresMetadata,
    lease: &Lease,
    model_id: Uuid,
    step: Option<i64>,
) -> Result<ReferenceCheckpoint> {
    writing!(store, |connection| {
        let job = started(connection, lease).await?;
        if let Some(recorded) = rows::reference(&job)? {
            return Ok(recorded);
        }
        // Locked, or its checkpoint may be deleted, and the files collected, before this is committed.
        models::lock_owned(connection, job.text("entity")?, model_id).await?;
        let checkpoint = match step {
            Some(step) => checkpoints::at_step(connection, model_id, step).await?,
            None => checkpoints::newest(connection, model_id).await?,
        };
        let checkpoint = checkpoint.ok_or(StoreError::NotFound("checkpoint"))?;
        let adapter = checkpoint.adapter.as_ref();
        sqlx::query(
            "UPDATE jobs SET reference_model_id = $1, reference_step = $2, reference_adapter_config = $3,
                 reference_adapter_weights = $4 WHERE id = $5",
        )
        .bind(model_id)
        .bind(checkpoint.step)
        .bind(adapter.map(|files| files.config.to_string()))
        .bind(adapter.map(|files| files.weights.to_string()))
        .bind(lease.job_id)
        .execute(connection)
        .await?;
        Ok(ReferenceCheckpoint { model_id, step: checkpoint.step, adapter: checkpoint.adapter })
    })
}

pub(super) async fn record_reward_deviation(
    store: &PostgresMetadata,
    lease: &Lease,
    deviation: f64,
) -> Result<Vec<RewardDeviation>> {
    writing!(store, |connection| {
        started(connection, lease).await?;
        sqlx::query("UPDATE jobs SET reward_deviation = coalesce(reward_deviation, $1) WHERE id = $2")
            .bind(deviation)
            .bind(lease.job_id)
            .execute(&mut *connection)
            .await?;
        recorded(connection, lease.job_id).await
    })
}

pub(super) async fn reward_deviations(
    connection: &mut PgConnection,
    entity: &str,
    job_id: Uuid,
) -> Result<Vec<RewardDeviation>> {
    jobs::owned(connection, entity, job_id).await?;
    recorded(connection, job_id).await
}

/// Jobs of a model run one after the other, so what is read here for a job is always the same.
async fn recorded(connection: &mut PgConnection, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
    let recorded = sqlx::query(
        "SELECT jobs.start_step, jobs.reward_deviation FROM jobs JOIN jobs AS this ON this.model_id = jobs.model_id
         WHERE this.id = $1 AND jobs.reward_deviation IS NOT NULL AND jobs.start_step IS NOT NULL
             AND (jobs.id = this.id OR (jobs.status = 'succeeded' AND jobs.sequence < this.sequence))
         ORDER BY jobs.sequence",
    )
    .bind(job_id)
    .fetch_all(connection)
    .await?;
    recorded.iter().map(rows::reward_deviation).collect()
}

/// The job's row, if the lease still holds and its start is recorded.
async fn started(connection: &mut PgConnection, lease: &Lease) -> Result<PgRow> {
    let row = worker::held(connection, lease).await?;
    if row.optional_integer("start_step")?.is_none() {
        return Err(StoreError::Conflict(format!("the start of job {} is not recorded yet", lease.job_id)));
    }
    Ok(row)
}
