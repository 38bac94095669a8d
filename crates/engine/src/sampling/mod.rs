//! Sampling of the next token from a row of logits.
//!
//! The random numbers are counter-based, keyed by (seed, sample, position), so a sample is the same whether it is
//! streamed or not, alone or in any batch. Reported logprobs are always those of the raw logits: the policy itself,
//! before temperature, filters, penalties and grammar.

mod philox;
mod select;

pub use philox::{philox4x32, uniform};

use std::collections::HashMap;

use self::select::{Room, first_above};
use crate::kernels::vocabulary::Weighting;
use crate::kernels::{LogSoftmax, log_softmax};

/// Largest parameter of a sampler that takes forced tokens without their logits.
const MODERATE: f32 = 1e9;

/// Parameters of the sampling of tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingParameters {
    /// Divisor of the logits; 0 selects the likeliest token, the one with the smallest id among equals.
    pub temperature: f32,
    /// Nucleus: keeps the likeliest tokens whose probabilities sum to at least this value; 1 keeps all.
    pub top_p: f32,
    /// Number of likeliest tokens to keep; 0 keeps all.
    pub top_k: usize,
    /// Minimum probability of a token relative to the likeliest one; 0 keeps all.
    pub min_p: f32,
    /// Value subtracted from the logit of every token that was generated before.
    pub presence_penalty: f32,
    /// Value subtracted from the logit of a token for each time it was generated before.
    pub frequency_penalty: f32,
    /// Divisor of positive, and factor of negative logits, for tokens that are in the prompt or were generated before;
    /// 1 has no effect.
    pub repetition_penalty: f32,
    /// Values added to the logits of single tokens.
    pub logit_bias: Vec<(u32, f32)>,
    /// Key of the random numbers.
    pub seed: u64,
    /// Index of the sample among several with one seed.
    pub sample_index: u32,
    /// Number of likeliest tokens to report with each token.
    pub top_logprobs: usize,
}

impl Default for SamplingParameters {
    fn default() -> Self {
        Self {
            temperature: 1.0,
            top_p: 1.0,
            top_k: 0,
            min_p: 0.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            repetition_penalty: 1.0,
            logit_bias: Vec::new(),
            seed: 0,
            sample_index: 0,
            top_logprobs: 0,
        }
    }
}

/// A set of tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenMask {
    words: Vec<u32>,
}

impl TokenMask {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the set by the bits of `words`, least significant bit first.
    pub fn set_words(&mut self, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
    }

    /// Adds a token.
    pub fn insert(&mut self, token: u32) {
        let word = token as usize / 32;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (token % 32);
    }

    /// Replaces the set by the first `count` tokens.
    pub fn fill(&mut self, count: usize) {
        self.words.clear();
        self.words.resize(count.div_ceil(32), u32::MAX);
        if !count.is_multiple_of(32)
            && let Some(last) = self.words.last_mut()
        {
            *last = (1 << (count % 32)) - 1;
        }
    }

    /// Removes a token.
    pub fn remove(&mut self, token: u32) {
        if let Some(word) = self.words.get_mut(token as usize / 32) {
            *word &= !(1 << (token % 32));
        }
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the token of a set of one.
    pub fn only_token(&self) -> Option<u32> {
        let mut words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        let (index, word) = words.next()?;
        if !word.is_power_of_two() || words.next().is_some() {
            return None;
        }
        u32::try_from(index * 32).ok().map(|first| first + word.trailing_zeros())
    }

    /// Clears the set.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Sets the logits of all other tokens to minus infinity.
    fn restrict(&self, logits: &mut [f32]) {
        for (index, logits) in logits.chunks_mut(32).enumerate() {
            match self.words.get(index).copied().unwrap_or(0) {
                u32::MAX => {}
                word => {
                    for (bit, logit) in logits.iter_mut().enumerate() {
                        if word & (1 << bit) == 0 {
                            *logit = f32::NEG_INFINITY;
                        }
                    }
                }
            }
        }
    }

    /// Returns whether the token is in the set.
    pub fn contains(&self, token: u32) -> bool {
        self.words.get(token as usize / 32).is_some_and(|word| word & (1 << (token % 32)) != 0)
    }
}

/// A sampled token.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledToken {
    /// Token id.
    pub id: u32,
    /// Logprob of the token under the raw logits.
    pub logprob: f32,
    /// Likeliest tokens with their logprobs, most likely first, the smaller id first among equals.
    pub top: Vec<(u32, f32)>,
}

/// Error of a token that cannot be sampled.
#[derive(Debug, thiserror::Error, PartialEq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SamplingError {
    #[error("the model's logits are not finite at position {0}")]
    NotFinite(u64),
    /// Grammar and bias exclude every token.
    #[error("no token is allowed at position {0}")]
    NothingAllowed(u64),
}

/// Reusable memory for sampling a token.
#[derive(Debug, Default)]
pub struct SamplingScratch {
    logits: Vec<f32>,
    room: Room,
}

/// Sampler of the tokens of one sample.
pub struct TokenSampler {
    parameters: SamplingParameters,
    prompt: Vec<u32>,
    generated: HashMap<u32, u32>,
    position: u64,
}

impl TokenSampler {
    /// Creates a sampler at the start of a sample that follows `prompt`.
    pub fn new(parameters: SamplingParameters, prompt: &[u32]) -> Self {
        let mut seen = Vec::new();
        if parameters.repetition_penalty != 1.0 {
            seen.extend_from_slice(prompt);
            seen.sort_unstable();
            seen.dedup();
        }
        Self { parameters, prompt: seen, generated: HashMap::new(), position: 0 }
    }

    /// Samples the next token, with `scratch` as working memory.
    ///
    /// # Errors
    /// Logits that are not finite, or no allowed token.
    pub fn sample(
        &mut self,
        logits: &[f32],
        allowed: Option<&TokenMask>,
        scratch: &mut SamplingScratch,
    ) -> Result<SampledToken, SamplingError> {
        let stats = log_softmax(logits);
        if !stats.is_finite() {
            return Err(SamplingError::NotFinite(self.position));
        }
        let SamplingScratch { logits: room_for_logits, room } = scratch;
        let adjusted = if self.adjusts() || allowed.is_some() {
            room_for_logits.clear();
            room_for_logits.extend_from_slice(logits);
            self.adjust(room_for_logits, allowed);
            room_for_logits.as_slice()
        } else {
            logits
        };
        let id = self.choose(adjusted, room).ok_or(SamplingError::NothingAllowed(self.position))?;
        let top = likeliest(logits, self.parameters.top_logprobs, &stats, room);
        self.force(id);
        Ok(SampledToken { id, logprob: stats.logprob(logits[id as usize]), top })
    }

    /// Returns the number of likeliest tokens to report with each token.
    pub(crate) fn top_logprobs(&self) -> usize {
        self.parameters.top_logprobs
    }

    /// Returns whether [`Self::sample`] returns the only allowed token, whatever its logits: no parameter turns its
    /// logit into minus infinity or its weight into NaN.
    pub(crate) fn takes_forced(&self) -> bool {
        let p = &self.parameters;
        let is_moderate = |value: f32| value.abs() <= MODERATE;
        is_moderate(p.temperature)
            && is_moderate(p.presence_penalty)
            && is_moderate(p.frequency_penalty)
            && (1.0 / MODERATE..=MODERATE).contains(&p.repetition_penalty)
            && p.logit_bias.iter().all(|(_, bias)| is_moderate(*bias))
    }

    /// Records a token as the next one. The score of one that was not sampled is that of [`score`].
    pub(crate) fn force(&mut self, id: u32) {
        self.position += 1;
        if self.adjusts() {
            *self.generated.entry(id).or_default() += 1;
        }
    }

    fn adjusts(&self) -> bool {
        let p = &self.parameters;
        p.presence_penalty != 0.0
            || p.frequency_penalty != 0.0
            || p.repetition_penalty != 1.0
            || !p.logit_bias.is_empty()
    }

    fn adjust(&self, logits: &mut [f32], allowed: Option<&TokenMask>) {
        let p = &self.parameters;
        if p.repetition_penalty != 1.0 {
            let fresh = self.generated.keys().filter(|id| self.prompt.binary_search(id).is_err());
            for &id in self.prompt.iter().chain(fresh) {
                if let Some(logit) = logits.get_mut(id as usize) {
                    *logit = if *logit > 0.0 { *logit / p.repetition_penalty } else { *logit * p.repetition_penalty };
                }
            }
        }
        for (&id, &count) in &self.generated {
            if let Some(logit) = logits.get_mut(id as usize) {
                *logit -= p.presence_penalty + p.frequency_penalty * count as f32;
            }
        }
        for &(id, bias) in &p.logit_bias {
            if let Some(logit) = logits.get_mut(id as usize) {
                *logit += bias;
            }
        }
        if let Some(allowed) = allowed {
            allowed.restrict(logits);
        }
    }

    fn choose(&self, logits: &[f32], room: &mut Room) -> Option<u32> {
        let p = &self.parameters;
        let max = room.survey(logits);
        if max == f32::NEG_INFINITY {
            return None;
        }
        let best = room.likeliest_one(logits, max)?;
        if p.temperature <= 0.0 {
            return Some(best);
        }
        let weighting = Weighting { max, temperature: p.temperature };
        let point = uniform(p.seed, p.sample_index, self.position);
        if p.top_p >= 1.0 && p.top_k == 0 && p.min_p <= 0.0 {
            let target = point * room.total(logits, weighting);
            return Some(room.at(logits, weighting, target).unwrap_or(best));
        }
        let mass = self.filter(logits, weighting, room);
        let index = first_above(room.candidate_weights(weighting).iter().copied(), point * mass);
        Some(index.map_or(best, |index| room.candidates[index].0))
    }

    /// Keeps the candidates that top-k, top-p and min-p allow, likeliest first, and returns the sum of their weights.
    fn filter(&self, logits: &[f32], weighting: Weighting, room: &mut Room) -> f64 {
        let p = &self.parameters;
        let limit = if p.top_k == 0 { logits.len() } else { p.top_k.min(logits.len()) };
        let enough = if p.top_p < 1.0 { f64::from(p.top_p) * room.total(logits, weighting) } else { f64::INFINITY };
        // A few tokens decide most samples, so more are considered only if needed.
        let mut count = limit.min(64);
        loop {
            room.likeliest(logits, count);
            let (mut kept, mut mass) = (0, 0.0);
            let mut complete = count == limit;
            for &weight in room.candidate_weights(weighting) {
                // The likeliest token has weight 1.
                if weight < p.min_p {
                    complete = true;
                    break;
                }
                kept += 1;
                mass += f64::from(weight);
                if mass >= enough {
                    complete = true;
                    break;
                }
            }
            if complete {
                room.candidates.truncate(kept);
                return mass;
            }
            count = limit.min(count * 16);
        }
    }
}

/// Returns the logprob of a token under raw logits, and those of the `top` likeliest tokens, most likely first; `None`
/// if the logits are not finite.
pub fn score(logits: &[f32], id: u32, top: usize, scratch: &mut SamplingScratch) -> Option<(f32, Vec<(u32, f32)>)> {
    let stats = log_softmax(logits);
    if !stats.is_finite() {
        return None;
    }
    Some((stats.logprob(logits[id as usize]), likeliest(logits, top, &stats, &mut scratch.room)))
}

/// Returns the `count` likeliest tokens with their logprobs, most likely first.
fn likeliest(logits: &[f32], count: usize, stats: &LogSoftmax, room: &mut Room) -> Vec<(u32, f32)> {
    if count == 0 {
        return Vec::new();
    }
    room.survey(logits);
    room.likeliest(logits, count);
    room.candidates.iter().map(|&(id, logit)| (id, stats.logprob(logit))).collect()
}

#[cfg(test)]
mod tests;
