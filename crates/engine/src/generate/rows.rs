//! Rows of sequences, and the interface of an engine that runs them as a scheduler needs it.

use std::sync::Arc;

use crate::lora::Adapter;

/// Handle of a sequence in a [`Decoder`](super::Decoder). The handle of a removed sequence stays invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceHandle {
    pub(super) slot: u32,
    pub(super) generation: u32,
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

/// Logits of the rows that requested them, in the order of the call.
pub struct Logits<'a> {
    pub(super) data: &'a [f32],
    pub(super) stride: usize,
    pub(super) vocab_size: usize,
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

/// Error of rows that were not run. No sequence has changed.
#[derive(Debug)]
pub enum RowError {
    /// The cache is full; the call can succeed with fewer sequences.
    CacheFull,
    /// A permanent failure: a retry would fail too.
    Failed(String),
}

/// Engine of the scheduler. A page is used by sequences and by callers that retain it, and is free without users.
pub trait RowEngine {
    /// Handle of a sequence.
    type Sequence: Copy;
    /// Adds a sequence that starts with these pages, which are full and were computed in this order with one adapter.
    fn add_sequence(&mut self, pages: &[usize]) -> Self::Sequence;
    /// Adds a sequence that starts with the first `length` tokens of another.
    ///
    /// # Errors
    /// The cache is full, the other sequence is gone, or its states are those of another length.
    fn fork_sequence(&mut self, parent: Self::Sequence, length: usize) -> Result<Self::Sequence, RowError>;
    /// Removes a sequence.
    fn remove_sequence(&mut self, sequence: Self::Sequence);
    /// Shortens a sequence to `length` tokens, of which the last is in its last page.
    fn truncate_sequence(&mut self, sequence: Self::Sequence, length: usize);
    /// Returns the `index`-th page of a sequence.
    fn page(&self, sequence: Self::Sequence, index: usize) -> usize;
    /// Replaces the `index`-th page of a sequence by `page`, which has the same content.
    fn replace_page(&mut self, sequence: Self::Sequence, index: usize, page: usize);
    /// Increments the reference count of a page.
    fn retain_page(&mut self, page: usize);
    /// Decrements the reference count of a page.
    fn release_page(&mut self, page: usize);
    /// Returns the number of unused pages.
    fn free_pages(&self) -> usize;
    /// Returns the total number of pages.
    fn total_pages(&self) -> usize;
    /// Returns the number of pages that take as much memory as the recurrent states of a sequence; zero if the model has none. With
    /// states, sequences begin empty or as copies of whole ones, and are not shortened.
    fn state_pages(&self) -> usize;
    /// Runs the rows, then calls `sample` on all threads for each row whose logits are requested, with its index among
    /// them and the logits of all of them.
    ///
    /// # Errors
    /// The rows were not run.
    fn run(
        &mut self,
        rows: &[BatchRow<'_, Self::Sequence>],
        sample: &(dyn Fn(usize, &Logits<'_>) + Sync),
    ) -> Result<(), RowError>;
}

/// Returns whether two sequences use the same adapter.
pub(crate) fn same_adapter(left: Option<&Arc<Adapter>>, right: Option<&Arc<Adapter>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}
