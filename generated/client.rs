// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, unreachable_pub, unused_imports)]
use progenitor_client::{RequestBuilderExt, ResponseValue, encode_path};
use super::types;
use std::pin::Pin;
use crate::client::{
    Client, ClientError, Download, Page, ResultStream, page_parts, pages,
};
impl Client {
    /**W&B run files

Accepts the log files of a run from W&B's client and stores nothing.

Sends a `POST` request to `/files/{entity}/{project}/{run}/file_stream`

Arguments:
- `entity`: Entity of the run.
- `project`: Project of the run.
- `run`: Name of the run.
- `body`: Lines of the run's files.
*/
    pub async fn stream_wandb_run<'a>(
        &'a self,
        entity: &'a str,
        project: &'a str,
        run: &'a str,
        body: &'a crate::generated::types::WandbRunFiles,
    ) -> Result<ResponseValue<crate::generated::types::WandbRunFiles>, ClientError> {
        let url = format!(
            "{}/files/{}/{}/{}/file_stream", self.baseurl, encode_path(& entity
            .to_string()), encode_path(& project.to_string()), encode_path(& run
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**W&B query

Executes the GraphQL operations with which W&B's client opens a run, uploads a data set, and pulls, forks or
annotates a checkpoint. The root field and its arguments select the operation; its name is ignored. The response
may have more fields than requested. A null entity is the key's own. An unsupported root field is rejected by
name. Following GraphQL, an error is reported in `errors` with status 200.

An artifact of type `lora` becomes a checkpoint of the registered model with the same name when it is committed.
Its step is the N of its alias `stepN`, or the model's next step if that is higher. It is validated like an
import by `add-checkpoint`, and an invalid artifact is rejected as a whole. The metadata of such an artifact is
stored with the checkpoint. Checkpoints trained or copied from it inherit `wandb.provenance`.


Sends a `POST` request to `/graphql`

Arguments:
- `body`: The GraphQL operation and its variables.
*/
    pub async fn query_wandb<'a>(
        &'a self,
        body: &'a crate::generated::types::WandbQuery,
    ) -> Result<ResponseValue<crate::generated::types::WandbAnswer>, ClientError> {
        let url = format!("{}/graphql", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Readiness check

Readiness probe for load balancers, without a key. Returns 503 as soon as shutdown begins, while all other requests are still served.

Sends a `GET` request to `/health`

*/
    pub async fn read_root_health_get<'a>(
        &'a self,
    ) -> Result<ResponseValue<::serde_json::Value>, ClientError> {
        let url = format!("{}/health", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List models

Lists the models accepted as `model` of a chat request. The list is not paginated.

Sends a `GET` request to `/inference/v1/models`*/
    pub fn list_inference_models(&self) -> ListInferenceModels {
        ListInferenceModels {
            client: self.clone(),
            open_ai_project: None,
            vendor_project: None,
        }
    }
    /**Create chat completion

Samples one or more completions of a conversation. Returns one JSON document, or server-sent events when `stream` is true. An error before the first token has an error status; a later error is an event of the stream.

Sends a `POST` request to `/v1/chat/completions`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub fn create_chat_completion<'a>(
        &self,
        body: &'a crate::generated::types::ChatCompletionRequest,
    ) -> CreateChatCompletion<'a> {
        CreateChatCompletion {
            client: self.clone(),
            open_ai_project: None,
            vendor_project: None,
            body: body,
        }
    }
    /**Create completion

Continues texts or token sequences without a chat template. This is OpenAI's older completions API, which evaluation harnesses use to score texts. With `echo`, `logprobs` and `max_tokens` 0, it returns the log-probabilities of the prompt's own tokens.

Sends a `POST` request to `/v1/completions`

Arguments:
- `body`: Prompts and sampling options.
*/
    pub fn create_completion<'a>(
        &self,
        body: &'a crate::generated::types::CompletionRequest,
    ) -> CreateCompletion<'a> {
        CreateCompletion {
            client: self.clone(),
            open_ai_project: None,
            vendor_project: None,
            body: body,
        }
    }
    /**List files

Lists the files of the key's entity, newest first by default. `purpose` restricts the list to one purpose.

Sends a `GET` request to `/v1/files`*/
    pub fn list_files(&self) -> ListFiles {
        ListFiles {
            client: self.clone(),
            after: None,
            limit: None,
            order: None,
            purpose: None,
        }
    }
    /**Get file

Returns the metadata of a file of the key's entity.

Sends a `GET` request to `/v1/files/{file_id}`

Arguments:
- `file_id`: The `id` of a file. Any other value returns 404.
*/
    pub async fn get_file<'a>(
        &'a self,
        file_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::File>, ClientError> {
        let url = format!(
            "{}/v1/files/{}", self.baseurl, encode_path(& file_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Delete file

Deletes a file. Jobs and checkpoints that used it keep the data that they need: the data of a job is kept as long as the model has the checkpoint of that job or a later one, so that both can be reproduced. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/files/{file_id}`

Arguments:
- `file_id`: The `id` of a file. Any other value returns 404.
*/
    pub async fn delete_file<'a>(
        &'a self,
        file_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteFileResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/files/{}", self.baseurl, encode_path(& file_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Download file

Returns the bytes of a file, whole or a range. `ETag` is the SHA-256 of the file.

Sends a `GET` request to `/v1/files/{file_id}/content`

Arguments:
- `file_id`: The `id` of a file. Any other value returns 404.
*/
    pub fn get_file_content(&self, file_id: impl Into<String>) -> GetFileContent {
        GetFileContent {
            client: self.clone(),
            file_id: file_id.into(),
            if_none_match: None,
            if_range: None,
            range: None,
        }
    }
    /**List fine-tuning jobs

Lists the supervised jobs of the key's entity, newest first, including those created by the other API.

Sends a `GET` request to `/v1/fine_tuning/jobs`*/
    pub fn list_fine_tuning_jobs(&self) -> ListFineTuningJobs {
        ListFineTuningJobs {
            client: self.clone(),
            after: None,
            limit: None,
        }
    }
    /**Create fine-tuning job

Creates a model and queues supervised training of it, as one atomic operation. The model starts from a base
model, or from a copy of a step of a trained model, including its optimizer state. Its name is the `suffix`, or
the name of the model that it starts from, followed by the end of the job's id.

The file contains JSON Lines in the format of `POST /v1/preview/sft-training-jobs`: one conversation per line,
`{"messages": [...], "tools": [...]}`. An assistant message with `weight` 0 is context and is not trained.
`parallel_tool_calls` is accepted, but false is an error if a message has several calls. `functions`,
`function_call`, `refusal` and `audio` are rejected. Lines are validated when the job starts: an error in a line
ends the job with status `failed` and an `error`.

At most 1000 jobs of one entity may be queued or running; more return 429.


Sends a `POST` request to `/v1/fine_tuning/jobs`

Arguments:
- `body`: Model, training file and options.
*/
    pub async fn create_fine_tuning_job<'a>(
        &'a self,
        body: &'a crate::generated::types::CreateFineTuningJob,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJob>, ClientError> {
        let url = format!("{}/v1/fine_tuning/jobs", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get fine-tuning job

Returns the state of a supervised job, created by either API.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, in the form of either API. Any other value returns 404.
*/
    pub async fn get_fine_tuning_job<'a>(
        &'a self,
        fine_tuning_job_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJob>, ClientError> {
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}", self.baseurl, encode_path(& fine_tuning_job_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Cancel fine-tuning job

Cancels a queued or running supervised job. Its model keeps its initial weights. Cancelling a cancelled job again returns the job unchanged. A job that ended otherwise returns 409.

Sends a `POST` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, in the form of either API. Any other value returns 404.
*/
    pub async fn cancel_fine_tuning_job<'a>(
        &'a self,
        fine_tuning_job_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJob>, ClientError> {
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}/cancel", self.baseurl, encode_path(&
            fine_tuning_job_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List fine-tuning checkpoints

Lists the checkpoints of a supervised job. A job that succeeded has one, until it is deleted.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, in the form of either API. Any other value returns 404.
*/
    pub fn list_fine_tuning_job_checkpoints(
        &self,
        fine_tuning_job_id: impl Into<String>,
    ) -> ListFineTuningJobCheckpoints {
        ListFineTuningJobCheckpoints {
            client: self.clone(),
            fine_tuning_job_id: fine_tuning_job_id.into(),
            after: None,
            limit: None,
        }
    }
    /**List fine-tuning events

Lists the events of a supervised job, newest first: its start, each optimizer step with its metrics, and its end. A queued job has none. To stream the events of a running job, use `GET /v1/preview/training-jobs/{training_job_id}/events`.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/events`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, in the form of either API. Any other value returns 404.
*/
    pub fn list_fine_tuning_job_events(
        &self,
        fine_tuning_job_id: impl Into<String>,
    ) -> ListFineTuningJobEvents {
        ListFineTuningJobEvents {
            client: self.clone(),
            fine_tuning_job_id: fine_tuning_job_id.into(),
            after: None,
            limit: None,
        }
    }
    /**Health check

Confirms that the process responds and that the key is valid. Checks nothing else.

Sends a `GET` request to `/v1/health`

*/
    pub async fn get_health<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::HealthResponse>, ClientError> {
        let url = format!("{}/v1/health", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List models and steps

Lists the names accepted as `model` of a request, in the format of OpenAI's model list. Base models come first, then the trained models of the key's entity whose base model is served, oldest first, each followed by its steps. The list is not paginated. It has at most 1,000 names of trained models and steps: those of the newest models, and as many of their newest steps as fit. `has_more` is true if names were omitted; omitted names are accepted in requests too.

Sends a `GET` request to `/v1/models`

*/
    pub async fn list_served_models<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::ServedModelList>, ClientError> {
        let url = format!("{}/v1/models", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get model by name

Returns a model or step accepted as `model` of a request, including one omitted from the list.

Sends a `GET` request to `/v1/models/{model}`

Arguments:
- `model`: A name as in `model` of a request: of a base model, or of a trained model with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded. An unknown name returns 404.
*/
    pub async fn get_served_model<'a>(
        &'a self,
        model: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::InferenceModel>, ClientError> {
        let url = format!(
            "{}/v1/models/{}", self.baseurl, encode_path(& model.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List base models

Lists the base models of this service, ordered by name. The list is not paginated.

Sends a `GET` request to `/v1/preview/base-models`

*/
    pub async fn list_base_models<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::BaseModelList>, ClientError> {
        let url = format!("{}/v1/preview/base-models", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List models

Lists the models of the key's entity, ordered by creation time. `project` restricts the list to one project.

Sends a `GET` request to `/v1/preview/models`*/
    pub fn list_models(&self) -> ListModels {
        ListModels {
            client: self.clone(),
            after: None,
            limit: None,
            order: None,
            project: None,
        }
    }
    /**Create model

Registers a trainable model, which can be sampled at once. A name is unique within its project. If the name is taken, `return_existing` true returns the existing model if it has the same base model, which makes the request idempotent; without it, the response is 409. The training method is chosen here and never changes: a LoRA adapter, with the rank, alpha and targets of `lora`, or the whole model.

Sends a `POST` request to `/v1/preview/models`

Arguments:
- `body`: Name, base model and training method.
*/
    pub async fn create_model<'a>(
        &'a self,
        body: &'a crate::generated::types::ModelCreate,
    ) -> Result<ResponseValue<crate::generated::types::ModelResponse>, ClientError> {
        let url = format!("{}/v1/preview/models", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get model

Returns a model of the key's entity.

Sends a `GET` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub async fn get_model<'a>(
        &'a self,
        model_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::ModelResponse>, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}", self.baseurl, encode_path(& model_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Delete model

Deletes the model with all its checkpoints, jobs and trajectory logs. Its name can be used again. A running job of the model ends without a result. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub async fn delete_model<'a>(
        &'a self,
        model_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteModelResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/models/{}", self.baseurl, encode_path(& model_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Add model checkpoint

Creates the model's next step without training, as a copy of another step or from an imported adapter. The step
can be sampled at once, and the next job starts from it.

A **copy** forks a step of this model or of another model of your entity. Register a model with the same
`base_model`, `training_method` and `lora`, and copy the step into it. The optimizer state is copied where it is
stored, which is at the newest step of a model.

An **import** takes the two files of a PEFT adapter: the content of `adapter_config.json`, and
`adapter_model.safetensors` as a file uploaded with `POST /v1/files`. Tensor names and shapes must match the
base model; rank, alpha and targets must match the registered model. Every number must be finite.


Sends a `POST` request to `/v1/preview/models/{model_id}/add-checkpoint`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `body`: Source of the checkpoint.
*/
    pub async fn add_checkpoint<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a crate::generated::types::AddCheckpoint,
    ) -> Result<ResponseValue<crate::generated::types::Checkpoint>, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}/add-checkpoint", self.baseurl, encode_path(&
            model_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List model checkpoints

Lists the checkpoints of a model, ordered by step. `limit=1&order=desc` returns the newest one: its `step` is the number of the model's last successful job.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub fn list_checkpoints(&self, model_id: impl Into<String>) -> ListCheckpoints {
        ListCheckpoints {
            client: self.clone(),
            model_id: model_id.into(),
            after: None,
            limit: None,
            order: None,
        }
    }
    /**Delete model checkpoints

Deletes steps of a model. Steps that do not exist are reported in the response and are no error, so the request is idempotent. The newest step is the one that the model's plain name samples. Deleting it returns 409 and deletes nothing, unless `allow_latest` is true. After that, the newest remaining step is sampled by the plain name, reported as `latest_step` of the model, and used as the start of the next job. If no step remains, the base model is sampled and trained, and `latest_step` is null. Step numbers are never reused: after the deletion of step 2, the next one is 3. The manifest of a deleted step remains. The training data of a step is deleted when neither that step nor a later one remains.

Sends a `DELETE` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `body`: Numbers of the steps to delete.
*/
    pub async fn delete_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a crate::generated::types::DeleteCheckpointsRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteCheckpointsResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints", self.baseurl, encode_path(& model_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get model checkpoint

Returns one step of a model and its files.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
*/
    pub async fn get_checkpoint<'a>(
        &'a self,
        model_id: &'a str,
        step: u64,
    ) -> Result<ResponseValue<crate::generated::types::CheckpointDetail>, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}", self.baseurl, encode_path(&
            model_id.to_string()), encode_path(& step.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Download a checkpoint

Returns every file of the checkpoint in one tar archive, in a directory `checkpoint-STEP`. Step 0 is the base model and has no files, so it returns 404.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/archive`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
*/
    pub async fn get_checkpoint_archive<'a>(
        &'a self,
        model_id: &'a str,
        step: u64,
    ) -> Result<Download, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}/archive", self.baseurl, encode_path(&
            model_id.to_string()), encode_path(& step.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self.client.get(url).headers(header_map).build()?;
        self.download(request).await
    }
    /**Download a file of a checkpoint

Returns the bytes of one file, whole or a range, so that an interrupted download can be resumed. `ETag` is the SHA-256 of the file. PEFT loads the two files of an adapter from one directory.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
- `file_name`: The `name` of one of the checkpoint's files. Any other name returns 404.
*/
    pub fn get_checkpoint_file(
        &self,
        model_id: impl Into<String>,
        step: u64,
        file_name: impl Into<String>,
    ) -> GetCheckpointFile {
        GetCheckpointFile {
            client: self.clone(),
            model_id: model_id.into(),
            step: step,
            file_name: file_name.into(),
            if_none_match: None,
            if_range: None,
            range: None,
        }
    }
    /**Get checkpoint manifest

Returns the provenance of a step: its parent step, the options and the data hash of its training, the hash of the base model, the program that computed it, and the hashes of its own files. The manifest is written with the checkpoint and never changes. Each manifest contains the hash of the previous one, so the hash of the newest manifest covers the whole history of the model. The manifest remains when the checkpoint is deleted. Checkpoints from before the service wrote manifests, and steps that never existed, have none.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/manifest`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
*/
    pub async fn get_checkpoint_manifest<'a>(
        &'a self,
        model_id: &'a str,
        step: u64,
    ) -> Result<
        ResponseValue<crate::generated::types::CheckpointManifest>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}/manifest", self.baseurl,
            encode_path(& model_id.to_string()), encode_path(& step.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Log trajectories

Stores trajectory groups with the model, as a record, without training on them.

Sends a `POST` request to `/v1/preview/models/{model_id}/log`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `body`: The trajectories and their split.
*/
    pub async fn log_trajectories<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a crate::generated::types::LogRequest,
    ) -> Result<ResponseValue<crate::generated::types::LogResponse>, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}/log", self.baseurl, encode_path(& model_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create SFT training job

Queues supervised fine-tuning on a file of conversations. The file is uploaded (`POST /v1/files`, purpose
`fine-tune`) or at a URL. The service fetches a URL when the job starts, so a URL that cannot be read is
reported in the events (`training_failed`) and not in this response.

The file contains JSON Lines, one conversation per line: `{"messages": [...], "tools": [...]}`; `tools` is
optional. The limits are 16 MiB per line, 1000000 conversations and 1 GiB in total. Every line is validated
before the first optimizer step. The first malformed line fails the job, and `error_message` names it. Blank
lines are skipped.

The loss covers the messages of the assistant. Conversations without such a message, and conversations longer
than the model's context, are dropped and counted in `num_dropped_trajectories`; `training_started` lists the
first of them with their lines. A dropped conversation keeps its place in its batch, so each learning rate
applies to the same lines.

An assistant message with `weight` 0 is context and is not trained. `parallel_tool_calls` is accepted, but false
is an error if a message has several calls. `functions`, and `function_call`, `refusal` and `audio` of a
message, are rejected unless null, because the chat template would ignore them.

At most 1000 jobs of one entity may be queued or running; more return 429.


Sends a `POST` request to `/v1/preview/sft-training-jobs`

Arguments:
- `body`: The model, the data and the options.
*/
    pub fn create_sft_training_job<'a>(
        &self,
        body: &'a crate::generated::types::CreateSftTrainingJob,
    ) -> CreateSftTrainingJob<'a> {
        CreateSftTrainingJob {
            client: self.clone(),
            dry_run: None,
            body: body,
        }
    }
    /**List training jobs

Lists the RL and SFT jobs of the key's entity by creation time. Query parameters are filters, combined with AND.

Sends a `GET` request to `/v1/preview/training-jobs`*/
    pub fn list_training_jobs(&self) -> ListTrainingJobs {
        ListTrainingJobs {
            client: self.clone(),
            after: None,
            kind: None,
            limit: None,
            model_id: None,
            order: None,
            status: None,
        }
    }
    /**Create RL training job

Queues reinforcement learning on trajectories. Rewards count relative to their group: completions of the same
prompt belong in one group, and a group with equal rewards contributes no gradient. Each conversation of a
trajectory that has a choice becomes one optimizer step, in the order of the request, unless
`packed_sequence_length` puts several into one step. Conversations longer than the model's context are dropped
and counted in `num_dropped_sequences`. A job with nothing to learn succeeds and creates a new step with the
same weights.

Send choices unchanged: they carry their own tokens and the tokens of their prompt, and training uses both. A
turn whose prompt does not begin with the previous turns becomes a step of its own. Untrainable items are
dropped, and the rest of the job is unaffected. The event `training_started` lists dropped items, and places
where messages and tokens differ.

At most 1000 jobs of one entity may be queued or running; more return 429.


Sends a `POST` request to `/v1/preview/training-jobs`

Arguments:
- `body`: The model, the trajectories and the options.
*/
    pub fn create_training_job<'a>(
        &self,
        body: &'a crate::generated::types::CreateTrainingJob,
    ) -> CreateTrainingJob<'a> {
        CreateTrainingJob {
            client: self.clone(),
            dry_run: None,
            body: body,
        }
    }
    /**Get training job

Returns the state of an RL or SFT job: its progress, its options and, after a failure, the reason. Its events carry the metrics of each step.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub async fn get_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/training-jobs/{}", self.baseurl, encode_path(& training_job_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Cancel training job

Cancels a queued or running RL or SFT job. Its last event is `training_failed`, which says that it was cancelled. The model keeps the step that it had. The worker's writes are rejected at once; it stops after the current step at the latest. Cancelling a cancelled job again returns the job unchanged. A job that ended otherwise returns 409.

Sends a `POST` request to `/v1/preview/training-jobs/{training_job_id}/cancel`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub async fn cancel_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/training-jobs/{}/cancel", self.baseurl, encode_path(&
            training_job_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get training job events

Lists the events of an RL or SFT job in chronological order. A queued job has none. To follow a job, send `Accept: text/event-stream`: the events are then streamed as they happen, and the stream ends after `training_ended` or `training_failed`. Each event has its `id`, its type as `event`, and an item of the list, as JSON, as `data`. After a disconnect, resume with `Last-Event-ID`. A comment is sent after each 15 s without an event. Alternatively poll with `after` set to the last id received, once a second or with `wait`.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/events`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub fn list_training_job_events(
        &self,
        training_job_id: impl Into<String>,
    ) -> ListTrainingJobEvents {
        ListTrainingJobEvents {
            client: self.clone(),
            training_job_id: training_job_id.into(),
            after: None,
            limit: None,
            order: None,
        }
    }
    /**Get usage

Returns the usage of the entity's keys by day, key, project, model and job: chat requests, chat tokens and trained tokens. Trained tokens count for the day on which the job ended.

Sends a `GET` request to `/v1/preview/usage`*/
    pub fn get_usage(&self) -> GetUsage {
        GetUsage {
            client: self.clone(),
            end_date: None,
            project: None,
            start_date: None,
        }
    }
    /**Create response

Samples one response in the format of OpenAI's Responses API, for text and function tools. Sampling is the same
as in chat completions, and the same conversation has the same prompt. `instructions` is a system message.
Consecutive `reasoning`, `message` and `function_call` items form one message of the assistant.

Nothing is stored: send the whole conversation as `input` in each request. With `stream` true, the response is
server-sent events, named after their `type`. The last event is `response.completed`, `response.incomplete` or
`response.failed`; there is no `[DONE]`. After 15 s without an event, `response.in_progress` is sent again.


Sends a `POST` request to `/v1/responses`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub fn create_response<'a>(
        &self,
        body: &'a crate::generated::types::ResponseRequest,
    ) -> CreateResponse<'a> {
        CreateResponse {
            client: self.clone(),
            open_ai_project: None,
            vendor_project: None,
            body: body,
        }
    }
    /**System check

Checks every component in parallel and responds within a second: the database; the artifact store, by writing and reading back a few bytes; the job queue; the engine, by computing one token; and the free disk space. A component that does not respond within 0.9 s in two requests in a row fails its check; the first time, only its `duration` shows it. The engine does not fail while it makes progress on earlier requests. Intended for monitoring, not for each request.

Sends a `GET` request to `/v1/system-check`

*/
    pub async fn get_system_check<'a>(
        &'a self,
    ) -> Result<
        ResponseValue<crate::generated::types::SystemCheckResponse>,
        ClientError,
    > {
        let url = format!("{}/v1/system-check", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**W&B artifact manifest

Returns the files of a checkpoint as the manifest of a W&B artifact, with their MD5 digests.

Sends a `GET` request to `/wandb/manifests/{model_id}/{step}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
*/
    pub async fn get_wandb_manifest<'a>(
        &'a self,
        model_id: &'a str,
        step: u64,
    ) -> Result<ResponseValue<crate::generated::types::WandbManifest>, ClientError> {
        let url = format!(
            "{}/wandb/manifests/{}/{}", self.baseurl, encode_path(& model_id
            .to_string()), encode_path(& step.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        let request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
}
/// Request of [`Client::list_inference_models`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListInferenceModels {
    client: Client,
    /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
    pub open_ai_project: Option<String>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
}
impl ListInferenceModels {
    /// Sets [`open_ai_project`](Self::open_ai_project).
    pub fn open_ai_project(mut self, open_ai_project: impl Into<String>) -> Self {
        self.open_ai_project = Some(open_ai_project.into());
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::InferenceModelList>,
        ClientError,
    > {
        let Self { client, open_ai_project, vendor_project } = self;
        let url = format!("{}/inference/v1/models", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListInferenceModels {
    type Output = Result<
        ResponseValue<crate::generated::types::InferenceModelList>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::create_chat_completion`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateChatCompletion<'a> {
    client: Client,
    /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
    pub open_ai_project: Option<String>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::ChatCompletionRequest,
}
impl<'a> CreateChatCompletion<'a> {
    /// Sets [`open_ai_project`](Self::open_ai_project).
    pub fn open_ai_project(mut self, open_ai_project: impl Into<String>) -> Self {
        self.open_ai_project = Some(open_ai_project.into());
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ChatCompletion>, ClientError> {
        let Self { client, open_ai_project, vendor_project, body } = self;
        let url = format!("{}/v1/chat/completions", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        let request = client
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateChatCompletion<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::ChatCompletion>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::create_completion`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateCompletion<'a> {
    client: Client,
    /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
    pub open_ai_project: Option<String>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Prompts and sampling options.
    pub body: &'a crate::generated::types::CompletionRequest,
}
impl<'a> CreateCompletion<'a> {
    /// Sets [`open_ai_project`](Self::open_ai_project).
    pub fn open_ai_project(mut self, open_ai_project: impl Into<String>) -> Self {
        self.open_ai_project = Some(open_ai_project.into());
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::Completion>, ClientError> {
        let Self { client, open_ai_project, vendor_project, body } = self;
        let url = format!("{}/v1/completions", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        let request = client
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateCompletion<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::Completion>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_files`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListFiles {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. A file that is not in the listing, for example a deleted one, returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest file.
    pub order: Option<types::FileOrder>,
    /// Purpose of the files. Default: all purposes.
    pub purpose: Option<types::FilePurpose>,
}
impl ListFiles {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::FileOrder) -> Self {
        self.order = Some(order);
        self
    }
    /// Sets [`purpose`](Self::purpose).
    pub fn purpose(mut self, purpose: types::FilePurpose) -> Self {
        self.purpose = Some(purpose);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::FilePage>, ClientError> {
        let Self { client, after, limit, order, purpose } = self;
        let url = format!("{}/v1/files", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("purpose", &purpose))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListFiles {
    type Output = Result<ResponseValue<crate::generated::types::FilePage>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListFiles {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::FilePage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::get_file_content`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetFileContent {
    client: Client,
    /// The `id` of a file. Any other value returns 404.
    pub file_id: String,
    /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
    pub if_none_match: Option<String>,
    /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
    pub if_range: Option<String>,
    /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
    pub range: Option<String>,
}
impl GetFileContent {
    /// Sets [`if_none_match`](Self::if_none_match).
    pub fn if_none_match(mut self, if_none_match: impl Into<String>) -> Self {
        self.if_none_match = Some(if_none_match.into());
        self
    }
    /// Sets [`if_range`](Self::if_range).
    pub fn if_range(mut self, if_range: impl Into<String>) -> Self {
        self.if_range = Some(if_range.into());
        self
    }
    /// Sets [`range`](Self::range).
    pub fn range(mut self, range: impl Into<String>) -> Self {
        self.range = Some(range.into());
        self
    }
    async fn send(self) -> Result<Download, ClientError> {
        let Self { client, file_id, if_none_match, if_range, range } = self;
        let url = format!(
            "{}/v1/files/{}/content", client.baseurl, encode_path(& file_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(4usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = if_none_match {
            header_map.append("If-None-Match", value.to_string().try_into()?);
        }
        if let Some(value) = if_range {
            header_map.append("If-Range", value.to_string().try_into()?);
        }
        if let Some(value) = range {
            header_map.append("Range", value.to_string().try_into()?);
        }
        let request = client.client.get(url).headers(header_map).build()?;
        client.download(request).await
    }
}
impl IntoFuture for GetFileContent {
    type Output = Result<Download, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_fine_tuning_jobs`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListFineTuningJobs {
    client: Client,
    /// Cursor: the `id` of the last job of the previous page. Without it, the listing starts with the newest job. A job that is not in the listing returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListFineTuningJobs {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJobPage>, ClientError> {
        let Self { client, after, limit } = self;
        let url = format!("{}/v1/fine_tuning/jobs", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListFineTuningJobs {
    type Output = Result<
        ResponseValue<crate::generated::types::FineTuningJobPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListFineTuningJobs {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::FineTuningJobPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_fine_tuning_job_checkpoints`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListFineTuningJobCheckpoints {
    client: Client,
    /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
    pub fine_tuning_job_id: String,
    /// Cursor: the `id` of the last checkpoint of the previous page. A checkpoint of another job returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListFineTuningJobCheckpoints {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::FineTuningCheckpointPage>,
        ClientError,
    > {
        let Self { client, fine_tuning_job_id, after, limit } = self;
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}/checkpoints", client.baseurl, encode_path(&
            fine_tuning_job_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListFineTuningJobCheckpoints {
    type Output = Result<
        ResponseValue<crate::generated::types::FineTuningCheckpointPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListFineTuningJobCheckpoints {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<
        <crate::generated::types::FineTuningCheckpointPage as Page>::Item,
    > {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_fine_tuning_job_events`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListFineTuningJobEvents {
    client: Client,
    /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
    pub fine_tuning_job_id: String,
    /// Cursor: the `id` of the last event of the previous page. Without it, the listing starts with the newest event. An event of another job returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListFineTuningJobEvents {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::FineTuningEventPage>,
        ClientError,
    > {
        let Self { client, fine_tuning_job_id, after, limit } = self;
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}/events", client.baseurl, encode_path(&
            fine_tuning_job_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListFineTuningJobEvents {
    type Output = Result<
        ResponseValue<crate::generated::types::FineTuningEventPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListFineTuningJobEvents {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::FineTuningEventPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_models`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListModels {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Project of the models. Default: all projects.
    pub project: Option<String>,
}
impl ListModels {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    /// Sets [`project`](Self::project).
    pub fn project(mut self, project: impl Into<String>) -> Self {
        self.project = Some(project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ModelPage>, ClientError> {
        let Self { client, after, limit, order, project } = self;
        let url = format!("{}/v1/preview/models", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("project", &project))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListModels {
    type Output = Result<ResponseValue<crate::generated::types::ModelPage>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListModels {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::ModelPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_checkpoints`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListCheckpoints {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
}
impl ListCheckpoints {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::CheckpointPage>, ClientError> {
        let Self { client, model_id, after, limit, order } = self;
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints", client.baseurl, encode_path(& model_id
            .to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListCheckpoints {
    type Output = Result<
        ResponseValue<crate::generated::types::CheckpointPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListCheckpoints {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::CheckpointPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::get_checkpoint_file`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetCheckpointFile {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Number of a step of the model.
    pub step: u64,
    /// The `name` of one of the checkpoint's files. Any other name returns 404.
    pub file_name: String,
    /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
    pub if_none_match: Option<String>,
    /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
    pub if_range: Option<String>,
    /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
    pub range: Option<String>,
}
impl GetCheckpointFile {
    /// Sets [`if_none_match`](Self::if_none_match).
    pub fn if_none_match(mut self, if_none_match: impl Into<String>) -> Self {
        self.if_none_match = Some(if_none_match.into());
        self
    }
    /// Sets [`if_range`](Self::if_range).
    pub fn if_range(mut self, if_range: impl Into<String>) -> Self {
        self.if_range = Some(if_range.into());
        self
    }
    /// Sets [`range`](Self::range).
    pub fn range(mut self, range: impl Into<String>) -> Self {
        self.range = Some(range.into());
        self
    }
    async fn send(self) -> Result<Download, ClientError> {
        let Self { client, model_id, step, file_name, if_none_match, if_range, range } = self;
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}/files/{}", client.baseurl,
            encode_path(& model_id.to_string()), encode_path(& step.to_string()),
            encode_path(& file_name.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(4usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = if_none_match {
            header_map.append("If-None-Match", value.to_string().try_into()?);
        }
        if let Some(value) = if_range {
            header_map.append("If-Range", value.to_string().try_into()?);
        }
        if let Some(value) = range {
            header_map.append("Range", value.to_string().try_into()?);
        }
        let request = client.client.get(url).headers(header_map).build()?;
        client.download(request).await
    }
}
impl IntoFuture for GetCheckpointFile {
    type Output = Result<Download, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::create_sft_training_job`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateSftTrainingJob<'a> {
    client: Client,
    /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
    pub dry_run: Option<bool>,
    /// The model, the data and the options.
    pub body: &'a crate::generated::types::CreateSftTrainingJob,
}
impl<'a> CreateSftTrainingJob<'a> {
    /// Sets [`dry_run`](Self::dry_run).
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = Some(dry_run);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let Self { client, dry_run, body } = self;
        let url = format!("{}/v1/preview/sft-training-jobs", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .query(&progenitor_client::QueryParam::new("dry_run", &dry_run))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateSftTrainingJob<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_training_jobs`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrainingJobs {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Training type of the jobs.
    pub kind: Option<types::TrainingJobKind>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Model of the jobs. An unknown id returns 404.
    pub model_id: Option<String>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Status of the jobs.
    pub status: Option<types::TrainingJobStatus>,
}
impl ListTrainingJobs {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`kind`](Self::kind).
    pub fn kind(mut self, kind: types::TrainingJobKind) -> Self {
        self.kind = Some(kind);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`model_id`](Self::model_id).
    pub fn model_id(mut self, model_id: impl Into<String>) -> Self {
        self.model_id = Some(model_id.into());
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    /// Sets [`status`](Self::status).
    pub fn status(mut self, status: types::TrainingJobStatus) -> Self {
        self.status = Some(status);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::TrainingJobPage>, ClientError> {
        let Self { client, after, kind, limit, model_id, order, status } = self;
        let url = format!("{}/v1/preview/training-jobs", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("kind", &kind))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("model_id", &model_id))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("status", &status))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrainingJobs {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrainingJobs {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrainingJobPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::create_training_job`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateTrainingJob<'a> {
    client: Client,
    /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
    pub dry_run: Option<bool>,
    /// The model, the trajectories and the options.
    pub body: &'a crate::generated::types::CreateTrainingJob,
}
impl<'a> CreateTrainingJob<'a> {
    /// Sets [`dry_run`](Self::dry_run).
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = Some(dry_run);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let Self { client, dry_run, body } = self;
        let url = format!("{}/v1/preview/training-jobs", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .query(&progenitor_client::QueryParam::new("dry_run", &dry_run))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateTrainingJob<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_training_job_events`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrainingJobEvents {
    client: Client,
    /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
    pub training_job_id: String,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
}
impl ListTrainingJobEvents {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobEventPage>,
        ClientError,
    > {
        let Self { client, training_job_id, after, limit, order } = self;
        let url = format!(
            "{}/v1/preview/training-jobs/{}/events", client.baseurl, encode_path(&
            training_job_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrainingJobEvents {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobEventPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrainingJobEvents {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrainingJobEventPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::get_usage`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetUsage {
    client: Client,
    /// Last day, in UTC. Default: today.
    pub end_date: Option<String>,
    /// Project to report. Default: all projects.
    pub project: Option<String>,
    /// First day, in UTC. Default: 30 days before `end_date`.
    pub start_date: Option<String>,
}
impl GetUsage {
    /// Sets [`end_date`](Self::end_date).
    pub fn end_date(mut self, end_date: impl Into<String>) -> Self {
        self.end_date = Some(end_date.into());
        self
    }
    /// Sets [`project`](Self::project).
    pub fn project(mut self, project: impl Into<String>) -> Self {
        self.project = Some(project.into());
        self
    }
    /// Sets [`start_date`](Self::start_date).
    pub fn start_date(mut self, start_date: impl Into<String>) -> Self {
        self.start_date = Some(start_date.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::UsageReport>, ClientError> {
        let Self { client, end_date, project, start_date } = self;
        let url = format!("{}/v1/preview/usage", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("end_date", &end_date))
            .query(&progenitor_client::QueryParam::new("project", &project))
            .query(&progenitor_client::QueryParam::new("start_date", &start_date))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetUsage {
    type Output = Result<
        ResponseValue<crate::generated::types::UsageReport>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::create_response`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateResponse<'a> {
    client: Client,
    /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
    pub open_ai_project: Option<String>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::ResponseRequest,
}
impl<'a> CreateResponse<'a> {
    /// Sets [`open_ai_project`](Self::open_ai_project).
    pub fn open_ai_project(mut self, open_ai_project: impl Into<String>) -> Self {
        self.open_ai_project = Some(open_ai_project.into());
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ResponseObject>, ClientError> {
        let Self { client, open_ai_project, vendor_project, body } = self;
        let url = format!("{}/v1/responses", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        let request = client
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateResponse<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::ResponseObject>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl Page for crate::generated::types::CheckpointPage {
    type Item = crate::generated::types::Checkpoint;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::FilePage {
    type Item = crate::generated::types::File;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::FineTuningCheckpointPage {
    type Item = crate::generated::types::FineTuningCheckpoint;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::FineTuningEventPage {
    type Item = crate::generated::types::FineTuningEvent;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::FineTuningJobPage {
    type Item = crate::generated::types::FineTuningJob;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::ModelPage {
    type Item = crate::generated::types::ModelResponse;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::ServedModelList {
    type Item = crate::generated::types::InferenceModel;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::TrainingJobEventPage {
    type Item = crate::generated::types::TrainingJobEvent;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::TrainingJobPage {
    type Item = crate::generated::types::TrainingJobResponse;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
