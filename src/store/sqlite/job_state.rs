//! Jobs with their progress.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::events;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{JobRecord, JobState, NewEvent};
use crate::store::{rows, rules};

/// SQL for jobs with their progress, each as `jobs`. Event 1 is `training_started`, so the event of step `n` is `n + 1`.
macro_rules! states {
    () => {
        concat!(
            "SELECT sequence, id, entity, model_id, kind, status, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, published_step, error, error_code, created_at, started_at,
             ended_at, steps, trained_tokens,
             (SELECT data FROM events WHERE job_id = jobs.id AND sequence = 1 AND kind = 'training_started')
                 AS announcement,
             (SELECT CASE WHEN kind = 'training_ended' THEN data END FROM events WHERE job_id = jobs.id
              ORDER BY sequence DESC LIMIT 1) AS ending,
             CASE WHEN status = 'running' THEN (
                 SELECT created_at FROM events
                 WHERE job_id = jobs.id AND sequence = CASE WHEN steps > 20 THEN steps - 19 ELSE 1 END
             ) END AS recent_since,
             CASE WHEN status = 'running' THEN (
                 SELECT created_at FROM events WHERE job_id = jobs.id AND sequence = steps + 1
             ) END AS recent_until,
             CASE WHEN status = 'queued' THEN (
                 SELECT count(*) FROM jobs AS older WHERE older.status = 'queued' AND older.sequence < jobs.sequence
             ) END AS queue_position
         FROM jobs "
        )
    };
}

pub(super) use states;

pub(super) async fn read(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<JobState> {
    let row = sqlx::query(concat!(states!(), "WHERE id = ? AND entity = ?"))
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job_state(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Appends the last event of a job.
pub(super) async fn append_last_event(
    connection: &mut SqliteConnection,
    job: &JobRecord,
    event: &NewEvent,
) -> Result<()> {
    let event = rules::last_event(event, &read(connection, &job.entity, job.id).await?)?;
    let last = events::last_sequence(connection, job.id).await?;
    events::insert(connection, job.id, last + 1, event).await?;
    Ok(())
}
