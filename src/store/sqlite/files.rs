//! [`Files`] in SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::database::{SqliteMetadata, reading};
use super::packed::packed;
use super::sql::{limit, now};
use super::{idempotency, paging, references};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Files, Result, StoreError};
use crate::store::paging::{Listing, Value};
use crate::store::records::{
    ArtifactReference, FilePurpose, FileRecord, FileVersion, IdempotentResult, NewFile, Page, PageRequest,
};
use crate::store::references::artifact_references;
use crate::store::{rows, rules};

/// SQL for at most ?4 files of entity ?1 on one side of position ?3 that pass the filter ?2.
macro_rules! file_page {
    ($side:literal, $order:literal) => {
        packed!(
            [id, entity, name, purpose, bytes, artifact, created_at],
            "SELECT * FROM files WHERE entity = ?1 AND (?2 IS NULL OR purpose = ?2) AND sequence ",
            $side,
            " ?3 ORDER BY ",
            $order,
            limit!("?4")
        )
    };
}

#[async_trait]
impl Files for SqliteMetadata {
    async fn create_file(&self, file: NewFile) -> Result<FileRecord> {
        let mut transaction = self.write().await?;
        if let Some(done) = idempotency::find(&mut transaction, &file.entity, file.request.as_ref()).await? {
            return owned(&mut transaction, &file.entity, done.object_id()).await;
        }
        if let Some((key_id, limit)) = file.key_id.zip(file.max_stored_bytes) {
            let stored = stored_bytes(&mut transaction, key_id).await?;
            rules::check_stored_bytes(stored, file.bytes, limit)?;
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
        idempotency::record(&mut transaction, &file.entity, file.request.as_ref(), IdempotentResult::File(record.id))
            .await?;
        transaction.commit().await?;
        Ok(record)
    }

    async fn get_file(&self, entity: &str, id: Uuid) -> Result<FileRecord> {
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn find_file(&self, entity: &str, name: &str, version: Option<u32>) -> Result<FileVersion> {
        let statement = match version {
            Some(_) => "SELECT * FROM files WHERE entity = ?1 AND name = ?2 AND version = ?3",
            None => "SELECT * FROM files WHERE entity = ?1 AND name = ?2 AND ?3 IS NULL ORDER BY version DESC LIMIT 1",
        };
        reading!(self, |connection| {
            let row = sqlx::query(statement).bind(entity).bind(name).bind(version).fetch_optional(connection).await?;
            rows::file_version(&row.ok_or(StoreError::NotFound("file"))?)
        })
    }

    async fn list_files(
        &self,
        entity: &str,
        purpose: Option<FilePurpose>,
        request: PageRequest,
    ) -> Result<Page<FileRecord>> {
        let listing = Listing {
            position: "SELECT sequence FROM files WHERE entity = ? AND id = ?",
            ascending: file_page!(">", "sequence"),
            descending: file_page!("<", "sequence DESC"),
            read: rows::file,
        };
        let filters = [Value::Text(purpose.map(FilePurpose::as_str))];
        reading!(self, |connection| paging::page(connection, &listing, entity.into(), &filters, request).await)
    }

    async fn delete_file(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
        let mut transaction = self.write().await?;
        let file = owned(&mut transaction, entity, id).await?;
        sqlx::query("DELETE FROM files WHERE id = ?").bind(id.to_string()).execute(&mut *transaction).await?;
        let unreferenced = references::unreferenced(&mut transaction, &[file.artifact]).await?;
        transaction.commit().await?;
        Ok(unreferenced)
    }

    async fn stored_bytes(&self, key_id: Uuid) -> Result<u64> {
        reading!(self, |connection| stored_bytes(connection, key_id).await)
    }

    async fn unreferenced_artifacts(&self, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>> {
        let mut transaction = self.read().await?;
        references::unreferenced(&mut transaction, candidates).await
    }

    async fn artifact_references(&self, after: Option<ArtifactId>, limit: u32) -> Result<Vec<ArtifactReference>> {
        let rows = sqlx::query(concat!(
            "SELECT artifact, min(kind || ' ' || holder) AS holder FROM ",
            artifact_references!(),
            " WHERE artifact > ? GROUP BY artifact ORDER BY artifact",
            limit!("?")
        ))
        .bind(after.map(|id| id.to_string()).unwrap_or_default())
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(rows::artifact_reference).collect()
    }
}

/// Sums the bytes of the existing files that a key has uploaded.
async fn stored_bytes(connection: &mut SqliteConnection, key_id: Uuid) -> Result<u64> {
    let bytes: i64 = sqlx::query_scalar("SELECT coalesce(sum(bytes), 0) FROM files WHERE key_id = ?")
        .bind(key_id.to_string())
        .fetch_one(connection)
        .await?;
    Ok(bytes.unsigned_abs())
}

/// Reads the file, if it belongs to the entity.
pub(super) async fn owned(connection: &mut SqliteConnection, entity: &str, id: Uuid) -> Result<FileRecord> {
    let row = sqlx::query("SELECT * FROM files WHERE id = ? AND entity = ?")
        .bind(id.to_string())
        .bind(entity)
        .fetch_optional(connection)
        .await?;
    rows::file(&row.ok_or(StoreError::NotFound("file"))?)
}
