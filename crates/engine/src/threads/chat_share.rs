//! Scheduling of the compute threads between chat and training: the policy, without locks and without a clock.
//!
//! Chat has priority and training uses the remaining time, but at least its share: after chat has used the threads for
//! `t`, it waits until training has had `t * (1 - share) / share`, as long as training has work. A training operation
//! yields between two of its tasks, so chat waits for a task, not for an operation.

use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;

/// Maximum part of the compute time for chat while a job trains. When only chat runs, it gets all of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChatShare(f64);

/// Error of a share outside [`ChatShare::MIN`] to [`ChatShare::MAX`], the range in which both sides make progress.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the chat share is {given}; it is a number from {least} to {most}, such as 0.5", least = ChatShare::MIN, most = ChatShare::MAX)]
pub struct ChatShareError {
    given: String,
}

impl ChatShare {
    /// Smallest share.
    pub const MIN: f64 = 0.05;
    /// Largest share.
    pub const MAX: f64 = 0.95;

    /// Creates a share from [`ChatShare::MIN`] to [`ChatShare::MAX`].
    ///
    /// # Errors
    /// A value outside this range.
    pub fn new(share: f64) -> Result<Self, ChatShareError> {
        match (Self::MIN..=Self::MAX).contains(&share) {
            true => Ok(Self(share)),
            false => Err(ChatShareError { given: share.to_string() }),
        }
    }

    /// Returns the time that training gets after chat has used the threads for `turn`.
    fn owed(self, turn: Duration) -> Duration {
        turn.mul_f64((1.0 - self.0) / self.0)
    }
}

impl Default for ChatShare {
    /// Returns 0.6, which keeps the time between tokens below twice that without training. A decoding step also takes
    /// slightly longer than without training, since training evicts the caches.
    fn default() -> Self {
        Self(0.6)
    }
}

impl FromStr for ChatShare {
    type Err = ChatShareError;

    fn from_str(text: &str) -> Result<Self, ChatShareError> {
        let number = text.trim().parse().map_err(|_| ChatShareError { given: format!("{text:?}") })?;
        Self::new(number)
    }
}

/// Purpose of a caller's computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Chat: a client waits for the next token.
    Chat,
    /// Training and all other work.
    Background,
}

/// Decision for a waiting caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Use the threads now.
    Go,
    /// Wait until another caller's state changes.
    Wait,
    /// Wait until this time, unless a state changes before.
    WaitUntil(Duration),
}

/// Entry of a caller in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket {
    purpose: Purpose,
    number: u64,
    /// Time of the request.
    since: Duration,
}

/// State of the threads, the queues and the time owed to training. Times count from an arbitrary fixed moment.
pub(crate) struct TurnOrder {
    share: ChatShare,
    /// Purpose and start of the current use of the threads.
    holder: Option<(Purpose, Duration)>,
    chat: VecDeque<Ticket>,
    background: VecDeque<Ticket>,
    next_number: u64,
    /// Number of callers marked as busy, whose next operation follows shortly even if none is waiting.
    busy: usize,
    /// Time before which the threads belong to training, if it has work.
    chat_from: Duration,
    /// Time for which training has held the threads while chat was entitled to them.
    overdrawn: Duration,
    /// Chat has released the threads while training waited, so training is next, even if its thread wakes late.
    background_next: bool,
}

impl TurnOrder {
    pub(crate) fn new(share: ChatShare) -> Self {
        Self {
            share,
            holder: None,
            chat: VecDeque::new(),
            background: VecDeque::new(),
            next_number: 0,
            busy: 0,
            chat_from: Duration::ZERO,
            overdrawn: Duration::ZERO,
            background_next: false,
        }
    }

    pub(crate) fn set_share(&mut self, share: ChatShare) {
        self.share = share;
    }

    /// Marks training as having work until [`TurnOrder::end_busy`], even while it does not request the threads.
    pub(crate) fn begin_busy(&mut self) {
        self.busy += 1;
    }

    pub(crate) fn end_busy(&mut self) {
        self.busy -= 1;
    }

    /// Adds a caller to the queue.
    pub(crate) fn ask(&mut self, purpose: Purpose, now: Duration) -> Ticket {
        let ticket = Ticket { purpose, number: self.next_number, since: now };
        self.next_number += 1;
        self.queue(purpose).push_back(ticket);
        ticket
    }

    fn queue(&mut self, purpose: Purpose) -> &mut VecDeque<Ticket> {
        match purpose {
            Purpose::Chat => &mut self.chat,
            Purpose::Background => &mut self.background,
        }
    }

    /// Decides whether the ticket may use the threads. [`Decision::Go`] assigns them to it.
    pub(crate) fn decide(&mut self, ticket: Ticket, now: Duration) -> Decision {
        if self.holder.is_some() || self.queue(ticket.purpose).front() != Some(&ticket) {
            return Decision::Wait;
        }
        let background_works = self.busy > 0 || !self.background.is_empty();
        let decision = match ticket.purpose {
            Purpose::Background if self.background_next || self.chat.is_empty() || now < self.chat_from => Decision::Go,
            Purpose::Background => Decision::Wait,
            Purpose::Chat if self.background_next => Decision::Wait,
            Purpose::Chat if background_works && now < self.chat_from => Decision::WaitUntil(self.chat_from),
            Purpose::Chat => Decision::Go,
        };
        if decision == Decision::Go {
            self.queue(ticket.purpose).pop_front();
            self.holder = Some((ticket.purpose, now));
            if ticket.purpose == Purpose::Background {
                self.background_next = false;
            }
        }
        decision
    }

    /// Releases the threads.
    pub(crate) fn release(&mut self, now: Duration) {
        match self.holder.take() {
            Some((Purpose::Chat, since)) => {
                let owed = self.share.owed(now.saturating_sub(since));
                self.chat_from = now + owed.saturating_sub(self.overdrawn);
                self.overdrawn = Duration::ZERO;
                self.background_next = !self.background.is_empty();
            }
            Some((Purpose::Background, since)) => {
                if let Some(first) = self.chat.front() {
                    let due = self.chat_from.max(first.since).max(since);
                    self.overdrawn += now.saturating_sub(due);
                }
            }
            None => {}
        }
    }

    /// Returns the time at which the current holder must yield, if it must.
    pub(crate) fn gives_way_at(&self) -> Option<Duration> {
        match self.holder {
            Some((Purpose::Background, _)) => self.chat.front().map(|_| self.chat_from),
            _ => None,
        }
    }

    /// Returns whether a caller is in the queue.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.chat.is_empty() || !self.background.is_empty()
    }

    /// Returns the number of callers in the queue.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.chat.len() + self.background.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// The policy with a manual clock.
    struct Trial {
        order: TurnOrder,
        now: Duration,
    }

    impl Trial {
        fn new(share: f64) -> Self {
            Self { order: TurnOrder::new(ChatShare::new(share).unwrap()), now: ms(1000) }
        }

        fn ask(&mut self, purpose: Purpose) -> Ticket {
            self.order.ask(purpose, self.now)
        }

        fn decide(&mut self, ticket: Ticket) -> Decision {
            self.order.decide(ticket, self.now)
        }

        /// Releases the threads after `time`.
        fn release_after(&mut self, time: Duration) {
            self.now += time;
            self.order.release(self.now);
        }
    }

    #[test]
    fn a_share_is_in_range() {
        assert_eq!("0.6".parse(), Ok(ChatShare::default()));
        for wrong in ["0", "1", "-0.5", "nan", "inf", "half", "", "0.96"] {
            let text = wrong.parse::<ChatShare>().unwrap_err().to_string();
            assert!(text.contains("0.05 to 0.95"), "{text}");
        }
    }

    #[test]
    fn chat_alone_never_waits() {
        let mut trial = Trial::new(0.5);
        for _ in 0..3 {
            let ticket = trial.ask(Purpose::Chat);
            assert_eq!(trial.decide(ticket), Decision::Go);
            trial.release_after(ms(5));
        }
    }

    #[test]
    fn each_side_is_served_in_order_of_arrival() {
        let mut trial = Trial::new(0.5);
        for purpose in [Purpose::Chat, Purpose::Background] {
            let (first, second) = (trial.ask(purpose), trial.ask(purpose));
            assert_eq!(trial.decide(second), Decision::Wait);
            assert_eq!(trial.decide(first), Decision::Go);
            assert_eq!(trial.decide(second), Decision::Wait);
            trial.release_after(ms(0));
            assert_eq!(trial.decide(second), Decision::Go);
            trial.release_after(ms(0));
        }
    }

    #[test]
    fn training_gives_way_at_once_to_chat_that_owes_nothing() {
        let mut trial = Trial::new(0.5);
        let training = trial.ask(Purpose::Background);
        assert_eq!(trial.decide(training), Decision::Go);
        assert_eq!(trial.order.gives_way_at(), None);
        let chat = trial.ask(Purpose::Chat);
        assert!(trial.order.gives_way_at().unwrap() <= trial.now);
        trial.release_after(ms(0));
        let rest = trial.ask(Purpose::Background);
        assert_eq!(trial.decide(rest), Decision::Wait);
        assert_eq!(trial.decide(chat), Decision::Go);
        assert_eq!(trial.order.gives_way_at(), None, "chat gives way to nobody");
    }

    #[test]
    fn training_gets_its_part_after_a_turn_of_chat() {
        for (share, part) in [(0.5, 10_000), (0.8, 2_500), (0.2, 40_000)] {
            let mut trial = Trial::new(share);
            trial.order.begin_busy();
            let chat = trial.ask(Purpose::Chat);
            assert_eq!(trial.decide(chat), Decision::Go);
            trial.release_after(ms(10));
            let end = trial.now;
            // Training is between two operations; chat waits nevertheless.
            let chat = trial.ask(Purpose::Chat);
            let Decision::WaitUntil(at) = trial.decide(chat) else { panic!("chat goes too early") };
            assert!((at - end).abs_diff(Duration::from_micros(part)) < Duration::from_micros(1), "{share}");
            let training = trial.ask(Purpose::Background);
            assert_eq!(trial.decide(training), Decision::Go);
            assert_eq!(trial.order.gives_way_at(), Some(at));
            trial.release_after(at - end);
            assert_eq!(trial.decide(chat), Decision::Go);
        }
    }

    #[test]
    fn training_that_ends_leaves_its_part() {
        let mut trial = Trial::new(0.5);
        trial.order.begin_busy();
        let chat = trial.ask(Purpose::Chat);
        assert_eq!(trial.decide(chat), Decision::Go);
        trial.release_after(ms(10));
        let chat = trial.ask(Purpose::Chat);
        assert_ne!(trial.decide(chat), Decision::Go);
        trial.order.end_busy();
        assert_eq!(trial.decide(chat), Decision::Go);
    }

    #[test]
    fn training_time_over_its_share_is_deducted() {
        let mut trial = Trial::new(0.5);
        trial.order.begin_busy();
        let training = trial.ask(Purpose::Background);
        assert_eq!(trial.decide(training), Decision::Go);
        let chat = trial.ask(Purpose::Chat);
        trial.release_after(ms(3)); // the length of its task
        assert_eq!(trial.decide(chat), Decision::Go);
        trial.release_after(ms(10));
        let chat = trial.ask(Purpose::Chat);
        assert_eq!(trial.decide(chat), Decision::WaitUntil(trial.now + ms(7)));
    }

    #[test]
    fn neither_side_starves_under_constant_demand() {
        for share in [0.05, 0.5, 0.95] {
            let mut trial = Trial::new(share);
            trial.order.begin_busy();
            let (mut chat, mut training) = (trial.ask(Purpose::Chat), trial.ask(Purpose::Background));
            let mut time = [Duration::ZERO; 2];
            for _ in 0..2000 {
                // Threads wake late, later than all of training's part at a large share.
                trial.now += Duration::from_micros(100);
                if trial.decide(chat) == Decision::Go {
                    trial.release_after(ms(1));
                    time[0] += ms(1);
                    chat = trial.ask(Purpose::Chat);
                } else if trial.decide(training) == Decision::Go {
                    // Until training must yield, in tasks of half a millisecond.
                    let task = Duration::from_micros(500);
                    loop {
                        trial.now += task;
                        time[1] += task;
                        if trial.order.gives_way_at().is_some_and(|at| at <= trial.now) {
                            break;
                        }
                    }
                    trial.order.release(trial.now);
                    training = trial.ask(Purpose::Background);
                }
            }
            let part = time[0].as_secs_f64() / (time[0] + time[1]).as_secs_f64();
            let longest_task = if share > 0.5 { 0.35 } else { 0.1 };
            assert!((part - share).abs() < longest_task, "{share} {part}");
            assert!(time.iter().all(|time| *time > ms(20)), "{time:?}");
        }
    }
}
