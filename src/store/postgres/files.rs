//! Uploaded files.

use sqlx::PgConnection;
use uuid::Uuid;

use super::paging::FilteredListing;
use super::transactions::{reading, statement, writing};
use super::{PostgresMetadata, columns, idempotency, now, references};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{FilePurpose, FileRecord, FileVersion, IdempotentResult, NewFile, Page, PageRequest};
use crate::store::rows;

pub(super) async fn create(store: &PostgresMetadata, file: NewFile) -> Result<FileRecord> {
    writing!(store, |connection| {
        if let Some(request) = &file.request
            && let Some(done) = idempotency::find_alone(connection, &file.entity, request).await?
        {
            return owned(connection, &file.entity, done.object_id()).await;
        }
        if let Some((key_id, limit)) = file.key_id.zip(file.most_bytes) {
            // Files of a key with a limit come one after the other.
            sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 4))")
                .bind(key_id.to_string())
                .execute(&mut *connection)
                .await?;
            let stored = stored_bytes(connection, key_id).await?;
            if stored.saturating_add(file.bytes.unsigned_abs()) > limit {
                return Err(StoreError::TooManyBytes { limit, stored });
            }
        }
        // Files of one name come one after the other: each has a version of its own.
        sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($2, hashtextextended($1, 3)))")
            .bind(&file.entity)
            .bind(&file.name)
            .execute(&mut *connection)
            .await?;
        let row = sqlx::query(concat!(
            "INSERT INTO files (id, entity, name, purpose, bytes, artifact, key_id, version, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7,
                 (SELECT coalesce(max(version), -1) + 1 FROM files WHERE entity = $2 AND name = $3), ",
            now!(),
            ") RETURNING ",
            columns::files!()
        ))
        .bind(file.id)
        .bind(&file.entity)
        .bind(&file.name)
        .bind(file.purpose.as_str())
        .bind(file.bytes)
        .bind(file.artifact.to_string())
        .bind(file.key_id)
        .fetch_one(&mut *connection)
        .await?;
        let record = rows::file(&row)?;
        if let Some(request) = &file.request {
            idempotency::record(connection, &file.entity, request, IdempotentResult::File(record.id)).await?;
        }
        Ok(record)
    })
}

/// Bytes of the files that a key has uploaded and that are there.
pub(super) async fn stored_bytes(connection: &mut PgConnection, key_id: Uuid) -> Result<u64> {
    let bytes: i64 = sqlx::query_scalar("SELECT coalesce(sum(bytes), 0)::bigint FROM files WHERE key_id = $1")
        .bind(key_id)
        .fetch_one(connection)
        .await?;
    Ok(bytes.unsigned_abs())
}

/// The file, if it belongs to the entity.
pub(super) async fn owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<FileRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::files!(), " FROM files WHERE id = $1 AND entity = $2"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::file(&row.ok_or(StoreError::NotFound("file"))?)
}

/// As [`owned`]; until the transaction ends nobody deletes the file.
pub(super) async fn keep_owned(connection: &mut PgConnection, entity: &str, id: Uuid) -> Result<FileRecord> {
    let row = sqlx::query(concat!("SELECT ", columns::files!(), " FROM files WHERE id = $1 AND entity = $2 FOR SHARE"))
        .bind(id)
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::file(&row.ok_or(StoreError::NotFound("file"))?)
}

pub(super) async fn find(
    store: &PostgresMetadata,
    entity: &str,
    name: &str,
    version: Option<u32>,
) -> Result<FileVersion> {
    // No stored text has this character, and the database refuses to look for it.
    if name.contains('\0') {
        return Err(StoreError::NotFound("file"));
    }
    statement!(store, |connection| {
        let found = sqlx::query(concat!(
            "SELECT ",
            columns::files!(),
            " FROM files WHERE entity = $1 AND name = $2 AND ($3::bigint IS NULL OR version = $3)
             ORDER BY version DESC LIMIT 1"
        ))
        .bind(entity)
        .bind(name)
        .bind(version.map(i64::from))
        .fetch_optional(connection)
        .await?;
        rows::file_version(&found.ok_or(StoreError::NotFound("file"))?)
    })
}

pub(super) async fn list(
    store: &PostgresMetadata,
    entity: &str,
    purpose: Option<FilePurpose>,
    request: PageRequest,
) -> Result<Page<FileRecord>> {
    let listing = FilteredListing {
        place: "SELECT sequence FROM files WHERE entity = $1 AND id = $2",
        ascending: concat!(
            "SELECT ",
            columns::files!(),
            " FROM files WHERE entity = $1 AND ($2::text IS NULL OR purpose = $2) AND sequence > $3
             ORDER BY sequence LIMIT $4"
        ),
        descending: concat!(
            "SELECT ",
            columns::files!(),
            " FROM files WHERE entity = $1 AND ($2::text IS NULL OR purpose = $2) AND sequence < $3
             ORDER BY sequence DESC LIMIT $4"
        ),
        read: rows::file,
    };
    reading!(store, |connection| listing.page(connection, entity, purpose.map(FilePurpose::as_str), request).await)
}

pub(super) async fn delete(store: &PostgresMetadata, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
    writing!(store, |connection| {
        let row = sqlx::query(concat!("DELETE FROM files WHERE id = $1 AND entity = $2 RETURNING ", columns::files!()))
            .bind(id)
            .bind(entity)
            .fetch_optional(&mut *connection)
            .await?;
        let file = rows::file(&row.ok_or(StoreError::NotFound("file"))?)?;
        references::unreferenced(connection, &[file.artifact]).await
    })
}
