//! Interface between the scheduler and the engine, and its implementation by [`Decoder`].

use std::sync::Arc;

use crate::{Adapter, BatchRow, DecodeError, Decoder, Logits, SequenceHandle};

/// A token to run, as a [`BatchRow`].
pub type Row<'a, S> = BatchRow<'a, S>;

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
    /// The cache is full.
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
    /// Runs the rows, then calls `sample` on all threads for each row whose logits are requested, with its index among
    /// them and the logits of all of them.
    ///
    /// # Errors
    /// The rows were not run.
    fn run(
        &mut self,
        rows: &[Row<'_, Self::Sequence>],
        sample: &(dyn Fn(usize, &Logits<'_>) + Sync),
    ) -> Result<(), RowError>;
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
        self.add_sequence_of(pages)
    }

    fn fork_sequence(&mut self, parent: SequenceHandle, length: usize) -> Result<SequenceHandle, RowError> {
        Ok(Decoder::fork_sequence(self, parent, length)?)
    }

    fn remove_sequence(&mut self, sequence: SequenceHandle) {
        Decoder::remove_sequence(self, sequence);
    }

    fn truncate_sequence(&mut self, sequence: SequenceHandle, length: usize) {
        Decoder::truncate_sequence(self, sequence, length);
    }

    fn page(&self, sequence: SequenceHandle, index: usize) -> usize {
        Decoder::page(self, sequence, index)
    }

    fn replace_page(&mut self, sequence: SequenceHandle, index: usize, page: usize) {
        Decoder::replace_page(self, sequence, index, page);
    }

    fn retain_page(&mut self, page: usize) {
        Decoder::retain_page(self, page);
    }

    fn release_page(&mut self, page: usize) {
        Decoder::release_page(self, page);
    }

    fn free_pages(&self) -> usize {
        self.free_tokens() / Decoder::PAGE_TOKENS
    }

    fn total_pages(&self) -> usize {
        Decoder::total_pages(self)
    }

    fn run(
        &mut self,
        rows: &[Row<'_, SequenceHandle>],
        sample: &(dyn Fn(usize, &Logits<'_>) + Sync),
    ) -> Result<(), RowError> {
        let pool = self.pool().clone();
        // Before the turn, since training waits for it.
        rows.iter().filter_map(|row| row.adapter).for_each(|adapter| adapter.pack(self.base()));
        // Sampling is part of the step; training resumes after it.
        let _turn = pool.turn();
        let logits = self.forward(rows)?;
        pool.run(logits.rows(), &|index| sample(index, &logits));
        Ok(())
    }
}

/// Returns whether two sequences use the same adapter.
pub(super) fn same_adapter(left: Option<&Arc<Adapter>>, right: Option<&Arc<Adapter>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}
