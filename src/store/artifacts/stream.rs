//! Artifacts that are too large to hold: written piece by piece, and read piece by piece.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use bytes::{Buf, Bytes};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;

use super::{ArtifactError, ArtifactId, Artifacts};

/// Where artifacts are while their name, the hash of all their bytes, is not known yet.
pub(super) const INCOMING: &str = "incoming";
/// Bytes written at once; S3 refuses less than 5 MiB, except at the end.
const PART_BYTES: usize = 8 << 20;
/// Bytes fetched at once.
const WINDOW_BYTES: u64 = 256 << 10;

impl Artifacts {
    /// Begins an artifact that is written piece by piece. Nothing of it shows before [`ArtifactWriter::finish`].
    pub async fn writer(&self) -> Result<ArtifactWriter, ArtifactError> {
        let staging = Path::from_iter([INCOMING, &uuid::Uuid::new_v4().simple().to_string()]);
        let upload = self.storage.put_multipart(&staging).await.map_err(failed_write)?;
        let pending = Vec::new();
        Ok(ArtifactWriter { artifacts: self.clone(), staging, upload, pending, hasher: Sha256::new(), parts: 0 })
    }

    /// Opens an artifact for reading piece by piece, from threads that may block.
    pub async fn open(&self, id: ArtifactId) -> Result<ArtifactReader, ArtifactError> {
        let length = self.storage.head(&id.location()).await.map_err(|source| failed_read(id, source))?.size;
        let (artifacts, runtime) = (self.clone(), Handle::current());
        let unverified = Some(Unverified { hasher: Sha256::new(), hashed: 0 });
        Ok(ArtifactReader { artifacts, runtime, id, length, window: Bytes::new(), position: 0, unverified })
    }
}

pub(super) fn failed_write(source: object_store::Error) -> ArtifactError {
    ArtifactError::Storage { action: "write an artifact", source }
}

pub(super) fn failed_read(id: ArtifactId, source: object_store::Error) -> ArtifactError {
    match source {
        object_store::Error::NotFound { .. } => ArtifactError::NotFound(id),
        source => ArtifactError::Storage { action: "read an artifact", source },
    }
}

/// An artifact being written; dropping it throws it away.
pub struct ArtifactWriter {
    artifacts: Artifacts,
    staging: Path,
    upload: Box<dyn MultipartUpload>,
    /// Bytes of the next part.
    pending: Vec<u8>,
    hasher: Sha256,
    parts: usize,
}

impl ArtifactWriter {
    /// Appends bytes.
    pub async fn write(&mut self, mut content: &[u8]) -> Result<(), ArtifactError> {
        while !content.is_empty() {
            let (now, later) = content.split_at(content.len().min(PART_BYTES - self.pending.len()));
            self.pending.extend_from_slice(now);
            content = later;
            if self.pending.len() == PART_BYTES {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Makes the bytes an artifact and returns its name. They are durable when this returns. Whoever lets a row refer
    /// to the artifact holds the guard of [`Artifacts::publishing`] over both.
    pub async fn finish(mut self) -> Result<ArtifactId, ArtifactError> {
        if self.parts == 0 || !self.pending.is_empty() {
            self.flush().await?;
        }
        self.upload.complete().await.map_err(failed_write)?;
        let id = ArtifactId(self.hasher.finalize().into());
        // Over one that is there already: it may have been damaged, and replacing it is atomic.
        let storage = &self.artifacts.storage;
        if let Err(error) = storage.rename(&self.staging, &id.location()).await {
            // Whether or not it can be removed, the failure to tell of is the first.
            let _ = storage.delete(&self.staging).await;
            return Err(failed_write(error));
        }
        Ok(id)
    }

    async fn flush(&mut self) -> Result<(), ArtifactError> {
        let part = std::mem::take(&mut self.pending);
        let mut hasher = std::mem::take(&mut self.hasher);
        let hashing = tokio::task::spawn_blocking(move || {
            hasher.update(&part);
            (hasher, part)
        });
        let part = match hashing.await {
            Ok((hasher, part)) => {
                self.hasher = hasher;
                part
            }
            Err(failure) => std::panic::resume_unwind(failure.into_panic()),
        };
        self.parts += 1;
        self.upload.put_part(PutPayload::from(part)).await.map_err(failed_write)
    }
}

/// The part of an artifact whose bytes are not proven yet.
struct Unverified {
    hasher: Sha256,
    /// How many bytes from the start are in the hash.
    hashed: u64,
}

/// Reads an artifact with little memory, whatever its size. Blocks: not for async threads.
///
/// What is read first may be damaged; call [`Self::verify`] once after reading from the start, which hashes only what
/// was not read.
pub struct ArtifactReader {
    artifacts: Artifacts,
    runtime: Handle,
    id: ArtifactId,
    length: u64,
    /// Bytes from `position` on that are in memory.
    window: Bytes,
    position: u64,
    unverified: Option<Unverified>,
}

impl ArtifactReader {
    /// Checks that the bytes are those that were written, and returns to the start.
    ///
    /// # Errors
    /// When they are not, or cannot be read.
    pub fn verify(&mut self) -> Result<(), ArtifactError> {
        while let Some(hashed) = self.unverified.as_ref().map(|unverified| unverified.hashed)
            && hashed < self.length
        {
            (self.position, self.window) = (hashed, Bytes::new());
            self.fetch()?;
            if self.window.is_empty() {
                break; // fewer bytes than there were: the hash will tell
            }
        }
        (self.position, self.window) = (0, Bytes::new());
        let Some(Unverified { hasher, .. }) = self.unverified.take() else { return Ok(()) };
        let found = ArtifactId(hasher.finalize().into());
        if found == self.id {
            return Ok(());
        }
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        Err(ArtifactError::Corrupt { expected: self.id, found, length })
    }

    /// Fills the empty window from `position` on.
    fn fetch(&mut self) -> Result<(), ArtifactError> {
        let end = self.length.min(self.position.saturating_add(WINDOW_BYTES));
        if self.position >= end {
            return Ok(());
        }
        let location = self.id.location();
        let reading = self.artifacts.storage.get_range(&location, self.position..end);
        self.window = self.runtime.block_on(reading).map_err(|source| failed_read(self.id, source))?;
        if let Some(unverified) = &mut self.unverified
            && let Some(known) = unverified.hashed.checked_sub(self.position)
            && let Some(new) = usize::try_from(known).ok().and_then(|known| self.window.get(known..))
        {
            unverified.hasher.update(new);
            unverified.hashed += new.len() as u64;
        }
        Ok(())
    }
}

impl BufRead for ArtifactReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.window.is_empty() {
            self.fetch().map_err(io::Error::other)?;
        }
        Ok(&self.window)
    }

    fn consume(&mut self, amount: usize) {
        self.window.advance(amount);
        self.position += amount as u64;
    }
}

impl Read for ArtifactReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl Seek for ArtifactReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(target) => Some(target),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
            SeekFrom::End(distance) => self.length.checked_add_signed(distance),
        };
        let target =
            target.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a seek to before the first byte"))?;
        // Rows that follow each other are in one window.
        match target.checked_sub(self.position).and_then(|ahead| usize::try_from(ahead).ok()) {
            Some(ahead) if ahead < self.window.len() => self.window.advance(ahead),
            _ => self.window = Bytes::new(),
        }
        self.position = target;
        Ok(target)
    }
}

#[cfg(test)]
mod tests;
