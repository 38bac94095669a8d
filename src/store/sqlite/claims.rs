//! The conditions of a claim, and the expiry of unrenewed leases.

use std::time::Duration;

use super::database::SqliteMetadata;
use crate::store::lease_watch::LeaseReading;
use crate::store::metadata::Result;
use crate::store::rows;

/// SQL for the claimable jobs, as `candidate`, whichever worker can compute them.
macro_rules! available {
    () => {
        concat!(
            "FROM jobs AS candidate JOIN models ON models.id = candidate.model_id
             WHERE candidate.status IN ('queued', 'running')
             AND (candidate.status = 'queued' OR candidate.lease_deadline <= ",
            $crate::store::sqlite::sql::now!(),
            ") AND NOT EXISTS (
                 SELECT 1 FROM jobs AS older WHERE older.model_id = candidate.model_id
                 AND older.sequence < candidate.sequence AND older.status IN ('queued', 'running'))"
        )
    };
}

/// SQL for the condition that the worker can compute the job. ?1: list of its base models, ?2: its number format.
macro_rules! computable {
    () => {
        "(models.base_model IN (SELECT value FROM json_each(?1)) AND coalesce(candidate.weight_format, ?2) = ?2)"
    };
}

pub(super) use {available, computable};

/// Expires the leases without a renewal for `time_to_live`, whatever their deadlines. Returns whether any expired. A
/// live owner keeps its lease unless the job is claimed.
pub(super) async fn expire_unrenewed(store: &SqliteMetadata, time_to_live: Duration) -> Result<bool> {
    let rows =
        sqlx::query("SELECT id, lease_token, lease_deadline FROM jobs WHERE status = 'running' AND lease_deadline > 0")
            .fetch_all(&store.readers)
            .await?;
    let mut expired = false;
    for LeaseReading { job_id, token, deadline } in
        store.leases.unrenewed(rows.iter().map(rows::lease_reading).collect::<Result<_>>()?, time_to_live)
    {
        let ended = sqlx::query(
            "UPDATE jobs SET lease_deadline = 0
             WHERE id = ? AND lease_token = ? AND lease_deadline = ? AND status = 'running'",
        )
        .bind(job_id.to_string())
        .bind(token)
        .bind(deadline)
        .execute(&store.writer)
        .await?;
        expired |= ended.rows_affected() > 0;
    }
    Ok(expired)
}
