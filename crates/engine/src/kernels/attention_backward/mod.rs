//! Gradient of causal attention over a tree of sequences.
//!
//! Rows are processed in blocks, each for one query head of every group, and a step takes several. It goes through the keys, a
//! few pages at a time: it computes the blocks' probabilities, their gradients, and from these the gradients of the queries;
//! then, with the pages divided among the threads, it adds the blocks' contributions to the gradients of keys and values. So
//! the probabilities stay in the processor's caches, and are computed once. Every key row sums the blocks in the order of rows,
//! then of heads, for any number of blocks in a step. No task is long, so training can yield.
//!
//! Factors that the forward pass rounds to bf16 are rounded here too, and so are those of the gradients (see [`pairs`]).
//! The probabilities have the bits of the forward pass, whose constants of each softmax are kept.

mod pairs;

use std::ops::Range;

use super::attention::{AttentionShape, AttentionSpan, PAGE, PagePart, QUERY_BLOCK};
use super::buffer::with_scratch;
use super::pool::{ComputePool, ROW_BLOCK, Shared, for_row_blocks};
use super::products::{Product, gemm, pair_rows};
use super::rows::{dot, softmax_part_backward};
use super::units::LANES;

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
    /// Rows of the projections, `[rows, qkv_stride]`; only the values are read.
    pub qkv: &'a [f32],
    /// Output of the forward pass.
    pub out: &'a [f32],
    /// Constants of the softmaxes of the forward pass, `[rows, heads, 2]`.
    pub constants: &'a [f32],
    /// Gradient of `out`.
    pub d_out: &'a [f32],
    /// Gradients of queries, keys and values at their places in the rows of the projections; overwritten. Those of gates stay.
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

/// Returns the number of f32 of a step for `rows` rows.
pub fn backward_scores_len(rows: usize, shape: AttentionShape, threads: usize) -> usize {
    // A step ends with the item that reaches the limits.
    let step =
        item_len(QUERY_BLOCK, rows, shape).saturating_mul(least_items(shape, threads)).saturating_add(STEP_VALUES);
    // Each block has an even number of rows, and the shortest one has a single row of its own.
    step.min(item_len(rows.saturating_mul(2), rows, shape).saturating_mul(shape.group()))
}

/// Number of values from which a step takes no more blocks: they stay in the processor's caches.
const STEP_VALUES: usize = 1 << 20;
/// Number of pages that a step goes through at a time.
const CHUNK: usize = 4;

/// Returns the distance between the rows of scores of a chunk, in a block that attends to `positions`. Products write whole
/// vectors from any position at which a part begins.
fn scores_stride(positions: usize) -> usize {
    positions.min(CHUNK * PAGE).next_multiple_of(LANES) + LANES
}

/// Returns the number of f32 that a block needs: for each key head its rows' probabilities and their gradients, in f32 or as
/// pairs of bf16, copies of the queries and of the gradient of `out`, and the products of `out` and its gradient.
fn item_len(rows: usize, positions: usize, shape: AttentionShape) -> usize {
    let row = scores_stride(positions) * if shape.bf16 { 1 } else { 2 } + 2 * shape.head_stride + 1;
    (row * shape.kv_heads).saturating_mul(rows.saturating_add(rows % 2))
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
    /// First part that the rows attend to.
    first_part: usize,
    head_in_group: usize,
    /// Offset of its memory (see [`item_len`]).
    scores: usize,
}

impl Item {
    /// Returns the distance between its rows of scores.
    fn stride(&self) -> usize {
        scores_stride(self.positions)
    }

    /// Returns the positions of consecutive parts that the block attends to.
    fn positions_of(&self, parts: &[PagePart]) -> Range<usize> {
        let last = parts[parts.len() - 1];
        parts[0].position..self.positions.min(last.position + last.positions)
    }

    /// Returns the ranges of a key head's probabilities, of their gradients, of the copies, and of the products of the output and
    /// its gradient. In bf16 the probabilities of each part are contiguous, `[rows / 2, 2, positions]` pairs of rows: those of
    /// the probabilities, then those of their gradients.
    fn head_memory(&self, kv_head: usize, shape: AttentionShape) -> [Range<usize>; 4] {
        let rows = self.rows.next_multiple_of(2);
        let scores = rows * self.stride();
        let lengths = [scores, if shape.bf16 { 0 } else { scores }, rows * 2 * shape.head_stride, rows];
        let mut end = self.scores + kv_head * lengths.iter().sum::<usize>();
        lengths.map(|len| {
            end += len;
            end - len..end
        })
    }
}

/// Computes the gradients.
pub fn attention_backward(pool: &ComputePool, shape: AttentionShape, pass: AttentionBackward<'_>) {
    attention_backward_in_steps(pool, shape, pass, STEP_VALUES, CHUNK);
}

/// Runs [`attention_backward`] with steps that end with the item that reaches `limit` values, and chunks of up to [`CHUNK`] pages.
pub(super) fn attention_backward_in_steps(
    pool: &ComputePool,
    shape: AttentionShape,
    pass: AttentionBackward<'_>,
    limit: usize,
    chunk: usize,
) {
    let AttentionBackward { rows, spans, parts, window, query, key, qkv, out, constants, d_out, d_qkv, .. } = pass;
    let AttentionBackward { turned, scores, .. } = pass;
    assert!((1..=CHUNK).contains(&chunk), "the scores of a chunk have room");
    let width = shape.head_stride;
    let kv_stride = shape.kv_heads * width;
    let qkv_stride = shape.qkv_stride();
    let end = spans.iter().fold(0, |end, span| {
        assert!(span.first_row == end, "spans cover all rows in order");
        let parts = span.check(shape, parts, query.len().min(out.len()).min(d_out.len())).iter();
        let last = parts.fold(0, |end, part| {
            let first = part.page * PAGE + part.slot;
            assert!(first >= end, "parts are in the order of rows");
            first + part.positions
        });
        assert!(last <= rows, "parts lie inside the rows");
        end + span.rows
    });
    assert!(end == rows && rows * kv_stride <= key.len(), "rows lie inside the keys");
    assert!(rows * qkv_stride <= qkv.len().min(d_qkv.len()), "rows lie inside the values and the gradients");
    assert!(rows * 2 * shape.heads <= constants.len(), "each row has the constants of its heads");
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
        d_qkv.chunks_exact_mut(qkv_stride).for_each(|row| row[shape.key_column()..].fill(0.0));
    });
    let d_qkv = Shared::new(d_qkv);
    let pass =
        Pass { pool, shape, spans, parts, window, query, key, out, constants, d_out, d_qkv, turned, key_pairs, chunk };
    let least = least_items(shape, pool.threads());
    let (mut step, mut used) = (Vec::new(), 0);
    for (index, span) in spans.iter().enumerate() {
        for first in (0..span.rows).step_by(QUERY_BLOCK) {
            let rows = QUERY_BLOCK.min(span.rows - first);
            let (row, positions) = (span.first_row + first, span.start + first + rows);
            let own = &parts[span.parts.clone()];
            let before = (span.start + first + 1).saturating_sub(window);
            let first_part = own.partition_point(|part| part.position + part.positions <= before);
            for head_in_group in 0..shape.group() {
                step.push(Item { span: index, row, rows, positions, first_part, head_in_group, scores: used });
                used += item_len(rows, positions, shape);
                if used >= limit && step.len() >= least {
                    pass.step(&step, &mut scores[..used]);
                    step.clear();
                    used = 0;
                }
            }
        }
    }
    pass.step(&step, &mut scores[..used]);
}

/// Work on the memory of an item and a key head (see [`Item::head_memory`]).
type HeadTask<'a> = dyn Fn(&Item, usize, [&mut [f32]; 4]) + Sync + 'a;

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
    constants: &'a [f32],
    d_out: &'a [f32],
    d_qkv: Shared<'a>,
    /// Transposed keys and values (see [`turn`]).
    turned: &'a [f32],
    /// Keys in pairs of rows (see [`pairs::pair_keys`]).
    key_pairs: &'a [f32],
    /// Number of pages of a chunk.
    chunk: usize,
}

impl Pass<'_> {
    /// Computes the contributions of a step's items to all gradients.
    fn step(&self, items: &[Item], scores: &mut [f32]) {
        let kv_heads = self.shape.kv_heads;
        let for_heads = |scores: &mut [f32], f: &HeadTask<'_>| {
            let shared = Shared::new(scores);
            self.pool.run(items.len() * kv_heads, &|task| {
                let (item, kv_head) = (&items[task / kv_heads], task % kv_heads);
                // SAFETY: items and heads have memory of their own.
                f(item, kv_head, item.head_memory(kv_head, self.shape).map(|range| unsafe { shared.part(range) }));
            });
        };
        for_heads(scores, &|item, kv_head, [_, _, copies, deltas]| self.prepare(item, kv_head, copies, deltas));
        let parts = items.iter().flat_map(|item| self.seen(item));
        let mut chunks: Vec<usize> = parts.map(|part| part.page / self.chunk).collect();
        chunks.sort_unstable();
        chunks.dedup();
        for chunk in chunks {
            let pages = chunk * self.chunk..(chunk + 1) * self.chunk;
            for_heads(scores, &|item, kv_head, memory| self.block(item, kv_head, self.parts_in(item, &pages), memory));
            let scores = &*scores;
            self.pool.run(pages.len() * kv_heads, &|task| {
                for item in items {
                    let memory = item.head_memory(task % kv_heads, self.shape).map(|range| &scores[range]);
                    self.key_rows(item, task % kv_heads, &pages, pages.start + task / kv_heads, memory);
                }
            });
        }
    }

    /// Returns the parts that a block attends to, at least one; the last one may be covered partially.
    fn seen(&self, item: &Item) -> &[PagePart] {
        let parts = &self.parts[self.spans[item.span].parts.clone()];
        &parts[item.first_part..parts.partition_point(|part| part.position < item.positions)]
    }

    /// Returns the parts of these pages that a block attends to.
    fn parts_in(&self, item: &Item, pages: &Range<usize>) -> &[PagePart] {
        let seen = self.seen(item);
        // Rows of a branch come after those of its parent, so its parts are in the order of pages.
        let [first, end] = [pages.start, pages.end].map(|page| seen.partition_point(|part| part.page < page));
        &seen[first..end]
    }

    /// Computes the products of a block's output and its gradient, and the copies.
    fn prepare(&self, item: &Item, kv_head: usize, copies: &mut [f32], deltas: &mut [f32]) {
        let (set, stride, at) = (self.pool.instruction_set(), self.shape.query_stride(), self.queries(item, kv_head));
        for (row, delta) in deltas.iter_mut().take(item.rows).enumerate() {
            let head = at + row * stride..at + row * stride + self.shape.head_stride;
            *delta = dot(set, &self.out[head.clone()], &self.d_out[head]);
        }
        if self.shape.bf16 {
            self.round_rows(item, at, copies);
        }
    }

    /// Computes a block's probabilities for a chunk of the keys, the gradients of their arguments, and that part of the gradient
    /// of its queries.
    fn block(&self, item: &Item, kv_head: usize, chunk: &[PagePart], memory: [&mut [f32]; 4]) {
        let [probabilities, d_scores, copies, deltas] = memory;
        if chunk.is_empty() {
            return;
        }
        if !self.shape.bf16 {
            self.chunk(item, kv_head, chunk, [probabilities, d_scores], deltas, copies);
            return self.d_queries(item, kv_head, chunk, d_scores);
        }
        let (set, rows, stride) = (self.pool.instruction_set(), item.rows.next_multiple_of(2), item.stride());
        with_scratch(2 * rows * stride, |scratch| {
            let (scores, d_scores) = scratch.split_at_mut(rows * stride);
            scores[item.rows * stride..].fill(0.0);
            d_scores[item.rows * stride..].fill(0.0);
            self.chunk(item, kv_head, chunk, [scores, d_scores], deltas, copies);
            let first = chunk[0].position;
            for part in chunk {
                let positions = item.positions_of(std::slice::from_ref(part));
                let (columns, len) = (positions.start - first..positions.end - first, positions.len());
                let pairs = &mut probabilities[rows * columns.start..][..rows * len];
                for (row, pairs) in pairs.chunks_exact_mut(2 * len).enumerate() {
                    let (p, d) = pairs.split_at_mut(len);
                    for (x, pairs) in [(&*scores, p), (&*d_scores, d)] {
                        let (x0, x1) = x[2 * row * stride..][..2 * stride].split_at(stride);
                        pair_rows(set, &x0[columns.clone()], &x1[columns.clone()], pairs);
                    }
                }
            }
            self.d_queries(item, kv_head, chunk, d_scores);
        });
    }

    /// Computes a block's probabilities for a chunk of the keys, and the gradients of their arguments.
    fn chunk(
        &self,
        item: &Item,
        kv_head: usize,
        chunk: &[PagePart],
        [probabilities, d_scores]: [&mut [f32]; 2],
        deltas: &[f32],
        copies: &[f32],
    ) {
        let Self { shape, query, d_out, turned, .. } = *self;
        let (set, at, stride) = (self.pool.instruction_set(), self.queries(item, kv_head), item.stride());
        let positions = item.positions_of(chunk);
        for (index, part) in chunk.iter().enumerate() {
            let keys = self.turned_keys(part, kv_head);
            let next = chunk.get(index + 1).map_or(keys, |next| self.turned_keys(next, kv_head));
            let scores = Product {
                rows: item.rows,
                // Columns after the part's positions are overwritten by the next part or cleared below.
                columns: part.positions.min(item.positions - part.position).next_multiple_of(LANES),
                depth: shape.head_stride,
                a: query[at..].as_ptr(),
                a_row: shape.query_stride(),
                a_depth: 1,
                b: turned[keys..].as_ptr(),
                b_depth: PAGE,
                c: probabilities[part.position - positions.start..].as_mut_ptr(),
                c_row: stride,
                accumulate: false,
            };
            let b = turned[keys + shape.keys_len()..].as_ptr();
            let d_probabilities = Product { b, c: d_scores[part.position - positions.start..].as_mut_ptr(), ..scores };
            // SAFETY: spans and parts were checked to lie inside the buffers; reading on to whole vectors ends in the
            // vector behind the last page at the latest. The results are this task's.
            unsafe {
                if shape.bf16 {
                    pairs::scores_and_gradients(
                        set,
                        scores,
                        d_probabilities,
                        copies,
                        next.cast_signed() - keys.cast_signed(),
                    );
                } else {
                    gemm(set, scores);
                    gemm(set, Product { a: d_out[at..].as_ptr(), ..d_probabilities });
                }
            }
        }
        let head = at / shape.head_stride;
        for (row, delta) in deltas.iter().enumerate().take(item.rows) {
            let columns = row * stride..row * stride + positions.len();
            let (p, d) = (&mut probabilities[columns.clone()], &mut d_scores[columns]);
            let end = item.positions - item.rows + row + 1;
            let first = end.saturating_sub(self.window).clamp(positions.start, positions.end) - positions.start;
            let end = end.clamp(positions.start, positions.end) - positions.start;
            for x in [&mut *p, &mut *d] {
                x[..first].fill(0.0);
                x[end..].fill(0.0);
            }
            let softmax = 2 * (head + row * shape.heads);
            let constants = [self.constants[softmax], self.constants[softmax + 1]];
            softmax_part_backward(set, &mut p[first..end], &mut d[first..end], constants, *delta);
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

    /// Adds the part of the gradient of a block's queries that comes from a chunk of the keys. The gradients of the scores are
    /// replaced by pairs in bf16.
    fn d_queries(&self, item: &Item, kv_head: usize, chunk: &[PagePart], d_scores: &mut [f32]) {
        let Self { shape, key, d_qkv, .. } = *self;
        let (width, kv_stride) = (shape.head_stride, shape.kv_heads * shape.head_stride);
        let start = self.seen(item)[0].position;
        let mut parts = chunk.iter().peekable();
        while let Some(part) = parts.next() {
            let (row, mut end) = (part.page * PAGE + part.slot, part.position + part.positions);
            // Contiguous rows are one product.
            while let Some(next) = parts.next_if(|next| next.page * PAGE + next.slot == row + end - part.position) {
                end += next.positions;
            }
            let first = part.position - chunk[0].position;
            let product = Product {
                rows: item.rows,
                columns: width,
                depth: end.min(item.positions) - part.position,
                a: d_scores[first..].as_ptr(),
                a_row: item.stride(),
                a_depth: 1,
                b: key[row * kv_stride + kv_head * width..].as_ptr(),
                b_depth: kv_stride,
                c: d_qkv.pointer(self.queries(item, kv_head) + item.row * (shape.qkv_stride() - shape.query_stride())),
                c_row: shape.qkv_stride(),
                accumulate: part.position > start,
            };
            if shape.bf16 {
                self.d_queries_bf16(product, kv_head, row, &mut d_scores[first..]);
            } else {
                // SAFETY: spans and parts were checked to lie inside the buffers; tasks write distinct rows or heads.
                unsafe { gemm(self.pool.instruction_set(), product) };
            }
        }
    }

    /// Adds a block's contribution to the gradients of the keys and values of a page's rows. The memory is that of the block for
    /// these pages.
    fn key_rows(&self, item: &Item, kv_head: usize, pages: &Range<usize>, page: usize, memory: [&[f32]; 4]) {
        let Self { shape, query, d_out, d_qkv, .. } = *self;
        let (width, stride, qkv_stride) = (shape.head_stride, shape.query_stride(), shape.qkv_stride());
        let (kv_stride, set) = (shape.kv_heads * width, self.pool.instruction_set());
        let [probabilities, d_scores, copies, _] = memory;
        let (chunk, at) = (self.parts_in(item, pages), self.queries(item, kv_head));
        for part in chunk.iter().filter(|part| part.page == page) {
            let (key, first) = ((page * PAGE + part.slot) * qkv_stride, part.position - chunk[0].position);
            let key = key + shape.key_column() + kv_head * width;
            let d_keys = Product {
                rows: item.positions_of(std::slice::from_ref(part)).len(),
                columns: width,
                depth: item.rows,
                a: std::ptr::null(),
                a_row: 1,
                a_depth: item.stride(),
                b: query[at..].as_ptr(),
                b_depth: stride,
                c: d_qkv.pointer(key),
                c_row: qkv_stride,
                accumulate: true,
            };
            let d_values = d_qkv.pointer(key + kv_stride);
            // SAFETY: spans and parts were checked to lie inside the buffers; tasks have distinct pages or heads.
            unsafe {
                if shape.bf16 {
                    let pairs = &probabilities[item.rows.next_multiple_of(2) * first..];
                    pairs::add_keys_and_values(set, d_keys, pairs, copies, d_values);
                } else {
                    gemm(set, Product { a: d_scores[first..].as_ptr(), ..d_keys });
                    let a = probabilities[first..].as_ptr();
                    gemm(set, Product { a, b: d_out[at..].as_ptr(), c: d_values, ..d_keys });
                }
            }
        }
    }
}

/// Writes keys and values transposed, for each page and key head: keys `[head_stride][64]`, then values likewise; in bf16 in
/// pairs of neighbours in a head, `[head_stride / 2][64]`.
fn turn(pool: &ComputePool, shape: AttentionShape, rows: usize, key: &[f32], qkv: &[f32], turned: &mut [f32]) {
    let (width, kv_stride) = (shape.head_stride, shape.kv_heads * shape.head_stride);
    let qkv_stride = shape.qkv_stride();
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
