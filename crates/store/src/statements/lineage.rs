//! Manifests, and the artifacts retained for replaying jobs.

use uuid::Uuid;

use super::columns;
use super::dialect::{self, Connection, items};
use super::fetch::Fetch;
use crate::artifacts::ArtifactId;
use crate::metadata::Result;
use crate::records::{JobRecord, ManifestRecord, ModelRecord, NewCheckpoint, Origin, TrainerKind};
use crate::{rows, rules};

/// Writes the manifest of a checkpoint that is about to get this step.
pub(super) async fn record(
    connection: &mut Connection,
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
        .bind(dialect::id(model.id))
        .bind(step)
        .bind(manifest.sha256)
        .bind(manifest.text)
        .execute(connection)
        .await?;
    Ok(())
}

async fn at_step(connection: &mut Connection, model_id: Uuid, step: i64) -> Result<Option<ManifestRecord>> {
    sqlx::query(columns::select!(manifests, "model_id = $1 AND step = $2"))
        .bind(dialect::id(model_id))
        .bind(step)
        .optional(connection, rows::manifest)
        .await
}

/// The newest manifest of the steps before this one; skipped steps have none.
async fn before(connection: &mut Connection, model_id: Uuid, step: i64) -> Result<Option<ManifestRecord>> {
    sqlx::query(columns::select!(manifests, "model_id = $1 AND step < $2 ORDER BY step DESC LIMIT 1"))
        .bind(dialect::id(model_id))
        .bind(step)
        .optional(connection, rows::manifest)
        .await
}

/// Retains the artifacts needed to replay the job that made the checkpoint of this step. The job's start is reproducible
/// if a retained job of the same kind of engine made it. A job without steps does not count: it published its own start.
pub(super) async fn retain_artifacts(connection: &mut Connection, job: &JobRecord, step: i64) -> Result<()> {
    let start = job.start.as_ref().map(|start| start.step);
    let is_start_reproducible: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM jobs JOIN kept_artifacts AS kept
             ON kept.model_id = jobs.model_id AND kept.step = jobs.published_step
         WHERE jobs.model_id = $1 AND jobs.published_step = $2 AND coalesce(jobs.trainer, jobs.weight_format) = $3)",
    )
    .bind(dialect::id(job.model_id))
    .bind(start)
    .bind(job.trainer.filter(|trainer| *trainer != TrainerKind::Learner).map(TrainerKind::stored))
    .fetch_one(&mut *connection)
    .await?;
    let artifacts = rows::artifact_names(&rules::artifacts_to_keep(job, is_start_reproducible));
    sqlx::query(concat!(
        "INSERT INTO kept_artifacts (model_id, step, artifact) SELECT $1, $2, value FROM ",
        items!("$3"),
        " AS kept"
    ))
    .bind(dialect::id(job.model_id))
    .bind(step)
    .bind(dialect::list(&artifacts))
    .execute(connection)
    .await?;
    Ok(())
}

/// Releases the artifacts retained for checkpoints after the model's newest. Returns them; other rows may refer to them.
pub(super) async fn release_artifacts(connection: &mut Connection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let released = sqlx::query(
        "DELETE FROM kept_artifacts WHERE model_id = $1
         AND step > coalesce((SELECT max(step) FROM checkpoints WHERE model_id = $1), -1) RETURNING artifact",
    );
    released.bind(dialect::id(model_id)).all(connection, rows::artifact).await
}
