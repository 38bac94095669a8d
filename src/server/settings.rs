//! Settings of a process of the service.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::Limits;
use crate::engine::{ChatShare, InstructionSet, WeightFormat};
use crate::learners::LearnerServers;
use crate::store::artifacts::ArtifactLocation;
use crate::store::postgres::DatabaseAddress;
use crate::training::WandbServer;
use crate::vllm::SamplerSettings;

/// Maximum number of engine threads.
pub const MAX_THREADS: usize = 256;
/// Default of [`Settings::response_life`]: 30 days.
const RESPONSE_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Default of [`Settings::cache_bytes`].
const CACHE_BYTES: usize = 2 << 30;

/// Settings of a process.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Directory of the artifacts and of the database, unless the settings below name others.
    pub data_directory: PathBuf,
    /// Address of a PostgreSQL database, which replaces the database in the data directory.
    pub database: Option<DatabaseAddress>,
    /// Location of the artifacts, which replaces the one in the data directory.
    pub artifacts: Option<ArtifactLocation>,
    /// Base models in addition to the built-in one.
    pub base_models: Vec<BaseModelOption>,
    /// URL prefixes from which training data is read, in addition to public `https`.
    pub allow_data: Vec<String>,
    /// W&B server whose data sets can be training data.
    pub wandb: Option<WandbServer>,
    /// Number of engine threads.
    pub threads: usize,
    /// Instruction set of the engine's kernels.
    pub instruction_set: InstructionSet,
    /// Share of the compute time that chat may use while a job trains.
    pub chat_share: ChatShare,
    /// Maximum size of each base model's key-value cache in bytes.
    pub cache_bytes: usize,
    /// Whether the embedded engine drafts the next tokens of text that repeats.
    pub speculates: bool,
    /// Storage format of the base models' weights; `None` for that of the file of a GGUF model, and f32 of others.
    pub weights: Option<WeightFormat>,
    /// Remote learners, which train in place of the engine.
    pub trainers: LearnerServers,
    /// Whether the process that responds to requests also works on jobs.
    pub worker: bool,
    /// Replicas that sample in place of the embedded engine.
    pub samplers: SamplerSettings,
    /// Time for which responses are stored; zero stores none.
    pub response_life: Duration,
    /// Limits of each listener.
    pub limits: Limits,
}

impl Settings {
    /// Returns the default settings of a process with this data directory.
    pub fn new(data_directory: PathBuf) -> Self {
        Self {
            data_directory,
            database: None,
            artifacts: None,
            base_models: Vec::new(),
            allow_data: Vec::new(),
            wandb: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS),
            instruction_set: InstructionSet::best(),
            chat_share: ChatShare::default(),
            cache_bytes: CACHE_BYTES,
            speculates: true,
            weights: None,
            trainers: LearnerServers::default(),
            worker: true,
            samplers: SamplerSettings::default(),
            response_life: RESPONSE_LIFE,
            limits: Limits::default(),
        }
    }
}

/// A base model to serve: its name, and its place unless it is fetched from the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseModelOption {
    /// Name that clients use, `organization/model`.
    pub name: String,
    /// Local directory in Hugging Face format, or GGUF file; `None` fetches `name` from the hub.
    pub path: Option<PathBuf>,
    /// GGUF file of the hub's repository, or its quantisation; `None` for the weights in safetensors, or the only GGUF file.
    pub choice: Option<String>,
}

/// Error of a base model that is named in the wrong form.
#[derive(Debug, thiserror::Error)]
#[error(
    "write NAME=DIR, NAME=FILE.gguf, or NAME of the form organization/model, perhaps with a GGUF file as in \
     organization/model:Q4_K_M"
)]
pub struct BaseModelError;

impl FromStr for BaseModelOption {
    type Err = BaseModelError;

    /// Parses `NAME=DIR`, `NAME=FILE.gguf`, `NAME`, `NAME:FILE.gguf` or `NAME:QUANTISATION`. A name with a path needs no organization, and has `local` without one.
    fn from_str(given: &str) -> Result<Self, BaseModelError> {
        let (name, path, choice) = match (given.split_once('='), given.split_once(':')) {
            (Some((name, path)), _) if !name.contains('/') => (format!("local/{name}"), Some(path), None),
            (Some((name, path)), _) => (name.to_owned(), Some(path), None),
            (None, Some((name, choice))) => (name.to_owned(), None, Some(choice)),
            (None, None) => (given.to_owned(), None, None),
        };
        let well_formed = name.split('/').count() == 2
            && name.split('/').all(|part| !part.is_empty())
            && !name.contains(|c: char| c == ':' || c.is_whitespace() || c.is_control());
        if !well_formed || path == Some("") || choice == Some("") {
            return Err(BaseModelError);
        }
        Ok(Self { name, path: path.map(PathBuf::from), choice: choice.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_models_have_a_name_and_perhaps_a_path() {
        for (given, name, path, choice) in [
            ("a/b=/models/b", "a/b", Some("/models/b"), None),
            ("b=b.gguf", "local/b", Some("b.gguf"), None),
            ("b=c:/b", "local/b", Some("c:/b"), None),
            ("a/b", "a/b", None, None),
            ("a/b:Q4_K_M", "a/b", None, Some("Q4_K_M")),
        ] {
            let parsed: BaseModelOption = given.parse().expect("valid");
            let (path, choice) = (path.map(PathBuf::from), choice.map(str::to_owned));
            assert_eq!(parsed, BaseModelOption { name: name.to_owned(), path, choice });
        }
        for bad in ["a", "a/b=", "/b", "a/b/c", "a/b:c=/d", "=a", "", "a/b:", "a:b"] {
            assert!(bad.parse::<BaseModelOption>().is_err(), "{bad:?}");
        }
    }
}
