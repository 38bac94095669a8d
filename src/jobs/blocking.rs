//! Long computations on the threads that may block.

use super::error::JobError;
use crate::telemetry::Trace;

/// Runs a computation on a blocking thread, in the caller's span and trace.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JobError> + Send + 'static,
) -> Result<T, JobError> {
    let (span, trace) = (tracing::Span::current(), Trace::current());
    tokio::task::spawn_blocking(move || trace.sync_scope(|| span.in_scope(work))).await?
}
