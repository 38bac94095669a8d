//! Enforces per-key limits on requests.

use std::time::{Duration, Instant};

use axum::http::{HeaderName, HeaderValue};
use chrono::{DateTime, Datelike, Months, NaiveDate, Utc};

use super::Api;
use crate::auth::Caller;
use crate::http::{ApiError, add_response_header};
use crate::limits::{LimitReached, Reading, StreamPermit, TokenHold};
use crate::store::metadata::StoreError;

/// OpenAI's rate-limit headers: the limit, the remaining amount, and the time until the limit is fully available again.
const REQUESTS: [HeaderName; 3] = [
    HeaderName::from_static("x-ratelimit-limit-requests"),
    HeaderName::from_static("x-ratelimit-remaining-requests"),
    HeaderName::from_static("x-ratelimit-reset-requests"),
];
const TOKENS: [HeaderName; 3] = [
    HeaderName::from_static("x-ratelimit-limit-tokens"),
    HeaderName::from_static("x-ratelimit-remaining-tokens"),
    HeaderName::from_static("x-ratelimit-reset-tokens"),
];

/// The caller's limits that a response occupies until it ends.
pub(super) struct ResponseLimits {
    tokens: TokenHold,
    _stream: Option<StreamPermit>,
}

impl ResponseLimits {
    /// Reserves the tokens of the prompt too. The response headers state the remaining tokens.
    pub(super) fn set_aside_prompt(&mut self, tokens: u64) {
        if let Some(reading) = self.tokens.add(tokens, Instant::now()) {
            tell(TOKENS, reading);
        }
    }

    /// Sets the number of tokens that the response has used so far.
    pub(super) fn used(&mut self, tokens: u64) {
        self.tokens.used(tokens);
    }
}

impl Api {
    /// Counts a request of a caller. The response headers state the remaining requests.
    ///
    /// # Errors
    /// Returns 429 if the request exceeds the limit.
    pub(super) fn count_request(&self, caller: &Caller) -> Result<(), ApiError> {
        let counted = self.limiter.request(caller.key_id, &caller.limits, Instant::now());
        if let Err(LimitReached::Requests { limit, reset, .. }) = &counted {
            tell(REQUESTS, Reading { limit: *limit, remaining: 0, reset: *reset });
        }
        if let Some(reading) = counted? {
            tell(REQUESTS, reading);
        }
        Ok(())
    }

    /// Admits a response that may generate `tokens`.
    ///
    /// # Errors
    /// Returns 429 if the caller has no tokens left or too many responses in flight.
    pub(super) async fn admit_response(&self, caller: &Caller, tokens: u64) -> Result<ResponseLimits, ApiError> {
        self.check_budget(caller).await?;
        let aside = self.limiter.set_aside(caller.key_id, &caller.limits, tokens, Instant::now());
        if let Err(LimitReached::Tokens { limit, reset, .. }) = &aside {
            tell(TOKENS, Reading { limit: *limit, remaining: 0, reset: *reset });
        }
        Ok(ResponseLimits { tokens: aside?, _stream: self.admit_stream(caller)? })
    }

    /// Acquires the permit for one more concurrent response.
    ///
    /// # Errors
    /// Returns 429 if too many are in flight.
    pub(super) fn admit_stream(&self, caller: &Caller) -> Result<Option<StreamPermit>, ApiError> {
        Ok(self.limiter.stream(caller.key_id, &caller.limits)?)
    }

    /// Rejects a request that costs tokens if the monthly limit is used up.
    ///
    /// # Errors
    /// Returns a 429 that clients must not retry automatically, or an error if the store fails.
    pub(super) async fn check_budget(&self, caller: &Caller) -> Result<(), ApiError> {
        let Some(limit) = caller.limits.tokens_per_month else { return Ok(()) };
        let now = Utc::now();
        let used = self.metadata.used_tokens(&caller.entity, caller.key_id, first_day(now)).await?;
        if used < limit {
            return Ok(());
        }
        let message = format!(
            "this key may use {limit} tokens a month and has used {used}; the operator can raise it with `trainyard keys \
             limit`, or wait for the next month"
        );
        let failure = ApiError::too_many_requests(message, until_next_month(now));
        Err(failure.with_code("insufficient_quota").with_should_retry(false))
    }

    /// Returns the storage limit of a caller and the bytes stored.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn room(&self, caller: &Caller) -> Result<Room, ApiError> {
        let Some(limit) = caller.limits.stored_bytes else { return Ok(Room(None)) };
        Ok(Room(Some((limit, self.metadata.stored_bytes(caller.key_id).await?))))
    }
}

/// Storage limit of a caller, in bytes, and the bytes stored; `None` means unlimited.
pub(super) struct Room(Option<(u64, u64)>);

impl Room {
    /// Returns the same limit with nothing stored.
    pub(super) fn empty(self) -> Self {
        Self(self.0.map(|(limit, _)| (limit, 0)))
    }

    /// Rejects bytes over the limit before they are received.
    ///
    /// # Errors
    /// [`StoreError::TooManyBytes`].
    pub(super) fn check(&self, bytes: u64) -> Result<(), StoreError> {
        match self.0 {
            Some((limit, stored)) if stored.saturating_add(bytes) > limit => {
                Err(StoreError::TooManyBytes { limit, stored })
            }
            _ => Ok(()),
        }
    }
}

fn tell(names: [HeaderName; 3], reading: Reading) {
    let [limit, remaining, reset] = names;
    add_response_header(limit, HeaderValue::from(reading.limit));
    add_response_header(remaining, HeaderValue::from(reading.remaining));
    if let Ok(value) = HeaderValue::from_str(&duration(reading.reset)) {
        add_response_header(reset, value);
    }
}

/// Formats a duration as OpenAI does: 20ms, 3s, 1m30s.
fn duration(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        return format!("{}ms", time.as_millis());
    }
    // Rounded up, so that the time has passed.
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    match seconds {
        ..60 => format!("{seconds}s"),
        _ => format!("{}m{}s", seconds / 60, seconds % 60),
    }
}

/// Returns the first day of the month, in days since 1970-01-01.
pub(super) fn first_day(now: DateTime<Utc>) -> i64 {
    let today = now.date_naive();
    today.with_day(1).unwrap_or(today).signed_duration_since(NaiveDate::default()).num_days()
}

fn until_next_month(now: DateTime<Utc>) -> Duration {
    let next = now.date_naive().with_day(1).and_then(|first| first.checked_add_months(Months::new(1)));
    let next = next.and_then(|first| first.and_hms_opt(0, 0, 0)).map(|first| first.and_utc());
    next.and_then(|next| (next - now).to_std().ok()).unwrap_or(Duration::from_secs(24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_openai_does() {
        let written = [0, 20, 999, 1000, 1001, 59_500, 61_000, 360_000].map(Duration::from_millis).map(duration);
        assert_eq!(written, ["0ms", "20ms", "999ms", "1s", "2s", "1m0s", "1m1s", "6m0s"]);
    }

    #[test]
    fn months_begin_in_utc() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(first_day(at("1970-01-31T23:59:59Z")), 0);
        assert_eq!(first_day(at("2026-11-22T12:00:00Z")), 20_758);
        assert_eq!(until_next_month(at("2026-12-31T23:59:50Z")), Duration::from_secs(10));
    }
}
