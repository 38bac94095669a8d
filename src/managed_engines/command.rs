//! Commands of the engines: their arguments, and their environment with the keys.

use std::path::{Path, PathBuf};

use reqwest::Url;

use super::plan::{LearnerShare, SamplerShare};
use super::supervisor::Engine;
use crate::engine::TargetModules;
use crate::learners::package;

/// Arguments of every vLLM server. It keeps 8 adapters on the device, and 64 in memory.
const VLLM: &str = "--served-model-name base --host 127.0.0.1 --enable-scale-out --enable-lora --max-loras 8 \
                    --max-cpu-loras 64 --max-lora-rank 64 --structured-outputs-config {\"backend\":\"guidance\"} \
                    --generation-config vllm --disable-uvicorn-access-log";

/// Model, port and key of an engine that is to be started.
pub(super) struct EngineServer<'a> {
    /// Name for the log.
    pub(super) name: String,
    pub(super) python: PathBuf,
    pub(super) model: &'a Path,
    pub(super) port: u16,
    pub(super) key: &'a str,
}

impl EngineServer<'_> {
    pub(super) fn address(&self) -> Url {
        let address = format!("http://127.0.0.1:{}", self.port);
        Url::parse(&address).unwrap_or_else(|_| unreachable!("a URL"))
    }

    /// Returns the command of a vLLM server.
    pub(super) fn sampler(self, targets: TargetModules, share: &SamplerShare) -> Engine {
        let (model, port) = (self.model.display().to_string(), self.port.to_string());
        let arguments = ["-m", "vllm.entrypoints.openai.api_server", "--model", &model, "--port", &port];
        let mut arguments: Vec<String> = arguments.into_iter().chain(VLLM.split(' ')).map(str::to_owned).collect();
        // Without the head: the engine of vLLM's CPU build ends when a request for log-probabilities of the prompt runs beside
        // another one and the head may have an adapter. Without the experts, which have no adapters.
        arguments.push("--lora-target-modules".to_owned());
        arguments.extend(targets.names().map(str::to_owned));
        let mut environment = vec![
            ("VLLM_API_KEY", self.key.to_owned()),
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
        self.engine(arguments, environment)
    }

    /// Returns the command of the learner, whose package is in a directory.
    pub(super) fn learner(self, package: &Path, share: &LearnerShare) -> Engine {
        let (model, port) = (self.model.display().to_string(), self.port.to_string());
        let arguments = ["-m", package::NAME, "--model", &model, "--host", "127.0.0.1", "--port", &port];
        let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
        let mut environment = vec![
            ("TRAINYARD_LEARNER_TOKEN", self.key.to_owned()),
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
        self.engine(arguments, environment)
    }

    fn engine(self, arguments: Vec<String>, environment: Vec<(&str, String)>) -> Engine {
        let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut health = self.address();
        health.set_path("/health");
        Engine { name: self.name, program: self.python, arguments, environment, health }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_no_argument() {
        let targets = TargetModules::from_names(["q_proj", "o_proj"]).unwrap();
        let share = SamplerShare::Gpu { index: 3, utilization: 0.456 };
        let server = |name: &str| EngineServer {
            name: name.to_owned(),
            python: "python".into(),
            model: Path::new("/m"),
            port: 1,
            key: "secret",
        };
        let vllm = server("vllm").sampler(targets, &share);
        let share = LearnerShare::Gpu { index: 3, memory: Some(7) };
        let learner = server("learner").learner(Path::new("/p"), &share);
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
}
