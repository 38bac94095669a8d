//! What the process counts while it works, for `GET /metrics`.
//!
//! Each service has its own [`Metrics`]; nothing is global. What can be looked up when somebody asks (how many samples
//! run, how many jobs wait) is not counted here.

mod chat;
mod instruments;
mod requests;
mod text;

pub use chat::{ChatGuard, TokenClock};
pub use instruments::{Counter, Gauge, Histogram, HistogramReading};
pub use requests::{OperationReading, RequestGuard, Requests};
pub use text::{Exposition, Labels};

/// Upper bounds for what takes from a step of the engine to a long wait, seconds.
const TOKEN_TIMES: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The counters and histograms of one service.
#[derive(Debug)]
pub struct Metrics {
    /// Threads that compute.
    pub compute_threads: usize,
    /// Requests by operation.
    pub requests: Requests,
    /// Chat requests that are being answered.
    pub chats: Gauge,
    /// Chat requests whose client went away before the answer was complete.
    pub chats_cancelled: Counter,
    /// Tokens of prompts, once for each request.
    pub prompt_tokens: Counter,
    /// Tokens generated for requests.
    pub completion_tokens: Counter,
    /// From a chat request's arrival to its first token.
    pub time_to_first_token: Histogram,
    /// From one token of a choice to its next.
    pub time_between_tokens: Histogram,
    /// Optimizer steps that were reported.
    pub training_steps: Counter,
    /// Jobs that ended well.
    pub jobs_succeeded: Counter,
    /// Jobs that ended badly.
    pub jobs_failed: Counter,
}

impl Metrics {
    /// All at zero, for a service whose engine has this many threads.
    pub fn new(compute_threads: usize) -> Self {
        Self {
            compute_threads,
            requests: Requests::default(),
            chats: Gauge::default(),
            chats_cancelled: Counter::default(),
            prompt_tokens: Counter::default(),
            completion_tokens: Counter::default(),
            time_to_first_token: Histogram::new(TOKEN_TIMES),
            time_between_tokens: Histogram::new(TOKEN_TIMES),
            training_steps: Counter::default(),
            jobs_succeeded: Counter::default(),
            jobs_failed: Counter::default(),
        }
    }

    /// Writes all of them.
    pub fn write(&self, text: &mut Exposition) {
        self.requests.write(text);
        text.gauge("trainyard_compute_threads", "Threads that compute.", [(&[][..], self.compute_threads)]);
        text.gauge("trainyard_chats_running", "Chat requests that are being answered.", [(&[][..], self.chats.get())]);
        for (name, help, counter) in [
            (
                "trainyard_chats_cancelled_total",
                "Chat requests whose client went away before the answer was complete.",
                &self.chats_cancelled,
            ),
            ("trainyard_prompt_tokens_total", "Tokens of prompts, once for each request.", &self.prompt_tokens),
            ("trainyard_completion_tokens_total", "Tokens generated for requests.", &self.completion_tokens),
            ("trainyard_training_steps_total", "Optimizer steps of training jobs.", &self.training_steps),
        ] {
            text.counter(name, help, [(&[][..], counter.get())]);
        }
        let ended = [
            (&[("outcome", "succeeded")][..], self.jobs_succeeded.get()),
            (&[("outcome", "failed")][..], self.jobs_failed.get()),
        ];
        text.counter("trainyard_jobs_ended_total", "Training jobs that ended, by outcome.", ended);
        for (name, help, histogram) in [
            (
                "trainyard_time_to_first_token_seconds",
                "From a chat request's arrival to its first token.",
                &self.time_to_first_token,
            ),
            (
                "trainyard_time_between_tokens_seconds",
                "From one token of a choice to its next.",
                &self.time_between_tokens,
            ),
        ] {
            text.histogram(name, help, [(&[][..], histogram.read())]);
        }
    }
}
