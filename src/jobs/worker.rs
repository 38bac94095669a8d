//! The worker: claims queued jobs, holds their leases, and decides on retries.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;
use tracing::Instrument;

use super::attempt;
use super::error::{JobError, RetryDecision};
use super::slots::{HeldJob, HeldJobs, Slots};
use super::worker_parts::WorkerParts;
use crate::engine::panic_text;
use crate::error_chain;
use crate::stop::{self, Stop};
use crate::store::background::LastOutcome;
use crate::store::garbage;
use crate::store::metadata::StoreError;
use crate::store::records::{
    ClaimedJob, JobFailure, JobOutcome, Lease, NewEvent, WaitReason, WorkerProfile, WorkerReport,
};
use crate::telemetry::Trace;

/// Time until a lease without a heartbeat expires.
const LEASE: Duration = Duration::from_secs(15);
/// Interval of the checks whether a held job was cancelled.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);
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
/// Interval of the reports that the worker runs.
const REPORT_INTERVAL: Duration = Duration::from_secs(15);
/// Interval of the warning about jobs that this worker cannot run.
const REMINDER_INTERVAL: Duration = Duration::from_secs(60);

/// Runs queued jobs. It trains one at a time, and prepares others while the data of those that it holds is slow.
pub(crate) struct Worker {
    parts: WorkerParts,
    profile: WorkerProfile,
    slots: Slots,
    /// Outcome of the last look for a job.
    outcome: LastOutcome,
}

impl Worker {
    /// Creates a worker with a unique name.
    pub(crate) fn new(parts: WorkerParts) -> Self {
        let profile = WorkerProfile {
            // The process id helps operators to find the process.
            owner: format!("worker-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple()),
            trainers: parts.catalog.base_names().map(|base| (base.to_owned(), parts.trainer_kind(base))).collect(),
            excluded_entities: Vec::new(),
            excluded_sources: Vec::new(),
        };
        Self { parts, profile, slots: Slots::new(), outcome: LastOutcome::default() }
    }

    /// Returns the outcome of the last look for a job, also for later ones.
    pub(crate) fn outcome(&self) -> LastOutcome {
        self.outcome.clone()
    }

    /// Runs jobs until `stop` turns true. The jobs that it holds then return to the queue.
    pub(crate) async fn run(self, stop: Stop) {
        let worker = Arc::new(self);
        worker.report().await;
        tokio::select! {
            () = Self::run_jobs(&worker, stop) => {}
            () = worker.keep_reporting() => {}
        }
        if let Err(error) = worker.parts.metadata.remove_worker(&worker.profile.owner).await {
            tracing::debug!(%error, "the end of the worker cannot be reported");
        }
    }

    async fn run_jobs(worker: &Arc<Self>, mut stop: Stop) {
        let mut held = HeldJobs::default();
        let mut attempts = JoinSet::new();
        let mut reminded: Option<Instant> = None;
        // Consecutive storage failures.
        let mut outages = 0;
        while !*stop.borrow() {
            let next_claim = held.next_claim(Instant::now());
            let may_claim = async {
                match next_claim {
                    Some(time) => tokio::time::sleep_until(time).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = stop::requested(&mut stop) => break,
                Some(ended) = attempts.join_next() => {
                    worker.note_end(ended, &mut outages, &mut stop).await;
                    continue;
                }
                () = may_claim => {}
            }
            let profile = WorkerProfile {
                excluded_entities: held.excluded_entities(),
                excluded_sources: held.excluded_sources(),
                ..worker.profile.clone()
            };
            let claimed = worker.parts.metadata.claim_next(&profile, LEASE).await;
            worker.outcome.record(&claimed);
            match claimed {
                Ok(Some(claimed)) => {
                    let (id, kind) = (claimed.job.id, claimed.job.kind.as_str());
                    let trace = Trace::of_job(id, kind);
                    let trace_id = trace.id().map(tracing::field::display);
                    let span = tracing::info_span!("job", %id, kind, trace_id);
                    let is_fetched = claimed.job.data().is_some();
                    let job = held.add(&claimed.job.entity, is_fetched, Instant::now());
                    let (worker, stop) = (worker.clone(), stop.clone());
                    let attempt = async move { worker.work(claimed, &job, stop).await };
                    attempts.spawn(trace.scope(attempt.instrument(span)));
                    continue;
                }
                Ok(None) => {
                    if reminded.is_none_or(|at| at.elapsed() >= REMINDER_INTERVAL) {
                        reminded = Some(Instant::now());
                        worker.remind().await;
                    }
                }
                Err(error) => {
                    tracing::error!(error = %error_chain(&error), "cannot claim a job");
                    outages += 1;
                    worker.back_off(outages, &mut stop).await;
                    continue;
                }
            }
            tokio::select! {
                waited = worker.parts.metadata.wait_for_job(POLL) => if let Err(error) = waited {
                    tracing::warn!(error = %error_chain(&error), "cannot wait for jobs; looking for them instead");
                    tokio::time::sleep(MIN_BACKOFF).await;
                },
                Some(ended) = attempts.join_next() => worker.note_end(ended, &mut outages, &mut stop).await,
                () = stop::requested(&mut stop) => {}
            }
        }
        // Each attempt ends by itself: it has the signal too.
        while let Some(ended) = attempts.join_next().await {
            worker.note_end(ended, &mut outages, &mut stop).await;
        }
    }

    /// Reports to the store that the worker runs.
    async fn report(&self) {
        let WorkerProfile { owner, trainers, .. } = self.profile.clone();
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let report = WorkerReport { name: owner, host, version, trainers };
        if let Err(error) = self.parts.metadata.report_worker(&report).await {
            tracing::debug!(%error, "the worker cannot report");
        }
    }

    async fn keep_reporting(&self) {
        loop {
            tokio::time::sleep(REPORT_INTERVAL).await;
            self.report().await;
        }
    }

    /// Backs off after an attempt that the storage failed.
    async fn note_end(&self, ended: Result<StorageHealth, JoinError>, outages: &mut u32, stop: &mut Stop) {
        match ended {
            Ok(StorageHealth::Working) => *outages = 0,
            Ok(StorageHealth::Failing) => {
                *outages += 1;
                self.back_off(*outages, stop).await;
            }
            Err(error) => tracing::error!(%error, "an attempt ended badly; its lease will expire"),
        }
    }

    /// Warns of queued jobs that this worker cannot run.
    async fn remind(&self) {
        match self.parts.metadata.count_jobs_for_others(&self.profile).await {
            Ok(0) => {}
            Ok(jobs) => tracing::warn!(
                jobs,
                trainers = ?self.profile.trainers,
                "jobs wait for a worker with another base model, or with the trainer that they began with: another --weights, a \
                 learner (--trainer), or none"
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
    async fn work(&self, claimed: ClaimedJob, held: &HeldJob, stop: Stop) -> StorageHealth {
        let lease = claimed.lease;
        let (attempts, fruitless) = (claimed.job.attempts, claimed.job.attempts_without_progress);
        tracing::info!(attempts, "job claimed");
        let outcome = if fruitless > MAX_ATTEMPTS_WITHOUT_PROGRESS {
            Err(JobError::TooManyAttempts(MAX_ATTEMPTS_WITHOUT_PROGRESS))
        } else {
            self.attempt(claimed, held, stop.clone()).await
        };
        match outcome {
            Ok(()) => {
                self.parts.metrics.jobs_succeeded.add(1);
                tracing::info!("job ended");
            }
            Err(JobError::Stopped) => {
                tracing::info!("job returned to the queue");
                if let Err(error) = self.parts.metadata.release_job(&lease, None).await {
                    tracing::warn!(%error, "the lease could not be released; it will expire");
                }
            }
            Err(JobError::Store(StoreError::LeaseLost(_) | StoreError::NotFound(_))) => log_lost_lease(),
            Err(error) => return self.settle_failure(lease, &error, stop).await,
        }
        StorageHealth::Working
    }

    /// Runs an attempt until it ends, its lease is lost or a stop is requested.
    async fn attempt(&self, claimed: ClaimedJob, held: &HeldJob, stop: Stop) -> Result<(), JobError> {
        let mut lease_end = pin!(self.keep_lease(claimed.job.entity.clone(), claimed.lease, stop));
        let cancel = Arc::new(AtomicBool::new(false));
        let ready = tokio::select! {
            ready = caught(attempt::prepare(&self.parts, &self.slots, held, claimed, cancel.clone())) => ready?,
            error = &mut lease_end => {
                // Nobody waits for a source of data. A thread that reads prepared data stops by the flag.
                cancel.store(true, Ordering::Relaxed);
                return Err(error);
            }
        };
        let mut training = pin!(caught(attempt::train(ready)));
        tokio::select! {
            outcome = &mut training => outcome,
            error = lease_end => {
                // Two trainers at once would share memory and cores, so the worker waits for this one. The trainer
                // reads the flag between sequences; without a lease its writes are rejected.
                cancel.store(true, Ordering::Relaxed);
                match tokio::time::timeout(CANCEL_TIMEOUT, training).await {
                    Ok(Ok(())) => Ok(()),
                    _ => Err(error),
                }
            }
        }
    }

    /// Fails the job or returns it to the queue, by the error of its attempt.
    async fn settle_failure(&self, lease: Lease, error: &JobError, stop: Stop) -> StorageHealth {
        // Without the lease the error says nothing about the job: its files may be deleted already.
        if let Err(StoreError::LeaseLost(_)) = self.parts.metadata.heartbeat(&lease, LEASE).await {
            log_lost_lease();
            return StorageHealth::Working;
        }
        let reason = error_chain(error);
        Trace::current().failed(&reason);
        match error.retry_decision() {
            RetryDecision::Permanent => {
                self.fail(lease, error, error.for_owner()).await;
                return StorageHealth::Working;
            }
            RetryDecision::Transient => {
                tracing::warn!(reason, "job paused; it resumes when the store and its learner work again")
            }
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
        self.release(lease, error.wait_reason(), stop).await;
        StorageHealth::Failing
    }

    /// Returns a job to the queue; retries until the store accepts it or the lease is lost.
    async fn release(&self, lease: Lease, reason: WaitReason, mut stop: Stop) {
        loop {
            match self.parts.metadata.release_job(&lease, Some(reason)).await {
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
    async fn keep_lease(&self, entity: String, lease: Lease, mut stop: Stop) -> JobError {
        tokio::select! {
            error = self.renew(lease) => error,
            error = self.watch(&entity, lease) => error,
            () = stop::requested(&mut stop) => JobError::Stopped,
        }
    }

    /// Renews the lease until it is lost.
    async fn renew(&self, lease: Lease) -> JobError {
        loop {
            tokio::time::sleep(LEASE / 3).await;
            match self.parts.metadata.heartbeat(&lease, LEASE).await {
                Ok(()) => {}
                Err(error @ StoreError::LeaseLost(_)) => return error.into(),
                // The lease outlives two missed heartbeats.
                Err(error) => tracing::warn!(%error, "a heartbeat could not be written"),
            }
        }
    }

    /// Looks at the job between the heartbeats, without a write, until somebody cancels, deletes or takes it.
    async fn watch(&self, entity: &str, lease: Lease) -> JobError {
        loop {
            tokio::time::sleep(WATCH_INTERVAL).await;
            match self.parts.metadata.get_job(entity, lease.job_id).await {
                Ok(job) if job.lease_owner.as_ref() == Some(&self.profile.owner) => {}
                Ok(_) | Err(StoreError::NotFound(_)) => return StoreError::LeaseLost(lease).into(),
                // The heartbeat decides.
                Err(error) => tracing::debug!(%error, "the job cannot be looked at"),
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

/// Runs a part of an attempt. A panic fails the job, not the worker.
async fn caught<T>(part: impl Future<Output = Result<T, JobError>>) -> Result<T, JobError> {
    let outcome = AssertUnwindSafe(part).catch_unwind().await;
    outcome.unwrap_or_else(|panic| Err(JobError::Panic(panic_text(&*panic).to_owned())))
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
