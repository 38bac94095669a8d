//! [`Idempotency`] in SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::database::SqliteMetadata;
use super::sql::now;
use crate::store::metadata::{IDEMPOTENT_RESULT_LIFE, Idempotency, Result};
use crate::store::records::{IdempotentRequest, IdempotentResult};
use crate::store::rows;

#[async_trait]
impl Idempotency for SqliteMetadata {
    async fn find_idempotent_result(
        &self,
        entity: &str,
        request: &IdempotentRequest,
    ) -> Result<Option<IdempotentResult>> {
        let mut transaction = self.read().await?;
        find(&mut transaction, entity, Some(request)).await
    }
}

/// Finds the recorded result of the request.
pub(super) async fn find(
    connection: &mut SqliteConnection,
    entity: &str,
    request: Option<&IdempotentRequest>,
) -> Result<Option<IdempotentResult>> {
    let Some(request) = request else { return Ok(None) };
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

/// Records the request's result, and deletes some results older than [`IDEMPOTENT_RESULT_LIFE`].
pub(super) async fn record(
    connection: &mut SqliteConnection,
    entity: &str,
    request: Option<&IdempotentRequest>,
    result: IdempotentResult,
) -> Result<()> {
    let Some(request) = request else { return Ok(()) };
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
