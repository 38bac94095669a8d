//! [`Workers`].

use async_trait::async_trait;

use super::dialect::{Store, idempotent, now, snapshot, writing};
use crate::metadata::{Result, Workers};
use crate::records::{WorkerRecord, WorkerReport, trainers_json};
use crate::{rows, rules};

#[async_trait]
impl Workers for Store {
    async fn report_worker(&self, worker: &WorkerReport) -> Result<()> {
        writing!(self, |connection| {
            sqlx::query(concat!(
                "INSERT INTO workers (name, host, version, trainers, started_at, reported_at)
                 VALUES ($1, $2, $3, $4, ",
                now!(),
                ", ",
                now!(),
                ") ON CONFLICT (name) DO UPDATE SET reported_at = excluded.reported_at, trainers = excluded.trainers"
            ))
            .bind(&worker.name)
            .bind(&worker.host)
            .bind(&worker.version)
            .bind(trainers_json(&worker.trainers))
            .execute(&mut *connection)
            .await?;
            sqlx::query(concat!("DELETE FROM workers WHERE reported_at < ", now!(), " - $1"))
                .bind(rules::WORKER_LIFE)
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    async fn remove_worker(&self, name: &str) -> Result<()> {
        idempotent!(self, |connection| {
            sqlx::query("DELETE FROM workers WHERE name = $1").bind(name).execute(connection).await?;
            Ok(())
        })
    }

    async fn list_workers(&self) -> Result<Vec<WorkerRecord>> {
        snapshot!(self, |connection| {
            let workers = sqlx::query(concat!(
                "SELECT name, host, version, trainers, started_at, reported_at, CASE WHEN reported_at > ",
                now!(),
                " - $1 THEN CAST(1 AS bigint) ELSE 0 END AS is_alive FROM workers WHERE reported_at > ",
                now!(),
                " - $2 ORDER BY started_at, name"
            ))
            .bind(rules::WORKER_SILENCE)
            .bind(rules::WORKER_LIFE)
            .fetch_all(&mut *connection)
            .await?;
            let jobs = "SELECT id, entity, lease_owner FROM jobs WHERE status = 'running' ORDER BY sequence";
            rows::workers(&workers, &sqlx::query(jobs).fetch_all(connection).await?)
        })
    }
}
