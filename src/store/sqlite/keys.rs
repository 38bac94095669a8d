//! Keys.

use uuid::Uuid;

use super::{SqliteMetadata, now};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{KeyLimits, KeyRecord, NewKey};
use crate::store::rows;

pub(super) async fn create(store: &SqliteMetadata, key: NewKey) -> Result<KeyRecord> {
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
    .fetch_one(&store.writer)
    .await?;
    rows::key(&row)
}

pub(super) async fn list(store: &SqliteMetadata, entity: Option<&str>) -> Result<Vec<KeyRecord>> {
    let rows = sqlx::query("SELECT * FROM keys WHERE ?1 IS NULL OR entity = ?1 ORDER BY sequence")
        .bind(entity)
        .fetch_all(&store.readers)
        .await?;
    rows.iter().map(rows::key).collect()
}

pub(super) async fn revoke(store: &SqliteMetadata, id: Uuid) -> Result<KeyRecord> {
    let row = sqlx::query(concat!(
        "UPDATE keys SET revoked_at = coalesce(revoked_at, ",
        now!(),
        ") WHERE id = ? RETURNING *"
    ))
    .bind(id.to_string())
    .fetch_optional(&store.writer)
    .await?;
    rows::key(&row.ok_or(StoreError::NotFound("key"))?)
}

pub(super) async fn set_limits(store: &SqliteMetadata, id: Uuid, limits: KeyLimits) -> Result<KeyRecord> {
    let row = sqlx::query("UPDATE keys SET limits = ? WHERE id = ? RETURNING *")
        .bind(rows::json(&limits))
        .bind(id.to_string())
        .fetch_optional(&store.writer)
        .await?;
    rows::key(&row.ok_or(StoreError::NotFound("key"))?)
}

pub(super) async fn find_by_hash(store: &SqliteMetadata, sha256: &[u8; 32]) -> Result<Option<KeyRecord>> {
    let row =
        sqlx::query("SELECT * FROM keys WHERE sha256 = ?").bind(sha256.to_vec()).fetch_optional(&store.readers).await?;
    row.as_ref().map(rows::key).transpose()
}

pub(super) async fn get(store: &SqliteMetadata, id: Uuid) -> Result<KeyRecord> {
    let row =
        sqlx::query("SELECT * FROM keys WHERE id = ?").bind(id.to_string()).fetch_optional(&store.readers).await?;
    rows::key(&row.ok_or(StoreError::NotFound("key"))?)
}

pub(super) async fn touch(store: &SqliteMetadata, id: Uuid) -> Result<()> {
    sqlx::query(concat!(
        "UPDATE keys SET last_used_at = ",
        now!(),
        " WHERE id = ? AND coalesce(last_used_at, 0) <= ",
        now!(),
        " - 60000"
    ))
    .bind(id.to_string())
    .execute(&store.writer)
    .await?;
    Ok(())
}
