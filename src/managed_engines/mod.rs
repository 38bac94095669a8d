//! Managed engines: vLLM and the learner as child processes on the devices of this machine.
//!
//! `trainyard engines install` makes their Python environments, and `trainyard serve --engine managed` runs them: it divides
//! the machine by a plan, keeps the processes alive and ends them with itself. To the rest of the program they are servers
//! at addresses of this machine, as if an operator had started them.

mod command;
mod environment;
mod plan;
mod supervisor;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::{fs, io};

use reqwest::Url;
use serde_json::Value;
use tokio::runtime::Handle;

use command::EngineServer;
pub(crate) use environment::{EngineRole, EnvironmentError, Environments, Probe, Target, devices};
pub(crate) use plan::{Devices, Gpu, Plan, PlanError};
pub(crate) use supervisor::become_child;
use supervisor::{HealthCheck, Supervisor};

use crate::engine::ModelConfig;
use crate::learners::package;
use crate::model_files::SEEDLING_FILES;
use crate::store::{directories, ownership};

/// Error of engines that cannot be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnginesError {
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    #[error("the engines do not fit: {0}")]
    Plan(#[from] PlanError),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("{directory} has no config.json that can be read: {reason}")]
    Config { directory: PathBuf, reason: String },
    #[error("no port is free: {0}")]
    Port(io::Error),
    #[error("the operating system has no random bytes: {0}")]
    Random(getrandom::Error),
    #[error("the processes cannot be watched: {0}")]
    Client(#[from] reqwest::Error),
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
}

/// Running engines. Dropping them ends the processes.
#[derive(Debug)]
pub(crate) struct ManagedEngines {
    /// Addresses of the vLLM servers.
    pub(crate) samplers: Vec<Url>,
    /// Address of the learner.
    pub(crate) learner: Url,
    /// Files with the keys of the vLLM servers and of the learner.
    pub(crate) key_files: [PathBuf; 2],
    supervisors: Vec<Supervisor>,
}

impl Drop for ManagedEngines {
    fn drop(&mut self) {
        // All of them at once; the drop of each waits for its end.
        for supervisor in &self.supervisors {
            supervisor.begin_to_stop();
        }
    }
}

impl ManagedEngines {
    /// Starts the engines for the model in a directory, or for the built-in one. Keys and files for them are written to
    /// `work`.
    ///
    /// # Errors
    /// An environment is missing, the model does not fit, or the system rejects files, ports or threads.
    pub(crate) fn start(
        environments: &Environments,
        model: Option<&Path>,
        work: &Path,
        runtime: &Handle,
    ) -> Result<Self, EnginesError> {
        environments.check()?;
        let write = |path: PathBuf, content: &[u8]| match write_file(&path, content) {
            Ok(()) => Ok(path),
            Err(source) => Err(EnginesError::Write { path, source }),
        };
        let package = work.join("package");
        for (name, text) in package::FILES {
            write(package.join(package::NAME).join(name), text.as_bytes())?;
        }
        let model = match model {
            Some(directory) => directory.to_owned(),
            None => {
                let directory = work.join("seedling");
                for (name, content) in SEEDLING_FILES {
                    write(directory.join(name), content)?;
                }
                directory
            }
        };
        let devices = devices();
        let (config, parameters) = read_model(&model)?;
        let plan = Plan::new(&devices, parameters, config.experts.is_some())?;
        let targets = config.lora_targets();
        for line in plan.lines() {
            tracing::info!("plan of this machine: {line}");
        }
        let keys = [random_key()?, random_key()?];
        let key_files = [
            write(work.join("sampler-key"), keys[0].as_bytes())?,
            write(work.join("learner-key"), keys[1].as_bytes())?,
        ];
        let health = HealthCheck { runtime: runtime.clone(), client: reqwest::Client::builder().no_proxy().build()? };
        let mut supervisors = Vec::new();
        let mut start = |engine| {
            supervisors.push(Supervisor::start(engine, health.clone()).map_err(EnginesError::Thread)?);
            Ok::<_, EnginesError>(())
        };
        let ports = free_ports(plan.samplers.len() + 1).map_err(EnginesError::Port)?;
        let (learner_port, sampler_ports) =
            ports.split_last().unwrap_or_else(|| unreachable!("there is one port more"));
        let mut samplers = Vec::new();
        for (number, (share, port)) in plan.samplers.iter().zip(sampler_ports).enumerate() {
            let name = if plan.samplers.len() == 1 { "vllm".to_owned() } else { format!("vllm-{number}") };
            let python = environments.python(EngineRole::Sampler);
            let server = EngineServer { name, python, model: &model, port: *port, key: &keys[0] };
            samplers.push(server.address());
            start(server.sampler(targets, share))?;
        }
        let python = environments.python(EngineRole::Learner);
        let server =
            EngineServer { name: "learner".to_owned(), python, model: &model, port: *learner_port, key: &keys[1] };
        let learner = server.address();
        start(server.learner(&package, &plan.learner))?;
        Ok(Self { samplers, learner, key_files, supervisors })
    }
}

/// Returns the configuration of a model in Hugging Face format, and its number of parameters by the size of its weight files.
///
/// # Errors
/// The directory or its configuration cannot be read.
pub(crate) fn read_model(directory: &Path) -> Result<(ModelConfig, u64), EnginesError> {
    let failed = |reason: String| EnginesError::Config { directory: directory.to_owned(), reason };
    if directory.is_file() {
        return Err(failed(
            "it is a file; vLLM and the learner read a directory with config.json and safetensors".to_owned(),
        ));
    }
    let text =
        fs::read_to_string(directory.join("config.json")).map_err(|error| failed(format!("config.json: {error}")))?;
    let config = ModelConfig::from_json(&text).map_err(|error| failed(error.to_string()))?;
    let fields: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let dtype = fields["dtype"].as_str().or(fields["torch_dtype"].as_str());
    let element = if dtype == Some("float32") { 4 } else { 2 };
    let mut bytes = 0;
    for entry in fs::read_dir(directory).map_err(|error| failed(error.to_string()))? {
        let path = entry.map_err(|error| failed(error.to_string()))?.path();
        if path.extension().is_some_and(|extension| extension == "safetensors") {
            bytes += fs::metadata(&path).map_err(|error| failed(error.to_string()))?.len();
        }
    }
    Ok((config, bytes / element))
}

/// Writes a file, and its directory where there is none. A file with the same content stays as it is.
fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        directories::create(directory, 0o777)?;
    }
    fs::write(path, content)?;
    ownership::adopt(path)
}

fn random_key() -> Result<String, EnginesError> {
    let mut random = [0; 24];
    getrandom::fill(&mut random).map_err(EnginesError::Random)?;
    Ok(hex::encode(random))
}

/// Returns ports on which nothing listens. The processes keep theirs when they are started again.
fn free_ports(count: usize) -> io::Result<Vec<u16>> {
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<io::Result<Vec<_>>>()?;
    listeners.iter().map(|listener| Ok(listener.local_addr()?.port())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_by_the_size_of_the_weights() {
        let seedling = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
        let (config, counted) = read_model(&seedling).unwrap();
        assert!((500_000..1_200_000).contains(&counted), "{counted}");
        assert!(config.experts.is_none());
        assert!(read_model(Path::new("/nowhere")).unwrap_err().to_string().contains("/nowhere has no config.json"));
    }
}
