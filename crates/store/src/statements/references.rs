//! References from rows to artifacts.

use uuid::Uuid;

use super::dialect::{self, Connection, items};
use super::fetch::Fetch;
use crate::artifacts::ArtifactId;
use crate::metadata::Result;
use crate::{rows, rules};

/// SQL for every reference that retains an artifact, as (`kind` and id of the `holder`, `artifact`), one per referring
/// row. A job refers to its input, start and resume state until it ends. The artifacts retained for replaying it have
/// rows of their own.
///
/// There is one branch per column, so that a condition on `artifact` uses that column's index.
macro_rules! artifact_references {
    () => {
        "(SELECT 'model' AS kind, model_id AS holder, adapter_config AS artifact FROM checkpoints WHERE adapter_config IS NOT NULL
         UNION ALL SELECT 'model', model_id, adapter_weights FROM checkpoints WHERE adapter_weights IS NOT NULL
         UNION ALL SELECT 'model', model_id, optimizer_state FROM checkpoints WHERE optimizer_state IS NOT NULL
         UNION ALL SELECT 'model', model_id, artifact FROM trajectory_logs
         UNION ALL SELECT 'model', model_id, artifact FROM kept_artifacts
         UNION ALL SELECT 'file', id, artifact FROM files
         UNION ALL SELECT 'file', input_file, input_artifact FROM batches WHERE ended_at IS NULL
         UNION ALL SELECT 'model', model_id, input_artifact FROM jobs
             WHERE input_artifact IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, validation_content FROM jobs
             WHERE validation_content IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, start_adapter_config FROM jobs
             WHERE start_adapter_config IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, start_adapter_weights FROM jobs
             WHERE start_adapter_weights IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, start_optimizer_state FROM jobs
             WHERE start_optimizer_state IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, dataset FROM jobs
             WHERE dataset IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, reference_adapter_config FROM jobs
             WHERE reference_adapter_config IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, reference_adapter_weights FROM jobs
             WHERE reference_adapter_weights IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, rollout_index FROM jobs
             WHERE rollout_index IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, trained_logprobs FROM jobs
             WHERE trained_logprobs IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, resume_adapter_config FROM jobs
             WHERE resume_adapter_config IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, resume_adapter_weights FROM jobs
             WHERE resume_adapter_weights IS NOT NULL AND status IN ('queued', 'running')
         UNION ALL SELECT 'model', model_id, resume_optimizer_state FROM jobs
             WHERE resume_optimizer_state IS NOT NULL AND status IN ('queued', 'running'))"
    };
}
pub(super) use artifact_references;

/// Reads the artifacts that rows of a model refer to, each once.
pub(super) async fn of_model(connection: &mut Connection, model_id: Uuid) -> Result<Vec<ArtifactId>> {
    let used =
        sqlx::query(concat!("SELECT DISTINCT artifact FROM ", artifact_references!(), " AS held WHERE holder = $1"));
    Ok(rules::distinct(used.bind(dialect::id(model_id)).all(connection, rows::artifact).await?))
}

/// Returns those of the candidates that no row refers to, each once.
pub(super) async fn unreferenced(connection: &mut Connection, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let unreferenced = sqlx::query(concat!(
        "SELECT value AS artifact FROM ",
        items!("$1"),
        " AS candidate WHERE NOT EXISTS (SELECT 1 FROM ",
        artifact_references!(),
        " AS held WHERE held.artifact = candidate.value)"
    ));
    let names = rows::artifact_names(candidates);
    Ok(rules::distinct(unreferenced.bind(dialect::list(&names)).all(connection, rows::artifact).await?))
}
