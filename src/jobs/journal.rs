//! Makes the steps of a running job durable while training continues.
//!
//! A step's event and the state to resume from are written together. The write runs concurrently with the next step and
//! finishes before the next step's own write starts. After a crash, at most one completed step is recomputed if its state
//! is small, and otherwise those since the last state, with the same bits.

use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::error::JobError;
use super::worker_parts::WorkerParts;
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::garbage;
use crate::store::records::{AdapterArtifacts, Lease, NewEvent, ResumeState};

/// State size in bytes up to which the state is stored after every step.
const SMALL_STATE: usize = 64 << 20;
/// Minimum interval between larger states, as a multiple of the time that the last one took.
const LARGE_STATE_PATIENCE: u32 = 40;

/// Files of a training state.
pub(super) struct StateFiles {
    /// Contents of `adapter_config.json`.
    pub(super) config: Vec<u8>,
    /// Contents of `adapter_model.safetensors`.
    pub(super) weights: Vec<u8>,
    /// Moments of the optimizer.
    pub(super) optimizer: Vec<u8>,
}

/// Artifacts of a stored state.
pub(super) struct StoredState {
    pub(super) adapter: AdapterArtifacts,
    pub(super) optimizer: ArtifactId,
}

/// Creates the files of a state; called on a different thread from the trainer's.
pub(super) type MakeFiles = Box<dyn FnOnce() -> StateFiles + Send>;

impl StateFiles {
    /// Stores the files.
    pub(super) async fn store(self, artifacts: &Artifacts) -> Result<StoredState, ArtifactError> {
        let (config, weights, optimizer) =
            tokio::try_join!(artifacts.put(self.config), artifacts.put(self.weights), artifacts.put(self.optimizer))?;
        Ok(StoredState { adapter: AdapterArtifacts { config, weights }, optimizer })
    }
}

/// Writes the steps of one attempt, one at a time.
pub(super) struct Journal {
    parts: WorkerParts,
    lease: Lease,
    runtime: Handle,
    /// In-flight write; it returns its duration if it wrote a state.
    writing: Option<JoinHandle<Result<Option<Duration>, JobError>>>,
    pace: Pace,
    /// Index and event of the last step, while its state is not written.
    unkept: Option<(usize, NewEvent)>,
}

/// Interval between states.
#[derive(Debug)]
struct Pace {
    /// Time at which the last state was read.
    last: Instant,
    /// Time that it took to read it from the trainer.
    read: Duration,
    /// Time that it took to write it.
    written: Duration,
}

impl Pace {
    /// Returns whether a state of so many bytes should be stored: a small one always, a larger one if the time since the
    /// last one is a multiple of its cost.
    fn wants(&self, bytes: usize, now: Instant) -> bool {
        bytes <= SMALL_STATE || now.duration_since(self.last) >= (self.read + self.written) * LARGE_STATE_PATIENCE
    }

    /// Notes the time that a write took, if it had a state.
    fn wrote(&mut self, state: Option<Duration>) {
        self.written = state.unwrap_or(self.written);
    }
}

impl Journal {
    /// Creates a journal for the attempt that holds `lease`. Its methods must be called on a thread that may block.
    pub(super) fn new(parts: WorkerParts, lease: Lease, runtime: Handle) -> Self {
        let pace = Pace { last: Instant::now(), read: Duration::ZERO, written: Duration::ZERO };
        Self { parts, lease, runtime, writing: None, pace, unkept: None }
    }

    /// Starts to write step `index`, from 0, after the previous step is durable. `read` reads the training state at the
    /// end of the step from the trainer, if its argument wants one of so many bytes.
    pub(super) fn step(
        &mut self,
        index: usize,
        event: NewEvent,
        read: impl FnOnce(&dyn Fn(usize) -> bool) -> Result<Option<MakeFiles>, JobError>,
    ) -> Result<(), JobError> {
        // The cost of the last state is known once it is written.
        self.settle()?;
        let begin = Instant::now();
        let state = read(&|bytes| self.pace.wants(bytes, begin))?;
        match state {
            Some(_) => {
                (self.pace.last, self.pace.read) = (Instant::now(), begin.elapsed());
                self.unkept = None;
            }
            None => self.unkept = Some((index, event.clone())),
        }
        self.begin(index, event, state);
        self.parts.metrics.training_steps.add(1);
        Ok(())
    }

    fn begin(&mut self, index: usize, event: NewEvent, state: Option<MakeFiles>) {
        let next_step = i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1);
        let write = write(self.parts.clone(), self.lease, next_step, event, state);
        self.writing = Some(self.runtime.spawn(write));
    }

    /// Returns whether steps were made since the last stored state.
    pub(super) fn is_behind(&self) -> bool {
        self.unkept.is_some()
    }

    /// Stores the state after the last step, and waits until it is durable.
    pub(super) fn keep(&mut self, state: MakeFiles) -> Result<(), JobError> {
        self.settle()?;
        if let Some((index, event)) = self.unkept.take() {
            self.begin(index, event, Some(state));
        }
        self.settle()
    }

    /// Waits until the in-flight write is durable.
    pub(super) fn settle(&mut self) -> Result<(), JobError> {
        if let Some(writing) = self.writing.take() {
            self.pace.wrote(self.runtime.block_on(writing)??);
        }
        Ok(())
    }
}

/// Writes a step; returns the duration if it has a state.
async fn write(
    parts: WorkerParts,
    lease: Lease,
    next_step: i64,
    event: NewEvent,
    state: Option<MakeFiles>,
) -> Result<Option<Duration>, JobError> {
    let begin = Instant::now();
    // Event 1 is `training_started`; event 2 is that of step 0, after which step 1 is next.
    let sequence = next_step.saturating_add(1);
    let WorkerParts { metadata, artifacts, .. } = parts;
    match state {
        None => {
            metadata.append_event(&lease, sequence, event).await?;
            Ok(None)
        }
        Some(make) => {
            let files = tokio::task::spawn_blocking(make).await?;
            let StoredState { adapter, optimizer } = files.store(&artifacts).await?;
            let state = ResumeState { next_step, adapter, optimizer };
            let replaced = metadata.record_step(&lease, sequence, event, state).await?;
            garbage::collect_later(metadata, artifacts, replaced);
            Ok(Some(begin.elapsed()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_states_are_stored_at_intervals_of_their_cost() {
        let last = Instant::now();
        let (read, written) = (Duration::from_millis(1500), Duration::from_millis(500));
        let mut pace = Pace { last, read, written: Duration::ZERO };
        pace.wrote(Some(written));
        pace.wrote(None); // An event alone is written in no time.
        let after = |seconds| last + Duration::from_secs(seconds);
        assert!(pace.wants(SMALL_STATE, last));
        assert!(!pace.wants(SMALL_STATE + 1, after(79)));
        assert!(pace.wants(SMALL_STATE + 1, after(80)));
    }
}
