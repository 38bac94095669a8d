//! Opens the trainers of one attempt at a job: in this process, or on a remote learner.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::runtime::Handle;

use super::cancellation::CancellableTrainer;
use super::error::JobError;
use super::trainer::{State, Trainer};
use crate::engine::{AdamState, Adapter, ComputePool, TrainSession};
use crate::learners::{Caller, LearnerBase, LearnerServer, RemoteLearner, SessionKey};
use crate::models::{Base, Servable};
use crate::store::metadata::Metadata;
use crate::store::records::{LearnerProgram, Lease, Wait, WaitReason};

/// Number of sessions that an attempt may open; the epochs of the next attempt are above them.
const EPOCHS_OF_ATTEMPT: i64 = 1000;

/// Name and epochs of the sessions of one attempt on a remote learner. A later session replaces an earlier one.
#[derive(Debug)]
pub(super) struct Sessions {
    name: String,
    next_epoch: AtomicI64,
    /// The learner that opened the first of them.
    learner: OnceLock<LearnerProgram>,
    /// The attempt's lease; `None` for a replay.
    lease: Option<Lease>,
}

impl Sessions {
    /// Returns the sessions of the attempt that holds `lease`. Their epochs are above those of earlier attempts.
    pub(super) fn of_attempt(lease: &Lease) -> Self {
        let first = lease.token.saturating_mul(EPOCHS_OF_ATTEMPT);
        let name = lease.job_id.simple().to_string();
        Self { name, next_epoch: AtomicI64::new(first), learner: OnceLock::new(), lease: Some(*lease) }
    }

    /// Returns the sessions of a replay, which are its own.
    pub(super) fn of_replay() -> Self {
        let name = format!("replay-{}", uuid::Uuid::now_v7().simple());
        Self { name, next_epoch: AtomicI64::new(0), learner: OnceLock::new(), lease: None }
    }

    /// Returns the remote learner; `None` if no session was opened on one.
    pub(super) fn learner(&self) -> Option<&LearnerProgram> {
        self.learner.get()
    }

    fn next(&self) -> SessionKey {
        SessionKey { name: self.name.clone(), epoch: self.next_epoch.fetch_add(1, Ordering::Relaxed) }
    }
}

/// Opens the trainers of one attempt, one after the other.
#[derive(Clone)]
pub(super) struct Trainers {
    pub(super) pool: Arc<ComputePool>,
    pub(super) base: Arc<Base>,
    /// The remote learner of the base model, if it has one.
    pub(super) server: Option<LearnerServer>,
    pub(super) sessions: Arc<Sessions>,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) metadata: Arc<dyn Metadata>,
    pub(super) runtime: Handle,
}

impl Trainers {
    /// Opens a trainer that starts from a state. It stops when the job is cancelled. Blocks.
    pub(super) fn open(&self, state: State) -> Result<CancellableTrainer, JobError> {
        let trainer = match (&self.server, state) {
            (None, state) => Trainer::new(&self.pool, &self.base, state)?,
            (Some(server), State::Lora { adapter, adam }) => {
                Trainer::Remote(Box::new(self.remote(server, &adapter, &adam)?))
            }
            (Some(server), State::Full { .. }) => return Err(JobError::FullOnRemote(server.address.to_string())),
        };
        Ok(CancellableTrainer::new(trainer, self.cancel.clone()))
    }

    /// Opens a trainer that only scores a checkpoint. Blocks.
    pub(super) fn open_frozen(&self, frozen: Servable) -> Result<CancellableTrainer, JobError> {
        let (weights, adapter) = match frozen {
            Servable::Adapter(adapter) => (None, Arc::unwrap_or_clone(adapter)),
            Servable::Weights(weights) => {
                let adapter = Adapter::none(&weights.config);
                (Some(weights), adapter)
            }
        };
        let adam = AdamState::new(&adapter);
        let trainer = match (&self.server, weights) {
            (Some(_), Some(_)) => return Err(JobError::FullReferenceOnRemote),
            (Some(server), None) => Trainer::Remote(Box::new(self.remote(server, &adapter, &adam)?)),
            (None, weights) => {
                let weights = match weights {
                    Some(weights) => weights,
                    None => self.base.weights()?.clone(),
                };
                Trainer::Lora(Box::new(TrainSession::new(self.pool.clone(), weights, adapter, adam)))
            }
        };
        Ok(CancellableTrainer::new(trainer, self.cancel.clone()))
    }

    fn remote(&self, server: &LearnerServer, adapter: &Adapter, adam: &AdamState) -> Result<RemoteLearner, JobError> {
        let base = LearnerBase { name: self.base.name(), config: &self.base.config, weights: self.base.origin() };
        let caller = Caller { runtime: self.runtime.clone(), cancel: self.cancel.clone() };
        let mut noted = None;
        let mut waiting = |reason: &str| {
            if noted.as_deref() != Some(reason) {
                tracing::info!(reason, "waiting for the learner");
                self.note_waiting(Some(reason));
                noted = Some(reason.to_owned());
            }
        };
        let opened = RemoteLearner::open(server, self.sessions.next(), base, adapter, adam, caller, &mut waiting);
        if noted.is_some() {
            self.note_waiting(None);
        }
        let opened = opened.map_err(|error| match self.cancel.load(Ordering::Relaxed) {
            true => JobError::Stopped,
            false => JobError::Learner(error.into()),
        })?;
        self.sessions.learner.get_or_init(|| opened.program().clone());
        Ok(opened)
    }

    /// Records the reason for which the job waits, for its owner. Blocks.
    fn note_waiting(&self, reason: Option<&str>) {
        let Some(lease) = &self.sessions.lease else { return };
        let wait = reason.map(|message| Wait { reason: WaitReason::Learner, message: Some(message) });
        if let Err(error) = self.runtime.block_on(self.metadata.note_waiting(lease, wait)) {
            tracing::debug!(%error, "the reason for which the job waits was not recorded");
        }
    }
}
