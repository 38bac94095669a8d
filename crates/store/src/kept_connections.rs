//! Connections that stay out of sqlx's pool between uses.
//!
//! The pool tests a connection before and after each use, by a round trip each. In SQLite that costs as much as a small
//! read, since both wake the connection's thread; in PostgreSQL each is a message and its response. A connection that
//! worked a moment ago needs no test: every caller copes with one that breaks while it is used.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sqlx::Database;
use sqlx::pool::{Pool, PoolConnection};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::metadata::Result;

/// Time after which a connection returns to the pool after its use, so that the pool's limit on its life applies.
const LOAN: Duration = Duration::from_secs(60);

/// The connections of a pool that has no other user.
pub(super) struct KeptConnections<DB: Database> {
    pool: Pool<DB>,
    permits: Semaphore,
    acquire_timeout: Duration,
    /// Time without use after which a connection is tested.
    fresh: Duration,
    /// Unused connections, the latest last.
    idle: Mutex<Vec<Idle<DB>>>,
}

struct Idle<DB: Database> {
    connection: PoolConnection<DB>,
    /// Time of its loan by the pool.
    lent: Instant,
    since: Instant,
}

/// A connection in use. It returns to the pool, unless [`Self::keep`] keeps it or [`Self::close`] closes it.
pub(super) struct KeptConnection<'a, DB: Database> {
    connection: PoolConnection<DB>,
    lent: Instant,
    owner: &'a KeptConnections<DB>,
    permit: SemaphorePermit<'a>,
}

impl<DB: Database> KeptConnections<DB> {
    /// Keeps all connections of the pool, of which none is used untested after it was idle for longer than `fresh`.
    pub(super) fn new(pool: Pool<DB>, fresh: Duration) -> Self {
        let options = pool.options();
        let (size, acquire_timeout) = (options.get_max_connections(), options.get_acquire_timeout());
        Self { permits: Semaphore::new(size as usize), acquire_timeout, fresh, idle: Mutex::default(), pool }
    }

    /// Waits for a connection.
    pub(super) async fn acquire(&self) -> Result<KeptConnection<'_, DB>> {
        let permit =
            timeout(self.acquire_timeout, self.permits.acquire()).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let permit = permit.map_err(|_| sqlx::Error::PoolClosed)?;
        let (connection, lent) = match self.fresh() {
            Some(Idle { connection, lent, .. }) => (connection, lent),
            None => (self.pool.acquire().await?, Instant::now()),
        };
        Ok(KeptConnection { connection, lent, owner: self, permit })
    }

    /// Takes the connection that was used last. If that was too long ago, returns all of them to the pool.
    fn fresh(&self) -> Option<Idle<DB>> {
        let mut idle = self.idle.lock();
        let latest = idle.pop()?;
        if latest.since.elapsed() <= self.fresh {
            return Some(latest);
        }
        idle.clear();
        None
    }

    /// Returns the unused connections to the pool, which tests them.
    fn return_unused(&self) {
        self.idle.lock().clear();
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        self.permits.close();
        // The pool is closed from here on, so a connection in use is not kept.
        let closed = self.pool.close();
        self.return_unused();
        closed.await;
    }

    #[cfg(test)]
    pub(super) fn pool(&self) -> &Pool<DB> {
        &self.pool
    }
}

impl<DB: Database> KeptConnection<'_, DB> {
    pub(super) fn connection(&mut self) -> &mut DB::Connection {
        &mut self.connection
    }

    /// Keeps the connection for the next use.
    pub(super) fn keep(self) {
        let Self { connection, lent, owner, permit } = self;
        if lent.elapsed() < LOAN {
            let mut idle = owner.idle.lock();
            if !owner.pool.is_closed() {
                idle.push(Idle { connection, lent, since: Instant::now() });
            }
        }
        drop(permit);
    }

    /// Closes the connection, which may be broken. The unused ones are tested before their next use: they may be so too.
    pub(super) fn close(self) {
        drop(self.connection.detach());
        self.owner.return_unused();
    }
}
