//! Detection of unrenewed leases by a monotonic clock.
//!
//! The deadline of a lease is wall-clock time. When that clock is set back, earlier deadlines lie far in the future,
//! and the job of a dead worker would wait until then. So each process that claims jobs also records, by its monotonic
//! clock, how long it has seen each lease without a renewal.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use uuid::Uuid;

/// A lease as read from the database. Each renewal changes its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LeaseReading {
    pub(super) job_id: Uuid,
    pub(super) token: i64,
    /// Milliseconds since 1970.
    pub(super) deadline: i64,
}

/// The leases at the last check, each with the time since when this process has seen it unchanged.
#[derive(Default)]
pub(super) struct LeaseWatch(Mutex<HashMap<LeaseReading, Instant>>);

impl LeaseWatch {
    /// Returns those of all present leases that have not been renewed for more than `time_to_live`.
    pub(super) fn unrenewed(&self, leases: Vec<LeaseReading>, time_to_live: Duration) -> Vec<LeaseReading> {
        let now = Instant::now();
        let mut seen = self.0.lock();
        *seen = leases.into_iter().map(|lease| (lease, seen.get(&lease).copied().unwrap_or(now))).collect();
        let unrenewed = seen.iter().filter(|(_, since)| now.duration_since(**since) > time_to_live);
        unrenewed.map(|(lease, _)| *lease).collect()
    }
}
