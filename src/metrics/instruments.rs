//! Counters, gauges and histograms. They are atomics, so that recording takes a few nanoseconds and never blocks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A monotonically increasing number.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds `amount`.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Returns the value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A current number of things.
#[derive(Debug, Default)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Increments the number.
    pub fn enter(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Decrements the number. Each call pairs with an [`enter`](Self::enter).
    pub fn leave(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Durations, counted in buckets.
#[derive(Debug)]
pub struct Histogram {
    /// Upper bounds of the buckets in seconds, ascending.
    bounds: &'static [f64],
    /// Counts per bucket, with an additional bucket for longer durations.
    buckets: Box<[AtomicU64]>,
    nanoseconds: AtomicU64,
}

/// A snapshot of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramReading {
    /// For each bound in seconds, the number of observations at or below it.
    pub cumulative: Vec<(f64, u64)>,
    /// Number of all observations.
    pub count: u64,
    /// Sum of all observations in seconds.
    pub sum: f64,
}

impl Histogram {
    /// Creates an empty histogram with these upper bounds in seconds, ascending.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self {
            bounds,
            buckets: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            nanoseconds: AtomicU64::new(0),
        }
    }

    /// Records `count` observations of the same duration.
    pub fn observe(&self, time: Duration, count: u64) {
        let seconds = time.as_secs_f64();
        let bucket = self.bounds.partition_point(|bound| *bound < seconds);
        self.buckets[bucket].fetch_add(count, Ordering::Relaxed);
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).saturating_mul(count);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Returns a snapshot. During concurrent observations, the sum and the counts may differ slightly.
    pub fn read(&self) -> HistogramReading {
        let mut count = 0;
        let mut running = self.buckets.iter().map(|bucket| {
            count += bucket.load(Ordering::Relaxed);
            count
        });
        let cumulative = self.bounds.iter().copied().zip(running.by_ref()).collect();
        running.for_each(drop);
        HistogramReading { cumulative, count, sum: self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_are_counted_up_to_each_bound() {
        let histogram = Histogram::new(&[0.1, 1.0]);
        histogram.observe(Duration::from_millis(100), 1);
        histogram.observe(Duration::from_millis(500), 2);
        histogram.observe(Duration::from_secs(3), 1);
        let expected = HistogramReading { cumulative: vec![(0.1, 1), (1.0, 3)], count: 4, sum: 4.1 };
        assert_eq!(histogram.read(), expected);
    }
}
