//! Optimizer steps, of one job or of all jobs of a model.

use async_trait::async_trait;

use super::Result;
use crate::records::{JobSteps, StepPosition, StepRecord, StepsOf};

/// Optimizer steps, of one job or of all jobs of a model.
#[async_trait]
pub trait Steps: Send + Sync {
    /// Lists the jobs with the numbers of their steps, in the order of their steps.
    async fn list_job_steps(&self, entity: &str, of: StepsOf) -> Result<Vec<JobSteps>>;
    /// Lists at most `limit` steps after a position, in their order.
    async fn list_steps(
        &self,
        entity: &str,
        of: StepsOf,
        after: Option<StepPosition>,
        limit: u32,
    ) -> Result<Vec<StepRecord>>;
}
