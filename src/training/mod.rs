//! What training computes: rollouts and data sets to token sequences, sequences to losses, losses to optimizer steps.
//!
//! Everything here is deterministic and knows neither jobs nor storage; the engine is behind [`Learner`].
//!
//! * reinforcement learning: [`trajectory`] → [`tokenize`] → [`advantage`] → [`rl`] ([`PreparedRl`]) → [`run`] with [`loss`];
//! * supervised fine-tuning: [`source`] → [`dataset`] → [`sft`] ([`PreparedSft`]) → [`run`] with [`SftRows`].

pub mod advantage;
pub mod config;
pub mod dataset;
pub mod drops;
pub mod learner;
pub mod loss;
pub mod packing;
pub mod reward_trend;
pub mod rl;
pub mod run;
pub mod sequences;
pub mod sft;
pub mod source;
pub mod tokenize;
pub mod trajectory;

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod pytorch;

pub use config::{ConfigError, DEFAULT_SFT_LEARNING_RATE, KlReference, LearningRates, RlConfig, SftConfig};
pub use dataset::{DataUse, DatasetError, DatasetLimits};
pub use drops::{DropReason, RolloutReport};
pub use learner::{Learner, LearnerError, OptimizerSettings, TokenScores};
pub use reward_trend::{RewardDeviation, learning_rate_multiplier};
pub use rl::{PreparedRl, RlStatistics, Rollouts};
pub use run::{
    GradientStep, MetricMeans, RunError, RunOutcome, RunSummary, precalculate, run_rl, run_sft, score_reference,
};
pub use sequences::{TrainSequence, TrainSequences};
pub use sft::{PrepareSftError, PreparedSft, SftReader, SftRows, SftTokenizer, prepare_sft};
pub use source::{
    DataSource, DataStream, SourceError, SourceLimits, WANDB_DATA_FILE, WandbArtifact, WandbKey, WandbServer,
};
pub use tokenize::{TextModel, TokenizeError};
pub use trajectory::{History, Trajectory, TrajectoryGroup, read_groups};

/// Longest sequence that is trained, in tokens; a model's own limit may be lower.
pub const MAX_SEQUENCE_LENGTH: usize = 32768;
