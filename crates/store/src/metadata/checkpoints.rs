//! Checkpoints and their manifests.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointRecord, DeletedCheckpoints, ManifestRecord, Page, PageRequest,
};
use trainyard_model_options::AdapterEffect;

/// Checkpoints and their manifests. Workers publish the checkpoints of jobs through [`Leases`](super::Leases).
#[async_trait]
pub trait Checkpoints: Send + Sync {
    /// Lists a model's checkpoints by step.
    async fn list_checkpoints(&self, entity: &str, model_id: Uuid, page: PageRequest)
    -> Result<Page<CheckpointRecord>>;
    /// Reads the checkpoint with the highest step; `None` if the model has no checkpoint left.
    async fn newest_checkpoint(&self, entity: &str, model_id: Uuid) -> Result<Option<CheckpointRecord>>;
    /// Reads the checkpoint of one step.
    async fn checkpoint_at_step(&self, entity: &str, model_id: Uuid, step: i64) -> Result<CheckpointRecord>;
    /// Reads a checkpoint.
    async fn get_checkpoint(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<CheckpointRecord>;
    /// Deletes the checkpoints of these steps. Repeated steps count once.
    ///
    /// # Errors
    /// [`StoreError::LatestCheckpoint`](super::StoreError::LatestCheckpoint) if the newest checkpoint is among them,
    /// unless `allow_latest`; nothing is deleted then.
    async fn delete_checkpoints(
        &self,
        entity: &str,
        model_id: Uuid,
        steps: &[i64],
        allow_latest: bool,
    ) -> Result<DeletedCheckpoints>;
    /// Replaces the metadata of a checkpoint with the text of a JSON object; returns the changed checkpoint.
    async fn set_checkpoint_metadata(
        &self,
        entity: &str,
        model_id: Uuid,
        step: i64,
        metadata: &str,
    ) -> Result<CheckpointRecord>;
    /// Copies or imports a checkpoint, under the model's next step or [`AddedCheckpoint::min_step`] if that is higher.
    /// The caller ensures that both models of a copy have the same base model and training method.
    ///
    /// # Errors
    /// [`StoreError::NotFound`](super::StoreError::NotFound) if the source does not exist, or if a repeated request's
    /// checkpoint was deleted.
    async fn add_checkpoint(&self, checkpoint: AddedCheckpoint) -> Result<CheckpointRecord>;
    /// Reads the effect that an adapter had in training on a base model; `None` if no checkpoint with these files has one.
    async fn adapter_effect(&self, base_model: &str, adapter: &AdapterArtifacts) -> Result<Option<AdapterEffect>>;
    /// Lists the manifests of a model by step, from `first_step` on, at most `limit`. Manifests outlive their checkpoints.
    /// Checkpoints from before the introduction of manifests have none.
    async fn list_manifests(
        &self,
        entity: &str,
        model_id: Uuid,
        first_step: i64,
        limit: u32,
    ) -> Result<Vec<ManifestRecord>>;
}
