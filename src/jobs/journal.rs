//! Makes the steps of a running job durable while training goes on.
//!
//! A step's event and the state to go on from are written together, beside the computation of the next step and before
//! that one's own write begins. So whatever ends the process, at most one finished step is computed again, and no event
//! is shown whose step could be lost.

use std::time::{Duration, Instant};

use tokio::{runtime::Handle, task::JoinHandle};

use super::{WorkerParts, attempt::AttemptError};
use crate::store::{
    artifacts::{ArtifactError, ArtifactId, Artifacts},
    garbage,
    records::{AdapterArtifacts, Lease, NewEvent, ResumeState},
};

/// States up to this many bytes are kept after every step.
const SMALL_STATE: usize = 64 << 20;
/// A larger state is kept once this many times its cost has passed since the last one.
const LARGE_STATE_PATIENCE: u32 = 40;

/// The files of a state of training.
pub(super) struct StateFiles {
    /// `adapter_config.json`.
    pub(super) config: Vec<u8>,
    /// `adapter_model.safetensors`.
    pub(super) weights: Vec<u8>,
    /// The optimizer's moments.
    pub(super) optimizer: Vec<u8>,
}

/// Artifacts of a stored state.
pub(super) struct StoredState {
    pub(super) adapter: AdapterArtifacts,
    pub(super) optimizer: ArtifactId,
}

/// Makes the files of a state; called on another thread than the trainer's.
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
    /// The write that is under way; it tells what it cost.
    writing: Option<JoinHandle<Result<Duration, AttemptError>>>,
    /// When the last state was handed over.
    last_state: Instant,
    /// What the last state cost.
    cost: Duration,
    /// The last step and its event, while no state of it is written.
    unkept: Option<(usize, NewEvent)>,
}

impl Journal {
    /// A journal for the attempt that holds `lease`. Its methods are called on a thread that may wait.
    pub(super) fn new(parts: WorkerParts, lease: Lease, runtime: Handle) -> Self {
        Self { parts, lease, runtime, writing: None, last_state: Instant::now(), cost: Duration::ZERO, unkept: None }
    }

    /// Whether the state after the present step is to be kept, if it has so many bytes.
    pub(super) fn wants_state(&self, bytes: usize) -> bool {
        bytes <= SMALL_STATE || self.last_state.elapsed() >= self.cost * LARGE_STATE_PATIENCE
    }

    /// Begins to write step `index`, from 0, when the step before is durable. `state` is training as of its end.
    pub(super) fn step(&mut self, index: usize, event: NewEvent, state: Option<MakeFiles>) -> Result<(), AttemptError> {
        self.settle()?;
        match state {
            Some(_) => (self.last_state, self.unkept) = (Instant::now(), None),
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

    /// Whether steps were made since the last state that is kept.
    pub(super) fn is_behind(&self) -> bool {
        self.unkept.is_some()
    }

    /// Keeps the state as of the last step, and waits until it is durable.
    pub(super) fn keep(&mut self, state: MakeFiles) -> Result<(), AttemptError> {
        self.settle()?;
        if let Some((index, event)) = self.unkept.take() {
            self.begin(index, event, Some(state));
        }
        self.settle()
    }

    /// Waits until all is durable.
    pub(super) fn settle(&mut self) -> Result<(), AttemptError> {
        if let Some(writing) = self.writing.take() {
            self.cost = self.runtime.block_on(writing)??;
        }
        Ok(())
    }
}

/// Writes a step and returns what its state cost.
async fn write(
    parts: WorkerParts,
    lease: Lease,
    next_step: i64,
    event: NewEvent,
    state: Option<MakeFiles>,
) -> Result<Duration, AttemptError> {
    let begin = Instant::now();
    // Event 1 is `training_started`; the event of step 0, after which step 1 is next, is event 2.
    let sequence = next_step.saturating_add(1);
    let WorkerParts { metadata, artifacts, .. } = parts;
    match state {
        None => drop(metadata.append_event(&lease, sequence, event).await?),
        Some(make) => {
            let files = tokio::task::spawn_blocking(make).await?;
            let StoredState { adapter, optimizer } = files.store(&artifacts).await?;
            let state = ResumeState { next_step, adapter, optimizer };
            let replaced = metadata.record_step(&lease, sequence, event, state).await?;
            garbage::collect_later(metadata, artifacts, replaced);
        }
    }
    Ok(begin.elapsed())
}
