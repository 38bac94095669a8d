//! The shared-memory file of the write-ahead log, which all connections to a database map.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::records::StoreVersion;

/// The shared-memory file of a database.
#[derive(Clone)]
pub(super) struct SharedMemory(PathBuf);

impl SharedMemory {
    /// Names the file of the database in `file`.
    pub(super) fn of(file: &Path) -> Self {
        let mut path = file.as_os_str().to_owned();
        path.push("-shm");
        Self(path.into())
    }

    /// Opens the file for the rest of the process: closing any descriptor of a file releases every POSIX lock that the
    /// process has on it, including those of SQLite.
    pub(super) fn opened(&self) -> io::Result<Option<&'static File>> {
        static OPENED: Mutex<Vec<((u64, u64), &'static File)>> = Mutex::new(Vec::new());
        let found = match std::fs::metadata(&self.0) {
            Ok(found) => (found.dev(), found.ino()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut all = OPENED.lock();
        if let Some((_, file)) = all.iter().find(|(id, _)| *id == found) {
            return Ok(Some(file));
        }
        let file: &'static File = Box::leak(Box::new(File::open(&self.0)?));
        let metadata = file.metadata()?;
        all.push(((metadata.dev(), metadata.ino()), file));
        Ok(Some(file))
    }

    /// Returns the version of the database; `None` while it is unknown.
    ///
    /// The file begins with two copies of a header (`WalIndexHdr` in SQLite's `wal.c`), which is replaced before a commit
    /// ends. A transaction sees what its header describes: an equal header is how a connection of SQLite knows that its
    /// own cache is current.
    pub(super) fn version(&self) -> Option<StoreVersion> {
        let mut headers = [[0; StoreVersion::BYTES]; 2];
        let file = self.opened().ok().flatten()?;
        file.read_exact_at(headers.as_flattened_mut(), 0).ok()?;
        let [header, copy] = headers;
        // The copies differ while a process replaces them; zeros are a header that no process has written yet.
        (header == copy && header[IS_INITIALISED] == 1).then(|| StoreVersion::new(header))
    }
}

/// Offset of the byte in the header that says that it is valid.
const IS_INITIALISED: usize = 12;
