//! What the schemas of both databases have in common.

use sqlx::migrate::{MigrateError, Migrator};

/// If the schema is newer than this program: its version, and the newest that the program knows.
pub(super) fn newer_schema(migrations: &Migrator, error: &MigrateError) -> Option<(i64, i64)> {
    let known = migrations.iter().map(|migration| migration.version).max().unwrap_or(0);
    match error {
        MigrateError::VersionMissing(found) if *found > known => Some((*found, known)),
        _ => None,
    }
}
