//! Puts the service together: store, base models, worker and routes; and runs it.

use std::{
    fs::{File, TryLockError},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::{net::TcpListener, sync::Notify};

use super::{Limits, serve};
use crate::{
    api::{Api, QueueReading},
    auth::{ApiKey, KeyError, create_key},
    engine::{ChatShare, ComputePool, WeightFormat},
    jobs::{Worker, WorkerParts},
    metrics::Metrics,
    model_files::{HubError, HubProgress, ModelFiles, ModelFilesError, from_hub},
    models::{Base, BaseError, Catalog},
    stop::Stop,
    store::{
        artifacts::{ArtifactError, Artifacts},
        garbage,
        metadata::{Metadata, StoreError},
        postgres::{DatabaseAddress, PostgresMetadata, PostgresOpenError},
        sqlite::{OpenError, SqliteMetadata},
    },
    training::{DataSource, source::PrefixError},
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
    /// Base models beside the built-in one: name, and the directory unless the hub is meant.
    pub base_models: Vec<(String, Option<PathBuf>)>,
    /// URL prefixes from which training data is read beside public `https`.
    pub allow_data: Vec<String>,
    /// Threads of the engine.
    pub threads: usize,
    /// Part of the compute time that chat may take while a job trains.
    pub chat_share: ChatShare,
    /// Bytes of each base model's key-value cache at most.
    pub cache_bytes: usize,
    /// How the base models' weights are stored.
    pub weights: WeightFormat,
}

/// Why the service could not start.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum StartError {
    #[error("cannot use the data directory {path}: {source}; name another with --data-dir")]
    DataDirectory { path: PathBuf, source: io::Error },
    #[error("another server runs on the data directory {0}; stop it or name another directory with --data-dir")]
    InUse(PathBuf),
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifacts(#[from] ArtifactError),
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

/// Opens the metadata: in the PostgreSQL database if one is named, otherwise in the data directory, which is made when it
/// is missing.
///
/// # Errors
/// When directory or database cannot be used.
pub async fn open_metadata(
    directory: &Path,
    database: Option<&DatabaseAddress>,
) -> Result<Arc<dyn Metadata>, StartError> {
    if let Some(address) = database {
        return Ok(Arc::new(PostgresMetadata::open(address).await?));
    }
    create_directory(directory)?;
    Ok(Arc::new(SqliteMetadata::open(&directory.join("trainyard.db")).await?))
}

fn create_directory(directory: &Path) -> Result<(), StartError> {
    // What is in it is nobody else's business: trajectories, adapters, hashes of keys.
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|source| StartError::DataDirectory { path: directory.to_owned(), source })
}

/// Keeps a second server out: one would collect the other's unfinished artifacts and take over its running jobs.
fn lock(directory: &Path) -> Result<File, StartError> {
    create_directory(directory)?;
    let path = directory.join("lock");
    let unusable = |source| StartError::DataDirectory { path: path.clone(), source };
    let file = File::options().create(true).write(true).truncate(false).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::InUse(directory.to_owned())),
        Err(TryLockError::Error(source)) => Err(unusable(source)),
    }
}

/// A service with its models loaded, not yet listening.
pub struct Service {
    api: Arc<Api>,
    worker: Worker,
    usage_writer: tokio::task::JoinHandle<()>,
    metadata: Arc<dyn Metadata>,
    /// Held as long as the service lives.
    lock: File,
}

impl Service {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// When the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        let lock = lock(&settings.data_directory)?;
        let metadata = open_metadata(&settings.data_directory, settings.database.as_ref()).await?;
        let artifacts = Artifacts::open_directory(&settings.data_directory.join("artifacts"))?;
        let swept = garbage::sweep(&*metadata, &artifacts).await;
        match swept {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "artifacts that nothing refers to were removed"),
            Err(error) => tracing::warn!(%error, "unused artifacts could not be removed"),
        }
        let data = Arc::new(DataSource::new(&settings.allow_data)?);
        let pool = ComputePool::new(settings.threads);
        pool.set_chat_share(settings.chat_share);
        let bases = load_base_models(settings, &pool, on_progress).await?;
        let catalog = Arc::new(Catalog::new(bases, metadata.clone(), artifacts.clone()));
        let wake = Arc::new(Notify::new());
        let metrics = Arc::new(Metrics::new(pool.threads()));
        let (usage, usage_writer) = UsageLog::start(metadata.clone(), metrics.clone());
        let worker = Worker::new(WorkerParts {
            metadata: metadata.clone(),
            artifacts: artifacts.clone(),
            catalog: catalog.clone(),
            pool,
            data: data.clone(),
            metrics: metrics.clone(),
            wake: wake.clone(),
        });
        let api = Arc::new(Api {
            metadata: metadata.clone(),
            artifacts,
            catalog,
            data,
            wake,
            usage,
            metrics,
            queue: QueueReading::default(),
        });
        Ok(Self { api, worker, usage_writer, metadata, lock })
    }

    /// Makes a key when there is none at all: the first start of a data directory.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn first_key(&self) -> Result<Option<ApiKey>, StartError> {
        if !self.metadata.list_keys(None).await?.is_empty() {
            return Ok(None);
        }
        let (key, _) = create_key(&*self.metadata, FIRST_ENTITY, "first start").await?;
        Ok(Some(key))
    }

    /// A new key for a service on a scratch directory.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn scratch_key(&self) -> Result<ApiKey, StartError> {
        Ok(create_key(&*self.metadata, FIRST_ENTITY, "quickstart").await?.0)
    }

    /// Answers requests and works on jobs until `stop` turns true. With an inference listener the model list and
    /// chat are answered there under `/v1`; without, beside the rest under `/inference/v1`.
    pub async fn run(self, listener: TcpListener, inference: Option<TcpListener>, stop: Stop) {
        let Self { api, worker, usage_writer, metadata, lock } = self;
        let worker = tokio::spawn(worker.run(stop.clone()));
        let router = crate::api::router(&api, inference.is_none());
        let main = serve(listener, router, Limits::default(), api.metrics.clone(), stop.clone());
        match inference {
            None => main.await,
            Some(listener) => {
                let router = crate::api::inference_router(&api);
                tokio::join!(main, serve(listener, router, Limits::default(), api.metrics.clone(), stop));
            }
        }
        if let Err(error) = worker.await {
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
        drop(lock);
    }
}

async fn load_base_models(
    settings: &Settings,
    pool: &Arc<ComputePool>,
    on_progress: &mut OnProgress<'_>,
) -> Result<Vec<Arc<Base>>, StartError> {
    let seedling = ModelFiles::seedling()
        .map_err(|source| StartError::ModelFiles { name: "trainyard/seedling".to_owned(), source })?;
    let mut bases: Vec<Arc<Base>> = vec![load(seedling, settings, pool, on_progress)?];
    for (name, directory) in &settings.base_models {
        if bases.iter().any(|base| base.name() == name) {
            return Err(StartError::Twice(name.clone()));
        }
        let failed = |source| StartError::ModelFiles { name: name.clone(), source };
        let files = match directory {
            Some(directory) => ModelFiles::from_directory(name, directory).map_err(failed)?,
            None => fetch(name, settings, on_progress).await?,
        };
        bases.push(load(files, settings, pool, on_progress)?);
    }
    Ok(bases)
}

/// Fetches a base model from the hub into the data directory, from which later starts read it.
async fn fetch(name: &str, settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<ModelFiles, StartError> {
    let cache = settings.data_directory.join("hub");
    let (sender, mut receiver) = tokio::sync::watch::channel((String::new(), 0, 0));
    let report = move |progress| {
        if let HubProgress::File { name, bytes, total, .. } = progress {
            sender.send_replace((name, bytes, total));
        }
    };
    let fetching = from_hub(name, &cache, None, report);
    tokio::pin!(fetching);
    loop {
        tokio::select! {
            files = &mut fetching => {
                return files.map_err(|source| StartError::Hub { name: name.to_owned(), source });
            }
            Ok(()) = receiver.changed() => {
                let (file, received, total) = receiver.borrow_and_update().clone();
                on_progress(&format!("fetching {name}: {file}"), received, total);
            }
        }
    }
}

fn load(
    files: ModelFiles,
    settings: &Settings,
    pool: &Arc<ComputePool>,
    on_progress: &mut OnProgress<'_>,
) -> Result<Arc<Base>, StartError> {
    let name = files.name.clone();
    let stage = format!("loading {name}");
    let base = Base::load(&files, pool.clone(), settings.weights, settings.cache_bytes, &mut |done, total| {
        on_progress(&stage, done, total);
    })
    .map_err(|source| StartError::Load { name: name.clone(), source })?;
    let (format, instructions) = (base.weights.format, pool.instruction_set().name());
    tracing::info!(model = name, weights = %format, bytes = base.weights.bytes(), instructions, "base model loaded");
    Ok(Arc::new(base))
}
