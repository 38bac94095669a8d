//! Requests of vLLM's HTTP interface, version 0.32 and later.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::engine::sampler::{GenerateRequest, SamplerError};
use crate::engine::sampling::SamplingParameters;

/// Bias of a token that must not be sampled, which is the lowest that vLLM accepts.
const FORBIDDEN: f32 = -100.0;
/// Maximum number of biases. vLLM's runner for GPUs ends its engine, with all requests, at one with more.
const MAX_BIASES: usize = 1024;
/// Maximum number of stop tokens beside a minimum length, for the same reason. It takes 128, with those that it adds from
/// the files of the model.
const MAX_STOP_TOKENS: usize = 120;
/// Smallest `top_p` that vLLM accepts, in effect: it keeps the likeliest token alone.
const SMALLEST_TOP_P: f32 = 1e-6;

/// Operation of a server that generates tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Interface {
    /// `POST /inference/v1/generate`: token ids both ways.
    #[default]
    Generate,
    /// `POST /v1/completions`: token ids both ways too, but the server also encodes each token as text, twice.
    Completions,
}

impl Interface {
    /// Returns the path of the operation.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Generate => "/inference/v1/generate",
            Self::Completions => "/v1/completions",
        }
    }

    /// Returns the body of a request.
    pub(super) fn body<'a>(self, body: &'a GenerateBody<'a>) -> Body<'a> {
        match self {
            Self::Generate => Body::Generate(body),
            Self::Completions => Body::Completion(CompletionBody {
                request_id: &body.request_id,
                model: body.model,
                prompt: body.token_ids,
                stream: body.stream,
                cache_salt: body.cache_salt,
                return_token_ids: true,
                return_tokens_as_token_ids: true,
                sampling_params: &body.sampling_params,
            }),
        }
    }
}

/// Body of a request to either operation.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Body<'a> {
    Generate(&'a GenerateBody<'a>),
    Completion(CompletionBody<'a>),
}

/// Body of `POST /v1/completions`.
#[derive(Debug, Serialize)]
pub(super) struct CompletionBody<'a> {
    request_id: &'a str,
    model: &'a str,
    prompt: &'a [u32],
    stream: bool,
    cache_salt: &'a str,
    return_token_ids: bool,
    return_tokens_as_token_ids: bool,
    #[serde(flatten)]
    sampling_params: &'a SamplingParams<'a>,
}

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
    /// model's vocabulary, so a bias forbids them. More than [`MAX_BIASES`] are not forbidden; a sample that contains one fails.
    pub(super) fn follow(&mut self, grammar: &'a str, unused: Range<u32>) {
        self.structured_outputs = Some(StructuredOutputs { grammar });
        self.logit_bias.extend(forbidden(unused).map(|id| (id.to_string(), FORBIDDEN)));
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

/// Returns the ids that biases forbid beside a grammar.
fn forbidden(unused: Range<u32>) -> Range<u32> {
    if unused.len() <= MAX_BIASES { unused } else { 0..0 }
}

/// Checks that vLLM's runner for GPUs accepts the numbers of biases and stop tokens.
///
/// # Errors
/// It has too many biases or stop tokens.
pub(super) fn check_counts(request: &GenerateRequest, unused: Range<u32>) -> Result<(), SamplerError> {
    let limit = MAX_BIASES - request.grammar.as_ref().map_or(0, |_| forbidden(unused).len());
    let (biases, tokens) = (request.sampling.logit_bias.len(), request.stop_tokens.len());
    if biases > limit {
        return Err(SamplerError::TooManyBiases { biases, limit });
    }
    if request.min_tokens > 0 && tokens > MAX_STOP_TOKENS {
        return Err(SamplerError::TooManyStopTokens { tokens, limit: MAX_STOP_TOKENS });
    }
    Ok(())
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
    hex::encode(&Sha256::digest(owner.as_bytes())[..16])
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn request(sampling: SamplingParameters) -> GenerateRequest {
        GenerateRequest {
            owner: "one".into(),
            adapter: None,
            prompt: [1, 2].into(),
            max_tokens: 9,
            sampling,
            stop_tokens: vec![2, 4_000_000_000],
            min_tokens: 20,
            prompt_logprobs: None,
            constraint: None,
            grammar: Some("start: \"a\"".into()),
            is_streamed: false,
            cached_tokens: None,
        }
    }

    #[test]
    fn no_request_ends_an_engine() {
        let mut request = request(SamplingParameters::default());
        let mut params = SamplingParams::new(&request.sampling, 9);
        params.follow("start: \"a\"", 10..10_000);
        assert!(params.logit_bias.is_empty(), "vLLM takes {MAX_BIASES}");
        request.sampling.logit_bias = (0..1000).map(|id| (id, 1.0)).collect();
        assert_eq!(check_counts(&request, 0..24), Ok(()));
        let rejected = SamplerError::TooManyBiases { biases: 1000, limit: 999 };
        assert_eq!(check_counts(&request, 0..25), Err(rejected));
        assert_eq!(check_counts(&request, 0..2000), Ok(()));
        request.grammar = None;
        assert_eq!(check_counts(&request, 0..25), Ok(()));
        request.stop_tokens = (0..120).collect();
        assert_eq!(check_counts(&request, 0..25), Ok(()));
        request.stop_tokens.push(120);
        assert_eq!(check_counts(&request, 0..25), Err(SamplerError::TooManyStopTokens { tokens: 121, limit: 120 }));
        request.min_tokens = 0;
        assert_eq!(check_counts(&request, 0..25), Ok(()));
    }

    #[test]
    fn every_sampling_parameter_is_sent() {
        let sampling = SamplingParameters {
            temperature: 0.7,
            top_p: 0.0,
            top_k: 5,
            min_p: 0.1,
            presence_penalty: 0.5,
            frequency_penalty: -0.5,
            repetition_penalty: 1.1,
            logit_bias: vec![(7, 2.5), (900, -1.0)],
            seed: 3,
            sample_index: 1,
            top_logprobs: 4,
        };
        let request = request(sampling);
        let sent = serde_json::to_value(SamplingParams::of(&request, 100, 98..100, 9)).expect("JSON");
        let seed = sent["seed"].as_u64().expect("a seed");
        assert!(seed < 1 << 63 && seed != super::seed(3, 0) && seed == super::seed(3, 1));
        let expected = serde_json::json!({
            "n": 1, "max_tokens": 9, "min_tokens": 9, "temperature": 0.7, "top_p": 1e-6, "top_k": 5, "min_p": 0.1,
            "presence_penalty": 0.5, "frequency_penalty": -0.5, "repetition_penalty": 1.1, "logit_bias": {"7": 2.5, "98": -100.0, "99": -100.0},
            "seed": seed, "logprobs": 4, "stop_token_ids": [2], "ignore_eos": true, "detokenize": false,
            "structured_outputs": {"grammar": "start: \"a\""},
        });
        let rounded = |value: &Value| serde_json::to_string(value).expect("JSON");
        for (name, value) in expected.as_object().expect("an object") {
            let close = match (value.as_f64(), sent[name].as_f64()) {
                (Some(left), Some(right)) => (left - right).abs() <= 1e-6 * left.abs(),
                _ => value == &sent[name],
            };
            assert!(close, "{name}: {} and {}", rounded(value), rounded(&sent[name]));
        }
        assert_eq!(sent.as_object().map(|sent| sent.len()), expected.as_object().map(|expected| expected.len()));
        assert_ne!(cache_salt("one"), cache_salt("two"));
    }
}
