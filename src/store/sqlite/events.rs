//! The event log of a job.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::sql::job_now;
use crate::store::metadata::Result;
use crate::store::records::{EventRecord, NewEvent};
use crate::store::rows;

/// Reads the sequence of the newest event; 0 if there is none.
pub(super) async fn last_sequence(connection: &mut SqliteConnection, job_id: Uuid) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT coalesce(max(sequence), 0) FROM events WHERE job_id = ?")
        .bind(job_id.to_string())
        .fetch_one(connection)
        .await?)
}

pub(super) async fn at(connection: &mut SqliteConnection, job_id: Uuid, sequence: i64) -> Result<Option<EventRecord>> {
    let row = sqlx::query("SELECT * FROM events WHERE job_id = ? AND sequence = ?")
        .bind(job_id.to_string())
        .bind(sequence)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(rows::event).transpose()
}

pub(super) async fn insert(
    connection: &mut SqliteConnection,
    job_id: Uuid,
    sequence: i64,
    event: NewEvent,
) -> Result<EventRecord> {
    let row = sqlx::query(concat!(
        "INSERT INTO events (job_id, sequence, id, kind, data, created_at) SELECT ?1, ?2, ?3, ?4, ?5, ",
        job_now!(),
        " FROM jobs WHERE id = ?1 RETURNING *"
    ))
    .bind(job_id.to_string())
    .bind(sequence)
    .bind(Uuid::now_v7().to_string())
    .bind(event.kind)
    .bind(event.data)
    .fetch_one(connection)
    .await?;
    rows::event(&row)
}
