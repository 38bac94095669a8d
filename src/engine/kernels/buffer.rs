//! Memory of the engine: zeroed f32 aligned to cache lines, and scratch space of a thread.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A fixed number of f32, aligned to a cache line, initially zero.
pub struct Buffer {
    data: NonNull<f32>,
    len: usize,
}

// SAFETY: the memory is owned and reached through `&` and `&mut` only, as with `Vec<f32>`.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

/// Bytes of a cache line, and of the widest vector.
const ALIGNMENT: usize = 64;

impl Buffer {
    /// `len` zeros.
    pub fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout's size is never zero.
        let data = unsafe { alloc_zeroed(layout) };
        let Some(data) = NonNull::new(data.cast()) else { handle_alloc_error(layout) };
        Self { data, len }
    }

    /// Makes room for at least `len` values. Content is lost (and zeroed) if the memory had to be replaced.
    pub fn reserve(&mut self, len: usize) {
        if self.len < len {
            *self = Self::new(0); // give the old memory back first
            *self = Self::new(len);
        }
    }

    fn layout(len: usize) -> Layout {
        let bytes = len.max(1) * size_of::<f32>();
        Layout::from_size_align(bytes, ALIGNMENT).expect("a buffer fits the address space")
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.data.as_ptr().cast(), Self::layout(self.len)) }
    }
}

impl Deref for Buffer {
    type Target = [f32];
    fn deref(&self) -> &[f32] {
        // SAFETY: `len` values, initialised to zero by the allocator.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.len) }
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new(0)
    }
}

/// Calls `f` with `len` f32 of unspecified content that this thread keeps for the next call.
pub fn with_scratch<R>(len: usize, f: impl FnOnce(&mut [f32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::default()));
    let mut buffer = SCRATCH.take();
    buffer.reserve(len);
    let result = f(&mut buffer[..len]);
    SCRATCH.set(buffer);
    result
}
