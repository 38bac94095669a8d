//! Metadata in PostgreSQL 14 or newer, for any number of processes.
//!
//! Write transactions run at READ COMMITTED and lock the rows that their decisions depend on. A worker's write locks
//! its job; then, a transaction that reads or changes a model's checkpoints locks the model. [`transactions`] handles
//! broken connections. Columns are named one by one, so that a newer program may add columns while this one runs. This
//! program ignores a newer one's tables: `docs/storage.md` says when older programs must be stopped.

mod address;
mod checkpoints;
mod claims;
mod columns;
mod database;
mod events;
mod files;
mod held_jobs;
mod idempotency;
mod job_notifications;
mod job_state;
mod jobs;
mod keys;
mod leases;
mod lineage;
mod models;
mod open;
mod paging;
mod references;
mod sql;
mod steps;
#[cfg(test)]
mod tests;
mod transactions;
mod usage;
mod workers;

pub use self::address::DatabaseAddress;
pub use self::database::PostgresMetadata;
pub use self::open::PostgresOpenError;
