//! Buffered reads of artifacts too large for memory.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use bytes::{Buf, Bytes};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;

use super::{ArtifactError, ArtifactId, Artifacts};
use crate::background::blocking;

impl Artifacts {
    /// Opens an artifact for buffered reads from threads that may block.
    ///
    /// # Errors
    /// When it does not exist, or the store fails.
    pub async fn open(&self, id: ArtifactId) -> Result<ArtifactReader, ArtifactError> {
        let length = self.size(id).await?;
        let (artifacts, runtime) = (self.clone(), Handle::current());
        let unverified = Some(Unverified { hasher: Sha256::new(), hashed: 0 });
        Ok(ArtifactReader { artifacts, runtime, id, length, window: Bytes::new(), position: 0, unverified })
    }

    /// Reads an artifact with little memory and verifies its bytes.
    ///
    /// # Errors
    /// When it does not exist, its bytes are damaged, or the store fails.
    pub async fn verify(&self, id: ArtifactId) -> Result<(), ArtifactError> {
        let mut reader = self.open(id).await?;
        blocking(move || reader.verify()).await
    }
}

/// The hash of an artifact's verified prefix.
struct Unverified {
    hasher: Sha256,
    /// Length of the hashed prefix.
    hashed: u64,
}

/// A buffered reader of an artifact, with little memory whatever its size. It blocks: not for async threads.
///
/// Bytes are unverified until [`Self::verify`]. A call after reading from the start hashes only the unread rest.
pub struct ArtifactReader {
    artifacts: Artifacts,
    runtime: Handle,
    id: ArtifactId,
    length: u64,
    /// Bytes in memory, from `position` on.
    window: Bytes,
    position: u64,
    unverified: Option<Unverified>,
}

impl ArtifactReader {
    /// Returns another reader of the artifact, at its first byte. Its bytes are not verified.
    pub fn reopened(&self) -> Self {
        Self {
            artifacts: self.artifacts.clone(),
            runtime: self.runtime.clone(),
            id: self.id,
            length: self.length,
            window: Bytes::new(),
            position: 0,
            unverified: None,
        }
    }

    /// Verifies the bytes and seeks to the start.
    ///
    /// # Errors
    /// When they are damaged or cannot be read.
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
        let found = ArtifactId::with_hash(hasher.finalize().into());
        if found.hash() == self.id.hash() {
            return Ok(());
        }
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        Err(ArtifactError::Corrupt { expected: self.id, found, length })
    }

    /// Fills the empty window from `position` on.
    fn fetch(&mut self) -> Result<(), ArtifactError> {
        let end = self.length.min(self.position.saturating_add(self.artifacts.window()));
        if self.position >= end {
            return Ok(());
        }
        self.window = self.runtime.block_on(self.artifacts.read_range(self.id, self.position..end))?;
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
        // Adjacent rows share a window.
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
