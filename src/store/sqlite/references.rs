//! Which artifacts are in use, and by what.

use sqlx::SqliteConnection;

use super::SqliteMetadata;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::Result;
use crate::store::records::ArtifactReference;
use crate::store::references::artifact_references;
use crate::store::rows;

/// The artifacts that rows of a model refer to, each once.
pub(super) async fn of_model(connection: &mut SqliteConnection, model_id: &str) -> Result<Vec<ArtifactId>> {
    let rows = sqlx::query(concat!("SELECT DISTINCT artifact FROM ", artifact_references!(), " WHERE holder = ?"))
        .bind(model_id)
        .fetch_all(connection)
        .await?;
    rows::artifacts(&rows)
}

/// Which of the candidates no row refers to, each once.
pub(super) async fn unreferenced(
    connection: &mut SqliteConnection,
    candidates: &[ArtifactId],
) -> Result<Vec<ArtifactId>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let candidates = rows::artifact_names(candidates);
    let rows = sqlx::query(concat!(
        "SELECT value AS artifact FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM ",
        artifact_references!(),
        " AS held WHERE held.artifact = value)"
    ))
    .bind(candidates)
    .fetch_all(connection)
    .await?;
    rows::artifacts(&rows)
}

/// What refers to artifacts behind `after`, each artifact once.
pub(super) async fn list(
    store: &SqliteMetadata,
    after: Option<ArtifactId>,
    limit: u32,
) -> Result<Vec<ArtifactReference>> {
    let rows = sqlx::query(concat!(
        "SELECT artifact, min(kind || ' ' || holder) AS holder FROM ",
        artifact_references!(),
        " WHERE artifact > ? GROUP BY artifact ORDER BY artifact LIMIT ?"
    ))
    .bind(after.map(|id| id.to_string()).unwrap_or_default())
    .bind(limit)
    .fetch_all(&store.readers)
    .await?;
    rows.iter().map(rows::artifact_reference).collect()
}
