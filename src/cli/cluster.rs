//! `trainyard cluster`: checks the servers that sample and train in place of the embedded engine.

use std::fmt::{self, Write};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::options::{SamplerOptions, WorkerOptions};
use super::progress::LoadProgress;
use super::{CommandError, open_artifacts, print_report};
use crate::cluster_check::{LearnerFigures, Report, Servers, check};
use crate::error_chain;
use crate::model_files::SEEDLING;
use crate::server::{Settings, adapter_directory, lock_directory, open_to_check, read_schema, replicas_by_base};
use crate::vllm::ReplicaFigures;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Check and measure the vLLM servers and learners of a configuration.
    ///
    /// Exits with 1 if one of them cannot be used, or if sampler and learner disagree so much that RL jobs would fail.
    #[command(
        after_help = "Takes the options and the configuration file of `trainyard serve`; no service needs to run. The \
        embedded engine trains an adapter for one step. Each learner makes the same step, each vLLM server loads the adapter, \
        and their log-probabilities are compared with those of the embedded engine. The adapter stays in --adapter-dir.\n\n\
        Examples:\n  \
        trainyard cluster check --sampler vllm=http://gpu1:8000,http://gpu2:8000 --trainer http://gpu3:7070\n  \
        trainyard cluster check --config trainyard.toml --json"
    )]
    Check(Box<CheckOptions>),
}

#[derive(Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    worker: WorkerOptions,
    #[command(flatten)]
    samplers: SamplerOptions,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(command: Command) -> Result<ExitCode, CommandError> {
    let Command::Check(options) = command;
    let CheckOptions { mut worker, samplers, json } = *options;
    // No data is fetched.
    worker.process.wandb_server = None;
    let settings = Settings { samplers: samplers.settings(), ..worker.settings()? };
    let _lock = lock_directory(&settings.data_directory)?;
    let stores = stores(&settings).await;
    let reports = reports(&settings).await?;
    print_report(json, &to_json(&stores, &reports), &lines(&stores, &reports)?)?;
    let passed = stores.iter().all(|(_, error)| error.is_none()) && reports.iter().all(Report::passed);
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reaches the stores that are not in the data directory. Returns each with its error.
async fn stores(settings: &Settings) -> Vec<(&'static str, Option<String>)> {
    let mut stores = Vec::new();
    if settings.database.is_some() {
        let schema = read_schema(&settings.data_directory, settings.database.as_ref()).await;
        stores.push(("database", schema.err().map(|error| error_chain(&error))));
    }
    if settings.artifacts.is_some() {
        let artifacts = open_artifacts(&settings.data_directory, settings.artifacts.as_ref()).await;
        stores.push(("artifacts", artifacts.err().map(|error| error_chain(&error))));
    }
    stores
}

/// Checks the servers of each base model that has some. One learner for all base models is checked with those that are
/// given, or with the built-in one.
async fn reports(settings: &Settings) -> Result<Vec<Report>, CommandError> {
    let replicas = replicas_by_base(settings)?;
    let is_named = |name: &str| replicas.contains_key(name) || settings.trainers.bases().any(|base| base == name);
    let is_checked = |name: &str| is_named(name) || settings.base_models.is_empty() || name != SEEDLING;
    let has_servers = |name: &str| replicas.contains_key(name) || settings.trainers.of(name).is_some();
    let needed = settings.base_models.iter().filter(|base| has_servers(&base.name)).cloned().collect();
    let settings = &Settings { base_models: needed, ..settings.clone() };
    let mut progress = LoadProgress::default();
    let (bases, pool) = open_to_check(settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let mut named = replicas.keys().copied().chain(settings.trainers.bases());
    if let Some(name) = named.find(|name| bases.iter().all(|base| base.name() != *name)) {
        return Err(format!(
            "there is no base model {name}, which --sampler or --trainer names; add it with --base-model"
        )
        .into());
    }
    let adapters = adapter_directory(settings);
    let mut reports = Vec::new();
    for base in &bases {
        let name = base.name();
        let servers = Servers {
            replicas: replicas.get(name).copied().unwrap_or_default(),
            settings: &settings.samplers,
            adapters: &adapters,
            learner: settings.trainers.of(name).filter(|_| is_checked(name)),
        };
        if !servers.replicas.is_empty() || servers.learner.is_some() {
            reports.push(check(base, &pool, &servers).await?);
        }
    }
    if reports.is_empty() {
        return Err("there is nothing to check: name vLLM servers with --sampler or a learner with --trainer".into());
    }
    Ok(reports)
}

/// Words of a check without the base model's weights.
const NOTHING_TO_COMPARE: &str = "not compared: its weights are not here";
/// Width of the column of names.
const NAMES: usize = 20;

fn lines(stores: &[(&'static str, Option<String>)], reports: &[Report]) -> Result<String, fmt::Error> {
    let mut text = String::new();
    for (store, error) in stores {
        writeln!(text, "{store}: {}", error.as_deref().unwrap_or("reached"))?;
    }
    for report in reports {
        writeln!(text, "{}", report.base_model)?;
        for (address, figures) in &report.replicas {
            match figures {
                Ok(figures) => replica_lines(&mut text, address, figures)?,
                Err(reason) => writeln!(text, "  vLLM {address}: cannot be used\n    {reason}")?,
            }
        }
        if let Some((address, figures)) = &report.learner {
            match figures {
                Ok(figures) => learner_lines(&mut text, address, figures)?,
                Err(reason) => writeln!(text, "  learner {address}: cannot be used\n    {reason}")?,
            }
        }
        if let Some(mismatch) = report.sampler_mismatch {
            writeln!(text, "  sampler and learner: {mismatch:.6} nats apart in the mean")?;
        }
        for advice in &report.advice {
            writeln!(text, "  advice: {advice}")?;
        }
    }
    let passed = reports.iter().filter(|report| report.passed()).count();
    writeln!(text, "{passed} of {} base models can be sampled and trained", reports.len())?;
    Ok(text)
}

fn replica_lines(text: &mut String, address: &str, figures: &ReplicaFigures) -> fmt::Result {
    let ReplicaFigures { version, context, interface, base_difference, adapter_difference, .. } = figures;
    writeln!(text, "  vLLM {address}: {version}, context {context} tokens, {interface}")?;
    let base = base_difference
        .map_or(NOTHING_TO_COMPARE.to_owned(), |nats| format!("{nats:.6} nats from the embedded engine"));
    writeln!(text, "    {:NAMES$} {base}", "base model")?;
    let adapter = adapter_difference.map_or("not compared".to_owned(), |nats| format!("{nats:.6} nats"));
    let milliseconds = figures.adapter_load.as_secs_f64() * 1e3;
    writeln!(text, "    {:NAMES$} {adapter}, loaded in {milliseconds:.0} ms", "adapter")?;
    let (speed, samples) = (figures.tokens_per_second, figures.samples);
    writeln!(text, "    {:NAMES$} {speed:.0} tokens/s, {samples} samples at once", "decode")
}

fn learner_lines(text: &mut String, address: &str, figures: &LearnerFigures) -> fmt::Result {
    let LearnerFigures { program, max_tokens, base_difference, step_difference, .. } = figures;
    let versions: Vec<String> = program.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let (device, dtype, processes) = (&program.device, &program.dtype, program.world_size);
    let unit = if processes == 1 { "process" } else { "processes" };
    writeln!(text, "  learner {address}: {device}, {dtype}, {processes} {unit}")?;
    writeln!(text, "    {:NAMES$} {}", "versions", versions.join(", "))?;
    let base = base_difference
        .map_or(NOTHING_TO_COMPARE.to_owned(), |nats| format!("{nats:.6} nats from the embedded engine"));
    writeln!(text, "    {:NAMES$} {base}", "base model")?;
    let embedded = figures.expected_gradient_norm.map_or(String::new(), |norm| format!("; embedded {norm:.6}"));
    writeln!(text, "    {:NAMES$} norm {:.6}{embedded}", "gradient", figures.step.norm)?;
    if let Some(nats) = step_difference {
        writeln!(text, "    {:NAMES$} {nats:.6} nats", "after one step")?;
    }
    writeln!(text, "    {:NAMES$} {:.0} tokens/s", "forward and backward", figures.step.tokens_per_second)?;
    writeln!(text, "    {:NAMES$} sequences of up to {max_tokens} tokens", "memory")
}

fn to_json(stores: &[(&'static str, Option<String>)], reports: &[Report]) -> Value {
    let stores = stores.iter().map(|(store, error)| json!({ "name": store, "error": error }));
    let reports = reports.iter().map(|report| {
        json!({
            "base_model": report.base_model,
            "passed": report.passed(),
            "samplers": report.replicas.iter().map(|(address, figures)| server(address, figures, replica)).collect::<Vec<_>>(),
            "learner": report.learner.as_ref().map(|(address, figures)| server(address, figures, learner)),
            "sampler_mismatch": report.sampler_mismatch,
            "advice": report.advice,
        })
    });
    json!({ "stores": stores.collect::<Vec<_>>(), "base_models": reports.collect::<Vec<_>>() })
}

fn server<T>(address: &str, figures: &Result<T, String>, describe: fn(&T) -> Value) -> Value {
    let (figures, error) = match figures {
        Ok(figures) => (Some(describe(figures)), None),
        Err(error) => (None, Some(error)),
    };
    json!({ "address": address, "error": error, "figures": figures })
}

fn replica(figures: &ReplicaFigures) -> Value {
    json!({
        "version": figures.version,
        "context": figures.context,
        "interface": figures.interface,
        "base_model_difference": figures.base_difference,
        "adapter_difference": figures.adapter_difference,
        "adapter_load_seconds": figures.adapter_load.as_secs_f64(),
        "tokens_per_second": figures.tokens_per_second,
    })
}

fn learner(figures: &LearnerFigures) -> Value {
    json!({
        "program": figures.program,
        "max_tokens": figures.max_tokens,
        "base_model_difference": figures.base_difference,
        "gradient_norm": figures.step.norm,
        "expected_gradient_norm": figures.expected_gradient_norm,
        "step_difference": figures.step_difference,
        "tokens_per_second": figures.step.tokens_per_second,
    })
}
