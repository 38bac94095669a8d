//! Rows of one call.

use std::ops::Range;

use crate::kernels::attention::{AttentionSpan, PagePart};
use crate::lora::PackedAdapter;

/// Rows of one call.
pub(crate) struct Batch<'a> {
    /// Position of each row in its sequence.
    pub(crate) positions: &'a [usize],
    /// Rows by sequence, in order.
    pub(crate) spans: &'a [AttentionSpan],
    /// Parts of the pages that hold the spans' keys and values.
    pub(crate) parts: &'a [PagePart],
    /// Ranges of rows with an adapter, in order and disjoint.
    pub(crate) adapters: &'a [(Range<usize>, &'a PackedAdapter)],
}

impl Batch<'_> {
    pub(crate) fn rows(&self) -> usize {
        self.positions.len()
    }
}
