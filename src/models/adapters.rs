//! The adapters held in memory, those that nobody uses dropped first, least recently used ones first among them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OnceCell, Semaphore};
use uuid::Uuid;

use crate::{
    engine::Adapter,
    store::{artifacts::ArtifactId, records::AdapterArtifacts},
};

/// Adapters that are read at the same time: each takes a thread and the memory of its files.
const CONCURRENT_LOADS: usize = 4;

/// An adapter of a model by its content: it has this name before its checkpoint has one.
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

/// Adapters by content, bounded by their bytes.
///
/// A request holds its adapter by `Arc`, so dropping one here never takes it from a running request; and since that would
/// free no memory, adapters in use stay, even where they are more than the bound.
pub(crate) struct AdapterCache {
    limit: usize,
    resident: Mutex<Resident>,
    loads: Semaphore,
}

#[derive(Default)]
struct Resident {
    entries: HashMap<AdapterKey, Entry>,
    loading: HashMap<AdapterKey, Arc<OnceCell<Arc<Adapter>>>>,
    bytes: usize,
    /// Counts uses; the entry with the smallest stamp is the least recently used.
    clock: u64,
}

/// How full the cache of adapters is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterLoad {
    /// Adapters in memory.
    pub resident: usize,
    /// Those of them that something is using.
    pub pinned: usize,
    /// Bytes of all of them.
    pub bytes: usize,
}

struct Entry {
    adapter: Arc<Adapter>,
    used: u64,
}

impl Entry {
    fn in_use(&self) -> bool {
        Arc::strong_count(&self.adapter) > 1
    }
}

impl AdapterCache {
    /// A cache of at most `limit` bytes; one adapter is kept even when it alone is larger.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, resident: Mutex::default(), loads: Semaphore::new(CONCURRENT_LOADS) }
    }

    /// An adapter that is in memory.
    pub(crate) fn get(&self, key: &AdapterKey) -> Option<Arc<Adapter>> {
        let mut resident = self.lock();
        resident.clock += 1;
        let now = resident.clock;
        let entry = resident.entries.get_mut(key)?;
        entry.used = now;
        Some(entry.adapter.clone())
    }

    /// An adapter, by `load` if it is not in memory. However many ask for it, it is loaded once; if whoever loads it gives
    /// up, another does.
    ///
    /// # Errors
    /// Those of `load`.
    pub(crate) async fn get_or_load<E>(
        &self,
        key: AdapterKey,
        load: impl AsyncFnOnce() -> Result<Adapter, E>,
    ) -> Result<Arc<Adapter>, E> {
        if let Some(adapter) = self.get(&key) {
            return Ok(adapter);
        }
        let loading = Loading { cache: self, key, cell: self.lock().loading.entry(key).or_default().clone() };
        let loaded = loading.cell.get_or_try_init(|| async {
            // The semaphore is never closed; without a permit there would only be more at a time.
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

    /// Takes an adapter in.
    pub(crate) fn insert(&self, key: AdapterKey, adapter: Arc<Adapter>) {
        let mut resident = self.lock();
        resident.clock += 1;
        let used = resident.clock;
        resident.bytes += adapter.resident_bytes();
        if let Some(old) = resident.entries.insert(key, Entry { adapter, used }) {
            resident.bytes -= old.adapter.resident_bytes();
        }
        while resident.bytes > self.limit {
            let idle = resident.entries.iter().filter(|(other, entry)| **other != key && !entry.in_use());
            let Some(oldest) = idle.min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key) else { break };
            resident.remove(&oldest);
        }
    }

    /// Drops the adapters that a test of model and weights names, since their checkpoints are gone. Requests that run on
    /// one keep it to their end.
    pub(crate) fn forget(&self, is_gone: impl Fn(Uuid, ArtifactId) -> bool) {
        let mut resident = self.lock();
        let gone: Vec<AdapterKey> =
            resident.entries.keys().filter(|key| is_gone(key.model, key.weights)).copied().collect();
        gone.iter().for_each(|key| resident.remove(key));
    }

    /// What is held.
    pub(crate) fn load(&self) -> AdapterLoad {
        let resident = self.lock();
        let pinned = resident.entries.values().filter(|entry| entry.in_use()).count();
        AdapterLoad { resident: resident.entries.len(), pinned, bytes: resident.bytes }
    }

    fn lock(&self) -> MutexGuard<'_, Resident> {
        // The map is consistent between statements, so a panic elsewhere does not spoil it.
        self.resident.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resident {
    fn remove(&mut self, key: &AdapterKey) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.adapter.resident_bytes();
        }
    }
}

/// A request's part in a load; the last to leave takes the place of the load with it.
struct Loading<'a> {
    cache: &'a AdapterCache,
    key: AdapterKey,
    cell: Arc<OnceCell<Arc<Adapter>>>,
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut resident = self.cache.lock();
        // One is the map's and one is ours.
        if Arc::strong_count(&self.cell) == 2 {
            resident.loading.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests;
