//! Which artifacts are in use, and by what.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::store::artifacts::ArtifactId;
use crate::store::metadata::Result;
use crate::store::records::ArtifactReference;
use crate::store::references::artifact_references;
use crate::store::rows;

/// The artifacts that rows of a model refer to, each once.
pub(super) async fn of_model(connection: &mut PgConnection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let rows =
        sqlx::query(concat!("SELECT DISTINCT artifact FROM ", artifact_references!(), " AS held WHERE holder = $1"))
            .bind(model_id)
            .fetch_all(connection)
            .await?;
    rows::artifacts(&rows)
}

/// Which of the candidates no row refers to, each once.
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

/// What refers to artifacts behind `after`, each artifact once.
pub(super) async fn list(
    connection: &mut PgConnection,
    after: Option<ArtifactId>,
    limit: u32,
) -> Result<Vec<ArtifactReference>> {
    let rows = sqlx::query(concat!(
        "SELECT artifact, min(kind || ' ' || holder) AS holder FROM ",
        artifact_references!(),
        " AS held WHERE artifact > $1 GROUP BY artifact ORDER BY artifact LIMIT $2"
    ))
    .bind(after.map(|id| id.to_string()).unwrap_or_default())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rows::artifact_reference).collect()
}
