//! The model list at the inference base address.

use super::{Api, job_view::seconds};
use crate::{
    auth::Caller,
    generated::{
        server::inference::{Inference, ListInferenceModelsInput, ListInferenceModelsOutput},
        types::{InferenceModel, InferenceModelList, InferenceModelObject, ListObject},
    },
    http::Failure,
    models::trained_name,
};

impl Inference for Api {
    async fn list_inference_models(
        &self,
        caller: Caller,
        _input: ListInferenceModelsInput,
    ) -> Result<ListInferenceModelsOutput, Failure> {
        let bases = self.catalog.base_names().map(|name| InferenceModel {
            id: name.to_owned(),
            object: InferenceModelObject::Model,
            created: 0,
            owned_by: "system".to_owned(),
            root: name.to_owned(),
        });
        let trained = self.metadata.list_models(&caller.entity).await?;
        let servable = trained.into_iter().filter(|model| self.catalog.base(&model.base_model).is_some());
        let trained = servable.map(|model| InferenceModel {
            id: trained_name(&model.entity, &model.project, &model.name),
            object: InferenceModelObject::Model,
            created: seconds(model.created_at),
            owned_by: model.entity,
            root: model.base_model,
        });
        Ok(InferenceModelList { object: ListObject::List, data: bases.chain(trained).collect() }.into())
    }
}
