//! Files mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// The content of a file, mapped into memory. The system reads it when it is used, and takes the memory back when it needs it.
///
/// Nobody may write the file meanwhile. If another program truncates it, or the disk cannot be read, the use of the missing part
/// ends this process. Programs that replace a file by renaming a new one do no harm.
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    /// Returns an error if the file is missing or unreadable, or its file system maps no files.
    pub fn open(path: &Path) -> io::Result<Self> {
        // SAFETY: sound while nobody writes the file, which the documentation asks for and no program can enforce. Weights are
        // read as integers, of which every value is valid; headers are also read as text.
        Ok(Self(unsafe { Mmap::map(&File::open(path)?)? }))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
