//! Makes the steps of a running job durable while training continues.
//!
//! A step's event and the state to resume from are written together. The write runs concurrently with the next step and
//! finishes before the next step's own write starts. After a crash, at most one completed step is recomputed, and no
//! event is visible whose step could be lost.

use std::time::{Duration, Instant};

use tokio::{runtime::Handle, task::JoinHandle};

use super::{error::JobError, worker_parts::WorkerParts};
use crate::store::{
    artifacts::{ArtifactError, ArtifactId, Artifacts},
    garbage,
    records::{AdapterArtifacts, Lease, NewEvent, ResumeState},
};

/// State size in bytes up to which the state is stored after every step.
const SMALL_STATE: usize = 64 << 20;
/// Minimum interval between larger states, as a multiple of the last state's cost.
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
    /// In-flight write; it returns its cost.
    writing: Option<JoinHandle<Result<Duration, JobError>>>,
    /// Time of the last call with a state.
    last_state: Instant,
    /// Cost of the last state.
    cost: Duration,
    /// Index and event of the last step, while its state is not written.
    unkept: Option<(usize, NewEvent)>,
}

impl Journal {
    /// Creates a journal for the attempt that holds `lease`. Its methods must be called on a thread that may block.
    pub(super) fn new(parts: WorkerParts, lease: Lease, runtime: Handle) -> Self {
        Self { parts, lease, runtime, writing: None, last_state: Instant::now(), cost: Duration::ZERO, unkept: None }
    }

    /// Returns whether the state after the current step should be stored, given its size in bytes.
    pub(super) fn wants_state(&self, bytes: usize) -> bool {
        bytes <= SMALL_STATE || self.last_state.elapsed() >= self.cost * LARGE_STATE_PATIENCE
    }

    /// Starts to write step `index`, from 0, after the previous step is durable. `state` is the training state at the
    /// end of the step.
    pub(super) fn step(&mut self, index: usize, event: NewEvent, state: Option<MakeFiles>) -> Result<(), JobError> {
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
            self.cost = self.runtime.block_on(writing)??;
        }
        Ok(())
    }
}

/// Writes a step and returns the cost of its state.
async fn write(
    parts: WorkerParts,
    lease: Lease,
    next_step: i64,
    event: NewEvent,
    state: Option<MakeFiles>,
) -> Result<Duration, JobError> {
    let begin = Instant::now();
    // Event 1 is `training_started`; event 2 is that of step 0, after which step 1 is next.
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
