//! Jobs, from the side of their owners.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{
    CancelledJob, EventRecord, FirstModel, JobFilter, JobRecord, JobState, LabelChange, NewEvent, NewJob, Page,
    PageRequest, QueueDepth, RewardDeviation,
};

/// Jobs, from the side of their owners. Workers use [`Leases`](super::Leases).
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Queues a job.
    ///
    /// # Errors
    /// [`StoreError::TooManyJobs`](super::StoreError::TooManyJobs) if the entity has
    /// [`MAX_UNFINISHED_JOBS`](super::MAX_UNFINISHED_JOBS).
    async fn create_job(&self, job: NewJob) -> Result<JobRecord>;
    /// Creates a model and queues its first job, both or neither; otherwise as [`Self::create_job`].
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) if the model's name is taken.
    async fn create_model_with_job(&self, first: FirstModel, job: NewJob) -> Result<JobRecord>;
    /// Reads a job.
    async fn get_job(&self, entity: &str, id: Uuid) -> Result<JobRecord>;
    /// Reads a job with its progress.
    async fn get_job_state(&self, entity: &str, id: Uuid) -> Result<JobState>;
    /// Lists an entity's jobs by age.
    async fn list_jobs(&self, entity: &str, filter: JobFilter<'_>, page: PageRequest) -> Result<Page<JobState>>;
    /// Changes the name and the tags of a job; returns the changed job.
    async fn set_job_labels(&self, entity: &str, id: Uuid, change: LabelChange) -> Result<JobState>;
    /// Lists the jobs of every entity by age. The filter has no model.
    async fn list_all_jobs(&self, filter: JobFilter<'_>, page: PageRequest) -> Result<Page<JobState>>;
    /// Counts the queued and running jobs that were created with a key of the entity.
    async fn unfinished_jobs_of_key(&self, entity: &str, key_id: Uuid) -> Result<u64>;
    /// Cancels a queued or running job and appends `event` as its last, as [`Leases::finish_job`] does. Its worker loses
    /// the lease. A job that is cancelled already is returned unchanged.
    ///
    /// # Errors
    /// [`StoreError::Conflict`](super::StoreError::Conflict) if the job has succeeded or failed.
    ///
    /// [`Leases::finish_job`]: super::Leases::finish_job
    async fn cancel_job(&self, entity: &str, id: Uuid, message: &str, event: NewEvent) -> Result<CancelledJob>;
    /// Lists a job's events by sequence.
    async fn list_events(&self, entity: &str, job_id: Uuid, page: PageRequest) -> Result<Page<EventRecord>>;
    /// Lists the reward deviations that
    /// [`Leases::record_reward_deviation`](super::Leases::record_reward_deviation) returned to a job.
    async fn reward_deviations(&self, entity: &str, job_id: Uuid) -> Result<Vec<RewardDeviation>>;
    /// Counts queued and running jobs of all entities.
    async fn queue_depth(&self) -> Result<QueueDepth>;
}
