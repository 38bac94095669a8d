//! Samples by owner, with the compute that each owner has used.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::sample::Sample;

/// An owner with running or waiting samples.
pub(super) struct Owner {
    pub name: Arc<str>,
    pub waiting: VecDeque<Sample>,
    /// Number of running samples.
    pub running: usize,
    /// Number of rows computed for the owner. The owner with the fewest is next; a new one starts with the minimum of
    /// the others.
    pub rows: u64,
}

/// Index of an owner, valid while the owner has samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnerId(usize);

/// Owners that have samples.
#[derive(Default)]
pub(super) struct Owners {
    entries: Vec<Option<Owner>>,
    by_name: HashMap<Arc<str>, OwnerId>,
    waiting: usize,
}

impl Owners {
    /// Adds a sample after the others of its owner.
    pub(super) fn submit(&mut self, sample: Sample) {
        let id = match self.by_name.get(&sample.key.owner) {
            Some(id) => *id,
            None => self.add(sample.key.owner.clone()),
        };
        self.waiting += 1;
        self.get_mut(id).waiting.push_back(sample);
    }

    fn add(&mut self, name: Arc<str>) -> OwnerId {
        let rows = self.iter().map(|(_, owner)| owner.rows).min().unwrap_or(0);
        let owner = Owner { name: name.clone(), waiting: VecDeque::new(), running: 0, rows };
        let index = self.entries.iter().position(Option::is_none).unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() - 1
        });
        self.entries[index] = Some(owner);
        self.by_name.insert(name, OwnerId(index));
        OwnerId(index)
    }

    /// Moves a waiting sample to the batch.
    pub(super) fn start(&mut self, id: OwnerId, index: usize) -> Option<Sample> {
        let owner = self.get_mut(id);
        let sample = owner.waiting.remove(index)?;
        owner.running += 1;
        self.waiting -= 1;
        Some(sample)
    }

    /// Moves a running sample back to the queue, before the others of its owner.
    pub(super) fn suspend(&mut self, id: OwnerId, sample: Sample) {
        let owner = self.get_mut(id);
        owner.running -= 1;
        owner.waiting.push_front(sample);
        self.waiting += 1;
    }

    /// Records the end of a running sample.
    pub(super) fn end(&mut self, id: OwnerId) {
        self.get_mut(id).running -= 1;
        self.forget_if_idle(id);
    }

    /// Drops waiting samples whose receiver is gone.
    pub(super) fn drop_cancelled(&mut self) {
        if self.waiting == 0 {
            return;
        }
        for index in 0..self.entries.len() {
            if let Some(owner) = &mut self.entries[index] {
                let before = owner.waiting.len();
                owner.waiting.retain(|sample| !sample.is_cancelled());
                self.waiting -= before - owner.waiting.len();
                self.forget_if_idle(OwnerId(index));
            }
        }
    }

    /// Removes all waiting samples. Owners without running samples are removed.
    pub(super) fn drain(&mut self) -> Vec<Sample> {
        let mut samples = Vec::new();
        for index in 0..self.entries.len() {
            if let Some(owner) = &mut self.entries[index] {
                samples.extend(owner.waiting.drain(..));
                self.forget_if_idle(OwnerId(index));
            }
        }
        self.waiting = 0;
        samples
    }

    fn forget_if_idle(&mut self, id: OwnerId) {
        if let Some(owner) = self.entries[id.0].take_if(|owner| owner.running == 0 && owner.waiting.is_empty()) {
            self.by_name.remove(&owner.name);
        }
    }

    /// Returns the number of waiting samples.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Returns the number of owners.
    pub(super) fn count(&self) -> usize {
        self.by_name.len()
    }

    /// Returns all owners.
    pub(super) fn iter(&self) -> impl Iterator<Item = (OwnerId, &Owner)> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(index, owner)| Some((OwnerId(index), owner.as_ref()?)))
    }

    /// Returns an owner.
    pub(super) fn get(&self, id: OwnerId) -> &Owner {
        self.entries[id.0].as_ref().expect("an owner with samples is there")
    }

    /// Returns an owner for modification.
    pub(super) fn get_mut(&mut self, id: OwnerId) -> &mut Owner {
        self.entries[id.0].as_mut().expect("an owner with samples is there")
    }
}
