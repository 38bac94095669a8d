//! Artifacts in a local directory.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::local::LocalFileSystem;
use tokio::sync::Semaphore;

use super::retry::RetryDeadline;
use super::{ArtifactError, ArtifactId, Artifacts, CLOCK, INCOMING, PART_SIZE};
use crate::background::blocking;
use crate::layout::ARTIFACTS_BY_HASH;
use crate::{directories, ownership, private};

impl Artifacts {
    /// Opens artifacts under a local directory, and creates it if it is missing. Any number of processes may open one
    /// directory. Writes are durable when they return.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn open_directory(directory: &Path) -> Result<Self, ArtifactError> {
        // The directory of the artifacts exists from now on: `check_directory` looks for it.
        directories::create(&directory.join(ARTIFACTS_BY_HASH), private::DIRECTORY)
            .map_err(|source| failed(directory, source))?;
        let storage = LocalFileSystem::new_with_prefix(directory)
            .map_err(|source| ArtifactError::Storage { action: "open the directory", source })?
            .with_fsync(true);
        Ok(Self {
            storage: Arc::new(storage),
            directory: Some(directory.to_owned()),
            synced: Arc::default(),
            retry_deadline: RetryDeadline::SINGLE_ATTEMPT,
            uncollected: Arc::default(),
            requests: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
            part_size: PART_SIZE,
        })
    }

    /// Checks that the directory of a local store is there. A write would create a missing one anew, and empty.
    pub(super) async fn check_directory(&self) -> Result<(), ArtifactError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let root = directory.join(ARTIFACTS_BY_HASH);
        tokio::fs::metadata(&root).await.map(drop).map_err(|error| ArtifactError::DirectoryMissing {
            source: io::Error::new(error.kind(), format!("{}: {error}", root.display())),
        })
    }

    /// Makes the directory of an object durable before the object is in it. A write would create a missing directory
    /// too, but of two concurrent writes the second would find it and return before the first has synced its entry, and
    /// one that a killed process left would never be synced.
    pub(super) async fn prepare_directory(&self, location: &object_store::path::Path) -> Result<(), ArtifactError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        self.check_directory().await?;
        let mut shard = directory.join(location.as_ref());
        shard.pop();
        if self.synced.lock().contains(&shard) {
            return Ok(());
        }
        let created = shard.clone();
        let creating = blocking(move || directories::create(&created, private::DIRECTORY));
        creating.await.map_err(|source| failed(&shard, source))?;
        self.synced.lock().insert(shard);
        Ok(())
    }

    /// Gives an object of a local store that root wrote the owner of the directory.
    pub(super) fn adopt(&self, location: &object_store::path::Path) -> object_store::Result<()> {
        let Some(directory) = &self.directory else { return Ok(()) };
        ownership::adopt(&directory.join(location.as_ref()))
            .map_err(|error| object_store::Error::Generic { store: "LocalFileSystem", source: error.into() })
    }
}

pub(super) fn failed(directory: &Path, source: io::Error) -> ArtifactError {
    ArtifactError::Directory { directory: directory.display().to_string(), source }
}

/// Removes temporary files of `object_store`, `NAME#NUMBER`, older than `age`. Its own listing hides them.
pub(super) async fn remove_unfinished(directory: PathBuf, age: Duration) -> Result<(), ArtifactError> {
    let named = directory.clone();
    let removing = blocking(move || {
        let shards = match std::fs::read_dir(directory.join(ARTIFACTS_BY_HASH)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            shards => shards?.collect::<io::Result<Vec<_>>>()?,
        };
        let shards = shards.into_iter().map(|shard| shard.path());
        for shard in shards.chain([directory.join(INCOMING), directory.join(CLOCK)]) {
            remove_from(&shard, age)?;
        }
        Ok(())
    });
    removing.await.map_err(|source| failed(&named, source))
}

fn remove_from(shard: &Path, age: Duration) -> io::Result<()> {
    let files = match std::fs::read_dir(shard) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        files => files?,
    };
    for file in files {
        let file = file?;
        let name = file.file_name();
        let unfinished = name.to_str().and_then(|name| name.split_once('#'));
        // Only names of this program: other files are not its own.
        let ours = |name: &str| name.parse::<ArtifactId>().is_ok() || uuid::Uuid::try_parse(name).is_ok();
        if !unfinished.is_some_and(|(name, _)| ours(name)) {
            continue;
        }
        let removed = match file.metadata() {
            Ok(metadata) if metadata.modified()?.elapsed().unwrap_or_default() < age => Ok(()),
            Ok(_) => std::fs::remove_file(file.path()),
            Err(error) => Err(error),
        };
        match removed {
            // Its writer renamed it, or another process removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
    }
    Ok(())
}
