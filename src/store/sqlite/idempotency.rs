//! Results of requests that may be repeated.

use sqlx::SqliteConnection;

use super::now;
use crate::store::metadata::{IDEMPOTENT_RESULT_LIFE, Result};
use crate::store::records::{IdempotentRequest, IdempotentResult};
use crate::store::rows;

/// What the request did before, if anything.
pub(super) async fn find(
    connection: &mut SqliteConnection,
    entity: &str,
    request: &IdempotentRequest,
) -> Result<Option<IdempotentResult>> {
    let row = sqlx::query(concat!(
        "SELECT * FROM idempotent_results WHERE entity = ? AND key = ? AND created_at > ",
        now!(),
        " - ?"
    ))
    .bind(entity)
    .bind(&request.key)
    .bind(IDEMPOTENT_RESULT_LIFE)
    .fetch_optional(connection)
    .await?;
    row.map(|row| rows::idempotent_result(&row, request)).transpose()
}

/// Records what the request did, and forgets some of what is older than a day.
pub(super) async fn record(
    connection: &mut SqliteConnection,
    entity: &str,
    request: &IdempotentRequest,
    result: IdempotentResult,
) -> Result<()> {
    sqlx::query(concat!(
        "DELETE FROM idempotent_results WHERE (entity, key) IN (
             SELECT entity, key FROM idempotent_results WHERE created_at <= ",
        now!(),
        " - ? ORDER BY created_at LIMIT 100) OR (entity = ? AND key = ?)"
    ))
    .bind(IDEMPOTENT_RESULT_LIFE)
    .bind(entity)
    .bind(&request.key)
    .execute(&mut *connection)
    .await?;
    sqlx::query(concat!(
        "INSERT INTO idempotent_results (entity, key, request_sha256, outcome, object_id, created_at)
         VALUES (?, ?, ?, ?, ?, ",
        now!(),
        ")"
    ))
    .bind(entity)
    .bind(&request.key)
    .bind(request.sha256.to_vec())
    .bind(result.outcome())
    .bind(result.object_id().to_string())
    .execute(connection)
    .await?;
    Ok(())
}
