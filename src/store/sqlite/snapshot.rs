//! A copy of the database as of one moment.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::SqliteMetadata;

/// How long the copy waits for a writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

impl SqliteMetadata {
    /// Copies a database as it is at one moment into a new file, also while a server writes.
    ///
    /// # Errors
    /// When there is no such database, `copy` exists, or the disk is full.
    pub async fn snapshot(file: &Path, copy: &Path) -> sqlx::Result<()> {
        let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
        let mut connection = options.connect().await?;
        sqlx::query("VACUUM INTO ?").bind(copy.to_string_lossy().as_ref()).execute(&mut connection).await?;
        connection.close().await
    }

    /// What SQLite finds wrong with the file; nothing if it is sound.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub async fn faults(&self) -> sqlx::Result<Vec<String>> {
        let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&self.readers).await?;
        Ok(found.into_iter().filter(|line| line != "ok").collect())
    }
}
