//! Resolves model names to base models and checkpoints of trained models.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::adapters::{AdapterCache, AdapterKey};
use super::{AdapterLoad, Base, BaseError, ModelName, WeightsError, at_step, trained_name};
use crate::chat::{ChatError, ChatRequest, CompletionPrompt, CompletionRequest};
use crate::engine::full::{FullWeights, FullWeightsError};
use crate::engine::sampler::{AdapterEffect, AdapterHash, AdapterLocation, AdapterRef, ReplicaLoad};
use crate::engine::{Adapter, AdapterError, BaseModel, TrainingMethod};
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{AdapterArtifacts, CheckpointRecord, ModelRecord};

/// Memory limit of the adapter cache, in bytes. Adapters in use may exceed it.
const ADAPTER_CACHE_BYTES: usize = 1 << 30;
/// Maximum number of concurrent adapter loads. Each uses a thread and memory for its files.
const ADAPTER_LOADS: usize = 4;
/// Maximum number of checkpoints with their own weights in memory, each with a sampler.
const OWN_WEIGHTS_LIVE: usize = 2;
/// Time limit on the wait of a request until one of them is idle and can be replaced.
const ROOM_PATIENCE: Duration = Duration::from_secs(10);
/// Poll interval of that wait.
const ROOM_POLL: Duration = Duration::from_millis(20);

/// Base models in memory, and access to the adapters and weights of trained models.
pub struct Catalog {
    bases: BTreeMap<String, Arc<Base>>,
    metadata: Arc<dyn Metadata>,
    artifacts: Artifacts,
    adapters: AdapterCache,
    own_weights: AdapterCache<Base>,
}

/// Weights of a checkpoint that can be sampled and scored.
pub enum Servable {
    /// An adapter over the base model.
    Adapter(Arc<Adapter>),
    /// The checkpoint's own weights, packed.
    Weights(Arc<BaseModel>),
}

/// The model that a name resolves to, loaded.
#[derive(Clone)]
pub struct Target {
    /// The base model, or the checkpoint with its own weights.
    pub base: Arc<Base>,
    /// The adapter on top of `base`; `None` samples the model itself.
    pub adapter: Option<AdapterRef>,
    /// Step of the checkpoint; `None` for a base model.
    pub step: Option<i64>,
    /// The canonical name, regardless of the spelling in the request. Usage is summed under it.
    pub name: String,
}

/// The model that a name resolves to, not loaded.
pub enum Found {
    /// A base model.
    Base(Arc<Base>),
    /// A trained model, or one of its steps.
    Trained {
        /// Its base model.
        base: Arc<Base>,
        /// The model.
        model: ModelRecord,
        /// The requested step; `None` is the newest.
        step: Option<u64>,
        /// The checkpoint of that step; `None` if all checkpoints are deleted.
        checkpoint: Option<CheckpointRecord>,
    },
}

/// Error of a name or checkpoint that cannot be served.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ResolveError {
    #[error("there is no model {0:?}; GET /v1/models lists those that there are")]
    Unknown(String),
    #[error("base model {0:?} is not served here; the operator can add it with --base-model")]
    BaseNotServed(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error("the stored adapter cannot be used")]
    Adapter(#[from] AdapterError),
    #[error("the stored weights cannot be used")]
    Weights(#[from] FullWeightsError),
    #[error(transparent)]
    BaseWeights(#[from] WeightsError),
    #[error("the checkpoint's weights cannot be served")]
    Own(#[from] BaseError),
    #[error("the directory of adapters cannot be written")]
    AdapterDirectory(#[from] io::Error),
    #[error(
        "this checkpoint has weights of its own, and vLLM servers sample its base model {0} here, with adapters only; ask a \
         server that reads the base model's weights"
    )]
    NothingSamples(String),
    #[error(
        "{OWN_WEIGHTS_LIVE} checkpoints of models trained in full are answering already, which is as many as are held in \
         memory; try again when one is idle"
    )]
    Busy,
}

impl Catalog {
    /// Creates a catalog of these base models.
    pub fn new(bases: Vec<Arc<Base>>, metadata: Arc<dyn Metadata>, artifacts: Artifacts) -> Self {
        Self {
            bases: bases.into_iter().map(|base| (base.name().to_owned(), base)).collect(),
            metadata,
            artifacts,
            adapters: AdapterCache::new(ADAPTER_CACHE_BYTES, ADAPTER_LOADS),
            own_weights: AdapterCache::new(OWN_WEIGHTS_LIVE, 1),
        }
    }

    /// Returns a base model by its name.
    pub fn base(&self, name: &str) -> Option<&Arc<Base>> {
        self.bases.get(name)
    }

    /// Returns the names of the base models, sorted.
    pub fn base_names(&self) -> impl Iterator<Item = &str> {
        self.bases.keys().map(String::as_str)
    }

    /// Resolves `name` for `entity` without loading the model.
    pub async fn find(&self, entity: &str, name: &str) -> Result<Found, ResolveError> {
        let unknown = || ResolveError::Unknown(name.to_owned());
        if let Some(base) = self.bases.get(name) {
            return Ok(Found::Base(base.clone()));
        }
        let named = ModelName::parse(name).filter(|named| named.may_be_of(entity)).ok_or_else(unknown)?;
        let ModelName { project, name: model, step, .. } = named;
        let absent = |error| absent(error, name);
        let model = self.metadata.find_model(entity, &project, &model).await.map_err(absent)?;
        let base = self.served_base(&model)?.clone();
        let checkpoint = match step {
            None => self.metadata.newest_checkpoint(entity, model.id).await.map_err(absent)?,
            Some(step) => {
                let step = i64::try_from(step).map_err(|_| unknown())?;
                Some(self.metadata.checkpoint_at_step(entity, model.id, step).await.map_err(absent)?)
            }
        };
        Ok(Found::Trained { base, model, step, checkpoint })
    }

    /// Resolves `name` for `entity` and loads the model.
    pub async fn resolve(&self, entity: &str, name: &str) -> Result<Target, ResolveError> {
        match self.find(entity, name).await? {
            Found::Base(base) => Ok(Target { base, adapter: None, step: None, name: name.to_owned() }),
            Found::Trained { base, model, step, checkpoint } => {
                let (base, adapter) = match &checkpoint {
                    Some(checkpoint) => match self.servable(entity, base, model.method, checkpoint).await {
                        Err(ResolveError::Artifact(ArtifactError::NotFound(artifact))) => {
                            // If the checkpoint was deleted after its row was read, it is unknown and not corrupt.
                            self.metadata
                                .checkpoint_at_step(entity, model.id, checkpoint.step)
                                .await
                                .map_err(|error| absent(error, name))?;
                            return Err(ArtifactError::NotFound(artifact).into());
                        }
                        servable => servable?,
                    },
                    // All checkpoints are deleted: serve the base model.
                    None => (base, None),
                };
                let name = at_step(trained_name(entity, &model.project, &model.name), step);
                let step = checkpoint.map(|checkpoint| checkpoint.step);
                Ok(Target { base, adapter, step, name })
            }
        }
    }

    /// Returns the base model of a trained model.
    pub fn served_base(&self, model: &ModelRecord) -> Result<&Arc<Base>, ResolveError> {
        self.bases.get(&model.base_model).ok_or_else(|| ResolveError::BaseNotServed(model.base_model.clone()))
    }

    /// Adds a training result to the cache, so that it need not be read back. Call it before the checkpoint becomes
    /// visible. Packs an adapter on the calling thread.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread for another sampler.
    pub fn admit(&self, base: &Base, model: Uuid, files: &AdapterArtifacts, servable: Servable) -> io::Result<()> {
        let key = AdapterKey::new(model, files);
        match servable {
            // Replicas read it from its directory, which the first request writes.
            Servable::Adapter(_) if base.directories.is_some() => {}
            Servable::Adapter(adapter) => {
                if let Ok(weights) = base.weights() {
                    adapter.pack(weights);
                }
                self.adapters.insert(key, adapter);
            }
            Servable::Weights(weights) => self.own_weights.insert(key, Arc::new(base.with_weights(weights)?)),
        }
        Ok(())
    }

    /// Evicts the adapters and weights whose files are deleted. Running requests keep theirs until they end.
    pub fn forget_artifacts(&self, unreferenced: &[ArtifactId]) {
        self.adapters.forget(|_, weights| unreferenced.contains(&weights));
        self.own_weights.forget(|_, weights| unreferenced.contains(&weights));
    }

    /// Evicts the adapters and weights of a deleted model. Running requests keep theirs until they end.
    pub fn forget_model(&self, model: Uuid) {
        self.adapters.forget(|of, _| of == model);
        self.own_weights.forget(|of, _| of == model);
    }

    /// Returns the usage of the adapter cache.
    pub fn adapter_load(&self) -> AdapterLoad {
        self.adapters.load()
    }

    /// Reads an adapter from its artifacts.
    pub async fn load_adapter(&self, base: &Base, files: &AdapterArtifacts) -> Result<Adapter, ResolveError> {
        self.read_adapter(base, files, false).await
    }

    /// Reads an untrusted adapter, which may be invalid in any way.
    pub async fn read_foreign_adapter(
        &self,
        base: &Base,
        config: Vec<u8>,
        weights: ArtifactId,
    ) -> Result<Adapter, ResolveError> {
        let weights = self.artifacts.get(weights).await?;
        let shape = base.config.clone();
        blocking(move || Ok(Adapter::from_peft(&shape, &config, &weights)?)).await
    }

    /// Reads all weights of a checkpoint to resume training; `None` reads those of the base model.
    pub async fn load_weights(
        &self,
        base: &Arc<Base>,
        files: Option<&AdapterArtifacts>,
    ) -> Result<FullWeights, ResolveError> {
        let bytes = match files {
            Some(files) => Some(self.artifacts.get(files.weights).await?),
            None => None,
        };
        let base = base.clone();
        blocking(move || match bytes {
            Some(bytes) => Ok(FullWeights::read(&base.config, &[("checkpoint", &bytes)])?),
            None => Ok(base.full_weights()?),
        })
        .await
    }

    /// Reads a checkpoint of either training method for scoring.
    pub async fn load_frozen(&self, base: &Arc<Base>, files: &AdapterArtifacts) -> Result<Servable, ResolveError> {
        if !Base::is_checkpoint_config(&self.artifacts.get(files.config).await?) {
            return Ok(Servable::Adapter(Arc::new(self.load_adapter(base, files).await?)));
        }
        if base.weights().is_err() {
            return Err(ResolveError::NothingSamples(base.name().to_owned()));
        }
        let (base, bytes) = (base.clone(), self.artifacts.get(files.weights).await?);
        blocking(move || Ok(Servable::Weights(base.pack_checkpoint(&bytes)?))).await
    }

    /// Reads an adapter. `packed` also packs it for the sampler, which would otherwise do so while its batch waits.
    async fn read_adapter(&self, base: &Base, files: &AdapterArtifacts, packed: bool) -> Result<Adapter, ResolveError> {
        let config = self.artifacts.get(files.config).await?;
        let weights = self.artifacts.get(files.weights).await?;
        let (shape, model) = (base.config.clone(), base.weights().ok().filter(|_| packed).cloned());
        blocking(move || {
            let adapter = Adapter::from_peft(&shape, &config, &weights)?;
            if let Some(model) = model {
                adapter.pack(&model);
            }
            Ok(adapter)
        })
        .await
    }

    /// Returns the number of batches that the samplers of all base models have computed since the start.
    pub fn sampler_steps(&self) -> u64 {
        self.bases.values().map(|base| base.served.sampler().load().steps).sum()
    }

    /// Requests one token from every sampler. A sampler with a full queue counts as healthy.
    ///
    /// # Errors
    /// Returns the error of the first sampler that fails.
    pub async fn probe(&self) -> Result<(), ChatError> {
        for base in self.bases.values() {
            // A model without a chat template completes texts.
            let mut options = ChatRequest::new(Vec::new());
            options.max_tokens = Some(1);
            let prompts = vec![CompletionPrompt::Text("ping".to_owned())];
            let request = CompletionRequest { prompts, add_special_tokens: true, options };
            match base.served.complete_from(None, (), || Ok(request)).await {
                Ok(mut completion) => drop(completion.collect().await?),
                Err(ChatError::Busy(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Describes each sampler that has replicas of which none is ready.
    pub fn samplers_away(&self) -> Vec<String> {
        let describe = |(name, base): (&String, &Arc<Base>)| {
            let replicas = base.served.sampler().replicas();
            let is_away = !replicas.is_empty() && replicas.iter().all(|replica| replica.state != "ready");
            is_away.then(|| format!("no replica of the sampler of {name} is ready"))
        };
        self.bases.iter().filter_map(describe).collect()
    }

    /// Describes each adapter that a replica of a sampler does not apply as training did.
    pub fn bad_adapters(&self) -> Vec<String> {
        let replicas = self.bases.values().flat_map(|base| base.served.sampler().replicas());
        let describe = |replica: ReplicaLoad| {
            let ReplicaLoad { name, bad_adapters, .. } = replica;
            let words = move |(adapter, reason)| {
                format!("the vLLM server {name} does not apply the adapter {adapter}: {reason}")
            };
            bad_adapters.into_iter().map(words)
        };
        replicas.flat_map(describe).collect()
    }

    /// Returns the base model and adapter that serve a checkpoint, or the model with the checkpoint's own weights.
    async fn servable(
        &self,
        entity: &str,
        base: Arc<Base>,
        method: TrainingMethod,
        checkpoint: &CheckpointRecord,
    ) -> Result<(Arc<Base>, Option<AdapterRef>), ResolveError> {
        let Some(files) = &checkpoint.adapter else { return Ok((base, None)) };
        let key = AdapterKey::new(checkpoint.model_id, files);
        let mut read = false;
        let servable = match method {
            TrainingMethod::Lora(_) if base.directories.is_some() => {
                let adapter = self.place_adapter(&base, files).await?;
                (base, adapter)
            }
            TrainingMethod::Lora(_) => {
                let load = async || {
                    read = true;
                    self.read_adapter(&base, files, true).await
                };
                let adapter = self.adapters.get_or_load(key, load).await?;
                (base, Some(AdapterRef::in_memory(hash_of(files), adapter)))
            }
            TrainingMethod::Full if base.weights().is_err() => {
                return Err(ResolveError::NothingSamples(base.name().to_owned()));
            }
            TrainingMethod::Full => {
                let deadline = Instant::now() + ROOM_PATIENCE;
                let load = async || {
                    read = true;
                    self.read_own_weights(&base, files, deadline).await
                };
                (self.own_weights.get_or_load(key, load).await?, None)
            }
        };
        if read {
            // If the checkpoint was deleted during the load, nothing else would evict it.
            let found = self.metadata.checkpoint_at_step(entity, checkpoint.model_id, checkpoint.step).await;
            if let Err(StoreError::NotFound(_)) = found {
                let is_gone = |model, weights| model == checkpoint.model_id && weights == files.weights;
                self.adapters.forget(is_gone);
                self.own_weights.forget(is_gone);
            }
        }
        Ok(servable)
    }

    /// Writes an adapter to the directory from which the replicas of the base model's sampler read it.
    async fn place_adapter(&self, base: &Base, files: &AdapterArtifacts) -> Result<Option<AdapterRef>, ResolveError> {
        let Some(directories) = &base.directories else { return Ok(None) };
        let hash = hash_of(files);
        let read = async || {
            let (config, weights) = (self.artifacts.get(files.config), self.artifacts.get(files.weights));
            Ok::<_, ResolveError>(tokio::try_join!(config, weights)?)
        };
        let (directory, effect) = directories.place(hash, read, async || self.effect(base, files).await).await?;
        Ok(Some(AdapterRef { hash, location: AdapterLocation::Directory(directory), effect }))
    }

    /// Returns the effect of an adapter: the recorded one, or that on a known text by the engine; `None` without either.
    async fn effect(&self, base: &Base, files: &AdapterArtifacts) -> Result<Option<AdapterEffect>, ResolveError> {
        if let Some(effect) = self.metadata.adapter_effect(base.name(), files).await? {
            return Ok(Some(effect));
        }
        if base.weights().is_err() {
            return Ok(None);
        }
        let adapter = self.read_adapter(base, files, false).await?;
        Ok(base.effect(adapter).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the effect of an adapter cannot be computed");
            None
        }))
    }

    /// Reads a checkpoint with its own weights, once the cache has room for it.
    async fn read_own_weights(
        &self,
        base: &Arc<Base>,
        files: &AdapterArtifacts,
        deadline: Instant,
    ) -> Result<Base, ResolveError> {
        while !self.own_weights.make_room(1) {
            if Instant::now() >= deadline {
                return Err(ResolveError::Busy);
            }
            tokio::time::sleep(ROOM_POLL).await;
        }
        let (base, bytes) = (base.clone(), self.artifacts.get(files.weights).await?);
        blocking(move || Ok(base.with_checkpoint(&bytes)?)).await
    }
}

/// Returns the hashes of an adapter's files.
fn hash_of(files: &AdapterArtifacts) -> AdapterHash {
    AdapterHash { config: files.config.hash(), weights: files.weights.hash() }
}

/// Converts a "not found" error of the store to an unknown model name.
fn absent(error: StoreError, name: &str) -> ResolveError {
    match error {
        StoreError::NotFound(_) => ResolveError::Unknown(name.to_owned()),
        error => error.into(),
    }
}

/// Runs CPU-intensive work on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ResolveError> + Send + 'static,
) -> Result<T, ResolveError> {
    let working = tokio::task::spawn_blocking(work);
    working.await.unwrap_or_else(|failure| std::panic::resume_unwind(failure.into_panic()))
}
