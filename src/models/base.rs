//! A base model in memory: weights, shared by trainer and sampler, tokenizer and chat template.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::SystemTime;
use std::{io, thread};

use serde_json::json;
use tokio::sync::{SetOnce, mpsc};

use crate::chat::ServedModel;
use crate::engine::full::{FullWeights, FullWeightsError};
use crate::engine::sampler::{GenerateEvent, GenerateRequest, Sampler, SamplerError, SamplerLoad};
use crate::engine::scheduler::{EngineSampler, SamplerLimits};
use crate::engine::{BaseModel, ComputePool, LoadError, ModelConfig, ModelMemory, TrainingMethod, WeightFormat};
use crate::model_files::{ModelFiles, ModelFilesError, WeightOrigin};
use crate::store::records::{Program, Provenance, RemoteSampler};
use crate::training::{MAX_SEQUENCE_LENGTH, TextModel};
use crate::vllm::AdapterDirectories;

use super::RemoteError;

/// A base model that can be sampled and trained, or a checkpoint with its own weights that can be sampled.
#[derive(Clone)]
pub struct Base {
    /// Tokenizer, chat template and sampler.
    pub served: Arc<ServedModel>,
    /// Shape of the model.
    pub config: ModelConfig,
    /// The frozen weights, shared by sampler and trainer; `None` if this process neither samples nor trains.
    weights: Option<Arc<BaseModel>>,
    pub(super) pool: Arc<ComputePool>,
    limits: SamplerLimits,
    origin: WeightOrigin,
    /// See [`ModelFiles::sha256`]; computed in the background, empty without weights or if it is not known.
    sha256: Arc<SetOnce<String>>,
    /// Directories from which the replicas of the sampler read adapters; `None` if the sampler is embedded.
    pub(super) directories: Option<Arc<AdapterDirectories>>,
}

/// Error of a base model whose weights are not in this process.
#[derive(Debug, thiserror::Error)]
#[error(
    "the weights of base model {0} are not read here, because vLLM servers sample it and a learner or another worker trains \
     it"
)]
pub struct NoWeights(String);

/// Sampler of a base model that this process does not sample.
struct NoSampler {
    context: usize,
}

impl Sampler for NoSampler {
    fn generate(&self, _: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError> {
        Err(SamplerError::Unavailable("this process does not sample".to_owned()))
    }

    fn context_length(&self) -> usize {
        self.context
    }

    fn load(&self) -> SamplerLoad {
        SamplerLoad::default()
    }
}

/// Error of reading the weights of a model for training.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum WeightsError {
    #[error("the base model's files cannot be read again: {0}")]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Weights(#[from] FullWeightsError),
    #[error(transparent)]
    NoWeights(#[from] NoWeights),
}

/// Error of a base model that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum BaseError {
    #[error(transparent)]
    Files(#[from] ModelFilesError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("a thread cannot be started: {0}")]
    Thread(#[from] io::Error),
    #[error("none of its tokens ends a turn")]
    NoEndOfTurn,
    #[error(transparent)]
    Remote(#[from] RemoteError),
    #[error(transparent)]
    NoWeights(#[from] NoWeights),
}

/// Files of a base model that is in use before its weights are packed.
#[must_use = "weights stay in their files, and manifests wait for the hash, until the work is done"]
pub struct FileWork {
    files: ModelFiles,
    /// Times at which the files were changed last, before they were read.
    modified: Vec<SystemTime>,
    weights: Arc<BaseModel>,
    pool: Arc<ComputePool>,
    sha256: Arc<SetOnce<String>>,
}

impl FileWork {
    /// Starts a thread that packs the weights of all models, and then hashes their files.
    ///
    /// # Errors
    /// The operating system cannot create a thread.
    pub fn start(models: Vec<Self>) -> io::Result<()> {
        let work = move || {
            // Whatever happens, requests that wait for a hash get one.
            let pack = || models.iter().for_each(Self::pack);
            let _ = panic::catch_unwind(AssertUnwindSafe(pack));
            yield_to_other_threads();
            models.into_iter().for_each(Self::hash);
        };
        thread::Builder::new().name("base-files".to_owned()).spawn(work).map(drop)
    }

    fn pack(&self) {
        self.weights.pack_rest(&self.pool);
        tracing::debug!(model = self.files.name, "all weights are packed");
    }

    fn hash(self) {
        let Self { files, modified, sha256, .. } = self;
        let found = panic::catch_unwind(AssertUnwindSafe(|| files.sha256())).unwrap_or_default();
        // The weights in use may be others than those that were hashed.
        let is_changed = files.origin.modified(&files.name) != modified;
        if is_changed {
            tracing::warn!(
                model = files.name,
                "weight files changed while they were read; start again, since the weights in use may be of both contents. \
                 No hash is recorded"
            );
        }
        let _ = sha256.set(if is_changed { String::new() } else { found });
    }
}

/// Lowers the priority of this thread to a third of that of the threads that compute.
fn yield_to_other_threads() {
    // Elsewhere the call concerns the process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 5) {
        tracing::debug!(%error, "the priority of a thread stays as it is");
    }
}

impl Base {
    /// Reads the weights in a number format. The model has no sampler yet. Calls `on_progress` with (bytes read, total).
    ///
    /// # Errors
    /// Returns an error if the engine does not support the model, or computes values that are not finite; the message
    /// names file and field.
    pub fn load(
        files: ModelFiles,
        pool: Arc<ComputePool>,
        format: WeightFormat,
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Self, FileWork), BaseError> {
        let modified = files.origin.modified(&files.name);
        let weights = BaseModel::load_lazily(&files.config_json, &files.weights, format, &pool, on_progress)?;
        let sha256 = Arc::new(SetOnce::new());
        let base = Self {
            weights: Some(weights.clone()),
            sha256: sha256.clone(),
            ..Self::of(&files, pool.clone(), weights.config.clone())?
        };
        Ok((base, FileWork { files, modified, weights, pool, sha256 }))
    }

    /// Reads shape, tokenizer and template of a model that other processes sample and train.
    ///
    /// # Errors
    /// Returns an error if the files cannot be used. The message names file and field.
    pub fn without_weights(files: &ModelFiles, pool: Arc<ComputePool>) -> Result<Self, BaseError> {
        Self::of(files, pool, ModelConfig::from_json_of_others(&files.config_json).map_err(LoadError::from)?)
    }

    fn of(files: &ModelFiles, pool: Arc<ComputePool>, config: ModelConfig) -> Result<Self, BaseError> {
        let sampler = Arc::new(NoSampler { context: config.max_position_embeddings });
        let served = ServedModel::new(files, sampler)?;
        if served.end_of_turn().is_empty() {
            return Err(BaseError::NoEndOfTurn);
        }
        Ok(Self {
            served: Arc::new(served),
            limits: SamplerLimits::default(),
            config,
            weights: None,
            pool,
            origin: files.origin.clone(),
            sha256: Arc::new(SetOnce::new_with(Some(String::new()))),
            directories: None,
        })
    }

    /// Sets the size of the cache of each embedded sampler, which drafts tokens if it `speculates`.
    pub fn with_limits(mut self, cache_bytes: usize, speculates: bool) -> Self {
        self.limits = SamplerLimits::with_cache_bytes(
            &self.config,
            self.weights.as_ref().map_or_else(WeightFormat::default, |weights| weights.format),
            cache_bytes,
        );
        if !speculates {
            self.limits.draft_rows = 0;
        }
        self
    }

    /// Starts the embedded sampler.
    ///
    /// # Errors
    /// Returns an error if the weights are not here, or the operating system cannot create a thread.
    pub fn embedded(mut self) -> Result<Self, BaseError> {
        let sampler = EngineSampler::start(self.pool.clone(), self.weights()?.clone(), self.limits)?;
        self.served = Arc::new(self.served.replace_sampler(Arc::new(sampler)));
        Ok(self)
    }

    /// Returns the frozen weights.
    ///
    /// # Errors
    /// Returns an error if they are not in this process.
    pub fn weights(&self) -> Result<&Arc<BaseModel>, NoWeights> {
        self.weights.as_ref().ok_or_else(|| NoWeights(self.name().to_owned()))
    }

    /// Returns the memory that the weights in this process and training on them need; `None` without weights.
    pub(crate) fn memory(&self) -> Option<ModelMemory<'_>> {
        let weights = self.weights.as_ref()?;
        let (instructions, threads) = (self.pool.instruction_set(), self.pool.threads());
        Some(match weights.format {
            WeightFormat::File => ModelMemory::of_file(&self.config, weights.bytes(), instructions, threads),
            format => ModelMemory::new(&self.config, format, instructions, threads),
        })
    }

    /// Returns the threads that compute.
    pub(crate) fn pool(&self) -> &Arc<ComputePool> {
        &self.pool
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
        Ok(Self {
            served: Arc::new(self.served.with_sampler(sampler)),
            weights: Some(weights),
            directories: None,
            ..self.clone()
        })
    }

    /// Creates a checkpoint from its file; see [`Base::with_weights`]. CPU-intensive.
    ///
    /// # Errors
    /// Returns an error if the file does not match this model or a thread cannot be created.
    pub(super) fn with_checkpoint(&self, safetensors: &[u8]) -> Result<Self, BaseError> {
        Ok(self.with_weights(self.pack_checkpoint(safetensors)?)?)
    }

    /// Packs the weights in a checkpoint's file.
    ///
    /// # Errors
    /// Returns an error if the file does not match this model, or the base model's weights are not here.
    pub(super) fn pack_checkpoint(&self, safetensors: &[u8]) -> Result<Arc<BaseModel>, BaseError> {
        let shards = [("checkpoint", safetensors)];
        Ok(BaseModel::load_shape(self.config.clone(), &shards, self.weights()?.format, &self.pool)?)
    }

    /// Reads all weights again from the base model's files, as f32 for training. Slow.
    ///
    /// # Errors
    /// Returns an error if the files are gone or have changed.
    pub fn full_weights(&self) -> Result<FullWeights, WeightsError> {
        let base = self.weights()?;
        let files = self.origin.read(self.name())?;
        let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        Ok(FullWeights::read(&self.config, &shards)?.of_model(base))
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

    /// Returns the base model's hash and this program's version, for the manifests of checkpoints. Waits for the hash, which
    /// is known seconds after the start if the files are large, and later if the processors are busy.
    pub async fn provenance(&self) -> Provenance {
        let program = Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: self.pool.instruction_set().name().to_owned(),
            learner: None,
        };
        Provenance { base_sha256: self.sha256.wait().await.clone(), program, config: serde_json::Value::Null }
    }

    /// Returns the kind of the sampler if it is in other processes.
    pub fn remote_sampler(&self) -> Option<RemoteSampler> {
        self.directories.as_ref().map(|_| RemoteSampler::Vllm)
    }

    /// Returns the greatest number of tokens of a trained sequence.
    pub fn longest_sequence(&self) -> usize {
        self.config.max_position_embeddings.min(MAX_SEQUENCE_LENGTH)
    }

    /// Returns the name that clients use.
    pub fn name(&self) -> &str {
        self.served.name()
    }

    /// Returns the text that each token of a sequence completes.
    pub fn texts_of(&self, token_ids: &[u32]) -> Vec<String> {
        let tokenizer = self.served.tokenizer();
        let mut detokenizer = tokenizer.detokenizer();
        let text = |id: &u32| match tokenizer.token_bytes(*id) {
            [] => tokenizer.id_to_token(*id).unwrap_or_default(),
            bytes => detokenizer.push(bytes),
        };
        token_ids.iter().map(text).collect()
    }

    /// Returns the components that convert conversations to training tokens.
    pub fn text(&self) -> TextModel<'_> {
        TextModel {
            tokenizer: self.served.tokenizer(),
            template: self.served.template(),
            // Not empty: `load` has checked it.
            end_of_turn: self.served.end_of_turn()[0],
            vocabulary_size: self.config.vocab_size,
        }
    }
}
