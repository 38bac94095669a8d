//! Long computations on the threads that may block.

use super::error::JobError;

/// Runs a computation on a blocking thread, in the caller's tracing span.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JobError> + Send + 'static,
) -> Result<T, JobError> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work)).await?
}
