//! Progress of jobs by their events, defined once for every database.

/// Maximum number of steps that the rate of a job is computed from; [`job_progress`] has it as a number.
pub(super) const RECENT_STEPS: i64 = 20;

/// SQL for the columns of a job's progress that are not in its row. Event 1 is `training_started`, so the event of step
/// `n` is `n + 1`.
macro_rules! job_progress {
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

/// SQL for the columns of a job's wait. `$now` is the present time; `$worker` joins the `workers` that have the job's base
/// model with `own.value`, the trainer that they have for it, in an unfinished `EXISTS`. The time of silence is that of [`WORKER_SILENCE`](super::rules::WORKER_SILENCE).
macro_rules! job_waiting {
    ($now:expr, $worker:literal) => {
        concat!(
            "CASE status
             WHEN 'queued' THEN coalesce(waiting_for, CASE
                 WHEN EXISTS (
                     SELECT 1 FROM jobs AS older WHERE older.model_id = jobs.model_id
                     AND older.sequence < jobs.sequence AND older.status IN ('queued', 'running')
                 ) THEN 'earlier_job'
                 WHEN NOT ",
            $worker,
            " WHERE workers.reported_at > ",
            $now,
            " - 45000 AND coalesce(jobs.trainer, jobs.weight_format, own.value) = own.value) THEN 'worker'
                 ELSE 'turn' END)
             WHEN 'running' THEN CASE WHEN lease_deadline <= ",
            $now,
            " THEN 'lost_worker' ELSE waiting_for END
             END AS waiting_reason,
             CASE status
             WHEN 'queued' THEN coalesce(waiting_since, created_at)
             WHEN 'running' THEN CASE WHEN lease_deadline <= ",
            $now,
            " THEN lease_deadline ELSE waiting_since END
             END AS waiting_time"
        )
    };
}
pub(super) use {job_progress, job_waiting};

#[cfg(test)]
mod tests {
    #[test]
    fn the_sql_has_the_time_of_silence() {
        assert!(job_waiting!("now", "").contains(&format!(" - {} AND", super::super::rules::WORKER_SILENCE)));
    }
}
