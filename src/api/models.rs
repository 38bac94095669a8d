//! Operations on trainable models and their trajectory logs.

use uuid::Uuid;

use super::groups::{self, ReceivedGroups};
use super::ignored::{Ignored, Names};
use super::job_view::{same_variants, seconds};
use super::paging::{id, page, page_request};
use super::step_metrics::Points;
use super::{Api, idempotency, training_method};
use crate::auth::Caller;
use crate::engine::{WeightFormat, machine_memory};
use crate::generated::server::models::*;
use crate::generated::types::{
    self, BaseModel, BaseModelList, DeleteModelResponse, ListObject, LogResponse, MemoryEstimate, ModelPage,
    ModelResponse,
};
use crate::http::ApiError;
use crate::json::ReadObject;
use crate::models::{Base, JobMemory, MemoryNeeds, Workload};
use crate::store::records::{ModelCreation, ModelFilter, ModelRecord, NewModel, NewTrajectoryLog, StepsOf};

impl Models for Api {
    async fn create_model(&self, caller: Caller, input: CreateModelInput) -> Result<CreateModelOutput, ApiError> {
        let body = input.body;
        let names = Names {
            properties: types::ModelCreate::NAMES,
            read_elsewhere: Vec::new(),
            without_effect: Default::default(),
        };
        let mut ignored = Ignored::default();
        ignored.add(&body.extra, "", &names)?;
        let entity = body.entity.clone().unwrap_or_else(|| caller.entity.clone());
        if entity != caller.entity {
            return Err(ApiError::forbidden(format!(
                "this key acts for {:?} and cannot make models of {entity:?}; leave `entity` out",
                caller.entity
            ))
            .with_param("entity"));
        }
        let Some(base) = self.catalog.base(&body.base_model) else {
            let served: Vec<&str> = self.catalog.base_names().collect();
            return Err(ApiError::invalid(
                "base_model",
                format!("there is no base model {:?}; this service has {}", body.base_model, served.join(", ")),
            ));
        };
        let request = idempotency::record_of_body(input.idempotency_key, &[b"model"], &body)?;
        let model_id = Uuid::now_v7();
        let created = |model: ModelRecord| ModelResponse { job_memory: job_memory(base, &model), ..wire(model) };
        let model = NewModel {
            id: model_id,
            entity,
            project: body.project.clone(),
            name: body.name.clone(),
            base_model: body.base_model.clone(),
            method: training_method::requested(&body, base)?,
            run_id: None,
            provenance: base.provenance().await,
            request,
        };
        match self.metadata.create_model(model).await? {
            ModelCreation::Created(model) => {
                ignored.tell();
                let idempotency_replayed = (model.id != model_id).then_some(true);
                let headers = CreateModelOkHeaders { idempotency_replayed };
                Ok(CreateModelOutput::Ok { headers, body: created(model) })
            }
            ModelCreation::Existing(model) if body.return_existing != Some(true) => Err(ApiError::conflict(format!(
                "{}/{} already has a model {:?}; set `return_existing` to get it, or choose another name",
                model.entity, model.project, model.name
            ))
            .with_param("name")),
            ModelCreation::Existing(model) if model.base_model != body.base_model => Err(ApiError::conflict(format!(
                "the existing model {:?} is trained from {:?}, not from {:?}; choose another name",
                model.name, model.base_model, body.base_model
            ))
            .with_param("base_model")),
            ModelCreation::Existing(model) => {
                training_method::check_same(&body, &model, base)?;
                ignored.tell();
                let headers = CreateModelOkHeaders { idempotency_replayed: None };
                Ok(CreateModelOutput::Ok { headers, body: created(model) })
            }
        }
    }

    async fn list_base_models(
        &self,
        _caller: Caller,
        _input: ListBaseModelsInput,
    ) -> Result<ListBaseModelsOutput, ApiError> {
        let bases = self.catalog.base_names().filter_map(|name| Some((name, self.catalog.base(name)?)));
        let data = bases.map(|(name, base)| {
            let config = &base.config;
            BaseModel {
                id: name.to_owned(),
                context_length: config.max_position_embeddings as u64,
                vocabulary_size: config.vocab_size as u64,
                weights: base.weights().ok().map(|weights| weights.format.into()),
                memory: memory(base),
            }
        });
        Ok(BaseModelList { object: ListObject::List, data: data.collect() }.into())
    }

    async fn get_model(&self, caller: Caller, input: GetModelInput) -> Result<GetModelOutput, ApiError> {
        Ok(wire(self.metadata.get_model(&caller.entity, id(&input.model_id, "model")?).await?).into())
    }

    async fn list_models(&self, caller: Caller, input: ListModelsInput) -> Result<ListModelsOutput, ApiError> {
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let text = input.q.map(|text| text.to_ascii_lowercase());
        let filter = ModelFilter { project: input.project.as_deref(), text: text.as_deref() };
        let page = self.metadata.page_models(&caller.entity, filter, request).await?;
        Ok(page!(ModelPage, page.items.into_iter().map(wire).collect(), page.has_more).into())
    }

    async fn list_trajectory_logs(
        &self,
        caller: Caller,
        input: ListTrajectoryLogsInput,
    ) -> Result<ListTrajectoryLogsOutput, ApiError> {
        Ok(self.logs_of_model(&caller, input).await?.into())
    }

    async fn list_trajectory_log_groups(
        &self,
        caller: Caller,
        input: ListTrajectoryLogGroupsInput,
    ) -> Result<ListTrajectoryLogGroupsOutput, ApiError> {
        Ok(self.groups_of_log(&caller, input).await?.into())
    }

    async fn list_trajectory_log_trajectories(
        &self,
        caller: Caller,
        input: ListTrajectoryLogTrajectoriesInput,
    ) -> Result<ListTrajectoryLogTrajectoriesOutput, ApiError> {
        let (groups, model) = self.log_groups(&caller, &input.model_id, &input.log_id).await?;
        Ok(self.list_trajectories(groups, model, &input.group_id, input.after.as_deref(), input.limit).await?.into())
    }

    async fn get_model_metrics(
        &self,
        caller: Caller,
        input: GetModelMetricsInput,
    ) -> Result<GetModelMetricsOutput, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        let names = input.name.unwrap_or_default();
        if input.accept.weight("text/csv") > input.accept.weight("application/json") {
            let file_name = format!("metrics-{model_id}.csv");
            return Ok(self.csv_of_steps(&caller, StepsOf::Model(model_id), names, &file_name).await?.into());
        }
        let points = Points { max: input.points, first_step: input.first_step, last_step: input.last_step };
        Ok(self.metrics_of_model(&caller, model_id, &names, points).await?.into())
    }

    async fn delete_model(&self, caller: Caller, input: DeleteModelInput) -> Result<DeleteModelOutput, ApiError> {
        let model_id = id(&input.model_id, "model")?;
        let deleted = self.metadata.delete_model(&caller.entity, model_id).await?;
        self.catalog.forget_model(model_id);
        self.exports.clear();
        self.collect_later(deleted.unreferenced);
        Ok(DeleteModelResponse {
            model_id: model_id.to_string(),
            deleted_checkpoints: deleted.checkpoints,
            deleted_run: false,
        }
        .into())
    }

    async fn log_trajectories(
        &self,
        caller: Caller,
        input: LogTrajectoriesInput,
    ) -> Result<LogTrajectoriesOutput, ApiError> {
        let (body, received) = groups::receive(&self.artifacts, input.body).await?;
        let model = self.metadata.get_model(&caller.entity, id(&input.model_id, "model")?).await?;
        let ReceivedGroups { mut writer, groups, trajectories, .. } = received.close().await?;
        let output = |idempotency_replayed: Option<bool>| LogTrajectoriesOutput::Ok {
            headers: LogTrajectoriesOkHeaders { idempotency_replayed },
            body: LogResponse { logged_groups: groups as u64, logged_trajectories: trajectories as u64 },
        };
        let request = match input.idempotency_key {
            Some(key) => {
                let asked: [&[u8]; 4] = [b"log", model.id.as_bytes(), body.split.as_bytes(), &writer.hash().await];
                Some(idempotency::record(key, &asked))
            }
            None => None,
        };
        if let Some(request) = &request
            && self.metadata.find_idempotent_result(&caller.entity, request).await?.is_some()
        {
            return Ok(output(Some(true)));
        }
        let (id, artifact) = (Uuid::now_v7(), writer.finish().await?);
        let log = NewTrajectoryLog {
            id,
            entity: caller.entity,
            model_id: model.id,
            split: body.split,
            artifact,
            groups: i64::try_from(groups).unwrap_or(i64::MAX),
            request,
        };
        let added = self.metadata.add_trajectory_log(log).await;
        let is_unused = idempotency::is_unused(&added, |log| log.id != id);
        if is_unused {
            self.collect_later(vec![artifact]);
        }
        added?;
        Ok(output(is_unused.then_some(true)))
    }
}

same_variants!(WeightFormat, types::WeightFormat: F32, Bf16, Int8, Int4, File);

/// Returns the memory that a base model needs here for the workload of [`Workload::default`].
fn memory(base: &Base) -> Option<MemoryEstimate> {
    let workload = Workload::default().within(&base.config);
    let needs = MemoryNeeds::of(&base.config, &base.memory()?, &workload);
    let count = |number: usize| number as u64;
    Some(MemoryEstimate {
        machine_bytes: machine_memory().map(count),
        weight_bytes: count(needs.weight_bytes),
        serving_bytes: count(needs.serving_bytes),
        lora: wire_memory(needs.lora),
        full: needs.full.map(wire_memory),
        streams: count(workload.streams),
        context: count(workload.context),
        rank: count(workload.rank),
        batch: count(workload.batch),
        length: count(workload.length),
    })
}

/// Returns the memory of a job that trains a model on a step of the default workload.
fn job_memory(base: &Base, model: &ModelRecord) -> Option<types::JobMemory> {
    let workload = Workload::default().within(&base.config);
    JobMemory::of(&base.config, &base.memory()?, &model.method, &workload).map(wire_memory)
}

pub(super) fn wire_memory(memory: JobMemory) -> types::JobMemory {
    types::JobMemory { bytes: memory.bytes as u64, recomputes: memory.recomputes, fits: memory.fits }
}

fn wire(model: ModelRecord) -> ModelResponse {
    ModelResponse {
        id: model.id.to_string(),
        entity: model.entity,
        project: model.project,
        name: model.name,
        base_model: model.base_model,
        run_id: model.run_id,
        training_method: Some(training_method::wire_method(&model.method)),
        lora: training_method::wire_lora(&model.method),
        created_at: Some(seconds(model.created_at)),
        latest_step: model.latest_step.map(i64::unsigned_abs),
        job_memory: None,
    }
}
