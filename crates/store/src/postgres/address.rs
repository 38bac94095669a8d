//! Addresses of databases.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;

/// The address of a PostgreSQL database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`. It may contain a
/// password, so it is never displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseAddress(String);

impl FromStr for DatabaseAddress {
    type Err = Infallible;

    /// Accepts any text. Opening the database reports an invalid one, without showing it.
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
    /// Parses the address; `None` if it is invalid. `PGPASSWORD`, `PGSSLMODE`, other such variables and `~/.pgpass` supply
    /// omitted parts.
    pub(super) fn connect_options(&self) -> Option<PgConnectOptions> {
        let known_scheme = ["postgres://", "postgresql://"].iter().any(|scheme| self.0.starts_with(scheme));
        let options = if known_scheme { PgConnectOptions::from_str(&self.0).ok() } else { None };
        Some(options?.application_name("trainyard").disable_statement_logging())
    }
}
