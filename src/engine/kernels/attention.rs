//! Causal attention over pages of keys and values.
//!
//! A page holds 64 positions of every layer and head: keys transposed, `[head_stride][64]`, then values,
//! `[64][head_stride]`. Pages are counted from position 0 of the sequence, scores of a row are formed over all its
//! positions before the softmax, and values are summed in order of position; so a row's result does not depend on how the
//! sequence was cut into calls, nor on its neighbours.

use super::buffer::with_scratch;
use super::gemm::{Product, gemm};
use super::parallel::Shared;
use super::rows::{dot, softmax, softmax_backward};
use crate::engine::ComputePool;

/// Positions of a page.
pub const PAGE: usize = 64;
/// Query rows handled together.
const QUERY_BLOCK: usize = 48;

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
    fn group(self) -> usize {
        self.heads / self.kv_heads
    }

    /// Values of a row of queries.
    fn query_stride(self) -> usize {
        self.heads * self.head_stride
    }
}

/// Consecutive rows of one sequence.
pub struct AttentionSpan<'a> {
    /// First row in the call.
    pub first_row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Position of the first row in its sequence.
    pub start: usize,
    /// The sequence's pages of this layer from position 0, up to the last row's position.
    pub pages: Vec<&'a [f32]>,
}

impl AttentionSpan<'_> {
    fn check(&self, shape: AttentionShape, query: usize) {
        assert!(self.pages.len() * PAGE >= self.start + self.rows, "pages cover the span");
        assert!(self.pages.iter().all(|page| page.len() >= shape.page_len()), "pages are whole");
        assert!((self.first_row + self.rows) * shape.query_stride() <= query, "rows lie inside the buffers");
    }
}

/// `out[row, head] = softmax(query keys) values`; the queries carry the factor `1 / sqrt(head_dim)`. Spans are in order of
/// rows.
pub fn attention(
    pool: &ComputePool,
    shape: AttentionShape,
    spans: &[AttentionSpan<'_>],
    query: &[f32],
    out: &mut [f32],
) {
    let mut blocks = Vec::new();
    let mut end = 0;
    for (index, span) in spans.iter().enumerate() {
        span.check(shape, query.len().min(out.len()));
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
            let padded = positions.next_multiple_of(16);
            with_scratch(batch_rows * padded, |scores| {
                for (index, page) in span.pages.iter().enumerate().take(positions.div_ceil(PAGE)) {
                    let product = Product {
                        rows: batch_rows,
                        columns: PAGE.min(padded - index * PAGE),
                        depth: width,
                        a: query[at..].as_ptr(),
                        a_row: row_stride,
                        a_depth: 1,
                        b: page[shape.keys_offset(kv_head)..].as_ptr(),
                        b_depth: PAGE,
                        c: scores[index * PAGE..].as_mut_ptr(),
                        c_row: padded,
                        accumulate: false,
                    };
                    // SAFETY: the span was checked to lie inside queries and pages; scores are this task's.
                    unsafe { gemm(set, product) };
                }
                for row in 0..batch_rows {
                    softmax(set, &mut scores[row * padded..(row + 1) * padded], valid(row));
                }
                for (index, page) in span.pages.iter().enumerate().take(positions.div_ceil(PAGE)) {
                    let product = Product {
                        rows: batch_rows,
                        columns: width,
                        // Positions that are not written yet are left out, whatever the page holds there.
                        depth: PAGE.min(positions - index * PAGE),
                        a: scores[index * PAGE..].as_ptr(),
                        a_row: padded,
                        a_depth: 1,
                        b: page[shape.keys_offset(kv_head) + width * PAGE..].as_ptr(),
                        b_depth: width,
                        c: out.pointer(at),
                        c_row: row_stride,
                        accumulate: index > 0,
                    };
                    // SAFETY: as above; tasks write distinct rows and heads of `out`.
                    unsafe { gemm(set, product) };
                }
            });
        }
    });
}

/// Gradients of [`attention`] for one whole sequence.
pub struct AttentionBackward<'a> {
    /// Number of rows, which are positions `0..rows`.
    pub rows: usize,
    /// The sequence's pages of this layer.
    pub pages: Vec<&'a [f32]>,
    /// Queries, `[rows, heads * head_stride]`.
    pub query: &'a [f32],
    /// Result of the forward pass.
    pub out: &'a [f32],
    /// Its gradient.
    pub d_out: &'a [f32],
    /// Gradient of the queries, overwritten.
    pub d_query: &'a mut [f32],
    /// Gradient of the keys, `[rows, kv_heads * head_stride]`, overwritten.
    pub d_key: &'a mut [f32],
    /// Gradient of the values, as that of the keys.
    pub d_value: &'a mut [f32],
    /// Room for [`turned_len`] values.
    pub turned: &'a mut [f32],
}

/// Values of a sequence's keys in natural order and values transposed: the other way round than in the pages.
pub fn turned_len(rows: usize, shape: AttentionShape) -> usize {
    2 * rows.next_multiple_of(PAGE) * shape.head_stride * shape.kv_heads
}

/// f32 of scratch that [`attention_backward`] takes on each thread.
pub fn backward_scratch_len(rows: usize) -> usize {
    2 * rows.next_multiple_of(PAGE) * QUERY_BLOCK
}

/// Scores of a task of [`attention_backward`] at most (but at least one block of queries): a fraction of a millisecond.
const BACKWARD_SCORES: usize = 1 << 17;

/// Computes the gradients. A key head goes through its queries in order, a few blocks in each operation, so every sum runs
/// in one order and no task is long.
pub fn attention_backward(pool: &ComputePool, shape: AttentionShape, pass: AttentionBackward<'_>) {
    attention_backward_in_steps(pool, shape, pass, BACKWARD_SCORES);
}

/// [`attention_backward`] with at most `step` scores in a task.
pub(super) fn attention_backward_in_steps(
    pool: &ComputePool,
    shape: AttentionShape,
    pass: AttentionBackward<'_>,
    step: usize,
) {
    let AttentionBackward { rows: total, pages, query, out, d_out, d_query, d_key, d_value, turned } = pass;
    let (set, stride, width) = (pool.instruction_set(), shape.query_stride(), shape.head_stride);
    let kv_stride = shape.kv_heads * width;
    let span = AttentionSpan { first_row: 0, rows: total, start: 0, pages };
    span.check(shape, query.len().min(out.len()).min(d_out.len()).min(d_query.len()));
    assert!(total * kv_stride <= d_key.len().min(d_value.len()), "rows lie inside the gradients");
    let padded = total.next_multiple_of(PAGE);
    let turned = &mut turned[..turned_len(total, shape)];
    turn_pages(pool, shape, &span.pages[..padded / PAGE], turned);
    let (d_query, d_key, d_value) = (Shared::new(d_query), Shared::new(d_key), Shared::new(d_value));
    let block = |head_in_group: usize, kv_head: usize, first: usize, scratch: &mut [f32]| {
        let (keys, values) = turned[kv_head * 2 * padded * width..][..2 * padded * width].split_at(padded * width);
        let (probabilities, d_scores) = scratch.split_at_mut(QUERY_BLOCK * padded);
        let (head, first_head) = (kv_head * shape.group() + head_in_group, head_in_group == 0);
        let rows = QUERY_BLOCK.min(total - first);
        let positions = first + rows;
        let at = first * stride + head * width;
        for (index, page) in span.pages.iter().enumerate().take(positions.div_ceil(PAGE)) {
            let scores = Product {
                rows,
                columns: PAGE.min(padded - index * PAGE),
                depth: width,
                a: query[at..].as_ptr(),
                a_row: stride,
                a_depth: 1,
                b: page[shape.keys_offset(kv_head)..].as_ptr(),
                b_depth: PAGE,
                c: probabilities[index * PAGE..].as_mut_ptr(),
                c_row: padded,
                accumulate: false,
            };
            let d_probabilities = Product {
                a: d_out[at..].as_ptr(),
                b: values[index * PAGE * width..].as_ptr(),
                c: d_scores[index * PAGE..].as_mut_ptr(),
                ..scores
            };
            // SAFETY: the span was checked to lie inside the buffers; the results are this task's scratch.
            unsafe {
                gemm(set, scores);
                gemm(set, d_probabilities);
            }
        }
        for row in 0..rows {
            let p = &mut probabilities[row * padded..(row + 1) * padded];
            let d = &mut d_scores[row * padded..(row + 1) * padded];
            softmax(set, p, first + row + 1);
            let at = at + row * stride;
            let delta = dot(set, &out[at..at + width], &d_out[at..at + width]);
            softmax_backward(set, p, d, delta, first + row + 1);
        }
        let by_position = |b: *const f32, a: &[f32], c: *mut f32| Product {
            rows: positions,
            columns: width,
            depth: rows,
            a: a.as_ptr(),
            a_row: 1,
            a_depth: padded,
            b,
            b_depth: stride,
            c,
            c_row: kv_stride,
            accumulate: true,
        };
        if first_head {
            // Rows of this block get their first contribution here; later heads and blocks add.
            for row in first..positions {
                let range = row * kv_stride + kv_head * width..row * kv_stride + (kv_head + 1) * width;
                // SAFETY: tasks have distinct heads.
                unsafe {
                    d_key.part(range.clone()).fill(0.0);
                    d_value.part(range).fill(0.0);
                }
            }
        }
        let d_values = by_position(d_out[at..].as_ptr(), probabilities, d_value.pointer(kv_head * width));
        let d_keys = by_position(query[at..].as_ptr(), d_scores, d_key.pointer(kv_head * width));
        let d_queries = Product {
            rows,
            columns: width,
            depth: positions,
            a: d_scores.as_ptr(),
            a_row: padded,
            a_depth: 1,
            b: keys.as_ptr(),
            b_depth: width,
            c: d_query.pointer(at),
            c_row: stride,
            accumulate: false,
        };
        // SAFETY: checked lengths as above; tasks write distinct heads of the three gradients.
        unsafe {
            gemm(set, d_values);
            gemm(set, d_keys);
            gemm(set, d_queries);
        }
    };
    for head_in_group in 0..shape.group() {
        let mut first = 0;
        while first < total {
            let (start, mut scores) = (first, 0);
            while first < total && (scores == 0 || scores + QUERY_BLOCK * (first + QUERY_BLOCK) <= step) {
                scores += QUERY_BLOCK * (first + QUERY_BLOCK);
                first += QUERY_BLOCK;
            }
            pool.run(shape.kv_heads, &|kv_head| {
                with_scratch(backward_scratch_len(total), |scratch| {
                    (start..first.min(total))
                        .step_by(QUERY_BLOCK)
                        .for_each(|at| block(head_in_group, kv_head, at, scratch));
                });
            });
        }
    }
}

/// Writes each key head's keys in natural order, then its values transposed.
fn turn_pages(pool: &ComputePool, shape: AttentionShape, pages: &[&[f32]], turned: &mut [f32]) {
    let (width, padded) = (shape.head_stride, pages.len() * PAGE);
    let turned = Shared::new(turned);
    pool.run(shape.kv_heads * pages.len(), &|task| {
        let (kv_head, index) = (task / pages.len(), task % pages.len());
        let at = kv_head * 2 * padded * width + index * PAGE * width;
        // SAFETY: tasks have distinct pages or heads.
        let (keys, values) = unsafe {
            let values = at + padded * width;
            (turned.part(at..at + PAGE * width), turned.part(values..values + PAGE * width))
        };
        let (page_keys, page_values) =
            pages[index][shape.keys_offset(kv_head)..][..2 * width * PAGE].split_at(width * PAGE);
        for position in 0..PAGE {
            for k in 0..width {
                keys[position * width + k] = page_keys[k * PAGE + position];
                values[k * PAGE + position] = page_values[position * width + k];
            }
        }
    });
}
