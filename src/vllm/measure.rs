//! Measurement of a replica beside the embedded engine, apart from a running sampler.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use super::adapters::adapter_name;
use super::check::{Expected, Rejection, check, mean_difference, rejected};
use super::client::{self, KeyFile, ReplicaClient};
use super::generator::{Generator, greedy};
use super::loads::AdapterFault;
use super::replica::{Known, Replica};
use super::request::SamplingParams;
use super::{Endpoint, SamplerSettings, VllmError};
use crate::engine::sampler::{AdapterEffect, AdapterHash};

/// Samples at once while the speed is measured.
const SAMPLES: usize = 8;
/// Tokens of each of them, if the context has room.
const TOKENS: usize = 64;
/// An adapter for the measurement.
pub(crate) struct KnownAdapter {
    /// Hashes of its files.
    pub hash: AdapterHash,
    /// Directory with its files.
    pub directory: Arc<Path>,
    /// Log-probabilities of the known text's tokens with it and without it, in training; `None` if it was not trained.
    pub logprobs: Option<(Vec<f32>, Vec<f32>)>,
}

/// Figures of a replica that can be used. Differences are means over the tokens of a known text, in nats.
#[derive(Debug)]
pub(crate) struct ReplicaFigures {
    /// Version of vLLM.
    pub version: String,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
    /// Path of the operation that generates tokens.
    pub interface: &'static str,
    /// Whether it has operations for developers, which no key protects.
    pub is_open: bool,
    /// Difference from the embedded engine under the base model; `None` without its weights.
    pub base_difference: Option<f32>,
    /// Difference from training under the adapter; `None` if nothing was trained.
    pub adapter_difference: Option<f32>,
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

/// Checks and measures the replicas of a base model, one after the other. Without the weights, they are compared with those
/// before them.
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
    let mut peers = Vec::new();
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
            let figures = figures(&replica, expected, &mut peers, adapter, settings.timing.control).await;
            measured.push((replica.name, figures.map_err(|rejection| rejection.to_string())));
        }
    }
    Ok(measured)
}

async fn figures(
    replica: &Replica,
    expected: &Expected,
    peers: &mut Vec<(String, Vec<f32>)>,
    adapter: &KnownAdapter,
    limit: Duration,
) -> Result<ReplicaFigures, Rejection> {
    let client = &replica.client;
    let passed = check(client, expected, peers, limit).await?;
    peers.push((replica.name.clone(), passed.logprobs));
    let (interface, base) = (passed.interface, passed.base.clone());
    *replica.known() = Known { base: base.clone(), interface, ..Known::default() };
    let generator = Generator::for_checks(client, interface);
    let (tokens, positions) = (&expected.text, (1..expected.text.len()).collect::<Vec<usize>>());
    let name = adapter_name(&adapter.hash);
    let effect = adapter.logprobs.as_ref().map(|(with, without)| AdapterEffect::of(tokens, with, without));
    let loaded = replica.ensure_adapter(&name, &adapter.directory, effect.as_ref()).await;
    loaded.map_err(|fault| match fault {
        AdapterFault::Call(error) => Rejection::AdapterLoad(error),
        AdapterFault::Wrong(reason) => Rejection::Adapter(reason),
    })?;
    let adapter_load = Duration::from_secs_f64(replica.adapters.seconds());
    let logprobs = generator.logprobs(&name, tokens, &positions).await.map_err(rejected)?;
    let difference = adapter.logprobs.as_ref().map(|(with, _)| mean_difference(&logprobs, with));
    let count = TOKENS.min(passed.context.saturating_sub(tokens.len())).max(1);
    let started = Instant::now();
    let sample = || generator.generate(&name, tokens, SamplingParams::new(&greedy(), count));
    try_join_all((0..SAMPLES).map(|_| sample())).await.map_err(rejected)?;
    let tokens_per_second = (SAMPLES * count) as f64 / started.elapsed().as_secs_f64();
    Ok(ReplicaFigures {
        version: passed.version,
        context: passed.context,
        interface: interface.path(),
        is_open: passed.is_open,
        base_difference: passed.difference,
        adapter_difference: difference,
        adapter_load,
        tokens_per_second,
        samples: SAMPLES,
        logprobs,
    })
}
