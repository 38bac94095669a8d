//! A base model in memory: its weights, shared by trainer and sampler, and what is needed to talk with it.

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
};

/// A base model, ready to be sampled and trained; or a checkpoint with weights of its own, ready to be sampled.
pub struct Base {
    /// Tokenizer, chat template and sampler.
    pub served: Arc<ServedModel>,
    /// The frozen weights, held once for sampler and trainer.
    pub weights: Arc<BaseModel>,
    pool: Arc<ComputePool>,
    limits: SamplerLimits,
    origin: WeightOrigin,
    /// See [`ModelFiles::sha256`].
    sha256: String,
}

/// Why the weights of a model cannot be read for training.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum WeightsError {
    #[error("the base model's files cannot be read again: {0}")]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Weights(#[from] FullWeightsError),
}

/// Why a base model cannot be used.
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
}

impl Base {
    /// Packs the weights in a number format and starts the sampler. `on_progress` is told (bytes packed, bytes in all).
    ///
    /// # Errors
    /// When the files are not those of a model that the engine runs; the message names file and field.
    pub fn load(
        files: &ModelFiles,
        pool: Arc<ComputePool>,
        format: WeightFormat,
        cache_bytes: usize,
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, BaseError> {
        let shards: Vec<(&str, &[u8])> =
            files.weights.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        let (weights, sha256) = std::thread::scope(|scope| {
            // Beside the packing, which takes longer.
            let hash = scope.spawn(|| files.sha256());
            let weights = BaseModel::load_with_progress(&files.config_json, &shards, format, &pool, on_progress);
            (weights, hash.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let weights = weights?;
        let limits = SamplerLimits::with_cache_bytes(&weights.config, cache_bytes);
        let sampler = Arc::new(EngineSampler::start(pool.clone(), weights.clone(), limits)?);
        let served = ServedModel::new(files, sampler)?;
        if served.end_of_turn().is_empty() {
            return Err(BaseError::NoEndOfTurn);
        }
        Ok(Self { served: Arc::new(served), weights, pool, limits, origin: files.origin.clone(), sha256 })
    }

    /// A checkpoint of this base model with weights of its own, and a sampler for it.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn with_weights(&self, weights: Arc<BaseModel>) -> io::Result<Self> {
        let sampler = Arc::new(EngineSampler::start(self.pool.clone(), weights.clone(), self.limits)?);
        let served = Arc::new(self.served.with_sampler(sampler));
        let (pool, limits, origin, sha256) = (self.pool.clone(), self.limits, self.origin.clone(), self.sha256.clone());
        Ok(Self { served, weights, pool, limits, origin, sha256 })
    }

    /// As [`Base::with_weights`], from a checkpoint's file. Takes processor time.
    ///
    /// # Errors
    /// A file that is not of this model, and no thread.
    pub(super) fn with_checkpoint(&self, safetensors: &[u8]) -> Result<Self, BaseError> {
        Ok(self.with_weights(self.pack_checkpoint(safetensors)?)?)
    }

    /// The weights of a checkpoint's file.
    pub(super) fn pack_checkpoint(&self, safetensors: &[u8]) -> Result<Arc<BaseModel>, LoadError> {
        let shards = [("checkpoint", safetensors)];
        BaseModel::load_shape(self.weights.config.clone(), &shards, self.weights.format, &self.pool)
    }

    /// All weights as f32, to be trained, read once more from the base model's files. Takes time.
    ///
    /// # Errors
    /// Files that are gone or are no longer those of this model.
    pub fn full_weights(&self) -> Result<FullWeights, WeightsError> {
        let files = self.origin.read(self.name())?;
        let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        Ok(FullWeights::read(&self.weights.config, &shards)?)
    }

    /// What says that a checkpoint holds all weights of this model, in the place of an adapter's configuration.
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

    /// Whether a checkpoint holds all weights, as [`Base::checkpoint_config`] says it, and not an adapter.
    pub(super) fn is_checkpoint_config(config: &[u8]) -> bool {
        let config: serde_json::Value = serde_json::from_slice(config).unwrap_or_default();
        config["training_method"] == TrainingMethod::Full.name()
    }

    /// What the manifests of checkpoints say of this base model and this program.
    pub fn provenance(&self) -> Provenance {
        let program = Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: self.pool.instruction_set().name().to_owned(),
        };
        Provenance { base_sha256: self.sha256.clone(), program, config: serde_json::Value::Null }
    }

    /// The name that clients use.
    pub fn name(&self) -> &str {
        self.served.name()
    }

    /// What turns conversations into training tokens.
    pub fn text(&self) -> TextModel<'_> {
        TextModel {
            tokenizer: self.served.tokenizer(),
            template: self.served.template(),
            // Not empty, as `load` has seen.
            end_of_turn: self.served.end_of_turn()[0],
            vocabulary_size: self.weights.config.vocab_size,
        }
    }
}
