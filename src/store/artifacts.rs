//! Artifact bytes, addressed by their SHA-256.
//!
//! An artifact never changes, so equal bytes are stored once and a read can prove that it got what was written.

use std::fmt;
use std::path::Path as FilePath;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use sha2::{Digest, Sha256};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

mod probe;
mod stream;

pub use stream::{ArtifactReader, ArtifactWriter};

/// Where the artifacts live in the object store.
const ROOT: &str = "sha256";

/// Name of an artifact: the SHA-256 of its bytes. There is no way to make one that names another path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId([u8; 32]);

impl ArtifactId {
    /// The name of these bytes.
    pub fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).into())
    }

    fn location(&self) -> Path {
        let name = self.to_string();
        Path::from_iter([ROOT, &name[..2], &name])
    }
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ArtifactId({self})")
    }
}

/// A text that is not 64 lower-case hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("an artifact id is 64 lower-case hexadecimal digits")]
pub struct InvalidArtifactId;

impl FromStr for ArtifactId {
    type Err = InvalidArtifactId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(InvalidArtifactId),
        };
        let text = text.as_bytes();
        if text.len() != 64 {
            return Err(InvalidArtifactId);
        }
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(text.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(hash))
    }
}

/// What can go wrong with artifacts.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// There is no such artifact.
    #[error("artifact {0} does not exist")]
    NotFound(ArtifactId),
    /// The stored bytes are not those that were written.
    #[error("artifact {expected} is corrupt: its {length} bytes have the hash {found}; restore it from a backup")]
    Corrupt {
        /// The hash it was stored under.
        expected: ArtifactId,
        /// The hash that its bytes have now.
        found: ArtifactId,
        /// How many bytes were read.
        length: usize,
    },
    /// The object store failed.
    #[error("the artifact store failed to {action}")]
    Storage {
        /// What was being done.
        action: &'static str,
        /// Why it failed.
        #[source]
        source: object_store::Error,
    },
    /// The directory for artifacts cannot be used.
    #[error("cannot use {directory} for artifacts")]
    Directory {
        /// The directory.
        directory: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
}

/// The artifact store.
///
/// Content addressing lets two rows share an artifact, so bytes must not be collected between the moment that one
/// caller finds them present and the moment its row refers to them: hold [`Self::publishing`] over both.
#[derive(Clone)]
pub struct Artifacts {
    storage: Arc<dyn ObjectStore>,
    collection: Arc<RwLock<()>>,
}

impl Artifacts {
    /// Opens artifacts under a local directory, which is created when it is missing, and removes what a killed process
    /// left half-written there: one process at a time. Writes are durable when they return.
    pub fn open_directory(directory: &FilePath) -> Result<Self, ArtifactError> {
        std::fs::create_dir_all(directory)
            .and_then(|()| remove_unfinished_writes(&directory.join(ROOT)))
            .and_then(|()| remove_incoming(&directory.join(stream::INCOMING)))
            .map_err(|source| ArtifactError::Directory { directory: directory.display().to_string(), source })?;
        let storage = LocalFileSystem::new_with_prefix(directory)
            .map_err(|source| ArtifactError::Storage { action: "open the directory", source })?
            .with_fsync(true);
        Ok(Self::over(Arc::new(storage)))
    }

    /// Keeps artifacts in any object store. Its writes must be durable when they return.
    pub fn over(storage: Arc<dyn ObjectStore>) -> Self {
        Self { storage, collection: Arc::default() }
    }

    /// Keeps the garbage collector out while the guard lives: take it before [`Self::put`] and drop it after the row
    /// that refers to the artifact is committed. Never take a second one while holding the first: a collector that
    /// waits in between would block both.
    pub async fn publishing(&self) -> RwLockReadGuard<'_, ()> {
        self.collection.read().await
    }

    /// Keeps every publisher out; for the garbage collector.
    pub(super) async fn collecting(&self) -> RwLockWriteGuard<'_, ()> {
        self.collection.write().await
    }

    /// Stores bytes and returns their name. The bytes are durable when this returns.
    pub async fn put(&self, content: impl Into<Bytes>) -> Result<ArtifactId, ArtifactError> {
        let content = content.into();
        let (id, content) = hash(content).await;
        // Always write: an artifact that is there already may have been damaged, and replacing it is atomic.
        let options = PutOptions { mode: PutMode::Overwrite, ..Default::default() };
        self.storage
            .put_opts(&id.location(), PutPayload::from_bytes(content), options)
            .await
            .map_err(stream::failed_write)?;
        Ok(id)
    }

    /// Reads an artifact and checks that the bytes are those that were written.
    pub async fn get(&self, id: ArtifactId) -> Result<Bytes, ArtifactError> {
        let failed = |source| stream::failed_read(id, source);
        let content = self.storage.get(&id.location()).await.map_err(failed)?.bytes().await.map_err(failed)?;
        let (found, content) = hash(content).await;
        if found != id {
            return Err(ArtifactError::Corrupt { expected: id, found, length: content.len() });
        }
        Ok(content)
    }

    /// Removes an artifact; one that is not there is no error.
    pub async fn delete(&self, id: ArtifactId) -> Result<(), ArtifactError> {
        match self.storage.delete(&id.location()).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(ArtifactError::Storage { action: "delete an artifact", source }),
        }
    }

    /// Every artifact in the store, in no particular order.
    pub async fn list(&self) -> Result<Vec<ArtifactId>, ArtifactError> {
        self.storage
            .list(Some(&Path::from(ROOT)))
            .try_filter_map(|object| async move {
                Ok(object.location.filename().and_then(|name| name.parse::<ArtifactId>().ok()))
            })
            .try_collect()
            .await
            .map_err(|source| ArtifactError::Storage { action: "list artifacts", source })
    }
}

/// Removes the files that `object_store` writes before it renames them: `NAME#NUMBER`. Its own listing hides them.
fn remove_unfinished_writes(root: &FilePath) -> std::io::Result<()> {
    let directories = match std::fs::read_dir(root) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for directory in directories {
        let directory = directory?;
        if !directory.file_type()?.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(directory.path())? {
            let file = file?;
            let name = file.file_name();
            let unfinished = name.to_str().and_then(|name| name.split_once('#'));
            if unfinished.is_some_and(|(name, _)| name.parse::<ArtifactId>().is_ok()) {
                std::fs::remove_file(file.path())?;
            }
        }
    }
    Ok(())
}

/// Removes the artifacts whose writing was not finished.
fn remove_incoming(directory: &FilePath) -> std::io::Result<()> {
    match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Hashes away from the async threads: adapters and trajectory bodies have many megabytes.
async fn hash(content: Bytes) -> (ArtifactId, Bytes) {
    let hashing = tokio::task::spawn_blocking(move || (ArtifactId::of(&content), content));
    match hashing.await {
        Ok(hashed) => hashed,
        Err(failure) => std::panic::resume_unwind(failure.into_panic()),
    }
}

#[cfg(test)]
mod tests;
