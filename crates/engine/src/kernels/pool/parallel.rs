//! Row-wise operations on all threads.

use std::marker::PhantomData;
use std::ops::Range;

use super::compute_pool::ComputePool;
use crate::kernels::buffer::Buffer;

/// A mutable slice that tasks share; each uses its own part.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a, T = f32> {
    data: *mut T,
    len: usize,
    lifetime: PhantomData<&'a mut [T]>,
}

// SAFETY: the parts are handed out by an unsafe function whose callers keep them disjoint.
unsafe impl<T: Send> Send for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { data: slice.as_mut_ptr(), len: slice.len(), lifetime: PhantomData }
    }

    /// Returns a part of the slice.
    ///
    /// # Safety
    /// Parts in use at the same time must not overlap.
    pub(crate) unsafe fn part(self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.len, "a part lies inside its slice");
        // SAFETY: inside the slice, and disjoint from other parts by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.data.add(range.start), range.len()) }
    }

    /// Returns the address of an element, for strided access inside the slice.
    pub(crate) fn pointer(self, index: usize) -> *mut T {
        assert!(index < self.len, "an element lies inside its slice");
        // SAFETY: inside the slice.
        unsafe { self.data.add(index) }
    }
}

/// Work on a block of rows: the range of rows, and their part of each output.
type RowBlockTask<'a, const N: usize> = dyn Fn(Range<usize>, [&mut [f32]; N]) + Sync + 'a;

/// Splits `rows` into blocks of at most `block` rows and calls `f(rows of the block, the block's part of each output)`
/// for each in parallel. An output is `(memory, values per row)`.
pub fn for_row_blocks<const N: usize>(
    pool: &ComputePool,
    rows: usize,
    block: usize,
    outputs: [(&mut [f32], usize); N],
    f: &RowBlockTask<'_, N>,
) {
    let outputs = outputs.map(|(memory, stride)| (Shared::new(memory), stride));
    pool.run(rows.div_ceil(block), &|i| {
        let range = i * block..((i + 1) * block).min(rows);
        // SAFETY: blocks of rows do not overlap, and every block is given to one task.
        let parts = outputs.map(|(memory, stride)| unsafe { memory.part(range.start * stride..range.end * stride) });
        f(range, parts);
    });
}

/// Number of rows per task of cheap row-wise operations, which makes a task worth its overhead.
pub const ROW_BLOCK: usize = 16;

/// Number of rows whose contributions to a sum one task adds.
const SUM_ROWS: usize = 64;

/// Calls `add(row, partial sum)` for each row, and adds the partial sums to `sum` in order. Each partial sum has the same number of
/// rows, so the result does not depend on the number of threads.
pub(crate) fn sum_row_blocks(
    pool: &ComputePool,
    rows: usize,
    sum: &mut [f32],
    add: &(dyn Fn(usize, &mut [f32]) + Sync),
) {
    let (width, blocks) = (sum.len(), rows.div_ceil(SUM_ROWS));
    let mut partial = Buffer::new(blocks * width);
    for_row_blocks(pool, blocks, 1, [(&mut partial, width)], &|block, [partial]| {
        for (block, partial) in block.zip(partial.chunks_exact_mut(width)) {
            (block * SUM_ROWS..rows.min((block + 1) * SUM_ROWS)).for_each(|row| add(row, partial));
        }
    });
    for partial in partial.chunks_exact(width) {
        sum.iter_mut().zip(partial).for_each(|(sum, partial)| *sum += partial);
    }
}
