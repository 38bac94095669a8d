//! Health check of the artifact store.

use super::{ArtifactError, Artifacts};

impl Artifacts {
    /// Stores a small artifact, reads it back and removes it.
    ///
    /// # Errors
    /// When the store fails at any of these.
    pub async fn probe(&self) -> Result<(), ArtifactError> {
        self.check_directory().await?;
        // Unique bytes.
        let content = uuid::Uuid::new_v4().into_bytes().to_vec();
        let id = self.put(content).await?;
        let read = self.get(id).await;
        // If the removal fails, a sweep finds the artifact.
        self.delete(id).await?;
        read.map(drop)
    }
}
