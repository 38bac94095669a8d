//! Uploaded files, and the artifacts that rows refer to.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::artifacts::ArtifactId;
use crate::records::{ArtifactReference, FilePurpose, FileRecord, FileVersion, NewFile, Page, PageRequest};

/// Uploaded files, and the artifacts that rows refer to.
#[async_trait]
pub trait Files: Send + Sync {
    /// Stores the record of an uploaded file.
    async fn create_file(&self, file: NewFile) -> Result<FileRecord>;
    /// Reads the record of a file.
    async fn get_file(&self, entity: &str, id: Uuid) -> Result<FileRecord>;
    /// Finds a file by name: the given `version`, counted from 0, or the newest.
    async fn find_file(&self, entity: &str, name: &str, version: Option<u32>) -> Result<FileVersion>;
    /// Lists an entity's files by age. With a `purpose`, lists only files of that purpose.
    async fn list_files(
        &self,
        entity: &str,
        purpose: Option<FilePurpose>,
        page: PageRequest,
    ) -> Result<Page<FileRecord>>;
    /// Deletes a file; returns its content if no other row refers to it. Jobs created with the file keep the content.
    async fn delete_file(&self, entity: &str, id: Uuid) -> Result<Vec<ArtifactId>>;
    /// Deletes at most `limit` files that have expired, which no call finds any more; returns the contents that no other row
    /// refers to.
    async fn delete_expired_files(&self, limit: u32) -> Result<Vec<ArtifactId>>;
    /// Sums the bytes of the existing files that a key has uploaded.
    async fn stored_bytes(&self, key_id: Uuid) -> Result<u64>;
    /// Returns those of the candidates that no row refers to, each once.
    async fn unreferenced_artifacts(&self, candidates: &[ArtifactId]) -> Result<Vec<ArtifactId>>;
    /// Lists the artifacts that rows refer to, each once, by name: at most `limit` after `after`.
    async fn artifact_references(&self, after: Option<ArtifactId>, limit: u32) -> Result<Vec<ArtifactReference>>;
}
