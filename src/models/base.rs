//! A base model in memory: weights, shared by trainer and sampler, tokenizer and chat template.

use std::{io, sync::Arc};

use serde_json::json;

use crate::{
    chat::ServedModel,
    engine::{
        BaseModel, ComputePool, LoadError, TrainingMethod, WeightFormat,
        full::{FullWeights, FullWeightsError},
        scheduler::{EngineSampler, SamplerLimits},
    },
    model_files::{ModelFiles, ModelFilesError, WeightOrigin},
    store::records::{Program, Provenance},
    training::TextModel,
    vllm::AdapterDirectories,
};

use super::RemoteError;

/// A base model that can be sampled and trained, or a checkpoint with its own weights that can be sampled.
pub struct Base {
    /// Tokenizer, chat template and sampler.
    pub served: Arc<ServedModel>,
    /// The frozen weights, shared by sampler and trainer.
    pub weights: Arc<BaseModel>,
    pool: Arc<ComputePool>,
    limits: SamplerLimits,
    origin: WeightOrigin,
    /// See [`ModelFiles::sha256`].
    sha256: String,
    /// Directories from which the replicas of the sampler read adapters; `None` if the sampler is embedded.
    pub(super) directories: Option<Arc<AdapterDirectories>>,
}

/// Error of reading the weights of a model for training.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum WeightsError {
    #[error("the base model's files cannot be read again: {0}")]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Weights(#[from] FullWeightsError),
}

/// Error of a base model that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum BaseError {
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the sampler's thread cannot be started: {0}")]
    Sampler(#[from] io::Error),
    #[error("none of its tokens ends a turn")]
    NoEndOfTurn,
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

impl Base {
    /// Packs the weights in a number format and starts the sampler, which drafts tokens if it `speculates`. Calls `on_progress` with (bytes packed, total).
    ///
    /// # Errors
    /// Returns an error if the engine does not support the model. The message names file and field.
    pub fn load(
        files: &ModelFiles,
        pool: Arc<ComputePool>,
        format: WeightFormat,
        cache_bytes: usize,
        speculates: bool,
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, BaseError> {
        let shards: Vec<(&str, &[u8])> =
            files.weights.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        let (weights, sha256) = std::thread::scope(|scope| {
            // Concurrently with the packing, which takes longer.
            let hash = scope.spawn(|| files.sha256());
            let weights = BaseModel::load_with_progress(&files.config_json, &shards, format, &pool, on_progress);
            (weights, hash.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let weights = weights?;
        let mut limits = SamplerLimits::with_cache_bytes(&weights.config, cache_bytes);
        if !speculates {
            limits.draft_rows = 0;
        }
        let sampler = Arc::new(EngineSampler::start(pool.clone(), weights.clone(), limits)?);
        let served = ServedModel::new(files, sampler)?;
        if served.end_of_turn().is_empty() {
            return Err(BaseError::NoEndOfTurn);
        }
        let (served, origin) = (Arc::new(served), files.origin.clone());
        Ok(Self { served, weights, pool, limits, origin, sha256, directories: None })
    }

    /// Returns the location of the weight files.
    pub(crate) fn origin(&self) -> &WeightOrigin {
        &self.origin
    }

    /// Creates a checkpoint of this base model with its own weights and its own sampler.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub fn with_weights(&self, weights: Arc<BaseModel>) -> io::Result<Self> {
        let sampler = Arc::new(EngineSampler::start(self.pool.clone(), weights.clone(), self.limits)?);
        let served = Arc::new(self.served.with_sampler(sampler));
        let (pool, limits, origin, sha256) = (self.pool.clone(), self.limits, self.origin.clone(), self.sha256.clone());
        Ok(Self { served, weights, pool, limits, origin, sha256, directories: None })
    }

    /// Creates a checkpoint from its file; see [`Base::with_weights`]. CPU-intensive.
    ///
    /// # Errors
    /// Returns an error if the file does not match this model or a thread cannot be created.
    pub(super) fn with_checkpoint(&self, safetensors: &[u8]) -> Result<Self, BaseError> {
        Ok(self.with_weights(self.pack_checkpoint(safetensors)?)?)
    }

    /// Packs the weights in a checkpoint's file.
    pub(super) fn pack_checkpoint(&self, safetensors: &[u8]) -> Result<Arc<BaseModel>, LoadError> {
        let shards = [("checkpoint", safetensors)];
        BaseModel::load_shape(self.weights.config.clone(), &shards, self.weights.format, &self.pool)
    }

    /// Reads all weights again from the base model's files, as f32 for training. Slow.
    ///
    /// # Errors
    /// Returns an error if the files are gone or have changed.
    pub fn full_weights(&self) -> Result<FullWeights, WeightsError> {
        let files = self.origin.read(self.name())?;
        let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        Ok(FullWeights::read(&self.weights.config, &shards)?)
    }

    /// Returns the configuration file of a checkpoint that contains all weights of this model instead of an adapter.
    pub fn checkpoint_config(&self) -> Vec<u8> {
        let config = json!({
            "base_model_name_or_path": self.name(),
            "format": "safetensors",
            "torch_dtype": "float32",
            "training_method": TrainingMethod::Full.name(),
        });
        let mut bytes = serde_json::to_vec_pretty(&config).expect("a JSON value can be written");
        bytes.push(b'\n');
        bytes
    }

    /// Returns whether the configuration is one of [`Base::checkpoint_config`] and not an adapter's.
    pub(super) fn is_checkpoint_config(config: &[u8]) -> bool {
        let config: serde_json::Value = serde_json::from_slice(config).unwrap_or_default();
        config["training_method"] == TrainingMethod::Full.name()
    }

    /// Returns the base model's hash and this program's version, for the manifests of checkpoints.
    pub fn provenance(&self) -> Provenance {
        let program = Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: self.pool.instruction_set().name().to_owned(),
            learner: None,
        };
        Provenance { base_sha256: self.sha256.clone(), program, config: serde_json::Value::Null }
    }

    /// Returns the name that clients use.
    pub fn name(&self) -> &str {
        self.served.name()
    }

    /// Returns the components that convert conversations to training tokens.
    pub fn text(&self) -> TextModel<'_> {
        TextModel {
            tokenizer: self.served.tokenizer(),
            template: self.served.template(),
            // Not empty: `load` has checked it.
            end_of_turn: self.served.end_of_turn()[0],
            vocabulary_size: self.weights.config.vocab_size,
        }
    }
}
