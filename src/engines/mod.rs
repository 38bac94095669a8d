//! Managed engines: vLLM and the learner as child processes on the devices of this machine.
//!
//! `trainyard engines install` makes their Python environments, and `trainyard serve --engine managed` runs them: it divides
//! the machine by a plan, keeps the processes alive and ends them with itself. To the rest of the program they are servers
//! at addresses of this machine, as if an operator had started them.

mod environment;
mod plan;
mod supervisor;

use std::{
    fs, io,
    net::TcpListener,
    path::{Path, PathBuf},
};

use reqwest::Url;
use serde_json::Value;
use tokio::runtime::Handle;

pub(crate) use environment::{EnvironmentError, Environments, Part, Probe, Target, devices};
pub(crate) use plan::{Devices, Gpu, Plan, PlanError};
use plan::{LearnerShare, SamplerShare};
pub(crate) use supervisor::become_child;
use supervisor::{Engine, Supervisor};

use crate::{
    engine::{ModelConfig, TargetModules},
    hex::to_hex,
    learners::package,
    model_files::SEEDLING_FILES,
    store::{directories, ownership},
};

/// Adapters that vLLM keeps on the device, and in memory.
const MAX_LORAS: [&str; 2] = ["8", "64"];

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
    /// An environment is missing, the model does not fit, or the system refuses files, ports or threads.
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
        let targets = TargetModules::of_model(&config);
        for line in plan.lines() {
            tracing::info!("plan of this machine: {line}");
        }
        let keys = [random_key()?, random_key()?];
        let key_files = [
            write(work.join("sampler-key"), keys[0].as_bytes())?,
            write(work.join("learner-key"), keys[1].as_bytes())?,
        ];
        let client = reqwest::Client::builder().no_proxy().build()?;
        let mut supervisors = Vec::new();
        let mut start = |engine| {
            let supervisor =
                Supervisor::start(engine, runtime.clone(), client.clone()).map_err(EnginesError::Thread)?;
            supervisors.push(supervisor);
            Ok::<_, EnginesError>(())
        };
        let ports = free_ports(plan.samplers.len() + 1).map_err(EnginesError::Port)?;
        let (learner_port, sampler_ports) =
            ports.split_last().unwrap_or_else(|| unreachable!("there is one port more"));
        let address =
            |port: &u16| Url::parse(&format!("http://127.0.0.1:{port}")).unwrap_or_else(|_| unreachable!("a URL"));
        for (number, (share, port)) in plan.samplers.iter().zip(sampler_ports).enumerate() {
            let name = if plan.samplers.len() == 1 { "vllm".to_owned() } else { format!("vllm-{number}") };
            let python = environments.python(Part::Sampler);
            start(sampler((name, python), (&model, targets), share, (*port, &keys[0]), health(address(port))))?;
        }
        let python = environments.python(Part::Learner);
        let health = health(address(learner_port));
        start(learner(python, (&model, &package), &plan.learner, (*learner_port, &keys[1]), health))?;
        let (samplers, learner) = (sampler_ports.iter().map(address).collect(), address(learner_port));
        Ok(Self { samplers, learner, key_files, supervisors })
    }
}

fn health(mut address: Url) -> Url {
    address.set_path("/health");
    address
}

/// Returns the command of a vLLM server.
fn sampler(
    (name, program): (String, PathBuf),
    (model, targets): (&Path, TargetModules),
    share: &SamplerShare,
    (port, key): (u16, &str),
    health: Url,
) -> Engine {
    let model = model.display().to_string();
    let port = port.to_string();
    let mut arguments: Vec<String> = [
        "-m",
        "vllm.entrypoints.openai.api_server",
        "--model",
        &model,
        "--served-model-name",
        "base",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--enable-scale-out",
        "--enable-lora",
        "--max-loras",
        MAX_LORAS[0],
        "--max-cpu-loras",
        MAX_LORAS[1],
        "--max-lora-rank",
        "64",
        "--structured-outputs-config",
        r#"{"backend":"guidance"}"#,
        "--generation-config",
        "vllm",
        "--disable-uvicorn-access-log",
    ]
    .map(str::to_owned)
    .into();
    // Without the head: the engine of vLLM's CPU build ends when a request for log-probabilities of the prompt runs beside
    // another one and the head may have an adapter. Without the experts, which have no adapters.
    arguments.push("--lora-target-modules".to_owned());
    arguments.extend(targets.names().map(str::to_owned));
    let mut environment = vec![
        ("VLLM_API_KEY", key.to_owned()),
        ("VLLM_ALLOW_RUNTIME_LORA_UPDATING", "1".to_owned()),
        ("VLLM_NO_USAGE_STATS", "1".to_owned()),
        ("HF_HUB_OFFLINE", "1".to_owned()),
    ];
    match share {
        SamplerShare::Gpu { index, utilization } => {
            arguments.extend(["--dtype", "bfloat16", "--gpu-memory-utilization"].map(str::to_owned));
            arguments.push(format!("{utilization:.2}"));
            environment.push(("CUDA_VISIBLE_DEVICES", index.to_string()));
        }
        SamplerShare::Processors { threads, cache_gib } => {
            // The learner computes in float32 there, and a compiler would take minutes.
            arguments.extend(["--dtype", "float32", "--enforce-eager"].map(str::to_owned));
            environment.push(("VLLM_CPU_KVCACHE_SPACE", cache_gib.to_string()));
            environment.push(("OMP_NUM_THREADS", threads.to_string()));
        }
    }
    let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Engine { name, program, arguments, environment, health }
}

/// Returns the command of the learner.
fn learner(
    program: PathBuf,
    (model, package): (&Path, &Path),
    share: &LearnerShare,
    (port, key): (u16, &str),
    health: Url,
) -> Engine {
    let (model, port) = (model.display().to_string(), port.to_string());
    let arguments = ["-m", package::NAME, "--model", &model, "--host", "127.0.0.1", "--port", &port];
    let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
    let mut environment = vec![
        ("TRAINYARD_LEARNER_TOKEN", key.to_owned()),
        ("PYTHONPATH", package.display().to_string()),
        ("HF_HUB_OFFLINE", "1".to_owned()),
        ("TOKENIZERS_PARALLELISM", "false".to_owned()),
    ];
    match share {
        LearnerShare::Gpu { index, memory } => {
            environment.push(("CUDA_VISIBLE_DEVICES", index.to_string()));
            arguments.extend(["--device".to_owned(), "cuda".to_owned()]);
            arguments.extend(memory.iter().flat_map(|bytes| ["--memory".to_owned(), bytes.to_string()]));
        }
        LearnerShare::Processors { threads } => {
            arguments.extend(["--device", "cpu", "--threads", &threads.to_string()].map(str::to_owned));
        }
    }
    let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Engine { name: "learner".to_owned(), program, arguments, environment, health }
}

/// Returns the configuration of a model in Hugging Face format, and its number of parameters by the size of its weight files.
///
/// # Errors
/// The directory or its configuration cannot be read.
pub(crate) fn read_model(directory: &Path) -> Result<(ModelConfig, u64), EnginesError> {
    let failed = |reason: String| EnginesError::Config { directory: directory.to_owned(), reason };
    let text = fs::read_to_string(directory.join("config.json")).map_err(|error| failed(error.to_string()))?;
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
    Ok(to_hex(&random))
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
    fn keys_are_in_no_argument() {
        let targets = TargetModules::from_names(["q_proj", "o_proj"]).unwrap();
        let share = SamplerShare::Gpu { index: 3, utilization: 0.456 };
        let url: Url = "http://127.0.0.1:1".parse().unwrap();
        let vllm = sampler(
            ("vllm".to_owned(), "python".into()),
            (Path::new("/m"), targets),
            &share,
            (1, "secret"),
            url.clone(),
        );
        let share = LearnerShare::Gpu { index: 3, memory: Some(7) };
        let learner = learner("python".into(), (Path::new("/m"), Path::new("/p")), &share, (2, "secret"), url);
        for engine in [&vllm, &learner] {
            assert!(!engine.arguments.iter().any(|argument| argument.contains("secret")));
            assert!(engine.environment.iter().any(|(_, value)| value == "secret"));
            assert!(engine.environment.contains(&("CUDA_VISIBLE_DEVICES".to_owned(), "3".to_owned())));
        }
        let modules = ["--lora-target-modules", "q_proj", "o_proj", "--dtype"];
        assert!(vllm.arguments.windows(4).any(|arguments| arguments == modules), "{:?}", vllm.arguments);
        assert!(vllm.arguments.ends_with(&["--gpu-memory-utilization".to_owned(), "0.46".to_owned()]));
        assert!(learner.arguments.ends_with(&["--memory".to_owned(), "7".to_owned()]));
    }

    #[test]
    fn parameters_are_counted_by_the_size_of_the_weights() {
        let seedling = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling");
        let (config, counted) = read_model(&seedling).unwrap();
        assert!((500_000..1_200_000).contains(&counted), "{counted}");
        assert!(config.experts.is_none());
        assert!(read_model(Path::new("/nowhere")).unwrap_err().to_string().contains("/nowhere has no config.json"));
    }
}
