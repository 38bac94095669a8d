//! HTTP calls to one replica.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::wire::{ErrorBody, ErrorValue};
use crate::telemetry;

/// Time limit of a connection.
const CONNECT: Duration = Duration::from_secs(2);
/// Maximum size of a response that is read as a whole, in bytes. The scores of a long prompt are the largest.
const MAX_RESPONSE: usize = 256 << 20;
/// Maximum length of an error message that is kept, in characters.
const MAX_MESSAGE: usize = 500;

/// Error of a call.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum CallError {
    #[error("it cannot be connected to: {0}")]
    Connect(String),
    #[error("it did not answer in time")]
    Timeout,
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("it answered {status}: {message}")]
    Status { status: u16, message: String },
    #[error("its answer cannot be read: {0}")]
    Unreadable(String),
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        // The URL is known to the reader, and may be long.
        let error = error.without_url();
        let text = crate::error_chain(&error);
        if error.is_connect() {
            Self::Connect(text)
        } else if error.is_timeout() {
            Self::Timeout
        } else {
            Self::Broken(text)
        }
    }
}

/// Bearer token in a file, which is read again when the file changes.
#[derive(Debug, Default)]
pub(super) struct KeyFile {
    path: Option<PathBuf>,
    read: Mutex<Option<(Option<SystemTime>, HeaderValue)>>,
}

impl KeyFile {
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self { path, read: Mutex::default() }
    }

    /// Reads the file if it has changed.
    ///
    /// # Errors
    /// The file cannot be read, or has no key.
    pub(super) fn refresh(&self) -> Result<(), String> {
        let Some(path) = &self.path else { return Ok(()) };
        let failed = |error: &dyn std::fmt::Display| format!("--sampler-key-file {}: {error}", path.display());
        let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let mut read = self.read.lock();
        if read.as_ref().is_some_and(|(known, _)| known.is_some() && *known == modified) {
            return Ok(());
        }
        let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
        let key = text.trim();
        if key.is_empty() {
            return Err(failed(&"the file is empty; write the key of vLLM's --api-key into it"));
        }
        let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|error| failed(&error))?;
        value.set_sensitive(true);
        *read = Some((modified, value));
        Ok(())
    }

    fn header(&self) -> Option<HeaderValue> {
        self.read.lock().as_ref().map(|(_, value)| value.clone())
    }
}

/// Creates the HTTP client of all replicas.
///
/// # Errors
/// The system's certificates cannot be read.
pub(super) fn http() -> Result<reqwest::Client, reqwest::Error> {
    // Replicas are in the operator's network, and a redirect would send the key elsewhere.
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    builder.connect_timeout(CONNECT).tcp_nodelay(true).build()
}

/// HTTP client of one replica.
#[derive(Debug, Clone)]
pub(super) struct ReplicaClient {
    http: reqwest::Client,
    root: Url,
    key: std::sync::Arc<KeyFile>,
}

impl ReplicaClient {
    pub(super) fn new(http: reqwest::Client, root: Url, key: std::sync::Arc<KeyFile>) -> Self {
        Self { http, root, key }
    }

    /// Returns host and port.
    pub(super) fn name(&self) -> String {
        let host = self.root.host_str().unwrap_or_default();
        self.root.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Reads a JSON response.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str, limit: Duration) -> Result<T, CallError> {
        parse(&self.whole(self.request(Method::GET, path)?, limit).await?)
    }

    /// Reads a response of any kind as text.
    pub(super) async fn text(&self, path: &str, limit: Duration) -> Result<String, CallError> {
        let body = self.whole(self.request(Method::GET, path)?, limit).await?;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// Sends a JSON body and reads the whole response.
    pub(super) async fn post(&self, path: &str, body: &impl Serialize, limit: Duration) -> Result<Vec<u8>, CallError> {
        self.whole(self.request(Method::POST, path)?.json(body), limit).await
    }

    /// Sends a JSON body, and returns the response after its head.
    ///
    /// # Errors
    /// The status is no success.
    pub(super) async fn open(&self, path: &str, body: &impl Serialize) -> Result<Response, CallError> {
        success(self.request(Method::POST, path)?.json(body).send().await?).await
    }

    fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, CallError> {
        let url = self.root.join(path).map_err(|error| CallError::Unreadable(error.to_string()))?;
        let mut headers = HeaderMap::new();
        telemetry::propagate(&mut headers);
        let request = self.http.request(method, url).headers(headers);
        Ok(match self.key.header() {
            Some(key) => request.header(http::header::AUTHORIZATION, key),
            None => request,
        })
    }

    async fn whole(&self, request: RequestBuilder, limit: Duration) -> Result<Vec<u8>, CallError> {
        let response = async { read(success(request.send().await?).await?).await };
        tokio::time::timeout(limit, response).await.unwrap_or(Err(CallError::Timeout))
    }
}

/// Parses a JSON body.
pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, CallError> {
    serde_json::from_slice(body).map_err(|error| CallError::Unreadable(error.to_string()))
}

async fn success(response: Response) -> Result<Response, CallError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let body = read(response).await.unwrap_or_default();
    Err(CallError::Status { status: status.as_u16(), message: message(status, &body) })
}

fn message(status: StatusCode, body: &[u8]) -> String {
    let text = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(ErrorBody { error: ErrorValue::Object(error) }) => error.message,
        Ok(ErrorBody { error: ErrorValue::Text(text) }) => text,
        Err(_) => status.canonical_reason().unwrap_or_default().to_owned(),
    };
    text.chars().take(MAX_MESSAGE).collect()
}

async fn read(response: Response) -> Result<Vec<u8>, CallError> {
    let body = crate::client::read(response, MAX_RESPONSE).await?;
    body.ok_or_else(|| CallError::Unreadable(format!("it is larger than {MAX_RESPONSE} bytes")))
}
