//! Lock of a data directory: any number of processes use its store, or one restores a backup there.
//!
//! Every process that opens the database of a directory holds the lock, and a restoration holds it alone, from its begin to
//! its end. So no process finds half a store, or one that is replaced under it. The operating system releases the lock of a
//! process that ends.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::layout::{DATABASE, RESTORING};
use super::{ownership, private};

/// Name of the locked file.
const LOCK: &str = "trainyard.lock";

/// An error from locking a data directory.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum DirectoryLockError {
    #[error("a backup is being restored to {0}; wait until `trainyard restore` has ended")]
    Restoring(PathBuf),
    #[error(
        "the restoration of a backup to {0} was interrupted; repeat `trainyard restore` with the same backup, or remove \
         {RESTORING} there to go on without it"
    )]
    Interrupted(PathBuf),
    #[error("another process uses {0}; stop it, or name another directory with --data-dir")]
    InUse(PathBuf),
    #[error("cannot lock {path}")]
    File { path: PathBuf, source: io::Error },
}

/// A held lock; released on drop.
#[derive(Debug)]
pub struct DirectoryLock {
    file: File,
    directory: PathBuf,
}

impl DirectoryLock {
    /// Locks a directory to use its store.
    ///
    /// # Errors
    /// When a backup is being restored there, or was not to its end.
    pub fn share(directory: &Path) -> Result<Self, DirectoryLockError> {
        let lock = Self::open(directory)?;
        match lock.file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => return Err(DirectoryLockError::Restoring(lock.directory)),
            locked => locked.map_err(|error| failed(directory, error.into()))?,
        }
        let unfinished = directory.join(RESTORING);
        let is_finished = || -> io::Result<bool> {
            let (unfinished, database) = (unfinished.metadata()?, directory.join(DATABASE).metadata()?);
            Ok((unfinished.dev(), unfinished.ino()) == (database.dev(), database.ino()))
        };
        match unfinished.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(lock),
            // The restoration ended between its last two steps.
            Ok(_) if is_finished().unwrap_or(false) => {
                std::fs::remove_file(&unfinished).map_err(|error| failed(&unfinished, error))?;
                Ok(lock)
            }
            _ => Err(DirectoryLockError::Interrupted(lock.directory)),
        }
    }

    /// Locks a directory for a restoration, which creates it if it is missing.
    ///
    /// # Errors
    /// When another process uses the directory, or it cannot be created.
    pub fn seize(directory: &Path) -> Result<Self, DirectoryLockError> {
        private::make_directory(directory).map_err(|error| failed(directory, error))?;
        let lock = Self::open(directory)?;
        match lock.file.try_lock() {
            Ok(()) => Ok(lock),
            Err(TryLockError::WouldBlock) if directory.join(RESTORING).exists() => {
                Err(DirectoryLockError::Restoring(lock.directory))
            }
            Err(TryLockError::WouldBlock) => Err(DirectoryLockError::InUse(lock.directory)),
            Err(TryLockError::Error(error)) => Err(failed(directory, error)),
        }
    }

    /// Returns the directory.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    fn open(directory: &Path) -> Result<Self, DirectoryLockError> {
        let path = directory.join(LOCK);
        let open = File::options().create(true).truncate(false).write(true).mode(private::FILE).open(&path);
        let file = open.and_then(|file| ownership::adopt(&path).map(|()| file));
        Ok(Self { file: file.map_err(|error| failed(&path, error))?, directory: directory.to_owned() })
    }
}

fn failed(path: &Path, source: io::Error) -> DirectoryLockError {
    DirectoryLockError::File { path: path.to_owned(), source }
}
