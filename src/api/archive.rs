//! Streams files from the artifact store as one tar archive.

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt};

use crate::http::Download;
use crate::store::artifacts::{ArtifactError, ArtifactId, Artifacts};

/// Block size. Each entry is padded to a multiple of it, and two empty blocks end an archive (POSIX.1-2001, pax).
const BLOCK: u64 = 512;

/// A file of an archive.
pub(super) struct Entry {
    /// Path within the archive, at most 100 bytes.
    pub path: String,
    /// The file's content.
    pub artifact: ArtifactId,
    /// Size of the content in bytes.
    pub bytes: u64,
}

/// Creates an archive of these files, all with the modification time `modified_at`, in Unix seconds.
///
/// # Errors
/// Returns an error if a path is too long.
pub(super) fn archive(artifacts: &Artifacts, entries: Vec<Entry>, modified_at: u64) -> std::io::Result<Download> {
    let mut length = 2 * BLOCK;
    let mut pieces: Vec<BoxStream<'static, Result<Bytes, ArtifactError>>> = Vec::new();
    for Entry { path, artifact, bytes } in entries {
        let padding = bytes.next_multiple_of(BLOCK) - bytes;
        length += BLOCK + bytes + padding;
        let header = header(&path, bytes, modified_at)?;
        pieces.push(Box::pin(piece(header)));
        pieces.push(Box::pin(artifacts.stream(artifact, bytes)));
        pieces.push(Box::pin(piece(zeros(padding))));
    }
    pieces.push(Box::pin(piece(zeros(2 * BLOCK))));
    Ok(Download::stream(stream::iter(pieces).flatten(), Some(length)))
}

fn piece(bytes: Vec<u8>) -> impl Stream<Item = Result<Bytes, ArtifactError>> + Send {
    stream::iter((!bytes.is_empty()).then(|| Ok(Bytes::from(bytes))))
}

fn zeros(count: u64) -> Vec<u8> {
    vec![0; usize::try_from(count).unwrap_or_default()]
}

fn header(path: &str, bytes: u64, modified_at: u64) -> std::io::Result<Vec<u8>> {
    let mut header = tar::Header::new_gnu();
    header.set_path(path)?;
    header.set_size(bytes);
    header.set_mode(0o644);
    header.set_mtime(modified_at);
    header.set_cksum();
    Ok(header.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::body::to_bytes;

    use super::*;
    use crate::http::response::Status;

    #[tokio::test]
    async fn an_archive_reads_back() {
        let directory = tempfile::tempdir().unwrap();
        let artifacts = Artifacts::open_directory(directory.path()).unwrap();
        let contents = [vec![7u8; 1000], vec![], vec![9; 512]];
        let mut entries = Vec::new();
        for (index, content) in contents.iter().enumerate() {
            let artifact = artifacts.put(content.clone()).await.unwrap();
            entries.push(Entry { path: format!("dir/{index}"), artifact, bytes: content.len() as u64 });
        }
        let response =
            archive(&artifacts, entries, 1_795_329_600).unwrap().response(Status::Fixed(200), "application/x-tar");
        let length: usize = response.headers()["content-length"].to_str().unwrap().parse().unwrap();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!(bytes.len(), length);
        let mut archive = tar::Archive::new(&bytes[..]);
        let mut read = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            assert_eq!((path, entry.header().mtime().unwrap()), (format!("dir/{}", read.len()), 1_795_329_600));
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            read.push(content);
        }
        assert_eq!(read, contents);
    }
}
