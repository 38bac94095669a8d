//! Jobs with a held lease, within the transaction of a worker's write.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::{checkpoints, events};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{CheckpointRecord, EventRecord, JobRecord, Lease, NewCheckpoint, NewEvent, Origin};
use crate::store::rows::Columns;
use crate::store::rules;

/// Reads the job's row, if the lease is held. The transaction has the write lock, so the lease is held until the
/// commit.
pub(super) async fn held(connection: &mut SqliteConnection, lease: &Lease) -> Result<SqliteRow> {
    sqlx::query("SELECT * FROM jobs WHERE id = ? AND lease_token = ? AND status = 'running'")
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::LeaseLost(*lease))
}

/// Reads the job's row as [`held`] does, if its start is recorded.
pub(super) async fn started(connection: &mut SqliteConnection, lease: &Lease) -> Result<SqliteRow> {
    let row = held(connection, lease).await?;
    rules::check_started(lease.job_id, row.optional_integer("start_step")?)?;
    Ok(row)
}

/// Resets the counts of failures: the job has made progress since.
pub(super) async fn note_progress(connection: &mut SqliteConnection, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "UPDATE jobs SET fruitless_attempts = 0, failure = NULL, failures = 0
         WHERE id = ? AND (fruitless_attempts, failures) <> (0, 0)",
    )
    .bind(job_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Appends an event unless an earlier attempt did.
pub(super) async fn append(
    connection: &mut SqliteConnection,
    job_id: Uuid,
    sequence: i64,
    event: NewEvent,
) -> Result<EventRecord> {
    if let Some(existing) = events::at(connection, job_id, sequence).await? {
        return rules::repeated_event(existing, &event);
    }
    rules::check_sequence(job_id, sequence, events::last_sequence(connection, job_id).await?)?;
    note_progress(connection, job_id).await?;
    events::insert(connection, job_id, sequence, event).await
}

/// Publishes the job's checkpoint unless an earlier attempt did; returns the published checkpoint if it exists.
pub(super) async fn publish(
    connection: &mut SqliteConnection,
    job: &JobRecord,
    checkpoint: Option<&NewCheckpoint>,
) -> Result<Option<CheckpointRecord>> {
    if let Some(step) = job.published_step {
        return checkpoints::at_step(connection, job.model_id, step).await;
    }
    let Some(checkpoint) = checkpoint else { return Ok(None) };
    let origin = Origin::Job(job);
    let record = checkpoints::insert(connection, Uuid::now_v7(), job.model_id, checkpoint, &origin).await?;
    sqlx::query("UPDATE jobs SET published_step = ? WHERE id = ?")
        .bind(record.step)
        .bind(job.id.to_string())
        .execute(connection)
        .await?;
    Ok(Some(record))
}
