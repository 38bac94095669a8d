//! Sums of used tokens.

use super::SqliteMetadata;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{UsageCount, UsageKey, UsageRecord};
use crate::store::rows;

pub(super) async fn add(store: &SqliteMetadata, usage: UsageKey, count: UsageCount) -> Result<()> {
    let added = sqlx::query(
        "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (entity, project, model, key_id) DO UPDATE SET
             requests = requests + excluded.requests,
             prompt_tokens = prompt_tokens + excluded.prompt_tokens,
             completion_tokens = completion_tokens + excluded.completion_tokens",
    )
    .bind(usage.key_id.to_string())
    .bind(usage.entity)
    .bind(usage.project)
    .bind(usage.model)
    .bind(count.requests)
    .bind(count.prompt_tokens)
    .bind(count.completion_tokens)
    .execute(&store.writer)
    .await;
    match added {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(StoreError::NotFound("key")),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn list(store: &SqliteMetadata, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
    let rows = sqlx::query(
        "SELECT usage.*, keys.name AS key_name, keys.suffix AS key_suffix
         FROM usage JOIN keys ON keys.id = usage.key_id WHERE ?1 IS NULL OR usage.entity = ?1
         ORDER BY usage.entity, usage.project, usage.model, keys.sequence",
    )
    .bind(entity)
    .fetch_all(&store.readers)
    .await?;
    rows.iter().map(rows::usage).collect()
}
