//! Detection of writes without polling the job table.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::metadata::Result;

/// Interval of the checks for writes by other processes. A check reads one number in shared memory.
const INTERVAL: Duration = Duration::from_millis(25);

/// A watcher for writes, on a connection of its own: SQLite reports the writes of others per connection.
pub(super) struct Watcher {
    connection: SqlitePool,
    /// The data version at the last return from [`Self::wait`].
    seen: AtomicI64,
}

impl Watcher {
    pub(super) async fn open(options: SqliteConnectOptions) -> sqlx::Result<Self> {
        // Never replaced: the data versions of two connections are not comparable.
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let connection = pool.connect_with(options.pragma("query_only", "on")).await?;
        Ok(Self { connection, seen: AtomicI64::new(0) })
    }

    /// Reads the data version, which changes with every commit by another connection of any process.
    async fn version(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(&self.connection).await?)
    }

    /// Waits until this or another process has written since the last call returned, or `queued` is notified; at most
    /// `longest`.
    pub(super) async fn wait(&self, queued: &Notify, longest: Duration) -> Result<()> {
        let deadline = Instant::now() + longest;
        let before = self.seen.load(Ordering::Relaxed);
        loop {
            // Before the check, so that no notification is missed in between.
            let queued = queued.notified();
            let version = self.version().await?;
            let left = deadline.saturating_duration_since(Instant::now());
            if version != before || left.is_zero() {
                self.seen.store(version, Ordering::Relaxed);
                return Ok(());
            }
            let _ = timeout(INTERVAL.min(left), queued).await;
        }
    }

    pub(super) async fn close(&self) {
        self.connection.close().await;
    }
}
