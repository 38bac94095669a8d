//! Rows of uploaded files, and the values that make them.

use uuid::Uuid;

use super::{IdempotentRequest, UnixMillis};
use crate::store::artifacts::ArtifactId;

/// What an uploaded file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Conversations to train on.
    FineTune,
    /// Anything else, such as the weights of an adapter.
    UserData,
}

impl FilePurpose {
    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FineTune => "fine-tune",
            Self::UserData => "user_data",
        }
    }

    /// Reads the stored spelling.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::FineTune, Self::UserData].into_iter().find(|purpose| purpose.as_str() == text)
    }
}

/// An uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// Identity of the file, and the paging cursor.
    pub id: Uuid,
    /// The entity that owns it.
    pub entity: String,
    /// What its owner calls it; not unique, and never a path.
    pub name: String,
    /// What it is for.
    pub purpose: FilePurpose,
    /// Its size.
    pub bytes: i64,
    /// Its content.
    pub artifact: ArtifactId,
    /// When it was stored.
    pub created_at: UnixMillis,
}

/// One of the files of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The file.
    pub file: FileRecord,
    /// Counts the files of the name from 0, and stays when others go.
    pub version: i64,
}

/// A file to be kept.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// The id that it gets, new for every request: a file that has another was stored before, by the same
    /// [`Self::request`].
    pub id: Uuid,
    /// See [`FileRecord::entity`].
    pub entity: String,
    /// See [`FileRecord::name`].
    pub name: String,
    /// See [`FileRecord::purpose`].
    pub purpose: FilePurpose,
    /// See [`FileRecord::bytes`].
    pub bytes: i64,
    /// See [`FileRecord::artifact`]; must be durable already.
    pub artifact: ArtifactId,
    /// The key that it was sent with.
    pub key_id: Option<Uuid>,
    /// The most bytes that files of this key may have together.
    pub most_bytes: Option<u64>,
    /// Under what name the request may be repeated; see [`crate::store::metadata::Metadata::find_idempotent_result`].
    pub request: Option<IdempotentRequest>,
}
