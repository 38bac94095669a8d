//! Names in the directories of a store.

/// Name of the database in a data directory, and in a backup.
pub const DATABASE: &str = "trainyard.db";
/// Name of the database of a backup while it is being restored.
pub const RESTORING: &str = "trainyard.restoring";
/// Name of the artifacts' directory in a backup, and by default in a data directory.
pub const ARTIFACTS: &str = "artifacts";
/// Prefix of the artifacts in their directory or bucket.
pub(super) const ARTIFACTS_BY_HASH: &str = "sha256";
