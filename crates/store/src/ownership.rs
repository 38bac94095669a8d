//! Owners of files and directories that root creates.
//!
//! An operator runs commands as root on the data directory of the service's user. The service could neither read nor remove
//! what root creates there, so that gets the owner of the directory that it is in. SQLite does the same with its logs.
//! Rejected: acting as that user, who cannot read a backup of root's or write to its directory.

use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

/// Gives a file or directory that this process created the owner of the directory that it is in. Does nothing unless the
/// process is root.
///
/// # Errors
/// When one of them cannot be read or changed.
pub fn adopt(path: &Path) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let above = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new(".").metadata()?,
        Some(parent) => parent.metadata()?,
        None => return Ok(()),
    };
    let own = match path.symlink_metadata() {
        // Another process has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        own => own?,
    };
    if (own.uid(), own.gid()) == (above.uid(), above.gid()) {
        return Ok(());
    }
    match lchown(path, Some(above.uid()), Some(above.gid())) {
        // Some containers and network file systems leave root without this right.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            tracing::warn!(path = %path.display(), %error, "the owner of the directory does not own a file in it");
            Ok(())
        }
        changed => changed,
    }
}

/// Does as [`adopt`] does, with everything below the path too.
///
/// # Errors
/// The errors of [`adopt`].
pub fn adopt_all(path: &Path) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    adopt(path)?;
    if path.symlink_metadata()?.is_dir() {
        for entry in path.read_dir()? {
            adopt_all(&entry?.path())?;
        }
    }
    Ok(())
}
