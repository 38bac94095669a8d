//! Reinforcement learning and supervised fine-tuning jobs.

use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use super::error::option_failure;
use super::job_events::{EventLog, event};
use super::job_lists::FollowedPage;
use super::job_view::{self, wire};
use super::paging::{id, page, page_request};
use super::step_metrics::Points;
use super::{Api, files, groups, idempotency};
use crate::auth::Caller;
use crate::generated::server::training_jobs::*;
use crate::generated::types::{
    SortOrder, TrainingJobEventPage, TrainingJobEventType, TrainingJobPage, TrainingJobResponse,
};
use crate::http::{ApiError, EventStream};
use crate::jobs::reference;
use crate::sessions::SessionGroups;
use crate::store::metadata::StoreError;
use crate::store::records::{
    FilePurpose, FileRecord, IdempotentRequest, JobFilter, JobInput, JobKind, JobLabels, JobRecord, JobState,
    LabelChange, ModelRecord, NewEvent, NewJob, StepsOf,
};
use crate::training::{RlConfig, SftConfig, SourceLimits, WandbArtifact};

/// Heartbeat interval of an event stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Error message of a job that its owner cancelled.
const CANCELLED: &str = "the job was cancelled by its owner";

impl TrainingJobs for Api {
    async fn create_training_job(
        &self,
        caller: Caller,
        input: CreateTrainingJobInput,
    ) -> Result<CreateTrainingJobOutput, ApiError> {
        let output = |body, idempotency_replayed| CreateTrainingJobOutput::Ok {
            headers: CreateTrainingJobOkHeaders { idempotency_replayed },
            body,
        };
        let (body, mut received) = groups::receive(&self.artifacts, input.body).await?;
        let model = self.metadata.get_model(&caller.entity, id(&body.model_id, "model")?).await?;
        let config = config_value(body.experimental_config.as_ref())?;
        let options =
            RlConfig::from_wire(config.as_ref()).map_err(|error| option_failure("experimental_config", &error))?;
        if let Some(wanted) = &options.kl_reference {
            reference::check(&*self.metadata, &model, wanted).await?;
        }
        if body.trajectory_groups.is_none() && body.sessions.is_none() && body.group.is_none() {
            let message = "trajectory_groups is missing; send them, or `sessions`, or a `group` of sessions";
            return Err(ApiError::invalid("trajectory_groups", message));
        }
        let sessions = body.sessions.unwrap_or_default();
        let found = SessionGroups::find(&*self.metadata, &model, &sessions, body.group.as_deref()).await?;
        received.add_sessions(&*self.metadata, &found).await?;
        let mut received = received.close().await?;
        if input.dry_run {
            let groups = JobInput::Artifact(received.writer.finish().await?);
            return Ok(output(self.dry_run(&model, JobKind::Rl, groups, config.unwrap_or_default()).await?, None));
        }
        let config = config.unwrap_or(Value::Null).to_string();
        let labels = JobLabels { name: body.name.or(body.group), tags: body.tags.unwrap_or_default() };
        let request = match input.idempotency_key {
            Some(key) => {
                let groups = received.writer.hash().await;
                let asked: [&[u8]; 4] =
                    [JobKind::Rl.as_str().as_bytes(), body.model_id.as_bytes(), config.as_bytes(), &groups];
                Some(idempotency::record(key, &[&asked[..], &asked_labels(&labels)].concat()))
            }
            None => None,
        };
        if let Some(job) = self.repeated(&caller.entity, request.as_ref()).await? {
            return Ok(output(self.state_of(job).await, Some(true)));
        }
        self.check_budget(&caller).await?;
        let artifact = received.writer.finish().await?;
        let job = self.new_job(caller, &model, JobKind::Rl, JobInput::Artifact(artifact));
        let job = NewJob { config, labels, request, ..job };
        let queued = self.queue(job).await;
        if idempotency::is_unused(&queued, |(_, replayed)| replayed.is_some()) {
            self.collect_later(vec![artifact]);
        }
        let (body, replayed) = queued?;
        Ok(output(body, replayed))
    }

    async fn create_sft_training_job(
        &self,
        caller: Caller,
        input: CreateSftTrainingJobInput,
    ) -> Result<CreateSftTrainingJobOutput, ApiError> {
        let output = |body, idempotency_replayed| CreateSftTrainingJobOutput::Ok {
            headers: CreateSftTrainingJobOkHeaders { idempotency_replayed },
            body,
        };
        let body = input.body;
        let model = self.metadata.get_model(&caller.entity, id(&body.model_id, "model")?).await?;
        let config = config_value(body.config.as_ref())?;
        SftConfig::from_wire(config.as_ref()).map_err(|error| option_failure("config", &error))?;
        let url = body.training_data_url;
        if input.dry_run {
            let data = self.training_data(&caller, url).await?;
            return Ok(output(self.dry_run(&model, JobKind::Sft, data, config.unwrap_or_default()).await?, None));
        }
        let config = config.unwrap_or(Value::Null).to_string();
        let labels = JobLabels { name: body.name, tags: body.tags.unwrap_or_default() };
        let request = input.idempotency_key.map(|key| {
            let asked = [JobKind::Sft.as_str(), &body.model_id, &config, &url].map(str::as_bytes);
            idempotency::record(key, &[&asked[..], &asked_labels(&labels)].concat())
        });
        if let Some(job) = self.repeated(&caller.entity, request.as_ref()).await? {
            return Ok(output(self.state_of(job).await, Some(true)));
        }
        self.check_budget(&caller).await?;
        let input = self.training_data(&caller, url).await?;
        let job = self.new_job(caller, &model, JobKind::Sft, input);
        let (body, replayed) = self.queue(NewJob { config, labels, request, ..job }).await?;
        Ok(output(body, replayed))
    }

    async fn get_training_job(
        &self,
        caller: Caller,
        input: GetTrainingJobInput,
    ) -> Result<GetTrainingJobOutput, ApiError> {
        let job_id = id(&input.training_job_id, "training job")?;
        Ok(wire(&self.metadata.get_job_state(&caller.entity, job_id).await?).into())
    }

    async fn list_training_jobs(
        &self,
        caller: Caller,
        input: ListTrainingJobsInput,
    ) -> Result<ListTrainingJobsOutput, ApiError> {
        let model_id = match input.model_id {
            Some(model) => Some(self.metadata.get_model(&caller.entity, id(&model, "model")?).await?.id),
            None => None,
        };
        let (status, kind) = (input.status.map(Into::into), input.kind.map(Into::into));
        let text = input.q.map(|text| text.to_ascii_lowercase());
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        if input.accept.weight("text/event-stream") > input.accept.weight("application/json") {
            let permit = self.admit_stream(&caller)?;
            let page = FollowedPage { entity: caller.entity, model_id, status, kind, text, request };
            let follower = self.job_lists.follow(&self.metadata, page, self.stop.clone(), permit).await?;
            let events = EventStream::encoded(self.until_revoked(caller.key_id, follower.stream())).without_done();
            return Ok(events.with_heartbeat(HEARTBEAT).into());
        }
        let filter = JobFilter { model_id, status, kind, text: text.as_deref() };
        let page = self.metadata.list_jobs(&caller.entity, filter, request).await?;
        Ok(page!(TrainingJobPage, job_view::wire_page(&page.items), page.has_more).into())
    }

    async fn update_training_job(
        &self,
        caller: Caller,
        input: UpdateTrainingJobInput,
    ) -> Result<UpdateTrainingJobOutput, ApiError> {
        let job_id = id(&input.training_job_id, "training job")?;
        let change = LabelChange { name: input.body.name, tags: input.body.tags };
        Ok(wire(&self.metadata.set_job_labels(&caller.entity, job_id, change).await?).into())
    }

    async fn cancel_training_job(
        &self,
        caller: Caller,
        input: CancelTrainingJobInput,
    ) -> Result<CancelTrainingJobOutput, ApiError> {
        let job_id = id(&input.training_job_id, "training job")?;
        let (message, event) = cancellation();
        let cancelled = self.metadata.cancel_job(&caller.entity, job_id, message, event).await?;
        self.collect_later(cancelled.unreferenced);
        Ok(wire(&cancelled.state).into())
    }

    async fn get_training_job_metrics(
        &self,
        caller: Caller,
        input: GetTrainingJobMetricsInput,
    ) -> Result<GetTrainingJobMetricsOutput, ApiError> {
        let job_id = id(&input.training_job_id, "training job")?;
        let names = input.name.unwrap_or_default();
        if input.accept.weight("text/csv") > input.accept.weight("application/json") {
            let file_name = format!("metrics-{job_id}.csv");
            return Ok(self.csv_of_steps(&caller, StepsOf::Job(job_id), names, &file_name).await?.into());
        }
        let points = Points { max: input.points, first_step: input.first_step, last_step: input.last_step };
        Ok(self.curve(&caller, StepsOf::Job(job_id), &names, points).await?.0.into())
    }

    async fn list_training_job_groups(
        &self,
        caller: Caller,
        input: ListTrainingJobGroupsInput,
    ) -> Result<ListTrainingJobGroupsOutput, ApiError> {
        Ok(self.groups_of_job(&caller, input).await?.into())
    }

    async fn list_training_job_drops(
        &self,
        caller: Caller,
        input: ListTrainingJobDropsInput,
    ) -> Result<ListTrainingJobDropsOutput, ApiError> {
        Ok(self.drops_of_job(&caller, input).await?.into())
    }

    async fn list_training_job_trajectories(
        &self,
        caller: Caller,
        input: ListTrainingJobTrajectoriesInput,
    ) -> Result<ListTrainingJobTrajectoriesOutput, ApiError> {
        let (groups, model) = self.job_groups(&caller, &input.training_job_id).await?;
        Ok(self.list_trajectories(groups, model, &input.group_id, input.after.as_deref(), input.limit).await?.into())
    }

    async fn list_training_job_events(
        &self,
        caller: Caller,
        input: ListTrainingJobEventsInput,
    ) -> Result<ListTrainingJobEventsOutput, ApiError> {
        let job_id = id(&input.training_job_id, "training job")?;
        let is_stream = input.accept.weight("text/event-stream") > input.accept.weight("application/json");
        let permit = if is_stream || input.wait > 0 { self.admit_stream(&caller)? } else { None };
        let (metadata, tails, stop) = (self.metadata.clone(), self.event_tails.clone(), self.stop.clone());
        let (entity, key) = (caller.entity, caller.key_id);
        let mut log = EventLog { metadata, tails, entity, job_id, stop, permit };
        if is_stream {
            let (at, after) = match input.last_event_id {
                Some(id) => ("Last-Event-ID", Some(id)),
                None => ("after", input.after),
            };
            // An invalid request must get its error status before the stream begins.
            let after = page_request(after.as_deref(), input.limit, SortOrder::Asc)?.after;
            let beginning = log.begin(after).await.map_err(|error| {
                let is_cursor = matches!(error, StoreError::InvalidCursor(_));
                let failure = ApiError::from(error);
                if is_cursor { failure.with_param(at) } else { failure }
            })?;
            let events = EventStream::encoded(self.until_revoked(key, log.follow(beginning))).without_done();
            return Ok(events.with_heartbeat(HEARTBEAT).into());
        }
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let page = log.page(request, Duration::from_secs(input.wait.into())).await?;
        Ok(page!(TrainingJobEventPage, page.items.iter().map(event).collect::<Result<_, _>>()?, page.has_more).into())
    }
}

impl Api {
    /// Returns the data of a supervised job: an uploaded file or the content of a URL.
    async fn training_data(&self, caller: &Caller, url: String) -> Result<JobInput, ApiError> {
        const FIELD: &str = "training_data_url";
        let file = if files::is_file_id(&url) {
            self.named_file(caller, &url, FIELD).await?
        } else if WandbArtifact::is_url(&url) {
            match self.wandb_data(caller, &url, FIELD).await? {
                Some(file) => file,
                None => return Ok(JobInput::Url(url)),
            }
        } else {
            self.data.check(&url).map_err(|error| ApiError::invalid("training_data_url", error.to_string()))?;
            return Ok(JobInput::Url(url));
        };
        check_data(&file, FIELD)?;
        Ok(JobInput::File { id: file.id, content: file.artifact })
    }

    /// Queues a job. Also returns `Some(true)` if the same request had queued it before.
    async fn queue(&self, job: NewJob) -> Result<(TrainingJobResponse, Option<bool>), StoreError> {
        let id = job.id;
        let queued = self.metadata.create_job(job).await?;
        let replayed = (queued.id != id).then_some(true);
        Ok((self.state_of(queued).await, replayed))
    }

    /// Returns a job of a caller on a model, without options and labels.
    fn new_job(&self, caller: Caller, model: &ModelRecord, kind: JobKind, input: JobInput) -> NewJob {
        NewJob {
            id: Uuid::now_v7(),
            entity: caller.entity,
            model_id: model.id,
            key_id: Some(caller.key_id),
            max_unfinished_jobs: caller.limits.queued_jobs,
            kind,
            config: String::new(),
            input,
            validation: None,
            fine_tuning: None,
            labels: JobLabels::default(),
            sampler: self.catalog.base(&model.base_model).and_then(|base| base.remote_sampler()),
            request: None,
        }
    }

    /// Returns the job in the wire format, without progress if that cannot be read at the moment.
    async fn state_of(&self, job: JobRecord) -> TrainingJobResponse {
        wire(&self.job_state(job).await)
    }

    /// Returns the state of an existing job, without progress if that cannot be read at the moment.
    pub(super) async fn job_state(&self, job: JobRecord) -> JobState {
        let state = self.metadata.get_job_state(&job.entity, job.id).await;
        state.unwrap_or_else(|_| job_view::new_state(job))
    }

    /// Returns the job that the same request has queued before.
    pub(super) async fn repeated(
        &self,
        entity: &str,
        request: Option<&IdempotentRequest>,
    ) -> Result<Option<JobRecord>, StoreError> {
        let Some(request) = request else { return Ok(None) };
        match self.metadata.find_idempotent_result(entity, request).await? {
            Some(done) => self.metadata.get_job(entity, done.object_id()).await.map(Some),
            None => Ok(None),
        }
    }
}

/// Returns the parts of a request that name its job. A request without labels is recorded as before there were any.
fn asked_labels(labels: &JobLabels) -> Vec<&[u8]> {
    if *labels == JobLabels::default() {
        return Vec::new();
    }
    let tags = labels.tags.iter().map(String::as_bytes);
    [b"name", labels.name.as_deref().unwrap_or_default().as_bytes(), b"tags"].into_iter().chain(tags).collect()
}

/// Returns 422 at `field` for a file that has another purpose than training or is too large for it.
pub(super) fn check_data(file: &FileRecord, field: &str) -> Result<(), ApiError> {
    if file.purpose != FilePurpose::FineTune {
        let message = "the file was uploaded for another purpose; upload training data with purpose fine-tune";
        return Err(ApiError::invalid(field, message));
    }
    let limit = SourceLimits::default().bytes;
    if usize::try_from(file.bytes).is_ok_and(|bytes| bytes > limit) {
        let message = format!("the file has {} bytes; training data may have {limit} at most", file.bytes);
        return Err(ApiError::invalid(field, message));
    }
    Ok(())
}

/// Returns the error message and the last event of a cancelled job.
pub(super) fn cancellation() -> (&'static str, NewEvent) {
    let event = NewEvent {
        kind: TrainingJobEventType::TrainingFailed.to_string(),
        data: serde_json::json!({ "error_message": CANCELLED }).to_string(),
    };
    (CANCELLED, event)
}

/// Converts options to a JSON value, including unknown options.
fn config_value(config: Option<&impl serde::Serialize>) -> Result<Option<Value>, ApiError> {
    config.map(serde_json::to_value).transpose().map_err(ApiError::internal)
}
