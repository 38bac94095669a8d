//! Ends computations of grammars that take too long.
//!
//! llguidance counts its work, but some grammars make single steps slow, and a step is taken while a batch of answers
//! waits. Each constraint notes when it began a step; a thread looks at the notes now and then, and cancels what is
//! overdue. Steps cost two stores, and while there are no constraints there is no thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use llguidance::CancellationHandle;

/// What one step may take.
const LIMIT: Duration = Duration::from_millis(1000);
/// How often the thread looks.
const PERIOD: Duration = Duration::from_millis(100);

/// What one constraint is doing.
pub(super) struct Steps {
    epoch: Instant,
    /// When the step began, in milliseconds since the epoch and one more; 0 between steps.
    begun: AtomicU64,
    cancel: CancellationHandle,
}

impl Steps {
    /// Runs one step.
    pub fn step<T>(&self, work: impl FnOnce() -> T) -> T {
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

/// The constraints that are watched.
#[derive(Clone, Default)]
pub(super) struct Watchdog(Arc<Mutex<Watched>>);

#[derive(Default)]
struct Watched {
    constraints: Vec<Weak<Steps>>,
    has_thread: bool,
}

impl Watchdog {
    /// Watches a constraint until its steps are dropped.
    pub fn watch(&self, cancel: CancellationHandle) -> Arc<Steps> {
        let steps = Arc::new(Steps { epoch: Instant::now(), begun: AtomicU64::new(0), cancel });
        let mut watched = self.watched();
        watched.constraints.push(Arc::downgrade(&steps));
        if !watched.has_thread {
            let watchdog = self.clone();
            // Without a thread the next constraint tries again.
            let thread = std::thread::Builder::new().name("grammar watchdog".to_owned()).spawn(move || watchdog.run());
            watched.has_thread = thread.is_ok();
        }
        steps
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        // The list is whole between any two statements, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        loop {
            std::thread::sleep(PERIOD);
            let mut watched = self.watched();
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
    fn what_is_overdue_is_cancelled_and_nothing_else() {
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
        while watchdog.watched().has_thread {
            std::thread::yield_now();
        }
        assert!(watchdog.watched().constraints.is_empty());
    }
}
