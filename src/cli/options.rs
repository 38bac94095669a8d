//! Settings of `serve`, in order of precedence: flags, environment, configuration file, defaults.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use url::Url;

use crate::{
    engine::{ChatShare, WeightFormat},
    learners::{Directories, LaunchOptions, LearnerDtype, LearnerServers, LearnerUrlError},
    server::Limits,
    server_address::is_server_address,
    store::{artifacts::ArtifactPlace, postgres::DatabaseAddress},
    training::{WandbKey, WandbServer},
    vllm::{EndpointError, SamplerSettings},
};

/// Location of the service's data.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Store")]
pub struct DataDirectory {
    /// Directory of the database and the artifacts [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of the one in the data directory:
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE. Without a password in the URL, PGPASSWORD and ~/.pgpass are used.
    #[arg(long, env = "TRAINYARD_DATABASE", hide_env_values = true, value_name = "URL")]
    pub database: Option<DatabaseAddress>,
}

impl DataDirectory {
    /// Returns the directory.
    ///
    /// # Errors
    /// No directory is given, and the system has no data directory for this user.
    pub fn path(&self) -> Result<PathBuf, ConfigError> {
        default_data_directory(self.data_dir.clone())
    }
}

/// Store that a command works on.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Store")]
pub struct StoreOptions {
    /// Location of the database.
    #[command(flatten)]
    pub data: DataDirectory,
    /// Location of the artifacts, if not in the data directory: another directory, or s3://BUCKET/PREFIX.
    #[arg(long, env = "TRAINYARD_ARTIFACTS", value_name = "PLACE")]
    pub artifacts: Option<ArtifactPlace>,
}

/// Options of a command that lists records.
#[derive(Args, Clone, Debug, Default)]
pub struct ListOptions {
    /// List only records of this entity.
    #[arg(long)]
    pub entity: Option<String>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Location of the records.
    #[command(flatten)]
    pub data: DataDirectory,
}

/// Options of `trainyard serve`, from the command line, the environment, or a TOML file with the same names.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServeOptions {
    /// Address of the service [default: 127.0.0.1:8000].
    #[arg(long, env = "TRAINYARD_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Separate address for the inference API (model list and chat) [default: the same listener].
    #[arg(long, env = "TRAINYARD_INFERENCE_LISTEN", value_name = "ADDR")]
    pub inference_listen: Option<SocketAddr>,
    /// Directory of the database and the artifacts [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database (14 or newer) to use instead of the one in the data directory:
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE. Without a password in the URL, PGPASSWORD and ~/.pgpass are used.
    #[arg(long, env = "TRAINYARD_DATABASE", hide_env_values = true, value_name = "URL")]
    pub database: Option<DatabaseAddress>,
    /// Location of the artifacts (uploaded data, adapters, state to resume from): a directory, or s3://BUCKET/PREFIX.
    /// Endpoint, region and credentials of a bucket come from AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY and AWS's other usual variables [default: artifacts in the data directory].
    #[arg(long, env = "TRAINYARD_ARTIFACTS", value_name = "PLACE")]
    pub artifacts: Option<ArtifactPlace>,
    /// Base model: NAME=DIR for a local directory in Hugging Face format, or NAME to fetch it from the hub. Repeatable;
    /// in the environment, one per line. trainyard/seedling is always available.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME[=DIR]", value_delimiter = '\n')]
    #[serde(default, rename = "base-model")]
    pub base_models: Vec<String>,
    /// Allow training data from URLs with this prefix: `file:///data/`, `http://10.0.0.7:9000/`. Repeatable; in the
    /// environment, one per line. Public https addresses are always allowed.
    #[arg(long = "allow-data", env = "TRAINYARD_ALLOW_DATA", value_name = "URL_PREFIX", value_delimiter = '\n')]
    #[serde(default, rename = "allow-data")]
    pub allow_data: Vec<String>,
    /// Weights & Biases server, such as https://api.wandb.ai. Its artifacts,
    /// wandb-artifact:///ENTITY/PROJECT/NAME:VERSION, can be used as training data by keys of the same entity. Data
    /// sets logged to this service need no server.
    #[arg(long, env = "TRAINYARD_WANDB_SERVER", value_name = "URL")]
    pub wandb_server: Option<String>,
    /// API key for the W&B server, with read access to the artifacts.
    #[arg(long, env = "TRAINYARD_WANDB_KEY", hide_env_values = true, value_name = "KEY")]
    pub wandb_key: Option<WandbKey>,
    /// Number of engine threads [default: one per core].
    #[arg(long, env = "TRAINYARD_THREADS", value_name = "N")]
    pub threads: Option<usize>,
    /// Maximum size of each base model's key-value cache in MiB, allocated on demand [default: 2048].
    #[arg(long, env = "TRAINYARD_CACHE_MIB", value_name = "MIB")]
    pub cache_mib: Option<usize>,
    /// Sample each token in a step of its own. Without this option, text that repeats the prompt or earlier answers is
    /// drafted and verified in one step, with the same tokens and log-probabilities to the bit.
    #[arg(long, env = "TRAINYARD_NO_SPECULATION", value_parser = clap::builder::FalseyValueParser::new())]
    #[serde(default)]
    pub no_speculation: bool,
    /// Maximum share of compute time for chat while a job trains, from 0.05 to 0.95. At 0.6, a chat token takes up to
    /// twice as long as without training, and training gets at least 0.4 of the time [default: 0.6].
    #[arg(long, env = "TRAINYARD_CHAT_SHARE", value_name = "PART")]
    pub chat_share: Option<ChatShare>,
    /// Storage format of the base models' weights: f32, bf16 (half the memory, and faster on CPUs with bf16
    /// multiplication), int8 or int4 (about 1.1 and 0.6 bytes per weight, and faster where memory is slow). Training uses
    /// the same weights, so it agrees with chat in every format [default: f32].
    #[arg(long, env = "TRAINYARD_WEIGHTS", value_name = "FORMAT")]
    pub weights: Option<WeightFormat>,
    /// Remote learner that trains adapters in place of this process: URL of one that runs, or ray=URL of the head of a Ray
    /// cluster, on which learners are started. For all base models, or with BASE= for one. Repeatable; in the environment,
    /// one per line [default: none].
    #[arg(long = "trainer", env = "TRAINYARD_TRAINER", value_name = "[BASE=][ray=]URL", value_delimiter = '\n')]
    #[serde(default, rename = "trainer")]
    pub trainers: Vec<String>,
    /// File of the key for these addresses: that of the remote learners, or the token of the Ray cluster. It is read again
    /// at the start of each job.
    #[arg(long, env = "TRAINYARD_TRAINER_KEY_FILE", value_name = "FILE")]
    pub trainer_key_file: Option<PathBuf>,
    /// Number of GPUs of a learner on Ray; 0 trains on processors [default: 1].
    #[arg(long, env = "TRAINYARD_TRAINER_GPUS", value_name = "N")]
    pub trainer_gpus: Option<u32>,
    /// Element type of the base model in a learner on Ray [default: auto, which is bfloat16 on a GPU].
    #[arg(long, env = "TRAINYARD_TRAINER_DTYPE", value_name = "DTYPE")]
    pub trainer_dtype: Option<LearnerDtype>,
    /// Python interpreter on the machines of the Ray cluster, with torch, transformers and PEFT [default: python].
    #[arg(long, env = "TRAINYARD_TRAINER_PYTHON", value_name = "PROGRAM")]
    pub trainer_python: Option<String>,
    /// Directory of a base model on those machines, if it differs from the one here: DIR, or BASE=DIR for one base model.
    /// Repeatable; in the environment, one per line.
    #[arg(long = "trainer-model", env = "TRAINYARD_TRAINER_MODEL", value_name = "[BASE=]DIR", value_delimiter = '\n')]
    #[serde(default, rename = "trainer-model")]
    pub trainer_models: Vec<String>,
    /// Minutes that a job waits for its learner before it returns to the queue [default: 30].
    #[arg(long, env = "TRAINYARD_TRAINER_START_TIMEOUT", value_name = "MINUTES")]
    pub trainer_start_timeout: Option<NonZeroU32>,
    /// Engines that sample and train: embedded in this process, or managed, which are vLLM and a learner on torch as
    /// processes of this service, on the GPUs of this machine or on its processors. `trainyard engines install` makes the
    /// environments that they need [default: embedded].
    #[arg(long, env = "TRAINYARD_ENGINE", value_name = "KIND")]
    pub engine: Option<EngineKind>,
    /// Directory of the environments of managed engines [default: engines in the data directory].
    #[arg(long, env = "TRAINYARD_ENGINES_DIR", value_name = "DIR")]
    pub engines_dir: Option<PathBuf>,
    /// Answer requests only; `trainyard worker` on the same data directory runs the jobs.
    #[arg(long, env = "TRAINYARD_NO_WORKER", value_parser = clap::builder::FalseyValueParser::new())]
    #[serde(default)]
    pub no_worker: bool,
    /// Sample a base model on vLLM servers in place of the embedded engine: [BASE=]vllm=URL,URL, where
    /// dns+http://HOST:PORT stands for every address of HOST. Without BASE, the only --base-model is meant. Repeatable; in
    /// the environment, one per line.
    #[arg(long = "sampler", env = "TRAINYARD_SAMPLER", value_name = "[BASE=]vllm=URL,…", value_delimiter = '\n')]
    #[serde(default, rename = "sampler")]
    pub samplers: Vec<String>,
    /// File with the key of the vLLM servers (their --api-key), read again when it changes.
    #[arg(long, env = "TRAINYARD_SAMPLER_KEY_FILE", value_name = "FILE")]
    pub sampler_key_file: Option<PathBuf>,
    /// Maximum number of samples at one vLLM server; the others wait here [default: 512].
    #[arg(long, env = "TRAINYARD_SAMPLER_IN_FLIGHT", value_name = "N")]
    pub sampler_in_flight: Option<NonZeroU32>,
    /// Directory of adapters for the vLLM servers, which read it under the same path [default: adapters in the data
    /// directory].
    #[arg(long, env = "TRAINYARD_ADAPTER_DIR", value_name = "DIR")]
    pub adapter_dir: Option<PathBuf>,
    /// Hours for which an adapter stays in that directory after its last use [default: 24].
    #[arg(long, env = "TRAINYARD_ADAPTER_KEEP", value_name = "HOURS")]
    pub adapter_keep: Option<NonZeroU32>,
    /// Maximum number of open connections of each listener, streams included [default: 4096].
    #[arg(long, env = "TRAINYARD_MAX_CONNECTIONS", value_name = "N")]
    pub max_connections: Option<NonZeroU32>,
    /// Time limit in seconds for running requests at shutdown (SIGTERM or Ctrl-C); requests still running are then
    /// aborted. A second signal ends the process at once [default: 30].
    #[arg(long, env = "TRAINYARD_DRAIN", value_name = "SECONDS")]
    pub drain: Option<u32>,
    /// Seconds before --drain begins in which new connections are still accepted while GET /health answers 503, so that
    /// a load balancer can notice [default: 0].
    #[arg(long, env = "TRAINYARD_DRAIN_NOTICE", value_name = "SECONDS")]
    pub drain_notice: Option<u32>,
    /// Allow an address that other machines can reach although the service has no TLS.
    #[arg(long, env = "TRAINYARD_INSECURE", value_parser = clap::builder::FalseyValueParser::new())]
    #[serde(default)]
    pub insecure: bool,
    /// Read settings from this TOML file; flags and environment take precedence.
    #[arg(long, env = "TRAINYARD_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
}

/// Engines of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// In this process.
    #[default]
    Embedded,
    /// vLLM and a learner as child processes.
    Managed,
}

/// Error in the settings.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ConfigError {
    #[error("cannot read the configuration file {path}: {source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("configuration file {path}: {source}")]
    Invalid { path: PathBuf, source: Box<toml::de::Error> },
    #[error("--base-model {given:?}: write NAME=DIR, or NAME of the form organization/model")]
    BaseModel { given: String },
    #[error(
        "{flag} {address} can be reached by other machines and there is no TLS: put a proxy with TLS before the \
         service and listen on 127.0.0.1, or accept the risk with --insecure"
    )]
    Exposed { flag: &'static str, address: SocketAddr },
    #[error(transparent)]
    Trainer(#[from] LearnerUrlError),
    #[error("--wandb-server {url}: write the address alone, as in https://api.wandb.ai")]
    WandbServer { url: String },
    #[error("--sampler {0}")]
    Sampler(#[from] EndpointError),
    #[error("--wandb-server needs --wandb-key, the API key for it")]
    NoWandbKey,
    #[error("there is no database in {directory}; name the data directory of a service with --data-dir")]
    NoDatabase { directory: PathBuf },
    #[error(
        "a PostgreSQL database is brought back with pg_restore or psql; then copy the backup's directory artifacts to where \
         the service keeps its artifacts, and check both with trainyard fsck"
    )]
    RestorePostgres,
    #[error(
        "--engine managed starts vLLM and the learner for one base model, and {0} are given; keep one, or start the servers \
         yourself and name them with --sampler and --trainer"
    )]
    ManagedBases(usize),
    #[error("--engine managed starts vLLM and the learner itself; leave {0} out, or leave --engine out")]
    ManagedBeside(&'static str),
    #[error("this user has no data directory; name one with --data-dir")]
    NoDataDirectory,
}

/// A base model to serve: its name, and its directory unless it is fetched from the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseModelOption {
    /// Name that clients use, `organization/model`.
    pub name: String,
    /// Local directory in Hugging Face format; `None` fetches `name` from the hub.
    pub directory: Option<PathBuf>,
}

impl ServeOptions {
    /// Fills options that flags and environment do not set from the configuration file, if one is given.
    ///
    /// # Errors
    /// The file cannot be read, or has an unknown key or a wrong value; the message has the line.
    pub fn with_file(mut self) -> Result<Self, ConfigError> {
        let Some(path) = self.config.clone() else { return Ok(self) };
        let text =
            fs::read_to_string(&path).map_err(|source| ConfigError::Unreadable { path: path.clone(), source })?;
        let file: Self =
            toml::from_str(&text).map_err(|source| ConfigError::Invalid { path, source: Box::new(source) })?;
        self.listen = self.listen.or(file.listen);
        self.inference_listen = self.inference_listen.or(file.inference_listen);
        self.data_dir = self.data_dir.or(file.data_dir);
        self.database = self.database.or(file.database);
        self.artifacts = self.artifacts.or(file.artifacts);
        self.wandb_server = self.wandb_server.or(file.wandb_server);
        self.wandb_key = self.wandb_key.or(file.wandb_key);
        self.threads = self.threads.or(file.threads);
        self.cache_mib = self.cache_mib.or(file.cache_mib);
        self.chat_share = self.chat_share.or(file.chat_share);
        self.weights = self.weights.or(file.weights);
        self.max_connections = self.max_connections.or(file.max_connections);
        self.drain = self.drain.or(file.drain);
        self.drain_notice = self.drain_notice.or(file.drain_notice);
        self.trainer_key_file = self.trainer_key_file.or(file.trainer_key_file);
        self.trainer_gpus = self.trainer_gpus.or(file.trainer_gpus);
        self.trainer_dtype = self.trainer_dtype.or(file.trainer_dtype);
        self.trainer_python = self.trainer_python.or(file.trainer_python);
        self.trainer_start_timeout = self.trainer_start_timeout.or(file.trainer_start_timeout);
        self.engine = self.engine.or(file.engine);
        self.engines_dir = self.engines_dir.or(file.engines_dir);
        self.sampler_key_file = self.sampler_key_file.or(file.sampler_key_file);
        self.sampler_in_flight = self.sampler_in_flight.or(file.sampler_in_flight);
        self.adapter_dir = self.adapter_dir.or(file.adapter_dir);
        self.adapter_keep = self.adapter_keep.or(file.adapter_keep);
        self.insecure |= file.insecure;
        self.no_worker |= file.no_worker;
        self.no_speculation |= file.no_speculation;
        if self.base_models.is_empty() {
            self.base_models = file.base_models;
        }
        if self.trainers.is_empty() {
            self.trainers = file.trainers;
        }
        if self.trainer_models.is_empty() {
            self.trainer_models = file.trainer_models;
        }
        if self.samplers.is_empty() {
            self.samplers = file.samplers;
        }
        if self.allow_data.is_empty() {
            self.allow_data = file.allow_data;
        }
        Ok(self)
    }

    /// Returns the address of the service; fails if it is exposed without `--insecure`.
    pub fn listen(&self) -> Result<SocketAddr, ConfigError> {
        let address = self.listen.unwrap_or(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000));
        self.guarded("--listen", address)
    }

    /// Returns the separate address of the inference API, if one is given.
    pub fn inference_listen(&self) -> Result<Option<SocketAddr>, ConfigError> {
        self.inference_listen.map(|address| self.guarded("--inference-listen", address)).transpose()
    }

    fn guarded(&self, flag: &'static str, address: SocketAddr) -> Result<SocketAddr, ConfigError> {
        if address.ip().is_loopback() || self.insecure {
            Ok(address)
        } else {
            Err(ConfigError::Exposed { flag, address })
        }
    }

    /// Returns the data directory.
    pub fn data_directory(&self) -> Result<PathBuf, ConfigError> {
        default_data_directory(self.data_dir.clone())
    }

    /// Returns the W&B server whose data sets may be trained on, if one is given.
    pub fn wandb(&self) -> Result<Option<WandbServer>, ConfigError> {
        let Some(named) = &self.wandb_server else { return Ok(None) };
        let url = Url::parse(named).ok().filter(is_server_address);
        let url = url.ok_or_else(|| ConfigError::WandbServer { url: named.clone() })?;
        let key = self.wandb_key.clone().ok_or(ConfigError::NoWandbKey)?;
        Ok(Some(WandbServer { url, key }))
    }

    /// Returns the remote learners.
    pub fn trainers(&self) -> Result<LearnerServers, ConfigError> {
        let defaults = LaunchOptions::default();
        let launch = LaunchOptions {
            gpus: self.trainer_gpus.unwrap_or(defaults.gpus),
            dtype: self.trainer_dtype.unwrap_or_default(),
            python: self.trainer_python.clone().unwrap_or(defaults.python),
            directories: Directories::parse(&self.trainer_models),
            ..defaults
        };
        let start = self.trainer_start_timeout.map(|minutes| Duration::from_secs(u64::from(minutes.get()) * 60));
        Ok(LearnerServers::parse(&self.trainers, self.trainer_key_file.as_ref(), &launch, start)?)
    }

    /// Returns the number of engine threads: as given, or one per core.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).clamp(1, 256)
    }

    /// Returns the limits of each listener, with the given number of connections and shutdown times.
    pub fn limits(&self) -> Limits {
        let seconds = |given: Option<u32>, default| given.map_or(default, |given| Duration::from_secs(given.into()));
        let limits = Limits::default();
        let connections = self.max_connections.and_then(|given| usize::try_from(given.get()).ok());
        Limits {
            connections: connections.unwrap_or(limits.connections),
            drain: seconds(self.drain, limits.drain),
            drain_notice: seconds(self.drain_notice, limits.drain_notice),
            ..limits
        }
    }

    /// Returns the replicas that sample in place of the embedded engine.
    pub fn samplers(&self) -> Result<SamplerSettings, ConfigError> {
        let defaults = SamplerSettings::default();
        let hours = |hours: NonZeroU32| Duration::from_secs(u64::from(hours.get()) * 3600);
        Ok(SamplerSettings {
            replicas: self.samplers.iter().map(|given| given.parse()).collect::<Result<_, EndpointError>>()?,
            key_file: self.sampler_key_file.clone(),
            adapter_directory: self.adapter_dir.clone(),
            adapter_keep: self.adapter_keep.map_or(defaults.adapter_keep, hours),
            in_flight: self
                .sampler_in_flight
                .and_then(|given| usize::try_from(given.get()).ok())
                .unwrap_or(defaults.in_flight),
            timing: defaults.timing,
        })
    }

    /// Returns the given base models, without the built-in one.
    pub fn base_models(&self) -> Result<Vec<BaseModelOption>, ConfigError> {
        self.base_models.iter().map(|given| base_model(given)).collect()
    }
}

/// Parses `NAME=DIR` or `NAME`.
pub(super) fn base_model(given: &str) -> Result<BaseModelOption, ConfigError> {
    let (name, directory) = match given.split_once('=') {
        Some((name, directory)) => (name, Some(directory)),
        None => (given, None),
    };
    let well_formed = name.split('/').count() == 2
        && name.split('/').all(|part| !part.is_empty())
        && !name.contains(|c: char| c == ':' || c.is_whitespace() || c.is_control());
    if !well_formed || directory == Some("") {
        return Err(ConfigError::BaseModel { given: given.to_owned() });
    }
    Ok(BaseModelOption { name: name.to_owned(), directory: directory.map(|d| Path::new(d).to_owned()) })
}

pub(super) fn default_data_directory(named: Option<PathBuf>) -> Result<PathBuf, ConfigError> {
    named.or_else(|| dirs::data_dir().map(|d| d.join("trainyard"))).ok_or(ConfigError::NoDataDirectory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::LearnerPlace;

    fn options(text: &str, flags: ServeOptions) -> Result<ServeOptions, ConfigError> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("trainyard.toml");
        fs::write(&path, text).expect("writable");
        ServeOptions { config: Some(path), ..flags }.with_file()
    }

    #[test]
    fn flags_win_over_the_file() {
        let flags = ServeOptions { listen: Some(([127, 0, 0, 1], 1).into()), ..Default::default() };
        let merged = options("listen = '127.0.0.1:2'\nthreads = 3\nallow-data = ['file:///d/']", flags).expect("valid");
        assert_eq!(merged.listen().expect("loopback").port(), 1);
        assert_eq!(merged.threads(), 3);
        assert_eq!(merged.allow_data, ["file:///d/"]);
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line() {
        let error = options("threads = 2\nlisten-adress = 'x'", ServeOptions::default()).expect_err("refused");
        let text = error.to_string();
        assert!(text.contains("line 2") && text.contains("listen-adress"), "{text}");
    }

    #[test]
    fn a_chat_share_out_of_range_is_an_error_with_its_range() {
        let merged = options("chat-share = 0.25", ServeOptions::default()).expect("valid");
        assert_eq!(merged.chat_share, ChatShare::new(0.25).ok());
        let text = options("chat-share = 1.0", ServeOptions::default()).expect_err("refused").to_string();
        assert!(text.contains("line 1") && text.contains("0.05 to 0.95"), "{text}");
    }

    #[test]
    fn artifacts_are_in_a_directory_or_a_bucket() {
        let merged = options("artifacts = 's3://yard/one'", ServeOptions::default()).expect("valid");
        assert_eq!(merged.artifacts, "s3://yard/one".parse().ok());
        let error = options("artifacts = 'gs://yard'", ServeOptions::default()).expect_err("refused").to_string();
        assert!(error.contains("line 1") && error.contains("s3://BUCKET/PREFIX"), "{error}");
    }

    #[test]
    fn the_times_for_the_end_are_in_seconds() {
        let limits = ServeOptions::default().limits();
        assert_eq!((limits.drain, limits.drain_notice), (Duration::from_secs(30), Duration::ZERO));
        let flags = ServeOptions { drain: Some(0), ..Default::default() };
        let limits = options("drain = 60\ndrain-notice = 5", flags).expect("valid").limits();
        assert_eq!((limits.drain, limits.drain_notice), (Duration::ZERO, Duration::from_secs(5)));
        assert!(options("drain = -1", ServeOptions::default()).is_err());
    }

    #[test]
    fn the_weight_format_is_one_of_three() {
        let merged = options("weights = 'bf16'", ServeOptions::default()).expect("valid");
        assert_eq!(merged.weights, Some(WeightFormat::Bf16));
        let error = options("weights = 'fp8'", ServeOptions::default()).expect_err("refused").to_string();
        assert!(error.contains("line 1") && error.contains("int8"), "{error}");
    }

    #[test]
    fn the_database_is_named_and_never_shown() {
        let file = "database = 'postgres://u:secret@db/trainyard'";
        let merged = options(file, ServeOptions::default()).expect("valid");
        assert_eq!(merged.database, "postgres://u:secret@db/trainyard".parse().ok());
        assert!(!format!("{merged:?}").contains("secret"));
        let flags = ServeOptions { database: "postgres://other".parse().ok(), ..Default::default() };
        assert_eq!(options(file, flags).expect("valid").database, "postgres://other".parse().ok());
    }

    #[test]
    fn the_trainers_of_the_flags_replace_those_of_the_file() {
        let file = "trainer = ['a/b=http://gpu:7070']\ntrainer-key-file = '/run/key'";
        let merged = options(file, ServeOptions::default()).expect("valid").trainers().expect("valid");
        assert_eq!(merged.of("a/b").and_then(|server| server.key_file.clone()), Some("/run/key".into()));
        let flags = ServeOptions { trainers: vec!["http://other".to_owned()], ..Default::default() };
        let merged = options(file, flags).expect("valid").trainers().expect("valid");
        assert_eq!(merged.of("a/b").map(|server| server.place.to_string()).as_deref(), Some("http://other"));
        let file = "trainer = ['ray=http://head:8265']\ntrainer-gpus = 4\ntrainer-dtype = 'bfloat16'\ntrainer-start-timeout = 5";
        let merged = options(file, ServeOptions::default()).expect("valid").trainers().expect("valid");
        let Some(LearnerPlace::Ray(_, launch)) = merged.of("a/b").map(|server| &server.place) else {
            panic!("{merged:?}")
        };
        assert_eq!((launch.gpus, launch.dtype), (4, LearnerDtype::BFloat16));
        let bad = ServeOptions { trainers: vec!["gpu".to_owned()], ..Default::default() };
        assert!(matches!(bad.trainers(), Err(ConfigError::Trainer(_))));
    }

    #[test]
    fn an_exposed_address_needs_insecure() {
        let open = ServeOptions { listen: Some(([0, 0, 0, 0], 1).into()), ..Default::default() };
        assert!(matches!(open.listen(), Err(ConfigError::Exposed { .. })));
        assert!(ServeOptions { insecure: true, ..open }.listen().is_ok());
    }

    #[test]
    fn a_wandb_server_has_an_address_and_a_key() {
        let file = "wandb-server = 'https://api.wandb.ai'\nwandb-key = 'secret'";
        let merged = options(file, ServeOptions::default()).expect("valid");
        assert_eq!(merged.wandb().expect("valid").expect("named").url.as_str(), "https://api.wandb.ai/");
        assert!(!format!("{merged:?}").contains("secret"));
        assert!(ServeOptions::default().wandb().expect("valid").is_none());
        for bad in [
            "api.wandb.ai",
            "ftp://api.wandb.ai",
            "https://u:p@api.wandb.ai",
            "https://api.wandb.ai/graphql",
            "https://api.wandb.ai/?a=b",
            "https://api.wandb.ai/#x",
            "",
        ] {
            let named = ServeOptions { wandb_server: Some(bad.to_owned()), ..merged.clone() };
            assert!(matches!(named.wandb(), Err(ConfigError::WandbServer { .. })), "{bad}");
        }
        let keyless = ServeOptions { wandb_key: None, ..merged };
        assert!(matches!(keyless.wandb(), Err(ConfigError::NoWandbKey)));
    }

    #[test]
    fn replicas_come_from_flags_or_the_file() {
        let file = "sampler = ['vllm=http://gpu1:8000,http://gpu2:8000']\nadapter-keep = 2\nsampler-in-flight = 9";
        let samplers = options(file, ServeOptions::default()).expect("valid").samplers().expect("valid");
        assert_eq!((samplers.replicas.len(), samplers.replicas[0].endpoints.len()), (1, 2));
        assert_eq!((samplers.adapter_keep, samplers.in_flight), (Duration::from_secs(7200), 9));
        let flags = ServeOptions { samplers: vec!["a/b=vllm=http://gpu3".to_owned()], ..Default::default() };
        let samplers = options(file, flags).expect("valid").samplers().expect("valid");
        assert_eq!(samplers.replicas[0].base.as_deref(), Some("a/b"));
        let wrong = ServeOptions { samplers: vec!["http://gpu1:8000".to_owned()], ..Default::default() };
        assert!(matches!(wrong.samplers(), Err(ConfigError::Sampler(_))));
    }

    #[test]
    fn base_models_have_a_name_and_perhaps_a_directory() {
        assert_eq!(
            base_model("a/b=/models/b").expect("valid"),
            BaseModelOption { name: "a/b".into(), directory: Some("/models/b".into()) }
        );
        assert_eq!(base_model("a/b").expect("valid").directory, None);
        for bad in ["a", "a/b=", "/b", "a/b/c", "a/b:c=/d", ""] {
            assert!(base_model(bad).is_err(), "{bad:?}");
        }
    }
}
