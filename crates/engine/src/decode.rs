//! Decoding: runs rows of several sequences and adapters through the model in one call.

use std::sync::Arc;

use super::forward::{Batch, LayerState, Scratch, inner_widths, layer_forward, normalise};
use super::kernels::Buffer;
use super::kernels::attention::{AttentionSpan, PAGE, PagePart};
use super::kernels::matmul::matmul;
use super::kernels::parallel::{ROW_BLOCK, for_row_blocks};
use super::kv_cache::KvCache;
use super::rotary::RotaryTable;
use super::{Adapter, BaseModel, ComputePool, LoadError, log_softmax};

/// Number of tokens that [`check_logits`] runs: the attention and the rotation between two tokens take part.
const CHECKED_TOKENS: u32 = 3;

/// Handle of a sequence in a [`Decoder`]. The handle of a removed sequence stays invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceHandle {
    slot: u32,
    generation: u32,
}

/// A token to run through the model, of the sequence `S`.
#[derive(Clone, Copy)]
pub struct BatchRow<'a, S = SequenceHandle> {
    /// Token id.
    pub token: u32,
    /// Position of the token: the sequence's length so far, plus the number of rows of that sequence before this one in
    /// the call.
    pub position: usize,
    /// Sequence that the token continues.
    pub sequence: S,
    /// Adapter to apply, the same for all rows of a sequence; `None` for the base model.
    pub adapter: Option<&'a Arc<Adapter>>,
    /// Whether to compute the logits after this token.
    pub want_logits: bool,
}

/// Error of a rejected decoding call. No sequence has changed.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The cache has no room for the new tokens; remove a sequence and retry.
    #[error("the key-value cache has room for {free} more tokens, {needed} are needed")]
    CacheFull {
        /// Number of tokens that the cache has room for.
        free: usize,
        /// Number of tokens in the new pages needed.
        needed: usize,
    },
    /// The handle is not of a sequence of this decoder.
    #[error("the sequence handle is not valid")]
    UnknownSequence,
    /// A row does not continue its sequence.
    #[error("row at position {found} does not continue its sequence, whose next position is {expected}")]
    Position {
        /// Position of the row.
        found: usize,
        /// Next position of the sequence.
        expected: usize,
    },
    /// The sequence would exceed the model's maximum length.
    #[error("position {position} is beyond the model's limit of {limit} tokens")]
    TooLong {
        /// Position of the row.
        position: usize,
        /// The model's `max_position_embeddings`.
        limit: usize,
    },
    /// A token id outside the vocabulary.
    #[error("token {token} is outside the vocabulary of {vocab_size}")]
    Token {
        /// The token id.
        token: u32,
        /// Number of tokens of the model.
        vocab_size: usize,
    },
    /// Rows of one sequence name different adapters.
    #[error("rows of one sequence name different adapters")]
    MixedAdapters,
    /// The adapter's shape does not match the model's.
    #[error("the adapter does not fit the model's shape")]
    Adapter,
}

/// Logits of the rows that requested them, in the order of the call.
pub struct Logits<'a> {
    data: &'a [f32],
    stride: usize,
    vocab_size: usize,
}

impl<'a> Logits<'a> {
    /// Returns the logits in rows of `vocab_size` values.
    #[cfg(test)]
    pub(crate) fn new(data: &'a [f32], vocab_size: usize) -> Self {
        Self { data, stride: vocab_size, vocab_size }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.data.len() / self.stride
    }

    /// Returns the logits of the `index`-th requested row, one per token of the vocabulary.
    pub fn row(&self, index: usize) -> &'a [f32] {
        &self.data[index * self.stride..][..self.vocab_size]
    }
}

/// Runs a few tokens through a model and checks the logits after them.
///
/// # Errors
/// [`LoadError::Logits`] if they are infinite or NaN.
pub fn check_logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>) -> Result<(), LoadError> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), CHECKED_TOKENS as usize);
    let sequence = decoder.add_sequence();
    let count = CHECKED_TOKENS.min(base.config.vocab_size as u32).min(base.config.max_position_embeddings as u32);
    let row =
        |token| BatchRow { token, position: token as usize, sequence, adapter: None, want_logits: token + 1 == count };
    let rows: Vec<BatchRow<'_>> = (0..count).map(row).collect();
    let logits = decoder.forward(&rows).expect("the rows are of this model and continue their sequence");
    if log_softmax(logits.row(0)).is_finite() { Ok(()) } else { Err(LoadError::Logits) }
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
}

impl Decoder {
    /// Number of tokens in a page: a sequence of `n` tokens takes `n` rounded up to a multiple of it.
    pub const PAGE_TOKENS: usize = PAGE;

    /// Creates a decoder whose cache holds up to `kv_tokens` tokens in total, rounded up to whole pages. Pages are
    /// allocated on demand.
    pub fn new(pool: Arc<ComputePool>, base: Arc<BaseModel>, kv_tokens: usize) -> Self {
        let cache = KvCache::new(base.layout.attention, base.config.layers, kv_tokens.div_ceil(PAGE));
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

    /// Adds a sequence that starts with these pages of other sequences, all of them full.
    pub(crate) fn add_sequence_of(&mut self, pages: &[usize]) -> SequenceHandle {
        pages.iter().for_each(|page| self.cache.retain(*page));
        let handle = self.add_sequence();
        let slot = &mut self.sequences[handle.slot as usize];
        slot.length = pages.len() * PAGE;
        slot.pages.extend_from_slice(pages);
        handle
    }

    /// Returns the `index`-th page of a sequence, which must have that many.
    pub(crate) fn page(&self, sequence: SequenceHandle, index: usize) -> usize {
        self.sequences[sequence.slot as usize].pages[index]
    }

    /// Replaces the `index`-th page of a sequence by `page`, which must have the same content.
    pub(crate) fn replace_page(&mut self, sequence: SequenceHandle, index: usize, page: usize) {
        self.cache.retain(page);
        let own = std::mem::replace(&mut self.sequences[sequence.slot as usize].pages[index], page);
        self.cache.release(own);
    }

    /// Increments the reference count of a page in use.
    pub(crate) fn retain_page(&mut self, page: usize) {
        self.cache.retain(page);
    }

    /// Decrements the reference count of a page in use.
    pub(crate) fn release_page(&mut self, page: usize) {
        self.cache.release(page);
    }

    /// Returns the number of pages in the cache, free ones included.
    pub(crate) fn total_pages(&self) -> usize {
        self.cache.capacity()
    }

    /// Adds a sequence that starts with the first `length` tokens of `parent`, at most all of them. Whole pages are
    /// shared, a partial one is copied. Keys and values depend on the adapter, so the new sequence must use the
    /// parent's.
    pub fn fork_sequence(&mut self, parent: SequenceHandle, length: usize) -> Result<SequenceHandle, DecodeError> {
        let source = self.slot(parent)?;
        let length = length.min(source.length);
        let mut pages = source.pages[..length.div_ceil(PAGE)].to_vec();
        let partial = if length.is_multiple_of(PAGE) { None } else { pages.pop() };
        if let Some(from) = partial {
            let free = self.free_tokens();
            let to = self.cache.allocate().ok_or(DecodeError::CacheFull { free, needed: PAGE })?;
            self.cache.copy(from, to);
            pages.iter().for_each(|page| self.cache.retain(*page));
            pages.push(to);
        } else {
            pages.iter().for_each(|page| self.cache.retain(*page));
        }
        let handle = self.add_sequence();
        let slot = &mut self.sequences[handle.slot as usize];
        (slot.length, slot.pages) = (length, pages);
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
        for page in std::mem::take(&mut slot.pages) {
            self.cache.release(page);
        }
    }

    /// Shortens a sequence to `length` tokens, of which the last is in its last page.
    pub(crate) fn truncate_sequence(&mut self, sequence: SequenceHandle, length: usize) {
        let slot = &mut self.sequences[sequence.slot as usize];
        debug_assert!(length <= slot.length && length.div_ceil(PAGE) == slot.pages.len());
        slot.length = length;
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

        let Self { pool, base, cache, rotary, x, state, scratch, .. } = self;
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
        for layer in 0..base.config.layers {
            layer_forward(&pool, base, rotary, layer, &batch, cache, x, state, scratch);
        }
        Ok(self.head(rows, &order))
    }

    /// Validates the rows and returns the order in which they are run: by adapter, then by sequence.
    fn plan(&self, rows: &[BatchRow]) -> Result<Vec<usize>, DecodeError> {
        let config = &self.base.config;
        let mut lengths: std::collections::HashMap<SequenceHandle, (usize, Option<&Arc<Adapter>>)> = Default::default();
        // Adapters and sequences in order of first occurrence.
        let mut adapters: Vec<Option<&Arc<Adapter>>> = Vec::new();
        let mut first_rows = std::collections::HashMap::new();
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

fn same_adapter(a: Option<&Arc<Adapter>>, b: Option<&Arc<Adapter>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}
