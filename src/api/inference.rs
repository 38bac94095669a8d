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
use crate::models::{Found, SCHEME, at_step, trained_name};
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
        input: ListInferenceModelsInput,
    ) -> Result<ListInferenceModelsOutput, ApiError> {
        let read = |part| self.metadata.page_models(&caller.entity, ModelFilter::default(), part);
        let keep = |model: ModelRecord| self.catalog.base(&model.base_model).map(|_| trained_model(&model));
        let all = PageRequest { after: None, limit: u32::MAX, order: Order::Ascending };
        let trained =
            read_in_parts(all, READ_AT_ONCE, read, Listed { id: |model| model.id, bytes: |_| MODEL_BYTES }, keep)
                .await?;
        let mut data: Vec<_> = self.base_models().chain(trained.items).map(|model| self.with_length(model)).collect();
        let is_anthropic = input.anthropic_version.is_some();
        let page = Page { after: input.after_id, before: input.before_id, limit: input.limit };
        let Ends { omits, first_id, last_id } = self.cut(page, &mut data, is_anthropic)?;
        let has_more = is_anthropic.then_some(omits);
        Ok(InferenceModelList { object: ListObject::List, data, first_id, last_id, has_more }.into())
    }

    async fn list_served_models(
        &self,
        caller: Caller,
        input: ListServedModelsInput,
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
                id: at_step(newest.id.clone(), Some(checkpoint.step)),
                created: seconds(checkpoint.created_at),
                ..newest.clone()
            };
            let steps: Vec<_> = steps.iter().map(at_step).collect();
            data.push(newest);
            data.extend(steps);
        }
        let mut data: Vec<_> = data.into_iter().map(|model| self.with_length(model)).collect();
        let is_anthropic = input.anthropic_version.is_some();
        let page = Page { after: input.after_id, before: input.before_id, limit: input.limit };
        let Ends { omits, first_id, last_id } = self.cut(page, &mut data, is_anthropic)?;
        // Anthropic's client libraries ask for the rest, which no page has.
        let has_more = omits || (has_more && !is_anthropic);
        Ok(ServedModelList { object: ListObject::List, data, has_more, first_id, last_id }.into())
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
        let mut model = self.with_length(InferenceModel { id: input.model, ..model });
        if input.anthropic_version.is_some() {
            self.add_anthropic_fields(&mut model);
        }
        Ok(model.into())
    }
}

impl Api {
    fn base_models(&self) -> impl Iterator<Item = InferenceModel> {
        self.catalog.base_names().map(base_model)
    }

    /// Cuts a list to a page, and adds the fields of Anthropic's API where they are asked for.
    ///
    /// # Errors
    /// As for [`Page::cut`].
    fn cut(&self, page: Page, models: &mut Vec<InferenceModel>, is_anthropic: bool) -> Result<Ends, ApiError> {
        let omits = page.cut(models)?;
        if !is_anthropic {
            return Ok(Ends { omits, first_id: None, last_id: None });
        }
        models.iter_mut().for_each(|model| self.add_anthropic_fields(model));
        let [first_id, last_id] = [models.first(), models.last()].map(|model| model.map(|model| model.id.clone()));
        Ok(Ends { omits, first_id, last_id })
    }

    fn with_length(&self, model: InferenceModel) -> InferenceModel {
        let context = self.catalog.base(&model.root).map(|base| base.served.context_length() as u64);
        InferenceModel { max_model_len: context, ..model }
    }

    fn add_anthropic_fields(&self, model: &mut InferenceModel) {
        let context = model.max_model_len;
        model.type_ = Some(model.object);
        model.display_name = Some(model.id.clone());
        let created = chrono::DateTime::from_timestamp(model.created, 0).unwrap_or_default();
        model.created_at = created.to_rfc3339_opts(chrono::SecondsFormat::Secs, true).parse().ok();
        model.lifecycle = Some("active".to_owned());
        (model.max_input_tokens, model.max_tokens) = (context, context);
    }
}

/// Ends of a page.
struct Ends {
    /// Whether the limit omits models.
    omits: bool,
    /// Ids of the first and the last model, in Anthropic's form alone.
    first_id: Option<String>,
    last_id: Option<String>,
}

/// The part of a list that a request selects.
struct Page {
    after: Option<String>,
    before: Option<String>,
    limit: Option<u32>,
}

impl Page {
    /// Removes the models of other parts. Returns whether the limit omits any.
    ///
    /// # Errors
    /// Returns 422 for an id that is not in the list.
    fn cut(self, models: &mut Vec<InferenceModel>) -> Result<bool, ApiError> {
        let position = |models: &[InferenceModel], field: &str, id: &str| {
            let found = models.iter().position(|model| model.id == id || model.id.strip_prefix(SCHEME) == Some(id));
            found.ok_or_else(|| ApiError::invalid(field, format!("{field} {id:?} is not in the list")))
        };
        if let Some(id) = &self.before {
            models.truncate(position(models, "before_id", id)?);
        }
        if let Some(id) = &self.after {
            models.drain(..=position(models, "after_id", id)?);
        }
        let omitted = models.len().saturating_sub(self.limit.map_or(usize::MAX, |limit| limit as usize));
        match self.before {
            Some(_) => drop(models.drain(..omitted)),
            None => models.truncate(models.len() - omitted),
        }
        Ok(omitted > 0)
    }
}

fn base_model(name: &str) -> InferenceModel {
    InferenceModel {
        id: name.to_owned(),
        object: InferenceModelObject::Model,
        created: 0,
        owned_by: "system".to_owned(),
        root: name.to_owned(),
        max_model_len: None,
        type_: None,
        display_name: None,
        created_at: None,
        lifecycle: None,
        max_input_tokens: None,
        max_tokens: None,
    }
}

fn trained_model(model: &ModelRecord) -> InferenceModel {
    InferenceModel {
        id: trained_name(&model.entity, &model.project, &model.name),
        created: seconds(model.created_at),
        owned_by: model.entity.clone(),
        ..base_model(&model.base_model)
    }
}
