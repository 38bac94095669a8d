//! Jobs and their leases.

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::transactions::{statement, writing};
use super::{PostgresMetadata, checkpoints, columns, files, idempotency, models, now, queue};
use crate::store::lease_watch::LeaseReading;
use crate::store::metadata::{MAX_UNFINISHED_JOBS, Result, StoreError};
use crate::store::records::{
    ClaimedJob, FirstModel, IdempotentResult, JobRecord, Lease, NewJob, QueueDepth, WorkerProfile,
};
use crate::store::rows::{self, Columns};

pub(super) async fn create(store: &PostgresMetadata, job: NewJob) -> Result<JobRecord> {
    create_with(store, None, job).await
}

/// Queues a job, of a new model if there is one to be made.
pub(super) async fn create_with(store: &PostgresMetadata, first: Option<FirstModel>, job: NewJob) -> Result<JobRecord> {
    writing!(store, |connection| {
        if let Some(request) = &job.request
            && let Some(done) = idempotency::find_alone(connection, &job.entity, request).await?
        {
            return owned(connection, &job.entity, done.object_id()).await;
        }
        // Jobs of an entity are queued one after the other: so they are counted right, and become visible in the order
        // of their sequence, which is the order in which the jobs of a model run.
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))")
            .bind(&job.entity)
            .execute(&mut *connection)
            .await?;
        if let Some(FirstModel { model, copy }) = &first {
            models::insert(connection, model).await?.created()?;
            if let Some(copy) = copy {
                checkpoints::make(connection, copy).await?;
            }
        }
        let record = insert(connection, &job).await?;
        if let Some(request) = &job.request {
            idempotency::record(connection, &job.entity, request, IdempotentResult::Job(record.id)).await?;
        }
        queue::announce(connection).await?;
        Ok(record)
    })
}

async fn insert(connection: &mut PgConnection, job: &NewJob) -> Result<JobRecord> {
    let (artifact, file, url) = rows::input_columns(&job.input);
    models::lock_owned(connection, &job.entity, job.model_id).await?;
    for file in file.into_iter().chain(job.validation.map(|file| file.id)) {
        files::keep_owned(connection, &job.entity, file).await?;
    }
    let unfinished: i64 =
        sqlx::query_scalar("SELECT count(*) FROM jobs WHERE entity = $1 AND status IN ('queued', 'running')")
            .bind(&job.entity)
            .fetch_one(&mut *connection)
            .await?;
    if unfinished >= MAX_UNFINISHED_JOBS {
        return Err(StoreError::TooManyJobs { limit: MAX_UNFINISHED_JOBS });
    }
    if let Some((key_id, limit)) = job.key_id.zip(job.most_unfinished) {
        let unfinished: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM jobs WHERE entity = $1 AND status IN ('queued', 'running') AND key_id = $2",
        )
        .bind(&job.entity)
        .bind(key_id)
        .fetch_one(&mut *connection)
        .await?;
        if unfinished.unsigned_abs() >= limit {
            return Err(StoreError::TooManyJobsOfKey { limit });
        }
    }
    let row = sqlx::query(concat!(
        "INSERT INTO jobs (id, entity, model_id, key_id, kind, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, ",
        now!(),
        ") RETURNING ",
        columns::jobs!()
    ))
    .bind(job.id)
    .bind(&job.entity)
    .bind(job.model_id)
    .bind(job.key_id)
    .bind(job.kind.as_str())
    .bind(&job.config)
    .bind(artifact)
    .bind(file)
    .bind(url)
    .bind(job.validation.map(|file| file.id))
    .bind(job.validation.map(|file| file.content.to_string()))
    .bind(job.fine_tuning.as_ref().map(rows::json))
    .fetch_one(connection)
    .await?;
    rows::job(&row)
}

/// The job, if it belongs to the entity.
pub(super) async fn owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<JobRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::jobs!(), " FROM jobs WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// SQL for the jobs that may be claimed as far as other jobs and other workers are concerned, as `candidate`.
macro_rules! free {
    () => {
        concat!(
            "FROM jobs AS candidate JOIN models ON models.id = candidate.model_id WHERE candidate.status IN ('queued', 'running')
             AND (candidate.status = 'queued' OR candidate.lease_deadline <= ",
            now!(),
            ") AND NOT EXISTS (
                 SELECT 1 FROM jobs AS older WHERE older.model_id = candidate.model_id
                 AND older.sequence < candidate.sequence AND older.status IN ('queued', 'running'))"
        )
    };
}

/// SQL for whether the worker can compute the job: $1 are its base models, $2 is its number format.
macro_rules! computable {
    () => {
        "(models.base_model = ANY($1) AND coalesce(candidate.weight_format, $2) = $2)"
    };
}

pub(super) async fn claim_next(
    store: &PostgresMetadata,
    worker: &WorkerProfile,
    time_to_live: Duration,
) -> Result<Option<ClaimedJob>> {
    let weights = worker.weights.to_string();
    // Look first: an idle worker asks often, and looking writes nothing.
    let waiting: bool = statement!(store, |connection| {
        let waiting = sqlx::query_scalar(concat!("SELECT EXISTS (SELECT 1 ", free!(), " AND ", computable!(), ")"));
        Ok(waiting.bind(&worker.base_models).bind(&weights).fetch_one(connection).await?)
    })?;
    if !waiting && !expire_unrenewed(store, time_to_live).await? {
        return Ok(None);
    }
    let claimed: Option<ClaimedJob> = writing!(store, |connection| {
        // A job that another transaction has locked is being claimed, or its worker still writes: not this one.
        let row = sqlx::query(concat!(
            "UPDATE jobs SET status = 'running', lease_owner = $3, lease_token = lease_token + 1, lease_deadline = ",
            now!(),
            " + $4, attempts = attempts + 1, fruitless_attempts = fruitless_attempts + 1, started_at = coalesce(started_at, ",
            now!(),
            ") WHERE sequence = (SELECT candidate.sequence ",
            free!(),
            " AND ",
            computable!(),
            " ORDER BY candidate.sequence LIMIT 1 FOR NO KEY UPDATE OF candidate SKIP LOCKED) RETURNING ",
            columns::jobs!()
        ))
        .bind(&worker.base_models)
        .bind(&weights)
        .bind(&worker.owner)
        .bind(milliseconds(time_to_live))
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let job = rows::job(&row)?;
        let lease = Lease { job_id: job.id, token: row.integer("lease_token")? };
        Ok(Some(ClaimedJob { job, lease }))
    })?;
    if claimed.is_some() {
        // Another worker of this process may find the next one.
        store.queue.wake();
    }
    Ok(claimed)
}

/// Ends the leases that nobody has renewed for as long as one lasts, whatever their deadlines say; whether there were
/// some. An owner that lives after all goes on unless the job is claimed.
async fn expire_unrenewed(store: &PostgresMetadata, time_to_live: Duration) -> Result<bool> {
    let leases = statement!(store, |connection| {
        let running = sqlx::query(
            "SELECT id, lease_token, lease_deadline FROM jobs WHERE status = 'running' AND lease_deadline > 0",
        );
        running.fetch_all(connection).await?.iter().map(rows::lease_reading).collect::<Result<Vec<_>>>()
    })?;
    let mut expired = false;
    for LeaseReading { job_id, token, deadline } in store.leases.unrenewed(leases, time_to_live) {
        expired |= statement!(store, |connection| {
            // An owner that is writing lives.
            let ended = sqlx::query(
                "UPDATE jobs SET lease_deadline = 0 WHERE sequence = (
                     SELECT sequence FROM jobs WHERE id = $1 AND lease_token = $2 AND lease_deadline = $3
                     AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)",
            );
            let ended = ended.bind(job_id).bind(token).bind(deadline).execute(connection).await?;
            Ok(ended.rows_affected() > 0)
        })?;
    }
    Ok(expired)
}

pub(super) async fn count_for_others(store: &PostgresMetadata, worker: &WorkerProfile) -> Result<i64> {
    let weights = worker.weights.to_string();
    statement!(store, |connection| {
        let count = sqlx::query_scalar(concat!("SELECT count(*) ", free!(), " AND NOT ", computable!()));
        Ok(count.bind(&worker.base_models).bind(&weights).fetch_one(connection).await?)
    })
}

pub(super) async fn heartbeat(store: &PostgresMetadata, lease: &Lease, time_to_live: Duration) -> Result<()> {
    statement!(store, |connection| {
        let renewed = sqlx::query(concat!(
            "UPDATE jobs SET lease_deadline = ",
            now!(),
            " + $1 WHERE id = $2 AND lease_token = $3 AND status = 'running'"
        ))
        .bind(milliseconds(time_to_live))
        .bind(lease.job_id)
        .bind(lease.token)
        .execute(connection)
        .await?;
        if renewed.rows_affected() == 0 { Err(StoreError::LeaseLost(*lease)) } else { Ok(()) }
    })
}

pub(super) async fn release(store: &PostgresMetadata, lease: &Lease) -> Result<()> {
    writing!(store, |connection| {
        let released = sqlx::query(
            "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL, attempts = attempts - 1,
                 fruitless_attempts = greatest(fruitless_attempts - 1, 0)
             WHERE id = $1 AND lease_token = $2 AND status = 'running'",
        )
        .bind(lease.job_id)
        .bind(lease.token)
        .execute(&mut *connection)
        .await?;
        if released.rows_affected() == 0 {
            return Err(StoreError::LeaseLost(*lease));
        }
        queue::announce(connection).await
    })
}

pub(super) async fn note_failure(store: &PostgresMetadata, lease: &Lease, reason: &str) -> Result<i64> {
    // The reason may quote data; PostgreSQL has no texts with U+0000.
    let reason = reason.replace('\0', "\u{fffd}");
    writing!(store, |connection| {
        let failures = sqlx::query_scalar(
            "UPDATE jobs SET failures = CASE WHEN failure = $1 THEN failures + 1 ELSE 1 END, failure = $1
             WHERE id = $2 AND lease_token = $3 AND status = 'running' RETURNING failures",
        )
        .bind(&reason)
        .bind(lease.job_id)
        .bind(lease.token)
        .fetch_optional(connection)
        .await?;
        failures.ok_or(StoreError::LeaseLost(*lease))
    })
}

pub(super) async fn expire_leases_of_other_owners(store: &PostgresMetadata, owner: &str) -> Result<u64> {
    writing!(store, |connection| {
        let expired = sqlx::query(
            "UPDATE jobs SET status = 'queued', lease_owner = NULL, lease_deadline = NULL
             WHERE status = 'running' AND lease_owner <> $1",
        )
        .bind(owner)
        .execute(&mut *connection)
        .await?;
        queue::announce(connection).await?;
        Ok(expired.rows_affected())
    })
}

pub(super) async fn queue_depth(store: &PostgresMetadata) -> Result<QueueDepth> {
    statement!(store, |connection| {
        let row = sqlx::query(
            "SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                    count(*) FILTER (WHERE status = 'running') AS running
             FROM jobs WHERE status IN ('queued', 'running')",
        )
        .fetch_one(connection)
        .await?;
        Ok(QueueDepth { queued: row.integer("queued")?, running: row.integer("running")? })
    })
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
