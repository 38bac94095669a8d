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

/// SQL for the trained tokens of a job, as `jobs`.
macro_rules! trained_tokens {
    () => {
        "(SELECT CAST(coalesce(sum(coalesce(data ->> '$.\"row/num_trained_tokens\"',
                 data ->> '$.num_trainable_tokens', 0)), 0) AS INTEGER)
             FROM events WHERE job_id = jobs.id AND kind = 'gradient_step')"
    };
}

pub(super) use {job_now, model_columns, now, trained_tokens};
