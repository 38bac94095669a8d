//! Locks on a data directory: one complete service uses it, or any number of API and worker processes share it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::StartError;
use crate::store::{ownership, private};

/// Poll interval while another process is starting.
const INTERVAL: Duration = Duration::from_millis(20);

/// Role of a process on a data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Responds to requests and works on jobs.
    Whole,
    /// Responds to requests.
    Api,
    /// Works on jobs.
    Worker,
}

impl Role {
    /// Returns whether the process responds to requests.
    pub(super) fn serves(self) -> bool {
        self != Self::Worker
    }

    /// Returns whether the process works on jobs.
    pub(super) fn works(self) -> bool {
        self != Self::Api
    }
}

/// A process's locks on its data directory. The operating system releases the locks of a process that exits.
pub(super) struct Presence {
    present: File,
    path: PathBuf,
    /// Prevents a second complete service on the directory, which is usually a mistake.
    _whole: Option<File>,
    alone: bool,
}

impl Presence {
    /// Locks a directory, which is created if missing. While the first process there is starting, others wait.
    pub(super) async fn enter(directory: &Path, role: Role) -> Result<Self, StartError> {
        create_directory(directory)?;
        let whole = match role {
            Role::Whole => {
                let (file, path) = open(directory, "lock")?;
                if !is_taken(file.try_lock()).map_err(|source| StartError::DataDirectory { path, source })? {
                    return Err(StartError::InUse(directory.to_owned()));
                }
                Some(file)
            }
            Role::Api | Role::Worker => None,
        };
        let (present, path) = open(directory, "processes")?;
        let failed = |source| StartError::DataDirectory { path: path.clone(), source };
        let alone = loop {
            if is_taken(present.try_lock()).map_err(failed)? {
                break true;
            }
            if is_taken(present.try_lock_shared()).map_err(failed)? {
                break false;
            }
            tokio::time::sleep(INTERVAL).await;
        };
        Ok(Self { present, path, _whole: whole, alone })
    }

    /// Returns whether no other process uses the directory. None can enter until [`Presence::share`].
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// Lets other processes enter.
    pub(super) async fn share(mut self) -> Result<Self, StartError> {
        let failed = |source| StartError::DataDirectory { path: self.path.clone(), source };
        if self.alone {
            // Another process may take the exclusive lock in between. It repeats the clean-up, which finishes soon.
            self.present.unlock().map_err(failed)?;
            while !is_taken(self.present.try_lock_shared()).map_err(failed)? {
                tokio::time::sleep(INTERVAL).await;
            }
            self.alone = false;
        }
        Ok(self)
    }
}

/// Returns whether an attempt at a lock took it; false if another process has one that excludes it.
fn is_taken(attempt: Result<(), TryLockError>) -> io::Result<bool> {
    match attempt {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn open(directory: &Path, name: &str) -> Result<(File, PathBuf), StartError> {
    let path = directory.join(name);
    let file = File::options().create(true).write(true).truncate(false).open(&path);
    match file.and_then(|file| ownership::adopt(&path).map(|()| file)) {
        Ok(file) => Ok((file, path)),
        Err(source) => Err(StartError::DataDirectory { path, source }),
    }
}

pub(super) fn create_directory(directory: &Path) -> Result<(), StartError> {
    private::make_directory(directory)
        .map_err(|source| StartError::DataDirectory { path: directory.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_process_is_alone_until_it_shares() {
        let directory = tempfile::tempdir().unwrap();
        let enter = async |role| Presence::enter(directory.path(), role).await;
        let first = enter(Role::Whole).await.unwrap();
        assert!(first.is_alone());
        let waiting = tokio::time::timeout(Duration::from_millis(200), enter(Role::Worker)).await;
        assert!(waiting.is_err(), "the first one is starting");
        let first = first.share().await.unwrap();
        let second = enter(Role::Worker).await.unwrap();
        let third = enter(Role::Api).await.unwrap();
        assert!(!second.is_alone() && !third.is_alone());
        let rejected = enter(Role::Whole).await.err().unwrap().to_string();
        assert!(rejected.contains("--no-worker") && rejected.contains("trainyard worker"), "{rejected}");
        drop((first, third));
        assert!(!enter(Role::Whole).await.unwrap().is_alone(), "the worker is still there");
        drop(second);
        assert!(enter(Role::Worker).await.unwrap().is_alone());
    }
}
