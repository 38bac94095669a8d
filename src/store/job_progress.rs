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
pub(super) use job_progress;
