//! Threads for work that takes much memory.

use std::num::NonZero;
use std::sync::LazyLock;
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// Time without work after which a thread ends.
const KEEP_ALIVE: Duration = Duration::from_secs(24 * 60 * 60);

/// As many threads as there are processors.
///
/// The allocator of the C library has a heap for each thread, and keeps much of what a heap has freed. Work that takes much
/// memory now and then leaves it in the heaps of these few threads, and not in those of tokio's many blocking threads.
pub struct WorkThreads(LazyLock<io::Result<Started>>);

struct Started {
    permits: Semaphore,
    threads: Runtime,
}

/// Error of work that did not end.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The threads could not be started.
    #[error("the threads for work cannot be started: {0}")]
    Start(&'static io::Error),
    /// The threads are closed; they never are.
    #[error(transparent)]
    Closed(#[from] tokio::sync::AcquireError),
    /// The work panicked.
    #[error(transparent)]
    Panicked(#[from] tokio::task::JoinError),
}

impl WorkThreads {
    /// Creates threads, which start with the first work.
    pub const fn new() -> Self {
        Self(LazyLock::new(|| {
            let number = thread::available_parallelism().map_or(2, NonZero::get);
            let threads =
                Builder::new_current_thread().max_blocking_threads(number).thread_keep_alive(KEEP_ALIVE).build()?;
            Ok(Started { permits: Semaphore::new(number), threads })
        }))
    }

    /// Runs work when it is its turn. Work that has begun goes on after the future is dropped; other work is dropped with it.
    ///
    /// # Errors
    /// The work panicked, or no thread could be started.
    pub async fn run<T: Send + 'static>(
        &'static self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let Started { permits, threads } = self.0.as_ref().map_err(WorkError::Start)?;
        let permit = permits.acquire().await?;
        let work = move || {
            let _permit = permit;
            work()
        };
        Ok(threads.spawn_blocking(work).await?)
    }
}

impl Default for WorkThreads {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Arc, Barrier};

    use futures_util::FutureExt;

    use super::*;

    static THREADS: WorkThreads = WorkThreads::new();

    #[tokio::test]
    async fn work_runs_on_as_many_threads_as_there_are_processors() {
        let number = thread::available_parallelism().unwrap().get();
        // All threads of the work and this one meet there.
        let together = Arc::new(Barrier::new(number + 1));
        let all: Vec<_> = (0..number)
            .map(|_| {
                let together = together.clone();
                tokio::spawn(THREADS.run(move || {
                    together.wait();
                    thread::current().id()
                }))
            })
            .collect();
        while THREADS.0.as_ref().unwrap().permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let mut waiting = Box::pin(THREADS.run(|| unreachable!("it was dropped before its turn")));
        assert!((&mut waiting).now_or_never().is_none());
        drop(waiting);
        together.wait();
        let mut ids = HashSet::new();
        for work in all {
            ids.insert(work.await.unwrap().unwrap());
        }
        assert_eq!(ids.len(), number);
        for _ in 0..100 {
            assert!(ids.contains(&THREADS.run(|| thread::current().id()).await.unwrap()), "no further thread");
        }
        assert!(matches!(THREADS.run(|| panic!("as tested")).await, Err(WorkError::Panicked(_))));
    }
}
