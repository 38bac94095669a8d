//! The text of `GET /metrics`: counters of the process, and gauges that are read per request.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::Api;
use crate::{
    engine::scheduler::SamplerLoad,
    metrics::Exposition,
    store::{metadata::Metadata, records::QueueDepth},
};

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

const SAMPLER_COUNTERS: [OfSampler; 2] = [
    ("trainyard_prefix_hit_tokens_total", "Tokens of prompts that were in the cache already.", |load| {
        load.prefix_hit_tokens
    }),
    ("trainyard_preemptions_total", "Samples that gave up their place for want of cache.", |load| load.preemptions),
];

impl Api {
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
