//! [`Usage`] in SQLite.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::database::{SqliteMetadata, reading};
use super::sql::{limit, now};
use crate::store::database_error::unknown_key;
use crate::store::metadata::{Result, StoreError, Usage};
use crate::store::records::{DailyUsage, StoreVersion, UsageCount, UsageKey, UsageRecord};
use crate::store::rows;

/// SQL for adding to existing sums.
macro_rules! adding {
    () => {
        " ON CONFLICT (entity, day, project, model, key_id, job_id) DO UPDATE SET
             requests = requests + excluded.requests,
             prompt_tokens = prompt_tokens + excluded.prompt_tokens,
             completion_tokens = completion_tokens + excluded.completion_tokens,
             trained_tokens = trained_tokens + excluded.trained_tokens"
    };
}

#[async_trait]
impl Usage for SqliteMetadata {
    async fn add_usage(&self, usage: UsageKey, count: UsageCount) -> Result<()> {
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
        .execute(&self.writer)
        .await;
        added.map(drop).map_err(unknown_key)
    }

    async fn list_usage(&self, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
        let rows = sqlx::query(
            "SELECT key_id, usage.entity, project, model, sum(requests) AS requests, sum(prompt_tokens) AS prompt_tokens,
                 sum(completion_tokens) AS completion_tokens, sum(trained_tokens) AS trained_tokens,
                 keys.name AS key_name, keys.suffix AS key_suffix
             FROM usage JOIN keys ON keys.id = usage.key_id WHERE ?1 IS NULL OR usage.entity = ?1
             GROUP BY usage.entity, project, model, key_id
             ORDER BY usage.entity, project, model, keys.sequence",
        )
        .bind(entity)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(rows::usage).collect()
    }

    async fn list_daily_usage(
        &self,
        entity: &str,
        days: RangeInclusive<i64>,
        project: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DailyUsage>> {
        reading!(self, |connection| {
            let rows = sqlx::query(concat!(
                "SELECT usage.*, keys.name AS key_name, keys.suffix AS key_suffix
                 FROM usage JOIN keys ON keys.id = usage.key_id
                 WHERE usage.entity = ?1 AND day BETWEEN ?2 AND ?3 AND (?4 IS NULL OR project = ?4)
                 ORDER BY day, project, model, keys.sequence, job_id",
                limit!("?5")
            ))
            .bind(entity)
            .bind(days.start())
            .bind(days.end())
            .bind(project)
            .bind(limit)
            .fetch_all(connection)
            .await?;
            rows.iter().map(rows::daily_usage).collect()
        })
    }

    async fn used_tokens(&self, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64> {
        reading!(self, |connection| {
            let tokens: i64 = sqlx::query_scalar(
                "SELECT coalesce(sum(prompt_tokens + completion_tokens + trained_tokens), 0) FROM usage
                 WHERE entity = ? AND day >= ? AND key_id = ?",
            )
            .bind(entity)
            .bind(first_day)
            .bind(key_id.to_string())
            .fetch_one(connection)
            .await?;
            Ok(tokens.unsigned_abs())
        })
    }

    async fn ping(&self) -> Result<Duration> {
        let begun = Instant::now();
        sqlx::query("SELECT 1").execute(&self.readers).await?;
        if let Some(frozen) = self.lock_owner.frozen() {
            return Err(StoreError::Frozen(frozen.to_string()));
        }
        Ok(begun.elapsed())
    }

    fn version(&self) -> Option<StoreVersion> {
        self.shared_memory.version()
    }

    async fn close(&self) {
        Self::close(self).await;
    }
}

/// Adds a job's trained tokens to the usage of the key that created it.
pub(super) async fn add_training(connection: &mut SqliteConnection, job_id: Uuid) -> Result<()> {
    sqlx::query(concat!(
        "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens,
             day, job_id)
         SELECT key_id, jobs.entity, project, 'wandb-artifact:///' || jobs.entity || '/' || project || '/' || name,
             0, 0, 0, jobs.trained_tokens, ",
        now!(),
        " / 86400000, jobs.id
         FROM jobs JOIN models ON models.id = jobs.model_id WHERE jobs.id = ? AND key_id IS NOT NULL
             AND jobs.trained_tokens > 0",
        adding!()
    ))
    .bind(job_id.to_string())
    .execute(connection)
    .await?;
    Ok(())
}
