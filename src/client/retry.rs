//! Retry policy: the requests and errors that are retried, and the wait between attempts.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Method, Request};

use super::ClientError;

/// Header of a POST that is safe to retry.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Settings for retries.
///
/// The client retries GET, HEAD, PUT and DELETE, and a POST only with a key from
/// [`Client::with_idempotency_key`](super::Client::with_idempotency_key). It retries after a failed connection and
/// after 408, 429, 500, 502, 503 and 504, unless the service's `x-should-retry` header says otherwise. The wait is
/// random between zero and a bound that doubles with each attempt, so that many clients do not retry at the same time.
/// The client obeys `Retry-After`; if it exceeds `longest_delay`, the error is returned at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum number of retries.
    pub retries: u32,
    /// Upper bound of the first wait.
    pub first_delay: Duration,
    /// Upper bound of every wait, including one that `Retry-After` requests.
    pub longest_delay: Duration,
}

impl Default for RetryPolicy {
    /// Returns the default policy: two retries, after up to 0.5 s and up to 1 s. `Retry-After` may request up to 60 s.
    fn default() -> Self {
        Self { retries: 2, first_delay: Duration::from_millis(500), longest_delay: Duration::from_secs(60) }
    }
}

impl RetryPolicy {
    /// Returns a policy without retries.
    pub fn none() -> Self {
        Self { retries: 0, ..Self::default() }
    }

    /// Returns the maximum number of attempts for a request.
    pub(super) fn attempts(&self, request: &Request) -> u32 {
        let repeatable = [Method::GET, Method::HEAD, Method::PUT, Method::DELETE].contains(request.method())
            || request.headers().contains_key(IDEMPOTENCY_KEY);
        if repeatable { self.retries.saturating_add(1) } else { 1 }
    }

    /// Returns the wait before the next attempt after `failed` attempts, or `None` if a retry is useless.
    pub(super) fn delay(&self, failed: u32, error: &ClientError) -> Option<Duration> {
        if !error.is_retryable() {
            return None;
        }
        let bound = self.first_delay.saturating_mul(1 << failed.saturating_sub(1).min(16)).min(self.longest_delay);
        let jitter = bound.mul_f64(random_fraction());
        match error.retry_after() {
            Some(asked) if asked > self.longest_delay => None,
            Some(asked) => Some(asked),
            None => Some(jitter),
        }
    }
}

/// Returns a random number between 0 and 1, with the randomness of hash map seeds.
fn random_fraction() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    let fraction = bits as f64 / (1u64 << 53) as f64;
    fraction
}

/// Parses `Retry-After`: seconds or an HTTP date.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    // A date in the past requests no wait.
    httpdate::parse_http_date(text).ok().map(|moment| moment.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Rejection;

    fn rejected(status: u16, retry_after: Option<u64>) -> ClientError {
        ClientError::Rejected(Box::new(Rejection {
            status,
            request_id: None,
            detail: None,
            body_start: String::new(),
            retry_after: retry_after.map(Duration::from_secs),
            should_retry: None,
        }))
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        for (text, expected) in [
            ("7", Some(7)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
        ] {
            let headers = [(RETRY_AFTER, text.parse().unwrap())].into_iter().collect();
            assert_eq!(retry_after(&headers, now), expected.map(Duration::from_secs), "{text:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }

    #[test]
    fn waits_grow_to_a_bound_and_obey_the_service() {
        let policy = RetryPolicy::default();
        for failed in [1, 2, 3, 9, 40, u32::MAX] {
            let wait = policy.delay(failed, &rejected(503, None)).unwrap();
            let bound = policy.first_delay.saturating_mul(1 << (failed - 1).min(16)).min(policy.longest_delay);
            assert!(wait <= bound, "{failed}: {wait:?}");
        }
        assert_eq!(policy.delay(1, &rejected(429, Some(9))), Some(Duration::from_secs(9)));
        assert_eq!(policy.delay(1, &rejected(429, Some(3600))), None, "too long to wait for");
        assert_eq!(policy.delay(1, &rejected(422, None)), None);
        let distinct: std::collections::HashSet<_> =
            (0..20).map(|_| policy.delay(5, &rejected(503, None)).unwrap()).collect();
        assert!(distinct.len() > 1, "the waits of many clients differ");
    }

    #[test]
    fn only_what_is_safe_is_repeated() {
        let attempts = |method: Method, key: Option<&str>| {
            let mut request = Request::new(method, "http://a/".parse().unwrap());
            if let Some(key) = key {
                request.headers_mut().insert(IDEMPOTENCY_KEY, key.parse().unwrap());
            }
            RetryPolicy::default().attempts(&request)
        };
        for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE] {
            assert_eq!(attempts(method, None), 3);
        }
        assert_eq!(attempts(Method::POST, None), 1);
        assert_eq!(attempts(Method::PATCH, None), 1);
        assert_eq!(attempts(Method::POST, Some("k")), 3);
    }
}
