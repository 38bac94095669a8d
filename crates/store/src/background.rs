//! Background tasks, whose failures the system check reports: nobody waits for their results.

use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::task::JoinHandle;

/// Runs work that blocks on a thread for such work. A panic of it continues in the caller.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let working = tokio::task::spawn_blocking(work);
    working.await.unwrap_or_else(|failure| std::panic::resume_unwind(failure.into_panic()))
}

/// Outcome of the last run of a background task. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LastOutcome(Arc<Mutex<Option<String>>>);

impl LastOutcome {
    /// Records the outcome of a run.
    pub fn record<T, E: Display>(&self, outcome: &Result<T, E>) {
        *self.0.lock() = outcome.as_ref().err().map(ToString::to_string);
    }

    /// Returns the failure of the last run; `None` if it succeeded.
    pub fn failure(&self) -> Option<String> {
        self.0.lock().clone()
    }

    /// Starts a task that ends with the service. A panic is its failure for ever.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        let outcome = self.clone();
        tokio::spawn(async move {
            if let Err(panic) = AssertUnwindSafe(work).catch_unwind().await {
                outcome.record(&Err::<(), _>("it ended unexpectedly; restart the service"));
                std::panic::resume_unwind(panic);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_panicked_has_failed() {
        let outcome = LastOutcome::default();
        outcome.spawn(async {}).await.unwrap();
        outcome.record(&Err::<(), _>("broken"));
        assert_eq!(outcome.failure().as_deref(), Some("broken"));
        outcome.record(&Ok::<_, String>(()));
        assert_eq!(outcome.failure(), None);
        outcome.spawn(async { panic!("as tested") }).await.unwrap_err();
        assert!(outcome.failure().is_some_and(|failure| failure.contains("restart")));
    }
}
