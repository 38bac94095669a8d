//! The last phase of a job: its checkpoint stored, served and recorded.

use serde_json::json;

use super::blocking::blocking;
use super::context::JobContext;
use super::error::JobError;
use super::journal::StoredState;
use super::options::{resolved_config, sent_config};
use super::prepare::Prepared;
use super::rl;
use super::train::Trained;
use crate::models::Servable;
use crate::store::garbage;
use crate::store::records::{
    JobOutcome, JobStart, Lease, NewCheckpoint, NewEvent, OptimizerArtifact, Provenance, RolloutArtifacts,
};

/// A checkpoint whose files are stored, and the weights that serve it if they are new.
pub(super) struct StoredCheckpoint {
    checkpoint: NewCheckpoint,
    servable: Option<Servable>,
}

/// Returns the last event of a job that succeeds. It follows from the data alone, so every attempt writes the same.
pub(super) fn ended(prepared: &Prepared) -> NewEvent {
    let findings = prepared.findings();
    let data = if findings.is_empty() { json!({}) } else { json!({ "findings": findings }) };
    NewEvent { kind: "training_ended".to_owned(), data: data.to_string() }
}

/// Returns the checkpoint of a job without steps: the weights that it started from under a new step, so that loops keyed
/// on the step continue.
pub(super) async fn unchanged(context: &JobContext<'_>, start: JobStart) -> StoredCheckpoint {
    let JobStart { adapter, optimizer, .. } = start;
    let provenance = provenance(context).await;
    let checkpoint = NewCheckpoint { adapter, optimizer, provenance, ..NewCheckpoint::default() };
    StoredCheckpoint { checkpoint, servable: None }
}

/// Stores the files of the trained state, and the logprobs of the trained tokens if there are any.
pub(super) async fn store(
    context: &JobContext<'_>,
    lease: &Lease,
    trained: Trained,
) -> Result<StoredCheckpoint, JobError> {
    let Trained { state, servable, metrics, logprobs, effect } = trained;
    if !logprobs.is_empty() {
        let logprobs = Some(context.parts.artifacts.put(logprobs).await?);
        rl::record_rollouts(context, lease, RolloutArtifacts { index: None, logprobs }).await?;
    }
    let base = context.base.clone();
    let files = blocking(move || Ok(state.files(&base))).await?;
    let StoredState { adapter, optimizer } = files.store(&context.parts.artifacts).await?;
    let optimizer = Some(OptimizerArtifact { state: optimizer, kind: context.job.kind });
    let (adapter, provenance) = (Some(adapter), provenance(context).await);
    let checkpoint = NewCheckpoint { metrics, adapter, optimizer, provenance, effect, ..NewCheckpoint::default() };
    Ok(StoredCheckpoint { checkpoint, servable: Some(servable) })
}

async fn provenance(context: &JobContext<'_>) -> Provenance {
    let mut provenance = context.base.provenance().await;
    let job = &context.job;
    provenance.config = resolved_config(job.kind, job.sampler, sent_config(&job.config)).into();
    provenance.program.learner = context.sessions.learner().cloned();
    provenance
}

/// Writes the checkpoint, the job's outcome and its last event in one transaction: a client that sees the event asks for
/// the checkpoint at once, and a job that published one has not failed.
pub(super) async fn finish(
    context: &JobContext<'_>,
    lease: Lease,
    stored: StoredCheckpoint,
    ended: NewEvent,
) -> Result<(), JobError> {
    let JobContext { parts, job, base, .. } = context;
    let StoredCheckpoint { checkpoint, servable } = stored;
    // The weights are in memory before the event is written, so the first request for them is served at once.
    if let (true, Some(servable), Some(files)) = (parts.serves, servable, checkpoint.adapter.clone()) {
        let (catalog, base, model_id) = (parts.catalog.clone(), base.clone(), job.model_id);
        blocking(move || {
            // A request for the checkpoint reads it from the store instead.
            if let Err(error) = catalog.admit(&base, model_id, &files, servable) {
                tracing::warn!(%error, "the checkpoint's sampler cannot be started yet");
            }
            Ok(())
        })
        .await?;
    }
    let finished = parts.metadata.finish_job(&lease, JobOutcome::Succeeded, Some(checkpoint), Some(ended)).await?;
    match &finished.checkpoint {
        Some(checkpoint) => tracing::info!(step = checkpoint.step, "checkpoint published"),
        // Its model was deleted meanwhile.
        None => parts.catalog.forget_artifacts(&finished.unreferenced),
    }
    garbage::collect_later(parts.metadata.clone(), parts.artifacts.clone(), finished.unreferenced);
    Ok(())
}
