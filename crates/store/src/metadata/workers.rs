//! Workers, by their own reports.

use async_trait::async_trait;

use super::Result;
use crate::records::{WorkerRecord, WorkerReport};

/// Workers, by their own reports. A lease depends on none of them.
#[async_trait]
pub trait Workers: Send + Sync {
    /// Records that a worker runs. Removes the workers that have not reported for a day.
    async fn report_worker(&self, worker: &WorkerReport) -> Result<()>;
    /// Removes a worker.
    async fn remove_worker(&self, name: &str) -> Result<()>;
    /// Lists the workers of the last day, longest running first, with the jobs that they hold.
    async fn list_workers(&self) -> Result<Vec<WorkerRecord>>;
}
