//! Sums of used tokens.

use std::ops::RangeInclusive;

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::owned_jobs::trained_tokens;
use super::{SqliteMetadata, now};
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{DailyUsage, UsageCount, UsageKey, UsageRecord};
use crate::store::rows;

/// SQL for adding to the sums that are there.
macro_rules! adding {
    () => {
        " ON CONFLICT (entity, day, project, model, key_id, job_id) DO UPDATE SET
             requests = requests + excluded.requests,
             prompt_tokens = prompt_tokens + excluded.prompt_tokens,
             completion_tokens = completion_tokens + excluded.completion_tokens,
             trained_tokens = trained_tokens + excluded.trained_tokens"
    };
}

pub(super) async fn add(store: &SqliteMetadata, usage: UsageKey, count: UsageCount) -> Result<()> {
    let added = sqlx::query(concat!(
        "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens,
         day) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ",
        now!(),
        " / 86400000)",
        adding!()
    ))
    .bind(usage.key_id.to_string())
    .bind(usage.entity)
    .bind(usage.project)
    .bind(usage.model)
    .bind(count.requests)
    .bind(count.prompt_tokens)
    .bind(count.completion_tokens)
    .bind(count.trained_tokens)
    .execute(&store.writer)
    .await;
    match added {
        Ok(_) => Ok(()),
        Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => Err(StoreError::NotFound("key")),
        Err(error) => Err(error.into()),
    }
}

/// Counts what a job trained on for the key that created it.
pub(super) async fn add_training(connection: &mut SqliteConnection, job_id: Uuid) -> Result<()> {
    sqlx::query(concat!(
        "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens,
             day, job_id)
         SELECT key_id, jobs.entity, project, 'wandb-artifact:///' || jobs.entity || '/' || project || '/' || name,
             0, 0, 0, ",
        trained_tokens!(),
        ", ",
        now!(),
        " / 86400000, jobs.id
         FROM jobs JOIN models ON models.id = jobs.model_id WHERE jobs.id = ? AND key_id IS NOT NULL AND ",
        trained_tokens!(),
        " > 0",
        adding!()
    ))
    .bind(job_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn used_tokens(store: &SqliteMetadata, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64> {
    let tokens: i64 = sqlx::query_scalar(
        "SELECT coalesce(sum(prompt_tokens + completion_tokens + trained_tokens), 0) FROM usage
         WHERE entity = ? AND day >= ? AND key_id = ?",
    )
    .bind(entity)
    .bind(first_day)
    .bind(key_id.to_string())
    .fetch_one(&store.readers)
    .await?;
    Ok(tokens.unsigned_abs())
}

pub(super) async fn list(store: &SqliteMetadata, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
    let rows = sqlx::query(
        "SELECT key_id, usage.entity, project, model, sum(requests) AS requests, sum(prompt_tokens) AS prompt_tokens,
             sum(completion_tokens) AS completion_tokens, sum(trained_tokens) AS trained_tokens,
             keys.name AS key_name, keys.suffix AS key_suffix
         FROM usage JOIN keys ON keys.id = usage.key_id WHERE ?1 IS NULL OR usage.entity = ?1
         GROUP BY usage.entity, project, model, key_id
         ORDER BY usage.entity, project, model, keys.sequence",
    )
    .bind(entity)
    .fetch_all(&store.readers)
    .await?;
    rows.iter().map(rows::usage).collect()
}

pub(super) async fn list_daily(
    store: &SqliteMetadata,
    entity: &str,
    days: RangeInclusive<i64>,
    project: Option<&str>,
    limit: u32,
) -> Result<Vec<DailyUsage>> {
    let rows = sqlx::query(
        "SELECT usage.*, keys.name AS key_name, keys.suffix AS key_suffix
         FROM usage JOIN keys ON keys.id = usage.key_id
         WHERE usage.entity = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR project = ?4)
         ORDER BY day, project, model, keys.sequence, job_id LIMIT ?5",
    )
    .bind(entity)
    .bind(days.start())
    .bind(days.end())
    .bind(project)
    .bind(limit)
    .fetch_all(&store.readers)
    .await?;
    rows.iter().map(rows::daily_usage).collect()
}
