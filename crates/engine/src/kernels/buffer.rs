//! Memory of the engine: zeroed, aligned to cache lines, on huge pages if it is large; and per-thread scratch memory.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::thread::LocalKey;

/// A number type whose bit patterns are all valid, so that zeroed memory is valid.
pub trait Number: Copy + Send + Sync + 'static {}
impl Number for f32 {}
impl Number for u32 {}
impl Number for u16 {}
impl Number for u8 {}

/// A fixed number of values, aligned to a cache line, initially zero.
pub struct AlignedBuffer<T: Number> {
    /// The allocation, which begins less than [`ALIGNMENT`] bytes before the data.
    allocation: NonNull<u8>,
    data: NonNull<T>,
    len: usize,
}

/// A fixed number of f32, aligned to a cache line, initially zero.
pub type Buffer = AlignedBuffer<f32>;

// SAFETY: the memory is owned and reached through `&` and `&mut` only, as with `Vec<T>`; a `Number` is `Send` and `Sync`.
unsafe impl<T: Number> Send for AlignedBuffer<T> {}
// SAFETY: as above.
unsafe impl<T: Number> Sync for AlignedBuffer<T> {}

/// Size in bytes of a cache line, and of the widest vector.
const ALIGNMENT: usize = 64;
/// Size in bytes of a huge page on x86-64 and on most 64-bit Arm systems.
const HUGE_PAGE: usize = 2 << 20;

impl<T: Number> AlignedBuffer<T> {
    /// Allocates `len` zeros. The system provides the pages of a large buffer when they are first used, so that the threads
    /// that fill it share that work.
    pub fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout's size is never zero. The allocator is asked for no alignment, since it then knows that new pages
        // are zero.
        let allocation = unsafe { alloc_zeroed(layout) };
        let Some(allocation) = NonNull::new(allocation) else { handle_alloc_error(layout) };
        // Before the memory is written: the advice has no effect on pages that exist.
        if layout.size() >= HUGE_PAGE {
            advise_huge_pages(allocation, layout.size());
        }
        let start = allocation.align_offset(ALIGNMENT);
        assert!(start < ALIGNMENT, "bytes can be aligned");
        // SAFETY: the layout has room for the alignment.
        let data = unsafe { allocation.add(start) }.cast();
        Self { allocation, data, len }
    }

    /// Ensures room for at least `len` values. If the memory has to be replaced, its content is lost and the new memory
    /// is zero.
    pub fn reserve(&mut self, len: usize) {
        if self.len < len {
            *self = Self::new(0); // free the old memory first
            *self = Self::new(len);
        }
    }

    fn layout(len: usize) -> Layout {
        let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| bytes.checked_add(ALIGNMENT));
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, 1).ok());
        layout.expect("a buffer fits the address space")
    }
}

/// Requests huge pages for the whole pages within the memory. Reading weights then misses the TLB less often, and the
/// first use causes fewer page faults. A system without huge pages ignores the request.
#[cfg(target_os = "linux")]
fn advise_huge_pages(data: NonNull<u8>, bytes: usize) {
    // The largest page of Arm systems, a multiple of all others.
    const PAGE: usize = 64 << 10;
    const MADV_HUGEPAGE: std::ffi::c_int = 14;
    unsafe extern "C" {
        fn madvise(start: *mut std::ffi::c_void, bytes: usize, advice: std::ffi::c_int) -> std::ffi::c_int;
    }
    let start = data.as_ptr().wrapping_add(data.as_ptr().align_offset(PAGE));
    let bytes = bytes.saturating_sub(start.addr() - data.addr().get()) / PAGE * PAGE;
    // SAFETY: whole pages inside memory that is ours; the advice never changes their content. Failure costs speed only.
    unsafe { madvise(start.cast(), bytes, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_data: NonNull<u8>, _bytes: usize) {}

impl<T: Number> Drop for AlignedBuffer<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.allocation.as_ptr(), Self::layout(self.len)) }
    }
}

impl<T: Number> Deref for AlignedBuffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `len` values, initialised to zero by the allocator, which is a value of every `Number`.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.len) }
    }
}

impl<T: Number> DerefMut for AlignedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.len) }
    }
}

impl<T: Number> Default for AlignedBuffer<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

/// Calls `f` with `len` f32 of unspecified content. The thread keeps the memory for the next call.
pub fn with_scratch<R>(len: usize, f: impl FnOnce(&mut [f32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::default()));
    kept(&SCRATCH, len, f)
}

/// Like [`with_scratch`], with u32.
pub(crate) fn with_integer_scratch<R>(len: usize, f: impl FnOnce(&mut [u32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<AlignedBuffer<u32>> = RefCell::new(AlignedBuffer::default()));
    kept(&SCRATCH, len, f)
}

/// Like [`with_integer_scratch`], for a task inside a function that has called it.
pub(crate) fn with_weight_scratch<R>(len: usize, f: impl FnOnce(&mut [u32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<AlignedBuffer<u32>> = RefCell::new(AlignedBuffer::default()));
    kept(&SCRATCH, len, f)
}

/// Like [`with_weight_scratch`], inside a function that has called that.
#[cfg(target_arch = "x86_64")]
pub(crate) fn with_tile_scratch<R>(len: usize, f: impl FnOnce(&mut [u32]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<AlignedBuffer<u32>> = RefCell::new(AlignedBuffer::default()));
    kept(&SCRATCH, len, f)
}

/// Like [`with_scratch`], with bytes.
pub(crate) fn with_byte_scratch<R>(len: usize, f: impl FnOnce(&mut [u8]) -> R) -> R {
    thread_local!(static SCRATCH: RefCell<AlignedBuffer<u8>> = RefCell::new(AlignedBuffer::default()));
    kept(&SCRATCH, len, f)
}

fn kept<T: Number, R>(
    scratch: &'static LocalKey<RefCell<AlignedBuffer<T>>>,
    len: usize,
    f: impl FnOnce(&mut [T]) -> R,
) -> R {
    let mut buffer = scratch.take();
    buffer.reserve(len);
    let result = f(&mut buffer[..len]);
    scratch.set(buffer);
    result
}
