//! Leases that nobody renews, found without the time of day.
//!
//! The deadline of a lease is a time of day. A clock that is set back puts the deadlines that were written before far
//! into the future, and the job of a worker that is gone would wait until then. So whoever looks for jobs remembers
//! since when each lease has looked the same, by a clock that nobody sets.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

/// A lease as it is in the database. Each renewal changes its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LeaseReading {
    pub(super) job_id: Uuid,
    pub(super) token: i64,
    /// Milliseconds since 1970.
    pub(super) deadline: i64,
}

/// Since when this process has seen the leases that were there when it last looked.
#[derive(Default)]
pub(super) struct LeaseWatch(Mutex<HashMap<LeaseReading, Instant>>);

impl LeaseWatch {
    /// Of all leases that there are now, those that have not been renewed for more than `time_to_live`.
    pub(super) fn unrenewed(&self, leases: Vec<LeaseReading>, time_to_live: Duration) -> Vec<LeaseReading> {
        let now = Instant::now();
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = leases.into_iter().map(|lease| (lease, seen.get(&lease).copied().unwrap_or(now))).collect();
        let unrenewed = seen.iter().filter(|(_, since)| now.duration_since(**since) > time_to_live);
        unrenewed.map(|(lease, _)| *lease).collect()
    }
}
