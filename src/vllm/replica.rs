//! State of one replica.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, watch};

use super::client::ReplicaClient;
use super::replica_adapters::ReplicaAdapters;
use super::request::Interface;
use super::wire::Gauges;
use crate::engine::sampler::ReplicaLoad;

/// State of a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplicaState {
    /// It was never reached.
    Unknown,
    /// It responds, and its check is running.
    Checking,
    /// It passed its check.
    Ready,
    /// It failed its check; the check is repeated.
    Rejected,
    /// It passed its check, but a request failed or its state could not be read twice in a row.
    Suspect,
    /// Nothing listens at its address.
    Gone,
}

impl ReplicaState {
    fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Checking => "checking",
            Self::Ready => "ready",
            Self::Rejected => "refused",
            Self::Suspect => "suspect",
            Self::Gone => "gone",
        }
    }
}

/// A replica and its knowledge about it.
pub(super) struct Replica {
    pub(super) name: String,
    pub(super) client: ReplicaClient,
    state: watch::Sender<ReplicaState>,
    /// Wakes the monitor before its next round.
    pub(super) recheck: Notify,
    known: Mutex<Known>,
    pub(super) adapters: ReplicaAdapters,
    /// Number of this sampler's samples. Changed under the dispatcher's lock alone.
    pub(super) in_flight: AtomicUsize,
    pub(super) tokens: AtomicU64,
    pub(super) retries: AtomicU64,
    pub(super) restarts: AtomicU64,
}

/// Knowledge from the last check and the last round of the monitor.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Name of the base model at the replica.
    pub base: String,
    /// Operation that generates tokens.
    pub interface: Interface,
    /// Log-probabilities of tokens of the known text, by which replicas are compared with each other.
    pub logprobs: Vec<f32>,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
    /// Adapters that the replica lists.
    pub listed: HashSet<String>,
    /// Values of its metrics.
    pub gauges: Gauges,
    /// Whether it gave values that are not finite, so that it is checked again.
    pub is_spoiled: bool,
    /// Reason of the last rejection.
    pub rejection: Option<String>,
}

impl Replica {
    pub(super) fn new(client: ReplicaClient) -> Self {
        Self {
            name: client.name(),
            client,
            state: watch::Sender::new(ReplicaState::Unknown),
            recheck: Notify::new(),
            known: Mutex::default(),
            adapters: ReplicaAdapters::default(),
            in_flight: AtomicUsize::new(0),
            tokens: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
        }
    }

    pub(super) fn state(&self) -> ReplicaState {
        *self.state.borrow()
    }

    /// Returns a receiver of changes of the state.
    pub(super) fn watch(&self) -> watch::Receiver<ReplicaState> {
        self.state.subscribe()
    }

    /// Sets the state; returns whether it has changed.
    pub(super) fn set_state(&self, state: ReplicaState) -> bool {
        let changed = self.state.send_if_modified(|current| std::mem::replace(current, state) != state);
        if changed {
            tracing::info!(replica = self.name, state = state.word(), "a vLLM replica has changed its state");
        }
        changed
    }

    /// Takes the replica out of use until its monitor has looked at it.
    pub(super) fn suspect(&self, reason: &str) {
        tracing::warn!(replica = self.name, reason, "a request to a vLLM replica failed");
        let changed = self.state.send_if_modified(|state| {
            let was_ready = *state == ReplicaState::Ready;
            if was_ready {
                *state = ReplicaState::Suspect;
            }
            was_ready
        });
        if changed {
            self.recheck.notify_one();
        }
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock()
    }

    /// Returns the load that routing compares: samples of this process and of other clients.
    pub(super) fn load(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed).max(self.known().gauges.running)
    }

    /// Forgets that the replica has an adapter.
    pub(super) fn forget_adapter(&self, name: &str) {
        self.known().listed.remove(name);
        self.adapters.forget(name);
    }

    /// Forgets every adapter that is loaded.
    pub(super) fn forget_adapters(&self) {
        self.known().listed.clear();
        self.adapters.forget_all();
    }

    /// Replaces the list of adapters. Those that the replica has lost are loaded again by the next request.
    pub(super) fn set_listed(&self, listed: HashSet<String>) {
        self.adapters.keep(|name| listed.contains(name));
        self.known().listed = listed;
    }

    /// Returns the values for the metrics.
    pub(super) fn reading(&self) -> ReplicaLoad {
        let known = self.known();
        ReplicaLoad {
            name: self.name.clone(),
            state: self.state().word(),
            in_flight: self.in_flight.load(Ordering::Relaxed),
            running: known.gauges.running,
            waiting: known.gauges.waiting,
            adapters: known.listed.len(),
            adapter_loads: self.adapters.count.load(Ordering::Relaxed),
            adapter_load_seconds: self.adapters.seconds(),
            bad_adapters: self.adapters.all_faults(),
            adapter_probes: self.adapters.comparisons(),
            restarts: self.restarts.load(Ordering::Relaxed),
            retries: self.retries.load(Ordering::Relaxed),
            tokens: self.tokens.load(Ordering::Relaxed),
        }
    }
}
