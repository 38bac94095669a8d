//! Dry runs of training jobs: validation, token counts and an estimate of the duration.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::Api;
use super::job_events::event;
use super::job_view::of_dry_run;
use crate::generated::types::{TrainingEstimate, TrainingFinding, TrainingJobEventType, TrainingJobResponse};
use crate::http::ApiError;
use crate::jobs::estimate::{self, Estimate, EstimateError, Finding};
use crate::jobs::ignored_options;
use crate::models::Base;
use crate::store::artifacts::ArtifactId;
use crate::store::records::{JobFilter, JobInput, JobKind, JobStatus, ModelRecord, Order, PageRequest};

/// Limits the concurrent dry runs of this process. Each of them tokenizes at full speed.
static RUNNING: Semaphore = Semaphore::const_new(2);
/// `Retry-After` of a dry run over the limit.
const RETRY: std::time::Duration = std::time::Duration::from_secs(5);
/// Number of recent jobs that are searched for their speed.
const LOOKED_AT: u32 = 20;

impl Api {
    /// Returns the estimate of a job with this data. The data stored for the dry run is removed afterwards.
    pub(super) async fn dry_run(
        &self,
        model: &ModelRecord,
        kind: JobKind,
        data: JobInput,
        config: Value,
    ) -> Result<TrainingJobResponse, ApiError> {
        let removed = |artifact| Removed { api: self, artifact };
        // Removes the data also if the dry run is rejected.
        let mut own = match &data {
            JobInput::Artifact(content) => Some(removed(*content)),
            JobInput::File { .. } | JobInput::Url(_) => None,
        };
        let Ok(_permit) = RUNNING.try_acquire() else {
            return Err(ApiError::too_many_requests("other dry runs are under way; try again", RETRY));
        };
        let base = self.catalog.served_base(model)?.clone();
        let rejected = |error| rejected(kind, error);
        let content = match data {
            JobInput::File { content, .. } | JobInput::Artifact(content) => content,
            JobInput::Url(url) => {
                let fetched = estimate::fetch(&self.artifacts, &self.data, &url).await.map_err(rejected)?;
                own.insert(removed(fetched)).artifact
            }
        };
        let ignored = ignored_options(kind, &config);
        let estimate =
            estimate::estimate(&self.artifacts, kind, content, config, base.clone(), model).await.map_err(rejected)?;
        let speed = self.tokens_per_second(model, &base).await?;
        Ok(of_dry_run(wire(estimate, speed), &ignored))
    }

    /// Returns the speed of the entity's last job on this base model, if there is one.
    async fn tokens_per_second(&self, model: &ModelRecord, base: &Arc<Base>) -> Result<Option<f64>, ApiError> {
        let succeeded = JobFilter { status: Some(JobStatus::Succeeded), ..JobFilter::default() };
        let newest = |limit| PageRequest { after: None, limit, order: Order::Descending };
        let jobs = self.metadata.list_jobs(&model.entity, succeeded, newest(LOOKED_AT)).await?;
        for state in jobs.items.iter().filter(|state| state.steps > 0) {
            let trained = self.metadata.get_model(&model.entity, state.job.model_id).await;
            if !trained.is_ok_and(|trained| trained.base_model == base.name()) {
                continue;
            }
            // The last two events: a step and the end of the job.
            let events = self.metadata.list_events(&model.entity, state.job.id, newest(2)).await?;
            for record in &events.items {
                let event = event(record)?;
                let speed = event.data.get("tokens_per_second").and_then(Value::as_f64);
                if event.type_ == TrainingJobEventType::GradientStep && speed.is_some_and(|speed| speed > 0.0) {
                    return Ok(speed);
                }
            }
        }
        Ok(None)
    }
}

/// Removes the artifact of a dry run on drop.
struct Removed<'a> {
    api: &'a Api,
    artifact: ArtifactId,
}

impl Drop for Removed<'_> {
    fn drop(&mut self) {
        self.api.collect_later(vec![self.artifact]);
    }
}

pub(super) fn rejected(kind: JobKind, error: EstimateError) -> ApiError {
    match error {
        EstimateError::WouldFail { code, message } => {
            let path = match kind {
                JobKind::Rl => "trajectory_groups",
                JobKind::Sft => "training_data_url",
            };
            ApiError::invalid(path, message).with_code(code.as_str())
        }
        EstimateError::Gone => ApiError::not_found(
            "the data is no longer stored: that of a failed or cancelled job is removed at its end, that of another with its \
             checkpoint and all later ones",
        ),
        EstimateError::Service(error) => ApiError::internal(crate::error_chain(&*error)),
    }
}

fn wire(estimate: Estimate, tokens_per_second: Option<f64>) -> TrainingEstimate {
    let Estimate { steps, tokens, trained_tokens, announcement, findings, memory } = estimate;
    let finding = |found: Finding| TrainingFinding {
        code: found.code.to_owned(),
        count: found.count as u64,
        message: found.message,
    };
    TrainingEstimate {
        steps: steps as u64,
        tokens: tokens as u64,
        trained_tokens: trained_tokens as u64,
        expected_seconds: tokens_per_second.map(|speed| tokens as f64 / speed),
        training_started: announcement.as_object().cloned().unwrap_or_default(),
        findings: findings.into_iter().map(finding).collect(),
        memory: memory.map(super::models::wire_memory),
    }
}
