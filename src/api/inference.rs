//! The models available for inference, in OpenAI's format.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::Api;
use super::job_view::seconds;
use super::paging::{Listed, read_in_parts};
use crate::auth::Caller;
use crate::generated::server::inference::*;
use crate::generated::types::{InferenceModel, InferenceModelList, InferenceModelObject, ListObject, ServedModelList};
use crate::http::ApiError;
use crate::models::{Found, trained_name};
use crate::store::records::{CheckpointStep, ModelFilter, ModelRecord, NewestModels, Order, PageRequest};

/// Maximum number of trained models and steps in one list.
const MAX_LISTED: usize = 1000;
/// Number of models of one read of the store.
const READ_AT_ONCE: u32 = 500;
/// Memory of a model of the list without a limit.
const MODEL_BYTES: usize = 400;

impl Inference for Api {
    async fn list_inference_models(
        &self,
        caller: Caller,
        _input: ListInferenceModelsInput,
    ) -> Result<ListInferenceModelsOutput, ApiError> {
        let read = |part| self.metadata.page_models(&caller.entity, ModelFilter::default(), part);
        let keep = |model: ModelRecord| self.catalog.base(&model.base_model).map(|_| trained_model(&model));
        let all = PageRequest { after: None, limit: u32::MAX, order: Order::Ascending };
        let trained =
            read_in_parts(all, READ_AT_ONCE, read, Listed { id: |model| model.id, bytes: |_| MODEL_BYTES }, keep)
                .await?;
        let data = self.base_models().chain(trained.items).collect();
        Ok(InferenceModelList { object: ListObject::List, data }.into())
    }

    async fn list_served_models(
        &self,
        caller: Caller,
        _input: ListServedModelsInput,
    ) -> Result<ListServedModelsOutput, ApiError> {
        // One more than fits shows whether there are more.
        let NewestModels { mut models, mut checkpoints } =
            self.metadata.list_newest(&caller.entity, MAX_LISTED as u32 + 1).await?;
        let room = MAX_LISTED.saturating_sub(models.len());
        let has_more = models.len() > MAX_LISTED || checkpoints.len() > room;
        models.truncate(MAX_LISTED);
        checkpoints.truncate(room);
        let mut steps: BTreeMap<Uuid, Vec<CheckpointStep>> = BTreeMap::new();
        for checkpoint in checkpoints {
            steps.entry(checkpoint.model_id).or_default().push(checkpoint);
        }
        let mut data: Vec<_> = self.base_models().collect();
        for model in models.iter().rev().filter(|model| self.catalog.base(&model.base_model).is_some()) {
            let mut steps = steps.remove(&model.id).unwrap_or_default();
            steps.sort_unstable_by_key(|checkpoint| checkpoint.step);
            let newest = trained_model(model);
            let at_step = |checkpoint: &CheckpointStep| InferenceModel {
                id: format!("{}:step{}", newest.id, checkpoint.step),
                object: newest.object,
                created: seconds(checkpoint.created_at),
                owned_by: newest.owned_by.clone(),
                root: newest.root.clone(),
            };
            let steps: Vec<_> = steps.iter().map(at_step).collect();
            data.push(newest);
            data.extend(steps);
        }
        Ok(ServedModelList { object: ListObject::List, data, has_more }.into())
    }

    async fn get_served_model(
        &self,
        caller: Caller,
        input: GetServedModelInput,
    ) -> Result<GetServedModelOutput, ApiError> {
        let model = match self.catalog.find(&caller.entity, &input.model).await? {
            Found::Base(base) => base_model(base.name()),
            Found::Trained { model, step, checkpoint, .. } => {
                let checkpoint = checkpoint.filter(|_| step.is_some());
                let created = checkpoint.map_or(model.created_at, |checkpoint| checkpoint.created_at);
                InferenceModel { created: seconds(created), ..trained_model(&model) }
            }
        };
        // The response has the requested name as id, as in chat.
        Ok(InferenceModel { id: input.model, ..model }.into())
    }
}

impl Api {
    fn base_models(&self) -> impl Iterator<Item = InferenceModel> {
        self.catalog.base_names().map(base_model)
    }
}

fn base_model(name: &str) -> InferenceModel {
    InferenceModel {
        id: name.to_owned(),
        object: InferenceModelObject::Model,
        created: 0,
        owned_by: "system".to_owned(),
        root: name.to_owned(),
    }
}

fn trained_model(model: &ModelRecord) -> InferenceModel {
    InferenceModel {
        id: trained_name(&model.entity, &model.project, &model.name),
        object: InferenceModelObject::Model,
        created: seconds(model.created_at),
        owned_by: model.entity.clone(),
        root: model.base_model.clone(),
    }
}
