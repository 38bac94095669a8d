//! Requests by operation: counts per status class, and durations.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Metrics;
use super::instruments::{Counter, Histogram, HistogramReading};
use super::text::Exposition;
use crate::generated::server::OPERATIONS;

/// Bucket bounds for whole requests, including long streams, in seconds.
const REQUEST_TIMES: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// Label of requests without an operation of the OpenAPI document, such as unknown paths or the page at `/docs`.
const NO_OPERATION: &str = "none";

/// Requests by operation. The set of operations is fixed by the OpenAPI document, so memory is bounded.
#[derive(Debug)]
pub struct Requests {
    operations: HashMap<&'static str, OneOperation>,
    others: OneOperation,
}

#[derive(Debug)]
struct OneOperation {
    /// Counts by the first digit of the status.
    classes: [Counter; CLASSES.len()],
    duration: Histogram,
}

/// A snapshot of one operation's metrics.
#[derive(Clone, Debug)]
pub struct OperationReading {
    /// Id of the operation.
    pub operation: &'static str,
    /// Responses by status class.
    pub responses: [u64; CLASSES.len()],
    /// Durations from the request's head to the end of the response body.
    pub duration: HistogramReading,
}

impl OneOperation {
    fn new() -> Self {
        Self { classes: Default::default(), duration: Histogram::new(REQUEST_TIMES) }
    }

    fn read(&self, operation: &'static str) -> OperationReading {
        let responses = self.classes.each_ref().map(Counter::get);
        OperationReading { operation, responses, duration: self.duration.read() }
    }
}

impl Default for Requests {
    fn default() -> Self {
        let operations = OPERATIONS.iter().map(|operation| (operation.id, OneOperation::new())).collect();
        Self { operations, others: OneOperation::new() }
    }
}

impl Requests {
    fn of(&self, operation: Option<&str>) -> &OneOperation {
        operation.and_then(|operation| self.operations.get(operation)).unwrap_or(&self.others)
    }

    fn responded(&self, operation: Option<&str>, status: u16) {
        if let Some(class) = self.of(operation).classes.get(usize::from(status / 100).wrapping_sub(1)) {
            class.add(1);
        }
    }

    /// Returns a snapshot of each operation that was requested, sorted by id.
    pub fn read(&self) -> Vec<OperationReading> {
        let operations = self.operations.iter().map(|(id, operation)| operation.read(id));
        let mut readings: Vec<OperationReading> = operations.chain([self.others.read(NO_OPERATION)]).collect();
        readings.retain(|reading| reading.responses.iter().any(|count| *count > 0));
        readings.sort_by_key(|reading| reading.operation);
        readings
    }

    pub(super) fn write(&self, text: &mut Exposition) {
        let readings = self.read();
        let labels: Vec<_> = readings
            .iter()
            .flat_map(|reading| {
                let classes = CLASSES.iter().zip(reading.responses).filter(|(_, count)| *count > 0);
                classes.map(|(class, count)| ([("operation", reading.operation), ("status", *class)], count))
            })
            .collect();
        text.counter(
            "trainyard_requests_total",
            "Requests that were answered, by operation and class of the status.",
            labels.iter().map(|(labels, count)| (&labels[..], *count)),
        );
        let labels: Vec<_> = readings.iter().map(|reading| [("operation", reading.operation)]).collect();
        text.histogram(
            "trainyard_request_duration_seconds",
            "From a request's head to the end of its answer, by operation.",
            labels.iter().map(|labels| &labels[..]).zip(readings.iter().map(|reading| reading.duration.clone())),
        );
    }
}

/// A request whose response is being sent. Dropping the guard records the duration.
#[derive(Debug)]
pub(crate) struct RequestGuard {
    metrics: Arc<Metrics>,
    operation: Option<&'static str>,
    started: Instant,
}

impl RequestGuard {
    /// Counts a response with this status.
    pub(crate) fn responded(
        metrics: &Arc<Metrics>,
        operation: Option<&'static str>,
        status: u16,
        started: Instant,
    ) -> Self {
        metrics.requests.responded(operation, status);
        Self { metrics: metrics.clone(), operation, started }
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let time: Duration = self.started.elapsed();
        self.metrics.requests.of(self.operation).duration.observe(time, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_operation_and_class() {
        let metrics = Arc::new(Metrics::new(1, "portable"));
        let now = Instant::now();
        drop(RequestGuard::responded(&metrics, Some("get_health"), 200, now));
        let streaming = RequestGuard::responded(&metrics, Some("get_health"), 204, now);
        drop(RequestGuard::responded(&metrics, Some("get_health"), 503, now));
        drop(RequestGuard::responded(&metrics, None, 404, now));
        drop(RequestGuard::responded(&metrics, Some("no such operation"), 404, now));
        let readings = metrics.requests.read();
        let counts: Vec<_> =
            readings.iter().map(|reading| (reading.operation, reading.responses, reading.duration.count)).collect();
        assert_eq!(counts, [("get_health", [0, 2, 0, 0, 1], 2), ("none", [0, 0, 0, 2, 0], 2)]);
        drop(streaming);
        assert_eq!(metrics.requests.read()[0].duration.count, 3);
    }
}
