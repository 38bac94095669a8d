//! The database's connections.

use std::time::Duration;

use sqlx::{Sqlite, SqlitePool};
use tokio::sync::Notify;

use super::lock_owner::LockOwner;
use super::shared_memory::SharedMemory;
use super::watch::Watcher;
use crate::directory_lock::DirectoryLock;
use crate::kept_connections::KeptConnections;
use crate::lease_watch::LeaseWatch;
use crate::metadata::{Result, StoreError};
use crate::records::StoreVersion;

/// A metadata store in a SQLite file.
pub struct SqliteMetadata {
    pub(super) writer: SqlitePool,
    /// Connections for transactions that read.
    pub(super) readers: SqlitePool,
    /// Connections for reads of one statement.
    pub(super) statements: KeptConnections<Sqlite>,
    /// Notifies workers of this process of a claimable job.
    pub(super) queued: Notify,
    /// Detects commits by other connections.
    pub(super) watcher: Watcher,
    pub(super) leases: LeaseWatch,
    pub(super) lock_owner: LockOwner,
    pub(super) shared_memory: SharedMemory,
    pub(super) _lock: Option<DirectoryLock>,
}

impl SqliteMetadata {
    /// Waits for a notification of a job that may be claimable, or another write, at most `limit`.
    pub(super) async fn wait_for_notification(&self, limit: Duration) -> Result<()> {
        self.watcher.wait(&self.queued, limit).await
    }

    /// Does nothing: a notification wakes all waiting workers.
    pub(super) fn wake_another_worker(&self) {}

    /// Checks that no process is frozen while it keeps the write lock.
    ///
    /// # Errors
    /// [`StoreError::Frozen`] if one is.
    pub(super) fn check_writers(&self) -> Result<()> {
        self.lock_owner.frozen().map_or(Ok(()), |frozen| Err(StoreError::Frozen(frozen.to_string())))
    }

    /// The version of the contents; `None` while it is unknown.
    pub(super) fn version_of_contents(&self) -> Option<StoreVersion> {
        self.shared_memory.version()
    }

    /// Closes every connection. SQLite checkpoints the write-ahead log into the database file.
    pub async fn close(&self) {
        self.watcher.close().await;
        self.statements.close().await;
        self.readers.close().await;
        // Last: the last connection to close checkpoints, and the others may not write.
        self.writer.close().await;
    }
}
