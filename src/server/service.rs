//! Assembles and runs the service: store, base models, worker and routes.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::net::TcpListener;

use super::parts::Parts;
use super::presence::Role;
use super::routes::Routes;
use super::{Limits, Settings, serve};
use crate::api::{Api, BackgroundTasks, Exports, LineHandler, MissedChecks, QueueReading, RecentReads, ServerFacts};
use crate::auth::{ApiKey, KeyError, OpenKeys, RecentKeys, SignInCodes, create_key};
use crate::batches::BatchRunner;
use crate::dashboard::Sessions;
use crate::jobs::{Worker, WorkerParts};
use crate::model_files::{HubError, ModelFilesError};
use crate::models::BaseError;
use crate::sessions::SessionRoom;
use crate::stop::{self, Stop};
use crate::store::artifacts::{ArtifactError, ArtifactLocation};
use crate::store::background::LastOutcome;
use crate::store::directory_lock::DirectoryLockError;
use crate::store::garbage;
use crate::store::metadata::{Metadata, StoreError};
use crate::store::postgres::PostgresOpenError;
use crate::store::sqlite::OpenError;
use crate::training::PrefixError;
use crate::usage::UsageLog;

/// Entity of the key that the first start creates.
pub const FIRST_ENTITY: &str = "default";

/// Time limit on storing the end of responses in the background at shutdown.
const BACKGROUND_TIME: Duration = Duration::from_secs(5);
/// Time limit on writing the usage of the last requests at shutdown.
const USAGE_TIME: Duration = Duration::from_secs(5);
/// Time limit on closing the database at shutdown.
const CLOSE_TIME: Duration = Duration::from_secs(5);

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
    Lock(#[from] DirectoryLockError),
    #[error(transparent)]
    Database(#[from] OpenError),
    #[error(transparent)]
    Postgres(#[from] PostgresOpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot use the artifacts in {place}")]
    Artifacts { place: ArtifactLocation, source: ArtifactError },
    #[error("base model {name}: {source}")]
    ModelFiles { name: String, source: ModelFilesError },
    #[error(
        "base model {name}: {} is a file; vLLM and the learner read a directory with config.json and safetensors",
        path.display()
    )]
    NotDirectory { name: String, path: PathBuf },
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
        let worker = role.works().then(|| Worker::new(parts.shared.clone()));
        let (usage, usage_writer) = UsageLog::start(parts.shared.metadata.clone(), parts.shared.metrics.clone());
        let data_directory = settings.data_directory.clone();
        let facts = ServerFacts {
            started_at: SystemTime::now(),
            is_postgres: settings.database.is_some(),
            has_bucket: !matches!(settings.artifacts, None | Some(ArtifactLocation::Directory(_))),
            trains: role.works(),
            threads: parts.shared.pool.threads(),
            instruction_set: parts.shared.pool.instruction_set().name(),
            response_life: settings.response_life,
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
        if !self.parts.shared.metadata.list_keys(None).await?.is_empty() {
            return Ok(None);
        }
        let (key, _) = create_key(&*self.parts.shared.metadata, FIRST_ENTITY, "first start").await?;
        Ok(Some(key))
    }

    /// Creates a key for a service on a temporary directory.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn scratch_key(&self) -> Result<ApiKey, StartError> {
        Ok(create_key(&*self.parts.shared.metadata, FIRST_ENTITY, "quickstart").await?.0)
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
        let Parts { shared, adapter_files, lock, presence } = parts;
        let WorkerParts { metadata, artifacts, catalog, data, metrics, .. } = shared;
        // The worker stops at once and not after the last response, so that another worker can resume its job.
        let tasks = BackgroundTasks {
            worker: worker.as_ref().map(Worker::outcome).unwrap_or_default(),
            sweeper: LastOutcome::default(),
            adapter_files,
        };
        let worker = worker.map(|worker| tasks.worker.spawn(worker.run(stop.clone())));
        let mut stop_sweeps = stop.clone();
        let stop_sweeps = async move { stop::requested(&mut stop_sweeps).await };
        tasks.sweeper.spawn(garbage::run_sweeper(metadata.clone(), artifacts.clone(), stop_sweeps));
        let recent_keys = RecentKeys::default();
        let uses = recent_keys.uses.clone();
        let api = Arc::new(Api {
            metadata: metadata.clone(),
            artifacts,
            catalog,
            data,
            usage,
            limiter: Arc::default(),
            recent_keys,
            recent_reads: RecentReads::default(),
            session_room: SessionRoom::default(),
            open_keys: OpenKeys::start(metadata.clone()),
            background: Arc::default(),
            event_tails: Arc::default(),
            job_lists: Arc::default(),
            metrics: metrics.clone(),
            queue: QueueReading::default(),
            missed_checks: MissedChecks::default(),
            tasks,
            exports: Arc::new(Exports::open(&data_directory)),
            facts,
            created_batch: Arc::default(),
            data_directory,
            stop: stop.clone(),
        });
        let lines = Arc::new(LineHandler::new(&api));
        let batches = BatchRunner::new(metadata.clone(), api.artifacts.clone(), lines, api.created_batch.clone());
        let batches = tokio::spawn(batches.run(stop.clone()));
        let is_loopback = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
        let sessions = Arc::new(Sessions { metadata: metadata.clone(), codes: sign_in_codes, uses, is_loopback });
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
        if let Err(error) = batches.await {
            tracing::error!(%error, "the runner of batches ended badly");
        }
        api.background.end(BACKGROUND_TIME).await;
        // The usage writer ends when the last reference to the log is dropped.
        drop(api);
        match tokio::time::timeout(USAGE_TIME, usage_writer).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the usage writer ended badly"),
            Err(_) => tracing::error!("the usage of the last requests was not written in time"),
        }
        close(&*metadata).await;
        drop((presence, lock));
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
    parts: Parts,
}

impl StandaloneWorker {
    /// Opens the store and loads the base models.
    ///
    /// # Errors
    /// Returns an error if the data directory, a model or a setting cannot be used.
    pub async fn open(settings: &Settings, on_progress: &mut OnProgress<'_>) -> Result<Self, StartError> {
        Ok(Self { parts: Parts::open(settings, Role::Worker, on_progress).await? })
    }

    /// Works on jobs until `stop` turns true.
    pub async fn run(self, stop: Stop) {
        let Parts { shared, lock, presence, .. } = self.parts;
        let metadata = shared.metadata.clone();
        Worker::new(shared).run(stop).await;
        close(&*metadata).await;
        drop((presence, lock));
    }
}
