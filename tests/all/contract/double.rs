//! A server of the generated traits, on a socket: it responds with the examples of the document.
//!
//! Operations of its own tell one request from another: the tests are about what lies between it and the wire.

use std::sync::Arc;

use axum::http::HeaderMap;
use futures_util::stream;
use trainyard::generated::server;
use trainyard::generated::server::chat::{CreateChatCompletionInput, CreateChatCompletionOutput};
use trainyard::generated::server::checkpoints::{ListCheckpointsInput, ListCheckpointsOutput};
use trainyard::generated::server::inference::{ListInferenceModelsInput, ListInferenceModelsOutput};
use trainyard::generated::server::models::{
    CreateModelInput, CreateModelOutput, DeleteModelInput, DeleteModelOutput, LogTrajectoriesInput,
    LogTrajectoriesOutput,
};
use trainyard::generated::server::service::{CheckSystemInput, CheckSystemOutput};
use trainyard::generated::server::training_jobs::{GetTrainingJobInput, GetTrainingJobOutput};
use trainyard::generated::types;
use trainyard::http::{self, ApiError, Authenticate, Credentials, EventStream};

#[path = "../../../generated/examples.rs"]
#[rustfmt::skip]
mod examples;

use examples::{Examples, WithExamples};

/// The one key that it knows.
pub(super) const KEY: &str = "a-key";
/// The one id that it knows: that of the jobs in the examples.
pub(super) const ID: &str = "01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4";
/// A chat model whose stream fails after one chunk.
pub(super) const FAILING_MODEL: &str = "failing";

struct Double;

/// The router as a server mounts it: both base addresses on one listener.
pub(super) fn router() -> axum::Router {
    let api = Arc::new(WithExamples(Double));
    let routes = server::router(api.clone()).nest("/inference/v1", server::inference_router(api));
    http::with_fallbacks(routes.merge(trainyard::server::docs_routes(trainyard::server::DocsAddress::Everything)))
}

/// Serves [`router`] on a free port; gives its address.
pub(super) async fn serve() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router()).await });
    format!("http://{address}")
}

fn known(id: &str) -> Result<(), ApiError> {
    if id == ID { Ok(()) } else { Err(ApiError::not_found("there is nothing of that id")) }
}

impl Authenticate for Double {
    type Caller = &'static str;

    async fn authenticate(
        &self,
        credentials: &Credentials<'_>,
        _headers: &HeaderMap,
    ) -> Result<&'static str, ApiError> {
        if credentials.bearer() == Some(KEY) {
            Ok("acme")
        } else {
            Err(ApiError::unauthorized("the API key is not one of ours"))
        }
    }
}

pub(super) fn choice(text: &str) -> types::Choice {
    types::Choice {
        finish_reason: types::FinishReason::Stop,
        index: 0,
        logprobs: Some(types::ChoiceLogprobs {
            content: Some(vec![types::TokenLogprob {
                token: "token_id:7".into(),
                bytes: Some(vec![104]),
                logprob: -0.5,
                top_logprobs: vec![],
                prompt_token_ids: None,
            }]),
            refusal: None,
        }),
        message: types::ChoiceMessage {
            role: types::AssistantRole::Assistant,
            content: Some(text.into()),
            reasoning_content: None,
            refusal: None,
            tool_calls: None,
            function_call: None,
        },
        token_ids: None,
        prompt_token_ids: None,
    }
}

fn chunk(model: &str, text: &str) -> types::ChatCompletionChunk {
    types::ChatCompletionChunk {
        id: "chatcmpl-1".into(),
        object: types::ChatCompletionChunkObject::ChatCompletionChunk,
        created: 1,
        model: model.into(),
        choices: vec![types::ChunkChoice {
            delta: types::ChoiceDelta { content: Some(text.into()), ..Default::default() },
            finish_reason: None,
            index: 0,
            logprobs: None,
            token_ids: None,
        }],
        system_fingerprint: None,
        usage: None,
        prompt_token_ids: None,
        prompt_logprobs: None,
    }
}

impl Examples for Double {
    async fn create_chat_completion(
        &self,
        _caller: &'static str,
        input: CreateChatCompletionInput,
    ) -> Result<CreateChatCompletionOutput, ApiError> {
        let model = input.body.model;
        if model == "none" {
            return Err(ApiError::not_found("there is no model none").with_param("model").with_code("model_not_found"));
        }
        if input.body.stream == Some(true) {
            let mut chunks = vec![Ok(chunk(&model, "one\r\n")), Ok(chunk(&model, " two\n\n☃"))];
            if model == FAILING_MODEL {
                chunks.insert(1, Err(ApiError::internal("the cache is gone")));
            }
            return Ok(CreateChatCompletionOutput::OkEventStream(EventStream::new(stream::iter(chunks))));
        }
        // The text of each message comes back, to show what arrived.
        let texts: Vec<&str> = input.body.messages.iter().map(|message| message.text()).collect();
        Ok(types::ChatCompletion {
            id: "chatcmpl-1".into(),
            object: types::ChatCompletionObject::ChatCompletion,
            created: 1,
            model,
            choices: vec![choice(&texts.join("\n"))],
            usage: types::Usage { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
            metadata: None,
            system_fingerprint: None,
            prompt_token_ids: None,
            prompt_logprobs: None,
        }
        .into())
    }

    async fn create_model(&self, caller: &'static str, input: CreateModelInput) -> Result<CreateModelOutput, ApiError> {
        let types::ModelCreate { base_model, entity, name, project, return_existing, training_method, .. } = input.body;
        if name == "taken" && return_existing != Some(true) {
            return Err(ApiError::conflict("a model of that name exists"));
        }
        let entity = entity.unwrap_or_else(|| caller.to_owned());
        let id = ID.into();
        let run_id = None;
        let body = types::ModelResponse {
            id,
            entity,
            project,
            name,
            base_model,
            run_id,
            training_method,
            lora: None,
            created_at: None,
            latest_step: None,
            job_memory: None,
        };
        Ok(CreateModelOutput::Ok { headers: Default::default(), body })
    }

    async fn delete_model(&self, _: &'static str, input: DeleteModelInput) -> Result<DeleteModelOutput, ApiError> {
        known(&input.model_id)?;
        Ok(types::DeleteModelResponse { model_id: input.model_id, deleted_checkpoints: 1, deleted_run: false }.into())
    }

    async fn log_trajectories(
        &self,
        _: &'static str,
        mut input: LogTrajectoriesInput,
    ) -> Result<LogTrajectoriesOutput, ApiError> {
        let (mut logged_groups, mut logged_trajectories) = (0, 0);
        while let Some(groups) = input.body.next().await? {
            logged_groups += groups.len() as u64;
            logged_trajectories +=
                groups.iter().flat_map(|group| &group.trajectories).map(Vec::len).sum::<usize>() as u64;
        }
        input.body.rest().await?;
        known(&input.model_id)?;
        let body = types::LogResponse { logged_groups, logged_trajectories };
        Ok(LogTrajectoriesOutput::Ok { headers: Default::default(), body })
    }

    async fn list_checkpoints(
        &self,
        _: &'static str,
        input: ListCheckpointsInput,
    ) -> Result<ListCheckpointsOutput, ApiError> {
        known(&input.model_id)?;
        // The ids of the page say what was asked for.
        let asked = format!("{} {} {:?}", input.limit, input.order, input.after);
        Ok(types::CheckpointPage {
            object: types::ListObject::List,
            data: vec![types::Checkpoint { id: asked.clone(), step: 3, metrics: [("loss".to_owned(), 0.5)].into() }],
            first_id: asked.clone(),
            last_id: asked,
            has_more: false,
        }
        .into())
    }

    async fn get_training_job(
        &self,
        _: &'static str,
        input: GetTrainingJobInput,
    ) -> Result<GetTrainingJobOutput, ApiError> {
        known(&input.training_job_id)?;
        let job = serde_json::json!({ "id": ID, "status": "queued" });
        Ok(serde_json::from_value::<types::TrainingJobResponse>(job).map_err(ApiError::internal)?.into())
    }

    async fn list_inference_models(
        &self,
        _: &'static str,
        input: ListInferenceModelsInput,
    ) -> Result<ListInferenceModelsOutput, ApiError> {
        // The owner says which project arrived.
        let owned_by = input.vendor_project.or(input.open_ai_project).unwrap_or_else(|| "system".into());
        Ok(types::InferenceModelList {
            object: types::ListObject::List,
            data: vec![types::InferenceModel {
                id: "trainyard/seedling".into(),
                object: types::InferenceModelObject::Model,
                created: 0,
                owned_by,
                root: "trainyard/seedling".into(),
                max_model_len: None,
                type_: None,
                display_name: None,
                created_at: None,
                lifecycle: None,
                max_input_tokens: None,
                max_tokens: None,
            }],
            first_id: None,
            last_id: None,
            has_more: None,
        }
        .into())
    }

    async fn check_system(&self, _: &'static str, _: CheckSystemInput) -> Result<CheckSystemOutput, ApiError> {
        let queue = types::QueueCheck { success: false, duration: 0.25, errors: vec!["no worker".into()] };
        let check = types::SystemCheckResponse {
            api: true,
            database: true,
            cpu_queue: queue.clone(),
            gpu_queue: queue.clone(),
            artifacts: queue.clone(),
            disk: queue,
            instruction_set: "avx2".into(),
        };
        Ok(CheckSystemOutput::ServiceUnavailable(check.into()))
    }
}
