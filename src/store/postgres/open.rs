//! Connecting to the database: its settings, the version of the server, and the schema.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection};

use super::queue::Queue;
use super::transactions::RETRY_TIME;
use super::{DatabaseAddress, PostgresMetadata};
use crate::store::lease_watch::LeaseWatch;
use crate::store::migrations::newer_schema;

/// Every version of the schema, in order.
pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("src/store/migrations/postgres");

/// As `server_version_num` gives it.
const OLDEST_VERSION: i64 = 140_000;

/// Connections of one process, beside the one that listens for jobs; the server's default allows 100 in all.
const CONNECTIONS: u32 = 12;
/// How long the server works on one statement, the wait for locks included.
const STATEMENT_TIMEOUT: &str = "10s";
/// How long a transaction may be left alone; then the server ends it, so that a frozen process holds up nobody for long.
const IDLE_TIMEOUT: &str = "5s";
/// How long a starting process waits for another that brings the schema up to date.
const MIGRATION_LOCK_TIMEOUT: &str = "120s";
/// How long the server waits for the next statement of a process that brings the schema up to date. One that is frozen,
/// or has gone without a word, holds up the others for no longer.
const MIGRATION_IDLE: &str = "SET idle_in_transaction_session_timeout = '10s'; SET idle_session_timeout = '10s'";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the metadata store in PostgreSQL cannot be opened. Passwords are in none of the messages.
#[derive(Debug, thiserror::Error)]
pub enum PostgresOpenError {
    /// The address of the database cannot be read.
    #[error("the address of the database cannot be read; write postgres://USER:PASSWORD@HOST:PORT/DATABASE")]
    Address,
    /// There is no connection.
    #[error("cannot connect to the PostgreSQL database {database}")]
    Connect {
        /// Host, port and name.
        database: String,
        /// Why not.
        #[source]
        source: sqlx::Error,
    },
    /// There was no answer.
    #[error("the PostgreSQL database {database} does not answer within {} s", CONNECT_TIMEOUT.as_secs())]
    NoAnswer {
        /// Host, port and name.
        database: String,
    },
    /// The server lacks what is needed.
    #[error("PostgreSQL {found} is too old for {database}; 14 or newer is needed")]
    ServerTooOld {
        /// Host, port and name.
        database: String,
        /// Its version.
        found: String,
    },
    /// Texts would be refused or garbled.
    #[error("the database {database} has the encoding {found}; create it with ENCODING 'UTF8'")]
    Encoding {
        /// Host, port and name.
        database: String,
        /// Its encoding.
        found: String,
    },
    /// The database was written by a newer program.
    #[error("{database} has schema version {found}, this program knows versions up to {known}; use a newer trainyard")]
    SchemaTooNew {
        /// Host, port and name.
        database: String,
        /// Its schema version.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot bring the schema of {database} up to date")]
    Migration {
        /// Host, port and name.
        database: String,
        /// Why not.
        #[source]
        source: MigrateError,
    },
}

impl PostgresMetadata {
    /// Connects to the database and brings its schema up to date. Several processes may do so
    /// at once.
    pub async fn open(address: &DatabaseAddress) -> Result<Self, PostgresOpenError> {
        let options = address.connect_options()?;
        let database = name_of(&options);
        prepare(&options, &database, &MIGRATIONS).await?;
        let settings = [
            ("statement_timeout", STATEMENT_TIMEOUT),
            ("idle_in_transaction_session_timeout", IDLE_TIMEOUT),
            // What is acknowledged survives the server, also where the default is to risk the last moments.
            ("synchronous_commit", "on"),
        ];
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(RETRY_TIME)
            .connect_lazy_with(options.clone().options(settings));
        Ok(Self { pool, queue: Queue::listen(options), leases: LeaseWatch::default(), writes: AtomicU32::new(0) })
    }
}

/// Host, port and name of the database, for messages.
fn name_of(options: &PgConnectOptions) -> String {
    let name = options.get_database().unwrap_or(options.get_username());
    match options.get_socket() {
        Some(socket) => format!("{} in {}", name, socket.display()),
        None => format!("{}:{}/{}", options.get_host(), options.get_port(), name),
    }
}

/// Checks the server and applies missing migrations, each in a transaction of its own, while other processes wait.
pub(super) async fn prepare(
    options: &PgConnectOptions,
    database: &str,
    migrations: &Migrator,
) -> Result<(), PostgresOpenError> {
    let failed = |source| PostgresOpenError::Connect { database: database.to_owned(), source };
    let settings = [("lock_timeout", MIGRATION_LOCK_TIMEOUT)];
    let options = options.clone().options(settings);
    let connecting = PgConnection::connect_with(&options);
    let mut connection = match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
        Ok(connection) => connection.map_err(failed)?,
        Err(_) => return Err(PostgresOpenError::NoAnswer { database: database.to_owned() }),
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
    sqlx::raw_sql(MIGRATION_IDLE).execute(&mut connection).await.map_err(failed)?;
    migrations.run_direct(None, &mut connection, false).await.map_err(|error| {
        let database = database.to_owned();
        match newer_schema(migrations, &error) {
            Some((found, known)) => PostgresOpenError::SchemaTooNew { database, found, known },
            None => PostgresOpenError::Migration { database, source: error },
        }
    })?;
    connection.close().await.map_err(failed)
}
