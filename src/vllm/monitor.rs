//! Observation of replicas: their checks, their restarts, their adapters, and the addresses behind a DNS name.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use tokio::task::JoinHandle;
use url::Url;

use super::Shared;
use super::adapters::is_adapter_name;
use super::check::{OPEN, check};
use super::client::CallError;
use super::replica::{Known, Replica, ReplicaState};
use super::wire::{Gauges, Models};

/// Number of missed rounds after which a replica gets no requests.
const MISSED: usize = 2;

/// A task that ends when this is dropped.
pub(super) struct Task(JoinHandle<()>);

impl Task {
    pub(super) fn spawn(work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(work))
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Observes a replica while the sampler exists.
pub(super) async fn watch(shared: Weak<Shared>, replica: Arc<Replica>) {
    let mut missed = 0;
    loop {
        let interval = {
            let Some(shared) = shared.upgrade() else { return };
            round(&shared, &replica, &mut missed).await;
            shared.update_context();
            shared.dispatcher.wake();
            match replica.state() {
                ReplicaState::Rejected => shared.timing.recheck,
                _ => shared.timing.interval,
            }
        };
        let _ = tokio::time::timeout(interval, replica.recheck.notified()).await;
    }
}

/// Reads a replica's state once.
async fn round(shared: &Shared, replica: &Replica, missed: &mut usize) {
    if let Err(error) = shared.key.refresh() {
        tracing::error!(error, "the key of the vLLM replicas cannot be read");
    }
    let reading = match read(replica, shared).await {
        Ok(reading) => reading,
        Err(error) => {
            *missed += 1;
            match error {
                CallError::Connect(_) => {
                    replica.set_state(ReplicaState::Gone);
                }
                // It listens, and was rejected or never checked.
                _ if !matches!(replica.state(), ReplicaState::Ready | ReplicaState::Suspect) => {
                    reject(replica, error.to_string());
                }
                // The registry may be intact: a replica that is frozen for a while continues with it.
                _ if *missed >= MISSED || matches!(error, CallError::Status { .. }) => {
                    replica.set_state(ReplicaState::Suspect);
                }
                _ => {}
            }
            return;
        }
    };
    *missed = 0;
    let (started, is_spoiled) = {
        let known = replica.known();
        (known.gauges.started, known.is_spoiled)
    };
    let is_known = !replica.known().base.is_empty() && started == reading.gauges.started && !is_spoiled;
    if is_known && replica.state() != ReplicaState::Rejected {
        replica.known().gauges = reading.gauges;
        replica.set_listed(reading.adapters);
        replica.set_state(ReplicaState::Ready);
        return;
    }
    if started != 0.0 && started != reading.gauges.started {
        replica.restarts.fetch_add(1, Ordering::Relaxed);
        replica.adapters.forget_faults();
        tracing::warn!(replica = replica.name, "a vLLM replica has restarted");
    }
    replica.set_state(ReplicaState::Checking);
    replica.forget_adapters();
    let peers = shared.peers(replica);
    match check(&replica.client, &shared.expected, &peers, shared.timing.control).await {
        Ok(passed) => {
            if passed.is_open {
                tracing::warn!(replica = replica.name, "{OPEN}");
            }
            *replica.known() = Known {
                base: passed.base,
                interface: passed.interface,
                logprobs: passed.logprobs,
                context: passed.context,
                listed: reading.adapters,
                gauges: reading.gauges,
                is_spoiled: false,
                rejection: None,
            };
            shared.load_recent(replica).await;
            replica.set_state(ReplicaState::Ready);
        }
        Err(rejection) => {
            replica.known().gauges = reading.gauges;
            reject(replica, rejection.to_string());
        }
    }
}

/// Rejects a replica until its next check. The reason is logged when it changes.
fn reject(replica: &Replica, reason: String) {
    replica.set_state(ReplicaState::Rejected);
    let mut known = replica.known();
    if known.rejection.as_ref() != Some(&reason) {
        tracing::error!(replica = replica.name, reason, "a vLLM replica cannot be used; its check is repeated");
        known.rejection = Some(reason);
    }
}

struct Reading {
    gauges: Gauges,
    adapters: HashSet<String>,
}

/// Reads health, metrics and adapters.
async fn read(replica: &Replica, shared: &Shared) -> Result<Reading, CallError> {
    let (client, limit) = (&replica.client, shared.timing.control);
    let is_checked = matches!(replica.state(), ReplicaState::Ready | ReplicaState::Suspect);
    // 503 when the engine behind the server has died.
    client.text("/health", limit).await?;
    let gauges = Gauges::parse(&client.text("/metrics", limit).await?);
    let models = match client.get::<Models>("/v1/models", limit).await {
        // The check names the remedy.
        Err(CallError::Status { status: 401, .. }) if !is_checked => Models { data: Vec::new() },
        models => models?,
    };
    let adapters = models.data.into_iter().map(|model| model.id).filter(|id| is_adapter_name(id)).collect();
    Ok(Reading { gauges, adapters })
}

/// Keeps one replica for each address of a DNS name while the sampler exists.
pub(super) async fn discover(shared: Weak<Shared>, host: String, port: u16) {
    let mut watched: HashMap<SocketAddr, (String, Task)> = HashMap::new();
    loop {
        let interval = {
            let Some(shared) = shared.upgrade() else { return };
            match tokio::net::lookup_host((host.as_str(), port)).await {
                Ok(found) => {
                    let found: HashSet<SocketAddr> = found.collect();
                    watched.retain(|address, (name, _)| {
                        let is_there = found.contains(address);
                        if !is_there {
                            shared.dispatcher.remove(name);
                        }
                        is_there
                    });
                    for address in found {
                        if let Ok(url) = Url::parse(&format!("http://{address}")) {
                            watched.entry(address).or_insert_with(|| shared.add(url));
                        }
                    }
                }
                // A resolver that is away for a moment is no reason to drop replicas that respond.
                Err(error) => tracing::warn!(host, %error, "the addresses of vLLM replicas cannot be looked up"),
            }
            shared.timing.lookup
        };
        tokio::time::sleep(interval).await;
    }
}
