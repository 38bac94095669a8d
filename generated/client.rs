// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
#[allow(unused_imports)]
pub use progenitor_client::{ByteStream, ClientInfo, Error, ResponseValue};
#[allow(unused_imports)]
use progenitor_client::{encode_path, ClientHooks, OperationInfo, RequestBuilderExt};
pub use super::types;
#[derive(Clone, Debug)]
/**Client for Trainyard

Register trainable models, sample them through an OpenAI-compatible chat endpoint, send scored
trajectories or examples, and get a better model back.

Every operation but `GET /health` needs an API key, sent as a bearer token. Unknown fields are
accepted in every body. Every refusal is an `ErrorResponse`.


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

Sends a `GET` request to `/models`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, as OpenAI client libraries send it.
- `vendor_project`: `team/project` that the usage is recorded under.
*/
    pub async fn list_inference_models<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
    ) -> Result<
        ResponseValue<crate::generated::types::InferenceModelList>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Answers with one JSON document, or with server-sent events when `stream` is true.

Sends a `POST` request to `/v1/chat/completions`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, as OpenAI client libraries send it.
- `vendor_project`: `team/project` that the usage is recorded under.
- `body`
*/
    pub async fn create_chat_completion<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
        body: &'a crate::generated::types::ChatCompletionRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::ChatCompletion>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Sends a `GET` request to `/v1/health`

*/
    pub async fn get_health<'a>(
        &'a self,
    ) -> Result<
        ResponseValue<crate::generated::types::HealthResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Sends a `POST` request to `/v1/preview/models`

*/
    pub async fn create_model<'a>(
        &'a self,
        body: &'a crate::generated::types::ModelCreate,
    ) -> Result<
        ResponseValue<crate::generated::types::ModelResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Deletes the model with every checkpoint of it.

Sends a `DELETE` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: Id of a model; a UUID.
*/
    pub async fn delete_model<'a>(
        &'a self,
        model_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteModelResponse>,
        Error<crate::generated::types::ErrorResponse>,
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

Sends a `GET` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: Id of a model; a UUID.
- `after`: Id of the last item of the page before.
- `limit`: Items on a page.
- `order`: Oldest or newest first.
*/
    pub async fn list_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::SortOrder>,
    ) -> Result<
        ResponseValue<crate::generated::types::CheckpointPage>,
        Error<crate::generated::types::ErrorResponse>,
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

Sends a `DELETE` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: Id of a model; a UUID.
- `body`
*/
    pub async fn delete_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a crate::generated::types::DeleteCheckpointsRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::DeleteCheckpointsResponse>,
        Error<crate::generated::types::ErrorResponse>,
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

Keeps trajectory groups without training on them.

Sends a `POST` request to `/v1/preview/models/{model_id}/log`

Arguments:
- `model_id`: Id of a model; a UUID.
- `body`
*/
    pub async fn log_trajectories<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a crate::generated::types::LogRequest,
    ) -> Result<
        ResponseValue<crate::generated::types::LogResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Sends a `POST` request to `/v1/preview/sft-training-jobs`

*/
    pub async fn create_sft_training_job<'a>(
        &'a self,
        body: &'a crate::generated::types::CreateSftTrainingJob,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Sends a `POST` request to `/v1/preview/training-jobs`

*/
    pub async fn create_training_job<'a>(
        &'a self,
        body: &'a crate::generated::types::CreateTrainingJob,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: Id of a training job; a UUID.
*/
    pub async fn get_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobResponse>,
        Error<crate::generated::types::ErrorResponse>,
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

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}/events`

Arguments:
- `training_job_id`: Id of a training job; a UUID.
- `after`: Id of the last item of the page before.
- `limit`: Items on a page.
- `order`: Oldest or newest first.
*/
    pub async fn list_training_job_events<'a>(
        &'a self,
        training_job_id: &'a str,
        after: Option<&'a str>,
        limit: Option<u32>,
        order: Option<types::SortOrder>,
    ) -> Result<
        ResponseValue<crate::generated::types::TrainingJobEventPage>,
        Error<crate::generated::types::ErrorResponse>,
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

Sends a `GET` request to `/v1/system-check`

*/
    pub async fn get_system_check<'a>(
        &'a self,
    ) -> Result<
        ResponseValue<crate::generated::types::SystemCheckResponse>,
        Error<crate::generated::types::ErrorResponse>,
    > {
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
