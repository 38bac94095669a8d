//! Jobs as their owner sees and steers them.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::{SqliteMetadata, events, jobs, now, paging, references, usage};
use crate::store::metadata::{Result, StoreError};
use crate::store::paging::page;
use crate::store::records::{
    CancelledJob, JobErrorCode, JobFilter, JobRecord, JobState, JobStatus, NewEvent, Order, Page, PageRequest,
};
use crate::store::rows;

/// SQL for the tokens that a job, as `jobs`, was trained on.
macro_rules! trained_tokens {
    () => {
        "(SELECT CAST(coalesce(sum(coalesce(data ->> '$.\"row/num_trained_tokens\"',
                 data ->> '$.num_trainable_tokens', 0)), 0) AS INTEGER)
             FROM events WHERE job_id = jobs.id AND kind = 'gradient_step')"
    };
}
pub(super) use trained_tokens;

/// SQL for jobs and how far they are, each as `jobs`.
macro_rules! states {
    () => {
        concat!(
            "SELECT jobs.*,
             (SELECT count(*) FROM events WHERE job_id = jobs.id AND kind = 'gradient_step') AS steps, ",
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

pub(super) async fn state(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<JobState> {
    let row = sqlx::query(concat!(states!(), "WHERE id = ? AND entity = ?"))
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job_state(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Writes the last event of a job.
pub(super) async fn end(connection: &mut SqliteConnection, job: &JobRecord, event: &NewEvent) -> Result<()> {
    let event = rows::last_event(event, &state(connection, &job.entity, job.id).await?)?;
    let last = events::last_sequence(connection, job.id).await?;
    events::insert(connection, job.id, last + 1, event).await?;
    Ok(())
}

/// SQL for the jobs of entity ?1 that fit the filter in ?2 to ?4.
macro_rules! fitting {
    () => {
        "WHERE entity = ?1 AND (?2 IS NULL OR model_id = ?2) AND (?3 IS NULL OR kind = ?3)
         AND (?4 IS NULL OR ?4 = CASE WHEN error_code = 'cancelled' THEN 'cancelled' ELSE status END) "
    };
}

pub(super) async fn list(
    store: &SqliteMetadata,
    entity: &str,
    filter: JobFilter,
    request: PageRequest,
) -> Result<Page<JobState>> {
    let mut transaction = store.read().await?;
    let place = "SELECT sequence FROM jobs WHERE entity = ? AND id = ?";
    let after = paging::after(&mut transaction, place, entity, request).await?;
    let statement = match request.order {
        Order::Ascending => concat!(states!(), fitting!(), "AND sequence > ?5 ORDER BY sequence LIMIT ?6"),
        Order::Descending => concat!(states!(), fitting!(), "AND sequence < ?5 ORDER BY sequence DESC LIMIT ?6"),
    };
    // One more than asked for tells whether more follow.
    let rows = sqlx::query(statement)
        .bind(entity)
        .bind(filter.model_id.map(|id| id.to_string()))
        .bind(filter.kind.map(|kind| kind.as_str()))
        .bind(filter.status.map(|status| status.as_str()))
        .bind(after)
        .bind(i64::from(request.limit) + 1)
        .fetch_all(&mut *transaction)
        .await?;
    page(&rows, request.limit, rows::job_state)
}

pub(super) async fn cancel(
    store: &SqliteMetadata,
    entity: &str,
    id: Uuid,
    message: &str,
    event: NewEvent,
) -> Result<CancelledJob> {
    let mut transaction = store.write().await?;
    let job = jobs::owned(&mut transaction, entity, id).await?;
    if !rows::may_be_cancelled(&job)? {
        let state = state(&mut transaction, entity, id).await?;
        return Ok(CancelledJob { state, unreferenced: Vec::new() });
    }
    end(&mut transaction, &job, &event).await?;
    // Whoever computes it has an older token and a job that does not run.
    sqlx::query(concat!(
        "UPDATE jobs SET status = ?, error = ?, error_code = ?, ended_at = ",
        now!(),
        ", lease_owner = NULL, lease_deadline = NULL, lease_token = lease_token + 1 WHERE id = ?"
    ))
    .bind(JobStatus::Failed.as_str())
    .bind(message)
    .bind(JobErrorCode::Cancelled.as_str())
    .bind(id.to_string())
    .execute(&mut *transaction)
    .await?;
    usage::add_training(&mut transaction, id).await?;
    let unreferenced = references::unreferenced(&mut transaction, &rows::artifacts_of_job(job)).await?;
    let state = state(&mut transaction, entity, id).await?;
    transaction.commit().await?;
    // The next job of the model can be claimed now.
    store.queued.notify_waiters();
    Ok(CancelledJob { state, unreferenced })
}
