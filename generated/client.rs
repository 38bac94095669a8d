// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
use progenitor_client::{RequestBuilderExt, ResponseValue, encode_path};
use super::types;
use crate::client::{Client, ClientError, Download};
impl Client {
    /**W&B run files

Takes what W&B's client logs of a run, and keeps nothing of it.

Sends a `POST` request to `/files/{entity}/{project}/{run}/file_stream`

Arguments:
- `entity`: Of the run.
- `project`: Of the run.
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

Answers the GraphQL operations with which W&B's client opens a run, uploads a data set, and pulls, forks or annotates a checkpoint. What is asked for follows from the root field and its arguments, whatever the operation is called; the answer may have more fields than were asked for. An entity that is null is the key's own. A root field that is not answered here is refused by name. A fault is in `errors`, with status 200, as GraphQL has it.
An artifact of type `lora` becomes a checkpoint of the registered model of its name when it is committed: the step of its alias `stepN`, or the model's next one if that is higher. It is checked as `add-checkpoint` checks an import, and refused whole otherwise. The metadata of such an artifact are kept with the checkpoint; what is trained or copied from it inherits `wandb.provenance`.

Sends a `POST` request to `/graphql`

Arguments:
- `body`: The operation and its variables.
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
    /**Read Root

Says whether requests may be sent to this process: 503 from the moment that it is told to stop, while it still answers everything else. It needs no key, for load balancers.

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

Lists what can be named in `model` of a chat request. The list is not paged.

Sends a `GET` request to `/inference/v1/models`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
- `vendor_project`: What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
*/
    pub async fn list_inference_models<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
    ) -> Result<
        ResponseValue<crate::generated::types::InferenceModelList>,
        ClientError,
    > {
        let url = format!("{}/inference/v1/models", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
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
    /**Create chat completion

Samples one or more answers to a conversation. Answers with one JSON document, or with server-sent events when `stream` is true. Errors that occur before the first token have a status; later ones are an event of the stream.

Sends a `POST` request to `/v1/chat/completions`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
- `vendor_project`: What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
- `body`: The conversation and how to answer it.
*/
    pub async fn create_chat_completion<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
        body: &'a crate::generated::types::ChatCompletionRequest,
    ) -> Result<ResponseValue<crate::generated::types::ChatCompletion>, ClientError> {
        let url = format!("{}/v1/chat/completions", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
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
    /**Create completion

Goes on with texts or tokens as they are, without a chat template: OpenAI's older interface, which evaluation harnesses use to score texts. With `echo`, `logprobs` and `max_tokens` 0 it answers the log-probabilities of a prompt's own tokens.

Sends a `POST` request to `/v1/completions`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
- `vendor_project`: What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
- `body`: What to go on with, and how.
*/
    pub async fn create_completion<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
        body: &'a crate::generated::types::CompletionRequest,
    ) -> Result<ResponseValue<crate::generated::types::Completion>, ClientError> {
        let url = format!("{}/v1/completions", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
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
    /**List files

Lists the files of the key's entity, the newest first unless asked otherwise; with `purpose`, those for it.

Sends a `GET` request to `/v1/files`

Arguments:
- `after`: Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. A file that is not in the listing, also because it was deleted, is refused with 422.
- `limit`: Items on a page at most.
- `order`: Direction of the listing; `desc` begins with the newest file.
- `purpose`: What they were uploaded for; without it, anything.
*/
    pub async fn list_files<'a>(
        &'a self,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::FileOrder>,
        purpose: Option<types::FilePurpose>,
    ) -> Result<ResponseValue<crate::generated::types::FilePage>, ClientError> {
        let url = format!("{}/v1/files", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("purpose", &purpose))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get file

Answers what is known of a file of the key's entity.

Sends a `GET` request to `/v1/files/{file_id}`

Arguments:
- `file_id`: The `id` of a file. Anything else is an id that does not exist, so 404.
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

Deletes a file. Jobs and checkpoints that were made with it keep what they need: what a job trained on is kept as long as the model has the checkpoint that it made or a later one, so that both can be made again. Takes no body; one that is sent is ignored.

Sends a `DELETE` request to `/v1/files/{file_id}`

Arguments:
- `file_id`: The `id` of a file. Anything else is an id that does not exist, so 404.
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

Answers the bytes of a file, whole or a range of them. `ETag` is the SHA-256 of the file.

Sends a `GET` request to `/v1/files/{file_id}/content`

Arguments:
- `file_id`: The `id` of a file. Anything else is an id that does not exist, so 404.
- `if_none_match`: The `ETag`s of what is there already; where the content has one of them, the answer is 304.
- `if_range`: The `ETag` of what is there already; where the content has another one, all of it is sent.
- `range`: Which bytes to send, as in `bytes=1048576-` for all from the second mebibyte on (RFC 9110, section 14). More than one range, or another unit, is answered with the whole.
*/
    pub async fn get_file_content<'a>(
        &'a self,
        file_id: &'a str,
        if_none_match: Option<&'a str>,
        if_range: Option<&'a str>,
        range: Option<&'a str>,
    ) -> Result<Download, ClientError> {
        let url = format!(
            "{}/v1/files/{}/content", self.baseurl, encode_path(& file_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(4usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
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
        let request = self.client.get(url).headers(header_map).build()?;
        self.download(request).await
    }
    /**List fine-tuning jobs

Lists the supervised jobs of the key's entity, the newest first, whichever API created them.

Sends a `GET` request to `/v1/fine_tuning/jobs`

Arguments:
- `after`: Cursor: the `id` of the last job of the page before. Without it the listing begins with the newest. A job that is not in the listing is refused with 422.
- `limit`: Items on a page at most.
*/
    pub async fn list_fine_tuning_jobs<'a>(
        &'a self,
        after: Option<&'a str>,
        limit: Option<u32>,
    ) -> Result<ResponseValue<crate::generated::types::FineTuningJobPage>, ClientError> {
        let url = format!("{}/v1/fine_tuning/jobs", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create fine-tuning job

Makes a model and queues supervised training of it, both or neither. The model begins from a base model, or from a
copy of a step of a trained one, with the state of its optimizer. Its name is the `suffix`, or the name of what it
began from, and the end of the job's id.

The file has JSON Lines, as `POST /v1/preview/sft-training-jobs` reads them; a row is one conversation,
`{"messages": [...], "tools": [...]}`. A message of the assistant with `weight` 0 is context and not trained.
`parallel_tool_calls` is accepted, and false is refused where a message has several calls; `functions`,
`function_call`, `refusal` and `audio` are refused. The rows are checked when the job begins: a fault in one ends
the job with status `failed` and an `error`.

At most 1000 jobs of one entity may wait or run; more is 429.


Sends a `POST` request to `/v1/fine_tuning/jobs`

Arguments:
- `body`: What to train, and on which file.
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

Answers how far a supervised job is, whichever API created it.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
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

Ends a supervised job that waits or runs. Its model stays as it was made. A job that was cancelled before is answered as it is; one that has ended otherwise is 409.

Sends a `POST` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
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

Lists the checkpoints of a supervised job: the one that it made, once it has succeeded and as long as nobody deletes it.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
- `after`: Cursor: the `id` of the last checkpoint of the page before. A checkpoint of another job is refused with 422.
- `limit`: Items on a page at most.
*/
    pub async fn list_fine_tuning_job_checkpoints<'a>(
        &'a self,
        fine_tuning_job_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
    ) -> Result<
        ResponseValue<crate::generated::types::FineTuningCheckpointPage>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}/checkpoints", self.baseurl, encode_path(&
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
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List fine-tuning events

Lists the events of a supervised job, the newest first: its start, each optimizer step with its metrics, and its end. There are none while it waits. To follow a job as it runs, ask for its events as `GET /v1/preview/training-jobs/{training_job_id}/events` gives them.

Sends a `GET` request to `/v1/fine_tuning/jobs/{fine_tuning_job_id}/events`

Arguments:
- `fine_tuning_job_id`: The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
- `after`: Cursor: the `id` of the last event of the page before. Without it the listing begins with the newest. An event of another job is refused with 422.
- `limit`: Items on a page at most.
*/
    pub async fn list_fine_tuning_job_events<'a>(
        &'a self,
        fine_tuning_job_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
    ) -> Result<
        ResponseValue<crate::generated::types::FineTuningEventPage>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/fine_tuning/jobs/{}/events", self.baseurl, encode_path(&
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
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Health check

Says that the process answers and the key is good; looks at nothing else.

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

Lists what can be named in `model` of a request, in the format of OpenAI's model list: the base models, then the trained models of the key's entity whose base model is served, the oldest first, each with its steps. The list is not paged. It has at most 1,000 names of trained models and steps: those of the newest models, and then as many of the newest steps as there is room for; `has_more` says whether there are others, which can be named all the same.

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

Answers a model or step that can be named in `model` of a request, also one that the list has no room for.

Sends a `GET` request to `/v1/models/{model}`

Arguments:
- `model`: A name as requests have it in `model`: of a base model, or of a trained one with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded or not. A name that nothing has is 404.
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

Lists the models on top of which others can be made here, by name. The list is not paged.

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

Lists the models of the key's entity by age; with `project`, those of this project.

Sends a `GET` request to `/v1/preview/models`

Arguments:
- `after`: Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
- `limit`: Items on a page at most.
- `order`: Direction of the listing; `desc` begins with the newest item.
- `project`: Where they were registered; without it, anywhere.
*/
    pub async fn list_models<'a>(
        &'a self,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::SortOrder>,
        project: Option<&'a str>,
    ) -> Result<ResponseValue<crate::generated::types::ModelPage>, ClientError> {
        let url = format!("{}/v1/preview/models", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("project", &project))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create model

Registers a trainable model, which can be sampled at once. A name is unique within its project. With `return_existing` the model of that name is answered if there is one on the same base model, which makes the request safe to repeat; without, a taken name is 409. How the model is trained is chosen here, for good: with a LoRA adapter, whose rank, alpha and targets `lora` may name, or as a whole.

Sends a `POST` request to `/v1/preview/models`

Arguments:
- `body`: Name, base model and how to train it.
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

Answers a model of the key's entity.

Sends a `GET` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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

Deletes the model with every checkpoint, job and trajectory log of it; its name is free again. A job of it that is running ends without a result. Takes no body; one that is sent is ignored.

Sends a `DELETE` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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

Makes the model's next step without training: a copy of another step, or an adapter that was made elsewhere. It can
be sampled at once, and the next job goes on from it.

A **copy** of a step, of this model or another one of yours, forks: register a model with the same `base_model`,
`training_method` and `lora` and copy the step into it. The state of the optimizer comes along where it is kept,
which is at the newest step of a model.

An **import** takes the two files of a PEFT adapter: `adapter_config.json` as it is, and
`adapter_model.safetensors` as a file that was uploaded with `POST /v1/files`. The adapter must fit the model: the
names and shapes of its tensors the base model, its rank, alpha and targets what the model was registered with.
Every number must be finite.


Sends a `POST` request to `/v1/preview/models/{model_id}/add-checkpoint`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `body`: What the checkpoint is made from.
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

Lists the checkpoints of a model by step. `limit=1&order=desc` asks for the newest: its `step` is the number of the model's last finished job.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `after`: Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
- `limit`: Items on a page at most.
- `order`: Direction of the listing; `desc` begins with the newest item.
*/
    pub async fn list_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::SortOrder>,
    ) -> Result<ResponseValue<crate::generated::types::CheckpointPage>, ClientError> {
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
        self.call(request).await
    }
    /**Delete model checkpoints

Deletes steps of a model. Steps that are not there are reported, not refused, so that the request may be repeated. The newest step is what the model's plain name samples, so it is refused (409) and nothing is deleted, unless `allow_latest` is true. After that the newest step that is left is what the plain name samples, what `latest_step` of the model says, and what the next job goes on from; when none is left, it is the base model, and `latest_step` is null. Numbers are not used again: after the deletion of step 2 the next one is 3. The manifest of a step stays. The data that a step was trained on goes when neither that step nor a later one is left.

Sends a `DELETE` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `body`: The steps to delete.
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

Answers one step of a model and the files that it consists of.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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

Answers every file of the checkpoint in one tar archive, in a directory `checkpoint-STEP`. Step 0 is the base model itself and has none, so 404.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/archive`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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

Answers the bytes of one file, whole or a range of them, so that a download that broke off can go on. `ETag` is the SHA-256 of the file. The two files of an adapter in one directory are what PEFT loads.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `step`: Number of a step of the model.
- `file_name`: The `name` of one of the checkpoint's files. Another name is a file that does not exist, so 404.
- `if_none_match`: The `ETag`s of what is there already; where the content has one of them, the answer is 304.
- `if_range`: The `ETag` of what is there already; where the content has another one, all of it is sent.
- `range`: Which bytes to send, as in `bytes=1048576-` for all from the second mebibyte on (RFC 9110, section 14). More than one range, or another unit, is answered with the whole.
*/
    pub async fn get_checkpoint_file<'a>(
        &'a self,
        model_id: &'a str,
        step: u64,
        file_name: &'a str,
        if_none_match: Option<&'a str>,
        if_range: Option<&'a str>,
        range: Option<&'a str>,
    ) -> Result<Download, ClientError> {
        let url = format!(
            "{}/v1/preview/models/{}/checkpoints/{}/files/{}", self.baseurl,
            encode_path(& model_id.to_string()), encode_path(& step.to_string()),
            encode_path(& file_name.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(4usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
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
        let request = self.client.get(url).headers(header_map).build()?;
        self.download(request).await
    }
    /**Get checkpoint manifest

Answers how a step came to be: the step it was made from, the options and the hash of the data it was trained with, the hash of the base model, the program that computed it, and the hashes of its own files. It was written with the checkpoint and never changes. Each manifest has the hash of the one before, so the hash of the newest stands for the whole history of the model. It is there also when the checkpoint was deleted; of checkpoints that were made before the service wrote manifests, and of steps that never were, there is none.

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints/{step}/manifest`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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
    /**Log

Keeps trajectory groups beside the model, for the record, without training on them.

Sends a `POST` request to `/v1/preview/models/{model_id}/log`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `body`: The trajectories and the split that they belong to.
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

Queues supervised fine-tuning on a file of conversations: one that was uploaded (`POST /v1/files`, purpose
`fine-tune`), or one at a URL. What is at a URL is fetched when the job starts, so one that cannot be read shows in
the events (`training_failed`), not here.

The file has JSON Lines, one conversation a line: `{"messages": [...], "tools": [...]}`, `tools` optional, at most
16 MiB a line, 1000000 conversations and 1 GiB in all. Every line is checked before the first optimizer step; the
first that is malformed fails the job, and `error_message` names it. Blank lines are skipped.

Trained is what the assistant says. Conversations in which it says nothing, and those longer than the model's
context, are left out and counted in `num_dropped_trajectories`; `training_started` lists the first of them with
their lines. They keep their place in their batch, so learning rates stay with the same lines.

A message of the assistant with `weight` 0 is context and not trained. `parallel_tool_calls` is accepted, and false
is refused where a message has several calls. `functions`, and `function_call`, `refusal` and `audio` of a message,
are refused unless null: the chat template would pass over them.

At most 1000 jobs of one entity may wait or run; more is 429.


Sends a `POST` request to `/v1/preview/sft-training-jobs`

Arguments:
- `dry_run`: Whether to say only what the job would do: its options are checked, its data is read and tokenised as the job would do it, `estimate` of the answer has what was found, and nothing is stored. A job that would fail on its data or options is refused with 422. Two dry runs at a time; more are 429.
- `body`: The model, the data and the options.
*/
    pub async fn create_sft_training_job<'a>(
        &'a self,
        dry_run: Option<bool>,
        body: &'a crate::generated::types::CreateSftTrainingJob,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let url = format!("{}/v1/preview/sft-training-jobs", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("dry_run", &dry_run))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**List training jobs

Lists the jobs of the key's entity, RL and SFT, by age; with parameters, those that fit all of them.

Sends a `GET` request to `/v1/preview/training-jobs`

Arguments:
- `after`: Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
- `kind`: Jobs of this kind of training.
- `limit`: Items on a page at most.
- `model_id`: Jobs of this model; an unknown one is 404.
- `order`: Direction of the listing; `desc` begins with the newest item.
- `status`: Jobs that are this far.
*/
    pub async fn list_training_jobs<'a>(
        &'a self,
        after: Option<&'a str>,
        kind: Option<types::TrainingJobKind>,
        limit: Option<u32>,
        model_id: Option<&'a str>,
        order: Option<types::SortOrder>,
        status: Option<types::TrainingJobStatus>,
    ) -> Result<ResponseValue<crate::generated::types::TrainingJobPage>, ClientError> {
        let url = format!("{}/v1/preview/training-jobs", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("after", &after))
            .query(&progenitor_client::QueryParam::new("kind", &kind))
            .query(&progenitor_client::QueryParam::new("limit", &limit))
            .query(&progenitor_client::QueryParam::new("model_id", &model_id))
            .query(&progenitor_client::QueryParam::new("order", &order))
            .query(&progenitor_client::QueryParam::new("status", &status))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create RL training job

Queues reinforcement learning on trajectories. Rewards count relative to their group: answers to the same prompt
belong into one group, and a group whose rewards are all equal teaches nothing. Each conversation of a trajectory
with a choice in it becomes one optimizer step, in the order of the request, unless `packed_sequence_length` puts
several into one; those longer than the model's context are left out and counted in `num_dropped_sequences`. A job with nothing to learn ends well, with a new
step of the same weights.

Send choices as they were answered: they carry the tokens they consist of and those they were sampled from, and
these are trained. A turn whose prompt does not begin with the turns before it becomes a step of its own. What
cannot be trained on is left out, without harm to the rest of the job; the event `training_started` names it, and
where messages and tokens have come apart.

At most 1000 jobs of one entity may wait or run; more is 429.


Sends a `POST` request to `/v1/preview/training-jobs`

Arguments:
- `dry_run`: Whether to say only what the job would do: its options are checked, its data is read and tokenised as the job would do it, `estimate` of the answer has what was found, and nothing is stored. A job that would fail on its data or options is refused with 422. Two dry runs at a time; more are 429.
- `body`: The model, the trajectories and the options.
*/
    pub async fn create_training_job<'a>(
        &'a self,
        dry_run: Option<bool>,
        body: &'a crate::generated::types::CreateTrainingJob,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        ClientError,
    > {
        let url = format!("{}/v1/preview/training-jobs", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("dry_run", &dry_run))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get training job

Answers the state of a job, RL or SFT: how far it is, what it was asked to do, and why it failed if it did. Its events have the metrics of each step.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
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

Ends a job, RL or SFT, that waits or runs. Its last event is `training_failed`, which says so; the model stays at the step it had, and whoever computes it can write nothing more and stops when it notices, after a step at the latest. A job that was cancelled before is answered as it is; one that has ended otherwise is 409.

Sends a `POST` request to `/v1/preview/training-jobs/{training_job_id}/cancel`

Arguments:
- `training_job_id`: The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
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

Lists the events of a job, RL or SFT, in the order in which they happened; none while it waits. To follow a job, ask with `Accept: text/event-stream`: then its events come as they happen, until `training_ended` or `training_failed`, behind which nothing comes. Each has its `id`, its type as `event`, and as `data` the JSON of an item of the list; a client that was cut off goes on with `Last-Event-ID`. A comment comes every 15 s of silence. Or ask again and again, with `after` set to the last id that you have seen: once a second, or with `wait`.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/events`

Arguments:
- `training_job_id`: The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
- `after`: Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
- `limit`: Items on a page at most.
- `order`: Direction of the listing; `desc` begins with the newest item.
*/
    pub async fn list_training_job_events<'a>(
        &'a self,
        training_job_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::SortOrder>,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobEventPage>,
        ClientError,
    > {
        let url = format!(
            "{}/v1/preview/training-jobs/{}/events", self.baseurl, encode_path(&
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
        self.call(request).await
    }
    /**Get usage

Answers what the keys of the entity used, by day, key, project, model and job: requests and tokens of chat, and tokens that jobs were trained on, of the day on which the job ended.

Sends a `GET` request to `/v1/preview/usage`

Arguments:
- `end_date`: The last day, in UTC; today unless given.
- `project`: Only what was used in this project.
- `start_date`: The first day, in UTC; 30 days before the last one unless given.
*/
    pub async fn get_usage<'a>(
        &'a self,
        end_date: Option<&'a str>,
        project: Option<&'a str>,
        start_date: Option<&'a str>,
    ) -> Result<ResponseValue<crate::generated::types::UsageReport>, ClientError> {
        let url = format!("{}/v1/preview/usage", self.baseurl,);
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
            .query(&progenitor_client::QueryParam::new("end_date", &end_date))
            .query(&progenitor_client::QueryParam::new("project", &project))
            .query(&progenitor_client::QueryParam::new("start_date", &start_date))
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create response

Samples one answer, in the form of OpenAI's Responses API, for text and function tools. It is the same sampling as chat
completions, and the same conversation has the same prompt: `instructions` is a system message, and `reasoning`,
`message` and `function_call` items that follow one another are one message of the model.

Nothing is stored: send the whole conversation as `input` each time. With `stream` true the answer is server-sent
events, named after their `type`, without a `[DONE]`: `response.completed`, `response.incomplete` or
`response.failed` ends them. After 15 s of silence `response.in_progress` comes again.


Sends a `POST` request to `/v1/responses`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
- `vendor_project`: What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
- `body`: The conversation and how to answer it.
*/
    pub async fn create_response<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
        body: &'a crate::generated::types::ResponseRequest,
    ) -> Result<ResponseValue<crate::generated::types::ResponseObject>, ClientError> {
        let url = format!("{}/v1/responses", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(3usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        if let Some(value) = open_ai_project {
            header_map.append("OpenAI-Project", value.to_string().try_into()?);
        }
        if let Some(value) = vendor_project {
            header_map.append("Vendor-Project", value.to_string().try_into()?);
        }
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
    /**System check

Tries every part at once and answers within a second: the database; the store of artifacts, which keeps a few bytes and gives them back; the job queue; the engine, which computes one token; and the room on the disk. A part that does not answer within 0.9 s has failed, but not an engine that gets on with requests before this one. For monitoring, not for each request.

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

Answers the files of a checkpoint as the manifest of a W&B artifact, with their MD5 digests.

Sends a `GET` request to `/wandb/manifests/{model_id}/{step}`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
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
