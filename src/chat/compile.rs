//! Compiles grammars in bounded time on a bounded number of threads.
//!
//! A grammar comes from the client, so the cost of compiling it is unknown. Dedicated threads, one for two cores,
//! compile in first-come order, and the caller waits for ten seconds at most. A longer compilation cannot be stopped,
//! but it keeps its thread until it ends: any number of hostile grammars never uses more than these threads.
//! llguidance's own limits bound the compilation time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};

use super::ChatError;
use super::grammar::{Grammar, GrammarCompiler, GrammarConstraint};

/// Time limit of a compilation. A usual one takes milliseconds; on a machine whose cores all train and sample, some took more than
/// a second.
const LIMIT: Duration = Duration::from_secs(10);
/// Maximum number of compilations that may wait for a thread.
const MAX_WAITING: usize = 64;
/// Stack size of a compilation thread. The parsers of schemas and rules recurse, and the nesting that a request may
/// have needs more than a default stack.
const STACK_BYTES: usize = 32 << 20;

/// Runs compilations with bounded concurrency.
#[derive(Clone)]
pub(super) struct CompileQueue {
    threads: Arc<Semaphore>,
    slots: Arc<Semaphore>,
    limit: Duration,
}

impl CompileQueue {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with_limits(cores.div_ceil(2), MAX_WAITING, LIMIT)
    }

    fn with_limits(threads: usize, waiting: usize, limit: Duration) -> Self {
        Self { threads: Arc::new(Semaphore::new(threads)), slots: Arc::new(Semaphore::new(threads + waiting)), limit }
    }

    /// Compiles a grammar.
    ///
    /// # Errors
    /// The grammar is not valid, its compilation takes too long, or too many compilations are waiting.
    pub(super) async fn compile(
        &self,
        compiler: Arc<GrammarCompiler>,
        grammar: Grammar,
    ) -> Result<GrammarConstraint, ChatError> {
        let param = grammar.param().to_owned();
        self.run(param, move || compiler.compile(&grammar)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        param: String,
        work: impl FnOnce() -> Result<T, ChatError> + Send + 'static,
    ) -> Result<T, ChatError> {
        let busy = || ChatError::Busy("too many answers of a given form are being prepared; try again".to_owned());
        let _slot = self.slots.try_acquire().map_err(|_| busy())?;
        let thread = self.threads.clone().acquire_owned().await.map_err(|_| ChatError::Stopping)?;
        let (sender, receiver) = oneshot::channel();
        std::thread::Builder::new()
            .name("grammar".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let result = work();
                drop(thread);
                // After a time-out there is no receiver.
                let _ = sender.send(result);
            })
            .map_err(|error| ChatError::Failed(format!("no thread for a grammar: {error}")))?;
        match tokio::time::timeout(self.limit, receiver).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(ChatError::Failed("compiling a grammar failed".to_owned())),
            Err(_) => {
                let seconds = self.limit.as_secs_f64();
                let message = format!("{param} takes more than {seconds} s to compile; make it simpler");
                Err(ChatError::invalid(param, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn slow_grammars_are_rejected_and_occupy_their_thread() {
        let queue = CompileQueue::with_limits(1, 1, Duration::from_secs(2));
        let (finish, finished) = mpsc::channel::<()>();
        let slow = queue.run("p".to_owned(), move || {
            let _ = finished.recv();
            Ok(1)
        });
        let error = slow.await.unwrap_err();
        assert!(matches!(&error, ChatError::Invalid { param, .. } if param == "p"), "{error:?}");
        // The thread is still in use: the next compilation waits, and the one after that exceeds the limit.
        let mut next = std::pin::pin!(queue.run("q".to_owned(), || Ok(2)));
        let waits = tokio::time::timeout(Duration::from_millis(20), &mut next).await;
        assert!(waits.is_err(), "{waits:?}");
        assert_eq!(queue.slots.available_permits(), 1);
        let mut another = std::pin::pin!(queue.run("r".to_owned(), || Ok(3)));
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut another).await.is_err());
        assert!(matches!(queue.run("s".to_owned(), || Ok(4)).await, Err(ChatError::Busy(_))));
        finish.send(()).unwrap();
        assert_eq!(next.await, Ok(2));
        assert_eq!(another.await, Ok(3));
        assert_eq!(queue.threads.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_panic_is_a_fault_of_ours() {
        let queue = CompileQueue::with_limits(1, 0, Duration::from_secs(60));
        let failed = queue.run::<()>("p".to_owned(), || panic!("on purpose")).await;
        assert!(matches!(failed, Err(ChatError::Failed(_))), "{failed:?}");
        assert_eq!(queue.run("p".to_owned(), || Ok(1)).await, Ok(1));
    }
}
