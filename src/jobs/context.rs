//! The job of an attempt, its model and the trainers that it may open.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::runtime::Handle;

use super::error::JobError;
use super::trainers::{Sessions, Trainers};
use super::worker_parts::WorkerParts;
use crate::engine::TrainingMethod;
use crate::models::Base;
use crate::store::records::{JobRecord, Lease, ModelRecord, TrainerKind};

/// A job, the model that it trains, and the flag that cancels it.
pub(super) struct JobContext<'a> {
    /// The worker's stores and engine.
    pub(super) parts: &'a WorkerParts,
    /// The job's record as of its claim.
    pub(super) job: JobRecord,
    /// The model that the job trains.
    pub(super) model: ModelRecord,
    /// The model's base.
    pub(super) base: Arc<Base>,
    /// Sessions of this attempt on a remote learner.
    pub(super) sessions: Arc<Sessions>,
    /// Cancel flag, read between rows, groups and sequences.
    pub(super) cancel: Arc<AtomicBool>,
}

impl<'a> JobContext<'a> {
    /// Reads the model of a job and finds its base.
    ///
    /// # Errors
    /// When the job began in an earlier order of operations, the model is deleted, its base is not served here, or it is trained as a whole and its trainer is remote.
    pub(super) async fn open(
        parts: &'a WorkerParts,
        job: JobRecord,
        lease: &Lease,
        cancel: Arc<AtomicBool>,
    ) -> Result<Self, JobError> {
        if let Some(TrainerKind::EarlierEngine(format)) = job.trainer {
            return Err(JobError::EarlierOrder(format));
        }
        let model = parts.metadata.get_model(&job.entity, job.model_id).await?;
        let base = parts.catalog.served_base(&model)?.clone();
        if let (TrainingMethod::Full, Some(server)) = (model.method, parts.trainers.of(base.name())) {
            return Err(JobError::FullOnRemote(server.address.to_string()));
        }
        Ok(Self { parts, job, model, base, sessions: Arc::new(Sessions::of_attempt(lease)), cancel })
    }

    /// Returns the opener of this attempt's trainers.
    pub(super) fn trainers(&self) -> Trainers {
        Trainers {
            pool: self.parts.pool.clone(),
            base: self.base.clone(),
            server: self.parts.trainers.of(self.base.name()).cloned(),
            sessions: self.sessions.clone(),
            cancel: self.cancel.clone(),
            metadata: self.parts.metadata.clone(),
            runtime: Handle::current(),
        }
    }
}
