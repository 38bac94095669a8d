//! A written export as one tar archive, whole or a part of it.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};
use sha2::{Digest, Sha256};

use super::{Output, OutputError};

/// Block size. Each entry is padded to a multiple of it, and two empty blocks end an archive (POSIX.1-2001, pax).
const BLOCK: u64 = 512;
/// Number of bytes that are read at once.
const CHUNK: u64 = 256 * 1024;

/// The files of an export, and their place in an archive. Dropping it removes the files.
pub(crate) struct Archive {
    /// Directory of the files.
    _output: Output,
    pieces: Vec<Piece>,
    length: u64,
    sha256: String,
}

/// A run of bytes of an archive.
struct Piece {
    /// Position in the archive.
    range: Range<u64>,
    content: Content,
}

enum Content {
    Bytes(Bytes),
    File(PathBuf),
}

impl Archive {
    /// Lays out the files of an output in a directory of an archive, with the modification time `modified_at` in Unix
    /// seconds, and hashes it.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(super) fn of(output: Output, directory: &str, modified_at: u64) -> Result<Self, OutputError> {
        let failed = |source| output.failed(directory, source);
        let mut files = output.files().map_err(failed)?;
        files.sort_unstable();
        let (mut pieces, mut length) = (Vec::new(), 0);
        let mut add = |content, bytes: u64| {
            pieces.push(Piece { range: length..length + bytes, content });
            length += bytes;
        };
        for name in files {
            let path = output.path(&name);
            let bytes = fs::metadata(&path).map_err(failed)?.len();
            let header = header(&format!("{directory}/{name}"), bytes, modified_at).map_err(failed)?;
            add(Content::Bytes(header.clone()), header.len() as u64);
            add(Content::File(path), bytes);
            let padding = bytes.next_multiple_of(BLOCK) - bytes;
            add(Content::Bytes(vec![0; padding as usize].into()), padding);
        }
        add(Content::Bytes(vec![0; 2 * BLOCK as usize].into()), 2 * BLOCK);
        let sha256 = hash(&pieces).map_err(failed)?;
        Ok(Self { _output: output, pieces, length, sha256 })
    }

    /// Returns the size in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Returns the hash of the archive in hexadecimal digits.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Reads a part of the archive.
    pub(crate) fn read(self: Arc<Self>, range: Range<u64>) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        stream::unfold(Some((self, range)), |state| async move {
            let (archive, range) = state.filter(|(_, range)| !range.is_empty())?;
            let read = tokio::task::spawn_blocking(move || {
                let bytes = archive.chunk(&range)?;
                let rest = range.start + bytes.len() as u64..range.end;
                Ok::<_, io::Error>((bytes, archive, rest))
            });
            match read.await.map_err(io::Error::other).flatten() {
                Ok((bytes, archive, rest)) => Some((Ok(bytes), Some((archive, rest)))),
                Err(error) => Some((Err(error), None)),
            }
        })
    }

    /// Reads bytes from the start of a range that is not empty.
    fn chunk(&self, range: &Range<u64>) -> io::Result<Bytes> {
        let index = self.pieces.partition_point(|piece| piece.range.end <= range.start);
        let Some(piece) = self.pieces.get(index) else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        let from = range.start - piece.range.start;
        let count = (piece.range.end.min(range.end) - range.start).min(CHUNK);
        match &piece.content {
            Content::Bytes(bytes) => Ok(bytes.slice(from as usize..(from + count) as usize)),
            Content::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(from))?;
                let mut bytes = vec![0; count as usize];
                file.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }
}

/// Returns the header of a file; a long path takes several blocks.
fn header(path: &str, bytes: u64, modified_at: u64) -> io::Result<Bytes> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o644);
    header.set_mtime(modified_at);
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_data(&mut header, path, io::empty())?;
    Ok(builder.get_ref().clone().into())
}

fn hash(pieces: &[Piece]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    for piece in pieces {
        match &piece.content {
            Content::Bytes(bytes) => hasher.update(bytes),
            Content::File(path) => {
                let mut file = BufReader::with_capacity(CHUNK as usize, File::open(path)?);
                loop {
                    let bytes = file.fill_buf()?;
                    if bytes.is_empty() {
                        break;
                    }
                    hasher.update(bytes);
                    let count = bytes.len();
                    file.consume(count);
                }
            }
        }
    }
    Ok(hex::encode(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn every_part_is_a_part_of_the_whole() {
        let site = tempfile::tempdir().expect("a directory");
        let output = Output::create(&site.path().join("out")).expect("an output");
        let long = "a".repeat(150);
        for (name, content) in [("b", vec![7; 1000]), (&long, vec![]), ("c", vec![9; 3 * CHUNK as usize])] {
            output.file(name, &content).expect("a file");
        }
        let archive = Arc::new(Archive::of(output, "export", 1_795_329_600).expect("an archive"));
        let read = async |range: Range<u64>| {
            let chunks: Vec<Bytes> = archive.clone().read(range).try_collect().await.expect("bytes");
            chunks.concat()
        };
        let whole = read(0..archive.length()).await;
        assert_eq!(whole.len() as u64, archive.length());
        assert_eq!(hex::encode(Sha256::digest(&whole)), archive.sha256());
        for start in [0, 1, 511, 512, 1511, 1513, 4000, 300_000, archive.length() - 1] {
            for end in [start + 1, start + 600, archive.length()].map(|end| end.min(archive.length())) {
                assert!(read(start..end).await == whole[start as usize..end as usize], "{start}..{end}");
            }
        }
        let mut unpacked = tar::Archive::new(&whole[..]);
        let mut names = Vec::new();
        for entry in unpacked.entries().expect("entries") {
            let mut entry = entry.expect("an entry");
            let mut content = Vec::new();
            entry.read_to_end(&mut content).expect("its content");
            let name = entry.path().expect("a path").display().to_string();
            names.push((name, entry.header().mtime().expect("a time"), content.len()));
        }
        let expected = [(long, 0), ("b".to_owned(), 1000), ("c".to_owned(), 3 * CHUNK as usize)];
        assert_eq!(names, expected.map(|(name, bytes)| (format!("export/{name}"), 1_795_329_600, bytes)));
        drop(archive);
        assert_eq!(fs::read_dir(site.path()).expect("a directory").count(), 0, "the files are gone");
    }
}
