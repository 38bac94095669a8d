// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
pub use super::types;
#[derive(Clone, Debug)]
/**Client for Trainyard

Send rollouts or examples, get a better model back. Trainyard trains LoRA adapters of language models by
reinforcement learning (RL) or supervised fine-tuning (SFT) and serves every step of them through
OpenAI-compatible chat completions.

## From a model to a better model

1. **Register** a model on top of a base model: `POST /v1/preview/models`. It can be sampled at once.
2. **Sample** it: `POST /v1/chat/completions` with its inference name. Answers carry the exact tokens and their
   log-probabilities, which training needs; keep each choice as it came.
3. **Train**: put prompts and choices into trajectories with a reward each and send them to
   `POST /v1/preview/training-jobs`, or point `POST /v1/preview/sft-training-jobs` at a file of conversations.
4. **Watch**: list the job's events until `training_ended` or `training_failed`.
5. **Sample the new step**: the same name now answers with the new weights; `:stepN` keeps an old step.

In a shell, with `BASE` for the address of the service and `KEY` for an API key:

```sh
curl --fail --silent "$BASE/v1/preview/models" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"project": "demo", "name": "shell", "base_model": "trainyard/seedling", "return_existing": true}'

curl --fail --silent "$BASE/v1/chat/completions" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"model": "trainyard/seedling", "messages": [{"role": "user", "content": "Hello!"}], "max_tokens": 16}'
```

## Addresses

There are two base addresses. The training service has every path that begins with `/v1`, and `/health`. The
inference API has `/models` and `/chat/completions` below `{inference_url}`, which ends in `/v1`: unless the
operator gives it a listener of its own, it is `/inference/v1` of the training service. Chat is the same at both.

## Authentication

Send an API key with every request, as `Authorization: Bearer <API_KEY>`; only `GET /health` is open. The operator
makes keys with `trainyard keys create`. A key acts for one entity and sees that entity's models and jobs alone:
what belongs to somebody else answers 404, like what does not exist. The key is checked before anything else of a
request is read.

## Requests

Bodies are JSON objects in UTF-8 with content type `application/json` (a missing content type is taken for it).
Unknown fields are accepted everywhere and never refused; where a schema says that it keeps them, they come along.
A field that may be null treats null like absence, unless its description says otherwise. Each operation has a limit
for the body, `x-body-limit-bytes`; a body that sends nothing for 30 s is given up. The head of a request may have
64 KiB, 100 headers and a target (path and query) of 8 KiB, and must arrive within 10 s.

## Errors

Every refusal has the body of `ErrorResponse`, with all four keys, whatever refuses it; routes that do not exist
(404) and methods that a path does not take (405, with `Allow`) included. `message` is for people, `type` follows
from the status, `code` and `param` are for programs. Every answer, also a success, names its request in
`x-request-id`; send your own there (1 to 128 of `A-Z a-z 0-9 - _ .`) to join logs.

| status | `type` | when | try again? |
|---|---|---|---|
| 400 | `invalid_request_error` | not HTTP, or not JSON; the prompt is longer than the context | no, change it |
| 401 | `authentication_error` | the key is missing, misspelt or revoked | no, change the key |
| 403 | `permission_error` | a good key that may not do this | no |
| 404 | `not_found_error` | no such path, model, job or name, or not yours | no |
| 405 | `invalid_request_error` | the path does not take this method | no |
| 408 | `invalid_request_error` | the request stopped coming | yes, at once |
| 409 | `conflict_error` | it contradicts what is stored; `x-should-retry: false` | no, change it |
| 413 | `invalid_request_error` | the body is larger than the operation takes | no, split it |
| 414 | `invalid_request_error` | path and query are longer than 8 KiB | no, shorten it |
| 415 | `invalid_request_error` | the body is not declared as JSON in UTF-8 | no, change it |
| 422 | `invalid_request_error` | readable, but not what the operation takes; `param` says where | no, change it |
| 429 | `rate_limit_error` | you have too much under way | after `Retry-After` |
| 431 | `invalid_request_error` | the head has more than 64 KiB or 100 headers | no, send fewer |
| 500 | `internal_error` | our fault; the log has it under the request's id | reads and deletes only |
| 503 | `overloaded_error` | no room now, or the service is stopping | after `Retry-After` |

## Trying again

`GET` and `DELETE` may be repeated on a broken connection, 408, 429 and 5xx; a repeated `DELETE` finds nothing (404)
when the first one had worked. `POST /v1/preview/models` may be repeated when `return_existing` is true. Chat may be
repeated: it only costs tokens. **Do not repeat the creation of a job** unless the answer was 408, 429 or 503: those
were refused before anything was stored, every other failure may have left a job behind. Wait as `Retry-After` says,
else 0.5 s, doubled each time.

## Pages

Listings answer `limit` items (20 unless asked otherwise, 100 at most) with `has_more`. Ask for the next page with
the same query and `after` set to the page's `last_id`, until `has_more` is false. Ids never change, so a page
repeats and nothing is skipped while items are added at the end.

## Streams

With `stream: true` chat answers `text/event-stream`: each `data:` line is one `ChatCompletionChunk`, and
`data: [DONE]` ends it. An error on the way is one event with the error body, then `[DONE]`. After 15 s of silence a
chunk without content is sent. Closing the connection stops the generation.

## What stays

The version of this document is that of the service. Within a minor version nothing is removed or narrowed, nothing
optional becomes required, and answers may gain fields: ignore what you do not know, also new values of `type` and
`code` in errors. Paths below `/v1/preview` may change with a minor version. What this service adds to the one that
it is compatible with carries `x-extension: true`.


Version: 0.1.0*/
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
}
impl Client {
    /// Create a new client.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new(baseurl: &str) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let client = {
            let dur = ::std::time::Duration::from_secs(15u64);
            reqwest::ClientBuilder::new().connect_timeout(dur).timeout(dur)
        };
        #[cfg(target_arch = "wasm32")]
        let client = reqwest::ClientBuilder::new();
        Self::new_with_client(baseurl, client.build().unwrap())
    }
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new_with_client(baseurl: &str, client: reqwest::Client) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
        }
    }
}
impl ClientInfo<()> for Client {
    fn api_version() -> &'static str {
        "0.1.0"
    }
    fn baseurl(&self) -> &str {
        self.baseurl.as_str()
    }
    fn client(&self) -> &reqwest::Client {
        &self.client
    }
    fn inner(&self) -> &() {
        &()
    }
}
const _: () = {
    #[allow(dead_code)]
    fn assert_client_hooks()
    where
        Client: ClientHooks<()>,
    {}
};
#[allow(clippy::all)]
impl Client {
    /**Read Root

Says that the process answers. The one operation without a key, for load balancers.

Sends a `GET` request to `/health`

*/
    pub async fn read_root_health_get<'a>(
        &'a self,
    ) -> Result<ResponseValue<::serde_json::Value>, Error<()>> {
        let url = format!("{}/health", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "read_root_health_get",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**List models

Lists what can be named in `model` of a chat request. The list is not paged.

Sends a `GET` request to `/models`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
- `vendor_project`: What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
*/
    pub async fn list_inference_models<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
    ) -> Result<ResponseValue<types::InferenceModelList>, Error<types::ErrorResponse>> {
        let url = format!("{}/models", self.baseurl,);
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
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "list_inference_models",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
        body: &'a types::ChatCompletionRequest,
    ) -> Result<ResponseValue<types::ChatCompletion>, Error<types::ErrorResponse>> {
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
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_chat_completion",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Health check

Says that the process answers and the key is good; looks at nothing else.

Sends a `GET` request to `/v1/health`

*/
    pub async fn get_health<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::HealthResponse>, Error<types::ErrorResponse>> {
        let url = format!("{}/v1/health", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_health",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Create model

Registers a trainable model, which can be sampled at once. A name is unique within its project. With `return_existing` the model of that name is answered if there is one on the same base model, which makes the request safe to repeat; without, a taken name is 409.

Sends a `POST` request to `/v1/preview/models`

Arguments:
- `body`: Name and base model.
*/
    pub async fn create_model<'a>(
        &'a self,
        body: &'a types::ModelCreate,
    ) -> Result<ResponseValue<types::ModelResponse>, Error<types::ErrorResponse>> {
        let url = format!("{}/v1/preview/models", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_model",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
    ) -> Result<ResponseValue<types::DeleteModelResponse>, Error<types::ErrorResponse>> {
        let url = format!(
            "{}/v1/preview/models/{}", self.baseurl, encode_path(& model_id.to_string()),
        );
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_model",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
    ) -> Result<ResponseValue<types::CheckpointPage>, Error<types::ErrorResponse>> {
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
        #[allow(unused_mut)]
        let mut request = self
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
        let info = OperationInfo {
            operation_id: "list_checkpoints",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Delete model checkpoints

Deletes steps of a model. Steps that are not there are reported, not refused, so that the request may be repeated. Numbers are not used again: after the deletion of step 2 the next one is 3. Training goes on from the newest checkpoint that is left; without any it begins anew from the base model.

Sends a `DELETE` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
- `body`: The steps to delete.
*/
    pub async fn delete_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a types::DeleteCheckpointsRequest,
    ) -> Result<
        ResponseValue<types::DeleteCheckpointsResponse>,
        Error<types::ErrorResponse>,
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
        #[allow(unused_mut)]
        let mut request = self
            .client
            .delete(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "delete_checkpoints",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
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
        body: &'a types::LogRequest,
    ) -> Result<ResponseValue<types::LogResponse>, Error<types::ErrorResponse>> {
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
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "log_trajectories",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Create SFT training job

Queues supervised fine-tuning on a file of conversations. The file is fetched when the job starts, so a URL that
cannot be read shows in the events (`training_failed`), not here.

The file has JSON Lines, one conversation a line: `{"messages": [...], "tools": [...]}`, `tools` optional, at most
16 MiB a line, 1000000 lines and 256 MiB in all. Trained is what the assistant says; conversations longer than the
model's context are left out and counted in `num_dropped_trajectories`.

At most 1000 jobs of one entity may wait or run; more is 429.


Sends a `POST` request to `/v1/preview/sft-training-jobs`

Arguments:
- `body`: The model, the data and the options.
*/
    pub async fn create_sft_training_job<'a>(
        &'a self,
        body: &'a types::CreateSftTrainingJob,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, Error<types::ErrorResponse>> {
        let url = format!("{}/v1/preview/sft-training-jobs", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_sft_training_job",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Create RL training job

Queues reinforcement learning on trajectories. Rewards count relative to their group: answers to the same prompt
belong into one group, and a group whose rewards are all equal teaches nothing. Each conversation of a trajectory
with a choice in it becomes one optimizer step, in the order of the request; those longer than the model's
context are left out and counted in `num_dropped_sequences`. A job with nothing to learn ends well, with a new
step of the same weights.

At most 1000 jobs of one entity may wait or run; more is 429.


Sends a `POST` request to `/v1/preview/training-jobs`

Arguments:
- `body`: The model, the trajectories and the options.
*/
    pub async fn create_training_job<'a>(
        &'a self,
        body: &'a types::CreateTrainingJob,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, Error<types::ErrorResponse>> {
        let url = format!("{}/v1/preview/training-jobs", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .post(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .json(&body)
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "create_training_job",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get training job

Answers the state of a job, RL or SFT. For progress, list its events.

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
*/
    pub async fn get_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, Error<types::ErrorResponse>> {
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
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_training_job",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**Get training job events

Lists the events of a job, RL or SFT, in the order in which they happened; none while it waits. To follow a job, ask about once a second with `after` set to the last id that you have seen, until an event is `training_ended` or `training_failed`: nothing comes after those.

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
        ResponseValue<types::TrainingJobEventPage>,
        Error<types::ErrorResponse>,
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
        #[allow(unused_mut)]
        let mut request = self
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
        let info = OperationInfo {
            operation_id: "list_training_job_events",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
    /**System check

Tries every part: the database, the job queue, and the engine, which computes one token. Each has 10 s. For monitoring, not for each request.

Sends a `GET` request to `/v1/system-check`

*/
    pub async fn get_system_check<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::SystemCheckResponse>, Error<types::ErrorResponse>> {
        let url = format!("{}/v1/system-check", self.baseurl,);
        let mut header_map = ::reqwest::header::HeaderMap::with_capacity(1usize);
        header_map
            .append(
                ::reqwest::header::HeaderName::from_static("api-version"),
                ::reqwest::header::HeaderValue::from_static(Self::api_version()),
            );
        #[allow(unused_mut)]
        let mut request = self
            .client
            .get(url)
            .header(
                ::reqwest::header::ACCEPT,
                ::reqwest::header::HeaderValue::from_static("application/json"),
            )
            .headers(header_map)
            .build()?;
        let info = OperationInfo {
            operation_id: "get_system_check",
        };
        self.pre(&mut request, &info).await?;
        let result = self.exec(request, &info).await;
        self.post(&result, &info).await?;
        let response = result?;
        match response.status().as_u16() {
            200u16 => ResponseValue::from_response(response).await,
            400u16..=499u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            500u16..=599u16 => {
                Err(Error::ErrorResponse(ResponseValue::from_response(response).await?))
            }
            _ => Err(Error::UnexpectedResponse(response)),
        }
    }
}
/// Items consumers will typically use such as the Client.
pub mod prelude {
    #[allow(unused_imports)]
    pub use super::Client;
}
