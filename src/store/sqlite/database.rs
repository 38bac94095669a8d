//! The database's connections and transactions.

use sqlx::{Sqlite, SqlitePool, Transaction};
use tokio::sync::Notify;

use super::lock_owner::LockOwner;
use super::shared_memory::SharedMemory;
use super::watch::Watcher;
use crate::store::directory_lock::DirectoryLock;
use crate::store::kept_connections::{KeptConnection, KeptConnections};
use crate::store::lease_watch::LeaseWatch;
use crate::store::metadata::{Result, StoreError};

/// `reading!(store, |connection| work)` reads without a transaction. Each statement sees a snapshot of its own.
macro_rules! reading {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut lent = $store.statements.acquire().await?;
        let $connection = lent.connection();
        let outcome = async { $work }.await;
        $crate::store::sqlite::database::release(lent, outcome)
    }};
}
pub(super) use reading;

/// Keeps a connection for the next read, unless the outcome shows that it may be broken.
pub(super) fn release<T>(connection: KeptConnection<'_, Sqlite>, outcome: Result<T>) -> Result<T> {
    if !matches!(outcome, Err(StoreError::Unavailable(_) | StoreError::Database(_))) {
        connection.keep();
    }
    outcome
}

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
    /// Begins a transaction that holds the write lock from the start.
    pub(super) async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        self.lock_owner.watched(self.begin_write()).await
    }

    async fn begin_write(&self) -> Result<Transaction<'static, Sqlite>> {
        const BEGIN: &str = "BEGIN IMMEDIATE";
        match self.writer.begin_with(BEGIN).await {
            // When a disk is full or broken, SQLite rolls back by itself. sqlx's own rollback fails then, and sqlx
            // counts an open transaction forever. The connection is unusable.
            Err(sqlx::Error::InvalidSavePointStatement) => {
                self.writer.acquire().await?.close().await?;
                Ok(self.writer.begin_with(BEGIN).await?)
            }
            begun => Ok(begun?),
        }
    }

    /// Begins a transaction that sees one snapshot of the database throughout.
    pub(super) async fn read(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.readers.begin().await?)
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
