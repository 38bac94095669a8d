//! Causal attention over pages of keys and values.
//!
//! A page has 64 slots for positions, for every layer and head: keys transposed, `[head_stride][64]`, then values,
//! `[64][head_stride]`. Scores of a row are computed over all its positions before the softmax, and values are summed
//! in the order of positions. A row's result therefore does not depend on its neighbours, on the split of the sequence
//! into calls, or on the page and slot of a position. With a window, a row's neighbours may read positions before its own
//! window; their probabilities are zero, which changes no sum.
//!
//! Beside weights other than f32, the factors of both products are rounded to bf16, and pages hold pairs (see [`pairs`]):
//! keys `[head_stride / 2][64]` with pairs of neighbours in a head, values `[32][head_stride]` with pairs of slots.

pub(super) mod pairs;

use std::ops::Range;

use super::buffer::{Buffer, with_scratch};
use super::pool::{ComputePool, Shared};
use super::products::{Product, gemm};
use super::rows::softmax;
use super::units::{InstructionSet, LANES, pair_of, rounded};

/// Number of slots of a page.
pub const PAGE: usize = 64;
/// Number of query rows in a block.
pub(super) const QUERY_BLOCK: usize = 48;

/// Dimensions of the attention.
#[derive(Clone, Copy, Debug)]
pub struct AttentionShape {
    /// Number of query heads.
    pub heads: usize,
    /// Number of key and value heads.
    pub kv_heads: usize,
    /// Distance between heads in a row: `head_dim` rounded up to whole vectors.
    pub head_stride: usize,
    /// Whether the row of a projection has a gate for each query head between queries and keys.
    pub gated: bool,
    /// Whether the factors of products are rounded to bf16.
    pub bf16: bool,
}

impl AttentionShape {
    /// Returns the number of f32 of one page in one layer.
    pub fn page_len(self) -> usize {
        self.kv_heads * 2 * self.keys_len()
    }

    /// Returns the offset of a head's keys in a layer's page; its values follow, of the same length.
    pub fn keys_offset(self, kv_head: usize) -> usize {
        kv_head * 2 * self.keys_len()
    }

    /// Returns the number of f32 of a head's keys in a page.
    pub(super) fn keys_len(self) -> usize {
        self.head_stride * PAGE / if self.bf16 { 2 } else { 1 }
    }

    /// Writes the key and the value of a head, `head_stride` values each, to a slot of the head's keys and values in a page.
    /// Slots are written in ascending order.
    pub fn write_slot(self, head: &mut [f32], slot: usize, key: &[f32], value: &[f32]) {
        let (keys, values) = head.split_at_mut(self.keys_len());
        self.write_transposed(keys, slot, key);
        if !self.bf16 {
            return values[slot * self.head_stride..][..self.head_stride].copy_from_slice(value);
        }
        let pairs = &mut values[slot / 2 * self.head_stride..][..self.head_stride];
        for (pair, x) in pairs.iter_mut().zip(value) {
            // The slot after an even one may be multiplied by zero before it is written, so nothing old may stay there.
            let bits =
                if slot.is_multiple_of(2) { rounded(*x) } else { pair.to_bits() & 0xffff_0000 | rounded(*x) >> 16 };
            *pair = f32::from_bits(bits);
        }
    }

    /// Writes the values of a head to the column `slot` of [`AttentionShape::keys_len`] values.
    pub(super) fn write_transposed(self, columns: &mut [f32], slot: usize, head: &[f32]) {
        if self.bf16 {
            for (k, pair) in head.chunks_exact(2).enumerate() {
                columns[k * PAGE + slot] = f32::from_bits(pair_of(pair));
            }
        } else {
            head.iter().enumerate().for_each(|(k, x)| columns[k * PAGE + slot] = *x);
        }
    }

    /// Returns the number of query heads that share a key head.
    pub(super) fn group(self) -> usize {
        self.heads / self.kv_heads
    }

    /// Returns the number of values in a row of queries.
    pub(super) fn query_stride(self) -> usize {
        self.heads * self.head_stride
    }

    /// Returns the number of values before the keys in the row of a projection: queries, and gates if there are any.
    pub fn key_column(self) -> usize {
        self.query_stride() * if self.gated { 2 } else { 1 }
    }

    /// Returns the number of values in the row of a projection: queries, gates if there are any, keys and values.
    pub fn qkv_stride(self) -> usize {
        self.key_column() + 2 * self.kv_heads * self.head_stride
    }
}

/// Consecutive positions of a sequence in one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePart {
    /// Index of the page.
    pub page: usize,
    /// Slot of the first position.
    pub slot: usize,
    /// First position.
    pub position: usize,
    /// Number of positions.
    pub positions: usize,
}

/// Consecutive rows of one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionSpan {
    /// First row in the call.
    pub first_row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Position of the first row in its sequence.
    pub start: usize,
    /// Range of the sequence's parts in a list of parts: in order from position 0, without gaps, up to the last row's
    /// position.
    pub parts: Range<usize>,
}

/// Keys and values of one layer.
#[derive(Clone, Copy)]
pub struct LayerPages<'a> {
    /// Pages.
    pub pages: &'a [Buffer],
    /// Offset of the layer in each page.
    pub offset: usize,
    /// Parts that spans refer to.
    pub parts: &'a [PagePart],
    /// Number of positions that a row attends to, its own included: the last ones.
    pub window: usize,
}

impl AttentionSpan {
    /// Checks that the rows are inside buffers of `query` values of queries, and that the parts cover every position.
    /// Returns the parts.
    pub(super) fn check<'a>(&self, shape: AttentionShape, parts: &'a [PagePart], query: usize) -> &'a [PagePart] {
        let parts = &parts[self.parts.clone()];
        let mut end = 0;
        for part in parts {
            assert!(part.position == end && part.slot + part.positions <= PAGE, "parts follow one another");
            end += part.positions;
        }
        assert!(end >= self.start + self.rows, "pages cover the span");
        assert!((self.first_row + self.rows) * shape.query_stride() <= query, "rows lie inside the buffers");
        parts
    }
}

/// Returns the distance between rows of scores over `positions` positions. Products write whole vectors from any
/// position at which a part begins.
fn score_stride(positions: usize) -> usize {
    (positions + LANES - 1).next_multiple_of(LANES)
}

/// Computes `out[row, head] = softmax(query keys) values`, and `constants[row, head]`, the two values that [`softmax`] returns. The
/// queries carry the factor `1 / sqrt(head_dim)`. Spans must be in the order of rows.
pub fn attention(
    pool: &ComputePool,
    shape: AttentionShape,
    layer: LayerPages<'_>,
    spans: &[AttentionSpan],
    query: &[f32],
    out: &mut [f32],
    constants: &mut [f32],
) {
    let mut blocks = Vec::new();
    let mut end = 0;
    for (index, span) in spans.iter().enumerate() {
        for part in span.check(shape, layer.parts, query.len().min(out.len())) {
            assert!(layer.pages[part.page].len() >= layer.offset + shape.page_len(), "pages are whole");
        }
        assert!(span.first_row >= end, "spans do not overlap");
        end = span.first_row + span.rows;
        blocks.extend((0..span.rows).step_by(QUERY_BLOCK).map(|row| (index, row)));
    }
    let (set, width) = (pool.instruction_set(), shape.head_stride);
    let (out, constants) = (Shared::new(out), Shared::new(constants));
    pool.run(blocks.len() * shape.kv_heads, &|task| {
        // Later blocks attend to more positions, so they start first.
        let (index, first) = blocks[blocks.len() - 1 - task / shape.kv_heads];
        let (span, kv_head) = (&spans[index], task % shape.kv_heads);
        let rows = QUERY_BLOCK.min(span.rows - first);
        let head = kv_head * shape.group();
        // A single row is computed for all heads of the group at once, several rows one head at a time.
        let (batches, batch_rows, heads_apart) =
            if rows == 1 { (1, shape.group(), 1) } else { (shape.group(), rows, shape.heads) };
        let row_stride = heads_apart * width;
        for batch in 0..batches {
            let first_head = (span.first_row + first) * shape.heads + head + batch;
            let at = first_head * width;
            let valid = |row: usize| span.start + first + 1 + if rows == 1 { 0 } else { row };
            let positions = valid(batch_rows - 1);
            // First position in the window.
            let first_of = |row: usize| valid(row).saturating_sub(layer.window);
            let parts = &layer.parts[span.parts.clone()];
            let parts = &parts[parts.partition_point(|part| part.position + part.positions <= first_of(0))..];
            let start = parts[0].position;
            let padded = score_stride(positions - start);
            // Page of each part, and the number of its positions that the rows attend to.
            let seen = || {
                let parts = parts.iter().take_while(|part| part.position < positions);
                parts.map(|part| {
                    let page = &layer.pages[part.page][layer.offset + shape.keys_offset(kv_head)..];
                    (part, page, part.positions.min(positions - part.position))
                })
            };
            let block = Block { set, width, rows: batch_rows, padded, start };
            with_scratch(batch_rows * padded, |scores| {
                let (query, out) = (&query[at..], out.pointer(at));
                let softmax_of_rows = |scores: &mut [f32]| {
                    for (row, scores) in scores.chunks_exact_mut(padded).enumerate() {
                        let (before, scores) = scores.split_at_mut(first_of(row) - start);
                        before.fill(0.0);
                        let of_row = softmax(set, scores, valid(row) - first_of(row));
                        let first = 2 * (first_head + row * heads_apart);
                        // SAFETY: tasks write distinct rows and heads.
                        unsafe { constants.part(first..first + 2) }.copy_from_slice(&of_row);
                    }
                };
                // SAFETY: the span was checked to lie inside queries and pages; reading on to whole vectors ends among the
                // page's values at the latest. Scores are this task's, and tasks write distinct rows and heads of `out`.
                unsafe {
                    if shape.bf16 {
                        block.scores_in_pairs(seen(), query, row_stride, scores);
                        softmax_of_rows(scores);
                        block.sum_values_in_pairs(seen(), scores, out, row_stride);
                    } else {
                        block.scores(seen(), query, row_stride, scores);
                        softmax_of_rows(scores);
                        block.sum_values(seen(), scores, out, row_stride);
                    }
                }
            });
        }
    });
}

/// Rows of a task that attend to the same parts.
struct Block {
    set: InstructionSet,
    /// Width of a head.
    width: usize,
    rows: usize,
    /// Distance between rows of scores, and the position of their first column.
    padded: usize,
    start: usize,
}

/// A part, its head's keys and values in a page, and the number of its positions that the rows attend to.
type Seen<'a> = (&'a PagePart, &'a [f32], usize);

impl Block {
    /// Computes the products of queries, whose rows have a distance, and keys. Columns after a part's positions are
    /// overwritten by the next part, or cleared by the softmax.
    ///
    /// # Safety
    /// Queries must be readable at every row, parts in their pages, and `scores` must have room for every row.
    unsafe fn scores<'a>(
        &self,
        seen: impl Iterator<Item = Seen<'a>>,
        query: &[f32],
        query_row: usize,
        scores: &mut [f32],
    ) {
        let Self { set, width, rows, padded, start } = *self;
        for (part, page, positions) in seen {
            let product = Product {
                rows,
                columns: positions.next_multiple_of(LANES),
                depth: width,
                a: query.as_ptr(),
                a_row: query_row,
                a_depth: 1,
                b: page[part.slot..].as_ptr(),
                b_depth: PAGE,
                c: scores[part.position - start..].as_mut_ptr(),
                c_row: padded,
                accumulate: false,
            };
            // SAFETY: the caller's promise.
            unsafe { gemm(set, product) };
        }
    }

    /// Computes the sums of values weighted by probabilities, into rows that have a distance. Slots that are not written
    /// yet are excluded, so their content does not matter.
    ///
    /// # Safety
    /// Probabilities must be readable at every row, parts in their pages, and the rows of `out` must be this thread's.
    unsafe fn sum_values<'a>(
        &self,
        seen: impl Iterator<Item = Seen<'a>>,
        probabilities: &[f32],
        out: *mut f32,
        out_row: usize,
    ) {
        let Self { set, width, rows, padded, start } = *self;
        for (part, page, positions) in seen {
            let product = Product {
                rows,
                columns: width,
                depth: positions,
                a: probabilities[part.position - start..].as_ptr(),
                a_row: padded,
                a_depth: 1,
                b: page[(PAGE + part.slot) * width..].as_ptr(),
                b_depth: width,
                c: out,
                c_row: out_row,
                accumulate: part.position > start,
            };
            // SAFETY: the caller's promise.
            unsafe { gemm(set, product) };
        }
    }
}
