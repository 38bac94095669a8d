//! The trainable state of a job: an adapter or all weights of a model, each with its optimizer.

use std::sync::Arc;

use super::error::JobError;
use super::journal::StateFiles;
use super::worker_parts::WorkerParts;
use crate::engine::full::{FullAdam, FullSession, FullWeights};
use crate::engine::sampler::AdapterEffect;
use crate::engine::{AdamState, Adapter, ComputePool, MemoryPlan, TrainSession, TrainingMethod};
use crate::learners::RemoteLearner;
use crate::models::{Base, Servable};
use crate::store::artifacts::ArtifactId;
use crate::store::records::AdapterArtifacts;
use crate::training::{Learner, LearnerError, Sequence, engine_inputs};

/// Seed of a new adapter's weights.
pub(super) const SEED: u64 = 3407;
/// Maximum size of all weights and their moments for files that are created during training; they are copied for that,
/// in addition to the memory of training.
const MAX_FULL_STATE: usize = 1 << 30;

/// Weights in training and the state of their optimizer.
#[derive(Clone)]
pub(super) enum State {
    Lora { adapter: Adapter, adam: AdamState },
    Full { weights: FullWeights, adam: FullAdam },
}

impl State {
    /// Reads a state. Without files it is that of a new model; without a state of the optimizer, the moments are zero.
    pub(super) async fn read(
        parts: &WorkerParts,
        base: &Arc<Base>,
        method: TrainingMethod,
        files: Option<&AdapterArtifacts>,
        optimizer: Option<ArtifactId>,
    ) -> Result<Self, JobError> {
        let optimizer = match optimizer {
            Some(state) => Some(parts.artifacts.get(state).await?),
            None => None,
        };
        let config = &base.config;
        match method {
            TrainingMethod::Lora(options) => {
                let adapter = match files {
                    Some(files) => parts.catalog.load_adapter(base, files).await?,
                    None => Adapter::new(config, &options, SEED),
                };
                Self::lora(adapter, optimizer.as_deref())
            }
            TrainingMethod::Full => {
                Self::full(parts.catalog.load_weights(base, files).await?, base, optimizer.as_deref())
            }
        }
    }

    fn lora(adapter: Adapter, optimizer: Option<&[u8]>) -> Result<Self, JobError> {
        let adam = match optimizer {
            Some(bytes) => AdamState::from_bytes(bytes, &adapter)?,
            None => AdamState::new(&adapter),
        };
        Ok(Self::Lora { adapter, adam })
    }

    fn full(weights: FullWeights, base: &Base, optimizer: Option<&[u8]>) -> Result<Self, JobError> {
        let adam = match optimizer {
            Some(bytes) => FullAdam::from_bytes(bytes, &base.config)?,
            None => FullAdam::new(&base.config),
        };
        Ok(Self::Full { weights, adam })
    }

    /// Reads the state that [`Self::files`] wrote; without a state of the optimizer, the moments are zero.
    pub(super) fn from_files(
        base: &Base,
        method: TrainingMethod,
        files: &StateFiles,
        with_optimizer: bool,
    ) -> Result<Self, JobError> {
        let (config, optimizer) = (&base.config, with_optimizer.then_some(&*files.optimizer));
        match method {
            TrainingMethod::Lora(_) => {
                let adapter = Adapter::from_peft(config, &files.config, &files.weights);
                Self::lora(adapter.map_err(|error| JobError::State(error.to_string()))?, optimizer)
            }
            TrainingMethod::Full => {
                let weights = FullWeights::read(config, &[("checkpoint", &files.weights)]);
                Self::full(weights.map_err(|error| JobError::State(error.to_string()))?, base, optimizer)
            }
        }
    }

    /// Creates the files of the state.
    pub(super) fn files(self, base: &Base) -> StateFiles {
        let config = &base.config;
        match self {
            Self::Lora { adapter, adam } => {
                let files = adapter.to_peft(base.name(), config);
                StateFiles {
                    config: files.adapter_config_json,
                    weights: files.adapter_model_safetensors,
                    optimizer: adam.to_bytes(),
                }
            }
            Self::Full { weights, adam } => {
                let bytes = weights.to_bytes();
                drop(weights); // Freed before the larger file is created.
                StateFiles { config: base.checkpoint_config(), weights: bytes, optimizer: adam.to_bytes(config) }
            }
        }
    }
}

/// The session that trains a [`State`].
pub(super) enum Trainer {
    Lora(Box<TrainSession>),
    Full(Box<FullSession>),
    Remote(Box<RemoteLearner>),
}

impl Trainer {
    /// Creates a trainer in this process that starts from a state.
    ///
    /// # Errors
    /// The memory is insufficient, or the base model's weights are not here.
    pub(super) fn new(pool: &Arc<ComputePool>, base: &Base, state: State) -> Result<Self, JobError> {
        let frozen = base.weights()?;
        Ok(match state {
            State::Lora { adapter, adam } => {
                Self::Lora(Box::new(TrainSession::new(pool.clone(), frozen.clone(), adapter, adam)))
            }
            State::Full { weights, adam } => {
                Self::Full(Box::new(FullSession::new(pool.clone(), weights, adam, frozen.format)?))
            }
        })
    }

    /// Plans the memory of training on these sequences in one call. There is no plan of a remote learner's memory.
    ///
    /// # Errors
    /// The call does not fit.
    pub(super) fn plan(&self, sequences: &[Sequence<'_>]) -> Result<Option<MemoryPlan>, JobError> {
        let plan = match self {
            Self::Lora(session) => session.plan(&engine_inputs(sequences), true),
            Self::Full(session) => session.plan(&engine_inputs(sequences), true),
            // It has a plan of its own memory.
            Self::Remote(learner) => {
                learner.check_memory(sequences).map_err(|error| JobError::Learner(error.into()))?;
                return Ok(None);
            }
        };
        Ok(Some(plan.map_err(JobError::Plan)?))
    }

    /// Returns the size of the state's files in bytes.
    fn bytes(&self) -> usize {
        // Weights and two moments of each.
        3 * match self {
            Self::Lora(session) => session.adapter().bytes(),
            Self::Full(session) => session.weights().parameters() * size_of::<f32>(),
            Self::Remote(learner) => learner.adapter_bytes(),
        }
    }

    /// Returns the state after the last step, if it may be copied and `wanted` accepts its size in bytes.
    pub(super) fn state(&self, wanted: impl FnOnce(usize) -> bool) -> Result<Option<State>, LearnerError> {
        if !wanted(self.bytes()) {
            return Ok(None);
        }
        Ok(match self {
            Self::Lora(session) => {
                Some(State::Lora { adapter: session.adapter().clone(), adam: session.adam().clone() })
            }
            Self::Full(_) if self.bytes() > MAX_FULL_STATE => None,
            Self::Full(session) => {
                Some(State::Full { weights: session.weights().clone(), adam: session.adam().clone() })
            }
            Self::Remote(learner) => {
                let (adapter, adam) = learner.state()?;
                Some(State::Lora { adapter, adam })
            }
        })
    }

    /// Returns the session as a learner.
    pub(super) fn learner(&mut self) -> &mut dyn Learner {
        match self {
            Self::Lora(session) => &mut **session,
            Self::Full(session) => &mut **session,
            Self::Remote(learner) => &mut **learner,
        }
    }

    /// Returns the effect of the adapter in training on the text that it changes most; `None` without an adapter or a text.
    /// The engine scores the base model.
    ///
    /// # Errors
    /// The trainer fails, or the base model's weights are not here.
    pub(super) fn effect(
        &mut self,
        pool: &Arc<ComputePool>,
        base: &Base,
        texts: &[Vec<u32>],
    ) -> Result<Option<AdapterEffect>, LearnerError> {
        let texts: Vec<&Vec<u32>> = texts.iter().filter(|tokens| tokens.len() > 1).collect();
        let scored: Vec<Vec<bool>> =
            texts.iter().map(|tokens| (0..tokens.len()).map(|position| position > 0).collect()).collect();
        let sequences: Vec<Sequence<'_>> =
            texts.iter().zip(&scored).map(|(tokens, scored)| Sequence { tokens, scored }).collect();
        let (with, without) = match self {
            _ if sequences.is_empty() => return Ok(None),
            Self::Full(_) => return Ok(None),
            Self::Lora(session) => {
                let with = Learner::score(&mut **session, &sequences)?;
                (with, Learner::score(&mut base_session(pool, base)?, &sequences)?)
            }
            Self::Remote(learner) => (learner.score(&sequences)?, learner.score_base(&sequences)?),
        };
        let scores = texts.iter().zip(with).zip(without);
        let effects =
            scores.map(|((tokens, with), without)| AdapterEffect::of(tokens, &with.logprobs, &without.logprobs));
        Ok(effects.max_by(|one, other| one.size().total_cmp(&other.size())))
    }

    /// Ends training; returns the state after the last step, and the weights to serve.
    ///
    /// # Errors
    /// A remote learner is lost.
    pub(super) fn finish(self) -> Result<(State, Servable), LearnerError> {
        let lora = |adapter: Adapter, adam| {
            let servable = Servable::Adapter(Arc::new(adapter.clone()));
            (State::Lora { adapter, adam }, servable)
        };
        Ok(match self {
            Self::Lora(session) => {
                let (adapter, adam) = session.into_parts();
                lora(adapter, adam)
            }
            Self::Remote(learner) => {
                let (adapter, adam) = learner.state()?;
                lora(adapter, adam)
            }
            Self::Full(session) => {
                let (weights, packed, adam) = session.into_parts();
                (State::Full { weights, adam }, Servable::Weights(packed))
            }
        })
    }
}

/// Returns a session of the engine that scores the base model.
fn base_session(pool: &Arc<ComputePool>, base: &Base) -> Result<TrainSession, LearnerError> {
    let weights = base.weights().map_err(|error| LearnerError::Failed(error.into()))?;
    let adapter = Adapter::none(&weights.config);
    let adam = AdamState::new(&adapter);
    Ok(TrainSession::new(pool.clone(), weights.clone(), adapter, adam))
}
