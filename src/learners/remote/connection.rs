//! Calls of a remote learner: deadlines, repeated requests, and the watch over a learner that is silent.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use progenitor_client::{ByteStream, ClientHooks, ClientInfo, OperationInfo};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, InvalidHeaderValue};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::error::{Failure, RemoteError};
use super::launch::LaunchOptions;
use crate::generated::learner_client::Client;
use crate::generated::learner_client::types::Health;
use crate::telemetry;

/// Time limit for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval of keep-alive packets, which find a machine that is gone.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Pauses before the same request is sent again after a broken connection.
const RETRY_PAUSES: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];
/// Pause before the same request is sent again to a learner that has no capacity.
const BUSY_PAUSE: Duration = Duration::from_secs(1);
/// Interval of the checks whether the job was cancelled.
const CANCEL_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum size of a response that is not a file of tensors.
const MAX_SMALL_RESPONSE: usize = 1 << 20;

/// Times after which a learner is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimits {
    /// Time to wait for a learner that starts: until it opens a session.
    pub start: Duration,
    /// Interval of the questions for its health during a call.
    pub health_interval: Duration,
    /// Time limit of each response to them. A learner that misses two in a row is given up.
    pub health_timeout: Duration,
    /// Time limit of a call before any was measured, and the least one afterwards.
    pub call: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30 * 60),
            health_interval: Duration::from_secs(10),
            health_timeout: Duration::from_secs(10),
            call: Duration::from_secs(30 * 60),
        }
    }
}

/// The learner of a base model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnerServer {
    /// Where it runs.
    pub address: LearnerAddress,
    /// File of the key for the address, read at the opening of each session.
    pub key_file: Option<PathBuf>,
    /// Times after which it is given up.
    pub(crate) time_limits: TimeLimits,
}

/// Place of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnerAddress {
    /// It runs already, at this address.
    Url(Url),
    /// It is started as a job of the Ray cluster whose head has this address.
    Ray(Url, LaunchOptions),
}

impl fmt::Display for LearnerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, url) = match self {
            Self::Url(url) => ("", url),
            Self::Ray(url, _) => ("ray=", url),
        };
        write!(formatter, "{kind}{}", url.as_str().trim_end_matches('/'))
    }
}

impl LearnerServer {
    /// Creates a learner with the default times.
    pub fn new(address: LearnerAddress, key_file: Option<PathBuf>) -> Self {
        Self { address, key_file, time_limits: TimeLimits::default() }
    }

    /// Changes the time that the learner has to be ready.
    pub(crate) fn starting_within(mut self, limit: Duration) -> Self {
        self.time_limits.start = limit;
        self
    }
}

/// Returns the header of a key.
pub(super) fn bearer(key: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {key}"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Reads the key of a learner or cluster from its file, as a header.
pub(super) fn authorization(learner: &str, key_file: Option<&Path>) -> Result<Option<HeaderValue>, RemoteError> {
    let Some(path) = key_file else { return Ok(None) };
    let unusable =
        |reason: String| RemoteError::Key { learner: learner.to_owned(), path: path.display().to_string(), reason };
    let key = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    let value = bearer(key.trim()).map_err(|_| unusable("it has characters that no header can have".to_owned()))?;
    Ok(Some(value))
}

/// Creates a client for learners and clusters.
pub(super) fn http_client(learner: &str, authorization: Option<HeaderValue>) -> Result<reqwest::Client, RemoteError> {
    let mut headers = HeaderMap::new();
    headers.extend(authorization.map(|value| (AUTHORIZATION, value)));
    // The requests of a session belong to the trace of its job.
    telemetry::propagate(&mut headers);
    let client = reqwest::Client::builder()
        .default_headers(headers)
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(KEEP_ALIVE)
        // A learner is in the worker's own network, and a redirect would take the key elsewhere.
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build();
    client.map_err(|error| RemoteError::Unreachable { learner: learner.to_owned(), reason: error.to_string() })
}

/// A connection of one session.
pub(super) struct Connection {
    /// Address of the learner.
    pub(super) learner: String,
    pub(super) time_limits: TimeLimits,
    pub(super) client: Client,
    caller: Caller,
}

impl Connection {
    /// Creates a connection, on a thread that may block. No request is sent.
    pub(super) fn new(
        url: &Url,
        authorization: Option<HeaderValue>,
        time_limits: TimeLimits,
        caller: Caller,
    ) -> Result<Self, RemoteError> {
        let learner = url.as_str().trim_end_matches('/').to_owned();
        let client = Client::new_with_client(&learner, http_client(&learner, authorization)?);
        Ok(Self { learner, time_limits, client, caller })
    }

    /// Sends a request until its response is there, its deadline passes, the learner is silent or the job is cancelled. The
    /// same request is sent again after a broken connection, so each must be repeatable.
    pub(super) fn call<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        operation: &'static str,
        deadline: Duration,
        request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        self.until(self.caller.cancelled(), operation, deadline, request)
    }

    /// Like [`Self::call`], and not stopped by a cancelled job.
    pub(super) fn finish<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        operation: &'static str,
        deadline: Duration,
        request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        self.until(std::future::pending(), operation, deadline, request)
    }

    /// Like [`Self::call`], cancelled when `cancelled` completes.
    fn until<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        cancelled: impl Future<Output = ()>,
        operation: &'static str,
        deadline: Duration,
        request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        self.caller.runtime.block_on(async {
            tokio::select! {
                biased;
                response = self.response(operation, deadline, request) => response,
                () = cancelled => Err(RemoteError::Cancelled),
                error = self.silence(operation) => Err(error),
            }
        })
    }

    async fn response<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        operation: &'static str,
        deadline: Duration,
        mut request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        let mut pauses = RETRY_PAUSES.into_iter();
        let response = async {
            loop {
                let failure = match request().await {
                    Ok(response) => return Ok(response),
                    Err(failure) => failure,
                };
                let pause = match &failure {
                    failure if failure.is_transport() => pauses.next(),
                    failure if failure.is_busy() => Some(BUSY_PAUSE),
                    _ => None,
                };
                let Some(pause) = pause else { return Err(failure.of(&self.learner, operation)) };
                tracing::debug!(?failure, operation, "the request is sent again");
                tokio::time::sleep(pause).await;
            }
        };
        timeout(deadline, response).await.unwrap_or_else(|_| Err(self.silent(operation, deadline)))
    }

    /// Opens a session as [`Self::call`] does, and waits until `deadline` for a learner that is not there, starts, has no
    /// capacity or does not know the key yet. Tells each reason to `waiting`.
    pub(super) fn open<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        deadline: Instant,
        waiting: &mut dyn FnMut(&str),
        mut request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        const OPERATION: &str = "the opening of a session";
        loop {
            let response = async { timeout(self.time_limits.call, request()).await };
            let failure = match self.caller.unless_cancelled(response)? {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::Transport("it does not answer".to_owned()),
            };
            let is_awaited = failure.is_transport() || failure.is_busy() || failure.is_unauthorized();
            let error = failure.of(&self.learner, OPERATION);
            if !is_awaited || Instant::now() >= deadline {
                return Err(error);
            }
            waiting(&error.to_string());
            self.caller.unless_cancelled(async { tokio::time::sleep(BUSY_PAUSE).await })?;
        }
    }

    /// Runs a request that nobody waits for.
    pub(super) fn detach(&self, request: impl Future<Output = ()> + Send + 'static) {
        let limit = self.time_limits.health_timeout;
        self.caller.runtime.spawn(async move { timeout(limit, request).await });
    }

    /// Completes when the learner misses two questions for its health in a row. It responds to them while it computes.
    async fn silence(&self, operation: &'static str) -> RemoteError {
        let begin = Instant::now();
        let mut missed = 0;
        while missed < 2 {
            tokio::time::sleep(self.time_limits.health_interval).await;
            match timeout(self.time_limits.health_timeout, self.client.get_health()).await {
                Err(_) => missed += 1,
                // A refused connection is the call's own to report.
                Ok(_) => missed = 0,
            }
        }
        self.silent(operation, begin.elapsed())
    }

    fn silent(&self, operation: &'static str, seconds: Duration) -> RemoteError {
        RemoteError::Silent { learner: self.learner.clone(), operation, seconds }
    }

    /// Returns the learner's description of itself.
    pub(super) async fn health(client: &Client, limit: Duration) -> Result<Health, Failure> {
        let health = timeout(limit, client.get_health()).await;
        let health = health.map_err(|_| Failure::Transport("it does not say how it is".to_owned()))?;
        Ok(health?.into_inner())
    }
}

/// A thread that blocks on calls until its job is cancelled.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) runtime: Handle,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Caller {
    /// Completes when the job is cancelled.
    async fn cancelled(&self) {
        while !self.cancel.load(Ordering::Relaxed) {
            tokio::time::sleep(CANCEL_INTERVAL).await;
        }
    }

    /// Blocks on a future until the job is cancelled.
    pub(super) fn unless_cancelled<F: Future>(&self, future: F) -> Result<F::Output, RemoteError> {
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.cancelled() => Err(RemoteError::Cancelled),
                output = future => Ok(output),
            }
        })
    }
}

/// Reads a response of at most `limit` bytes.
pub(super) async fn read(mut stream: ByteStream, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Failure::Transport(error.to_string()))?;
        if bytes.len() + chunk.len() > limit {
            return Err(Failure::Malformed(format!("it has more than {limit} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Bounds the responses that the generated methods read as a whole: those in JSON, and errors.
impl ClientHooks for Client {
    async fn exec(&self, request: reqwest::Request, _: &OperationInfo) -> reqwest::Result<reqwest::Response> {
        let response = self.client().execute(request).await?;
        let is_file = response
            .headers()
            .get(reqwest::header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"application/octet-stream"));
        if is_file && response.status().is_success() {
            return Ok(response);
        }
        let response = http::Response::from(response);
        let bounded = |body| reqwest::Body::wrap(http_body_util::Limited::new(body, MAX_SMALL_RESPONSE));
        Ok(reqwest::Response::from(response.map(bounded)))
    }
}
