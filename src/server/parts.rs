//! Components of every process of the service: store, base models, compute pool.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::presence::{Presence, Role, create_directory};
use super::{BaseModelOption, OnProgress, Settings, StartError};
use crate::engine::{ComputePool, WeightFormat};
use crate::jobs::WorkerParts;
use crate::metrics::Metrics;
use crate::model_files::{HubModel, HubProgress, ModelFiles, SEEDLING, WeightOrigin, from_cache, from_hub};
use crate::models::{Base, Catalog, FileWork};
use crate::store::artifacts::{ArtifactError, ArtifactLocation, Artifacts};
use crate::store::background::LastOutcome;
use crate::store::directory_lock::DirectoryLock;
use crate::store::layout::{ARTIFACTS, DATABASE};
use crate::store::metadata::Metadata;
use crate::store::postgres::{DatabaseAddress, PostgresMetadata};
use crate::store::sqlite::SqliteMetadata;
use crate::store::{SchemaState, ownership, private};
use crate::training::DataSource;
use crate::vllm::{AdapterDirectories, Endpoint, SamplerOption, collect};

/// Directory of adapters that replicas read, in the data directory.
const ADAPTERS: &str = "adapters";
/// Directory of models from the hub, in the data directory.
const HUB: &str = "hub";
/// Longest time without a report of a download.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Locks a data directory, which is created if missing, to use what is in it.
///
/// # Errors
/// Returns an error if the directory cannot be used, or a backup is being restored there.
pub fn lock_directory(directory: &Path) -> Result<DirectoryLock, StartError> {
    create_directory(directory)?;
    Ok(DirectoryLock::share(directory)?)
}

/// Opens the metadata store: the PostgreSQL database if given, otherwise the database in the data directory, which is
/// created if missing.
///
/// # Errors
/// Returns an error if the directory or the database cannot be used.
pub async fn open_metadata(
    directory: &Path,
    database: Option<&DatabaseAddress>,
) -> Result<Arc<dyn Metadata>, StartError> {
    if let Some(address) = database {
        return Ok(Arc::new(PostgresMetadata::open(address).await?));
    }
    let lock = lock_directory(directory)?;
    Ok(Arc::new(SqliteMetadata::open(&directory.join(DATABASE)).await?.holding(lock)))
}

/// Reads the version of the metadata store's schema: of the PostgreSQL database if given, otherwise of the database in the
/// data directory. Changes nothing.
///
/// # Errors
/// Returns an error if the database cannot be read.
pub async fn read_schema(directory: &Path, database: Option<&DatabaseAddress>) -> Result<SchemaState, StartError> {
    Ok(match database {
        Some(address) => PostgresMetadata::schema(address).await?,
        None => SqliteMetadata::schema(&directory.join(DATABASE)).await?,
    })
}

/// Opens the artifact store: `elsewhere` if given, otherwise the one in the data directory.
///
/// # Errors
/// Returns an error if the location cannot be used.
pub async fn open_artifacts(directory: &Path, elsewhere: Option<&ArtifactLocation>) -> Result<Artifacts, StartError> {
    let place = elsewhere.cloned().unwrap_or_else(|| ArtifactLocation::Directory(directory.join(ARTIFACTS)));
    if let ArtifactLocation::Directory(directory) = &place
        && let Err(source) = private::make_directory(directory)
    {
        let source = ArtifactError::Directory { directory: directory.display().to_string(), source };
        return Err(StartError::Artifacts { place, source });
    }
    Artifacts::open_location(&place).await.map_err(|source| StartError::Artifacts { place, source })
}

/// Store, base models and compute pool of a process.
pub(super) struct Parts {
    /// The components that a worker needs too.
    pub(super) shared: WorkerParts,
    /// Outcome of the removal of adapters that replicas no longer use.
    pub(super) adapter_files: LastOutcome,
    /// Lock on the data directory for the life of the process: adapters and models are written there, whatever has the
    /// database.
    pub(super) lock: DirectoryLock,
    /// Locks that tell whether the process is alone on its database; `None` with PostgreSQL.
    pub(super) presence: Option<Presence>,
}

impl Parts {
    /// Opens the store and loads the base models.
    pub(super) async fn open(
        settings: &Settings,
        role: Role,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Self, StartError> {
        let (metadata, presence) = enter(settings, role).await?;
        Self::load(settings, role, metadata, presence, on_progress).await
    }

    async fn load(
        settings: &Settings,
        role: Role,
        metadata: Arc<dyn Metadata>,
        presence: Option<Presence>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Self, StartError> {
        let lock = lock_directory(&settings.data_directory)?;
        let artifacts = open_artifacts(&settings.data_directory, settings.artifacts.as_ref()).await?;
        let data = Arc::new(DataSource::new(&settings.allow_data)?.with_wandb(settings.wandb.clone()));
        let pool = ComputePool::with_instruction_set(settings.threads, settings.instruction_set);
        pool.set_chat_share(settings.chat_share);
        let bases = load_base_models(settings, role, &pool, on_progress).await?;
        let adapter_files = LastOutcome::default();
        let bases = start_samplers(settings, role, bases, &adapter_files).await?.into_iter().map(Arc::new).collect();
        let catalog = Arc::new(Catalog::new(bases, metadata.clone(), artifacts.clone()));
        let metrics = Arc::new(Metrics::new(pool.threads(), pool.instruction_set().name()));
        let shared = WorkerParts {
            metadata,
            artifacts,
            catalog,
            serves: role.serves(),
            trainers: settings.trainers.clone(),
            pool,
            data,
            metrics,
        };
        Ok(Self { shared, adapter_files, lock, presence })
    }
}

/// Loads the components to replay jobs of a store, independently of other processes that use the store.
///
/// # Errors
/// Returns an error if the artifacts, a model or a setting cannot be used.
pub async fn open_to_replay(
    settings: &Settings,
    metadata: Arc<dyn Metadata>,
    on_progress: &mut OnProgress<'_>,
) -> Result<WorkerParts, StartError> {
    Ok(Parts::load(settings, Role::Worker, metadata, None, on_progress).await?.shared)
}

/// Loads the base models to check the servers that sample and train in their place: with their weights, where these are
/// and the engine supports them. Opens no store.
///
/// # Errors
/// Returns an error if a model or a setting cannot be used.
pub(crate) async fn open_to_check(
    settings: &Settings,
    on_progress: &mut OnProgress<'_>,
) -> Result<(Vec<Base>, Arc<ComputePool>), StartError> {
    let pool = ComputePool::with_instruction_set(settings.threads, settings.instruction_set);
    let (mut bases, mut file_work) = (Vec::new(), Vec::new());
    for (name, location) in base_models(settings)? {
        let files = find_files(&name, &location, false, settings, on_progress).await?;
        let with_weights = match location {
            ModelLocation::Hub(_) => Err(None),
            location => find_files(&name, &location, true, settings, on_progress).await.map_err(Some),
        };
        let loaded = match with_weights {
            Ok(files) => load(files, settings, &pool, on_progress).map_err(Some),
            Err(error) => Err(error),
        };
        bases.push(match loaded {
            Ok((base, work)) => {
                file_work.push(work);
                base
            }
            Err(reason) => {
                if let Some(reason) = reason {
                    tracing::info!(model = name, %reason, "base model checked without its weights");
                }
                load_small(files, &pool)?
            }
        });
    }
    FileWork::start(file_work).map_err(StartError::Thread)?;
    Ok((bases, pool))
}

/// Opens the metadata store. If the database is in the data directory, first registers the process there.
async fn enter(settings: &Settings, role: Role) -> Result<(Arc<dyn Metadata>, Option<Presence>), StartError> {
    let (directory, database) = (&settings.data_directory, settings.database.as_ref());
    if database.is_some() {
        // Processes on other machines may share the database, so this process cannot know whether it is alone. Jobs of
        // a dead process become available at lease expiry.
        return Ok((open_metadata(directory, database).await?, None));
    }
    let presence = Presence::enter(directory, role).await?;
    let metadata = open_metadata(directory, None).await?;
    if presence.is_alone() {
        free_jobs(&*metadata).await;
    }
    Ok((metadata, Some(presence.share().await?)))
}

/// Releases the jobs of earlier processes, all of which have exited.
async fn free_jobs(metadata: &dyn Metadata) {
    // No owner has an empty name, so this expires every lease.
    match metadata.expire_leases_of_other_owners("").await {
        Ok(0) => {}
        Ok(jobs) => tracing::info!(jobs, "taking up jobs that an earlier process left"),
        Err(error) => tracing::error!(%error, "cannot look for jobs that an earlier process left"),
    }
}

/// Location of a base model's files.
enum ModelLocation {
    BuiltIn,
    Path(PathBuf),
    /// A repository of the hub, or the GGUF file that is chosen of it.
    Hub(Option<String>),
}

/// Returns the base models by name, the built-in one first.
fn base_models(settings: &Settings) -> Result<Vec<(String, ModelLocation)>, StartError> {
    let mut models = vec![(SEEDLING.to_owned(), ModelLocation::BuiltIn)];
    for BaseModelOption { name, path, choice } in &settings.base_models {
        if models.iter().any(|(other, _)| other == name) {
            return Err(StartError::Twice(name.clone()));
        }
        models
            .push((name.clone(), path.clone().map_or_else(|| ModelLocation::Hub(choice.clone()), ModelLocation::Path)));
    }
    Ok(models)
}

async fn find_files(
    name: &str,
    location: &ModelLocation,
    with_weights: bool,
    settings: &Settings,
    on_progress: &mut OnProgress<'_>,
) -> Result<ModelFiles, StartError> {
    let files = match location {
        ModelLocation::BuiltIn => ModelFiles::seedling(),
        ModelLocation::Path(path) if with_weights => ModelFiles::from_path(name, path),
        ModelLocation::Path(path) => ModelFiles::without_weights(name, path),
        ModelLocation::Hub(choice) => {
            let choice = choice.as_deref();
            let model = Download { name, choice, with_weights, directory: &settings.data_directory, endpoint: None };
            return model.fetch(on_progress).await;
        }
    };
    files.map_err(|source| StartError::ModelFiles { name: name.to_owned(), source })
}

/// Loads the base models: with their weights, if this process samples or trains them.
async fn load_base_models(
    settings: &Settings,
    role: Role,
    pool: &Arc<ComputePool>,
    on_progress: &mut OnProgress<'_>,
) -> Result<Vec<Base>, StartError> {
    let replicas = replicas_by_base(settings)?;
    let (mut bases, mut file_work) = (Vec::new(), Vec::new());
    for (name, location) in base_models(settings)? {
        let samples = role.serves() && !replicas.contains_key(name.as_str());
        let trains = role.works() && settings.trainers.of(&name).is_none();
        let needs_weights = samples || trains;
        // Of a model from the hub, a learner on Ray has no other files than these.
        let is_fetched =
            matches!(location, ModelLocation::Hub(_)) && role.works() && settings.trainers.read_directory_of(&name);
        let files = find_files(&name, &location, needs_weights || is_fetched, settings, on_progress).await?;
        if needs_weights {
            let (base, work) = load(files, settings, pool, on_progress)?;
            bases.push(base);
            file_work.push(work);
        } else {
            bases.push(load_small(files, pool)?);
        }
    }
    FileWork::start(file_work).map_err(StartError::Thread)?;
    Ok(bases)
}

/// Starts the samplers of the base models: vLLM replicas, or the engine where the weights are here.
async fn start_samplers(
    settings: &Settings,
    role: Role,
    bases: Vec<Base>,
    adapter_files: &LastOutcome,
) -> Result<Vec<Base>, StartError> {
    let mut replicas = if role.serves() { replicas_by_base(settings)? } else { BTreeMap::new() };
    let mut directories = None;
    if !replicas.is_empty() {
        let path = adapter_directory(settings);
        let opened = AdapterDirectories::open(&path, settings.samplers.adapter_keep);
        directories = Some(Arc::new(opened.map_err(|source| StartError::AdapterDirectory { path, source })?));
    }
    let (mut started, mut samplers) = (Vec::new(), Vec::new());
    for base in bases {
        let name = base.name().to_owned();
        let failed = |source| StartError::Load { name: name.clone(), source };
        started.push(match (replicas.remove(name.as_str()), &directories) {
            (Some(endpoints), Some(directories)) => {
                let on_vllm = base.on_vllm(endpoints, &settings.samplers, directories.clone()).await;
                let (base, sampler) = on_vllm.map_err(failed)?;
                samplers.push(Arc::downgrade(&sampler));
                base
            }
            _ if base.weights().is_ok() => base.embedded().map_err(failed)?,
            _ => base,
        });
    }
    if let Some(name) = replicas.into_keys().next() {
        return Err(StartError::Sampler(format!("there is no base model {name}; add it with --base-model")));
    }
    if let Some(directories) = directories {
        adapter_files.spawn(collect(directories, samplers, adapter_files.clone()));
    }
    Ok(started)
}

/// Returns the directory of adapters that replicas read.
pub(crate) fn adapter_directory(settings: &Settings) -> PathBuf {
    settings.samplers.adapter_directory.clone().unwrap_or_else(|| settings.data_directory.join(ADAPTERS))
}

/// Returns the replicas of each base model that has some.
///
/// # Errors
/// The base model of some replicas is not clear, or named twice.
pub(crate) fn replicas_by_base(settings: &Settings) -> Result<BTreeMap<&str, &[Endpoint]>, StartError> {
    let mut by_base = BTreeMap::new();
    for SamplerOption { base, endpoints } in &settings.samplers.replicas {
        let name = match (base, &settings.base_models[..]) {
            (Some(name), _) => name,
            (None, []) => SEEDLING,
            (None, [base]) => &base.name,
            (None, _) => {
                let names: Vec<&str> = settings.base_models.iter().map(|base| base.name.as_str()).collect();
                let names = names.join(", ");
                return Err(StartError::Sampler(format!(
                    "say of which base model: BASE=vllm=URL, with one of {names}"
                )));
            }
        };
        if by_base.insert(name, endpoints.as_slice()).is_some() {
            return Err(StartError::Sampler(format!(
                "base model {name} is named twice; list its replicas with commas"
            )));
        }
    }
    Ok(by_base)
}

/// Returns the directory of a base model, after its download from the hub if it has none.
///
/// # Errors
/// The download fails.
pub(crate) async fn model_directory(
    base: &BaseModelOption,
    settings: &Settings,
    on_progress: &mut OnProgress<'_>,
) -> Result<PathBuf, StartError> {
    if let Some(path) = &base.path {
        if path.is_file() {
            return Err(StartError::NotDirectory { name: base.name.clone(), path: path.clone() });
        }
        return Ok(path.clone());
    }
    let (name, choice) = (base.name.as_str(), base.choice.as_deref());
    let model = Download { name, choice, with_weights: true, directory: &settings.data_directory, endpoint: None };
    match model.fetch(on_progress).await?.origin {
        WeightOrigin::Directory(directory) => Ok(directory),
        WeightOrigin::Gguf(path) => Err(StartError::NotDirectory { name: name.to_owned(), path }),
        WeightOrigin::BuiltIn => unreachable!("it was downloaded"),
    }
}

/// A base model of the hub.
pub(crate) struct Download<'a> {
    /// Name of the repository.
    pub(crate) name: &'a str,
    /// GGUF file of the repository, or its quantisation.
    pub(crate) choice: Option<&'a str>,
    /// Whether the weights are needed.
    pub(crate) with_weights: bool,
    /// Data directory, which keeps the files, so that later starts read them there.
    pub(crate) directory: &'a Path,
    /// Address of the hub, if it is not the usual one.
    pub(crate) endpoint: Option<&'a str>,
}

impl Download<'_> {
    /// Returns the files if they are all there.
    pub(crate) async fn cached(&self) -> Option<ModelFiles> {
        let Self { name, choice, with_weights, directory, endpoint } = *self;
        from_cache(&HubModel { name, choice, with_weights, cache: &directory.join(HUB), endpoint }).await
    }

    /// Downloads the files that are not there. `on_progress` is called at least every [`REPORT_INTERVAL`].
    pub(crate) async fn fetch(&self, on_progress: &mut OnProgress<'_>) -> Result<ModelFiles, StartError> {
        let Self { name, choice, with_weights, directory, endpoint } = *self;
        let cache = directory.join(HUB);
        let (sender, mut receiver) = tokio::sync::watch::channel(HubProgress::default());
        let model = HubModel { name, choice, with_weights, cache: &cache, endpoint };
        let fetching = from_hub(model, |progress| drop(sender.send_replace(progress)));
        tokio::pin!(fetching);
        loop {
            let changed = tokio::time::timeout(REPORT_INTERVAL, receiver.changed());
            tokio::select! {
                files = &mut fetching => {
                    // Before the error: a later download goes on with the files of a failed one.
                    let adopted = if cache.exists() { ownership::adopt_all(&cache) } else { Ok(()) };
                    let files = files.map_err(|source| StartError::Hub { name: name.to_owned(), source })?;
                    adopted.map_err(|source| StartError::DataDirectory { path: cache.clone(), source })?;
                    return Ok(files);
                }
                _ = changed => {
                    let HubProgress { stage, done, total } = receiver.borrow_and_update().clone();
                    if !stage.is_empty() {
                        on_progress(&stage, done, total);
                    }
                }
            }
        }
    }
}

fn load(
    files: ModelFiles,
    settings: &Settings,
    pool: &Arc<ComputePool>,
    on_progress: &mut OnProgress<'_>,
) -> Result<(Base, FileWork), StartError> {
    let name = files.name.clone();
    let stage = format!("loading {name}");
    let Settings { weights, cache_bytes, speculates, .. } = *settings;
    let mut loaded = |done, total| on_progress(&stage, done, total);
    let failed = |source| StartError::Load { name: name.clone(), source };
    let is_gguf = files.weights.first().is_some_and(|(_, bytes)| trainyard_gguf::is_gguf(bytes));
    let default = if is_gguf { WeightFormat::File } else { WeightFormat::F32 };
    let (base, work) = Base::load(files, pool.clone(), weights.unwrap_or(default), &mut loaded).map_err(failed)?;
    if let Ok(weights) = base.weights() {
        let (format, instructions) = (weights.format, pool.instruction_set().name());
        tracing::info!(model = name, weights = %format, bytes = weights.bytes(), instructions, "base model loaded");
        if !weights.held().is_empty() {
            tracing::info!(model = name, matrices = %weights.held(), "matrices of the GGUF file that are quantised or rounded");
        }
    }
    Ok((base.with_limits(cache_bytes, speculates), work))
}

/// Loads a base model without its weights.
fn load_small(files: ModelFiles, pool: &Arc<ComputePool>) -> Result<Base, StartError> {
    let name = files.name.clone();
    let base = Base::without_weights(&files, pool.clone());
    let base = base.map_err(|source| StartError::Load { name: name.clone(), source })?;
    tracing::info!(model = name, "base model loaded without its weights: other processes sample and train it");
    Ok(base)
}
