//! `trainyard engines`: the Python environments of managed engines, and their start for `trainyard serve`.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use tokio::runtime::Handle;

use super::options::default_data_directory;
use super::progress::LoadProgress;
use super::{CommandError, ConfigError, print_report};
use crate::learners::{LearnerAddress, LearnerServer, LearnerServers};
use crate::managed_engines::{
    Devices, EngineRole, Environments, Gpu, ManagedEngines, Plan, PlanError, Probe, Target, become_child, devices,
    read_model,
};
use crate::model_files::ModelFiles;
use crate::server::{BaseModelOption, Settings, lock_directory, model_directory};
use crate::vllm::{Endpoint, SamplerOption};

/// Name of the directory of the environments, in the data directory.
const DIRECTORY: &str = "engines";
/// Name of the directory of keys and files for running engines, in the data directory.
const WORK: &str = "engine-files";

#[derive(Subcommand)]
pub(super) enum Command {
    /// Install vLLM, torch, transformers and PEFT.
    ///
    /// Makes two Python environments, because vLLM and the learner need different versions of torch. Uses uv if it is
    /// there, otherwise Python's own venv and pip. What is installed already stays.
    #[command(after_help = "Downloads 4 GB and more from PyPI, and needs three times that on disk.\n\nExamples:\n  \
        trainyard engines install\n  \
        trainyard engines install --cpu --dir /srv/engines")]
    Install(InstallOptions),
    /// Check the environments, the devices and whether a model fits.
    ///
    /// Exits with 1 if the engines cannot be used.
    #[command(after_help = "Examples:\n  \
        trainyard engines check\n  \
        trainyard engines check --base-model Qwen/Qwen3-8B=/models/Qwen3-8B --json")]
    Check(CheckOptions),
    /// Become another program that ends with the process that started it.
    #[command(hide = true)]
    Become {
        /// Id of that process.
        parent: u32,
        /// Program to run.
        program: PathBuf,
        /// Its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

#[derive(Args)]
struct DirectoryOptions {
    /// Directory of the environments [default: engines in the data directory].
    #[arg(long, alias = "engines-dir", env = "TRAINYARD_ENGINES_DIR", value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Data directory of the service [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl DirectoryOptions {
    fn environments(&self) -> Result<Environments, ConfigError> {
        Ok(match &self.dir {
            Some(directory) => Environments::new(directory.clone()),
            None => Environments::new(default_data_directory(self.data_dir.clone())?.join(DIRECTORY)),
        })
    }
}

#[derive(Args)]
pub(super) struct InstallOptions {
    #[command(flatten)]
    directories: DirectoryOptions,
    /// Install for NVIDIA GPUs [default: if this machine has one].
    #[arg(long, conflicts_with = "cpu")]
    cuda: bool,
    /// Install for processors.
    #[arg(long)]
    cpu: bool,
}

#[derive(Args)]
pub(super) struct CheckOptions {
    #[command(flatten)]
    directories: DirectoryOptions,
    /// Base model whose fit is checked: NAME=DIR [default: the built-in model].
    #[arg(long, env = "TRAINYARD_BASE_MODEL", value_name = "NAME=DIR")]
    base_model: Option<BaseModelOption>,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(command: Command) -> Result<ExitCode, CommandError> {
    match command {
        Command::Install(options) => install(&options),
        Command::Check(options) => check(&options),
        Command::Become { parent, program, arguments } => {
            let error = become_child(parent, &program, &arguments);
            Err(format!("{}: {error}", program.display()).into())
        }
    }
}

fn install(options: &InstallOptions) -> Result<ExitCode, CommandError> {
    let environments = options.directories.environments()?;
    let _lock = match &options.directories.dir {
        Some(_) => None,
        None => Some(lock_directory(&default_data_directory(options.directories.data_dir.clone())?)?),
    };
    let target = match (options.cuda, options.cpu, devices()) {
        (true, ..) | (false, false, Devices::Gpus(_)) => Target::Cuda,
        (false, true, _) | (false, false, Devices::Processors { .. }) => Target::Cpu,
    };
    let kind = match target {
        Target::Cuda => "NVIDIA GPUs",
        Target::Cpu => "processors",
    };
    note!("installing engines for {kind} in {}", environments.directory().display());
    environments.install(target, &mut |command| note!("+ {command}"))?;
    note!("installed; check them with `trainyard engines check`, use them with `trainyard serve --engine managed`");
    Ok(ExitCode::SUCCESS)
}

/// State of one environment.
struct Checked {
    role: EngineRole,
    probe: Result<Probe, String>,
}

impl Checked {
    fn faults(&self) -> Vec<String> {
        match &self.probe {
            Ok(probe) => probe.faults(self.role),
            Err(reason) => vec![reason.clone()],
        }
    }
}

fn check(options: &CheckOptions) -> Result<ExitCode, CommandError> {
    let environments = options.directories.environments()?;
    let devices = devices();
    let has_gpus = matches!(devices, Devices::Gpus(_));
    let checked = EngineRole::BOTH.map(|role| {
        let probe = match environments.check() {
            Ok(()) => {
                environments.probe(role, role == EngineRole::Learner && has_gpus).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        Checked { role, probe }
    });
    let (parameters, has_experts) = match &options.base_model {
        Some(BaseModelOption { path, name, .. }) => {
            let directory = path.as_ref().ok_or_else(|| format!("--base-model {name}: write NAME=DIR"))?;
            let (config, parameters) = read_model(directory)?;
            (parameters, config.experts.is_some())
        }
        None => {
            let seedling = ModelFiles::seedling()?;
            (seedling.weights.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>() / 2, false)
        }
    };
    let plan = Plan::new(&devices, parameters, has_experts);
    let mut advice = Vec::new();
    if let (Devices::Gpus(gpus), Ok(probe)) = (&devices, &checked[0].probe)
        && probe.gpus.as_ref().is_some_and(|usable| usable.len() < gpus.len())
    {
        advice.push(format!(
            "torch of the learner uses {} of {} GPUs: install the engines with --cuda, and check the driver's version",
            probe.gpus.as_ref().map_or(0, Vec::len),
            gpus.len()
        ));
    }
    if !has_gpus {
        advice.push("no NVIDIA GPU is visible: vLLM and the learner run on processors, which is slow".to_owned());
    }
    // A version that was not tested may work; a package that is missing cannot.
    let is_missing = |fault: &String| !fault.contains("was not tested");
    let passed = plan.is_ok() && !checked.iter().any(|checked| checked.faults().iter().any(is_missing));
    let mut text = format!("environments in {}\n", environments.directory().display());
    for each in &checked {
        let versions = each.probe.as_ref().map(|probe| {
            let versions = probe.versions.iter().map(|(name, version)| format!("{name} {version}"));
            [format!("Python {}", probe.python)].into_iter().chain(versions).collect::<Vec<_>>().join(", ")
        });
        writeln!(text, "  {:8} {}", each.role.name(), versions.unwrap_or_else(|_| "cannot be used".to_owned()))?;
        for fault in each.faults() {
            writeln!(text, "           {fault}")?;
        }
    }
    match &devices {
        Devices::Gpus(gpus) => {
            for gpu in gpus {
                writeln!(text, "GPU {}: {}, {} MiB", gpu.index, gpu.name, gpu.memory >> 20)?;
            }
        }
        Devices::Processors { cores, memory } => writeln!(text, "{cores} cores, {} MiB", memory >> 20)?,
    }
    match &plan {
        Ok(plan) => plan.lines().iter().try_for_each(|line| writeln!(text, "plan: {line}"))?,
        Err(error) => writeln!(text, "plan: {error}")?,
    }
    for advice in &advice {
        writeln!(text, "advice: {advice}")?;
    }
    writeln!(text, "{}", if passed { "the engines can be used" } else { "the engines cannot be used" })?;
    let json = as_json(&environments, &devices, &checked, plan.as_ref().map(Plan::lines), &advice, passed);
    print_report(options.json, &json, &text)?;
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn as_json(
    environments: &Environments,
    devices: &Devices,
    checked: &[Checked],
    plan: Result<Vec<String>, &PlanError>,
    advice: &[String],
    passed: bool,
) -> serde_json::Value {
    let environment = |each: &Checked| {
        let probe = each.probe.as_ref().ok();
        json!({
            "name": each.role.name(),
            "python": probe.map(|probe| &probe.python),
            "versions": probe.map(|probe| &probe.versions),
            "faults": each.faults(),
        })
    };
    let devices = match devices {
        Devices::Gpus(gpus) => {
            let gpu = |gpu: &Gpu| json!({ "index": gpu.index, "name": gpu.name, "memory": gpu.memory });
            json!({ "gpus": gpus.iter().map(gpu).collect::<Vec<_>>() })
        }
        Devices::Processors { cores, memory } => json!({ "cores": cores, "memory": memory }),
    };
    let (plan, error) = match plan {
        Ok(lines) => (Some(lines), None),
        Err(error) => (None, Some(error.to_string())),
    };
    json!({
        "passed": passed,
        "directory": environments.directory(),
        "environments": checked.iter().map(environment).collect::<Vec<_>>(),
        "devices": devices,
        "plan": plan,
        "plan_error": error,
        "advice": advice,
    })
}

/// Starts the managed engines of a service from these environments, and puts their addresses into its settings.
pub(super) async fn start(
    engines_dir: Option<PathBuf>,
    settings: &mut Settings,
    progress: &mut LoadProgress,
) -> Result<ManagedEngines, CommandError> {
    if !settings.samplers.replicas.is_empty() {
        return Err(ConfigError::ManagedBeside("--sampler").into());
    }
    if settings.trainers != LearnerServers::default() {
        return Err(ConfigError::ManagedBeside("--trainer").into());
    }
    let base = match &settings.base_models[..] {
        [] => None,
        [base] => Some(base.clone()),
        bases => return Err(ConfigError::ManagedBases(bases.len()).into()),
    };
    let environments = Environments::new(engines_dir.unwrap_or_else(|| settings.data_directory.join(DIRECTORY)));
    let directory = match &base {
        None => None,
        Some(base) => {
            let mut show = |stage: &str, done, total| progress.show(stage, done, total);
            Some(model_directory(base, settings, &mut show).await?)
        }
    };
    let work = settings.data_directory.join(WORK);
    let engines = ManagedEngines::start(&environments, directory.as_deref(), &work, &Handle::current())?;
    let [sampler_key, learner_key] = engines.key_files.clone();
    let base = base.map(|base| base.name);
    let endpoints = engines.samplers.iter().cloned().map(Endpoint::Fixed).collect();
    settings.samplers.replicas = vec![SamplerOption { base: base.clone(), endpoints }];
    settings.samplers.key_file = Some(sampler_key);
    let learner = LearnerServer::new(LearnerAddress::Url(engines.learner.clone()), Some(learner_key));
    settings.trainers = LearnerServers::of_one(base, learner);
    Ok(engines)
}
