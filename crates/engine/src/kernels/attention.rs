//! Causal attention over pages of keys and values.
//!
//! A page has 64 slots for positions, for every layer and head: keys transposed, `[head_stride][64]`, then values,
//! `[64][head_stride]`. Scores of a row are computed over all its positions before the softmax, and values are summed
//! in the order of positions. A row's result therefore does not depend on its neighbours, on the split of the sequence
//! into calls, or on the page and slot of a position. With a window, a row's neighbours may read positions before its own
//! window; their probabilities are zero, which changes no sum.

use std::ops::Range;

use super::Buffer;
use super::buffer::with_scratch;
use super::gemm::{Product, gemm};
use super::parallel::Shared;
use super::rows::softmax;
use super::simd::LANES;
use crate::ComputePool;

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
}

impl AttentionShape {
    /// Returns the number of f32 of one page in one layer.
    pub fn page_len(self) -> usize {
        self.kv_heads * 2 * self.head_stride * PAGE
    }

    /// Returns the offset of a head's keys in a layer's page; its values follow.
    pub fn keys_offset(self, kv_head: usize) -> usize {
        kv_head * 2 * self.head_stride * PAGE
    }

    /// Returns the number of query heads that share a key head.
    pub(super) fn group(self) -> usize {
        self.heads / self.kv_heads
    }

    /// Returns the number of values in a row of queries.
    pub(super) fn query_stride(self) -> usize {
        self.heads * self.head_stride
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
pub(super) fn score_stride(positions: usize) -> usize {
    (positions + LANES - 1).next_multiple_of(LANES)
}

/// Computes `out[row, head] = softmax(query keys) values`. The queries carry the factor `1 / sqrt(head_dim)`. Spans
/// must be in the order of rows.
pub fn attention(
    pool: &ComputePool,
    shape: AttentionShape,
    layer: LayerPages<'_>,
    spans: &[AttentionSpan],
    query: &[f32],
    out: &mut [f32],
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
    let (set, stride, width) = (pool.instruction_set(), shape.query_stride(), shape.head_stride);
    let out = Shared::new(out);
    pool.run(blocks.len() * shape.kv_heads, &|task| {
        // Later blocks attend to more positions, so they start first.
        let (index, first) = blocks[blocks.len() - 1 - task / shape.kv_heads];
        let (span, kv_head) = (&spans[index], task % shape.kv_heads);
        let rows = QUERY_BLOCK.min(span.rows - first);
        let head = kv_head * shape.group();
        // A single row is computed for all heads of the group at once, several rows one head at a time.
        let (batches, batch_rows, row_stride) =
            if rows == 1 { (1, shape.group(), width) } else { (shape.group(), rows, stride) };
        for batch in 0..batches {
            let at = (span.first_row + first) * stride + (head + batch) * width;
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
            with_scratch(batch_rows * padded, |scores| {
                for (part, page, positions) in seen() {
                    let product = Product {
                        rows: batch_rows,
                        // Columns after the part's positions are overwritten by the next part or cleared by the
                        // softmax.
                        columns: positions.next_multiple_of(LANES),
                        depth: width,
                        a: query[at..].as_ptr(),
                        a_row: row_stride,
                        a_depth: 1,
                        b: page[part.slot..].as_ptr(),
                        b_depth: PAGE,
                        c: scores[part.position - start..].as_mut_ptr(),
                        c_row: padded,
                        accumulate: false,
                    };
                    // SAFETY: the span was checked to lie inside queries and pages; reading on to whole vectors ends among
                    // the page's values at the latest. Scores are this task's.
                    unsafe { gemm(set, product) };
                }
                for row in 0..batch_rows {
                    let (before, scores) = scores[row * padded..(row + 1) * padded].split_at_mut(first_of(row) - start);
                    before.fill(0.0);
                    softmax(set, scores, valid(row) - first_of(row));
                }
                for (part, page, positions) in seen() {
                    let product = Product {
                        rows: batch_rows,
                        columns: width,
                        // Slots that are not written yet are excluded, so their content does not matter.
                        depth: positions,
                        a: scores[part.position - start..].as_ptr(),
                        a_row: padded,
                        a_depth: 1,
                        b: page[width * PAGE + part.slot * width..].as_ptr(),
                        b_depth: width,
                        c: out.pointer(at),
                        c_row: row_stride,
                        accumulate: part.position > start,
                    };
                    // SAFETY: as above; tasks write distinct rows and heads of `out`.
                    unsafe { gemm(set, product) };
                }
            });
        }
    });
}
