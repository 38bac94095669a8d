//! Sampling of a base model on vLLM replicas.

use std::sync::Arc;

use super::{Base, BaseError};
use crate::{
    engine::{
        sampler::{GenerateEvent, GenerateRequest},
        sampling::SamplingParameters,
    },
    vllm::{AdapterDirectories, Endpoint, Expected, SamplerSettings, VllmError, VllmSampler},
};

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
    /// Replaces the embedded sampler of a base model by vLLM replicas, which read adapters from `directories`.
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
        let context = self.served.context_length();
        let sampler = VllmSampler::start(endpoints, settings, expected, context).map_err(RemoteError::from)?;
        let sampler = Arc::new(sampler);
        self.served = Arc::new(self.served.replace_sampler(sampler.clone()));
        self.directories = Some(directories);
        Ok((self, sampler))
    }

    /// Returns the properties that each replica must have.
    ///
    /// # Errors
    /// The embedded engine fails.
    pub(crate) async fn expected(&self) -> Result<Expected, RemoteError> {
        let failed = |error: &dyn std::fmt::Display| RemoteError::Reference(error.to_string());
        let tokenizer = self.served.tokenizer().clone();
        let mut tokens = tokenizer.encode_ordinary(TEXT).map_err(|error| failed(&error))?;
        tokens.truncate(TEXT_TOKENS.min(self.served.context_length() - 1));
        let request = GenerateRequest {
            owner: "".into(),
            adapter: None,
            prompt: tokens.clone().into(),
            max_tokens: 0,
            sampling: SamplingParameters::default(),
            stop_tokens: Vec::new(),
            min_tokens: 0,
            prompt_logprobs: Some(0),
            constraint: None,
            grammar: None,
        };
        let mut receivers = self.served.sampler().generate(vec![request]).map_err(|error| failed(&error))?;
        let mut logprobs = Vec::new();
        while let Some(event) = receivers[0].recv().await {
            match event {
                GenerateEvent::Prompt(scored) => logprobs.extend(scored.iter().filter_map(|token| token.logprob)),
                GenerateEvent::Failed(error) => return Err(failed(&error)),
                GenerateEvent::Token { .. } | GenerateEvent::Finished(_) => {}
            }
        }
        Ok(Expected {
            tokenizer,
            vocabulary: self.weights.config.vocab_size,
            end_of_turn: self.served.end_of_turn().to_vec(),
            reference: (tokens, logprobs),
        })
    }
}
