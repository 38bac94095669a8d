//! The stores and the engine that a worker uses.

use std::sync::Arc;

use crate::engine::{ComputePool, WeightFormat};
use crate::learners::LearnerServers;
use crate::metrics::Metrics;
use crate::models::Catalog;
use crate::store::artifacts::Artifacts;
use crate::store::metadata::Metadata;
use crate::store::records::TrainerKind;
use crate::training::DataSource;

/// Stores, models, compute and counters of a worker.
#[derive(Clone)]
pub struct WorkerParts {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Bytes.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// Whether this process serves chat too: it then keeps new checkpoints in memory.
    pub serves: bool,
    /// Remote learners, which train in place of the engine.
    pub trainers: LearnerServers,
    /// Compute threads, shared with sampling.
    pub pool: Arc<ComputePool>,
    /// Allowed sources of training data.
    pub data: Arc<DataSource>,
    /// Counters of steps and jobs.
    pub metrics: Arc<Metrics>,
}

impl WorkerParts {
    /// Returns the kind of the trainer of a base model.
    pub(super) fn trainer_kind(&self, base_model: &str) -> TrainerKind {
        match self.trainers.of(base_model) {
            Some(_) => TrainerKind::Learner,
            None => {
                let weights = self.catalog.base(base_model).and_then(|base| base.weights().ok());
                TrainerKind::Engine(weights.map_or_else(WeightFormat::default, |weights| weights.format))
            }
        }
    }
}
