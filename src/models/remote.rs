//! Sampling of a base model on vLLM replicas.

use std::sync::Arc;

use super::{Base, BaseError};
use crate::engine::sampler::AdapterEffect;
use crate::engine::{AdamState, Adapter, SequenceInput, TrainSession};
use crate::vllm::{AdapterDirectories, Endpoint, Expected, SamplerSettings, VllmError, VllmSampler};

/// Text whose log-probabilities tell one model from another. It has digits, punctuation and three languages, so that a
/// tokenizer of another vocabulary shows.
const TEXT: &str = "The quick brown fox jumps over the lazy dog, 13 times; then {\"a\": 1}. \
                    Der Himmel ist blau. La mer est calme et le vent souffle.";
/// Maximum number of tokens of that text.
const TEXT_TOKENS: usize = 64;

/// Error of a sampler that cannot be started.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum RemoteError {
    #[error(transparent)]
    Vllm(#[from] VllmError),
    #[error("the text that replicas are checked with cannot be scored: {0}")]
    Reference(String),
}

impl Base {
    /// Samples the base model on vLLM replicas, which read adapters from `directories`.
    ///
    /// # Errors
    /// The key of the replicas cannot be read, or the embedded engine fails.
    pub(crate) async fn on_vllm(
        mut self,
        endpoints: &[Endpoint],
        settings: &SamplerSettings,
        directories: Arc<AdapterDirectories>,
    ) -> Result<(Self, Arc<VllmSampler>), BaseError> {
        let expected = self.expected().await?;
        let context = self.config.max_position_embeddings;
        let sampler = VllmSampler::start(endpoints, settings, expected, context).map_err(RemoteError::from)?;
        let sampler = Arc::new(sampler);
        self.served = Arc::new(self.served.replace_sampler(sampler.clone()));
        self.directories = Some(directories);
        Ok((self, sampler))
    }

    /// Returns the properties that each replica must have. Without weights, the log-probabilities are missing.
    ///
    /// # Errors
    /// The embedded engine fails.
    pub(crate) async fn expected(&self) -> Result<Expected, RemoteError> {
        let text = self.known_text()?;
        let logprobs = match self.weights() {
            Ok(weights) => Some(self.score(Adapter::none(&weights.config), &text).await?),
            Err(_) => None,
        };
        Ok(Expected {
            tokenizer: self.served.tokenizer().clone(),
            vocabulary: self.config.vocab_size,
            end_of_turn: self.served.end_of_turn().to_vec(),
            text,
            logprobs,
        })
    }

    /// Computes the effect of an adapter on a known text; `None` without weights.
    ///
    /// # Errors
    /// The embedded engine fails.
    pub(super) async fn effect(&self, adapter: Adapter) -> Result<Option<AdapterEffect>, RemoteError> {
        let Ok(weights) = self.weights() else { return Ok(None) };
        let text = self.known_text()?;
        let without = self.score(Adapter::none(&weights.config), &text).await?;
        let with = self.score(adapter, &text).await?;
        Ok(Some(AdapterEffect::of(&text, &with, &without)))
    }

    /// Returns the tokens of the text that replicas are checked with.
    fn known_text(&self) -> Result<Vec<u32>, RemoteError> {
        let tokens = self.served.tokenizer().encode_ordinary(TEXT);
        let mut tokens = tokens.map_err(|error| RemoteError::Reference(error.to_string()))?;
        tokens.truncate(TEXT_TOKENS.min(self.config.max_position_embeddings - 1));
        Ok(tokens)
    }

    /// Returns the log-probability of each token of a text but the first, by the embedded engine.
    async fn score(&self, adapter: Adapter, text: &[u32]) -> Result<Vec<f32>, RemoteError> {
        let failed = |error: &dyn std::fmt::Display| RemoteError::Reference(error.to_string());
        let weights = self.weights().map_err(|error| failed(&error))?.clone();
        let (pool, tokens) = (self.pool.clone(), text.to_vec());
        let scored = tokio::task::spawn_blocking(move || {
            let adam = AdamState::new(&adapter);
            let scored: Vec<bool> = (0..tokens.len()).map(|position| position > 0).collect();
            let text = SequenceInput { tokens: &tokens, scored: &scored };
            TrainSession::new(pool, weights, adapter, adam).score(&[text])
        });
        let scores = scored.await.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        Ok(scores.into_iter().flat_map(|scores| scores.logprobs).collect())
    }
}
