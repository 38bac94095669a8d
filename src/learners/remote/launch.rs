//! How a learner is started: its program, its resources and its limits of time.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::ValueEnum;

/// Element type of the base model's weights in a learner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum LearnerDtype {
    /// float32 on a processor, bfloat16 on a GPU.
    #[default]
    Auto,
    /// 32 bits.
    Float32,
    /// 16 bits, with the exponent of float32.
    BFloat16,
    /// 16 bits of IEEE 754.
    Float16,
}

impl LearnerDtype {
    /// Returns the name that the learner knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Float32 => "float32",
            Self::BFloat16 => "bfloat16",
            Self::Float16 => "float16",
        }
    }
}

/// Directories of base models on the machines of the learners, where they differ from the worker's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directories {
    by_base: BTreeMap<String, String>,
    of_others: Option<String>,
}

impl Directories {
    /// Reads `DIR`, for every base model, or `BASE=DIR`, for one of them.
    pub fn parse(given: &[String]) -> Self {
        let mut directories = Self::default();
        for given in given {
            match given.split_once('=') {
                Some((base, directory)) => {
                    directories.by_base.insert(base.to_owned(), directory.to_owned());
                }
                None => directories.of_others = Some(given.clone()),
            }
        }
        directories
    }

    pub(super) fn of(&self, base: &str) -> Option<&str> {
        self.by_base.get(base).or(self.of_others.as_ref()).map(String::as_str)
    }
}

/// Program and resources of the learners that a worker starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchOptions {
    /// Number of GPUs of a learner.
    pub gpus: u32,
    /// Element type of the base model's weights.
    pub dtype: LearnerDtype,
    /// Python interpreter on the machines of the cluster, which has torch, transformers and PEFT.
    pub python: String,
    /// Time after which a learner without a call ends.
    pub idle: Duration,
    /// Directories of the base models on those machines.
    pub directories: Directories,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            gpus: 1,
            dtype: LearnerDtype::Auto,
            python: "python".to_owned(),
            idle: Duration::from_secs(600),
            directories: Directories::default(),
        }
    }
}

impl LaunchOptions {
    /// Returns the command of a learner for a shell.
    pub(super) fn entrypoint(&self, directory: &str) -> String {
        let torchrun = format!(" -m torch.distributed.run --standalone --nproc-per-node {}", self.gpus);
        let ranks = if self.gpus > 1 { torchrun.as_str() } else { "" };
        let device = if self.gpus == 0 { " --device cpu" } else { "" };
        format!(
            "exec {}{ranks} -m trainyard_learner --model {} --dtype {}{device} --host auto --idle {}",
            quoted(&self.python),
            quoted(directory),
            self.dtype.name(),
            self.idle.as_secs()
        )
    }
}

/// Returns a text as one word of a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_survives_the_shell() {
        let options = LaunchOptions { gpus: 0, python: "/opt/a b/python".to_owned(), ..LaunchOptions::default() };
        assert_eq!(
            options.entrypoint("/models/it's"),
            r"exec '/opt/a b/python' -m trainyard_learner --model '/models/it'\''s' --dtype auto --device cpu --host auto --idle 600"
        );
        let options = LaunchOptions { gpus: 4, ..LaunchOptions::default() };
        assert!(
            options
                .entrypoint("/m")
                .starts_with("exec python -m torch.distributed.run --standalone --nproc-per-node 4 -m")
        );
    }

    #[test]
    fn a_directory_is_that_of_its_base_model_or_of_all_others() {
        let directories = Directories::parse(&["/models".to_owned(), "a/b=/mnt/b".to_owned()]);
        assert_eq!((directories.of("a/b"), directories.of("c/d")), (Some("/mnt/b"), Some("/models")));
        assert_eq!(Directories::default().of("a/b"), None);
    }
}
