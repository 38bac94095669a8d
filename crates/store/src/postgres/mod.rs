//! Metadata in PostgreSQL 14 or newer, for any number of processes.
//!
//! Write transactions run at READ COMMITTED and lock the rows that their decisions depend on. A worker's write locks
//! its job; then, a transaction that reads or changes a model's checkpoints locks the model. [`transactions`] handles
//! broken connections. Columns are named one by one, so that a newer program may add columns while this one runs. This
//! program ignores a newer one's tables: `docs/storage.md` says when older programs must be stopped. The [`statements`]
//! are also those of SQLite; [`dialect`] contains everything in which PostgreSQL differs.

mod address;
mod database;
mod dialect;
mod job_notifications;
mod open;
mod selection;
#[allow(clippy::duplicate_mod, reason = "one text for both databases")]
#[path = "../statements/mod.rs"]
mod statements;
#[cfg(test)]
mod tests;
mod transactions;

pub use self::address::DatabaseAddress;
pub use self::database::PostgresMetadata;
pub use self::open::PostgresOpenError;
