//! Generations at a replica whose responses are read as a whole: checks, probes, and scores of a sample's tokens.

use std::time::Duration;

use futures_util::future::try_join_all;

use super::client::{CallError, ReplicaClient, parse};
use super::request::{GenerateBody, Interface, SamplingParams};
use super::wire::{GenerateResponse, Token, prompt_tokens};
use crate::engine::sampler::PromptToken;
use crate::engine::sampling::SamplingParameters;

/// Time limit of a generation of a check. The first one after a start compiles kernels.
const CHECK_LIMIT: Duration = Duration::from_secs(120);
/// Bias that makes a token certain: the largest that vLLM accepts.
const CERTAIN: f32 = 100.0;
/// Number of requests at once.
const CONCURRENT: usize = 16;

/// A replica with the properties that requests to it share.
#[derive(Clone, Copy)]
pub(super) struct Generator<'a> {
    client: &'a ReplicaClient,
    interface: Interface,
    /// Part of the ids of the requests, by which vLLM's log tells them from samples.
    purpose: &'static str,
    /// Salt of the prefixes that the replica keeps.
    cache_salt: &'a str,
    /// Time limit of a request.
    limit: Duration,
}

impl<'a> Generator<'a> {
    /// Requests of checks, which share prefixes with each other alone.
    pub(super) fn for_checks(client: &'a ReplicaClient, interface: Interface) -> Self {
        Self { client, interface, purpose: "check", cache_salt: "trainyard-check", limit: CHECK_LIMIT }
    }

    /// Requests that score the tokens of a sample; `cache_salt` is that of its owner.
    pub(super) fn for_scores(
        client: &'a ReplicaClient,
        interface: Interface,
        cache_salt: &'a str,
        limit: Duration,
    ) -> Self {
        Self { client, interface, purpose: "score", cache_salt, limit }
    }

    /// Generates tokens.
    ///
    /// # Errors
    /// The replica cannot be reached, or rejects the request.
    pub(super) async fn generate(
        &self,
        model: &str,
        tokens: &[u32],
        sampling_params: SamplingParams<'_>,
    ) -> Result<GenerateResponse, CallError> {
        let body = GenerateBody {
            request_id: format!("ty-{}-{}", self.purpose, uuid::Uuid::new_v4().simple()),
            model,
            token_ids: tokens,
            stream: false,
            cache_salt: self.cache_salt,
            sampling_params,
        };
        let response = self.client.post(self.interface.path(), &self.interface.body(&body), self.limit).await?;
        parse(&response)
    }

    /// Returns the log-probability of the token at each of these positions of a text, which are at least 1; not a
    /// number for one that is not finite.
    ///
    /// # Errors
    /// The replica cannot be reached, rejects the request, or ignores the bias.
    pub(super) async fn logprobs(&self, model: &str, text: &[u32], positions: &[usize]) -> Result<Vec<f32>, CallError> {
        let tokens = self.scored(model, text, positions, 0).await?;
        Ok(tokens.into_iter().map(|token| if token.is_finite() { token.logprob } else { f32::NAN }).collect())
    }

    /// Returns the token at each of these positions of a text, which are at least 1, with its log-probability and
    /// `top` likeliest alternatives under the raw logits.
    ///
    /// Each is a request of its own, in which a bias makes the token the next one. Log-probabilities of the prompt would
    /// take one request for all; but the engine of vLLM's CPU build 0.32.0 ends when such a request runs beside another
    /// one where adapters may change the head, as they may without `--lora-target-modules`.
    ///
    /// # Errors
    /// The replica cannot be reached, rejects the request, or ignores the bias.
    pub(super) async fn scored(
        &self,
        model: &str,
        text: &[u32],
        positions: &[usize],
        top: usize,
    ) -> Result<Vec<Token>, CallError> {
        let mut scored = Vec::with_capacity(positions.len());
        for positions in positions.chunks(CONCURRENT) {
            let requests = positions.iter().map(|&position| self.score(model, &text[..position], text[position], top));
            scored.extend(try_join_all(requests.collect::<Vec<_>>()).await?);
        }
        Ok(scored)
    }

    /// Returns the tokens of a text from `first`, which is at least 1 and less than its length, as [`Self::scored`] does, by
    /// one request: it computes the whole text again, since vLLM keeps no log-probabilities with its prefixes.
    ///
    /// # Errors
    /// The replica cannot be reached, rejects the request, or ignores the bias.
    pub(super) async fn scored_at_once(
        &self,
        model: &str,
        text: &[u32],
        first: usize,
        top: usize,
    ) -> Result<Vec<Token>, CallError> {
        // The last token is sampled, since a prompt as long as the context has no room for another one.
        let (&last, before) = text.split_last().ok_or_else(no_prompt_logprobs)?;
        let mut params = Self::next_is(last, top);
        params.prompt_logprobs = (first < before.len()).then_some(top);
        let mut response = match self.generate(model, before, params).await {
            Err(CallError::Status { status: 400, message }) if message.contains(NOT_JSON) => {
                return Ok(vec![Token::not_finite(last)]);
            }
            response => response?,
        };
        let mut scored = Vec::with_capacity(text.len() - first);
        if first < before.len() {
            for PromptToken { id, logprob, top } in take_prompt_tokens(&mut response, before, top)?.drain(first..) {
                scored.push(Token { id, logprob: logprob.ok_or_else(no_prompt_logprobs)?, top });
            }
        }
        scored.push(only(response, last, top)?);
        Ok(scored)
    }

    /// Returns the tokens of a prompt, each but the first with its log-probability and `top` likeliest alternatives.
    ///
    /// # Errors
    /// The replica cannot be reached, or rejects the request.
    pub(super) async fn prompt(&self, model: &str, prompt: &[u32], top: usize) -> Result<Vec<PromptToken>, CallError> {
        let mut params = SamplingParams::new(&SamplingParameters::default(), 1);
        params.prompt_logprobs = Some(top);
        take_prompt_tokens(&mut self.generate(model, prompt, params).await?, prompt, top)
    }

    /// Returns parameters that make a token the next one.
    fn next_is(id: u32, top: usize) -> SamplingParams<'static> {
        let sampling = SamplingParameters { logit_bias: vec![(id, CERTAIN)], top_logprobs: top, ..greedy() };
        SamplingParams::new(&sampling, 1)
    }

    async fn score(&self, model: &str, before: &[u32], id: u32, top: usize) -> Result<Token, CallError> {
        match self.generate(model, before, Self::next_is(id, top)).await {
            Err(CallError::Status { status: 400, message }) if message.contains(NOT_JSON) => Ok(Token::not_finite(id)),
            response => only(response?, id, top),
        }
    }
}

/// Takes the scores of a prompt from a response.
fn take_prompt_tokens(
    response: &mut GenerateResponse,
    prompt: &[u32],
    top: usize,
) -> Result<Vec<PromptToken>, CallError> {
    let tokens = response.prompt_logprobs().and_then(|scores| prompt_tokens(prompt, scores, top));
    tokens.ok_or_else(no_prompt_logprobs)
}

fn no_prompt_logprobs() -> CallError {
    CallError::Unreadable("the prompt has no logprobs".to_owned())
}

/// Returns the only token of a response, which must be `id` unless its log-probability is not finite.
fn only(response: GenerateResponse, id: u32, top: usize) -> Result<Token, CallError> {
    let mut tokens = tokens(response, top)?;
    match tokens.pop() {
        Some(token) if tokens.is_empty() && (token.id == id || !token.is_finite()) => Ok(token),
        _ => Err(CallError::Unreadable("it ignores the sampling parameter logit_bias".to_owned())),
    }
}

/// Part of vLLM's message when it cannot write a log-probability that is not finite.
pub(super) const NOT_JSON: &str = "Out of range float values";

pub(super) fn greedy() -> SamplingParameters {
    SamplingParameters { temperature: 0.0, ..SamplingParameters::default() }
}

/// Returns the tokens of a response, each with its `top` likeliest alternatives.
pub(super) fn tokens(response: GenerateResponse, top: usize) -> Result<Vec<Token>, CallError> {
    let choice = response.choices.into_iter().next().and_then(|choice| choice.tokens(top));
    choice.ok_or_else(|| CallError::Unreadable("token ids and log-probabilities differ".to_owned()))
}
