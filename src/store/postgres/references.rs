//! References from rows to artifacts.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::store::artifacts::ArtifactId;
use crate::store::metadata::Result;
use crate::store::references::artifact_references;
use crate::store::rows;

/// Reads the artifacts that rows of a model refer to, each once.
pub(super) async fn of_model(connection: &mut PgConnection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let rows =
        sqlx::query(concat!("SELECT DISTINCT artifact FROM ", artifact_references!(), " AS held WHERE holder = $1"))
            .bind(model_id)
            .fetch_all(connection)
            .await?;
    rows::artifacts(&rows)
}

/// Returns those of the candidates that no row refers to, each once.
pub(super) async fn unreferenced(connection: &mut PgConnection, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(concat!(
        "SELECT artifact FROM unnest($1) AS candidate (artifact) WHERE NOT EXISTS (SELECT 1 FROM ",
        artifact_references!(),
        " AS held WHERE held.artifact = candidate.artifact)"
    ))
    .bind(candidates.iter().map(ToString::to_string).collect::<Vec<_>>())
    .fetch_all(connection)
    .await?;
    rows::artifacts(&rows)
}
