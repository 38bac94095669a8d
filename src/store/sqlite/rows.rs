//! Reading rows into records, and the small queries that several areas share.

use std::str::FromStr;

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use uuid::Uuid;

use crate::engine::{TrainingMethod, WeightFormat};
use crate::store::artifacts::ArtifactId;
use crate::store::metadata::{Result, StoreError};
use crate::store::records::{
    AdapterArtifacts, CheckpointRecord, EventRecord, JobInput, JobKind, JobRecord, JobStart, JobStatus, KeyRecord,
    ModelRecord, OptimizerArtifact, ReferenceCheckpoint, ResumeState,
};

fn corrupt(column: &'static str) -> StoreError {
    StoreError::Corrupt { column, reason: "it has no valid form".to_owned() }
}

fn parsed<T: FromStr>(row: &SqliteRow, column: &'static str) -> Result<T> {
    row.try_get::<&str, _>(column)?.parse().map_err(|_| corrupt(column))
}

fn optional<T: FromStr>(row: &SqliteRow, column: &'static str) -> Result<Option<T>> {
    let text: Option<&str> = row.try_get(column)?;
    text.map(|text| text.parse().map_err(|_| corrupt(column))).transpose()
}

fn adapter(row: &SqliteRow, config: &'static str, weights: &'static str) -> Result<Option<AdapterArtifacts>> {
    match (optional(row, config)?, optional(row, weights)?) {
        (Some(config), Some(weights)) => Ok(Some(AdapterArtifacts { config, weights })),
        (None, None) => Ok(None),
        _ => Err(corrupt(weights)),
    }
}

fn optimizer(row: &SqliteRow, state: &'static str, kind: &'static str) -> Result<Option<OptimizerArtifact>> {
    let Some(saved) = optional(row, state)? else { return Ok(None) };
    let name: &str = row.try_get(kind)?;
    Ok(Some(OptimizerArtifact { state: saved, kind: JobKind::parse(name).ok_or_else(|| corrupt(kind))? }))
}

pub(super) fn key(row: &SqliteRow) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: parsed(row, "id")?,
        entity: row.try_get("entity")?,
        name: row.try_get("name")?,
        suffix: row.try_get("suffix")?,
        sha256: row.try_get::<&[u8], _>("sha256")?.try_into().map_err(|_| corrupt("sha256"))?,
        created_at: row.try_get("created_at")?,
        revoked_at: row.try_get("revoked_at")?,
        last_used_at: row.try_get("last_used_at")?,
    })
}

pub(super) fn model(row: &SqliteRow) -> Result<ModelRecord> {
    Ok(ModelRecord {
        id: parsed(row, "id")?,
        entity: row.try_get("entity")?,
        project: row.try_get("project")?,
        name: row.try_get("name")?,
        base_model: row.try_get("base_model")?,
        method: method(row)?,
        run_id: row.try_get("run_id")?,
        last_step: row.try_get("last_step")?,
        created_at: row.try_get("created_at")?,
    })
}

/// How a model is trained; models from before there was a choice have the default.
fn method(row: &SqliteRow) -> Result<TrainingMethod> {
    let column = "training_method";
    let Some(text) = row.try_get::<Option<&str>, _>(column)? else { return Ok(TrainingMethod::default()) };
    let corrupt = |reason: String| StoreError::Corrupt { column, reason };
    let method = serde_json::from_str(text).map_err(|error| corrupt(error.to_string()))?;
    if let TrainingMethod::Lora(options) = &method {
        options.check().map_err(|error| corrupt(error.to_string()))?;
    }
    Ok(method)
}

pub(super) fn checkpoint(row: &SqliteRow) -> Result<CheckpointRecord> {
    Ok(CheckpointRecord {
        id: parsed(row, "id")?,
        model_id: parsed(row, "model_id")?,
        step: row.try_get("step")?,
        metrics: serde_json::from_str(row.try_get("metrics")?)
            .map_err(|error| StoreError::Corrupt { column: "metrics", reason: error.to_string() })?,
        adapter: adapter(row, "adapter_config", "adapter_weights")?,
        optimizer: optimizer(row, "optimizer_state", "optimizer_kind")?,
        created_at: row.try_get("created_at")?,
    })
}

pub(super) fn job(row: &SqliteRow) -> Result<JobRecord> {
    let input = match (optional(row, "input_artifact")?, row.try_get::<Option<String>, _>("input_url")?) {
        (Some(artifact), None) => JobInput::Artifact(artifact),
        (None, Some(url)) => JobInput::Url(url),
        _ => return Err(corrupt("input_artifact")),
    };
    Ok(JobRecord {
        id: parsed(row, "id")?,
        entity: row.try_get("entity")?,
        model_id: parsed(row, "model_id")?,
        kind: JobKind::parse(row.try_get("kind")?).ok_or_else(|| corrupt("kind"))?,
        status: JobStatus::parse(row.try_get("status")?).ok_or_else(|| corrupt("status"))?,
        config: row.try_get("config")?,
        input,
        start: job_start(row)?,
        resume: resume_state(row)?,
        lease_owner: row.try_get("lease_owner")?,
        lease_deadline: row.try_get("lease_deadline")?,
        weights: weight_format(row)?,
        attempts: row.try_get("attempts")?,
        fruitless_attempts: row.try_get("fruitless_attempts")?,
        error: row.try_get("error")?,
        created_at: row.try_get("created_at")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
    })
}

/// How the weights are stored that the job of this row computes with.
pub(super) fn weight_format(row: &SqliteRow) -> Result<Option<WeightFormat>> {
    let column = "weight_format";
    let Some(text) = row.try_get::<Option<&str>, _>(column)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| corrupt(column))
}

fn job_start(row: &SqliteRow) -> Result<Option<JobStart>> {
    let Some(step) = row.try_get("start_step")? else { return Ok(None) };
    Ok(Some(JobStart {
        step,
        adapter: adapter(row, "start_adapter_config", "start_adapter_weights")?,
        optimizer: optimizer(row, "start_optimizer_state", "start_optimizer_kind")?,
        dataset: optional(row, "dataset")?,
        reference: reference(row)?,
    }))
}

fn resume_state(row: &SqliteRow) -> Result<Option<ResumeState>> {
    let Some(next_step) = row.try_get("resume_step")? else { return Ok(None) };
    let adapter = adapter(row, "resume_adapter_config", "resume_adapter_weights")?;
    Ok(Some(ResumeState {
        next_step,
        adapter: adapter.ok_or_else(|| corrupt("resume_adapter_weights"))?,
        optimizer: parsed(row, "resume_optimizer_state")?,
    }))
}

/// What the job of this row compares with.
pub(super) fn reference(row: &SqliteRow) -> Result<Option<ReferenceCheckpoint>> {
    let Some(model_id) = optional(row, "reference_model_id")? else { return Ok(None) };
    let step = row.try_get("reference_step")?;
    let adapter = adapter(row, "reference_adapter_config", "reference_adapter_weights")?;
    Ok(Some(ReferenceCheckpoint { model_id, step, adapter }))
}

pub(super) fn event(row: &SqliteRow) -> Result<EventRecord> {
    Ok(EventRecord {
        id: parsed(row, "id")?,
        job_id: parsed(row, "job_id")?,
        sequence: row.try_get("sequence")?,
        kind: row.try_get("kind")?,
        data: row.try_get("data")?,
        created_at: row.try_get("created_at")?,
    })
}

/// An identity column.
pub(super) fn id(row: &SqliteRow, column: &'static str) -> Result<Uuid> {
    parsed(row, column)
}

/// The artifacts of rows with one text column, each once.
pub(super) fn artifacts(rows: &[SqliteRow]) -> Result<Vec<ArtifactId>> {
    let mut ids = rows
        .iter()
        .map(|row| row.try_get::<&str, _>(0)?.parse().map_err(|_| corrupt("artifact")))
        .collect::<Result<Vec<ArtifactId>>>()?;
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// Which of the candidates no row refers to, each once.
pub(super) async fn unreferenced(
    connection: &mut SqliteConnection,
    candidates: &[ArtifactId],
) -> Result<Vec<ArtifactId>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let candidates = json(&candidates.iter().map(ToString::to_string).collect::<Vec<_>>());
    let rows =
        sqlx::query("SELECT value FROM json_each(?) WHERE value NOT IN (SELECT artifact FROM artifact_references)")
            .bind(candidates)
            .fetch_all(connection)
            .await?;
    artifacts(&rows)
}

/// Numbers and texts as JSON text, such as a list for `json_each`.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("numbers and texts are always JSON")
}
