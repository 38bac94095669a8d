//! `trainyard worker`: works on jobs until it is told to stop, and answers no requests.

use std::path::PathBuf;

use clap::Args;

use super::{
    Failure, ServeOptions,
    serve::{self, LoadProgress},
};
use crate::{
    engine::WeightFormat,
    server::StandaloneWorker,
    store::{artifacts::ArtifactPlace, postgres::DatabaseAddress},
    training::WandbKey,
};

/// What `trainyard worker` can be told. It reads the configuration file of `serve`, and of that only what concerns it.
#[derive(Args, Clone, Debug, Default)]
pub struct WorkerOptions {
    /// The data directory that the server uses [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The PostgreSQL database that the server uses, if it uses one:
    /// postgres://USER:PASSWORD@HOST:PORT/DATABASE. Without a password in it, PGPASSWORD and ~/.pgpass are looked at.
    #[arg(long, env = "TRAINYARD_DATABASE", hide_env_values = true, value_name = "URL")]
    database: Option<DatabaseAddress>,
    /// Where the server keeps the artifacts, if not in its data directory: another directory, or s3://BUCKET/PREFIX.
    #[arg(long, env = "TRAINYARD_ARTIFACTS", value_name = "PLACE")]
    artifacts: Option<ArtifactPlace>,
    /// A base model to train: NAME=DIR for a local directory in Hugging Face format, NAME alone to fetch it from the
    /// hub. Repeatable, in the environment one on a line; jobs of other base models are left to other workers.
    #[arg(long = "base-model", env = "TRAINYARD_BASE_MODEL", value_name = "NAME[=DIR]", value_delimiter = '\n')]
    base_models: Vec<String>,
    /// Allow training data from URLs that start with this. Repeatable, in the environment one on a line.
    /// Public https addresses are always allowed.
    #[arg(long = "allow-data", env = "TRAINYARD_ALLOW_DATA", value_name = "URL_PREFIX", value_delimiter = '\n')]
    allow_data: Vec<String>,
    /// The W&B server that the server of the service names, whose artifacts are training data.
    #[arg(long, env = "TRAINYARD_WANDB_SERVER", value_name = "URL")]
    wandb_server: Option<String>,
    /// The API key for that server.
    #[arg(long, env = "TRAINYARD_WANDB_KEY", hide_env_values = true, value_name = "KEY")]
    wandb_key: Option<WandbKey>,
    /// Threads for the engine [default: one per core].
    #[arg(long, env = "TRAINYARD_THREADS", value_name = "N")]
    threads: Option<usize>,
    /// How the base models' weights are stored: f32, bf16 or int8. A job that began with another format is left to a
    /// worker that has it [default: f32].
    #[arg(long, env = "TRAINYARD_WEIGHTS", value_name = "FORMAT")]
    weights: Option<WeightFormat>,
    /// Read settings from this TOML file; flags and environment win over it.
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
            config,
            ..Self::default()
        }
    }
}

pub(super) async fn run(options: WorkerOptions) -> Result<(), Failure> {
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
    worker.run(stopped).await;
    Ok(())
}
