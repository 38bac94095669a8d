//! What a worker writes for its job. Each write begins with [`held`] in its own transaction.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;
use uuid::Uuid;

use super::{SqliteMetadata, checkpoints, events, lineage, now, owned_jobs, references, usage};
use crate::engine::WeightFormat;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    CheckpointRecord, EventRecord, FinishedJob, JobOutcome, JobRecord, JobStart, JobStatus, Lease, NewCheckpoint,
    NewEvent, Origin, ResumeState,
};
use crate::store::rows::{self, Columns};

/// The job's row, if the lease still holds. The transaction has the write lock, so it holds until the commit.
pub(super) async fn held(connection: &mut SqliteConnection, lease: &Lease) -> Result<SqliteRow> {
    sqlx::query("SELECT * FROM jobs WHERE id = ? AND lease_token = ? AND status = 'running'")
        .bind(lease.job_id.to_string())
        .bind(lease.token)
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::LeaseLost(*lease))
}

pub(super) async fn record_start(
    store: &SqliteMetadata,
    lease: &Lease,
    dataset: Option<ArtifactId>,
) -> Result<JobStart> {
    let mut transaction = store.write().await?;
    let mut row = held(&mut transaction, lease).await?;
    if row.optional_integer("start_step")?.is_none() {
        note_progress(&mut transaction, lease.job_id).await?;
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
    start.ok_or(StoreError::Corrupt { column: "start_step", reason: "it was not recorded".to_owned() })
}

pub(super) async fn record_weight_format(store: &SqliteMetadata, lease: &Lease, format: WeightFormat) -> Result<()> {
    let mut transaction = store.write().await?;
    match rows::weight_format(&held(&mut transaction, lease).await?)? {
        Some(begun) if begun == format => Ok(()),
        Some(begun) => Err(StoreError::Conflict(format!(
            "the job began with weights stored as {begun} and cannot go on with {format}"
        ))),
        None => {
            sqlx::query("UPDATE jobs SET weight_format = ? WHERE id = ?")
                .bind(format.to_string())
                .bind(lease.job_id.to_string())
                .execute(&mut *transaction)
                .await?;
            Ok(transaction.commit().await?)
        }
    }
}

/// What failed before is no sign any more that the job cannot be done.
async fn note_progress(connection: &mut SqliteConnection, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "UPDATE jobs SET fruitless_attempts = 0, failure = NULL, failures = 0
         WHERE id = ? AND (fruitless_attempts, failures) <> (0, 0)",
    )
    .bind(job_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn append_event(
    store: &SqliteMetadata,
    lease: &Lease,
    sequence: i64,
    event: NewEvent,
) -> Result<EventRecord> {
    let mut transaction = store.write().await?;
    held(&mut transaction, lease).await?;
    let record = append(&mut transaction, lease.job_id, sequence, event).await?;
    transaction.commit().await?;
    Ok(record)
}

/// Appends an event unless it is there.
async fn append(
    connection: &mut SqliteConnection,
    job_id: Uuid,
    sequence: i64,
    event: NewEvent,
) -> Result<EventRecord> {
    if let Some(existing) = events::at(connection, job_id, sequence).await? {
        if existing.kind == event.kind {
            return Ok(existing);
        }
        return Err(StoreError::Conflict(format!(
            "event {sequence} of job {job_id} is {:?} already, not {:?}",
            existing.kind, event.kind
        )));
    }
    let last = events::last_sequence(connection, job_id).await?;
    if sequence != last + 1 {
        return Err(StoreError::Conflict(format!(
            "event {sequence} of job {job_id} would leave a gap after event {last}"
        )));
    }
    note_progress(connection, job_id).await?;
    events::insert(connection, job_id, sequence, event).await
}

pub(super) async fn record_step(
    store: &SqliteMetadata,
    lease: &Lease,
    sequence: i64,
    event: NewEvent,
    state: ResumeState,
) -> Result<Vec<ArtifactId>> {
    let mut transaction = store.write().await?;
    let before = rows::job(&held(&mut transaction, lease).await?)?.resume;
    append(&mut transaction, lease.job_id, sequence, event).await?;
    let mut replaced = Vec::new();
    if before.as_ref().is_none_or(|before| before.next_step < state.next_step) {
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

pub(super) async fn publish_checkpoint(
    store: &SqliteMetadata,
    lease: &Lease,
    checkpoint: NewCheckpoint,
) -> Result<CheckpointRecord> {
    let mut transaction = store.write().await?;
    let job = rows::job(&held(&mut transaction, lease).await?)?;
    let record = publish(&mut transaction, &job, Some(&checkpoint)).await?;
    transaction.commit().await?;
    record.ok_or(StoreError::NotFound("checkpoint"))
}

/// Publishes the job's checkpoint unless that was done before; returns it if it (still) exists.
async fn publish(
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

pub(super) async fn finish(
    store: &SqliteMetadata,
    lease: &Lease,
    outcome: JobOutcome,
    checkpoint: Option<NewCheckpoint>,
    last_event: Option<NewEvent>,
) -> Result<FinishedJob> {
    let (status, failure) = match outcome {
        JobOutcome::Succeeded => (JobStatus::Succeeded, None),
        JobOutcome::Failed(failure) => (JobStatus::Failed, Some(failure)),
    };
    let mut transaction = store.write().await?;
    let job = rows::job(&held(&mut transaction, lease).await?)?;
    let checkpoint = publish(&mut transaction, &job, checkpoint.as_ref()).await?;
    if let Some(checkpoint) = &checkpoint {
        lineage::keep(&mut transaction, &job, checkpoint.step).await?;
    }
    if let Some(event) = last_event {
        owned_jobs::end(&mut transaction, &job, &event).await?;
    }
    sqlx::query(concat!(
        "UPDATE jobs SET status = ?, error = ?, error_code = ?, ended_at = ",
        now!(),
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
    released.extend(rows::artifacts_of_job(job));
    let unreferenced = references::unreferenced(&mut transaction, &released).await?;
    transaction.commit().await?;
    Ok(FinishedJob { checkpoint, unreferenced })
}
