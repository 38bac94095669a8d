//! Batches: files of requests that are handled when nobody waits for a response.
//!
//! A batch is a row. A process claims it by lease, checks its [`input`], handles its lines ([`run`]) and writes the
//! files of responses ([`output`]). The response to a line is recorded once, durably, before the next process can look:
//! so a batch goes on where a process that died left it, and each line is in one of the two files once.
//!
//! Lines are handled as live requests are, by an [`Execute`] that the API implements, and sampled for an owner of their
//! own. While live samples are under way, a batch has one line in flight.

mod input;
mod lines;
mod output;
mod run;
mod runner;

use std::pin::Pin;
use std::time::Duration;

use uuid::Uuid;

pub(crate) use self::input::{MAX_FILE_BYTES, check_line};
pub(crate) use self::lines::{CANCELLED, EXPIRED, Outcome, outcome};
pub(crate) use self::runner::BatchRunner;

/// A request of a batch.
pub(crate) struct LineRequest {
    /// Key under which it is made.
    pub key_id: Uuid,
    /// Project of its usage.
    pub project: String,
    /// Path of its operation.
    pub endpoint: String,
    /// Its body.
    pub body: String,
}

/// The response to a request of a batch.
pub(crate) struct LineResponse {
    /// HTTP status.
    pub status: u16,
    /// Id of the request.
    pub request_id: String,
    /// JSON document.
    pub body: String,
    /// Time after which the same request may succeed.
    pub retry_after: Option<Duration>,
}

/// Handles the requests of batches as live ones are handled.
pub(crate) trait Execute: Send + Sync {
    /// Handles a request. Dropping the future cancels it.
    fn execute(&self, request: LineRequest) -> Pin<Box<dyn Future<Output = LineResponse> + Send>>;

    /// Returns the number of samples that run or wait, of batches and of live requests.
    fn open_samples(&self) -> usize;
}
