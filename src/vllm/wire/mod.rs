//! Responses of vLLM's HTTP interface, version 0.32 and later.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use crate::engine::sampler::PromptToken;

/// Log-probability that vLLM writes for a value that is not finite.
const NOT_FINITE: f32 = -9999.0;

/// Response of either operation, or one event of its stream.
#[derive(Debug, Deserialize)]
pub(super) struct GenerateResponse {
    #[serde(default)]
    pub choices: Vec<Choice>,
    prompt_logprobs: Option<PromptLogprobs>,
    /// An error in the middle of a stream.
    pub error: Option<ErrorObject>,
}

impl GenerateResponse {
    /// Takes the scores of the prompt.
    pub(super) fn prompt_logprobs(&mut self) -> Option<PromptLogprobs> {
        let prompt_logprobs = self.prompt_logprobs.take();
        prompt_logprobs.or_else(|| self.choices.first_mut()?.prompt_logprobs.take())
    }
}

/// For each prompt token but the first: log-probabilities by token id.
pub(super) type PromptLogprobs = Vec<Option<PositionLogprobs>>;

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
    /// Scores of the prompt, in a response to `/v1/completions`.
    prompt_logprobs: Option<PromptLogprobs>,
}

/// Log-probabilities of generated tokens: `content`, or the other two from `/v1/completions`.
#[derive(Debug, Deserialize)]
struct Logprobs {
    content: Option<Vec<TokenLogprob>>,
    token_logprobs: Option<Vec<f32>>,
    #[serde(default)]
    top_logprobs: Vec<Option<BTreeMap<String, f32>>>,
}

impl Logprobs {
    /// Returns an entry for each token of `ids`; `None` if they differ.
    fn entries(self, ids: &[u32]) -> Option<Vec<TokenLogprob>> {
        let entries = match (self.content, self.token_logprobs) {
            (Some(content), _) => content,
            (None, Some(logprobs)) => {
                let mut tops = self.top_logprobs.into_iter();
                let entry = |(id, logprob): (&u32, f32)| {
                    let top = tops.next().flatten().unwrap_or_default().into_iter();
                    let top = top.map(|(name, logprob)| {
                        let token_id = name.strip_prefix(TOKEN_ID)?.parse().ok()?;
                        Some(TopLogprob { token_id, logprob })
                    });
                    Some(TokenLogprob { token_id: *id, logprob, top_logprobs: top.collect::<Option<_>>()? })
                };
                if logprobs.len() != ids.len() {
                    return None;
                }
                ids.iter().zip(logprobs).map(entry).collect::<Option<_>>()?
            }
            (None, None) => Vec::new(),
        };
        let fits = entries.len() == ids.len() && entries.iter().zip(ids).all(|(entry, id)| entry.token_id == *id);
        fits.then_some(entries)
    }
}

/// Beginning of a token's name in a response to `/v1/completions`, before its id.
const TOKEN_ID: &str = "token_id:";

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
    /// A token whose log-probability is no number.
    pub(super) fn not_finite(id: u32) -> Self {
        Self { id, logprob: f32::NAN, top: Vec::new() }
    }

    /// Returns whether the token's log-probability is a number.
    pub(super) fn is_finite(&self) -> bool {
        self.logprob.is_finite() && self.logprob > NOT_FINITE
    }
}

impl Choice {
    /// Returns the tokens, each with its `top` likeliest alternatives; `None` if ids and log-probabilities differ.
    pub(super) fn tokens(self, top: usize) -> Option<Vec<Token>> {
        let ids = self.token_ids.unwrap_or_default();
        let scores = match self.logprobs {
            Some(logprobs) => logprobs.entries(&ids)?,
            None if ids.is_empty() => Vec::new(),
            None => return None,
        };
        let token = |score: TokenLogprob| {
            // One entry is the sampled token, whatever its rank; it may come twice if it is among the likeliest.
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

/// Response of `GET /version`.
#[derive(Debug, Deserialize)]
pub(super) struct Version {
    pub version: String,
}

/// Response of `GET /v1/models`.
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
