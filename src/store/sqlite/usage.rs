//! Sums of used tokens.

use sqlx::Row;

use super::{SqliteMetadata, rows};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{UsageCount, UsageKey, UsageRecord};

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
    rows.iter()
        .map(|row| {
            Ok(UsageRecord {
                usage: UsageKey {
                    key_id: rows::id(row, "key_id")?,
                    entity: row.try_get("entity")?,
                    project: row.try_get("project")?,
                    model: row.try_get("model")?,
                },
                key_name: row.try_get("key_name")?,
                key_suffix: row.try_get("key_suffix")?,
                count: UsageCount {
                    requests: row.try_get("requests")?,
                    prompt_tokens: row.try_get("prompt_tokens")?,
                    completion_tokens: row.try_get("completion_tokens")?,
                },
            })
        })
        .collect()
}
