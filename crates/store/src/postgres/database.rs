//! The database's connections.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use sqlx::Postgres;

use super::job_notifications::JobListener;
use crate::kept_connections::KeptConnections;
use crate::lease_watch::LeaseWatch;
use crate::metadata::Result;
use crate::records::StoreVersion;

/// A metadata store in a PostgreSQL database.
pub struct PostgresMetadata {
    pub(super) connections: KeptConnections<Postgres>,
    pub(super) listener: JobListener,
    pub(super) leases: LeaseWatch,
    /// The number of this process's writes.
    pub(super) writes: AtomicU32,
}

impl PostgresMetadata {
    /// Waits for a notification of a job that may be claimable, at most `limit`.
    pub(super) async fn wait_for_notification(&self, limit: Duration) -> Result<()> {
        self.listener.wait(limit).await;
        Ok(())
    }

    /// Wakes another worker of this process after a claim: it may claim the next job, and a notification wakes one worker.
    pub(super) fn wake_another_worker(&self) {
        self.listener.wake();
    }

    /// Does nothing: the server ends the transactions of frozen processes.
    pub(super) fn check_writers(&self) -> Result<()> {
        Ok(())
    }

    /// The version of the contents is unknown: it would be a statement of its own, and most reads are one statement.
    pub(super) fn version_of_contents(&self) -> Option<StoreVersion> {
        None
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.listener.close();
        self.connections.close().await;
    }
}
