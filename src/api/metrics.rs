//! The text of `GET /metrics`: counters of the process, and gauges that are read per request.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::Api;
use crate::engine::sampler::{ReplicaLoad, SamplerLoad};
use crate::metrics::Exposition;
use crate::store::metadata::Metadata;
use crate::store::records::QueueDepth;

/// Cache lifetime of a queue reading. Scrapes need no key, so they must not cause database load.
const QUEUE_READING: Duration = Duration::from_secs(1);
/// Time limit of the database query. After a time-out, the gauges of jobs are omitted.
const QUEUE_TIME: Duration = Duration::from_secs(2);

/// The last reading of the job queue.
#[derive(Debug, Default)]
pub(crate) struct QueueReading(Mutex<Option<(Instant, Option<QueueDepth>)>>);

impl QueueReading {
    /// Returns the depth of the queue, or `None` if the database does not respond.
    async fn depth(&self, metadata: &dyn Metadata) -> Option<QueueDepth> {
        let mut last = self.0.lock().await;
        match *last {
            Some((read, depth)) if read.elapsed() < QUEUE_READING => depth,
            _ => {
                let reading = tokio::time::timeout(QUEUE_TIME, metadata.queue_depth()).await;
                let depth = match reading {
                    Ok(Ok(depth)) => Some(depth),
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "the job queue could not be read for a scrape");
                        None
                    }
                    Err(_) => None,
                };
                *last = Some((Instant::now(), depth));
                depth
            }
        }
    }
}

/// A gauge or counter of each base model: name, help, value.
type OfSampler = (&'static str, &'static str, fn(&SamplerLoad) -> u64);

const SAMPLER_GAUGES: [OfSampler; 5] = [
    ("trainyard_samples_running", "Samples that are generating.", |load| load.running as u64),
    ("trainyard_samples_waiting", "Samples that wait for a place in the batch.", |load| load.waiting as u64),
    ("trainyard_cache_pages_in_use", "Pages of the key-value cache that samples use.", |load| load.pages_in_use as u64),
    ("trainyard_cache_pages_cached", "Pages of the key-value cache that are kept for later prompts.", |load| {
        load.pages_cached as u64
    }),
    ("trainyard_cache_pages_capacity", "Pages of the key-value cache at most.", |load| load.page_capacity as u64),
];

const SAMPLER_COUNTERS: [OfSampler; 5] = [
    ("trainyard_prefix_hit_tokens_total", "Tokens of prompts that were in the cache already.", |load| {
        load.prefix_hit_tokens
    }),
    ("trainyard_preemptions_total", "Samples that gave up their place for want of cache.", |load| load.preemptions),
    (
        "trainyard_forced_tokens_total",
        "Tokens that a grammar forced, so that they took no step of their own.",
        |load| load.forced_tokens,
    ),
    ("trainyard_drafted_tokens_total", "Tokens that were drafted before they were sampled.", |load| {
        load.drafted_tokens
    }),
    (
        "trainyard_accepted_tokens_total",
        "Drafted tokens that were sampled, so that they took no step of their own.",
        |load| load.accepted_tokens,
    ),
];

/// A gauge or counter of each replica: name, help, value.
type OfReplica = (&'static str, &'static str, fn(&ReplicaLoad) -> u64);

const REPLICA_GAUGES: [OfReplica; 5] = [
    ("trainyard_replica_in_flight", "Samples of this process at the replica.", |load| load.in_flight as u64),
    ("trainyard_replica_requests_running", "Requests that the replica says it runs.", |load| load.running as u64),
    ("trainyard_replica_requests_waiting", "Requests that the replica says are waiting.", |load| load.waiting as u64),
    ("trainyard_replica_adapters", "Adapters that the replica lists.", |load| load.adapters as u64),
    (
        "trainyard_replica_bad_adapters",
        "Adapters that are not used at the replica, because it gives other log-probabilities than training.",
        |load| load.bad_adapters.len() as u64,
    ),
];

const REPLICA_COUNTERS: [OfReplica; 4] = [
    ("trainyard_replica_adapter_loads_total", "Adapters that the replica has loaded.", |load| load.adapter_loads),
    ("trainyard_replica_restarts_total", "Restarts of the replica that were noticed.", |load| load.restarts),
    ("trainyard_replica_retries_total", "Samples that were sent again after the replica failed.", |load| load.retries),
    ("trainyard_replica_tokens_total", "Tokens that the replica has generated for this process.", |load| load.tokens),
];

/// Results of the comparison of an adapter, in the order of [`ReplicaLoad::adapter_probes`].
const ADAPTER_CHECKS: [&str; 3] = ["right", "wrong", "undecided"];

impl Api {
    /// Writes the metrics of the samplers' replicas, if there are any.
    fn write_replicas(&self, text: &mut Exposition) {
        let bases = self.catalog.base_names().filter_map(|name| Some((name, self.catalog.base(name)?)));
        let replicas: Vec<(&str, ReplicaLoad)> = bases
            .flat_map(|(name, base)| base.served.sampler().replicas().into_iter().map(move |replica| (name, replica)))
            .collect();
        if replicas.is_empty() {
            return;
        }
        let labels: Vec<_> =
            replicas.iter().map(|(base, load)| [("base_model", *base), ("replica", load.name.as_str())]).collect();
        let states: Vec<_> = replicas
            .iter()
            .map(|(base, load)| [("base_model", *base), ("replica", load.name.as_str()), ("state", load.state)])
            .collect();
        text.gauge(
            "trainyard_replica_state",
            "State of the replica; always 1.",
            states.iter().map(|labels| (&labels[..], 1)),
        );
        let of = |value: fn(&ReplicaLoad) -> u64| {
            labels.iter().zip(&replicas).map(move |(labels, (_, load))| (&labels[..], value(load)))
        };
        for (name, help, value) in REPLICA_GAUGES {
            text.gauge(name, help, of(value));
        }
        for (name, help, value) in REPLICA_COUNTERS {
            text.counter(name, help, of(value));
        }
        let checks: Vec<_> = replicas
            .iter()
            .flat_map(|(base, load)| {
                let results = ADAPTER_CHECKS.into_iter().zip(load.adapter_probes);
                let labels = |result| [("base_model", *base), ("replica", load.name.as_str()), ("result", result)];
                results.map(move |(result, count)| (labels(result), count))
            })
            .collect();
        text.counter(
            "trainyard_replica_adapter_checks_total",
            "Adapters whose effect at the replica was compared with that in training, by result.",
            checks.iter().map(|(labels, count)| (&labels[..], *count)),
        );
        let seconds = labels.iter().zip(&replicas).map(|(labels, (_, load))| (&labels[..], load.adapter_load_seconds));
        text.gauge("trainyard_replica_adapter_load_seconds", "Time that the replica took to load adapters.", seconds);
    }

    /// Returns every metric in the Prometheus text format.
    pub(super) async fn scrape(&self) -> String {
        let mut text = Exposition::default();
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        text.gauge("trainyard_build_info", "The version that runs; always 1.", [(&version[..], 1)]);
        self.metrics.write(&mut text);
        let loads: Vec<_> = self
            .catalog
            .base_names()
            .filter_map(|name| Some(([("base_model", name)], self.catalog.base(name)?.served.sampler().load())))
            .collect();
        for (name, help, value) in SAMPLER_GAUGES {
            text.gauge(name, help, loads.iter().map(|(labels, load)| (&labels[..], value(load))));
        }
        for (name, help, value) in SAMPLER_COUNTERS {
            text.counter(name, help, loads.iter().map(|(labels, load)| (&labels[..], value(load))));
        }
        self.write_replicas(&mut text);
        let adapters = self.catalog.adapter_load();
        for (name, help, value) in [
            ("trainyard_adapters_resident", "Adapters in memory.", adapters.resident),
            ("trainyard_adapters_pinned", "Adapters in memory that requests are using.", adapters.pinned),
            ("trainyard_adapter_bytes", "Bytes of the adapters in memory.", adapters.bytes),
        ] {
            text.gauge(name, help, [(&[][..], value)]);
        }
        if let Some(depth) = self.queue.depth(&*self.metadata).await {
            let jobs = [(&[("status", "queued")][..], depth.queued), (&[("status", "running")][..], depth.running)];
            text.gauge("trainyard_jobs", "Training jobs that have not ended, by status.", jobs);
        }
        text.into_text()
    }
}
