//! The process's compute threads, shared by trainer and sampler.
//!
//! One operation runs at a time, on all threads. Chat goes first: a training operation gives way between two of its tasks
//! and goes on with the others later, and a decoding step ([`ComputePool::turn`]) is never interrupted. What training
//! gets in between is set by [`ChatShare`]. Which thread runs which task, and when, never shows in a result: tasks write
//! disjoint memory.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use super::chat_share::{ChatShare, Purpose};
use super::kernels::InstructionSet;
use super::kernels::task::{JobSlot, MAX_TASKS};
use super::turns::{BusyGuard, TurnGuard};

/// A fixed set of compute threads.
pub struct ComputePool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    instruction_set: InstructionSet,
}

struct Shared {
    job: JobSlot,
    sleepers: AtomicUsize,
    stop: AtomicBool,
}

/// A thread's turn on a pool for chat, until dropped.
#[must_use = "the turn ends when this is dropped"]
pub struct Turn<'a> {
    _guard: TurnGuard<'a>,
}

/// Says that training has work on a pool, until dropped.
#[must_use = "training counts as idle when this is dropped"]
pub struct Training<'a> {
    _guard: BusyGuard<'a>,
}

/// Turns of a spin loop before an idle worker sleeps, about 20 microseconds: longer than the gap between operations.
const SPINS: u32 = 1000;

thread_local! {
    /// Whether this thread is inside a task.
    static IN_TASK: Cell<bool> = const { Cell::new(false) };
}

impl ComputePool {
    /// A pool that computes on `threads` threads (at least one), the calling one included.
    pub fn new(threads: usize) -> Arc<Self> {
        Self::with_instruction_set(threads, InstructionSet::best())
    }

    /// As [`ComputePool::new`], with a chosen instruction set. Results do not depend on it.
    pub fn with_instruction_set(threads: usize, instruction_set: InstructionSet) -> Arc<Self> {
        let shared =
            Arc::new(Shared { job: JobSlot::new(), sleepers: AtomicUsize::new(0), stop: AtomicBool::new(false) });
        let workers = (1..threads)
            .filter_map(|i| {
                let shared = shared.clone();
                let name = format!("compute-{i}");
                // Without a worker the pool is slower, not wrong.
                std::thread::Builder::new().name(name).spawn(move || worker(&shared)).ok()
            })
            .collect();
        Arc::new(Self { shared, workers, instruction_set })
    }

    /// Calls `task(0)` ... `task(tasks - 1)`, shared out over the threads, and returns when all are done. One `run` at a
    /// time; outside of a [`ComputePool::turn`] chat may come between two tasks. A call from inside a task, or of a
    /// single task, runs on the calling thread alone.
    ///
    /// Tasks of training should take less than a millisecond: chat waits that long.
    ///
    /// # Panics
    /// With the first panic of a task, after those that had begun are done.
    pub fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        if tasks <= 1 || IN_TASK.get() {
            (0..tasks).for_each(task);
            return;
        }
        let guarded = |i| {
            let outer = IN_TASK.replace(true);
            let _restore = Restore(outer);
            task(i);
        };
        let mut first = 0;
        while first < tasks {
            let count = (tasks - first).min(MAX_TASKS);
            first += self.shared.job.run(count, &|i| guarded(first + i), || self.wake());
        }
    }

    /// Waits until it is chat's turn and keeps others waiting until the result is dropped, so that several operations of
    /// this thread follow one another. A thread may take turns inside its turn.
    ///
    /// Other callers stand still meanwhile: do not wait for another thread of theirs (a lock, a lazily made value) inside
    /// a turn.
    pub fn turn(&self) -> Turn<'_> {
        Turn { _guard: self.shared.job.turns().lock(Purpose::Chat) }
    }

    /// As long as the result lives, training counts as having work, also between its operations: chat leaves it its share
    /// of the time.
    pub fn training(&self) -> Training<'_> {
        Training { _guard: self.shared.job.turns().busy() }
    }

    /// Sets the part of the time that chat may take while training has work.
    pub fn set_chat_share(&self, share: ChatShare) {
        self.shared.job.turns().set_share(share);
    }

    /// Number of threads, the calling one included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Instructions the kernels use.
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    fn wake(&self) {
        // A worker counts itself as asleep before it looks for a job a last time, so one of the two sees the other.
        if self.shared.sleepers.load(Ordering::SeqCst) > 0 {
            for worker in &self.workers {
                worker.thread().unpark();
            }
        }
    }
}

impl Drop for ComputePool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker only ends by itself; its tasks' panics went to the callers.
            let _ = worker.join();
        }
    }
}

struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        IN_TASK.set(self.0);
    }
}

fn worker(shared: &Shared) {
    let (mut seen, mut spins) = (0, 0);
    while !shared.stop.load(Ordering::SeqCst) {
        let generation = shared.job.generation();
        if generation != seen {
            (seen, spins) = (generation, 0);
            shared.job.work();
        } else if spins < SPINS {
            spins += 1;
            std::hint::spin_loop();
        } else {
            spins = 0;
            shared.sleepers.fetch_add(1, Ordering::SeqCst);
            if shared.job.generation() == seen && !shared.stop.load(Ordering::SeqCst) {
                std::thread::park();
            }
            shared.sleepers.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_every_index_once() {
        let pool = ComputePool::new(3);
        for tasks in [0, 1, 2, 7, 1000] {
            for _ in 0..50 {
                let calls: Vec<_> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                pool.run(tasks, &|i| {
                    calls[i].fetch_add(1, Ordering::Relaxed);
                });
                assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn two_callers_share_it() {
        let pool = ComputePool::new(2);
        let total = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        pool.run(5, &|i| {
                            total.fetch_add(i, Ordering::Relaxed);
                        });
                    }
                });
            }
        });
        assert_eq!(total.load(Ordering::Relaxed), 2 * 200 * 10);
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let pool = ComputePool::new(2);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.run(8, &|i| assert_ne!(i, 3, "task three"));
        }));
        assert!(panicked.is_err());
        let calls = AtomicUsize::new(0);
        pool.run(8, &|_| {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(calls.load(Ordering::Relaxed), 8);
    }

    #[test]
    fn nothing_comes_between_the_operations_of_a_turn() {
        const STEPS: usize = 20;
        let pool = ComputePool::new(2);
        let (foreign, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    pool.run(2, &|task| {
                        foreign.fetch_add(1 - task, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_micros(500));
                    });
                }
            });
            let between: usize = (0..STEPS)
                .map(|_| {
                    let before = foreign.load(Ordering::SeqCst);
                    // The other thread goes on between turns.
                    while foreign.load(Ordering::SeqCst) == before {
                        std::thread::yield_now();
                    }
                    let _turn = pool.turn();
                    let at_start = foreign.load(Ordering::SeqCst);
                    for _ in 0..10 {
                        pool.run(2, &|_| ());
                        let _inner = pool.turn();
                        pool.run(2, &|_| ());
                    }
                    foreign.load(Ordering::SeqCst) - at_start
                })
                .sum();
            stop.store(true, Ordering::SeqCst);
            assert_eq!(between, 0);
        });
        assert!(foreign.load(Ordering::SeqCst) >= STEPS);
    }

    #[test]
    fn a_panic_ends_the_turn() {
        let pool = ComputePool::new(2);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _turn = pool.turn();
            pool.run(8, &|i| assert_ne!(i, 3, "task three"));
        }));
        assert!(panicked.is_err());
        let calls = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                pool.run(8, &|_| {
                    calls.fetch_add(1, Ordering::Relaxed);
                });
            });
        });
        assert_eq!(calls.load(Ordering::Relaxed), 8);
    }

    #[test]
    fn training_gives_way_between_two_tasks_and_goes_on() {
        const TASKS: usize = 40;
        for threads in [1, 2, 3] {
            let pool = ComputePool::new(threads);
            let calls: Vec<_> = (0..TASKS).map(|_| AtomicUsize::new(0)).collect();
            let (begun, chatted) = (AtomicUsize::new(0), AtomicBool::new(false));
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while begun.load(Ordering::SeqCst) == 0 {
                        std::thread::yield_now();
                    }
                    let _turn = pool.turn();
                    let before = begun.load(Ordering::SeqCst);
                    assert!(before <= threads, "{before} tasks began although chat waited");
                    pool.run(4, &|_| chatted.store(true, Ordering::SeqCst));
                    assert_eq!(begun.load(Ordering::SeqCst), before, "a task began in chat's turn");
                });
                pool.run(TASKS, &|i| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    calls[i].fetch_add(1, Ordering::SeqCst);
                    while !chatted.load(Ordering::SeqCst) && pool.shared.job.turns().waiting() == 0 {
                        std::thread::yield_now();
                    }
                });
            });
            assert!(chatted.load(Ordering::SeqCst));
            assert!(calls.iter().all(|calls| calls.load(Ordering::SeqCst) == 1));
        }
    }

    #[test]
    fn a_nested_call_runs_on_the_spot() {
        let pool = ComputePool::new(2);
        let calls = AtomicUsize::new(0);
        pool.run(4, &|_| {
            pool.run(3, &|_| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
        });
        assert_eq!(calls.load(Ordering::Relaxed), 12);
    }

    #[test]
    fn wakes_from_sleep() {
        let pool = ComputePool::new(2);
        for _ in 0..5 {
            std::thread::sleep(std::time::Duration::from_millis(2));
            pool.run(2, &|_| ());
        }
    }
}
