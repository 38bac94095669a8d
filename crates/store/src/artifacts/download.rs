//! Streams of artifacts.

use std::ops::Range;

use bytes::Bytes;
use futures_util::{Stream, stream};
use sha2::{Digest, Sha256};

use super::writer::hashed;
use super::{ArtifactError, ArtifactId, Artifacts};

impl Artifacts {
    /// Streams an artifact of `length` bytes, in chunks of some hundred kilobytes or a few megabytes. The last chunk is
    /// sent only after the hash is verified, so a complete stream has the right bytes.
    pub fn stream(
        &self,
        id: ArtifactId,
        length: u64,
    ) -> impl Stream<Item = Result<Bytes, ArtifactError>> + Send + 'static {
        self.read_on(id, 0..length, Some(Sha256::new()))
    }

    /// Streams a part of an artifact as [`Self::stream`] does, unverified.
    pub fn stream_part(
        &self,
        id: ArtifactId,
        part: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, ArtifactError>> + Send + 'static {
        self.read_on(id, part, None)
    }

    fn read_on(
        &self,
        id: ArtifactId,
        part: Range<u64>,
        hasher: Option<Sha256>,
    ) -> impl Stream<Item = Result<Bytes, ArtifactError>> + Send + 'static {
        let (artifacts, window, length) = (self.clone(), self.window(), part.end);
        stream::try_unfold((part, hasher), move |(rest, hasher)| {
            let artifacts = artifacts.clone();
            async move {
                if rest.is_empty() {
                    return Ok(None);
                }
                let end = rest.end.min(rest.start.saturating_add(window));
                let mut piece = artifacts.read_range(id, rest.start..end).await?;
                let mut hasher = hasher;
                if let Some(before) = hasher.take() {
                    let (after, same) = hashed(before, piece).await;
                    piece = same;
                    if end == rest.end || (piece.len() as u64) < end - rest.start {
                        let found = ArtifactId::with_hash(after.finalize().into());
                        if found.hash() != id.hash() {
                            let length = usize::try_from(length).unwrap_or(usize::MAX);
                            return Err(ArtifactError::Corrupt { expected: id, found, length });
                        }
                    } else {
                        hasher = Some(after);
                    }
                }
                Ok(Some((piece, (end..rest.end, hasher))))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn a_damaged_artifact_never_arrives_whole() {
        let directory = tempfile::tempdir().unwrap();
        let artifacts = Artifacts::open_directory(directory.path()).unwrap();
        let content: Vec<u8> = (0..700_000u32).map(|i| (i % 251) as u8).collect();
        let id = artifacts.put(content.clone()).await.unwrap();
        let length = content.len() as u64;
        let whole: Vec<Bytes> = artifacts.stream(id, length).try_collect().await.unwrap();
        assert!(whole.len() > 1 && whole.concat() == content);
        let part: Vec<Bytes> = artifacts.stream_part(id, 262_000..600_000).try_collect().await.unwrap();
        assert!(part.concat() == content[262_000..600_000]);
        let name = id.to_string();
        let file = directory.path().join("sha256").join(&name[..2]).join(&name);
        for damaged in [&content[1..], &[&content[..9], &[77], &content[10..]].concat()] {
            std::fs::write(&file, damaged).unwrap();
            let mut arrived = 0;
            let outcome = artifacts.stream(id, length).try_for_each(|piece| {
                arrived += piece.len();
                std::future::ready(Ok(()))
            });
            assert!(outcome.await.is_err());
            assert!(arrived < content.len(), "{arrived}");
        }
    }
}
