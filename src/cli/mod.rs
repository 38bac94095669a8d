//! The command line: one file per command.

/// Prints a message for the user on standard error. A failed write is no error.
macro_rules! note {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod age;
mod backup;
mod chat;
mod checkpoints;
mod cluster;
mod collect;
mod credentials;
mod engines;
mod explain;
mod export;
mod files;
mod fsck;
mod health;
mod help;
mod inspect;
mod jobs;
mod keys;
mod login;
mod metrics;
mod migrate;
mod models;
mod options;
mod partial_file;
mod plot;
mod progress;
mod prompt;
mod pull;
mod quickstart;
mod remote;
mod replay;
mod rollouts;
mod serve;
mod service_manager;
mod signals;
mod spec;
mod stored;
mod table;
mod train;
mod training_options;
mod usage;
mod verify;
mod watch;
mod worker;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use rustix::fs::Mode;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use options::{ConfigError, DataDirectory, ListOptions, ServeOptions, StoreOptions, WorkerOptions};

use crate::server::{open_artifacts, open_metadata};
use crate::telemetry::Telemetry;

/// An error with its causes, ready to be printed: commands return it, `main` prints it.
pub(crate) type CommandError = Box<dyn std::error::Error + Send + Sync>;

/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

#[derive(Parser)]
#[command(
    name = "trainyard",
    version,
    about = "A self-hosted training service for language models",
    long_about = "Trainyard trains LoRA adapters from rollouts or examples and serves every checkpoint through \
                  OpenAI-compatible chat completions. One binary, no account, no GPU needed.",
    after_help = "Examples:\n  \
        trainyard quickstart                          watch a small model learn\n  \
        trainyard serve                               start the service on http://127.0.0.1:8000\n  \
        trainyard keys create --entity my-team        make an API key for a team\n  \
        trainyard login                               store the key for other commands\n  \
        trainyard sft demo/agent train.jsonl --base-model trainyard/seedling --watch\n  \
        trainyard chat demo/agent 'Say yes or no.'\n\n\
        `trainyard COMMAND --help` describes a command, with examples."
)]
struct Cli {
    /// Log level or filter: error, warn, info, debug, trace, or a filter such as `trainyard=debug`.
    #[arg(long, global = true, env = "TRAINYARD_LOG", value_name = "FILTER", help_heading = "Logging")]
    log: Option<String>,
    /// Format of log lines.
    #[arg(
        long, global = true, env = "TRAINYARD_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text,
        help_heading = "Logging"
    )]
    log_format: LogFormat,
    /// Export traces of requests and jobs to this OpenTelemetry collector, by OTLP over HTTP: http://127.0.0.1:4318. For
    /// `serve` and `worker`. OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME and
    /// OTEL_TRACES_SAMPLER apply.
    #[arg(long, global = true, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL", help_heading = "Logging")]
    otlp_endpoint: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// One readable line per event.
    Text,
    /// One JSON object per event.
    Json,
}

#[derive(Subcommand)]
enum Command {
    /// Start the service.
    #[command(after_help = "Examples:\n  \
        trainyard serve\n  \
        trainyard serve --base-model Qwen/Qwen3-0.6B=/models/Qwen3-0.6B --allow-data file:///data/\n  \
        trainyard serve --base-model Qwen/Qwen3-0.6B        downloads the model at the first start\n  \
        trainyard serve --base-model unsloth/Qwen3-0.6B-GGUF:Q4_K_M\n  \
        trainyard serve --base-model smollm=SmolLM2-135M-Instruct-Q8_0.gguf\n  \
        trainyard serve --listen 127.0.0.1:9000 --inference-listen 127.0.0.1:9001\n\n\
        The options of a configuration file have the same names:\n  \
        listen = \"127.0.0.1:9000\"\n  \
        base-model = [\"Qwen/Qwen3-0.6B=/models/Qwen3-0.6B\"]\n  \
        allow-data = [\"file:///data/\"]")]
    Serve(Box<ServeOptions>),
    /// Check that a server accepts requests.
    Health(health::Options),
    /// Run the training jobs of a server.
    ///
    /// A worker is a separate process; any number can share the data directory of a server.
    #[command(after_help = "Examples:\n  \
        trainyard serve --no-worker                   serves requests without training\n  \
        trainyard worker                              trains; any number of workers\n\n\
        A worker leaves jobs of base models that it does not have to other workers, and resumes a job only\n\
        with the --weights that the job began with.\n\n\
        A worker that is stopped returns its job to the queue, and another worker resumes it. Another worker resumes\n\
        the job of a killed worker within 17 seconds. The resulting weights are bit-identical.")]
    Worker(Box<WorkerOptions>),
    /// Check vLLM servers and learners beside the embedded engine.
    #[command(subcommand)]
    Cluster(cluster::Command),
    /// Install and check the engines of `serve --engine managed`.
    #[command(subcommand)]
    Engines(engines::Command),
    /// Train a small model on a temporary service.
    ///
    /// Starts a temporary service, trains its built-in model by SFT and RL, and plots loss and reward.
    Quickstart(quickstart::Options),
    /// Create, list and revoke API keys.
    #[command(subcommand)]
    Keys(keys::Command),
    /// Store an API key for the commands that need a service.
    Login(login::LoginOptions),
    /// Remove the API key that `trainyard login` stored.
    Logout,
    /// List, follow and cancel training jobs.
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Show the trajectories of an RL job: rewards, advantages and texts.
    Rollouts(rollouts::Options),
    /// Show the metrics of a job's steps: a table, plots or CSV.
    Metrics(metrics::Options),
    /// Create, list and delete models; list and fetch base models.
    #[command(subcommand)]
    Models(models::Command),
    /// List, download, import, copy and delete the steps of a model.
    #[command(subcommand)]
    Checkpoints(checkpoints::Command),
    /// Upload, list, download and delete files.
    #[command(subcommand)]
    Files(files::Command),
    /// Chat with a model.
    Chat(chat::Options),
    /// Train a model on example conversations from a file.
    Sft(train::SftOptions),
    /// Train a model on rollouts with rewards from a file.
    Rl(train::RlOptions),
    /// Run an agent program several times, and train on what it sampled.
    Collect(Box<collect::Options>),
    /// Print a completion script for a shell.
    #[command(after_help = "Examples:\n  \
        trainyard completions bash > ~/.local/share/bash-completion/completions/trainyard\n  \
        trainyard completions zsh > ~/.zfunc/_trainyard\n  \
        trainyard completions fish > ~/.config/fish/completions/trainyard.fish")]
    Completions {
        /// Name of the shell.
        shell: clap_complete::Shell,
    },
    /// Show token usage by key, project and model.
    #[command(after_help = "Examples:\n  trainyard usage --entity my-team\n  trainyard usage --json")]
    Usage(ListOptions),
    /// Check that every artifact exists and is undamaged.
    ///
    /// Exits with 1 if an artifact that the database refers to is missing or damaged.
    #[command(
        after_help = "Reads all artifacts. A server may run at the same time. Unreferenced artifacts are listed; a running \
        server removes them after a day.\n\nExamples:\n  \
        trainyard fsck\n  \
        trainyard fsck --artifacts s3://yard/production --json"
    )]
    Fsck(fsck::Options),
    /// Check that the steps of a model match their manifests.
    ///
    /// Exits with 1 if a step differs from its manifest.
    #[command(
        after_help = "Every checkpoint has a manifest: its parent checkpoint, data, options, base model and program \
        version, and the hashes of its files. Each manifest has the hash of the previous one. The command compares the \
        store with the manifests. A server may run at the same time.\n\nExamples:\n  \
        trainyard verify demo/agent\n  \
        trainyard verify demo/agent --base-model Qwen/Qwen3-0.6B=/models/Qwen3-0.6B --json"
    )]
    Verify(verify::Options),
    /// Run a job again and check that its result has the same bytes.
    ///
    /// Exits with 1 if the result differs.
    #[command(
        after_help = "Reads the stored inputs of the job, and of earlier jobs whose steps it needs. Writes nothing. A server \
        may run at the same time. Base models and weights are given as for the worker.\n\n\
        Example:\n  trainyard replay 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4"
    )]
    Replay(Box<replay::Options>),
    /// Write a step of a model for other programs.
    ///
    /// Forms: a PEFT adapter, a model with the adapter merged, a GGUF file, or an adapter for llama.cpp.
    #[command(
        after_help = "Reads the store; a server may run at the same time. The files appear under --out when all of them are \
        complete, and for their owner alone. Two exports have the same bytes. docs/use-elsewhere.md has the lines for other \
        programs.\n\nExamples:\n  \
        trainyard export demo/agent --form merged --out agent            the newest step, for transformers and vLLM\n  \
        trainyard export demo/agent:step3 --form gguf --weights q8_0 --out agent-gguf\n  \
        trainyard export demo/agent --form merged --out agent --base-model Qwen/Qwen3-0.6B=/models/Qwen3-0.6B"
    )]
    Export(Box<export::Options>),
    /// Bring the schema of a database up to date.
    ///
    /// A starting server or worker does the same.
    #[command(
        after_help = "Run it before a rolling upgrade: processes of the previous version go on with the new schema. \
        Several processes may run it at once; one of them applies each migration. A schema that is newer than this \
        program is an error.\n\nExamples:\n  \
        trainyard migrate --dry-run\n  \
        trainyard migrate --database postgres://yard@db.example.org/yard"
    )]
    Migrate(migrate::Options),
    /// Copy the database and all artifacts into a directory.
    ///
    /// A server may run at the same time.
    #[command(
        after_help = "Copies a SQLite database and its artifacts, as of one moment. With PostgreSQL, copies the artifacts \
        only: stop the workers, because a running job replaces artifacts; run pg_dump; then run this command.\n\nExample:\n  trainyard backup /backups/2026-11-22"
    )]
    Backup(backup::BackupOptions),
    /// Restore a backup and check it.
    ///
    /// The data directory must have no database. Exits with 1 if the backup is incomplete or damaged.
    #[command(after_help = "Example:\n  trainyard restore /backups/2026-11-22 --data-dir /srv/trainyard")]
    Restore(backup::RestoreOptions),
    /// Print the OpenAPI document, or work with such documents.
    #[command(after_help = "Examples:\n  \
        trainyard spec --format json > openapi.json   the document of this program\n  \
        trainyard spec --for clients > openapi.json   the document for generators of clients\n  \
        trainyard spec diff old.yaml new.yaml         the changes, and the clients that they break\n  \
        trainyard spec diff published:0.1.0 current   the changes since a published version\n  \
        trainyard spec lint openapi.yaml              the faults of any OpenAPI document\n  \
        trainyard spec server openapi.yaml --out dir  a Rust server of its examples, to be completed")]
    Spec(spec::Options),
}

impl Command {
    /// Returns whether the command creates files in a data directory, a backup or another store.
    fn writes_a_store(&self) -> bool {
        matches!(
            self,
            Self::Serve(_)
                | Self::Worker(_)
                | Self::Cluster(_)
                | Self::Engines(_)
                | Self::Models(models::Command::Pull(_))
                | Self::Quickstart(_)
                | Self::Keys(_)
                | Self::Usage(_)
                | Self::Fsck(_)
                | Self::Verify(_)
                | Self::Replay(_)
                | Self::Export(_)
                | Self::Migrate(_)
                | Self::Backup(_)
                | Self::Restore(_)
        )
    }
}

/// Runs the command line and returns the exit code: 0 for success, 1 for failure, 2 for wrong arguments (from clap).
/// Commands that follow a job have two more.
pub fn main() -> ExitCode {
    let line: Vec<OsString> = std::env::args_os().collect();
    let matches = match options::parse(help::grouped(Cli::command()), &line) {
        Ok(matches) => matches,
        Err(error) => return fail(&error.to_string()),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let quiet = !matches!(cli.command, Command::Serve(_) | Command::Worker(_));
    if cli.command.writes_a_store() {
        // The store's libraries create files for the owner alone then. No thread runs yet that creates others.
        rustix::process::umask(Mode::RWXG | Mode::RWXO);
    }
    let endpoint = cli.otlp_endpoint.filter(|endpoint| !quiet && !endpoint.trim().is_empty());
    let telemetry = match endpoint.map(|endpoint| Telemetry::start(&endpoint)).transpose() {
        Ok(telemetry) => telemetry,
        Err(error) => return fail(&format!("--otlp-endpoint: {error}; write a URL such as http://127.0.0.1:4318")),
    };
    start_logging(cli.log.as_deref(), cli.log_format, quiet);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("cannot start the runtime: {error}")),
    };
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Serve(options) => serve::run(*options).await,
            Command::Worker(options) => worker::run(*options).await,
            Command::Cluster(command) => return cluster::run(command).await,
            Command::Engines(command) => return engines::run(command),
            Command::Health(options) => return health::run(options).await,
            Command::Migrate(options) => migrate::run(options).await,
            Command::Quickstart(options) => return quickstart::run(options).await,
            Command::Login(options) => login::log_in(options).await,
            Command::Logout => login::log_out(),
            Command::Jobs(command) => return jobs::run(command).await,
            Command::Rollouts(options) => return rollouts::run(options).await,
            Command::Metrics(options) => return metrics::run(options).await,
            Command::Models(command) => models::run(command).await,
            Command::Checkpoints(command) => checkpoints::run(command).await,
            Command::Files(command) => files::run(command).await,
            Command::Chat(options) => chat::run(options).await,
            Command::Sft(options) => return train::sft(options).await,
            Command::Rl(options) => return train::rl(options).await,
            Command::Collect(options) => return collect::run(*options).await,
            Command::Completions { shell } => complete(shell),
            Command::Keys(command) => keys::run(command).await,
            Command::Usage(options) => usage::run(options).await,
            Command::Backup(options) => backup::back_up(options).await,
            Command::Fsck(options) => return fsck::run(options).await,
            Command::Verify(options) => return verify::run(options).await,
            Command::Replay(options) => return replay::run(*options).await,
            Command::Export(options) => export::run(*options).await,
            Command::Restore(options) => return backup::restore(options).await,
            Command::Spec(options) => return spec::run(options),
        }
        .map(|()| ExitCode::SUCCESS)
    });
    // A training step that is still running has lost its lease and can write nothing, so nothing waits for it.
    runtime.shutdown_timeout(Duration::from_secs(2));
    if let Some(telemetry) = telemetry {
        telemetry.shut_down();
    }
    match outcome {
        Ok(code) => code,
        // A reader that stops early (`| head`) is no error.
        Err(error) if explain::is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => fail(&explain::explain(&*error)),
    }
}

/// Prints the script with which a shell completes our commands.
fn complete(shell: clap_complete::Shell) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "trainyard", &mut script);
    print(&String::from_utf8_lossy(&script))
}

fn fail(message: &str) -> ExitCode {
    note!("error: {message}");
    ExitCode::FAILURE
}

/// Prints to standard output.
fn print(text: &str) -> Result<(), CommandError> {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// Prints a value as indented JSON.
fn print_json(value: &(impl serde::Serialize + ?Sized)) -> Result<(), CommandError> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Prints a report: as JSON, or else as text.
fn print_report(as_json: bool, json: &(impl serde::Serialize + ?Sized), text: &str) -> Result<(), CommandError> {
    if as_json { print_json(json) } else { print(text) }
}

fn start_logging(filter: Option<&str>, format: LogFormat, quiet: bool) {
    let default = if quiet { "warn" } else { "info" };
    let filter = EnvFilter::builder().parse_lossy(filter.unwrap_or(default));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match format {
        LogFormat::Text => lines.with_target(false).with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(filter).with(lines).init();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        help::grouped(Cli::command()).debug_assert();
    }
}
