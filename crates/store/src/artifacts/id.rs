//! Names of artifacts.

use std::fmt;
use std::str::FromStr;

use object_store::path::Path;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::layout::ARTIFACTS_BY_HASH;

/// Name of an artifact: the SHA-256 of its bytes, by which reads are verified, and the id of the write. It cannot name
/// any other path.
///
/// No two writes have the same name. So an artifact whose last reference was deleted is never referenced again: it may
/// be removed even if another process is about to publish equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId {
    hash: [u8; 32],
    /// Id of the write; nil for artifacts from before its introduction.
    write_id: Uuid,
}

impl ArtifactId {
    /// The name of these bytes, without the id of a write.
    pub fn of(content: &[u8]) -> Self {
        Self::with_hash(Sha256::digest(content).into())
    }

    /// The name of bytes with this hash, without the id of a write.
    pub(super) fn with_hash(hash: [u8; 32]) -> Self {
        Self { hash, write_id: Uuid::nil() }
    }

    /// A new name for bytes with this hash.
    pub(super) fn new(hash: [u8; 32]) -> Self {
        Self { hash, write_id: Uuid::new_v4() }
    }

    /// SHA-256 of the bytes: equal for equal bytes.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// [`Self::hash`] in hexadecimal digits.
    pub fn sha256(&self) -> String {
        hex::encode(self.hash)
    }

    pub(super) fn location(&self) -> Path {
        let name = self.to_string();
        Path::from_iter([ARTIFACTS_BY_HASH, &name[..2], &name])
    }
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sha256())?;
        if self.write_id.is_nil() { Ok(()) } else { write!(formatter, "-{}", self.write_id.simple()) }
    }
}

impl fmt::Debug for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ArtifactId({self})")
    }
}

/// An error from parsing the name of an artifact.
#[derive(Debug, thiserror::Error)]
#[error("an artifact id is 64 lower-case hexadecimal digits, and perhaps a hyphen and 32 more")]
pub struct InvalidArtifactId;

impl FromStr for ArtifactId {
    type Err = InvalidArtifactId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (hash, write_id) = match text.split_once('-') {
            Some((hash, write_id)) => (hash, Uuid::from_bytes(hexadecimal(write_id)?)),
            None => (text, Uuid::nil()),
        };
        let id = Self { hash: hexadecimal(hash)?, write_id };
        // A nil id is not written.
        if text.contains('-') == write_id.is_nil() { Err(InvalidArtifactId) } else { Ok(id) }
    }
}

/// Parses exactly `N` bytes of lower-case digits.
fn hexadecimal<const N: usize>(text: &str) -> Result<[u8; N], InvalidArtifactId> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(InvalidArtifactId),
    };
    let text = text.as_bytes();
    if text.len() != 2 * N {
        return Err(InvalidArtifactId);
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(bytes)
}
