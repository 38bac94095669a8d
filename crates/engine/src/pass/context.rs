//! What the rows of earlier calls, or earlier rows of the same call, leave for a layer.

use super::kv_cache::KvCache;
use crate::kernels::Buffer;
use crate::kernels::recurrent::TreeRun;

/// Context of a call's rows.
pub(crate) struct Context<'a> {
    /// Keys and values of the layers with attention.
    pub(crate) cache: &'a mut KvCache,
    /// States of the layers without attention.
    pub(crate) states: States<'a>,
}

/// States of the layers without attention.
pub(crate) enum States<'a> {
    /// Those of the sequences, one for each span of the batch: the states of all layers of the kind, one after the other.
    Sequences(&'a mut [SequenceRun]),
    /// A forest of rows, whose branches all begin here, and memory for a state of the delta rule for each run in one layer.
    Forest(&'a [TreeRun], &'a mut [f32]),
}

/// Rows of a sequence in a call, with the sequence's states.
pub(crate) struct SequenceRun {
    pub(crate) first_row: usize,
    pub(crate) rows: usize,
    pub(crate) states: Buffer,
}
