//! Finds what a name stands for: a base model, or a checkpoint of a trained one.

use std::{collections::BTreeMap, sync::Arc};

use uuid::Uuid;

use super::{
    AdapterLoad, Base, ModelName,
    adapters::{AdapterCache, AdapterKey},
    trained_name,
};
use crate::{
    chat::{ChatError, ChatRequest},
    engine::{Adapter, AdapterError},
    store::{
        artifacts::{ArtifactError, ArtifactId, Artifacts},
        metadata::{Metadata, StoreError},
        records::{AdapterArtifacts, CheckpointRecord, ModelRecord},
    },
};

/// Memory for adapters that no request is using.
const ADAPTER_CACHE_BYTES: usize = 1 << 30;

/// Base models in memory and the way to the adapters of trained ones.
pub struct Catalog {
    bases: BTreeMap<String, Arc<Base>>,
    metadata: Arc<dyn Metadata>,
    artifacts: Artifacts,
    adapters: AdapterCache,
}

/// What a name stands for.
#[derive(Clone)]
pub struct Target {
    /// The base model that runs.
    pub base: Arc<Base>,
    /// The adapter on top of it; `None` samples the base model itself.
    pub adapter: Option<Arc<Adapter>>,
    /// Its one name, whichever way the request spelt it; usage is summed under it.
    pub name: String,
}

/// Why a name or a checkpoint cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing has that name, or it belongs to another entity.
    #[error("there is no model {0:?}; GET /models at the inference address lists those that there are")]
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
}

impl Catalog {
    /// A catalogue of these base models.
    pub fn new(bases: Vec<Arc<Base>>, metadata: Arc<dyn Metadata>, artifacts: Artifacts) -> Self {
        Self {
            bases: bases.into_iter().map(|base| (base.name().to_owned(), base)).collect(),
            metadata,
            artifacts,
            adapters: AdapterCache::new(ADAPTER_CACHE_BYTES),
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

    /// Finds what `name` stands for, as `entity` sees it.
    pub async fn resolve(&self, entity: &str, name: &str) -> Result<Target, ResolveError> {
        let unknown = || ResolveError::Unknown(name.to_owned());
        match ModelName::parse(name).ok_or_else(unknown)? {
            ModelName::Base(base) => {
                let base = self.bases.get(&base).ok_or_else(unknown)?.clone();
                Ok(Target { base, adapter: None, name: name.to_owned() })
            }
            ModelName::Trained { entity: owner, .. } if owner != entity => Err(unknown()),
            ModelName::Trained { project, name: model, step, .. } => {
                let absent = |error| match error {
                    StoreError::NotFound(_) => unknown(),
                    error => error.into(),
                };
                let model = self.metadata.find_model(entity, &project, &model).await.map_err(absent)?;
                let base = self.served_base(&model)?.clone();
                let checkpoint = match step {
                    None => self.metadata.newest_checkpoint(entity, model.id).await.map_err(absent)?,
                    Some(step) => {
                        let step = i64::try_from(step).map_err(|_| unknown())?;
                        Some(self.metadata.checkpoint_at_step(entity, model.id, step).await.map_err(absent)?)
                    }
                };
                let adapter = match &checkpoint {
                    Some(checkpoint) => match self.adapter(entity, &base, checkpoint).await {
                        Err(ResolveError::Artifact(ArtifactError::NotFound(artifact))) => {
                            // Deleted since its row was read? Then it is unknown, not broken.
                            self.metadata
                                .checkpoint_at_step(entity, model.id, checkpoint.step)
                                .await
                                .map_err(absent)?;
                            return Err(ArtifactError::NotFound(artifact).into());
                        }
                        adapter => adapter?,
                    },
                    // Every checkpoint was deleted: what is left of the model is its base.
                    None => None,
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

    /// Makes an adapter servable without reading it back: to be called before its checkpoint can be seen. It is packed on
    /// the calling thread.
    pub fn admit(&self, base: &Base, model: Uuid, files: &AdapterArtifacts, adapter: Arc<Adapter>) {
        adapter.pack(&base.weights);
        self.adapters.insert(AdapterKey::new(model, files), adapter);
    }

    /// Drops the adapters whose files are gone. What runs on them ends first.
    pub fn forget_artifacts(&self, unreferenced: &[ArtifactId]) {
        self.adapters.forget(|_, weights| unreferenced.contains(&weights));
    }

    /// Drops the adapters of a model that is gone. What runs on them ends first.
    pub fn forget_model(&self, model: Uuid) {
        self.adapters.forget(|of, _| of == model);
    }

    /// How many adapters are in memory.
    pub fn adapter_load(&self) -> AdapterLoad {
        self.adapters.load()
    }

    /// Reads an adapter from its artifacts.
    pub async fn load_adapter(&self, base: &Base, files: &AdapterArtifacts) -> Result<Adapter, ResolveError> {
        self.read_adapter(base, files, false).await
    }

    /// `packed`: ready for the sampler, which would otherwise do it while its batch waits.
    async fn read_adapter(&self, base: &Base, files: &AdapterArtifacts, packed: bool) -> Result<Adapter, ResolveError> {
        let config = self.artifacts.get(files.config).await?;
        let weights = self.artifacts.get(files.weights).await?;
        let model = base.weights.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let adapter = Adapter::from_peft(&model.config, &config, &weights)?;
            if packed {
                adapter.pack(&model);
            }
            Ok::<_, AdapterError>(adapter)
        });
        Ok(reading.await.unwrap_or_else(|failure| std::panic::resume_unwind(failure.into_panic()))?)
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

    async fn adapter(
        &self,
        entity: &str,
        base: &Base,
        checkpoint: &CheckpointRecord,
    ) -> Result<Option<Arc<Adapter>>, ResolveError> {
        let Some(files) = &checkpoint.adapter else { return Ok(None) };
        let key = AdapterKey::new(checkpoint.model_id, files);
        let mut read = false;
        let load = async || {
            read = true;
            self.read_adapter(base, files, true).await
        };
        let adapter = self.adapters.get_or_load(key, load).await?;
        if read {
            // Deleted while it was read? Then nobody else would drop it.
            let found = self.metadata.checkpoint_at_step(entity, checkpoint.model_id, checkpoint.step).await;
            if let Err(StoreError::NotFound(_)) = found {
                self.adapters.forget(|model, weights| model == checkpoint.model_id && weights == files.weights);
            }
        }
        Ok(Some(adapter))
    }
}
