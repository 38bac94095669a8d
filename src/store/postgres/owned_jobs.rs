//! Jobs as their owner sees and steers them.

use sqlx::PgConnection;
use uuid::Uuid;

use super::transactions::{reading, writing};
use super::{PostgresMetadata, columns, events, jobs, now, paging, queue, references, usage};
use crate::store::metadata::{Result, StoreError};
use crate::store::paging::page;
use crate::store::records::{
    CancelledJob, JobErrorCode, JobFilter, JobRecord, JobState, JobStatus, NewEvent, Order, Page, PageRequest,
};
use crate::store::rows;

/// SQL for the tokens that a job, as `jobs`, was trained on.
macro_rules! trained_tokens {
    () => {
        "(SELECT coalesce(sum(coalesce(data::jsonb ->> 'row/num_trained_tokens',
                 data::jsonb ->> 'num_trainable_tokens', '0')::double precision), 0)::bigint
             FROM events WHERE job_id = jobs.id AND kind = 'gradient_step')"
    };
}
pub(super) use trained_tokens;

/// SQL for jobs and how far they are, each as `jobs`.
macro_rules! states {
    () => {
        concat!(
            "SELECT ",
            columns::jobs!(),
            ",
             (SELECT count(*) FROM events WHERE job_id = jobs.id AND kind = 'gradient_step') AS steps,
             ",
            trained_tokens!(),
            " AS trained_tokens,
             (SELECT data FROM events WHERE job_id = jobs.id AND sequence = 1 AND kind = 'training_started')
                 AS announcement,
             (SELECT data FROM events WHERE job_id = jobs.id AND kind = 'training_ended' LIMIT 1) AS ending,
             CASE WHEN status = 'queued' THEN (
                 SELECT count(*) FROM jobs AS older WHERE older.status = 'queued' AND older.sequence < jobs.sequence
             ) END AS queue_position
         FROM jobs "
        )
    };
}

pub(super) async fn get(store: &PostgresMetadata, entity: &str, id: Uuid) -> Result<JobState> {
    reading!(store, |connection| state(connection, entity, id).await)
}

async fn state(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<JobState> {
    let row = sqlx::query(concat!(states!(), "WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job_state(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Writes the last event of a job.
pub(super) async fn end(connection: &mut PgConnection, job: &JobRecord, event: &NewEvent) -> Result<()> {
    let event = rows::last_event(event, &state(connection, &job.entity, job.id).await?)?;
    let last = events::last_sequence(connection, job.id).await?;
    events::insert(connection, job.id, last + 1, &event).await?;
    Ok(())
}

/// SQL for the jobs of entity $1 that fit the filter in $2 to $4.
macro_rules! fitting {
    () => {
        "WHERE entity = $1 AND ($2::uuid IS NULL OR model_id = $2) AND ($3::text IS NULL OR kind = $3)
         AND ($4::text IS NULL OR $4 = CASE WHEN error_code = 'cancelled' THEN 'cancelled' ELSE status END) "
    };
}

pub(super) async fn list(
    store: &PostgresMetadata,
    entity: &str,
    filter: JobFilter,
    request: PageRequest,
) -> Result<Page<JobState>> {
    let statement = match request.order {
        Order::Ascending => concat!(states!(), fitting!(), "AND sequence > $5 ORDER BY sequence LIMIT $6"),
        Order::Descending => concat!(states!(), fitting!(), "AND sequence < $5 ORDER BY sequence DESC LIMIT $6"),
    };
    reading!(store, |connection| {
        let place = "SELECT sequence FROM jobs WHERE entity = $1 AND id = $2";
        let after = paging::after(connection, place, entity, request).await?;
        // One more than asked for tells whether more follow.
        let rows = sqlx::query(statement)
            .bind(entity)
            .bind(filter.model_id)
            .bind(filter.kind.map(|kind| kind.as_str()))
            .bind(filter.status.map(|status| status.as_str()))
            .bind(after)
            .bind(i64::from(request.limit) + 1)
            .fetch_all(connection)
            .await?;
        page(&rows, request.limit, rows::job_state)
    })
}

pub(super) async fn cancel(
    store: &PostgresMetadata,
    entity: &str,
    id: Uuid,
    message: &str,
    event: NewEvent,
) -> Result<CancelledJob> {
    writing!(store, |connection| {
        // Its worker waits for this, and then has no lease any more.
        sqlx::query("SELECT 1 FROM jobs WHERE id = $1 AND entity = $2 FOR UPDATE")
            .bind(id)
            .bind(entity)
            .execute(&mut *connection)
            .await?;
        let job = jobs::owned(connection, entity, id).await?;
        if !rows::may_be_cancelled(&job)? {
            let state = state(connection, entity, id).await?;
            return Ok(CancelledJob { state, unreferenced: Vec::new() });
        }
        end(connection, &job, &event).await?;
        sqlx::query(concat!(
            "UPDATE jobs SET status = $1, error = $2, error_code = $3, ended_at = ",
            now!(),
            ", lease_owner = NULL, lease_deadline = NULL, lease_token = lease_token + 1 WHERE id = $4"
        ))
        .bind(JobStatus::Failed.as_str())
        .bind(message)
        .bind(JobErrorCode::Cancelled.as_str())
        .bind(id)
        .execute(&mut *connection)
        .await?;
        usage::add_training(connection, id).await?;
        let unreferenced = references::unreferenced(connection, &rows::artifacts_of_job(job)).await?;
        let state = state(connection, entity, id).await?;
        // The next job of the model can be claimed now.
        queue::announce(connection).await?;
        Ok(CancelledJob { state, unreferenced })
    })
}
