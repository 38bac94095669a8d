//! [`Idempotency`].

use async_trait::async_trait;

use super::dialect::{self, Connection, Store, lock, locking, now, reading};
use crate::metadata::{IDEMPOTENT_RESULT_LIFE, Idempotency, Result};
use crate::records::{IdempotentRequest, IdempotentResult};
use crate::rows;

#[async_trait]
impl Idempotency for Store {
    async fn find_idempotent_result(
        &self,
        entity: &str,
        request: &IdempotentRequest,
    ) -> Result<Option<IdempotentResult>> {
        reading!(self, |connection| find(connection, entity, request).await)
    }
}

/// Finds the recorded result of the request.
async fn find(
    connection: &mut Connection,
    entity: &str,
    request: &IdempotentRequest,
) -> Result<Option<IdempotentResult>> {
    let row = sqlx::query(concat!(
        "SELECT request_sha256, outcome, object_id FROM idempotent_results
         WHERE entity = $1 AND key = $2 AND created_at > ",
        now!(),
        " - $3"
    ))
    .bind(entity)
    .bind(&request.key)
    .bind(IDEMPOTENT_RESULT_LIFE)
    .fetch_optional(connection)
    .await?;
    row.map(|row| rows::idempotent_result(&row, request)).transpose()
}

/// Finds the recorded result as [`find`] does, and locks the request until the transaction ends: transactions of the
/// same request run one after the other.
pub(super) async fn find_alone(
    connection: &mut Connection,
    entity: &str,
    request: Option<&IdempotentRequest>,
) -> Result<Option<IdempotentResult>> {
    let Some(request) = request else { return Ok(None) };
    lock!(
        connection,
        "SELECT pg_advisory_xact_lock(hashtextextended($2, hashtextextended($1, 1)))",
        entity,
        &request.key
    );
    find(connection, entity, request).await
}

/// Records the request's result, and deletes some results older than [`IDEMPOTENT_RESULT_LIFE`].
pub(super) async fn record(
    connection: &mut Connection,
    entity: &str,
    request: Option<&IdempotentRequest>,
    result: IdempotentResult,
) -> Result<()> {
    let Some(request) = request else { return Ok(()) };
    sqlx::query(concat!(
        "DELETE FROM idempotent_results WHERE (entity, key) IN (
             SELECT entity, key FROM idempotent_results WHERE created_at <= ",
        now!(),
        " - $1 ORDER BY created_at LIMIT 100",
        locking!("FOR UPDATE SKIP LOCKED"),
        ")"
    ))
    .bind(IDEMPOTENT_RESULT_LIFE)
    .execute(&mut *connection)
    .await?;
    // An existing result under this key has expired.
    sqlx::query(concat!(
        "INSERT INTO idempotent_results (entity, key, request_sha256, outcome, object_id, created_at)
         VALUES ($1, $2, $3, $4, $5, ",
        now!(),
        ") ON CONFLICT (entity, key) DO UPDATE SET request_sha256 = excluded.request_sha256,
             outcome = excluded.outcome, object_id = excluded.object_id, created_at = excluded.created_at"
    ))
    .bind(entity)
    .bind(&request.key)
    .bind(&request.sha256[..])
    .bind(result.outcome())
    .bind(dialect::id(result.object_id()))
    .execute(connection)
    .await?;
    Ok(())
}
