//! Jobs and their leases.

use std::time::Duration;

use sqlx::{Row, SqliteConnection};
use uuid::Uuid;

use super::{SqliteMetadata, checkpoints, files, idempotency, models, now};
use crate::store::lease_watch::LeaseReading;
use crate::store::metadata::{MAX_UNFINISHED_JOBS, Result, StoreError};
use crate::store::records::{
    ClaimedJob, FirstModel, IdempotentResult, JobRecord, Lease, NewJob, QueueDepth, WorkerProfile,
};
use crate::store::rows;

pub(super) async fn create(store: &SqliteMetadata, job: NewJob) -> Result<JobRecord> {
    create_with(store, None, job).await
}

/// Queues a job, of a new model if there is one to be made.
pub(super) async fn create_with(store: &SqliteMetadata, first: Option<FirstModel>, job: NewJob) -> Result<JobRecord> {
    let mut transaction = store.write().await?;
    if let Some(request) = &job.request
        && let Some(done) = idempotency::find(&mut transaction, &job.entity, request).await?
    {
        return owned(&mut transaction, &job.entity, done.object_id()).await;
    }
    if let Some(FirstModel { model, copy }) = first {
        models::insert(&mut transaction, &model).await?.created()?;
        if let Some(copy) = copy {
            checkpoints::make(&mut transaction, copy).await?;
        }
    }
    let record = insert(&mut transaction, &job).await?;
    if let Some(request) = &job.request {
        idempotency::record(&mut transaction, &job.entity, request, IdempotentResult::Job(record.id)).await?;
    }
    transaction.commit().await?;
    store.queued.notify_waiters();
    Ok(record)
}

async fn insert(connection: &mut SqliteConnection, job: &NewJob) -> Result<JobRecord> {
    let (artifact, file, url) = rows::input_columns(&job.input);
    models::owned(connection, &job.entity, job.model_id).await?;
    for file in file.into_iter().chain(job.validation.map(|file| file.id)) {
        files::owned(connection, &job.entity, file).await?;
    }
    // Left to itself, the database would go through every job that the entity has ever had.
    let unfinished: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM jobs INDEXED BY unfinished_jobs_of_entity
         WHERE entity = ? AND status IN ('queued', 'running')",
    )
    .bind(&job.entity)
    .fetch_one(&mut *connection)
    .await?;
    if unfinished >= MAX_UNFINISHED_JOBS {
        return Err(StoreError::TooManyJobs { limit: MAX_UNFINISHED_JOBS });
    }
    if let Some((key_id, limit)) = job.key_id.zip(job.most_unfinished) {
        let unfinished: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM jobs INDEXED BY unfinished_jobs_of_entity
             WHERE entity = ? AND status IN ('queued', 'running') AND key_id = ?",
        )
        .bind(&job.entity)
        .bind(key_id.to_string())
        .fetch_one(&mut *connection)
        .await?;
        if unfinished.unsigned_abs() >= limit {
            return Err(StoreError::TooManyJobsOfKey { limit });
        }
    }
    let row = sqlx::query(concat!(
        "INSERT INTO jobs (id, entity, model_id, key_id, kind, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        ") RETURNING *"
    ))
    .bind(job.id.to_string())
    .bind(&job.entity)
    .bind(job.model_id.to_string())
    .bind(job.key_id.map(|key| key.to_string()))
    .bind(job.kind.as_str())
    .bind(&job.config)
    .bind(artifact)
    .bind(file.map(|file| file.to_string()))
    .bind(url)
    .bind(job.validation.map(|file| file.id.to_string()))
    .bind(job.validation.map(|file| file.content.to_string()))
    .bind(job.fine_tuning.as_ref().map(rows::json))
    .fetch_one(connection)
    .await?;
    rows::job(&row)
}

/// The job, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<JobRecord> {
    let row = sqlx::query("SELECT * FROM jobs WHERE id = ? AND entity = ?")
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// SQL for the jobs that may be claimed as far as other jobs and other workers are concerned, as `candidate`.
macro_rules! free {
    () => {
        concat!(
            "FROM jobs AS candidate JOIN models ON models.id = candidate.model_id
             WHERE candidate.status IN ('queued', 'running')
             AND (candidate.status = 'queued' OR candidate.lease_deadline <= ",
            now!(),
            ") AND NOT EXISTS (
                 SELECT 1 FROM jobs AS older WHERE older.model_id = candidate.model_id
                 AND older.sequence < candidate.sequence AND older.status IN ('queued', 'running'))"
        )
    };
}

/// SQL for whether the worker can compute the job: ?1 is the list of its base models, ?2 its number format.
macro_rules! computable {
    () => {
        "(models.base_model IN (SELECT value FROM json_each(?1)) AND coalesce(candidate.weight_format, ?2) = ?2)"
    };
}

pub(super) async fn claim_next(
    store: &SqliteMetadata,
    worker: &WorkerProfile,
    time_to_live: Duration,
) -> Result<Option<ClaimedJob>> {
    let base_models = rows::json(&worker.base_models);
    // Look first: an idle worker asks often, and looking takes no write lock.
    let waiting: bool = sqlx::query_scalar(concat!("SELECT EXISTS (SELECT 1 ", free!(), " AND ", computable!(), ")"))
        .bind(&base_models)
        .bind(worker.weights.to_string())
        .fetch_one(&store.readers)
        .await?;
    if !waiting && !expire_unrenewed(store, time_to_live).await? {
        return Ok(None);
    }
    let mut transaction = store.write().await?;
    let claimed = sqlx::query(concat!(
        "UPDATE jobs SET status = 'running', lease_owner = ?3, lease_token = lease_token + 1, lease_deadline = ",
        now!(),
        " + ?4, attempts = attempts + 1, fruitless_attempts = fruitless_attempts + 1, started_at = coalesce(started_at, ",
        now!(),
        ") WHERE sequence = (SELECT candidate.sequence ",
        free!(),
        " AND ",
        computable!(),
        " ORDER BY candidate.sequence LIMIT 1) RETURNING *"
    ))
    .bind(base_models)
    .bind(worker.weights.to_string())
    .bind(&worker.owner)
    .bind(milliseconds(time_to_live))
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(row) = claimed else { return Ok(None) };
    let job = rows::job(&row)?;
    let lease = Lease { job_id: job.id, token: row.try_get("lease_token")? };
    transaction.commit().await?;
    Ok(Some(ClaimedJob { job, lease }))
}

/// Ends the leases that nobody has renewed for as long as one lasts, whatever their deadlines say; whether there were
/// some. An owner that lives after all goes on unless the job is claimed.
async fn expire_unrenewed(store: &SqliteMetadata, time_to_live: Duration) -> Result<bool> {
    let rows =
        sqlx::query("SELECT id, lease_token, lease_deadline FROM jobs WHERE status = 'running' AND lease_deadline > 0")
            .fetch_all(&store.readers)
            .await?;
    let mut expired = false;
    for LeaseReading { job_id, token, deadline } in
        store.leases.unrenewed(rows.iter().map(rows::lease_reading).collect::<Result<_>>()?, time_to_live)
    {
        let ended = sqlx::query(
            "UPDATE jobs SET lease_deadline = 0
             WHERE id = ? AND lease_token = ? AND lease_deadline = ? AND status = 'running'",
        )
        .bind(job_id.to_string())
        .bind(token)
        .bind(deadline)
        .execute(&store.writer)
        .await?;
        expired |= ended.rows_affected() > 0;
    }
    Ok(expired)
}

pub(super) async fn count_for_others(store: &SqliteMetadata, worker: &WorkerProfile) -> Result<i64> {
    let count = sqlx::query_scalar(concat!("SELECT count(*) ", free!(), " AND NOT ", computable!()))
        .bind(rows::json(&worker.base_models))
        .bind(worker.weights.to_string())
        .fetch_one(&store.readers)
        .await?;
    Ok(count)
}

pub(super) async fn heartbeat(store: &SqliteMetadata, lease: &Lease, time_to_live: Duration) -> Result<()> {
    let renewed = sqlx::query(concat!(
        "UPDATE jobs SET lease_deadline = ",
        now!(),
        " + ? WHERE id = ? AND lease_token = ? AND status = 'running'"
    ))
    .bind(milliseconds(time_to_live))
    .bind(lease.job_id.to_string())
    .bind(lease.token)
    .execute(&store.writer)
    .await?;
    if renewed.rows_affected() == 0 { Err(StoreError::LeaseLost(*lease)) } else { Ok(()) }
}

pub(super) async fn release(store: &SqliteMetadata, lease: &Lease) -> Result<()> {
    let released = sqlx::query(
        "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, attempts = attempts - 1,
             fruitless_attempts = max(fruitless_attempts - 1, 0)
         WHERE id = ? AND lease_token = ? AND status = 'running'",
    )
    .bind(lease.job_id.to_string())
    .bind(lease.token)
    .execute(&store.writer)
    .await?;
    if released.rows_affected() == 0 {
        return Err(StoreError::LeaseLost(*lease));
    }
    store.queued.notify_waiters();
    Ok(())
}

pub(super) async fn note_failure(store: &SqliteMetadata, lease: &Lease, reason: &str) -> Result<i64> {
    let failures = sqlx::query_scalar(
        "UPDATE jobs SET failures = CASE WHEN failure = ?1 THEN failures + 1 ELSE 1 END, failure = ?1
         WHERE id = ?2 AND lease_token = ?3 AND status = 'running' RETURNING failures",
    )
    .bind(reason)
    .bind(lease.job_id.to_string())
    .bind(lease.token)
    .fetch_optional(&store.writer)
    .await?;
    failures.ok_or(StoreError::LeaseLost(*lease))
}

pub(super) async fn expire_leases_of_other_owners(store: &SqliteMetadata, owner: &str) -> Result<u64> {
    let expired = sqlx::query(
        "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL
         WHERE status = 'running' AND lease_owner <> ?",
    )
    .bind(owner)
    .execute(&store.writer)
    .await?;
    Ok(expired.rows_affected())
}

pub(super) async fn queue_depth(store: &SqliteMetadata) -> Result<QueueDepth> {
    let row = sqlx::query(
        "SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                count(*) FILTER (WHERE status = 'running') AS running
         FROM jobs WHERE status IN ('queued', 'running')",
    )
    .fetch_one(&store.readers)
    .await?;
    Ok(QueueDepth { queued: row.try_get("queued")?, running: row.try_get("running")? })
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
