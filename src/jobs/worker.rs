//! The worker: claims queued jobs one at a time, holds their leases, and decides on retries.

use std::{
    panic::AssertUnwindSafe,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use tracing::Instrument;

use super::{
    attempt,
    context::WorkerParts,
    error::{JobError, RetryDecision},
};
use crate::{
    engine::panic_text,
    error_chain::error_chain,
    stop::{self, Stop},
    store::{
        garbage,
        metadata::StoreError,
        records::{ClaimedJob, JobFailure, JobOutcome, Lease, NewEvent, WorkerProfile},
    },
};

/// Time until a lease without a heartbeat expires.
const LEASE: Duration = Duration::from_secs(15);
/// Interval of polling the queue, which finds expired leases.
const POLL: Duration = Duration::from_secs(2);
/// Time limit for a cancelled trainer to stop and to store its last step.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(20);
/// Consecutive attempts with the same error and no completed step after which the job fails.
const MAX_EQUAL_FAILURES: i64 = 3;
/// Claims in a row without a completed step after which the job fails: it crashes its worker, mostly for want of memory.
/// The number is high because a worker that is killed from outside leaves the same trace.
const MAX_ATTEMPTS_WITHOUT_PROGRESS: i64 = 10;
/// Backoff after the first storage failure; it doubles with each further one in a row.
const MIN_BACKOFF: Duration = Duration::from_secs(1);
/// The longest backoff: the worker resumes at most this long after the store.
const MAX_BACKOFF: Duration = Duration::from_secs(16);
/// Interval of the warning about jobs that this worker cannot run.
const REMINDER_INTERVAL: Duration = Duration::from_secs(60);

/// Runs queued jobs, one at a time.
pub(crate) struct Worker {
    parts: WorkerParts,
    profile: WorkerProfile,
}

impl Worker {
    /// Creates a worker with a unique name.
    pub(crate) fn new(parts: WorkerParts) -> Self {
        let profile = WorkerProfile {
            // The process id helps operators to find the process.
            owner: format!("worker-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple()),
            base_models: parts.catalog.base_names().map(str::to_owned).collect(),
            weights: parts.weights,
            excluded_entities: Vec::new(),
        };
        Self { parts, profile }
    }

    /// Runs jobs until `stop` turns true. A job that is running then returns to the queue.
    pub(crate) async fn run(self, mut stop: Stop) {
        let metadata = &self.parts.metadata;
        let mut reminded: Option<Instant> = None;
        // Consecutive storage failures.
        let mut outages = 0;
        while !*stop.borrow() {
            match metadata.claim_next(&self.profile, LEASE).await {
                Ok(Some(claimed)) => {
                    let span = tracing::info_span!("job", id = %claimed.job.id, kind = claimed.job.kind.as_str());
                    outages = match self.work(claimed, stop.clone()).instrument(span).await {
                        StorageHealth::Working => 0,
                        StorageHealth::Failing => outages + 1,
                    };
                    if outages > 0 {
                        self.back_off(outages, &mut stop).await;
                    }
                    continue;
                }
                Ok(None) => {
                    if reminded.is_none_or(|at| at.elapsed() >= REMINDER_INTERVAL) {
                        reminded = Some(Instant::now());
                        self.remind().await;
                    }
                }
                Err(error) => {
                    tracing::error!(error = %error_chain(&error), "cannot claim a job");
                    outages += 1;
                    self.back_off(outages, &mut stop).await;
                    continue;
                }
            }
            tokio::select! {
                waited = metadata.wait_for_job(POLL) => if let Err(error) = waited {
                    tracing::warn!(error = %error_chain(&error), "cannot wait for jobs; looking for them instead");
                    tokio::time::sleep(MIN_BACKOFF).await;
                },
                () = stop::requested(&mut stop) => {}
            }
        }
    }

    /// Warns of queued jobs that this worker cannot run.
    async fn remind(&self) {
        match self.parts.metadata.count_jobs_for_others(&self.profile).await {
            Ok(0) => {}
            Ok(jobs) => tracing::warn!(
                jobs,
                weights = %self.profile.weights,
                base_models = ?self.profile.base_models,
                "jobs wait for a worker with another base model, or began with another --weights"
            ),
            Err(error) => tracing::debug!(%error, "cannot count the jobs for other workers"),
        }
    }

    /// Waits until artifacts can be stored again, with exponential backoff.
    async fn back_off(&self, outages: u32, stop: &mut Stop) {
        let backoff = MIN_BACKOFF.saturating_mul(1 << (outages - 1).min(10)).min(MAX_BACKOFF);
        loop {
            tokio::select! {
                () = tokio::time::sleep(backoff) => {}
                () = stop::requested(stop) => return,
            }
            match self.parts.artifacts.probe().await {
                Ok(()) => return,
                Err(error) => tracing::warn!(error = %error_chain(&error), "artifacts cannot be stored yet"),
            }
        }
    }

    /// Runs a claimed job under its lease, and settles the outcome.
    async fn work(&self, claimed: ClaimedJob, stop: Stop) -> StorageHealth {
        let lease = claimed.lease;
        let (attempts, fruitless) = (claimed.job.attempts, claimed.job.attempts_without_progress);
        tracing::info!(attempts, "job claimed");
        let cancel = Arc::new(AtomicBool::new(false));
        // A panic fails the job, not the worker.
        let attempt = AssertUnwindSafe(attempt::run(&self.parts, claimed, cancel.clone())).catch_unwind();
        let mut attempt =
            pin!(attempt.map(|outcome| {
                outcome.unwrap_or_else(|panic| Err(JobError::Panic(panic_text(&*panic).to_owned())))
            }));
        let outcome = if fruitless > MAX_ATTEMPTS_WITHOUT_PROGRESS {
            Err(JobError::TooManyAttempts(MAX_ATTEMPTS_WITHOUT_PROGRESS))
        } else {
            tokio::select! {
                outcome = &mut attempt => outcome,
                error = self.keep_lease(lease, stop.clone()) => {
                    // Two trainers at once would share memory and cores, so the worker waits for this one. The trainer
                    // reads the flag between sequences; without a lease its writes are rejected.
                    cancel.store(true, Ordering::Relaxed);
                    match tokio::time::timeout(CANCEL_TIMEOUT, attempt).await {
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
            Err(JobError::Stopped) => {
                tracing::info!("job returned to the queue");
                if let Err(error) = self.parts.metadata.release_job(&lease).await {
                    tracing::warn!(%error, "the lease could not be released; it will expire");
                }
            }
            Err(JobError::Store(StoreError::LeaseLost(_) | StoreError::NotFound(_))) => log_lost_lease(),
            Err(error) => return self.settle_failure(lease, &error, stop).await,
        }
        StorageHealth::Working
    }

    /// Fails the job or returns it to the queue, by the error of its attempt.
    async fn settle_failure(&self, lease: Lease, error: &JobError, stop: Stop) -> StorageHealth {
        // Without the lease the error says nothing about the job: its files may be deleted already.
        if let Err(StoreError::LeaseLost(_)) = self.parts.metadata.heartbeat(&lease, LEASE).await {
            log_lost_lease();
            return StorageHealth::Working;
        }
        let reason = error_chain(error);
        match error.retry_decision() {
            RetryDecision::Permanent => {
                self.fail(lease, error, error.for_owner()).await;
                return StorageHealth::Working;
            }
            RetryDecision::Transient => tracing::warn!(reason, "job paused; it resumes when the store works again"),
            // Without the causes, which name new files at each attempt: the same failure has the same text.
            RetryDecision::Unknown => match self.parts.metadata.note_failure(&lease, &error.to_string()).await {
                Ok(MAX_EQUAL_FAILURES..) => {
                    let message = format!("{MAX_EQUAL_FAILURES} attempts in a row failed: {}", error.for_owner());
                    self.fail(lease, error, message).await;
                    return StorageHealth::Working;
                }
                Ok(failures) => tracing::warn!(reason, failures, "the attempt failed and will be retried"),
                Err(failure) => {
                    tracing::warn!(reason, %failure, "the attempt failed, and the failure cannot be recorded")
                }
            },
        }
        self.release(lease, stop).await;
        StorageHealth::Failing
    }

    /// Returns a job to the queue; retries until the store accepts it or the lease is lost.
    async fn release(&self, lease: Lease, mut stop: Stop) {
        loop {
            match self.parts.metadata.release_job(&lease).await {
                Ok(()) | Err(StoreError::LeaseLost(_)) => return,
                Err(error) => {
                    tracing::warn!(error = %error_chain(&error), "the job cannot be returned to the queue yet")
                }
            }
            tokio::select! {
                () = tokio::time::sleep(MIN_BACKOFF) => {}
                () = stop::requested(&mut stop) => return,
            }
        }
    }

    /// Renews the lease until it is lost or a stop is requested; returns the reason.
    async fn keep_lease(&self, lease: Lease, mut stop: Stop) -> JobError {
        loop {
            tokio::select! {
                () = tokio::time::sleep(LEASE / 3) => {}
                () = stop::requested(&mut stop) => return JobError::Stopped,
            }
            match self.parts.metadata.heartbeat(&lease, LEASE).await {
                Ok(()) => {}
                Err(error @ StoreError::LeaseLost(_)) => return error.into(),
                // The lease outlives two missed heartbeats.
                Err(error) => tracing::warn!(%error, "a heartbeat could not be written"),
            }
        }
    }

    async fn fail(&self, lease: Lease, error: &JobError, message: String) {
        tracing::warn!(error = %error_chain(error), "job failed");
        let event = NewEvent {
            kind: "training_failed".to_owned(),
            data: serde_json::json!({ "error_message": message }).to_string(),
        };
        let failure = JobFailure { code: error.code(), message };
        match self.parts.metadata.finish_job(&lease, JobOutcome::Failed(failure), None, Some(event)).await {
            Ok(finished) => {
                self.parts.metrics.jobs_failed.add(1);
                let WorkerParts { metadata, artifacts, .. } = self.parts.clone();
                garbage::collect_later(metadata, artifacts, finished.unreferenced);
            }
            Err(error) => tracing::error!(%error, "the failure could not be written"),
        }
    }
}

fn log_lost_lease() {
    tracing::info!("the job was cancelled, deleted or taken over; leaving it");
}

/// State of the metadata and artifact stores after an attempt.
enum StorageHealth {
    /// The next job can be claimed at once.
    Working,
    /// The worker backs off before its next claim.
    Failing,
}
