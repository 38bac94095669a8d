//! What a worker writes for its job. Each write begins with [`held`] in its own transaction.

use sqlx::PgConnection;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use super::transactions::writing;
use super::{PostgresMetadata, checkpoints, columns, events, lineage, now, owned_jobs, queue, references, usage};
use crate::engine::WeightFormat;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    CheckpointRecord, EventRecord, FinishedJob, JobFailure, JobOutcome, JobRecord, JobStart, JobStatus, Lease,
    NewCheckpoint, NewEvent, Origin, ResumeState,
};
use crate::store::rows::{self, Columns};

/// The job's row, if the lease still holds. It is locked, so the lease holds until the commit.
pub(super) async fn held(connection: &mut PgConnection, lease: &Lease) -> Result<PgRow> {
    sqlx::query(concat!(
        "SELECT ",
        columns::jobs!(),
        " FROM jobs WHERE id = $1 AND lease_token = $2 AND status = 'running' FOR NO KEY UPDATE"
    ))
    .bind(lease.job_id)
    .bind(lease.token)
    .fetch_optional(connection)
    .await?
    .ok_or(StoreError::LeaseLost(*lease))
}

/// Keeps others from changing the model's checkpoints until the transaction ends; returns the model's last step.
async fn lock_model(connection: &mut PgConnection, model_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("SELECT last_step FROM models WHERE id = $1 FOR NO KEY UPDATE")
        .bind(model_id)
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::NotFound("model"))
}

pub(super) async fn record_start(
    store: &PostgresMetadata,
    lease: &Lease,
    dataset: Option<ArtifactId>,
) -> Result<JobStart> {
    writing!(store, |connection| {
        let mut row = held(connection, lease).await?;
        if row.optional_integer("start_step")?.is_none() {
            note_progress(connection, lease.job_id).await?;
            let model_id = row.id("model_id")?;
            let last_step = lock_model(connection, model_id).await?;
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
            .bind(lease.job_id)
            .bind(model_id)
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
            .bind(lease.job_id)
            .fetch_one(connection)
            .await?;
        }
        let unrecorded = || StoreError::Corrupt { column: "start_step", reason: "it was not recorded".to_owned() };
        rows::job(&row)?.start.ok_or_else(unrecorded)
    })
}

pub(super) async fn record_weight_format(store: &PostgresMetadata, lease: &Lease, format: WeightFormat) -> Result<()> {
    writing!(store, |connection| {
        match rows::weight_format(&held(connection, lease).await?)? {
            Some(begun) if begun == format => Ok(()),
            Some(begun) => Err(StoreError::Conflict(format!(
                "the job began with weights stored as {begun} and cannot go on with {format}"
            ))),
            None => {
                sqlx::query("UPDATE jobs SET weight_format = $1 WHERE id = $2")
                    .bind(format.to_string())
                    .bind(lease.job_id)
                    .execute(connection)
                    .await?;
                Ok(())
            }
        }
    })
}

/// What failed before is no sign any more that the job cannot be done.
async fn note_progress(connection: &mut PgConnection, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "UPDATE jobs SET fruitless_attempts = 0, failure = NULL, failures = 0
         WHERE id = $1 AND (fruitless_attempts, failures) <> (0, 0)",
    )
    .bind(job_id)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn append_event(
    store: &PostgresMetadata,
    lease: &Lease,
    sequence: i64,
    event: NewEvent,
) -> Result<EventRecord> {
    writing!(store, |connection| {
        held(connection, lease).await?;
        append(connection, lease.job_id, sequence, &event).await
    })
}

/// Appends an event unless it is there.
async fn append(connection: &mut PgConnection, job_id: Uuid, sequence: i64, event: &NewEvent) -> Result<EventRecord> {
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
    store: &PostgresMetadata,
    lease: &Lease,
    sequence: i64,
    event: NewEvent,
    state: ResumeState,
) -> Result<Vec<ArtifactId>> {
    writing!(store, |connection| {
        let before = rows::job(&held(connection, lease).await?)?.resume;
        append(connection, lease.job_id, sequence, &event).await?;
        let mut replaced = Vec::new();
        if before.as_ref().is_none_or(|before| before.next_step < state.next_step) {
            sqlx::query(
                "UPDATE jobs SET resume_step = $1, resume_adapter_config = $2, resume_adapter_weights = $3,
                     resume_optimizer_state = $4 WHERE id = $5",
            )
            .bind(state.next_step)
            .bind(state.adapter.config.to_string())
            .bind(state.adapter.weights.to_string())
            .bind(state.optimizer.to_string())
            .bind(lease.job_id)
            .execute(&mut *connection)
            .await?;
            replaced.extend(before.iter().flat_map(ResumeState::artifacts));
        }
        references::unreferenced(connection, &replaced).await
    })
}

pub(super) async fn publish_checkpoint(
    store: &PostgresMetadata,
    lease: &Lease,
    checkpoint: NewCheckpoint,
) -> Result<CheckpointRecord> {
    writing!(store, |connection| {
        let job = rows::job(&held(connection, lease).await?)?;
        let record = publish(connection, &job, Some(&checkpoint)).await?;
        record.ok_or(StoreError::NotFound("checkpoint"))
    })
}

/// Publishes the job's checkpoint unless that was done before; returns it if it (still) exists.
async fn publish(
    connection: &mut PgConnection,
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
        .bind(job.id)
        .execute(connection)
        .await?;
    Ok(Some(record))
}

pub(super) async fn finish(
    store: &PostgresMetadata,
    lease: &Lease,
    outcome: JobOutcome,
    checkpoint: Option<NewCheckpoint>,
    last_event: Option<NewEvent>,
) -> Result<FinishedJob> {
    let (status, error, code) = match outcome {
        JobOutcome::Succeeded => (JobStatus::Succeeded, None, None),
        // The cause may quote data; PostgreSQL has no texts with U+0000.
        JobOutcome::Failed(JobFailure { code, message }) => {
            (JobStatus::Failed, Some(message.replace('\0', "\u{fffd}")), Some(code.as_str()))
        }
    };
    writing!(store, |connection| {
        let job = rows::job(&held(connection, lease).await?)?;
        lock_model(connection, job.model_id).await?;
        let checkpoint = publish(connection, &job, checkpoint.as_ref()).await?;
        if let Some(checkpoint) = &checkpoint {
            lineage::keep(connection, &job, checkpoint.step).await?;
        }
        if let Some(event) = &last_event {
            owned_jobs::end(connection, &job, event).await?;
        }
        sqlx::query(concat!(
            "UPDATE jobs SET status = $1, error = $2, error_code = $3, ended_at = ",
            now!(),
            ", lease_owner = NULL, lease_deadline = NULL WHERE id = $4"
        ))
        .bind(status.as_str())
        .bind(&error)
        .bind(code)
        .bind(lease.job_id)
        .execute(&mut *connection)
        .await?;
        usage::add_training(connection, lease.job_id).await?;
        let mut released = checkpoints::drop_superseded_optimizers(connection, job.model_id).await?;
        released.extend(rows::artifacts_of_job(job));
        let unreferenced = references::unreferenced(connection, &released).await?;
        // The next job of the model can be claimed now.
        queue::announce(connection).await?;
        Ok(FinishedJob { checkpoint, unreferenced })
    })
}
