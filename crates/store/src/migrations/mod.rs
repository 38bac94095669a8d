//! Migrations of both dialects, embedded in the program: an upgrade needs the new binary alone. `README.md` beside this file says
//! what a migration may change.

use sqlx::SqlStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

/// Embeds the files `migrations/FOLDER/FILE.sql`.
macro_rules! embedded_migrations {
    ($folder:literal: $($file:literal),+ $(,)?) => {
        std::sync::LazyLock::new(|| {
            crate::migrations::migrator(&[
                $(($file, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/migrations/", $folder, "/", $file, ".sql")))),+
            ])
        })
    };
}
pub(super) use embedded_migrations;

/// Builds a migrator of files named `VERSION_DESCRIPTION`, as `sqlx::migrate!` does. sqlx's macros would build both
/// database drivers a second time, for the compiler's own machine.
pub(super) fn migrator(files: &[(&'static str, &'static str)]) -> Migrator {
    let migration = |(name, sql): &(&'static str, &'static str)| {
        let (version, description) = name.split_once('_').unwrap_or((name, ""));
        let version = version.parse().expect("a migration begins with its version");
        let no_transaction = sql.starts_with("-- no-transaction");
        let (description, sql) = (description.replace('_', " "), SqlStr::from_static(sql));
        Migration::new(version, description.into(), MigrationType::Simple, sql, no_transaction)
    };
    Migrator::with_migrations(files.iter().map(migration).collect())
}

/// State of a database's schema, compared with the migrations of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaState {
    /// Version of the schema; `None` for an empty database.
    pub version: Option<i64>,
    /// Newest version that this program knows.
    pub newest: i64,
    /// Migrations that the database lacks, in order: version and description.
    pub pending: Vec<(i64, String)>,
}

/// Compares the versions that a database has with the migrations of this program.
pub(super) fn schema_state(migrations: &Migrator, applied: &[i64]) -> SchemaState {
    SchemaState {
        version: applied.iter().copied().max(),
        newest: newest(migrations),
        pending: migrations
            .iter()
            .filter(|migration| !applied.contains(&migration.version))
            .map(|migration| (migration.version, migration.description.to_string()))
            .collect(),
    }
}

fn newest(migrations: &Migrator) -> i64 {
    migrations.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// An error from bringing the schema of a database up to date.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum SchemaError {
    #[error("{database} has schema version {found}, this program knows versions up to {known}; use a newer trainyard")]
    TooNew { database: String, found: i64, known: i64 },
    #[error("cannot bring the schema of {database} up to date")]
    Migration { database: String, source: MigrateError },
}

impl SchemaError {
    pub(super) fn new(migrations: &Migrator, database: String, source: MigrateError) -> Self {
        let known = newest(migrations);
        match source {
            MigrateError::VersionMissing(found) if found > known => Self::TooNew { database, found, known },
            source => Self::Migration { database, source },
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
