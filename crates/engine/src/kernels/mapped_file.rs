//! Files mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The content of a file, mapped into memory. The system reads it when it is used, and takes the memory back when it needs it.
///
/// If another program truncates the file meanwhile, the use of the missing part ends this process. Programs that replace a
/// file by renaming a new one do no harm.
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    /// Returns an error if the file is missing, unreadable, or no regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        // SAFETY: the content is read as integers, of which every value is valid. A file that another program writes at the
        // same time can have other values when it is read again, which nothing here relies on for memory safety.
        Ok(Self(unsafe { Mmap::map(&File::open(path)?)? }))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
