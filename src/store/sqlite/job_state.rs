//! Jobs with their progress.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::events;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{JobRecord, JobState, NewEvent};
use crate::store::{rows, rules};

/// SQL for jobs with their progress, each as `jobs`.
macro_rules! states {
    () => {
        concat!(
            "SELECT sequence, id, entity, model_id, kind, status, config, input_artifact, input_file, input_url,
             validation_file, validation_content, fine_tuning, sampler, trainer, weight_format, published_step, error,
             error_code, created_at, started_at, ended_at, steps, trained_tokens, waiting, ",
            $crate::store::job_progress::job_progress!(),
            " FROM jobs "
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
