//! Jobs with a held lease, within the transaction of a worker's write.

use uuid::Uuid;

use super::dialect::{self, Connection, Row, locking};
use super::{checkpoints, columns, events};
use crate::metadata::{Result, StoreError};
use crate::records::{CheckpointRecord, EventRecord, JobRecord, Lease, NewCheckpoint, NewEvent, Origin};
use crate::rows::Columns;
use crate::rules;

/// Reads and locks the job's row, if the lease is held. Because of the lock, the lease is held until the commit.
pub(crate) async fn held(connection: &mut Connection, lease: &Lease) -> Result<Row> {
    sqlx::query(columns::select!(
        jobs,
        "id = $1 AND lease_token = $2 AND status = 'running'",
        locking!("FOR NO KEY UPDATE")
    ))
    .bind(dialect::id(lease.job_id))
    .bind(lease.token)
    .fetch_optional(connection)
    .await?
    .ok_or(StoreError::LeaseLost(*lease))
}

/// Reads the job's row as [`held`] does, if its start is recorded.
pub(super) async fn started(connection: &mut Connection, lease: &Lease) -> Result<Row> {
    let row = held(connection, lease).await?;
    rules::check_started(lease.job_id, row.optional_integer("start_step")?)?;
    Ok(row)
}

/// Locks the model's checkpoints against changes by others until the transaction ends; returns the model's last step.
pub(super) async fn lock_model(connection: &mut Connection, model_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(concat!("SELECT last_step FROM models WHERE id = $1", locking!("FOR NO KEY UPDATE")))
        .bind(dialect::id(model_id))
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::NotFound("model"))
}

/// Resets the counts of failures: the job has made progress since.
pub(super) async fn note_progress(connection: &mut Connection, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "UPDATE jobs SET fruitless_attempts = 0, failure = NULL, failures = 0
         WHERE id = $1 AND (fruitless_attempts, failures) <> (0, 0)",
    )
    .bind(dialect::id(job_id))
    .execute(connection)
    .await?;
    Ok(())
}

/// Appends an event unless an earlier attempt did.
pub(super) async fn append(
    connection: &mut Connection,
    job_id: Uuid,
    sequence: i64,
    event: &NewEvent,
) -> Result<EventRecord> {
    if let Some(existing) = events::at(connection, job_id, sequence).await? {
        return rules::repeated_event(existing, event);
    }
    rules::check_sequence(job_id, sequence, events::last_sequence(connection, job_id).await?)?;
    note_progress(connection, job_id).await?;
    events::insert(connection, job_id, sequence, event).await
}

/// Publishes the job's checkpoint unless an earlier attempt did; returns the published checkpoint if it exists.
pub(super) async fn publish(
    connection: &mut Connection,
    job: &JobRecord,
    checkpoint: Option<&NewCheckpoint>,
) -> Result<Option<CheckpointRecord>> {
    if let Some(step) = job.published_step {
        return checkpoints::at_step(connection, job.model_id, step).await;
    }
    let Some(checkpoint) = checkpoint else { return Ok(None) };
    let origin = Origin::Job(job);
    let record = checkpoints::insert(connection, Uuid::now_v7(), job.model_id, checkpoint, &origin).await?;
    sqlx::query("UPDATE jobs SET published_step = $1 WHERE id = $2")
        .bind(record.step)
        .bind(dialect::id(job.id))
        .execute(connection)
        .await?;
    Ok(Some(record))
}
