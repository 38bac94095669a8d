//! One claimed batch: its file is checked, its lines are handled, and its files are written, under the lease.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::Utc;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, watch};

use super::input::{self, Line};
use super::{Execute, LineRequest, LineResponse, lines, output};
use crate::error_chain;
use crate::store::artifacts::{ArtifactError, Artifacts};
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{
    BatchEnd, BatchFault, BatchLine, BatchRecord, BatchStatus, BatchUsage, ClaimedBatch, Lease,
};

/// Time until a lease without a renewal expires.
pub(super) const LEASE: Duration = Duration::from_secs(15);
/// Interval of looks at the status of a batch. Every tenth renews its lease.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);
/// Explanations for requests that a batch did not come to.
const LATE: &str = "the time limit of the batch passed before this request was handled";
const NOT_WANTED: &str = "the batch was cancelled before this request was handled";
/// Maximum number of lines in flight.
const MAX_IN_FLIGHT: usize = 32;
/// Lines that are read ahead.
const READ_AHEAD: usize = 4;
/// Interval at which lines that wait for live samples look for them.
const YIELD_INTERVAL: Duration = Duration::from_millis(50);
/// Waits before a line or a write is tried again.
const MIN_WAIT: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Attempts at a line that the service fails to handle.
const MAX_ATTEMPTS: u32 = 3;

/// Why a batch is not run further by this process.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("the file of requests cannot be read")]
    Read(#[from] io::Error),
    #[error("a thread ended badly")]
    Thread(#[from] tokio::task::JoinError),
    #[error("the service is stopping")]
    Stopped,
}

/// Stores, and the handler of requests.
#[derive(Clone)]
pub(super) struct Parts {
    pub metadata: Arc<dyn Metadata>,
    pub artifacts: Artifacts,
    pub execute: Arc<dyn Execute>,
    /// Samples of the batches of this process.
    pub in_flight: Arc<AtomicUsize>,
}

/// A batch under its lease.
pub(super) struct Run {
    pub parts: Parts,
    pub batch: BatchRecord,
    pub lease: Lease,
}

/// How the lines of a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinesEnd {
    Done,
    Cancelled,
    Expired,
}

/// Runs a batch to its end.
pub(super) async fn run(parts: Parts, ClaimedBatch { batch, lease }: ClaimedBatch) -> Result<(), RunError> {
    let (status, seen) = watch::channel(batch.status);
    let run = Run { parts, batch, lease };
    tokio::select! {
        error = run.keep_lease(status) => Err(error),
        ended = run.work(seen) => ended,
    }
}

impl Run {
    /// Renews the lease and tells of changes of the status, until the lease is lost.
    async fn keep_lease(&self, status: watch::Sender<BatchStatus>) -> RunError {
        let Self { parts: Parts { metadata, .. }, batch, lease } = self;
        for round in 1_u64.. {
            tokio::time::sleep(WATCH_INTERVAL).await;
            let seen = match round % 10 {
                0 => metadata.renew_batch(lease, LEASE).await,
                _ => metadata.get_batch(&batch.entity, batch.id).await.map(|batch| batch.status),
            };
            match seen {
                Ok(seen) => status.send_replace(seen),
                Err(error @ (StoreError::LeaseLost(_) | StoreError::NotFound(_))) => return error.into(),
                // The lease outlives two renewals that failed.
                Err(error) => {
                    tracing::warn!(%error, "the lease of a batch could not be renewed");
                    continue;
                }
            };
        }
        RunError::Stopped
    }

    async fn work(&self, mut seen: watch::Receiver<BatchStatus>) -> Result<(), RunError> {
        let Self { parts: Parts { metadata, .. }, batch, lease } = self;
        let mut status = batch.status;
        let mut is_valid = batch.total.is_some();
        if status == BatchStatus::Validating {
            match self.validate().await? {
                Ok(requests) => {
                    let total = i64::try_from(requests).unwrap_or(i64::MAX);
                    status = metadata.start_batch(lease, total).await?;
                    is_valid = true;
                }
                Err(faults) => return self.end(BatchStatus::Failed, None, faults).await,
            }
        }
        let end = match status {
            BatchStatus::Finalizing if batch.total > Some(batch.completed + batch.failed) => LinesEnd::Expired,
            BatchStatus::Finalizing => LinesEnd::Done,
            BatchStatus::Cancelling => LinesEnd::Cancelled,
            _ => self.handle_lines(&mut seen).await?,
        };
        let status = metadata.finalize_batch(lease).await?;
        let status = match (status, end) {
            // Cancelled after the last line.
            (BatchStatus::Cancelling, _) => BatchStatus::Cancelled,
            (_, LinesEnd::Expired) => BatchStatus::Expired,
            _ => BatchStatus::Completed,
        };
        let reason = match status {
            BatchStatus::Expired => Some((lines::EXPIRED, LATE)),
            BatchStatus::Cancelled if is_valid => Some((lines::CANCELLED, NOT_WANTED)),
            _ => None,
        };
        self.end(status, reason, Vec::new()).await
    }

    /// Checks the file.
    async fn validate(&self) -> Result<Result<usize, Vec<BatchFault>>, RunError> {
        let mut reader = self.parts.artifacts.open(self.batch.input).await?;
        let endpoint = self.batch.endpoint.clone();
        let checked = tokio::task::spawn_blocking(move || {
            let checked = input::check(&mut reader, &endpoint)?;
            reader.verify().map_err(io::Error::other)?;
            Ok::<_, io::Error>(checked)
        });
        Ok(checked.await??)
    }

    /// Handles the lines that have no recorded response.
    async fn handle_lines(&self, seen: &mut watch::Receiver<BatchStatus>) -> Result<LinesEnd, RunError> {
        let recorded = self.parts.metadata.recorded_batch_lines(&self.lease).await?;
        let mut waiting = self.read_lines(recorded.into_iter().collect());
        let mut in_flight = FuturesUnordered::new();
        let mut next: Option<Line> = None;
        let mut has_more = true;
        let until_late =
            Duration::from_millis(u64::try_from(self.batch.expires_at - Utc::now().timestamp_millis()).unwrap_or(0));
        let mut late = std::pin::pin!(tokio::time::sleep(until_late));
        while has_more || next.is_some() || !in_flight.is_empty() {
            if let Some(line) = next.take_if(|_| self.has_room(in_flight.len())) {
                in_flight.push(self.handle_line(line));
                continue;
            }
            tokio::select! {
                biased;
                () = cancelled(seen) => return Ok(LinesEnd::Cancelled),
                () = &mut late => return Ok(LinesEnd::Expired),
                Some(handled) = in_flight.next(), if !in_flight.is_empty() => handled?,
                line = waiting.recv(), if has_more && next.is_none() => match line {
                    Some(line) => next = Some(line?),
                    None => has_more = false,
                },
                () = tokio::time::sleep(YIELD_INTERVAL), if next.is_some() => {}
            }
        }
        Ok(LinesEnd::Done)
    }

    /// Returns whether one more line may be in flight beside so many. While live requests are sampled, one is.
    fn has_room(&self, in_flight: usize) -> bool {
        let own = self.parts.in_flight.load(Ordering::Relaxed);
        in_flight == 0 || in_flight < MAX_IN_FLIGHT && self.parts.execute.open_samples() <= own
    }

    /// Reads the lines of the file without those of these numbers, a few ahead.
    pub(super) fn read_lines(&self, without: HashSet<i64>) -> mpsc::Receiver<Result<Line, RunError>> {
        let (send, lines) = mpsc::channel(READ_AHEAD);
        let (artifacts, input, endpoint) =
            (self.parts.artifacts.clone(), self.batch.input, self.batch.endpoint.clone());
        tokio::spawn(async move {
            let failed = send.clone();
            let read = async move {
                let reader = artifacts.open(input).await?;
                let reading = tokio::task::spawn_blocking(move || {
                    input::read(reader, &endpoint, |line| {
                        // The file was checked.
                        let line = line.map_err(|fault| RunError::Read(io::Error::other(fault.message)));
                        if line.as_ref().is_ok_and(|line| without.contains(&line.number)) {
                            return ControlFlow::Continue(());
                        }
                        // Without a receiver, the batch has ended.
                        if send.blocking_send(line).is_ok() {
                            ControlFlow::Continue(())
                        } else {
                            ControlFlow::Break(())
                        }
                    })
                });
                Ok::<_, RunError>(reading.await??)
            };
            if let Err(error) = read.await {
                // Without a receiver nobody needs it.
                let _ = failed.send(Err(error)).await;
            }
        });
        lines
    }

    /// Handles a line and records its response.
    async fn handle_line(&self, line: Line) -> Result<(), RunError> {
        let own = Own::add(&self.parts.in_flight, line.samples);
        let response = self.response(&line).await;
        drop(own);
        let is_failed = !(200..300).contains(&response.status);
        let usage = if is_failed { BatchUsage::default() } else { lines::usage(&response.body) };
        let text = lines::answered(&line.custom_id, &response);
        self.record(BatchLine { line: line.number, is_failed, text }, usage).await
    }

    /// Returns the response to a line that may be recorded.
    async fn response(&self, line: &Line) -> LineResponse {
        let (mut attempt, mut failures) = (0_u32, 0);
        loop {
            let request = LineRequest {
                key_id: self.batch.key_id,
                project: self.batch.project.clone(),
                endpoint: self.batch.endpoint.clone(),
                body: line.body.clone(),
            };
            let response = self.parts.execute.execute(request).await;
            failures += u32::from(response.status == 500);
            let may_succeed = response.retry_after.is_some() || (response.status == 500 && failures < MAX_ATTEMPTS);
            if !may_succeed {
                return response;
            }
            let backoff = MIN_WAIT.saturating_mul(1 << attempt.min(6));
            tokio::time::sleep(response.retry_after.unwrap_or(backoff).clamp(MIN_WAIT, MAX_WAIT)).await;
            attempt += 1;
        }
    }

    /// Records a response, once the store takes it.
    async fn record(&self, line: BatchLine, usage: BatchUsage) -> Result<(), RunError> {
        loop {
            match self.parts.metadata.record_batch_line(&self.lease, line.clone(), usage).await {
                Err(StoreError::Unavailable(error)) => {
                    tracing::warn!(error = %error, "the response to a line of a batch cannot be recorded yet");
                    tokio::time::sleep(MIN_WAIT).await;
                }
                recorded => return Ok(recorded.map(drop)?),
            }
        }
    }

    /// Writes the files of the batch, and ends it. The reason is that of the requests without a response.
    async fn end(
        &self,
        status: BatchStatus,
        reason: Option<(&str, &str)>,
        errors: Vec<BatchFault>,
    ) -> Result<(), RunError> {
        let output::Files { output, failures } = match status {
            BatchStatus::Failed => output::Files::default(),
            _ => output::write(self, reason).await?,
        };
        let end = BatchEnd { status, errors, output, failures };
        let batch = self.parts.metadata.end_batch(&self.lease, end).await?;
        tracing::info!(status = status.as_str(), completed = batch.completed, failed = batch.failed, "batch ended");
        Ok(())
    }
}

/// Waits until the owner has cancelled the batch.
async fn cancelled(seen: &mut watch::Receiver<BatchStatus>) {
    // Without a sender, the lease is lost, and the run ends with it.
    if seen.wait_for(|status| *status == BatchStatus::Cancelling).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Samples of a line in the count of those of the process.
struct Own<'a>(&'a AtomicUsize, usize);

impl<'a> Own<'a> {
    fn add(count: &'a AtomicUsize, samples: usize) -> Self {
        count.fetch_add(samples, Ordering::Relaxed);
        Self(count, samples)
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// Logs why a batch is left to another attempt.
pub(super) fn left(error: &RunError) {
    match error {
        RunError::Store(StoreError::LeaseLost(_) | StoreError::NotFound(_)) => {
            tracing::info!("the batch was taken over; leaving it");
        }
        error => tracing::warn!(error = %error_chain(error), "the batch paused; it resumes by itself"),
    }
}
