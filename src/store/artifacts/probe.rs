//! Whether artifacts can be stored and read at the moment.

use super::{ArtifactError, Artifacts};

impl Artifacts {
    /// Stores a small artifact, reads it back and removes it.
    ///
    /// # Errors
    /// The first of the three that the store fails to do.
    pub async fn probe(&self) -> Result<(), ArtifactError> {
        // No other artifact has these bytes.
        let content = uuid::Uuid::new_v4().into_bytes().to_vec();
        let id = self.put(content).await?;
        let read = self.get(id).await;
        // If it stays after all, the sweep finds it.
        self.delete(id).await?;
        read.map(drop)
    }
}
