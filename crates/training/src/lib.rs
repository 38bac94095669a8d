//! Computations of training: rollouts and data sets to token sequences, sequences to losses, losses to optimizer steps.
//!
//! This module is deterministic and independent of jobs and storage; the engine is behind [`Learner`].
//!
//! * reinforcement learning: [`trajectory`] → [`tokenize`] → [`advantage`] → [`rl`] ([`PreparedRl`]) → [`run`] with [`loss`];
//! * supervised fine-tuning: [`source`] → [`dataset`] → [`sft`] ([`PreparedSft`]) → [`run`] with `sft::SftRows`.

mod advantage;
mod config;
mod dataset;
mod distribution;
mod drops;
#[cfg(any(test, feature = "engine"))]
mod embedded;
mod learner;
mod loss;
mod packing;
mod reward_trend;
mod rl;
mod rollout_index;
mod run;
mod sequences;
mod sft;
mod source;
mod tokenize;
mod trajectory;

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

pub use config::{
    ConfigError, DEFAULT_SFT_LEARNING_RATE, KlReference, LearningRates, MAX_LEARNING_RATE, RlConfig, SftConfig,
};
pub use dataset::{DataUse, DatasetError, DatasetLimits};
#[cfg(feature = "engine")]
pub use embedded::engine_inputs;
pub use learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};
pub use reward_trend::learning_rate_multiplier;
pub use rl::{GroupAdvantages, MAX_SAMPLER_MISMATCH, PreparedRl, Remark, Rollouts, inspect_trajectory};
pub use rollout_index::{GroupEntry, IndexEnd, IndexError, IndexReader, IndexWriter, MAX_TRAJECTORIES};
pub use run::{
    GradientStep, MetricMeans, OnStep, RunError, RunOutcome, largest_call, precalculate, run_rl, run_sft,
    score_reference,
};
pub use sequences::TrainSequence;
pub use sft::{PrepareSftError, PreparedSft, SftReader, SftTokenizer, prepare_sft};
pub use source::{
    DataSource, PrefixError, SourceError, SourceLimits, WANDB_DATA_FILE, WandbArtifact, WandbKey, WandbServer,
};
pub use tokenize::TextModel;
pub use trajectory::{Trajectory, TrajectoryGroup, read_group, read_groups, read_trajectory};

/// Token limit of a trained sequence; a model's own limit may be lower.
pub const MAX_SEQUENCE_LENGTH: usize = 32768;
