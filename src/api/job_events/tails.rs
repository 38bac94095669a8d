//! The newest events of followed jobs, read and encoded once for all followers in this process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use uuid::Uuid;

use super::encoded;
use crate::generated::types::TrainingJobEvent;
use crate::http::{ApiError, EncodedEvents};
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{JobStatus, Order, PageRequest};

/// Interval of the looks at a followed job, whose events may be written by other processes.
pub(super) const LOOK: Duration = Duration::from_millis(250);
/// Part of the interval for each follower. Sending to one takes 20 to 35 µs of it, so that 10,000 followers use less than a
/// fifth of one core.
const LOOK_PER_FOLLOWER: Duration = Duration::from_micros(200);
/// Maximum interval.
const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// Maximum number of events per look: each follower gets them in one piece.
const EVENTS_PER_LOOK: u32 = 1000;
/// Number of bytes of the newest events that a tail keeps without followers. A follower further behind reads pages of the
/// store.
const KEPT_BYTES: usize = 64 << 10;
/// Number of bytes that each follower adds, since every follower that falls behind reads the store by itself.
const KEPT_BYTES_PER_FOLLOWER: usize = 1 << 10;
/// Maximum number of bytes that a tail keeps.
const MOST_KEPT_BYTES: usize = 4 << 20;

/// A position in the event log of a job: behind the event of this sequence and id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub sequence: i64,
    /// `None` at the begin of the log.
    pub id: Option<Uuid>,
}

/// Tails of the jobs that are followed in this process.
#[derive(Default)]
pub(crate) struct EventTails(Mutex<HashMap<Uuid, Weak<Tail>>>);

/// The newest events of a job. One task reads them from the store until the tail is dropped.
pub(super) struct Tail(watch::Sender<State>);

struct State {
    /// Sequence of the last event before the batches.
    start: i64,
    /// Newest events without a gap, oldest first.
    batches: VecDeque<Batch>,
    /// Bytes of the batches.
    bytes: usize,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// More events may follow.
    Open,
    /// The job has ended: no event can follow.
    Ended,
    /// The store has ended the tail.
    Failed,
}

/// Consecutive events, read by one look.
struct Batch {
    last: Position,
    events: Vec<EncodedEvents<TrainingJobEvent>>,
    all: EncodedEvents<TrainingJobEvent>,
}

/// Next item of a tail for a follower.
pub(super) enum Following {
    /// The next events, and the position behind them.
    Events(EncodedEvents<TrainingJobEvent>, Position),
    /// Nothing new.
    Nothing,
    /// No event can follow.
    Ended,
    /// The tail has dropped the next event.
    Behind,
    /// The store has ended the tail.
    Failed,
}

impl EventTails {
    /// Returns the tail of a job. A job that nobody follows yet is read from `position` on.
    pub(super) fn join(
        self: &Arc<Self>,
        metadata: &Arc<dyn Metadata>,
        entity: &str,
        job_id: Uuid,
        position: Position,
    ) -> Arc<Tail> {
        let mut tails = self.0.lock();
        if let Some(tail) = tails.get(&job_id).and_then(Weak::upgrade) {
            return tail;
        }
        let state = State { start: position.sequence, batches: VecDeque::new(), bytes: 0, phase: Phase::Open };
        let tail = Arc::new(Tail(watch::Sender::new(state)));
        tails.insert(job_id, Arc::downgrade(&tail));
        let reader = Reader { metadata: metadata.clone(), entity: entity.to_owned(), job_id, position };
        let (tails, weak) = (Arc::downgrade(self), Arc::downgrade(&tail));
        tokio::spawn(async move {
            reader.run(&weak).await;
            if let Some(tails) = tails.upgrade() {
                tails.remove(job_id, &weak);
            }
        });
        tail
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Removes a tail that nothing reads any more. The job may have got another one meanwhile.
    fn remove(&self, job_id: Uuid, tail: &Weak<Tail>) {
        let mut tails = self.0.lock();
        if tails.get(&job_id).is_some_and(|known| known.ptr_eq(tail)) {
            tails.remove(&job_id);
        }
    }
}

impl Tail {
    /// Returns a receiver that learns of each change.
    pub(super) fn subscribe(&self) -> Receiver {
        Receiver(self.0.subscribe())
    }
}

/// A follower's view of a tail.
pub(super) struct Receiver(watch::Receiver<State>);

impl Receiver {
    /// Returns what follows after a position.
    pub(super) fn next(&mut self, position: Position) -> Following {
        let state = self.0.borrow_and_update();
        if position.sequence < state.start {
            return Following::Behind;
        }
        let next = state.batches.partition_point(|batch| batch.last.sequence <= position.sequence);
        match (state.batches.get(next), state.phase) {
            (Some(batch), _) => match batch.after(position) {
                Ok(events) => Following::Events(events, batch.last),
                // Its read of the store returns the error, unless it has passed.
                Err(_) => Following::Behind,
            },
            (None, Phase::Open) => Following::Nothing,
            (None, Phase::Ended) => Following::Ended,
            (None, Phase::Failed) => Following::Failed,
        }
    }

    /// Waits until the tail changes.
    pub(super) async fn changed(&mut self) {
        // The holder of a receiver also holds the tail, which has the sender.
        let _ = self.0.changed().await;
    }
}

impl Batch {
    /// Returns the events after a position that is in the batch or before its first event.
    fn after(&self, position: Position) -> Result<EncodedEvents<TrainingJobEvent>, ApiError> {
        let left = usize::try_from(self.last.sequence - position.sequence).unwrap_or(usize::MAX);
        match self.events.len().checked_sub(left) {
            None | Some(0) => Ok(self.all.clone()),
            Some(seen) => EncodedEvents::concat(&self.events[seen..]),
        }
    }
}

impl State {
    fn push(&mut self, batch: Batch, followers: usize) {
        let kept = KEPT_BYTES_PER_FOLLOWER.saturating_mul(followers).saturating_add(KEPT_BYTES).min(MOST_KEPT_BYTES);
        self.bytes += batch.all.size();
        self.batches.push_back(batch);
        while self.bytes > kept
            && self.batches.len() > 1
            && let Some(oldest) = self.batches.pop_front()
        {
            self.bytes -= oldest.all.size();
            self.start = oldest.last.sequence;
        }
    }
}

/// Reads the events of a job for its tail.
struct Reader {
    metadata: Arc<dyn Metadata>,
    entity: String,
    job_id: Uuid,
    position: Position,
}

impl Reader {
    /// Reads until the job has ended, the store ends the tail or the tail is dropped.
    async fn run(mut self, tail: &Weak<Tail>) {
        loop {
            let looked = self.look().await;
            let Some(tail) = tail.upgrade() else { return };
            let pause = match looked {
                Ok((batch, phase, has_more)) => {
                    if batch.is_some() || phase == Phase::Ended {
                        let followers = tail.0.receiver_count();
                        tail.0.send_modify(|state| {
                            if let Some(batch) = batch {
                                state.push(batch, followers);
                            }
                            state.phase = phase;
                        });
                    }
                    if phase == Phase::Ended {
                        return;
                    }
                    !has_more
                }
                Err(Failure::Temporary) => true,
                Err(Failure::Final) => {
                    tail.0.send_modify(|state| state.phase = Phase::Failed);
                    return;
                }
            };
            let interval = interval(tail.0.receiver_count());
            drop(tail);
            if pause {
                tokio::time::sleep(interval).await;
            }
        }
    }

    /// Reads the next events. Returns them, the phase behind them, and whether there are more.
    async fn look(&mut self) -> Result<(Option<Batch>, Phase, bool), Failure> {
        // Read the job before the events. Otherwise events written in between would be missed.
        let job = self.metadata.get_job(&self.entity, self.job_id).await?;
        let is_over = !matches!(job.status, JobStatus::Queued | JobStatus::Running);
        let request = PageRequest { after: self.position.id, limit: EVENTS_PER_LOOK, order: Order::Ascending };
        let page = self.metadata.list_events(&self.entity, self.job_id, request).await?;
        let phase = if is_over && !page.has_more { Phase::Ended } else { Phase::Open };
        let Some(last) = page.items.last() else { return Ok((None, phase, false)) };
        let events = page.items.iter().map(encoded).collect::<Result<Vec<_>, ApiError>>()?;
        let all = EncodedEvents::concat(&events)?;
        self.position = Position { sequence: last.sequence, id: Some(last.id) };
        Ok((Some(Batch { last: self.position, events, all }), phase, page.has_more))
    }
}

/// Returns the time between two looks at a job with this number of followers.
fn interval(followers: usize) -> Duration {
    let followers = u32::try_from(followers).unwrap_or(u32::MAX);
    LOOK_PER_FOLLOWER.saturating_mul(followers).clamp(LOOK, LONGEST_LOOK)
}

/// Reason why a look read nothing.
enum Failure {
    /// The next look may succeed.
    Temporary,
    /// Each follower gets the error from a read of its own.
    Final,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::Unavailable(_)) { Self::Temporary } else { Self::Final }
    }
}

impl From<ApiError> for Failure {
    fn from(_: ApiError) -> Self {
        Self::Final
    }
}
