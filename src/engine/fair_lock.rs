//! A lock that is given to waiting threads in order of arrival.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// Re-entrant ticket lock: trainer and sampler ask for it operation by operation or step by step, and neither can
/// overtake the other.
pub(crate) struct FairLock {
    /// The thread that holds the lock, and how many of its guards live.
    holder: Mutex<Option<(ThreadId, usize)>>,
    next: AtomicU64,
    serving: AtomicU64,
    waiting: Mutex<usize>,
    served: Condvar,
}

/// Holds the lock until this and all other guards of its thread are dropped.
pub(crate) struct FairGuard<'a> {
    lock: &'a FairLock,
    /// The lock belongs to a thread, so its guards stay there.
    stays: PhantomData<*const ()>,
}

/// Turns of a spin loop before a waiting thread sleeps, about 20 microseconds.
const SPINS: u32 = 1000;

impl FairLock {
    pub(crate) fn new() -> Self {
        Self {
            holder: Mutex::new(None),
            next: AtomicU64::new(0),
            serving: AtomicU64::new(0),
            waiting: Mutex::new(0),
            served: Condvar::new(),
        }
    }

    /// Waits for its turn; a thread that holds the lock gets it again at once.
    pub(crate) fn lock(&self) -> FairGuard<'_> {
        let thread = std::thread::current().id();
        let again = match &mut *self.holder() {
            Some((holder, guards)) if *holder == thread => {
                *guards += 1;
                true
            }
            _ => false,
        };
        if !again {
            self.wait();
            *self.holder() = Some((thread, 1));
        }
        FairGuard { lock: self, stays: PhantomData }
    }

    fn holder(&self) -> MutexGuard<'_, Option<(ThreadId, usize)>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        for _ in 0..SPINS {
            if self.serving.load(Ordering::Acquire) == ticket {
                return;
            }
            std::hint::spin_loop();
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting += 1;
        while self.serving.load(Ordering::Acquire) != ticket {
            waiting = self.served.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        *waiting -= 1;
    }
}

impl Drop for FairGuard<'_> {
    fn drop(&mut self) {
        {
            let mut holder = self.lock.holder();
            if let Some((_, guards)) = &mut *holder
                && *guards > 1
            {
                *guards -= 1;
                return;
            }
            *holder = None;
        }
        // The counter moves under the mutex, so that a thread about to wait cannot miss it.
        let waiting = self.lock.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.lock.serving.fetch_add(1, Ordering::Release);
        if *waiting > 0 {
            self.lock.served.notify_all();
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

    #[test]
    fn is_held_until_the_last_guard_of_the_thread_is_dropped() {
        let lock = FairLock::new();
        let entered = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (outer, inner) = (lock.lock(), lock.lock());
            scope.spawn(|| {
                let _guard = lock.lock();
                entered.fetch_add(1, Ordering::SeqCst);
            });
            while lock.next.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            drop(outer); // in any order
            std::thread::sleep(std::time::Duration::from_millis(2));
            assert_eq!(entered.load(Ordering::SeqCst), 0);
            drop(inner);
        });
        assert_eq!(entered.load(Ordering::SeqCst), 1);
    }
}
