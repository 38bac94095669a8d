//! One attempt at a claimed job: fetch, prepare, restore, train, publish.

use std::sync::{Arc, atomic::AtomicBool};

use super::{
    context::{JobContext, WorkerParts},
    error::JobError,
    fetch,
    prepare::{self, Prepared},
    publish, restore, rl, train,
};
use crate::store::records::ClaimedJob;

/// Runs a claimed job to its published checkpoint. A later attempt at the same job computes the same bytes and writes
/// the same events.
pub(super) async fn run(parts: &WorkerParts, claimed: ClaimedJob, cancel: Arc<AtomicBool>) -> Result<(), JobError> {
    let ClaimedJob { job, lease } = claimed;
    let mut context = JobContext::open(parts, job, cancel).await?;

    let mut start = fetch::start(&context, lease).await?;
    context.job.start = Some(start.clone());

    let mut prepared = prepare::prepare(&context).await?;
    if let Prepared::Rl(prepared) = &mut prepared {
        rl::compare(parts, lease, &context.model, &mut start, prepared).await?;
    }
    tracing::info!(announcement = %prepared.announcement(), "data prepared");
    let ended = publish::ended(&prepared);

    let checkpoint = if prepared.steps() == 0 {
        parts.metadata.append_event(&lease, 1, train::started(&prepared)).await?;
        publish::unchanged(&context, start)
    } else {
        let prepared = restore::with_reference(&context, &start, prepared).await?;
        let origin = restore::origin(&context, &start).await?;
        let trained = train::train(&context, lease, prepared, origin).await?;
        publish::store(&context, trained).await?
    };
    publish::finish(&context, lease, checkpoint, ended).await
}
