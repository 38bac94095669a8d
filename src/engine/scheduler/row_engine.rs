//! What the scheduler needs of the engine, and the engine's side of it.

use std::sync::Arc;

use crate::engine::{Adapter, BatchRow, DecodeError, Decoder, SequenceHandle};

/// One token to run, as [`BatchRow`].
pub type Row<'a, S> = BatchRow<'a, S>;

/// Why rows did not run. No sequence has changed.
#[derive(Debug)]
pub enum RowError {
    /// The cache is full; with fewer sequences it can go on.
    CacheFull,
    /// It will not work again either.
    Failed(String),
}

/// What the scheduler needs of the engine. A page is used by sequences and by who retains it, and is free when nobody does.
pub trait RowEngine {
    /// A sequence.
    type Sequence: Copy;
    /// A new sequence that starts with these pages, which are full and made in this order by one adapter.
    fn add_sequence(&mut self, pages: &[usize]) -> Self::Sequence;
    /// A new sequence that starts with the first `length` tokens of another.
    ///
    /// # Errors
    /// The cache is full.
    fn fork_sequence(&mut self, parent: Self::Sequence, length: usize) -> Result<Self::Sequence, RowError>;
    /// Forgets a sequence.
    fn remove_sequence(&mut self, sequence: Self::Sequence);
    /// The `index`-th page of a sequence.
    fn page(&self, sequence: Self::Sequence, index: usize) -> usize;
    /// Has a sequence use `page` as its `index`-th one, which has the same content, and no more its own.
    fn replace_page(&mut self, sequence: Self::Sequence, index: usize, page: usize);
    /// One user more of a page.
    fn retain_page(&mut self, page: usize);
    /// One user less of a page.
    fn release_page(&mut self, page: usize);
    /// Pages that nobody uses.
    fn free_pages(&self) -> usize;
    /// Pages in all.
    fn total_pages(&self) -> usize;
    /// Runs the rows, then calls `sample` for each of the wanted ones, on all threads, with its number among the wanted
    /// and its logits.
    ///
    /// # Errors
    /// No row has run.
    fn run(
        &mut self,
        rows: &[Row<'_, Self::Sequence>],
        sample: &(dyn Fn(usize, &[f32]) + Sync),
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
        sample: &(dyn Fn(usize, &[f32]) + Sync),
    ) -> Result<(), RowError> {
        let pool = self.pool().clone();
        // Before the turn: another thread may be packing the same adapter, and it needs turns of its own.
        rows.iter().filter_map(|row| row.adapter).for_each(|adapter| self.pack(adapter));
        // Drawing is part of the step: training goes on after it.
        let _turn = pool.turn();
        let logits = self.forward(rows)?;
        pool.run(logits.rows(), &|index| sample(index, logits.row(index)));
        Ok(())
    }
}

/// Whether two sequences run on the same adapter.
pub(super) fn same_adapter(left: Option<&Arc<Adapter>>, right: Option<&Arc<Adapter>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}
