//! Artifacts in a local directory.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::local::LocalFileSystem;
use tokio::sync::Semaphore;

use super::id::ROOT;
use super::patience::Patience;
use super::{ArtifactError, ArtifactId, Artifacts, CLOCK, INCOMING, PIECE};

impl Artifacts {
    /// Opens artifacts under a local directory, which is created when it is missing. Any number of processes may do so.
    /// Writes are durable when they return.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn open_directory(directory: &Path) -> Result<Self, ArtifactError> {
        std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
        let storage = LocalFileSystem::new_with_prefix(directory)
            .map_err(|source| ArtifactError::Storage { action: "open the directory", source })?
            .with_fsync(true);
        Ok(Self {
            storage: Arc::new(storage),
            directory: Some(directory.to_owned()),
            patience: Patience::NONE,
            requests: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
            piece: PIECE,
        })
    }
}

pub(super) fn failed(directory: &Path, source: io::Error) -> ArtifactError {
    ArtifactError::Directory { directory: directory.display().to_string(), source }
}

/// Removes the files that `object_store` writes before it renames them, `NAME#NUMBER`, once they are as old as this. Its
/// own listing hides them.
pub(super) async fn remove_unfinished(directory: PathBuf, age: Duration) -> Result<(), ArtifactError> {
    let named = directory.clone();
    let removing = tokio::task::spawn_blocking(move || {
        let shards = match std::fs::read_dir(directory.join(ROOT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            shards => shards?.collect::<io::Result<Vec<_>>>()?,
        };
        let shards = shards.into_iter().map(|shard| shard.path());
        for shard in shards.chain([directory.join(INCOMING), directory.join(CLOCK)]) {
            remove_from(&shard, age)?;
        }
        Ok(())
    });
    match removing.await {
        Ok(removed) => removed.map_err(|source| failed(&named, source)),
        Err(failure) => std::panic::resume_unwind(failure.into_panic()),
    }
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
        // Names of ours only: somebody else's file may be anything.
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
            // Its writer finished, or another process was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
    }
    Ok(())
}
