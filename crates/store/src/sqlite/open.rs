//! Opening the database file: its settings, the version of SQLite, and the schema.

use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, SqliteConnection, SqlitePool};
use tokio::sync::Notify;

use super::database::SqliteMetadata;
use super::lock_owner::LockOwner;
use super::shared_memory::SharedMemory;
use super::watch::Watcher;
use crate::directory_lock::DirectoryLock;
use crate::kept_connections::KeptConnections;
use crate::lease_watch::LeaseWatch;
use crate::migrations::{embedded_migrations, schema_state};
use crate::{SchemaError, SchemaState, directories, ownership, private};

/// The migrations of the schema, in order.
pub(super) static MIGRATIONS: LazyLock<Migrator> = embedded_migrations!(
    "sqlite":
    "0001_initial",
    "0002_training_method",
    "0003_reinforcement_learning",
    "0004_resume_state",
    "0005_idempotent_results",
    "0006_workers",
    "0007_job_errors",
    "0008_files",
    "0009_usage_by_day",
    "0010_lineage",
    "0011_key_limits",
    "0012_usage_by_job",
    "0013_checkpoint_metadata",
    "0014_fine_tuning",
    "0015_fair_share",
    "0016_job_progress",
    "0017_session_ends",
    "0018_job_waiting",
    "0019_weight_formats",
    "0020_remote_sampling",
    "0021_operators",
    "0022_rollouts",
    "0023_job_names",
    "0024_sessions",
    "0025_responses",
    "0026_batches",
    "0027_chat_completions",
);

/// The first version of SQLite without a bug that corrupts a WAL file written and checkpointed by several connections.
const OLDEST_SAFE_VERSION: [u32; 3] = [3, 51, 3];

/// Time limit of the wait for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit of the wait for a free connection of this process.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// Number of connections for transactions that read, and of those for single statements.
const READERS: u32 = 4;

/// An error from opening a SQLite metadata store.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum OpenError {
    #[error(
        "SQLite {found} can corrupt a database that several connections write; build against {} or newer",
        OLDEST_SAFE_VERSION.map(|part| part.to_string()).join(".")
    )]
    SqliteTooOld { found: String },
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error("cannot open the metadata store {file}")]
    Open { file: String, source: sqlx::Error },
}

impl SqliteMetadata {
    /// Opens the database file and brings its schema up to date. A missing file is created, its directory is not.
    /// Several processes may open one file at once.
    pub async fn open(file: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Open { file: file.display().to_string(), source };
        make_private(file).map_err(|error| failed(error.into()))?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let writer = connect_writer(&options).await.map_err(failed)?;
        sync_log(file).map_err(|error| failed(error.into()))?;
        let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&writer).await.map_err(failed)?;
        check_version(&version)?;
        let lock_owner = LockOwner::of(file);
        lock_owner.watched(migrate(&writer, file)).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone().pragma("query_only", "on"))
            .await
            .map_err(failed)?;
        let statements = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(options.clone().pragma("query_only", "on"));
        let statements = KeptConnections::new(statements, Duration::MAX);
        let watcher = Watcher::open(options).await.map_err(failed)?;
        let (queued, leases, shared_memory) = (Notify::new(), LeaseWatch::default(), SharedMemory::of(file));
        Ok(Self { writer, readers, statements, queued, watcher, leases, lock_owner, shared_memory, _lock: None })
    }

    /// Holds the lock of the data directory for as long as the database is open.
    #[must_use]
    pub fn holding(self, lock: DirectoryLock) -> Self {
        Self { _lock: Some(lock), ..self }
    }

    /// Reads the version of the schema in a database file. Changes nothing.
    pub async fn schema(file: &Path) -> Result<SchemaState, OpenError> {
        let failed = |source| OpenError::Open { file: file.display().to_string(), source };
        let options = SqliteConnectOptions::new().filename(file).read_only(true).busy_timeout(BUSY_TIMEOUT);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
        let has_table: bool = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
            .fetch_one(&mut connection)
            .await
            .map_err(failed)?;
        let mut applied: Vec<i64> = Vec::new();
        if has_table {
            let versions = sqlx::query_scalar("SELECT version FROM _sqlx_migrations");
            applied = versions.fetch_all(&mut connection).await.map_err(failed)?;
        }
        connection.close().await.map_err(failed)?;
        Ok(schema_state(&MIGRATIONS, &applied))
    }
}

/// Creates a missing file, and makes it and its logs private. SQLite creates the logs with the mode of the file.
fn make_private(file: &Path) -> io::Result<()> {
    // An existing file is not opened: closing it would release the POSIX locks that another store of this process has on it.
    match std::fs::File::options().write(true).create_new(true).mode(private::FILE).open(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => {
            drop(created?);
            ownership::adopt(file)?;
        }
    }
    for suffix in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        private::close_file(Path::new(&name))?;
    }
    Ok(())
}

/// Makes the write-ahead log durable. A process that was killed between its write of a transaction and the sync leaves one
/// that readers see as soon as a connection has recovered the log, and that a power cut could still take back.
fn sync_log(file: &Path) -> io::Result<()> {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let synced = directories::sync(Path::new(&log)).and_then(|()| directories::sync_entry(Path::new(&log)));
    match synced {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}

/// Returns whether a lock of another process caused the error.
fn is_locked(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(error) if error.message().contains("locked"))
}

/// Connects the one writer. Switching a new file to WAL fails while another process does the same, so it is retried.
async fn connect_writer(options: &SqliteConnectOptions) -> sqlx::Result<SqlitePool> {
    let begun = Instant::now();
    loop {
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await;
        match pool {
            Err(error) if is_locked(&error) && begun.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            other => return other,
        }
    }
}

/// Checks that SQLite is at least [`OLDEST_SAFE_VERSION`].
pub(super) fn check_version(version: &str) -> Result<(), OpenError> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    match parts {
        Some(parts) if parts.as_slice() >= OLDEST_SAFE_VERSION.as_slice() => Ok(()),
        _ => Err(OpenError::SqliteTooOld { found: version.to_owned() }),
    }
}

/// Applies missing migrations in one transaction that holds the write lock: sqlx itself takes no lock on SQLite.
async fn migrate(writer: &SqlitePool, file: &Path) -> Result<(), SchemaError> {
    let failed = |source| SchemaError::new(&MIGRATIONS, file.display().to_string(), source);
    let mut connection = writer.acquire().await.map_err(|error| failed(error.into()))?;
    let connection: &mut SqliteConnection = &mut connection;
    let begun = Instant::now();
    let mut transaction = loop {
        match connection.begin_with("BEGIN IMMEDIATE").await {
            // A frozen process is killed meanwhile.
            Err(error) if is_locked(&error) && begun.elapsed() < ACQUIRE_TIMEOUT => {}
            begun => break begun.map_err(|error| failed(error.into()))?,
        }
    };
    MIGRATIONS.run_direct(None, &mut *transaction, false).await.map_err(failed)?;
    transaction.commit().await.map_err(|error| failed(error.into()))
}
