//! Retention locks: no process removes artifacts while one exists.

use bytes::Bytes;
use object_store::path::Path;

use super::{ArtifactError, Artifacts, GRACE, age, failed_list, failed_write};

/// The stored locks' prefix in the object store.
pub(super) const LOCKS: &str = "holds";

/// A lock that keeps every process from removing artifacts. It expires after a day, in case its owner ends without
/// [`RetentionLock::release`].
#[must_use = "a lock that is not released stays for a day"]
pub struct RetentionLock {
    artifacts: Artifacts,
    location: Path,
}

impl Artifacts {
    /// Retains every artifact that a row names from now on, even if the row is deleted: for copying a consistent state.
    ///
    /// Collectors first query the database for unreferenced artifacts, then the object store for locks. So an artifact
    /// that a collector removes despite a lock was unreferenced before the lock existed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn lock_retention(&self) -> Result<RetentionLock, ArtifactError> {
        let location = Path::from_iter([LOCKS, &uuid::Uuid::new_v4().simple().to_string()]);
        self.create(&location, Bytes::new()).await.map_err(failed_write)?;
        Ok(RetentionLock { artifacts: self.clone(), location })
    }

    /// Returns whether an unexpired retention lock exists.
    pub(crate) async fn is_retention_locked(&self) -> Result<bool, ArtifactError> {
        let locks = self.list_under(LOCKS).await?;
        if locks.is_empty() {
            return Ok(false);
        }
        let now = self.now().await?;
        Ok(locks.iter().any(|lock| age(lock, &now) < GRACE))
    }
}

impl RetentionLock {
    /// Releases the lock.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn release(self) -> Result<(), ArtifactError> {
        self.artifacts.remove(&self.location).await.map_err(failed_list)
    }
}
