//! Cache of keys and values, in pages from a bounded pool.

use std::sync::Mutex;

use super::batch::Batch;
use crate::kernels::attention::{AttentionShape, LayerPages, PagePart};
use crate::kernels::{Buffer, ComputePool};

/// A bounded pool of pages, each with 64 positions of all layers. The memory of a page is allocated at its first
/// use.
pub(crate) struct KvCache {
    shape: AttentionShape,
    /// Number of layers with attention.
    layers: usize,
    pages: Vec<Buffer>,
    /// Number of sequences that use each page.
    references: Vec<u32>,
    free: Vec<usize>,
    capacity: usize,
}

impl KvCache {
    /// Creates a cache of at most `capacity` pages.
    pub(crate) fn new(shape: AttentionShape, layers: usize, capacity: usize) -> Self {
        Self { shape, layers, pages: Vec::new(), references: Vec::new(), free: Vec::new(), capacity }
    }

    /// Creates a cache of one layer, which every layer overwrites; the rows of a call use its pages in order.
    pub(crate) fn of_one_layer(shape: AttentionShape) -> Self {
        Self::new(shape, 1, usize::MAX)
    }

    /// Allocates the pages `0..pages`; the cache must not have been used for other pages.
    pub(crate) fn reserve(&mut self, pages: usize) {
        while self.pages.len() < pages {
            self.allocate();
        }
    }

    /// Returns the maximum number of pages.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the number of unused pages.
    pub(crate) fn free_pages(&self) -> usize {
        self.capacity - self.pages.len() + self.free.len()
    }

    /// Returns an unused page, or `None` if all are in use.
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
        // Tests notice a slot that is read before it is written: NaN in f32, and in both halves of a pair.
        #[cfg(test)]
        self.pages[page].fill(f32::from_bits(u32::MAX));
        Some(page)
    }

    /// Increments the reference count of a page.
    pub(crate) fn retain(&mut self, page: usize) {
        self.references[page] += 1;
    }

    /// Decrements the reference count of a page, and frees it at zero.
    pub(crate) fn release(&mut self, page: usize) {
        self.references[page] -= 1;
        if self.references[page] == 0 {
            self.free.push(page);
        }
    }

    /// Copies the content of a page.
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        if let Ok([from, to]) = self.pages.get_disjoint_mut([from, to]) {
            to.copy_from_slice(from);
        }
    }

    /// Returns the offset in each page of a layer, given its index among those with attention.
    fn layer_offset(&self, layer: usize) -> usize {
        if self.layers == 1 { 0 } else { layer * self.shape.page_len() }
    }

    /// Returns a layer's pages for the attention kernel, which attends to the last `window` positions.
    pub(crate) fn layer_pages<'a>(&'a self, layer: usize, parts: &'a [PagePart], window: usize) -> LayerPages<'a> {
        LayerPages { pages: &self.pages, offset: self.layer_offset(layer), parts, window }
    }

    /// Writes the keys `[rows, kv_heads * head_stride]` and the values of a call's rows. Values are the last columns of
    /// `qkv`, the rows of the projections. No two spans may write the same slot.
    pub(crate) fn write(&mut self, pool: &ComputePool, layer: usize, batch: &Batch<'_>, keys: &[f32], qkv: &[f32]) {
        let Batch { spans, parts, .. } = *batch;
        struct Target {
            page: usize,
            slot: usize,
            row: usize,
            rows: usize,
        }
        let offset = self.layer_offset(layer);
        let mut targets = Vec::with_capacity(spans.len());
        for span in spans {
            let parts = &parts[span.parts.clone()];
            let own = parts.partition_point(|part| part.position + part.positions <= span.start);
            for part in &parts[own..] {
                let skipped = span.start.saturating_sub(part.position);
                targets.push(Target {
                    page: part.page,
                    slot: part.slot + skipped,
                    row: span.first_row + part.position + skipped - span.start,
                    rows: part.positions - skipped,
                });
            }
        }
        targets.sort_by_key(|target| target.page);
        // One exclusive reference for each written page.
        let mut tasks = Vec::with_capacity(targets.len());
        let (mut rest, mut skipped) = (&mut self.pages[..], 0);
        for targets in targets.chunk_by(|left, right| left.page == right.page) {
            let page = targets[0].page;
            let (content, tail) = rest[page - skipped..].split_first_mut().expect("a span's pages are allocated");
            (rest, skipped) = (tail, page + 1);
            tasks.push(Mutex::new((content, targets)));
        }
        let (shape, width) = (self.shape, self.shape.head_stride);
        let kv_width = shape.kv_heads * width;
        let qkv_width = shape.qkv_stride();
        pool.run(tasks.len(), &|task| {
            let mut guard = tasks[task].lock().expect("every page is written by one task");
            let (page, targets) = &mut *guard;
            let page = &mut page[offset..][..shape.page_len()];
            for (row, slot) in
                targets.iter().flat_map(|target| (0..target.rows).map(|i| (target.row + i, target.slot + i)))
            {
                let key = &keys[row * kv_width..][..kv_width];
                let value = &qkv[(row + 1) * qkv_width - kv_width..][..kv_width];
                for head in 0..shape.kv_heads {
                    let own = head * width..(head + 1) * width;
                    shape.write_slot(&mut page[shape.keys_offset(head)..], slot, &key[own.clone()], &value[own]);
                }
            }
        });
    }
}

#[cfg(test)]
mod for_tests {
    impl super::KvCache {
        /// Returns the size of all pages, in bytes.
        pub(crate) fn bytes(&self) -> usize {
            self.pages.iter().map(|page| size_of_val(&page[..])).sum()
        }
    }
}
