//! SQL that several files share.

/// SQL for the present time in milliseconds, but not before any recorded time of the job, as `jobs`: the clock may have
/// been set back.
macro_rules! job_now {
    () => {
        super::dialect::greatest!(
            super::dialect::now!(),
            "coalesce((SELECT created_at FROM events WHERE job_id = jobs.id ORDER BY sequence DESC LIMIT 1), 0)",
            "coalesce(jobs.started_at, 0)",
            "jobs.created_at"
        )
    };
}

/// SQL for a maximum number of rows, given as a parameter. SQLite would plan a statement with a bare parameter after `LIMIT`
/// anew at each execution, because the plan may depend on its value.
macro_rules! limit {
    ($parameter:literal) => {
        concat!(" LIMIT 0 + ", $parameter)
    };
}

pub(super) use {job_now, limit};
