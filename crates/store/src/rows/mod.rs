//! Conversions between rows and records, the same for every database.
//!
//! A value that no record can have is an error with its column, since another program or a damaged disk may have
//! written it. Rejected: `sqlx::FromRow`. It is derived for one database, and checks no value.

mod batches;
mod responses;
mod sessions;
mod steps;
mod workers;

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use sqlx::Row;
use uuid::Uuid;

use super::artifacts::ArtifactId;
use super::lease_watch::LeaseReading;
use super::metadata::{Result, StoreError};
use super::records::{
    AdapterArtifacts, ArtifactHolder, ArtifactReference, CheckpointRecord, CheckpointStep, ClaimedJob, DailyUsage,
    EventRecord, FileRecord, FileVersion, IdempotentRequest, IdempotentResult, JobErrorCode, JobFailure, JobFile,
    JobInput, JobLabels, JobRecord, JobStart, JobState, JobStatus, JobSummary, KeyRecord, Lease, ManifestRecord,
    ModelRecord, OptimizerArtifact, QueueDepth, RecentSteps, ReferenceCheckpoint, ResumeState, RewardDeviation,
    RolloutArtifacts, TrainerKind, TrajectoryLogRecord, UsageCount, UsageKey, UsageRecord, WaitReason, Waiting,
};
use super::rules;
use trainyard_model_options::{AdapterEffect, TrainingMethod};

pub(super) use self::batches::{batch, batch_line, batch_status, claimed_batch};
pub(super) use self::responses::{chained_response, response, response_item};
pub(super) use self::sessions::{generation, recorded_generation, session};
pub(super) use self::steps::{job_steps, step};
pub(super) use self::workers::workers;

/// The columns of a row, by name.
pub(super) trait Columns {
    fn text(&self, column: &'static str) -> Result<&str>;
    fn optional_text(&self, column: &'static str) -> Result<Option<&str>>;
    fn integer(&self, column: &'static str) -> Result<i64>;
    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>>;
    fn number(&self, column: &'static str) -> Result<f64>;
    fn bytes(&self, column: &'static str) -> Result<&[u8]>;
    fn id(&self, column: &'static str) -> Result<Uuid>;
    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>>;
}

/// The accessors that are the same for both databases.
macro_rules! plain_columns {
    () => {
        fn text(&self, column: &'static str) -> Result<&str> {
            Ok(self.try_get(column)?)
        }

        fn optional_text(&self, column: &'static str) -> Result<Option<&str>> {
            Ok(self.try_get(column)?)
        }

        fn integer(&self, column: &'static str) -> Result<i64> {
            Ok(self.try_get(column)?)
        }

        fn optional_integer(&self, column: &'static str) -> Result<Option<i64>> {
            Ok(self.try_get(column)?)
        }

        fn number(&self, column: &'static str) -> Result<f64> {
            Ok(self.try_get(column)?)
        }

        fn bytes(&self, column: &'static str) -> Result<&[u8]> {
            Ok(self.try_get(column)?)
        }
    };
}

impl Columns for sqlx::sqlite::SqliteRow {
    plain_columns!();

    fn id(&self, column: &'static str) -> Result<Uuid> {
        parsed(self, column)
    }

    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>> {
        optional(self, column)
    }
}

impl Columns for sqlx::postgres::PgRow {
    plain_columns!();

    fn id(&self, column: &'static str) -> Result<Uuid> {
        Ok(self.try_get(column)?)
    }

    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>> {
        Ok(self.try_get(column)?)
    }
}

pub(crate) fn corrupt(column: &'static str) -> StoreError {
    StoreError::Corrupt { column, reason: "it has no valid form".to_owned() }
}

fn parsed<T: FromStr>(row: &impl Columns, column: &'static str) -> Result<T> {
    row.text(column)?.parse().map_err(|_| corrupt(column))
}

fn optional<T: FromStr>(row: &impl Columns, column: &'static str) -> Result<Option<T>> {
    row.optional_text(column)?.map(|text| text.parse().map_err(|_| corrupt(column))).transpose()
}

fn read_json<T: DeserializeOwned>(column: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt { column, reason: error.to_string() })
}

fn optional_json<T: DeserializeOwned>(row: &impl Columns, column: &'static str) -> Result<Option<T>> {
    row.optional_text(column)?.map(|text| read_json(column, text)).transpose()
}

fn adapter(row: &impl Columns, config: &'static str, weights: &'static str) -> Result<Option<AdapterArtifacts>> {
    match (optional(row, config)?, optional(row, weights)?) {
        (Some(config), Some(weights)) => Ok(Some(AdapterArtifacts { config, weights })),
        (None, None) => Ok(None),
        _ => Err(corrupt(weights)),
    }
}

fn optimizer(row: &impl Columns, state: &'static str, kind: &'static str) -> Result<Option<OptimizerArtifact>> {
    let Some(saved) = optional(row, state)? else { return Ok(None) };
    Ok(Some(OptimizerArtifact { state: saved, kind: parsed(row, kind)? }))
}

pub(crate) fn key(row: &impl Columns) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        name: row.text("name")?.to_owned(),
        suffix: row.text("suffix")?.to_owned(),
        sha256: row.bytes("sha256")?.try_into().map_err(|_| corrupt("sha256"))?,
        limits: optional_json(row, "limits")?.unwrap_or_default(),
        created_at: row.integer("created_at")?,
        revoked_at: row.optional_integer("revoked_at")?,
        last_used_at: row.optional_integer("last_used_at")?,
        session_ends: row.integer("session_ends")?,
        is_admin: row.integer("is_admin")? != 0,
    })
}

pub(crate) fn model(row: &impl Columns) -> Result<ModelRecord> {
    Ok(ModelRecord {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        project: row.text("project")?.to_owned(),
        name: row.text("name")?.to_owned(),
        base_model: row.text("base_model")?.to_owned(),
        method: method(row)?,
        run_id: row.optional_text("run_id")?.map(str::to_owned),
        last_step: row.integer("last_step")?,
        latest_step: row.optional_integer("latest_step")?,
        created_at: row.integer("created_at")?,
    })
}

/// Reads a model's training method. Models from before its introduction have the default.
fn method(row: &impl Columns) -> Result<TrainingMethod> {
    let column = "training_method";
    let method = optional_json(row, column)?.unwrap_or_default();
    if let TrainingMethod::Lora(options) = &method {
        options.check().map_err(|error| StoreError::Corrupt { column, reason: error.to_string() })?;
    }
    Ok(method)
}

pub(crate) fn checkpoint(row: &impl Columns) -> Result<CheckpointRecord> {
    Ok(CheckpointRecord {
        id: row.id("id")?,
        model_id: row.id("model_id")?,
        step: row.integer("step")?,
        metrics: read_json("metrics", row.text("metrics")?)?,
        adapter: adapter(row, "adapter_config", "adapter_weights")?,
        optimizer: optimizer(row, "optimizer_state", "optimizer_kind")?,
        metadata: row.optional_text("metadata")?.map(str::to_owned),
        created_at: row.integer("created_at")?,
    })
}

/// Reads the effect of an adapter.
pub(crate) fn adapter_effect(text: &str) -> Result<AdapterEffect> {
    let effect: Option<AdapterEffect> = serde_json::from_str(text).ok();
    effect.filter(AdapterEffect::is_valid).ok_or_else(|| corrupt("adapter_effect"))
}

pub(crate) fn checkpoint_step(row: &impl Columns) -> Result<CheckpointStep> {
    let (model_id, step) = (row.id("model_id")?, row.integer("step")?);
    Ok(CheckpointStep { model_id, step, created_at: row.integer("created_at")? })
}

pub(crate) fn job(row: &impl Columns) -> Result<JobRecord> {
    Ok(JobRecord {
        summary: job_summary(row)?,
        start: job_start(row)?,
        resume: resume_state(row)?,
        rollouts: rollouts(row)?,
        lease_deadline: row.optional_integer("lease_deadline")?,
        attempts_without_progress: row.integer("fruitless_attempts")?,
    })
}

fn job_summary(row: &impl Columns) -> Result<JobSummary> {
    Ok(JobSummary {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        model_id: row.id("model_id")?,
        kind: parsed(row, "kind")?,
        status: job_status(row)?,
        config: row.text("config")?.to_owned(),
        input: job_input(row)?,
        validation: validation(row)?,
        fine_tuning: optional_json(row, "fine_tuning")?,
        sampler: optional(row, "sampler")?,
        trainer: trainer(row)?,
        published_step: row.optional_integer("published_step")?,
        error: job_failure(row)?,
        created_at: row.integer("created_at")?,
        started_at: row.optional_integer("started_at")?,
        ended_at: row.optional_integer("ended_at")?,
        labels: labels(row)?,
        lease_owner: row.optional_text("lease_owner")?.map(str::to_owned),
        attempts: row.integer("attempts")?,
    })
}

fn labels(row: &impl Columns) -> Result<JobLabels> {
    let tags = optional_json(row, "tags")?.unwrap_or_default();
    Ok(JobLabels { name: row.optional_text("name")?.map(str::to_owned), tags })
}

/// The columns of a job's labels: name and tags.
pub(crate) fn label_columns(labels: &JobLabels) -> (Option<&str>, Option<String>) {
    (labels.name.as_deref(), (!labels.tags.is_empty()).then(|| json(&labels.tags)))
}

fn job_input(row: &impl Columns) -> Result<JobInput> {
    let (artifact, url) = (optional(row, "input_artifact")?, row.optional_text("input_url")?);
    match (row.optional_id("input_file")?, artifact, url) {
        (Some(id), Some(content), None) => Ok(JobInput::File { id, content }),
        (None, Some(artifact), None) => Ok(JobInput::Artifact(artifact)),
        (None, None, Some(url)) => Ok(JobInput::Url(url.to_owned())),
        _ => Err(corrupt("input_artifact")),
    }
}

fn validation(row: &impl Columns) -> Result<Option<JobFile>> {
    match (row.optional_id("validation_file")?, optional(row, "validation_content")?) {
        (Some(id), Some(content)) => Ok(Some(JobFile { id, content })),
        (None, None) => Ok(None),
        _ => Err(corrupt("validation_content")),
    }
}

/// Reads a job's status. A cancelled job is stored as a failed one with that error code.
fn job_status(row: &impl Columns) -> Result<JobStatus> {
    let status = parsed(row, "status")?;
    let is_cancelled = row.optional_text("error_code")? == Some(JobErrorCode::Cancelled.as_str());
    Ok(if is_cancelled { JobStatus::Cancelled } else { status })
}

fn job_failure(row: &impl Columns) -> Result<Option<JobFailure>> {
    let Some(message) = row.optional_text("error")?.map(str::to_owned) else { return Ok(None) };
    Ok(Some(JobFailure { code: optional(row, "error_code")?.unwrap_or(JobErrorCode::Unknown), message }))
}

/// A job with its progress.
pub(crate) fn job_state(row: &impl Columns) -> Result<JobState> {
    Ok(JobState {
        job: job_summary(row)?,
        steps: row.integer("steps")?,
        trained_tokens: row.integer("trained_tokens")?,
        announcement: row.optional_text("announcement")?.map(str::to_owned),
        ending: row.optional_text("ending")?.map(str::to_owned),
        queue_position: row.optional_integer("queue_position")?,
        recent_steps: recent_steps(row)?,
        waiting: waiting(row)?,
    })
}

/// The wait of a job.
fn waiting(row: &impl Columns) -> Result<Option<Waiting>> {
    let Some(reason) = optional(row, "waiting_reason")? else { return Ok(None) };
    let message = row.optional_text("waiting")?.filter(|_| reason != WaitReason::LostWorker).map(str::to_owned);
    Ok(Some(Waiting { reason, since: row.optional_integer("waiting_time")?.unwrap_or_default(), message }))
}

/// The time that the last steps of a running job took.
fn recent_steps(row: &impl Columns) -> Result<Option<RecentSteps>> {
    let count = row.integer("steps")?.min(rules::RECENT_STEPS);
    let times = row.optional_integer("recent_since")?.zip(row.optional_integer("recent_until")?);
    Ok(times.filter(|_| count > 0).map(|(since, until)| RecentSteps { count, since, until }))
}

/// A claimed job, with the lease that its claim gave.
pub(crate) fn claimed_job(row: &impl Columns) -> Result<ClaimedJob> {
    let job = job(row)?;
    let lease = Lease { job_id: job.id, token: row.integer("lease_token")? };
    Ok(ClaimedJob { job, lease })
}

/// The numbers of queued and running jobs.
pub(crate) fn queue_depth(row: &impl Columns) -> Result<QueueDepth> {
    Ok(QueueDepth { queued: row.integer("queued")?, running: row.integer("running")? })
}

/// The lease on the running job of this row.
pub(crate) fn lease_reading(row: &impl Columns) -> Result<LeaseReading> {
    Ok(LeaseReading {
        job_id: row.id("id")?,
        token: row.integer("lease_token")?,
        deadline: row.integer("lease_deadline")?,
    })
}

/// The kind of the trainer of this row's job.
pub(crate) fn trainer(row: &impl Columns) -> Result<Option<TrainerKind>> {
    // Older jobs have a number format alone.
    let kind = optional(row, "trainer")?;
    Ok(if kind.is_some() { kind } else { optional(row, "weight_format")? })
}

fn job_start(row: &impl Columns) -> Result<Option<JobStart>> {
    let Some(step) = row.optional_integer("start_step")? else { return Ok(None) };
    Ok(Some(JobStart {
        step,
        adapter: adapter(row, "start_adapter_config", "start_adapter_weights")?,
        optimizer: optimizer(row, "start_optimizer_state", "start_optimizer_kind")?,
        dataset: optional(row, "dataset")?,
        reference: reference(row)?,
    }))
}

fn resume_state(row: &impl Columns) -> Result<Option<ResumeState>> {
    let Some(next_step) = row.optional_integer("resume_step")? else { return Ok(None) };
    let adapter = adapter(row, "resume_adapter_config", "resume_adapter_weights")?;
    Ok(Some(ResumeState {
        next_step,
        adapter: adapter.ok_or_else(|| corrupt("resume_adapter_weights"))?,
        optimizer: parsed(row, "resume_optimizer_state")?,
    }))
}

/// The artifacts about the rollouts of the job of this row.
pub(crate) fn rollouts(row: &impl Columns) -> Result<RolloutArtifacts> {
    Ok(RolloutArtifacts { index: optional(row, "rollout_index")?, logprobs: optional(row, "trained_logprobs")? })
}

/// The reference checkpoint of the job of this row.
pub(crate) fn reference(row: &impl Columns) -> Result<Option<ReferenceCheckpoint>> {
    let Some(model_id) = row.optional_id("reference_model_id")? else { return Ok(None) };
    let step = row.integer("reference_step")?;
    let adapter = adapter(row, "reference_adapter_config", "reference_adapter_weights")?;
    Ok(Some(ReferenceCheckpoint { model_id, step, adapter }))
}

pub(crate) fn event(row: &impl Columns) -> Result<EventRecord> {
    Ok(EventRecord {
        id: row.id("id")?,
        job_id: row.id("job_id")?,
        sequence: row.integer("sequence")?,
        kind: row.text("kind")?.to_owned(),
        data: row.text("data")?.to_owned(),
        created_at: row.integer("created_at")?,
    })
}

/// A sum of usage, with the name and suffix of its key.
pub(crate) fn usage(row: &impl Columns) -> Result<UsageRecord> {
    Ok(UsageRecord {
        usage: UsageKey {
            key_id: row.id("key_id")?,
            entity: row.text("entity")?.to_owned(),
            project: row.text("project")?.to_owned(),
            model: row.text("model")?.to_owned(),
        },
        key_name: row.text("key_name")?.to_owned(),
        key_suffix: row.text("key_suffix")?.to_owned(),
        count: UsageCount {
            requests: row.integer("requests")?,
            prompt_tokens: row.integer("prompt_tokens")?,
            completion_tokens: row.integer("completion_tokens")?,
            trained_tokens: row.integer("trained_tokens")?,
        },
    })
}

/// A sum of one day's usage.
pub(crate) fn daily_usage(row: &impl Columns) -> Result<DailyUsage> {
    let job_id = Some(row.text("job_id")?).filter(|id| !id.is_empty());
    let job_id = job_id.map(|id| id.parse().map_err(|_| corrupt("job_id"))).transpose()?;
    Ok(DailyUsage { day: row.integer("day")?, job_id, usage: usage(row)? })
}

/// The reward deviation of a job.
pub(crate) fn reward_deviation(row: &impl Columns) -> Result<RewardDeviation> {
    Ok(RewardDeviation { step: row.integer("start_step")?, deviation: row.number("reward_deviation")? })
}

/// The recorded result of a request.
///
/// # Errors
/// [`StoreError::KeyReused`] if it belongs to another request.
pub(crate) fn idempotent_result(row: &impl Columns, request: &IdempotentRequest) -> Result<IdempotentResult> {
    if row.bytes("request_sha256")? != request.sha256 {
        return Err(StoreError::KeyReused(request.key.clone()));
    }
    let outcome = row.text("outcome")?;
    IdempotentResult::parse(outcome, row.id("object_id")?).ok_or_else(|| corrupt("outcome"))
}

/// The id of this row.
pub(crate) fn id(row: &impl Columns) -> Result<Uuid> {
    row.id("id")
}

/// The artifact of this row.
pub(crate) fn artifact(row: &impl Columns) -> Result<ArtifactId> {
    parsed(row, "artifact")
}

/// An artifact with its holder.
pub(crate) fn artifact_reference(row: &impl Columns) -> Result<ArtifactReference> {
    let (kind, id) = row.text("holder")?.split_once(' ').ok_or_else(|| corrupt("holder"))?;
    let id = id.parse().map_err(|_| corrupt("holder"))?;
    let holder = match kind {
        "model" => ArtifactHolder::Model(id),
        "file" => ArtifactHolder::File(id),
        _ => return Err(corrupt("holder")),
    };
    Ok(ArtifactReference { artifact: parsed(row, "artifact")?, holder })
}

/// The manifest of a checkpoint.
pub(crate) fn manifest(row: &impl Columns) -> Result<ManifestRecord> {
    Ok(ManifestRecord {
        step: row.integer("step")?,
        sha256: row.text("sha256")?.to_owned(),
        text: row.text("text")?.to_owned(),
    })
}

pub(crate) fn file(row: &impl Columns) -> Result<FileRecord> {
    Ok(FileRecord {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        name: row.text("name")?.to_owned(),
        purpose: parsed(row, "purpose")?,
        bytes: row.integer("bytes")?,
        artifact: parsed(row, "artifact")?,
        created_at: row.integer("created_at")?,
        expires_at: row.optional_integer("expires_at")?,
    })
}

/// A file with its version.
pub(crate) fn file_version(row: &impl Columns) -> Result<FileVersion> {
    Ok(FileVersion { file: file(row)?, version: row.integer("version")? })
}

/// A stored trajectory log.
pub(crate) fn trajectory_log(row: &impl Columns) -> Result<TrajectoryLogRecord> {
    Ok(TrajectoryLogRecord {
        id: row.id("id")?,
        model_id: row.id("model_id")?,
        split: row.text("split")?.to_owned(),
        artifact: parsed(row, "artifact")?,
        groups: row.integer("groups")?,
        created_at: row.integer("created_at")?,
    })
}

/// The columns of a job's input: artifact, file and URL.
pub(crate) fn input_columns(input: &JobInput) -> (Option<String>, Option<Uuid>, Option<&str>) {
    match input {
        JobInput::Artifact(artifact) => (Some(artifact.to_string()), None, None),
        JobInput::File { id, content } => (Some(content.to_string()), Some(*id), None),
        JobInput::Url(url) => (None, None, Some(url)),
    }
}

/// The columns of an adapter: configuration and weights.
pub(crate) fn adapter_columns(adapter: Option<&AdapterArtifacts>) -> (Option<String>, Option<String>) {
    adapter.map(|adapter| (adapter.config.to_string(), adapter.weights.to_string())).unzip()
}

/// The columns of an optimizer's state: the state and the kind of training.
pub(crate) fn optimizer_columns(optimizer: Option<&OptimizerArtifact>) -> (Option<String>, Option<&'static str>) {
    optimizer.map(|optimizer| (optimizer.state.to_string(), optimizer.kind.as_str())).unzip()
}

/// Serializes numbers and texts as JSON.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("numbers and texts are always JSON")
}

/// Serializes the metrics of a checkpoint.
///
/// # Errors
/// [`StoreError::InvalidValue`] if one is not finite.
pub(crate) fn metrics(metrics: &BTreeMap<String, f64>) -> Result<String> {
    // JSON cannot represent these: they would read back as null.
    if let Some((name, value)) = metrics.iter().find(|(_, value)| !value.is_finite()) {
        return Err(StoreError::InvalidValue(format!("metric {name:?} is {value}; a stored metric must be finite")));
    }
    Ok(json(metrics))
}

/// The names of artifacts.
pub(crate) fn artifact_names(artifacts: &[ArtifactId]) -> Vec<String> {
    artifacts.iter().map(ToString::to_string).collect()
}
