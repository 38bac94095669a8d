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
    /// The engine of an earlier version, whose products with weights of this number format add in another order.
    EarlierEngine(WeightFormat),
    /// A remote learner.
    Learner,
}

/// The stored spelling of [`TrainerKind::Learner`].
const LEARNER: &str = "learner";

impl TrainerKind {
    /// Returns the number format of the engine's weights.
    pub fn weights(self) -> Option<WeightFormat> {
        match self {
            Self::Engine(format) | Self::EarlierEngine(format) => Some(format),
            Self::Learner => None,
        }
    }

    /// Returns the stored spelling: a number format is followed by the number of its order, unless that is the first.
    pub(crate) fn stored(self) -> String {
        match self {
            Self::Engine(format) if format.order() > 1 => format!("{format}/{}", format.order()),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for TrainerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(format) | Self::EarlierEngine(format) => format.fmt(f),
            Self::Learner => f.write_str(LEARNER),
        }
    }
}

impl FromStr for TrainerKind {
    type Err = UnknownKind;

    /// Reads the stored spelling.
    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        if text == LEARNER {
            return Ok(Self::Learner);
        }
        let (format, order) = text.split_once('/').unwrap_or((text, "1"));
        let format: WeightFormat = format.parse().map_err(|_| UnknownKind)?;
        match order.parse::<u32>() {
            Ok(order) if order == format.order() => Ok(Self::Engine(format)),
            Ok(1) => Ok(Self::EarlierEngine(format)),
            _ => Err(UnknownKind),
        }
    }
}

/// Returns an object with the stored spelling of each base model's trainer, as JSON text.
pub(crate) fn trainers_json(trainers: &BTreeMap<String, TrainerKind>) -> String {
    let kinds: serde_json::Map<String, serde_json::Value> =
        trainers.iter().map(|(base, kind)| (base.clone(), kind.stored().into())).collect();
    serde_json::Value::Object(kinds).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        let engines = WeightFormat::ALL.into_iter().map(TrainerKind::Engine);
        for kind in engines.chain([TrainerKind::Learner, TrainerKind::EarlierEngine(WeightFormat::Int8)]) {
            assert_eq!(kind.stored().parse(), Ok(kind));
        }
        assert_eq!("f32".parse(), Ok(TrainerKind::Engine(WeightFormat::F32)));
        for unknown in ["f64", "bf16/3", "bf16/", "f32/2"] {
            assert_eq!(unknown.parse::<TrainerKind>(), Err(UnknownKind), "{unknown}");
        }
        assert_eq!(RemoteSampler::Vllm.as_str().parse(), Ok(RemoteSampler::Vllm));
        assert_eq!("".parse::<RemoteSampler>(), Err(UnknownKind));
    }
}
