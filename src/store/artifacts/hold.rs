//! Keeping every artifact for a while.

use bytes::Bytes;
use object_store::path::Path;

use super::{ArtifactError, Artifacts, GRACE, age, failed_list, failed_write};

/// Where holds live in the object store.
pub(super) const HOLDS: &str = "holds";

/// As long as it is there, no process removes an artifact; at most for a day, in case this one ends without
/// [`Hold::release`].
#[must_use = "a hold that is not released stays for a day"]
pub struct Hold {
    artifacts: Artifacts,
    location: Path,
}

impl Artifacts {
    /// Keeps every artifact that a row names from now on, also when the row goes: for copying a consistent state.
    ///
    /// Collectors first ask the database which artifacts no row names, and then for holds. So what a collector removes in
    /// spite of a hold was named by no row before the hold was there.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn hold(&self) -> Result<Hold, ArtifactError> {
        let location = Path::from_iter([HOLDS, &uuid::Uuid::new_v4().simple().to_string()]);
        self.create(&location, Bytes::new()).await.map_err(failed_write)?;
        Ok(Hold { artifacts: self.clone(), location })
    }

    /// Whether somebody holds the artifacts.
    pub(in crate::store) async fn is_held(&self) -> Result<bool, ArtifactError> {
        let holds = self.list_under(HOLDS).await?;
        if holds.is_empty() {
            return Ok(false);
        }
        let now = self.now().await?;
        Ok(holds.iter().any(|hold| age(hold, &now) < GRACE))
    }
}

impl Hold {
    /// Lets artifacts be removed again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn release(self) -> Result<(), ArtifactError> {
        self.artifacts.remove(&self.location).await.map_err(failed_list)
    }
}
