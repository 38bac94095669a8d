//! Sums of used tokens.

use super::PostgresMetadata;
use super::transactions::{statement, writing};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{UsageCount, UsageKey, UsageRecord};
use crate::store::rows;

pub(super) async fn add(store: &PostgresMetadata, usage: UsageKey, count: UsageCount) -> Result<()> {
    writing!(store, |connection| {
        let added = sqlx::query(
            "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (entity, project, model, key_id) DO UPDATE SET
                 requests = usage.requests + excluded.requests,
                 prompt_tokens = usage.prompt_tokens + excluded.prompt_tokens,
                 completion_tokens = usage.completion_tokens + excluded.completion_tokens",
        )
        .bind(usage.key_id)
        .bind(&usage.entity)
        .bind(&usage.project)
        .bind(&usage.model)
        .bind(count.requests)
        .bind(count.prompt_tokens)
        .bind(count.completion_tokens)
        .execute(connection)
        .await;
        match added {
            Ok(_) => Ok(()),
            Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(StoreError::NotFound("key")),
            Err(error) => Err(error.into()),
        }
    })
}

pub(super) async fn list(store: &PostgresMetadata, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
    statement!(store, |connection| {
        let rows = sqlx::query(
            "SELECT usage.key_id, usage.entity, usage.project, usage.model, usage.requests, usage.prompt_tokens,
                 usage.completion_tokens, keys.name AS key_name, keys.suffix AS key_suffix
             FROM usage JOIN keys ON keys.id = usage.key_id WHERE $1::text IS NULL OR usage.entity = $1
             ORDER BY usage.entity, usage.project, usage.model, keys.sequence",
        )
        .bind(entity)
        .fetch_all(connection)
        .await?;
        rows.iter().map(rows::usage).collect()
    })
}
