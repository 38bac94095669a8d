//! Metrics of the process, for `GET /metrics`.
//!
//! Each service has its own [`Metrics`]; there is no global state. Values that can be read on request (running samples,
//! waiting jobs) are not counted here.

mod chat;
mod instruments;
mod requests;
mod text;

pub(crate) use chat::{ChatGuard, TokenClock};
pub(crate) use instruments::{Counter, Gauge, Histogram};
pub(crate) use requests::{RequestGuard, Requests};
pub(crate) use text::Exposition;

/// Bucket bounds for token times, from an engine step to a long wait, in seconds.
const TOKEN_TIMES: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The counters and histograms of one service.
#[derive(Debug)]
pub struct Metrics {
    /// Number of compute threads.
    pub compute_threads: usize,
    /// Instruction set of the engine.
    pub instruction_set: &'static str,
    /// Requests by operation.
    pub requests: Requests,
    /// Number of chat requests in flight.
    pub chats: Gauge,
    /// Number of chat requests whose client disconnected before the end of the response.
    pub chats_cancelled: Counter,
    /// Number of prompt tokens, counted once per request.
    pub prompt_tokens: Counter,
    /// Number of tokens generated for requests.
    pub completion_tokens: Counter,
    /// Time from a chat request's arrival to its first token.
    pub time_to_first_token: Histogram,
    /// Time between consecutive tokens of a choice.
    pub time_between_tokens: Histogram,
    /// Number of reported optimizer steps.
    pub training_steps: Counter,
    /// Number of successful jobs.
    pub jobs_succeeded: Counter,
    /// Number of failed jobs.
    pub jobs_failed: Counter,
}

impl Metrics {
    /// Creates zeroed metrics for a service whose engine has this many threads and this instruction set.
    pub fn new(compute_threads: usize, instruction_set: &'static str) -> Self {
        Self {
            compute_threads,
            instruction_set,
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

    /// Writes all metrics.
    pub fn write(&self, text: &mut Exposition) {
        self.requests.write(text);
        text.gauge("trainyard_compute_threads", "Threads that compute.", [(&[][..], self.compute_threads)]);
        let instruction_set = [(&[("instruction_set", self.instruction_set)][..], 1)];
        text.gauge("trainyard_engine_info", "Instruction set that the engine computes with.", instruction_set);
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
