//! The database's connections.

use std::sync::atomic::AtomicU32;

use sqlx::Postgres;

use super::job_notifications::JobListener;
use crate::store::kept_connections::KeptConnections;
use crate::store::lease_watch::LeaseWatch;

/// A metadata store in a PostgreSQL database.
pub struct PostgresMetadata {
    pub(super) connections: KeptConnections<Postgres>,
    pub(super) listener: JobListener,
    pub(super) leases: LeaseWatch,
    /// The number of this process's writes.
    pub(super) writes: AtomicU32,
}

impl PostgresMetadata {
    /// Closes every connection.
    pub async fn close(&self) {
        self.listener.close();
        self.connections.close().await;
    }
}
