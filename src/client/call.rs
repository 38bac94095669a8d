//! What every call goes through: the caller's headers, retries, and answers that are read within bounds.

use std::{fmt, sync::Arc, time::SystemTime};

use progenitor_client::ResponseValue;
use reqwest::{
    Request, Response, StatusCode,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, USER_AGENT},
};
use serde::de::DeserializeOwned;

use super::{
    ClientError, Refusal, RetryPolicy,
    builder::ClientBuilder,
    retry::{IDEMPOTENCY_KEY, retry_after},
};
use crate::generated::types::ErrorResponse;

/// The most that is read of an error's body, bytes.
const LARGEST_REFUSAL: usize = 64 << 10;
/// What is shown of a body that is not the service's, characters.
const SHOWN: usize = 300;

/// A client of the service: its methods are the operations of the document.
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

/// Without the API key.
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
    /// Settings for a client.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client by the environment: `TRAINYARD_BASE_URL` (`http://127.0.0.1:8000` unless set) and `TRAINYARD_API_KEY`.
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::build`].
    pub fn from_env() -> Result<Self, ClientError> {
        ClientBuilder::from_env().build()
    }

    /// The root of the service, without `/v1` and without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.baseurl
    }

    /// A client whose POSTs carry `key` in `Idempotency-Key` and are tried again as reads are. Without a key no POST
    /// is. Take a new key, say a UUID, for each thing to create.
    ///
    /// The service carries out the creates of one key once: models, training jobs, files and checkpoints. When the answer to a call that
    /// worked gets lost, the next attempt finds what it created. Another request under the same key is refused with 422.
    /// Other POSTs take no key, so an attempt that follows does the work again.
    ///
    /// ```no_run
    /// # async fn example(client: trainyard::client::Client, body: trainyard::client::types::CreateTrainingJob)
    /// # -> Result<(), trainyard::client::ClientError> {
    /// let job = client.with_idempotency_key("round-17")?.create_training_job(None, &body).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the key is empty or has characters that no header can have.
    pub fn with_idempotency_key(&self, key: &str) -> Result<Self, ClientError> {
        let value = HeaderValue::from_str(key).ok().filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| {
            ClientError::Header("an idempotency key is a text of printable ASCII, say a UUID".to_owned())
        })?;
        Ok(Self { idempotency_key: Some(value), ..self.clone() })
    }

    /// The version of the document, which every request carries.
    pub(crate) fn api_version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Sends a request of a generated method and reads its answer.
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

    /// Sends a request, more than once where that is safe, and gives `read` each answer with a good status.
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
        // 304 is what a caller asks for who names what it has.
        let is_good = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        if is_good { read(response).await } else { Err(refusal(response).await) }
    }
}

/// The body, or none when it is larger than `limit`.
async fn read(mut response: Response, limit: usize) -> Result<Option<Vec<u8>>, ClientError> {
    let announced = response.content_length().unwrap_or(0);
    if announced > limit as u64 {
        return Ok(None);
    }
    // The announced length is a claim: memory follows what arrives.
    let mut body = Vec::with_capacity(usize::try_from(announced).unwrap_or(0).min(1 << 20));
    while let Some(chunk) = response.chunk().await? {
        if chunk.len() > limit - body.len() {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// What an answer with an error status says.
async fn refusal(mut response: Response) -> ClientError {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    // A body that breaks off or never ends still has a beginning.
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk[..chunk.len().min(LARGEST_REFUSAL - body.len())]);
        if body.len() == LARGEST_REFUSAL {
            break;
        }
    }
    let detail = serde_json::from_slice::<ErrorResponse>(&body).ok().map(|body| body.error);
    let should_retry = headers.get("x-should-retry").and_then(|value| value.to_str().ok()?.parse().ok());
    ClientError::Refused(Box::new(Refusal {
        status,
        request_id: request_id(&headers),
        body_start: if detail.is_some() { String::new() } else { beginning(&body) },
        detail,
        retry_after: retry_after(&headers, SystemTime::now()),
        should_retry,
    }))
}

/// The service's id of a request.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned)
}

/// The beginning of a body for a person: one line without control characters.
pub(super) fn beginning(body: &[u8]) -> String {
    // A character takes at most four bytes.
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
