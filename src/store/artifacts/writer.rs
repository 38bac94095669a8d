//! Writing artifacts that are too large to hold, piece by piece.

use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};

use super::write::abort;
use super::{ArtifactError, ArtifactId, Artifacts, INCOMING, failed_write};

impl Artifacts {
    /// Begins an artifact that is written piece by piece. Nothing of it shows before [`ArtifactWriter::finish`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn writer(&self) -> Result<ArtifactWriter, ArtifactError> {
        let staging = Path::from_iter([INCOMING, &uuid::Uuid::new_v4().simple().to_string()]);
        let upload = Some(self.begin_upload(&staging).await.map_err(failed_write)?);
        let pending = Vec::new();
        Ok(ArtifactWriter {
            artifacts: self.clone(),
            staging,
            upload,
            pending,
            hasher: Sha256::new(),
            parts: 0,
            length: 0,
        })
    }
}

/// An artifact being written; dropping it throws it away.
pub struct ArtifactWriter {
    artifacts: Artifacts,
    staging: Path,
    /// Gone once it is completed.
    upload: Option<Box<dyn MultipartUpload>>,
    /// Bytes of the next part.
    pending: Vec<u8>,
    hasher: Sha256,
    parts: usize,
    length: u64,
}

impl ArtifactWriter {
    /// Appends bytes.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn write(&mut self, mut content: &[u8]) -> Result<(), ArtifactError> {
        while !content.is_empty() {
            let room = usize::try_from(self.artifacts.piece).unwrap_or(usize::MAX) - self.pending.len();
            let (now, later) = content.split_at(content.len().min(room));
            self.pending.extend_from_slice(now);
            content = later;
            if self.pending.len() as u64 == self.artifacts.piece {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Makes the bytes an artifact and returns its name, which is new. They are durable when this returns.
    ///
    /// # Errors
    /// When the store fails; nothing of the artifact shows then.
    pub async fn finish(mut self) -> Result<ArtifactId, ArtifactError> {
        self.complete().await?;
        let id = ArtifactId::new(std::mem::take(&mut self.hasher).finalize().into());
        self.publish(id).await?;
        Ok(id)
    }

    /// Makes the bytes the artifact `id`, as it was in another store.
    ///
    /// # Errors
    /// When the bytes are not those of `id`, or the store fails; nothing of the artifact shows then.
    pub async fn finish_as(mut self, id: ArtifactId) -> Result<(), ArtifactError> {
        let hash: [u8; 32] = {
            self.complete().await?;
            std::mem::take(&mut self.hasher).finalize().into()
        };
        if hash != id.hash() {
            // Not the answer's business: it is found and removed later.
            let _ = self.artifacts.remove(&self.staging).await;
            let length = usize::try_from(self.length).unwrap_or(usize::MAX);
            return Err(ArtifactError::Corrupt { expected: id, found: ArtifactId::with_hash(hash), length });
        }
        self.publish(id).await
    }

    async fn complete(&mut self) -> Result<(), ArtifactError> {
        if self.parts == 0 || !self.pending.is_empty() {
            self.flush().await?;
        }
        if let Some(mut upload) = self.upload.take() {
            self.artifacts.complete(&mut *upload, &self.staging, self.length).await.map_err(failed_write)?;
        }
        Ok(())
    }

    async fn publish(&mut self, id: ArtifactId) -> Result<(), ArtifactError> {
        let Artifacts { storage, patience, .. } = &self.artifacts;
        let location = id.location();
        if !self.artifacts.is_remote() {
            return storage.rename(&self.staging, &location).await.map_err(failed_write);
        }
        // A bucket cannot rename.
        let copied = patience.repeat(|| storage.copy(&self.staging, &location)).await;
        if let Err(error) = self.artifacts.remove(&self.staging).await {
            tracing::warn!(%error, "an uploaded copy could not be removed; it is collected later");
        }
        copied.map_err(failed_write)
    }

    async fn flush(&mut self) -> Result<(), ArtifactError> {
        let part = Bytes::from(std::mem::take(&mut self.pending));
        let mut hasher = std::mem::take(&mut self.hasher);
        let hashed = part.clone();
        let hashing = tokio::task::spawn_blocking(move || {
            hasher.update(&hashed);
            hasher
        });
        self.hasher = match hashing.await {
            Ok(hasher) => hasher,
            Err(failure) => std::panic::resume_unwind(failure.into_panic()),
        };
        self.parts += 1;
        self.length += part.len() as u64;
        let Some(upload) = &mut self.upload else { return Ok(()) };
        upload.put_part(PutPayload::from_bytes(part)).await.map_err(failed_write)
    }
}

impl Drop for ArtifactWriter {
    fn drop(&mut self) {
        if let Some(upload) = self.upload.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(abort(upload));
        }
    }
}
