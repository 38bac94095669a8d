//! Claims jobs one after the other and sees each to its end.

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
    attempt::{self, AttemptError},
    failure::{Standing, standing},
};
use crate::{
    engine::{ComputePool, WeightFormat},
    error_chain::{error_chain, panic_text},
    metrics::Metrics,
    models::Catalog,
    stop::{self, Stop},
    store::{
        artifacts::Artifacts,
        garbage,
        metadata::{Metadata, StoreError},
        records::{ClaimedJob, JobFailure, JobOutcome, Lease, NewEvent, WorkerProfile},
    },
    training::DataSource,
};

/// How long a claim lasts without a heartbeat.
const LEASE: Duration = Duration::from_secs(15);
/// How often the queue is looked at when nothing wakes the worker: finds leases that ran out.
const POLL: Duration = Duration::from_secs(2);
/// Longest wait for a cancelled trainer to notice and to keep what it has.
const CANCEL_TIME: Duration = Duration::from_secs(20);
/// Failures in a row for the same reason, with no progress, after which a job is given up.
const EQUAL_FAILURES: i64 = 3;
/// Claims in a row with no progress after which a job is given up: it ends its worker every time, for want of memory
/// mostly. A worker that is killed from outside says as little, so it is more than one would wait for a word.
const FRUITLESS_ATTEMPTS: i64 = 10;
/// Pause after the first attempt that the store failed; each later one in a row is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause: work goes on this soon after the store does.
const LONGEST_PAUSE: Duration = Duration::from_secs(16);
/// How often to tell of jobs that no worker like this one can do.
const REMINDER: Duration = Duration::from_secs(60);

/// What a worker works with.
#[derive(Clone)]
pub struct WorkerParts {
    /// Rows.
    pub metadata: Arc<dyn Metadata>,
    /// Bytes.
    pub artifacts: Artifacts,
    /// Base models and adapters.
    pub catalog: Arc<Catalog>,
    /// How the weights of the base models are stored.
    pub weights: WeightFormat,
    /// Whether this process answers chat too: it then keeps what was trained in memory.
    pub serves: bool,
    /// The cores, shared with sampling.
    pub pool: Arc<ComputePool>,
    /// Where training data may come from.
    pub data: Arc<DataSource>,
    /// Counts steps and jobs.
    pub metrics: Arc<Metrics>,
}

/// Runs queued jobs, one at a time.
pub struct Worker {
    parts: WorkerParts,
    profile: WorkerProfile,
}

impl Worker {
    /// A worker under a name of its own.
    pub fn new(parts: WorkerParts) -> Self {
        let profile = WorkerProfile {
            // The number of the process is for people who look for it.
            owner: format!("worker-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple()),
            base_models: parts.catalog.base_names().map(str::to_owned).collect(),
            weights: parts.weights,
        };
        Self { parts, profile }
    }

    /// Works until `stop` turns true; a job that is running then is given back to the queue.
    pub async fn run(self, mut stop: Stop) {
        let metadata = &self.parts.metadata;
        let mut reminded: Option<Instant> = None;
        // Attempts in a row that the store failed.
        let mut outages = 0;
        while !*stop.borrow() {
            match metadata.claim_next(&self.profile, LEASE).await {
                Ok(Some(claimed)) => {
                    let span = tracing::info_span!("job", id = %claimed.job.id, kind = claimed.job.kind.as_str());
                    outages = match self.work(claimed, stop.clone()).instrument(span).await {
                        Went::On => 0,
                        Went::Out => outages + 1,
                    };
                    if outages > 0 {
                        self.pause(outages, &mut stop).await;
                    }
                    continue;
                }
                Ok(None) => {
                    if reminded.is_none_or(|at| at.elapsed() >= REMINDER) {
                        reminded = Some(Instant::now());
                        self.remind().await;
                    }
                }
                Err(error) => {
                    tracing::error!(error = %error_chain(&error), "cannot claim a job");
                    outages += 1;
                    self.pause(outages, &mut stop).await;
                    continue;
                }
            }
            tokio::select! {
                waited = metadata.wait_for_job(POLL) => if let Err(error) = waited {
                    tracing::warn!(error = %error_chain(&error), "cannot wait for jobs; looking for them instead");
                    tokio::time::sleep(FIRST_PAUSE).await;
                },
                () = stop::requested(&mut stop) => {}
            }
        }
    }

    /// Says that there are jobs which this worker must leave to others.
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

    /// Waits until artifacts can be stored again, and a little longer each time that they could not after all.
    async fn pause(&self, outages: u32, stop: &mut Stop) {
        let pause = FIRST_PAUSE.saturating_mul(1 << (outages - 1).min(10)).min(LONGEST_PAUSE);
        loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = stop::requested(stop) => return,
            }
            match self.parts.artifacts.probe().await {
                Ok(()) => return,
                Err(error) => tracing::warn!(error = %error_chain(&error), "artifacts cannot be stored yet"),
            }
        }
    }

    async fn work(&self, claimed: ClaimedJob, stop: Stop) -> Went {
        let lease = claimed.lease;
        let (attempts, fruitless) = (claimed.job.attempts, claimed.job.fruitless_attempts);
        tracing::info!(attempts, "job claimed");
        let cancel = Arc::new(AtomicBool::new(false));
        // A panic fails the job, not the worker.
        let attempt = AssertUnwindSafe(attempt::run(&self.parts, claimed, cancel.clone())).catch_unwind();
        let mut attempt = pin!(attempt.map(|outcome| {
            outcome.unwrap_or_else(|panic| Err(AttemptError::Panic(panic_text(&*panic).to_owned())))
        }));
        let outcome = if fruitless > FRUITLESS_ATTEMPTS {
            Err(AttemptError::TooManyAttempts(FRUITLESS_ATTEMPTS))
        } else {
            tokio::select! {
                outcome = &mut attempt => outcome,
                error = self.hold(lease, stop.clone()) => {
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
            Err(AttemptError::Store(StoreError::LeaseLost(_) | StoreError::NotFound(_))) => leave(),
            Err(error) => return self.failed(lease, &error, stop).await,
        }
        Went::On
    }

    /// Decides what becomes of a job after a failed attempt.
    async fn failed(&self, lease: Lease, error: &AttemptError, stop: Stop) -> Went {
        // What an attempt meets once its job is another's says nothing of the job: the files may be gone already.
        if let Err(StoreError::LeaseLost(_)) = self.parts.metadata.heartbeat(&lease, LEASE).await {
            leave();
            return Went::On;
        }
        let reason = error_chain(error);
        match standing(error) {
            Standing::Final => {
                self.fail(lease, error, error.for_owner()).await;
                return Went::On;
            }
            Standing::Passing => tracing::warn!(reason, "job paused; it goes on when the store works again"),
            // Without the causes: they name files that are new at each attempt, which makes no other failure.
            Standing::Unclear => match self.parts.metadata.note_failure(&lease, &error.to_string()).await {
                Ok(EQUAL_FAILURES..) => {
                    let message = format!("{EQUAL_FAILURES} attempts in a row failed: {}", error.for_owner());
                    self.fail(lease, error, message).await;
                    return Went::On;
                }
                Ok(failures) => tracing::warn!(reason, failures, "the attempt failed and will be repeated"),
                Err(failure) => tracing::warn!(reason, %failure, "the attempt failed, which cannot be noted"),
            },
        }
        self.give_back(lease, stop).await;
        Went::Out
    }

    /// Gives a job back to the queue, however long the store takes to take it, unless it is taken from us.
    async fn give_back(&self, lease: Lease, mut stop: Stop) {
        loop {
            match self.parts.metadata.release_job(&lease).await {
                Ok(()) | Err(StoreError::LeaseLost(_)) => return,
                Err(error) => tracing::warn!(error = %error_chain(&error), "the job cannot be given back yet"),
            }
            tokio::select! {
                () = tokio::time::sleep(FIRST_PAUSE) => {}
                () = stop::requested(&mut stop) => return,
            }
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

    async fn fail(&self, lease: Lease, error: &AttemptError, message: String) {
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

fn leave() {
    tracing::info!("the job was cancelled, deleted or taken over; leaving it");
}

/// How work on a job left the worker.
enum Went {
    /// Ready for the next one.
    On,
    /// Without a store that works.
    Out,
}
