//! Concurrent generation of many samples on the embedded engine: the implementation of [`Sampler`](crate::generate::sampler) in
//! this process.
//!
//! [`EngineSampler`] owns a thread with a [`Decoder`]. Each step runs one batch of rows: one row for
//! every sample that is generating, and prefill chunks of the others. Where a constraint allows one token only, that
//! token is known without its logits, and runs in the same batch as the token before it. Text that repeats is drafted
//! and verified in one batch. A token's logits have the same bits in any batch, so scheduling affects the time of a
//! response, never its content.
//!
//! A prompt begins with what earlier samples have computed: pages of keys and values ([`prefix_tree`]), or for a model with
//! recurrent states a [snapshot](snapshots) of them.

mod admission;
mod batch;
mod drafts;
mod engine_sampler;
mod owners;
mod prefix_tree;
mod room;
mod sample;
mod snapshots;

use crate::config::ModelConfig;
use crate::generate::Decoder;
use crate::kernels::WeightFormat;
use crate::model::Layout;

pub use engine_sampler::EngineSampler;

/// Limits of a sampler.
#[derive(Debug, Clone, Copy)]
pub struct SamplerLimits {
    /// Number of tokens that the key-value cache holds, over all samples. Recurrent states take pages of it.
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
    pub prompt_rows_beside_completions: usize,
    /// Maximum number of rows in a forward pass for tokens that a constraint forces, beside one row for each sample. With
    /// 0, such tokens are sampled as all others.
    pub forced_rows: usize,
    /// Maximum number of rows in a forward pass for drafts of the tokens to come. With 0, each token is sampled in a step
    /// of its own.
    pub draft_rows: usize,
}

impl SamplerLimits {
    /// Returns the default limits with a cache of at most `bytes`, and of at least one page and the states of one sequence.
    /// Beside weights in f32 a token takes twice as many bytes as beside others.
    pub fn with_cache_bytes(config: &ModelConfig, weights: WeightFormat, bytes: usize) -> Self {
        let pages = (bytes / Self::page_bytes(config, weights)).max(1 + Self::state_pages(config, weights));
        Self { cache_tokens: pages * Self::PAGE_TOKENS, ..Self::default() }
    }

    /// Number of tokens of a page of the cache.
    pub(crate) const PAGE_TOKENS: usize = Decoder::PAGE_TOKENS;

    /// Returns the size of a page in the cache's layout: heads are padded to whole vectors.
    pub(crate) fn page_bytes(config: &ModelConfig, weights: WeightFormat) -> usize {
        Layout::new(config).with_weights(weights).page_len(config) * size_of::<f32>()
    }
}

impl SamplerLimits {
    /// Returns the size of a sequence's recurrent states, in bytes; zero if the model has none.
    pub(crate) fn state_bytes(config: &ModelConfig) -> usize {
        Layout::new(config).states_len(config) * size_of::<f32>()
    }

    /// Returns the number of pages that take as much memory as a sequence's recurrent states.
    pub(crate) fn state_pages(config: &ModelConfig, weights: WeightFormat) -> usize {
        Self::state_bytes(config).div_ceil(Self::page_bytes(config, weights))
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
            prompt_rows_beside_completions: 128,
            forced_rows: 64,
            draft_rows: 32,
        }
    }
}

#[cfg(test)]
mod tests;
