//! Decoding: runs rows of several sequences and adapters through the model in one call.

use std::collections::HashMap;
use std::sync::Arc;

use super::rows::{BatchRow, Logits, RowEngine, RowError, SequenceHandle, same_adapter};
use crate::config::LayerKind;
use crate::kernels::attention::{AttentionSpan, PAGE, PagePart};
use crate::kernels::products::matmul;
use crate::kernels::{Buffer, ComputePool, ROW_BLOCK, for_row_blocks};
use crate::lora::Adapter;
use crate::model::BaseModel;
use crate::pass::{
    Batch, Context, KvCache, LayerState, RotaryTable, Scratch, SequenceRun, States, inner_widths, layer_forward,
    normalise,
};

/// Error of a rejected decoding call. No sequence has changed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum DecodeError {
    /// The cache has no room for the new tokens; remove a sequence and retry.
    #[error("the key-value cache has room for {free} more tokens, {needed} are needed")]
    CacheFull {
        free: usize,
        /// Number of tokens in the new pages needed.
        needed: usize,
    },
    #[error("the sequence handle is not valid")]
    UnknownSequence,
    #[error("row at position {found} does not continue its sequence, whose next position is {expected}")]
    Position { found: usize, expected: usize },
    #[error("position {position} is beyond the model's limit of {limit} tokens")]
    TooLong { position: usize, limit: usize },
    #[error("token {token} is outside the vocabulary of {vocab_size}")]
    Token { token: u32, vocab_size: usize },
    #[error("rows of one sequence name different adapters")]
    MixedAdapters,
    #[error("the adapter does not fit the model's shape")]
    Adapter,
    #[error("the states of a sequence of {length} tokens are not known after {asked} of them")]
    State { length: usize, asked: usize },
}

/// Decoder of many sequences on one base model, with a cache of their keys and values.
pub struct Decoder {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    cache: KvCache,
    sequences: Vec<Slot>,
    rotary: RotaryTable,
    x: Buffer,
    state: LayerState,
    scratch: Scratch,
    /// Final hidden rows whose logits are requested.
    wanted: Buffer,
    logits: Buffer,
}

/// Slot of a sequence. Its generation is odd while it is in use.
#[derive(Default)]
struct Slot {
    generation: u32,
    length: usize,
    pages: Vec<usize>,
    /// States of all layers without attention after the last token; empty for a model without such a layer, and before the first token.
    states: Buffer,
}

impl Decoder {
    /// Number of tokens in a page: a sequence of `n` tokens takes `n` rounded up to a multiple of it.
    pub const PAGE_TOKENS: usize = PAGE;

    /// Creates a decoder whose cache holds up to `kv_tokens` tokens in total, rounded up to whole pages. Pages are
    /// allocated on demand.
    pub fn new(pool: Arc<ComputePool>, base: Arc<BaseModel>, kv_tokens: usize) -> Self {
        let cache =
            KvCache::new(base.layout.attention, base.config.layers_of(LayerKind::Attention), kv_tokens.div_ceil(PAGE));
        Self {
            pool,
            base,
            cache,
            sequences: Vec::new(),
            rotary: RotaryTable::default(),
            x: Buffer::default(),
            state: LayerState::default(),
            scratch: Scratch::default(),
            wanted: Buffer::default(),
            logits: Buffer::default(),
        }
    }

    /// Returns the model.
    pub fn base(&self) -> &Arc<BaseModel> {
        &self.base
    }

    /// Returns the compute threads.
    pub fn pool(&self) -> &Arc<ComputePool> {
        &self.pool
    }

    /// Adds an empty sequence. It uses the cache only once tokens are run.
    pub fn add_sequence(&mut self) -> SequenceHandle {
        let free = self.sequences.iter().position(|slot| slot.generation.is_multiple_of(2));
        let slot = free.unwrap_or_else(|| {
            self.sequences.push(Slot::default());
            self.sequences.len() - 1
        });
        let sequence = &mut self.sequences[slot];
        sequence.generation = sequence.generation.wrapping_add(1);
        SequenceHandle { slot: slot as u32, generation: sequence.generation }
    }

    /// Adds a sequence that starts with the first `length` tokens of `parent`, at most all of them. Whole pages are
    /// shared, a partial one is copied, and so are the states of layers without attention, which are known after all tokens only.
    /// Keys, values and states depend on the adapter, so the new sequence must use the parent's.
    pub fn fork_sequence(&mut self, parent: SequenceHandle, length: usize) -> Result<SequenceHandle, DecodeError> {
        let source = self.slot(parent)?;
        let length = length.min(source.length);
        if self.base.layout.has_states() && length != 0 && length != source.length {
            return Err(DecodeError::State { length: source.length, asked: length });
        }
        let mut states = Buffer::default();
        if length > 0 {
            states.reserve(source.states.len());
            states.copy_from_slice(&source.states);
        }
        let mut pages = source.pages[..length.div_ceil(PAGE)].to_vec();
        let partial = if length.is_multiple_of(PAGE) { None } else { pages.pop() };
        let whole = pages.len();
        if let Some(from) = partial {
            let free = self.free_tokens();
            let to = self.cache.allocate().ok_or(DecodeError::CacheFull { free, needed: PAGE })?;
            self.cache.copy(from, to);
            pages.push(to);
        }
        pages[..whole].iter().for_each(|page| self.cache.retain(*page));
        let handle = self.add_sequence();
        let slot = &mut self.sequences[handle.slot as usize];
        (slot.length, slot.pages, slot.states) = (length, pages, states);
        Ok(handle)
    }

    /// Removes a sequence and frees its cache. An invalid handle has no effect.
    pub fn remove_sequence(&mut self, sequence: SequenceHandle) {
        if self.slot(sequence).is_err() {
            return;
        }
        let slot = &mut self.sequences[sequence.slot as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.length = 0;
        slot.states = Buffer::default();
        for page in std::mem::take(&mut slot.pages) {
            self.cache.release(page);
        }
    }

    /// Returns the number of tokens run so far; `None` for an invalid handle.
    pub fn sequence_length(&self, sequence: SequenceHandle) -> Option<usize> {
        self.slot(sequence).ok().map(|slot| slot.length)
    }

    /// Returns the number of tokens that fit into unused pages.
    pub fn free_tokens(&self) -> usize {
        self.cache.free_pages() * PAGE
    }

    fn slot(&self, handle: SequenceHandle) -> Result<&Slot, DecodeError> {
        let slot = self.sequences.get(handle.slot as usize).filter(|slot| slot.generation == handle.generation);
        slot.ok_or(DecodeError::UnknownSequence)
    }

    /// Runs the rows and returns the logits of those that request them. Rows are prefill chunks and single tokens of
    /// any sequences and adapters, in any order, as long as each sequence's rows are in order.
    pub fn forward(&mut self, rows: &[BatchRow]) -> Result<Logits<'_>, DecodeError> {
        let order = self.plan(rows)?;
        let (spans, parts) = self.extend_sequences(rows, &order)?;
        let positions: Vec<usize> = order.iter().map(|row| rows[*row].position).collect();
        let longest = positions.iter().max().map_or(0, |position| position + 1);

        let Self { pool, base, cache, sequences, rotary, x, state, scratch, .. } = self;
        let (count, layout) = (rows.len(), &base.layout);
        let stride = layout.hidden.padded_len();
        let mut adapters = Vec::new();
        for group in order.chunk_by(|a, b| same_adapter(rows[*a].adapter, rows[*b].adapter)) {
            let start = adapters.last().map_or(0, |(range, _): &(std::ops::Range<usize>, _)| range.end);
            adapters.push((start..start + group.len(), rows[group[0]].adapter));
        }
        let packed = adapters.into_iter().filter_map(|(range, adapter)| Some((range, adapter?.packed(base))));
        let adapters: Vec<_> = packed.map(|(range, adapter)| (range, &**adapter)).collect();
        rotary.extend(&base.config, longest);
        let widths = inner_widths(adapters.iter().map(|(_, adapter)| *adapter));
        x.reserve(count * stride);
        state.reserve(count, layout, widths);
        scratch.reserve(count, layout);
        // One turn covers the whole step, so that it waits for one operation of a training job, not for one before each
        // of its own operations. Adapters are packed before: another thread may be packing them, and needs the turn for
        // it.
        let pool = pool.clone();
        let _turn = pool.turn();
        for_row_blocks(&pool, count, ROW_BLOCK, [(&mut *x, stride)], &|block, [x]| {
            for (row, x) in block.zip(x.chunks_exact_mut(stride)) {
                base.embed(rows[order[row]].token, x);
            }
        });
        let batch = Batch { positions: &positions, spans: &spans, parts: &parts, adapters: &adapters };
        let slot_of = |span: &AttentionSpan| rows[order[span.first_row]].sequence.slot as usize;
        let states_len = layout.states_len(&base.config);
        let run = |span: &AttentionSpan| {
            let mut states = std::mem::take(&mut sequences[slot_of(span)].states);
            states.reserve(states_len);
            SequenceRun { first_row: span.first_row, rows: span.rows, states }
        };
        let mut runs: Vec<SequenceRun> = spans.iter().map(run).collect();
        let mut context = Context { cache, states: States::Sequences(&mut runs) };
        for layer in 0..base.config.layers {
            layer_forward(&pool, base, rotary, layer, &batch, &mut context, x, state, scratch);
        }
        for (span, run) in spans.iter().zip(runs) {
            sequences[slot_of(span)].states = run.states;
        }
        Ok(self.head(rows, &order))
    }

    /// Validates the rows and returns the order in which they are run: by adapter, then by sequence.
    fn plan(&self, rows: &[BatchRow]) -> Result<Vec<usize>, DecodeError> {
        let config = &self.base.config;
        let mut lengths: HashMap<SequenceHandle, (usize, Option<&Arc<Adapter>>)> = HashMap::new();
        // Adapters and sequences in order of first occurrence.
        let mut adapters: Vec<Option<&Arc<Adapter>>> = Vec::new();
        let mut first_rows = HashMap::new();
        let mut keys = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let length = self.slot(row.sequence)?.length;
            let (next, adapter) = lengths.entry(row.sequence).or_insert((length, row.adapter));
            if row.position != *next {
                return Err(DecodeError::Position { found: row.position, expected: *next });
            }
            if !same_adapter(*adapter, row.adapter) {
                return Err(DecodeError::MixedAdapters);
            }
            *next += 1;
            if row.position >= config.max_position_embeddings {
                let limit = config.max_position_embeddings;
                return Err(DecodeError::TooLong { position: row.position, limit });
            }
            if row.token as usize >= config.vocab_size {
                return Err(DecodeError::Token { token: row.token, vocab_size: config.vocab_size });
            }
            let adapter = adapters.iter().position(|known| same_adapter(*known, row.adapter)).unwrap_or_else(|| {
                adapters.push(row.adapter);
                adapters.len() - 1
            });
            let sequence = *first_rows.entry(row.sequence).or_insert(index);
            keys.push((adapter, sequence));
        }
        if adapters.iter().flatten().any(|adapter| !adapter.fits(config)) {
            return Err(DecodeError::Adapter);
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|row| keys[*row]);
        Ok(order)
    }

    /// Allocates the pages of the new rows and returns the rows by sequence.
    fn extend_sequences(
        &mut self,
        rows: &[BatchRow],
        order: &[usize],
    ) -> Result<(Vec<AttentionSpan>, Vec<PagePart>), DecodeError> {
        let (mut spans, mut all_pages) = (Vec::new(), 0);
        for group in order.chunk_by(|a, b| rows[*a].sequence == rows[*b].sequence) {
            let first_row = spans.last().map_or(0, |span: &AttentionSpan| span.first_row + span.rows);
            let start = rows[group[0]].position;
            let pages = (start + group.len()).div_ceil(PAGE);
            let parts = all_pages..all_pages + pages;
            all_pages += pages;
            spans.push(AttentionSpan { first_row, rows: group.len(), start, parts });
        }
        let sequence = |span: &AttentionSpan| rows[order[span.first_row]].sequence.slot as usize;
        let missing = |span: &AttentionSpan| span.parts.len() - self.sequences[sequence(span)].pages.len();
        let needed: usize = spans.iter().map(missing).sum();
        if needed > self.cache.free_pages() {
            return Err(DecodeError::CacheFull { free: self.free_tokens(), needed: needed * PAGE });
        }
        let mut parts = Vec::with_capacity(all_pages);
        for span in &spans {
            let slot = &mut self.sequences[sequence(span)];
            while slot.pages.len() < span.parts.len() {
                slot.pages.push(self.cache.allocate().expect("free pages were counted"));
            }
            slot.length = span.start + span.rows;
            parts.extend(slot.pages.iter().enumerate().map(|(index, &page)| {
                let position = index * PAGE;
                PagePart { page, slot: 0, position, positions: PAGE.min(slot.length - position) }
            }));
        }
        Ok((spans, parts))
    }

    /// Computes final norm and output head of the requested rows, in the caller's order.
    fn head(&mut self, rows: &[BatchRow], order: &[usize]) -> Logits<'_> {
        let Self { pool, base, x, scratch, wanted, logits, .. } = self;
        let (stride, vocab) = (base.layout.hidden.padded_len(), base.layout.vocab.padded_len());
        let mut sources: Vec<(usize, usize)> =
            order.iter().enumerate().filter(|(_, row)| rows[**row].want_logits).map(|(at, row)| (*row, at)).collect();
        sources.sort_unstable();
        let count = sources.len();
        wanted.reserve(count * stride);
        logits.reserve(count * vocab);
        for ((_, at), wanted) in sources.iter().zip(wanted.chunks_exact_mut(stride)) {
            wanted.copy_from_slice(&x[at * stride..][..stride]);
        }
        scratch.normed.reserve(count * stride);
        normalise(pool, base, count, wanted, &base.final_norm, &mut scratch.normed);
        matmul(pool, count, &scratch.normed, &base.head.forward, logits, false, &[]);
        Logits { data: &logits[..count * vocab], stride: vocab, vocab_size: base.config.vocab_size }
    }
}

impl From<DecodeError> for RowError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::CacheFull { .. } => Self::CacheFull,
            other => Self::Failed(other.to_string()),
        }
    }
}

impl RowEngine for Decoder {
    type Sequence = SequenceHandle;

    fn add_sequence(&mut self, pages: &[usize]) -> SequenceHandle {
        debug_assert!(pages.is_empty() || !self.base.layout.has_states(), "states are not in pages");
        pages.iter().for_each(|page| self.cache.retain(*page));
        let handle = Decoder::add_sequence(self);
        let slot = &mut self.sequences[handle.slot as usize];
        slot.length = pages.len() * PAGE;
        slot.pages.extend_from_slice(pages);
        handle
    }

    fn fork_sequence(&mut self, parent: SequenceHandle, length: usize) -> Result<SequenceHandle, RowError> {
        Ok(Decoder::fork_sequence(self, parent, length)?)
    }

    fn remove_sequence(&mut self, sequence: SequenceHandle) {
        Decoder::remove_sequence(self, sequence);
    }

    fn truncate_sequence(&mut self, sequence: SequenceHandle, length: usize) {
        let slot = &mut self.sequences[sequence.slot as usize];
        debug_assert!(!self.base.layout.has_states(), "states are not shortened");
        debug_assert!(length <= slot.length && length.div_ceil(PAGE) == slot.pages.len());
        slot.length = length;
    }

    fn page(&self, sequence: SequenceHandle, index: usize) -> usize {
        self.sequences[sequence.slot as usize].pages[index]
    }

    fn replace_page(&mut self, sequence: SequenceHandle, index: usize, page: usize) {
        self.cache.retain(page);
        let own = std::mem::replace(&mut self.sequences[sequence.slot as usize].pages[index], page);
        self.cache.release(own);
    }

    fn retain_page(&mut self, page: usize) {
        self.cache.retain(page);
    }

    fn release_page(&mut self, page: usize) {
        self.cache.release(page);
    }

    fn free_pages(&self) -> usize {
        self.cache.free_pages()
    }

    fn total_pages(&self) -> usize {
        self.cache.capacity()
    }

    fn state_pages(&self) -> usize {
        self.base.layout.states_len(&self.base.config).div_ceil(self.base.layout.page_len(&self.base.config))
    }

    fn run(&mut self, rows: &[BatchRow<'_>], sample: &(dyn Fn(usize, &Logits<'_>) + Sync)) -> Result<(), RowError> {
        let pool = self.pool.clone();
        // Before the turn, since training waits for it.
        rows.iter().filter_map(|row| row.adapter).for_each(|adapter| adapter.pack(&self.base));
        // Sampling is part of the step; training resumes after it.
        let _turn = pool.turn();
        let logits = self.forward(rows)?;
        pool.run(logits.rows(), &|index| sample(index, &logits));
        Ok(())
    }
}
