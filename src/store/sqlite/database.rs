//! The database's connections and transactions.

use sqlx::{Sqlite, SqlitePool, Transaction};
use tokio::sync::Notify;

use super::lock_owner::LockOwner;
use super::read_connections::ReadConnections;
use super::watch::Watcher;
use crate::store::lease_watch::LeaseWatch;
use crate::store::metadata::Result;

/// A metadata store in a SQLite file.
pub struct SqliteMetadata {
    pub(super) writer: SqlitePool,
    /// Connections for transactions that read.
    pub(super) readers: SqlitePool,
    /// Connections for reads of one statement.
    pub(super) statements: ReadConnections,
    /// Notifies workers of this process of a claimable job.
    pub(super) queued: Notify,
    /// Detects commits by other connections.
    pub(super) watcher: Watcher,
    pub(super) leases: LeaseWatch,
    pub(super) lock_owner: LockOwner,
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
