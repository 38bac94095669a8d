//! What refers to artifacts, for checking and copying them.

use sqlx::Row;

use super::SqliteMetadata;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::ArtifactReference;

pub(super) async fn list(
    store: &SqliteMetadata,
    after: Option<ArtifactId>,
    limit: u32,
) -> Result<Vec<ArtifactReference>> {
    let rows = sqlx::query(
        "SELECT artifact, min(model_id) AS model_id FROM artifact_references WHERE artifact > ?
         GROUP BY artifact ORDER BY artifact LIMIT ?",
    )
    .bind(after.map(|id| id.to_string()).unwrap_or_default())
    .bind(limit)
    .fetch_all(&store.readers)
    .await?;
    let corrupt = |column| StoreError::Corrupt { column, reason: "it has no valid form".to_owned() };
    let read = |row: &sqlx::sqlite::SqliteRow| {
        Ok(ArtifactReference {
            artifact: row.try_get::<&str, _>("artifact")?.parse().map_err(|_| corrupt("artifact"))?,
            model_id: row.try_get::<&str, _>("model_id")?.parse().map_err(|_| corrupt("model_id"))?,
        })
    };
    rows.iter().map(read).collect()
}
