//! Claims jobs one after the other and sees each to its end.

use std::{
    panic::AssertUnwindSafe,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use tokio::sync::Notify;
use tracing::Instrument;

use super::attempt::{self, AttemptError};
use crate::{
    engine::ComputePool,
    error_chain::{error_chain, panic_text},
    metrics::Metrics,
    models::Catalog,
    stop::{self, Stop},
    store::{
        artifacts::Artifacts,
        garbage,
        metadata::{Metadata, StoreError},
        records::{ClaimedJob, JobOutcome, Lease, NewEvent},
    },
    training::DataSource,
};

/// How long a claim lasts without a heartbeat.
const LEASE: Duration = Duration::from_secs(15);
/// How often the queue is looked at when nothing wakes the worker: finds leases that ran out.
const POLL: Duration = Duration::from_secs(2);
/// Longest wait for a cancelled trainer to notice.
const CANCEL_TIME: Duration = Duration::from_secs(20);
/// Attempts at one job after which it is given up with its cause.
const ATTEMPTS: i64 = 3;

/// What a worker works with.
#[derive(Clone)]
pub struct WorkerParts {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Bytes.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// The cores, shared with sampling.
    pub pool: Arc<ComputePool>,
    /// Where training data may come from.
    pub data: Arc<DataSource>,
    /// Counts steps and jobs.
    pub metrics: Arc<Metrics>,
    /// Notified when a job was queued.
    pub wake: Arc<Notify>,
}

/// Runs queued jobs, one at a time.
pub struct Worker {
    parts: WorkerParts,
    owner: String,
}

impl Worker {
    /// A worker under a name of its own.
    pub fn new(parts: WorkerParts) -> Self {
        Self { parts, owner: format!("worker-{}", uuid::Uuid::now_v7().simple()) }
    }

    /// Works until `stop` turns true; a job that is running then is given back to the queue.
    ///
    /// The embedded store has one worker, so leases of others belong to processes that are gone: their jobs are
    /// taken up at once.
    pub async fn run(self, mut stop: Stop) {
        match self.parts.metadata.expire_leases_of_other_owners(&self.owner).await {
            Ok(0) => {}
            Ok(jobs) => tracing::info!(jobs, "taking up jobs that an earlier process left"),
            Err(error) => tracing::error!(%error, "cannot look for jobs that an earlier process left"),
        }
        while !*stop.borrow() {
            let woken = self.parts.wake.notified();
            match self.parts.metadata.claim_next(&self.owner, LEASE).await {
                Ok(Some(claimed)) => {
                    let span = tracing::info_span!("job", id = %claimed.job.id, kind = claimed.job.kind.as_str());
                    self.work(claimed, stop.clone()).instrument(span).await;
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "cannot claim a job"),
            }
            tokio::select! {
                () = woken => {}
                () = tokio::time::sleep(POLL) => {}
                () = stop::requested(&mut stop) => {}
            }
        }
    }

    async fn work(&self, claimed: ClaimedJob, stop: Stop) {
        let lease = claimed.lease;
        let attempts = claimed.job.attempts;
        tracing::info!(attempts, "job claimed");
        let cancel = Arc::new(AtomicBool::new(false));
        // A panic fails the job, not the worker.
        let attempt = AssertUnwindSafe(attempt::run(&self.parts, claimed, cancel.clone())).catch_unwind();
        let mut attempt = pin!(attempt.map(|outcome| {
            outcome.unwrap_or_else(|panic| Err(AttemptError::Panic(panic_text(&*panic).to_owned())))
        }));
        let outcome = if attempts > ATTEMPTS {
            Err(AttemptError::TooManyAttempts)
        } else {
            tokio::select! {
                outcome = &mut attempt => outcome,
                error = self.hold(lease, stop) => {
                    // Two trainers at once would share memory and cores, so the old one is waited for. It looks at
                    // this between sequences, and without a lease it can write nothing.
                    cancel.store(true, Ordering::Relaxed);
                    match tokio::time::timeout(CANCEL_TIME, attempt).await {
                        Ok(Ok(())) => Ok(()),
                        _ => Err(error),
                    }
                }
            }
        };
        match outcome {
            Ok(()) => {
                self.parts.metrics.jobs_succeeded.add(1);
                tracing::info!("job ended");
            }
            Err(AttemptError::Stopped) => {
                tracing::info!("job given back to the queue");
                if let Err(error) = self.parts.metadata.release_job(&lease).await {
                    tracing::warn!(%error, "the lease could not be released; it will run out");
                }
            }
            Err(AttemptError::Store(StoreError::LeaseLost(_) | StoreError::NotFound(_))) => {
                tracing::info!("the job was deleted or taken over; leaving it");
            }
            // The lease runs out, and the next claim counts as another attempt.
            Err(error) if error.is_transient() && attempts < ATTEMPTS => {
                tracing::warn!(error = %error_chain(&error), "the attempt failed and will be repeated");
            }
            Err(error) => self.fail(lease, &error).await,
        }
    }

    /// Renews the lease until that fails or a stop is asked for; returns why.
    async fn hold(&self, lease: Lease, mut stop: Stop) -> AttemptError {
        loop {
            tokio::select! {
                () = tokio::time::sleep(LEASE / 3) => {}
                () = stop::requested(&mut stop) => return AttemptError::Stopped,
            }
            match self.parts.metadata.heartbeat(&lease, LEASE).await {
                Ok(()) => {}
                Err(error @ StoreError::LeaseLost(_)) => return error.into(),
                // The lease outlives two missed heartbeats.
                Err(error) => tracing::warn!(%error, "a heartbeat could not be written"),
            }
        }
    }

    async fn fail(&self, lease: Lease, error: &AttemptError) {
        let message = error.for_owner();
        tracing::warn!(error = %error_chain(error), "job failed");
        let event = NewEvent {
            kind: "training_failed".to_owned(),
            data: serde_json::json!({ "error_message": message }).to_string(),
        };
        match self.parts.metadata.finish_job(&lease, JobOutcome::Failed(message), None, vec![event]).await {
            Ok(finished) => {
                self.parts.metrics.jobs_failed.add(1);
                let WorkerParts { metadata, artifacts, .. } = self.parts.clone();
                garbage::collect_later(metadata, artifacts, finished.unreferenced);
            }
            Err(error) => tracing::error!(%error, "the failure could not be written"),
        }
    }
}
