//! [`Keys`].

use async_trait::async_trait;
use uuid::Uuid;

use super::columns;
use super::dialect::{self, Store, idempotent, items, now, reading, writing};
use super::fetch::Fetch;
use crate::metadata::{Keys, Result};
use crate::records::{KeyLimits, KeyRecord, NewKey};
use crate::rows;

#[async_trait]
impl Keys for Store {
    async fn create_key(&self, key: NewKey) -> Result<KeyRecord> {
        writing!(self, |connection| {
            sqlx::query(concat!(
                "INSERT INTO keys (id, entity, name, suffix, sha256, limits, is_admin, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, ",
                now!(),
                ") RETURNING ",
                columns::keys!()
            ))
            .bind(dialect::id(Uuid::now_v7()))
            .bind(&key.entity)
            .bind(&key.name)
            .bind(&key.suffix)
            .bind(&key.sha256[..])
            .bind(rows::json(&key.limits))
            .bind(i64::from(key.is_admin))
            .one(connection, rows::key)
            .await
        })
    }

    async fn list_keys(&self, entity: Option<&str>) -> Result<Vec<KeyRecord>> {
        reading!(self, |connection| {
            sqlx::query(columns::select!(keys, "$1 IS NULL OR entity = $1 ORDER BY sequence"))
                .bind(entity)
                .all(connection, rows::key)
                .await
        })
    }

    async fn revoke_key(&self, id: Uuid) -> Result<KeyRecord> {
        idempotent!(self, |connection| {
            sqlx::query(concat!(
                "UPDATE keys SET revoked_at = coalesce(revoked_at, ",
                now!(),
                ") WHERE id = $1 RETURNING ",
                columns::keys!()
            ))
            .bind(dialect::id(id))
            .existing("key", connection, rows::key)
            .await
        })
    }

    async fn end_sessions(&self, id: Uuid) -> Result<KeyRecord> {
        writing!(self, |connection| {
            sqlx::query(concat!(
                "UPDATE keys SET session_ends = session_ends + 1 WHERE id = $1 RETURNING ",
                columns::keys!()
            ))
            .bind(dialect::id(id))
            .existing("key", connection, rows::key)
            .await
        })
    }

    async fn set_key_limits(&self, id: Uuid, limits: KeyLimits) -> Result<KeyRecord> {
        writing!(self, |connection| {
            sqlx::query(concat!("UPDATE keys SET limits = $1 WHERE id = $2 RETURNING ", columns::keys!()))
                .bind(rows::json(&limits))
                .bind(dialect::id(id))
                .existing("key", connection, rows::key)
                .await
        })
    }

    async fn find_key_by_hash(&self, sha256: &[u8; 32]) -> Result<Option<KeyRecord>> {
        reading!(self, |connection| {
            sqlx::query(columns::select!(keys, "sha256 = $1")).bind(&sha256[..]).optional(connection, rows::key).await
        })
    }

    async fn get_key(&self, id: Uuid) -> Result<KeyRecord> {
        reading!(self, |connection| {
            sqlx::query(columns::select!(keys, "id = $1"))
                .bind(dialect::id(id))
                .existing("key", connection, rows::key)
                .await
        })
    }

    async fn revoked_keys(&self, ids: &[Uuid]) -> Result<Vec<Uuid>> {
        reading!(self, |connection| {
            sqlx::query(concat!("SELECT id FROM keys WHERE revoked_at IS NOT NULL AND id IN ", items!("$1")))
                .bind(dialect::list(ids))
                .all(connection, rows::id)
                .await
        })
    }

    async fn touch_key(&self, id: Uuid) -> Result<()> {
        idempotent!(self, |connection| {
            sqlx::query(concat!(
                "UPDATE keys SET last_used_at = ",
                now!(),
                " WHERE id = $1 AND coalesce(last_used_at, 0) <= ",
                now!(),
                " - 60000"
            ))
            .bind(dialect::id(id))
            .execute(connection)
            .await?;
            Ok(())
        })
    }
}
