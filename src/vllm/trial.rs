//! Requests of this process's own to a replica, for checks and probes.

use std::time::Duration;

use futures_util::future::try_join_all;

use super::client::{CallError, ReplicaClient, parse};
use super::request::{GenerateBody, Interface, SamplingParams};
use super::wire::{GenerateAnswer, Token};
use crate::engine::sampling::SamplingParameters;

/// Time limit of a generation. The first one after a start compiles kernels.
const LIMIT: Duration = Duration::from_secs(120);
/// Bias that makes a token certain: the largest that vLLM accepts.
const CERTAIN: f32 = 100.0;
/// Number of requests at once.
const CONCURRENT: usize = 16;

/// A replica to send requests to.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub client: &'a ReplicaClient,
    pub interface: Interface,
}

impl Trial<'_> {
    /// Generates tokens.
    ///
    /// # Errors
    /// The replica cannot be reached, or refuses the request.
    pub(super) async fn generate(
        &self,
        model: &str,
        tokens: &[u32],
        sampling_params: SamplingParams<'_>,
    ) -> Result<GenerateAnswer, CallError> {
        let body = GenerateBody {
            request_id: format!("ty-check-{}", uuid::Uuid::new_v4().simple()),
            model,
            token_ids: tokens,
            stream: false,
            cache_salt: "trainyard-check",
            sampling_params,
        };
        let answer = self.client.post(self.interface.path(), &self.interface.body(&body), LIMIT).await?;
        parse(&answer)
    }

    /// Returns the log-probability of the token at each of these places of a text, which are at least 1.
    ///
    /// Each is a request of its own, in which a bias makes the token the next one. Log-probabilities of the prompt would
    /// take one request for all; but the engine of vLLM's CPU build 0.32.0 ends when such a request runs beside another
    /// one with adapters enabled, and a replica has other clients.
    ///
    /// # Errors
    /// The replica cannot be reached, refuses the request, or ignores the bias.
    pub(super) async fn logprobs(&self, model: &str, text: &[u32], places: &[usize]) -> Result<Vec<f32>, CallError> {
        let mut logprobs = Vec::with_capacity(places.len());
        for places in places.chunks(CONCURRENT) {
            let mut requests = Vec::with_capacity(places.len());
            for &place in places {
                requests.push(self.logprob(model, &text[..place], text[place]));
            }
            logprobs.extend(try_join_all(requests).await?);
        }
        Ok(logprobs)
    }

    async fn logprob(&self, model: &str, before: &[u32], token: u32) -> Result<f32, CallError> {
        let sampling = SamplingParameters { logit_bias: vec![(token, CERTAIN)], ..greedy() };
        let answer = self.generate(model, before, SamplingParams::new(&sampling, 1)).await;
        let tokens = match answer {
            Err(CallError::Status { status: 400, message }) if message.contains(NOT_JSON) => return Ok(f32::NAN),
            answer => tokens(answer?, 0)?,
        };
        match &tokens[..] {
            [found] if !found.is_finite() => Ok(f32::NAN),
            [found] if found.id == token => Ok(found.logprob),
            _ => Err(CallError::Unreadable("it ignores the sampling parameter logit_bias".to_owned())),
        }
    }
}

/// Part of vLLM's message when it cannot write a log-probability that is not finite.
pub(super) const NOT_JSON: &str = "Out of range float values";

pub(super) fn greedy() -> SamplingParameters {
    SamplingParameters { temperature: 0.0, ..SamplingParameters::default() }
}

/// Returns the tokens of an answer, each with its `top` likeliest alternatives.
pub(super) fn tokens(answer: GenerateAnswer, top: usize) -> Result<Vec<Token>, CallError> {
    let choice = answer.choices.into_iter().next().and_then(|choice| choice.tokens(top));
    choice.ok_or_else(|| CallError::Unreadable("token ids and log-probabilities differ".to_owned()))
}
