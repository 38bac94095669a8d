//! Unsafe part of the thread pool: lending a closure to threads that outlive it.

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::threads::chat_share::Purpose;
use crate::threads::turns::Turns;

type Task = dyn Fn(usize) + Sync;

/// Maximum number of tasks in a job.
pub(crate) const MAX_TASKS: usize = (1 << COUNT_BITS) - 1;
const COUNT_BITS: u32 = 20;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;

/// Slot for one job at a time: a closure that is called with every index below a count, by any thread that claims one.
///
/// Generation, count and next index share one word, so a thread that claims an index claims it from the job that is
/// published at that moment. A late thread finds no index left and never delays the caller. A job that must yield is
/// closed: no index can be claimed any more, and the caller publishes the rest as a new job.
pub(crate) struct JobSlot {
    turns: Turns,
    /// Bits: generation << 40 | count << 20 | next index.
    ticket: AtomicU64,
    done: AtomicUsize,
    task: UnsafeCell<Option<*const Task>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `task` is written only by `run` while no index is claimable, and read only between claiming an index and
// counting it as done, during which `run` does not return. The closure is `Sync`.
unsafe impl Sync for JobSlot {}
// SAFETY: as above.
unsafe impl Send for JobSlot {}

impl JobSlot {
    /// Creates a slot without a job.
    pub(crate) fn new() -> Self {
        Self {
            turns: Turns::new(),
            ticket: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            task: UnsafeCell::new(None),
            panic: Mutex::new(None),
        }
    }

    /// Returns the number of jobs so far, modulo 2^24. It changes when a job is published.
    pub(crate) fn generation(&self) -> u64 {
        self.ticket.load(Ordering::SeqCst) >> (2 * COUNT_BITS)
    }

    /// Returns the lock of the slot, ordered by [`Turns`]. A thread owns the slot while it holds a guard.
    pub(crate) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// Publishes `task`, calls `wake`, works on the task with this thread, and returns when all started calls have
    /// returned. The first panic of a call is resumed here.
    ///
    /// Returns the number of indices that were called, beginning with 0: `count`, or fewer but at least one if the job
    /// had to yield.
    ///
    /// # Panics
    /// If `count` exceeds [`MAX_TASKS`], if a call panicked, or if called from inside a task of this slot.
    pub(crate) fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync), wake: impl FnOnce()) -> usize {
        assert!(count <= MAX_TASKS, "a job has at most {MAX_TASKS} tasks");
        let turn = self.turns.lock(Purpose::Background);
        // SAFETY: it is this thread's turn, and only a thread whose turn it is writes the cell.
        assert!(unsafe { (*self.task.get()).is_none() }, "a task does not run a job of its own slot");
        // SAFETY: only the lifetime changes. The pointer is used by claimed calls only, and this function returns after
        // the last of them.
        let task = unsafe { std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const Task>(task) };
        // SAFETY: it is our turn and no job runs: the last one's indices are all claimed and done, so nobody reads the cell.
        unsafe { *self.task.get() = Some(task) };
        self.done.store(0, Ordering::Relaxed);
        let generation = (self.generation() + 1) & ((1 << (64 - 2 * COUNT_BITS)) - 1);
        self.ticket.store(generation << (2 * COUNT_BITS) | (count as u64) << COUNT_BITS, Ordering::SeqCst);
        wake();
        self.work();
        let begun = self.close();
        let mut spins = 0u32;
        while self.done.load(Ordering::Acquire) < begun {
            spins += 1;
            // A worker may have been preempted in the middle of a task.
            if spins < 10_000 { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        // SAFETY: as above, of this job.
        unsafe { *self.task.get() = None };
        let panic = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        drop(turn);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        begun
    }

    /// Makes all indices unclaimable and returns the number claimed before.
    fn close(&self) -> usize {
        let close = |ticket: u64| Some(ticket & !COUNT_MASK | ticket >> COUNT_BITS & COUNT_MASK);
        let ticket = self.ticket.fetch_update(Ordering::AcqRel, Ordering::Acquire, close);
        (ticket.unwrap_or_else(|ticket| ticket) & COUNT_MASK) as usize
    }

    /// Works on the published job until no index is left or the job must yield.
    pub(crate) fn work(&self) {
        loop {
            let ticket = self.ticket.load(Ordering::Acquire);
            let (count, index) = (ticket >> COUNT_BITS & COUNT_MASK, ticket & COUNT_MASK);
            if index >= count {
                return;
            }
            // Only after the first index, so that every turn makes progress.
            if index > 0 && self.turns.should_give_way() {
                return;
            }
            if self.ticket.compare_exchange_weak(ticket, ticket + 1, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                continue;
            }
            // SAFETY: an index of the published job is claimed and not done, so `run` is still waiting: the cell is not
            // written and the closure lives.
            let task = unsafe { (*self.task.get()).map(|task| &*task) };
            let call = AssertUnwindSafe(|| {
                if let Some(task) = task {
                    task(index as usize);
                }
            });
            if let Err(panic) = catch_unwind(call) {
                self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(panic);
            }
            self.done.fetch_add(1, Ordering::Release);
        }
    }
}
