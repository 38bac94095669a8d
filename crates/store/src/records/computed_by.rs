//! Kinds of samplers and trainers that a job depends on.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::spelled::{UnknownKind, spelled};
use trainyard_model_options::WeightFormat;

spelled! {
    /// Kind of a sampler in other processes.
    pub enum RemoteSampler {
        /// vLLM servers.
        Vllm = "vllm",
    }
}

/// Kind of the trainer of a job. Every attempt at it has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainerKind {
    /// The engine of this program, with weights of this number format.
    Engine(WeightFormat),
    /// A remote learner.
    Learner,
}

/// The stored spelling of [`TrainerKind::Learner`].
const LEARNER: &str = "learner";

impl TrainerKind {
    /// Returns the number format of the engine's weights.
    pub fn weights(self) -> Option<WeightFormat> {
        match self {
            Self::Engine(format) => Some(format),
            Self::Learner => None,
        }
    }
}

impl fmt::Display for TrainerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(format) => format.fmt(f),
            Self::Learner => f.write_str(LEARNER),
        }
    }
}

impl FromStr for TrainerKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        if text == LEARNER {
            return Ok(Self::Learner);
        }
        text.parse().map(Self::Engine).map_err(|_| UnknownKind)
    }
}

/// Returns an object with the stored spelling of each base model's trainer, as JSON text.
pub(crate) fn trainers_json(trainers: &BTreeMap<String, TrainerKind>) -> String {
    let kinds: serde_json::Map<String, serde_json::Value> =
        trainers.iter().map(|(base, kind)| (base.clone(), kind.to_string().into())).collect();
    serde_json::Value::Object(kinds).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in [TrainerKind::Learner, TrainerKind::Engine(WeightFormat::Bf16)] {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!("f64".parse::<TrainerKind>(), Err(UnknownKind));
        assert_eq!(RemoteSampler::Vllm.as_str().parse(), Ok(RemoteSampler::Vllm));
        assert_eq!("".parse::<RemoteSampler>(), Err(UnknownKind));
    }
}
