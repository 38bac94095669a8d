//! Word that there may be a job to claim, from every process on the database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{PgConnection, PgPool};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use crate::store::metadata::Result;

const CHANNEL: &str = "trainyard_jobs";
/// How often a listener without a connection tries to get one.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Tells the workers of every process, when the transaction is committed.
pub(super) async fn announce(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL).execute(connection).await?;
    Ok(())
}

/// Listens, on a connection of its own.
pub(super) struct Queue {
    announced: Arc<Notify>,
    listener: AbortHandle,
}

impl Queue {
    pub(super) fn listen(options: PgConnectOptions) -> Self {
        let announced = Arc::new(Notify::new());
        let listener = tokio::spawn(listen(options, announced.clone())).abort_handle();
        Self { announced, listener }
    }

    /// Waits until a job was announced since the last wait, at most `longest`.
    pub(super) async fn wait(&self, longest: Duration) {
        // The time limit is for leases that run out, which nobody announces.
        let _ = tokio::time::timeout(longest, self.announced.notified()).await;
    }

    /// As if a job was announced.
    pub(super) fn wake(&self) {
        self.announced.notify_one();
    }

    pub(super) fn close(&self) {
        self.listener.abort();
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.close();
    }
}

/// Passes announcements on, for ever.
async fn listen(options: PgConnectOptions, announced: Arc<Notify>) {
    loop {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(CONNECT_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(options.clone());
        if let Err(error) = pass_on(&pool, &announced).await {
            tracing::debug!(%error, "the connection for job announcements is lost; trying again");
        }
        pool.close().await;
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

/// Passes announcements on until the connection is lost.
async fn pass_on(pool: &PgPool, announced: &Notify) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // What was announced while nobody listened.
    announced.notify_one();
    while listener.try_recv().await?.is_some() {
        announced.notify_one();
    }
    Ok(())
}
