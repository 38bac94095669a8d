//! Drafts: tokens that may come next, since they followed the same tokens before.
//!
//! A step runs drafts behind the last token of a sample, and tokens are sampled from their logits in order until one
//! differs from its draft. Logits have the same bits in any batch and random numbers belong to positions, so the tokens
//! are those of single steps. This is prompt lookup decoding (Saxena 2023; Yang et al., "Inference with Reference", 2023),
//! with the text of all samples of an owner and adapter: prompts, completions, and the other completions of a group.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::prefix_tree::PrefixKey;

/// Number of tokens that a draft is looked up by.
const CONTEXT: usize = 3;
/// Number of contexts that the table remembers; 8 bytes each.
const SLOTS: usize = 1 << 17;
/// Maximum number of drafts of a sample in a step.
const MAX_LENGTH: usize = 8;
/// Number of tokens without drafts after a draft that was wrong; doubled each time.
const PAUSE: usize = 16;
const MAX_DOUBLINGS: u32 = 4;

/// Latest token after each context of [`CONTEXT`] tokens, for all owners and adapters.
pub(super) struct DraftTable {
    slots: Box<[Slot]>,
    /// Unpredictable, so that no owner can read the drafts of another.
    hasher: RandomState,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Part of the hash of the context; another context may have the same slot.
    check: u32,
    next: u32,
}

impl DraftTable {
    pub(super) fn new() -> Self {
        Self { slots: vec![Slot::default(); SLOTS].into(), hasher: RandomState::new() }
    }

    /// Returns the seed of the hashes of an owner and adapter.
    pub(super) fn seed(&self, key: &PrefixKey) -> u64 {
        self.hasher.hash_one((&key.owner, key.adapter.as_ref().map(Arc::as_ptr)))
    }

    /// Remembers the tokens from position `from` on.
    pub(super) fn learn(&mut self, seed: u64, tokens: &[u32], from: usize) {
        for end in from.max(CONTEXT)..tokens.len() {
            let (slot, check) = slot_of(seed, &tokens[end - CONTEXT..end]);
            self.slots[slot] = Slot { check, next: tokens[end] };
        }
    }

    /// Returns at most `count` tokens that may follow `tokens`.
    pub(super) fn draft(&self, seed: u64, tokens: &[u32], count: usize) -> Vec<u32> {
        let mut drafts = Vec::new();
        let Some(mut context) = tokens.last_chunk::<CONTEXT>().copied() else { return drafts };
        while drafts.len() < count {
            let (slot, check) = slot_of(seed, &context);
            let Slot { check: known, next } = self.slots[slot];
            if known != check {
                break;
            }
            drafts.push(next);
            context.rotate_left(1);
            context[CONTEXT - 1] = next;
        }
        drafts
    }
}

/// Returns the slot of a context and its check, which is never that of an empty slot.
fn slot_of(seed: u64, context: &[u32]) -> (usize, u32) {
    let mut hash = seed;
    for &token in context {
        hash = (hash ^ u64::from(token)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    (hash as usize % SLOTS, (hash >> 32) as u32 | 1)
}

/// Number of drafts of a sample, by the fate of its last ones.
pub(super) struct DraftLength {
    length: usize,
    /// Number of tokens until the next draft.
    pause: usize,
    /// Number of failures less that of successes, from 0 to [`MAX_DOUBLINGS`].
    failures: u32,
}

impl Default for DraftLength {
    fn default() -> Self {
        Self { length: 1, pause: 0, failures: 0 }
    }
}

impl DraftLength {
    /// Returns the maximum number of drafts in the next step.
    pub(super) fn get(&self) -> usize {
        if self.pause > 0 { 0 } else { self.length }
    }

    /// Adapts the number to a step with `drafted` drafts, the first `accepted` of which were right.
    pub(super) fn adapt(&mut self, drafted: usize, accepted: usize) {
        match (drafted, accepted) {
            (0, _) => self.pause = self.pause.saturating_sub(1),
            (_, 0) => {
                (self.length, self.pause) = (1, PAUSE << self.failures);
                self.failures = (self.failures + 1).min(MAX_DOUBLINGS);
            }
            _ => {
                self.length = if accepted == drafted { (2 * self.length).min(MAX_LENGTH) } else { accepted };
                self.failures = self.failures.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(owner: &str) -> PrefixKey {
        PrefixKey { owner: owner.into(), adapter: None }
    }

    #[test]
    fn a_draft_is_the_latest_continuation_of_the_same_owner() {
        let mut table = DraftTable::new();
        let (seed, other) = (table.seed(&key("a")), table.seed(&key("b")));
        table.learn(seed, &[1, 2, 3, 4, 5, 6, 9, 1, 2, 3, 7, 8], 0);
        assert_eq!(table.draft(seed, &[0, 1, 2, 3], 8), [7, 8]);
        assert_eq!(table.draft(seed, &[2, 3, 4], 8), [5, 6, 9, 1, 2, 3, 7, 8], "chained over repeated text");
        assert_eq!(table.draft(seed, &[2, 3, 4], 2), [5, 6]);
        assert!(table.draft(seed, &[3, 3, 3], 8).is_empty() && table.draft(seed, &[2, 3], 8).is_empty());
        assert!(table.draft(other, &[1, 2, 3], 8).is_empty());
        table.learn(seed, &[1, 2, 3, 5], 3);
        assert_eq!(table.draft(seed, &[1, 2, 3], 1), [5]);
    }

    #[test]
    fn drafts_grow_while_they_are_right_and_pause_when_they_are_wrong() {
        let mut length = DraftLength::default();
        for expected in [1, 2, 4, 8, 8] {
            assert_eq!(length.get(), expected);
            length.adapt(expected, expected);
        }
        length.adapt(8, 3);
        assert_eq!(length.get(), 3);
        for pause in [16, 32, 64, 128, 256, 256] {
            length.adapt(length.get(), 0);
            for _ in 0..pause {
                assert_eq!(length.get(), 0);
                length.adapt(0, 0);
            }
            assert_eq!(length.get(), 1);
        }
        length.adapt(1, 1);
        assert_eq!(length.get(), 2);
        length.adapt(2, 0);
        assert_eq!((length.get(), length.pause), (0, 128), "a success forgives one failure");
    }
}
