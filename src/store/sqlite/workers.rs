//! [`Workers`] in SQLite.

use async_trait::async_trait;

use super::database::SqliteMetadata;
use super::sql::now;
use crate::store::metadata::{Result, Workers};
use crate::store::records::{WorkerRecord, WorkerReport, trainers_json};
use crate::store::{rows, rules};

#[async_trait]
impl Workers for SqliteMetadata {
    async fn report_worker(&self, worker: &WorkerReport) -> Result<()> {
        let mut transaction = self.write().await?;
        sqlx::query(concat!(
            "INSERT INTO workers (name, host, version, trainers, started_at, reported_at)
             VALUES (?1, ?2, ?3, ?4, ",
            now!(),
            ", ",
            now!(),
            ") ON CONFLICT (name) DO UPDATE SET reported_at = excluded.reported_at, trainers = excluded.trainers"
        ))
        .bind(&worker.name)
        .bind(&worker.host)
        .bind(&worker.version)
        .bind(trainers_json(&worker.trainers))
        .execute(&mut *transaction)
        .await?;
        sqlx::query(concat!("DELETE FROM workers WHERE reported_at < ", now!(), " - ?"))
            .bind(rules::WORKER_LIFE)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn remove_worker(&self, name: &str) -> Result<()> {
        sqlx::query("DELETE FROM workers WHERE name = ?").bind(name).execute(&self.writer).await?;
        Ok(())
    }

    async fn list_workers(&self) -> Result<Vec<WorkerRecord>> {
        let mut transaction = self.read().await?;
        let workers = sqlx::query(concat!(
            "SELECT *, reported_at > ",
            now!(),
            " - ?1 AS is_alive FROM workers WHERE reported_at > ",
            now!(),
            " - ?2 ORDER BY started_at, name"
        ))
        .bind(rules::WORKER_SILENCE)
        .bind(rules::WORKER_LIFE)
        .fetch_all(&mut *transaction)
        .await?;
        let jobs = "SELECT id, entity, lease_owner FROM jobs WHERE status = 'running' ORDER BY sequence";
        rows::workers(&workers, &sqlx::query(jobs).fetch_all(&mut *transaction).await?)
    }
}
