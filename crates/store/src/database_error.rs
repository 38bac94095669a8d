//! Conversion of database errors.

use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;

use super::metadata::StoreError;

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let passing = match &error {
            // The connection broke, or there is none. A write may have been committed.
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(database) => match database.try_downcast_ref::<PgDatabaseError>() {
                Some(postgres) if is_unstorable(postgres.code()) => {
                    return Self::InvalidValue(format!("PostgreSQL cannot store this value: {}", postgres.message()));
                }
                Some(postgres) => is_passing_in_postgres(postgres.code()),
                None => is_passing_in_sqlite(&**database),
            },
            _ => false,
        };
        if passing { Self::Unavailable(Box::new(error)) } else { Self::Database(Box::new(error)) }
    }
}

/// Converts the error of an insert whose one foreign key is an API key.
pub(super) fn unknown_key(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(error) if error.is_foreign_key_violation() => StoreError::NotFound("key"),
        error => error.into(),
    }
}

/// Returns whether a SQLite error is transient: the primary result codes SQLITE_BUSY, SQLITE_LOCKED and SQLITE_FULL.
fn is_passing_in_sqlite(error: &dyn DatabaseError) -> bool {
    const PASSING: [u32; 3] = [5, 6, 13];
    // An extended code has the primary one in its low byte.
    let code = error.code().and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| PASSING.contains(&(code & 0xff)))
}

/// Returns whether a PostgreSQL error is transient, by its SQLSTATE (PostgreSQL manual, appendix A).
fn is_passing_in_postgres(code: &str) -> bool {
    const CLASSES: [&str; 4] = [
        "08", // the connection failed
        "40", // rolled back: a deadlock, or two transactions that cannot be put in an order
        "53", // no memory, no disk space, too many connections
        "57", // shutting down, starting, cancelled at a time limit
    ];
    const CODES: [&str; 3] = [
        "25006", // a standby that only reads: the primary is elsewhere now
        "25P03", // the transaction was left idle for too long
        "55P03", // a lock could not be had in time
    ];
    CLASSES.iter().any(|class| code.starts_with(class)) || CODES.contains(&code)
}

/// Returns whether PostgreSQL rejected a value: a text with the character U+0000, or one that is too long for an index.
fn is_unstorable(code: &str) -> bool {
    ["22021", "54000"].contains(&code)
}
