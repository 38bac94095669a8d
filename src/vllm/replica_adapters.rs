//! Adapters of one replica, and counters of their loads.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OnceCell;

/// Adapters of a replica, and counters of their loads.
#[derive(Default)]
pub(super) struct ReplicaAdapters {
    /// Adapters that are loaded or being loaded.
    loads: Mutex<HashMap<String, Arc<OnceCell<()>>>>,
    /// Adapters that are not used until the replica restarts, with the reason.
    faults: Mutex<BTreeMap<String, String>>,
    pub(super) count: AtomicU64,
    nanoseconds: AtomicU64,
    /// Number of comparisons with each result.
    comparisons: [AtomicU64; 3],
}

/// Result of comparing an adapter's effect with the one in training.
#[derive(Clone, Copy)]
pub(super) enum Comparison {
    Right,
    Wrong,
    Undecided,
}

impl ReplicaAdapters {
    /// Returns the load of an adapter, which all its requests share.
    pub(super) fn load(&self, name: &str) -> Arc<OnceCell<()>> {
        self.loads.lock().entry(name.to_owned()).or_default().clone()
    }

    /// Counts a load.
    pub(super) fn note_load(&self, elapsed: Duration) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Counts a comparison.
    pub(super) fn note_comparison(&self, comparison: Comparison) {
        self.comparisons[comparison as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Takes an adapter out of use until the replica restarts.
    pub(super) fn reject(&self, name: &str, reason: String) {
        self.faults.lock().insert(name.to_owned(), reason);
    }

    /// Returns the reason not to use an adapter here.
    pub(super) fn fault(&self, name: &str) -> Option<String> {
        self.faults.lock().get(name).cloned()
    }

    /// Returns every adapter that is not used here, with the reason.
    pub(super) fn all_faults(&self) -> Vec<(String, String)> {
        self.faults.lock().iter().map(|(name, reason)| (name.clone(), reason.clone())).collect()
    }

    /// Returns the time that loads took, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9
    }

    /// Returns the numbers of comparisons: right, wrong and undecided.
    pub(super) fn comparisons(&self) -> [u64; 3] {
        self.comparisons.each_ref().map(|count| count.load(Ordering::Relaxed))
    }

    /// Forgets an adapter.
    pub(super) fn forget(&self, name: &str) {
        self.loads.lock().remove(name);
    }

    /// Forgets every adapter that is loaded.
    pub(super) fn forget_all(&self) {
        self.loads.lock().clear();
    }

    /// Forgets which adapters are not used, since the replica has restarted.
    pub(super) fn forget_faults(&self) {
        self.faults.lock().clear();
    }

    /// Forgets the adapters that the replica does not list, but those that are being loaded.
    pub(super) fn keep(&self, is_listed: impl Fn(&str) -> bool) {
        self.loads.lock().retain(|name, cell| is_listed(name) || !cell.initialized());
    }

    /// Returns whether an adapter is loaded or being loaded.
    pub(super) fn has(&self, name: &str) -> bool {
        self.loads.lock().contains_key(name)
    }
}
