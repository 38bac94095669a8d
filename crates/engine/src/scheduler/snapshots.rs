//! Snapshots: sequences of a model with recurrent states that are kept as they are, for later samples to continue.
//!
//! Such a state belongs to one position, so pages alone cannot be shared as in the [prefix tree](super::prefix_tree). A snapshot
//! holds the tokens up to a position, and a sequence of the engine with their pages and states. Snapshots are taken where others are
//! likely to continue:
//!
//! * before the last token of a prompt, for other samples of that prompt;
//! * behind the last message of a prompt, whose end is a stop token: the next turn of a conversation has the same messages, and
//!   templates drop the reasoning that follows;
//! * at the end of a sample, which costs no copy, for a next turn with the whole answer.
//!
//! The least recently used one is removed when room is needed.

use std::sync::{Arc, Weak};

use super::prefix_tree::PrefixKey;
use crate::lora::Adapter;

/// Minimum number of tokens between the start of a sample and the end of a message at which a snapshot is taken.
const LEAST_MESSAGE: usize = 32;

/// Sequences to continue, each with its tokens.
pub(super) struct Snapshots<S> {
    entries: Vec<Snapshot<S>>,
    clock: u64,
}

struct Snapshot<S> {
    owner: Arc<str>,
    /// Adapter; its address is not used again while this reference is there.
    adapter: Option<Weak<Adapter>>,
    tokens: Box<[u32]>,
    sequence: S,
    /// Time stamp of the last use.
    used: u64,
}

impl<S> Snapshot<S> {
    fn is_of(&self, key: &PrefixKey) -> bool {
        let same_adapter = match (&self.adapter, &key.adapter) {
            (None, None) => true,
            (Some(own), Some(adapter)) => own.as_ptr() == Arc::as_ptr(adapter),
            _ => false,
        };
        self.owner == key.owner && same_adapter
    }
}

impl<S: Copy> Snapshots<S> {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), clock: 0 }
    }

    /// Returns the number of snapshots.
    pub(super) fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the longest snapshot of a prefix of `tokens`: its sequence and its number of tokens.
    pub(super) fn find(&self, key: &PrefixKey, tokens: &[u32]) -> Option<(S, usize)> {
        let known = self.entries.iter().filter(|entry| entry.is_of(key) && tokens.starts_with(&entry.tokens));
        known.map(|entry| (entry.sequence, entry.tokens.len())).max_by_key(|(_, length)| *length)
    }

    /// Marks the snapshot of exactly these tokens as used; false if there is none.
    pub(super) fn refresh(&mut self, key: &PrefixKey, tokens: &[u32]) -> bool {
        self.clock += 1;
        let known = self.entries.iter_mut().find(|entry| entry.is_of(key) && *entry.tokens == *tokens);
        known.map(|entry| entry.used = self.clock).is_some()
    }

    /// Adds a snapshot.
    pub(super) fn add(&mut self, key: &PrefixKey, tokens: &[u32], sequence: S) {
        self.clock += 1;
        let (owner, adapter) = (key.owner.clone(), key.adapter.as_ref().map(Arc::downgrade));
        self.entries.push(Snapshot { owner, adapter, tokens: tokens.into(), sequence, used: self.clock });
    }

    /// Removes the least recently used snapshot; `None` if there is none.
    pub(super) fn evict(&mut self) -> Option<S> {
        let (index, _) = self.entries.iter().enumerate().min_by_key(|(_, entry)| entry.used)?;
        Some(self.entries.swap_remove(index).sequence)
    }

    /// Removes the snapshots of adapters that have been dropped.
    pub(super) fn drop_dead_adapters(&mut self, mut remove: impl FnMut(S)) {
        let is_dead = |entry: &Snapshot<S>| entry.adapter.as_ref().is_some_and(|adapter| adapter.strong_count() == 0);
        self.entries.extract_if(.., |entry| is_dead(entry)).for_each(|entry| remove(entry.sequence));
    }

    /// Returns whether there is a snapshot with an adapter.
    pub(super) fn has_adapters(&self) -> bool {
        self.entries.iter().any(|entry| entry.adapter.is_some())
    }
}

/// Returns the positions, in order, at which snapshots of a sample with these tokens are taken, of which `done` are computed.
pub(super) fn positions(tokens: &[u32], stops_at: impl Fn(u32) -> bool, done: usize) -> Vec<usize> {
    let last = tokens.len().saturating_sub(1);
    let message = tokens[..last].iter().rposition(|token| stops_at(*token)).map(|position| position + 1);
    let message = message.filter(|end| *end >= done + LEAST_MESSAGE && *end < last);
    message.into_iter().chain((last > done).then_some(last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(owner: &str, adapter: Option<&Arc<Adapter>>) -> PrefixKey {
        PrefixKey { owner: owner.into(), adapter: adapter.cloned() }
    }

    fn adapter() -> Arc<Adapter> {
        let config = crate::config::ModelConfig::from_json(&crate::tests::odd_config().to_string()).unwrap();
        Arc::new(Adapter::none(&config))
    }

    #[test]
    fn the_longest_prefix_of_the_same_owner_and_adapter_is_found() {
        let (mut snapshots, adapter) = (Snapshots::new(), adapter());
        let (plain, adapted) = (key("a", None), key("a", Some(&adapter)));
        snapshots.add(&plain, &[1, 2], 10);
        snapshots.add(&plain, &[1, 2, 3, 4], 11);
        snapshots.add(&plain, &[1, 2, 3, 5], 12);
        snapshots.add(&adapted, &[1, 2, 3], 13);
        assert_eq!(snapshots.find(&plain, &[1, 2, 3, 4, 5]), Some((11, 4)));
        assert_eq!(snapshots.find(&plain, &[1, 2, 3]), Some((10, 2)));
        assert_eq!(snapshots.find(&adapted, &[1, 2, 3, 4]), Some((13, 3)));
        assert_eq!(snapshots.find(&plain, &[1]), None);
        assert_eq!(snapshots.find(&key("b", None), &[1, 2, 3, 4]), None);

        assert!(snapshots.refresh(&plain, &[1, 2]) && !snapshots.refresh(&plain, &[1, 2, 3]));
        assert_eq!(snapshots.evict(), Some(11), "the one that was not used for the longest time");
        drop((adapted, adapter));
        let mut removed = Vec::new();
        snapshots.drop_dead_adapters(|sequence| removed.push(sequence));
        assert_eq!((removed, snapshots.has_adapters(), snapshots.count()), (vec![13], false, 2));
    }

    #[test]
    fn snapshots_are_taken_behind_messages_and_before_the_last_token() {
        let prompt: Vec<u32> = (0..50).map(|position| if position % 20 == 19 { 7 } else { 1 }).collect();
        let stops_at = |token| token == 7;
        assert_eq!(positions(&prompt, stops_at, 0), [40, 49]);
        assert_eq!(positions(&prompt, stops_at, 8), [40, 49]);
        assert_eq!(positions(&prompt, stops_at, 9), [49], "too few tokens would be saved");
        assert_eq!(positions(&prompt[..40], stops_at, 0), [39], "the last token is a message's end");
        assert!(positions(&prompt, stops_at, 49).is_empty() && positions(&[1], stops_at, 0).is_empty());
    }
}
