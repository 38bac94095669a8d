//! Workers and the jobs that they hold.

use std::collections::BTreeMap;

use super::Columns;
use crate::metadata::{Result, StoreError};
use crate::records::{LeasedJob, TrainerKind, UnknownKind, WorkerRecord, WorkerReport};

/// Joins the rows of workers with those of the running jobs.
pub(crate) fn workers<R: Columns>(workers: &[R], jobs: &[R]) -> Result<Vec<WorkerRecord>> {
    let mut leased: BTreeMap<&str, Vec<LeasedJob>> = BTreeMap::new();
    for job in jobs {
        let (id, entity) = (job.id("id")?, job.text("entity")?.to_owned());
        leased.entry(job.text("lease_owner")?).or_default().push(LeasedJob { id, entity });
    }
    workers.iter().map(|row| worker(row, leased.remove(row.text("name")?).unwrap_or_default())).collect()
}

fn worker(row: &impl Columns, jobs: Vec<LeasedJob>) -> Result<WorkerRecord> {
    let column = "trainers";
    let corrupt = |reason: String| StoreError::Corrupt { column, reason };
    let kinds: BTreeMap<String, String> =
        serde_json::from_str(row.text(column)?).map_err(|error| corrupt(error.to_string()))?;
    let kinds = kinds.into_iter().map(|(base, kind)| Ok((base, kind.parse::<TrainerKind>()?)));
    let trainers = kinds.collect::<Result<_, UnknownKind>>().map_err(|error| corrupt(error.to_string()))?;
    Ok(WorkerRecord {
        report: WorkerReport {
            name: row.text("name")?.to_owned(),
            host: row.text("host")?.to_owned(),
            version: row.text("version")?.to_owned(),
            trainers,
        },
        started_at: row.integer("started_at")?,
        reported_at: row.integer("reported_at")?,
        is_alive: row.integer("is_alive")? != 0,
        jobs,
    })
}
