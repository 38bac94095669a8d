//! Admission of samples to the batch.
//!
//! Slots of the batch and pages are divided evenly among the owners that have samples. The owner with the fewest
//! computed rows is next. If all slots or all pages are in use, an owner below its share takes from one above its
//! share, whose youngest sample is suspended. Smaller samples may overtake a sample that does not fit, up to a limit.

use super::batch::{Batch, PAGE, Running};
use super::owners::OwnerId;
use super::prefix_tree::NodeId;
use super::sample::Sample;
use crate::generate::{RowEngine, same_adapter};

/// Number of an owner's oldest waiting samples that are considered for admission.
const LOOKAHEAD: usize = 16;
/// Number of samples that may overtake one that does not fit. After that, no sample is admitted until it fits.
const MAX_OVERTAKES: usize = 32;

/// Cached content for the start of a sample.
struct Start<S> {
    /// Longest cached prefix of whole pages.
    pages: Vec<usize>,
    /// Node of the last of these pages.
    node: Option<NodeId>,
    /// Running sample with a longer common prefix, or a snapshot, and the length of that prefix: its last page is copied.
    fork: Option<(S, usize)>,
}

/// Result of the attempt to admit a waiting sample.
enum Admission {
    Admitted,
    /// Another sample is computing its prefix.
    Later,
    NoRoom,
}

fn is_starved(sample: &Sample) -> bool {
    sample.passed_by >= MAX_OVERTAKES
}

impl<E: RowEngine> Batch<E> {
    /// Moves waiting samples to the batch while there is room.
    pub(super) fn admit(&mut self) {
        if self.owners.waiting() == 0 {
            return;
        }
        let mut barred = Vec::new();
        let starved = self.owners.iter().find(|(_, owner)| owner.waiting.iter().take(LOOKAHEAD).any(is_starved));
        if let Some(owner) = starved.map(|(id, _)| id)
            && !self.admit_one_of(owner, is_starved)
        {
            return;
        }
        while let Some(owner) = self.next_owner(&barred) {
            if self.admit_one_of(owner, |_| true) {
                for owner in &barred {
                    let waiting = &mut self.owners.get_mut(*owner).waiting;
                    if let Some(sample) = waiting.iter_mut().take(LOOKAHEAD).find(|sample| sample.lacks_room) {
                        sample.passed_by += 1;
                    }
                }
            } else {
                barred.push(owner);
            }
        }
    }

    /// Returns the next owner: it has a waiting sample, and a slot is free or the owner is below its share.
    fn next_owner(&self, barred: &[OwnerId]) -> Option<OwnerId> {
        let full = self.running.len() >= self.limits.max_running;
        let share = self.share_of(self.limits.max_running);
        let candidates = self.owners.iter().filter(|(id, owner)| {
            !owner.waiting.is_empty() && !barred.contains(id) && (!full || owner.running < share)
        });
        let next = candidates.min_by_key(|(_, owner)| owner.rows)?.0;
        (!full || self.beyond_share().is_some()).then_some(next)
    }

    /// Returns an owner's share of `total`.
    fn share_of(&self, total: usize) -> usize {
        (total / self.owners.count().max(1)).max(1)
    }

    /// Returns the owner with the most slots, if it has more than its share.
    fn beyond_share(&self) -> Option<OwnerId> {
        let (id, owner) = self.owners.iter().max_by_key(|(_, owner)| owner.running)?;
        (owner.running > self.share_of(self.limits.max_running)).then_some(id)
    }

    /// Tries to admit one of an owner's `eligible` samples, oldest first; false if none can run now.
    fn admit_one_of(&mut self, owner: OwnerId, eligible: impl Fn(&Sample) -> bool) -> bool {
        let mut lacking = None;
        for index in 0..self.owners.get(owner).waiting.len().min(LOOKAHEAD) {
            if !eligible(&self.owners.get(owner).waiting[index]) {
                continue;
            }
            match self.try_admit(owner, index) {
                Admission::Admitted => {
                    if let Some(lacking) = lacking {
                        self.owners.get_mut(owner).waiting[lacking].passed_by += 1;
                    }
                    return true;
                }
                Admission::Later => {}
                Admission::NoRoom => {
                    self.owners.get_mut(owner).waiting[index].lacks_room = true;
                    lacking.get_or_insert(index);
                }
            }
        }
        false
    }

    fn try_admit(&mut self, owner: OwnerId, index: usize) -> Admission {
        let Some(start) = self.find_start(owner, index) else { return Admission::Later };
        let sample = &self.owners.get(owner).waiting[index];
        let (known, suspended) = (sample.tokens.len(), sample.suspended > 0);
        // A locked node is not evicted.
        if let Some(node) = start.node {
            self.tree.lock(node);
        }
        let whole = (known + 1).div_ceil(PAGE) + self.state_pages;
        let snapshot = start.fork.filter(|_| self.state_pages > 0).map_or(0, |(_, length)| length / PAGE);
        let needed = whole - start.pages.len() - snapshot;
        while !self.has_room(needed, suspended) {
            if !self.reclaim(owner, whole) {
                if let Some(node) = start.node {
                    self.tree.unlock(node);
                }
                return Admission::NoRoom;
            }
        }
        if self.running.len() >= self.limits.max_running
            && let Some(index) = self.beyond_share().and_then(|owner| self.youngest_of(owner))
        {
            self.suspend(index);
        }
        let (sequence, done) = self.start(&start);
        if self.state_pages > 0 && done > 0 {
            let sample = &self.owners.get(owner).waiting[index];
            self.snapshots.refresh(&sample.key, &sample.tokens[..done]);
        }
        // Suspending a sample puts it before the others of its own owner, which is not this one.
        let Some(sample) = self.owners.start(owner, index) else { return Admission::Later };
        self.admissions += 1;
        if !suspended {
            self.prefix_hit_tokens += done as u64;
            sample.tell_cached(done);
        }
        let draft_seed = self.drafts.seed(&sample.key);
        let (node, admissions, states) = (start.node, self.admissions, self.state_pages);
        self.running.push(Running::new(sample, owner, (sequence, done), node, admissions, draft_seed, states));
        Admission::Admitted
    }

    fn start(&mut self, start: &Start<E::Sequence>) -> (E::Sequence, usize) {
        if let Some((parent, length)) = start.fork
            && self.free_pages(1 + self.state_pages)
            && let Ok(sequence) = self.engine.fork_sequence(parent, length)
        {
            return (sequence, length);
        }
        (self.engine.add_sequence(&start.pages), start.pages.len() * PAGE)
    }

    /// Returns the cached content for a waiting sample; `None` if more of it will be cached soon.
    fn find_start(&self, owner: OwnerId, index: usize) -> Option<Start<E::Sequence>> {
        let sample = &self.owners.get(owner).waiting[index];
        let tokens = &sample.tokens[..sample.reusable()];
        if self.state_pages > 0 {
            return self.find_snapshot(owner, sample, tokens);
        }
        let (pages, node) = self.tree.find(&sample.key, tokens);
        let mut start = Start { pages, node, fork: None };
        let known = start.pages.len() * PAGE;
        for other in &self.running {
            let same_prompt = std::sync::Arc::ptr_eq(&other.sample.prompt, &sample.prompt);
            // Of a sample that is generating, all but the last page is in the tree already.
            if other.owner != owner || known == tokens.len() || !(other.left() > 1 || same_prompt) {
                continue;
            }
            if !same_adapter(other.sample.key.adapter.as_ref(), sample.key.adapter.as_ref()) {
                continue;
            }
            let common = tokens.iter().zip(&other.sample.tokens).take_while(|(left, right)| left == right).count();
            let useful = if common == tokens.len() { common } else { common / PAGE * PAGE };
            if useful > known {
                if other.done < useful {
                    return None;
                }
                start.fork = Some((other.sequence, useful));
            }
        }
        Some(start)
    }

    /// Returns the snapshot for a sample that begins with `tokens`; `None` if a running sample will soon take a longer one.
    fn find_snapshot(&self, owner: OwnerId, sample: &Sample, tokens: &[u32]) -> Option<Start<E::Sequence>> {
        let fork = self.snapshots.find(&sample.key, tokens);
        let known = fork.map_or(0, |(_, length)| length);
        let is_awaited = |other: &Running<E::Sequence>| {
            let next = other.next_snapshot().filter(|next| (known + 1..=tokens.len()).contains(next));
            next.is_some_and(|next| other.sample.tokens[..next] == tokens[..next])
                && other.owner == owner
                && same_adapter(other.sample.key.adapter.as_ref(), sample.key.adapter.as_ref())
        };
        let is_later = self.running.iter().any(is_awaited);
        (!is_later).then_some(Start { pages: Vec::new(), node: None, fork })
    }

    /// Returns whether `needed` pages are available beside the pages that running samples will soon need.
    fn has_room(&self, needed: usize, suspended: bool) -> bool {
        if self.running.is_empty() {
            // A single sample always fits.
            return true;
        }
        // A sample that was suspended for lack of pages is resumed only if it can stay for a while.
        let spare = if suspended { 2 } else { 1 };
        let reserved: usize = self.running.iter().map(|running| running.pages_to_come() + spare).sum();
        self.vacant_pages() + self.unused_pages() >= needed + reserved
    }

    /// Suspends a sample of the owner with the most pages, in favour of one that stays within its owner's share with
    /// `more` pages; false if no owner is above its share. The suspended sample's owner cannot reclaim the pages in
    /// return, since it would be above its share with them.
    fn reclaim(&mut self, owner: OwnerId, more: usize) -> bool {
        let share = self.share_of(self.engine.total_pages());
        if self.pages_of(owner) + more > share {
            return false;
        }
        let others = self.owners.iter().map(|(id, _)| (self.pages_of(id), id)).filter(|(_, id)| *id != owner);
        let most = others.max_by_key(|(pages, _)| *pages).filter(|(pages, _)| *pages > share);
        let Some((_, other)) = most else { return false };
        // A sample larger than a share is not suspended, since it would never finish otherwise.
        let own = self.running.iter().enumerate().filter(|(_, running)| running.owner == other);
        let small = own.filter(|(_, running)| running.pages() + running.pages_to_come() <= share);
        let Some((index, _)) = small.max_by_key(|(_, running)| running.admitted) else { return false };
        self.suspend(index);
        true
    }
}
