//! Per-key rate limits and concurrency limits, enforced by this process.
//!
//! Requests and tokens per minute are token buckets with a constant refill rate. Rate-limit libraries that only count
//! requests do not suffice: the tokens of a response are known only at its end, so its bucket can be overdrawn and is
//! settled then.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use uuid::Uuid;

use crate::store::records::KeyLimits;

/// Time in which an empty bucket becomes full.
const WINDOW: Duration = Duration::from_secs(60);
/// `Retry-After` if there are too many streams.
const STREAM_RETRY: Duration = Duration::from_secs(1);

/// A limit was reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitReached {
    /// Too many requests in a minute.
    #[error("this key may send {limit} requests a minute; wait as Retry-After says")]
    Requests {
        /// The limit.
        limit: u64,
        /// Time until one more request is allowed.
        wait: Duration,
        /// Time until the full limit is available again.
        reset: Duration,
    },
    /// Too many tokens in a minute.
    #[error("this key may use {limit} tokens a minute; wait as Retry-After says")]
    Tokens {
        /// The limit.
        limit: u64,
        /// Time until tokens are available again.
        wait: Duration,
        /// Time until the full limit is available again.
        reset: Duration,
    },
    /// Too many responses in flight.
    #[error(
        "this key may have {limit} chat completions and event streams under way at a time; wait until one has ended"
    )]
    Streams {
        /// The limit.
        limit: u64,
    },
}

impl LimitReached {
    /// Returns the wait before a retry.
    pub fn wait(&self) -> Duration {
        match self {
            Self::Requests { wait, .. } | Self::Tokens { wait, .. } => *wait,
            Self::Streams { .. } => STREAM_RETRY,
        }
    }

    /// Returns the error code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Requests { .. } => "requests_per_minute_exceeded",
            Self::Tokens { .. } => "tokens_per_minute_exceeded",
            Self::Streams { .. } => "streams_exceeded",
        }
    }
}

/// The state of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The limit per minute.
    pub limit: u64,
    /// The amount available now.
    pub remaining: u64,
    /// Time until the full limit is available again.
    pub reset: Duration,
}

/// The state of the limits of a key. A limit that the key does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyReading {
    /// Requests.
    pub requests: Option<Reading>,
    /// Chat tokens.
    pub tokens: Option<Reading>,
    /// Number of responses in flight; 0 without a limit.
    pub streams: u64,
}

/// Requests and tokens per minute, and responses in flight, of each key that has limits.
#[derive(Default)]
pub(crate) struct Limiter {
    /// Bounded by the number of keys with limits, which the operator creates.
    keys: Mutex<HashMap<Uuid, KeyState>>,
}

#[derive(Default)]
struct KeyState {
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
    streams: u64,
}

/// A token bucket. The level is below zero if it is overdrawn.
struct Bucket {
    level: f64,
    as_of: Instant,
}

impl Bucket {
    /// Returns the bucket, refilled up to `now`. A new bucket is full.
    fn now(bucket: &mut Option<Self>, limit: u64, now: Instant) -> &mut Self {
        let bucket = bucket.get_or_insert(Self { level: limit as f64, as_of: now });
        let passed = now.saturating_duration_since(bucket.as_of);
        bucket.level = (bucket.level + limit as f64 * passed.as_secs_f64() / WINDOW.as_secs_f64()).min(limit as f64);
        bucket.as_of = now;
        bucket
    }

    fn reading(&self, limit: u64) -> Reading {
        Reading { limit, remaining: self.level.max(0.0) as u64, reset: self.until(limit as f64, limit) }
    }

    /// Returns the time until the bucket reaches this level.
    fn until(&self, level: f64, limit: u64) -> Duration {
        let missing = (level - self.level).max(0.0);
        WINDOW.mul_f64(missing / (limit as f64).max(1.0))
    }
}

impl Limiter {
    /// Counts a request. Returns the state of the limit, if the key has one.
    ///
    /// # Errors
    /// Returns an error if the limit is reached. The request is not counted then.
    pub(crate) fn request(&self, key: Uuid, limits: &KeyLimits, now: Instant) -> Result<Option<Reading>, LimitReached> {
        let Some(limit) = limits.requests_per_minute else { return Ok(None) };
        let mut keys = self.keys.lock();
        let bucket = Bucket::now(&mut keys.entry(key).or_default().requests, limit, now);
        if bucket.level < 1.0 {
            let reset = bucket.reading(limit).reset;
            return Err(LimitReached::Requests { limit, wait: bucket.until(1.0, limit), reset });
        }
        bucket.level -= 1.0;
        Ok(Some(bucket.reading(limit)))
    }

    /// Reads the limits of a key without a change.
    pub(crate) fn read(&self, key: Uuid, limits: &KeyLimits, now: Instant) -> KeyReading {
        let mut keys = self.keys.lock();
        let mut unused = KeyState::default();
        let KeyState { requests, tokens, streams } = keys.get_mut(&key).unwrap_or(&mut unused);
        let reading = |bucket, limit: Option<u64>| limit.map(|limit| Bucket::now(bucket, limit, now).reading(limit));
        KeyReading {
            requests: reading(requests, limits.requests_per_minute),
            tokens: reading(tokens, limits.tokens_per_minute),
            streams: *streams,
        }
    }

    /// Acquires a permit for a response.
    ///
    /// # Errors
    /// Returns an error if the limit is reached.
    pub(crate) fn stream(
        self: &Arc<Self>,
        key: Uuid,
        limits: &KeyLimits,
    ) -> Result<Option<StreamPermit>, LimitReached> {
        let Some(limit) = limits.streams else { return Ok(None) };
        let mut keys = self.keys.lock();
        let streams = &mut keys.entry(key).or_default().streams;
        if *streams >= limit {
            return Err(LimitReached::Streams { limit });
        }
        *streams += 1;
        Ok(Some(StreamPermit { limiter: self.clone(), key }))
    }

    /// Reserves tokens for a response, possibly more than are available.
    ///
    /// # Errors
    /// Returns an error if no tokens are available.
    pub(crate) fn set_aside(
        self: &Arc<Self>,
        key: Uuid,
        limits: &KeyLimits,
        tokens: u64,
        now: Instant,
    ) -> Result<TokenHold, LimitReached> {
        let limit = limits.tokens_per_minute;
        if let Some(limit) = limit {
            let mut keys = self.keys.lock();
            let bucket = Bucket::now(&mut keys.entry(key).or_default().tokens, limit, now);
            if bucket.level < 1.0 {
                let reset = bucket.reading(limit).reset;
                return Err(LimitReached::Tokens { limit, wait: bucket.until(1.0, limit), reset });
            }
            bucket.level -= tokens as f64;
        }
        Ok(TokenHold { limiter: self.clone(), key, limit, aside: tokens, used: 0 })
    }
}

/// Permit for one concurrent response. Dropping it releases the permit.
pub(crate) struct StreamPermit {
    limiter: Arc<Limiter>,
    key: Uuid,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        if let Some(state) = self.limiter.keys.lock().get_mut(&self.key) {
            state.streams = state.streams.saturating_sub(1);
        }
    }
}

/// Tokens that are reserved for a response. Dropping it returns the unused ones to the bucket.
pub(crate) struct TokenHold {
    limiter: Arc<Limiter>,
    key: Uuid,
    limit: Option<u64>,
    aside: u64,
    used: u64,
}

impl TokenHold {
    /// Reserves more tokens. Returns the state of the limit, if the key has one.
    pub(crate) fn add(&mut self, tokens: u64, now: Instant) -> Option<Reading> {
        let limit = self.limit?;
        self.aside = self.aside.saturating_add(tokens);
        let mut keys = self.limiter.keys.lock();
        let bucket = Bucket::now(&mut keys.entry(self.key).or_default().tokens, limit, now);
        bucket.level -= tokens as f64;
        Some(bucket.reading(limit))
    }

    /// Sets the number of tokens that the response has used so far.
    pub(crate) fn used(&mut self, tokens: u64) {
        self.used = tokens;
    }
}

impl Drop for TokenHold {
    fn drop(&mut self) {
        let Some(limit) = self.limit else { return };
        if let Some(state) = self.limiter.keys.lock().get_mut(&self.key) {
            let bucket = Bucket::now(&mut state.tokens, limit, Instant::now());
            bucket.level = (bucket.level + self.aside as f64 - self.used as f64).min(limit as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits(requests: u64, tokens: u64, streams: u64) -> KeyLimits {
        KeyLimits {
            requests_per_minute: Some(requests),
            tokens_per_minute: Some(tokens),
            streams: Some(streams),
            ..KeyLimits::default()
        }
    }

    #[test]
    fn requests_come_back_evenly() {
        let (limiter, key, start) = (Limiter::default(), Uuid::nil(), Instant::now());
        let limits = limits(6, 0, 0);
        for left in (0..6).rev() {
            let reading = limiter.request(key, &limits, start).unwrap().unwrap();
            assert_eq!((reading.limit, reading.remaining), (6, left));
            assert_eq!(reading.reset, 10 * SECOND * (6 - left as u32));
        }
        let rejected = limiter.request(key, &limits, start).unwrap_err();
        assert_eq!(rejected, LimitReached::Requests { limit: 6, wait: 10 * SECOND, reset: 60 * SECOND });
        assert!(limiter.request(Uuid::max(), &limits, start).is_ok(), "each key has its own");
        assert!(limiter.request(key, &limits, start + 9 * SECOND).is_err());
        assert_eq!(limiter.request(key, &limits, start + 10 * SECOND).unwrap().unwrap().remaining, 0);
        assert_eq!(limiter.request(key, &limits, start + 1000 * SECOND).unwrap().unwrap().remaining, 5);
        assert_eq!(limiter.request(key, &KeyLimits::default(), start).unwrap(), None);
    }

    #[test]
    fn a_look_at_the_limits_changes_nothing() {
        let (limiter, key, start) = (Arc::new(Limiter::default()), Uuid::nil(), Instant::now());
        let limits = limits(6, 60, 2);
        let full = |limit| Some(Reading { limit, remaining: limit, reset: Duration::ZERO });
        let unused = KeyReading { requests: full(6), tokens: full(60), streams: 0 };
        assert_eq!(limiter.read(key, &limits, start), unused);
        limiter.request(key, &limits, start).unwrap();
        let hold = limiter.set_aside(key, &limits, 90, start).unwrap();
        for _ in 0..2 {
            let KeyReading { requests, tokens, streams } = limiter.read(key, &limits, start);
            assert_eq!((requests.unwrap().remaining, tokens.unwrap().remaining, streams), (5, 0, 0));
        }
        drop(hold);
        assert_eq!(
            limiter.read(key, &KeyLimits::default(), start),
            KeyReading { requests: None, tokens: None, streams: 0 }
        );
    }

    #[test]
    fn an_overdrawn_minute_is_waited_for_and_what_is_unused_comes_back() {
        let (limiter, key, limits) = (Arc::new(Limiter::default()), Uuid::nil(), limits(0, 60, 0));
        let start = Instant::now();
        let mut hold = limiter.set_aside(key, &limits, 90, start).unwrap();
        assert_eq!(hold.add(10, start), Some(Reading { limit: 60, remaining: 0, reset: 100 * SECOND }));
        let rejected = limiter.set_aside(key, &limits, 1, start).err();
        assert_eq!(rejected, Some(LimitReached::Tokens { limit: 60, wait: 41 * SECOND, reset: 100 * SECOND }));
        hold.used(20);
        drop(hold);
        let left = limiter.set_aside(key, &limits, 0, Instant::now()).unwrap().add(0, Instant::now()).unwrap();
        assert!(left.remaining >= 40, "{left:?}");
        assert_eq!(limiter.set_aside(key, &KeyLimits::default(), 9, start).unwrap().add(9, start), None);
    }

    #[test]
    fn streams_are_counted_until_they_end() {
        let (limiter, key, limits) = (Arc::new(Limiter::default()), Uuid::nil(), limits(0, 0, 2));
        let first = limiter.stream(key, &limits).unwrap();
        let _second = limiter.stream(key, &limits).unwrap();
        assert_eq!(limiter.stream(key, &limits).err(), Some(LimitReached::Streams { limit: 2 }));
        assert_eq!(limiter.read(key, &limits, Instant::now()).streams, 2);
        drop(first);
        assert!(limiter.stream(key, &limits).unwrap().is_some());
        assert!(limiter.stream(key, &KeyLimits::default()).unwrap().is_none());
    }

    proptest! {
        #[test]
        fn no_window_has_more_than_twice_the_limit(limit in 1_u64..50, pauses in proptest::collection::vec(0_u64..5000, 1..400)) {
            let (limiter, key, limits) = (Limiter::default(), Uuid::nil(), limits(limit, 0, 0));
            let start = Instant::now();
            let (mut at, mut accepted) = (0, Vec::new());
            for pause in pauses {
                at += pause;
                if limiter.request(key, &limits, start + Duration::from_millis(at)).is_ok() {
                    accepted.push(at);
                }
            }
            for (index, begin) in accepted.iter().enumerate() {
                let within = accepted[index..].iter().take_while(|at| **at < begin + 60_000).count() as u64;
                prop_assert!(within <= 2 * limit, "{within} of {limit}");
            }
        }
    }
}
