//! References from rows to artifacts.

use sqlx::SqliteConnection;

use crate::store::artifacts::ArtifactId;
use crate::store::metadata::Result;
use crate::store::references::artifact_references;
use crate::store::rows;

/// Reads the artifacts that rows of a model refer to, each once.
pub(super) async fn of_model(connection: &mut SqliteConnection, model_id: &str) -> Result<Vec<ArtifactId>> {
    let rows = sqlx::query(concat!("SELECT DISTINCT artifact FROM ", artifact_references!(), " WHERE holder = ?"))
        .bind(model_id)
        .fetch_all(connection)
        .await?;
    rows::artifacts(&rows)
}

/// Returns those of the candidates that no row refers to, each once.
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
