//! Opening the database file: its settings, the version of SQLite, and the schema.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, SqliteConnection, SqlitePool};
use tokio::sync::Notify;

use super::{SqliteMetadata, watch::Watcher};
use crate::store::lease_watch::LeaseWatch;
use crate::store::migrations::newer_schema;

/// Every version of the schema, in order.
static MIGRATIONS: Migrator = sqlx::migrate!("src/store/migrations/sqlite");

/// Up to 3.51.2, SQLite may corrupt a WAL file that several connections write and checkpoint.
const OLDEST_SAFE_VERSION: [u32; 3] = [3, 51, 3];

/// How long a transaction waits for another process's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a call waits for a free connection of this process.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
const READERS: u32 = 4;

/// Why the metadata store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The linked SQLite has a bug that can corrupt the database.
    #[error(
        "SQLite {found} can corrupt a database that several connections write; build against {} or newer",
        OLDEST_SAFE_VERSION.map(|part| part.to_string()).join(".")
    )]
    SqliteTooOld {
        /// The version that is linked.
        found: String,
    },
    /// The database was written by a newer program.
    #[error("{file} has schema version {found}, this program knows versions up to {known}; use a newer trainyard")]
    SchemaTooNew {
        /// The database file.
        file: String,
        /// Its schema version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot bring the schema of {file} up to date")]
    Migration {
        /// The database file.
        file: String,
        /// Why not.
        #[source]
        source: MigrateError,
    },
    /// The file cannot be opened.
    #[error("cannot open the metadata store {file}")]
    Open {
        /// The database file.
        file: String,
        /// Why not.
        #[source]
        source: sqlx::Error,
    },
}

impl SqliteMetadata {
    /// Opens the database file, which is created when it is missing (its directory is not), and brings its schema up to
    /// date. Several processes may do so at once.
    pub async fn open(file: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Open { file: file.display().to_string(), source };
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let writer = connect_writer(&options).await.map_err(failed)?;
        let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&writer).await.map_err(failed)?;
        check_version(&version)?;
        migrate(&writer, file).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone().pragma("query_only", "on"))
            .await
            .map_err(failed)?;
        let watcher = Watcher::open(options).await.map_err(failed)?;
        Ok(Self { writer, readers, queued: Notify::new(), watcher, leases: LeaseWatch::default() })
    }
}

/// Connects the one writer. Switching a new file to WAL does not wait for other processes that do the same, so try again.
async fn connect_writer(options: &SqliteConnectOptions) -> sqlx::Result<SqlitePool> {
    let begun = Instant::now();
    loop {
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await;
        match pool {
            Err(sqlx::Error::Database(error))
                if error.message().contains("locked") && begun.elapsed() < BUSY_TIMEOUT =>
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            other => return other,
        }
    }
}

/// Refuses a SQLite that is older than [`OLDEST_SAFE_VERSION`].
pub(super) fn check_version(version: &str) -> Result<(), OpenError> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    match parts {
        Some(parts) if parts.as_slice() >= OLDEST_SAFE_VERSION.as_slice() => Ok(()),
        _ => Err(OpenError::SqliteTooOld { found: version.to_owned() }),
    }
}

/// Applies missing migrations in one transaction that holds the write lock: sqlx itself takes no lock on SQLite.
async fn migrate(writer: &SqlitePool, file: &Path) -> Result<(), OpenError> {
    let failed = |source| OpenError::Migration { file: file.display().to_string(), source };
    let mut connection = writer.acquire().await.map_err(|error| failed(error.into()))?;
    let connection: &mut SqliteConnection = &mut connection;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(|error| failed(error.into()))?;
    MIGRATIONS.run_direct(None, &mut *transaction, false).await.map_err(|error| {
        match newer_schema(&MIGRATIONS, &error) {
            Some((found, known)) => OpenError::SchemaTooNew { file: file.display().to_string(), found, known },
            None => failed(error),
        }
    })?;
    transaction.commit().await.map_err(|error| failed(error.into()))
}
