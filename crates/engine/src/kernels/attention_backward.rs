//! Gradient of causal attention over a tree of sequences.
//!
//! Rows are processed in blocks. A step takes a few blocks, each for one query head of every group. It first computes
//! each block's probabilities, their gradients, and from these the gradient of its queries. Then, with the key rows
//! divided among the threads, it adds the blocks' contributions to the gradients of keys and values. Every key row sums
//! the blocks in the order of rows, then of heads, for any number of blocks in a step. No task is long, so training can
//! yield.
//!
//! Factors that the forward pass rounds to bf16 are rounded here too, and so are those of the gradients (see [`pairs`]).
//! The probabilities are computed again as there.

mod pairs;

use std::ops::Range;

use super::attention::{AttentionShape, AttentionSpan, PAGE, PagePart, QUERY_BLOCK, score_stride};
use super::bf16::pair_of;
use super::gemm::{Product, gemm};
use super::parallel::{ROW_BLOCK, Shared, for_row_blocks};
use super::rows::{dot, softmax, softmax_backward};
use super::simd::LANES;
use crate::ComputePool;

/// Operands of [`attention_backward`]. Page `i` of the parts is rows `64 i..` of the call.
pub struct AttentionBackward<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Spans of the branches; they cover all rows, in order.
    pub spans: &'a [AttentionSpan],
    /// Parts that spans refer to.
    pub parts: &'a [PagePart],
    /// Number of positions that a row attends to, its own included.
    pub window: usize,
    /// Queries, `[rows, heads * head_stride]`.
    pub query: &'a [f32],
    /// Keys, `[rows, kv_heads * head_stride]`.
    pub key: &'a [f32],
    /// Queries, keys and values side by side, `[rows, (heads + 2 kv_heads) * head_stride]`; only the values are read.
    pub qkv: &'a [f32],
    /// Output of the forward pass.
    pub out: &'a [f32],
    /// Gradient of `out`.
    pub d_out: &'a [f32],
    /// Gradients of queries, keys and values side by side; overwritten.
    pub d_qkv: &'a mut [f32],
    /// Memory for [`turned_len`] values.
    pub turned: &'a mut [f32],
    /// Memory for [`backward_scores_len`] values.
    pub scores: &'a mut [f32],
}

/// Returns the number of f32 for the transposed keys and values of `rows` rows, and for keys in pairs of rows.
pub fn turned_len(rows: usize, shape: AttentionShape) -> usize {
    let key_pairs = if shape.bf16 { rows.div_ceil(2) * shape.kv_heads * shape.head_stride } else { 0 };
    rows.div_ceil(PAGE) * shape.page_len() + key_pairs + LANES
}

/// Returns the number of f32 for a step's probabilities and their gradients, for `rows` rows in sequences of at most
/// `longest`.
pub fn backward_scores_len(rows: usize, longest: usize, shape: AttentionShape, threads: usize) -> usize {
    // A step ends with the item that reaches the limits.
    let short = item_len(QUERY_BLOCK, longest.min(LONG + 2 * QUERY_BLOCK), shape);
    let step = short.max(item_len(MIN_ROWS, longest, shape)).saturating_mul(least_items(shape, threads));
    // Each block has an even number of rows, and the shortest one has a single row of its own.
    let all = item_len(rows.saturating_mul(2), longest, shape).saturating_mul(shape.group());
    all.min(step.saturating_add(STEP_VALUES))
}

/// Number of values from which a step takes no more blocks: a few megabytes, which stay in the processor's caches.
const STEP_VALUES: usize = 1 << 20;
/// Number of positions from which blocks have fewer rows, so that a task takes a millisecond or two.
const LONG: usize = 8192;
/// Minimum number of rows of a block.
const MIN_ROWS: usize = 12;

/// Returns the number of rows of a block that begins after `positions` positions.
fn block_rows(positions: usize) -> usize {
    // Two rows are a pair.
    (LONG * QUERY_BLOCK / positions.max(1)).clamp(MIN_ROWS, QUERY_BLOCK) / 2 * 2
}

/// Returns the number of f32 that a block needs: for each key head its rows' probabilities, their gradients, and with
/// factors in bf16 copies of the queries and of the gradient of `out`.
fn item_len(rows: usize, positions: usize, shape: AttentionShape) -> usize {
    let row = score_stride(positions).saturating_add(shape.head_stride).saturating_mul(2);
    row.saturating_mul(shape.kv_heads).saturating_mul(rows.saturating_add(rows % 2))
}

/// Returns the number of items that keeps all threads busy.
fn least_items(shape: AttentionShape, threads: usize) -> usize {
    (2 * threads).div_ceil(shape.kv_heads)
}

/// A block of rows and one query head of each group.
#[derive(Clone, Copy)]
struct Item {
    span: usize,
    /// First row in the call.
    row: usize,
    rows: usize,
    /// Number of positions up to the last row.
    positions: usize,
    /// First part that the rows attend to, and its first position.
    first_part: usize,
    start: usize,
    head_in_group: usize,
    /// Offset of its memory (see [`item_len`]).
    scores: usize,
}

impl Item {
    fn stride(&self) -> usize {
        score_stride(self.positions - self.start)
    }

    /// Returns the ranges of a key head's probabilities, of their gradients, and of the copies.
    fn head_memory(&self, kv_head: usize, shape: AttentionShape) -> [Range<usize>; 3] {
        let rows = self.rows.next_multiple_of(2);
        let (scores, copies) = (rows * self.stride(), rows * 2 * shape.head_stride);
        let first = self.scores + kv_head * (2 * scores + copies);
        let [second, third] = [first + scores, first + 2 * scores];
        [first..second, second..third, third..third + copies]
    }
}

/// Computes the gradients.
pub fn attention_backward(pool: &ComputePool, shape: AttentionShape, pass: AttentionBackward<'_>) {
    attention_backward_in_steps(pool, shape, pass, STEP_VALUES);
}

/// Runs [`attention_backward`] with about `limit` values in a step at most; `scores` must have room for no more than
/// that.
pub(super) fn attention_backward_in_steps(
    pool: &ComputePool,
    shape: AttentionShape,
    pass: AttentionBackward<'_>,
    limit: usize,
) {
    let AttentionBackward { rows, spans, parts, window, query, key, qkv, out, d_out, d_qkv, turned, scores } = pass;
    let width = shape.head_stride;
    let (query_stride, kv_stride) = (shape.query_stride(), shape.kv_heads * width);
    let qkv_stride = query_stride + 2 * kv_stride;
    let end = spans.iter().fold(0, |end, span| {
        assert!(span.first_row == end, "spans cover all rows in order");
        let inside = span.check(shape, parts, query.len().min(out.len()).min(d_out.len())).iter();
        assert!(inside.map(|part| part.page * PAGE + part.slot + part.positions).all(|end| end <= rows));
        end + span.rows
    });
    assert!(end == rows && rows * kv_stride <= key.len(), "rows lie inside the keys");
    assert!(rows * qkv_stride <= qkv.len().min(d_qkv.len()), "rows lie inside the values and the gradients");
    let turned = &mut turned[..turned_len(rows, shape)];
    let heads_len = rows.div_ceil(PAGE) * shape.page_len();
    let (heads, key_pairs) = turned.split_at_mut(heads_len);
    turn(pool, shape, rows, key, qkv, heads);
    if shape.bf16 {
        pairs::pair_keys(pool, shape, rows, key, key_pairs);
    }
    // Products read on behind the heads, to whole vectors.
    let (turned, key_pairs) = (&*turned, &turned[heads_len..]);
    for_row_blocks(pool, rows, ROW_BLOCK, [(&mut *d_qkv, qkv_stride)], &|_, [d_qkv]| {
        d_qkv.chunks_exact_mut(qkv_stride).for_each(|row| row[query_stride..].fill(0.0));
    });
    let d_qkv = Shared::new(d_qkv);
    let pass = Pass { pool, shape, spans, parts, window, query, key, out, d_out, d_qkv, turned, key_pairs };
    let least = least_items(shape, pool.threads());
    let (mut step, mut used) = (Vec::new(), 0);
    for (index, span) in spans.iter().enumerate() {
        let mut first = 0;
        while first < span.rows {
            let rows = block_rows(span.start + first).min(span.rows - first);
            let (row, positions) = (span.first_row + first, span.start + first + rows);
            let own = &parts[span.parts.clone()];
            let before = (span.start + first + 1).saturating_sub(window);
            let first_part = own.partition_point(|part| part.position + part.positions <= before);
            let start = own[first_part].position;
            for head_in_group in 0..shape.group() {
                step.push(Item { span: index, row, rows, positions, first_part, start, head_in_group, scores: used });
                used += item_len(rows, positions - start, shape);
                if used >= limit && step.len() >= least {
                    pass.step(&step, &mut scores[..used]);
                    step.clear();
                    used = 0;
                }
            }
            first += rows;
        }
    }
    pass.step(&step, &mut scores[..used]);
}

/// State that all steps share. Its lengths have been checked.
struct Pass<'a> {
    pool: &'a ComputePool,
    shape: AttentionShape,
    spans: &'a [AttentionSpan],
    parts: &'a [PagePart],
    window: usize,
    query: &'a [f32],
    key: &'a [f32],
    out: &'a [f32],
    d_out: &'a [f32],
    d_qkv: Shared<'a>,
    /// Transposed keys and values (see [`turn`]).
    turned: &'a [f32],
    /// Keys in pairs of rows (see [`pairs::pair_keys`]).
    key_pairs: &'a [f32],
}

impl Pass<'_> {
    fn step(&self, items: &[Item], scores: &mut [f32]) {
        let kv_heads = self.shape.kv_heads;
        let shared = Shared::new(scores);
        // Later blocks attend to more positions, so they start first.
        self.pool.run(items.len() * kv_heads, &|task| {
            let (item, kv_head) = (&items[items.len() - 1 - task / kv_heads], task % kv_heads);
            // SAFETY: items and heads have places of their own.
            let memory = item.head_memory(kv_head, self.shape).map(|range| unsafe { shared.part(range) });
            self.block(item, kv_head, memory);
        });
        let pages = items.iter().map(|item| {
            let parts = self.seen(item);
            (parts[0].page, parts[parts.len() - 1].page + 1)
        });
        let (first, end) = pages.fold((usize::MAX, 0), |all, item| (all.0.min(item.0), all.1.max(item.1)));
        let scores = &*scores;
        self.pool.run(end.saturating_sub(first) * kv_heads, &|task| {
            for item in items {
                self.key_rows(item, task % kv_heads, first + task / kv_heads, scores);
            }
        });
    }

    /// Returns the parts that a block attends to, at least one; the last one may be covered partially.
    fn seen(&self, item: &Item) -> &[PagePart] {
        let parts = &self.parts[self.spans[item.span].parts.clone()];
        &parts[item.first_part..parts.partition_point(|part| part.position < item.positions)]
    }

    /// Computes a block's probabilities, the gradients of their arguments, and the gradient of its queries.
    fn block(&self, item: &Item, kv_head: usize, [probabilities, d_scores, copies]: [&mut [f32]; 3]) {
        let Self { shape, query, out, d_out, turned, .. } = *self;
        let (set, width, stride) = (self.pool.instruction_set(), shape.head_stride, shape.query_stride());
        let (padded, at) = (item.stride(), self.queries(item, kv_head));
        if shape.bf16 {
            self.round_rows(item, at, copies);
        }
        for part in self.seen(item) {
            let scores = Product {
                rows: item.rows,
                // Columns after the part's positions are overwritten by the next part or cleared by the softmax.
                columns: part.positions.min(item.positions - part.position).next_multiple_of(LANES),
                depth: width,
                a: query[at..].as_ptr(),
                a_row: stride,
                a_depth: 1,
                b: turned[self.turned_keys(part, kv_head)..].as_ptr(),
                b_depth: PAGE,
                c: probabilities[part.position - item.start..].as_mut_ptr(),
                c_row: padded,
                accumulate: false,
            };
            let b = turned[self.turned_keys(part, kv_head) + shape.keys_len()..].as_ptr();
            let d_probabilities = Product { b, c: d_scores[part.position - item.start..].as_mut_ptr(), ..scores };
            // SAFETY: spans and parts were checked to lie inside the buffers; reading on to whole vectors ends in the
            // vector behind the last page at the latest. The results are this task's.
            unsafe {
                if shape.bf16 {
                    pairs::scores_and_gradients(set, scores, d_probabilities, copies);
                } else {
                    gemm(set, scores);
                    gemm(set, Product { a: d_out[at..].as_ptr(), ..d_probabilities });
                }
            }
        }
        for row in 0..item.rows {
            let p = &mut probabilities[row * padded..(row + 1) * padded];
            let d = &mut d_scores[row * padded..(row + 1) * padded];
            let (at, valid) = (at + row * stride, item.positions - item.rows + row + 1);
            let first = valid.saturating_sub(self.window);
            let ((before, p), (d_before, d)) = (p.split_at_mut(first - item.start), d.split_at_mut(first - item.start));
            before.fill(0.0);
            d_before.fill(0.0);
            softmax(set, p, valid - first);
            let delta = dot(set, &out[at..at + width], &d_out[at..at + width]);
            softmax_backward(set, p, d, delta, valid - first);
        }
        if shape.bf16 {
            self.pair(item, padded, probabilities, d_scores);
        }
        let mut parts = self.seen(item).iter().peekable();
        while let Some(part) = parts.next() {
            let (row, mut end) = (part.page * PAGE + part.slot, part.position + part.positions);
            // Contiguous rows are one product.
            while let Some(next) = parts.next_if(|next| next.page * PAGE + next.slot == row + end - part.position) {
                end += next.positions;
            }
            self.d_queries(item, kv_head, row, part.position..end.min(item.positions), d_scores);
        }
    }

    /// Returns the offset of a block's rows in the queries.
    fn queries(&self, item: &Item, kv_head: usize) -> usize {
        let head = kv_head * self.shape.group() + item.head_in_group;
        item.row * self.shape.query_stride() + head * self.shape.head_stride
    }

    /// Returns the offset of the transposed keys of a part. The transposed values of the page follow its keys.
    fn turned_keys(&self, part: &PagePart, kv_head: usize) -> usize {
        part.page * self.shape.page_len() + self.shape.keys_offset(kv_head) + part.slot
    }

    /// Adds the part of the gradient of a block's queries that comes from contiguous keys: those from a row on, at
    /// these positions.
    fn d_queries(&self, item: &Item, kv_head: usize, row: usize, positions: Range<usize>, d_scores: &mut [f32]) {
        let Self { shape, key, d_qkv, .. } = *self;
        let (width, stride) = (shape.head_stride, shape.query_stride());
        let (kv_stride, first) = (shape.kv_heads * width, positions.start - item.start);
        let product = Product {
            rows: item.rows,
            columns: width,
            depth: positions.len(),
            a: d_scores[first..].as_ptr(),
            a_row: item.stride(),
            a_depth: 1,
            b: key[row * kv_stride + kv_head * width..].as_ptr(),
            b_depth: kv_stride,
            c: d_qkv.pointer(self.queries(item, kv_head) + item.row * 2 * kv_stride),
            c_row: stride + 2 * kv_stride,
            accumulate: first > 0,
        };
        if shape.bf16 {
            return self.d_queries_bf16(product, kv_head, row, &mut d_scores[first..]);
        }
        // SAFETY: spans and parts were checked to lie inside the buffers; tasks write distinct rows or heads.
        unsafe { gemm(self.pool.instruction_set(), product) };
    }

    /// Adds a block's contribution to the gradients of the keys and values of a page's rows.
    fn key_rows(&self, item: &Item, kv_head: usize, page: usize, scores: &[f32]) {
        let Self { shape, query, d_out, d_qkv, .. } = *self;
        let (width, stride) = (shape.head_stride, shape.query_stride());
        let (kv_stride, set) = (shape.kv_heads * width, self.pool.instruction_set());
        let [probabilities, d_scores, copies] = item.head_memory(kv_head, shape).map(|range| &scores[range]);
        let at = self.queries(item, kv_head);
        // Rows of a branch come after those of its parent, so its parts are in the order of pages.
        let seen = self.seen(item);
        let own = &seen[seen.partition_point(|part| part.page < page)..];
        for part in own.iter().take_while(|part| part.page == page) {
            let (key, first) = ((page * PAGE + part.slot) * (stride + 2 * kv_stride), part.position - item.start);
            let key = key + stride + kv_head * width;
            let d_keys = Product {
                rows: part.positions.min(item.positions - part.position),
                columns: width,
                depth: item.rows,
                a: d_scores[first..].as_ptr(),
                a_row: 1,
                a_depth: item.stride(),
                b: query[at..].as_ptr(),
                b_depth: stride,
                c: d_qkv.pointer(key),
                c_row: stride + 2 * kv_stride,
                accumulate: true,
            };
            let (a, c) = (probabilities[first..].as_ptr(), d_qkv.pointer(key + kv_stride));
            // SAFETY: spans and parts were checked to lie inside the buffers; tasks have distinct pages or heads.
            unsafe {
                if shape.bf16 {
                    pairs::add_keys_and_values(set, d_keys, a, copies, c);
                } else {
                    gemm(set, d_keys);
                    gemm(set, Product { a, b: d_out[at..].as_ptr(), c, ..d_keys });
                }
            }
        }
    }
}

/// Writes keys and values transposed, for each page and key head: keys `[head_stride][64]`, then values likewise; in bf16 in
/// pairs of neighbours in a head, `[head_stride / 2][64]`.
fn turn(pool: &ComputePool, shape: AttentionShape, rows: usize, key: &[f32], qkv: &[f32], turned: &mut [f32]) {
    let (width, kv_stride) = (shape.head_stride, shape.kv_heads * shape.head_stride);
    let qkv_stride = shape.query_stride() + 2 * kv_stride;
    for_row_blocks(pool, rows.div_ceil(PAGE), 1, [(turned, shape.page_len())], &|page, [turned]| {
        for row in page.start * PAGE..rows.min(page.end * PAGE) {
            let key = &key[row * kv_stride..][..kv_stride];
            let value = &qkv[(row + 1) * qkv_stride - kv_stride..][..kv_stride];
            let heads = key.chunks_exact(width).zip(value.chunks_exact(width));
            for ((key, value), turned) in heads.zip(turned.chunks_exact_mut(2 * shape.keys_len())) {
                let (keys, values) = turned.split_at_mut(shape.keys_len());
                shape.write_transposed(keys, row % PAGE, key);
                shape.write_transposed(values, row % PAGE, value);
            }
        }
    });
}
