//! Bodies of vLLM's HTTP interface, version 0.32 and later.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::engine::sampler::{GenerateRequest, PromptToken};
use crate::engine::sampling::SamplingParameters;
use crate::hex::to_hex;

/// Log-probability that vLLM writes for a value that is not finite.
const NOT_FINITE: f32 = -9999.0;
/// Bias of a token that must not be sampled, which is the lowest that vLLM accepts.
const FORBIDDEN: f32 = -100.0;
/// Smallest `top_p` that vLLM accepts, in effect: it keeps the likeliest token alone.
const SMALLEST_TOP_P: f32 = 1e-6;

/// Body of `POST /inference/v1/generate`.
#[derive(Debug, Serialize)]
pub(super) struct GenerateBody<'a> {
    pub request_id: String,
    pub model: &'a str,
    pub token_ids: &'a [u32],
    pub stream: bool,
    pub cache_salt: &'a str,
    pub sampling_params: SamplingParams<'a>,
}

/// Sampling parameters. Every field is always sent, since an omitted one has a default of the server.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SamplingParams<'a> {
    n: u32,
    pub max_tokens: usize,
    min_tokens: usize,
    temperature: f32,
    top_p: f32,
    top_k: usize,
    min_p: f32,
    presence_penalty: f32,
    frequency_penalty: f32,
    repetition_penalty: f32,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    logit_bias: BTreeMap<String, f32>,
    seed: u64,
    pub logprobs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_logprobs: Option<usize>,
    stop_token_ids: Vec<u32>,
    /// Always true: `stop_token_ids` has every token that ends the sample.
    ignore_eos: bool,
    detokenize: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_outputs: Option<StructuredOutputs<'a>>,
}

#[derive(Debug, Clone, Serialize)]
struct StructuredOutputs<'a> {
    /// Lark text for the guidance backend.
    grammar: &'a str,
}

impl<'a> SamplingParams<'a> {
    /// Converts a request's parameters. `vocabulary` is the number of tokens, `max_tokens` at least 1.
    pub(super) fn of(request: &'a GenerateRequest, vocabulary: usize, unused: Range<u32>, max_tokens: usize) -> Self {
        let mut params = Self::new(&request.sampling, max_tokens);
        let known = |id: &u32| usize::try_from(*id).is_ok_and(|id| id < vocabulary);
        params.stop_token_ids = request.stop_tokens.iter().copied().filter(known).collect();
        params.min_tokens = request.min_tokens.min(max_tokens);
        params.logit_bias.retain(|id, _| id.parse().is_ok_and(|id: u32| known(&id)));
        if let Some(grammar) = &request.grammar {
            params.follow(grammar, unused);
        }
        params
    }

    /// Sets the grammar. vLLM's masks leave out the `unused` ids between the tokenizer's last token and the end of the
    /// model's vocabulary, so a bias forbids them.
    pub(super) fn follow(&mut self, grammar: &'a str, unused: Range<u32>) {
        self.structured_outputs = Some(StructuredOutputs { grammar });
        self.logit_bias.extend(unused.map(|id| (id.to_string(), FORBIDDEN)));
    }

    /// Sets the tokens that end the sample.
    pub(super) fn stop_at(&mut self, tokens: &[u32]) {
        self.stop_token_ids = tokens.to_vec();
    }

    /// Converts parameters without stop tokens.
    pub(super) fn new(sampling: &SamplingParameters, max_tokens: usize) -> Self {
        Self {
            n: 1,
            max_tokens,
            min_tokens: 0,
            temperature: sampling.temperature,
            top_p: sampling.top_p.max(SMALLEST_TOP_P),
            top_k: sampling.top_k,
            min_p: sampling.min_p,
            presence_penalty: sampling.presence_penalty,
            frequency_penalty: sampling.frequency_penalty,
            repetition_penalty: sampling.repetition_penalty,
            logit_bias: sampling.logit_bias.iter().map(|(id, bias)| (id.to_string(), *bias)).collect(),
            seed: seed(sampling.seed, sampling.sample_index),
            logprobs: sampling.top_logprobs,
            prompt_logprobs: None,
            stop_token_ids: Vec::new(),
            ignore_eos: true,
            detokenize: false,
            structured_outputs: None,
        }
    }
}

/// Returns the seed of one sample. vLLM's seeds are non-negative 64-bit integers.
fn seed(seed: u64, sample_index: u32) -> u64 {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(sample_index.to_le_bytes()).finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(first) >> 1
}

/// Returns the salt of an owner's prefixes: only prompts with the same salt share cached prefixes.
pub(super) fn cache_salt(owner: &str) -> String {
    to_hex(&Sha256::digest(owner.as_bytes())[..16])
}

/// Answer of `generate`, or one event of its stream.
#[derive(Debug, Deserialize)]
pub(super) struct GenerateAnswer {
    #[serde(default)]
    pub choices: Vec<Choice>,
    pub prompt_logprobs: Option<PromptLogprobs>,
    /// An error in the middle of a stream.
    pub error: Option<ErrorObject>,
}

/// For each prompt token but the first: log-probabilities by token id.
type PromptLogprobs = Vec<Option<PositionLogprobs>>;

/// Logprobs at one position, by token id.
type PositionLogprobs = HashMap<String, RankedLogprob>;

#[derive(Debug, Deserialize)]
pub(super) struct RankedLogprob {
    logprob: f32,
    rank: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    pub finish_reason: Option<String>,
    token_ids: Option<Vec<u32>>,
    logprobs: Option<Logprobs>,
}

#[derive(Debug, Deserialize)]
struct Logprobs {
    content: Option<Vec<TokenLogprob>>,
}

#[derive(Debug, Deserialize)]
struct TokenLogprob {
    token_id: u32,
    logprob: f32,
    #[serde(default)]
    top_logprobs: Vec<TopLogprob>,
}

#[derive(Debug, Deserialize)]
struct TopLogprob {
    token_id: u32,
    logprob: f32,
}

/// A generated token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub id: u32,
    pub logprob: f32,
    pub top: Vec<(u32, f32)>,
}

impl Token {
    /// Returns whether the token's log-probability is a number.
    pub(super) fn is_finite(&self) -> bool {
        self.logprob.is_finite() && self.logprob > NOT_FINITE
    }
}

impl Choice {
    /// Returns the tokens, each with its `top` likeliest alternatives; `None` if ids and log-probabilities differ.
    pub(super) fn tokens(self, top: usize) -> Option<Vec<Token>> {
        let ids = self.token_ids.unwrap_or_default();
        let scores = self.logprobs.and_then(|logprobs| logprobs.content).unwrap_or_default();
        if ids.len() != scores.len() || ids.iter().zip(&scores).any(|(id, score)| *id != score.token_id) {
            return None;
        }
        let token = |score: TokenLogprob| {
            // The first entry is the sampled token, whatever its rank; it comes twice if it is among the likeliest.
            let mut best: Vec<(u32, f32)> = Vec::with_capacity(score.top_logprobs.len());
            for entry in score.top_logprobs.iter().filter(|_| top > 0) {
                if best.iter().all(|(id, _)| *id != entry.token_id) {
                    best.push((entry.token_id, entry.logprob));
                }
            }
            best.sort_by(|left, right| right.1.total_cmp(&left.1));
            best.truncate(top);
            Token { id: score.token_id, logprob: score.logprob, top: best }
        };
        Some(scores.into_iter().map(token).collect())
    }
}

/// Converts the scores of a prompt; `None` if they are not those of `prompt`.
pub(super) fn prompt_tokens(prompt: &[u32], scores: PromptLogprobs, top: usize) -> Option<Vec<PromptToken>> {
    if scores.len() != prompt.len() {
        return None;
    }
    let token = |(index, (&id, scores)): (usize, (&u32, Option<PositionLogprobs>))| {
        if index == 0 {
            return Some(PromptToken { id, logprob: None, top: Vec::new() });
        }
        let scores = scores?;
        let own = scores.get(&id.to_string())?.logprob;
        let mut ranked: Vec<(u32, u32, f32)> = scores
            .iter()
            .filter_map(|(id, score)| Some((score.rank.unwrap_or(u32::MAX), id.parse().ok()?, score.logprob)))
            .collect();
        ranked.sort_by_key(|(rank, id, _)| (*rank, *id));
        let top = ranked.into_iter().take(top).map(|(_, id, logprob)| (id, logprob)).collect();
        Some(PromptToken { id, logprob: Some(own), top })
    };
    prompt.iter().zip(scores).enumerate().map(token).collect()
}

/// Body of an error.
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody {
    pub error: ErrorValue,
}

/// An error is an object, or a text if the key is wrong.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum ErrorValue {
    Object(ErrorObject),
    Text(String),
}

#[derive(Debug, Deserialize)]
pub(super) struct ErrorObject {
    pub message: String,
    #[serde(default)]
    pub code: Option<u16>,
}

/// Answer of `GET /version`.
#[derive(Debug, Deserialize)]
pub(super) struct Version {
    pub version: String,
}

/// Answer of `GET /v1/models`.
#[derive(Debug, Deserialize)]
pub(super) struct Models {
    pub data: Vec<Model>,
}

/// A base model, or an adapter, which has a parent.
#[derive(Debug, Deserialize)]
pub(super) struct Model {
    pub id: String,
    pub parent: Option<String>,
    pub max_model_len: Option<usize>,
}

/// Values of `GET /metrics` that are used here.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Gauges {
    /// Unix time at which the process started, in seconds.
    pub started: f64,
    /// Number of running requests.
    pub running: usize,
    /// Number of waiting requests.
    pub waiting: usize,
}

impl Gauges {
    /// Reads the text format of Prometheus; absent values are 0. Values of several engines are added.
    pub(super) fn parse(text: &str) -> Self {
        let mut gauges = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((metric, value)) = line.rsplit_once(' ') else { continue };
            let Ok(value) = value.parse::<f64>() else { continue };
            // A value above the type's range becomes its maximum.
            let count = value.max(0.0) as usize;
            match metric.split('{').next().unwrap_or_default() {
                "process_start_time_seconds" => gauges.started = value,
                "vllm:num_requests_running" => gauges.running += count,
                "vllm:num_requests_waiting" => gauges.waiting += count,
                _ => {}
            }
        }
        gauges
    }
}

#[cfg(test)]
mod tests;
