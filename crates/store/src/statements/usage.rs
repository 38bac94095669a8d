//! [`Usage`].

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Connection, Store, now, reading, writing};
use super::fetch::Fetch;
use super::sql::limit;
use crate::database_error::unknown_key;
use crate::metadata::{Result, Usage};
use crate::records::{DailyUsage, StoreVersion, UsageCount, UsageKey, UsageRecord};
use crate::rows;

/// SQL for adding to existing sums.
macro_rules! adding {
    () => {
        " ON CONFLICT (entity, day, project, model, key_id, job_id) DO UPDATE SET
             requests = usage.requests + excluded.requests,
             prompt_tokens = usage.prompt_tokens + excluded.prompt_tokens,
             completion_tokens = usage.completion_tokens + excluded.completion_tokens,
             trained_tokens = usage.trained_tokens + excluded.trained_tokens"
    };
}

#[async_trait]
impl Usage for Store {
    async fn add_usage(&self, usage: UsageKey, count: UsageCount) -> Result<()> {
        writing!(self, |connection| {
            let added = sqlx::query(concat!(
                "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens,
                     trained_tokens, day)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ",
                now!(),
                " / 86400000)",
                adding!()
            ))
            .bind(dialect::id(usage.key_id))
            .bind(&usage.entity)
            .bind(&usage.project)
            .bind(&usage.model)
            .bind(count.requests)
            .bind(count.prompt_tokens)
            .bind(count.completion_tokens)
            .bind(count.trained_tokens)
            .execute(connection)
            .await;
            added.map(drop).map_err(unknown_key)
        })
    }

    async fn list_usage(&self, entity: Option<&str>) -> Result<Vec<UsageRecord>> {
        reading!(self, |connection| {
            sqlx::query(
                "SELECT usage.key_id, usage.entity, usage.project, usage.model,
                     CAST(sum(requests) AS bigint) AS requests, CAST(sum(prompt_tokens) AS bigint) AS prompt_tokens,
                     CAST(sum(completion_tokens) AS bigint) AS completion_tokens,
                     CAST(sum(trained_tokens) AS bigint) AS trained_tokens,
                     keys.name AS key_name, keys.suffix AS key_suffix
                 FROM usage JOIN keys ON keys.id = usage.key_id WHERE $1 IS NULL OR usage.entity = $1
                 GROUP BY usage.entity, usage.project, usage.model, usage.key_id, keys.name, keys.suffix, keys.sequence
                 ORDER BY usage.entity, usage.project, usage.model, keys.sequence",
            )
            .bind(entity)
            .all(connection, rows::usage)
            .await
        })
    }

    async fn list_daily_usage(
        &self,
        entity: &str,
        days: RangeInclusive<i64>,
        project: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DailyUsage>> {
        if project.is_some_and(|project| !dialect::is_storable(project)) {
            return Ok(Vec::new());
        }
        reading!(self, |connection| {
            sqlx::query(concat!(
                "SELECT usage.day, usage.job_id, usage.key_id, usage.entity, usage.project, usage.model, requests,
                     prompt_tokens, completion_tokens, trained_tokens, keys.name AS key_name, keys.suffix AS key_suffix
                 FROM usage JOIN keys ON keys.id = usage.key_id
                 WHERE usage.entity = $1 AND usage.day BETWEEN $2 AND $3 AND ($4 IS NULL OR usage.project = $4)
                 ORDER BY usage.day, usage.project, usage.model, keys.sequence, usage.job_id",
                limit!("$5")
            ))
            .bind(entity)
            .bind(days.start())
            .bind(days.end())
            .bind(project)
            .bind(i64::from(limit))
            .all(connection, rows::daily_usage)
            .await
        })
    }

    async fn used_tokens(&self, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64> {
        reading!(self, |connection| {
            let tokens: i64 = sqlx::query_scalar(
                "SELECT CAST(coalesce(sum(prompt_tokens + completion_tokens + trained_tokens), 0) AS bigint) FROM usage
                 WHERE entity = $1 AND day >= $2 AND key_id = $3",
            )
            .bind(entity)
            .bind(first_day)
            .bind(dialect::id(key_id))
            .fetch_one(connection)
            .await?;
            Ok(tokens.unsigned_abs())
        })
    }

    async fn ping(&self) -> Result<Duration> {
        let begun = Instant::now();
        reading!(self, |connection| Ok(sqlx::query("SELECT 1").execute(connection).await?))?;
        self.check_writers()?;
        Ok(begun.elapsed())
    }

    fn version(&self) -> Option<StoreVersion> {
        self.version_of_contents()
    }

    async fn close(&self) {
        Self::close(self).await;
    }
}

/// Adds a job's trained tokens to the usage of the key that created it.
pub(super) async fn add_training(connection: &mut Connection, job_id: Uuid) -> Result<()> {
    sqlx::query(concat!(
        "INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens, trained_tokens,
             day, job_id)
         SELECT jobs.key_id, jobs.entity, models.project,
             'wandb-artifact:///' || jobs.entity || '/' || models.project || '/' || models.name, 0, 0, 0,
             jobs.trained_tokens, ",
        now!(),
        " / 86400000, CAST(jobs.id AS text)
         FROM jobs JOIN models ON models.id = jobs.model_id WHERE jobs.id = $1 AND jobs.key_id IS NOT NULL
             AND jobs.trained_tokens > 0",
        adding!()
    ))
    .bind(dialect::id(job_id))
    .execute(connection)
    .await?;
    Ok(())
}
