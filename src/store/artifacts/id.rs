//! Names of artifacts.

use std::fmt;
use std::str::FromStr;

use object_store::path::Path;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Where the artifacts live in the object store.
pub(super) const ROOT: &str = "sha256";

/// Name of an artifact: the SHA-256 of its bytes, by which a read proves that it got what was written, and which
/// writing of these bytes it is. There is no way to make one that names another path.
///
/// No two writings have the same name. So once the last row that named an artifact is gone, none can come to name it
/// again, and it may be removed without asking whether another process is about to publish equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId {
    hash: [u8; 32],
    /// Nil for what was written before writings were told apart.
    writing: Uuid,
}

impl ArtifactId {
    /// The name of these bytes, of no writing in particular.
    pub fn of(content: &[u8]) -> Self {
        Self::with_hash(Sha256::digest(content).into())
    }

    /// The name of bytes with this hash, of no writing in particular.
    pub(super) fn with_hash(hash: [u8; 32]) -> Self {
        Self { hash, writing: Uuid::nil() }
    }

    /// A name that nothing has yet, for bytes with this hash.
    pub(super) fn new(hash: [u8; 32]) -> Self {
        Self { hash, writing: Uuid::new_v4() }
    }

    /// SHA-256 of the bytes: equal for equal bytes.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// [`Self::hash`] in hexadecimal digits.
    pub fn sha256(&self) -> String {
        crate::hexadecimal::hexadecimal(&self.hash)
    }

    pub(super) fn location(&self) -> Path {
        let name = self.to_string();
        Path::from_iter([ROOT, &name[..2], &name])
    }
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sha256())?;
        if self.writing.is_nil() { Ok(()) } else { write!(formatter, "-{}", self.writing.simple()) }
    }
}

impl fmt::Debug for ArtifactId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ArtifactId({self})")
    }
}

/// A text that is not the name of an artifact.
#[derive(Debug, thiserror::Error)]
#[error("an artifact id is 64 lower-case hexadecimal digits, and perhaps a hyphen and 32 more")]
pub struct InvalidArtifactId;

impl FromStr for ArtifactId {
    type Err = InvalidArtifactId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (hash, writing) = match text.split_once('-') {
            Some((hash, writing)) => (hash, Uuid::from_bytes(hexadecimal(writing)?)),
            None => (text, Uuid::nil()),
        };
        let id = Self { hash: hexadecimal(hash)?, writing };
        // A nil writing is not written.
        if text.contains('-') == writing.is_nil() { Err(InvalidArtifactId) } else { Ok(id) }
    }
}

/// Exactly `N` bytes, as lower-case digits.
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
