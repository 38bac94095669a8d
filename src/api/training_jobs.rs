//! Reinforcement learning and supervised fine-tuning jobs.

use serde_json::Value;

use super::{
    Api,
    error::option_failure,
    models::to_bytes,
    paging::{ends, id, page_request},
};
use crate::{
    auth::Caller,
    generated::{
        server::training_jobs::{
            CreateSftTrainingJobInput, CreateSftTrainingJobOutput, CreateTrainingJobInput, CreateTrainingJobOutput,
            GetTrainingJobInput, GetTrainingJobOutput, ListTrainingJobEventsInput, ListTrainingJobEventsOutput,
            TrainingJobs,
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
        records::{EventRecord, JobInput, JobKind, JobRecord, JobStatus, NewJob},
    },
    training::{RlConfig, SftConfig},
};

impl TrainingJobs for Api {
    async fn create_training_job(
        &self,
        caller: Caller,
        input: CreateTrainingJobInput,
    ) -> Result<CreateTrainingJobOutput, Failure> {
        let body = input.body;
        let model = self.metadata.get_model(&caller.entity, id(&body.model_id, "model")?).await?;
        let config = config_value(body.experimental_config.as_ref())?;
        let options =
            RlConfig::from_wire(config.as_ref()).map_err(|error| option_failure("experimental_config", &error))?;
        if let Some(wanted) = &options.kl_reference {
            reference::check(&*self.metadata, &model, wanted).await?;
        }
        let groups = to_bytes(body.trajectory_groups).await?;
        let artifact = self.artifacts.put(groups).await?;
        let job = NewJob {
            entity: caller.entity,
            model_id: model.id,
            kind: JobKind::Rl,
            config: config.unwrap_or(Value::Null).to_string(),
            input: JobInput::Artifact(artifact),
            request: None,
        };
        let queued = self.queue(job).await;
        // Otherwise the row may have been written and only the answer was lost: a sweep will know.
        if queued.as_ref().is_err_and(StoreError::is_refusal) {
            garbage::collect_later(self.metadata.clone(), self.artifacts.clone(), vec![artifact]);
        }
        Ok(queued?.into())
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
        let job = NewJob {
            entity: caller.entity,
            model_id: model.id,
            kind: JobKind::Sft,
            config: config.unwrap_or(Value::Null).to_string(),
            input: JobInput::Url(body.training_data_url),
            request: None,
        };
        Ok(self.queue(job).await?.into())
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
    async fn queue(&self, job: NewJob) -> Result<TrainingJobResponse, StoreError> {
        Ok(wire(&self.metadata.create_job(job).await?))
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
