//! Metadata in one SQLite file.
//!
//! WAL with `synchronous=FULL`: a committed transaction survives a power cut. One connection writes, a few read. Every
//! write transaction begins `IMMEDIATE`, so it never fails half-way for lack of the lock. Another process (the command
//! line) may write between two transactions of this one. The [`statements`] are also those of PostgreSQL; [`dialect`] contains
//! everything in which SQLite differs.

mod database;
mod dialect;
#[cfg(test)]
mod kill_tests;
mod lock_owner;
#[cfg(test)]
mod migration_tests;
mod open;
mod packed;
mod shared_memory;
mod snapshot;
#[allow(clippy::duplicate_mod, reason = "one text for both databases")]
#[path = "../statements/mod.rs"]
mod statements;
#[cfg(test)]
mod tests;
mod transactions;
mod watch;

pub use self::database::SqliteMetadata;
pub use self::open::OpenError;
