//! Decoding: rows of several sequences and adapters through the model in one call.

use std::sync::Arc;

use super::{Adapter, BaseModel, ComputePool};

/// A sequence held by a [`Decoder`]. A handle of a removed sequence is never valid again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceHandle {
    slot: u32,
    generation: u32,
}

/// One token to run through the model.
#[derive(Clone, Copy)]
pub struct BatchRow<'a> {
    /// Token id.
    pub token: u32,
    /// Its position: the sequence's length so far, plus the rows of that sequence before this one in the call.
    pub position: usize,
    /// The sequence it continues.
    pub sequence: SequenceHandle,
    /// Adapter to apply, the same for all rows of a sequence; `None` is the base model.
    pub adapter: Option<&'a Arc<Adapter>>,
    /// Whether the logits after this token are wanted.
    pub want_logits: bool,
}

/// Why a decoding call was refused. No sequence has changed.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The cache has no room for the new tokens; remove a sequence and try again.
    #[error("the key-value cache has room for {free} more tokens, {needed} are needed")]
    CacheFull {
        /// Tokens for which there is room.
        free: usize,
        /// Tokens of new pages needed.
        needed: usize,
    },
    /// The handle names no sequence of this decoder.
    #[error("the sequence handle is not valid")]
    UnknownSequence,
    /// A row does not continue its sequence.
    #[error("row at position {found} does not continue its sequence, whose next position is {expected}")]
    Position {
        /// Position of the row.
        found: usize,
        /// Position that comes next.
        expected: usize,
    },
    /// The sequence would be longer than the model allows.
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
    /// The adapter was made for a model of another shape.
    #[error("the adapter does not fit the model's shape")]
    Adapter,
}

/// Logits of the wanted rows, in the order of the call.
pub struct Logits<'a> {
    data: &'a [f32],
    stride: usize,
    vocab_size: usize,
}

impl<'a> Logits<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.data.len() / self.stride
    }

    /// Logits of the `index`-th wanted row, one per token of the vocabulary.
    pub fn row(&self, index: usize) -> &'a [f32] {
        &self.data[index * self.stride..][..self.vocab_size]
    }
}

/// Runs tokens of many sequences through one base model, keeping their keys and values.
pub struct Decoder {}

impl Decoder {
    /// A decoder whose cache holds up to `kv_tokens` tokens in all (rounded up to whole pages), allocated as needed.
    pub fn new(_pool: Arc<ComputePool>, _base: Arc<BaseModel>, _kv_tokens: usize) -> Self {
        todo!()
    }

    /// A new, empty sequence. It takes cache only as tokens are run.
    pub fn add_sequence(&mut self) -> SequenceHandle {
        todo!()
    }

    /// A new sequence that starts with the first `length` tokens of `parent`: whole pages are shared, the rest copied.
    /// Only meaningful for the same adapter.
    pub fn fork_sequence(&mut self, _parent: SequenceHandle, _length: usize) -> Result<SequenceHandle, DecodeError> {
        todo!()
    }

    /// Drops a sequence and frees its cache. An invalid handle does nothing.
    pub fn remove_sequence(&mut self, _sequence: SequenceHandle) {
        todo!()
    }

    /// Tokens run so far; `None` for an invalid handle.
    pub fn sequence_length(&self, _sequence: SequenceHandle) -> Option<usize> {
        todo!()
    }

    /// Room in unused pages, in tokens.
    pub fn free_tokens(&self) -> usize {
        todo!()
    }

    /// Tokens of one page: a sequence of `n` tokens takes `n` rounded up to a multiple of this.
    pub const PAGE_TOKENS: usize = 64;

    /// Runs the rows (prefill chunks and single tokens of any sequences and adapters, in any order as long as each
    /// sequence's rows are in order) and returns the logits of those that want them.
    pub fn forward(&mut self, _rows: &[BatchRow]) -> Result<Logits<'_>, DecodeError> {
        todo!()
    }
}
