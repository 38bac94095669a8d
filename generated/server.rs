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
/// OpenAI-compatible sampling.
pub mod chat {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// OpenAI-compatible sampling.
    pub trait Chat: Authenticate {
        /// Create chat completion
        ///
        /// Answers with one JSON document, or with server-sent events when `stream` is true.
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
        /// `team/project` that the usage is recorded under.
        pub vendor_project: Option<String>,
        /// The same as `Vendor-Project`, as OpenAI client libraries send it.
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
/// Saved steps of a model.
pub mod checkpoints {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Saved steps of a model.
    pub trait Checkpoints: Authenticate {
        /// Delete model checkpoints
        ///
        /// `DELETE /v1/preview/models/{model_id}/checkpoints`
        fn delete_checkpoints(
            &self,
            caller: Self::Caller,
            input: DeleteCheckpointsInput,
        ) -> impl Future<Output = Result<DeleteCheckpointsOutput, Failure>> + Send;
        /// List model checkpoints
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
        /// Id of a model; a UUID.
        pub model_id: String,
        pub body: types::DeleteCheckpointsRequest,
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum DeleteCheckpointsOutput {
        /// What was deleted.
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
        /// Id of a model; a UUID.
        pub model_id: String,
        /// Id of the last item of the page before.
        pub after: Option<String>,
        /// Items on a page.
        pub limit: u32,
        /// Oldest or newest first.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum ListCheckpointsOutput {
        /// One page, by step.
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
                            faults.max_length(&Location::parameter("after"), value, 256);
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
/// The model list at the inference base address.
pub mod inference {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// The model list at the inference base address.
    pub trait Inference: Authenticate {
        /// List models
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
        /// `team/project` that the usage is recorded under.
        pub vendor_project: Option<String>,
        /// The same as `Vendor-Project`, as OpenAI client libraries send it.
        pub open_ai_project: Option<String>,
    }
    /// `GET /models`
    #[derive(Debug)]
    pub enum ListInferenceModelsOutput {
        /// The base models, then the caller's own models.
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
/// Trainable models and their trajectory logs.
pub mod models {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Trainable models and their trajectory logs.
    pub trait Models: Authenticate {
        /// Create model
        ///
        /// `POST /v1/preview/models`
        fn create_model(
            &self,
            caller: Self::Caller,
            input: CreateModelInput,
        ) -> impl Future<Output = Result<CreateModelOutput, Failure>> + Send;
        /// Delete model
        ///
        /// Deletes the model with every checkpoint of it.
        ///
        /// `DELETE /v1/preview/models/{model_id}`
        fn delete_model(
            &self,
            caller: Self::Caller,
            input: DeleteModelInput,
        ) -> impl Future<Output = Result<DeleteModelOutput, Failure>> + Send;
        /// Log
        ///
        /// Keeps trajectory groups without training on them.
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
        /// Id of a model; a UUID.
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
        /// Id of a model; a UUID.
        pub model_id: String,
        pub body: types::LogRequest,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum LogTrajectoriesOutput {
        /// What was kept.
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
/// Liveness and self-checks.
pub mod service {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Liveness and self-checks.
    pub trait Service: Authenticate {
        /// Read Root
        ///
        /// `GET /health`
        fn read_root_health_get(
            &self,
            input: ReadRootHealthGetInput,
        ) -> impl Future<Output = Result<ReadRootHealthGetOutput, Failure>> + Send;
        /// Health check
        ///
        /// `GET /v1/health`
        fn get_health(
            &self,
            caller: Self::Caller,
            input: GetHealthInput,
        ) -> impl Future<Output = Result<GetHealthOutput, Failure>> + Send;
        /// System check
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
        /// A check failed.
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
/// Reinforcement learning and supervised fine-tuning jobs.
pub mod training_jobs {
    use std::sync::Arc;
    use axum::{Router, response::{IntoResponse, Response}};
    use crate::http::{Authenticate, EventStream, Failure, answer};
    use super::types;
    /// Reinforcement learning and supervised fine-tuning jobs.
    pub trait TrainingJobs: Authenticate {
        /// Create SFT training job
        ///
        /// `POST /v1/preview/sft-training-jobs`
        fn create_sft_training_job(
            &self,
            caller: Self::Caller,
            input: CreateSftTrainingJobInput,
        ) -> impl Future<Output = Result<CreateSftTrainingJobOutput, Failure>> + Send;
        /// Create RL training job
        ///
        /// `POST /v1/preview/training-jobs`
        fn create_training_job(
            &self,
            caller: Self::Caller,
            input: CreateTrainingJobInput,
        ) -> impl Future<Output = Result<CreateTrainingJobOutput, Failure>> + Send;
        /// Get training job
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}`
        fn get_training_job(
            &self,
            caller: Self::Caller,
            input: GetTrainingJobInput,
        ) -> impl Future<Output = Result<GetTrainingJobOutput, Failure>> + Send;
        /// Get training job events
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
        /// Id of a training job; a UUID.
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
        /// Id of a training job; a UUID.
        pub training_job_id: String,
        /// Id of the last item of the page before.
        pub after: Option<String>,
        /// Items on a page.
        pub limit: u32,
        /// Oldest or newest first.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Debug)]
    pub enum ListTrainingJobEventsOutput {
        /// One page, in the order in which the events happened.
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
                            faults.max_length(&Location::parameter("after"), value, 256);
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
