//! Artifact bytes: written once, proven by their SHA-256 at every read.
//!
//! They live in a local directory or in an S3-compatible bucket. Every writing has a name of its own ([`ArtifactId`]), so
//! any number of processes may write, refer and collect at the same time.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

mod download;
mod hold;
mod id;
mod local;
mod patience;
mod place;
mod probe;
mod reader;
mod s3;
mod write;
mod writer;

use id::ROOT;
use patience::Patience;

pub use hold::Hold;
pub use id::{ArtifactId, InvalidArtifactId};
pub use place::{ArtifactPlace, InvalidArtifactPlace};
pub use reader::ArtifactReader;
pub use writer::ArtifactWriter;

/// Where artifacts are while their name, the hash of all their bytes, is not known yet.
const INCOMING: &str = "incoming";
/// Objects whose only use is the time that the store gives them.
const CLOCK: &str = "clock";

/// How long a writer may take from an artifact's first byte to the row that names it: what is younger is not collected
/// by those who do not know it.
pub const GRACE: Duration = Duration::from_secs(24 * 3600);

/// Bytes of one request to a bucket, and of a part of an upload: S3 refuses less than 5 MiB, except at the end.
const PIECE: u64 = 8 << 20;
/// Bytes read at once from a local file.
const LOCAL_WINDOW: u64 = 256 << 10;
/// Requests for one artifact that are under way at the same time.
const PARALLEL: usize = 4;
/// How long [`Artifacts::ping`] waits for an answer.
const PING: Duration = Duration::from_secs(5);
/// A list may take as long as so many requests: a bucket gives a thousand names for each.
const LIST_REQUESTS: u32 = 20;
/// How often bytes from a bucket that do not fit their hash are asked for: the damage may have been done on the way.
const REMOTE_READS: usize = 3;

/// What can go wrong with artifacts.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// There is no such artifact.
    #[error("artifact {0} does not exist")]
    NotFound(ArtifactId),
    /// The stored bytes are not those that were written.
    #[error("artifact {expected} is corrupt: its {length} bytes have the hash {found}; restore it from a backup")]
    Corrupt {
        /// The name it was stored under.
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

impl ArtifactError {
    /// Whether the same call may succeed later: the store cannot be reached, is overloaded, or its disk is full.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::NotFound(_) | Self::Corrupt { .. } => false,
            Self::Storage { source, .. } => patience::may_pass(source),
            Self::Directory { .. } => true,
        }
    }
}

/// The artifact store.
///
/// An artifact is durable before its name is known, so a row never names one that a power cut takes away. Who writes
/// one has a day to commit the row that names it; see [`super::garbage`].
#[derive(Clone)]
pub struct Artifacts {
    storage: Arc<dyn ObjectStore>,
    /// The directory, if they are in one.
    directory: Option<PathBuf>,
    patience: Patience,
    /// Requests of this process that are under way at the same time.
    requests: Arc<Semaphore>,
    /// Bytes of one request; see [`PIECE`].
    piece: u64,
}

/// An artifact as the store lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredArtifact {
    /// Its name.
    pub id: ArtifactId,
    /// Its bytes.
    pub bytes: u64,
    /// How long ago it was written, by the clock of the store.
    pub age: Duration,
}

impl Artifacts {
    fn is_remote(&self) -> bool {
        self.directory.is_none()
    }

    /// Bytes to fetch at once.
    fn window(&self) -> u64 {
        if self.is_remote() { self.piece } else { LOCAL_WINDOW }
    }

    /// Reads an artifact and checks that the bytes are those that were written.
    ///
    /// # Errors
    /// When there is none, its bytes are damaged, or the store fails.
    pub async fn get(&self, id: ArtifactId) -> Result<Bytes, ArtifactError> {
        let reads = if self.is_remote() { REMOTE_READS } else { 1 };
        let mut read = 0;
        loop {
            let content = self.fetch(&id.location()).await.map_err(|source| failed_read(id, source))?;
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

    /// The bytes at a place, unproven.
    async fn fetch(&self, location: &Path) -> object_store::Result<Bytes> {
        if !self.is_remote() {
            return self.storage.get(location).await?.bytes().await;
        }
        let small = || async {
            let _turn = self.turn().await;
            let found = self.storage.get(location).await?;
            match found.meta.size {
                size if size <= self.piece => Ok::<_, object_store::Error>((size, Some(found.bytes().await?))),
                size => Ok((size, None)),
            }
        };
        let (size, small) = self.patience.repeat(small).await?;
        if let Some(content) = small {
            return Ok(content);
        }
        let requests = pieces(size, self.piece).map(|range| self.fetch_range(location, range));
        let pieces: Vec<Bytes> = stream::iter(requests).buffered(PARALLEL).try_collect().await?;
        Ok(pieces.concat().into())
    }

    async fn fetch_range(&self, location: &Path, range: Range<u64>) -> object_store::Result<Bytes> {
        let request = || async {
            let _turn = self.turn().await;
            self.storage.get_range(location, range.clone()).await
        };
        self.patience.repeat(request).await
    }

    /// Copies an artifact into another store under the same name, whatever is there; returns how many bytes it has.
    ///
    /// # Errors
    /// When there is none, its bytes are damaged, or a store fails.
    pub async fn copy_to(&self, id: ArtifactId, other: &Self) -> Result<u64, ArtifactError> {
        let reads = if self.is_remote() { REMOTE_READS } else { 1 };
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
        for range in pieces(size, self.piece) {
            let read = self.fetch_range(&id.location(), range).await;
            writer.write(&read.map_err(|source| failed_read(id, source))?).await?;
        }
        writer.finish_as(id).await?;
        Ok(size)
    }

    /// How many bytes an artifact has.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn size(&self, id: ArtifactId) -> Result<u64, ArtifactError> {
        let location = id.location();
        let head = self.patience.repeat(|| self.storage.head(&location)).await;
        Ok(head.map_err(|source| failed_read(id, source))?.size)
    }

    /// Waits until this process may send one more request.
    async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        self.requests.clone().acquire_owned().await.ok()
    }

    /// Removes an artifact; one that is not there is no error.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete(&self, id: ArtifactId) -> Result<(), ArtifactError> {
        self.remove(&id.location())
            .await
            .map_err(|source| ArtifactError::Storage { action: "delete an artifact", source })
    }

    async fn remove(&self, location: &Path) -> object_store::Result<()> {
        match self.patience.repeat(|| self.storage.delete(location)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Every artifact in the store, in no particular order.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self) -> Result<Vec<StoredArtifact>, ArtifactError> {
        let now = self.now().await?;
        let objects = self.list_under(ROOT).await?;
        let listed = objects.into_iter().filter_map(|object| {
            let id = object.location.filename()?.parse().ok()?;
            Some(StoredArtifact { id, bytes: object.size, age: age(&object, &now) })
        });
        Ok(listed.collect())
    }

    /// Removes what was begun longer than `oldest` ago and never became an artifact: its writer is gone.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn remove_unfinished(&self, oldest: Duration) -> Result<(), ArtifactError> {
        let now = self.now().await?;
        if let Some(directory) = self.directory.clone() {
            local::remove_unfinished(directory, oldest).await?;
        }
        for kind in [INCOMING, CLOCK, hold::HOLDS] {
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
        let patience = Patience { deadline: self.patience.deadline * LIST_REQUESTS };
        patience.repeat(|| self.storage.list(Some(&prefix)).try_collect()).await.map_err(failed_list)
    }

    /// An object written just now: artifacts get their age from the clock of the store, not from that of this process.
    async fn now(&self) -> Result<ObjectMeta, ArtifactError> {
        let probe = Path::from_iter([CLOCK, &uuid::Uuid::new_v4().simple().to_string()]);
        self.create(&probe, Bytes::new()).await.map_err(failed_write)?;
        let written = self.patience.repeat(|| self.storage.head(&probe)).await.map_err(failed_list);
        self.remove(&probe).await.map_err(failed_list)?;
        written
    }

    /// Asks a bucket for an answer.
    ///
    /// # Errors
    /// When it gives none.
    async fn ping(&self) -> Result<(), ArtifactError> {
        // Unlike asking for an object, this fails when there is no such bucket.
        let prefix = Path::from(hold::HOLDS);
        let answer = timeout(PING, self.storage.list(Some(&prefix)).try_collect::<Vec<_>>()).await;
        let answer =
            answer.unwrap_or_else(|late| Err(object_store::Error::Generic { store: "S3", source: late.into() }));
        answer.map_err(failed_list)?;
        Ok(())
    }
}

/// The ranges of pieces of this size that make up `length` bytes.
fn pieces(length: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
    let next = move |from: &u64| from.checked_add(size).filter(|next| *next < length);
    let first = (length > 0).then_some(0);
    std::iter::successors(first, next).map(move |from| from..length.min(from + size))
}

/// How long before `now` an object was written.
fn age(object: &ObjectMeta, now: &ObjectMeta) -> Duration {
    now.last_modified.signed_duration_since(object.last_modified).to_std().unwrap_or_default()
}

fn failed_write(source: object_store::Error) -> ArtifactError {
    ArtifactError::Storage { action: "write an artifact", source }
}

fn failed_list(source: object_store::Error) -> ArtifactError {
    ArtifactError::Storage { action: "list artifacts", source }
}

fn failed_read(id: ArtifactId, source: object_store::Error) -> ArtifactError {
    match source {
        object_store::Error::NotFound { .. } => ArtifactError::NotFound(id),
        source => ArtifactError::Storage { action: "read an artifact", source },
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
