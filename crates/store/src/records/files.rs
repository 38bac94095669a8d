//! Uploaded files.

use uuid::Uuid;

use super::spelled::spelled;
use super::{IdempotentRequest, UnixMillis};
use crate::artifacts::ArtifactId;

spelled! {
    /// The purpose of an uploaded file.
    pub enum FilePurpose {
        /// Training data.
        FineTune = "fine-tune",
        /// Any other file, such as the weights of an adapter.
        UserData = "user_data",
        /// Requests of a batch.
        Batch = "batch",
        /// Responses of a batch.
        BatchOutput = "batch_output",
    }
}

/// An uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// Identity of the file, and the paging cursor.
    pub id: Uuid,
    /// The owning entity.
    pub entity: String,
    /// The owner's name for it; not unique, never a path.
    pub name: String,
    /// Its purpose.
    pub purpose: FilePurpose,
    /// Its size.
    pub bytes: i64,
    /// Its content.
    pub artifact: ArtifactId,
    /// Time of storage.
    pub created_at: UnixMillis,
    /// Time from which it is absent; `None` if it stays.
    pub expires_at: Option<UnixMillis>,
}

/// A file with its version among the files of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// The file.
    pub file: FileRecord,
    /// The file's number among those of its name, from 0. It stays when others are deleted.
    pub version: i64,
}

/// The values of a new file.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// The new file's id, unique to the request. A returned file with another id was stored before, by the same
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
    /// Time from its creation to [`FileRecord::expires_at`], in milliseconds.
    pub life: Option<i64>,
    /// The API key of the upload.
    pub key_id: Option<Uuid>,
    /// The limit on the stored bytes of this key.
    pub max_stored_bytes: Option<u64>,
    /// The idempotent request; see [`crate::metadata::Idempotency`].
    pub request: Option<IdempotentRequest>,
}
