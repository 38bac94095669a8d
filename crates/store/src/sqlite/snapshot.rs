//! Snapshots of the database.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::database::SqliteMetadata;

/// Time limit of a snapshot's wait for a writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

impl SqliteMetadata {
    /// Copies a consistent snapshot of a database into a new file, even while a server writes.
    ///
    /// # Errors
    /// When the database does not exist, `copy` exists, or the disk is full.
    pub async fn snapshot(file: &Path, copy: &Path) -> sqlx::Result<()> {
        let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
        let mut connection = options.connect().await?;
        sqlx::query("VACUUM INTO ?").bind(copy.to_string_lossy().as_ref()).execute(&mut connection).await?;
        connection.close().await
    }

    /// Runs SQLite's integrity check; returns its findings.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn faults(&self) -> sqlx::Result<Vec<String>> {
        let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&self.readers).await?;
        Ok(found.into_iter().filter(|line| line != "ok").collect())
    }
}
