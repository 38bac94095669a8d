//! SQL that several files share.

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
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

pub(super) use {now, trained_tokens};
