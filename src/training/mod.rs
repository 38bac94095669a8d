//! Computations of training: rollouts and data sets to token sequences, sequences to losses, losses to optimizer steps.
//!
//! This module is deterministic and independent of jobs and storage; the engine is behind [`Learner`].
//!
//! * reinforcement learning: [`trajectory`] → [`tokenize`] → [`advantage`] → [`rl`] ([`PreparedRl`]) → [`run`] with [`loss`];
//! * supervised fine-tuning: [`source`] → [`dataset`] → [`sft`] ([`PreparedSft`]) → [`run`] with [`SftRows`].

pub(crate) mod advantage;
pub(crate) mod config;
pub(crate) mod dataset;
pub(crate) mod distribution;
pub(crate) mod drops;
pub(crate) mod learner;
pub(crate) mod loss;
pub(crate) mod packing;
pub(crate) mod reward_trend;
pub(crate) mod rl;
pub(crate) mod rollout_index;
pub(crate) mod run;
pub(crate) mod sequences;
pub(crate) mod sft;
pub(crate) mod source;
pub(crate) mod tokenize;
pub(crate) mod trajectory;

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

pub(crate) use config::{
    ConfigError, DEFAULT_SFT_LEARNING_RATE, KlReference, LearningRates, MAX_LEARNING_RATE, RlConfig, SftConfig,
};
pub(crate) use dataset::{DataUse, DatasetError, DatasetLimits};
pub(crate) use learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};
pub(crate) use reward_trend::learning_rate_multiplier;
pub(crate) use rl::{GroupAdvantages, MAX_SAMPLER_MISMATCH, PreparedRl, Remark, Rollouts, inspect_trajectory};
pub(crate) use rollout_index::{GroupEntry, IndexEnd, IndexError, IndexReader, IndexWriter, MAX_TRAJECTORIES};
pub(crate) use run::{GradientStep, MetricMeans, RunError, RunOutcome, precalculate, run_rl, run_sft, score_reference};
pub(crate) use sequences::TrainSequence;
pub(crate) use sft::{PrepareSftError, PreparedSft, SftReader, SftTokenizer, prepare_sft};
pub(crate) use source::{DataSource, SourceError, SourceLimits, WANDB_DATA_FILE, WandbArtifact};
pub use source::{WandbKey, WandbServer};
pub(crate) use tokenize::TextModel;
pub(crate) use trajectory::{Trajectory, TrajectoryGroup, read_group, read_groups, read_trajectory};

/// Token limit of a trained sequence; a model's own limit may be lower.
pub(crate) const MAX_SEQUENCE_LENGTH: usize = 32768;
