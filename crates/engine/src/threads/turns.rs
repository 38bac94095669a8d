//! Lock of the compute threads, assigned to chat and training by [`TurnOrder`].

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use super::chat_share::{ChatShare, Decision, Purpose, TurnOrder};

/// Reentrant lock, owned by a thread.
pub(crate) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
    /// Zero of the order's times.
    start: Instant,
    /// Nanoseconds after `start` at which the holder must yield; [`NEVER`] if it need not.
    gives_way_at: AtomicU64,
}

struct State {
    order: TurnOrder,
    /// Thread that holds the lock, and the number of its guards.
    holder: Option<(ThreadId, usize)>,
}

const NEVER: u64 = u64::MAX;

/// Exclusive use of the threads, until all guards of this thread are dropped.
#[must_use = "the turn ends when this is dropped"]
pub struct Turn<'a> {
    turns: &'a Turns,
    /// Makes the guard `!Send`, since the lock belongs to a thread.
    stays: PhantomData<*const ()>,
}

/// Guard that marks its owner as having work, also while it does not hold the lock, until dropped.
#[must_use = "training counts as idle when this is dropped"]
pub struct Training<'a> {
    turns: &'a Turns,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            state: Mutex::new(State { order: TurnOrder::new(ChatShare::default()), holder: None }),
            changed: Condvar::new(),
            start: Instant::now(),
            gives_way_at: AtomicU64::new(NEVER),
        }
    }

    pub(crate) fn set_share(&self, share: ChatShare) {
        self.state().order.set_share(share);
    }

    pub(crate) fn busy(&self) -> Training<'_> {
        self.state().order.begin_busy();
        Training { turns: self }
    }

    /// Acquires the lock. A thread that holds it acquires it again at once, for the purpose for which it holds it.
    pub(crate) fn lock(&self, purpose: Purpose) -> Turn<'_> {
        let thread = std::thread::current().id();
        let mut state = self.state();
        if let Some((holder, guards)) = &mut state.holder
            && *holder == thread
        {
            *guards += 1;
            return self.guard();
        }
        let ticket = state.order.ask(purpose, self.now());
        loop {
            self.publish(&state.order);
            state = match state.order.decide(ticket, self.now()) {
                Decision::Go => break,
                Decision::Wait => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Decision::WaitUntil(at) => {
                    let time = at.saturating_sub(self.now());
                    self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.holder = Some((thread, 1));
        self.publish(&state.order);
        self.guard()
    }

    /// Returns whether the holder should yield as soon as possible. It is cheap and may be called by any thread that
    /// works for the holder.
    pub(crate) fn should_give_way(&self) -> bool {
        match self.gives_way_at.load(Ordering::Relaxed) {
            NEVER => false,
            at => self.now() >= Duration::from_nanos(at),
        }
    }

    /// Returns the number of waiting callers.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.state().order.waiting()
    }

    fn guard(&self) -> Turn<'_> {
        Turn { turns: self, stays: PhantomData }
    }

    fn publish(&self, order: &TurnOrder) {
        let at = order.gives_way_at().map_or(NEVER, |at| u64::try_from(at.as_nanos()).unwrap_or(NEVER));
        self.gives_way_at.store(at, Ordering::Relaxed);
    }

    /// Unlocks the state and wakes the waiting callers.
    fn notify(&self, state: MutexGuard<'_, State>) {
        let waiting = state.order.has_waiting();
        drop(state);
        if waiting {
            self.changed.notify_all();
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements, so a poisoned lock is usable.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        if let Some((_, guards)) = &mut state.holder
            && *guards > 1
        {
            *guards -= 1;
            return;
        }
        state.holder = None;
        state.order.release(self.turns.now());
        self.turns.publish(&state.order);
        self.turns.notify(state);
    }
}

impl Drop for Training<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        state.order.end_busy();
        self.turns.notify(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize};

    use super::*;

    fn wait_for_waiting(turns: &Turns, count: usize) {
        while turns.waiting() < count {
            std::thread::yield_now();
        }
    }

    #[test]
    fn excludes_and_serves_chat_first_each_side_in_order() {
        let turns = Turns::new();
        let (inside, order) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            let held = turns.lock(Purpose::Background);
            let (turns, inside, order) = (&turns, &inside, &order);
            let callers = [Purpose::Background, Purpose::Chat, Purpose::Background];
            for (i, purpose) in callers.into_iter().enumerate() {
                scope.spawn(move || {
                    let _guard = turns.lock(purpose);
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    order.lock().unwrap().push(i);
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
                wait_for_waiting(turns, i + 1);
            }
            drop(held);
        });
        assert_eq!(*order.lock().unwrap(), [1, 0, 2]);
    }

    #[test]
    fn is_held_until_the_last_guard_of_the_thread_is_dropped() {
        let (turns, entered) = (Turns::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (outer, inner) = (turns.lock(Purpose::Chat), turns.lock(Purpose::Background));
            scope.spawn(|| {
                let _guard = turns.lock(Purpose::Background);
                entered.store(true, Ordering::SeqCst);
            });
            wait_for_waiting(&turns, 1);
            drop(outer); // in any order
            assert_eq!(turns.waiting(), 1);
            assert!(!entered.load(Ordering::SeqCst));
            drop(inner);
        });
        assert!(entered.load(Ordering::SeqCst));
    }

    #[test]
    fn only_background_work_is_asked_to_give_way() {
        let turns = Turns::new();
        for (holder, expected) in [(Purpose::Background, true), (Purpose::Chat, false)] {
            std::thread::scope(|scope| {
                let held = turns.lock(holder);
                assert!(!turns.should_give_way());
                scope.spawn(|| drop(turns.lock(Purpose::Chat)));
                wait_for_waiting(&turns, 1);
                assert_eq!(turns.should_give_way(), expected);
                drop(held);
            });
            assert!(!turns.should_give_way());
        }
    }
}
