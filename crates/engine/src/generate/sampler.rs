//! Interface of a sampler: requests, events, errors and load. It names no type of an engine, so that an engine in another
//! process or on another machine can implement it.

use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use tokio::sync::mpsc;

pub use crate::lora::AdapterEffect;
use crate::sampling::{SamplingError, SamplingParameters, TokenMask};

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

    /// Advances the constraint by a token that was sampled elsewhere, without this constraint's mask.
    ///
    /// # Errors
    /// The constraint does not allow the token, or cannot continue; the sample fails with this message.
    fn check(&mut self, token: u32) -> Result<(), String>;

    /// Returns whether the constraint is complete, so that the sample ends with [`FinishReason::Stop`].
    fn is_finished(&self) -> bool;
}

/// Request for one sample.
pub struct GenerateRequest {
    /// Owner of the request: slots are divided among owners, and prefixes are shared only between requests of one
    /// owner.
    pub owner: Arc<str>,
    /// Adapter of the base model; `None` for the base model itself.
    pub adapter: Option<AdapterRef>,
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
    /// Text of the constraint's grammar in llguidance's Lark dialect, for a sampler that cannot call the constraint for
    /// each token. Such a sampler passes each token that it receives to [`TokenConstraint::check`].
    pub grammar: Option<Arc<str>>,
    /// Whether someone reads the tokens as they come. If not, a sampler may send all of them at the end.
    pub is_streamed: bool,
    /// Counter to which the sampler adds the number of the prompt's tokens that it need not compute, before the first token;
    /// `None` if nobody reads it.
    pub cached_tokens: Option<Arc<AtomicUsize>>,
}

/// Reference to an adapter: its hashes, which are its name everywhere, and its location.
#[derive(Debug, Clone)]
pub struct AdapterRef {
    /// Hashes of the adapter's files.
    pub hash: AdapterHash,
    /// Location of the adapter.
    pub location: AdapterLocation,
    /// Expected effect of the adapter, by which a sampler elsewhere is checked; `None` if it is not known.
    pub effect: Option<Arc<AdapterEffect>>,
}

/// SHA-256 of each of an adapter's two files. Equal hashes mean equal adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AdapterHash {
    /// Hash of `adapter_config.json`.
    pub config: [u8; 32],
    /// Hash of `adapter_model.safetensors`.
    pub weights: [u8; 32],
}

/// Location of an adapter.
#[derive(Clone)]
pub enum AdapterLocation {
    /// Memory of this process, in the type that the sampler computes with.
    Memory(Arc<dyn Any + Send + Sync>),
    /// Directory that contains `adapter_config.json` and `adapter_model.safetensors`.
    Directory(Arc<Path>),
}

impl AdapterRef {
    /// Creates a reference to an adapter in memory.
    pub fn in_memory<T: Any + Send + Sync>(hash: AdapterHash, adapter: Arc<T>) -> Self {
        Self { hash, location: AdapterLocation::Memory(adapter), effect: None }
    }

    /// Returns whether the adapter is in memory as a `T`.
    pub fn is_in_memory<T: Any>(&self) -> bool {
        matches!(&self.location, AdapterLocation::Memory(adapter) if (**adapter).is::<T>())
    }

    /// Returns the adapter if it is in memory as a `T`.
    pub fn into_memory<T: Any + Send + Sync>(self) -> Option<Arc<T>> {
        match self.location {
            AdapterLocation::Memory(adapter) => adapter.downcast().ok(),
            AdapterLocation::Directory(_) => None,
        }
    }
}

impl fmt::Debug for AdapterLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(_) => formatter.write_str("Memory"),
            Self::Directory(path) => formatter.debug_tuple("Directory").field(path).finish(),
        }
    }
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
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SampleError {
    #[error("the logits are not finite: the model's weights or its adapter have values that are too large")]
    NotFinite,
    /// Another failure, of the engine or of the constraint.
    #[error("{0}")]
    Failed(String),
    /// The sampler lost its engine; the same request may succeed in a moment.
    #[error("{0}")]
    Unavailable(String),
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
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SamplerError {
    #[error("{waiting} samples are waiting already, {limit} may; try again in a moment")]
    QueueFull { waiting: usize, limit: usize },
    #[error("{waiting} of your samples are waiting already, {limit} may; wait for some of their answers")]
    OwnerQueueFull { waiting: usize, limit: usize },
    /// The call has more samples than the queue can ever hold.
    #[error("{samples} samples were asked for at once, {limit} are possible")]
    TooManySamples { samples: usize, limit: usize },
    #[error("the prompt has {prompt} tokens; the context holds {limit} with the answer")]
    PromptTooLong { prompt: usize, limit: usize },
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// The prompt has a token outside the model's vocabulary: tokenizer and weights do not match.
    #[error("the prompt has token {id}, but the model's vocabulary has {vocabulary} tokens")]
    UnknownToken { id: u32, vocabulary: usize },
    #[error("logit_bias has {biases} tokens; the sampler of this model takes {limit} in such a request")]
    TooManyBiases { biases: usize, limit: usize },
    #[error(
        "{tokens} tokens end the completion, with those of the model; the sampler of this model takes {limit} beside min_tokens"
    )]
    TooManyStopTokens { tokens: usize, limit: usize },
    #[error("the adapter is not in a place that this sampler reads")]
    AdapterLocation,
    /// No engine of the sampler answers; a request may succeed in a moment.
    #[error("{0}")]
    Unavailable(String),
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
    /// Number of tokens since the start that their constraint forced, so that they took no step of their own.
    pub forced_tokens: u64,
    /// Number of tokens since the start that were drafted and run before they were sampled.
    pub drafted_tokens: u64,
    /// Number of drafted tokens since the start that were right, so that they took no step of their own.
    pub accepted_tokens: u64,
    /// Number of batches of rows since the start.
    pub steps: u64,
}

/// State of one replica of a sampler. Counters begin at the sampler's start.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplicaLoad {
    /// Host and port of the replica.
    pub name: String,
    /// State of the replica, in one word.
    pub state: &'static str,
    /// Number of this sampler's requests that the replica is answering.
    pub in_flight: usize,
    /// Number of requests that the replica reports as running, those of other clients included.
    pub running: usize,
    /// Number of requests that the replica reports as waiting.
    pub waiting: usize,
    /// Number of adapters that the replica lists.
    pub adapters: usize,
    /// Number of loads of adapters.
    pub adapter_loads: u64,
    /// Time that loads of adapters took in total, in seconds.
    pub adapter_load_seconds: f64,
    /// Adapters that give other log-probabilities there than in training, each with the reason. They get no requests.
    pub bad_adapters: Vec<(String, String)>,
    /// Number of adapters whose effect was compared: those that were right, wrong, and not decidable.
    pub adapter_probes: [u64; 3],
    /// Number of restarts that were noticed.
    pub restarts: u64,
    /// Number of samples that were sent again to another replica after this one failed.
    pub retries: u64,
    /// Number of tokens received.
    pub tokens: u64,
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

    /// Returns the state of each replica of a sampler that has replicas.
    fn replicas(&self) -> Vec<ReplicaLoad> {
        Vec::new()
    }
}
