//! Supervised jobs in the format of OpenAI's fine-tuning API.

mod create;
mod events;
mod wire;

pub(super) use create::{MAX_NOTES, check_names};

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::Api;
use super::paging::{cursor, matching, page, page_request, parse_prefixed_id};
use super::training_jobs::cancellation;
use crate::auth::Caller;
use crate::generated::server::fine_tuning::*;
use crate::generated::types::{FineTuningCheckpointPage, FineTuningEventPage, FineTuningJobPage, SortOrder};
use crate::http::{ApiError, reserve_response};
use crate::store::metadata::OptionalExtension;
use crate::store::records::{JobFilter, JobKind, JobState};

/// Prefix of job ids.
const JOB: &str = "ftjob-";
/// Prefix of event ids.
const EVENT: &str = "ftevent-";
/// Prefix of checkpoint ids.
const CHECKPOINT: &str = "ftckpt-";
/// Memory of a job of a list: twice its hyperparameters and the longest metadata, 16 pairs of 576 bytes.
const JOB_BYTES: usize = 32 << 10;

impl FineTuning for Api {
    async fn create_fine_tuning_job(
        &self,
        caller: Caller,
        input: CreateFineTuningJobInput,
    ) -> Result<CreateFineTuningJobOutput, ApiError> {
        let (state, idempotency_replayed) = self.fine_tune(&caller, input).await?;
        let model = self.metadata.get_model(&caller.entity, state.job.model_id).await?;
        Ok(CreateFineTuningJobOutput::Ok {
            headers: CreateFineTuningJobOkHeaders { idempotency_replayed },
            body: wire::job(&state, &model),
        })
    }

    async fn list_fine_tuning_jobs(
        &self,
        caller: Caller,
        input: ListFineTuningJobsInput,
    ) -> Result<ListFineTuningJobsOutput, ApiError> {
        let after = cursor(JOB, input.after.as_deref());
        let request = page_request(after.as_deref(), input.limit, SortOrder::Desc)?;
        let filter = JobFilter { kind: Some(JobKind::Sft), ..JobFilter::default() };
        let wanted = wanted_notes(input.metadata.as_deref())?;
        let has_notes = |state: &JobState| {
            let notes = state.job.fine_tuning.as_ref().and_then(|request| request.metadata.as_ref());
            wanted.iter().all(|(name, text)| notes.is_some_and(|notes| notes.get(name) == Some(text)))
        };
        let read = |request| self.metadata.list_jobs(&caller.entity, filter, request);
        let page = match wanted.is_empty() {
            true => read(request).await?,
            false => matching(request, read, |state| state.job.id, has_notes).await?,
        };
        // The jobs are kept while their models are read.
        reserve_response(page.items.len() * JOB_BYTES)?;
        let (mut models, mut data) = (HashMap::new(), Vec::with_capacity(page.items.len()));
        for state in &page.items {
            let id = state.job.model_id;
            let model = match models.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => match self.metadata.get_model(&caller.entity, id).await.optional()? {
                    Some(model) => unknown.insert(model),
                    // The model and its jobs were deleted in the meantime.
                    None => continue,
                },
            };
            data.push(wire::job(state, model));
        }
        Ok(page!(FineTuningJobPage, data, page.has_more).into())
    }

    async fn get_fine_tuning_job(
        &self,
        caller: Caller,
        input: GetFineTuningJobInput,
    ) -> Result<GetFineTuningJobOutput, ApiError> {
        let state = self.supervised_job(&caller, &input.fine_tuning_job_id).await?;
        let model = self.metadata.get_model(&caller.entity, state.job.model_id).await?;
        Ok(wire::job(&state, &model).into())
    }

    async fn cancel_fine_tuning_job(
        &self,
        caller: Caller,
        input: CancelFineTuningJobInput,
    ) -> Result<CancelFineTuningJobOutput, ApiError> {
        let JobState { job, .. } = self.supervised_job(&caller, &input.fine_tuning_job_id).await?;
        let model = self.metadata.get_model(&caller.entity, job.model_id).await?;
        let (message, event) = cancellation();
        let cancelled = self.metadata.cancel_job(&caller.entity, job.id, message, event).await?;
        self.collect_later(cancelled.unreferenced);
        Ok(wire::job(&cancelled.state, &model).into())
    }

    async fn list_fine_tuning_job_events(
        &self,
        caller: Caller,
        input: ListFineTuningJobEventsInput,
    ) -> Result<ListFineTuningJobEventsOutput, ApiError> {
        let state = self.supervised_job(&caller, &input.fine_tuning_job_id).await?;
        let model = self.metadata.get_model(&caller.entity, state.job.model_id).await?;
        let after = cursor(EVENT, input.after.as_deref());
        let request = page_request(after.as_deref(), input.limit, SortOrder::Desc)?;
        let page = self.metadata.list_events(&caller.entity, state.job.id, request).await?;
        let name = wire::fine_tuned_model(&state.job, &model);
        let events = page.items.iter().map(|record| events::event(record, &state, name.as_deref()));
        Ok(page!(FineTuningEventPage, events.collect::<Result<_, _>>()?, page.has_more).into())
    }

    async fn list_fine_tuning_job_checkpoints(
        &self,
        caller: Caller,
        input: ListFineTuningJobCheckpointsInput,
    ) -> Result<ListFineTuningJobCheckpointsOutput, ApiError> {
        let state = self.supervised_job(&caller, &input.fine_tuning_job_id).await?;
        let model = self.metadata.get_model(&caller.entity, state.job.model_id).await?;
        let made = match state.job.published_step {
            None => None,
            Some(step) => {
                let made = self.metadata.checkpoint_at_step(&caller.entity, model.id, step).await.optional()?;
                made.and_then(|checkpoint| wire::checkpoint(checkpoint, &state, &model))
            }
        };
        let data = match input.after {
            None => Vec::from_iter(made),
            Some(after) if made.is_some_and(|made| made.id == after) => Vec::new(),
            Some(_) => return Err(ApiError::invalid("after", "the cursor is not an item of this listing")),
        };
        Ok(page!(FineTuningCheckpointPage, data, false).into())
    }
}

impl Api {
    /// Returns the supervised job with this id, in either form. Other jobs are not found.
    async fn supervised_job(&self, caller: &Caller, id: &str) -> Result<JobState, ApiError> {
        let unknown = || ApiError::not_found("there is no such fine-tuning job");
        let id = parse_prefixed_id(JOB, id).or_else(|| id.parse().ok()).ok_or_else(unknown)?;
        let state = self.metadata.get_job_state(&caller.entity, id).await.optional()?;
        state.filter(|state| state.job.kind == JobKind::Sft).ok_or_else(unknown)
    }
}

/// Reads the metadata that a listing is restricted to: a JSON object of texts.
pub(super) fn wanted_notes(text: Option<&str>) -> Result<BTreeMap<String, String>, ApiError> {
    text.map_or(Ok(BTreeMap::new()), serde_json::from_str)
        .map_err(|error| ApiError::invalid("metadata", format!("metadata is no JSON object of texts: {error}")))
}

/// Returns 422 for an OpenAI option that this service does not support.
fn unsupported(param: &str, message: &str) -> ApiError {
    ApiError::invalid(param, message).with_code("unsupported_parameter")
}
