//! How checkpoints came to be, and what is kept so that they can be made again.

use sqlx::PgConnection;
use uuid::Uuid;

use super::models;
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::Result;
use crate::store::records::{JobRecord, ManifestRecord, ModelRecord, NewCheckpoint, Origin};
use crate::store::rows;

/// Writes the manifest of a checkpoint that gets this step.
pub(super) async fn record(
    connection: &mut PgConnection,
    model: &ModelRecord,
    step: i64,
    checkpoint: &NewCheckpoint,
    origin: &Origin<'_>,
) -> Result<()> {
    let parent = match origin.parent(model.id) {
        Some((model_id, step)) => at_step(connection, model_id, step).await?,
        None => None,
    };
    let previous = before(connection, model.id, step).await?;
    let manifest = ManifestRecord::of(model, step, checkpoint, origin, parent.as_ref(), previous.as_ref());
    sqlx::query("INSERT INTO manifests (model_id, step, sha256, text) VALUES ($1, $2, $3, $4)")
        .bind(model.id)
        .bind(step)
        .bind(manifest.sha256)
        .bind(manifest.text)
        .execute(connection)
        .await?;
    Ok(())
}

async fn at_step(connection: &mut PgConnection, model_id: Uuid, step: i64) -> Result<Option<ManifestRecord>> {
    let row = sqlx::query("SELECT step, sha256, text FROM manifests WHERE model_id = $1 AND step = $2")
        .bind(model_id)
        .bind(step)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(rows::manifest).transpose()
}

/// The newest manifest of the steps before this one; steps that were passed over have none.
async fn before(connection: &mut PgConnection, model_id: Uuid, step: i64) -> Result<Option<ManifestRecord>> {
    let row = sqlx::query(
        "SELECT step, sha256, text FROM manifests WHERE model_id = $1 AND step < $2 ORDER BY step DESC LIMIT 1",
    )
    .bind(model_id)
    .bind(step)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(rows::manifest).transpose()
}

pub(super) async fn list(
    connection: &mut PgConnection,
    entity: &str,
    model_id: Uuid,
    first_step: i64,
    limit: u32,
) -> Result<Vec<ManifestRecord>> {
    models::owned(connection, entity, model_id).await?;
    let rows = sqlx::query(
        "SELECT step, sha256, text FROM manifests WHERE model_id = $1 AND step >= $2 ORDER BY step LIMIT $3",
    )
    .bind(model_id)
    .bind(first_step)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rows::manifest).collect()
}

/// Keeps what a job worked from that made the checkpoint of this step. What it started from is made again where that was
/// computed, by a job of the same number format: one without steps has passed on what it started from itself.
pub(super) async fn keep(connection: &mut PgConnection, job: &JobRecord, step: i64) -> Result<()> {
    let start = job.start.as_ref().map(|start| start.step);
    let is_start_remade: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM jobs JOIN kept_artifacts AS kept
             ON kept.model_id = jobs.model_id AND kept.step = jobs.published_step
         WHERE jobs.model_id = $1 AND jobs.published_step = $2 AND jobs.weight_format = $3)",
    )
    .bind(job.model_id)
    .bind(start)
    .bind(job.weights.map(|format| format.to_string()))
    .fetch_one(&mut *connection)
    .await?;
    let artifacts = rows::artifacts_to_replay(job, is_start_remade);
    sqlx::query("INSERT INTO kept_artifacts (model_id, step, artifact) SELECT $1, $2, unnest($3)")
        .bind(job.model_id)
        .bind(step)
        .bind(artifacts.iter().map(ToString::to_string).collect::<Vec<_>>())
        .execute(connection)
        .await?;
    Ok(())
}

/// Lets go of what made the checkpoints behind the model's newest; returns the artifacts, which other rows may refer to.
pub(super) async fn release(connection: &mut PgConnection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let rows = sqlx::query(
        "DELETE FROM kept_artifacts WHERE model_id = $1
         AND step > coalesce((SELECT max(step) FROM checkpoints WHERE model_id = $1), -1) RETURNING artifact",
    )
    .bind(model_id)
    .fetch_all(connection)
    .await?;
    rows::artifacts(&rows)
}
