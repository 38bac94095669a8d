//! Cancels grammar computations that take too long.
//!
//! llguidance counts its work, but some grammars make single steps slow, and a whole batch of completions waits for a step.
//! Each constraint records the start of its current step; a thread checks these times periodically and cancels overdue
//! steps. A step costs two stores, and the thread exists only while there are constraints.

use std::sync::atomic::{AtomicU64, Ordering};

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use llguidance::CancellationHandle;
use parking_lot::Mutex;

/// Time limit of one step.
const LIMIT: Duration = Duration::from_millis(1000);
/// Interval of the thread's checks.
const PERIOD: Duration = Duration::from_millis(100);

/// Current step of one constraint.
pub(super) struct Steps {
    epoch: Instant,
    /// Start of the step in milliseconds since the epoch, plus one; 0 between steps.
    begun: AtomicU64,
    cancel: CancellationHandle,
}

impl Steps {
    /// Runs one step.
    pub(super) fn step<T>(&self, work: impl FnOnce() -> T) -> T {
        self.begun.store(self.now(), Ordering::Relaxed);
        let result = work();
        self.begun.store(0, Ordering::Relaxed);
        result
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX - 1) + 1
    }

    fn is_overdue(&self) -> bool {
        let begun = self.begun.load(Ordering::Relaxed);
        begun != 0 && Duration::from_millis(self.now().saturating_sub(begun)) > LIMIT
    }
}

/// Set of watched constraints.
#[derive(Clone, Default)]
pub(super) struct Watchdog(Arc<Mutex<Watched>>);

#[derive(Default)]
struct Watched {
    constraints: Vec<Weak<Steps>>,
    has_thread: bool,
}

impl Watchdog {
    /// Watches a constraint until its steps are dropped.
    pub(super) fn watch(&self, cancel: CancellationHandle) -> Arc<Steps> {
        let steps = Arc::new(Steps { epoch: Instant::now(), begun: AtomicU64::new(0), cancel });
        let mut watched = self.0.lock();
        watched.constraints.push(Arc::downgrade(&steps));
        if !watched.has_thread {
            let watchdog = self.clone();
            // If the thread cannot be started, the next constraint retries.
            let thread = std::thread::Builder::new().name("grammar watchdog".to_owned()).spawn(move || watchdog.run());
            watched.has_thread = thread.is_ok();
        }
        steps
    }

    fn run(&self) {
        loop {
            std::thread::sleep(PERIOD);
            let mut watched = self.0.lock();
            watched.constraints.retain(|steps| {
                let Some(steps) = steps.upgrade() else { return false };
                if steps.is_overdue() {
                    steps.cancel.cancel();
                }
                true
            });
            if watched.constraints.is_empty() {
                watched.has_thread = false;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_overdue_steps_are_cancelled() {
        let watchdog = Watchdog::default();
        let (slow, quick) = (CancellationHandle::default(), CancellationHandle::default());
        let (slow_steps, quick_steps) = (watchdog.watch(slow.clone()), watchdog.watch(quick.clone()));
        quick_steps.step(|| ());
        slow_steps.step(|| {
            while !slow.is_cancelled() {
                std::thread::yield_now();
            }
        });
        assert!(!quick.is_cancelled());
        drop((slow_steps, quick_steps));
        while watchdog.0.lock().has_thread {
            std::thread::yield_now();
        }
        assert!(watchdog.0.lock().constraints.is_empty());
    }
}
