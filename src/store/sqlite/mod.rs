//! Metadata in one SQLite file.
//!
//! WAL with `synchronous=FULL`: a committed transaction survives a power cut. One connection writes, a few read. Every
//! write transaction begins `IMMEDIATE`, so it never fails half-way for lack of the lock. Another process (the command
//! line) may write between two transactions of this one.

mod checkpoints;
mod claims;
mod database;
mod events;
mod files;
mod held_jobs;
mod idempotency;
mod job_state;
mod jobs;
mod keys;
#[cfg(test)]
mod kill_tests;
mod leases;
mod lineage;
mod lock_owner;
#[cfg(test)]
mod migration_tests;
mod models;
mod open;
mod packed;
mod paging;
mod references;
mod shared_memory;
mod snapshot;
mod sql;
#[cfg(test)]
mod tests;
mod usage;
mod watch;

pub use self::database::SqliteMetadata;
pub use self::open::OpenError;
