//! Rows of batches.

use super::{Columns, corrupt, optional_json, parsed};
use crate::metadata::Result;
use crate::records::{BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, Lease};

/// A batch.
pub(crate) fn batch(row: &impl Columns) -> Result<BatchRecord> {
    Ok(BatchRecord {
        id: row.id("id")?,
        entity: row.text("entity")?.to_owned(),
        key_id: row.id("key_id")?,
        project: row.text("project")?.to_owned(),
        endpoint: row.text("endpoint")?.to_owned(),
        input_file: row.id("input_file")?,
        input: parsed(row, "input_artifact")?,
        metadata: optional_json(row, "metadata")?,
        output_life: row.optional_integer("output_life")?,
        status: batch_status(row)?,
        total: row.optional_integer("total")?,
        completed: row.integer("completed")?,
        failed: row.integer("failed")?,
        usage: BatchUsage {
            input: row.integer("input_tokens")?,
            cached: row.integer("cached_tokens")?,
            output: row.integer("output_tokens")?,
            reasoning: row.integer("reasoning_tokens")?,
        },
        errors: optional_json(row, "errors")?.unwrap_or_default(),
        output_file: row.optional_id("output_file")?,
        error_file: row.optional_id("error_file")?,
        created_at: row.integer("created_at")?,
        expires_at: row.integer("expires_at")?,
        in_progress_at: row.optional_integer("in_progress_at")?,
        finalizing_at: row.optional_integer("finalizing_at")?,
        cancelling_at: row.optional_integer("cancelling_at")?,
        ended_at: row.optional_integer("ended_at")?,
    })
}

/// The status of a batch.
pub(crate) fn batch_status(row: &impl Columns) -> Result<BatchStatus> {
    parsed(row, "status")
}

/// A claimed batch with its lease.
pub(crate) fn claimed_batch(row: &impl Columns) -> Result<ClaimedBatch> {
    let batch = batch(row)?;
    let lease = Lease { job_id: batch.id, token: row.integer("lease_token")? };
    Ok(ClaimedBatch { batch, lease })
}

/// The recorded response to a line of a batch.
pub(crate) fn batch_line(row: &impl Columns) -> Result<BatchLine> {
    let is_failed = match row.integer("is_failed")? {
        0 => false,
        1 => true,
        _ => return Err(corrupt("is_failed")),
    };
    Ok(BatchLine { line: row.integer("line")?, is_failed, text: row.text("text")?.to_owned() })
}
