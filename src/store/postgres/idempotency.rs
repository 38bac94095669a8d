//! Results of requests that may be repeated.

use sqlx::PgConnection;

use super::now;
use crate::store::metadata::{IDEMPOTENT_RESULT_LIFE, Result};
use crate::store::records::{IdempotentRequest, IdempotentResult};
use crate::store::rows;

/// What the request did before, if anything.
pub(super) async fn find(
    connection: &mut PgConnection,
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

/// As [`find`], after every other transaction that does the same request has ended; none begins before this one ends.
pub(super) async fn find_alone(
    connection: &mut PgConnection,
    entity: &str,
    request: &IdempotentRequest,
) -> Result<Option<IdempotentResult>> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($2, hashtextextended($1, 1)))")
        .bind(entity)
        .bind(&request.key)
        .execute(&mut *connection)
        .await?;
    find(connection, entity, request).await
}

/// Records what the request did, and forgets some of what is older than a day.
pub(super) async fn record(
    connection: &mut PgConnection,
    entity: &str,
    request: &IdempotentRequest,
    result: IdempotentResult,
) -> Result<()> {
    sqlx::query(concat!(
        "DELETE FROM idempotent_results WHERE (entity, key) IN (
             SELECT entity, key FROM idempotent_results WHERE created_at <= ",
        now!(),
        " - $1 ORDER BY created_at LIMIT 100 FOR UPDATE SKIP LOCKED)"
    ))
    .bind(IDEMPOTENT_RESULT_LIFE)
    .execute(&mut *connection)
    .await?;
    // What is there under this key is older than a day.
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
    .bind(result.object_id())
    .execute(connection)
    .await?;
    Ok(())
}
