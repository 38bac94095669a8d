//! Files and directories that outlive a power cut. A file system writes the entry of a new directory with the directory
//! above it, at some time; a sync of that directory is the only promise.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use super::ownership;

/// Creates a directory with its parents, each with this mode, and with the owner of the directory that it is in. All of them
/// are durable when this returns.
///
/// # Errors
/// When a directory cannot be created or synced.
pub fn create(directory: &Path, mode: u32) -> io::Result<()> {
    let is_missing = |directory: &&Path| !directory.as_os_str().is_empty() && !directory.exists();
    let missing: Vec<&Path> = directory.ancestors().take_while(is_missing).collect();
    DirBuilder::new().recursive(true).mode(mode).create(directory)?;
    if missing.is_empty() {
        // A process that created it may have ended before it synced the entry. The directory above belongs to another
        // user if this one cannot open it; it has been there for longer then.
        return match sync_entry(directory) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            synced => synced,
        };
    }
    missing.iter().rev().try_for_each(|created| ownership::adopt(created))?;
    missing.into_iter().try_for_each(sync_entry)
}

/// Makes the bytes of a file, or the entries of a directory, durable.
///
/// # Errors
/// When it cannot be opened or synced.
pub(super) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Makes the entry of a file or a directory durable.
///
/// # Errors
/// When the directory above cannot be opened or synced.
pub(super) fn sync_entry(path: &Path) -> io::Result<()> {
    match path.parent() {
        // Relative to the working directory.
        Some(parent) if parent.as_os_str().is_empty() => sync(Path::new(".")),
        Some(parent) => sync(parent),
        None => Ok(()),
    }
}
