//! Streaming writes of artifacts too large for memory.

use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};

use super::write::abort;
use super::{ArtifactError, ArtifactId, Artifacts, INCOMING, failed_write};
use crate::background::blocking;

impl Artifacts {
    /// Begins a streaming write. The artifact is invisible before [`ArtifactWriter::finish`]. The first full part
    /// begins the upload.
    pub fn writer(&self) -> ArtifactWriter {
        let staging = Path::from_iter([INCOMING, &uuid::Uuid::new_v4().simple().to_string()]);
        let (artifacts, hasher) = (self.clone(), Sha256::new());
        ArtifactWriter { artifacts, staging, upload: None, pending: Vec::new(), hasher, length: 0 }
    }
}

/// A streaming write of an artifact; dropping it aborts the write.
pub struct ArtifactWriter {
    artifacts: Artifacts,
    staging: Path,
    /// The upload, from the first part until its completion.
    upload: Option<Box<dyn MultipartUpload>>,
    /// Buffered bytes of the next part.
    pending: Vec<u8>,
    hasher: Sha256,
    /// Bytes of the uploaded parts.
    length: u64,
}

impl ArtifactWriter {
    /// Appends bytes.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn write(&mut self, mut content: &[u8]) -> Result<(), ArtifactError> {
        while !content.is_empty() {
            let room = usize::try_from(self.artifacts.part_size).unwrap_or(usize::MAX) - self.pending.len();
            let (now, later) = content.split_at(content.len().min(room));
            self.pending.extend_from_slice(now);
            content = later;
            if self.pending.len() as u64 == self.artifacts.part_size {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Publishes the bytes as an artifact under a new name and returns it. They are durable when this returns.
    ///
    /// # Errors
    /// When the store fails; the artifact is invisible then.
    pub async fn finish(mut self) -> Result<ArtifactId, ArtifactError> {
        self.flush_rest().await?;
        let id = ArtifactId::new(self.hash().await);
        if self.upload.is_none() {
            let content = Bytes::from(std::mem::take(&mut self.pending));
            self.artifacts.create(&id.location(), content).await.map_err(failed_write)?;
        } else {
            self.publish_parts(id).await?;
        }
        Ok(id)
    }

    /// Publishes the bytes as the artifact `id` of another store.
    ///
    /// # Errors
    /// When the bytes are not those of `id`, or the store fails; the artifact is invisible then.
    pub async fn finish_as(mut self, id: ArtifactId) -> Result<(), ArtifactError> {
        self.flush_rest().await?;
        let hash = self.hash().await;
        if hash != id.hash() {
            let length = usize::try_from(self.length()).unwrap_or(usize::MAX);
            return Err(ArtifactError::Corrupt { expected: id, found: ArtifactId::with_hash(hash), length });
        }
        if self.upload.is_none() {
            // An existing object of this name may be damaged.
            let content = Bytes::from(std::mem::take(&mut self.pending));
            return self.artifacts.replace(&id.location(), content).await.map_err(failed_write);
        }
        self.publish_parts(id).await
    }

    /// Returns the number of bytes so far.
    pub fn length(&self) -> u64 {
        self.length + self.pending.len() as u64
    }

    /// Returns the SHA-256 of the bytes so far.
    pub async fn hash(&mut self) -> [u8; 32] {
        let (hasher, pending) = hashed(self.hasher.clone(), std::mem::take(&mut self.pending)).await;
        self.pending = pending;
        hasher.finalize().into()
    }

    /// Uploads the last part of a multipart upload, so that it is hashed once.
    async fn flush_rest(&mut self) -> Result<(), ArtifactError> {
        if self.upload.is_some() && !self.pending.is_empty() {
            self.flush().await?;
        }
        Ok(())
    }

    async fn publish_parts(&mut self, id: ArtifactId) -> Result<(), ArtifactError> {
        if let Some(mut upload) = self.upload.take() {
            self.artifacts.complete(&mut *upload, &self.staging, self.length).await.map_err(failed_write)?;
        }
        let location = id.location();
        let Artifacts { storage, retry_deadline, .. } = &self.artifacts;
        if !self.artifacts.is_remote() {
            self.artifacts.prepare_location(&location).await.map_err(failed_write)?;
            let renamed = storage.rename(&self.staging, &location).await;
            return renamed.and_then(|()| self.artifacts.adopt(&location)).map_err(failed_write);
        }
        // A bucket cannot rename.
        let copied = retry_deadline.run(|| storage.copy(&self.staging, &location)).await;
        if let Err(error) = self.artifacts.remove(&self.staging).await {
            tracing::warn!(%error, "an uploaded copy could not be removed; it is collected later");
        }
        copied.map_err(failed_write)
    }

    async fn flush(&mut self) -> Result<(), ArtifactError> {
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(self.artifacts.begin_upload(&self.staging).await.map_err(failed_write)?),
        };
        let (hasher, part) = hashed(std::mem::take(&mut self.hasher), std::mem::take(&mut self.pending)).await;
        self.hasher = hasher;
        self.length += part.len() as u64;
        upload.put_part(PutPayload::from(part)).await.map_err(failed_write)
    }
}

/// Adds bytes to a hash, on a blocking thread.
pub(super) async fn hashed<T: AsRef<[u8]> + Send + 'static>(mut hasher: Sha256, bytes: T) -> (Sha256, T) {
    let hashing = blocking(move || {
        hasher.update(bytes.as_ref());
        (hasher, bytes)
    });
    hashing.await
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
