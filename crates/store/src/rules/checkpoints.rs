//! Rules of checkpoints.

use uuid::Uuid;

use crate::artifacts::ArtifactId;
use crate::metadata::{Result, StoreError};
use crate::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointRecord, DeletedCheckpoints, ModelRecord, NewCheckpoint, NewModel,
    Origin, ReferenceCheckpoint,
};

impl ModelRecord {
    /// Checks whether the checkpoints of these steps, in ascending order, may be deleted.
    ///
    /// # Errors
    /// [`StoreError::LatestCheckpoint`] if the newest is among them, unless `allow_latest`.
    pub(crate) fn check_deletion(&self, steps: &[i64], allow_latest: bool) -> Result<()> {
        match self.latest_step {
            Some(latest) if !allow_latest && steps.binary_search(&latest).is_ok() => {
                Err(StoreError::LatestCheckpoint(latest))
            }
            _ => Ok(()),
        }
    }
}

impl DeletedCheckpoints {
    /// Assembles the result of deleting the steps `wanted`, without [`Self::unreferenced`].
    pub(crate) fn of(wanted: &[i64], checkpoints: &[CheckpointRecord]) -> Self {
        let mut deleted: Vec<i64> = checkpoints.iter().map(|checkpoint| checkpoint.step).collect();
        deleted.sort_unstable();
        let not_found = wanted.iter().copied().filter(|step| deleted.binary_search(step).is_err()).collect();
        Self { deleted, not_found, unreferenced: Vec::new() }
    }
}

impl CheckpointRecord {
    /// The artifacts that its row refers to.
    pub(crate) fn artifacts(&self) -> impl Iterator<Item = ArtifactId> {
        let adapter = self.adapter.iter().flat_map(|adapter| [adapter.config, adapter.weights]);
        adapter.chain(self.optimizer.iter().map(|optimizer| optimizer.state))
    }

    /// This checkpoint as a job's reference.
    pub(crate) fn into_reference(self) -> ReferenceCheckpoint {
        ReferenceCheckpoint { model_id: self.model_id, step: self.step, adapter: self.adapter }
    }
}

impl NewCheckpoint {
    /// The checkpoint of step 0 of a new model.
    pub(crate) fn base(model: &NewModel) -> Self {
        Self { provenance: model.provenance.clone(), ..Self::default() }
    }

    /// A copy of a checkpoint, without provenance.
    pub(crate) fn copied(source: CheckpointRecord) -> Self {
        let CheckpointRecord { metrics, adapter, optimizer, .. } = source;
        Self { metrics, adapter, optimizer, ..Self::default() }
    }

    /// An imported checkpoint, without provenance.
    pub(crate) fn imported(config: ArtifactId, weights: ArtifactId) -> Self {
        Self { adapter: Some(AdapterArtifacts { config, weights }), ..Self::default() }
    }

    /// This copied or imported checkpoint, with the step, metadata and provenance of its request.
    pub(crate) fn added(self, request: &AddedCheckpoint) -> Self {
        Self {
            min_step: request.min_step,
            metadata: request.metadata.clone(),
            provenance: request.provenance.clone(),
            ..self
        }
    }

    /// The checkpoint, by model and step, that this one inherits its metadata from.
    pub(crate) fn metadata_parent(&self, origin: &Origin<'_>, model_id: Uuid) -> Option<(Uuid, i64)> {
        if self.metadata.is_some() { None } else { origin.parent(model_id) }
    }
}

/// Returns the values in ascending order, each once.
pub(crate) fn distinct<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}
