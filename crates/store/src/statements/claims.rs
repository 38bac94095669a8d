//! The conditions and the order of claims, and the expiry of unrenewed leases.

use std::time::Duration;

use super::dialect::{self, Store, idempotent, locking, reading};
use super::fetch::Fetch;
use crate::lease_watch::LeaseReading;
use crate::metadata::Result;
use crate::rows;

/// SQL for the claimable jobs, as `candidate`, whichever worker can compute them.
macro_rules! available {
    () => {
        concat!(
            "FROM jobs AS candidate JOIN models ON models.id = candidate.model_id
             WHERE candidate.status IN ('queued', 'running')
             AND (candidate.status = 'queued' OR candidate.lease_deadline <= ",
            super::dialect::now!(),
            ") AND NOT EXISTS (
                 SELECT 1 FROM jobs AS older WHERE older.model_id = candidate.model_id
                 AND older.sequence < candidate.sequence AND older.status IN ('queued', 'running'))"
        )
    };
}

/// SQL for the condition that the worker can compute the job, or fails it since no worker can: it began in an earlier order of
/// operations. $1: object of the trainer of each of its base models.
macro_rules! computable {
    () => {
        concat!(
            "EXISTS (SELECT 1 FROM ",
            super::dialect::json_fields!("$1"),
            " AS own WHERE own.key = models.base_model
             AND (coalesce(candidate.trainer, candidate.weight_format, own.value) = own.value
                 OR own.value LIKE coalesce(candidate.trainer, candidate.weight_format) || '/%'))"
        )
    };
}

/// SQL for the condition that the worker claims jobs of the entity. $2: list of its excluded entities. $3: list of those
/// whose data it does not fetch.
macro_rules! included {
    () => {
        concat!(
            " AND candidate.entity NOT IN ",
            super::dialect::items!("$2"),
            " AND (candidate.input_url IS NULL OR candidate.dataset IS NOT NULL OR candidate.entity NOT IN ",
            super::dialect::items!("$3"),
            ")"
        )
    };
}

/// SQL for the order of claims: the entity, then the model with the least recent claim comes first, then the oldest
/// job. So each of `n` entities with claimable jobs gets one of the next `n` claims.
macro_rules! fair_order {
    () => {
        " ORDER BY
             coalesce((SELECT claim_number FROM entity_claims WHERE entity = candidate.entity), 0),
             coalesce((SELECT max(claim_number) FROM jobs AS claimed
                 WHERE claimed.model_id = candidate.model_id AND claimed.claim_number IS NOT NULL), 0),
             candidate.sequence "
    };
}

pub(super) use {available, computable, fair_order, included};

/// Expires the leases without a renewal for `time_to_live`, whatever their deadlines. Returns whether any expired. A
/// live owner keeps its lease unless the job is claimed.
pub(super) async fn expire_unrenewed(store: &Store, time_to_live: Duration) -> Result<bool> {
    let leases = reading!(store, |connection| {
        let running = sqlx::query(
            "SELECT id, lease_token, lease_deadline FROM jobs WHERE status = 'running' AND lease_deadline > 0",
        );
        running.all(connection, rows::lease_reading).await
    })?;
    let mut expired = false;
    for LeaseReading { job_id, token, deadline } in store.leases.unrenewed(leases, time_to_live) {
        expired |= idempotent!(store, |connection| {
            // A locked row belongs to a live owner.
            let ended = sqlx::query(concat!(
                "UPDATE jobs SET lease_deadline = 0 WHERE sequence = (
                     SELECT sequence FROM jobs WHERE id = $1 AND lease_token = $2 AND lease_deadline = $3
                     AND status = 'running'",
                locking!("FOR NO KEY UPDATE SKIP LOCKED"),
                ")"
            ));
            let ended = ended.bind(dialect::id(job_id)).bind(token).bind(deadline).execute(connection).await?;
            Ok(ended.rows_affected() > 0)
        })?;
    }
    Ok(expired)
}
