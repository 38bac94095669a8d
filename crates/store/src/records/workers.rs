//! Workers.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{TrainerKind, UnixMillis};

/// The report of a worker about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerReport {
    /// Unique name, under which it holds leases.
    pub name: String,
    /// Name of its machine.
    pub host: String,
    /// Version of its program.
    pub version: String,
    /// Its base models, each with the trainer of their jobs.
    pub trainers: BTreeMap<String, TrainerKind>,
}

/// A worker as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerRecord {
    /// Its last report.
    pub report: WorkerReport,
    /// Time of its first report.
    pub started_at: UnixMillis,
    /// Time of its last report.
    pub reported_at: UnixMillis,
    /// Whether its last report is so recent that it is presumed to run.
    pub is_alive: bool,
    /// Jobs under its leases.
    pub jobs: Vec<LeasedJob>,
}

/// A job under a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedJob {
    /// The job.
    pub id: Uuid,
    /// Its entity.
    pub entity: String,
}
