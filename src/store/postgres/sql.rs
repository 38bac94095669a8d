//! SQL that several files share.

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
    };
}

/// SQL for the present time in milliseconds, but not before any recorded time of the job, as `jobs`: the clock may have
/// been set back.
macro_rules! job_now {
    () => {
        concat!(
            "greatest(",
            $crate::store::postgres::sql::now!(),
            ", (SELECT created_at FROM events WHERE job_id = jobs.id ORDER BY sequence DESC LIMIT 1),
             jobs.started_at, jobs.created_at)"
        )
    };
}

pub(super) use {job_now, now};
