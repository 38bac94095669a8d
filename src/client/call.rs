//! Sends requests: common headers, retries, and size limits on responses.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use progenitor_client::ResponseValue;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, USER_AGENT};
use reqwest::{Request, Response, StatusCode};
use serde::de::DeserializeOwned;

use super::retry::{IDEMPOTENCY_KEY, retry_after};
use super::{ClientError, Rejection, RetryPolicy};
use crate::generated::types::ErrorResponse;

/// Maximum number of bytes read from an error body.
const MAX_REJECTION: usize = 64 << 10;
/// Maximum number of characters shown of a body that the service did not write.
const SHOWN: usize = 300;

/// A client of the service. Each operation of the OpenAPI document is a method.
///
/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: reqwest::Client,
    pub(super) settings: Arc<Settings>,
    pub(super) idempotency_key: Option<HeaderValue>,
}

pub(super) struct Settings {
    pub(super) authorization: HeaderValue,
    pub(super) user_agent: HeaderValue,
    pub(super) retries: RetryPolicy,
    pub(super) largest_answer: usize,
}

/// Omits the API key.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base_url", &self.baseurl)
            .field("retries", &self.settings.retries)
            .field("idempotency_key", &self.idempotency_key)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Returns the root URL of the service, without `/v1` and without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.baseurl
    }

    /// Returns a client that sends `key` as `Idempotency-Key` with each POST and retries POSTs like reads. The client
    /// never retries a POST without a key. Use a new key, for example a UUID, for each object to create.
    ///
    /// The service executes create requests for models, training jobs, files and checkpoints once per key. If the
    /// response to a successful request is lost, the retry returns the object that the first attempt created. A
    /// different request with the same key fails with 422. Other POSTs ignore the key, so a retry repeats their work.
    ///
    /// ```no_run
    /// # async fn example(client: trainyard::client::Client, body: trainyard::client::types::CreateTrainingJob)
    /// # -> Result<(), trainyard::client::ClientError> {
    /// let job = client.with_idempotency_key("round-17")?.create_training_job(&body).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the key is empty or contains characters that are not allowed in a header.
    pub fn with_idempotency_key(&self, key: &str) -> Result<Self, ClientError> {
        let value = HeaderValue::from_str(key).ok().filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| {
            ClientError::Header("an idempotency key is a text of printable ASCII, say a UUID".to_owned())
        })?;
        Ok(Self { idempotency_key: Some(value), ..self.clone() })
    }

    /// Returns the version of the OpenAPI document, which every request carries.
    pub(crate) fn api_version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Sends the request of a generated method and parses the response.
    pub(crate) async fn call<T: DeserializeOwned>(&self, request: Request) -> Result<ResponseValue<T>, ClientError> {
        let limit = self.settings.largest_answer;
        self.send(request, |response| async move {
            let (status, headers) = (response.status(), response.headers().clone());
            let body = read(response, limit).await?.ok_or(ClientError::AnswerTooLarge { limit })?;
            match serde_json::from_slice(&body) {
                Ok(value) => Ok(ResponseValue::new(value, status, headers)),
                Err(error) => Err(ClientError::UnexpectedAnswer {
                    status: status.as_u16(),
                    request_id: request_id(&headers),
                    reason: format!("{error} in: {}", beginning(&body)),
                }),
            }
        })
        .await
    }

    /// Sends a request with the policy's retries and calls `read` with each successful response.
    pub(super) async fn send<T, F: Future<Output = Result<T, ClientError>>>(
        &self,
        mut request: Request,
        read: impl Fn(Response) -> F,
    ) -> Result<T, ClientError> {
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, self.settings.authorization.clone());
        headers.insert(USER_AGENT, self.settings.user_agent.clone());
        if let Some(key) = &self.idempotency_key
            && request.method() == reqwest::Method::POST
        {
            request.headers_mut().insert(IDEMPOTENCY_KEY, key.clone());
        }
        let attempts = self.settings.retries.attempts(&request);
        for failed in 1..attempts {
            let Some(attempt) = request.try_clone() else { break };
            match self.attempt(attempt, &read).await {
                Ok(value) => return Ok(value),
                Err(error) => match self.settings.retries.delay(failed, &error) {
                    Some(delay) => tokio::time::sleep(delay).await,
                    None => return Err(error),
                },
            }
        }
        self.attempt(request, &read).await
    }

    async fn attempt<T, F: Future<Output = Result<T, ClientError>>>(
        &self,
        request: Request,
        read: &impl Fn(Response) -> F,
    ) -> Result<T, ClientError> {
        let response = self.client.execute(request).await?;
        // 304 is the expected response to a request with `If-None-Match`.
        let is_good = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        if is_good { read(response).await } else { Err(rejection(response).await) }
    }
}

/// Reads the body. Returns `None` if it is larger than `limit`.
pub(crate) async fn read(mut response: Response, limit: usize) -> reqwest::Result<Option<Vec<u8>>> {
    let announced = response.content_length().unwrap_or(0);
    if announced > limit as u64 {
        return Ok(None);
    }
    // `Content-Length` is untrusted: memory grows with the bytes received.
    let mut body = Vec::with_capacity(usize::try_from(announced).unwrap_or(0).min(1 << 20));
    while let Some(chunk) = response.chunk().await? {
        if chunk.len() > limit - body.len() {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Converts an error response to a `ClientError`.
async fn rejection(mut response: Response) -> ClientError {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    // If the connection breaks or the body never ends, the bytes received so far are used.
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk[..chunk.len().min(MAX_REJECTION - body.len())]);
        if body.len() == MAX_REJECTION {
            break;
        }
    }
    let detail = serde_json::from_slice::<ErrorResponse>(&body).ok().map(|body| body.error);
    let should_retry = headers.get("x-should-retry").and_then(|value| value.to_str().ok()?.parse().ok());
    ClientError::Rejected(Box::new(Rejection {
        status,
        request_id: request_id(&headers),
        body_start: if detail.is_some() { String::new() } else { beginning(&body) },
        detail,
        retry_after: retry_after(&headers, SystemTime::now()),
        should_retry,
    }))
}

/// Returns the service's request id.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned)
}

/// Returns the beginning of a body as one line of text without control characters.
pub(super) fn beginning(body: &[u8]) -> String {
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn a_page_is_shown_as_one_short_line() {
        assert_eq!(beginning(b"<html>\r\n  <b>\x1b[31mdown</b>\n"), "<html> <b> [31mdown</b>");
        let long = beginning("é ".repeat(5000).as_bytes());
        assert_eq!(long.chars().count(), 301);
        assert_eq!(beginning(b"\xff"), "\u{fffd}");
    }
}
