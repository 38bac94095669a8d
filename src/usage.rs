//! Counts the tokens of each request and writes the sums in the background.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::metrics::Metrics;
use crate::store::background::LastOutcome;
use crate::store::metadata::Metadata;
use crate::store::records::{UsageCount, UsageKey};
use crate::telemetry::Trace;

/// Maximum number of requests waiting to be written. The usage of a request beyond it is only logged as an error.
const BACKLOG: usize = 4096;

/// Log of the token usage of requests. Cheap to clone.
#[derive(Clone)]
pub(crate) struct UsageLog {
    sender: mpsc::Sender<(UsageKey, UsageCount)>,
    metrics: Arc<Metrics>,
    outcome: LastOutcome,
}

impl UsageLog {
    /// Starts the writer task. It ends when the last clone of the log is dropped and everything is written.
    pub(crate) fn start(metadata: Arc<dyn Metadata>, metrics: Arc<Metrics>) -> (Self, tokio::task::JoinHandle<()>) {
        let (sender, mut receiver) = mpsc::channel::<(UsageKey, UsageCount)>(BACKLOG);
        let outcome = LastOutcome::default();
        let written = outcome.clone();
        let writer = outcome.spawn(async move {
            while let Some((usage, count)) = receiver.recv().await {
                let added = metadata.add_usage(usage.clone(), count).await;
                written.record(&added);
                if let Err(error) = added {
                    tracing::error!(%error, ?usage, ?count, "usage could not be written");
                }
            }
        });
        (Self { sender, metrics, outcome }, writer)
    }

    /// Returns why the last usage was not written; `None` if it was.
    pub(crate) fn failure(&self) -> Option<String> {
        self.outcome.failure()
    }

    /// Creates a meter for one request. Dropping the meter writes its counts, no matter how the request ends.
    pub(crate) fn meter(&self, usage: UsageKey) -> UsageMeter {
        let count = UsageCount { requests: 1, ..Default::default() };
        UsageMeter { log: self.clone(), usage: Some(usage), count, trace: Trace::current() }
    }
}

/// Counts the tokens of one request.
pub(crate) struct UsageMeter {
    log: UsageLog,
    usage: Option<UsageKey>,
    count: UsageCount,
    /// Trace of the request.
    trace: Trace,
}

impl UsageMeter {
    /// Sets the number of tokens used so far: prompt tokens, counted once even if several choices share the prompt, and
    /// generated tokens.
    pub(crate) fn used(&mut self, prompt_tokens: u64, completion_tokens: u64) {
        self.count.prompt_tokens = i64::try_from(prompt_tokens).unwrap_or(i64::MAX);
        self.count.completion_tokens = i64::try_from(completion_tokens).unwrap_or(i64::MAX);
    }
}

impl Drop for UsageMeter {
    fn drop(&mut self) {
        let Some(usage) = self.usage.take() else { return };
        self.trace.chat_usage(&usage.model, self.count);
        let UsageCount { prompt_tokens, completion_tokens, .. } = self.count;
        self.log.metrics.prompt_tokens.add(prompt_tokens.unsigned_abs());
        self.log.metrics.completion_tokens.add(completion_tokens.unsigned_abs());
        if let Err(error) = self.log.sender.try_send((usage, self.count)) {
            tracing::error!(%error, "usage was not written: the writer is behind");
        }
    }
}
