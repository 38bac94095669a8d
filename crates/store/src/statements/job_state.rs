//! Jobs with their progress.

use uuid::Uuid;

use super::dialect::{self, Connection};
use super::events;
use super::fetch::Fetch;
use crate::metadata::Result;
use crate::records::{JobRecord, JobState, NewEvent};
use crate::{rows, rules};

/// The columns of [`states`] in the job's row.
macro_rules! stored {
    () => {
        concat!(super::columns::job_summaries!(), ", steps, trained_tokens, waiting")
    };
}

/// Names of the columns of [`states`].
macro_rules! names {
    () => {
        concat!(
            super::job_state::stored!(),
            ", announcement, ending, queue_position, recent_since, recent_until, waiting_reason, waiting_time"
        )
    };
}

/// SQL for jobs with their progress, each as `jobs`.
macro_rules! states {
    () => {
        concat!(
            "SELECT ",
            super::job_state::stored!(),
            ", ",
            super::job_state::progress!(),
            ", ",
            super::job_state::waiting!(),
            " FROM jobs "
        )
    };
}

/// SQL for the columns of a job's progress that are not in its row. Event 1 is `training_started`, so the event of step
/// `n` is `n + 1`.
macro_rules! progress {
    () => {
        "(SELECT data FROM events WHERE job_id = jobs.id AND sequence = 1 AND kind = 'training_started')
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
         ) END AS queue_position"
    };
}

/// SQL for the columns of a job's wait. The time of silence is that of [`rules::WORKER_SILENCE`].
macro_rules! waiting {
    () => {
        concat!(
            "CASE status
             WHEN 'queued' THEN coalesce(waiting_for, CASE
                 WHEN EXISTS (
                     SELECT 1 FROM jobs AS older WHERE older.model_id = jobs.model_id
                     AND older.sequence < jobs.sequence AND older.status IN ('queued', 'running')
                 ) THEN 'earlier_job'
                 WHEN NOT EXISTS (
                     SELECT 1 FROM workers JOIN ",
            super::dialect::json_fields!("workers.trainers"),
            " AS own ON own.key = (SELECT base_model FROM models WHERE id = jobs.model_id)
                     WHERE workers.reported_at > ",
            super::dialect::now!(),
            " - 45000 AND coalesce(jobs.trainer, jobs.weight_format, own.value) = own.value) THEN 'worker'
                 ELSE 'turn' END)
             WHEN 'running' THEN CASE WHEN lease_deadline <= ",
            super::dialect::now!(),
            " THEN 'lost_worker' ELSE waiting_for END
             END AS waiting_reason,
             CASE status
             WHEN 'queued' THEN coalesce(waiting_since, created_at)
             WHEN 'running' THEN CASE WHEN lease_deadline <= ",
            super::dialect::now!(),
            " THEN lease_deadline ELSE waiting_since END
             END AS waiting_time"
        )
    };
}

pub(super) use {names, progress, states, stored, waiting};

pub(super) async fn read(connection: &mut Connection, entity: &str, id: Uuid) -> Result<JobState> {
    sqlx::query(concat!(states!(), "WHERE id = $1 AND entity = $2"))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("training job", connection, rows::job_state)
        .await
}

/// Appends the last event of a job.
pub(super) async fn append_last_event(connection: &mut Connection, job: &JobRecord, event: &NewEvent) -> Result<()> {
    let event = rules::last_event(event, &read(connection, &job.entity, job.id).await?)?;
    let last = events::last_sequence(connection, job.id).await?;
    events::insert(connection, job.id, last + 1, &event).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_has_the_times_of_the_rules() {
        assert!(waiting!().contains(&format!(" - {} AND", rules::WORKER_SILENCE)));
        let recent = format!("steps > {} THEN steps - {}", rules::RECENT_STEPS, rules::RECENT_STEPS - 1);
        assert!(progress!().contains(&recent));
    }
}
