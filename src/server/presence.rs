//! Who works on a data directory: one whole service, or any number of processes that share it.

use std::{
    fs::{File, TryLockError},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    time::Duration,
};

use super::StartError;

/// How often to look whether a process that is starting is done.
const INTERVAL: Duration = Duration::from_millis(20);

/// What a process does on a data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Answers requests and works on jobs.
    Whole,
    /// Answers requests.
    Api,
    /// Works on jobs.
    Worker,
}

impl Role {
    /// Whether it answers requests.
    pub fn serves(self) -> bool {
        self != Self::Worker
    }

    /// Whether it works on jobs.
    pub fn works(self) -> bool {
        self != Self::Api
    }
}

/// A process's locks on its data directory; the system takes them back from a process that is gone.
pub(super) struct Presence {
    present: File,
    path: PathBuf,
    /// Keeps a second whole service out, which is a mistake mostly.
    _whole: Option<File>,
    alone: bool,
}

impl Presence {
    /// Enters a directory, which is made when it is missing. While the first process there is starting, others wait.
    pub(super) async fn enter(directory: &Path, role: Role) -> Result<Self, StartError> {
        create_directory(directory)?;
        let whole = match role {
            Role::Whole => {
                let (file, path) = open(directory, "lock")?;
                if !seize(&file).map_err(|source| StartError::DataDirectory { path, source })? {
                    return Err(StartError::InUse(directory.to_owned()));
                }
                Some(file)
            }
            Role::Api | Role::Worker => None,
        };
        let (present, path) = open(directory, "processes")?;
        let failed = |source| StartError::DataDirectory { path: path.clone(), source };
        let alone = loop {
            if seize(&present).map_err(failed)? {
                break true;
            }
            if share(&present).map_err(failed)? {
                break false;
            }
            tokio::time::sleep(INTERVAL).await;
        };
        Ok(Self { present, path, _whole: whole, alone })
    }

    /// Whether every process that was here before is gone, and none enters until [`Presence::share`].
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// Lets others in.
    pub(super) async fn share(mut self) -> Result<Self, StartError> {
        let failed = |source| StartError::DataDirectory { path: self.path.clone(), source };
        if self.alone {
            // Somebody may take the moment in between: it sees that nothing is done yet, tidies up too and is soon done.
            self.present.unlock().map_err(failed)?;
            while !share(&self.present).map_err(failed)? {
                tokio::time::sleep(INTERVAL).await;
            }
            self.alone = false;
        }
        Ok(self)
    }
}

/// Takes the lock that everybody may have, unless somebody has it alone.
fn share(file: &File) -> io::Result<bool> {
    match file.try_lock_shared() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Takes the lock that only one may have, unless somebody has it.
fn seize(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn open(directory: &Path, name: &str) -> Result<(File, PathBuf), StartError> {
    let path = directory.join(name);
    match File::options().create(true).write(true).truncate(false).open(&path) {
        Ok(file) => Ok((file, path)),
        Err(source) => Err(StartError::DataDirectory { path, source }),
    }
}

pub(super) fn create_directory(directory: &Path) -> Result<(), StartError> {
    // What is in it is nobody else's business: trajectories, adapters, hashes of keys.
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
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
        let refused = enter(Role::Whole).await.err().unwrap().to_string();
        assert!(refused.contains("--no-worker") && refused.contains("trainyard worker"), "{refused}");
        drop((first, third));
        assert!(!enter(Role::Whole).await.unwrap().is_alone(), "the worker is still there");
        drop(second);
        assert!(enter(Role::Worker).await.unwrap().is_alone());
    }
}
