//! Threads that compute, and calls of a function on all of them.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use super::task::{JobSlot, MAX_TASKS};
use crate::kernels::units::InstructionSet;
use crate::threads::chat_share::{ChatShare, Purpose};
use crate::threads::turns::{Training, Turn};

/// A fixed set of compute threads.
pub struct ComputePool {
    shared: Arc<Threads>,
    workers: Vec<JoinHandle<()>>,
    instruction_set: InstructionSet,
}

struct Threads {
    job: JobSlot,
    sleepers: AtomicUsize,
    stop: AtomicBool,
}

/// Iterations of the spin loop before an idle worker sleeps, about 20 microseconds: longer than the gap between
/// operations.
const SPINS: u32 = 1000;

thread_local! {
    /// Whether this thread is inside a task.
    static IN_TASK: Cell<bool> = const { Cell::new(false) };
}

impl ComputePool {
    /// Creates a pool that computes on `threads` threads (at least one), including the calling one.
    pub fn new(threads: usize) -> Arc<Self> {
        Self::with_instruction_set(threads, InstructionSet::best())
    }

    /// Like [`ComputePool::new`], with a given instruction set. Results do not depend on it.
    pub fn with_instruction_set(threads: usize, instruction_set: InstructionSet) -> Arc<Self> {
        let shared =
            Arc::new(Threads { job: JobSlot::new(), sleepers: AtomicUsize::new(0), stop: AtomicBool::new(false) });
        let workers = (1..threads)
            .filter_map(|i| {
                let shared = shared.clone();
                let name = format!("compute-{i}");
                // The pool is slower without a worker, but correct.
                std::thread::Builder::new().name(name).spawn(move || worker(&shared)).ok()
            })
            .collect();
        Arc::new(Self { shared, workers, instruction_set })
    }

    /// Calls `task(0)` ... `task(tasks - 1)`, distributed over the threads, and returns when all are done. One `run`
    /// executes at a time; outside of a [`ComputePool::turn`], chat may interrupt it between two tasks. A call from
    /// inside a task, or of a single task, runs on the calling thread only.
    ///
    /// Tasks of training should take less than a millisecond, since chat waits that long.
    ///
    /// # Panics
    /// With the first panic of a task, after the tasks that have started are done.
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

    /// Waits for exclusive use of the pool for chat. Other callers wait until the result is dropped, so that several
    /// operations of this thread run in succession. The call is reentrant: a thread may call it again while it holds
    /// the result.
    ///
    /// Other callers are blocked meanwhile. While you hold the result, do not wait for a thread that may need the pool
    /// (by a lock, or a lazily computed value): that is a deadlock.
    pub fn turn(&self) -> Turn<'_> {
        self.shared.job.turns().lock(Purpose::Chat)
    }

    /// Marks training as having work until the result is dropped, including between its operations, so that chat leaves
    /// it its share of the time.
    pub fn training(&self) -> Training<'_> {
        self.shared.job.turns().busy()
    }

    /// Sets the maximum part of the time for chat while training has work.
    pub fn set_chat_share(&self, share: ChatShare) {
        self.shared.job.turns().set_share(share);
    }

    /// Returns the number of threads, including the calling one.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Returns the instruction set of the kernels.
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    fn wake(&self) {
        // A worker increments `sleepers` before it checks for a job the last time, so either it sees the job or this
        // thread sees it asleep.
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
            // A worker does not panic; the panics of its tasks went to the callers.
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

fn worker(shared: &Threads) {
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
                    // The other thread proceeds between turns.
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
