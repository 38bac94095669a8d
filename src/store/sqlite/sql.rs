//! SQL that several files share.

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"
    };
}

/// SQL for the columns of a model's record.
macro_rules! model_columns {
    () => {
        "*, (SELECT max(step) FROM checkpoints WHERE model_id = models.id) AS latest_step"
    };
}

/// SQL for the present time in milliseconds, but not before any recorded time of the job, as `jobs`: the clock may have
/// been set back.
macro_rules! job_now {
    () => {
        concat!(
            "max(",
            $crate::store::sqlite::sql::now!(),
            ", coalesce((SELECT created_at FROM events WHERE job_id = jobs.id ORDER BY sequence DESC LIMIT 1), 0),
             coalesce(jobs.started_at, 0), jobs.created_at)"
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

pub(super) use {job_now, limit, model_columns, now};
