//! A lock that is given to waiting threads in order of arrival.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Ticket lock: trainer and sampler ask for it operation by operation, and neither can overtake the other.
pub(crate) struct FairLock {
    next: AtomicU64,
    serving: AtomicU64,
    waiting: Mutex<usize>,
    served: Condvar,
}

/// Holds the lock until dropped.
pub(crate) struct FairGuard<'a>(&'a FairLock);

/// Turns of a spin loop before a waiting thread sleeps, about 20 microseconds.
const SPINS: u32 = 1000;

impl FairLock {
    pub(crate) fn new() -> Self {
        Self { next: AtomicU64::new(0), serving: AtomicU64::new(0), waiting: Mutex::new(0), served: Condvar::new() }
    }

    /// Waits for its turn.
    pub(crate) fn lock(&self) -> FairGuard<'_> {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        for _ in 0..SPINS {
            if self.serving.load(Ordering::Acquire) == ticket {
                return FairGuard(self);
            }
            std::hint::spin_loop();
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting += 1;
        while self.serving.load(Ordering::Acquire) != ticket {
            waiting = self.served.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        *waiting -= 1;
        FairGuard(self)
    }
}

impl Drop for FairGuard<'_> {
    fn drop(&mut self) {
        // The counter moves under the mutex, so that a thread about to wait cannot miss it.
        let waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.serving.fetch_add(1, Ordering::Release);
        if *waiting > 0 {
            self.0.served.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn excludes_and_serves_in_order() {
        let lock = Arc::new(FairLock::new());
        let (inside, order) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let held = lock.lock();
        let threads: Vec<_> = (0..4)
            .map(|i| {
                let (lock_, inside, order) = (lock.clone(), inside.clone(), order.clone());
                let thread = std::thread::spawn(move || {
                    let _guard = lock_.lock();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    order.lock().unwrap().push(i);
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
                // The next thread starts once this one has its ticket.
                while lock.next.load(Ordering::SeqCst) < i + 2 {
                    std::thread::yield_now();
                }
                thread
            })
            .collect();
        drop(held);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3]);
    }
}
