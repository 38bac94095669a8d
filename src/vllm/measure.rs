//! Measurement of a replica beside the embedded engine, apart from a running sampler.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use super::adapters::adapter_name;
use super::check::{Expected, Refusal, check, generate, greedy, mean_difference, text_logprobs};
use super::client::{self, KeyFile, ReplicaClient};
use super::replica::Replica;
use super::wire::SamplingParams;
use super::{Endpoint, SamplerSettings, VllmError};
use crate::engine::sampler::AdapterHash;

/// Samples at once while the speed is measured.
const SAMPLES: usize = 8;
/// Tokens of each of them, if the context has room.
const TOKENS: usize = 64;
/// Difference from an adapter's log-probabilities that rounding explains, in nats.
const ROUNDING: f32 = 0.02;

/// An adapter for the measurement.
pub(crate) struct KnownAdapter {
    /// Hashes of its files.
    pub hash: AdapterHash,
    /// Directory with its files.
    pub directory: Arc<Path>,
    /// Log-probabilities of the known text's tokens with it, by the embedded engine.
    pub logprobs: Vec<f32>,
}

/// Figures of a replica that can be used. Differences are means over the tokens of a known text, in nats, from the embedded
/// engine.
#[derive(Debug)]
pub(crate) struct ReplicaFigures {
    /// Version of vLLM.
    pub version: String,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
    /// Difference under the base model.
    pub base_difference: f32,
    /// Difference under the adapter.
    pub adapter_difference: f32,
    /// Time to load the adapter.
    pub adapter_load: Duration,
    /// Sampled tokens for each second, of all samples at once.
    pub tokens_per_second: f64,
    /// Number of samples at once.
    pub samples: usize,
    /// Log-probabilities under the adapter.
    pub logprobs: Vec<f32>,
}

/// A replica's name, and its figures or the reason not to use it.
pub(crate) type Measured = (String, Result<ReplicaFigures, String>);

/// Checks and measures the replicas of a base model, one after the other.
///
/// # Errors
/// The key of the replicas cannot be read.
pub(crate) async fn measure(
    endpoints: &[Endpoint],
    settings: &SamplerSettings,
    expected: &Expected,
    adapter: &KnownAdapter,
) -> Result<Vec<Measured>, VllmError> {
    let key = Arc::new(KeyFile::new(settings.key_file.clone()));
    key.refresh().map_err(VllmError::Key)?;
    let http = client::http()?;
    let mut measured = Vec::new();
    for endpoint in endpoints {
        let addresses = match endpoint.addresses().await {
            Ok(addresses) => addresses,
            Err(error) => {
                measured.push((endpoint.to_string(), Err(format!("its addresses cannot be looked up: {error}"))));
                continue;
            }
        };
        for url in addresses {
            let replica = Replica::new(ReplicaClient::new(http.clone(), url, key.clone()));
            let figures = figures(&replica, expected, adapter, settings.timing.control).await;
            measured.push((replica.name, figures.map_err(|refusal| refusal.to_string())));
        }
    }
    Ok(measured)
}

async fn figures(
    replica: &Replica,
    expected: &Expected,
    adapter: &KnownAdapter,
    limit: Duration,
) -> Result<ReplicaFigures, Refusal> {
    let client = &replica.client;
    let passed = check(client, expected, limit).await?;
    let (tokens, base_logprobs) = &expected.reference;
    let name = adapter_name(&adapter.hash);
    let started = Instant::now();
    replica.ensure_adapter(&name, &adapter.directory).await.map_err(Refusal::AdapterLoad)?;
    let adapter_load = started.elapsed();
    let logprobs = text_logprobs(client, &name, tokens).await?;
    let difference = mean_difference(&logprobs, &adapter.logprobs);
    let effect = mean_difference(&adapter.logprobs, base_logprobs);
    // A replica without the adapter differs by its whole effect. Not a number is no agreement.
    if difference.is_nan() || difference > effect / 2.0 + ROUNDING {
        return Err(Refusal::Adapter { effect, difference });
    }
    let count = TOKENS.min(passed.context.saturating_sub(tokens.len())).max(1);
    let started = Instant::now();
    let sample = || generate(client, &name, tokens, SamplingParams::new(&greedy(), count));
    try_join_all((0..SAMPLES).map(|_| sample())).await?;
    let tokens_per_second = (SAMPLES * count) as f64 / started.elapsed().as_secs_f64();
    Ok(ReplicaFigures {
        version: passed.version,
        context: passed.context,
        base_difference: passed.difference,
        adapter_difference: difference,
        adapter_load,
        tokens_per_second,
        samples: SAMPLES,
        logprobs,
    })
}
