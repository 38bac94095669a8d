//! Measurements of a chat request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Metrics;

/// Counts a chat request as running until it is dropped.
#[derive(Debug)]
pub(crate) struct ChatGuard {
    metrics: Arc<Metrics>,
    /// Arrival of the request.
    pub(crate) arrived: Instant,
}

impl ChatGuard {
    /// Counts one more running chat request.
    pub(crate) fn new(metrics: &Arc<Metrics>) -> Self {
        metrics.chats.enter();
        Self { metrics: metrics.clone(), arrived: Instant::now() }
    }

    /// Counts the request as cancelled by its client.
    pub(crate) fn cancelled(&self) {
        self.metrics.chats_cancelled.add(1);
    }
}

impl Drop for ChatGuard {
    fn drop(&mut self) {
        self.metrics.chats.leave();
    }
}

/// Measures the times between the tokens of a request's choices when they are passed to the connection.
#[derive(Debug)]
pub struct TokenClock {
    metrics: Arc<Metrics>,
    arrived: Instant,
    is_first: bool,
    /// Time of each choice's last token.
    last: Vec<Option<Instant>>,
}

impl TokenClock {
    /// Creates a clock for a request that arrived at `arrived`.
    pub fn new(metrics: &Arc<Metrics>, arrived: Instant) -> Self {
        Self { metrics: metrics.clone(), arrived, is_first: true, last: Vec::new() }
    }

    /// Records `count` tokens of a choice at the current time. If several tokens arrive together, the elapsed time is
    /// divided equally among them.
    pub fn tokens(&mut self, choice: usize, count: usize) {
        if count > 0 {
            self.tokens_at(choice, count, Instant::now());
        }
    }

    fn tokens_at(&mut self, choice: usize, count: usize, now: Instant) {
        if std::mem::take(&mut self.is_first) {
            self.metrics.time_to_first_token.observe(now.saturating_duration_since(self.arrived), 1);
        }
        if self.last.len() <= choice {
            self.last.resize(choice + 1, None);
        }
        let last = self.last[choice].replace(now);
        let elapsed = last.map_or(Duration::ZERO, |last| now.saturating_duration_since(last));
        // The first token of a choice has no predecessor.
        let intervals = if last.is_some() { count } else { count - 1 } as u64;
        if intervals > 0 {
            let share = elapsed.as_nanos() / u128::from(intervals);
            let share = Duration::from_nanos(u64::try_from(share).unwrap_or(u64::MAX));
            self.metrics.time_between_tokens.observe(share, intervals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_is_a_requests_and_the_intervals_are_a_choices() {
        let metrics = Arc::new(Metrics::new(1, "portable"));
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut clock = TokenClock::new(&metrics, start);
        clock.tokens_at(1, 1, at(200));
        clock.tokens_at(0, 1, at(300));
        clock.tokens_at(1, 1, at(600));
        clock.tokens_at(0, 2, at(700));
        let first = metrics.time_to_first_token.read();
        assert_eq!((first.count, first.sum), (1, 0.2));
        let between = metrics.time_between_tokens.read();
        assert_eq!((between.count, between.sum), (3, 0.8));
        assert_eq!(between.cumulative.iter().find(|(bound, _)| *bound == 0.25).map(|(_, count)| *count), Some(2));
    }

    #[test]
    fn a_guard_counts_while_it_lives() {
        let metrics = Arc::new(Metrics::new(1, "portable"));
        let guards = [ChatGuard::new(&metrics), ChatGuard::new(&metrics)];
        assert_eq!(metrics.chats.get(), 2);
        guards[0].cancelled();
        drop(guards);
        assert_eq!((metrics.chats.get(), metrics.chats_cancelled.get()), (0, 1));
    }
}
