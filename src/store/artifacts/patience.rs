//! Trying again what an object store behind a network failed to do.
//!
//! `object_store` repeats some failures itself: refused connections, 5xx, bodies that end early. It does not repeat a
//! create-only put whose answer was lost, nor a request whose body was damaged on its way, which the server refuses with
//! a 4xx. Artifacts have names of their own, so repeating any request is safe.

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use object_store::Error;
use object_store::retry::{RetryContext, RetryPolicy};
use tokio::time::{Instant, sleep, timeout_at};

/// Pause before the first repetition; each later one is up to twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// How long to go on with one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Zero tries once.
    pub(super) deadline: Duration,
}

impl Patience {
    /// For what fails the same way at once, such as the local disk.
    pub(super) const NONE: Self = Self { deadline: Duration::ZERO };

    /// Repeats `request` until it succeeds, fails in a way that will not pass, or the time is up.
    pub(super) async fn repeat<T, Request>(self, mut request: impl FnMut() -> Request) -> Result<T, Error>
    where
        Request: Future<Output = Result<T, Error>>,
    {
        if self.deadline.is_zero() {
            return request().await;
        }
        let deadline = Instant::now() + self.deadline;
        let mut last = None;
        let mut attempt = 0;
        loop {
            let error = match timeout_at(deadline, request()).await {
                Ok(Err(error)) if may_pass(&error) => error,
                Ok(outcome) => return outcome,
                // The failure before says more than that the time is up.
                Err(elapsed) => {
                    return Err(last.unwrap_or_else(|| Error::Generic { store: "S3", source: elapsed.into() }));
                }
            };
            let pause = pause(attempt);
            if Instant::now() + pause >= deadline {
                return Err(error);
            }
            tracing::debug!(%error, attempt, "a request to the artifact store is repeated");
            last = Some(error);
            attempt += 1;
            sleep(pause).await;
        }
    }
}

/// Whether the same request may succeed later.
pub(super) fn may_pass(error: &Error) -> bool {
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

/// A random part of a time that doubles, so that many processes do not come back together.
fn pause(attempt: u32) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << attempt.min(10)).min(LONGEST_PAUSE);
    let (_, random) = uuid::Uuid::new_v4().as_u64_pair();
    longest.mul_f64(0.5 + 0.5 * (random & 0xffff) as f64 / 65536.0)
}

/// Parts of an upload are repeated inside it: a part that is handed over again would be another part.
#[async_trait]
impl RetryPolicy for Patience {
    async fn retry(&self, context: RetryContext) -> bool {
        let pause = pause(u32::try_from(context.attempt).unwrap_or(u32::MAX));
        if context.elapsed + pause >= self.deadline {
            return false;
        }
        sleep(pause).await;
        true
    }
}
