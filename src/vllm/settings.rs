//! Settings of the samplers of a process.

use std::path::PathBuf;
use std::time::Duration;

use super::SamplerOption;

/// Default of [`SamplerSettings::in_flight`]: twice the number of sequences that vLLM runs at once by default on most
/// machines.
const DEFAULT_IN_FLIGHT: usize = 512;
/// Default of [`SamplerSettings::adapter_keep`].
const ADAPTER_KEEP: Duration = Duration::from_secs(24 * 3600);

/// Replicas of the base models, and how they are used.
#[derive(Debug, Clone)]
pub struct SamplerSettings {
    /// Replicas by base model. A base model without any is sampled by the embedded engine.
    pub replicas: Vec<SamplerOption>,
    /// File with the bearer token of the replicas.
    pub key_file: Option<PathBuf>,
    /// Directory of adapters that replicas read under the same path; `None` is one in the data directory.
    pub adapter_directory: Option<PathBuf>,
    /// Time for which an adapter's directory is kept after its last use.
    pub adapter_keep: Duration,
    /// Maximum number of samples at one replica.
    pub in_flight: usize,
    /// Intervals and time limits.
    pub timing: Timing,
}

impl Default for SamplerSettings {
    fn default() -> Self {
        Self {
            replicas: Vec::new(),
            key_file: None,
            adapter_directory: None,
            adapter_keep: ADAPTER_KEEP,
            in_flight: DEFAULT_IN_FLIGHT,
            timing: Timing::default(),
        }
    }
}

/// Intervals and time limits of a sampler.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Interval at which a replica's state is read.
    pub interval: Duration,
    /// Interval at which the check of a rejected replica is repeated.
    pub recheck: Duration,
    /// Time limit of a call that reads a replica's state.
    pub control: Duration,
    /// Interval at which a DNS name is looked up.
    pub lookup: Duration,
    /// Maximum time until a sample's first token.
    pub first_token: Duration,
    /// Maximum time between two tokens of a sample.
    pub token_gap: Duration,
    /// Maximum time that a sample waits while no replica is ready.
    pub away: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(2),
            recheck: Duration::from_secs(10),
            control: Duration::from_secs(2),
            lookup: Duration::from_secs(5),
            first_token: Duration::from_secs(300),
            token_gap: Duration::from_secs(30),
            away: Duration::from_secs(10),
        }
    }
}
