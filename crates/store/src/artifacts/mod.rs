//! Artifact bytes: written once, verified by their SHA-256 at every read.
//!
//! They are stored in a local directory or an S3-compatible bucket. Every write has a unique name ([`ArtifactId`]), so
//! any number of processes may write, reference and collect artifacts at the same time.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::layout::ARTIFACTS_BY_HASH;
use crate::background::{LastOutcome, blocking};

mod download;
mod id;
mod local;
mod location;
mod probe;
mod reader;
mod retention_lock;
mod retry;
mod s3;
mod write;
mod writer;

use retry::RetryDeadline;

pub use id::{ArtifactId, InvalidArtifactId};
// [`ArtifactError`] has its errors.
pub use location::{ArtifactLocation, InvalidArtifactLocation};
pub use object_store;
pub use reader::ArtifactReader;
pub use retention_lock::RetentionLock;
pub use writer::ArtifactWriter;

/// Prefix of artifacts being written whose hash, and so their name, is not yet known.
const INCOMING: &str = "incoming";
/// Prefix of probe objects, written for the store's timestamp.
const CLOCK: &str = "clock";

/// The grace period of unreferenced artifacts: a writer has this time from an artifact's first byte to the commit of
/// its row. Younger artifacts are not swept.
pub const GRACE: Duration = Duration::from_secs(24 * 3600);

/// Bytes of one request to a bucket, and of a part of an upload. S3 rejects parts below 5 MiB, except the last.
const PART_SIZE: u64 = 8 << 20;
/// Bytes of one read from a local file.
const LOCAL_WINDOW: u64 = 256 << 10;
/// Concurrent requests for one artifact.
const PARALLEL: usize = 4;
/// Time limit of [`Artifacts::ping`].
const PING_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit of a listing, in time limits of a request: a bucket lists a thousand names per request.
const LIST_REQUESTS: u32 = 20;
/// Attempts at reading bytes from a bucket that do not match their hash: they may have been damaged in transit.
const MAX_REMOTE_READS: usize = 3;

/// An error of the artifact store.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ArtifactError {
    #[error("artifact {0} does not exist")]
    NotFound(ArtifactId),
    #[error("artifact {expected} is corrupt: its {length} bytes have the hash {found}; restore it from a backup")]
    Corrupt { expected: ArtifactId, found: ArtifactId, length: usize },
    #[error("the artifact store failed to {action}")]
    Storage {
        action: &'static str,
        #[source]
        source: object_store::Error,
    },
    #[error("cannot use {directory} for artifacts")]
    Directory {
        directory: String,
        #[source]
        source: std::io::Error,
    },
    /// The directory for artifacts is gone: it was moved, or its disk is not mounted.
    #[error(
        "the directory of the artifacts is missing or cannot be read; mount its disk, or move it back to its place"
    )]
    DirectoryMissing {
        /// The cause, which names the directory.
        #[source]
        source: std::io::Error,
    },
}

impl ArtifactError {
    /// Returns whether the same call may succeed later: the store is unreachable, overloaded, or its disk is full.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NotFound(_) | Self::Corrupt { .. } => false,
            Self::Storage { source, .. } => retry::is_transient(source),
            Self::Directory { .. } | Self::DirectoryMissing { .. } => true,
        }
    }
}

/// An artifact store.
///
/// An artifact is durable before its name is returned, so a power cut never leaves a row without its artifact. The
/// writer has a day to commit the row; see [`super::garbage`].
#[derive(Clone)]
pub struct Artifacts {
    storage: Arc<dyn ObjectStore>,
    /// The directory of a local store.
    directory: Option<PathBuf>,
    /// Directories of it whose entries this process has synced.
    synced: Arc<Mutex<HashSet<PathBuf>>>,
    retry_deadline: RetryDeadline,
    uncollected: Arc<Uncollected>,
    /// Permits for the concurrent requests of this process.
    requests: Arc<Semaphore>,
    /// Bytes of one request; see [`PART_SIZE`].
    part_size: u64,
}

/// The garbage collection of a store in this process.
#[derive(Debug, Default)]
pub(super) struct Uncollected {
    pub(super) outcome: LastOutcome,
    /// Artifacts that may be unused, and could not be removed.
    pub(super) candidates: Mutex<Vec<ArtifactId>>,
}

/// An artifact in a listing of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredArtifact {
    /// Name of the artifact.
    pub id: ArtifactId,
    /// Size in bytes.
    pub bytes: u64,
    /// Time since it was written, by the store's clock.
    pub age: Duration,
}

impl Artifacts {
    pub(super) fn uncollected(&self) -> &Uncollected {
        &self.uncollected
    }

    fn is_remote(&self) -> bool {
        self.directory.is_none()
    }

    /// Bytes of one read.
    fn window(&self) -> u64 {
        if self.is_remote() { self.part_size } else { LOCAL_WINDOW }
    }

    /// Reads an artifact and verifies its bytes.
    ///
    /// # Errors
    /// When it does not exist, its bytes are damaged, or the store fails.
    pub async fn get(&self, id: ArtifactId) -> Result<Bytes, ArtifactError> {
        let reads = if self.is_remote() { MAX_REMOTE_READS } else { 1 };
        let mut read = 0;
        loop {
            let content = match self.fetch(&id.location()).await {
                Ok(content) => content,
                Err(source) => return Err(self.failed_read(id, source).await),
            };
            let (found, content) = hash(content).await;
            if found.hash() == id.hash() {
                return Ok(content);
            }
            read += 1;
            if read >= reads {
                return Err(ArtifactError::Corrupt { expected: id, found, length: content.len() });
            }
            tracing::warn!(%id, "an artifact arrived damaged; it is read again");
        }
    }

    /// Reads the bytes of an object, unverified.
    async fn fetch(&self, location: &Path) -> object_store::Result<Bytes> {
        if !self.is_remote() {
            return self.storage.get(location).await?.bytes().await;
        }
        let small = || async {
            let _permit = self.request_permit().await;
            let found = self.storage.get(location).await?;
            match found.meta.size {
                size if size <= self.part_size => Ok::<_, object_store::Error>((size, Some(found.bytes().await?))),
                size => Ok((size, None)),
            }
        };
        let (size, small) = self.retry_deadline.run(small).await?;
        if let Some(content) = small {
            return Ok(content);
        }
        let requests = part_ranges(size, self.part_size).map(|range| self.fetch_range(location, range));
        let pieces: Vec<Bytes> = stream::iter(requests).buffered(PARALLEL).try_collect().await?;
        Ok(pieces.concat().into())
    }

    async fn fetch_range(&self, location: &Path, range: Range<u64>) -> object_store::Result<Bytes> {
        let request = || async {
            let _permit = self.request_permit().await;
            self.storage.get_range(location, range.clone()).await
        };
        self.retry_deadline.run(request).await
    }

    /// Reads bytes of an artifact, unverified.
    async fn read_range(&self, id: ArtifactId, range: Range<u64>) -> Result<Bytes, ArtifactError> {
        match self.fetch_range(&id.location(), range).await {
            Ok(bytes) => Ok(bytes),
            Err(source) => Err(self.failed_read(id, source).await),
        }
    }

    /// Copies an artifact into another store under the same name, overwriting one there. Returns its size.
    ///
    /// # Errors
    /// When it does not exist, its bytes are damaged, or a store fails.
    pub async fn copy_to(&self, id: ArtifactId, other: &Self) -> Result<u64, ArtifactError> {
        let reads = if self.is_remote() { MAX_REMOTE_READS } else { 1 };
        let mut read = 0;
        loop {
            read += 1;
            match self.copy_once(id, other).await {
                Err(ArtifactError::Corrupt { .. }) if read < reads => {
                    tracing::warn!(%id, "an artifact arrived damaged; it is read again");
                }
                copied => return copied,
            }
        }
    }

    async fn copy_once(&self, id: ArtifactId, other: &Self) -> Result<u64, ArtifactError> {
        let size = self.size(id).await?;
        let mut writer = other.writer();
        for range in part_ranges(size, self.part_size) {
            writer.write(&self.read_range(id, range).await?).await?;
        }
        writer.finish_as(id).await?;
        Ok(size)
    }

    /// Reads the size of an artifact.
    ///
    /// # Errors
    /// When it does not exist, or the store fails.
    pub async fn size(&self, id: ArtifactId) -> Result<u64, ArtifactError> {
        let location = id.location();
        match self.retry_deadline.run(|| self.storage.head(&location)).await {
            Ok(head) => Ok(head.size),
            Err(source) => Err(self.failed_read(id, source).await),
        }
    }

    /// Returns the error of a failed read. Without its directory, a local store finds no artifact.
    async fn failed_read(&self, id: ArtifactId, source: object_store::Error) -> ArtifactError {
        if !matches!(source, object_store::Error::NotFound { .. }) {
            return ArtifactError::Storage { action: "read an artifact", source };
        }
        self.check_directory().await.err().unwrap_or(ArtifactError::NotFound(id))
    }

    /// Waits for a permit to send one more request of this process.
    async fn request_permit(&self) -> Option<OwnedSemaphorePermit> {
        self.requests.clone().acquire_owned().await.ok()
    }

    /// Removes an artifact. Removing a missing one succeeds.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete(&self, id: ArtifactId) -> Result<(), ArtifactError> {
        self.remove(&id.location())
            .await
            .map_err(|source| ArtifactError::Storage { action: "delete an artifact", source })
    }

    async fn remove(&self, location: &Path) -> object_store::Result<()> {
        match self.retry_deadline.run(|| self.storage.delete(location)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Lists every artifact in the store, in no particular order.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self) -> Result<Vec<StoredArtifact>, ArtifactError> {
        let now = self.now().await?;
        let objects = self.list_under(ARTIFACTS_BY_HASH).await?;
        let listed = objects.into_iter().filter_map(|object| {
            let id = object.location.filename()?.parse().ok()?;
            Some(StoredArtifact { id, bytes: object.size, age: age(&object, &now) })
        });
        Ok(listed.collect())
    }

    /// Removes unfinished writes, probe objects and retention locks older than `oldest`.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn remove_unfinished(&self, oldest: Duration) -> Result<(), ArtifactError> {
        let now = self.now().await?;
        if let Some(directory) = self.directory.clone() {
            local::remove_unfinished(directory, oldest).await?;
        }
        for kind in [INCOMING, CLOCK, retention_lock::LOCKS] {
            for object in self.list_under(kind).await? {
                if age(&object, &now) >= oldest {
                    self.remove(&object.location).await.map_err(failed_list)?;
                }
            }
        }
        Ok(())
    }

    async fn list_under(&self, kind: &'static str) -> Result<Vec<ObjectMeta>, ArtifactError> {
        let prefix = Path::from(kind);
        let retry_deadline = RetryDeadline { total: self.retry_deadline.total * LIST_REQUESTS };
        retry_deadline.run(|| self.storage.list(Some(&prefix)).try_collect()).await.map_err(failed_list)
    }

    /// Writes and removes a probe object; returns its metadata. The ages of artifacts are measured by the store's
    /// clock, not that of this process.
    async fn now(&self) -> Result<ObjectMeta, ArtifactError> {
        let probe = Path::from_iter([CLOCK, &uuid::Uuid::new_v4().simple().to_string()]);
        self.create(&probe, Bytes::new()).await.map_err(failed_write)?;
        let written = self.retry_deadline.run(|| self.storage.head(&probe)).await.map_err(failed_list);
        self.remove(&probe).await.map_err(failed_list)?;
        written
    }

    /// Checks that a bucket responds.
    ///
    /// # Errors
    /// When it does not.
    async fn ping(&self) -> Result<(), ArtifactError> {
        // Unlike a request for an object, this fails for a missing bucket.
        let prefix = Path::from(retention_lock::LOCKS);
        let listed = timeout(PING_TIMEOUT, self.storage.list(Some(&prefix)).try_collect::<Vec<_>>()).await;
        let listed =
            listed.unwrap_or_else(|late| Err(object_store::Error::Generic { store: "S3", source: late.into() }));
        listed.map_err(failed_list)?;
        Ok(())
    }
}

/// Splits `length` bytes into ranges of this size.
fn part_ranges(length: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
    let next = move |from: &u64| from.checked_add(size).filter(|next| *next < length);
    let first = (length > 0).then_some(0);
    std::iter::successors(first, next).map(move |from| from..length.min(from + size))
}

/// The time from an object's write to `now`.
fn age(object: &ObjectMeta, now: &ObjectMeta) -> Duration {
    now.last_modified.signed_duration_since(object.last_modified).to_std().unwrap_or_default()
}

fn failed_write(source: object_store::Error) -> ArtifactError {
    ArtifactError::Storage { action: "write an artifact", source }
}

fn failed_list(source: object_store::Error) -> ArtifactError {
    ArtifactError::Storage { action: "list artifacts", source }
}

/// Hashes on a blocking thread: adapters and trajectory bodies have many megabytes.
async fn hash(content: Bytes) -> (ArtifactId, Bytes) {
    blocking(move || (ArtifactId::of(&content), content)).await
}

#[cfg(test)]
mod tests;
