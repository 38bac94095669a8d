//! Options of the commands that run a service or use its store. Each option is declared once, in a group that its commands
//! share, and fills a setting here.

mod config_file;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use url::Url;

pub(super) use self::config_file::parse;
use crate::engine::{ChatShare, InstructionSet, WeightFormat};
use crate::learners::{Directories, LaunchOptions, LearnerDtype, LearnerServers, LearnerUrlError};
use crate::server::{BaseModelOption, Limits, MAX_THREADS, Settings};
use crate::server_address::is_server_address;
use crate::store::artifacts::ArtifactLocation;
use crate::store::postgres::DatabaseAddress;
use crate::training::{WandbKey, WandbServer};
use crate::vllm::{SamplerOption, SamplerSettings};

/// Heading of these options in the help of a command.
const STORE: &str = "Store";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Location of the service's data.
#[derive(Args, Debug)]
pub(super) struct DataDirectory {
    /// Directory of the database and the artifacts [default: trainyard in the user's data directory].
    #[arg(long, help_heading = STORE, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// PostgreSQL database (14 or newer) to use instead of the one in the data directory:
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE. Without a password in the URL, PGPASSWORD and ~/.pgpass are used.
    #[arg(long, help_heading = STORE, env = "TRAINYARD_DATABASE", hide_env_values = true, value_name = "URL")]
    pub(super) database: Option<DatabaseAddress>,
}

impl DataDirectory {
    /// Returns the directory.
    ///
    /// # Errors
    /// No directory is given, and the system has no data directory for this user.
    pub(super) fn path(&self) -> Result<PathBuf, ConfigError> {
        default_data_directory(self.data_dir.clone())
    }
}

/// Store that a command works on.
#[derive(Args, Debug)]
pub(super) struct StoreOptions {
    /// Location of the database.
    #[command(flatten)]
    pub(super) data: DataDirectory,
    /// Location of the artifacts (uploaded data, adapters, state to resume from): a directory, or s3://BUCKET/PREFIX.
    /// Endpoint, region and credentials of a bucket come from AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY and AWS's other usual variables [default: artifacts in the data directory].
    #[arg(long, help_heading = STORE, env = "TRAINYARD_ARTIFACTS", value_name = "PLACE")]
    pub(super) artifacts: Option<ArtifactLocation>,
}

/// Options of a command that lists records.
#[derive(Args, Debug)]
pub(super) struct ListOptions {
    /// List only records of this entity.
    #[arg(long)]
    pub(super) entity: Option<String>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
    /// Location of the records.
    #[command(flatten)]
    pub(super) data: DataDirectory,
}

/// Options of each process with base models.
#[derive(Args, Debug)]
#[command(mut_args(|option| option.help_heading(None)))]
pub(super) struct ProcessOptions {
    #[command(flatten)]
    store: StoreOptions,
    /// Base model: NAME=DIR for a local directory in Hugging Face format, NAME=FILE.gguf, or NAME to fetch it from the
    /// hub, as NAME:Q4_K_M one of its GGUF files. Repeatable; in the environment, one per line. trainyard/seedling is
    /// always available.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME[=PATH]", value_delimiter = '\n')]
    base_models: Vec<BaseModelOption>,
    /// Allow training data from URLs with this prefix: `file:///data/`, `http://10.0.0.7:9000/`. Repeatable; in the
    /// environment, one per line. Public https addresses are always allowed.
    #[arg(long = "allow-data", env = "TRAINYARD_ALLOW_DATA", value_name = "URL_PREFIX", value_delimiter = '\n')]
    allow_data: Vec<String>,
    /// Weights & Biases server, such as https://api.wandb.ai. Its artifacts,
    /// wandb-artifact:///ENTITY/PROJECT/NAME:VERSION, can be used as training data by keys of the same entity. Data
    /// sets logged to this service need no server.
    #[arg(long, env = "TRAINYARD_WANDB_SERVER", value_name = "URL", value_parser = server_address)]
    pub(super) wandb_server: Option<Url>,
    /// API key for the W&B server, with read access to the artifacts.
    #[arg(long, env = "TRAINYARD_WANDB_KEY", hide_env_values = true, value_name = "KEY")]
    wandb_key: Option<WandbKey>,
    /// Number of engine threads [default: one per core].
    #[arg(long, env = "TRAINYARD_THREADS", value_name = "N")]
    threads: Option<usize>,
    /// Instruction set of the engine, to measure a slower one: amx, avx512-bf16, avx512, avx2, neon-bf16, neon or portable,
    /// as far as this processor has it. Results have the same bits on each [default: the fastest].
    #[arg(long, alias = "unit", env = "TRAINYARD_INSTRUCTION_SET", value_name = "NAME")]
    instruction_set: Option<InstructionSet>,
}

/// Options of training.
#[derive(Args, Debug)]
pub(super) struct TrainerOptions {
    /// Storage format of the base models' weights: f32, bf16 (half the memory, and faster on CPUs with bf16
    /// multiplication), int8 or int4 (about 1.1 and 0.6 bytes per weight, and faster where memory is slow), or file: each
    /// matrix as the GGUF file has it. Training uses the same weights, so it agrees with chat in every format [default: file
    /// for GGUF, f32 for others].
    #[arg(long, env = "TRAINYARD_WEIGHTS", value_name = "FORMAT")]
    pub(super) weights: Option<WeightFormat>,
    /// Remote learner that trains adapters in place of this process: URL of one that runs, or ray=URL of the head of a Ray
    /// cluster, on which learners are started. For all base models, or with BASE= for one. Repeatable; in the environment,
    /// one per line [default: none].
    #[arg(long = "trainer", env = "TRAINYARD_TRAINER", value_name = "[BASE=][ray=]URL", value_delimiter = '\n')]
    trainers: Vec<String>,
    /// File of the key for these addresses: that of the remote learners, or the token of the Ray cluster. It is read again
    /// at the start of each job.
    #[arg(long, env = "TRAINYARD_TRAINER_KEY_FILE", value_name = "FILE")]
    trainer_key_file: Option<PathBuf>,
    /// Number of GPUs of a learner on Ray; 0 trains on processors [default: 1].
    #[arg(long, env = "TRAINYARD_TRAINER_GPUS", value_name = "N")]
    trainer_gpus: Option<u32>,
    /// Element type of the base model in a learner on Ray [default: auto, which is bfloat16 on a GPU].
    #[arg(long, env = "TRAINYARD_TRAINER_DTYPE", value_name = "DTYPE")]
    trainer_dtype: Option<LearnerDtype>,
    /// Python interpreter on the machines of the Ray cluster, with torch, transformers and PEFT [default: python].
    #[arg(long, env = "TRAINYARD_TRAINER_PYTHON", value_name = "PROGRAM")]
    trainer_python: Option<String>,
    /// Directory of a base model on those machines, if it differs from the one here: DIR, or BASE=DIR for one base model.
    /// Repeatable; in the environment, one per line.
    #[arg(long = "trainer-model", env = "TRAINYARD_TRAINER_MODEL", value_name = "[BASE=]DIR", value_delimiter = '\n')]
    trainer_models: Vec<String>,
    /// Minutes that a job waits for its learner before it returns to the queue [default: 30].
    #[arg(long, env = "TRAINYARD_TRAINER_START_TIMEOUT", value_name = "MINUTES")]
    trainer_start_timeout: Option<NonZeroU32>,
}

/// Options of sampling on vLLM.
#[derive(Args, Debug)]
pub(super) struct SamplerOptions {
    /// Sample a base model on vLLM servers in place of the embedded engine: [BASE=]vllm=URL,URL, where
    /// dns+http://HOST:PORT stands for every address of HOST. Without BASE, the only --base-model is meant. Repeatable; in
    /// the environment, one per line.
    #[arg(long = "sampler", env = "TRAINYARD_SAMPLER", value_name = "[BASE=]vllm=URL,…", value_delimiter = '\n')]
    samplers: Vec<SamplerOption>,
    /// File with the key of the vLLM servers (their --api-key), read again when it changes.
    #[arg(long, env = "TRAINYARD_SAMPLER_KEY_FILE", value_name = "FILE")]
    sampler_key_file: Option<PathBuf>,
    /// Maximum number of samples at one vLLM server; the others wait here [default: 512].
    #[arg(long, env = "TRAINYARD_SAMPLER_IN_FLIGHT", value_name = "N")]
    sampler_in_flight: Option<NonZeroU32>,
    /// Directory of adapters for the vLLM servers, which read it under the same path [default: adapters in the data
    /// directory].
    #[arg(long, env = "TRAINYARD_ADAPTER_DIR", value_name = "DIR")]
    adapter_dir: Option<PathBuf>,
    /// Hours for which an adapter stays in that directory after its last use [default: 24].
    #[arg(long, env = "TRAINYARD_ADAPTER_KEEP", value_name = "HOURS")]
    adapter_keep: Option<NonZeroU32>,
}

/// Options of `trainyard serve`.
#[derive(Args, Debug)]
#[command(arg(config_file::option()))]
pub(super) struct ServeOptions {
    /// Address of the service [default: 127.0.0.1:8000].
    #[arg(long, env = "TRAINYARD_LISTEN", value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Separate address for the inference API (model list and chat) [default: the same listener].
    #[arg(long, env = "TRAINYARD_INFERENCE_LISTEN", value_name = "ADDR")]
    inference_listen: Option<SocketAddr>,
    #[command(flatten)]
    process: ProcessOptions,
    /// Maximum size of each base model's key-value cache in MiB, allocated on demand [default: 2048].
    #[arg(long, env = "TRAINYARD_CACHE_MIB", value_name = "MIB")]
    cache_mib: Option<usize>,
    /// Sample each token in a step of its own. Without this option, text that repeats the prompt or earlier answers is
    /// drafted and verified in one step, with the same tokens and log-probabilities to the bit.
    #[arg(long, env = "TRAINYARD_NO_SPECULATION", value_parser = clap::builder::FalseyValueParser::new())]
    no_speculation: bool,
    /// Maximum share of compute time for chat while a job trains, from 0.05 to 0.95. At 0.6, a chat token takes up to
    /// twice as long as without training, and training gets at least 0.4 of the time [default: 0.6].
    #[arg(long, env = "TRAINYARD_CHAT_SHARE", value_name = "PART")]
    chat_share: Option<ChatShare>,
    /// Days for which responses and chat completions are stored; 0 stores none [default: 30].
    #[arg(long, env = "TRAINYARD_RESPONSE_STORE", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(..=3650))]
    response_store: Option<u32>,
    #[command(flatten)]
    trainers: TrainerOptions,
    /// Engines that sample and train: embedded in this process, or managed, which are vLLM and a learner on torch as
    /// processes of this service, on the GPUs of this machine or on its processors. `trainyard engines install` makes the
    /// environments that they need [default: embedded].
    #[arg(long, env = "TRAINYARD_ENGINE", value_name = "KIND")]
    pub(super) engine: Option<EngineKind>,
    /// Directory of the environments of managed engines [default: engines in the data directory].
    #[arg(long, env = "TRAINYARD_ENGINES_DIR", value_name = "DIR")]
    pub(super) engines_dir: Option<PathBuf>,
    /// Answer requests only; `trainyard worker` on the same data directory runs the jobs.
    #[arg(long, env = "TRAINYARD_NO_WORKER", value_parser = clap::builder::FalseyValueParser::new())]
    no_worker: bool,
    #[command(flatten)]
    samplers: SamplerOptions,
    /// Maximum number of open connections of each listener, streams included [default: 4096].
    #[arg(long, env = "TRAINYARD_MAX_CONNECTIONS", value_name = "N")]
    max_connections: Option<NonZeroU32>,
    /// Time limit in seconds for running requests at shutdown (SIGTERM or Ctrl-C); requests still running are then
    /// aborted. A second signal ends the process at once [default: 30].
    #[arg(long, env = "TRAINYARD_DRAIN", value_name = "SECONDS")]
    drain: Option<u32>,
    /// Seconds before --drain begins in which new connections are still accepted while GET /health answers 503, so that
    /// a load balancer can notice [default: 0].
    #[arg(long, env = "TRAINYARD_DRAIN_NOTICE", value_name = "SECONDS")]
    drain_notice: Option<u32>,
    /// Allow an address that other machines can reach although the service has no TLS.
    #[arg(long, env = "TRAINYARD_INSECURE", value_parser = clap::builder::FalseyValueParser::new())]
    insecure: bool,
}

/// Options of `trainyard worker`, and of the commands that work like one.
#[derive(Args, Debug)]
#[command(arg(config_file::option()))]
pub(super) struct WorkerOptions {
    #[command(flatten)]
    pub(super) process: ProcessOptions,
    #[command(flatten)]
    pub(super) trainers: TrainerOptions,
}

/// Engines of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineKind {
    /// In this process.
    Embedded,
    /// vLLM and a learner as child processes.
    Managed,
}

/// Error in the settings.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfigError {
    #[error(
        "{flag} {address} can be reached by other machines and there is no TLS: put a proxy with TLS before the \
         service and listen on 127.0.0.1, or accept the risk with --insecure"
    )]
    Exposed { flag: &'static str, address: SocketAddr },
    #[error(transparent)]
    Trainer(#[from] LearnerUrlError),
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

impl ServeOptions {
    /// Returns the address of the service; fails if it is exposed without `--insecure`.
    pub(super) fn listen(&self) -> Result<SocketAddr, ConfigError> {
        let address = self.listen.unwrap_or(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000));
        self.guarded("--listen", address)
    }

    /// Returns the separate address of the inference API, if one is given.
    pub(super) fn inference_listen(&self) -> Result<Option<SocketAddr>, ConfigError> {
        self.inference_listen.map(|address| self.guarded("--inference-listen", address)).transpose()
    }

    fn guarded(&self, flag: &'static str, address: SocketAddr) -> Result<SocketAddr, ConfigError> {
        if address.ip().is_loopback() || self.insecure {
            Ok(address)
        } else {
            Err(ConfigError::Exposed { flag, address })
        }
    }

    /// Returns the settings of the service.
    pub(super) fn settings(&self) -> Result<Settings, ConfigError> {
        let defaults = self.process.settings(&self.trainers)?;
        Ok(Settings {
            chat_share: self.chat_share.unwrap_or(defaults.chat_share),
            cache_bytes: self.cache_mib.map_or(defaults.cache_bytes, |mib| mib.saturating_mul(1 << 20)),
            speculates: !self.no_speculation,
            response_life: self.response_store.map_or(defaults.response_life, |days| DAY.saturating_mul(days)),
            worker: !self.no_worker,
            samplers: self.samplers.settings(),
            limits: self.limits(defaults.limits),
            ..defaults
        })
    }

    /// Returns the limits of each listener, with the given number of connections and shutdown times.
    fn limits(&self, defaults: Limits) -> Limits {
        let seconds = |given: Option<u32>, default| given.map_or(default, |given| Duration::from_secs(given.into()));
        Limits {
            connections: limit(self.max_connections, defaults.connections),
            drain: seconds(self.drain, defaults.drain),
            drain_notice: seconds(self.drain_notice, defaults.drain_notice),
            ..defaults
        }
    }
}

impl WorkerOptions {
    /// Returns the settings of the process.
    pub(super) fn settings(&self) -> Result<Settings, ConfigError> {
        self.process.settings(&self.trainers)
    }
}

impl ProcessOptions {
    fn settings(&self, trainers: &TrainerOptions) -> Result<Settings, ConfigError> {
        let defaults = Settings::new(self.store.data.path()?);
        let wandb = match (&self.wandb_server, &self.wandb_key) {
            (None, _) => None,
            (Some(url), Some(key)) => Some(WandbServer { url: url.clone(), key: key.clone() }),
            (Some(_), None) => return Err(ConfigError::NoWandbKey),
        };
        Ok(Settings {
            database: self.store.data.database.clone(),
            artifacts: self.store.artifacts.clone(),
            base_models: self.base_models.clone(),
            allow_data: self.allow_data.clone(),
            wandb,
            threads: self.threads.map_or(defaults.threads, |threads| threads.clamp(1, MAX_THREADS)),
            instruction_set: self.instruction_set.unwrap_or(defaults.instruction_set),
            weights: trainers.weights,
            trainers: trainers.servers()?,
            ..defaults
        })
    }
}

impl TrainerOptions {
    /// Returns the remote learners.
    fn servers(&self) -> Result<LearnerServers, ConfigError> {
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
}

impl SamplerOptions {
    /// Returns the replicas that sample in place of the embedded engine.
    pub(super) fn settings(&self) -> SamplerSettings {
        let defaults = SamplerSettings::default();
        let hours = |hours: NonZeroU32| Duration::from_secs(u64::from(hours.get()) * 3600);
        SamplerSettings {
            replicas: self.samplers.clone(),
            key_file: self.sampler_key_file.clone(),
            adapter_directory: self.adapter_dir.clone(),
            adapter_keep: self.adapter_keep.map_or(defaults.adapter_keep, hours),
            in_flight: limit(self.sampler_in_flight, defaults.in_flight),
            timing: defaults.timing,
        }
    }
}

/// Returns a limit as given, or its default.
fn limit(given: Option<NonZeroU32>, default: usize) -> usize {
    given.and_then(|given| usize::try_from(given.get()).ok()).unwrap_or(default)
}

fn server_address(given: &str) -> Result<Url, &'static str> {
    let url = Url::parse(given).ok().filter(is_server_address);
    url.ok_or("write the address alone, as in https://api.wandb.ai")
}

/// Returns the data directory: as given, or the user's own.
pub(super) fn default_data_directory(given: Option<PathBuf>) -> Result<PathBuf, ConfigError> {
    given.or_else(|| dirs::data_dir().map(|d| d.join("trainyard"))).ok_or(ConfigError::NoDataDirectory)
}
