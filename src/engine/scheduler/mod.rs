//! Generation of many samples at once: the `Sampler` seam and its implementation on the embedded engine.
//!
//! [`EngineSampler`] owns a thread with a [`Decoder`](super::Decoder). Each step runs one batch of rows: one row for
//! every sample that is generating, and pieces of the prompts of those that are not there yet. Because a token's
//! logits have the same bits in any batch, scheduling changes when an answer comes, never what it is.

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
use super::sampling::{SamplingParameters, TokenMask};
use super::{Adapter, Decoder, ModelConfig};

pub use engine_sampler::EngineSampler;
pub use row_engine::{Row, RowEngine, RowError};

/// Restricts the tokens of one sample, such as a grammar does.
pub trait TokenConstraint: Send {
    /// Writes the tokens that may come next into `mask`.
    ///
    /// # Errors
    /// The constraint cannot go on; the sample fails with this text.
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String>;

    /// Takes note of the token that came.
    ///
    /// # Errors
    /// The constraint cannot go on; the sample fails with this text.
    fn accept(&mut self, token: u32) -> Result<(), String>;

    /// Whether nothing more may come: the sample then ends with [`FinishReason::Stop`].
    fn is_finished(&self) -> bool;
}

/// One sample to generate.
pub struct GenerateRequest {
    /// Whose request it is: places are divided by owner, and a prefix is shared only among one owner's requests.
    pub owner: Arc<str>,
    /// Adapter over the base model; `None` for the base model itself.
    pub adapter: Option<Arc<Adapter>>,
    /// The prompt, at least one token, each of the model's vocabulary. Requests that hold the same `Arc` (and adapter) compute it once.
    pub prompt: Arc<[u32]>,
    /// Tokens to generate at most; 0 scores the prompt alone. Capped at the room that the context leaves.
    pub max_tokens: usize,
    /// How tokens are drawn.
    pub sampling: SamplingParameters,
    /// Tokens that end the sample; with none it goes on to its limit. Those that the model does not have never come.
    pub stop_tokens: Vec<u32>,
    /// Tokens before which no stop token may come: until then they are masked out.
    pub min_tokens: usize,
    /// The log-probabilities of the prompt's tokens are wanted, each with this many alternatives; `None`: not wanted.
    pub prompt_logprobs: Option<usize>,
    /// A grammar, if any.
    pub constraint: Option<Box<dyn TokenConstraint>>,
}

/// Why a sample ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// A stop token came, or the constraint was complete.
    Stop,
    /// The limit of tokens was reached.
    Length,
}

/// A token of a prompt, as the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptToken {
    /// The token.
    pub id: u32,
    /// Its log-probability under the raw logits; `None` for the first, which nothing precedes.
    pub logprob: Option<f32>,
    /// The likeliest tokens at this place, as many as asked for.
    pub top: Vec<(u32, f32)>,
}

/// What a sample's receiver gets: the prompt where it was asked for, tokens, then one of the last two.
#[derive(Debug, Clone, PartialEq)]
pub enum GenerateEvent {
    /// The next tokens of the prompt. All of them have come, in order and in one or several events, before the first
    /// token.
    Prompt(Vec<PromptToken>),
    /// The next token; the stop token too.
    Token {
        /// The token.
        id: u32,
        /// Its log-probability under the raw logits.
        logprob: f32,
        /// The likeliest tokens at this place, as many as asked for.
        top: Vec<(u32, f32)>,
    },
    /// The sample is complete.
    Finished(FinishReason),
    /// The sample could not be completed.
    Failed(String),
}

/// Why samples were not taken on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SamplerError {
    /// Too many samples are waiting.
    #[error("{waiting} samples are waiting already, {limit} may; try again in a moment")]
    QueueFull {
        /// Samples waiting.
        waiting: usize,
        /// Samples that may wait.
        limit: usize,
    },
    /// Too many samples of this owner are waiting.
    #[error("{waiting} of your samples are waiting already, {limit} may; wait for some of their answers")]
    OwnerQueueFull {
        /// Samples of the owner that wait.
        waiting: usize,
        /// Samples of one owner that may wait.
        limit: usize,
    },
    /// More samples in one call than may ever wait.
    #[error("{samples} samples were asked for at once, {limit} are possible")]
    TooManySamples {
        /// Samples asked for.
        samples: usize,
        /// Samples that may wait.
        limit: usize,
    },
    /// The prompt leaves no room for a token.
    #[error("the prompt has {prompt} tokens; the context holds {limit} with the answer")]
    PromptTooLong {
        /// Tokens of the prompt.
        prompt: usize,
        /// Tokens of prompt and answer together.
        limit: usize,
    },
    /// The prompt is empty.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// The prompt has a token that the model does not have: tokenizer and weights do not belong together.
    #[error("the prompt has token {id}, but the model's vocabulary has {vocabulary} tokens")]
    UnknownToken {
        /// The token.
        id: u32,
        /// Tokens of the model.
        vocabulary: usize,
    },
    /// The sampler has been stopped.
    #[error("the sampler has stopped")]
    Stopped,
}

/// How busy a sampler is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SamplerLoad {
    /// Samples in the batch.
    pub running: usize,
    /// Samples that wait for a place.
    pub waiting: usize,
    /// Pages of the key-value cache that running samples use.
    pub pages_in_use: usize,
    /// Pages that hold prefixes which no running sample uses; they are given up when room is needed.
    pub pages_cached: usize,
    /// Pages that there may be.
    pub page_capacity: usize,
    /// Tokens of prompts that were not computed because their keys and values were in the cache, since the start.
    pub prefix_hit_tokens: u64,
    /// Samples that were taken out of the batch for want of room, since the start.
    pub preemptions: u64,
    /// Batches of rows that were computed, since the start.
    pub steps: u64,
}

/// Generates samples. Dropping a sample's receiver cancels it.
pub trait Sampler: Send + Sync {
    /// Takes on all of the samples or none, and gives a receiver for each, in order.
    ///
    /// # Errors
    /// Why none was taken on.
    fn generate(&self, requests: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError>;

    /// Tokens of prompt and answer that fit together.
    fn context_length(&self) -> usize;

    /// How busy it is.
    fn load(&self) -> SamplerLoad;
}

/// Bounds of a sampler.
#[derive(Debug, Clone, Copy)]
pub struct SamplerLimits {
    /// Tokens that the key-value cache holds over all samples.
    pub cache_tokens: usize,
    /// Samples in the batch.
    pub max_running: usize,
    /// Samples that may wait.
    pub max_waiting: usize,
    /// Samples of one owner that may wait.
    pub max_waiting_per_owner: usize,
    /// Rows of one forward pass: what one step may take of the processor before training gets its turn.
    pub rows_per_step: usize,
    /// Rows of prompts in a forward pass that others wait for with their next token.
    pub prompt_rows_beside_answers: usize,
}

impl SamplerLimits {
    /// Default bounds with a cache of at most `bytes`, and of at least one page.
    pub fn with_cache_bytes(config: &ModelConfig, bytes: usize) -> Self {
        // As the cache takes it: heads are padded to whole vectors.
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
