//! Batch of the scheduler: selects the rows of each step and processes their logits. It has no thread, no queue of
//! arrivals and no clock.
//!
//! `admission` decides which samples join the batch.

use std::sync::{Arc, Mutex, PoisonError};

use super::SamplerLimits;
use super::drafts::{DraftLength, DraftTable};
use super::owners::{OwnerId, Owners};
use super::prefix_tree::{NodeId, PrefixTree};
use super::sample::{Sample, Score, Wanted, score_token};
use super::snapshots::{Snapshots, positions};
use crate::generate::sampler::{SampleError, SamplerLoad};
use crate::generate::{BatchRow, Decoder, RowEngine, RowError};
use crate::lora::Adapter;

/// Number of tokens in a page.
pub(super) const PAGE: usize = Decoder::PAGE_TOKENS;
/// Maximum number of rows per step whose logits are computed for prompt logprobs, since a row of logits is large.
const SCORED_ROWS: usize = 32;
/// Number of steps between two checks for dropped adapters.
const SWEEP: usize = 64;

/// A sample in the batch.
pub(super) struct Running<S> {
    pub sample: Sample,
    pub owner: OwnerId,
    pub sequence: S,
    /// Adapter of the sample, readable while the sample itself is borrowed for sampling.
    adapter: Option<Arc<Adapter>>,
    /// Number of tokens in the cache.
    pub done: usize,
    /// Locked node of the last of its pages that are in the tree.
    pub node: Option<NodeId>,
    /// Number of its pages that are in the tree.
    pub shared: usize,
    /// Sequence number of its admission; a larger one is younger.
    pub admitted: u64,
    /// Number of tokens to run in this step.
    pub count: usize,
    /// Positions at which snapshots are to be taken, in order; none without recurrent states.
    pub snapshots: Vec<usize>,
    /// Number of pages that its recurrent states take.
    state_pages: usize,
    /// Tokens to run behind them, which may be the next ones.
    drafts: Vec<u32>,
    draft_length: DraftLength,
    /// Seed of its entries in the table of drafts, and the number of its tokens that are in there.
    learnt: (u64, usize),
}

impl<S> Running<S> {
    pub(super) fn new(
        sample: Sample,
        owner: OwnerId,
        (sequence, done): (S, usize),
        node: Option<NodeId>,
        admitted: u64,
        draft_seed: u64,
        state_pages: usize,
    ) -> Self {
        let snapshots = match state_pages {
            0 => Vec::new(),
            _ => positions(&sample.tokens, |token| sample.stops_at(token), done),
        };
        let adapter = sample.key.adapter.clone();
        Self {
            sample,
            owner,
            sequence,
            adapter,
            done,
            node,
            shared: done / PAGE,
            admitted,
            count: 0,
            snapshots,
            state_pages,
            drafts: Vec::new(),
            draft_length: DraftLength::default(),
            // Another sample has computed the others, and learnt them.
            learnt: (draft_seed, done),
        }
    }

    /// Returns the number of known tokens that are not in the cache.
    pub(super) fn left(&self) -> usize {
        self.sample.tokens.len() - self.done
    }

    /// Returns whether only logits are missing: those for the next token and for forced tokens before it.
    fn is_generating(&self) -> bool {
        self.left() <= 1 + self.sample.unscored()
    }

    /// Returns the number of pages that its first tokens take, with its states.
    pub(super) fn pages_of(&self, tokens: usize) -> usize {
        if tokens == 0 { 0 } else { tokens.div_ceil(PAGE) + self.state_pages }
    }

    /// Returns the number of pages in use.
    pub(super) fn pages(&self) -> usize {
        self.pages_of(self.done)
    }

    /// Returns the number of additional pages that it needs until the token after the next is sampled.
    pub(super) fn pages_to_come(&self) -> usize {
        self.pages_of(self.sample.tokens.len() + 1) - self.pages()
    }

    /// Returns the next position at which a snapshot is to be taken.
    pub(super) fn next_snapshot(&self) -> Option<usize> {
        self.snapshots.iter().copied().find(|position| *position > self.done)
    }
}

/// Running samples, waiting samples, and the cached pages of earlier ones.
pub(super) struct Batch<E: RowEngine> {
    pub(super) engine: E,
    pub(super) limits: SamplerLimits,
    pub(super) tree: PrefixTree,
    /// Sequences to continue in place of those of the tree, for a model with recurrent states.
    pub(super) snapshots: Snapshots<E::Sequence>,
    /// Number of pages that the recurrent states of a sequence take; zero if the model has none.
    pub(super) state_pages: usize,
    pub(super) owners: Owners,
    pub(super) running: Vec<Running<E::Sequence>>,
    pub(super) admissions: u64,
    /// Number of tokens that admitted samples did not have to compute.
    pub(super) prefix_hit_tokens: u64,
    /// Number of suspensions of running samples.
    pub(super) preemptions: u64,
    /// Number of tokens that were not sampled, since their constraint forced them.
    pub(super) forced_tokens: u64,
    /// Number of drafted tokens, and of those that were right.
    pub(super) drafted_tokens: (u64, u64),
    pub(super) drafts: DraftTable,
    steps: usize,
}

/// Result of processing a requested row of logits.
enum Outcome {
    Drawn { accepted: usize, ended: bool },
    Scored(u32, Option<Score>),
    Drafted,
}

/// Purpose of a requested row of logits.
enum Use<'a> {
    Draw {
        sample: &'a mut Sample,
        drafts: &'a [u32],
        accepted: usize,
        ended: bool,
    },
    Score {
        id: u32,
        top: usize,
        score: Option<Score>,
    },
    /// Used by the draw before it.
    Draft,
}

impl<E: RowEngine> Batch<E> {
    pub(super) fn new(engine: E, limits: SamplerLimits) -> Self {
        let state_pages = engine.state_pages();
        Self {
            engine,
            limits,
            tree: PrefixTree::new(PAGE),
            snapshots: Snapshots::new(),
            state_pages,
            owners: Owners::default(),
            running: Vec::new(),
            admissions: 0,
            prefix_hit_tokens: 0,
            preemptions: 0,
            forced_tokens: 0,
            drafted_tokens: (0, 0),
            drafts: DraftTable::new(),
            steps: 0,
        }
    }

    pub(super) fn submit(&mut self, sample: Sample) {
        self.owners.submit(sample);
    }

    pub(super) fn load(&self) -> SamplerLoad {
        let pages_cached = self.unused_pages();
        SamplerLoad {
            running: self.running.len(),
            waiting: self.owners.waiting(),
            pages_in_use: self.engine.total_pages() - self.vacant_pages() - pages_cached,
            pages_cached,
            page_capacity: self.engine.total_pages(),
            prefix_hit_tokens: self.prefix_hit_tokens,
            preemptions: self.preemptions,
            forced_tokens: self.forced_tokens,
            drafted_tokens: self.drafted_tokens.0,
            accepted_tokens: self.drafted_tokens.1,
            steps: self.steps as u64,
        }
    }

    /// Returns the owners of waiting samples, and the number of their waiting samples.
    pub(super) fn waiting_by_owner(&self) -> impl Iterator<Item = (&Arc<str>, usize)> {
        let owners = self.owners.iter().filter(|(_, owner)| !owner.waiting.is_empty());
        owners.map(|(_, owner)| (&owner.name, owner.waiting.len()))
    }

    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.owners.waiting() == 0
    }

    /// Fails all samples.
    pub(super) fn fail_all(&mut self, reason: &str) {
        let running = self.running.drain(..).map(|running| running.sample);
        for sample in running.chain(self.owners.drain()) {
            sample.fail(SampleError::Failed(reason.to_owned()));
        }
    }

    /// Computes one batch of rows.
    pub(super) fn step(&mut self) {
        self.steps += 1;
        if self.steps.is_multiple_of(SWEEP) {
            self.drop_dead_adapters();
        }
        self.drop_cancelled();
        self.admit();
        while !self.running.is_empty() {
            self.plan();
            if !self.make_room() {
                if self.running.len() == 1 {
                    return self.fail_running("the key-value cache is too small for this request");
                }
                self.suspend_for_pages();
                continue;
            }
            match self.forward() {
                Ok(()) => return,
                Err(RowError::CacheFull) if self.running.len() > 1 => self.suspend_for_pages(),
                Err(RowError::CacheFull) => {
                    return self.fail_running("the key-value cache is too small for this request");
                }
                Err(RowError::Failed(reason)) => return self.fail_running(&reason),
            }
        }
    }

    /// Frees the pages of adapters that have been dropped.
    pub(super) fn drop_dead_adapters(&mut self) {
        let Self { tree, snapshots, engine, .. } = self;
        tree.drop_dead_adapters(|page| engine.release_page(page));
        snapshots.drop_dead_adapters(|sequence| engine.remove_sequence(sequence));
    }

    /// Returns whether [`Self::drop_dead_adapters`] may have work in the future.
    pub(super) fn keeps_adapters_pages(&self) -> bool {
        self.tree.has_adapters() || self.snapshots.has_adapters()
    }

    fn fail_running(&mut self, reason: &str) {
        while !self.running.is_empty() {
            let (_, sample) = self.take_out(self.running.len() - 1);
            sample.fail(SampleError::Failed(reason.to_owned()));
        }
    }

    fn drop_cancelled(&mut self) {
        self.owners.drop_cancelled();
        for index in (0..self.running.len()).rev() {
            if self.running[index].sample.is_cancelled() {
                self.take_out(index);
            }
        }
    }

    /// Removes a sample from the batch. Its full pages stay in the tree, or its sequence becomes a snapshot.
    fn take_out(&mut self, index: usize) -> (OwnerId, Sample) {
        let running = self.release(index);
        self.owners.end(running.0);
        running
    }

    fn release(&mut self, index: usize) -> (OwnerId, Sample) {
        let running = self.running.remove(index);
        let computed = &running.sample.tokens[..running.done];
        let is_kept =
            self.state_pages > 0 && running.done > 0 && !self.snapshots.refresh(&running.sample.key, computed);
        if is_kept {
            self.snapshots.add(&running.sample.key, computed, running.sequence);
        } else {
            self.engine.remove_sequence(running.sequence);
        }
        if let Some(node) = running.node {
            self.tree.unlock(node);
        }
        (running.owner, running.sample)
    }

    /// Suspends a running sample. Its tokens are kept; cached pages that are evicted until it resumes are computed
    /// again, with the same bits.
    pub(super) fn suspend(&mut self, index: usize) {
        let (owner, mut sample) = self.release(index);
        sample.suspended += 1;
        self.preemptions += 1;
        (sample.lacks_room, sample.passed_by) = (false, 0);
        self.owners.suspend(owner, sample);
    }

    /// Suspends the youngest sample of the owner that uses the most pages.
    fn suspend_for_pages(&mut self) {
        let owners = self.owners.iter().filter(|(_, owner)| owner.running > 0);
        let most = owners.map(|(id, _)| (self.pages_of(id), id)).max_by_key(|(pages, _)| *pages);
        if let Some(index) = most.and_then(|(_, owner)| self.youngest_of(owner)) {
            self.suspend(index);
        }
    }

    pub(super) fn youngest_of(&self, owner: OwnerId) -> Option<usize> {
        let own = self.running.iter().enumerate().filter(|(_, running)| running.owner == owner);
        own.max_by_key(|(_, running)| running.admitted).map(|(index, _)| index)
    }

    /// Returns the number of pages that an owner's running samples use and will soon use; shared pages count for each
    /// sample.
    pub(super) fn pages_of(&self, owner: OwnerId) -> usize {
        let own = self.running.iter().filter(|running| running.owner == owner);
        own.map(|running| running.pages() + running.pages_to_come()).sum()
    }

    /// Determines the number of tokens to run for each sample: one for each that is generating, with forced tokens as
    /// far as they fit, and as many prompt tokens as fit beside them, with the owner with the fewest computed rows
    /// first.
    fn plan(&mut self) {
        let (mut generating, mut ahead) = (0, 0);
        for running in &mut self.running {
            running.count = usize::from(running.is_generating());
            generating += running.count;
            ahead += usize::from(running.count == 1 && running.left() > 1);
        }
        let is_prompts_only = generating == 0;
        let has_prompts = generating < self.running.len();
        let mut forced = self.limits.forced_rows.min(self.limits.rows_per_step.saturating_sub(generating));
        if let Some(each) = forced.checked_div(ahead) {
            for running in self.running.iter_mut().filter(|running| running.count == 1) {
                let more = (running.left() - 1).min(each.max(1)).min(forced);
                running.count += more;
                generating += more;
                forced -= more;
            }
        }
        generating += self.plan_drafts(generating);
        if !has_prompts {
            return;
        }
        let most = if is_prompts_only { usize::MAX } else { self.limits.prompt_rows_beside_completions };
        let mut budget = self.limits.rows_per_step.saturating_sub(generating).min(most).max(1);
        let mut scored = SCORED_ROWS;
        let mut prompts: Vec<usize> = (0..self.running.len()).filter(|index| self.running[*index].count == 0).collect();
        prompts.sort_by_key(|index| (self.owners.get(self.running[*index].owner).rows, self.running[*index].admitted));
        for index in prompts {
            let running = &mut self.running[index];
            let end = running.next_snapshot().unwrap_or(running.sample.tokens.len());
            for position in running.done..end.min(running.done + budget) {
                match running.sample.wants(position) {
                    Wanted::Nothing => {}
                    Wanted::Score { .. } if scored == 0 => break,
                    Wanted::Score { .. } => scored -= 1,
                    // All prompt logprobs are sent before the first token, so that token is sampled in a step of its
                    // own.
                    Wanted::Draw if running.sample.is_scoring() => break,
                    Wanted::Draw => {}
                }
                running.count += 1;
            }
            budget -= running.count;
            if budget == 0 {
                return;
            }
        }
    }

    /// Drafts tokens of the samples that generate, beside `rows` rows, and returns their number. Drafts need no further
    /// page.
    fn plan_drafts(&mut self, rows: usize) -> usize {
        let Self { running, drafts: table, limits, state_pages, .. } = self;
        // A wrong draft would change the states.
        let most = if *state_pages > 0 { 0 } else { limits.draft_rows };
        let most = most.min(limits.rows_per_step.saturating_sub(rows));
        let mut left = most;
        let drafting = |running: &Running<_>| running.count > 0 && running.count == running.left();
        let each = most.checked_div(running.iter().filter(|running| drafting(running)).count()).unwrap_or(0).max(1);
        for running in running {
            running.drafts.clear();
            if !drafting(running) {
                continue;
            }
            let known = running.sample.tokens.len();
            let in_page = known.next_multiple_of(PAGE) - known;
            let lengths = [running.draft_length.get(), each, left, in_page, running.sample.max_drafts()];
            let length = lengths.into_iter().min().unwrap_or(0);
            if length > 0 {
                running.drafts = table.draft(running.learnt.0, &running.sample.tokens, length);
                let stop = running.drafts.iter().position(|draft| running.sample.stops_at(*draft));
                running.drafts.truncate(stop.unwrap_or(length));
                left -= running.drafts.len();
            }
        }
        most - left
    }

    /// Runs the planned rows and samples the next tokens from their logits.
    fn forward(&mut self) -> Result<(), RowError> {
        let Self { engine, running, limits, .. } = self;
        let mut rows = Vec::with_capacity(running.iter().map(|running| running.count).sum());
        // One entry per requested row, so that no thread waits for another; and the index of its sample.
        let mut uses = Vec::with_capacity(running.len());
        let mut users = Vec::with_capacity(running.len());
        for (index, running) in running.iter_mut().enumerate() {
            let Running { sample, adapter, sequence, done, count, drafts, .. } = running;
            let (mut draws, first_draft) = (false, *done + *count);
            for position in *done..*done + *count {
                let wanted = sample.wants(position);
                rows.push(BatchRow {
                    token: sample.tokens[position],
                    position,
                    sequence: *sequence,
                    adapter: adapter.as_ref(),
                    want_logits: !matches!(wanted, Wanted::Nothing),
                });
                match wanted {
                    Wanted::Nothing => {}
                    Wanted::Draw => draws = true,
                    Wanted::Score { id, top } => {
                        uses.push(Mutex::new(Use::Score { id, top, score: None }));
                        users.push(index);
                    }
                }
            }
            if draws {
                uses.push(Mutex::new(Use::Draw { sample, drafts: &*drafts, accepted: 0, ended: false }));
                users.push(index);
            }
            for (number, &token) in drafts.iter().enumerate() {
                let position = first_draft + number;
                let (sequence, adapter) = (*sequence, adapter.as_ref());
                rows.push(BatchRow { token, position, sequence, adapter, want_logits: true });
                uses.push(Mutex::new(Use::Draft));
                users.push(index);
            }
        }
        let looks_ahead = limits.forced_rows > 0;
        engine.run(&rows, &|row, logits| match &mut *uses[row].lock().unwrap_or_else(PoisonError::into_inner) {
            Use::Draw { sample, drafts, accepted, ended } => {
                (*accepted, *ended) = sample.advance(logits, row, drafts, looks_ahead);
            }
            Use::Score { id, top, score } => *score = score_token(logits.row(row), *id, *top),
            Use::Draft => {}
        })?;
        let outcomes: Vec<Outcome> = uses
            .into_iter()
            .map(|used| match used.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Use::Draw { accepted, ended, .. } => Outcome::Drawn { accepted, ended },
                Use::Score { id, score, .. } => Outcome::Scored(id, score),
                Use::Draft => Outcome::Drafted,
            })
            .collect();
        for (&index, outcome) in users.iter().zip(&outcomes) {
            if let Outcome::Drawn { accepted, .. } = *outcome {
                self.keep_drafts(index, accepted);
            }
        }
        for index in 0..self.running.len() {
            let Self { running, drafts, owners, limits, .. } = self;
            let running = &mut running[index];
            running.done += running.count;
            owners.get_mut(running.owner).rows += running.count as u64;
            if limits.draft_rows > 0 {
                let (seed, learnt) = running.learnt;
                drafts.learn(seed, &running.sample.tokens, learnt);
                running.learnt.1 = running.sample.tokens.len();
            }
        }
        // The states of all samples count as memory before any is copied.
        for index in 0..self.running.len() {
            if self.state_pages > 0 {
                self.take_snapshot(index);
            } else {
                self.share_pages(index);
            }
        }
        self.settle(&users, outcomes);
        Ok(())
    }

    /// Keeps the keys and values of a sample's right drafts, its first `accepted` ones.
    fn keep_drafts(&mut self, index: usize, accepted: usize) {
        let running = &mut self.running[index];
        let drafted = running.drafts.len();
        running.draft_length.adapt(drafted, accepted);
        self.drafted_tokens.0 += drafted as u64;
        self.drafted_tokens.1 += accepted as u64;
        self.owners.get_mut(running.owner).rows += (drafted - accepted) as u64;
        if accepted < drafted {
            self.engine.truncate_sequence(running.sequence, running.done + running.count + accepted);
        }
        running.count += accepted;
    }

    /// Sends the scores, then what was held back for them, and removes the samples that have finished.
    fn settle(&mut self, users: &[usize], outcomes: Vec<Outcome>) {
        let mut ended: Vec<(usize, bool)> = Vec::new();
        for (&index, outcome) in users.iter().zip(outcomes) {
            // A sample with logits that are not finite gets one error only.
            if ended.last().is_some_and(|(last, _)| *last == index) {
                continue;
            }
            let sample = &mut self.running[index].sample;
            match outcome {
                Outcome::Drafted => {}
                Outcome::Drawn { ended: is_last, .. } => {
                    sample.send_held();
                    if is_last {
                        ended.push((index, false));
                    }
                }
                Outcome::Scored(id, Some(score)) => self.forced_tokens += u64::from(sample.add_score(id, score)),
                Outcome::Scored(_, None) => ended.push((index, true)),
            }
        }
        for (index, is_unscored) in ended.into_iter().rev() {
            let (_, sample) = self.take_out(index);
            if is_unscored {
                sample.fail(SampleError::NotFinite);
            }
        }
    }

    /// Adds a sample's full pages to the tree.
    fn share_pages(&mut self, index: usize) {
        let Self { engine, tree, running, .. } = self;
        let running = &mut running[index];
        while (running.shared + 1) * PAGE <= running.done {
            let page = engine.page(running.sequence, running.shared);
            let tokens = &running.sample.tokens[running.shared * PAGE..][..PAGE];
            let (node, known) = tree.extend(&running.sample.key, running.node, tokens, page);
            match known {
                // Two samples have computed the same page, with the same bits.
                Some(known) => engine.replace_page(running.sequence, running.shared, known),
                None => engine.retain_page(page),
            }
            running.node = Some(node);
            running.shared += 1;
        }
    }
}
