//! Keys and values of earlier tokens, in pages from a bounded pool.

use std::sync::Mutex;

use super::ComputePool;
use super::kernels::Buffer;
use super::kernels::attention::{AttentionShape, AttentionSpan, PAGE};

/// Consecutive rows of one sequence in a call.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// First row in the call.
    pub(crate) first_row: usize,
    /// Number of rows.
    pub(crate) rows: usize,
    /// Position of the first row.
    pub(crate) start: usize,
    /// The sequence's pages from position 0, enough for the last row.
    pub(crate) pages: Vec<usize>,
}

/// A bounded pool of pages; each holds [`PAGE`] positions of all layers. Memory is taken when a page is first used.
pub(crate) struct KvCache {
    shape: AttentionShape,
    layers: usize,
    pages: Vec<Buffer>,
    /// Sequences that use each page.
    references: Vec<u32>,
    free: Vec<usize>,
    capacity: usize,
}

impl KvCache {
    /// A cache of at most `capacity` pages.
    pub(crate) fn new(shape: AttentionShape, layers: usize, capacity: usize) -> Self {
        Self { shape, layers, pages: Vec::new(), references: Vec::new(), free: Vec::new(), capacity }
    }

    /// f32 of a page.
    #[cfg(test)]
    pub(crate) fn page_len(&self, page: usize) -> usize {
        self.pages[page].len()
    }

    /// Pages in all.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Pages nobody uses.
    pub(crate) fn free_pages(&self) -> usize {
        self.capacity - self.pages.len() + self.free.len()
    }

    /// An unused page, or `None` when all are in use.
    pub(crate) fn allocate(&mut self) -> Option<usize> {
        let page = match self.free.pop() {
            Some(page) => page,
            None if self.pages.len() < self.capacity => {
                self.pages.push(Buffer::new(self.layers * self.shape.page_len()));
                self.references.push(0);
                self.pages.len() - 1
            }
            None => return None,
        };
        self.references[page] = 1;
        Some(page)
    }

    /// One more sequence uses the page.
    pub(crate) fn retain(&mut self, page: usize) {
        self.references[page] += 1;
    }

    /// One sequence less uses the page.
    pub(crate) fn release(&mut self, page: usize) {
        self.references[page] -= 1;
        if self.references[page] == 0 {
            self.free.push(page);
        }
    }

    /// Copies a page's content.
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        if let Ok([from, to]) = self.pages.get_disjoint_mut([from, to]) {
            to.copy_from_slice(from);
        }
    }

    /// A layer's part of some pages.
    pub(crate) fn layer_pages(&self, layer: usize, pages: &[usize]) -> Vec<&[f32]> {
        let len = self.shape.page_len();
        pages.iter().map(|&page| &self.pages[page][layer * len..][..len]).collect()
    }

    /// The spans of a call as the attention kernel wants them.
    pub(crate) fn attention_spans(&self, layer: usize, spans: &[Span]) -> Vec<AttentionSpan<'_>> {
        let span = |span: &Span| AttentionSpan {
            first_row: span.first_row,
            rows: span.rows,
            start: span.start,
            pages: self.layer_pages(layer, &span.pages),
        };
        spans.iter().map(span).collect()
    }

    /// Writes the keys `[rows, kv_heads * head_stride]` and values (of the same width, at `value_offset` in rows of
    /// `value_stride`) of a call's rows. Pages that are written belong to one sequence each.
    pub(crate) fn write(
        &mut self,
        pool: &ComputePool,
        layer: usize,
        spans: &[Span],
        keys: &[f32],
        (values, value_offset, value_stride): (&[f32], usize, usize),
    ) {
        struct Target {
            page: usize,
            slot: usize,
            row: usize,
            rows: usize,
        }
        let mut targets = Vec::new();
        for span in spans {
            let (mut position, end) = (span.start, span.start + span.rows);
            while position < end {
                let next = end.min((position / PAGE + 1) * PAGE);
                let row = span.first_row + position - span.start;
                let page = span.pages[position / PAGE];
                targets.push(Target { page, slot: position % PAGE, row, rows: next - position });
                position = next;
            }
        }
        targets.sort_by_key(|target| target.page);
        // One exclusive reference for each page written.
        let mut tasks = Vec::with_capacity(targets.len());
        let (mut rest, mut skipped) = (&mut self.pages[..], 0);
        for target in targets {
            let (page, tail) = rest[target.page - skipped..].split_first_mut().expect("a span's pages are allocated");
            (rest, skipped) = (tail, target.page + 1);
            tasks.push(Mutex::new((page, target)));
        }
        let (shape, width) = (self.shape, self.shape.head_stride);
        let kv_width = shape.kv_heads * width;
        pool.run(tasks.len(), &|task| {
            let mut guard = tasks[task].lock().expect("every page is written by one task");
            let (page, target) = &mut *guard;
            let page = &mut page[layer * shape.page_len()..][..shape.page_len()];
            for i in 0..target.rows {
                let (row, slot) = (target.row + i, target.slot + i);
                let key = &keys[row * kv_width..][..kv_width];
                let value = &values[row * value_stride + value_offset..][..kv_width];
                for head in 0..shape.kv_heads {
                    let (page_keys, page_values) =
                        page[shape.keys_offset(head)..][..2 * width * PAGE].split_at_mut(width * PAGE);
                    for k in 0..width {
                        page_keys[k * PAGE + slot] = key[head * width + k];
                    }
                    page_values[slot * width..][..width].copy_from_slice(&value[head * width..][..width]);
                }
            }
        });
    }
}
