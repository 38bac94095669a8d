//! `trainyard worker`: runs jobs until a signal stops it, and answers no requests.

use std::{num::NonZeroU32, path::PathBuf};

use clap::Args;

use super::{
    CommandError, ServeOptions,
    serve::{self, LoadProgress},
    service_manager,
};
use crate::{
    engine::WeightFormat,
    learners::LearnerDtype,
    server::StandaloneWorker,
    store::{artifacts::ArtifactPlace, postgres::DatabaseAddress},
    training::WandbKey,
};

/// Options of `trainyard worker`. It reads the configuration file of `serve`, and uses only the options that it has.
#[derive(Args, Clone, Debug, Default)]
pub struct WorkerOptions {
    /// Data directory of the server [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// PostgreSQL database of the server, if it uses one: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Without a
    /// password in the URL, PGPASSWORD and ~/.pgpass are used.
    #[arg(long, env = "TRAINYARD_DATABASE", hide_env_values = true, value_name = "URL")]
    database: Option<DatabaseAddress>,
    /// Location of the server's artifacts, if not in its data directory: another directory, or s3://BUCKET/PREFIX.
    #[arg(long, env = "TRAINYARD_ARTIFACTS", value_name = "PLACE")]
    artifacts: Option<ArtifactPlace>,
    /// Base model to train: NAME=DIR for a local directory in Hugging Face format, or NAME to fetch it from the hub.
    /// Repeatable; in the environment, one per line. Jobs of other base models are left to other workers.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME[=DIR]", value_delimiter = '\n')]
    base_models: Vec<String>,
    /// Allow training data from URLs with this prefix. Repeatable; in the environment, one per line. Public https
    /// addresses are always allowed.
    #[arg(long = "allow-data", env = "TRAINYARD_ALLOW_DATA", value_name = "URL_PREFIX", value_delimiter = '\n')]
    allow_data: Vec<String>,
    /// W&B server, as given to `trainyard serve`; its artifacts can be used as training data.
    #[arg(long, env = "TRAINYARD_WANDB_SERVER", value_name = "URL")]
    wandb_server: Option<String>,
    /// API key for the W&B server.
    #[arg(long, env = "TRAINYARD_WANDB_KEY", hide_env_values = true, value_name = "KEY")]
    wandb_key: Option<WandbKey>,
    /// Number of engine threads [default: one per core].
    #[arg(long, env = "TRAINYARD_THREADS", value_name = "N")]
    threads: Option<usize>,
    /// Storage format of the base models' weights: f32, bf16, int8 or int4. A job is resumed only by a worker with the same
    /// format [default: f32].
    #[arg(long, env = "TRAINYARD_WEIGHTS", value_name = "FORMAT")]
    weights: Option<WeightFormat>,
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
    /// Read settings from this TOML file; flags and environment take precedence.
    #[arg(long, env = "TRAINYARD_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl From<WorkerOptions> for ServeOptions {
    fn from(options: WorkerOptions) -> Self {
        let WorkerOptions {
            data_dir,
            database,
            artifacts,
            base_models,
            allow_data,
            wandb_server,
            wandb_key,
            threads,
            weights,
            trainers,
            trainer_key_file,
            trainer_gpus,
            trainer_dtype,
            trainer_python,
            trainer_models,
            trainer_start_timeout,
            config,
        } = options;
        Self {
            data_dir,
            database,
            artifacts,
            base_models,
            allow_data,
            wandb_server,
            wandb_key,
            threads,
            weights,
            trainers,
            trainer_key_file,
            trainer_gpus,
            trainer_dtype,
            trainer_python,
            trainer_models,
            trainer_start_timeout,
            config,
            ..Self::default()
        }
    }
}

pub(super) async fn run(options: WorkerOptions) -> Result<(), CommandError> {
    let settings = serve::settings(&ServeOptions::from(options).with_file()?)?;
    let mut progress = LoadProgress::default();
    let worker = StandaloneWorker::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let stopped = serve::stop_on_signal("stopping: a running job is given back to the queue");
    // Scripts wait for this line.
    match &settings.database {
        Some(_) => note!("working on the jobs of the PostgreSQL database"),
        None => note!("working on the jobs of {}", settings.data_directory.display()),
    }
    service_manager::ready();
    worker.run(stopped).await;
    Ok(())
}
