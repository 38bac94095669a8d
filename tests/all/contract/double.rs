//! A small implementation of the generated traits, on a socket.
//!
//! It does as little as tells one request from another: the tests are about what lies between it and the wire.

use std::sync::Arc;

use axum::http::HeaderMap;
use futures_util::stream;
use trainyard::{
    generated::{
        server::{
            self,
            admin::{
                Admin, CreateKeyInput, CreateKeyOutput, ListAllTrainingJobsInput, ListAllTrainingJobsOutput,
                ListKeysInput, ListKeysOutput, ListWorkersInput, ListWorkersOutput, RevokeKeyInput, RevokeKeyOutput,
                SetKeyLimitsInput, SetKeyLimitsOutput,
            },
            chat::{
                Chat, CreateChatCompletionInput, CreateChatCompletionOutput, CreateCompletionInput,
                CreateCompletionOutput, CreateResponseInput, CreateResponseOutput,
            },
            checkpoints::{
                AddCheckpointInput, AddCheckpointOutput, Checkpoints, DeleteCheckpointsInput, DeleteCheckpointsOutput,
                GetCheckpointArchiveInput, GetCheckpointArchiveOutput, GetCheckpointFileInput,
                GetCheckpointFileOkHeaders, GetCheckpointFileOutput, GetCheckpointInput, GetCheckpointManifestInput,
                GetCheckpointManifestOutput, GetCheckpointOutput, ListCheckpointsInput, ListCheckpointsOutput,
                ListManifestsInput, ListManifestsOutput,
            },
            files::{
                CreateFileInput, CreateFileOutput, DeleteFileInput, DeleteFileOutput, Files, GetFileContentInput,
                GetFileContentOkHeaders, GetFileContentOutput, GetFileInput, GetFileOutput, ListFilesInput,
                ListFilesOutput,
            },
            fine_tuning::{
                CancelFineTuningJobInput, CancelFineTuningJobOutput, CreateFineTuningJobInput,
                CreateFineTuningJobOutput, FineTuning, GetFineTuningJobInput, GetFineTuningJobOutput,
                ListFineTuningJobCheckpointsInput, ListFineTuningJobCheckpointsOutput, ListFineTuningJobEventsInput,
                ListFineTuningJobEventsOutput, ListFineTuningJobsInput, ListFineTuningJobsOutput,
            },
            inference::{
                GetServedModelInput, GetServedModelOutput, Inference, ListInferenceModelsInput,
                ListInferenceModelsOutput, ListServedModelsInput, ListServedModelsOutput,
            },
            models::{
                CreateModelInput, CreateModelOutput, DeleteModelInput, DeleteModelOutput, GetModelInput,
                GetModelMetricsInput, GetModelMetricsOutput, GetModelOutput, ListBaseModelsInput, ListBaseModelsOutput,
                ListModelsInput, ListModelsOutput, ListTrajectoryLogGroupsInput, ListTrajectoryLogGroupsOutput,
                ListTrajectoryLogTrajectoriesInput, ListTrajectoryLogTrajectoriesOutput, ListTrajectoryLogsInput,
                ListTrajectoryLogsOutput, LogTrajectoriesInput, LogTrajectoriesOutput, Models,
            },
            service::{
                CheckKeyInput, CheckKeyOutput, CheckSystemInput, CheckSystemOutput, GetKeyInput, GetKeyOutput,
                GetMetricsInput, GetMetricsOutput, GetServerInput, GetServerOutput, GetUsageInput, GetUsageOutput,
                HealthInput, HealthOutput, Service,
            },
            training_jobs::{
                CancelTrainingJobInput, CancelTrainingJobOutput, CreateSftTrainingJobInput, CreateSftTrainingJobOutput,
                CreateTrainingJobInput, CreateTrainingJobOutput, GetTrainingJobInput, GetTrainingJobMetricsInput,
                GetTrainingJobMetricsOutput, GetTrainingJobOutput, ListTrainingJobDropsInput,
                ListTrainingJobDropsOutput, ListTrainingJobEventsInput, ListTrainingJobEventsOutput,
                ListTrainingJobGroupsInput, ListTrainingJobGroupsOutput, ListTrainingJobTrajectoriesInput,
                ListTrainingJobTrajectoriesOutput, ListTrainingJobsInput, ListTrainingJobsOutput, TrainingJobs,
                UpdateTrainingJobInput, UpdateTrainingJobOutput,
            },
            wandb::{
                GetWandbManifestInput, GetWandbManifestOutput, LogWandbRunInput, LogWandbRunOutput, PutWandbFileInput,
                PutWandbFileOutput, QueryWandbInput, QueryWandbOutput, Wandb,
            },
        },
        types,
    },
    http::{self, ApiError, Authenticate, Credentials, Download, EventStream},
    json::Verbatim,
};

/// The one key that it knows.
pub(super) const KEY: &str = "a-key";
/// The one id that it knows.
pub(super) const ID: &str = "0b2c6c2e-6d0c-4b8e-9d3e-0a4f0f2a9f11";
/// A chat model whose stream fails after one chunk.
pub(super) const FAILING_MODEL: &str = "failing";

pub(super) struct Double;

/// The router as a server mounts it: both base addresses on one listener.
pub(super) fn router() -> axum::Router {
    let api = Arc::new(Double);
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

impl Chat for Double {
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
            system_fingerprint: None,
            prompt_token_ids: None,
            prompt_logprobs: None,
        }
        .into())
    }

    async fn create_completion(
        &self,
        _: &'static str,
        input: CreateCompletionInput,
    ) -> Result<CreateCompletionOutput, ApiError> {
        let text = match input.body.prompt {
            types::CompletionPrompt::String(text) => text,
            types::CompletionPrompt::Array(items) => format!("{} items", items.len()),
        };
        let completion = types::Completion {
            id: "cmpl-1".into(),
            object: types::CompletionObject::TextCompletion,
            created: 1,
            model: input.body.model,
            choices: vec![types::CompletionChoice {
                finish_reason: Some(types::CompletionFinishReason::Stop),
                index: 0,
                logprobs: None,
                text,
                prompt_token_ids: None,
                token_ids: None,
            }],
            system_fingerprint: None,
            usage: None,
        };
        if input.body.stream == Some(true) {
            let chunks = stream::iter([Ok(completion)]);
            return Ok(CreateCompletionOutput::OkEventStream(EventStream::new(chunks)));
        }
        Ok(completion.into())
    }

    async fn create_response(
        &self,
        _caller: &'static str,
        input: CreateResponseInput,
    ) -> Result<CreateResponseOutput, ApiError> {
        let message = format!("there is no model {}", input.body.model);
        Err(ApiError::not_found(message).with_param("model").with_code("model_not_found"))
    }
}

impl Models for Double {
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
        };
        Ok(CreateModelOutput::Ok { headers: Default::default(), body })
    }

    async fn list_base_models(
        &self,
        _: &'static str,
        _: ListBaseModelsInput,
    ) -> Result<ListBaseModelsOutput, ApiError> {
        Ok(types::BaseModelList { object: types::ListObject::List, data: vec![] }.into())
    }

    async fn get_model(&self, _: &'static str, input: GetModelInput) -> Result<GetModelOutput, ApiError> {
        known(&input.model_id)?;
        Ok(model(&input.model_id, "p").into())
    }

    async fn list_models(&self, _: &'static str, input: ListModelsInput) -> Result<ListModelsOutput, ApiError> {
        let data = vec![model(ID, input.project.as_deref().unwrap_or("p"))];
        let (first_id, last_id) = (ID.to_owned(), ID.to_owned());
        Ok(types::ModelPage { object: types::ListObject::List, data, first_id, last_id, has_more: false }.into())
    }

    async fn list_trajectory_logs(
        &self,
        _: &'static str,
        input: ListTrajectoryLogsInput,
    ) -> Result<ListTrajectoryLogsOutput, ApiError> {
        known(&input.model_id)?;
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::TrajectoryLogPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }

    async fn list_trajectory_log_groups(
        &self,
        _: &'static str,
        input: ListTrajectoryLogGroupsInput,
    ) -> Result<ListTrajectoryLogGroupsOutput, ApiError> {
        known(&input.log_id)?;
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::TrainingJobGroupPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }

    async fn list_trajectory_log_trajectories(
        &self,
        _: &'static str,
        input: ListTrajectoryLogTrajectoriesInput,
    ) -> Result<ListTrajectoryLogTrajectoriesOutput, ApiError> {
        known(&input.log_id)?;
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::TrainingJobTrajectoryPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }

    async fn get_model_metrics(
        &self,
        _: &'static str,
        input: GetModelMetricsInput,
    ) -> Result<GetModelMetricsOutput, ApiError> {
        known(&input.model_id)?;
        let (steps, tokens, times) = (vec![], vec![], vec![]);
        Ok(types::ModelMetrics { num_steps: 0, steps, tokens, times, metrics: vec![], jobs: vec![] }.into())
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
}

impl Checkpoints for Double {
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

    async fn add_checkpoint(
        &self,
        _: &'static str,
        input: AddCheckpointInput,
    ) -> Result<AddCheckpointOutput, ApiError> {
        known(&input.model_id)?;
        let body = types::Checkpoint { id: ID.into(), step: 4, metrics: Default::default() };
        Ok(AddCheckpointOutput::Ok { headers: Default::default(), body })
    }

    async fn get_checkpoint(
        &self,
        _: &'static str,
        input: GetCheckpointInput,
    ) -> Result<GetCheckpointOutput, ApiError> {
        known(&input.model_id)?;
        Ok(types::CheckpointDetail {
            id: ID.into(),
            model_id: input.model_id,
            step: input.step,
            created_at: 1,
            metrics: Default::default(),
            files: vec![],
        }
        .into())
    }

    async fn get_checkpoint_file(
        &self,
        _: &'static str,
        input: GetCheckpointFileInput,
    ) -> Result<GetCheckpointFileOutput, ApiError> {
        known(&input.model_id)?;
        let headers = GetCheckpointFileOkHeaders { accept_ranges: "bytes".into(), e_tag: "\"1\"".into() };
        Ok(GetCheckpointFileOutput::Ok { headers, body: Download::bytes(input.file_name) })
    }

    async fn get_checkpoint_archive(
        &self,
        _: &'static str,
        input: GetCheckpointArchiveInput,
    ) -> Result<GetCheckpointArchiveOutput, ApiError> {
        known(&input.model_id)?;
        Ok(Download::bytes(CONTENT).into())
    }

    async fn get_checkpoint_manifest(
        &self,
        _: &'static str,
        input: GetCheckpointManifestInput,
    ) -> Result<GetCheckpointManifestOutput, ApiError> {
        known(&input.model_id)?;
        let manifest = Verbatim::of(&serde_json::json!({ "step": input.step })).map_err(ApiError::internal)?;
        Ok(types::CheckpointManifest { step: input.step, sha256: ID.into(), manifest }.into())
    }

    async fn list_manifests(
        &self,
        _: &'static str,
        input: ListManifestsInput,
    ) -> Result<ListManifestsOutput, ApiError> {
        known(&input.model_id)?;
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::ManifestPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }

    async fn delete_checkpoints(
        &self,
        _: &'static str,
        input: DeleteCheckpointsInput,
    ) -> Result<DeleteCheckpointsOutput, ApiError> {
        known(&input.model_id)?;
        Ok(types::DeleteCheckpointsResponse { deleted_count: 0, not_found_steps: input.body.steps }.into())
    }
}

/// Content of every file of the double.
const CONTENT: &[u8] = b"content";

fn file(id: &str, purpose: types::FilePurpose, bytes: u64, filename: String) -> types::File {
    let (object, status) = (types::FileObject::File, types::FileStatus::Processed);
    types::File { id: id.into(), object, bytes, created_at: 1, filename, purpose, status }
}

impl Files for Double {
    async fn create_file(&self, _: &'static str, mut input: CreateFileInput) -> Result<CreateFileOutput, ApiError> {
        let (mut bytes, mut filename) = (0, String::new());
        while let Some(mut part) = input.body.next().await? {
            filename = part.file_name.clone().unwrap_or(filename);
            let is_file = part.name == "file";
            while let Some(chunk) = part.chunk().await? {
                bytes += if is_file { chunk.len() as u64 } else { 0 };
            }
        }
        let body = file(ID, types::FilePurpose::FineTune, bytes, filename);
        Ok(CreateFileOutput::Ok { headers: Default::default(), body })
    }

    async fn list_files(&self, _: &'static str, input: ListFilesInput) -> Result<ListFilesOutput, ApiError> {
        let purpose = input.purpose.unwrap_or(types::FilePurpose::UserData);
        let data = vec![file(ID, purpose, CONTENT.len() as u64, "f".into())];
        let (first_id, last_id) = (ID.to_owned(), ID.to_owned());
        Ok(types::FilePage { object: types::ListObject::List, data, first_id, last_id, has_more: false }.into())
    }

    async fn get_file(&self, _: &'static str, input: GetFileInput) -> Result<GetFileOutput, ApiError> {
        known(&input.file_id)?;
        Ok(file(ID, types::FilePurpose::UserData, CONTENT.len() as u64, "f".into()).into())
    }

    async fn get_file_content(
        &self,
        _: &'static str,
        input: GetFileContentInput,
    ) -> Result<GetFileContentOutput, ApiError> {
        known(&input.file_id)?;
        let headers = GetFileContentOkHeaders { accept_ranges: "bytes".into(), e_tag: "\"1\"".into() };
        Ok(GetFileContentOutput::Ok { headers, body: Download::bytes(CONTENT) })
    }

    async fn delete_file(&self, _: &'static str, input: DeleteFileInput) -> Result<DeleteFileOutput, ApiError> {
        known(&input.file_id)?;
        Ok(types::DeleteFileResponse { id: input.file_id, object: types::FileObject::File, deleted: true }.into())
    }
}

/// As the hosted service answers it.
fn model(id: &str, project: &str) -> types::ModelResponse {
    let fields = serde_json::json!({ "id": id, "entity": "e", "project": project, "name": "m",
        "base_model": "trainyard/seedling", "run_id": null });
    serde_json::from_value(fields).expect("a model")
}

/// As the hosted service answers it, with its status.
fn queued() -> types::TrainingJobResponse {
    serde_json::from_value(serde_json::json!({ "id": ID, "status": "queued" })).expect("a job")
}

impl TrainingJobs for Double {
    async fn create_sft_training_job(
        &self,
        _: &'static str,
        input: CreateSftTrainingJobInput,
    ) -> Result<CreateSftTrainingJobOutput, ApiError> {
        known(&input.body.model_id)?;
        Ok(CreateSftTrainingJobOutput::Ok { headers: Default::default(), body: queued() })
    }

    async fn create_training_job(
        &self,
        _: &'static str,
        input: CreateTrainingJobInput,
    ) -> Result<CreateTrainingJobOutput, ApiError> {
        known(&input.body.rest().await?.model_id)?;
        Ok(CreateTrainingJobOutput::Ok { headers: Default::default(), body: queued() })
    }

    async fn get_training_job(
        &self,
        _: &'static str,
        input: GetTrainingJobInput,
    ) -> Result<GetTrainingJobOutput, ApiError> {
        known(&input.training_job_id)?;
        Ok(queued().into())
    }

    async fn list_training_jobs(
        &self,
        _: &'static str,
        _: ListTrainingJobsInput,
    ) -> Result<ListTrainingJobsOutput, ApiError> {
        let (first_id, last_id) = (ID.to_owned(), ID.to_owned());
        let object = types::ListObject::List;
        Ok(types::TrainingJobPage { object, data: vec![queued()], first_id, last_id, has_more: false }.into())
    }

    async fn update_training_job(
        &self,
        _: &'static str,
        input: UpdateTrainingJobInput,
    ) -> Result<UpdateTrainingJobOutput, ApiError> {
        known(&input.training_job_id)?;
        Ok(queued().into())
    }

    async fn cancel_training_job(
        &self,
        _: &'static str,
        input: CancelTrainingJobInput,
    ) -> Result<CancelTrainingJobOutput, ApiError> {
        known(&input.training_job_id)?;
        Ok(queued().into())
    }

    async fn get_training_job_metrics(
        &self,
        _: &'static str,
        input: GetTrainingJobMetricsInput,
    ) -> Result<GetTrainingJobMetricsOutput, ApiError> {
        known(&input.training_job_id)?;
        let names = input.name.into_iter().flatten();
        let metrics = names.map(|name| types::MetricColumn { name, values: vec![Some(0.5)], min: None, max: None });
        let (steps, tokens, times) = (vec![1], vec![2], vec![0.5]);
        let metrics = metrics.collect();
        Ok(types::StepMetrics { num_steps: 1, steps, tokens, times, metrics, last_event_id: None }.into())
    }

    async fn list_training_job_groups(
        &self,
        _: &'static str,
        input: ListTrainingJobGroupsInput,
    ) -> Result<ListTrainingJobGroupsOutput, ApiError> {
        known(&input.training_job_id)?;
        let (first_id, last_id, object) = ("0".to_owned(), "0".to_owned(), types::ListObject::List);
        let group = types::TrainingJobGroup {
            id: "0".to_owned(),
            num_trajectories: 2,
            rewards: vec![1.0, 0.0],
            advantages: vec![Some(1.0), Some(-1.0)],
            completion_tokens: vec![Some(4), None],
            reward_mean: Some(0.5),
            reward_deviation: Some(0.5),
            dropped: None,
        };
        Ok(types::TrainingJobGroupPage { object, data: vec![group], first_id, last_id, has_more: false }.into())
    }

    async fn list_training_job_drops(
        &self,
        _: &'static str,
        input: ListTrainingJobDropsInput,
    ) -> Result<ListTrainingJobDropsOutput, ApiError> {
        known(&input.training_job_id)?;
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::TrainingJobDropPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }

    async fn list_training_job_trajectories(
        &self,
        _: &'static str,
        input: ListTrainingJobTrajectoriesInput,
    ) -> Result<ListTrainingJobTrajectoriesOutput, ApiError> {
        known(&input.training_job_id)?;
        let (first_id, last_id, object) = (String::new(), String::new(), types::ListObject::List);
        Ok(types::TrainingJobTrajectoryPage { object, data: vec![], first_id, last_id, has_more: false }.into())
    }

    async fn list_training_job_events(
        &self,
        _: &'static str,
        input: ListTrainingJobEventsInput,
    ) -> Result<ListTrainingJobEventsOutput, ApiError> {
        known(&input.training_job_id)?;
        let data = serde_json::json!({"num_sequences": 2});
        Ok(types::TrainingJobEventPage {
            object: types::ListObject::List,
            data: vec![types::TrainingJobEvent {
                id: "e1".into(),
                type_: types::TrainingJobEventType::TrainingStarted,
                data: data.as_object().cloned().unwrap_or_default(),
            }],
            first_id: "e1".into(),
            last_id: "e1".into(),
            has_more: false,
        }
        .into())
    }
}

/// A job in OpenAI's format.
fn fine_tuning_job() -> types::FineTuningJob {
    let options = serde_json::json!({ "n_epochs": 3, "batch_size": 2, "learning_rate_multiplier": 1.0 });
    let job = serde_json::json!({
        "id": ID, "object": "fine_tuning.job", "created_at": 1, "finished_at": null, "model": "trainyard/seedling",
        "fine_tuned_model": null, "organization_id": "acme", "status": "queued", "training_file": "file-1",
        "validation_file": null, "hyperparameters": options, "trained_tokens": null, "result_files": [],
        "method": { "type": "supervised", "supervised": { "hyperparameters": options } }, "integrations": [],
        "seed": 0, "estimated_finish": null, "error": null, "metadata": null, "user_provided_suffix": null,
    });
    serde_json::from_value(job).expect("a job")
}

impl FineTuning for Double {
    async fn list_fine_tuning_jobs(
        &self,
        _: &'static str,
        _: ListFineTuningJobsInput,
    ) -> Result<ListFineTuningJobsOutput, ApiError> {
        let (first_id, last_id) = (ID.to_owned(), ID.to_owned());
        let (object, data) = (types::ListObject::List, vec![fine_tuning_job()]);
        Ok(types::FineTuningJobPage { object, data, first_id, last_id, has_more: false }.into())
    }

    async fn create_fine_tuning_job(
        &self,
        _: &'static str,
        _: CreateFineTuningJobInput,
    ) -> Result<CreateFineTuningJobOutput, ApiError> {
        Ok(CreateFineTuningJobOutput::Ok { headers: Default::default(), body: fine_tuning_job() })
    }

    async fn get_fine_tuning_job(
        &self,
        _: &'static str,
        input: GetFineTuningJobInput,
    ) -> Result<GetFineTuningJobOutput, ApiError> {
        known(&input.fine_tuning_job_id)?;
        Ok(fine_tuning_job().into())
    }

    async fn cancel_fine_tuning_job(
        &self,
        _: &'static str,
        input: CancelFineTuningJobInput,
    ) -> Result<CancelFineTuningJobOutput, ApiError> {
        known(&input.fine_tuning_job_id)?;
        Ok(fine_tuning_job().into())
    }

    async fn list_fine_tuning_job_events(
        &self,
        _: &'static str,
        input: ListFineTuningJobEventsInput,
    ) -> Result<ListFineTuningJobEventsOutput, ApiError> {
        known(&input.fine_tuning_job_id)?;
        let (object, first_id, last_id) = (types::ListObject::List, String::new(), String::new());
        Ok(types::FineTuningEventPage { object, data: vec![], first_id, last_id, has_more: false }.into())
    }

    async fn list_fine_tuning_job_checkpoints(
        &self,
        _: &'static str,
        input: ListFineTuningJobCheckpointsInput,
    ) -> Result<ListFineTuningJobCheckpointsOutput, ApiError> {
        known(&input.fine_tuning_job_id)?;
        let (object, first_id, last_id) = (types::ListObject::List, String::new(), String::new());
        Ok(types::FineTuningCheckpointPage { object, data: vec![], first_id, last_id, has_more: false }.into())
    }
}

impl Wandb for Double {
    async fn query_wandb(&self, caller: &'static str, _: QueryWandbInput) -> Result<QueryWandbOutput, ApiError> {
        let data = serde_json::json!({ "viewer": { "entity": caller } });
        let data = http::json::Verbatim::of(&data).map_err(ApiError::internal)?;
        Ok(types::WandbAnswer { data: Some(data), errors: None }.into())
    }

    async fn log_wandb_run(&self, _: &'static str, _: LogWandbRunInput) -> Result<LogWandbRunOutput, ApiError> {
        Ok(serde_json::Map::new().into())
    }

    async fn put_wandb_file(
        &self,
        _: &'static str,
        mut input: PutWandbFileInput,
    ) -> Result<PutWandbFileOutput, ApiError> {
        while input.body.next().await?.is_some() {}
        Ok(serde_json::Map::new().into())
    }

    async fn get_wandb_manifest(
        &self,
        _: &'static str,
        input: GetWandbManifestInput,
    ) -> Result<GetWandbManifestOutput, ApiError> {
        known(&input.model_id)?;
        Ok(serde_json::Map::new().into())
    }
}

impl Inference for Double {
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
            }],
        }
        .into())
    }

    async fn list_served_models(
        &self,
        _: &'static str,
        _: ListServedModelsInput,
    ) -> Result<ListServedModelsOutput, ApiError> {
        Ok(types::ServedModelList { object: types::ListObject::List, data: vec![], has_more: false }.into())
    }

    async fn get_served_model(
        &self,
        _: &'static str,
        input: GetServedModelInput,
    ) -> Result<GetServedModelOutput, ApiError> {
        // The name comes back, to show what arrived.
        Ok(types::InferenceModel {
            id: input.model,
            object: types::InferenceModelObject::Model,
            created: 0,
            owned_by: "system".into(),
            root: "trainyard/seedling".into(),
        }
        .into())
    }
}

/// A key with this id.
fn key(id: String) -> types::KeySummary {
    types::KeySummary {
        id,
        entity: "acme".into(),
        name: "laptop".into(),
        suffix: "x7Gk".into(),
        admin: false,
        created_at: 1,
        last_used_at: None,
        revoked_at: None,
        limits: types::KeyLimits::default(),
    }
}

impl Admin for Double {
    async fn list_keys(&self, _: &'static str, _: ListKeysInput) -> Result<ListKeysOutput, ApiError> {
        let (object, data) = (types::ListObject::List, vec![key(ID.into())]);
        Ok(types::KeyPage { object, first_id: ID.into(), last_id: ID.into(), has_more: false, data }.into())
    }

    async fn create_key(&self, _: &'static str, input: CreateKeyInput) -> Result<CreateKeyOutput, ApiError> {
        let key = types::KeySummary {
            entity: input.body.entity,
            name: input.body.name.unwrap_or_default(),
            ..key(ID.into())
        };
        Ok(types::CreatedKey { api_key: KEY.into(), key }.into())
    }

    async fn set_key_limits(&self, _: &'static str, input: SetKeyLimitsInput) -> Result<SetKeyLimitsOutput, ApiError> {
        known(&input.key_id)?;
        Ok(types::KeySummary { limits: input.body, ..key(input.key_id) }.into())
    }

    async fn revoke_key(&self, _: &'static str, input: RevokeKeyInput) -> Result<RevokeKeyOutput, ApiError> {
        known(&input.key_id)?;
        Ok(types::KeySummary { revoked_at: Some(2), ..key(input.key_id) }.into())
    }

    async fn list_workers(&self, _: &'static str, _: ListWorkersInput) -> Result<ListWorkersOutput, ApiError> {
        Ok(types::WorkerList { object: types::ListObject::List, data: vec![] }.into())
    }

    async fn list_all_training_jobs(
        &self,
        _: &'static str,
        _: ListAllTrainingJobsInput,
    ) -> Result<ListAllTrainingJobsOutput, ApiError> {
        let (first_id, last_id) = (String::new(), String::new());
        let object = types::ListObject::List;
        Ok(types::TrainingJobPage { object, first_id, last_id, has_more: false, data: vec![] }.into())
    }
}

impl Service for Double {
    async fn get_key(&self, _: &'static str, _: GetKeyInput) -> Result<GetKeyOutput, ApiError> {
        let types::KeySummary { id, entity, name, suffix, admin, created_at, limits, .. } = key(ID.into());
        let use_ = types::KeyUse {
            requests_left: None,
            tokens_left: None,
            streams: 0,
            queued_jobs: 0,
            stored_bytes: 0,
            tokens_this_month: 0,
        };
        Ok(types::KeyDetail { id, entity, name, suffix, admin, created_at, limits, use_ }.into())
    }

    async fn get_server(&self, _: &'static str, _: GetServerInput) -> Result<GetServerOutput, ApiError> {
        Ok(types::ServerDetail {
            version: "0.0.0".into(),
            started_at: 1,
            database: types::DatabaseKind::Sqlite,
            artifacts: types::ArtifactStoreKind::Directory,
            trains: false,
            threads: 1,
            instruction_set: "portable".into(),
            max_unfinished_jobs: 1,
        }
        .into())
    }

    async fn check_key(&self, _: &'static str, _: CheckKeyInput) -> Result<CheckKeyOutput, ApiError> {
        Ok(types::HealthResponse { status: types::HealthStatus::Ok }.into())
    }

    async fn get_usage(&self, _: &'static str, input: GetUsageInput) -> Result<GetUsageOutput, ApiError> {
        let total = types::UsageTotal { requests: 0, prompt_tokens: 0, completion_tokens: 0, trained_tokens: 0 };
        let day = |day: Option<String>| day.unwrap_or_else(|| "2026-11-22".into());
        let (start_date, end_date) = (day(input.start_date), day(input.end_date));
        Ok(types::UsageReport { object: types::ListObject::List, start_date, end_date, data: vec![], total }.into())
    }

    async fn get_metrics(&self, _: GetMetricsInput) -> Result<GetMetricsOutput, ApiError> {
        Ok("# TYPE nothing_total counter\nnothing_total 0\n".to_owned().into())
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
        };
        Ok(CheckSystemOutput::ServiceUnavailable(check.into()))
    }

    async fn health(&self, _: HealthInput) -> Result<HealthOutput, ApiError> {
        Ok(serde_json::json!({"status": "ok"}).into())
    }
}
