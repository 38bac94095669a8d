//! What a job compares with, recorded at its first start: the reference of its KL penalty, and the rewards of earlier jobs.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use uuid::Uuid;

use super::{SqliteMetadata, checkpoints, jobs, models, worker};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{Lease, ReferenceCheckpoint, RewardDeviation};
use crate::store::rows;

pub(super) async fn record_reference(
    store: &SqliteMetadata,
    lease: &Lease,
    model_id: Uuid,
    step: Option<i64>,
) -> Result<ReferenceCheckpoint> {
    let mut transaction = store.write().await?;
    let job = started(&mut transaction, lease).await?;
    if let Some(recorded) = rows::reference(&job)? {
        return Ok(recorded);
    }
    models::owned(&mut transaction, job.try_get("entity")?, model_id).await?;
    let checkpoint = match step {
        Some(step) => checkpoints::at_step(&mut transaction, model_id, step).await?,
        None => checkpoints::newest(&mut transaction, model_id).await?,
    };
    let checkpoint = checkpoint.ok_or(StoreError::NotFound("checkpoint"))?;
    let adapter = checkpoint.adapter.as_ref();
    sqlx::query(
        "UPDATE jobs SET reference_model_id = ?, reference_step = ?, reference_adapter_config = ?,
         reference_adapter_weights = ? WHERE id = ?",
    )
    .bind(model_id.to_string())
    .bind(checkpoint.step)
    .bind(adapter.map(|files| files.config.to_string()))
    .bind(adapter.map(|files| files.weights.to_string()))
    .bind(lease.job_id.to_string())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(ReferenceCheckpoint { model_id, step: checkpoint.step, adapter: checkpoint.adapter })
}

pub(super) async fn record_reward_deviation(
    store: &SqliteMetadata,
    lease: &Lease,
    deviation: f64,
) -> Result<Vec<RewardDeviation>> {
    let mut transaction = store.write().await?;
    started(&mut transaction, lease).await?;
    sqlx::query("UPDATE jobs SET reward_deviation = coalesce(reward_deviation, ?) WHERE id = ?")
        .bind(deviation)
        .bind(lease.job_id.to_string())
        .execute(&mut *transaction)
        .await?;
    let recorded = recorded(&mut transaction, lease.job_id).await?;
    transaction.commit().await?;
    Ok(recorded)
}

pub(super) async fn reward_deviations(
    store: &SqliteMetadata,
    entity: &str,
    job_id: Uuid,
) -> Result<Vec<RewardDeviation>> {
    let mut transaction = store.read().await?;
    jobs::owned(&mut transaction, entity, job_id).await?;
    recorded(&mut transaction, job_id).await
}

/// Jobs of a model run one after the other, so what is read here for a job is always the same.
async fn recorded(connection: &mut SqliteConnection, job_id: Uuid) -> Result<Vec<RewardDeviation>> {
    let recorded = sqlx::query(
        "SELECT jobs.start_step, jobs.reward_deviation FROM jobs JOIN jobs AS this ON this.model_id = jobs.model_id
         WHERE this.id = ? AND jobs.reward_deviation IS NOT NULL AND jobs.start_step IS NOT NULL
             AND (jobs.id = this.id OR (jobs.status = 'succeeded' AND jobs.sequence < this.sequence))
         ORDER BY jobs.sequence",
    )
    .bind(job_id.to_string())
    .fetch_all(connection)
    .await?;
    recorded.iter().map(rows::reward_deviation).collect()
}

/// The job's row, if the lease still holds and its start is recorded.
async fn started(connection: &mut SqliteConnection, lease: &Lease) -> Result<SqliteRow> {
    let row = worker::held(connection, lease).await?;
    if row.try_get::<Option<i64>, _>("start_step")?.is_none() {
        return Err(StoreError::Conflict(format!("the start of job {} is not recorded yet", lease.job_id)));
    }
    Ok(row)
}
