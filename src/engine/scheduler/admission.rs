//! Who gets a place in the batch.
//!
//! Places and pages are divided evenly among the owners that have samples. The owner for which the fewest rows were run
//! comes next. Where all places are taken, or all pages, an owner below its share gets what another has beyond its own:
//! that one's youngest sample is suspended. A sample that does not fit lets smaller ones pass, but only so many.

use super::batch::{Batch, PAGE, Running};
use super::owners::OwnerId;
use super::prefix_tree::NodeId;
use super::row_engine::{RowEngine, same_adapter};
use super::sample::Sample;

/// Samples of an owner that are looked at for one that can run, from the oldest on.
const LOOKAHEAD: usize = 16;
/// Samples that may pass one for which there is no room. Then nobody is let in until there is.
const PATIENCE: usize = 32;

/// What the cache has of a sample.
struct Start<S> {
    /// The longest known prefix of whole pages.
    pages: Vec<usize>,
    /// Its last node.
    node: Option<NodeId>,
    /// A sample of the batch that has more, and how much: its last page is copied.
    fork: Option<(S, usize)>,
}

/// What became of a waiting sample.
enum Verdict {
    Admitted,
    /// Another sample computes its prefix just now.
    Later,
    NoRoom,
}

fn is_desperate(sample: &Sample) -> bool {
    sample.passed_by >= PATIENCE
}

impl<E: RowEngine> Batch<E> {
    /// Moves waiting samples into the batch as far as there is room.
    pub(super) fn admit(&mut self) {
        if self.owners.waiting() == 0 {
            return;
        }
        let mut barred = Vec::new();
        let desperate = self.owners.iter().find(|(_, owner)| owner.waiting.iter().take(LOOKAHEAD).any(is_desperate));
        if let Some(owner) = desperate.map(|(id, _)| id)
            && !self.admit_one_of(owner, is_desperate)
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

    /// The owner that comes next: it has a waiting sample, and a place is free or it is below its share.
    fn next_owner(&self, barred: &[OwnerId]) -> Option<OwnerId> {
        let full = self.running.len() >= self.limits.max_running;
        let share = self.share_of(self.limits.max_running);
        let candidates = self.owners.iter().filter(|(id, owner)| {
            !owner.waiting.is_empty() && !barred.contains(id) && (!full || owner.running < share)
        });
        let next = candidates.min_by_key(|(_, owner)| owner.rows)?.0;
        (!full || self.beyond_share().is_some()).then_some(next)
    }

    /// An owner's share of `total`.
    fn share_of(&self, total: usize) -> usize {
        (total / self.owners.count().max(1)).max(1)
    }

    /// The owner with the most places, if these are more than its share.
    fn beyond_share(&self) -> Option<OwnerId> {
        let (id, owner) = self.owners.iter().max_by_key(|(_, owner)| owner.running)?;
        (owner.running > self.share_of(self.limits.max_running)).then_some(id)
    }

    /// Tries those of an owner's samples that are `eligible`, the oldest first; false if none of them can run now.
    fn admit_one_of(&mut self, owner: OwnerId, eligible: impl Fn(&Sample) -> bool) -> bool {
        let mut lacking = None;
        for index in 0..self.owners.get(owner).waiting.len().min(LOOKAHEAD) {
            if !eligible(&self.owners.get(owner).waiting[index]) {
                continue;
            }
            match self.try_admit(owner, index) {
                Verdict::Admitted => {
                    if let Some(lacking) = lacking {
                        self.owners.get_mut(owner).waiting[lacking].passed_by += 1;
                    }
                    return true;
                }
                Verdict::Later => {}
                Verdict::NoRoom => {
                    self.owners.get_mut(owner).waiting[index].lacks_room = true;
                    lacking.get_or_insert(index);
                }
            }
        }
        false
    }

    fn try_admit(&mut self, owner: OwnerId, index: usize) -> Verdict {
        let Some(start) = self.find_start(owner, index) else { return Verdict::Later };
        let sample = &self.owners.get(owner).waiting[index];
        let (known, suspended) = (sample.tokens.len(), sample.suspended > 0);
        // While it is locked nothing of it is given up.
        if let Some(node) = start.node {
            self.tree.lock(node);
        }
        let whole = (known + 1).div_ceil(PAGE);
        let needed = whole - start.pages.len();
        while !self.has_room(needed, suspended) {
            if !self.reclaim(owner, whole) {
                if let Some(node) = start.node {
                    self.tree.unlock(node);
                }
                return Verdict::NoRoom;
            }
        }
        if self.running.len() >= self.limits.max_running
            && let Some(index) = self.beyond_share().and_then(|owner| self.youngest_of(owner))
        {
            self.suspend(index);
        }
        let (sequence, done) = self.start(&start);
        // Suspending puts samples before the others of their own owner, which is not this one.
        let Some(sample) = self.owners.start(owner, index) else { return Verdict::Later };
        self.admissions += 1;
        self.running.push(Running::new(sample, owner, sequence, done, start.node, self.admissions));
        Verdict::Admitted
    }

    fn start(&mut self, start: &Start<E::Sequence>) -> (E::Sequence, usize) {
        if let Some((parent, length)) = start.fork
            && self.free_pages(1)
            && let Ok(sequence) = self.engine.fork_sequence(parent, length)
        {
            return (sequence, length);
        }
        (self.engine.add_sequence(&start.pages), start.pages.len() * PAGE)
    }

    /// What the cache has of a waiting sample; `None` if there will be more soon.
    fn find_start(&self, owner: OwnerId, index: usize) -> Option<Start<E::Sequence>> {
        let sample = &self.owners.get(owner).waiting[index];
        let tokens = &sample.tokens[..sample.reusable()];
        let (pages, node) = self.tree.find(&sample.key, tokens);
        let mut start = Start { pages, node, fork: None };
        let known = start.pages.len() * PAGE;
        for other in &self.running {
            let same_prompt = std::sync::Arc::ptr_eq(&other.sample.prompt, &sample.prompt);
            // Of those that generate all but the last page is in the tree already.
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

    /// Whether there are `needed` pages beside those that the samples of the batch will soon need.
    fn has_room(&self, needed: usize, suspended: bool) -> bool {
        if self.running.is_empty() {
            // A single sample always fits.
            return true;
        }
        // Who was suspended for want of pages comes back where it can stay for a while.
        let spare = if suspended { 2 } else { 1 };
        let reserved: usize = self.running.iter().map(|running| running.pages_to_come() + spare).sum();
        self.engine.free_pages() + self.tree.unused_pages() >= needed + reserved
    }

    /// Suspends a sample of the owner with the most pages for one that stays within its share with `more` of them; false if
    /// nobody has more than the share. Who is suspended cannot ask for the same in return: with the pages that it had it
    /// is beyond its share.
    fn reclaim(&mut self, owner: OwnerId, more: usize) -> bool {
        let share = self.share_of(self.engine.total_pages());
        if self.pages_of(owner) + more > share {
            return false;
        }
        let others = self.owners.iter().map(|(id, _)| (self.pages_of(id), id)).filter(|(_, id)| *id != owner);
        let most = others.max_by_key(|(pages, _)| *pages).filter(|(pages, _)| *pages > share);
        let Some((_, other)) = most else { return false };
        // A sample that is larger than a share would otherwise never come to its end.
        let own = self.running.iter().enumerate().filter(|(_, running)| running.owner == other);
        let small = own.filter(|(_, running)| running.pages() + running.pages_to_come() <= share);
        let Some((index, _)) = small.max_by_key(|(_, running)| running.admitted) else { return false };
        self.suspend(index);
        true
    }
}
