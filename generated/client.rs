// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, unreachable_pub, unused_imports)]
use progenitor_client::{RequestBuilderExt, ResponseValue, encode_path};
use super::types;
use std::pin::Pin;
use crate::client::{
    Client, ClientError, Download, Page, ResultStream, page_parts, pages,
};
impl Client {
    /**Detokenize

Returns the text of tokens, in vLLM's form. Control tokens are written as in the vocabulary, so that the text has the same tokens again.

Sends a `POST` request to `/detokenize`

Arguments:
- `body`: Tokens.
*/
    pub async fn detokenize<'a>(
        &'a self,
        body: &'a crate::generated::types::DetokenizeRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::DetokenizeResponse>,
        ClientError,
    > {
        let url = format!("{}/detokenize", self.baseurl,);
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
    /**W&B run files

Accepts the log files of a run from W&B's client and stores nothing.

Sends a `POST` request to `/files/{entity}/{project}/{run}/file_stream`

Arguments:
- `entity`: Entity of the run.
- `project`: Project of the run.
- `run`: Name of the run.
- `body`: Lines of the run's files.
*/
    pub async fn log_wandb_run<'a>(
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
    pub async fn health<'a>(
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

Lists the models accepted as `model` of a chat request. The list is not paginated. With the header `anthropic-version`, it has the fields of Anthropic's list too.

Sends a `GET` request to `/inference/v1/models`*/
    pub fn list_inference_models(&self) -> ListInferenceModels {
        ListInferenceModels {
            client: self.clone(),
            after_id: None,
            before_id: None,
            beta: None,
            limit: None,
            vendor_project: None,
            anthropic_version: None,
            x_trainyard_session: None,
        }
    }
    /**Tokenize

Returns the tokens of a text, or of the prompt that chat makes of a conversation, in vLLM's form. Evaluation programs ask for them to count and to cut texts. Nothing is sampled, and no usage is recorded.

Sends a `POST` request to `/tokenize`

Arguments:
- `body`: A text or a conversation.
*/
    pub async fn tokenize<'a>(
        &'a self,
        body: &'a crate::generated::types::TokenizeRequest,
    ) -> Result<ResponseValue<crate::generated::types::TokenizeResponse>, ClientError> {
        let url = format!("{}/tokenize", self.baseurl,);
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
    /**Get tokenizer

Returns the control tokens and the chat template of a model's tokenizer, in vLLM's form, with which evaluation programs render conversations themselves.

Sends a `GET` request to `/tokenizer_info`*/
    pub fn get_tokenizer_info(&self) -> GetTokenizerInfo {
        GetTokenizerInfo {
            client: self.clone(),
            model: None,
        }
    }
    /**List batches

Lists the batches of the key's entity, newest first.

Sends a `GET` request to `/v1/batches`*/
    pub fn list_batches(&self) -> ListBatches {
        ListBatches {
            client: self.clone(),
            after: None,
            limit: None,
        }
    }
    /**Create batch

Queues the requests of a file. The file has JSON Lines, each `{"custom_id": …, "method": "POST", "url": …, "body": …}`: an
id that no other line has, the `endpoint` of the batch as `url`, and the body of one request to it, which is not streamed.
It has at most 50,000 lines, 200 MB, and 8 MiB a line.

The file is checked first. A file with a fault ends the batch as `failed`, with the numbers of the lines in `errors`. The
requests are then handled as any other, under the key that created the batch, when nobody waits for a response. Those that
fail are in the file of `error_file_id`, all others in that of `output_file_id`, in the order of the lines; the files
exist when the batch has ended.

At most 100 batches of one entity may be under way; more return 429.


Sends a `POST` request to `/v1/batches`

Arguments:
- `body`: File of requests and their endpoint.
*/
    pub fn create_batch<'a>(
        &self,
        body: &'a crate::generated::types::CreateBatch,
    ) -> CreateBatch<'a> {
        CreateBatch {
            client: self.clone(),
            vendor_project: None,
            body: body,
        }
    }
    /**Get batch

Returns the state of a batch.

Sends a `GET` request to `/v1/batches/{batch_id}`

Arguments:
- `batch_id`: The `id` of a batch. Any other value returns 404.
*/
    pub async fn get_batch<'a>(
        &'a self,
        batch_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::Batch>, ClientError> {
        let url = format!(
            "{}/v1/batches/{}", self.baseurl, encode_path(& batch_id.to_string()),
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
    /**Cancel batch

Cancels a batch. Its status is `cancelling` until the responses so far are in its files, then `cancelled`. Cancelling a cancelled batch again returns it unchanged. A batch that has ended otherwise, or whose files are being written, returns 409.

Sends a `POST` request to `/v1/batches/{batch_id}/cancel`

Arguments:
- `batch_id`: The `id` of a batch. Any other value returns 404.
*/
    pub async fn cancel_batch<'a>(
        &'a self,
        batch_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::Batch>, ClientError> {
        let url = format!(
            "{}/v1/batches/{}/cancel", self.baseurl, encode_path(& batch_id.to_string()),
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
    /**List chat completions

Lists the stored chat completions of the key's entity.

Sends a `GET` request to `/v1/chat/completions`*/
    pub fn list_chat_completions(&self) -> ListChatCompletions {
        ListChatCompletions {
            client: self.clone(),
            after: None,
            limit: None,
            metadata: None,
            model: None,
            order: None,
        }
    }
    /**Create chat completion

Samples one or more completions of a conversation. Returns one JSON document, or server-sent events when `stream` is true. An error before the first token has an error status; a later error is an event of the stream. With `store` true, the completion and its messages are stored before the response is complete, as long as responses are, and share their room of 1 GiB for each entity. Messages of more than 8 MiB are not stored: the request is rejected. Choices of more than 8 MiB are stored without exact tokens and log-probabilities.

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
            vendor_project: None,
            x_trainyard_session: None,
            body: body,
        }
    }
    /**Get chat completion

Returns a stored chat completion of the key's entity.

Sends a `GET` request to `/v1/chat/completions/{completion_id}`

Arguments:
- `completion_id`: The `id` of a stored chat completion. Any other value returns 404.
*/
    pub async fn get_chat_completion<'a>(
        &'a self,
        completion_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::ChatCompletion>, ClientError> {
        let url = format!(
            "{}/v1/chat/completions/{}", self.baseurl, encode_path(& completion_id
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
    /**Update chat completion

Replaces the metadata of a stored chat completion.

Sends a `POST` request to `/v1/chat/completions/{completion_id}`

Arguments:
- `completion_id`: The `id` of a stored chat completion. Any other value returns 404.
- `body`: New metadata.
*/
    pub async fn update_chat_completion<'a>(
        &'a self,
        completion_id: &'a str,
        body: &'a crate::generated::types::UpdateChatCompletion,
    ) -> Result<ResponseValue<crate::generated::types::ChatCompletion>, ClientError> {
        let url = format!(
            "{}/v1/chat/completions/{}", self.baseurl, encode_path(& completion_id
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
    /**Delete chat completion

Deletes a stored chat completion and its messages for good. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/chat/completions/{completion_id}`

Arguments:
- `completion_id`: The `id` of a stored chat completion. Any other value returns 404.
*/
    pub async fn delete_chat_completion<'a>(
        &'a self,
        completion_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteChatCompletionResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/chat/completions/{}", self.baseurl, encode_path(& completion_id
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List chat messages

Lists the messages that were sent in the request of a stored chat completion.

Sends a `GET` request to `/v1/chat/completions/{completion_id}/messages`

Arguments:
- `completion_id`: The `id` of a stored chat completion. Any other value returns 404.
*/
    pub fn list_chat_completion_messages(
        &self,
        completion_id: impl Into<String>,
    ) -> ListChatCompletionMessages {
        ListChatCompletionMessages {
            client: self.clone(),
            completion_id: completion_id.into(),
            after: None,
            limit: None,
            order: None,
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
            vendor_project: None,
            x_trainyard_session: None,
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
            metadata: None,
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
    pub async fn check_key<'a>(
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
    /**Create message

Samples one message in the format of Anthropic's Messages API, for text and tools that the client runs. Sampling
is the same as in chat completions, and the same conversation has the same prompt. Anthropic's client libraries
work with the base URL `{base_url}`, without `/v1`.

Error responses have the body of `ErrorResponse` with two more keys, as Anthropic's client libraries read it:
`type`, which is `error`, and `request_id`. Their statuses are those of the other operations.

With `stream` true, the response is server-sent events, named after their `type`; there is no `[DONE]`. An error
after the first token is an event `error`, the last one. After 15 s without an event, `ping` is sent.


Sends a `POST` request to `/v1/messages`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub fn create_message<'a>(
        &self,
        body: &'a crate::generated::types::MessageRequest,
    ) -> CreateMessage<'a> {
        CreateMessage {
            client: self.clone(),
            beta: None,
            vendor_project: None,
            body: body,
        }
    }
    /**List message batches

Lists the batches of messages of the key's entity, newest first.

Sends a `GET` request to `/v1/messages/batches`*/
    pub fn list_message_batches(&self) -> ListMessageBatches {
        ListMessageBatches {
            client: self.clone(),
            after_id: None,
            before_id: None,
            beta: None,
            limit: None,
        }
    }
    /**Create message batch

Queues requests for messages in the format of Anthropic's Message Batches API. They are handled as those of
`POST /v1/batches` with the endpoint `/v1/messages`, and each API has the batches of the other. The requests are at most
10,000 with 64 MiB, and 8 MiB each.

The requests are kept as a file of purpose `batch` and the results as files of purpose `batch_output`, for 29 days or
until the batch is deleted. At most 100 batches of one entity may be under way; more return 429.


Sends a `POST` request to `/v1/messages/batches`

Arguments:
- `body`: The requests.
*/
    pub fn create_message_batch<'a>(
        &self,
        body: &'a crate::generated::types::CreateMessageBatch,
    ) -> CreateMessageBatch<'a> {
        CreateMessageBatch {
            client: self.clone(),
            beta: None,
            vendor_project: None,
            body: body,
        }
    }
    /**Get message batch

Returns the state of a batch of messages.

Sends a `GET` request to `/v1/messages/batches/{message_batch_id}`

Arguments:
- `message_batch_id`: The `id` of a batch of messages. Any other value returns 404.
*/
    pub fn get_message_batch(
        &self,
        message_batch_id: impl Into<String>,
    ) -> GetMessageBatch {
        GetMessageBatch {
            client: self.clone(),
            message_batch_id: message_batch_id.into(),
            beta: None,
        }
    }
    /**Delete message batch

Deletes a batch of messages that has ended, with its results. One that has not ended returns 409. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/messages/batches/{message_batch_id}`

Arguments:
- `message_batch_id`: The `id` of a batch of messages. Any other value returns 404.
*/
    pub fn delete_message_batch(
        &self,
        message_batch_id: impl Into<String>,
    ) -> DeleteMessageBatch {
        DeleteMessageBatch {
            client: self.clone(),
            message_batch_id: message_batch_id.into(),
            beta: None,
        }
    }
    /**Cancel message batch

Cancels a batch of messages. Its status is `canceling` until the results are written. Cancelling a cancelled batch again returns it unchanged; a batch that has ended otherwise returns 409. Takes no body; a body is ignored.

Sends a `POST` request to `/v1/messages/batches/{message_batch_id}/cancel`

Arguments:
- `message_batch_id`: The `id` of a batch of messages. Any other value returns 404.
*/
    pub fn cancel_message_batch(
        &self,
        message_batch_id: impl Into<String>,
    ) -> CancelMessageBatch {
        CancelMessageBatch {
            client: self.clone(),
            message_batch_id: message_batch_id.into(),
            beta: None,
        }
    }
    /**Get results of a message batch

Returns the results of a batch of messages that has ended, as JSON Lines: first the messages, then the failures, each in the order of the requests. A batch that has not ended returns 409.

Sends a `GET` request to `/v1/messages/batches/{message_batch_id}/results`

Arguments:
- `message_batch_id`: The `id` of a batch of messages. Any other value returns 404.
*/
    pub fn get_message_batch_results(
        &self,
        message_batch_id: impl Into<String>,
    ) -> GetMessageBatchResults {
        GetMessageBatchResults {
            client: self.clone(),
            message_batch_id: message_batch_id.into(),
            beta: None,
        }
    }
    /**Count tokens of a message

Counts the tokens of the prompt that `POST /v1/messages` makes of the same body. Nothing is sampled, and no usage is recorded.

Sends a `POST` request to `/v1/messages/count_tokens`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub fn count_message_tokens<'a>(
        &self,
        body: &'a crate::generated::types::MessageRequest,
    ) -> CountMessageTokens<'a> {
        CountMessageTokens {
            client: self.clone(),
            beta: None,
            body: body,
        }
    }
    /**List models and steps

Lists the names accepted as `model` of a request, in the format of OpenAI's model list. Base models come first, then the trained models of the key's entity whose base model is served, oldest first, each followed by its steps. The list is not paginated. It has at most 1,000 names of trained models and steps: those of the newest models, and as many of their newest steps as fit. `has_more` is true if names were omitted; omitted names are accepted in requests too. With the header `anthropic-version`, it has the fields of Anthropic's list too.

Sends a `GET` request to `/v1/models`*/
    pub fn list_served_models(&self) -> ListServedModels {
        ListServedModels {
            client: self.clone(),
            after_id: None,
            before_id: None,
            beta: None,
            limit: None,
            anthropic_version: None,
        }
    }
    /**Get model by name

Returns a model or step accepted as `model` of a request, including one omitted from the list.

Sends a `GET` request to `/v1/models/{model}`

Arguments:
- `model`: A name as in `model` of a request: of a base model, or of a trained model with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded. An unknown name returns 404.
*/
    pub fn get_served_model(&self, model: impl Into<String>) -> GetServedModel {
        GetServedModel {
            client: self.clone(),
            model: model.into(),
            beta: None,
            anthropic_version: None,
        }
    }
    /**List keys

Lists the keys of every entity by creation time, including revoked ones. The keys themselves are not stored and cannot be shown.

Sends a `GET` request to `/v1/preview/admin/keys`*/
    pub fn list_keys(&self) -> ListKeys {
        ListKeys {
            client: self.clone(),
            after: None,
            entity: None,
            limit: None,
            order: None,
        }
    }
    /**Create key

Creates a key. The response is the only place that has its text.

Sends a `POST` request to `/v1/preview/admin/keys`

Arguments:
- `body`: Owner, name and limits of the key.
*/
    pub async fn create_key<'a>(
        &'a self,
        body: &'a crate::generated::types::CreateKey,
    ) -> Result<ResponseValue<crate::generated::types::CreatedKey>, ClientError> {
        let url = format!("{}/v1/preview/admin/keys", self.baseurl,);
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
    /**Set the limits of a key

Replaces all limits of a key. The change applies within a second; a limit that is left out is removed.

Sends a `PUT` request to `/v1/preview/admin/keys/{key_id}/limits`

Arguments:
- `key_id`: UUID of a key. Any other value returns 404.
- `body`: All limits of the key.
*/
    pub async fn set_key_limits<'a>(
        &'a self,
        key_id: &'a str,
        body: &'a crate::generated::types::KeyLimits,
    ) -> Result<ResponseValue<crate::generated::types::KeySummary>, ClientError> {
        let url = format!(
            "{}/v1/preview/admin/keys/{}/limits", self.baseurl, encode_path(& key_id
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
            .put(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Revoke key

Revokes a key for good. Servers reject it within a second, and end its streams and dashboard sessions. Revoking a revoked key changes nothing.

Sends a `POST` request to `/v1/preview/admin/keys/{key_id}/revoke`

Arguments:
- `key_id`: UUID of a key. Any other value returns 404.
*/
    pub async fn revoke_key<'a>(
        &'a self,
        key_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::KeySummary>, ClientError> {
        let url = format!(
            "{}/v1/preview/admin/keys/{}/revoke", self.baseurl, encode_path(& key_id
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List the jobs of every entity

Lists the RL and SFT jobs of every entity by creation time, each with its `entity`.

Sends a `GET` request to `/v1/preview/admin/training-jobs`*/
    pub fn list_all_training_jobs(&self) -> ListAllTrainingJobs {
        ListAllTrainingJobs {
            client: self.clone(),
            after: None,
            kind: None,
            limit: None,
            order: None,
            status: None,
        }
    }
    /**List workers

Lists the processes that run jobs, by their own reports of every 15 s, with the jobs that they hold. A worker that ends without a report, for example in a crash, is listed for a day.

Sends a `GET` request to `/v1/preview/admin/workers`

*/
    pub async fn list_workers<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::WorkerList>, ClientError> {
        let url = format!("{}/v1/preview/admin/workers", self.baseurl,);
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
    /**Get the key

Returns the key of the request: its owner, its limits, and the use that counts against them. The counts per minute are those of the process that responds.

Sends a `GET` request to `/v1/preview/key`

*/
    pub async fn get_key<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::KeyDetail>, ClientError> {
        let url = format!("{}/v1/preview/key", self.baseurl,);
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
            q: None,
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
    /**Export a checkpoint

Returns the checkpoint in a form that other programs load, with a model card and the licence of the base model, in one tar archive: the files that `trainyard export` writes. The first request of an export computes it, for minutes if the model is large, and its response begins when this is done; it goes on if the client leaves. Later requests have the same bytes, so an interrupted download is resumed with `Range` and `If-Range`. A form that the checkpoint cannot have returns 422.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/export`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `step`: Number of a step of the model.
*/
    pub fn get_checkpoint_export(
        &self,
        model_id: impl Into<String>,
        step: u64,
    ) -> GetCheckpointExport {
        GetCheckpointExport {
            client: self.clone(),
            model_id: model_id.into(),
            step: step,
            form: None,
            weights: None,
            if_none_match: None,
            if_range: None,
            range: None,
        }
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
    /**List trajectory logs

Lists the trajectory logs of a model by creation time.

Sends a `GET` request to `/v1/preview/models/{model_id}/log`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub fn list_trajectory_logs(
        &self,
        model_id: impl Into<String>,
    ) -> ListTrajectoryLogs {
        ListTrajectoryLogs {
            client: self.clone(),
            model_id: model_id.into(),
            after: None,
            limit: None,
            order: None,
            split: None,
        }
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
    /**List the groups of a log

Lists the trajectory groups of a log as those of a job, with the advantages that a job with default options would compute.

Sends a `GET` request to `/v1/preview/models/{model_id}/log/{log_id}/groups`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `log_id`: UUID of a trajectory log of the model. Any other value returns 404.
*/
    pub fn list_trajectory_log_groups(
        &self,
        model_id: impl Into<String>,
        log_id: impl Into<String>,
    ) -> ListTrajectoryLogGroups {
        ListTrajectoryLogGroups {
            client: self.clone(),
            model_id: model_id.into(),
            log_id: log_id.into(),
            after: None,
            dropped: None,
            limit: None,
            max_reward: None,
            min_reward: None,
            order: None,
            q: None,
            sort: None,
        }
    }
    /**List logged trajectories of group

Lists the trajectories of a logged group as those of a job, with the tokens that a job with default options would train.

Sends a `GET` request to `/v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
- `log_id`: UUID of a trajectory log of the model. Any other value returns 404.
- `group_id`: The `id` of a group of the log. Any other value returns 404.
*/
    pub fn list_trajectory_log_trajectories(
        &self,
        model_id: impl Into<String>,
        log_id: impl Into<String>,
        group_id: impl Into<String>,
    ) -> ListTrajectoryLogTrajectories {
        ListTrajectoryLogTrajectories {
            client: self.clone(),
            model_id: model_id.into(),
            log_id: log_id.into(),
            group_id: group_id.into(),
            after: None,
            limit: None,
        }
    }
    /**List manifests

Lists the manifests of a model by step, lowest first: the lineage of its checkpoints, including those of deleted checkpoints.

Sends a `GET` request to `/v1/preview/models/{model_id}/manifests`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub fn list_manifests(&self, model_id: impl Into<String>) -> ListManifests {
        ListManifests {
            client: self.clone(),
            model_id: model_id.into(),
            after: None,
            limit: None,
        }
    }
    /**Get the metrics of a model

Returns one curve over the jobs that made the checkpoints of the model, and the job that runs: as the metrics of a job, with steps that count from the creation of the model. Failed and cancelled jobs changed no weights and are left out. `jobs` has the place of each job and its checkpoint. With `Accept: text/csv`, the first columns of a row are `training_job_id`, `step`, `tokens` and `time`.

Sends a `GET` request to `/v1/preview/models/{model_id}/metrics`

Arguments:
- `model_id`: The `id` of a model, a UUID. Any other value returns 404.
*/
    pub fn get_model_metrics<'a>(
        &self,
        model_id: impl Into<String>,
    ) -> GetModelMetrics<'a> {
        GetModelMetrics {
            client: self.clone(),
            model_id: model_id.into(),
            first_step: None,
            last_step: None,
            name: None,
            points: None,
        }
    }
    /**Get the server

Returns the version and the settings of the process that responds.

Sends a `GET` request to `/v1/preview/server`

*/
    pub async fn get_server<'a>(
        &'a self,
    ) -> Result<ResponseValue<crate::generated::types::ServerDetail>, ClientError> {
        let url = format!("{}/v1/preview/server", self.baseurl,);
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
    /**List sessions

Lists the recorded sessions of the key's entity by the time of their opening. Query parameters are filters, combined with AND.

Sends a `GET` request to `/v1/preview/sessions`*/
    pub fn list_sessions(&self) -> ListSessions {
        ListSessions {
            client: self.clone(),
            after: None,
            group: None,
            limit: None,
            model: None,
            order: None,
        }
    }
    /**Open session

Opens a recorded session: the service stores every token that a program samples in it, to be rewarded and trained
on later. A program uses it by its key, by the header `x-trainyard-session` beside another key of the entity, or by
the base URL `{base_url}/sessions/ID/v1` with such a key, in chat completions, completions, responses and messages.

The session's `key` is in this response alone. It samples the session's model, whatever `model` a request names,
and does nothing else (403). It ends with the session or with the key that opened it. A session expires 7 days after
its opening. An entity may have 10,000 sessions; more return 429.


Sends a `POST` request to `/v1/preview/sessions`

Arguments:
- `body`: The model and the labels of the session.
*/
    pub async fn create_session<'a>(
        &'a self,
        body: &'a crate::generated::types::CreateRecordedSession,
    ) -> Result<ResponseValue<crate::generated::types::RecordedSession>, ClientError> {
        let url = format!("{}/v1/preview/sessions", self.baseurl,);
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
    /**Get session

Returns a session with its generations in their order: the texts of the choices, the counts of tokens, the sampled step, rewards and times.

Sends a `GET` request to `/v1/preview/sessions/{session_id}`

Arguments:
- `session_id`: The `id` of a recorded session, a UUID. Any other value returns 404.
*/
    pub fn get_session(&self, session_id: impl Into<String>) -> GetSession {
        GetSession {
            client: self.clone(),
            session_id: session_id.into(),
            generation_id: None,
            requests: None,
            tokens: None,
        }
    }
    /**Delete session

Deletes a session and everything recorded in it, for good. Its key ends. Jobs that were created with it keep the data that they train on. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/preview/sessions/{session_id}`

Arguments:
- `session_id`: The `id` of a recorded session, a UUID. Any other value returns 404.
*/
    pub async fn delete_session<'a>(
        &'a self,
        session_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::DeletedSession>, ClientError> {
        let url = format!(
            "{}/v1/preview/sessions/{}", self.baseurl, encode_path(& session_id
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Reward session

Sets the reward of a session, or with `generation_id` that of one of its generations; a later one replaces it. The reward of a session without one of its own is the sum of those of its generations.

Sends a `POST` request to `/v1/preview/sessions/{session_id}/reward`

Arguments:
- `session_id`: The `id` of a recorded session, a UUID. Any other value returns 404.
- `body`: The reward.
*/
    pub async fn reward_session<'a>(
        &'a self,
        session_id: &'a str,
        body: &'a crate::generated::types::RewardSession,
    ) -> Result<ResponseValue<crate::generated::types::RecordedSession>, ClientError> {
        let url = format!(
            "{}/v1/preview/sessions/{}/reward", self.baseurl, encode_path(& session_id
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

Lists the RL and SFT jobs of the key's entity by creation time. Query parameters are filters, combined with AND. To follow a page, send `Accept: text/event-stream`: the stream begins with the ids of the page's jobs in their order and each of these jobs; then the ids again when they change, and each job of the page that has changed, at most once a second. It ends when the service stops. A comment is sent after each 15 s without an event.

Sends a `GET` request to `/v1/preview/training-jobs`*/
    pub fn list_training_jobs(&self) -> ListTrainingJobs {
        ListTrainingJobs {
            client: self.clone(),
            after: None,
            kind: None,
            limit: None,
            model_id: None,
            order: None,
            q: None,
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
    /**Name training job

Changes the name and the tags of a job, whatever its status. They have no effect on training. A property that is left out stays.

Sends a `PATCH` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
- `body`: The properties to change.
*/
    pub async fn update_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
        body: &'a crate::generated::types::UpdateTrainingJob,
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
            .patch(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
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
    /**List dropped data

Lists every place that the event `training_started` of an RL job counts: groups, trajectories, conversations and sequences that are not trained, and turns whose message and tokens disagree. The list is empty before that event. An SFT job has none and returns 404.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/drops`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub fn list_training_job_drops(
        &self,
        training_job_id: impl Into<String>,
    ) -> ListTrainingJobDrops {
        ListTrainingJobDrops {
            client: self.clone(),
            training_job_id: training_job_id.into(),
            after: None,
            drift: None,
            limit: None,
        }
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
    /**List trajectory groups

Lists the trajectory groups of an RL job, by default in the order of the request, with their rewards and advantages. An SFT job has none and returns 404, as do a job whose data is not stored any more: that of a failed or cancelled job is removed at its end, that of another with its checkpoint and all later ones.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/groups`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub fn list_training_job_groups(
        &self,
        training_job_id: impl Into<String>,
    ) -> ListTrainingJobGroups {
        ListTrainingJobGroups {
            client: self.clone(),
            training_job_id: training_job_id.into(),
            after: None,
            dropped: None,
            limit: None,
            max_reward: None,
            min_reward: None,
            order: None,
            q: None,
            sort: None,
        }
    }
    /**List trajectories of group

Lists the trajectories of a group with their tokens, as training sees them: which tokens are trained, their log-probabilities when they were sampled and when they were trained, their advantage, and the reasons for which trajectories or sequences are dropped. The service computes them when they are requested, with the code of the trainer; the log-probabilities of training are recorded by the job. A page ends early after 200,000 tokens or 8 MiB of messages.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
- `group_id`: The `id` of a group of the job. Any other value returns 404.
*/
    pub fn list_training_job_trajectories(
        &self,
        training_job_id: impl Into<String>,
        group_id: impl Into<String>,
    ) -> ListTrainingJobTrajectories {
        ListTrainingJobTrajectories {
            client: self.clone(),
            training_job_id: training_job_id.into(),
            group_id: group_id.into(),
            after: None,
            limit: None,
        }
    }
    /**Get the metrics of a job

Returns the metrics of the job's optimizer steps as columns, thinned to at most `points` points: a point of several steps has their mean, smallest and largest value. With `Accept: text/csv`, returns a row for each step instead, and ignores `points`, `first_step` and `last_step`; its first columns are `step`, `tokens` and `time`.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/metrics`

Arguments:
- `training_job_id`: The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
*/
    pub fn get_training_job_metrics<'a>(
        &self,
        training_job_id: impl Into<String>,
    ) -> GetTrainingJobMetrics<'a> {
        GetTrainingJobMetrics {
            client: self.clone(),
            training_job_id: training_job_id.into(),
            first_step: None,
            last_step: None,
            name: None,
            points: None,
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

Samples one response in the format of OpenAI's Responses API, for text and tools that the client runs. Sampling
is the same as in chat completions, and the same conversation has the same prompt. `instructions` is a system
message. Consecutive `reasoning`, `message` and call items form one message of the assistant.

Unless `store` is false, the response and its input are stored before the response is complete, for 30 days or as
long as the server's option `--response-store` says. `previous_response_id` continues a stored response, and
`item_reference` stands for a stored item. An entity's stored responses may have 1 GiB; then the oldest are
deleted. An input of more than 8 MiB is not stored: with `store` true the request is rejected, without `store`
the field `store` of the response is false. A response of more than 8 MiB is stored without exact tokens and
log-probabilities.

With `background` true, the response to the request has the status `in_progress`; get the response again until
it has ended. If the process that samples it ends before, its status is `failed`. Its events can be read again,
from any of them on, also with `stream`.

With `stream` true, the response is
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
            vendor_project: None,
            x_trainyard_session: None,
            body: body,
        }
    }
    /**Compact conversation

Samples a summary of a conversation, which takes the conversation's place in later requests. The body is that of
`POST /v1/responses`; its sampling options apply to the summary, whose limit is 4,096 tokens unless
`max_output_tokens` says otherwise. `stream` and `background` are rejected. Nothing is stored.

The output has the messages of the user and then one item `compaction`. Its `encrypted_content` is readable: the
words `trainyard:summary:`, then the summary. Sent in `input`, it is a message of the user with the summary.
Compaction items of other servers are rejected.


Sends a `POST` request to `/v1/responses/compact`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub fn compact_response<'a>(
        &self,
        body: &'a crate::generated::types::ResponseRequest,
    ) -> CompactResponse<'a> {
        CompactResponse {
            client: self.clone(),
            vendor_project: None,
            x_trainyard_session: None,
            body: body,
        }
    }
    /**Count input tokens

Counts the tokens of the prompt that `POST /v1/responses` makes of the same body. Nothing is sampled or stored, and no usage is recorded.

Sends a `POST` request to `/v1/responses/input_tokens`

Arguments:
- `body`: Conversation and sampling options.
*/
    pub async fn count_response_tokens<'a>(
        &'a self,
        body: &'a crate::generated::types::ResponseRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::ResponseTokenCount>,
        ClientError,
    > {
        let url = format!("{}/v1/responses/input_tokens", self.baseurl,);
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
    /**Get response

Returns a stored response of the key's entity. With `stream` true, sends the events of a response that was created with `background`, after those that the client has, and waits for the others while it is sampled. The end of a response that was cancelled, or whose process is gone, is `response.failed`.

Sends a `GET` request to `/v1/responses/{response_id}`

Arguments:
- `response_id`: The `id` of a stored response. Any other value returns 404.
*/
    pub fn get_response(&self, response_id: impl Into<String>) -> GetResponse {
        GetResponse {
            client: self.clone(),
            response_id: response_id.into(),
            include_obfuscation: None,
            starting_after: None,
            stream: None,
        }
    }
    /**Delete response

Deletes a stored response and its items for good. A response that continues it stays, and can no longer be continued. Takes no body; a body is ignored.

Sends a `DELETE` request to `/v1/responses/{response_id}`

Arguments:
- `response_id`: The `id` of a stored response. Any other value returns 404.
*/
    pub async fn delete_response<'a>(
        &'a self,
        response_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteResponseResponse>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/responses/{}", self.baseurl, encode_path(& response_id.to_string()),
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
    /**Cancel response

Cancels a response that is sampled in the background. One that has ended is returned unchanged. A response that was not created with `background` returns 409. Takes no body; a body is ignored.

Sends a `POST` request to `/v1/responses/{response_id}/cancel`

Arguments:
- `response_id`: The `id` of a stored response. Any other value returns 404.
*/
    pub async fn cancel_response<'a>(
        &'a self,
        response_id: &'a str,
    ) -> Result<ResponseValue<crate::generated::types::ResponseObject>, ClientError> {
        let url = format!(
            "{}/v1/responses/{}/cancel", self.baseurl, encode_path(& response_id
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List input items

Lists the items that were sent in the request of a stored response, without those of the responses that it continues. Items that were sent without an id have got one.

Sends a `GET` request to `/v1/responses/{response_id}/input_items`

Arguments:
- `response_id`: The `id` of a stored response. Any other value returns 404.
*/
    pub fn list_response_input_items(
        &self,
        response_id: impl Into<String>,
    ) -> ListResponseInputItems {
        ListResponseInputItems {
            client: self.clone(),
            response_id: response_id.into(),
            after: None,
            limit: None,
            order: None,
        }
    }
    /**System check

Checks every component in parallel and responds within a second: the database; the artifact store, by writing and reading back a few bytes; the job queue; the engine, or the vLLM servers in its place, by computing one token; and the free disk space. A component that does not respond within 0.9 s in two requests in a row fails its check; the first time, only its `duration` shows it. The engine does not fail while it makes progress on earlier requests; it fails while a vLLM server applies an adapter in another way than training did. Intended for monitoring, not for each request.

Sends a `GET` request to `/v1/system-check`

*/
    pub async fn check_system<'a>(
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
    /// The list begins after the model of this id, which must be in it (422).
    pub after_id: Option<String>,
    /// The list ends before the model of this id, which must be in it (422).
    pub before_id: Option<String>,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Maximum number of models of the list, the last ones with `before_id`. All by default.
    pub limit: Option<u32>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
    pub anthropic_version: Option<String>,
    /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
    pub x_trainyard_session: Option<String>,
}
impl ListInferenceModels {
    /// Sets [`after_id`](Self::after_id).
    pub fn after_id(mut self, after_id: impl Into<String>) -> Self {
        self.after_id = Some(after_id.into());
        self
    }
    /// Sets [`before_id`](Self::before_id).
    pub fn before_id(mut self, before_id: impl Into<String>) -> Self {
        self.before_id = Some(before_id.into());
        self
    }
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    /// Sets [`anthropic_version`](Self::anthropic_version).
    pub fn anthropic_version(mut self, anthropic_version: impl Into<String>) -> Self {
        self.anthropic_version = Some(anthropic_version.into());
        self
    }
    /// Sets [`x_trainyard_session`](Self::x_trainyard_session).
    pub fn x_trainyard_session(
        mut self,
        x_trainyard_session: impl Into<String>,
    ) -> Self {
        self.x_trainyard_session = Some(x_trainyard_session.into());
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::InferenceModelList>,
        ClientError,
    > {
        let Self {
            client,
            after_id,
            before_id,
            beta,
            limit,
            vendor_project,
            anthropic_version,
            x_trainyard_session,
        } = self;
        let url = format!("{}/inference/v1/models", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(4usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        if let Some(value) = anthropic_version {
            header_map.append("anthropic-version", value.to_string().try_into()?);
        }
        if let Some(value) = x_trainyard_session {
            header_map.append("x-trainyard-session", value.to_string().try_into()?);
        }
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after_id", &after_id))
            .query(&progenitor_client::QueryParam::new("before_id", &before_id))
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
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
/// Request of [`Client::get_tokenizer_info`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetTokenizerInfo {
    client: Client,
    /// Name of the model, as in chat. It may be omitted in a session, and if the service has one base model besides the built-in one.
    pub model: Option<String>,
}
impl GetTokenizerInfo {
    /// Sets [`model`](Self::model).
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::TokenizerInfo>, ClientError> {
        let Self { client, model } = self;
        let url = format!("{}/tokenizer_info", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("model", &model))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetTokenizerInfo {
    type Output = Result<
        ResponseValue<crate::generated::types::TokenizerInfo>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_batches`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListBatches {
    client: Client,
    /// Cursor: the `last_id` of the previous page. Without it, the listing starts with the newest batch. A batch that is not in the listing returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListBatches {
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
    ) -> Result<ResponseValue<crate::generated::types::BatchPage>, ClientError> {
        let Self { client, after, limit } = self;
        let url = format!("{}/v1/batches", client.baseurl,);
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
impl IntoFuture for ListBatches {
    type Output = Result<ResponseValue<crate::generated::types::BatchPage>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListBatches {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::BatchPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::create_batch`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateBatch<'a> {
    client: Client,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// File of requests and their endpoint.
    pub body: &'a crate::generated::types::CreateBatch,
}
impl<'a> CreateBatch<'a> {
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::Batch>, ClientError> {
        let Self { client, vendor_project, body } = self;
        let url = format!("{}/v1/batches", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
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
impl<'a> IntoFuture for CreateBatch<'a> {
    type Output = Result<ResponseValue<crate::generated::types::Batch>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_chat_completions`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListChatCompletions {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. A chat completion that is not in the listing returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Metadata that the chat completions have, as a JSON object of texts. `metadata[NAME]=TEXT`, as OpenAI's client libraries send it, means the same. Default: all chat completions.
    pub metadata: Option<String>,
    /// `model` of the requests. Default: all models.
    pub model: Option<String>,
    /// Order of the listing.
    pub order: Option<types::SortOrder>,
}
impl ListChatCompletions {
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
    /// Sets [`metadata`](Self::metadata).
    pub fn metadata(mut self, metadata: impl Into<String>) -> Self {
        self.metadata = Some(metadata.into());
        self
    }
    /// Sets [`model`](Self::model).
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
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
        ResponseValue<crate::generated::types::ChatCompletionPage>,
        ClientError,
    > {
        let Self { client, after, limit, metadata, model, order } = self;
        let url = format!("{}/v1/chat/completions", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("metadata", &metadata))
            .query(&progenitor_client::QueryParam::new("model", &model))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListChatCompletions {
    type Output = Result<
        ResponseValue<crate::generated::types::ChatCompletionPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListChatCompletions {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::ChatCompletionPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::create_chat_completion`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateChatCompletion<'a> {
    client: Client,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
    pub x_trainyard_session: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::ChatCompletionRequest,
}
impl<'a> CreateChatCompletion<'a> {
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    /// Sets [`x_trainyard_session`](Self::x_trainyard_session).
    pub fn x_trainyard_session(
        mut self,
        x_trainyard_session: impl Into<String>,
    ) -> Self {
        self.x_trainyard_session = Some(x_trainyard_session.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ChatCompletion>, ClientError> {
        let Self { client, vendor_project, x_trainyard_session, body } = self;
        let url = format!("{}/v1/chat/completions", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        if let Some(value) = x_trainyard_session {
            header_map.append("x-trainyard-session", value.to_string().try_into()?);
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
/// Request of [`Client::list_chat_completion_messages`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListChatCompletionMessages {
    client: Client,
    /// The `id` of a stored chat completion. Any other value returns 404.
    pub completion_id: String,
    /// Cursor: the `last_id` of the previous page, in the same `order`. A message that is not in the listing returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `asc` starts with the first message of the request.
    pub order: Option<types::SortOrder>,
}
impl ListChatCompletionMessages {
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
        ResponseValue<crate::generated::types::StoredChatMessagePage>,
        ClientError,
    > {
        let Self { client, completion_id, after, limit, order } = self;
        let url = format!(
            "{}/v1/chat/completions/{}/messages", client.baseurl, encode_path(&
            completion_id.to_string()),
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
impl IntoFuture for ListChatCompletionMessages {
    type Output = Result<
        ResponseValue<crate::generated::types::StoredChatMessagePage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListChatCompletionMessages {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::StoredChatMessagePage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::create_completion`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateCompletion<'a> {
    client: Client,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
    pub x_trainyard_session: Option<String>,
    /// Prompts and sampling options.
    pub body: &'a crate::generated::types::CompletionRequest,
}
impl<'a> CreateCompletion<'a> {
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    /// Sets [`x_trainyard_session`](Self::x_trainyard_session).
    pub fn x_trainyard_session(
        mut self,
        x_trainyard_session: impl Into<String>,
    ) -> Self {
        self.x_trainyard_session = Some(x_trainyard_session.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::Completion>, ClientError> {
        let Self { client, vendor_project, x_trainyard_session, body } = self;
        let url = format!("{}/v1/completions", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        if let Some(value) = x_trainyard_session {
            header_map.append("x-trainyard-session", value.to_string().try_into()?);
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
    /// Notes that the jobs have, as a JSON object of texts. `metadata[NAME]=TEXT`, as OpenAI's client libraries send it, means the same. Default: all jobs.
    pub metadata: Option<String>,
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
    /// Sets [`metadata`](Self::metadata).
    pub fn metadata(mut self, metadata: impl Into<String>) -> Self {
        self.metadata = Some(metadata.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJobPage>, ClientError> {
        let Self { client, after, limit, metadata } = self;
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
            .query(&progenitor_client::QueryParam::new("metadata", &metadata))
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
/// Request of [`Client::create_message`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateMessage<'a> {
    client: Client,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::MessageRequest,
}
impl<'a> CreateMessage<'a> {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::Message>, ClientError> {
        let Self { client, beta, vendor_project, body } = self;
        let url = format!("{}/v1/messages", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateMessage<'a> {
    type Output = Result<ResponseValue<crate::generated::types::Message>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_message_batches`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListMessageBatches {
    client: Client,
    /// Cursor: the `last_id` of a page, which the page follows. A batch that is not in the listing returns 422.
    pub after_id: Option<String>,
    /// Cursor: the `first_id` of a page, which the page precedes. A batch that is not in the listing returns 422, and so does a request with both cursors.
    pub before_id: Option<String>,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListMessageBatches {
    /// Sets [`after_id`](Self::after_id).
    pub fn after_id(mut self, after_id: impl Into<String>) -> Self {
        self.after_id = Some(after_id.into());
        self
    }
    /// Sets [`before_id`](Self::before_id).
    pub fn before_id(mut self, before_id: impl Into<String>) -> Self {
        self.before_id = Some(before_id.into());
        self
    }
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::MessageBatchPage>, ClientError> {
        let Self { client, after_id, before_id, beta, limit } = self;
        let url = format!("{}/v1/messages/batches", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("after_id", &after_id))
            .query(&progenitor_client::QueryParam::new("before_id", &before_id))
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListMessageBatches {
    type Output = Result<
        ResponseValue<crate::generated::types::MessageBatchPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::create_message_batch`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CreateMessageBatch<'a> {
    client: Client,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// The requests.
    pub body: &'a crate::generated::types::CreateMessageBatch,
}
impl<'a> CreateMessageBatch<'a> {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::MessageBatch>, ClientError> {
        let Self { client, beta, vendor_project, body } = self;
        let url = format!("{}/v1/messages/batches", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CreateMessageBatch<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::MessageBatch>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::get_message_batch`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetMessageBatch {
    client: Client,
    /// The `id` of a batch of messages. Any other value returns 404.
    pub message_batch_id: String,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
}
impl GetMessageBatch {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::MessageBatch>, ClientError> {
        let Self { client, message_batch_id, beta } = self;
        let url = format!(
            "{}/v1/messages/batches/{}", client.baseurl, encode_path(& message_batch_id
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetMessageBatch {
    type Output = Result<
        ResponseValue<crate::generated::types::MessageBatch>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::delete_message_batch`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct DeleteMessageBatch {
    client: Client,
    /// The `id` of a batch of messages. Any other value returns 404.
    pub message_batch_id: String,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
}
impl DeleteMessageBatch {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::DeletedMessageBatch>,
        ClientError,
    > {
        let Self { client, message_batch_id, beta } = self;
        let url = format!(
            "{}/v1/messages/batches/{}", client.baseurl, encode_path(& message_batch_id
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
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for DeleteMessageBatch {
    type Output = Result<
        ResponseValue<crate::generated::types::DeletedMessageBatch>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::cancel_message_batch`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CancelMessageBatch {
    client: Client,
    /// The `id` of a batch of messages. Any other value returns 404.
    pub message_batch_id: String,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
}
impl CancelMessageBatch {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::MessageBatch>, ClientError> {
        let Self { client, message_batch_id, beta } = self;
        let url = format!(
            "{}/v1/messages/batches/{}/cancel", client.baseurl, encode_path(&
            message_batch_id.to_string()),
        );
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for CancelMessageBatch {
    type Output = Result<
        ResponseValue<crate::generated::types::MessageBatch>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::get_message_batch_results`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetMessageBatchResults {
    client: Client,
    /// The `id` of a batch of messages. Any other value returns 404.
    pub message_batch_id: String,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
}
impl GetMessageBatchResults {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    async fn send(self) -> Result<Download, ClientError> {
        let Self { client, message_batch_id, beta } = self;
        let url = format!(
            "{}/v1/messages/batches/{}/results", client.baseurl, encode_path(&
            message_batch_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.download(request).await
    }
}
impl IntoFuture for GetMessageBatchResults {
    type Output = Result<Download, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::count_message_tokens`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CountMessageTokens<'a> {
    client: Client,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::MessageRequest,
}
impl<'a> CountMessageTokens<'a> {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::MessageTokenCount>, ClientError> {
        let Self { client, beta, body } = self;
        let url = format!("{}/v1/messages/count_tokens", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for CountMessageTokens<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::MessageTokenCount>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_served_models`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListServedModels {
    client: Client,
    /// The list begins after the model of this id, which must be in it (422).
    pub after_id: Option<String>,
    /// The list ends before the model of this id, which must be in it (422).
    pub before_id: Option<String>,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Maximum number of models of the list, the last ones with `before_id`. All by default.
    pub limit: Option<u32>,
    /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
    pub anthropic_version: Option<String>,
}
impl ListServedModels {
    /// Sets [`after_id`](Self::after_id).
    pub fn after_id(mut self, after_id: impl Into<String>) -> Self {
        self.after_id = Some(after_id.into());
        self
    }
    /// Sets [`before_id`](Self::before_id).
    pub fn before_id(mut self, before_id: impl Into<String>) -> Self {
        self.before_id = Some(before_id.into());
        self
    }
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`anthropic_version`](Self::anthropic_version).
    pub fn anthropic_version(mut self, anthropic_version: impl Into<String>) -> Self {
        self.anthropic_version = Some(anthropic_version.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ServedModelList>, ClientError> {
        let Self { client, after_id, before_id, beta, limit, anthropic_version } = self;
        let url = format!("{}/v1/models", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = anthropic_version {
            header_map.append("anthropic-version", value.to_string().try_into()?);
        }
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after_id", &after_id))
            .query(&progenitor_client::QueryParam::new("before_id", &before_id))
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListServedModels {
    type Output = Result<
        ResponseValue<crate::generated::types::ServedModelList>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::get_served_model`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetServedModel {
    client: Client,
    /// A name as in `model` of a request: of a base model, or of a trained model with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded. An unknown name returns 404.
    pub model: String,
    /// Sent by client libraries of Anthropic; it has no effect.
    pub beta: Option<bool>,
    /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
    pub anthropic_version: Option<String>,
}
impl GetServedModel {
    /// Sets [`beta`](Self::beta).
    pub fn beta(mut self, beta: bool) -> Self {
        self.beta = Some(beta);
        self
    }
    /// Sets [`anthropic_version`](Self::anthropic_version).
    pub fn anthropic_version(mut self, anthropic_version: impl Into<String>) -> Self {
        self.anthropic_version = Some(anthropic_version.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::InferenceModel>, ClientError> {
        let Self { client, model, beta, anthropic_version } = self;
        let url = format!(
            "{}/v1/models/{}", client.baseurl, encode_path(& model.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(2usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = anthropic_version {
            header_map.append("anthropic-version", value.to_string().try_into()?);
        }
        let request = client
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("beta", &beta))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetServedModel {
    type Output = Result<
        ResponseValue<crate::generated::types::InferenceModel>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_keys`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListKeys {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Entity of the keys. Default: every entity.
    pub entity: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
}
impl ListKeys {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`entity`](Self::entity).
    pub fn entity(mut self, entity: impl Into<String>) -> Self {
        self.entity = Some(entity.into());
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
    ) -> Result<ResponseValue<crate::generated::types::KeyPage>, ClientError> {
        let Self { client, after, entity, limit, order } = self;
        let url = format!("{}/v1/preview/admin/keys", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("entity", &entity))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListKeys {
    type Output = Result<ResponseValue<crate::generated::types::KeyPage>, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListKeys {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::KeyPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_all_training_jobs`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListAllTrainingJobs {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Training type of the jobs.
    pub kind: Option<types::TrainingJobKind>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Status of the jobs.
    pub status: Option<types::TrainingJobStatus>,
}
impl ListAllTrainingJobs {
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
        let Self { client, after, kind, limit, order, status } = self;
        let url = format!("{}/v1/preview/admin/training-jobs", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("status", &status))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListAllTrainingJobs {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListAllTrainingJobs {
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
    /// Text in `project/name` of the models. The case of ASCII letters does not matter.
    pub q: Option<String>,
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
    /// Sets [`q`](Self::q).
    pub fn q(mut self, q: impl Into<String>) -> Self {
        self.q = Some(q.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ModelPage>, ClientError> {
        let Self { client, after, limit, order, project, q } = self;
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
            .query(&progenitor_client::QueryParam::new("q", &q))
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
/// Request of [`Client::get_checkpoint_export`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetCheckpointExport {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Number of a step of the model.
    pub step: u64,
    /// Form of the export. Default `merged`.
    pub form: Option<types::ExportForm>,
    /// Element type of the weights. Default: bf16 in `merged`, f16 in GGUF files. `peft` has the adapter as it was trained, in f32, and takes no other. Integers are for `gguf` alone.
    pub weights: Option<types::ExportWeights>,
    /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
    pub if_none_match: Option<String>,
    /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
    pub if_range: Option<String>,
    /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
    pub range: Option<String>,
}
impl GetCheckpointExport {
    /// Sets [`form`](Self::form).
    pub fn form(mut self, form: types::ExportForm) -> Self {
        self.form = Some(form);
        self
    }
    /// Sets [`weights`](Self::weights).
    pub fn weights(mut self, weights: types::ExportWeights) -> Self {
        self.weights = Some(weights);
        self
    }
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
        let Self {
            client,
            model_id,
            step,
            form,
            weights,
            if_none_match,
            if_range,
            range,
        } = self;
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}/export", client.baseurl,
            encode_path(& model_id.to_string()), encode_path(& step.to_string()),
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
        let request = client
            .client
            .get(url)
            .query(&progenitor_client::QueryParam::new("form", &form))
            .query(&progenitor_client::QueryParam::new("weights", &weights))
            .headers(header_map)
            .build()?;
        client.download(request).await
    }
}
impl IntoFuture for GetCheckpointExport {
    type Output = Result<Download, ClientError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
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
/// Request of [`Client::list_trajectory_logs`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrajectoryLogs {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Split of the logs. Default: every split.
    pub split: Option<String>,
}
impl ListTrajectoryLogs {
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
    /// Sets [`split`](Self::split).
    pub fn split(mut self, split: impl Into<String>) -> Self {
        self.split = Some(split.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::TrajectoryLogPage>, ClientError> {
        let Self { client, model_id, after, limit, order, split } = self;
        let url = format!(
            "{}/v1/preview/models/{}/log", client.baseurl, encode_path(& model_id
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
            .query(&progenitor_client::QueryParam::new("split", &split))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrajectoryLogs {
    type Output = Result<
        ResponseValue<crate::generated::types::TrajectoryLogPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrajectoryLogs {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrajectoryLogPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_trajectory_log_groups`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrajectoryLogGroups {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// UUID of a trajectory log of the model. Any other value returns 404.
    pub log_id: String,
    /// Cursor: the `last_id` of the previous page of the same query. Without it, the listing starts at its first item.
    pub after: Option<String>,
    /// Whether the groups are left out of training.
    pub dropped: Option<bool>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Largest mean reward of the groups.
    pub max_reward: Option<f64>,
    /// Smallest mean reward of the groups.
    pub min_reward: Option<f64>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Text in a message, a choice or a captured body of the group. The case of ASCII letters does not matter. The search reads all groups that pass the other filters.
    pub q: Option<String>,
    /// Order of the groups. Groups without the value come last.
    pub sort: Option<types::TrainingJobGroupSort>,
}
impl ListTrajectoryLogGroups {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`dropped`](Self::dropped).
    pub fn dropped(mut self, dropped: bool) -> Self {
        self.dropped = Some(dropped);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`max_reward`](Self::max_reward).
    pub fn max_reward(mut self, max_reward: f64) -> Self {
        self.max_reward = Some(max_reward);
        self
    }
    /// Sets [`min_reward`](Self::min_reward).
    pub fn min_reward(mut self, min_reward: f64) -> Self {
        self.min_reward = Some(min_reward);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    /// Sets [`q`](Self::q).
    pub fn q(mut self, q: impl Into<String>) -> Self {
        self.q = Some(q.into());
        self
    }
    /// Sets [`sort`](Self::sort).
    pub fn sort(mut self, sort: types::TrainingJobGroupSort) -> Self {
        self.sort = Some(sort);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobGroupPage>,
        ClientError,
    > {
        let Self {
            client,
            model_id,
            log_id,
            after,
            dropped,
            limit,
            max_reward,
            min_reward,
            order,
            q,
            sort,
        } = self;
        let url = format!(
            "{}/v1/preview/models/{}/log/{}/groups", client.baseurl, encode_path(&
            model_id.to_string()), encode_path(& log_id.to_string()),
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
            .query(&progenitor_client::QueryParam::new("dropped", &dropped))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("max_reward", &max_reward))
            .query(&progenitor_client::QueryParam::new("min_reward", &min_reward))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("q", &q))
            .query(&progenitor_client::QueryParam::new("sort", &sort))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrajectoryLogGroups {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobGroupPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrajectoryLogGroups {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrainingJobGroupPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_trajectory_log_trajectories`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrajectoryLogTrajectories {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// UUID of a trajectory log of the model. Any other value returns 404.
    pub log_id: String,
    /// The `id` of a group of the log. Any other value returns 404.
    pub group_id: String,
    /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListTrajectoryLogTrajectories {
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
        ResponseValue<crate::generated::types::TrainingJobTrajectoryPage>,
        ClientError,
    > {
        let Self { client, model_id, log_id, group_id, after, limit } = self;
        let url = format!(
            "{}/v1/preview/models/{}/log/{}/groups/{}/trajectories", client.baseurl,
            encode_path(& model_id.to_string()), encode_path(& log_id.to_string()),
            encode_path(& group_id.to_string()),
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
impl IntoFuture for ListTrajectoryLogTrajectories {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobTrajectoryPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrajectoryLogTrajectories {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<
        <crate::generated::types::TrainingJobTrajectoryPage as Page>::Item,
    > {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_manifests`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListManifests {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListManifests {
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
    ) -> Result<ResponseValue<crate::generated::types::ManifestPage>, ClientError> {
        let Self { client, model_id, after, limit } = self;
        let url = format!(
            "{}/v1/preview/models/{}/manifests", client.baseurl, encode_path(& model_id
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
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListManifests {
    type Output = Result<
        ResponseValue<crate::generated::types::ManifestPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::get_model_metrics`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetModelMetrics<'a> {
    client: Client,
    /// The `id` of a model, a UUID. Any other value returns 404.
    pub model_id: String,
    /// Number of the first step of the points. Default: the first step.
    pub first_step: Option<u64>,
    /// Number of the last step of the points. Default: the newest step.
    pub last_step: Option<u64>,
    /// Names of metrics. Default: all metrics.
    pub name: Option<&'a ::std::vec::Vec<::std::string::String>>,
    /// Maximum number of points.
    pub points: Option<u32>,
}
impl<'a> GetModelMetrics<'a> {
    /// Sets [`first_step`](Self::first_step).
    pub fn first_step(mut self, first_step: u64) -> Self {
        self.first_step = Some(first_step);
        self
    }
    /// Sets [`last_step`](Self::last_step).
    pub fn last_step(mut self, last_step: u64) -> Self {
        self.last_step = Some(last_step);
        self
    }
    /// Sets [`name`](Self::name).
    pub fn name(mut self, name: &'a ::std::vec::Vec<::std::string::String>) -> Self {
        self.name = Some(name);
        self
    }
    /// Sets [`points`](Self::points).
    pub fn points(mut self, points: u32) -> Self {
        self.points = Some(points);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ModelMetrics>, ClientError> {
        let Self { client, model_id, first_step, last_step, name, points } = self;
        let url = format!(
            "{}/v1/preview/models/{}/metrics", client.baseurl, encode_path(& model_id
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
            .query(&progenitor_client::QueryParam::new("first_step", &first_step))
            .query(&progenitor_client::QueryParam::new("last_step", &last_step))
            .query(&progenitor_client::QueryParam::new("name", &name))
            .query(&progenitor_client::QueryParam::new("points", &points))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for GetModelMetrics<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::ModelMetrics>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_sessions`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListSessions {
    client: Client,
    /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
    pub after: Option<String>,
    /// Group of the sessions.
    pub group: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Model of the sessions, as in `model` of a session. A name without a step includes the sessions that are pinned to one.
    pub model: Option<String>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
}
impl ListSessions {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`group`](Self::group).
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`model`](Self::model).
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
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
        ResponseValue<crate::generated::types::RecordedSessionPage>,
        ClientError,
    > {
        let Self { client, after, group, limit, model, order } = self;
        let url = format!("{}/v1/preview/sessions", client.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("group", &group))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("model", &model))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListSessions {
    type Output = Result<
        ResponseValue<crate::generated::types::RecordedSessionPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListSessions {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::RecordedSessionPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::get_session`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetSession {
    client: Client,
    /// The `id` of a recorded session, a UUID. Any other value returns 404.
    pub session_id: String,
    /// Id of the only generation that the response has, if there is one.
    pub generation_id: Option<String>,
    /// Whether each generation has `request`, the messages, tools and sampling options that the model got.
    pub requests: Option<bool>,
    /// Whether each generation has `sequences`, its tokens with their texts and log-probabilities.
    pub tokens: Option<bool>,
}
impl GetSession {
    /// Sets [`generation_id`](Self::generation_id).
    pub fn generation_id(mut self, generation_id: impl Into<String>) -> Self {
        self.generation_id = Some(generation_id.into());
        self
    }
    /// Sets [`requests`](Self::requests).
    pub fn requests(mut self, requests: bool) -> Self {
        self.requests = Some(requests);
        self
    }
    /// Sets [`tokens`](Self::tokens).
    pub fn tokens(mut self, tokens: bool) -> Self {
        self.tokens = Some(tokens);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::RecordedSession>, ClientError> {
        let Self { client, session_id, generation_id, requests, tokens } = self;
        let url = format!(
            "{}/v1/preview/sessions/{}", client.baseurl, encode_path(& session_id
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
            .query(&progenitor_client::QueryParam::new("generation_id", &generation_id))
            .query(&progenitor_client::QueryParam::new("requests", &requests))
            .query(&progenitor_client::QueryParam::new("tokens", &tokens))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetSession {
    type Output = Result<
        ResponseValue<crate::generated::types::RecordedSession>,
        ClientError,
    >;
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
    /// Text in the name or a tag of the jobs. The case of ASCII letters does not matter.
    pub q: Option<String>,
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
    /// Sets [`q`](Self::q).
    pub fn q(mut self, q: impl Into<String>) -> Self {
        self.q = Some(q.into());
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
        let Self { client, after, kind, limit, model_id, order, q, status } = self;
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
            .query(&progenitor_client::QueryParam::new("q", &q))
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
/// Request of [`Client::list_training_job_drops`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrainingJobDrops {
    client: Client,
    /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
    pub training_job_id: String,
    /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
    pub after: Option<String>,
    /// True for turns whose message and tokens disagree, false for dropped data; all by default.
    pub drift: Option<bool>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListTrainingJobDrops {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`drift`](Self::drift).
    pub fn drift(mut self, drift: bool) -> Self {
        self.drift = Some(drift);
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
        ResponseValue<crate::generated::types::TrainingJobDropPage>,
        ClientError,
    > {
        let Self { client, training_job_id, after, drift, limit } = self;
        let url = format!(
            "{}/v1/preview/training-jobs/{}/drops", client.baseurl, encode_path(&
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
            .query(&progenitor_client::QueryParam::new("drift", &drift))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrainingJobDrops {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobDropPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrainingJobDrops {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrainingJobDropPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
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
/// Request of [`Client::list_training_job_groups`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrainingJobGroups {
    client: Client,
    /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
    pub training_job_id: String,
    /// Cursor: the `last_id` of the previous page of the same query. Without it, the listing starts at its first item.
    pub after: Option<String>,
    /// Whether the groups are left out of training.
    pub dropped: Option<bool>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Largest mean reward of the groups.
    pub max_reward: Option<f64>,
    /// Smallest mean reward of the groups.
    pub min_reward: Option<f64>,
    /// Order of the listing; `desc` starts with the newest item.
    pub order: Option<types::SortOrder>,
    /// Text in a message, a choice or a captured body of the group. The case of ASCII letters does not matter. The search reads all groups that pass the other filters.
    pub q: Option<String>,
    /// Order of the groups. Groups without the value come last.
    pub sort: Option<types::TrainingJobGroupSort>,
}
impl ListTrainingJobGroups {
    /// Sets [`after`](Self::after).
    pub fn after(mut self, after: impl Into<String>) -> Self {
        self.after = Some(after.into());
        self
    }
    /// Sets [`dropped`](Self::dropped).
    pub fn dropped(mut self, dropped: bool) -> Self {
        self.dropped = Some(dropped);
        self
    }
    /// Sets [`limit`](Self::limit).
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit);
        self
    }
    /// Sets [`max_reward`](Self::max_reward).
    pub fn max_reward(mut self, max_reward: f64) -> Self {
        self.max_reward = Some(max_reward);
        self
    }
    /// Sets [`min_reward`](Self::min_reward).
    pub fn min_reward(mut self, min_reward: f64) -> Self {
        self.min_reward = Some(min_reward);
        self
    }
    /// Sets [`order`](Self::order).
    pub fn order(mut self, order: types::SortOrder) -> Self {
        self.order = Some(order);
        self
    }
    /// Sets [`q`](Self::q).
    pub fn q(mut self, q: impl Into<String>) -> Self {
        self.q = Some(q.into());
        self
    }
    /// Sets [`sort`](Self::sort).
    pub fn sort(mut self, sort: types::TrainingJobGroupSort) -> Self {
        self.sort = Some(sort);
        self
    }
    async fn send(
        self,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobGroupPage>,
        ClientError,
    > {
        let Self {
            client,
            training_job_id,
            after,
            dropped,
            limit,
            max_reward,
            min_reward,
            order,
            q,
            sort,
        } = self;
        let url = format!(
            "{}/v1/preview/training-jobs/{}/groups", client.baseurl, encode_path(&
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
            .query(&progenitor_client::QueryParam::new("dropped", &dropped))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("max_reward", &max_reward))
            .query(&progenitor_client::QueryParam::new("min_reward", &min_reward))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("q", &q))
            .query(&progenitor_client::QueryParam::new("sort", &sort))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrainingJobGroups {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobGroupPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrainingJobGroups {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::TrainingJobGroupPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::list_training_job_trajectories`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListTrainingJobTrajectories {
    client: Client,
    /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
    pub training_job_id: String,
    /// The `id` of a group of the job. Any other value returns 404.
    pub group_id: String,
    /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
}
impl ListTrainingJobTrajectories {
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
        ResponseValue<crate::generated::types::TrainingJobTrajectoryPage>,
        ClientError,
    > {
        let Self { client, training_job_id, group_id, after, limit } = self;
        let url = format!(
            "{}/v1/preview/training-jobs/{}/groups/{}/trajectories", client.baseurl,
            encode_path(& training_job_id.to_string()), encode_path(& group_id
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
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for ListTrainingJobTrajectories {
    type Output = Result<
        ResponseValue<crate::generated::types::TrainingJobTrajectoryPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListTrainingJobTrajectories {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<
        <crate::generated::types::TrainingJobTrajectoryPage as Page>::Item,
    > {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
/// Request of [`Client::get_training_job_metrics`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetTrainingJobMetrics<'a> {
    client: Client,
    /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
    pub training_job_id: String,
    /// Number of the first step of the points. Default: the first step.
    pub first_step: Option<u64>,
    /// Number of the last step of the points. Default: the newest step.
    pub last_step: Option<u64>,
    /// Names of metrics. Default: all metrics.
    pub name: Option<&'a ::std::vec::Vec<::std::string::String>>,
    /// Maximum number of points.
    pub points: Option<u32>,
}
impl<'a> GetTrainingJobMetrics<'a> {
    /// Sets [`first_step`](Self::first_step).
    pub fn first_step(mut self, first_step: u64) -> Self {
        self.first_step = Some(first_step);
        self
    }
    /// Sets [`last_step`](Self::last_step).
    pub fn last_step(mut self, last_step: u64) -> Self {
        self.last_step = Some(last_step);
        self
    }
    /// Sets [`name`](Self::name).
    pub fn name(mut self, name: &'a ::std::vec::Vec<::std::string::String>) -> Self {
        self.name = Some(name);
        self
    }
    /// Sets [`points`](Self::points).
    pub fn points(mut self, points: u32) -> Self {
        self.points = Some(points);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::StepMetrics>, ClientError> {
        let Self { client, training_job_id, first_step, last_step, name, points } = self;
        let url = format!(
            "{}/v1/preview/training-jobs/{}/metrics", client.baseurl, encode_path(&
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
            .query(&progenitor_client::QueryParam::new("first_step", &first_step))
            .query(&progenitor_client::QueryParam::new("last_step", &last_step))
            .query(&progenitor_client::QueryParam::new("name", &name))
            .query(&progenitor_client::QueryParam::new("points", &points))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl<'a> IntoFuture for GetTrainingJobMetrics<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::StepMetrics>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
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
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
    pub x_trainyard_session: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::ResponseRequest,
}
impl<'a> CreateResponse<'a> {
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    /// Sets [`x_trainyard_session`](Self::x_trainyard_session).
    pub fn x_trainyard_session(
        mut self,
        x_trainyard_session: impl Into<String>,
    ) -> Self {
        self.x_trainyard_session = Some(x_trainyard_session.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ResponseObject>, ClientError> {
        let Self { client, vendor_project, x_trainyard_session, body } = self;
        let url = format!("{}/v1/responses", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        if let Some(value) = x_trainyard_session {
            header_map.append("x-trainyard-session", value.to_string().try_into()?);
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
/// Request of [`Client::compact_response`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct CompactResponse<'a> {
    client: Client,
    /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
    pub vendor_project: Option<String>,
    /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
    pub x_trainyard_session: Option<String>,
    /// Conversation and sampling options.
    pub body: &'a crate::generated::types::ResponseRequest,
}
impl<'a> CompactResponse<'a> {
    /// Sets [`vendor_project`](Self::vendor_project).
    pub fn vendor_project(mut self, vendor_project: impl Into<String>) -> Self {
        self.vendor_project = Some(vendor_project.into());
        self
    }
    /// Sets [`x_trainyard_session`](Self::x_trainyard_session).
    pub fn x_trainyard_session(
        mut self,
        x_trainyard_session: impl Into<String>,
    ) -> Self {
        self.x_trainyard_session = Some(x_trainyard_session.into());
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::CompactedResponse>, ClientError> {
        let Self { client, vendor_project, x_trainyard_session, body } = self;
        let url = format!("{}/v1/responses/compact", client.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Client::api_version()),
            );
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
        if let Some(value) = x_trainyard_session {
            header_map.append("x-trainyard-session", value.to_string().try_into()?);
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
impl<'a> IntoFuture for CompactResponse<'a> {
    type Output = Result<
        ResponseValue<crate::generated::types::CompactedResponse>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::get_response`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct GetResponse {
    client: Client,
    /// The `id` of a stored response. Any other value returns 404.
    pub response_id: String,
    /// Accepted for compatibility; nothing is obfuscated.
    pub include_obfuscation: Option<bool>,
    /// The `sequence_number` of the last event that the client has. Without it, all events are sent.
    pub starting_after: Option<u64>,
    /// Returns server-sent events.
    pub stream: Option<bool>,
}
impl GetResponse {
    /// Sets [`include_obfuscation`](Self::include_obfuscation).
    pub fn include_obfuscation(mut self, include_obfuscation: bool) -> Self {
        self.include_obfuscation = Some(include_obfuscation);
        self
    }
    /// Sets [`starting_after`](Self::starting_after).
    pub fn starting_after(mut self, starting_after: u64) -> Self {
        self.starting_after = Some(starting_after);
        self
    }
    /// Sets [`stream`](Self::stream).
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ResponseObject>, ClientError> {
        let Self { client, response_id, include_obfuscation, starting_after, stream } = self;
        let url = format!(
            "{}/v1/responses/{}", client.baseurl, encode_path(& response_id.to_string()),
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
            .query(
                &progenitor_client::QueryParam::new(
                    "include_obfuscation",
                    &include_obfuscation,
                ),
            )
            .query(
                &progenitor_client::QueryParam::new("starting_after", &starting_after),
            )
            .query(&progenitor_client::QueryParam::new("stream", &stream))
            .headers(header_map)
            .build()?;
        client.call(request).await
    }
}
impl IntoFuture for GetResponse {
    type Output = Result<
        ResponseValue<crate::generated::types::ResponseObject>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
/// Request of [`Client::list_response_input_items`]. It is sent when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct ListResponseInputItems {
    client: Client,
    /// The `id` of a stored response. Any other value returns 404.
    pub response_id: String,
    /// Cursor: the `last_id` of the previous page, in the same `order`. An item that is not in the listing returns 422.
    pub after: Option<String>,
    /// Maximum number of items on a page.
    pub limit: Option<u32>,
    /// Order of the listing; `desc` starts with the last item of the request.
    pub order: Option<types::FileOrder>,
}
impl ListResponseInputItems {
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
    async fn send(
        self,
    ) -> Result<ResponseValue<crate::generated::types::ResponseItemPage>, ClientError> {
        let Self { client, response_id, after, limit, order } = self;
        let url = format!(
            "{}/v1/responses/{}/input_items", client.baseurl, encode_path(& response_id
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
impl IntoFuture for ListResponseInputItems {
    type Output = Result<
        ResponseValue<crate::generated::types::ResponseItemPage>,
        ClientError,
    >;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'static>>;
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
impl ListResponseInputItems {
    /// Streams the items of all pages, beginning with this one.
    pub fn into_stream(
        self,
    ) -> ResultStream<<crate::generated::types::ResponseItemPage as Page>::Item> {
        pages(move |after| {
            let mut request = self.clone();
            request.after = after.or(request.after);
            async move { Ok(request.await?.into_inner()) }
        })
    }
}
impl Page for crate::generated::types::BatchPage {
    type Item = crate::generated::types::Batch;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::ChatCompletionPage {
    type Item = crate::generated::types::ChatCompletion;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
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
impl Page for crate::generated::types::KeyPage {
    type Item = crate::generated::types::KeySummary;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::MessageBatchPage {
    type Item = crate::generated::types::MessageBatch;
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
impl Page for crate::generated::types::RecordedSessionPage {
    type Item = crate::generated::types::RecordedSession;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::ResponseItemPage {
    type Item = crate::generated::types::ResponseStoredItem;
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
impl Page for crate::generated::types::StoredChatMessagePage {
    type Item = crate::generated::types::StoredChatMessage;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::TrainingJobDropPage {
    type Item = crate::generated::types::TrainingJobDrop;
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
impl Page for crate::generated::types::TrainingJobGroupPage {
    type Item = crate::generated::types::TrainingJobGroup;
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
impl Page for crate::generated::types::TrainingJobTrajectoryPage {
    type Item = crate::generated::types::TrainingJobTrajectory;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl Page for crate::generated::types::TrajectoryLogPage {
    type Item = crate::generated::types::TrajectoryLog;
    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
        page_parts(self.data, self.has_more, |item| &item.id)
    }
}
impl types::AllowedTool {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            function: None,
            name: None,
            namespace: None,
            extra: Default::default(),
        }
    }
    /// Sets [`function`](Self::function).
    #[must_use]
    pub fn function(mut self, function: types::FunctionName) -> Self {
        self.function = Some(function);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`namespace`](Self::namespace).
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }
}
impl types::AllowedTools {
    /// Creates a value of the required fields.
    pub fn new(
        mode: types::AllowedToolsMode,
        tools: impl IntoIterator<Item = types::AllowedTool>,
    ) -> Self {
        Self {
            mode: mode,
            tools: tools.into_iter().collect(),
        }
    }
}
impl types::AssistantMessage {
    /// Creates a value of the required fields.
    pub fn new() -> Self {
        Self {
            role: types::AssistantRole::Assistant,
            content: None,
            name: None,
            reasoning_content: None,
            refusal: None,
            tool_calls: None,
        }
    }
    /// Sets [`content`](Self::content).
    #[must_use]
    pub fn content(mut self, content: impl Into<types::MessageContent>) -> Self {
        self.content = Some(content.into());
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`reasoning_content`](Self::reasoning_content).
    #[must_use]
    pub fn reasoning_content(mut self, reasoning_content: impl Into<String>) -> Self {
        self.reasoning_content = Some(reasoning_content.into());
        self
    }
    /// Sets [`refusal`](Self::refusal).
    #[must_use]
    pub fn refusal(mut self, refusal: impl Into<String>) -> Self {
        self.refusal = Some(refusal.into());
        self
    }
    /// Sets [`tool_calls`](Self::tool_calls).
    #[must_use]
    pub fn tool_calls(
        mut self,
        tool_calls: impl IntoIterator<Item = types::ToolCall>,
    ) -> Self {
        self.tool_calls = Some(tool_calls.into_iter().collect());
        self
    }
}
impl From<u64> for types::BatchSize {
    fn from(value: u64) -> Self {
        Self::Integer(value)
    }
}
impl types::CapturedExchange {
    /// Creates a value of the required fields.
    pub fn new(
        start_time: crate::json::DateTime,
        end_time: crate::json::DateTime,
        request: types::CapturedBody,
        response: types::CapturedBody,
    ) -> Self {
        Self {
            start_time: start_time,
            end_time: end_time,
            request: request,
            response: response,
            model: None,
            extra: Default::default(),
        }
    }
    /// Sets [`model`](Self::model).
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }
}
impl types::CapturedExchanges {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            chat_completions: None,
            completions: None,
            messages: None,
            responses: None,
            extra: Default::default(),
        }
    }
    /// Sets [`chat_completions`](Self::chat_completions).
    #[must_use]
    pub fn chat_completions(
        mut self,
        chat_completions: impl IntoIterator<Item = types::CapturedExchange>,
    ) -> Self {
        self.chat_completions = Some(chat_completions.into_iter().collect());
        self
    }
    /// Sets [`completions`](Self::completions).
    #[must_use]
    pub fn completions(
        mut self,
        completions: impl IntoIterator<Item = types::CapturedExchange>,
    ) -> Self {
        self.completions = Some(completions.into_iter().collect());
        self
    }
    /// Sets [`messages`](Self::messages).
    #[must_use]
    pub fn messages(
        mut self,
        messages: impl IntoIterator<Item = types::CapturedExchange>,
    ) -> Self {
        self.messages = Some(messages.into_iter().collect());
        self
    }
    /// Sets [`responses`](Self::responses).
    #[must_use]
    pub fn responses(
        mut self,
        responses: impl IntoIterator<Item = types::CapturedExchange>,
    ) -> Self {
        self.responses = Some(responses.into_iter().collect());
        self
    }
}
impl types::ChatCompletionRequest {
    /// Creates a value of the required fields.
    pub fn new(
        model: impl Into<String>,
        messages: impl IntoIterator<Item = types::ChatMessage>,
    ) -> Self {
        Self {
            model: model.into(),
            messages: messages.into_iter().collect(),
            add_generation_prompt: None,
            chat_template_kwargs: None,
            continue_final_message: None,
            frequency_penalty: None,
            function_call: None,
            functions: None,
            guided_choice: None,
            guided_grammar: None,
            guided_json: None,
            guided_regex: None,
            ignore_eos: None,
            include_reasoning: None,
            include_stop_str_in_output: None,
            logit_bias: None,
            logprobs: None,
            max_completion_tokens: None,
            max_tokens: None,
            metadata: None,
            min_p: None,
            min_tokens: None,
            n: None,
            parallel_tool_calls: None,
            presence_penalty: None,
            prompt_logprobs: None,
            reasoning_effort: None,
            repetition_penalty: None,
            response_format: None,
            return_token_ids: None,
            seed: None,
            skip_special_tokens: None,
            stop: None,
            stop_token_ids: None,
            store: None,
            stream: None,
            stream_options: None,
            structured_outputs: None,
            temperature: None,
            tool_choice: None,
            tools: None,
            top_k: None,
            top_logprobs: None,
            top_p: None,
            user: None,
            verbosity: None,
            extra: Default::default(),
        }
    }
    /// Sets [`add_generation_prompt`](Self::add_generation_prompt).
    #[must_use]
    pub fn add_generation_prompt(mut self, add_generation_prompt: bool) -> Self {
        self.add_generation_prompt = Some(add_generation_prompt);
        self
    }
    /// Sets [`chat_template_kwargs`](Self::chat_template_kwargs).
    #[must_use]
    pub fn chat_template_kwargs(
        mut self,
        chat_template_kwargs: types::JsonObject,
    ) -> Self {
        self.chat_template_kwargs = Some(chat_template_kwargs);
        self
    }
    /// Sets [`continue_final_message`](Self::continue_final_message).
    #[must_use]
    pub fn continue_final_message(mut self, continue_final_message: bool) -> Self {
        self.continue_final_message = Some(continue_final_message);
        self
    }
    /// Sets [`frequency_penalty`](Self::frequency_penalty).
    #[must_use]
    pub fn frequency_penalty(mut self, frequency_penalty: f64) -> Self {
        self.frequency_penalty = Some(frequency_penalty);
        self
    }
    /// Sets [`function_call`](Self::function_call).
    #[must_use]
    pub fn function_call(
        mut self,
        function_call: impl Into<types::FunctionCallChoice>,
    ) -> Self {
        self.function_call = Some(function_call.into());
        self
    }
    /// Sets [`functions`](Self::functions).
    #[must_use]
    pub fn functions(
        mut self,
        functions: impl IntoIterator<Item = types::Function>,
    ) -> Self {
        self.functions = Some(functions.into_iter().collect());
        self
    }
    /// Sets [`guided_choice`](Self::guided_choice).
    #[must_use]
    pub fn guided_choice(
        mut self,
        guided_choice: impl IntoIterator<Item = String>,
    ) -> Self {
        self.guided_choice = Some(guided_choice.into_iter().collect());
        self
    }
    /// Sets [`guided_grammar`](Self::guided_grammar).
    #[must_use]
    pub fn guided_grammar(mut self, guided_grammar: impl Into<String>) -> Self {
        self.guided_grammar = Some(guided_grammar.into());
        self
    }
    /// Sets [`guided_json`](Self::guided_json).
    #[must_use]
    pub fn guided_json(mut self, guided_json: impl Into<types::GuidedJson>) -> Self {
        self.guided_json = Some(guided_json.into());
        self
    }
    /// Sets [`guided_regex`](Self::guided_regex).
    #[must_use]
    pub fn guided_regex(mut self, guided_regex: impl Into<String>) -> Self {
        self.guided_regex = Some(guided_regex.into());
        self
    }
    /// Sets [`ignore_eos`](Self::ignore_eos).
    #[must_use]
    pub fn ignore_eos(mut self, ignore_eos: bool) -> Self {
        self.ignore_eos = Some(ignore_eos);
        self
    }
    /// Sets [`include_reasoning`](Self::include_reasoning).
    #[must_use]
    pub fn include_reasoning(mut self, include_reasoning: bool) -> Self {
        self.include_reasoning = Some(include_reasoning);
        self
    }
    /// Sets [`include_stop_str_in_output`](Self::include_stop_str_in_output).
    #[must_use]
    pub fn include_stop_str_in_output(
        mut self,
        include_stop_str_in_output: bool,
    ) -> Self {
        self.include_stop_str_in_output = Some(include_stop_str_in_output);
        self
    }
    /// Sets [`logit_bias`](Self::logit_bias).
    #[must_use]
    pub fn logit_bias(
        mut self,
        logit_bias: ::std::collections::BTreeMap<String, f64>,
    ) -> Self {
        self.logit_bias = Some(logit_bias);
        self
    }
    /// Sets [`logprobs`](Self::logprobs).
    #[must_use]
    pub fn logprobs(mut self, logprobs: bool) -> Self {
        self.logprobs = Some(logprobs);
        self
    }
    /// Sets [`max_completion_tokens`](Self::max_completion_tokens).
    #[must_use]
    pub fn max_completion_tokens(mut self, max_completion_tokens: u64) -> Self {
        self.max_completion_tokens = Some(max_completion_tokens);
        self
    }
    /// Sets [`max_tokens`](Self::max_tokens).
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u64) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(mut self, metadata: types::JsonObject) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`min_p`](Self::min_p).
    #[must_use]
    pub fn min_p(mut self, min_p: f64) -> Self {
        self.min_p = Some(min_p);
        self
    }
    /// Sets [`min_tokens`](Self::min_tokens).
    #[must_use]
    pub fn min_tokens(mut self, min_tokens: u32) -> Self {
        self.min_tokens = Some(min_tokens);
        self
    }
    /// Sets [`n`](Self::n).
    #[must_use]
    pub fn n(mut self, n: u32) -> Self {
        self.n = Some(n);
        self
    }
    /// Sets [`parallel_tool_calls`](Self::parallel_tool_calls).
    #[must_use]
    pub fn parallel_tool_calls(mut self, parallel_tool_calls: bool) -> Self {
        self.parallel_tool_calls = Some(parallel_tool_calls);
        self
    }
    /// Sets [`presence_penalty`](Self::presence_penalty).
    #[must_use]
    pub fn presence_penalty(mut self, presence_penalty: f64) -> Self {
        self.presence_penalty = Some(presence_penalty);
        self
    }
    /// Sets [`prompt_logprobs`](Self::prompt_logprobs).
    #[must_use]
    pub fn prompt_logprobs(mut self, prompt_logprobs: u32) -> Self {
        self.prompt_logprobs = Some(prompt_logprobs);
        self
    }
    /// Sets [`reasoning_effort`](Self::reasoning_effort).
    #[must_use]
    pub fn reasoning_effort(mut self, reasoning_effort: impl Into<String>) -> Self {
        self.reasoning_effort = Some(reasoning_effort.into());
        self
    }
    /// Sets [`repetition_penalty`](Self::repetition_penalty).
    #[must_use]
    pub fn repetition_penalty(mut self, repetition_penalty: f64) -> Self {
        self.repetition_penalty = Some(repetition_penalty);
        self
    }
    /// Sets [`response_format`](Self::response_format).
    #[must_use]
    pub fn response_format(
        mut self,
        response_format: impl Into<types::ResponseFormat>,
    ) -> Self {
        self.response_format = Some(response_format.into());
        self
    }
    /// Sets [`return_token_ids`](Self::return_token_ids).
    #[must_use]
    pub fn return_token_ids(mut self, return_token_ids: bool) -> Self {
        self.return_token_ids = Some(return_token_ids);
        self
    }
    /// Sets [`seed`](Self::seed).
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }
    /// Sets [`skip_special_tokens`](Self::skip_special_tokens).
    #[must_use]
    pub fn skip_special_tokens(mut self, skip_special_tokens: bool) -> Self {
        self.skip_special_tokens = Some(skip_special_tokens);
        self
    }
    /// Sets [`stop`](Self::stop).
    #[must_use]
    pub fn stop(mut self, stop: impl Into<types::Stop>) -> Self {
        self.stop = Some(stop.into());
        self
    }
    /// Sets [`stop_token_ids`](Self::stop_token_ids).
    #[must_use]
    pub fn stop_token_ids(
        mut self,
        stop_token_ids: impl IntoIterator<Item = u32>,
    ) -> Self {
        self.stop_token_ids = Some(stop_token_ids.into_iter().collect());
        self
    }
    /// Sets [`store`](Self::store).
    #[must_use]
    pub fn store(mut self, store: bool) -> Self {
        self.store = Some(store);
        self
    }
    /// Sets [`stream`](Self::stream).
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }
    /// Sets [`stream_options`](Self::stream_options).
    #[must_use]
    pub fn stream_options(mut self, stream_options: types::StreamOptions) -> Self {
        self.stream_options = Some(stream_options);
        self
    }
    /// Sets [`structured_outputs`](Self::structured_outputs).
    #[must_use]
    pub fn structured_outputs(
        mut self,
        structured_outputs: types::StructuredOutputs,
    ) -> Self {
        self.structured_outputs = Some(structured_outputs);
        self
    }
    /// Sets [`temperature`](Self::temperature).
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }
    /// Sets [`tool_choice`](Self::tool_choice).
    #[must_use]
    pub fn tool_choice(mut self, tool_choice: impl Into<types::ToolChoice>) -> Self {
        self.tool_choice = Some(tool_choice.into());
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::Tool>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
    /// Sets [`top_k`](Self::top_k).
    #[must_use]
    pub fn top_k(mut self, top_k: i64) -> Self {
        self.top_k = Some(top_k);
        self
    }
    /// Sets [`top_logprobs`](Self::top_logprobs).
    #[must_use]
    pub fn top_logprobs(mut self, top_logprobs: u32) -> Self {
        self.top_logprobs = Some(top_logprobs);
        self
    }
    /// Sets [`top_p`](Self::top_p).
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.top_p = Some(top_p);
        self
    }
    /// Sets [`user`](Self::user).
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }
    /// Sets [`verbosity`](Self::verbosity).
    #[must_use]
    pub fn verbosity(mut self, verbosity: types::Verbosity) -> Self {
        self.verbosity = Some(verbosity);
        self
    }
}
impl From<&str> for types::CompletionPrompt {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::CompletionPrompt {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::CompletionPromptItem>> for types::CompletionPrompt {
    fn from(value: Vec<types::CompletionPromptItem>) -> Self {
        Self::Array(value)
    }
}
impl From<&str> for types::CompletionPromptItem {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::CompletionPromptItem {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<u32> for types::CompletionPromptItem {
    fn from(value: u32) -> Self {
        Self::Integer(value)
    }
}
impl From<Vec<u32>> for types::CompletionPromptItem {
    fn from(value: Vec<u32>) -> Self {
        Self::Array(value)
    }
}
impl types::CompletionRequest {
    /// Creates a value of the required fields.
    pub fn new(
        model: impl Into<String>,
        prompt: impl Into<types::CompletionPrompt>,
    ) -> Self {
        Self {
            model: model.into(),
            prompt: prompt.into(),
            add_special_tokens: None,
            best_of: None,
            echo: None,
            frequency_penalty: None,
            ignore_eos: None,
            include_stop_str_in_output: None,
            logit_bias: None,
            logprobs: None,
            max_tokens: None,
            min_p: None,
            min_tokens: None,
            n: None,
            presence_penalty: None,
            repetition_penalty: None,
            return_token_ids: None,
            return_tokens_as_token_ids: None,
            seed: None,
            skip_special_tokens: None,
            stop: None,
            stop_token_ids: None,
            stream: None,
            stream_options: None,
            temperature: None,
            top_k: None,
            top_p: None,
            user: None,
            extra: Default::default(),
        }
    }
    /// Sets [`add_special_tokens`](Self::add_special_tokens).
    #[must_use]
    pub fn add_special_tokens(mut self, add_special_tokens: bool) -> Self {
        self.add_special_tokens = Some(add_special_tokens);
        self
    }
    /// Sets [`best_of`](Self::best_of).
    #[must_use]
    pub fn best_of(mut self, best_of: u32) -> Self {
        self.best_of = Some(best_of);
        self
    }
    /// Sets [`echo`](Self::echo).
    #[must_use]
    pub fn echo(mut self, echo: bool) -> Self {
        self.echo = Some(echo);
        self
    }
    /// Sets [`frequency_penalty`](Self::frequency_penalty).
    #[must_use]
    pub fn frequency_penalty(mut self, frequency_penalty: f64) -> Self {
        self.frequency_penalty = Some(frequency_penalty);
        self
    }
    /// Sets [`ignore_eos`](Self::ignore_eos).
    #[must_use]
    pub fn ignore_eos(mut self, ignore_eos: bool) -> Self {
        self.ignore_eos = Some(ignore_eos);
        self
    }
    /// Sets [`include_stop_str_in_output`](Self::include_stop_str_in_output).
    #[must_use]
    pub fn include_stop_str_in_output(
        mut self,
        include_stop_str_in_output: bool,
    ) -> Self {
        self.include_stop_str_in_output = Some(include_stop_str_in_output);
        self
    }
    /// Sets [`logit_bias`](Self::logit_bias).
    #[must_use]
    pub fn logit_bias(
        mut self,
        logit_bias: ::std::collections::BTreeMap<String, f64>,
    ) -> Self {
        self.logit_bias = Some(logit_bias);
        self
    }
    /// Sets [`logprobs`](Self::logprobs).
    #[must_use]
    pub fn logprobs(mut self, logprobs: u32) -> Self {
        self.logprobs = Some(logprobs);
        self
    }
    /// Sets [`max_tokens`](Self::max_tokens).
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u64) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }
    /// Sets [`min_p`](Self::min_p).
    #[must_use]
    pub fn min_p(mut self, min_p: f64) -> Self {
        self.min_p = Some(min_p);
        self
    }
    /// Sets [`min_tokens`](Self::min_tokens).
    #[must_use]
    pub fn min_tokens(mut self, min_tokens: u32) -> Self {
        self.min_tokens = Some(min_tokens);
        self
    }
    /// Sets [`n`](Self::n).
    #[must_use]
    pub fn n(mut self, n: u32) -> Self {
        self.n = Some(n);
        self
    }
    /// Sets [`presence_penalty`](Self::presence_penalty).
    #[must_use]
    pub fn presence_penalty(mut self, presence_penalty: f64) -> Self {
        self.presence_penalty = Some(presence_penalty);
        self
    }
    /// Sets [`repetition_penalty`](Self::repetition_penalty).
    #[must_use]
    pub fn repetition_penalty(mut self, repetition_penalty: f64) -> Self {
        self.repetition_penalty = Some(repetition_penalty);
        self
    }
    /// Sets [`return_token_ids`](Self::return_token_ids).
    #[must_use]
    pub fn return_token_ids(mut self, return_token_ids: bool) -> Self {
        self.return_token_ids = Some(return_token_ids);
        self
    }
    /// Sets [`return_tokens_as_token_ids`](Self::return_tokens_as_token_ids).
    #[must_use]
    pub fn return_tokens_as_token_ids(
        mut self,
        return_tokens_as_token_ids: bool,
    ) -> Self {
        self.return_tokens_as_token_ids = Some(return_tokens_as_token_ids);
        self
    }
    /// Sets [`seed`](Self::seed).
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }
    /// Sets [`skip_special_tokens`](Self::skip_special_tokens).
    #[must_use]
    pub fn skip_special_tokens(mut self, skip_special_tokens: bool) -> Self {
        self.skip_special_tokens = Some(skip_special_tokens);
        self
    }
    /// Sets [`stop`](Self::stop).
    #[must_use]
    pub fn stop(mut self, stop: impl Into<types::Stop>) -> Self {
        self.stop = Some(stop.into());
        self
    }
    /// Sets [`stop_token_ids`](Self::stop_token_ids).
    #[must_use]
    pub fn stop_token_ids(
        mut self,
        stop_token_ids: impl IntoIterator<Item = u32>,
    ) -> Self {
        self.stop_token_ids = Some(stop_token_ids.into_iter().collect());
        self
    }
    /// Sets [`stream`](Self::stream).
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }
    /// Sets [`stream_options`](Self::stream_options).
    #[must_use]
    pub fn stream_options(mut self, stream_options: types::StreamOptions) -> Self {
        self.stream_options = Some(stream_options);
        self
    }
    /// Sets [`temperature`](Self::temperature).
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }
    /// Sets [`top_k`](Self::top_k).
    #[must_use]
    pub fn top_k(mut self, top_k: i64) -> Self {
        self.top_k = Some(top_k);
        self
    }
    /// Sets [`top_p`](Self::top_p).
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.top_p = Some(top_p);
        self
    }
    /// Sets [`user`](Self::user).
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }
}
impl types::CopiedCheckpoint {
    /// Creates a value of the required fields.
    pub fn new(model_id: impl Into<String>, step: u64) -> Self {
        Self {
            type_: types::CheckpointCopy::Copy,
            model_id: model_id.into(),
            step: step,
        }
    }
}
impl types::CreateBatch {
    /// Creates a value of the required fields.
    pub fn new(
        input_file_id: impl Into<String>,
        endpoint: types::BatchEndpoint,
    ) -> Self {
        Self {
            input_file_id: input_file_id.into(),
            endpoint: endpoint,
            completion_window: types::BatchWindow::N24h,
            metadata: None,
            output_expires_after: None,
        }
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(
        mut self,
        metadata: ::std::collections::BTreeMap<String, String>,
    ) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`output_expires_after`](Self::output_expires_after).
    #[must_use]
    pub fn output_expires_after(
        mut self,
        output_expires_after: types::FileExpiry,
    ) -> Self {
        self.output_expires_after = Some(output_expires_after);
        self
    }
}
impl types::CreateFineTuningJob {
    /// Creates a value of the required fields.
    pub fn new(model: impl Into<String>, training_file: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            training_file: training_file.into(),
            hyperparameters: None,
            integrations: None,
            metadata: None,
            method: None,
            seed: None,
            suffix: None,
            validation_file: None,
        }
    }
    /// Sets [`hyperparameters`](Self::hyperparameters).
    #[must_use]
    pub fn hyperparameters(mut self, hyperparameters: types::FineTuningOptions) -> Self {
        self.hyperparameters = Some(hyperparameters);
        self
    }
    /// Sets [`integrations`](Self::integrations).
    #[must_use]
    pub fn integrations(
        mut self,
        integrations: impl IntoIterator<Item = types::JsonObject>,
    ) -> Self {
        self.integrations = Some(integrations.into_iter().collect());
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(
        mut self,
        metadata: ::std::collections::BTreeMap<String, String>,
    ) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`method`](Self::method).
    #[must_use]
    pub fn method(mut self, method: types::FineTuningMethod) -> Self {
        self.method = Some(method);
        self
    }
    /// Sets [`seed`](Self::seed).
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }
    /// Sets [`suffix`](Self::suffix).
    #[must_use]
    pub fn suffix(mut self, suffix: impl Into<String>) -> Self {
        self.suffix = Some(suffix.into());
        self
    }
    /// Sets [`validation_file`](Self::validation_file).
    #[must_use]
    pub fn validation_file(mut self, validation_file: impl Into<String>) -> Self {
        self.validation_file = Some(validation_file.into());
        self
    }
}
impl types::CreateKey {
    /// Creates a value of the required fields.
    pub fn new(entity: impl Into<String>) -> Self {
        Self {
            entity: entity.into(),
            admin: None,
            limits: None,
            name: None,
        }
    }
    /// Sets [`admin`](Self::admin).
    #[must_use]
    pub fn admin(mut self, admin: bool) -> Self {
        self.admin = Some(admin);
        self
    }
    /// Sets [`limits`](Self::limits).
    #[must_use]
    pub fn limits(mut self, limits: types::KeyLimits) -> Self {
        self.limits = Some(limits);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}
impl types::CreateMessageBatch {
    /// Creates a value of the required fields.
    pub fn new(requests: impl IntoIterator<Item = types::MessageBatchRequest>) -> Self {
        Self {
            requests: requests.into_iter().collect(),
        }
    }
}
impl types::CreateRecordedSession {
    /// Creates a value of the required fields.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            group: None,
            metadata: None,
            name: None,
            pin: None,
            tags: None,
        }
    }
    /// Sets [`group`](Self::group).
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(mut self, metadata: types::JsonObject) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`pin`](Self::pin).
    #[must_use]
    pub fn pin(mut self, pin: bool) -> Self {
        self.pin = Some(pin);
        self
    }
    /// Sets [`tags`](Self::tags).
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Self {
        self.tags = Some(tags.into_iter().collect());
        self
    }
}
impl types::CreateSftTrainingJob {
    /// Creates a value of the required fields.
    pub fn new(
        model_id: impl Into<String>,
        training_data_url: impl Into<String>,
    ) -> Self {
        Self {
            model_id: model_id.into(),
            training_data_url: training_data_url.into(),
            config: None,
            experimental_config: None,
            name: None,
            tags: None,
        }
    }
    /// Sets [`config`](Self::config).
    #[must_use]
    pub fn config(mut self, config: types::SftTrainingConfig) -> Self {
        self.config = Some(config);
        self
    }
    /// Sets [`experimental_config`](Self::experimental_config).
    #[must_use]
    pub fn experimental_config(
        mut self,
        experimental_config: types::SftExperimentalConfig,
    ) -> Self {
        self.experimental_config = Some(experimental_config);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`tags`](Self::tags).
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Self {
        self.tags = Some(tags.into_iter().collect());
        self
    }
}
impl types::CreateTrainingJob {
    /// Creates a value of the required fields.
    pub fn new(model_id: impl Into<String>) -> Self {
        Self {
            model_id: model_id.into(),
            experimental_config: None,
            group: None,
            name: None,
            sessions: None,
            tags: None,
            trajectory_groups: None,
        }
    }
    /// Sets [`experimental_config`](Self::experimental_config).
    #[must_use]
    pub fn experimental_config(
        mut self,
        experimental_config: types::ExperimentalTrainingConfig,
    ) -> Self {
        self.experimental_config = Some(experimental_config);
        self
    }
    /// Sets [`group`](Self::group).
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`sessions`](Self::sessions).
    #[must_use]
    pub fn sessions(mut self, sessions: impl IntoIterator<Item = String>) -> Self {
        self.sessions = Some(sessions.into_iter().collect());
        self
    }
    /// Sets [`tags`](Self::tags).
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Self {
        self.tags = Some(tags.into_iter().collect());
        self
    }
    /// Sets [`trajectory_groups`](Self::trajectory_groups).
    #[must_use]
    pub fn trajectory_groups(
        mut self,
        trajectory_groups: impl IntoIterator<Item = types::TrajectoryGroup>,
    ) -> Self {
        self.trajectory_groups = Some(trajectory_groups.into_iter().collect());
        self
    }
}
impl types::DeleteCheckpointsRequest {
    /// Creates a value of the required fields.
    pub fn new(steps: impl IntoIterator<Item = u64>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            allow_latest: None,
        }
    }
    /// Sets [`allow_latest`](Self::allow_latest).
    #[must_use]
    pub fn allow_latest(mut self, allow_latest: bool) -> Self {
        self.allow_latest = Some(allow_latest);
        self
    }
}
impl types::DetokenizeRequest {
    /// Creates a value of the required fields.
    pub fn new(tokens: impl IntoIterator<Item = u32>) -> Self {
        Self {
            tokens: tokens.into_iter().collect(),
            model: None,
            extra: Default::default(),
        }
    }
    /// Sets [`model`](Self::model).
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }
}
impl types::ExperimentalTrainingConfig {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            advantage_balance: None,
            allow_training_without_logprobs: None,
            epsilon: None,
            epsilon_high: None,
            importance_sampling_level: None,
            kimi_k2_tau: None,
            kl_penalty_coef: None,
            kl_penalty_reference_step: None,
            kl_penalty_source: None,
            kl_penalty_step_lag: None,
            kl_ref_adapter_path: None,
            learning_rate: None,
            logprob_calculation_chunk_size: None,
            loss_fn: None,
            mask_prob_ratio: None,
            max_negative_advantage_importance_sampling_weight: None,
            normalize_advantages: None,
            num_trajectories_learning_rate_multiplier_power: None,
            optimizer_save_interval: None,
            packed_sequence_length: None,
            plot_tensors: None,
            ppo: None,
            precalculate_logprobs: None,
            save_checkpoint: None,
            scale_learning_rate_by_reward_std_dev: None,
            scale_rewards: None,
            truncated_importance_sampling: None,
        }
    }
    /// Sets [`advantage_balance`](Self::advantage_balance).
    #[must_use]
    pub fn advantage_balance(mut self, advantage_balance: f64) -> Self {
        self.advantage_balance = Some(advantage_balance);
        self
    }
    /// Sets [`allow_training_without_logprobs`](Self::allow_training_without_logprobs).
    #[must_use]
    pub fn allow_training_without_logprobs(
        mut self,
        allow_training_without_logprobs: bool,
    ) -> Self {
        self.allow_training_without_logprobs = Some(allow_training_without_logprobs);
        self
    }
    /// Sets [`epsilon`](Self::epsilon).
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Self {
        self.epsilon = Some(epsilon);
        self
    }
    /// Sets [`epsilon_high`](Self::epsilon_high).
    #[must_use]
    pub fn epsilon_high(mut self, epsilon_high: f64) -> Self {
        self.epsilon_high = Some(epsilon_high);
        self
    }
    /// Sets [`importance_sampling_level`](Self::importance_sampling_level).
    #[must_use]
    pub fn importance_sampling_level(
        mut self,
        importance_sampling_level: types::ImportanceSamplingLevel,
    ) -> Self {
        self.importance_sampling_level = Some(importance_sampling_level);
        self
    }
    /// Sets [`kimi_k2_tau`](Self::kimi_k2_tau).
    #[must_use]
    pub fn kimi_k2_tau(mut self, kimi_k2_tau: f64) -> Self {
        self.kimi_k2_tau = Some(kimi_k2_tau);
        self
    }
    /// Sets [`kl_penalty_coef`](Self::kl_penalty_coef).
    #[must_use]
    pub fn kl_penalty_coef(mut self, kl_penalty_coef: f64) -> Self {
        self.kl_penalty_coef = Some(kl_penalty_coef);
        self
    }
    /// Sets [`kl_penalty_reference_step`](Self::kl_penalty_reference_step).
    #[must_use]
    pub fn kl_penalty_reference_step(mut self, kl_penalty_reference_step: i32) -> Self {
        self.kl_penalty_reference_step = Some(kl_penalty_reference_step);
        self
    }
    /// Sets [`kl_penalty_source`](Self::kl_penalty_source).
    #[must_use]
    pub fn kl_penalty_source(
        mut self,
        kl_penalty_source: types::KlPenaltySource,
    ) -> Self {
        self.kl_penalty_source = Some(kl_penalty_source);
        self
    }
    /// Sets [`kl_penalty_step_lag`](Self::kl_penalty_step_lag).
    #[must_use]
    pub fn kl_penalty_step_lag(mut self, kl_penalty_step_lag: i32) -> Self {
        self.kl_penalty_step_lag = Some(kl_penalty_step_lag);
        self
    }
    /// Sets [`kl_ref_adapter_path`](Self::kl_ref_adapter_path).
    #[must_use]
    pub fn kl_ref_adapter_path(
        mut self,
        kl_ref_adapter_path: impl Into<String>,
    ) -> Self {
        self.kl_ref_adapter_path = Some(kl_ref_adapter_path.into());
        self
    }
    /// Sets [`learning_rate`](Self::learning_rate).
    #[must_use]
    pub fn learning_rate(mut self, learning_rate: f64) -> Self {
        self.learning_rate = Some(learning_rate);
        self
    }
    /// Sets [`logprob_calculation_chunk_size`](Self::logprob_calculation_chunk_size).
    #[must_use]
    pub fn logprob_calculation_chunk_size(
        mut self,
        logprob_calculation_chunk_size: u64,
    ) -> Self {
        self.logprob_calculation_chunk_size = Some(logprob_calculation_chunk_size);
        self
    }
    /// Sets [`loss_fn`](Self::loss_fn).
    #[must_use]
    pub fn loss_fn(mut self, loss_fn: types::LossFunction) -> Self {
        self.loss_fn = Some(loss_fn);
        self
    }
    /// Sets [`mask_prob_ratio`](Self::mask_prob_ratio).
    #[must_use]
    pub fn mask_prob_ratio(mut self, mask_prob_ratio: bool) -> Self {
        self.mask_prob_ratio = Some(mask_prob_ratio);
        self
    }
    /// Sets [`max_negative_advantage_importance_sampling_weight`](Self::max_negative_advantage_importance_sampling_weight).
    #[must_use]
    pub fn max_negative_advantage_importance_sampling_weight(
        mut self,
        max_negative_advantage_importance_sampling_weight: f64,
    ) -> Self {
        self.max_negative_advantage_importance_sampling_weight = Some(
            max_negative_advantage_importance_sampling_weight,
        );
        self
    }
    /// Sets [`normalize_advantages`](Self::normalize_advantages).
    #[must_use]
    pub fn normalize_advantages(mut self, normalize_advantages: bool) -> Self {
        self.normalize_advantages = Some(normalize_advantages);
        self
    }
    /// Sets [`num_trajectories_learning_rate_multiplier_power`](Self::num_trajectories_learning_rate_multiplier_power).
    #[must_use]
    pub fn num_trajectories_learning_rate_multiplier_power(
        mut self,
        num_trajectories_learning_rate_multiplier_power: f64,
    ) -> Self {
        self.num_trajectories_learning_rate_multiplier_power = Some(
            num_trajectories_learning_rate_multiplier_power,
        );
        self
    }
    /// Sets [`optimizer_save_interval`](Self::optimizer_save_interval).
    #[must_use]
    pub fn optimizer_save_interval(mut self, optimizer_save_interval: u64) -> Self {
        self.optimizer_save_interval = Some(optimizer_save_interval);
        self
    }
    /// Sets [`packed_sequence_length`](Self::packed_sequence_length).
    #[must_use]
    pub fn packed_sequence_length(mut self, packed_sequence_length: i32) -> Self {
        self.packed_sequence_length = Some(packed_sequence_length);
        self
    }
    /// Sets [`plot_tensors`](Self::plot_tensors).
    #[must_use]
    pub fn plot_tensors(mut self, plot_tensors: bool) -> Self {
        self.plot_tensors = Some(plot_tensors);
        self
    }
    /// Sets [`ppo`](Self::ppo).
    #[must_use]
    pub fn ppo(mut self, ppo: bool) -> Self {
        self.ppo = Some(ppo);
        self
    }
    /// Sets [`precalculate_logprobs`](Self::precalculate_logprobs).
    #[must_use]
    pub fn precalculate_logprobs(mut self, precalculate_logprobs: bool) -> Self {
        self.precalculate_logprobs = Some(precalculate_logprobs);
        self
    }
    /// Sets [`save_checkpoint`](Self::save_checkpoint).
    #[must_use]
    pub fn save_checkpoint(mut self, save_checkpoint: bool) -> Self {
        self.save_checkpoint = Some(save_checkpoint);
        self
    }
    /// Sets [`scale_learning_rate_by_reward_std_dev`](Self::scale_learning_rate_by_reward_std_dev).
    #[must_use]
    pub fn scale_learning_rate_by_reward_std_dev(
        mut self,
        scale_learning_rate_by_reward_std_dev: bool,
    ) -> Self {
        self.scale_learning_rate_by_reward_std_dev = Some(
            scale_learning_rate_by_reward_std_dev,
        );
        self
    }
    /// Sets [`scale_rewards`](Self::scale_rewards).
    #[must_use]
    pub fn scale_rewards(mut self, scale_rewards: bool) -> Self {
        self.scale_rewards = Some(scale_rewards);
        self
    }
    /// Sets [`truncated_importance_sampling`](Self::truncated_importance_sampling).
    #[must_use]
    pub fn truncated_importance_sampling(
        mut self,
        truncated_importance_sampling: f64,
    ) -> Self {
        self.truncated_importance_sampling = Some(truncated_importance_sampling);
        self
    }
}
impl types::FileExpiry {
    /// Creates a value of the required fields.
    pub fn new(seconds: i64) -> Self {
        Self {
            anchor: types::FileExpiryAnchor::CreatedAt,
            seconds: seconds,
        }
    }
}
impl From<u64> for types::FineTuningEpochs {
    fn from(value: u64) -> Self {
        Self::Integer(value)
    }
}
impl types::FineTuningMethod {
    /// Creates a value of the required fields.
    pub fn new(type_: types::FineTuningMethodType) -> Self {
        Self {
            type_: type_,
            dpo: None,
            reinforcement: None,
            supervised: None,
        }
    }
    /// Sets [`dpo`](Self::dpo).
    #[must_use]
    pub fn dpo(mut self, dpo: types::JsonObject) -> Self {
        self.dpo = Some(dpo);
        self
    }
    /// Sets [`reinforcement`](Self::reinforcement).
    #[must_use]
    pub fn reinforcement(mut self, reinforcement: types::JsonObject) -> Self {
        self.reinforcement = Some(reinforcement);
        self
    }
    /// Sets [`supervised`](Self::supervised).
    #[must_use]
    pub fn supervised(mut self, supervised: types::SupervisedMethod) -> Self {
        self.supervised = Some(supervised);
        self
    }
}
impl types::FineTuningOptions {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            batch_size: None,
            learning_rate_multiplier: None,
            n_epochs: None,
        }
    }
    /// Sets [`batch_size`](Self::batch_size).
    #[must_use]
    pub fn batch_size(mut self, batch_size: impl Into<types::BatchSize>) -> Self {
        self.batch_size = Some(batch_size.into());
        self
    }
    /// Sets [`learning_rate_multiplier`](Self::learning_rate_multiplier).
    #[must_use]
    pub fn learning_rate_multiplier(
        mut self,
        learning_rate_multiplier: impl Into<types::LearningRateMultiplier>,
    ) -> Self {
        self.learning_rate_multiplier = Some(learning_rate_multiplier.into());
        self
    }
    /// Sets [`n_epochs`](Self::n_epochs).
    #[must_use]
    pub fn n_epochs(mut self, n_epochs: impl Into<types::FineTuningEpochs>) -> Self {
        self.n_epochs = Some(n_epochs.into());
        self
    }
}
impl types::FunctionCall {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into(),
        }
    }
}
impl types::FunctionDefinition {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: None,
            parameters: None,
            strict: None,
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`parameters`](Self::parameters).
    #[must_use]
    pub fn parameters(mut self, parameters: types::JsonObject) -> Self {
        self.parameters = Some(parameters);
        self
    }
    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }
}
impl types::FunctionMessage {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            role: types::FunctionRole::Function,
            name: name.into(),
            content: None,
        }
    }
    /// Sets [`content`](Self::content).
    #[must_use]
    pub fn content(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }
}
impl types::FunctionName {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}
impl From<&str> for types::GuidedJson {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::GuidedJson {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl types::History {
    /// Creates a value of the required fields.
    pub fn new(
        messages_and_choices: impl IntoIterator<Item = types::MessageOrChoice>,
    ) -> Self {
        Self {
            messages_and_choices: messages_and_choices.into_iter().collect(),
            tools: None,
            extra: Default::default(),
        }
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::JsonObject>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
}
impl types::ImportedAdapter {
    /// Creates a value of the required fields.
    pub fn new(
        adapter_config: types::JsonObject,
        weights_file_id: impl Into<String>,
    ) -> Self {
        Self {
            type_: types::AdapterImport::Import,
            adapter_config: adapter_config,
            weights_file_id: weights_file_id.into(),
        }
    }
}
impl types::KeyLimits {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            queued_jobs: None,
            requests_per_minute: None,
            stored_bytes: None,
            streams: None,
            tokens_per_minute: None,
            tokens_per_month: None,
        }
    }
    /// Sets [`queued_jobs`](Self::queued_jobs).
    #[must_use]
    pub fn queued_jobs(mut self, queued_jobs: u64) -> Self {
        self.queued_jobs = Some(queued_jobs);
        self
    }
    /// Sets [`requests_per_minute`](Self::requests_per_minute).
    #[must_use]
    pub fn requests_per_minute(mut self, requests_per_minute: u64) -> Self {
        self.requests_per_minute = Some(requests_per_minute);
        self
    }
    /// Sets [`stored_bytes`](Self::stored_bytes).
    #[must_use]
    pub fn stored_bytes(mut self, stored_bytes: u64) -> Self {
        self.stored_bytes = Some(stored_bytes);
        self
    }
    /// Sets [`streams`](Self::streams).
    #[must_use]
    pub fn streams(mut self, streams: u64) -> Self {
        self.streams = Some(streams);
        self
    }
    /// Sets [`tokens_per_minute`](Self::tokens_per_minute).
    #[must_use]
    pub fn tokens_per_minute(mut self, tokens_per_minute: u64) -> Self {
        self.tokens_per_minute = Some(tokens_per_minute);
        self
    }
    /// Sets [`tokens_per_month`](Self::tokens_per_month).
    #[must_use]
    pub fn tokens_per_month(mut self, tokens_per_month: u64) -> Self {
        self.tokens_per_month = Some(tokens_per_month);
        self
    }
}
impl From<f64> for types::LearningRate {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}
impl From<Vec<f64>> for types::LearningRate {
    fn from(value: Vec<f64>) -> Self {
        Self::Array(value)
    }
}
impl From<f64> for types::LearningRateMultiplier {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}
impl types::LogRequest {
    /// Creates a value of the required fields.
    pub fn new(
        split: impl Into<String>,
        trajectory_groups: impl IntoIterator<Item = types::TrajectoryGroup>,
    ) -> Self {
        Self {
            split: split.into(),
            trajectory_groups: trajectory_groups.into_iter().collect(),
            model_id: None,
        }
    }
    /// Sets [`model_id`](Self::model_id).
    #[must_use]
    pub fn model_id(mut self, model_id: impl Into<String>) -> Self {
        self.model_id = Some(model_id.into());
        self
    }
}
impl types::LoraRequest {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            alpha: None,
            rank: None,
            target_modules: None,
            use_rslora: None,
        }
    }
    /// Sets [`alpha`](Self::alpha).
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = Some(alpha);
        self
    }
    /// Sets [`rank`](Self::rank).
    #[must_use]
    pub fn rank(mut self, rank: u32) -> Self {
        self.rank = Some(rank);
        self
    }
    /// Sets [`target_modules`](Self::target_modules).
    #[must_use]
    pub fn target_modules(
        mut self,
        target_modules: impl Into<types::TargetModules>,
    ) -> Self {
        self.target_modules = Some(target_modules.into());
        self
    }
    /// Sets [`use_rslora`](Self::use_rslora).
    #[must_use]
    pub fn use_rslora(mut self, use_rslora: bool) -> Self {
        self.use_rslora = Some(use_rslora);
        self
    }
}
impl types::MessageBatchRequest {
    /// Creates a value of the required fields.
    pub fn new(custom_id: impl Into<String>, params: types::JsonObject) -> Self {
        Self {
            custom_id: custom_id.into(),
            params: params,
        }
    }
}
impl types::MessageBlockParam {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            content: None,
            id: None,
            input: None,
            is_error: None,
            name: None,
            signature: None,
            text: None,
            thinking: None,
            tool_use_id: None,
            extra: Default::default(),
        }
    }
    /// Sets [`content`](Self::content).
    #[must_use]
    pub fn content(mut self, content: impl Into<types::MessageResultParam>) -> Self {
        self.content = Some(content.into());
        self
    }
    /// Sets [`id`](Self::id).
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
    /// Sets [`input`](Self::input).
    #[must_use]
    pub fn input(mut self, input: types::JsonObject) -> Self {
        self.input = Some(input);
        self
    }
    /// Sets [`is_error`](Self::is_error).
    #[must_use]
    pub fn is_error(mut self, is_error: bool) -> Self {
        self.is_error = Some(is_error);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`signature`](Self::signature).
    #[must_use]
    pub fn signature(mut self, signature: impl Into<String>) -> Self {
        self.signature = Some(signature.into());
        self
    }
    /// Sets [`text`](Self::text).
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }
    /// Sets [`thinking`](Self::thinking).
    #[must_use]
    pub fn thinking(mut self, thinking: impl Into<String>) -> Self {
        self.thinking = Some(thinking.into());
        self
    }
    /// Sets [`tool_use_id`](Self::tool_use_id).
    #[must_use]
    pub fn tool_use_id(mut self, tool_use_id: impl Into<String>) -> Self {
        self.tool_use_id = Some(tool_use_id.into());
        self
    }
}
impl From<&str> for types::MessageContent {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::MessageContent {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::ContentPart>> for types::MessageContent {
    fn from(value: Vec<types::ContentPart>) -> Self {
        Self::Array(value)
    }
}
impl From<&str> for types::MessageContentParam {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::MessageContentParam {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::MessageBlockParam>> for types::MessageContentParam {
    fn from(value: Vec<types::MessageBlockParam>) -> Self {
        Self::Array(value)
    }
}
impl types::MessageOutputConfig {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            effort: None,
            format: None,
            extra: Default::default(),
        }
    }
    /// Sets [`effort`](Self::effort).
    #[must_use]
    pub fn effort(mut self, effort: impl Into<String>) -> Self {
        self.effort = Some(effort.into());
        self
    }
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn format(mut self, format: types::MessageOutputFormat) -> Self {
        self.format = Some(format);
        self
    }
}
impl types::MessageOutputFormat {
    /// Creates a value of the required fields.
    pub fn new(schema: types::JsonObject) -> Self {
        Self {
            type_: types::JsonSchemaFormat::JsonSchema,
            schema: schema,
        }
    }
}
impl types::MessageParam {
    /// Creates a value of the required fields.
    pub fn new(
        role: types::MessageParamRole,
        content: impl Into<types::MessageContentParam>,
    ) -> Self {
        Self {
            role: role,
            content: content.into(),
            extra: Default::default(),
        }
    }
}
impl types::MessageRequest {
    /// Creates a value of the required fields.
    pub fn new(
        model: impl Into<String>,
        messages: impl IntoIterator<Item = types::MessageParam>,
    ) -> Self {
        Self {
            model: model.into(),
            messages: messages.into_iter().collect(),
            chat_template_kwargs: None,
            max_tokens: None,
            output_config: None,
            output_format: None,
            return_token_ids: None,
            seed: None,
            stop_sequences: None,
            stream: None,
            system: None,
            temperature: None,
            thinking: None,
            tool_choice: None,
            tools: None,
            top_k: None,
            top_p: None,
            extra: Default::default(),
        }
    }
    /// Sets [`chat_template_kwargs`](Self::chat_template_kwargs).
    #[must_use]
    pub fn chat_template_kwargs(
        mut self,
        chat_template_kwargs: types::JsonObject,
    ) -> Self {
        self.chat_template_kwargs = Some(chat_template_kwargs);
        self
    }
    /// Sets [`max_tokens`](Self::max_tokens).
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u64) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }
    /// Sets [`output_config`](Self::output_config).
    #[must_use]
    pub fn output_config(mut self, output_config: types::MessageOutputConfig) -> Self {
        self.output_config = Some(output_config);
        self
    }
    /// Sets [`output_format`](Self::output_format).
    #[must_use]
    pub fn output_format(mut self, output_format: types::MessageOutputFormat) -> Self {
        self.output_format = Some(output_format);
        self
    }
    /// Sets [`return_token_ids`](Self::return_token_ids).
    #[must_use]
    pub fn return_token_ids(mut self, return_token_ids: bool) -> Self {
        self.return_token_ids = Some(return_token_ids);
        self
    }
    /// Sets [`seed`](Self::seed).
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }
    /// Sets [`stop_sequences`](Self::stop_sequences).
    #[must_use]
    pub fn stop_sequences(
        mut self,
        stop_sequences: impl IntoIterator<Item = String>,
    ) -> Self {
        self.stop_sequences = Some(stop_sequences.into_iter().collect());
        self
    }
    /// Sets [`stream`](Self::stream).
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }
    /// Sets [`system`](Self::system).
    #[must_use]
    pub fn system(mut self, system: impl Into<types::MessageContentParam>) -> Self {
        self.system = Some(system.into());
        self
    }
    /// Sets [`temperature`](Self::temperature).
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }
    /// Sets [`thinking`](Self::thinking).
    #[must_use]
    pub fn thinking(mut self, thinking: types::MessageThinkingConfig) -> Self {
        self.thinking = Some(thinking);
        self
    }
    /// Sets [`tool_choice`](Self::tool_choice).
    #[must_use]
    pub fn tool_choice(mut self, tool_choice: types::MessageToolChoice) -> Self {
        self.tool_choice = Some(tool_choice);
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::MessageTool>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
    /// Sets [`top_k`](Self::top_k).
    #[must_use]
    pub fn top_k(mut self, top_k: i64) -> Self {
        self.top_k = Some(top_k);
        self
    }
    /// Sets [`top_p`](Self::top_p).
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.top_p = Some(top_p);
        self
    }
}
impl types::MessageResultBlockParam {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            text: None,
            extra: Default::default(),
        }
    }
    /// Sets [`text`](Self::text).
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }
}
impl From<&str> for types::MessageResultParam {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::MessageResultParam {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::MessageResultBlockParam>> for types::MessageResultParam {
    fn from(value: Vec<types::MessageResultBlockParam>) -> Self {
        Self::Array(value)
    }
}
impl types::MessageThinkingConfig {
    /// Creates a value of the required fields.
    pub fn new(type_: types::MessageThinkingType) -> Self {
        Self {
            type_: type_,
            display: None,
            extra: Default::default(),
        }
    }
    /// Sets [`display`](Self::display).
    #[must_use]
    pub fn display(mut self, display: types::MessageThinkingDisplay) -> Self {
        self.display = Some(display);
        self
    }
}
impl types::MessageTool {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            description: None,
            input_schema: None,
            name: None,
            type_: None,
            extra: Default::default(),
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`input_schema`](Self::input_schema).
    #[must_use]
    pub fn input_schema(mut self, input_schema: types::JsonObject) -> Self {
        self.input_schema = Some(input_schema);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`type_`](Self::type_).
    #[must_use]
    pub fn type_(mut self, type_: impl Into<String>) -> Self {
        self.type_ = Some(type_.into());
        self
    }
}
impl types::MessageToolChoice {
    /// Creates a value of the required fields.
    pub fn new(type_: types::MessageToolChoiceType) -> Self {
        Self {
            type_: type_,
            disable_parallel_tool_use: None,
            name: None,
            extra: Default::default(),
        }
    }
    /// Sets [`disable_parallel_tool_use`](Self::disable_parallel_tool_use).
    #[must_use]
    pub fn disable_parallel_tool_use(mut self, disable_parallel_tool_use: bool) -> Self {
        self.disable_parallel_tool_use = Some(disable_parallel_tool_use);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}
impl types::ModelCreate {
    /// Creates a value of the required fields.
    pub fn new(
        project: impl Into<String>,
        name: impl Into<String>,
        base_model: impl Into<String>,
    ) -> Self {
        Self {
            project: project.into(),
            name: name.into(),
            base_model: base_model.into(),
            entity: None,
            lora: None,
            return_existing: None,
            training_method: None,
            extra: Default::default(),
        }
    }
    /// Sets [`entity`](Self::entity).
    #[must_use]
    pub fn entity(mut self, entity: impl Into<String>) -> Self {
        self.entity = Some(entity.into());
        self
    }
    /// Sets [`lora`](Self::lora).
    #[must_use]
    pub fn lora(mut self, lora: types::LoraRequest) -> Self {
        self.lora = Some(lora);
        self
    }
    /// Sets [`return_existing`](Self::return_existing).
    #[must_use]
    pub fn return_existing(mut self, return_existing: bool) -> Self {
        self.return_existing = Some(return_existing);
        self
    }
    /// Sets [`training_method`](Self::training_method).
    #[must_use]
    pub fn training_method(mut self, training_method: types::TrainingMethod) -> Self {
        self.training_method = Some(training_method);
        self
    }
}
impl types::NamedJsonSchema {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>, schema: types::JsonObject) -> Self {
        Self {
            name: name.into(),
            schema: schema,
            description: None,
            strict: None,
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }
}
impl types::NamedToolChoice {
    /// Creates a value of the required fields.
    pub fn new(type_: types::ToolChoiceType) -> Self {
        Self {
            type_: type_,
            allowed_tools: None,
            function: None,
        }
    }
    /// Sets [`allowed_tools`](Self::allowed_tools).
    #[must_use]
    pub fn allowed_tools(mut self, allowed_tools: types::AllowedTools) -> Self {
        self.allowed_tools = Some(allowed_tools);
        self
    }
    /// Sets [`function`](Self::function).
    #[must_use]
    pub fn function(mut self, function: types::FunctionName) -> Self {
        self.function = Some(function);
        self
    }
}
impl types::RefusalContentPart {
    /// Creates a value of the required fields.
    pub fn new(refusal: impl Into<String>) -> Self {
        Self {
            type_: types::RefusalContentType::Refusal,
            refusal: refusal.into(),
        }
    }
}
impl types::ResponseChosenTool {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            mode: None,
            name: None,
            namespace: None,
            tools: None,
            extra: Default::default(),
        }
    }
    /// Sets [`mode`](Self::mode).
    #[must_use]
    pub fn mode(mut self, mode: types::AllowedToolsMode) -> Self {
        self.mode = Some(mode);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`namespace`](Self::namespace).
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::AllowedTool>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
}
impl From<&str> for types::ResponseContent {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::ResponseContent {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::ResponseContentPart>> for types::ResponseContent {
    fn from(value: Vec<types::ResponseContentPart>) -> Self {
        Self::Array(value)
    }
}
impl types::ResponseFormatJsonObject {
    /// Creates a value of the required fields.
    pub fn new() -> Self {
        Self {
            type_: types::JsonObjectFormat::JsonObject,
            schema: None,
        }
    }
    /// Sets [`schema`](Self::schema).
    #[must_use]
    pub fn schema(mut self, schema: types::JsonObject) -> Self {
        self.schema = Some(schema);
        self
    }
}
impl types::ResponseFormatJsonSchema {
    /// Creates a value of the required fields.
    pub fn new(json_schema: types::NamedJsonSchema) -> Self {
        Self {
            type_: types::JsonSchemaFormat::JsonSchema,
            json_schema: json_schema,
        }
    }
}
impl types::ResponseFormatText {
    /// Creates a value of the required fields.
    pub fn new() -> Self {
        Self {
            type_: types::TextFormat::Text,
        }
    }
}
impl From<&str> for types::ResponseInput {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::ResponseInput {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<types::ResponseInputItem>> for types::ResponseInput {
    fn from(value: Vec<types::ResponseInputItem>) -> Self {
        Self::Array(value)
    }
}
impl types::ResponseInputItem {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            arguments: None,
            call_id: None,
            content: None,
            encrypted_content: None,
            id: None,
            input: None,
            name: None,
            namespace: None,
            output: None,
            role: None,
            summary: None,
            type_: None,
        }
    }
    /// Sets [`arguments`](Self::arguments).
    #[must_use]
    pub fn arguments(mut self, arguments: impl Into<String>) -> Self {
        self.arguments = Some(arguments.into());
        self
    }
    /// Sets [`call_id`](Self::call_id).
    #[must_use]
    pub fn call_id(mut self, call_id: impl Into<String>) -> Self {
        self.call_id = Some(call_id.into());
        self
    }
    /// Sets [`content`](Self::content).
    #[must_use]
    pub fn content(mut self, content: impl Into<types::ResponseContent>) -> Self {
        self.content = Some(content.into());
        self
    }
    /// Sets [`encrypted_content`](Self::encrypted_content).
    #[must_use]
    pub fn encrypted_content(mut self, encrypted_content: impl Into<String>) -> Self {
        self.encrypted_content = Some(encrypted_content.into());
        self
    }
    /// Sets [`id`](Self::id).
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
    /// Sets [`input`](Self::input).
    #[must_use]
    pub fn input(mut self, input: impl Into<String>) -> Self {
        self.input = Some(input.into());
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`namespace`](Self::namespace).
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }
    /// Sets [`output`](Self::output).
    #[must_use]
    pub fn output(mut self, output: impl Into<types::ResponseContent>) -> Self {
        self.output = Some(output.into());
        self
    }
    /// Sets [`role`](Self::role).
    #[must_use]
    pub fn role(mut self, role: types::ResponseRole) -> Self {
        self.role = Some(role);
        self
    }
    /// Sets [`summary`](Self::summary).
    #[must_use]
    pub fn summary(
        mut self,
        summary: impl IntoIterator<Item = types::ResponseTextPart>,
    ) -> Self {
        self.summary = Some(summary.into_iter().collect());
        self
    }
    /// Sets [`type_`](Self::type_).
    #[must_use]
    pub fn type_(mut self, type_: types::ResponseInputItemType) -> Self {
        self.type_ = Some(type_);
        self
    }
}
impl types::ResponseNamespaceTool {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            description: None,
            format: None,
            name: None,
            parameters: None,
            strict: None,
            extra: Default::default(),
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn format(mut self, format: types::ResponseToolFormat) -> Self {
        self.format = Some(format);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`parameters`](Self::parameters).
    #[must_use]
    pub fn parameters(mut self, parameters: types::JsonObject) -> Self {
        self.parameters = Some(parameters);
        self
    }
    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }
}
impl types::ResponseReasoning {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            effort: None,
            extra: Default::default(),
        }
    }
    /// Sets [`effort`](Self::effort).
    #[must_use]
    pub fn effort(mut self, effort: impl Into<String>) -> Self {
        self.effort = Some(effort.into());
        self
    }
}
impl types::ResponseRequest {
    /// Creates a value of the required fields.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            background: None,
            chat_template_kwargs: None,
            include: None,
            input: None,
            instructions: None,
            max_output_tokens: None,
            metadata: None,
            parallel_tool_calls: None,
            previous_response_id: None,
            reasoning: None,
            seed: None,
            store: None,
            stream: None,
            temperature: None,
            text: None,
            tool_choice: None,
            tools: None,
            top_logprobs: None,
            top_p: None,
            user: None,
            extra: Default::default(),
        }
    }
    /// Sets [`background`](Self::background).
    #[must_use]
    pub fn background(mut self, background: bool) -> Self {
        self.background = Some(background);
        self
    }
    /// Sets [`chat_template_kwargs`](Self::chat_template_kwargs).
    #[must_use]
    pub fn chat_template_kwargs(
        mut self,
        chat_template_kwargs: types::JsonObject,
    ) -> Self {
        self.chat_template_kwargs = Some(chat_template_kwargs);
        self
    }
    /// Sets [`include`](Self::include).
    #[must_use]
    pub fn include(
        mut self,
        include: impl IntoIterator<Item = types::ResponseInclude>,
    ) -> Self {
        self.include = Some(include.into_iter().collect());
        self
    }
    /// Sets [`input`](Self::input).
    #[must_use]
    pub fn input(mut self, input: impl Into<types::ResponseInput>) -> Self {
        self.input = Some(input.into());
        self
    }
    /// Sets [`instructions`](Self::instructions).
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }
    /// Sets [`max_output_tokens`](Self::max_output_tokens).
    #[must_use]
    pub fn max_output_tokens(mut self, max_output_tokens: u64) -> Self {
        self.max_output_tokens = Some(max_output_tokens);
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(
        mut self,
        metadata: ::std::collections::BTreeMap<String, String>,
    ) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`parallel_tool_calls`](Self::parallel_tool_calls).
    #[must_use]
    pub fn parallel_tool_calls(mut self, parallel_tool_calls: bool) -> Self {
        self.parallel_tool_calls = Some(parallel_tool_calls);
        self
    }
    /// Sets [`previous_response_id`](Self::previous_response_id).
    #[must_use]
    pub fn previous_response_id(
        mut self,
        previous_response_id: impl Into<String>,
    ) -> Self {
        self.previous_response_id = Some(previous_response_id.into());
        self
    }
    /// Sets [`reasoning`](Self::reasoning).
    #[must_use]
    pub fn reasoning(mut self, reasoning: types::ResponseReasoning) -> Self {
        self.reasoning = Some(reasoning);
        self
    }
    /// Sets [`seed`](Self::seed).
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }
    /// Sets [`store`](Self::store).
    #[must_use]
    pub fn store(mut self, store: bool) -> Self {
        self.store = Some(store);
        self
    }
    /// Sets [`stream`](Self::stream).
    #[must_use]
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = Some(stream);
        self
    }
    /// Sets [`temperature`](Self::temperature).
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }
    /// Sets [`text`](Self::text).
    #[must_use]
    pub fn text(mut self, text: types::ResponseTextConfig) -> Self {
        self.text = Some(text);
        self
    }
    /// Sets [`tool_choice`](Self::tool_choice).
    #[must_use]
    pub fn tool_choice(
        mut self,
        tool_choice: impl Into<types::ResponseToolChoice>,
    ) -> Self {
        self.tool_choice = Some(tool_choice.into());
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(
        mut self,
        tools: impl IntoIterator<Item = types::ResponseTool>,
    ) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
    /// Sets [`top_logprobs`](Self::top_logprobs).
    #[must_use]
    pub fn top_logprobs(mut self, top_logprobs: u32) -> Self {
        self.top_logprobs = Some(top_logprobs);
        self
    }
    /// Sets [`top_p`](Self::top_p).
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.top_p = Some(top_p);
        self
    }
    /// Sets [`user`](Self::user).
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = Some(user.into());
        self
    }
}
impl types::ResponseTextConfig {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            format: None,
            verbosity: None,
        }
    }
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn format(mut self, format: impl Into<types::ResponseTextFormat>) -> Self {
        self.format = Some(format.into());
        self
    }
    /// Sets [`verbosity`](Self::verbosity).
    #[must_use]
    pub fn verbosity(mut self, verbosity: types::Verbosity) -> Self {
        self.verbosity = Some(verbosity);
        self
    }
}
impl types::ResponseTextJsonSchema {
    /// Creates a value of the required fields.
    pub fn new(name: impl Into<String>, schema: types::JsonObject) -> Self {
        Self {
            type_: types::JsonSchemaFormat::JsonSchema,
            name: name.into(),
            schema: schema,
            description: None,
            strict: None,
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }
}
impl types::ResponseTextPart {
    /// Creates a value of the required fields.
    pub fn new(type_: types::ResponseTextPartType, text: impl Into<String>) -> Self {
        Self {
            type_: type_,
            text: text.into(),
        }
    }
}
impl types::ResponseTool {
    /// Creates a value of the required fields.
    pub fn new(type_: impl Into<String>) -> Self {
        Self {
            type_: type_.into(),
            description: None,
            format: None,
            name: None,
            parameters: None,
            strict: None,
            tools: None,
            extra: Default::default(),
        }
    }
    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
    /// Sets [`format`](Self::format).
    #[must_use]
    pub fn format(mut self, format: types::ResponseToolFormat) -> Self {
        self.format = Some(format);
        self
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    /// Sets [`parameters`](Self::parameters).
    #[must_use]
    pub fn parameters(mut self, parameters: types::JsonObject) -> Self {
        self.parameters = Some(parameters);
        self
    }
    /// Sets [`strict`](Self::strict).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(
        mut self,
        tools: impl IntoIterator<Item = types::ResponseNamespaceTool>,
    ) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
}
impl types::ResponseToolFormat {
    /// Creates a value of the required fields.
    pub fn new(type_: types::ResponseToolFormatType) -> Self {
        Self {
            type_: type_,
            definition: None,
            syntax: None,
        }
    }
    /// Sets [`definition`](Self::definition).
    #[must_use]
    pub fn definition(mut self, definition: impl Into<String>) -> Self {
        self.definition = Some(definition.into());
        self
    }
    /// Sets [`syntax`](Self::syntax).
    #[must_use]
    pub fn syntax(mut self, syntax: impl Into<String>) -> Self {
        self.syntax = Some(syntax.into());
        self
    }
}
impl types::RewardSession {
    /// Creates a value of the required fields.
    pub fn new(reward: f64) -> Self {
        Self {
            reward: reward,
            generation_id: None,
            metrics: None,
        }
    }
    /// Sets [`generation_id`](Self::generation_id).
    #[must_use]
    pub fn generation_id(mut self, generation_id: impl Into<String>) -> Self {
        self.generation_id = Some(generation_id.into());
        self
    }
    /// Sets [`metrics`](Self::metrics).
    #[must_use]
    pub fn metrics(mut self, metrics: types::JsonObject) -> Self {
        self.metrics = Some(metrics);
        self
    }
}
impl types::SftExperimentalConfig {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {}
    }
}
impl types::SftMetricLogging {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            enabled: None,
            every: None,
            target_training_step: None,
        }
    }
    /// Sets [`enabled`](Self::enabled).
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = Some(enabled);
        self
    }
    /// Sets [`every`](Self::every).
    #[must_use]
    pub fn every(mut self, every: u64) -> Self {
        self.every = Some(every);
        self
    }
    /// Sets [`target_training_step`](Self::target_training_step).
    #[must_use]
    pub fn target_training_step(mut self, target_training_step: i64) -> Self {
        self.target_training_step = Some(target_training_step);
        self
    }
}
impl types::SftTrainingConfig {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            assistant_turns: None,
            batch_size: None,
            epochs: None,
            learning_rate: None,
            max_sequence_length: None,
            metric_logging: None,
            overlong_rows: None,
            validation_every: None,
            validation_split: None,
        }
    }
    /// Sets [`assistant_turns`](Self::assistant_turns).
    #[must_use]
    pub fn assistant_turns(mut self, assistant_turns: types::AssistantTurns) -> Self {
        self.assistant_turns = Some(assistant_turns);
        self
    }
    /// Sets [`batch_size`](Self::batch_size).
    #[must_use]
    pub fn batch_size(mut self, batch_size: impl Into<types::BatchSize>) -> Self {
        self.batch_size = Some(batch_size.into());
        self
    }
    /// Sets [`epochs`](Self::epochs).
    #[must_use]
    pub fn epochs(mut self, epochs: u64) -> Self {
        self.epochs = Some(epochs);
        self
    }
    /// Sets [`learning_rate`](Self::learning_rate).
    #[must_use]
    pub fn learning_rate(
        mut self,
        learning_rate: impl Into<types::LearningRate>,
    ) -> Self {
        self.learning_rate = Some(learning_rate.into());
        self
    }
    /// Sets [`max_sequence_length`](Self::max_sequence_length).
    #[must_use]
    pub fn max_sequence_length(mut self, max_sequence_length: u64) -> Self {
        self.max_sequence_length = Some(max_sequence_length);
        self
    }
    /// Sets [`metric_logging`](Self::metric_logging).
    #[must_use]
    pub fn metric_logging(mut self, metric_logging: types::SftMetricLogging) -> Self {
        self.metric_logging = Some(metric_logging);
        self
    }
    /// Sets [`overlong_rows`](Self::overlong_rows).
    #[must_use]
    pub fn overlong_rows(mut self, overlong_rows: types::OverlongRows) -> Self {
        self.overlong_rows = Some(overlong_rows);
        self
    }
    /// Sets [`validation_every`](Self::validation_every).
    #[must_use]
    pub fn validation_every(mut self, validation_every: u64) -> Self {
        self.validation_every = Some(validation_every);
        self
    }
    /// Sets [`validation_split`](Self::validation_split).
    #[must_use]
    pub fn validation_split(mut self, validation_split: f64) -> Self {
        self.validation_split = Some(validation_split);
        self
    }
}
impl From<&str> for types::Stop {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}
impl From<String> for types::Stop {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
impl From<Vec<String>> for types::Stop {
    fn from(value: Vec<String>) -> Self {
        Self::Array(value)
    }
}
impl types::StreamOptions {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            continuous_usage_stats: None,
            include_usage: None,
            extra: Default::default(),
        }
    }
    /// Sets [`continuous_usage_stats`](Self::continuous_usage_stats).
    #[must_use]
    pub fn continuous_usage_stats(mut self, continuous_usage_stats: bool) -> Self {
        self.continuous_usage_stats = Some(continuous_usage_stats);
        self
    }
    /// Sets [`include_usage`](Self::include_usage).
    #[must_use]
    pub fn include_usage(mut self, include_usage: bool) -> Self {
        self.include_usage = Some(include_usage);
        self
    }
}
impl types::StructuredOutputs {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            choice: None,
            grammar: None,
            json: None,
            json_object: None,
            regex: None,
            extra: Default::default(),
        }
    }
    /// Sets [`choice`](Self::choice).
    #[must_use]
    pub fn choice(mut self, choice: impl IntoIterator<Item = String>) -> Self {
        self.choice = Some(choice.into_iter().collect());
        self
    }
    /// Sets [`grammar`](Self::grammar).
    #[must_use]
    pub fn grammar(mut self, grammar: impl Into<String>) -> Self {
        self.grammar = Some(grammar.into());
        self
    }
    /// Sets [`json`](Self::json).
    #[must_use]
    pub fn json(mut self, json: impl Into<types::GuidedJson>) -> Self {
        self.json = Some(json.into());
        self
    }
    /// Sets [`json_object`](Self::json_object).
    #[must_use]
    pub fn json_object(mut self, json_object: bool) -> Self {
        self.json_object = Some(json_object);
        self
    }
    /// Sets [`regex`](Self::regex).
    #[must_use]
    pub fn regex(mut self, regex: impl Into<String>) -> Self {
        self.regex = Some(regex.into());
        self
    }
}
impl types::SupervisedMethod {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self { hyperparameters: None }
    }
    /// Sets [`hyperparameters`](Self::hyperparameters).
    #[must_use]
    pub fn hyperparameters(mut self, hyperparameters: types::FineTuningOptions) -> Self {
        self.hyperparameters = Some(hyperparameters);
        self
    }
}
impl types::SystemMessage {
    /// Creates a value of the required fields.
    pub fn new(
        role: types::SystemRole,
        content: impl Into<types::MessageContent>,
    ) -> Self {
        Self {
            role: role,
            content: content.into(),
            name: None,
        }
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}
impl From<Vec<types::TargetModule>> for types::TargetModules {
    fn from(value: Vec<types::TargetModule>) -> Self {
        Self::Array(value)
    }
}
impl types::TextContentPart {
    /// Creates a value of the required fields.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            type_: types::TextContentType::Text,
            text: text.into(),
        }
    }
}
impl types::TokenizeRequest {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            add_generation_prompt: None,
            add_special_tokens: None,
            chat_template_kwargs: None,
            continue_final_message: None,
            messages: None,
            model: None,
            prompt: None,
            return_token_strs: None,
            tools: None,
            extra: Default::default(),
        }
    }
    /// Sets [`add_generation_prompt`](Self::add_generation_prompt).
    #[must_use]
    pub fn add_generation_prompt(mut self, add_generation_prompt: bool) -> Self {
        self.add_generation_prompt = Some(add_generation_prompt);
        self
    }
    /// Sets [`add_special_tokens`](Self::add_special_tokens).
    #[must_use]
    pub fn add_special_tokens(mut self, add_special_tokens: bool) -> Self {
        self.add_special_tokens = Some(add_special_tokens);
        self
    }
    /// Sets [`chat_template_kwargs`](Self::chat_template_kwargs).
    #[must_use]
    pub fn chat_template_kwargs(
        mut self,
        chat_template_kwargs: types::JsonObject,
    ) -> Self {
        self.chat_template_kwargs = Some(chat_template_kwargs);
        self
    }
    /// Sets [`continue_final_message`](Self::continue_final_message).
    #[must_use]
    pub fn continue_final_message(mut self, continue_final_message: bool) -> Self {
        self.continue_final_message = Some(continue_final_message);
        self
    }
    /// Sets [`messages`](Self::messages).
    #[must_use]
    pub fn messages(
        mut self,
        messages: impl IntoIterator<Item = types::ChatMessage>,
    ) -> Self {
        self.messages = Some(messages.into_iter().collect());
        self
    }
    /// Sets [`model`](Self::model).
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }
    /// Sets [`prompt`](Self::prompt).
    #[must_use]
    pub fn prompt(mut self, prompt: impl Into<String>) -> Self {
        self.prompt = Some(prompt.into());
        self
    }
    /// Sets [`return_token_strs`](Self::return_token_strs).
    #[must_use]
    pub fn return_token_strs(mut self, return_token_strs: bool) -> Self {
        self.return_token_strs = Some(return_token_strs);
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::Tool>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
}
impl types::ToolCall {
    /// Creates a value of the required fields.
    pub fn new(id: impl Into<String>, function: types::FunctionCall) -> Self {
        Self {
            id: id.into(),
            type_: types::ToolType::Function,
            function: function,
        }
    }
}
impl types::ToolDefinition {
    /// Creates a value of the required fields.
    pub fn new(function: types::FunctionDefinition) -> Self {
        Self {
            type_: types::ToolType::Function,
            function: function,
        }
    }
}
impl types::ToolMessage {
    /// Creates a value of the required fields.
    pub fn new(content: impl Into<types::MessageContent>) -> Self {
        Self {
            role: types::ToolRole::Tool,
            content: content.into(),
            tool_call_id: None,
        }
    }
    /// Sets [`tool_call_id`](Self::tool_call_id).
    #[must_use]
    pub fn tool_call_id(mut self, tool_call_id: impl Into<String>) -> Self {
        self.tool_call_id = Some(tool_call_id.into());
        self
    }
}
impl types::Trajectory {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            additional_histories: None,
            exchanges: None,
            final_policy_version: None,
            initial_policy_version: None,
            logs: None,
            messages_and_choices: None,
            metadata: None,
            metrics: None,
            reward: None,
            tools: None,
            extra: Default::default(),
        }
    }
    /// Sets [`additional_histories`](Self::additional_histories).
    #[must_use]
    pub fn additional_histories(
        mut self,
        additional_histories: impl IntoIterator<Item = types::History>,
    ) -> Self {
        self.additional_histories = Some(additional_histories.into_iter().collect());
        self
    }
    /// Sets [`exchanges`](Self::exchanges).
    #[must_use]
    pub fn exchanges(mut self, exchanges: types::CapturedExchanges) -> Self {
        self.exchanges = Some(exchanges);
        self
    }
    /// Sets [`final_policy_version`](Self::final_policy_version).
    #[must_use]
    pub fn final_policy_version(mut self, final_policy_version: i64) -> Self {
        self.final_policy_version = Some(final_policy_version);
        self
    }
    /// Sets [`initial_policy_version`](Self::initial_policy_version).
    #[must_use]
    pub fn initial_policy_version(mut self, initial_policy_version: i64) -> Self {
        self.initial_policy_version = Some(initial_policy_version);
        self
    }
    /// Sets [`logs`](Self::logs).
    #[must_use]
    pub fn logs(mut self, logs: impl IntoIterator<Item = String>) -> Self {
        self.logs = Some(logs.into_iter().collect());
        self
    }
    /// Sets [`messages_and_choices`](Self::messages_and_choices).
    #[must_use]
    pub fn messages_and_choices(
        mut self,
        messages_and_choices: impl IntoIterator<Item = types::MessageOrChoice>,
    ) -> Self {
        self.messages_and_choices = Some(messages_and_choices.into_iter().collect());
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(mut self, metadata: types::JsonObject) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`metrics`](Self::metrics).
    #[must_use]
    pub fn metrics(mut self, metrics: types::JsonObject) -> Self {
        self.metrics = Some(metrics);
        self
    }
    /// Sets [`reward`](Self::reward).
    #[must_use]
    pub fn reward(mut self, reward: f64) -> Self {
        self.reward = Some(reward);
        self
    }
    /// Sets [`tools`](Self::tools).
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = types::JsonObject>) -> Self {
        self.tools = Some(tools.into_iter().collect());
        self
    }
}
impl types::TrajectoryGroup {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self {
            exceptions: None,
            logs: None,
            metadata: None,
            metrics: None,
            trajectories: None,
            extra: Default::default(),
        }
    }
    /// Sets [`exceptions`](Self::exceptions).
    #[must_use]
    pub fn exceptions(
        mut self,
        exceptions: impl IntoIterator<Item = types::JsonObject>,
    ) -> Self {
        self.exceptions = Some(exceptions.into_iter().collect());
        self
    }
    /// Sets [`logs`](Self::logs).
    #[must_use]
    pub fn logs(mut self, logs: impl IntoIterator<Item = String>) -> Self {
        self.logs = Some(logs.into_iter().collect());
        self
    }
    /// Sets [`metadata`](Self::metadata).
    #[must_use]
    pub fn metadata(mut self, metadata: types::JsonObject) -> Self {
        self.metadata = Some(metadata);
        self
    }
    /// Sets [`metrics`](Self::metrics).
    #[must_use]
    pub fn metrics(mut self, metrics: types::JsonObject) -> Self {
        self.metrics = Some(metrics);
        self
    }
    /// Sets [`trajectories`](Self::trajectories).
    #[must_use]
    pub fn trajectories(
        mut self,
        trajectories: impl IntoIterator<Item = types::Trajectory>,
    ) -> Self {
        self.trajectories = Some(trajectories.into_iter().collect());
        self
    }
}
impl types::UpdateChatCompletion {
    /// Creates a value of the required fields.
    pub fn new(metadata: Option<::std::collections::BTreeMap<String, String>>) -> Self {
        Self { metadata: metadata }
    }
}
impl types::UpdateTrainingJob {
    /// Creates a value without any field.
    pub fn new() -> Self {
        Self { name: None, tags: None }
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(Some(name.into()));
        self
    }
    /// Sets [`name`](Self::name) to null.
    #[must_use]
    pub fn name_null(mut self) -> Self {
        self.name = Some(None);
        self
    }
    /// Sets [`tags`](Self::tags).
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Self {
        self.tags = Some(tags.into_iter().collect());
        self
    }
}
impl types::UserMessage {
    /// Creates a value of the required fields.
    pub fn new(content: impl Into<types::MessageContent>) -> Self {
        Self {
            role: types::UserRole::User,
            content: content.into(),
            name: None,
        }
    }
    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}
impl types::WandbQuery {
    /// Creates a value of the required fields.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            variables: None,
        }
    }
    /// Sets [`variables`](Self::variables).
    #[must_use]
    pub fn variables(mut self, variables: types::JsonObject) -> Self {
        self.variables = Some(variables);
        self
    }
}
