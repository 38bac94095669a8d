//! Notifications of claimable jobs, between all processes on the database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{PgConnection, PgPool};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use crate::metadata::Result;

const CHANNEL: &str = "trainyard_jobs";
/// Pause between a listener's attempts to reconnect.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Notifies the workers of every process when the transaction is committed.
pub(super) async fn notify(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL).execute(connection).await?;
    Ok(())
}

/// A listener for job notifications, on a connection of its own.
pub(super) struct JobListener {
    notified: Arc<Notify>,
    task: AbortHandle,
}

impl JobListener {
    pub(super) fn listen(options: PgConnectOptions) -> Self {
        let notified = Arc::new(Notify::new());
        let task = tokio::spawn(listen(options, notified.clone())).abort_handle();
        Self { notified, task }
    }

    /// Waits for a notification since the last wait, at most `limit`.
    pub(super) async fn wait(&self, limit: Duration) {
        // The limit is for expired leases: nobody notifies of them.
        let _ = tokio::time::timeout(limit, self.notified.notified()).await;
    }

    /// Wakes one waiting worker of this process.
    pub(super) fn wake(&self) {
        self.notified.notify_one();
    }

    pub(super) fn close(&self) {
        self.task.abort();
    }
}

impl Drop for JobListener {
    fn drop(&mut self) {
        self.close();
    }
}

/// Forwards notifications forever.
async fn listen(options: PgConnectOptions, notified: Arc<Notify>) {
    loop {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(CONNECT_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(options.clone());
        if let Err(error) = forward(&pool, &notified).await {
            tracing::debug!(%error, "the connection for job announcements is lost; trying again");
        }
        pool.close().await;
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

/// Forwards notifications until the connection is lost.
async fn forward(pool: &PgPool, notified: &Notify) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // For the notifications missed without a connection.
    notified.notify_one();
    while listener.try_recv().await?.is_some() {
        notified.notify_one();
    }
    Ok(())
}
