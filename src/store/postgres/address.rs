//! Where a database is.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;

use super::PostgresOpenError;

/// The address of a PostgreSQL database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`. It is not shown
/// anywhere, because it may hold a password.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct DatabaseAddress(String);

impl FromStr for DatabaseAddress {
    type Err = Infallible;

    /// Takes any text; what is wrong with it is said, without it, when the database is opened.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DatabaseAddress(…)")
    }
}

impl DatabaseAddress {
    /// How to connect. What the address leaves open comes from `PGPASSWORD`, `PGSSLMODE` and their like, and `~/.pgpass`.
    pub(super) fn connect_options(&self) -> Result<PgConnectOptions, PostgresOpenError> {
        let known_scheme = ["postgres://", "postgresql://"].iter().any(|scheme| self.0.starts_with(scheme));
        let options = if known_scheme { PgConnectOptions::from_str(&self.0).ok() } else { None };
        let options = options.ok_or(PostgresOpenError::Address)?;
        Ok(options.application_name("trainyard").disable_statement_logging())
    }
}
