//! Retries of requests to an object store behind a network.
//!
//! `object_store` retries some failures itself: refused connections, 5xx, truncated bodies. It does not retry a
//! create-only put with a lost response, nor a request whose body was damaged in transit and rejected with a 4xx. Artifact
//! names are unique, so retrying any request is safe.

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use object_store::Error;
use object_store::retry::{RetryContext, RetryPolicy};
use tokio::time::{Instant, sleep, timeout_at};

/// Backoff before the first retry. Each later one is up to twice as long as the one before.
const INITIAL_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(3);

/// The time limit of one request with all its retries.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetryDeadline {
    /// Total time of all attempts. Zero allows one attempt, of any duration.
    pub(super) total: Duration,
}

impl RetryDeadline {
    /// One attempt: for stores whose failures are permanent, such as the local disk.
    pub(super) const SINGLE_ATTEMPT: Self = Self { total: Duration::ZERO };

    /// Runs `request` until it succeeds, fails permanently, or the deadline passes.
    pub(super) async fn run<T, Request>(self, mut request: impl FnMut() -> Request) -> Result<T, Error>
    where
        Request: Future<Output = Result<T, Error>>,
    {
        if self.total.is_zero() {
            return request().await;
        }
        let deadline = Instant::now() + self.total;
        let mut last = None;
        let mut attempt = 0;
        loop {
            let error = match timeout_at(deadline, request()).await {
                Ok(Err(error)) if is_transient(&error) => error,
                Ok(outcome) => return outcome,
                // The previous failure is more informative than the timeout.
                Err(elapsed) => {
                    return Err(last.unwrap_or_else(|| Error::Generic { store: "S3", source: elapsed.into() }));
                }
            };
            let backoff = backoff(attempt);
            if Instant::now() + backoff >= deadline {
                return Err(error);
            }
            tracing::debug!(%error, attempt, "a request to the artifact store is retried");
            last = Some(error);
            attempt += 1;
            sleep(backoff).await;
        }
    }
}

/// Returns whether the same request may succeed later.
pub(super) fn is_transient(error: &Error) -> bool {
    !matches!(
        error,
        Error::NotFound { .. }
            | Error::AlreadyExists { .. }
            | Error::Precondition { .. }
            | Error::NotModified { .. }
            | Error::NotSupported { .. }
            | Error::NotImplemented { .. }
            | Error::InvalidPath { .. }
            | Error::UnknownConfigurationKey { .. }
            | Error::PermissionDenied { .. }
            | Error::Unauthenticated { .. }
    )
}

/// Exponential backoff with jitter, so that many processes do not retry together.
fn backoff(attempt: u32) -> Duration {
    let longest = INITIAL_BACKOFF.saturating_mul(1 << attempt.min(10)).min(MAX_BACKOFF);
    let (_, random) = uuid::Uuid::new_v4().as_u64_pair();
    longest.mul_f64(0.5 + 0.5 * (random & 0xffff) as f64 / 65536.0)
}

/// Retries of the parts of an upload. They happen inside the upload: a part put twice would become two parts.
#[async_trait]
impl RetryPolicy for RetryDeadline {
    async fn retry(&self, context: RetryContext) -> bool {
        let backoff = backoff(u32::try_from(context.attempt).unwrap_or(u32::MAX));
        if context.elapsed + backoff >= self.total {
            return false;
        }
        sleep(backoff).await;
        true
    }
}
