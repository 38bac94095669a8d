//! The stores and the engine that a worker uses, and the job that it runs with them.

use std::sync::{Arc, atomic::AtomicBool};

use super::error::JobError;
use crate::{
    engine::{ComputePool, WeightFormat},
    metrics::Metrics,
    models::{Base, Catalog},
    store::{
        artifacts::Artifacts,
        metadata::Metadata,
        records::{JobRecord, ModelRecord},
    },
    training::DataSource,
};

/// Stores, models, compute and counters of a worker.
#[derive(Clone)]
pub struct WorkerParts {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Bytes.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// Format in which the weights of the base models are stored.
    pub weights: WeightFormat,
    /// Whether this process answers chat too: it then keeps new checkpoints in memory.
    pub serves: bool,
    /// Compute threads, shared with sampling.
    pub pool: Arc<ComputePool>,
    /// Allowed sources of training data.
    pub data: Arc<DataSource>,
    /// Counters of steps and jobs.
    pub metrics: Arc<Metrics>,
}

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
    /// Cancel flag, read between rows, groups and sequences.
    pub(super) cancel: Arc<AtomicBool>,
}

impl<'a> JobContext<'a> {
    /// Reads the model of a job and finds its base.
    ///
    /// # Errors
    /// When the model is deleted, or its base is not served here.
    pub(super) async fn open(
        parts: &'a WorkerParts,
        job: JobRecord,
        cancel: Arc<AtomicBool>,
    ) -> Result<Self, JobError> {
        let model = parts.metadata.get_model(&job.entity, job.model_id).await?;
        let base = parts.catalog.served_base(&model)?.clone();
        Ok(Self { parts, job, model, base, cancel })
    }
}
