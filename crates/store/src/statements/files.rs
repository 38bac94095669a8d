//! [`Files`].

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Connection, Store, lock, locking, now, reading, snapshot, writing};
use super::fetch::Fetch;
use super::paging::listing;
use super::references::artifact_references;
use super::sql::limit;
use super::{columns, idempotency, references};
use crate::artifacts::ArtifactId;
use crate::metadata::{Files, Result, StoreError};
use crate::paging::Value;
use crate::records::{
    ArtifactReference, FilePurpose, FileRecord, FileVersion, IdempotentResult, NewFile, Page, PageRequest,
};
use crate::{rows, rules};

/// SQL for the condition that a file has not expired.
macro_rules! is_there {
    () => {
        concat!("(expires_at IS NULL OR expires_at > ", now!(), ")")
    };
}

#[async_trait]
impl Files for Store {
    async fn create_file(&self, file: NewFile) -> Result<FileRecord> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &file.entity, file.request.as_ref()).await? {
                return owned(connection, &file.entity, done.object_id()).await;
            }
            if let Some((key_id, limit)) = file.key_id.zip(file.max_stored_bytes) {
                // Serializes the uploads of a key with a limit.
                lock!(connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 4))", key_id.to_string());
                let stored = stored_bytes(connection, key_id).await?;
                rules::check_stored_bytes(stored, file.bytes, limit)?;
            }
            let record = insert(connection, &file).await?;
            idempotency::record(connection, &file.entity, file.request.as_ref(), IdempotentResult::File(record.id))
                .await?;
            Ok(record)
        })
    }

    async fn get_file(&self, entity: &str, id: Uuid) -> Result<FileRecord> {
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn find_file(&self, entity: &str, name: &str, version: Option<u32>) -> Result<FileVersion> {
        if !dialect::is_storable(name) {
            return Err(StoreError::NotFound("file"));
        }
        let sql = match version {
            Some(_) => {
                columns::select!(files, "entity = $1 AND name = $2 AND version = $3 AND ", is_there!())
            }
            None => columns::select!(
                files,
                "entity = $1 AND name = $2 AND $3 IS NULL AND ",
                is_there!(),
                " ORDER BY version DESC LIMIT 1"
            ),
        };
        reading!(self, |connection| {
            let found = sqlx::query(sql).bind(entity).bind(name).bind(version.map(i64::from));
            found.existing("file", connection, rows::file_version).await
        })
    }

    async fn list_files(
        &self,
        entity: &str,
        purpose: Option<FilePurpose>,
        request: PageRequest,
    ) -> Result<Page<FileRecord>> {
        let listing = listing! {
            position: "SELECT sequence FROM files WHERE entity = $1 AND id = $2",
            rows: columns::files!(), columns::select!(files, "entity = $1 AND ($2 IS NULL OR purpose = $2) AND ", is_there!());
            order: "sequence", "$3", "$4";
            read: rows::file,
        };
        let filters = [Value::Text(purpose.map(FilePurpose::as_str))];
        reading!(self, |connection| listing.page(connection, entity.into(), &filters, request).await)
    }

    async fn delete_file(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
        writing!(self, |connection| {
            let content = remove(connection, entity, id).await?.ok_or(StoreError::NotFound("file"))?;
            references::unreferenced(connection, &[content]).await
        })
    }

    async fn delete_expired_files(&self, limit: u32) -> Result<Vec<ArtifactId>> {
        writing!(self, |connection| {
            let deleted = sqlx::query(concat!(
                "DELETE FROM files WHERE sequence IN (SELECT sequence FROM files WHERE expires_at <= ",
                now!(),
                " ORDER BY expires_at",
                limit!("$1"),
                locking!("FOR UPDATE SKIP LOCKED"),
                ") RETURNING artifact"
            ));
            let content = deleted.bind(i64::from(limit)).all(connection, rows::artifact).await?;
            references::unreferenced(connection, &rules::distinct(content)).await
        })
    }

    async fn stored_bytes(&self, key_id: Uuid) -> Result<u64> {
        reading!(self, |connection| stored_bytes(connection, key_id).await)
    }

    async fn unreferenced_artifacts(&self, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>> {
        snapshot!(self, |connection| references::unreferenced(connection, candidates).await)
    }

    async fn artifact_references(&self, after: Option<ArtifactId>, limit: u32) -> Result<Vec<ArtifactReference>> {
        snapshot!(self, |connection| {
            sqlx::query(concat!(
                "SELECT artifact, min(kind || ' ' || holder) AS holder FROM ",
                artifact_references!(),
                " AS held WHERE artifact > $1 GROUP BY artifact ORDER BY artifact",
                limit!("$2")
            ))
            .bind(after.map(|id| id.to_string()).unwrap_or_default())
            .bind(i64::from(limit))
            .all(connection, rows::artifact_reference)
            .await
        })
    }
}

/// Inserts a file.
pub(super) async fn insert(connection: &mut Connection, file: &NewFile) -> Result<FileRecord> {
    // Serializes the files of one name: each gets its own version.
    lock!(
        connection,
        "SELECT pg_advisory_xact_lock(hashtextextended($2, hashtextextended($1, 3)))",
        &file.entity,
        &file.name
    );
    sqlx::query(concat!(
        "INSERT INTO files (id, entity, name, purpose, bytes, artifact, key_id, version, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7,
             (SELECT coalesce(max(version), -1) + 1 FROM files WHERE entity = $2 AND name = $3), ",
        now!(),
        ", ",
        now!(),
        " + $8) RETURNING ",
        columns::files!()
    ))
    .bind(dialect::id(file.id))
    .bind(&file.entity)
    .bind(&file.name)
    .bind(file.purpose.as_str())
    .bind(file.bytes)
    .bind(file.artifact.to_string())
    .bind(file.key_id.map(dialect::id))
    .bind(file.life)
    .one(connection, rows::file)
    .await
}

/// Deletes the file, if it belongs to the entity. Returns its content.
pub(super) async fn remove(connection: &mut Connection, entity: &str, id: Uuid) -> Result<Option<ArtifactId>> {
    sqlx::query("DELETE FROM files WHERE id = $1 AND entity = $2 RETURNING artifact")
        .bind(dialect::id(id))
        .bind(entity)
        .optional(connection, rows::artifact)
        .await
}

/// Sums the bytes of the existing files that a key has uploaded.
async fn stored_bytes(connection: &mut Connection, key_id: Uuid) -> Result<u64> {
    let bytes: i64 = sqlx::query_scalar("SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM files WHERE key_id = $1")
        .bind(dialect::id(key_id))
        .fetch_one(connection)
        .await?;
    Ok(bytes.unsigned_abs())
}

/// Reads the file, if it belongs to the entity.
async fn owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<FileRecord> {
    sqlx::query(columns::select!(files, "id = $1 AND entity = $2 AND ", is_there!()))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("file", connection, rows::file)
        .await
}

/// Reads the file as [`owned`] does, and prevents its deletion until the transaction ends.
pub(super) async fn lock_owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<FileRecord> {
    sqlx::query(columns::select!(files, "id = $1 AND entity = $2 AND ", is_there!(), locking!("FOR SHARE")))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("file", connection, rows::file)
        .await
}
