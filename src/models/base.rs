//! A base model in memory: its weights, shared by trainer and sampler, and what is needed to talk with it.

use std::{io, sync::Arc};

use crate::{
    chat::ServedModel,
    engine::{
        BaseModel, ComputePool, LoadError, WeightFormat,
        scheduler::{EngineSampler, SamplerLimits},
    },
    model_files::{ModelFiles, ModelFilesError},
    training::TextModel,
};

/// A base model, ready to be sampled and trained.
pub struct Base {
    /// Tokenizer, chat template and sampler.
    pub served: Arc<ServedModel>,
    /// The frozen weights, held once for sampler and trainer.
    pub weights: Arc<BaseModel>,
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
        let weights = BaseModel::load_with_progress(&files.config_json, &shards, format, &pool, on_progress)?;
        let limits = SamplerLimits::with_cache_bytes(&weights.config, cache_bytes);
        let sampler = Arc::new(EngineSampler::start(pool, weights.clone(), limits)?);
        let served = ServedModel::new(files, sampler)?;
        if served.end_of_turn().is_empty() {
            return Err(BaseError::NoEndOfTurn);
        }
        Ok(Self { served: Arc::new(served), weights })
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
