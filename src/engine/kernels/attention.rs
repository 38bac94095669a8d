//! Causal attention over pages of keys and values.
//!
//! A page has 64 slots for positions, for every layer and head: keys transposed, `[head_stride][64]`, then values,
//! `[64][head_stride]`. Scores of a row are formed over all its positions before the softmax, and values are summed in
//! order of position; so a row's result depends neither on its neighbours, nor on how the sequence was cut into calls, nor
//! on where in which page a position lies.

use std::ops::Range;

use super::Buffer;
use super::buffer::with_scratch;
use super::gemm::{Product, gemm};
use super::parallel::Shared;
use super::rows::softmax;
use super::simd::LANES;
use crate::engine::ComputePool;

/// Slots of a page.
pub const PAGE: usize = 64;
/// Query rows handled together.
pub(super) const QUERY_BLOCK: usize = 48;

/// Sizes that do not change between calls.
#[derive(Clone, Copy, Debug)]
pub struct AttentionShape {
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Distance of heads in a row: `head_dim` rounded up to whole vectors.
    pub head_stride: usize,
}

impl AttentionShape {
    /// f32 of one page of one layer.
    pub fn page_len(self) -> usize {
        self.kv_heads * 2 * self.head_stride * PAGE
    }

    /// Offset of a head's keys in a page of a layer; its values follow.
    pub fn keys_offset(self, kv_head: usize) -> usize {
        kv_head * 2 * self.head_stride * PAGE
    }

    /// Query heads that share a key head.
    pub(super) fn group(self) -> usize {
        self.heads / self.kv_heads
    }

    /// Values of a row of queries.
    pub(super) fn query_stride(self) -> usize {
        self.heads * self.head_stride
    }
}

/// Consecutive positions of a sequence in one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagePart {
    /// The page.
    pub page: usize,
    /// Slot of the first position.
    pub slot: usize,
    /// The first position.
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
    /// Where in a list of parts the sequence's are: in order from position 0, without gaps, up to the last row's position.
    pub parts: Range<usize>,
}

/// Keys and values of one layer.
#[derive(Clone, Copy)]
pub struct LayerPages<'a> {
    /// The pages.
    pub pages: &'a [Buffer],
    /// Where in each page the layer begins.
    pub offset: usize,
    /// The parts that spans refer to.
    pub parts: &'a [PagePart],
}

impl AttentionSpan {
    /// Checks that rows lie inside buffers of `query` values of queries, and that there is a place for every position.
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

/// Distance of the rows of scores over so many positions: products write whole vectors, wherever a part begins.
pub(super) fn score_stride(positions: usize) -> usize {
    (positions + LANES - 1).next_multiple_of(LANES)
}

/// `out[row, head] = softmax(query keys) values`; the queries carry the factor `1 / sqrt(head_dim)`. Spans are in order of
/// rows.
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
        // Later blocks see more positions: start with them.
        let (index, first) = blocks[blocks.len() - 1 - task / shape.kv_heads];
        let (span, kv_head) = (&spans[index], task % shape.kv_heads);
        let rows = QUERY_BLOCK.min(span.rows - first);
        let head = kv_head * shape.group();
        // A single row takes all heads of the group at once, several rows one head at a time.
        let (batches, batch_rows, row_stride) =
            if rows == 1 { (1, shape.group(), width) } else { (shape.group(), rows, stride) };
        for batch in 0..batches {
            let at = (span.first_row + first) * stride + (head + batch) * width;
            let valid = |row: usize| span.start + first + 1 + if rows == 1 { 0 } else { row };
            let positions = valid(batch_rows - 1);
            let padded = score_stride(positions);
            // A part's page and how many of its positions the rows see.
            let seen = || {
                let parts = layer.parts[span.parts.clone()].iter().take_while(|part| part.position < positions);
                parts.map(|part| {
                    let page = &layer.pages[part.page][layer.offset + shape.keys_offset(kv_head)..];
                    (part, page, part.positions.min(positions - part.position))
                })
            };
            with_scratch(batch_rows * padded, |scores| {
                for (part, page, positions) in seen() {
                    let product = Product {
                        rows: batch_rows,
                        // Those beyond the part's positions are written over by the next part or cleared by the softmax.
                        columns: positions.next_multiple_of(LANES),
                        depth: width,
                        a: query[at..].as_ptr(),
                        a_row: row_stride,
                        a_depth: 1,
                        b: page[part.slot..].as_ptr(),
                        b_depth: PAGE,
                        c: scores[part.position..].as_mut_ptr(),
                        c_row: padded,
                        accumulate: false,
                    };
                    // SAFETY: the span was checked to lie inside queries and pages; reading on to whole vectors ends among
                    // the page's values at the latest. Scores are this task's.
                    unsafe { gemm(set, product) };
                }
                for row in 0..batch_rows {
                    softmax(set, &mut scores[row * padded..(row + 1) * padded], valid(row));
                }
                for (part, page, positions) in seen() {
                    let product = Product {
                        rows: batch_rows,
                        columns: width,
                        // Positions that are not written yet are left out, whatever the page holds there.
                        depth: positions,
                        a: scores[part.position..].as_ptr(),
                        a_row: padded,
                        a_depth: 1,
                        b: page[width * PAGE + part.slot * width..].as_ptr(),
                        b_depth: width,
                        c: out.pointer(at),
                        c_row: row_stride,
                        accumulate: part.position > 0,
                    };
                    // SAFETY: as above; tasks write distinct rows and heads of `out`.
                    unsafe { gemm(set, product) };
                }
            });
        }
    });
}
