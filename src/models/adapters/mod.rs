//! Caches of the adapters and models that serve checkpoints. A full cache evicts the least recently used entry that is
//! not in use.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OnceCell, Semaphore};
use uuid::Uuid;

use super::Base;
use crate::engine::Adapter;
use crate::store::artifacts::ArtifactId;
use crate::store::records::AdapterArtifacts;

/// An object in memory that serves a checkpoint.
pub(crate) trait Resident: Send + Sync {
    /// Returns the cost, which counts against the cache's limit.
    fn cost(&self) -> usize;

    /// Returns whether there are references other than the cache's.
    fn in_use(this: &Arc<Self>) -> bool {
        Arc::strong_count(this) > 1
    }
}

/// The cost of an adapter is its size in bytes.
impl Resident for Adapter {
    fn cost(&self) -> usize {
        self.resident_bytes()
    }
}

/// The cost of a model is 1, because its sampler has a cache of its own in addition to the weights.
impl Resident for Base {
    fn cost(&self) -> usize {
        1
    }

    fn in_use(this: &Arc<Self>) -> bool {
        // Responses in flight hold the inner reference.
        Arc::strong_count(this) > 1 || Arc::strong_count(&this.served) > 1
    }
}

/// Key of an adapter by model and content. It exists before the checkpoint is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AdapterKey {
    model: Uuid,
    config: ArtifactId,
    weights: ArtifactId,
}

impl AdapterKey {
    pub(crate) fn new(model: Uuid, files: &AdapterArtifacts) -> Self {
        Self { model, config: files.config, weights: files.weights }
    }
}

/// Adapters or models by content. Their total [cost](Resident::cost) is limited.
///
/// A request holds its adapter by `Arc`, so eviction never affects a running request. Evicting an adapter in use would
/// free no memory, so adapters in use stay in the cache even if they exceed the limit.
pub(crate) struct AdapterCache<T: Resident = Adapter> {
    limit: usize,
    resident: Mutex<Entries<T>>,
    loads: Semaphore,
}

struct Entries<T> {
    entries: HashMap<AdapterKey, Entry<T>>,
    loading: HashMap<AdapterKey, Arc<OnceCell<Arc<T>>>>,
    bytes: usize,
    /// Counts uses. The entry with the smallest stamp is the least recently used.
    clock: u64,
}

/// Usage of the adapter cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterLoad {
    /// Number of adapters in memory.
    pub resident: usize,
    /// Number of those that are in use.
    pub pinned: usize,
    /// Total size in bytes.
    pub bytes: usize,
}

struct Entry<T> {
    adapter: Arc<T>,
    used: u64,
}

impl<T: Resident> AdapterCache<T> {
    /// Creates a cache with a limit on the total cost. One adapter is kept even if it exceeds the limit alone. At most
    /// `loads` loads run concurrently.
    pub(crate) fn new(limit: usize, loads: usize) -> Self {
        let entries = Entries { entries: HashMap::new(), loading: HashMap::new(), bytes: 0, clock: 0 };
        Self { limit, resident: Mutex::new(entries), loads: Semaphore::new(loads) }
    }

    /// Returns an adapter if it is in memory.
    pub(crate) fn get(&self, key: &AdapterKey) -> Option<Arc<T>> {
        let mut resident = self.resident.lock();
        resident.clock += 1;
        let now = resident.clock;
        let entry = resident.entries.get_mut(key)?;
        entry.used = now;
        Some(entry.adapter.clone())
    }

    /// Returns an adapter, with `load` if it is not in memory. Concurrent calls for the same adapter share one load; if
    /// the loading caller is cancelled, another one loads.
    ///
    /// # Errors
    /// Returns the errors of `load`.
    pub(crate) async fn get_or_load<E>(
        &self,
        key: AdapterKey,
        load: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(adapter) = self.get(&key) {
            return Ok(adapter);
        }
        let loading = Loading { cache: self, key, cell: self.resident.lock().loading.entry(key).or_default().clone() };
        let loaded = loading.cell.get_or_try_init(|| async {
            // The semaphore is never closed. Without a permit there would only be more concurrent loads.
            let _permit = self.loads.acquire().await;
            if let Some(adapter) = self.get(&key) {
                return Ok(adapter);
            }
            let adapter = Arc::new(load().await?);
            self.insert(key, adapter.clone());
            Ok(adapter)
        });
        loaded.await.cloned()
    }

    /// Inserts an adapter.
    pub(crate) fn insert(&self, key: AdapterKey, adapter: Arc<T>) {
        let mut resident = self.resident.lock();
        resident.clock += 1;
        let used = resident.clock;
        resident.bytes += adapter.cost();
        if let Some(old) = resident.entries.insert(key, Entry { adapter, used }) {
            resident.bytes -= old.adapter.cost();
        }
        let dropped = resident.shrink(self.limit, Some(key));
        // Free the memory after unlocking, because that takes time.
        drop(resident);
        drop(dropped);
    }

    /// Returns whether an entry with this cost fits, after evicting unused entries if necessary.
    pub(crate) fn make_room(&self, cost: usize) -> bool {
        let mut resident = self.resident.lock();
        let dropped = resident.shrink(self.limit.saturating_sub(cost), None);
        let fits = resident.bytes.saturating_add(cost) <= self.limit;
        drop(resident);
        drop(dropped);
        fits
    }

    /// Removes the adapters whose model and weights match `is_gone`, because their checkpoints are deleted. Running
    /// requests keep theirs until they end.
    pub(crate) fn forget(&self, is_gone: impl Fn(Uuid, ArtifactId) -> bool) {
        let mut resident = self.resident.lock();
        let gone: Vec<AdapterKey> =
            resident.entries.keys().filter(|key| is_gone(key.model, key.weights)).copied().collect();
        let dropped: Vec<_> = gone.iter().filter_map(|key| resident.remove(key)).collect();
        drop(resident);
        drop(dropped);
    }

    /// Returns the usage of the cache.
    pub(crate) fn load(&self) -> AdapterLoad {
        let resident = self.resident.lock();
        let pinned = resident.entries.values().filter(|entry| T::in_use(&entry.adapter)).count();
        AdapterLoad { resident: resident.entries.len(), pinned, bytes: resident.bytes }
    }
}

impl<T: Resident> Entries<T> {
    fn remove(&mut self, key: &AdapterKey) -> Option<Arc<T>> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.adapter.cost();
        Some(entry.adapter)
    }

    /// Removes unused entries except `kept` until the total cost is within `limit`.
    fn shrink(&mut self, limit: usize, kept: Option<AdapterKey>) -> Vec<Arc<T>> {
        let mut removed = Vec::new();
        while self.bytes > limit {
            let idle = self.entries.iter().filter(|(key, entry)| Some(**key) != kept && !T::in_use(&entry.adapter));
            let Some(oldest) = idle.min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key) else { break };
            removed.extend(self.remove(&oldest));
        }
        removed
    }
}

/// A caller's share in a load. The last one to drop it removes the entry of the load.
struct Loading<'a, T: Resident> {
    cache: &'a AdapterCache<T>,
    key: AdapterKey,
    cell: Arc<OnceCell<Arc<T>>>,
}

impl<T: Resident> Drop for Loading<'_, T> {
    fn drop(&mut self) {
        let mut resident = self.cache.resident.lock();
        // One reference is the map's and one is this one.
        if Arc::strong_count(&self.cell) == 2 {
            resident.loading.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
