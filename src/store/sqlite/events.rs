//! The event log of a job.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::paging::Listing;
use super::{SqliteMetadata, jobs, now};
use crate::store::metadata::Result;
use crate::store::records::{EventRecord, NewEvent, Page, PageRequest};
use crate::store::rows;

pub(super) async fn list(
    store: &SqliteMetadata,
    entity: &str,
    job_id: Uuid,
    page: PageRequest,
) -> Result<Page<EventRecord>> {
    let mut transaction = store.read().await?;
    jobs::owned(&mut transaction, entity, job_id).await?;
    let listing = Listing {
        place: "SELECT sequence FROM events WHERE job_id = ?1 AND id = ?2",
        ascending: "SELECT * FROM events WHERE job_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3",
        descending: "SELECT * FROM events WHERE job_id = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT ?3",
        read: rows::event,
    };
    listing.page(&mut transaction, job_id, page).await
}

/// The place of the newest event; 0 if there is none.
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
        "INSERT INTO events (job_id, sequence, id, kind, data, created_at) VALUES (?, ?, ?, ?, ?, ",
        now!(),
        ") RETURNING *"
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
