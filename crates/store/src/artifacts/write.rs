//! Writes of artifacts that are in memory.

use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, PutPayload, Result,
};
use tokio::task::JoinSet;

use super::retry::RetryDeadline;
use super::{ArtifactError, ArtifactId, Artifacts, PARALLEL, failed_write, hash, part_ranges};

/// The part of a request's time limit, as a divisor, in which a server may complete an upload after a lost response.
const COMPLETION_SHARE: u32 = 4;

impl Artifacts {
    /// Stores bytes under a new name and returns it. The bytes are durable when this returns.
    ///
    /// # Errors
    /// When the store fails. An object that it leaves behind is swept after a day.
    pub async fn put(&self, content: impl Into<Bytes>) -> std::result::Result<ArtifactId, ArtifactError> {
        let (hashed, content) = hash(content.into()).await;
        let id = ArtifactId::new(hashed.hash());
        let location = id.location();
        let stored = if self.is_remote() && content.len() as u64 > 2 * self.part_size {
            // Each part is retried by itself.
            self.put_in_parts(&location, content).await
        } else {
            self.create(&location, content).await
        };
        stored.map_err(failed_write)?;
        Ok(id)
    }

    /// Creates an object under an unused name.
    pub(super) async fn create(&self, location: &Path, content: Bytes) -> Result<()> {
        // Names are unique. A local file is renamed into place, which every file system supports. A bucket is told not
        // to overwrite, so that not even a bug replaces a published artifact.
        if !self.is_remote() {
            return self.replace(location, content).await;
        }
        match self.put_object(location, content.clone(), PutMode::Create).await {
            // The name is unique, so an earlier attempt succeeded and its response was lost.
            Err(Error::AlreadyExists { .. }) => Ok(()),
            // AWS_CONDITIONAL_PUT=disabled, for a server without conditional puts.
            Err(Error::NotImplemented { .. }) => self.replace(location, content).await,
            put => put,
        }
    }

    /// Writes an object, overwriting one of the same name.
    pub(super) async fn replace(&self, location: &Path, content: Bytes) -> Result<()> {
        self.put_object(location, content, PutMode::Overwrite).await
    }

    async fn put_object(&self, location: &Path, content: Bytes, mode: PutMode) -> Result<()> {
        self.prepare_location(location).await?;
        let put = || async {
            let _permit = self.request_permit().await;
            let options = PutOptions { mode: mode.clone(), ..Default::default() };
            self.storage.put_opts(location, PutPayload::from_bytes(content.clone()), options).await
        };
        self.retry_deadline.run(put).await?;
        self.adopt(location)
    }

    /// Prepares the directory of an object in a local store.
    pub(super) async fn prepare_location(&self, location: &Path) -> Result<()> {
        let failed = |error: ArtifactError| Error::Generic { store: "LocalFileSystem", source: error.into() };
        self.prepare_directory(location).await.map_err(failed)
    }

    async fn put_in_parts(&self, location: &Path, content: Bytes) -> Result<()> {
        let mut upload = self.begin_upload(location).await?;
        let mut parts = JoinSet::new();
        let mut sent = Ok(());
        let length = content.len() as u64;
        for range in part_ranges(length, self.part_size) {
            let part = content.slice(range.start as usize..range.end as usize);
            if parts.len() == PARALLEL {
                sent = sent.and(joined(parts.join_next().await));
            }
            if sent.is_err() {
                break;
            }
            let permit = self.request_permit().await;
            let sending = upload.put_part(PutPayload::from_bytes(part));
            parts.spawn(async move {
                let _permit = permit;
                sending.await
            });
        }
        while let Some(part) = parts.join_next().await {
            sent = sent.and(joined(Some(part)));
        }
        match sent {
            Ok(()) => self.complete(&mut *upload, location, length).await,
            Err(error) => {
                abort(upload).await;
                Err(error)
            }
        }
    }

    /// Begins a multipart upload, with the retries of a request for each part.
    pub(super) async fn begin_upload(&self, location: &Path) -> Result<Box<dyn MultipartUpload>> {
        self.prepare_location(location).await?;
        let begin = || {
            let options = PutMultipartOptions::default();
            let options =
                if self.is_remote() { options.with_retry_policy(Arc::new(self.retry_deadline)) } else { options };
            self.storage.put_multipart_opts(location, options)
        };
        self.retry_deadline.run(begin).await
    }

    /// Completes an upload of `length` bytes, or aborts it.
    pub(super) async fn complete(&self, upload: &mut dyn MultipartUpload, location: &Path, length: u64) -> Result<()> {
        let Err(error) = upload.complete().await else { return Ok(()) };
        if self.is_remote() && self.is_completed(location, length).await {
            return Ok(());
        }
        // The first failure is reported, even if this one fails too.
        let _ = upload.abort().await;
        Err(error)
    }
}

impl Artifacts {
    /// Returns whether an upload succeeded despite an error. After a lost response, the server no longer knows the
    /// upload, and it may still be completing it. The object's existence tells: its name is unique.
    async fn is_completed(&self, location: &Path, length: u64) -> bool {
        let head = || async {
            match self.storage.head(location).await {
                Ok(object) if object.size == length => Ok(()),
                Ok(_) => Err(Error::Generic { store: "S3", source: "the object is not whole".into() }),
                Err(error @ Error::NotFound { .. }) => Err(Error::Generic { store: "S3", source: error.into() }),
                Err(error) => Err(error),
            }
        };
        let retry_deadline = RetryDeadline { total: self.retry_deadline.total / COMPLETION_SHARE };
        retry_deadline.run(head).await.is_ok()
    }
}

/// Aborts an upload. Parts that cannot be removed are left to the bucket's lifecycle rules.
pub(super) async fn abort(mut upload: Box<dyn MultipartUpload>) {
    if let Err(error) = upload.abort().await {
        tracing::warn!(%error, "the parts of an upload that failed could not be removed");
    }
}

fn joined(part: Option<std::result::Result<Result<()>, tokio::task::JoinError>>) -> Result<()> {
    match part {
        Some(Ok(sent)) => sent,
        Some(Err(failure)) => Err(failure.into()),
        None => Ok(()),
    }
}
