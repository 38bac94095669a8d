//! Uploaded files.

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::paging::FilteredListing;
use super::{SqliteMetadata, idempotency, now, references};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{FilePurpose, FileRecord, FileVersion, IdempotentResult, NewFile, Page, PageRequest};
use crate::store::rows;

pub(super) async fn create(store: &SqliteMetadata, file: NewFile) -> Result<FileRecord> {
    let mut transaction = store.write().await?;
    if let Some(request) = &file.request
        && let Some(done) = idempotency::find(&mut transaction, &file.entity, request).await?
    {
        return owned(&mut transaction, &file.entity, done.object_id()).await;
    }
    if let Some((key_id, limit)) = file.key_id.zip(file.most_bytes) {
        let stored = stored_bytes(&mut transaction, key_id).await?;
        if stored.saturating_add(file.bytes.unsigned_abs()) > limit {
            return Err(StoreError::TooManyBytes { limit, stored });
        }
    }
    let row = sqlx::query(concat!(
        "INSERT INTO files (id, entity, name, purpose, bytes, artifact, key_id, version, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
             (SELECT coalesce(max(version), -1) + 1 FROM files WHERE entity = ?2 AND name = ?3), ",
        now!(),
        ") RETURNING *"
    ))
    .bind(file.id.to_string())
    .bind(&file.entity)
    .bind(file.name)
    .bind(file.purpose.as_str())
    .bind(file.bytes)
    .bind(file.artifact.to_string())
    .bind(file.key_id.map(|key| key.to_string()))
    .fetch_one(&mut *transaction)
    .await?;
    let record = rows::file(&row)?;
    if let Some(request) = &file.request {
        idempotency::record(&mut transaction, &file.entity, request, IdempotentResult::File(record.id)).await?;
    }
    transaction.commit().await?;
    Ok(record)
}

/// Bytes of the files that a key has uploaded and that are there.
pub(super) async fn stored_bytes(connection: &mut SqliteConnection, key_id: Uuid) -> Result<u64> {
    let bytes: i64 = sqlx::query_scalar("SELECT coalesce(sum(bytes), 0) FROM files WHERE key_id = ?")
        .bind(key_id.to_string())
        .fetch_one(connection)
        .await?;
    Ok(bytes.unsigned_abs())
}

/// The file, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<FileRecord> {
    let row = sqlx::query("SELECT * FROM files WHERE id = ? AND entity = ?")
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::file(&row.ok_or(StoreError::NotFound("file"))?)
}

pub(super) async fn find(
    store: &SqliteMetadata,
    entity: &str,
    name: &str,
    version: Option<u32>,
) -> Result<FileVersion> {
    let statement = match version {
        Some(_) => "SELECT * FROM files WHERE entity = ?1 AND name = ?2 AND version = ?3",
        None => "SELECT * FROM files WHERE entity = ?1 AND name = ?2 AND ?3 IS NULL ORDER BY version DESC LIMIT 1",
    };
    let row = sqlx::query(statement).bind(entity).bind(name).bind(version).fetch_optional(&store.readers).await?;
    rows::file_version(&row.ok_or(StoreError::NotFound("file"))?)
}

pub(super) async fn list(
    store: &SqliteMetadata,
    entity: &str,
    purpose: Option<FilePurpose>,
    request: PageRequest,
) -> Result<Page<FileRecord>> {
    let listing = FilteredListing {
        place: "SELECT sequence FROM files WHERE entity = ? AND id = ?",
        ascending: "SELECT * FROM files WHERE entity = ?1 AND (?2 IS NULL OR purpose = ?2) AND sequence > ?3
             ORDER BY sequence LIMIT ?4",
        descending: "SELECT * FROM files WHERE entity = ?1 AND (?2 IS NULL OR purpose = ?2) AND sequence < ?3
             ORDER BY sequence DESC LIMIT ?4",
        read: rows::file,
    };
    let mut transaction = store.read().await?;
    listing.page(&mut transaction, entity, purpose.map(FilePurpose::as_str), request).await
}

pub(super) async fn delete(store: &SqliteMetadata, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
    let mut transaction = store.write().await?;
    let file = owned(&mut transaction, entity, id).await?;
    sqlx::query("DELETE FROM files WHERE id = ?").bind(id.to_string()).execute(&mut *transaction).await?;
    let unreferenced = references::unreferenced(&mut transaction, &[file.artifact]).await?;
    transaction.commit().await?;
    Ok(unreferenced)
}
