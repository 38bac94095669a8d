//! What checkpoints need in memory to be served, adapters or whole models: what nobody uses is dropped first, the least
//! recently used first.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OnceCell, Semaphore};
use uuid::Uuid;

use super::Base;
use crate::{
    engine::Adapter,
    store::{artifacts::ArtifactId, records::AdapterArtifacts},
};

/// What serves a checkpoint.
pub(crate) trait Resident: Send + Sync {
    /// What it counts against the bound.
    fn cost(&self) -> usize;

    /// Whether somebody holds it beside the cache.
    fn in_use(this: &Arc<Self>) -> bool {
        Arc::strong_count(this) > 1
    }
}

/// An adapter counts its bytes.
impl Resident for Adapter {
    fn cost(&self) -> usize {
        self.resident_bytes()
    }
}

/// A model is counted as one: its sampler has a cache of its own beside the weights.
impl Resident for Base {
    fn cost(&self) -> usize {
        1
    }

    fn in_use(this: &Arc<Self>) -> bool {
        // Answers that are being read hold the inner one.
        Arc::strong_count(this) > 1 || Arc::strong_count(&this.served) > 1
    }
}

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

/// Adapters or models by content, bounded by their [cost](Resident::cost).
///
/// A request holds its adapter by `Arc`, so dropping one here never takes it from a running request; and since that would
/// free no memory, adapters in use stay, even where they are more than the bound.
pub(crate) struct AdapterCache<T: Resident = Adapter> {
    limit: usize,
    resident: Mutex<Entries<T>>,
    loads: Semaphore,
}

struct Entries<T> {
    entries: HashMap<AdapterKey, Entry<T>>,
    loading: HashMap<AdapterKey, Arc<OnceCell<Arc<T>>>>,
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

struct Entry<T> {
    adapter: Arc<T>,
    used: u64,
}

impl<T: Resident> AdapterCache<T> {
    /// A cache of at most `limit`; one adapter is kept even when it alone is larger. `loads` are read at the same time.
    pub(crate) fn new(limit: usize, loads: usize) -> Self {
        let entries = Entries { entries: HashMap::new(), loading: HashMap::new(), bytes: 0, clock: 0 };
        Self { limit, resident: Mutex::new(entries), loads: Semaphore::new(loads) }
    }

    /// An adapter that is in memory.
    pub(crate) fn get(&self, key: &AdapterKey) -> Option<Arc<T>> {
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
        load: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
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
    pub(crate) fn insert(&self, key: AdapterKey, adapter: Arc<T>) {
        let mut resident = self.lock();
        resident.clock += 1;
        let used = resident.clock;
        resident.bytes += adapter.cost();
        if let Some(old) = resident.entries.insert(key, Entry { adapter, used }) {
            resident.bytes -= old.adapter.cost();
        }
        let dropped = resident.shrink(self.limit, Some(key));
        // Giving memory back takes time, in which others need not wait.
        drop(resident);
        drop(dropped);
    }

    /// Whether one more of this cost fits, once what nobody uses is dropped for it.
    pub(crate) fn make_room(&self, cost: usize) -> bool {
        let mut resident = self.lock();
        let dropped = resident.shrink(self.limit.saturating_sub(cost), None);
        let fits = resident.bytes.saturating_add(cost) <= self.limit;
        drop(resident);
        drop(dropped);
        fits
    }

    /// Drops the adapters that a test of model and weights names, since their checkpoints are gone. Requests that run on
    /// one keep it to their end.
    pub(crate) fn forget(&self, is_gone: impl Fn(Uuid, ArtifactId) -> bool) {
        let mut resident = self.lock();
        let gone: Vec<AdapterKey> =
            resident.entries.keys().filter(|key| is_gone(key.model, key.weights)).copied().collect();
        let dropped: Vec<_> = gone.iter().filter_map(|key| resident.remove(key)).collect();
        drop(resident);
        drop(dropped);
    }

    /// What is held.
    pub(crate) fn load(&self) -> AdapterLoad {
        let resident = self.lock();
        let pinned = resident.entries.values().filter(|entry| T::in_use(&entry.adapter)).count();
        AdapterLoad { resident: resident.entries.len(), pinned, bytes: resident.bytes }
    }

    fn lock(&self) -> MutexGuard<'_, Entries<T>> {
        // The map is consistent between statements, so a panic elsewhere does not spoil it.
        self.resident.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Resident> Entries<T> {
    fn remove(&mut self, key: &AdapterKey) -> Option<Arc<T>> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.adapter.cost();
        Some(entry.adapter)
    }

    /// Takes out what nobody uses, but `kept`, until the rest is within `limit`.
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

/// A request's part in a load; the last to leave takes the place of the load with it.
struct Loading<'a, T: Resident> {
    cache: &'a AdapterCache<T>,
    key: AdapterKey,
    cell: Arc<OnceCell<Arc<T>>>,
}

impl<T: Resident> Drop for Loading<'_, T> {
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
