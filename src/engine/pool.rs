//! The process's compute threads.

use std::sync::Arc;

/// A fixed set of compute threads.
pub struct ComputePool {
    threads: usize,
}

impl ComputePool {
    /// A pool that computes on `threads` threads (at least one), the calling one included.
    pub fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { threads })
    }

    /// Calls `task(0)` ... `task(tasks - 1)`, shared out over the threads, and returns when all are done. One `run` at a
    /// time: callers take turns in order of arrival. A panic inside a task reaches the caller.
    pub fn run(&self, _tasks: usize, _task: &(dyn Fn(usize) + Sync)) {
        todo!()
    }

    /// Number of threads, the calling one included.
    pub fn threads(&self) -> usize {
        self.threads
    }
}
