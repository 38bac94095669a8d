//! Optimizer steps.

use super::{Columns, parsed};
use crate::metadata::Result;
use crate::records::{JobSteps, StepPosition, StepRecord};

pub(crate) fn job_steps(row: &impl Columns) -> Result<JobSteps> {
    Ok(JobSteps {
        job_id: row.id("id")?,
        kind: parsed(row, "kind")?,
        steps: row.integer("steps")?,
        published_step: row.optional_integer("published_step")?,
        announcement: row.optional_text("announcement")?.map(str::to_owned),
    })
}

pub(crate) fn step(row: &impl Columns) -> Result<StepRecord> {
    Ok(StepRecord {
        position: StepPosition { job: row.integer("job_sequence")?, event: row.integer("event_sequence")? },
        job_id: row.id("job_id")?,
        event_id: row.id("event_id")?,
        data: row.text("data")?.to_owned(),
        created_at: row.integer("created_at")?,
    })
}
