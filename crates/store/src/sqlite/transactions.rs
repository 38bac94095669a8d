//! Reads and writes, as the [statements](super::statements) of both dialects ask for them.
//!
//! These are macros because the compiler cannot prove that a future is `Send` when it comes from a closure that borrows.

use sqlx::{Sqlite, Transaction};

use super::database::SqliteMetadata;
use crate::kept_connections::KeptConnection;
use crate::metadata::{Result, StoreError};

/// `reading!(store, |connection| work)` reads without a transaction. Each statement sees a snapshot of its own.
macro_rules! reading {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut lent = $store.statements.acquire().await?;
        let $connection = lent.connection();
        let outcome = async { $work }.await;
        $crate::sqlite::transactions::release(lent, outcome)
    }};
}

/// `snapshot!(store, |connection| work)` reads in a transaction that sees one snapshot of the database throughout.
macro_rules! snapshot {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut transaction = $store.readers.begin().await?;
        let $connection: &mut sqlx::SqliteConnection = &mut transaction;
        let outcome: $crate::metadata::Result<_> = async { $work }.await;
        outcome
    }};
}

/// `writing!(store, |connection| work)` writes in one transaction, which holds the write lock from the start.
macro_rules! writing {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut transaction = $store.write().await?;
        let $connection: &mut sqlx::SqliteConnection = &mut transaction;
        let outcome = async { $work }.await;
        $crate::sqlite::transactions::commit(transaction, outcome).await
    }};
}

/// `queueing!(store, |connection| work)` writes as `writing!` does, and notifies the workers that a job may be claimable.
macro_rules! queueing {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let written = $crate::sqlite::transactions::writing!($store, |$connection| $work);
        if written.is_ok() {
            $store.queued.notify_waiters();
        }
        written
    }};
}

/// `idempotent!(store, |connection| work)` runs one statement that writes, and that may run twice without harm.
macro_rules! idempotent {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut connection = $store.writer.acquire().await?;
        let $connection: &mut sqlx::SqliteConnection = &mut connection;
        let outcome: $crate::metadata::Result<_> = async { $work }.await;
        outcome
    }};
}

/// `lock!(connection, query, values…)` does nothing: a transaction that writes is alone.
macro_rules! lock {
    ($connection:expr, $sql:literal $(, $value:expr)*) => {};
}
pub(super) use {idempotent, lock, queueing, reading, snapshot, writing};

/// Keeps a connection for the next read, unless the outcome shows that it may be broken.
pub(super) fn release<T>(connection: KeptConnection<'_, Sqlite>, outcome: Result<T>) -> Result<T> {
    if !matches!(outcome, Err(StoreError::Unavailable(_) | StoreError::Database(_))) {
        connection.keep();
    }
    outcome
}

/// Commits a write, unless it failed.
pub(super) async fn commit<T>(transaction: Transaction<'static, Sqlite>, written: Result<T>) -> Result<T> {
    if written.is_ok() {
        transaction.commit().await?;
    }
    written
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
}
