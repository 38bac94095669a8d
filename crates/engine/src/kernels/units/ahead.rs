//! Memory that a product reads next.

use super::simd::{CACHE_LINE, Simd};

/// Memory to prefetch into the second-level cache, a cache line for each pair of k of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    start: *const u8,
    bytes: usize,
}

impl Ahead {
    pub(crate) const NONE: Self = Self { start: std::ptr::null(), bytes: 0 };

    pub(crate) fn of<T>(values: &[T]) -> Self {
        Self { start: values.as_ptr().cast(), bytes: size_of_val(values) }
    }

    /// Returns the wrapping distance in bytes from an address to the memory: zero if there is none.
    pub(crate) fn distance_from(self, address: *const u8) -> usize {
        if self.bytes == 0 { 0 } else { self.start.addr().wrapping_sub(address.addr()) }
    }

    /// Removes the lines of a tile of `pairs` pairs.
    #[inline(always)]
    pub(crate) fn take(&mut self, pairs: usize) -> Lines {
        let (next, bytes) = (self.start, self.bytes.min(pairs * CACHE_LINE));
        *self = Self { start: next.wrapping_add(bytes), bytes: self.bytes - bytes };
        Lines { next, distance: if bytes > 0 { CACHE_LINE } else { 0 } }
    }
}

/// Cache lines that a tile prefetches.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    next: *const u8,
    /// Distance between them; zero if there is none.
    distance: usize,
}

impl Lines {
    /// Prefetches a line.
    #[inline(always)]
    pub(crate) fn prefetch<S: Simd>(&mut self, simd: S) {
        simd.prefetch_second_level(self.next);
        self.next = self.next.wrapping_add(self.distance);
    }
}
