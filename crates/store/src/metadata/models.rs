//! Models and their logged trajectories.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{
    DeletedModel, ModelCreation, ModelFilter, ModelRecord, NewModel, NewTrajectoryLog, NewestModels, Page, PageRequest,
    TrajectoryLogRecord,
};

/// Models and their logged trajectories.
#[async_trait]
pub trait Models: Send + Sync {
    /// Creates a model and its checkpoint of step 0, or returns the existing model with that name.
    async fn create_model(&self, model: NewModel) -> Result<ModelCreation>;
    /// Reads a model.
    async fn get_model(&self, entity: &str, id: Uuid) -> Result<ModelRecord>;
    /// Finds a model by name.
    async fn find_model(&self, entity: &str, project: &str, name: &str) -> Result<ModelRecord>;
    /// Lists an entity's models, oldest first.
    async fn list_models(&self, entity: &str) -> Result<Vec<ModelRecord>>;
    /// Lists a page of an entity's models by age. With a `project`, lists only its models.
    async fn page_models(&self, entity: &str, filter: ModelFilter<'_>, page: PageRequest) -> Result<Page<ModelRecord>>;
    /// Lists an entity's models and the checkpoints of all of them, newest first, at most `limit` of each.
    async fn list_newest(&self, entity: &str, limit: u32) -> Result<NewestModels>;
    /// Deletes a model with its checkpoints, jobs, events and trajectory logs. Workers on its jobs lose their leases.
    /// The tokens trained by its unfinished jobs are added to the usage sums.
    async fn delete_model(&self, entity: &str, id: Uuid) -> Result<DeletedModel>;
    /// Stores a reference to logged trajectories.
    async fn add_trajectory_log(&self, log: NewTrajectoryLog) -> Result<TrajectoryLogRecord>;
    /// Lists a model's trajectory logs by age, those of a split or all.
    async fn list_trajectory_logs(
        &self,
        entity: &str,
        model_id: Uuid,
        split: Option<&str>,
        page: PageRequest,
    ) -> Result<Page<TrajectoryLogRecord>>;
    /// Reads a trajectory log of a model.
    async fn get_trajectory_log(&self, entity: &str, model_id: Uuid, id: Uuid) -> Result<TrajectoryLogRecord>;
}
