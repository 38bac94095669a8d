//! One attempt at a claimed job: fetch, prepare, restore, train, publish.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures_util::FutureExt;
use tokio::sync::SemaphorePermit;

use super::context::JobContext;
use super::error::JobError;
use super::prepare::{self, Prepared};
use super::slots::{HeldJob, Slots};
use super::worker_parts::WorkerParts;
use super::{fetch, publish, restore, rl, train};
use crate::store::records::{ClaimedJob, JobKind, JobStart, Lease, RolloutArtifacts, WaitReason};

/// An attempt whose data is prepared and which has the slot to train in.
pub(super) struct Ready<'a> {
    context: JobContext<'a>,
    lease: Lease,
    start: JobStart,
    prepared: Prepared,
    _slot: SemaphorePermit<'a>,
}

/// Fetches and prepares the data of a claimed job, then waits for the slot to train in. A later attempt at the same
/// job computes the same bytes and writes the same events.
///
/// The future may be dropped at any time, after `cancel` is set.
pub(super) async fn prepare<'a>(
    parts: &'a WorkerParts,
    slots: &'a Slots,
    held: &HeldJob,
    claimed: ClaimedJob,
    cancel: Arc<AtomicBool>,
) -> Result<Ready<'a>, JobError> {
    let ClaimedJob { job, lease } = claimed;
    let mut context = JobContext::open(parts, job, &lease, cancel).await?;

    let mut start = fetch::start(&context, lease).await?;
    held.note_fetched();
    context.job.start = Some(start.clone());

    let preparing = waiting(parts, lease, slots.preparation()).await?;
    let has_index = context.job.kind == JobKind::Sft || context.job.rollouts.index.is_some();
    let index = (!has_index).then(|| rl::IndexFile::new(&parts.artifacts));
    let (mut prepared, index) = prepare::prepare(&context, index).await?;
    if let Some(index) = index {
        let rollouts = RolloutArtifacts { index: Some(index.finish().await?), logprobs: None };
        rl::record_rollouts(&context, &lease, rollouts).await?;
    }
    if let Prepared::Rl(prepared) = &mut prepared {
        rl::compare(parts, lease, &context.model, &mut start, prepared).await?;
    }
    tracing::info!(announcement = %prepared.announcement(), "data prepared");

    held.note_prepared();
    let slot = waiting(parts, lease, slots.training()).await?;
    drop(preparing);
    Ok(Ready { context, lease, start, prepared, _slot: slot })
}

/// Waits for a slot of the worker, and notes that the job does, unless the slot is free.
async fn waiting<'a>(
    parts: &WorkerParts,
    lease: Lease,
    slot: impl Future<Output = Result<SemaphorePermit<'a>, JobError>>,
) -> Result<SemaphorePermit<'a>, JobError> {
    let mut slot = pin!(slot);
    if let Some(slot) = slot.as_mut().now_or_never() {
        return slot;
    }
    parts.metadata.note_waiting(&lease, Some(WaitReason::Place.into())).await?;
    let slot = slot.await?;
    parts.metadata.note_waiting(&lease, None).await?;
    Ok(slot)
}

/// Trains a prepared job to its published checkpoint. The training stops between two sequences once the attempt is
/// cancelled.
pub(super) async fn train(ready: Ready<'_>) -> Result<(), JobError> {
    let Ready { context, lease, start, prepared, _slot } = ready;
    let ended = publish::ended(&prepared);

    let checkpoint = if prepared.steps() == 0 {
        context.parts.metadata.append_event(&lease, 1, train::started(&prepared)).await?;
        publish::unchanged(&context, start).await
    } else {
        let prepared = restore::with_reference(&context, &start, prepared).await?;
        let origin = restore::origin(&context, &start).await?;
        let trained = train::train(&context, lease, prepared, origin).await?;
        publish::store(&context, &lease, trained).await?
    };
    publish::finish(&context, lease, checkpoint, ended).await
}
