//! [`Batches`].

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::dialect::{self, Connection, Store, idempotent, lock, locking, now, reading, writing};
use super::fetch::Fetch;
use super::paging::listing;
use super::sql::limit;
use super::{columns, files, idempotency, references};
use crate::artifacts::ArtifactId;
use crate::metadata::{Batches, MAX_UNFINISHED_BATCHES, Result, StoreError};
use crate::records::{
    BatchEnd, BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, IdempotentResult, Lease, NewBatch, Page,
    PageRequest,
};
use crate::rows::{self, Columns};
use crate::rules;

/// SQL for the condition that no process holds a batch. A deadline far away was written before the clock was set back.
macro_rules! is_free {
    () => {
        concat!("ended_at IS NULL AND (lease_deadline <= ", now!(), " OR lease_deadline > ", now!(), " + 600000)")
    };
}

/// SQL for the condition that a lease is held. $1: the batch. $2: the token.
macro_rules! is_held {
    () => {
        "id = $1 AND lease_token = $2 AND lease_owner IS NOT NULL AND ended_at IS NULL"
    };
}

#[async_trait]
impl Batches for Store {
    async fn create_batch(&self, batch: NewBatch) -> Result<BatchRecord> {
        writing!(self, |connection| {
            if let Some(done) = idempotency::find_alone(connection, &batch.entity, batch.request.as_ref()).await? {
                return owned(connection, &batch.entity, done.object_id()).await;
            }
            // Serializes the creations of an entity: each counts those before it.
            lock!(connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 6))", &batch.entity);
            let unfinished: i64 =
                sqlx::query_scalar("SELECT count(*) FROM batches WHERE entity = $1 AND ended_at IS NULL")
                    .bind(&batch.entity)
                    .fetch_one(&mut *connection)
                    .await?;
            if unfinished >= MAX_UNFINISHED_BATCHES {
                return Err(StoreError::TooManyBatches { limit: MAX_UNFINISHED_BATCHES });
            }
            let file = files::lock_owned(connection, &batch.entity, batch.input_file).await?;
            let record = sqlx::query(concat!(
                "INSERT INTO batches (id, entity, key_id, project, endpoint, input_file, input_artifact, metadata,
                     output_life, total, status, created_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, 'validating', ",
                now!(),
                ", ",
                now!(),
                " + $10) RETURNING ",
                columns::batches!()
            ))
            .bind(dialect::id(batch.id))
            .bind(&batch.entity)
            .bind(dialect::id(batch.key_id))
            .bind(&batch.project)
            .bind(&batch.endpoint)
            .bind(dialect::id(batch.input_file))
            .bind(file.artifact.to_string())
            .bind(batch.metadata.as_ref().map(rows::json))
            .bind(batch.output_life)
            .bind(batch.window)
            .bind(batch.total)
            .one(connection, rows::batch)
            .await?;
            let result = IdempotentResult::Batch(record.id);
            idempotency::record(connection, &batch.entity, batch.request.as_ref(), result).await?;
            Ok(record)
        })
    }

    async fn get_batch(&self, entity: &str, id: Uuid) -> Result<BatchRecord> {
        reading!(self, |connection| owned(connection, entity, id).await)
    }

    async fn list_batches(&self, entity: &str, request: PageRequest) -> Result<Page<BatchRecord>> {
        let listing = listing! {
            position: "SELECT sequence FROM batches WHERE entity = $1 AND id = $2",
            rows: columns::batches!(), columns::select!(batches, "entity = $1");
            order: "sequence", "$2", "$3";
            read: rows::batch,
        };
        reading!(self, |connection| listing.page(connection, entity.into(), &[], request).await)
    }

    async fn cancel_batch(&self, entity: &str, id: Uuid) -> Result<BatchRecord> {
        writing!(self, |connection| {
            // Its process's writes wait for this lock.
            lock!(
                connection,
                "SELECT 1 FROM batches WHERE id = $1 AND entity = $2 FOR UPDATE",
                dialect::id(id),
                entity
            );
            let batch = owned(connection, entity, id).await?;
            match batch.status {
                BatchStatus::Cancelling | BatchStatus::Cancelled => return Ok(batch),
                BatchStatus::Validating | BatchStatus::InProgress => {}
                ended => {
                    let message = format!("the batch cannot be cancelled any more: its status is {}", ended.as_str());
                    return Err(StoreError::Conflict(message));
                }
            }
            sqlx::query(concat!(
                "UPDATE batches SET status = 'cancelling', cancelling_at = ",
                now!(),
                " WHERE id = $1 RETURNING ",
                columns::batches!()
            ))
            .bind(dialect::id(id))
            .one(connection, rows::batch)
            .await
        })
    }

    async fn delete_batch(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>> {
        writing!(self, |connection| {
            lock!(
                connection,
                "SELECT 1 FROM batches WHERE id = $1 AND entity = $2 FOR UPDATE",
                dialect::id(id),
                entity
            );
            let batch = owned(connection, entity, id).await?;
            if !batch.status.is_final() {
                let message =
                    format!("the batch cannot be deleted: its status is {}; cancel it first", batch.status.as_str());
                return Err(StoreError::Conflict(message));
            }
            let mut content = Vec::new();
            for file in [batch.output_file, batch.error_file].into_iter().flatten() {
                content.extend(files::remove(connection, entity, file).await?);
            }
            sqlx::query("DELETE FROM batches WHERE id = $1").bind(dialect::id(id)).execute(&mut *connection).await?;
            references::unreferenced(connection, &rules::distinct(content)).await
        })
    }

    async fn claim_batch(&self, owner: &str, time_to_live: Duration) -> Result<Option<ClaimedBatch>> {
        // Reads first: an idle process asks often, and a read takes no lock.
        let waiting: bool = reading!(self, |connection| {
            let waiting = sqlx::query_scalar(concat!("SELECT EXISTS (SELECT 1 FROM batches WHERE ", is_free!(), ")"));
            Ok(waiting.fetch_one(connection).await?)
        })?;
        if !waiting {
            return Ok(None);
        }
        writing!(self, |connection| {
            let claimed = sqlx::query(concat!(
                "UPDATE batches SET lease_owner = $1, lease_token = lease_token + 1, lease_deadline = ",
                now!(),
                " + $2 WHERE sequence = (SELECT candidate.sequence FROM batches AS candidate WHERE ",
                is_free!(),
                " ORDER BY (SELECT count(*) FROM batches AS held WHERE held.entity = candidate.entity
                     AND held.ended_at IS NULL AND held.lease_deadline > ",
                now!(),
                "), candidate.sequence LIMIT 1",
                locking!("FOR UPDATE OF candidate SKIP LOCKED"),
                ") RETURNING lease_token, ",
                columns::batches!()
            ));
            claimed.bind(owner).bind(rules::milliseconds(time_to_live)).optional(connection, rows::claimed_batch).await
        })
    }

    async fn renew_batch(&self, lease: &Lease, time_to_live: Duration) -> Result<BatchStatus> {
        idempotent!(self, |connection| {
            let renewed = sqlx::query(concat!(
                "UPDATE batches SET lease_deadline = ",
                now!(),
                " + $3 WHERE ",
                is_held!(),
                " RETURNING status"
            ));
            held(renewed, lease, |query| query.bind(rules::milliseconds(time_to_live)), connection).await
        })
    }

    async fn release_batch(&self, lease: &Lease) -> Result<()> {
        idempotent!(self, |connection| {
            let released = sqlx::query(concat!(
                "UPDATE batches SET lease_owner = NULL, lease_deadline = 0 WHERE ",
                is_held!(),
                " RETURNING status"
            ));
            held(released, lease, |query| query, connection).await.map(drop)
        })
    }

    async fn start_batch(&self, lease: &Lease, total: i64) -> Result<BatchStatus> {
        writing!(self, |connection| {
            let started = sqlx::query(concat!(
                "UPDATE batches SET status = CASE WHEN status = 'validating' THEN 'in_progress' ELSE status END,
                     in_progress_at = coalesce(in_progress_at, ",
                now!(),
                "), total = $3 WHERE ",
                is_held!(),
                " RETURNING status"
            ));
            held(started, lease, |query| query.bind(total), connection).await
        })
    }

    async fn recorded_batch_lines(&self, lease: &Lease) -> Result<Vec<i64>> {
        reading!(self, |connection| {
            sqlx::query("SELECT line FROM batch_lines WHERE batch_id = $1 ORDER BY line")
                .bind(dialect::id(lease.job_id))
                .all(connection, |row| row.integer("line"))
                .await
        })
    }

    async fn record_batch_line(&self, lease: &Lease, line: BatchLine, usage: BatchUsage) -> Result<bool> {
        writing!(self, |connection| {
            lock_held(connection, lease).await?;
            let inserted = sqlx::query(
                "INSERT INTO batch_lines (batch_id, line, is_failed, text) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (batch_id, line) DO NOTHING",
            )
            .bind(dialect::id(lease.job_id))
            .bind(line.line)
            .bind(i64::from(line.is_failed))
            .bind(&*dialect::storable(&line.text))
            .execute(&mut *connection)
            .await?;
            if inserted.rows_affected() == 0 {
                return Ok(false);
            }
            sqlx::query(
                "UPDATE batches SET completed = completed + $2, failed = failed + $3, input_tokens = input_tokens + $4,
                     cached_tokens = cached_tokens + $5, output_tokens = output_tokens + $6,
                     reasoning_tokens = reasoning_tokens + $7 WHERE id = $1",
            )
            .bind(dialect::id(lease.job_id))
            .bind(i64::from(!line.is_failed))
            .bind(i64::from(line.is_failed))
            .bind(usage.input)
            .bind(usage.cached)
            .bind(usage.output)
            .bind(usage.reasoning)
            .execute(connection)
            .await?;
            Ok(true)
        })
    }

    async fn finalize_batch(&self, lease: &Lease) -> Result<BatchStatus> {
        writing!(self, |connection| {
            let finalized = sqlx::query(concat!(
                "UPDATE batches SET status = CASE WHEN status = 'cancelling' THEN status ELSE 'finalizing' END,
                     finalizing_at = coalesce(finalizing_at, ",
                now!(),
                ") WHERE ",
                is_held!(),
                " RETURNING status"
            ));
            held(finalized, lease, |query| query, connection).await
        })
    }

    async fn read_batch_lines(&self, lease: &Lease, is_failed: bool, after: i64, limit: u32) -> Result<Vec<BatchLine>> {
        reading!(self, |connection| {
            sqlx::query(concat!(
                "SELECT line, is_failed, text FROM batch_lines WHERE batch_id = $1 AND is_failed = $2 AND line > $3
                 ORDER BY line",
                limit!("$4")
            ))
            .bind(dialect::id(lease.job_id))
            .bind(i64::from(is_failed))
            .bind(after)
            .bind(i64::from(limit))
            .all(connection, rows::batch_line)
            .await
        })
    }

    async fn end_batch(&self, lease: &Lease, end: BatchEnd) -> Result<BatchRecord> {
        writing!(self, |connection| {
            lock_held(connection, lease).await?;
            for file in [&end.output, &end.failures].into_iter().flatten() {
                files::insert(connection, file).await?;
            }
            sqlx::query("DELETE FROM batch_lines WHERE batch_id = $1")
                .bind(dialect::id(lease.job_id))
                .execute(&mut *connection)
                .await?;
            let errors = (!end.errors.is_empty()).then(|| rows::json(&end.errors));
            sqlx::query(concat!(
                "UPDATE batches SET status = $2, errors = $3, output_file = $4, error_file = $5,
                     lease_owner = NULL, lease_deadline = 0, ended_at = ",
                now!(),
                " WHERE id = $1 RETURNING ",
                columns::batches!()
            ))
            .bind(dialect::id(lease.job_id))
            .bind(end.status.as_str())
            .bind(errors)
            .bind(end.output.as_ref().map(|file| dialect::id(file.id)))
            .bind(end.failures.as_ref().map(|file| dialect::id(file.id)))
            .one(connection, rows::batch)
            .await
        })
    }
}

/// A statement with parameters.
type Query<'q> = sqlx::query::Query<'q, dialect::Database, dialect::Arguments>;

/// Runs a statement on the batch of a lease, and returns the batch's status.
///
/// # Errors
/// [`StoreError::LeaseLost`] if the statement finds no batch.
async fn held<'q>(
    statement: Query<'q>,
    lease: &Lease,
    bind: impl FnOnce(Query<'q>) -> Query<'q>,
    connection: &mut Connection,
) -> Result<BatchStatus> {
    let bound = bind(statement.bind(dialect::id(lease.job_id)).bind(lease.token));
    bound.optional(connection, rows::batch_status).await?.ok_or(StoreError::LeaseLost(*lease))
}

/// Locks the batch of a lease until the transaction ends.
async fn lock_held(connection: &mut Connection, lease: &Lease) -> Result<()> {
    let locked = sqlx::query(concat!("SELECT status FROM batches WHERE ", is_held!(), locking!("FOR NO KEY UPDATE")));
    held(locked, lease, |query| query, connection).await.map(drop)
}

async fn owned(connection: &mut Connection, entity: &str, id: Uuid) -> Result<BatchRecord> {
    sqlx::query(columns::select!(batches, "id = $1 AND entity = $2"))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("batch", connection, rows::batch)
        .await
}
