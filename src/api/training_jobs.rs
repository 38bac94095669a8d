//! Reinforcement learning and supervised fine-tuning jobs.

use serde_json::Value;
use uuid::Uuid;

use super::{
    Api,
    error::option_failure,
    groups,
    paging::{ends, id, page_request},
    repeated,
};
use crate::{
    auth::Caller,
    generated::{
        server::training_jobs::{
            CreateSftTrainingJobInput, CreateSftTrainingJobOkHeaders, CreateSftTrainingJobOutput,
            CreateTrainingJobInput, CreateTrainingJobOkHeaders, CreateTrainingJobOutput, GetTrainingJobInput,
            GetTrainingJobOutput, ListTrainingJobEventsInput, ListTrainingJobEventsOutput, TrainingJobs,
        },
        types::{
            ListObject, TrainingJobEvent, TrainingJobEventPage, TrainingJobEventType, TrainingJobResponse,
            TrainingJobStatus,
        },
    },
    http::Failure,
    jobs::reference,
    store::{
        garbage,
        metadata::StoreError,
        records::{EventRecord, IdempotentRequest, JobInput, JobKind, JobRecord, JobStatus, NewJob},
    },
    training::{RlConfig, SftConfig},
};

impl TrainingJobs for Api {
    async fn create_training_job(
        &self,
        caller: Caller,
        input: CreateTrainingJobInput,
    ) -> Result<CreateTrainingJobOutput, Failure> {
        let (body, mut received) = groups::receive(&self.artifacts, input.body).await?;
        let model = self.metadata.get_model(&caller.entity, id(&body.model_id, "model")?).await?;
        let config = config_value(body.experimental_config.as_ref())?;
        let options =
            RlConfig::from_wire(config.as_ref()).map_err(|error| option_failure("experimental_config", &error))?;
        if let Some(wanted) = &options.kl_reference {
            reference::check(&*self.metadata, &model, wanted).await?;
        }
        let config = config.unwrap_or(Value::Null).to_string();
        let request = match input.idempotency_key {
            Some(key) => {
                let groups = received.writer.hash().await;
                let asked: [&[u8]; 4] =
                    [JobKind::Rl.as_str().as_bytes(), body.model_id.as_bytes(), config.as_bytes(), &groups];
                Some(repeated::recorded_under(key, &asked))
            }
            None => None,
        };
        if let Some(job) = self.repeated(&caller.entity, request.as_ref()).await? {
            return Ok(CreateTrainingJobOutput::Ok {
                headers: CreateTrainingJobOkHeaders { idempotency_replayed: Some(true) },
                body: wire(&job),
            });
        }
        let artifact = received.writer.finish().await?;
        let job = NewJob {
            id: Uuid::now_v7(),
            entity: caller.entity,
            model_id: model.id,
            kind: JobKind::Rl,
            config,
            input: JobInput::Artifact(artifact),
            request,
        };
        let queued = self.queue(job).await;
        // Otherwise the row may have been written and only the answer was lost: a sweep will know.
        let is_unused = match &queued {
            Ok((_, replayed)) => replayed.is_some(),
            Err(error) => error.is_refusal(),
        };
        if is_unused {
            garbage::collect_later(self.metadata.clone(), self.artifacts.clone(), vec![artifact]);
        }
        let (body, idempotency_replayed) = queued?;
        Ok(CreateTrainingJobOutput::Ok { headers: CreateTrainingJobOkHeaders { idempotency_replayed }, body })
    }

    async fn create_sft_training_job(
        &self,
        caller: Caller,
        input: CreateSftTrainingJobInput,
    ) -> Result<CreateSftTrainingJobOutput, Failure> {
        let body = input.body;
        let model = self.metadata.get_model(&caller.entity, id(&body.model_id, "model")?).await?;
        let config = config_value(body.config.as_ref())?;
        SftConfig::from_wire(config.as_ref()).map_err(|error| option_failure("config", &error))?;
        self.data.check(&body.training_data_url)?;
        let config = config.unwrap_or(Value::Null).to_string();
        let url = body.training_data_url;
        let request = input.idempotency_key.map(|key| {
            let asked = [JobKind::Sft.as_str(), &body.model_id, &config, &url].map(str::as_bytes);
            repeated::recorded_under(key, &asked)
        });
        let job = NewJob {
            id: Uuid::now_v7(),
            entity: caller.entity,
            model_id: model.id,
            kind: JobKind::Sft,
            config,
            input: JobInput::Url(url),
            request,
        };
        let (body, idempotency_replayed) = self.queue(job).await?;
        Ok(CreateSftTrainingJobOutput::Ok { headers: CreateSftTrainingJobOkHeaders { idempotency_replayed }, body })
    }

    async fn get_training_job(
        &self,
        caller: Caller,
        input: GetTrainingJobInput,
    ) -> Result<GetTrainingJobOutput, Failure> {
        let job_id = id(&input.training_job_id, "training job")?;
        Ok(wire(&self.metadata.get_job(&caller.entity, job_id).await?).into())
    }

    async fn list_training_job_events(
        &self,
        caller: Caller,
        input: ListTrainingJobEventsInput,
    ) -> Result<ListTrainingJobEventsOutput, Failure> {
        let job_id = id(&input.training_job_id, "training job")?;
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let page = self.metadata.list_events(&caller.entity, job_id, request).await?;
        let data = page.items.iter().map(event).collect::<Result<Vec<_>, _>>()?;
        let (first_id, last_id) = ends(&data, |item| &item.id);
        Ok(TrainingJobEventPage { object: ListObject::List, first_id, last_id, has_more: page.has_more, data }.into())
    }
}

impl Api {
    /// Queues a job; with it comes `Some(true)` if the same request had queued it before.
    async fn queue(&self, job: NewJob) -> Result<(TrainingJobResponse, Option<bool>), StoreError> {
        let id = job.id;
        let queued = self.metadata.create_job(job).await?;
        Ok((wire(&queued), (queued.id != id).then_some(true)))
    }

    /// The job that the same request has queued before.
    async fn repeated(
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

/// Options as a JSON value, unknown ones included.
fn config_value(config: Option<&impl serde::Serialize>) -> Result<Option<Value>, Failure> {
    config.map(serde_json::to_value).transpose().map_err(Failure::internal)
}

fn wire(job: &JobRecord) -> TrainingJobResponse {
    let status = match job.status {
        JobStatus::Queued => TrainingJobStatus::Queued,
        JobStatus::Running => TrainingJobStatus::Running,
        JobStatus::Succeeded => TrainingJobStatus::Succeeded,
        JobStatus::Failed => TrainingJobStatus::Failed,
    };
    TrainingJobResponse { id: job.id.to_string(), status: Some(status) }
}

fn event(record: &EventRecord) -> Result<TrainingJobEvent, Failure> {
    let corrupt = |reason: String| Failure::internal(format!("event {}: {reason}", record.id));
    Ok(TrainingJobEvent {
        id: record.id.to_string(),
        type_: record.kind.parse::<TrainingJobEventType>().map_err(|error| corrupt(error.to_string()))?,
        data: serde_json::from_str(&record.data).map_err(|error| corrupt(error.to_string()))?,
    })
}
