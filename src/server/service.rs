//! Puts the service together: store, base models, worker and routes; and runs it.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use tokio::net::TcpListener;

use super::{
    Limits,
    parts::Parts,
    presence::{Presence, Role},
    serve,
};
use crate::{
    api::{Api, QueueReading},
    auth::{ApiKey, KeyError, create_key},
    engine::{ChatShare, WeightFormat},
    jobs::Worker,
    model_files::{HubError, ModelFilesError},
    models::BaseError,
    stop::Stop,
    store::{
        artifacts::{ArtifactError, ArtifactPlace},
        garbage,
        metadata::StoreError,
        postgres::{DatabaseAddress, PostgresOpenError},
        sqlite::OpenError,
    },
    training::{WandbServer, source::PrefixError},
    usage::UsageLog,
};

/// The entity of the key that the first start makes.
pub const FIRST_ENTITY: &str = "default";

/// Longest time that the usage of the last requests may take to be written at the end.
const USAGE_TIME: Duration = Duration::from_secs(5);

/// What a service is made of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where artifacts are, and the database unless another is named.
    pub data_directory: PathBuf,
    /// Address of a PostgreSQL database to use instead of the one in the data directory.
    pub database: Option<DatabaseAddress>,
    /// Where the artifacts are instead.
    pub artifacts: Option<ArtifactPlace>,
    /// Base models beside the built-in one: name, and the directory unless the hub is meant.
    pub base_models: Vec<(String, Option<PathBuf>)>,
    /// URL prefixes from which training data is read beside public `https`.
    pub allow_data: Vec<String>,
    /// A W&B server whose data sets are training data.
    pub wandb: Option<WandbServer>,
    /// Threads of the engine.
    pub threads: usize,
    /// Part of the compute time that chat may take while a job trains.
    pub chat_share: ChatShare,
    /// Bytes of each base model's key-value cache at most.
    pub cache_bytes: usize,
    /// How the base models' weights are stored.
    pub weights: WeightFormat,
    /// Whether the process that answers requests works on jobs too.
    pub worker: bool,
    /// Bounds of each listener.
    pub limits: Limits,
}

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum StartError {
    #[error("cannot use the data directory {path}: {source}; name another with --data-dir")]
    DataDirectory { path: PathBuf, source: io::Error },
    #[error(
        "another server runs on the data directory {0}; stop it or name another directory with --data-dir. To share the \
         directory, start `trainyard serve --no-worker` and `trainyard worker`, as many as you like of each"
    )]
    InUse(PathBuf),
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot use the artifacts in {place}")]
    Artifacts { place: ArtifactPlace, source: ArtifactError },
    #[error("base model {name}: {source}")]
    ModelFiles { name: String, source: ModelFilesError },
    #[error("base model {name}: {source}")]
    Hub { name: String, source: HubError },
    #[error("base model {name}: {source}")]
    Load { name: String, source: BaseError },
    #[error("base model {0} is named twice")]
    Twice(String),
    #[error("--allow-data: {0}")]
    AllowData(#[from] PrefixError),
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// A stage of starting, for a progress display: what is being done, how much is done, how much there is.
pub type OnProgress<'a> = dyn FnMut(&str, u64, u64) + Send + 'a;

/// A service with its models loaded, not yet listening.
pub struct Service {
    parts: Parts,
    worker: Option<Worker>,
    usage: UsageLog,
    usage_writer: tokio::task::JoinHandle<()>,
    data_directory: PathBuf,
    limits: Limits,
}

impl Service {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// When the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        let role = if settings.worker { Role::Whole } else { Role::Api };
        let parts = Parts::open(settings, role, on_progress).await?;
        let worker = role.works().then(|| parts.worker(settings));
        let (usage, usage_writer) = UsageLog::start(parts.metadata.clone(), parts.metrics.clone());
        let data_directory = settings.data_directory.clone();
        Ok(Self { parts, worker, usage, usage_writer, data_directory, limits: settings.limits })
    }

    /// Makes a key when there is none at all: the first start of a data directory.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn first_key(&self) -> Result<Option<ApiKey>, StartError> {
        if !self.parts.metadata.list_keys(None).await?.is_empty() {
            return Ok(None);
        }
        let (key, _) = create_key(&*self.parts.metadata, FIRST_ENTITY, "first start").await?;
        Ok(Some(key))
    }

    /// A new key for a service on a scratch directory.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn scratch_key(&self) -> Result<ApiKey, StartError> {
        Ok(create_key(&*self.parts.metadata, FIRST_ENTITY, "quickstart").await?.0)
    }

    /// Answers requests and works on jobs until `stop` turns true. With an inference listener the model list and
    /// chat are answered there under `/v1`; without, beside the rest under `/inference/v1`.
    pub async fn run(self, listener: TcpListener, inference: Option<TcpListener>, stop: Stop) {
        let Self { parts, worker, usage, usage_writer, data_directory, limits } = self;
        let Parts { metadata, artifacts, catalog, data, metrics, presence, .. } = parts;
        // Told to stop at once, not when the last request is answered: another worker goes on with its job meanwhile.
        let worker = worker.map(|worker| tokio::spawn(worker.run(stop.clone())));
        tokio::spawn(garbage::keep_swept(metadata.clone(), artifacts.clone(), stop.clone()));
        let api = Arc::new(Api {
            metadata: metadata.clone(),
            artifacts,
            catalog,
            data,
            usage,
            limiter: Arc::default(),
            metrics: metrics.clone(),
            queue: QueueReading::default(),
            data_directory,
            stop: stop.clone(),
        });
        let router = crate::api::router(&api, inference.is_none());
        let main = serve(listener, router, limits, metrics.clone(), stop.clone());
        match inference {
            None => main.await,
            Some(listener) => {
                let router = crate::api::inference_router(&api);
                tokio::join!(main, serve(listener, router, limits, metrics, stop));
            }
        }
        if let Some(worker) = worker
            && let Err(error) = worker.await
        {
            tracing::error!(%error, "the worker ended badly");
        }
        // The last usage is written once nobody holds the log any more.
        drop(api);
        match tokio::time::timeout(USAGE_TIME, usage_writer).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the usage writer ended badly"),
            Err(_) => tracing::error!("the usage of the last requests was not written in time"),
        }
        drop(metadata);
        drop(presence);
    }
}

/// A process that only works on jobs, with its models loaded.
pub struct StandaloneWorker {
    worker: Worker,
    presence: Option<Presence>,
}

impl StandaloneWorker {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// When the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        let parts = Parts::open(settings, Role::Worker, on_progress).await?;
        let worker = parts.worker(settings);
        Ok(Self { worker, presence: parts.presence })
    }

    /// Works on jobs until `stop` turns true.
    pub async fn run(self, stop: Stop) {
        let Self { worker, presence } = self;
        worker.run(stop).await;
        drop(presence);
    }
}
