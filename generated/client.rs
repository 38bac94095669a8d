// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, missing_docs, unused_imports)]
use progenitor_client::{RequestBuilderExt, ResponseValue, encode_path};
use super::types;
use crate::client::{Client, ClientError};
impl Client {
    /**Read Root

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

Sends a `GET` request to `/inference/v1/models`

Arguments:
- `open_ai_project`: The same as `Vendor-Project`, as OpenAI client libraries send it.
- `vendor_project`: `team/project` that the usage is recorded under.
*/
    pub async fn list_inference_models<'a>(
        &'a self,
        open_ai_project: Option<&'a str>,
        vendor_project: Option<&'a str>,
    ) -> Result<ResponseValue<types::InferenceModelList>, ClientError> {
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
        body: &'a types::ChatCompletionRequest,
    ) -> Result<ResponseValue<types::ChatCompletion>, ClientError> {
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
    /**Health check

Sends a `GET` request to `/v1/health`

*/
    pub async fn get_health<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::HealthResponse>, ClientError> {
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
    /**Create model

Sends a `POST` request to `/v1/preview/models`

*/
    pub async fn create_model<'a>(
        &'a self,
        body: &'a types::ModelCreate,
    ) -> Result<ResponseValue<types::ModelResponse>, ClientError> {
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
    /**Delete model

Deletes the model with every checkpoint of it.

Sends a `DELETE` request to `/v1/preview/models/{model_id}`

Arguments:
- `model_id`: Id of a model; a UUID.
*/
    pub async fn delete_model<'a>(
        &'a self,
        model_id: &'a str,
    ) -> Result<ResponseValue<types::DeleteModelResponse>, ClientError> {
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
    ) -> Result<ResponseValue<types::CheckpointPage>, ClientError> {
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

Sends a `DELETE` request to `/v1/preview/models/{model_id}/checkpoints`

Arguments:
- `model_id`: Id of a model; a UUID.
- `body`
*/
    pub async fn delete_checkpoints<'a>(
        &'a self,
        model_id: &'a str,
        body: &'a types::DeleteCheckpointsRequest,
    ) -> Result<ResponseValue<types::DeleteCheckpointsResponse>, ClientError> {
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
        body: &'a types::LogRequest,
    ) -> Result<ResponseValue<types::LogResponse>, ClientError> {
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

Sends a `POST` request to `/v1/preview/sft-training-jobs`

*/
    pub async fn create_sft_training_job<'a>(
        &'a self,
        body: &'a types::CreateSftTrainingJob,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, ClientError> {
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Create RL training job

Sends a `POST` request to `/v1/preview/training-jobs`

*/
    pub async fn create_training_job<'a>(
        &'a self,
        body: &'a types::CreateTrainingJob,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, ClientError> {
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
            .headers(header_map)
            .build()?;
        self.call(request).await
    }
    /**Get training job

Sends a `GET` request to `/v1/preview/training-jobs/{training_job_id}`

Arguments:
- `training_job_id`: Id of a training job; a UUID.
*/
    pub async fn get_training_job<'a>(
        &'a self,
        training_job_id: &'a str,
    ) -> Result<ResponseValue<types::TrainingJobResponse>, ClientError> {
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
    ) -> Result<ResponseValue<types::TrainingJobEventPage>, ClientError> {
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
    /**System check

Sends a `GET` request to `/v1/system-check`

*/
    pub async fn get_system_check<'a>(
        &'a self,
    ) -> Result<ResponseValue<types::SystemCheckResponse>, ClientError> {
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
}
