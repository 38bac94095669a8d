//! Finds what a name stands for: a base model, or a checkpoint of a trained one.

use std::{collections::BTreeMap, io, sync::Arc, time::Duration};

use tokio::time::Instant;
use uuid::Uuid;

use super::{
    AdapterLoad, Base, BaseError, ModelName, WeightsError,
    adapters::{AdapterCache, AdapterKey},
    trained_name,
};
use crate::{
    chat::{ChatError, ChatRequest},
    engine::{
        Adapter, AdapterError, BaseModel, TrainingMethod,
        full::{FullWeights, FullWeightsError},
    },
    store::{
        artifacts::{ArtifactError, ArtifactId, Artifacts},
        metadata::{Metadata, StoreError},
        records::{AdapterArtifacts, CheckpointRecord, ModelRecord},
    },
};

/// Memory for adapters that no request is using.
const ADAPTER_CACHE_BYTES: usize = 1 << 30;
/// Adapters that are read at the same time: each takes a thread and the memory of its files.
const ADAPTER_LOADS: usize = 4;
/// Checkpoints with weights of their own that are in memory at the same time, each with a sampler.
const OWN_WEIGHTS_LIVE: usize = 2;
/// How long a request for another one waits until one is idle.
const ROOM_PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks.
const ROOM_POLL: Duration = Duration::from_millis(20);

/// Base models in memory and the way to the adapters and weights of trained ones.
pub struct Catalog {
    bases: BTreeMap<String, Arc<Base>>,
    metadata: Arc<dyn Metadata>,
    artifacts: Artifacts,
    adapters: AdapterCache,
    own_weights: AdapterCache<Base>,
}

/// What training leaves to be served.
pub enum Servable {
    /// An adapter over the base model.
    Adapter(Arc<Adapter>),
    /// Weights of its own, packed.
    Weights(Arc<BaseModel>),
}

/// What a name stands for.
#[derive(Clone)]
pub struct Target {
    /// The base model that runs, or the checkpoint with weights of its own.
    pub base: Arc<Base>,
    /// The adapter on top of it; `None` samples the model itself.
    pub adapter: Option<Arc<Adapter>>,
    /// Its one name, whichever way the request spelt it; usage is summed under it.
    pub name: String,
}

/// What a name stands for, as the store has it.
pub enum Found {
    /// A base model.
    Base(Arc<Base>),
    /// A trained model, or one of its steps.
    Trained {
        /// Its base model.
        base: Arc<Base>,
        /// The model.
        model: ModelRecord,
        /// The step that was asked for; `None` is the newest.
        step: Option<u64>,
        /// That step's checkpoint; `None` if every one was deleted.
        checkpoint: Option<CheckpointRecord>,
    },
}

/// Why a name or a checkpoint cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing has that name, or it belongs to another entity.
    #[error("there is no model {0:?}; GET /v1/models lists those that there are")]
    Unknown(String),
    /// The model is there, its base model is not among those that are served.
    #[error("base model {0:?} is not served here; the operator can add it with --base-model")]
    BaseNotServed(String),
    /// The metadata store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The artifact store failed.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The stored adapter does not fit the base model.
    #[error("the stored adapter cannot be used")]
    Adapter(#[from] AdapterError),
    /// The stored weights do not fit the base model.
    #[error("the stored weights cannot be used")]
    Weights(#[from] FullWeightsError),
    /// The base model's own weights cannot be read for training.
    #[error(transparent)]
    BaseWeights(#[from] WeightsError),
    /// A checkpoint with weights of its own cannot be served.
    #[error("the checkpoint's weights cannot be served")]
    Own(#[from] BaseError),
    /// Too many checkpoints with weights of their own are in use.
    #[error(
        "{OWN_WEIGHTS_LIVE} checkpoints of models trained in full are answering already, which is as many as are held in \
         memory; try again when one is idle"
    )]
    Busy,
}

impl Catalog {
    /// A catalogue of these base models.
    pub fn new(bases: Vec<Arc<Base>>, metadata: Arc<dyn Metadata>, artifacts: Artifacts) -> Self {
        Self {
            bases: bases.into_iter().map(|base| (base.name().to_owned(), base)).collect(),
            metadata,
            artifacts,
            adapters: AdapterCache::new(ADAPTER_CACHE_BYTES, ADAPTER_LOADS),
            own_weights: AdapterCache::new(OWN_WEIGHTS_LIVE, 1),
        }
    }

    /// A base model by its name.
    pub fn base(&self, name: &str) -> Option<&Arc<Base>> {
        self.bases.get(name)
    }

    /// The names of the base models, sorted.
    pub fn base_names(&self) -> impl Iterator<Item = &str> {
        self.bases.keys().map(String::as_str)
    }

    /// Finds what `name` stands for, as `entity` sees it, without loading it.
    pub async fn find(&self, entity: &str, name: &str) -> Result<Found, ResolveError> {
        let unknown = || ResolveError::Unknown(name.to_owned());
        match ModelName::parse(name).ok_or_else(unknown)? {
            ModelName::Base(base) => Ok(Found::Base(self.bases.get(&base).ok_or_else(unknown)?.clone())),
            ModelName::Trained { entity: owner, .. } if owner != entity => Err(unknown()),
            ModelName::Trained { project, name: model, step, .. } => {
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
        }
    }

    /// Finds what `name` stands for, as `entity` sees it, and loads it.
    pub async fn resolve(&self, entity: &str, name: &str) -> Result<Target, ResolveError> {
        match self.find(entity, name).await? {
            Found::Base(base) => Ok(Target { base, adapter: None, name: name.to_owned() }),
            Found::Trained { base, model, step, checkpoint } => {
                let (base, adapter) = match &checkpoint {
                    Some(checkpoint) => match self.servable(entity, base, model.method, checkpoint).await {
                        Err(ResolveError::Artifact(ArtifactError::NotFound(artifact))) => {
                            // Deleted since its row was read? Then it is unknown, not broken.
                            self.metadata
                                .checkpoint_at_step(entity, model.id, checkpoint.step)
                                .await
                                .map_err(|error| absent(error, name))?;
                            return Err(ArtifactError::NotFound(artifact).into());
                        }
                        servable => servable?,
                    },
                    // Every checkpoint was deleted: what is left of the model is its base.
                    None => (base, None),
                };
                let newest = trained_name(entity, &model.project, &model.name);
                let name = step.map_or(newest.clone(), |step| format!("{newest}:step{step}"));
                Ok(Target { base, adapter, name })
            }
        }
    }

    /// The base model of a trained one.
    pub fn served_base(&self, model: &ModelRecord) -> Result<&Arc<Base>, ResolveError> {
        self.bases.get(&model.base_model).ok_or_else(|| ResolveError::BaseNotServed(model.base_model.clone()))
    }

    /// Makes what training left servable without reading it back: to be called before its checkpoint can be seen. It is
    /// packed on the calling thread.
    ///
    /// # Errors
    /// The system gives no thread for another sampler.
    pub fn admit(&self, base: &Base, model: Uuid, files: &AdapterArtifacts, servable: Servable) -> io::Result<()> {
        let key = AdapterKey::new(model, files);
        match servable {
            Servable::Adapter(adapter) => {
                adapter.pack(&base.weights);
                self.adapters.insert(key, adapter);
            }
            Servable::Weights(weights) => self.own_weights.insert(key, Arc::new(base.with_weights(weights)?)),
        }
        Ok(())
    }

    /// Drops the adapters and weights whose files are gone. What runs on them ends first.
    pub fn forget_artifacts(&self, unreferenced: &[ArtifactId]) {
        self.adapters.forget(|_, weights| unreferenced.contains(&weights));
        self.own_weights.forget(|_, weights| unreferenced.contains(&weights));
    }

    /// Drops the adapters and weights of a model that is gone. What runs on them ends first.
    pub fn forget_model(&self, model: Uuid) {
        self.adapters.forget(|of, _| of == model);
        self.own_weights.forget(|of, _| of == model);
    }

    /// How many adapters are in memory.
    pub fn adapter_load(&self) -> AdapterLoad {
        self.adapters.load()
    }

    /// Reads an adapter from its artifacts.
    pub async fn load_adapter(&self, base: &Base, files: &AdapterArtifacts) -> Result<Adapter, ResolveError> {
        self.read_adapter(base, files, false).await
    }

    /// Reads an adapter that somebody else made, whatever is wrong with it.
    pub async fn read_foreign_adapter(
        &self,
        base: &Base,
        config: Vec<u8>,
        weights: ArtifactId,
    ) -> Result<Adapter, ResolveError> {
        let weights = self.artifacts.get(weights).await?;
        let model = base.weights.clone();
        blocking(move || Ok(Adapter::from_peft(&model.config, &config, &weights)?)).await
    }

    /// Reads all weights of a checkpoint to train them further; without files those of the base model.
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
            Some(bytes) => Ok(FullWeights::read(&base.weights.config, &[("checkpoint", &bytes)])?),
            None => Ok(base.full_weights()?),
        })
        .await
    }

    /// Reads a checkpoint of either training method to score with it: weights, and the adapter over them.
    pub async fn load_frozen(
        &self,
        base: &Arc<Base>,
        files: &AdapterArtifacts,
    ) -> Result<(Arc<BaseModel>, Adapter), ResolveError> {
        if !Base::is_checkpoint_config(&self.artifacts.get(files.config).await?) {
            return Ok((base.weights.clone(), self.load_adapter(base, files).await?));
        }
        let (base, bytes) = (base.clone(), self.artifacts.get(files.weights).await?);
        blocking(move || {
            let adapter = Adapter::none(&base.weights.config);
            Ok((base.pack_checkpoint(&bytes).map_err(BaseError::from)?, adapter))
        })
        .await
    }

    /// `packed`: ready for the sampler, which would otherwise do it while its batch waits.
    async fn read_adapter(&self, base: &Base, files: &AdapterArtifacts, packed: bool) -> Result<Adapter, ResolveError> {
        let config = self.artifacts.get(files.config).await?;
        let weights = self.artifacts.get(files.weights).await?;
        let model = base.weights.clone();
        blocking(move || {
            let adapter = Adapter::from_peft(&model.config, &config, &weights)?;
            if packed {
                adapter.pack(&model);
            }
            Ok(adapter)
        })
        .await
    }

    /// Batches that the samplers of all base models have computed since the start.
    pub fn sampler_steps(&self) -> u64 {
        self.bases.values().map(|base| base.served.sampler().load().steps).sum()
    }

    /// Asks every sampler for one token. A sampler that is merely full is well.
    ///
    /// # Errors
    /// What the first sampler that gave none said.
    pub async fn probe(&self) -> Result<(), ChatError> {
        for base in self.bases.values() {
            let mut request = ChatRequest::new(vec![serde_json::json!({ "role": "user", "content": "ping" })]);
            request.max_tokens = Some(1);
            match base.served.chat(None, request).await {
                Ok(mut answer) => drop(answer.collect().await?),
                Err(ChatError::Busy(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// What runs a checkpoint: its base model and an adapter, or a model of its own.
    async fn servable(
        &self,
        entity: &str,
        base: Arc<Base>,
        method: TrainingMethod,
        checkpoint: &CheckpointRecord,
    ) -> Result<(Arc<Base>, Option<Arc<Adapter>>), ResolveError> {
        let Some(files) = &checkpoint.adapter else { return Ok((base, None)) };
        let key = AdapterKey::new(checkpoint.model_id, files);
        let mut read = false;
        let servable = match method {
            TrainingMethod::Lora(_) => {
                let load = async || {
                    read = true;
                    self.read_adapter(&base, files, true).await
                };
                let adapter = self.adapters.get_or_load(key, load).await?;
                (base, Some(adapter))
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
            // Deleted while it was read? Then nobody else would drop it.
            let found = self.metadata.checkpoint_at_step(entity, checkpoint.model_id, checkpoint.step).await;
            if let Err(StoreError::NotFound(_)) = found {
                let is_gone = |model, weights| model == checkpoint.model_id && weights == files.weights;
                self.adapters.forget(is_gone);
                self.own_weights.forget(is_gone);
            }
        }
        Ok(servable)
    }

    /// A checkpoint with weights of its own, once there is room for it.
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

/// What is not there has no name.
fn absent(error: StoreError, name: &str) -> ResolveError {
    match error {
        StoreError::NotFound(_) => ResolveError::Unknown(name.to_owned()),
        error => error.into(),
    }
}

/// Runs what takes processor time away from the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ResolveError> + Send + 'static,
) -> Result<T, ResolveError> {
    let working = tokio::task::spawn_blocking(work);
    working.await.unwrap_or_else(|failure| std::panic::resume_unwind(failure.into_panic()))
}
