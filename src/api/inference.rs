//! The models available for inference, in OpenAI's format.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Api, job_view::seconds};
use crate::{
    auth::Caller,
    generated::{
        server::inference::{
            GetServedModelInput, GetServedModelOutput, Inference, ListInferenceModelsInput, ListInferenceModelsOutput,
            ListServedModelsInput, ListServedModelsOutput,
        },
        types::{InferenceModel, InferenceModelList, InferenceModelObject, ListObject, ServedModelList},
    },
    http::ApiError,
    models::{Found, trained_name},
    store::records::{CheckpointStep, ModelRecord, Order, PageRequest},
};

/// Maximum number of trained models and steps in one list.
const MAX_LISTED: u32 = 1000;

impl Inference for Api {
    async fn list_inference_models(
        &self,
        caller: Caller,
        _input: ListInferenceModelsInput,
    ) -> Result<ListInferenceModelsOutput, ApiError> {
        let trained = self.metadata.list_models(&caller.entity).await?;
        let servable = trained.into_iter().filter(|model| self.catalog.base(&model.base_model).is_some());
        let data = self.base_models().chain(servable.map(|model| trained_model(&model))).collect();
        Ok(InferenceModelList { object: ListObject::List, data }.into())
    }

    async fn list_served_models(
        &self,
        caller: Caller,
        _input: ListServedModelsInput,
    ) -> Result<ListServedModelsOutput, ApiError> {
        let newest = PageRequest { after: None, limit: MAX_LISTED, order: Order::Descending };
        let models = self.metadata.page_models(&caller.entity, None, newest).await?;
        let room = (MAX_LISTED as usize).saturating_sub(models.items.len());
        // One more than fits shows whether there are more.
        let limit = u32::try_from(room).unwrap_or(MAX_LISTED) + 1;
        let mut checkpoints = self.metadata.list_newest_checkpoints(&caller.entity, limit).await?;
        let has_more = models.has_more || checkpoints.len() > room;
        checkpoints.truncate(room);
        let mut steps: BTreeMap<Uuid, Vec<CheckpointStep>> = BTreeMap::new();
        for checkpoint in checkpoints {
            steps.entry(checkpoint.model_id).or_default().push(checkpoint);
        }
        let mut data: Vec<_> = self.base_models().collect();
        for model in models.items.iter().rev().filter(|model| self.catalog.base(&model.base_model).is_some()) {
            let mut steps = steps.remove(&model.id).unwrap_or_default();
            steps.sort_unstable_by_key(|checkpoint| checkpoint.step);
            data.push(trained_model(model));
            data.extend(steps.iter().map(|checkpoint| {
                let plain = trained_model(model);
                let id = format!("{}:step{}", plain.id, checkpoint.step);
                InferenceModel { id, created: seconds(checkpoint.created_at), ..plain }
            }));
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
