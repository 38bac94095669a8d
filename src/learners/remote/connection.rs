//! Calls of a remote learner: deadlines, repeated requests, and the watch over a learner that is silent.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use progenitor_client::{ByteStream, ClientHooks, ClientInfo, OperationInfo};
use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue},
};
use tokio::{runtime::Handle, time::timeout};

use super::error::{Failure, RemoteError};
use crate::generated::learner_client::{Client, types::Health};
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
/// Maximum size of an answer that is not a file of tensors.
const MAX_SMALL_ANSWER: usize = 1 << 20;

/// Times after which a learner is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimits {
    /// Time to wait for a learner that starts: until it opens a session.
    pub start: Duration,
    /// Interval of the questions for its health during a call.
    pub health_interval: Duration,
    /// Time limit of each answer to them. A learner that misses two in a row is given up.
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

/// A learner that is reached by URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnerServer {
    /// Scheme, host and port.
    pub url: Url,
    /// File of the key that the learner was started with, read at the opening of each session.
    pub key_file: Option<PathBuf>,
    /// Times after which it is given up.
    pub(crate) time_limits: TimeLimits,
}

impl LearnerServer {
    /// Creates a learner with the default times.
    pub fn new(url: Url, key_file: Option<PathBuf>) -> Self {
        Self { url, key_file, time_limits: TimeLimits::default() }
    }

    /// Gives the learner less time to be ready than a job does.
    pub(crate) fn starting_within(mut self, limit: Duration) -> Self {
        self.time_limits.start = limit;
        self
    }

    /// Returns the address for messages and for the client.
    pub(crate) fn address(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }
}

/// A connection of one session.
pub(super) struct Connection {
    pub(super) server: LearnerServer,
    pub(super) client: Client,
    runtime: Handle,
    cancel: Arc<AtomicBool>,
}

impl Connection {
    /// Creates a connection, on a thread that may block. No request is sent.
    pub(super) fn new(server: &LearnerServer, runtime: Handle, cancel: Arc<AtomicBool>) -> Result<Self, RemoteError> {
        let failed = |reason: String| RemoteError::Unreachable { learner: server.address().to_owned(), reason };
        let mut headers = HeaderMap::new();
        if let Some(path) = &server.key_file {
            let unusable = |reason: String| RemoteError::Key {
                learner: server.address().to_owned(),
                path: path.display().to_string(),
                reason,
            };
            let key = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
            let value = HeaderValue::from_str(&format!("Bearer {}", key.trim()));
            let mut value = value.map_err(|_| unusable("it has characters that no header can have".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        // The requests of a session belong to the trace of its job.
        telemetry::propagate(&mut headers);
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_keepalive(KEEP_ALIVE)
            // A learner is in the worker's own network, and a redirect would take the key elsewhere.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let client = Client::new_with_client(server.address(), client);
        Ok(Self { server: server.clone(), client, runtime, cancel })
    }

    /// Sends a request until it is answered, its deadline passes, the learner is silent or the job is cancelled. The
    /// same request is sent again after a broken connection, so each must be repeatable.
    pub(super) fn call<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        operation: &'static str,
        deadline: Duration,
        request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        self.until(self.cancelled(), operation, deadline, request)
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
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                answer = self.answer(operation, deadline, request) => answer,
                () = cancelled => Err(RemoteError::Cancelled),
                error = self.silence(operation) => Err(error),
            }
        })
    }

    async fn answer<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        operation: &'static str,
        deadline: Duration,
        mut request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        let mut pauses = RETRY_PAUSES.into_iter();
        let answer = async {
            loop {
                let failure = match request().await {
                    Ok(answer) => return Ok(answer),
                    Err(failure) => failure,
                };
                let pause = match &failure {
                    failure if failure.is_transport() => pauses.next(),
                    failure if failure.is_busy() => Some(BUSY_PAUSE),
                    _ => None,
                };
                let Some(pause) = pause else { return Err(failure.of(self.server.address(), operation)) };
                tracing::debug!(?failure, operation, "the request is sent again");
                tokio::time::sleep(pause).await;
            }
        };
        timeout(deadline, answer).await.unwrap_or_else(|_| Err(self.silent(operation, deadline)))
    }

    /// Opens a session as [`Self::call`] does, and waits meanwhile for a learner that is not there, starts, has no
    /// capacity or does not know the key yet.
    pub(super) fn open<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        mut request: impl FnMut() -> F,
    ) -> Result<T, RemoteError> {
        const OPERATION: &str = "the opening of a session";
        let begin = Instant::now();
        let mut reported = false;
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(RemoteError::Cancelled);
            }
            let answer = self.runtime.block_on(async {
                tokio::select! {
                    biased;
                    answer = timeout(self.server.time_limits.call, request()) => answer,
                    () = self.cancelled() => Ok(Err(Failure::Transport("cancelled".to_owned()))),
                }
            });
            let failure = match answer {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::Transport("it does not answer".to_owned()),
            };
            let is_awaited = failure.is_transport() || failure.is_busy() || failure.is_unauthorized();
            if !is_awaited || begin.elapsed() >= self.server.time_limits.start {
                return Err(failure.of(self.server.address(), OPERATION));
            }
            if !std::mem::replace(&mut reported, true) {
                tracing::warn!(learner = self.server.address(), ?failure, "waiting for the learner");
            }
            self.runtime.block_on(async {
                tokio::select! {
                    () = tokio::time::sleep(BUSY_PAUSE) => {}
                    () = self.cancelled() => {}
                }
            });
        }
    }

    /// Runs a request that nobody waits for.
    pub(super) fn detach(&self, request: impl Future<Output = ()> + Send + 'static) {
        let limit = self.server.time_limits.health_timeout;
        self.runtime.spawn(async move { timeout(limit, request).await });
    }

    /// Completes when the job is cancelled.
    async fn cancelled(&self) {
        while !self.cancel.load(Ordering::Relaxed) {
            tokio::time::sleep(CANCEL_INTERVAL).await;
        }
    }

    /// Completes when the learner misses two questions for its health in a row. It answers them while it computes.
    async fn silence(&self, operation: &'static str) -> RemoteError {
        let begin = Instant::now();
        let mut missed = 0;
        while missed < 2 {
            tokio::time::sleep(self.server.time_limits.health_interval).await;
            match timeout(self.server.time_limits.health_timeout, self.client.get_health()).await {
                Err(_) => missed += 1,
                // A refused connection is the call's own to report.
                Ok(_) => missed = 0,
            }
        }
        self.silent(operation, begin.elapsed())
    }

    fn silent(&self, operation: &'static str, seconds: Duration) -> RemoteError {
        RemoteError::Silent { learner: self.server.address().to_owned(), operation, seconds }
    }

    /// Returns the learner's description of itself.
    pub(super) async fn health(client: &Client, limit: Duration) -> Result<Health, Failure> {
        let health = timeout(limit, client.get_health()).await;
        let health = health.map_err(|_| Failure::Transport("it does not say how it is".to_owned()))?;
        Ok(health?.into_inner())
    }
}

/// Reads an answer of at most `limit` bytes.
pub(super) async fn read(mut stream: ByteStream, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Failure::Transport(error.to_string()))?;
        if bytes.len() + chunk.len() > limit {
            return Err(Failure::Answer(format!("it has more than {limit} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Bounds the answers that the generated methods read as a whole: those in JSON, and errors.
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
        let bounded = |body| reqwest::Body::wrap(http_body_util::Limited::new(body, MAX_SMALL_ANSWER));
        Ok(reqwest::Response::from(response.map(bounded)))
    }
}
