//! Memory of the batch: the pages of the cache that keys and values take, and those that recurrent states take.

use std::collections::HashSet;

use super::batch::{Batch, PAGE, Running};
use crate::generate::RowEngine;

impl<E: RowEngine> Batch<E> {
    /// Frees the pages that the planned rows need; false if there are not enough.
    pub(super) fn make_room(&mut self) -> bool {
        let needed = |running: &Running<_>| running.pages_of(running.done + running.count) - running.pages();
        let needed = self.running.iter().map(needed).sum();
        self.free_pages(needed)
    }

    /// Evicts unused pages until `count` pages are free; false if there are not enough.
    pub(super) fn free_pages(&mut self, count: usize) -> bool {
        while self.vacant_pages() < count {
            if let Some(page) = self.tree.evict() {
                self.engine.release_page(page);
            } else if let Some(sequence) = self.snapshots.evict() {
                self.engine.remove_sequence(sequence);
            } else {
                return false;
            }
        }
        true
    }

    /// Returns the number of pages that neither keys and values nor states take.
    pub(super) fn vacant_pages(&self) -> usize {
        let states = self.states_in_use() + self.snapshots.count();
        self.engine.free_pages().saturating_sub(states * self.state_pages)
    }

    /// Returns the number of running samples with recurrent states.
    fn states_in_use(&self) -> usize {
        self.running.iter().filter(|running| running.done > 0).count()
    }

    /// Returns the number of pages that no running sample uses, with the states that these take.
    pub(super) fn unused_pages(&self) -> usize {
        if self.state_pages == 0 {
            return self.tree.unused_pages();
        }
        // A snapshot shares pages with samples and with other snapshots.
        let pages_of = |running: &Running<E::Sequence>| {
            (0..running.done.div_ceil(PAGE)).map(|index| self.engine.page(running.sequence, index)).collect::<Vec<_>>()
        };
        let used: HashSet<usize> = self.running.iter().flat_map(pages_of).collect();
        let in_use = used.len() + self.states_in_use() * self.state_pages;
        self.engine.total_pages().saturating_sub(self.vacant_pages() + in_use)
    }

    /// Takes a snapshot of a sample, if it has reached a position for one and there is room.
    pub(super) fn take_snapshot(&mut self, index: usize) {
        let running = &self.running[index];
        let needed = 1 + self.state_pages;
        if !running.snapshots.contains(&running.done)
            || self.snapshots.refresh(&running.sample.key, &running.sample.tokens[..running.done])
            || self.vacant_pages() + self.unused_pages() < needed
            || !self.free_pages(needed)
        {
            return;
        }
        let Running { sample, sequence, done, .. } = &self.running[index];
        if let Ok(copy) = self.engine.fork_sequence(*sequence, *done) {
            self.snapshots.add(&sample.key, &sample.tokens[..*done], copy);
        }
    }
}
