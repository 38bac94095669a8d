//! The event log of a job.

use uuid::Uuid;

use super::columns;
use super::dialect::{self, Connection};
use super::fetch::Fetch;
use super::sql::job_now;
use crate::metadata::Result;
use crate::records::{EventRecord, NewEvent};
use crate::rows;

/// Reads the sequence of the newest event; 0 if there is none.
pub(super) async fn last_sequence(connection: &mut Connection, job_id: Uuid) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT coalesce(max(sequence), 0) FROM events WHERE job_id = $1")
        .bind(dialect::id(job_id))
        .fetch_one(connection)
        .await?)
}

pub(super) async fn at(connection: &mut Connection, job_id: Uuid, sequence: i64) -> Result<Option<EventRecord>> {
    sqlx::query(columns::select!(events, "job_id = $1 AND sequence = $2"))
        .bind(dialect::id(job_id))
        .bind(sequence)
        .optional(connection, rows::event)
        .await
}

pub(super) async fn insert(
    connection: &mut Connection,
    job_id: Uuid,
    sequence: i64,
    event: &NewEvent,
) -> Result<EventRecord> {
    sqlx::query(concat!(
        "INSERT INTO events (job_id, sequence, id, kind, data, created_at) SELECT $1, $2, $3, $4, $5, ",
        job_now!(),
        " FROM jobs WHERE id = $1 RETURNING ",
        columns::events!()
    ))
    .bind(dialect::id(job_id))
    .bind(sequence)
    .bind(dialect::id(Uuid::now_v7()))
    .bind(&event.kind)
    .bind(&event.data)
    .one(connection, rows::event)
    .await
}
