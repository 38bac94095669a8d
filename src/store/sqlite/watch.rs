//! Waiting for work without asking the job table for it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tokio::time::{Instant, timeout};

use super::SqliteMetadata;
use crate::store::metadata::Result;

/// How often to look whether another process wrote. It reads one number that is in shared memory.
const INTERVAL: Duration = Duration::from_millis(25);

/// A connection of its own: what SQLite tells of the writes of others, it tells each connection by itself.
pub(super) struct Watcher {
    connection: SqlitePool,
    /// The state of the database when somebody last went to look for a job.
    seen: AtomicI64,
}

impl Watcher {
    pub(super) async fn open(options: SqliteConnectOptions) -> sqlx::Result<Self> {
        // Never replaced, or the numbers of two connections would be compared.
        let pool = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let connection = pool.connect_with(options.pragma("query_only", "on")).await?;
        Ok(Self { connection, seen: AtomicI64::new(0) })
    }

    /// A number that changes with every commit by another connection, of any process.
    async fn version(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(&self.connection).await?)
    }

    pub(super) async fn close(&self) {
        self.connection.close().await;
    }
}

/// Waits until something was written since the last call returned, by this process or another.
pub(super) async fn wait_for_job(store: &SqliteMetadata, longest: Duration) -> Result<()> {
    let deadline = Instant::now() + longest;
    let Watcher { seen, .. } = &store.watcher;
    let before = seen.load(Ordering::Relaxed);
    loop {
        // Before looking, so that nothing is missed in between.
        let queued = store.queued.notified();
        let version = store.watcher.version().await?;
        let left = deadline.saturating_duration_since(Instant::now());
        if version != before || left.is_zero() {
            seen.store(version, Ordering::Relaxed);
            return Ok(());
        }
        let _ = timeout(INTERVAL.min(left), queued).await;
    }
}
