//! Division of this machine between vLLM and the learner.

use std::fmt;

const GIB: u64 = 1 << 30;
/// Part of a GPU's memory that the plan gives away.
const USABLE: f64 = 0.95;
/// Memory of vLLM on a GPU beside the weights, at least: its context, captured graphs and a key-value cache.
const SAMPLER: u64 = 3 * GIB;
/// Memory of the learner's process on a GPU beside the weights: its context and libraries.
const LEARNER_CONTEXT: u64 = 3 * GIB / 2;
/// Memory that the learner needs to train with, at least.
const LEARNER: u64 = 2 * GIB;
/// Part of the memory of a GPU that vLLM has to itself which it takes.
const OWN_GPU: f64 = 0.9;

/// A GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gpu {
    /// Number that `CUDA_VISIBLE_DEVICES` takes.
    pub(crate) index: u32,
    /// Name of its model.
    pub(crate) name: String,
    /// Memory in bytes.
    pub(crate) memory: u64,
}

/// Devices of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Devices {
    /// GPUs, at least one.
    Gpus(Vec<Gpu>),
    /// Processors alone.
    Processors {
        /// Number of cores.
        cores: usize,
        /// Memory in bytes.
        memory: u64,
    },
}

/// Part of vLLM in the machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SamplerShare {
    Gpu { index: u32, utilization: f64 },
    Processors { threads: usize, cache_gib: u64 },
}

/// Part of the learner in the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LearnerShare {
    /// `memory` is what it plans with beside the weights; `None` for all that is free.
    Gpu {
        index: u32,
        memory: Option<u64>,
    },
    Processors {
        threads: usize,
    },
}

/// Division of the machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// One for each vLLM server.
    pub(crate) samplers: Vec<SamplerShare>,
    pub(crate) learner: LearnerShare,
}

/// Error of a model that does not fit.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanError {
    #[error(
        "the base model has {} of weights: sampling needs {} and training {}, and {gpu} has {}; use a smaller base model, a \
         second GPU, or servers on other machines (--sampler, --trainer)",
        Gib(*weights), Gib(*sampler), Gib(*learner), Gib(*memory)
    )]
    Gpu { gpu: String, weights: u64, sampler: u64, learner: u64, memory: u64 },
    #[error("the base model has {} of weights, which vLLM and the learner hold once each, and the machine has {} of memory",
        Gib(*weights), Gib(*memory))]
    Processors { weights: u64, memory: u64 },
    #[error(
        "the base model is a mixture of experts, and there is no GPU: beside adapters, vLLM computes experts by Triton; use a \
         GPU, or leave --engine out: the embedded engine computes experts on processors"
    )]
    Experts,
}

/// A number of bytes for people.
struct Gib(u64);

impl fmt::Display for Gib {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} GiB", self.0 as f64 / GIB as f64)
    }
}

impl Plan {
    /// Divides the devices for a model of so many parameters.
    ///
    /// On one GPU both get the memory that they need at least, and half of the rest. With several, the learner has the
    /// last one, and each of the others has a vLLM server.
    ///
    /// # Errors
    /// The model does not fit.
    pub(crate) fn new(devices: &Devices, parameters: u64, has_experts: bool) -> Result<Self, PlanError> {
        match devices {
            Devices::Gpus(gpus) => match &gpus[..] {
                [gpu] => Self::shared(gpu, parameters),
                gpus => Self::separate(gpus, parameters),
            },
            Devices::Processors { .. } if has_experts => Err(PlanError::Experts),
            Devices::Processors { cores, memory } => {
                let weights = 4 * parameters;
                let cache_gib = (memory / GIB / 8).clamp(1, 8);
                if 2 * weights + cache_gib * GIB > *memory {
                    return Err(PlanError::Processors { weights, memory: *memory });
                }
                let threads = (cores / 2).max(1);
                Ok(Self {
                    samplers: vec![SamplerShare::Processors { threads, cache_gib }],
                    learner: LearnerShare::Processors { threads },
                })
            }
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bytes of memory"
    )]
    fn shared(gpu: &Gpu, parameters: u64) -> Result<Self, PlanError> {
        let weights = 2 * parameters;
        let sampler = weights + SAMPLER;
        let learner = weights + LEARNER_CONTEXT + LEARNER;
        let usable = (gpu.memory as f64 * USABLE) as u64;
        let Some(spare) = usable.checked_sub(sampler + learner) else {
            let (gpu, memory) = (gpu.name.clone(), gpu.memory);
            return Err(PlanError::Gpu { gpu, weights, sampler, learner, memory });
        };
        let utilization = (sampler + spare / 2) as f64 / gpu.memory as f64;
        Ok(Self {
            // vLLM reads two decimals well enough; rounding down leaves the other part whole.
            samplers: vec![SamplerShare::Gpu { index: gpu.index, utilization: (utilization * 100.0).floor() / 100.0 }],
            learner: LearnerShare::Gpu { index: gpu.index, memory: Some(LEARNER + spare / 2) },
        })
    }

    fn separate(gpus: &[Gpu], parameters: u64) -> Result<Self, PlanError> {
        let weights = 2 * parameters;
        let (sampler, learner) = (weights + SAMPLER, weights + LEARNER_CONTEXT + LEARNER);
        if let Some(gpu) = gpus.iter().find(|gpu| gpu.memory < sampler.max(learner)) {
            let (gpu, memory) = (gpu.name.clone(), gpu.memory);
            return Err(PlanError::Gpu { gpu, weights, sampler, learner, memory });
        }
        let (last, others) = gpus.split_last().unwrap_or_else(|| unreachable!("there are GPUs"));
        let samplers = others.iter().map(|gpu| SamplerShare::Gpu { index: gpu.index, utilization: OWN_GPU }).collect();
        Ok(Self { samplers, learner: LearnerShare::Gpu { index: last.index, memory: None } })
    }

    /// Describes the plan, one line for each process.
    pub(crate) fn lines(&self) -> Vec<String> {
        let sampler = |share: &SamplerShare| match share {
            SamplerShare::Gpu { index, utilization } => {
                format!("vLLM: GPU {index}, {:.0} % of its memory", utilization * 100.0)
            }
            SamplerShare::Processors { threads, cache_gib } => {
                format!("vLLM: {threads} threads, {cache_gib} GiB of key-value cache")
            }
        };
        let learner = match &self.learner {
            LearnerShare::Gpu { index, memory: Some(memory) } => {
                format!("learner: GPU {index}, {} beside the weights", Gib(*memory))
            }
            LearnerShare::Gpu { index, memory: None } => format!("learner: GPU {index}, all of its memory"),
            LearnerShare::Processors { threads } => format!("learner: {threads} threads"),
        };
        self.samplers.iter().map(sampler).chain([learner]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpus(count: u32, gib: u64) -> Devices {
        let gpu = |index| Gpu { index, name: "a GPU".to_owned(), memory: gib * GIB };
        Devices::Gpus((0..count).map(gpu).collect())
    }

    const BILLION: u64 = 1_000_000_000;

    #[test]
    fn one_gpu_is_shared_and_never_given_away_twice() {
        for (parameters, gib) in [(BILLION / 2, 12), (4 * BILLION, 24), (8 * BILLION, 48), (8 * BILLION, 80)] {
            let plan = Plan::new(&gpus(1, gib), parameters, false).unwrap();
            let [SamplerShare::Gpu { index: 0, utilization }] = &plan.samplers[..] else { panic!("{plan:?}") };
            let LearnerShare::Gpu { index: 0, memory: Some(memory) } = plan.learner else { panic!("{plan:?}") };
            let total = (gib * GIB) as f64;
            let learner = (memory + LEARNER_CONTEXT + 2 * parameters) as f64;
            assert!(utilization * total + learner <= USABLE * total + 1.0, "{plan:?}");
            assert!(utilization * total >= (2 * parameters + SAMPLER) as f64 - total / 100.0, "{plan:?}");
            assert!(memory >= LEARNER, "{plan:?}");
        }
    }

    #[test]
    fn several_gpus_are_divided_between_the_processes() {
        let plan = Plan::new(&gpus(3, 24), 4 * BILLION, false).unwrap();
        let expected = [0, 1].map(|index| SamplerShare::Gpu { index, utilization: OWN_GPU });
        assert_eq!(plan.samplers, expected);
        assert_eq!(plan.learner, LearnerShare::Gpu { index: 2, memory: None });
        assert_eq!(plan.lines().last().unwrap(), "learner: GPU 2, all of its memory");
    }

    #[test]
    fn a_model_that_does_not_fit_is_rejected_with_numbers() {
        let error = Plan::new(&gpus(1, 24), 8 * BILLION, false).unwrap_err().to_string();
        for words in ["14.9 GiB of weights", "sampling needs 17.9 GiB", "training 18.4 GiB", "24.0 GiB"] {
            assert!(error.contains(words), "{error}");
        }
        assert!(Plan::new(&gpus(2, 16), 8 * BILLION, false).is_err());
        let small = Devices::Processors { cores: 8, memory: 16 * GIB };
        assert!(Plan::new(&small, 2 * BILLION, false).unwrap_err().to_string().contains("16.0 GiB of memory"));
    }

    #[test]
    fn processors_are_shared_by_halves() {
        let plan = Plan::new(&Devices::Processors { cores: 16, memory: 64 * GIB }, BILLION / 2, false).unwrap();
        assert_eq!(plan.samplers, [SamplerShare::Processors { threads: 8, cache_gib: 8 }]);
        assert_eq!(plan.learner, LearnerShare::Processors { threads: 8 });
        let small = Devices::Processors { cores: 1, memory: 4 * GIB };
        assert!(Plan::new(&small, 1_000_000, true).unwrap_err().to_string().contains("mixture of experts"));
        assert!(Plan::new(&gpus(1, 24), 1_000_000, true).is_ok());
        let plan = Plan::new(&small, 1_000_000, false).unwrap();
        assert_eq!(plan.learner, LearnerShare::Processors { threads: 1 });
    }
}
