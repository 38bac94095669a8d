//! Connections for reads of one statement.
//!
//! sqlx's pool pings a connection before and after each use. In SQLite a ping costs as much as a small read: both wake
//! the connection's thread. These connections stay out of the pool between reads, and return to it after a failure.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{Sqlite, SqliteConnection, SqlitePool};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::store::metadata::{Result, StoreError};

/// Time limit of the wait for a free connection of this process.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);

/// `reading!(store, |connection| work)` reads without a transaction. Each statement sees a snapshot of its own.
macro_rules! reading {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let mut lent = $store.statements.acquire().await?;
        let $connection = lent.connection();
        let outcome = async { $work }.await;
        lent.release(outcome)
    }};
}
pub(super) use reading;

/// Connections that only read.
pub(super) struct ReadConnections {
    pool: SqlitePool,
    permits: Semaphore,
    idle: Mutex<Vec<PoolConnection<Sqlite>>>,
}

/// A connection in use. It returns to the pool, which closes a broken one, unless [`Self::release`] keeps it.
pub(super) struct ReadConnection<'a> {
    connection: PoolConnection<Sqlite>,
    owner: &'a ReadConnections,
    permit: SemaphorePermit<'a>,
}

impl ReadConnections {
    /// Uses at most `size` connections of a pool that has no other user.
    pub(super) fn new(pool: SqlitePool, size: u32) -> Self {
        Self { pool, permits: Semaphore::new(size as usize), idle: Mutex::default() }
    }

    /// Waits for a connection.
    pub(super) async fn acquire(&self) -> Result<ReadConnection<'_>> {
        let permit = timeout(ACQUIRE_TIMEOUT, self.permits.acquire()).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        Ok(ReadConnection { connection, owner: self, permit })
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        self.permits.close();
        // The pool is closed from here on, so a connection in use is not kept.
        let closed = self.pool.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        closed.await;
    }
}

impl ReadConnection<'_> {
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    /// Keeps the connection for the next read, unless the outcome shows that it may be broken.
    pub(super) fn release<T>(self, outcome: Result<T>) -> Result<T> {
        let Self { connection, owner, permit } = self;
        if !matches!(outcome, Err(StoreError::Unavailable(_) | StoreError::Database(_))) {
            let mut idle = owner.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if !owner.pool.is_closed() {
                idle.push(connection);
            }
        }
        drop(permit);
        outcome
    }
}
