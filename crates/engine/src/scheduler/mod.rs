//! Concurrent generation of many samples: the `Sampler` trait and its implementation on the embedded engine.
//!
//! [`EngineSampler`] owns a thread with a [`Decoder`]. Each step runs one batch of rows: one row for
//! every sample that is generating, and prefill chunks of the others. A token's logits have the same bits in any batch,
//! so scheduling affects the time of a response, never its content.

mod admission;
mod batch;
mod engine_sampler;
mod owners;
mod prefix_tree;
mod row_engine;
mod sample;

use std::sync::Arc;

use tokio::sync::mpsc;

use super::layout::Layout;
use super::sampling::{SamplingError, SamplingParameters, TokenMask};
use super::{Adapter, Decoder, ModelConfig};

pub use engine_sampler::EngineSampler;
pub use row_engine::{Row, RowEngine, RowError};

/// Constraint on the tokens of one sample, such as a grammar.
pub trait TokenConstraint: Send {
    /// Writes the tokens that may be next into `mask`.
    ///
    /// # Errors
    /// The constraint cannot continue; the sample fails with this message.
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String>;

    /// Advances the constraint by the sampled token.
    ///
    /// # Errors
    /// The constraint cannot continue; the sample fails with this message.
    fn accept(&mut self, token: u32) -> Result<(), String>;

    /// Returns whether the constraint is complete, so that the sample ends with [`FinishReason::Stop`].
    fn is_finished(&self) -> bool;
}

/// Request for one sample.
pub struct GenerateRequest {
    /// Owner of the request: slots are divided among owners, and prefixes are shared only between requests of one
    /// owner.
    pub owner: Arc<str>,
    /// Adapter of the base model; `None` for the base model itself.
    pub adapter: Option<Arc<Adapter>>,
    /// Prompt of at least one token, each in the model's vocabulary. Requests with the same `Arc` and adapter compute
    /// it once.
    pub prompt: Arc<[u32]>,
    /// Maximum number of tokens to generate; 0 only scores the prompt. Limited to the remaining context.
    pub max_tokens: usize,
    /// Sampling parameters.
    pub sampling: SamplingParameters,
    /// Tokens that end the sample; without any, it ends at its limit. Ids outside the vocabulary have no effect.
    pub stop_tokens: Vec<u32>,
    /// Minimum number of tokens: stop tokens are masked out before.
    pub min_tokens: usize,
    /// Number of alternatives to report with each prompt token's logprob; `None` to report no prompt logprobs.
    pub prompt_logprobs: Option<usize>,
    /// Constraint, such as a grammar.
    pub constraint: Option<Box<dyn TokenConstraint>>,
}

/// Reason for the end of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// A stop token was sampled, or the constraint was complete.
    Stop,
    /// The token limit was reached.
    Length,
}

/// A prompt token with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptToken {
    /// Token id.
    pub id: u32,
    /// Logprob of the token under the raw logits; `None` for the first token.
    pub logprob: Option<f32>,
    /// Likeliest tokens at this position, as many as requested.
    pub top: Vec<(u32, f32)>,
}

/// Event of a sample: the prompt if requested, then tokens, then one of the last two variants.
#[derive(Debug, Clone, PartialEq)]
pub enum GenerateEvent {
    /// Next tokens of the prompt, in order, in one or several events. All of them are sent before the first token.
    Prompt(Vec<PromptToken>),
    /// Next token, including the stop token.
    Token {
        /// Token id.
        id: u32,
        /// Logprob of the token under the raw logits.
        logprob: f32,
        /// Likeliest tokens at this position, as many as requested.
        top: Vec<(u32, f32)>,
    },
    /// The sample is complete.
    Finished(FinishReason),
    /// The sample failed.
    Failed(SampleError),
}

/// Error that ends a sample.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// The logits are not finite: values of the weights or of the adapter are too large.
    #[error("the logits are not finite: the model's weights or its adapter have values that are too large")]
    NotFinite,
    /// Another failure, of the engine or of the constraint.
    #[error("{0}")]
    Failed(String),
}

impl From<SamplingError> for SampleError {
    fn from(error: SamplingError) -> Self {
        match error {
            SamplingError::NotFinite(_) => Self::NotFinite,
            SamplingError::NothingAllowed(_) => Self::Failed(error.to_string()),
        }
    }
}

/// Error of a rejected call of [`Sampler::generate`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SamplerError {
    /// Too many samples are waiting.
    #[error("{waiting} samples are waiting already, {limit} may; try again in a moment")]
    QueueFull {
        /// Number of waiting samples.
        waiting: usize,
        /// Maximum number of waiting samples.
        limit: usize,
    },
    /// Too many samples of this owner are waiting.
    #[error("{waiting} of your samples are waiting already, {limit} may; wait for some of their answers")]
    OwnerQueueFull {
        /// Number of waiting samples of the owner.
        waiting: usize,
        /// Maximum number of waiting samples per owner.
        limit: usize,
    },
    /// The call has more samples than the queue can ever hold.
    #[error("{samples} samples were asked for at once, {limit} are possible")]
    TooManySamples {
        /// Number of requested samples.
        samples: usize,
        /// Maximum number of waiting samples.
        limit: usize,
    },
    /// The prompt leaves no room for a token.
    #[error("the prompt has {prompt} tokens; the context holds {limit} with the answer")]
    PromptTooLong {
        /// Number of tokens in the prompt.
        prompt: usize,
        /// Maximum number of tokens in prompt and response together.
        limit: usize,
    },
    /// The prompt is empty.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// The prompt has a token outside the model's vocabulary: tokenizer and weights do not match.
    #[error("the prompt has token {id}, but the model's vocabulary has {vocabulary} tokens")]
    UnknownToken {
        /// Token id.
        id: u32,
        /// Number of tokens in the vocabulary.
        vocabulary: usize,
    },
    /// The sampler has been stopped.
    #[error("the sampler has stopped")]
    Stopped,
}

/// Load of a sampler.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SamplerLoad {
    /// Number of samples in the batch.
    pub running: usize,
    /// Number of waiting samples.
    pub waiting: usize,
    /// Number of pages of the key-value cache that running samples use.
    pub pages_in_use: usize,
    /// Number of pages with cached prefixes that no running sample uses; they are evicted when room is needed.
    pub pages_cached: usize,
    /// Maximum number of pages.
    pub page_capacity: usize,
    /// Number of prompt tokens since the start that were not computed, since their keys and values were cached.
    pub prefix_hit_tokens: u64,
    /// Number of samples since the start that were suspended for lack of room.
    pub preemptions: u64,
    /// Number of batches of rows since the start.
    pub steps: u64,
}

/// Generator of samples. Dropping a sample's receiver cancels the sample.
pub trait Sampler: Send + Sync {
    /// Accepts all of the samples or none, and returns a receiver for each, in order.
    ///
    /// # Errors
    /// The reason for the rejection of all samples.
    fn generate(&self, requests: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError>;

    /// Returns the maximum number of tokens in prompt and response together.
    fn context_length(&self) -> usize;

    /// Returns the current load.
    fn load(&self) -> SamplerLoad;
}

/// Limits of a sampler.
#[derive(Debug, Clone, Copy)]
pub struct SamplerLimits {
    /// Number of tokens that the key-value cache holds, over all samples.
    pub cache_tokens: usize,
    /// Maximum number of samples in the batch.
    pub max_running: usize,
    /// Maximum number of waiting samples.
    pub max_waiting: usize,
    /// Maximum number of waiting samples per owner.
    pub max_waiting_per_owner: usize,
    /// Maximum number of rows in a forward pass, which limits the compute time of a step before training resumes.
    pub rows_per_step: usize,
    /// Maximum number of prompt rows in a forward pass with samples that are generating, which wait for their next
    /// token.
    pub prompt_rows_beside_answers: usize,
}

impl SamplerLimits {
    /// Returns the default limits with a cache of at most `bytes`, and of at least one page.
    pub fn with_cache_bytes(config: &ModelConfig, bytes: usize) -> Self {
        // The size in the cache's layout: heads are padded to whole vectors.
        let page_bytes = config.layers * Layout::new(config).attention.page_len() * size_of::<f32>();
        Self { cache_tokens: (bytes / page_bytes).max(1) * Decoder::PAGE_TOKENS, ..Self::default() }
    }
}

impl Default for SamplerLimits {
    fn default() -> Self {
        Self {
            cache_tokens: 32 * 1024,
            max_running: 64,
            max_waiting: 4096,
            max_waiting_per_owner: 1024,
            rows_per_step: 256,
            prompt_rows_beside_answers: 128,
        }
    }
}

#[cfg(test)]
mod tests;
