//! Writing artifacts whose bytes are all there.

use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, PutPayload, Result,
};
use tokio::task::JoinSet;

use super::{ArtifactError, ArtifactId, Artifacts, PARALLEL, failed_write, hash, patience::Patience, pieces};

/// Part of the time for a request that a server may go on putting an upload together whose end it has not confirmed.
const COMPLETION_SHARE: u32 = 4;

impl Artifacts {
    /// Stores bytes and returns their name, which is new. The bytes are durable when this returns.
    ///
    /// # Errors
    /// When the store fails; nothing is left there then, or an object that the next sweep after a day removes.
    pub async fn put(&self, content: impl Into<Bytes>) -> std::result::Result<ArtifactId, ArtifactError> {
        let (hashed, content) = hash(content.into()).await;
        let id = ArtifactId::new(hashed.hash());
        let location = id.location();
        let stored = if self.is_remote() && content.len() as u64 > 2 * self.piece {
            // Each part may be repeated by itself.
            self.put_in_parts(&location, content).await
        } else {
            self.create(&location, content).await
        };
        stored.map_err(failed_write)?;
        Ok(id)
    }

    /// Writes an object under a name that nothing has yet.
    pub(super) async fn create(&self, location: &Path, content: Bytes) -> Result<()> {
        // No two writers have the same name. A local file is renamed into place, which every file system can do; a
        // bucket is told to refuse all the same, so that not even a fault of ours replaces what is published.
        if !self.is_remote() {
            return self.replace(location, content).await;
        }
        match self.put_object(location, content.clone(), PutMode::Create).await {
            // The name is ours, so an earlier try arrived and only its answer was lost.
            Err(Error::AlreadyExists { .. }) => Ok(()),
            // AWS_CONDITIONAL_PUT=disabled, for a server that does not know it.
            Err(Error::NotImplemented { .. }) => self.replace(location, content).await,
            put => put,
        }
    }

    /// Writes an object, whatever is there under its name.
    pub(super) async fn replace(&self, location: &Path, content: Bytes) -> Result<()> {
        self.put_object(location, content, PutMode::Overwrite).await
    }

    async fn put_object(&self, location: &Path, content: Bytes, mode: PutMode) -> Result<()> {
        let put = || async {
            let _turn = self.turn().await;
            let options = PutOptions { mode: mode.clone(), ..Default::default() };
            self.storage.put_opts(location, PutPayload::from_bytes(content.clone()), options).await
        };
        self.patience.repeat(put).await.map(drop)
    }

    async fn put_in_parts(&self, location: &Path, content: Bytes) -> Result<()> {
        let mut upload = self.begin_upload(location).await?;
        let mut parts = JoinSet::new();
        let mut sent = Ok(());
        let length = content.len() as u64;
        for range in pieces(length, self.piece) {
            let part = content.slice(range.start as usize..range.end as usize);
            if parts.len() == PARALLEL {
                sent = sent.and(joined(parts.join_next().await));
            }
            if sent.is_err() {
                break;
            }
            let turn = self.turn().await;
            let sending = upload.put_part(PutPayload::from_bytes(part));
            parts.spawn(async move {
                let _turn = turn;
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

    /// Begins an upload of parts, each of which is repeated as long as a request is.
    pub(super) async fn begin_upload(&self, location: &Path) -> Result<Box<dyn MultipartUpload>> {
        let begin = || {
            let options = PutMultipartOptions::default();
            let options = if self.is_remote() { options.with_retry_policy(Arc::new(self.patience)) } else { options };
            self.storage.put_multipart_opts(location, options)
        };
        self.patience.repeat(begin).await
    }

    /// Makes the parts an object of so many bytes, or throws them away.
    pub(super) async fn complete(&self, upload: &mut dyn MultipartUpload, location: &Path, length: u64) -> Result<()> {
        let Err(error) = upload.complete().await else { return Ok(()) };
        if self.is_remote() && self.is_completed(location, length).await {
            return Ok(());
        }
        // Whether or not that succeeds, the failure to tell of is the first.
        let _ = upload.abort().await;
        Err(error)
    }
}

impl Artifacts {
    /// Whether an upload has become an object all the same. When only the answer was lost, the server no longer knows the
    /// upload; it may still be putting the parts together. The object tells: the name is ours.
    async fn is_completed(&self, location: &Path, length: u64) -> bool {
        let head = || async {
            match self.storage.head(location).await {
                Ok(object) if object.size == length => Ok(()),
                Ok(_) => Err(Error::Generic { store: "S3", source: "the object is not whole".into() }),
                Err(error @ Error::NotFound { .. }) => Err(Error::Generic { store: "S3", source: error.into() }),
                Err(error) => Err(error),
            }
        };
        let patience = Patience { deadline: self.patience.deadline / COMPLETION_SHARE };
        patience.repeat(head).await.is_ok()
    }
}

/// Throws the parts of an upload away. What cannot be thrown away now is left to the bucket's own rules.
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
