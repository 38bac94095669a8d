//! Assembles and runs the service: store, base models, worker and routes.

use std::{
    io,
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use tokio::net::TcpListener;

use super::{
    Limits,
    parts::Parts,
    presence::{Presence, Role},
    routes::Routes,
    serve,
};
use crate::{
    api::{Api, MissedChecks, QueueReading, RecentReads, ServerFacts},
    auth::{ApiKey, KeyError, OpenKeys, RecentKeys, SignInCodes, create_key},
    dashboard::Sessions,
    engine::{ChatShare, WeightFormat},
    jobs::Worker,
    learners::LearnerServers,
    model_files::{HubError, ModelFilesError},
    models::BaseError,
    stop::Stop,
    store::{
        artifacts::{ArtifactError, ArtifactPlace},
        garbage,
        metadata::{Metadata, StoreError},
        postgres::{DatabaseAddress, PostgresOpenError},
        sqlite::OpenError,
    },
    training::{PrefixError, WandbServer},
    usage::UsageLog,
    vllm::SamplerSettings,
};

/// Entity of the key that the first start creates.
pub const FIRST_ENTITY: &str = "default";

/// Time limit on writing the usage of the last requests at shutdown.
const USAGE_TIME: Duration = Duration::from_secs(5);
/// Time limit on closing the database at shutdown.
const CLOSE_TIME: Duration = Duration::from_secs(5);

/// Settings of a service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Directory of the artifacts and of the database, unless the settings below name others.
    pub data_directory: PathBuf,
    /// Address of a PostgreSQL database, which replaces the database in the data directory.
    pub database: Option<DatabaseAddress>,
    /// Location of the artifacts, which replaces the one in the data directory.
    pub artifacts: Option<ArtifactPlace>,
    /// Base models in addition to the built-in one: name and directory; `None` means the hub.
    pub base_models: Vec<(String, Option<PathBuf>)>,
    /// URL prefixes from which training data is read, in addition to public `https`.
    pub allow_data: Vec<String>,
    /// W&B server whose data sets can be training data.
    pub wandb: Option<WandbServer>,
    /// Number of engine threads.
    pub threads: usize,
    /// Share of the compute time that chat may use while a job trains.
    pub chat_share: ChatShare,
    /// Maximum size of each base model's key-value cache in bytes.
    pub cache_bytes: usize,
    /// Whether the embedded engine drafts the next tokens of text that repeats.
    pub speculates: bool,
    /// Storage format of the base models' weights.
    pub weights: WeightFormat,
    /// Remote learners, which train in place of the engine.
    pub trainers: LearnerServers,
    /// Whether the process that responds to requests also works on jobs.
    pub worker: bool,
    /// Replicas that sample in place of the embedded engine.
    pub samplers: SamplerSettings,
    /// Limits of each listener.
    pub limits: Limits,
}

/// Error of a service that could not start.
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
    #[error("a thread cannot be started: {0}")]
    Thread(io::Error),
    #[error("base model {0} is named twice")]
    Twice(String),
    #[error("--sampler: {0}")]
    Sampler(String),
    #[error("--adapter-dir {path}: {source}")]
    AdapterDirectory { path: PathBuf, source: io::Error },
    #[error("--allow-data: {0}")]
    AllowData(#[from] PrefixError),
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// Callback for the start-up progress: the current stage, the amount done, the total.
pub type OnProgress<'a> = dyn FnMut(&str, u64, u64) + Send + 'a;

/// A service with loaded models that does not listen yet.
pub struct Service {
    parts: Parts,
    worker: Option<Worker>,
    usage: UsageLog,
    usage_writer: tokio::task::JoinHandle<()>,
    data_directory: PathBuf,
    facts: ServerFacts,
    limits: Limits,
    sign_in_codes: Arc<SignInCodes>,
}

impl Service {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// Returns an error if the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        let role = if settings.worker { Role::Whole } else { Role::Api };
        let parts = Parts::open(settings, role, on_progress).await?;
        let worker = role.works().then(|| parts.worker(settings));
        let (usage, usage_writer) = UsageLog::start(parts.metadata.clone(), parts.metrics.clone());
        let data_directory = settings.data_directory.clone();
        let facts = ServerFacts {
            started_at: SystemTime::now(),
            is_postgres: settings.database.is_some(),
            has_bucket: !matches!(settings.artifacts, None | Some(ArtifactPlace::Directory(_))),
            trains: role.works(),
            threads: parts.pool.threads(),
            instruction_set: parts.pool.instruction_set().name(),
        };
        Ok(Self {
            parts,
            worker,
            usage,
            usage_writer,
            data_directory,
            facts,
            limits: settings.limits,
            sign_in_codes: Arc::default(),
        })
    }

    /// Creates a key if there are no keys, that is at the first start of a data directory.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn first_key(&self) -> Result<Option<ApiKey>, StartError> {
        if !self.parts.metadata.list_keys(None).await?.is_empty() {
            return Ok(None);
        }
        let (key, _) = create_key(&*self.parts.metadata, FIRST_ENTITY, "first start").await?;
        Ok(Some(key))
    }

    /// Creates a key for a service on a temporary directory.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn scratch_key(&self) -> Result<ApiKey, StartError> {
        Ok(create_key(&*self.parts.metadata, FIRST_ENTITY, "quickstart").await?.0)
    }

    /// Returns an address that signs in to the dashboard as `key`, once and within ten minutes. The code is in the
    /// fragment, which browsers do not send.
    ///
    /// # Errors
    /// Returns an error if the operating system returns no random bytes.
    pub fn sign_in_link(&self, address: SocketAddr, key: &ApiKey) -> Result<String, StartError> {
        Ok(format!("http://{address}/dashboard/#code={}", self.sign_in_codes.create(key)?))
    }

    /// Returns the one-time codes that sign in to the dashboard, also for later ones.
    pub(crate) fn sign_in_codes(&self) -> Arc<SignInCodes> {
        self.sign_in_codes.clone()
    }

    /// Responds to requests and works on jobs until `stop` turns true. With an `inference` listener, the model list and
    /// chat are available there under `/v1`; otherwise they are on the main listener under `/inference/v1`.
    pub async fn run(self, listener: TcpListener, inference: Option<TcpListener>, stop: Stop) {
        let Self { parts, worker, usage, usage_writer, data_directory, facts, limits, sign_in_codes } = self;
        let Parts { metadata, artifacts, catalog, data, metrics, presence, .. } = parts;
        // The worker stops at once and not after the last response, so that another worker can resume its job.
        let worker = worker.map(|worker| tokio::spawn(worker.run(stop.clone())));
        tokio::spawn(garbage::run_sweeper(metadata.clone(), artifacts.clone(), stop.clone()));
        let api = Arc::new(Api {
            metadata: metadata.clone(),
            artifacts,
            catalog,
            data,
            usage,
            limiter: Arc::default(),
            recent_keys: RecentKeys::default(),
            recent_reads: RecentReads::default(),
            open_keys: OpenKeys::start(metadata.clone()),
            event_tails: Arc::default(),
            job_lists: Arc::default(),
            metrics: metrics.clone(),
            queue: QueueReading::default(),
            missed_checks: MissedChecks::default(),
            facts,
            data_directory,
            stop: stop.clone(),
        });
        let is_loopback = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
        let sessions = Arc::new(Sessions { metadata: metadata.clone(), codes: sign_in_codes, is_loopback });
        let router = crate::api::router(&api, inference.is_none(), sessions.clone());
        let main = serve(listener, Routes { router, sessions: Some(sessions) }, limits, metrics.clone(), stop.clone());
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
        // The usage writer ends when the last reference to the log is dropped.
        drop(api);
        match tokio::time::timeout(USAGE_TIME, usage_writer).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the usage writer ended badly"),
            Err(_) => tracing::error!("the usage of the last requests was not written in time"),
        }
        close(&*metadata).await;
        drop(presence);
    }
}

/// Closes the database before the process gives up the data directory. Whatever uses it is cut off: everything that had to
/// be written is written.
async fn close(metadata: &dyn Metadata) {
    if tokio::time::timeout(CLOSE_TIME, metadata.close()).await.is_err() {
        tracing::warn!(
            seconds = CLOSE_TIME.as_secs(),
            "the database was not closed in time; the next start recovers it"
        );
    }
}

/// A worker process without HTTP, with loaded models.
pub struct StandaloneWorker {
    worker: Worker,
    metadata: Arc<dyn Metadata>,
    presence: Option<Presence>,
}

impl StandaloneWorker {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// Returns an error if the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        let parts = Parts::open(settings, Role::Worker, on_progress).await?;
        let worker = parts.worker(settings);
        Ok(Self { worker, metadata: parts.metadata, presence: parts.presence })
    }

    /// Works on jobs until `stop` turns true.
    pub async fn run(self, stop: Stop) {
        let Self { worker, metadata, presence } = self;
        worker.run(stop).await;
        close(&*metadata).await;
        drop(presence);
    }
}
