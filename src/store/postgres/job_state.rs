//! Jobs with their progress.

use sqlx::PgConnection;
use uuid::Uuid;

use super::events;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{JobRecord, JobState, NewEvent};
use crate::store::{rows, rules};

/// SQL for jobs with their progress, each as `jobs`.
macro_rules! states {
    () => {
        concat!(
            "SELECT ",
            $crate::store::postgres::columns::job_summaries!(),
            ", ",
            $crate::store::job_progress::job_progress!(),
            ", ",
            $crate::store::job_progress::job_waiting!(
                $crate::store::postgres::sql::now!(),
                "EXISTS (SELECT 1 FROM workers JOIN jsonb_each_text(workers.trainers::jsonb) AS own
                     ON own.key = (SELECT base_model FROM models WHERE id = jobs.model_id)"
            ),
            " FROM jobs "
        )
    };
}

pub(super) use states;

pub(super) async fn read(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<JobState> {
    let row = sqlx::query(concat!(states!(), "WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::job_state(&row.ok_or(StoreError::NotFound("training job"))?)
}

/// Appends the last event of a job.
pub(super) async fn append_last_event(connection: &mut PgConnection, job: &JobRecord, event: &NewEvent) -> Result<()> {
    let event = rules::last_event(event, &read(connection, &job.entity, job.id).await?)?;
    let last = events::last_sequence(connection, job.id).await?;
    events::insert(connection, job.id, last + 1, &event).await?;
    Ok(())
}
