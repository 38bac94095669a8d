//! State of one replica.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::{Notify, OnceCell, watch};

use super::client::{CallError, ReplicaClient};
use super::wire::Gauges;
use crate::engine::sampler::ReplicaLoad;

/// Time limit of loading an adapter.
const LOAD: Duration = Duration::from_secs(60);

/// State of a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplicaState {
    /// It was never reached.
    Unknown,
    /// It answers, and its check is running.
    Checking,
    /// It passed its check.
    Ready,
    /// It failed its check; the check is repeated.
    Refused,
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
            Self::Refused => "refused",
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
    /// Adapters that are loaded or being loaded here.
    loads: Mutex<HashMap<String, Arc<OnceCell<()>>>>,
    /// Number of this sampler's samples. Changed under the dispatcher's lock alone.
    pub(super) in_flight: AtomicUsize,
    pub(super) tokens: AtomicU64,
    pub(super) retries: AtomicU64,
    pub(super) restarts: AtomicU64,
    adapter_loads: AtomicU64,
    adapter_load_nanoseconds: AtomicU64,
}

/// Knowledge from the last check and the last round of the monitor.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Name of the base model at the replica.
    pub base: String,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
    /// Adapters that the replica lists.
    pub listed: HashSet<String>,
    /// Values of its metrics.
    pub gauges: Gauges,
    /// Reason of the last refusal.
    pub refusal: Option<String>,
}

impl Replica {
    pub(super) fn new(client: ReplicaClient) -> Self {
        Self {
            name: client.name(),
            client,
            state: watch::Sender::new(ReplicaState::Unknown),
            recheck: Notify::new(),
            known: Mutex::default(),
            loads: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            tokens: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            adapter_loads: AtomicU64::new(0),
            adapter_load_nanoseconds: AtomicU64::new(0),
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
        // The value is consistent between statements, so it is still valid after a panic elsewhere.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loads(&self) -> MutexGuard<'_, HashMap<String, Arc<OnceCell<()>>>> {
        self.loads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the load that routing compares: samples of this process and of other clients.
    pub(super) fn load(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed).max(self.known().gauges.running)
    }

    /// Loads an adapter from its directory unless the replica has it. Concurrent calls for one adapter share one load.
    ///
    /// # Errors
    /// The replica cannot be reached, or refuses the adapter.
    pub(super) async fn ensure_adapter(&self, name: &str, directory: &Path) -> Result<(), CallError> {
        let cell = self.loads().entry(name.to_owned()).or_default().clone();
        let load = || async {
            if self.known().listed.contains(name) {
                return Ok(());
            }
            let started = Instant::now();
            let body = json!({ "lora_name": name, "lora_path": directory });
            let answer = self.client.post("/v1/load_lora_adapter", &body, LOAD).await;
            match answer {
                Ok(_) => {}
                // The name is derived from the content, so what has been loaded is the same adapter.
                Err(CallError::Status { status: 400, message }) if message.contains("already been loaded") => {}
                Err(error) => return Err(error),
            }
            let elapsed = started.elapsed();
            self.adapter_loads.fetch_add(1, Ordering::Relaxed);
            let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
            self.adapter_load_nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
            self.known().listed.insert(name.to_owned());
            tracing::info!(replica = self.name, adapter = name, ?elapsed, "adapter loaded by a vLLM replica");
            Ok(())
        };
        cell.get_or_try_init(load).await.copied()
    }

    /// Forgets that the replica has an adapter.
    pub(super) fn forget_adapter(&self, name: &str) {
        self.known().listed.remove(name);
        self.loads().remove(name);
    }

    /// Forgets every adapter, since the replica has restarted.
    pub(super) fn forget_adapters(&self) {
        self.known().listed.clear();
        self.loads().clear();
    }

    /// Replaces the list of adapters. Those that the replica has lost are loaded again by the next request.
    pub(super) fn set_listed(&self, listed: HashSet<String>) {
        let mut loads = self.loads();
        // A load that is under way is not listed yet.
        loads.retain(|name, cell| listed.contains(name) || !cell.initialized());
        drop(loads);
        self.known().listed = listed;
    }

    /// Unloads an adapter if the replica may have it. Returns whether it was listed or its list is not known.
    pub(super) async fn unload(&self, name: &str) -> bool {
        match self.state() {
            ReplicaState::Gone => return false,
            ReplicaState::Ready if !self.known().listed.contains(name) => return self.loads().contains_key(name),
            ReplicaState::Ready => {}
            _ => return true,
        }
        let body = json!({ "lora_name": name });
        match self.client.post("/v1/unload_lora_adapter", &body, LOAD).await {
            Ok(_) | Err(CallError::Status { status: 404, .. }) => self.forget_adapter(name),
            Err(error) => {
                tracing::warn!(replica = self.name, adapter = name, %error, "an adapter cannot be unloaded");
            }
        }
        true
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
            adapter_loads: self.adapter_loads.load(Ordering::Relaxed),
            adapter_load_seconds: self.adapter_load_nanoseconds.load(Ordering::Relaxed) as f64 / 1e9,
            restarts: self.restarts.load(Ordering::Relaxed),
            retries: self.retries.load(Ordering::Relaxed),
            tokens: self.tokens.load(Ordering::Relaxed),
        }
    }
}
