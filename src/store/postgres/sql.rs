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

/// SQL for the trained tokens of a job, as `jobs`.
macro_rules! trained_tokens {
    () => {
        "(SELECT coalesce(sum(coalesce(data::jsonb ->> 'row/num_trained_tokens',
                 data::jsonb ->> 'num_trainable_tokens', '0')::double precision), 0)::bigint
             FROM events WHERE job_id = jobs.id AND kind = 'gradient_step')"
    };
}

pub(super) use {job_now, now, trained_tokens};
