//! The adapters held in memory, least recently used ones dropped first.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::engine::Adapter;

/// Adapters by checkpoint id, bounded by their bytes.
///
/// A request holds its adapter by `Arc`, so dropping one here never takes it from a running request.
pub(crate) struct AdapterCache {
    limit: usize,
    resident: Mutex<Resident>,
}

#[derive(Default)]
struct Resident {
    entries: HashMap<String, Entry>,
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

impl AdapterCache {
    /// A cache of at most `limit` bytes; one adapter is kept even when it alone is larger.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, resident: Mutex::default() }
    }

    pub(crate) fn get(&self, checkpoint: &str) -> Option<Arc<Adapter>> {
        let mut resident = self.lock();
        resident.clock += 1;
        let now = resident.clock;
        let entry = resident.entries.get_mut(checkpoint)?;
        entry.used = now;
        Some(entry.adapter.clone())
    }

    pub(crate) fn insert(&self, checkpoint: &str, adapter: Arc<Adapter>) {
        let mut resident = self.lock();
        resident.clock += 1;
        let used = resident.clock;
        resident.bytes += adapter.resident_bytes();
        if let Some(old) = resident.entries.insert(checkpoint.to_owned(), Entry { adapter, used }) {
            resident.bytes -= old.adapter.resident_bytes();
        }
        while resident.bytes > self.limit && resident.entries.len() > 1 {
            let Some(oldest) = resident.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(id, _)| id.clone())
            else {
                break;
            };
            if let Some(entry) = resident.entries.remove(&oldest) {
                resident.bytes -= entry.adapter.resident_bytes();
            }
        }
    }

    /// What is held.
    pub(crate) fn load(&self) -> AdapterLoad {
        let resident = self.lock();
        let pinned = resident.entries.values().filter(|entry| Arc::strong_count(&entry.adapter) > 1).count();
        AdapterLoad { resident: resident.entries.len(), pinned, bytes: resident.bytes }
    }

    fn lock(&self) -> MutexGuard<'_, Resident> {
        // The map is consistent between statements, so a panic elsewhere does not spoil it.
        self.resident.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
