//! Connecting to the database: its settings, the version of the server, and the schema.

use std::sync::LazyLock;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection};

use super::address::DatabaseAddress;
use super::database::PostgresMetadata;
use super::job_notifications::JobListener;
use super::transactions::RETRY_DEADLINE;
use crate::kept_connections::KeptConnections;
use crate::lease_watch::LeaseWatch;
use crate::migrations::{embedded_migrations, schema_state};
use crate::{SchemaError, SchemaState};

/// The migrations of the schema, in order.
pub(super) static MIGRATIONS: LazyLock<Migrator> = embedded_migrations!(
    "postgres":
    "0001_initial",
    "0002_job_errors",
    "0003_files",
    "0004_usage_by_day",
    "0005_lineage",
    "0006_key_limits",
    "0007_usage_by_job",
    "0008_checkpoint_metadata",
    "0009_fine_tuning",
    "0010_fair_share",
    "0011_job_progress",
    "0012_session_ends",
    "0013_job_waiting",
    "0014_weight_formats",
    "0015_remote_sampling",
    "0016_operators",
    "0017_rollouts",
    "0018_job_names",
    "0019_sessions",
    "0020_responses",
    "0021_batches",
    "0022_chat_completions",
);

/// The oldest supported server, as a `server_version_num`.
const OLDEST_VERSION: i64 = 140_000;

/// Connections of one process, besides that of the job listener. The server's default limit is 100 for all processes.
const CONNECTIONS: u32 = 12;
/// Time without use after which a connection is tested before the next one. A test is bounded by the time of retries, a
/// statement on a connection to a machine that has gone by a longer one.
const FRESH: Duration = Duration::from_secs(1);
/// The server's time limit of one statement, including waits for locks.
const STATEMENT_TIMEOUT: &str = "10s";
/// The server's time limit of an idle transaction, so that a frozen process does not block others for long.
const IDLE_TIMEOUT: &str = "5s";
/// Time limit of a starting process's wait for another's migration.
const MIGRATION_LOCK_TIMEOUT: &str = "120s";
/// The server's time limits of a migrating process between two statements, so that a frozen or disconnected process
/// does not block others for longer.
const MIGRATION_IDLE: &str = "SET idle_in_transaction_session_timeout = '10s'; SET idle_session_timeout = '10s'";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// An error from opening a PostgreSQL metadata store. No message contains a password.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum PostgresOpenError {
    #[error("the address of the database cannot be read; write postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Address,
    #[error("cannot connect to the PostgreSQL database {database}")]
    Connect { database: String, source: sqlx::Error },
    #[error("the PostgreSQL database {database} does not answer within {} s", CONNECT_TIMEOUT.as_secs())]
    TimedOut { database: String },
    #[error("PostgreSQL {found} is too old for {database}; 14 or newer is needed")]
    ServerTooOld { database: String, found: String },
    #[error("the database {database} has the encoding {found}; create it with ENCODING 'UTF8'")]
    Encoding { database: String, found: String },
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

impl PostgresMetadata {
    /// Connects to the database and brings its schema up to date. Several processes may open one database at once.
    pub async fn open(address: &DatabaseAddress) -> Result<Self, PostgresOpenError> {
        let options = address.connect_options().ok_or(PostgresOpenError::Address)?;
        let database = name_of(&options);
        prepare(&options, &database, &MIGRATIONS).await?;
        let settings = [
            ("statement_timeout", STATEMENT_TIMEOUT),
            ("idle_in_transaction_session_timeout", IDLE_TIMEOUT),
            // An acknowledged commit survives a crash, even if the server's default is asynchronous.
            ("synchronous_commit", "on"),
        ];
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(RETRY_DEADLINE)
            .connect_lazy_with(options.clone().options(settings));
        Ok(Self {
            connections: KeptConnections::new(pool, FRESH),
            listener: JobListener::listen(options),
            leases: LeaseWatch::default(),
            writes: AtomicU32::new(0),
        })
    }

    /// Reads the version of the database's schema. Changes nothing.
    pub async fn schema(address: &DatabaseAddress) -> Result<SchemaState, PostgresOpenError> {
        let options = address.connect_options().ok_or(PostgresOpenError::Address)?;
        let database = name_of(&options);
        let failed = |source| PostgresOpenError::Connect { database: database.clone(), source };
        let mut connection = connect(&options, &database).await?;
        let has_table: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
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

/// Formats the database's host, port and name, for messages.
fn name_of(options: &PgConnectOptions) -> String {
    let name = options.get_database().unwrap_or(options.get_username());
    match options.get_socket() {
        Some(socket) => format!("{} in {}", name, socket.display()),
        None => format!("{}:{}/{}", options.get_host(), options.get_port(), name),
    }
}

/// Connects to the server and checks its version and the encoding of the database.
async fn connect(options: &PgConnectOptions, database: &str) -> Result<PgConnection, PostgresOpenError> {
    let failed = |source| PostgresOpenError::Connect { database: database.to_owned(), source };
    let settings = [("lock_timeout", MIGRATION_LOCK_TIMEOUT)];
    let options = options.clone().options(settings);
    let connecting = PgConnection::connect_with(&options);
    let mut connection = match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
        Ok(connection) => connection.map_err(failed)?,
        Err(_) => return Err(PostgresOpenError::TimedOut { database: database.to_owned() }),
    };
    let setting = async |connection: &mut PgConnection, name: &'static str| -> sqlx::Result<String> {
        sqlx::query_scalar("SELECT current_setting($1)").bind(name).fetch_one(connection).await
    };
    let version = setting(&mut connection, "server_version_num").await.map_err(failed)?;
    if version.parse().unwrap_or(0) < OLDEST_VERSION {
        let found = setting(&mut connection, "server_version").await.map_err(failed)?;
        return Err(PostgresOpenError::ServerTooOld { database: database.to_owned(), found });
    }
    let found = setting(&mut connection, "server_encoding").await.map_err(failed)?;
    if found != "UTF8" {
        return Err(PostgresOpenError::Encoding { database: database.to_owned(), found });
    }
    if setting(&mut connection, "fsync").await.map_err(failed)? == "off" {
        tracing::warn!(database, "PostgreSQL runs with fsync = off: a power cut can destroy the database");
    }
    Ok(connection)
}

/// Checks the server and applies missing migrations, each in its own transaction, while other processes wait.
pub(super) async fn prepare(
    options: &PgConnectOptions,
    database: &str,
    migrations: &Migrator,
) -> Result<(), PostgresOpenError> {
    let failed = |source| PostgresOpenError::Connect { database: database.to_owned(), source };
    let mut connection = connect(options, database).await?;
    sqlx::raw_sql(MIGRATION_IDLE).execute(&mut connection).await.map_err(failed)?;
    let migrated = migrations.run_direct(None, &mut connection, false).await;
    migrated.map_err(|error| SchemaError::new(migrations, database.to_owned(), error))?;
    connection.close().await.map_err(failed)
}
