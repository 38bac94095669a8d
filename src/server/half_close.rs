//! Clients that close their write side while a request is in flight.
//!
//! TCP shows the same end of file for a client that still reads and for one that has closed the connection. A write tells
//! them apart: the system of the second client resets the connection. Interim responses (RFC 9110, section 15.2) are such
//! writes until the response begins.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::Sleep;

/// An interim response, which every HTTP/1.1 client skips.
pub(super) const PROBE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
/// Time before the first interim response. A handler reads a body that has arrived sooner.
const FIRST_INTERVAL: Duration = Duration::from_millis(250);
/// Longest time between two interim responses; each interval is twice the one before.
const MAX_INTERVAL: Duration = Duration::from_secs(4);

/// The intervals between interim responses to one request.
pub(super) struct HalfClose {
    request: usize,
    interval: Duration,
    timer: Pin<Box<Sleep>>,
}

impl HalfClose {
    /// Starts the first interval, for the request of this number.
    pub(super) fn new(request: usize) -> Self {
        Self { request, interval: FIRST_INTERVAL, timer: Box::pin(tokio::time::sleep(FIRST_INTERVAL)) }
    }

    /// Returns the number of the request.
    pub(super) fn request(&self) -> usize {
        self.request
    }

    /// Ready at the end of an interval, which starts the next one.
    pub(super) fn poll_interval(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.timer.as_mut().poll(cx));
        self.interval = MAX_INTERVAL.min(self.interval * 2);
        self.timer = Box::pin(tokio::time::sleep(self.interval));
        Poll::Ready(())
    }
}
