//! [`Keys`] in SQLite.

use async_trait::async_trait;
use uuid::Uuid;

use super::database::{SqliteMetadata, reading};
use super::sql::now;
use crate::store::metadata::{Keys, Result, StoreError};
use crate::store::records::{KeyLimits, KeyRecord, NewKey};
use crate::store::rows::{self, Columns};

#[async_trait]
impl Keys for SqliteMetadata {
    async fn create_key(&self, key: NewKey) -> Result<KeyRecord> {
        let row = sqlx::query(concat!(
            "INSERT INTO keys (id, entity, name, suffix, sha256, limits, created_at) VALUES (?, ?, ?, ?, ?, ?, ",
            now!(),
            ") RETURNING *"
        ))
        .bind(Uuid::now_v7().to_string())
        .bind(key.entity)
        .bind(key.name)
        .bind(key.suffix)
        .bind(key.sha256.to_vec())
        .bind(rows::json(&key.limits))
        .fetch_one(&self.writer)
        .await?;
        rows::key(&row)
    }

    async fn list_keys(&self, entity: Option<&str>) -> Result<Vec<KeyRecord>> {
        let rows = sqlx::query("SELECT * FROM keys WHERE ?1 IS NULL OR entity = ?1 ORDER BY sequence")
            .bind(entity)
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(rows::key).collect()
    }

    async fn revoke_key(&self, id: Uuid) -> Result<KeyRecord> {
        let row = sqlx::query(concat!(
            "UPDATE keys SET revoked_at = coalesce(revoked_at, ",
            now!(),
            ") WHERE id = ? RETURNING *"
        ))
        .bind(id.to_string())
        .fetch_optional(&self.writer)
        .await?;
        rows::key(&row.ok_or(StoreError::NotFound("key"))?)
    }

    async fn end_sessions(&self, id: Uuid) -> Result<KeyRecord> {
        let row = sqlx::query("UPDATE keys SET session_ends = session_ends + 1 WHERE id = ? RETURNING *")
            .bind(id.to_string())
            .fetch_optional(&self.writer)
            .await?;
        rows::key(&row.ok_or(StoreError::NotFound("key"))?)
    }

    async fn set_key_limits(&self, id: Uuid, limits: KeyLimits) -> Result<KeyRecord> {
        let row = sqlx::query("UPDATE keys SET limits = ? WHERE id = ? RETURNING *")
            .bind(rows::json(&limits))
            .bind(id.to_string())
            .fetch_optional(&self.writer)
            .await?;
        rows::key(&row.ok_or(StoreError::NotFound("key"))?)
    }

    async fn find_key_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<KeyRecord>> {
        reading!(self, |connection| {
            let row = sqlx::query("SELECT * FROM keys WHERE sha256 = ?")
                .bind(sha256.to_vec())
                .fetch_optional(connection)
                .await?;
            row.as_ref().map(rows::key).transpose()
        })
    }

    async fn get_key(&self, id: Uuid) -> Result<KeyRecord> {
        reading!(self, |connection| {
            let row =
                sqlx::query("SELECT * FROM keys WHERE id = ?").bind(id.to_string()).fetch_optional(connection).await?;
            rows::key(&row.ok_or(StoreError::NotFound("key"))?)
        })
    }

    async fn revoked_keys(&self, ids: &[Uuid]) -> Result<Vec<Uuid>> {
        let sql = "SELECT id FROM keys WHERE revoked_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))";
        let texts: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        reading!(self, |connection| {
            let rows = sqlx::query(sql).bind(rows::json(&texts)).fetch_all(connection).await?;
            rows.iter().map(|row| row.id("id")).collect()
        })
    }

    async fn touch_key(&self, id: Uuid) -> Result<()> {
        sqlx::query(concat!(
            "UPDATE keys SET last_used_at = ",
            now!(),
            " WHERE id = ? AND coalesce(last_used_at, 0) <= ",
            now!(),
            " - 60000"
        ))
        .bind(id.to_string())
        .execute(&self.writer)
        .await?;
        Ok(())
    }
}
