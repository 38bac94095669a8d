// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports, unused_variables, unused_mut)]
use std::sync::Arc;
use axum::Router;
use crate::http::{Authenticate, Operation};
use super::types;
/// Every operation of the document, aliases included.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        id: "create_inference_chat_completion",
        method: "POST",
        path: "/chat/completions",
        tag: "Chat",
        base: Some("inference"),
        secured: true,
        alias_of: Some("create_chat_completion"),
        extension: true,
    },
    Operation {
        id: "read_root_health_get",
        method: "GET",
        path: "/health",
        tag: "Service",
        base: None,
        secured: false,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "list_inference_models",
        method: "GET",
        path: "/models",
        tag: "Inference",
        base: Some("inference"),
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "create_chat_completion",
        method: "POST",
        path: "/v1/chat/completions",
        tag: "Chat",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "create_chat_completion_trailing_slash",
        method: "POST",
        path: "/v1/chat/completions/",
        tag: "Chat",
        base: None,
        secured: true,
        alias_of: Some("create_chat_completion"),
        extension: false,
    },
    Operation {
        id: "get_health",
        method: "GET",
        path: "/v1/health",
        tag: "Service",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "create_model",
        method: "POST",
        path: "/v1/preview/models",
        tag: "Models",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "delete_model",
        method: "DELETE",
        path: "/v1/preview/models/{model_id}",
        tag: "Models",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "delete_checkpoints",
        method: "DELETE",
        path: "/v1/preview/models/{model_id}/checkpoints",
        tag: "Checkpoints",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "list_checkpoints",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints",
        tag: "Checkpoints",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "log_trajectories",
        method: "POST",
        path: "/v1/preview/models/{model_id}/log",
        tag: "Models",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "create_sft_training_job",
        method: "POST",
        path: "/v1/preview/sft-training-jobs",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "create_training_job",
        method: "POST",
        path: "/v1/preview/training-jobs",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "get_training_job",
        method: "GET",
        path: "/v1/preview/training-jobs/{training_job_id}",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "list_training_job_events",
        method: "GET",
        path: "/v1/preview/training-jobs/{training_job_id}/events",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
    Operation {
        id: "get_system_check",
        method: "GET",
        path: "/v1/system-check",
        tag: "Service",
        base: None,
        secured: true,
        alias_of: None,
        extension: false,
    },
];
/// The routes of every tag at the training base address.
pub fn router<
    A: chat::Chat + checkpoints::Checkpoints + models::Models + service::Service
        + training_jobs::TrainingJobs,
>(api: Arc<A>) -> Router {
    Router::new()
        .merge(chat::chat_routes(api.clone()))
        .merge(checkpoints::checkpoints_routes(api.clone()))
        .merge(models::models_routes(api.clone()))
        .merge(service::service_routes(api.clone()))
        .merge(training_jobs::training_jobs_routes(api.clone()))
}
/// The routes of every tag at the inference base address.
pub fn inference_router<A: chat::Chat + inference::Inference>(api: Arc<A>) -> Router {
    Router::new()
        .merge(chat::chat_inference_routes(api.clone()))
        .merge(inference::inference_inference_routes(api.clone()))
}
/// Sampling, compatible with OpenAI's chat completions: any client library for that format works with the base
/// address `{base_url}/v1`.
///
/// A name in `model` chooses the weights: `organization/model` is a base model,
/// `wandb-artifact:///entity/project/name` the newest step of a trained one, and the same with `:stepN` that step;
/// `:step0` is the untrained model. The prefix `wandb-artifact:///` may be left out.
///
/// Unlike at OpenAI, each choice always carries `logprobs`, and their `token` is `token_id:N`, the number of the
/// token in the vocabulary. Send choices back unchanged to train on exactly what was sampled.
pub mod chat {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Sampling, compatible with OpenAI's chat completions: any client library for that format works with the base
    /// address `{base_url}/v1`.
    ///
    /// A name in `model` chooses the weights: `organization/model` is a base model,
    /// `wandb-artifact:///entity/project/name` the newest step of a trained one, and the same with `:stepN` that step;
    /// `:step0` is the untrained model. The prefix `wandb-artifact:///` may be left out.
    ///
    /// Unlike at OpenAI, each choice always carries `logprobs`, and their `token` is `token_id:N`, the number of the
    /// token in the vocabulary. Send choices back unchanged to train on exactly what was sampled.
    pub trait Chat: Authenticate {
        /// Create chat completion
        ///
        /// Samples one or more answers to a conversation. Answers with one JSON document, or with server-sent events when `stream` is true. Errors that occur before the first token have a status; later ones are an event of the stream.
        ///
        /// `POST /v1/chat/completions`
        fn create_chat_completion(
            &self,
            caller: Self::Caller,
            input: CreateChatCompletionInput,
        ) -> impl Future<Output = Result<CreateChatCompletionOutput, Failure>> + Send;
    }
    /// `POST /v1/chat/completions`
    #[derive(Clone, Debug)]
    pub struct CreateChatCompletionInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        pub body: types::ChatCompletionRequest,
    }
    /// `POST /v1/chat/completions`
    #[derive(Debug)]
    pub enum CreateChatCompletionOutput {
        /// The completion, whole or as a stream of chunks that a `[DONE]` event ends.
        Ok(types::ChatCompletion),
        /// The completion, whole or as a stream of chunks that a `[DONE]` event ends.
        OkEventStream(EventStream<types::ChatCompletionChunk>),
    }
    impl From<types::ChatCompletion> for CreateChatCompletionOutput {
        fn from(body: types::ChatCompletion) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for CreateChatCompletionOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
                Self::OkEventStream(events) => events.into_response(),
            }
        }
    }
    /// The routes of this tag at the training base address.
    pub fn chat_routes<A: Chat>(api: Arc<A>) -> Router {
        Router::new()
            .route(
                "/v1/chat/completions",
                axum::routing::post(handle::create_chat_completion::<A>),
            )
            .route(
                "/v1/chat/completions/",
                axum::routing::post(handle::create_chat_completion::<A>),
            )
            .with_state(api)
    }
    /// The routes of this tag at the inference base address.
    pub fn chat_inference_routes<A: Chat>(api: Arc<A>) -> Router {
        Router::new()
            .route(
                "/chat/completions",
                axum::routing::post(handle::create_chat_completion::<A>),
            )
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn create_chat_completion<A: Chat>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "create_chat_completion",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        let vendor_project = decode::parameter::<
                            String,
                        >(
                            decode::header_value(&parts.headers, "Vendor-Project"),
                            "Vendor-Project",
                            "a string",
                        )?;
                        if let Some(value) = &vendor_project {
                            faults
                                .max_length(
                                    &Location::parameter("Vendor-Project"),
                                    value,
                                    256,
                                );
                        }
                        let open_ai_project = decode::parameter::<
                            String,
                        >(
                            decode::header_value(&parts.headers, "OpenAI-Project"),
                            "OpenAI-Project",
                            "a string",
                        )?;
                        if let Some(value) = &open_ai_project {
                            faults
                                .max_length(
                                    &Location::parameter("OpenAI-Project"),
                                    value,
                                    256,
                                );
                        }
                        let body: types::ChatCompletionRequest = decode::json_body(
                                &parts.headers,
                                body,
                                67108864,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.create_chat_completion(
                                caller,
                                CreateChatCompletionInput {
                                    vendor_project,
                                    open_ai_project,
                                    body,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Saved steps of a model. Each job that ends well adds one, numbered one higher than the highest there ever was.
/// A checkpoint can be sampled as soon as it is listed, under the model's name with `:stepN`.
pub mod checkpoints {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Saved steps of a model. Each job that ends well adds one, numbered one higher than the highest there ever was.
    /// A checkpoint can be sampled as soon as it is listed, under the model's name with `:stepN`.
    pub trait Checkpoints: Authenticate {
        /// Delete model checkpoints
        ///
        /// Deletes steps of a model. Steps that are not there are reported, not refused, so that the request may be repeated. Numbers are not used again: after the deletion of step 2 the next one is 3. Training goes on from the newest checkpoint that is left; without any it begins anew from the base model.
        ///
        /// `DELETE /v1/preview/models/{model_id}/checkpoints`
        fn delete_checkpoints(
            &self,
            caller: Self::Caller,
            input: DeleteCheckpointsInput,
        ) -> impl Future<Output = Result<DeleteCheckpointsOutput, Failure>> + Send;
        /// List model checkpoints
        ///
        /// Lists the checkpoints of a model by step. `limit=1&order=desc` asks for the newest: its `step` is the number of the model's last finished job.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints`
        fn list_checkpoints(
            &self,
            caller: Self::Caller,
            input: ListCheckpointsInput,
        ) -> impl Future<Output = Result<ListCheckpointsOutput, Failure>> + Send;
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct DeleteCheckpointsInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: String,
        pub body: types::DeleteCheckpointsRequest,
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum DeleteCheckpointsOutput {
        /// What was deleted and what was not there.
        Ok(types::DeleteCheckpointsResponse),
    }
    impl From<types::DeleteCheckpointsResponse> for DeleteCheckpointsOutput {
        fn from(body: types::DeleteCheckpointsResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for DeleteCheckpointsOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListCheckpointsInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: String,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum ListCheckpointsOutput {
        /// One page, ordered by step.
        Ok(types::CheckpointPage),
    }
    impl From<types::CheckpointPage> for ListCheckpointsOutput {
        fn from(body: types::CheckpointPage) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for ListCheckpointsOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// The routes of this tag at the training base address.
    pub fn checkpoints_routes<A: Checkpoints>(api: Arc<A>) -> Router {
        Router::new()
            .route(
                "/v1/preview/models/{model_id}/checkpoints",
                axum::routing::delete(handle::delete_checkpoints::<A>)
                    .get(handle::list_checkpoints::<A>),
            )
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn delete_checkpoints<A: Checkpoints>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "delete_checkpoints",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let mut faults = Faults::default();
                        let model_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "model_id"),
                                "model_id",
                                "a string",
                            )?,
                            "model_id",
                        )?;
                        let body: types::DeleteCheckpointsRequest = decode::json_body(
                                &parts.headers,
                                body,
                                8388608,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.delete_checkpoints(
                                caller,
                                DeleteCheckpointsInput {
                                    model_id,
                                    body,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_checkpoints<A: Checkpoints>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "list_checkpoints",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let query = decode::Query::of(&parts.uri);
                        let mut faults = Faults::default();
                        let model_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "model_id"),
                                "model_id",
                                "a string",
                            )?,
                            "model_id",
                        )?;
                        let after = decode::parameter::<
                            String,
                        >(query.get("after"), "after", "a string")?;
                        if let Some(value) = &after {
                            {
                                static PATTERN: std::sync::LazyLock<regress::Regex> = std::sync::LazyLock::new(||
                                {
                                    regress::Regex::new(
                                            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                        )
                                        .expect("the linter compiled it")
                                });
                                faults
                                    .pattern(
                                        &Location::parameter("after"),
                                        value,
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let limit = decode::parameter::<
                            u32,
                        >(query.get("limit"), "limit", "an integer from 1 to 100")?
                            .unwrap_or(20);
                        {
                            let value = &limit;
                            faults.minimum(&Location::parameter("limit"), *value, 1);
                            faults.maximum(&Location::parameter("limit"), *value, 100);
                        }
                        let order = decode::parameter::<
                            types::SortOrder,
                        >(query.get("order"), "order", "one of `asc`, `desc`")?
                            .unwrap_or(Default::default());
                        faults.into_result()?;
                        api.list_checkpoints(
                                caller,
                                ListCheckpointsInput {
                                    model_id,
                                    after,
                                    limit,
                                    order,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// The list of models at the inference base address, in the format of OpenAI's model list.
pub mod inference {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// The list of models at the inference base address, in the format of OpenAI's model list.
    pub trait Inference: Authenticate {
        /// List models
        ///
        /// Lists what can be named in `model` of a chat request. The list is not paged.
        ///
        /// `GET /models`
        fn list_inference_models(
            &self,
            caller: Self::Caller,
            input: ListInferenceModelsInput,
        ) -> impl Future<Output = Result<ListInferenceModelsOutput, Failure>> + Send;
    }
    /// `GET /models`
    #[derive(Clone, Debug)]
    pub struct ListInferenceModelsInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
    }
    /// `GET /models`
    #[derive(Debug)]
    pub enum ListInferenceModelsOutput {
        /// The base models, then the trained models of the key's entity whose base model is served.
        Ok(types::InferenceModelList),
    }
    impl From<types::InferenceModelList> for ListInferenceModelsOutput {
        fn from(body: types::InferenceModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for ListInferenceModelsOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// The routes of this tag at the inference base address.
    pub fn inference_inference_routes<A: Inference>(api: Arc<A>) -> Router {
        Router::new()
            .route("/models", axum::routing::get(handle::list_inference_models::<A>))
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn list_inference_models<A: Inference>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "list_inference_models",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        let vendor_project = decode::parameter::<
                            String,
                        >(
                            decode::header_value(&parts.headers, "Vendor-Project"),
                            "Vendor-Project",
                            "a string",
                        )?;
                        if let Some(value) = &vendor_project {
                            faults
                                .max_length(
                                    &Location::parameter("Vendor-Project"),
                                    value,
                                    256,
                                );
                        }
                        let open_ai_project = decode::parameter::<
                            String,
                        >(
                            decode::header_value(&parts.headers, "OpenAI-Project"),
                            "OpenAI-Project",
                            "a string",
                        )?;
                        if let Some(value) = &open_ai_project {
                            faults
                                .max_length(
                                    &Location::parameter("OpenAI-Project"),
                                    value,
                                    256,
                                );
                        }
                        faults.into_result()?;
                        api.list_inference_models(
                                caller,
                                ListInferenceModelsInput {
                                    vendor_project,
                                    open_ai_project,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model; it is
/// made with checkpoint 0, the untrained base model, so that rollouts can begin before the first job.
pub mod models {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model; it is
    /// made with checkpoint 0, the untrained base model, so that rollouts can begin before the first job.
    pub trait Models: Authenticate {
        /// Create model
        ///
        /// Registers a trainable model, which can be sampled at once. A name is unique within its project. With `return_existing` the model of that name is answered if there is one on the same base model, which makes the request safe to repeat; without, a taken name is 409.
        ///
        /// `POST /v1/preview/models`
        fn create_model(
            &self,
            caller: Self::Caller,
            input: CreateModelInput,
        ) -> impl Future<Output = Result<CreateModelOutput, Failure>> + Send;
        /// Delete model
        ///
        /// Deletes the model with every checkpoint, job and trajectory log of it; its name is free again. A job of it that is running ends without a result. Takes no body; one that is sent is ignored.
        ///
        /// `DELETE /v1/preview/models/{model_id}`
        fn delete_model(
            &self,
            caller: Self::Caller,
            input: DeleteModelInput,
        ) -> impl Future<Output = Result<DeleteModelOutput, Failure>> + Send;
        /// Log
        ///
        /// Keeps trajectory groups beside the model, for the record, without training on them.
        ///
        /// `POST /v1/preview/models/{model_id}/log`
        fn log_trajectories(
            &self,
            caller: Self::Caller,
            input: LogTrajectoriesInput,
        ) -> impl Future<Output = Result<LogTrajectoriesOutput, Failure>> + Send;
    }
    /// `POST /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct CreateModelInput {
        pub body: types::ModelCreate,
    }
    /// `POST /v1/preview/models`
    #[derive(Debug)]
    pub enum CreateModelOutput {
        /// The new model, or the existing one when `return_existing` is true.
        Ok(types::ModelResponse),
    }
    impl From<types::ModelResponse> for CreateModelOutput {
        fn from(body: types::ModelResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for CreateModelOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteModelInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: String,
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Debug)]
    pub enum DeleteModelOutput {
        /// What was deleted.
        Ok(types::DeleteModelResponse),
    }
    impl From<types::DeleteModelResponse> for DeleteModelOutput {
        fn from(body: types::DeleteModelResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for DeleteModelOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Clone, Debug)]
    pub struct LogTrajectoriesInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: String,
        pub body: types::LogRequest,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum LogTrajectoriesOutput {
        /// How much was kept.
        Ok(types::LogResponse),
    }
    impl From<types::LogResponse> for LogTrajectoriesOutput {
        fn from(body: types::LogResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for LogTrajectoriesOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// The routes of this tag at the training base address.
    pub fn models_routes<A: Models>(api: Arc<A>) -> Router {
        Router::new()
            .route("/v1/preview/models", axum::routing::post(handle::create_model::<A>))
            .route(
                "/v1/preview/models/{model_id}",
                axum::routing::delete(handle::delete_model::<A>),
            )
            .route(
                "/v1/preview/models/{model_id}/log",
                axum::routing::post(handle::log_trajectories::<A>),
            )
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn create_model<A: Models>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "create_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        let body: types::ModelCreate = decode::json_body(
                                &parts.headers,
                                body,
                                1048576,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.create_model(caller, CreateModelInput { body }).await
                    },
                )
                .await
        }
        pub async fn delete_model<A: Models>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "delete_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let mut faults = Faults::default();
                        let model_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "model_id"),
                                "model_id",
                                "a string",
                            )?,
                            "model_id",
                        )?;
                        faults.into_result()?;
                        api.delete_model(caller, DeleteModelInput { model_id }).await
                    },
                )
                .await
        }
        pub async fn log_trajectories<A: Models>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "log_trajectories",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let mut faults = Faults::default();
                        let model_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "model_id"),
                                "model_id",
                                "a string",
                            )?,
                            "model_id",
                        )?;
                        let body: types::LogRequest = decode::json_body(
                                &parts.headers,
                                body,
                                268435456,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.log_trajectories(
                                caller,
                                LogTrajectoriesInput {
                                    model_id,
                                    body,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Whether the process answers (health) and whether its parts work (system check).
pub mod service {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Whether the process answers (health) and whether its parts work (system check).
    pub trait Service: Authenticate {
        /// Read Root
        ///
        /// Says that the process answers. The one operation without a key, for load balancers.
        ///
        /// `GET /health`
        fn read_root_health_get(
            &self,
            input: ReadRootHealthGetInput,
        ) -> impl Future<Output = Result<ReadRootHealthGetOutput, Failure>> + Send;
        /// Health check
        ///
        /// Says that the process answers and the key is good; looks at nothing else.
        ///
        /// `GET /v1/health`
        fn get_health(
            &self,
            caller: Self::Caller,
            input: GetHealthInput,
        ) -> impl Future<Output = Result<GetHealthOutput, Failure>> + Send;
        /// System check
        ///
        /// Tries every part: the database, the job queue, and the engine, which computes one token. Each has 10 s. For monitoring, not for each request.
        ///
        /// `GET /v1/system-check`
        fn get_system_check(
            &self,
            caller: Self::Caller,
            input: GetSystemCheckInput,
        ) -> impl Future<Output = Result<GetSystemCheckOutput, Failure>> + Send;
    }
    /// `GET /health`
    #[derive(Clone, Debug)]
    pub struct ReadRootHealthGetInput {}
    /// `GET /health`
    #[derive(Debug)]
    pub enum ReadRootHealthGetOutput {
        /// Successful Response
        Ok(serde_json::Value),
    }
    impl From<serde_json::Value> for ReadRootHealthGetOutput {
        fn from(body: serde_json::Value) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for ReadRootHealthGetOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `GET /v1/health`
    #[derive(Clone, Debug)]
    pub struct GetHealthInput {}
    /// `GET /v1/health`
    #[derive(Debug)]
    pub enum GetHealthOutput {
        /// The service answers.
        Ok(types::HealthResponse),
    }
    impl From<types::HealthResponse> for GetHealthOutput {
        fn from(body: types::HealthResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for GetHealthOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `GET /v1/system-check`
    #[derive(Clone, Debug)]
    pub struct GetSystemCheckInput {}
    /// `GET /v1/system-check`
    #[derive(Debug)]
    pub enum GetSystemCheckOutput {
        /// Every check passed.
        Ok(types::SystemCheckResponse),
        /// A check failed; the body says which. There is no `Retry-After`.
        ServiceUnavailable(types::SystemCheckResponse),
    }
    impl IntoResponse for GetSystemCheckOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
                Self::ServiceUnavailable(body) => answer::json(503u16, &body),
            }
        }
    }
    /// The routes of this tag at the training base address.
    pub fn service_routes<A: Service>(api: Arc<A>) -> Router {
        Router::new()
            .route("/health", axum::routing::get(handle::read_root_health_get::<A>))
            .route("/v1/health", axum::routing::get(handle::get_health::<A>))
            .route("/v1/system-check", axum::routing::get(handle::get_system_check::<A>))
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn read_root_health_get<A: Service>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "read_root_health_get",
                    async move {
                        let (parts, body) = request.into_parts();
                        let mut faults = Faults::default();
                        faults.into_result()?;
                        api.read_root_health_get(ReadRootHealthGetInput {}).await
                    },
                )
                .await
        }
        pub async fn get_health<A: Service>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "get_health",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        faults.into_result()?;
                        api.get_health(caller, GetHealthInput {}).await
                    },
                )
                .await
        }
        pub async fn get_system_check<A: Service>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "get_system_check",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        faults.into_result()?;
                        api.get_system_check(caller, GetSystemCheckInput {}).await
                    },
                )
                .await
        }
    }
}
/// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
/// checkpoint of their model and end in the next one. Jobs of one service run one after the other, in the order of
/// their creation, and are taken up again after a restart.
///
/// A job says what happens through its events: `training_started`, one `gradient_step` for each optimizer step, then
/// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint is there.
pub mod training_jobs {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
    /// checkpoint of their model and end in the next one. Jobs of one service run one after the other, in the order of
    /// their creation, and are taken up again after a restart.
    ///
    /// A job says what happens through its events: `training_started`, one `gradient_step` for each optimizer step, then
    /// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint is there.
    pub trait TrainingJobs: Authenticate {
        /// Create SFT training job
        ///
        /// Queues supervised fine-tuning on a file of conversations. The file is fetched when the job starts, so a URL that
        /// cannot be read shows in the events (`training_failed`), not here.
        ///
        /// The file has JSON Lines, one conversation a line: `{"messages": [...], "tools": [...]}`, `tools` optional, at most
        /// 16 MiB a line, 1000000 lines and 256 MiB in all. Trained is what the assistant says; conversations longer than the
        /// model's context are left out and counted in `num_dropped_trajectories`.
        ///
        /// At most 1000 jobs of one entity may wait or run; more is 429.
        ///
        /// `POST /v1/preview/sft-training-jobs`
        fn create_sft_training_job(
            &self,
            caller: Self::Caller,
            input: CreateSftTrainingJobInput,
        ) -> impl Future<Output = Result<CreateSftTrainingJobOutput, Failure>> + Send;
        /// Create RL training job
        ///
        /// Queues reinforcement learning on trajectories. Rewards count relative to their group: answers to the same prompt
        /// belong into one group, and a group whose rewards are all equal teaches nothing. Each conversation of a trajectory
        /// with a choice in it becomes one optimizer step, in the order of the request; those longer than the model's
        /// context are left out and counted in `num_dropped_sequences`. A job with nothing to learn ends well, with a new
        /// step of the same weights.
        ///
        /// At most 1000 jobs of one entity may wait or run; more is 429.
        ///
        /// `POST /v1/preview/training-jobs`
        fn create_training_job(
            &self,
            caller: Self::Caller,
            input: CreateTrainingJobInput,
        ) -> impl Future<Output = Result<CreateTrainingJobOutput, Failure>> + Send;
        /// Get training job
        ///
        /// Answers the state of a job, RL or SFT. For progress, list its events.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}`
        fn get_training_job(
            &self,
            caller: Self::Caller,
            input: GetTrainingJobInput,
        ) -> impl Future<Output = Result<GetTrainingJobOutput, Failure>> + Send;
        /// Get training job events
        ///
        /// Lists the events of a job, RL or SFT, in the order in which they happened; none while it waits. To follow a job, ask about once a second with `after` set to the last id that you have seen, until an event is `training_ended` or `training_failed`: nothing comes after those.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/events`
        fn list_training_job_events(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobEventsInput,
        ) -> impl Future<Output = Result<ListTrainingJobEventsOutput, Failure>> + Send;
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Clone, Debug)]
    pub struct CreateSftTrainingJobInput {
        pub body: types::CreateSftTrainingJob,
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Debug)]
    pub enum CreateSftTrainingJobOutput {
        /// The job, queued.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for CreateSftTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for CreateSftTrainingJobOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Clone, Debug)]
    pub struct CreateTrainingJobInput {
        pub body: types::CreateTrainingJob,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub enum CreateTrainingJobOutput {
        /// The job, queued.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for CreateTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for CreateTrainingJobOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetTrainingJobInput {
        /// The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
        pub training_job_id: String,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    #[derive(Debug)]
    pub enum GetTrainingJobOutput {
        /// The job.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for GetTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for GetTrainingJobOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobEventsInput {
        /// The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
        pub training_job_id: String,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Debug)]
    pub enum ListTrainingJobEventsOutput {
        /// One page of events.
        Ok(types::TrainingJobEventPage),
    }
    impl From<types::TrainingJobEventPage> for ListTrainingJobEventsOutput {
        fn from(body: types::TrainingJobEventPage) -> Self {
            Self::Ok(body)
        }
    }
    impl IntoResponse for ListTrainingJobEventsOutput {
        fn into_response(self) -> Response {
            match self {
                Self::Ok(body) => answer::json(200u16, &body),
            }
        }
    }
    /// The routes of this tag at the training base address.
    pub fn training_jobs_routes<A: TrainingJobs>(api: Arc<A>) -> Router {
        Router::new()
            .route(
                "/v1/preview/sft-training-jobs",
                axum::routing::post(handle::create_sft_training_job::<A>),
            )
            .route(
                "/v1/preview/training-jobs",
                axum::routing::post(handle::create_training_job::<A>),
            )
            .route(
                "/v1/preview/training-jobs/{training_job_id}",
                axum::routing::get(handle::get_training_job::<A>),
            )
            .route(
                "/v1/preview/training-jobs/{training_job_id}/events",
                axum::routing::get(handle::list_training_job_events::<A>),
            )
            .with_state(api)
    }
    mod handle {
        use std::sync::Arc;
        use axum::{
            extract::{Request, State},
            response::Response,
        };
        use crate::http::{self, answer, decode, validation::{Faults, Location}};
        use super::{super::types, *};
        pub async fn create_sft_training_job<A: TrainingJobs>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "create_sft_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        let body: types::CreateSftTrainingJob = decode::json_body(
                                &parts.headers,
                                body,
                                8388608,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.create_sft_training_job(
                                caller,
                                CreateSftTrainingJobInput { body },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_training_job<A: TrainingJobs>(
            State(api): State<Arc<A>>,
            request: Request,
        ) -> Response {
            answer::run(
                    "create_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let mut faults = Faults::default();
                        let body: types::CreateTrainingJob = decode::json_body(
                                &parts.headers,
                                body,
                                268435456,
                            )
                            .await?;
                        http::validation::Validate::validate(
                            &body,
                            &Location::BODY,
                            &mut faults,
                        );
                        faults.into_result()?;
                        api.create_training_job(caller, CreateTrainingJobInput { body })
                            .await
                    },
                )
                .await
        }
        pub async fn get_training_job<A: TrainingJobs>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "get_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let mut faults = Faults::default();
                        let training_job_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "training_job_id"),
                                "training_job_id",
                                "a string",
                            )?,
                            "training_job_id",
                        )?;
                        faults.into_result()?;
                        api.get_training_job(
                                caller,
                                GetTrainingJobInput {
                                    training_job_id,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_training_job_events<A: TrainingJobs>(
            State(api): State<Arc<A>>,
            path: decode::PathValues,
            request: Request,
        ) -> Response {
            answer::run(
                    "list_training_job_events",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = http::authenticate(api.as_ref(), &parts.headers)
                            .await?;
                        let path = decode::path(path)?;
                        let query = decode::Query::of(&parts.uri);
                        let mut faults = Faults::default();
                        let training_job_id = decode::required(
                            decode::parameter::<
                                String,
                            >(
                                decode::path_value(&path, "training_job_id"),
                                "training_job_id",
                                "a string",
                            )?,
                            "training_job_id",
                        )?;
                        let after = decode::parameter::<
                            String,
                        >(query.get("after"), "after", "a string")?;
                        if let Some(value) = &after {
                            {
                                static PATTERN: std::sync::LazyLock<regress::Regex> = std::sync::LazyLock::new(||
                                {
                                    regress::Regex::new(
                                            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                        )
                                        .expect("the linter compiled it")
                                });
                                faults
                                    .pattern(
                                        &Location::parameter("after"),
                                        value,
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let limit = decode::parameter::<
                            u32,
                        >(query.get("limit"), "limit", "an integer from 1 to 100")?
                            .unwrap_or(20);
                        {
                            let value = &limit;
                            faults.minimum(&Location::parameter("limit"), *value, 1);
                            faults.maximum(&Location::parameter("limit"), *value, 100);
                        }
                        let order = decode::parameter::<
                            types::SortOrder,
                        >(query.get("order"), "order", "one of `asc`, `desc`")?
                            .unwrap_or(Default::default());
                        faults.into_result()?;
                        api.list_training_job_events(
                                caller,
                                ListTrainingJobEventsInput {
                                    training_job_id,
                                    after,
                                    limit,
                                    order,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
