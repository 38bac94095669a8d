//! The statements of the metadata store, one text for both databases.
//!
//! This directory is compiled twice, as a module of [`sqlite`](crate::sqlite) and of
//! [`postgres`](crate::postgres). Beside it, each of them has a module `dialect` with everything in which the
//! databases differ, under the same names: the store and its connection, transactions, pages, and the words of SQL that they
//! do not share. Locks are written here, where the reason for each is; in SQLite they are nothing, because a transaction that
//! writes is alone. PostgreSQL repeats a transaction whose connection breaks, so the work of one changes nothing outside of it.
//!
//! Implementations that are generic over sqlx's `Database` compile as well. They were rejected: each repeats the bounds of
//! all types that it binds and reads, and SQL with a part that differs must be put together while the program runs, since
//! `concat!` takes no constant of a type parameter.
//!
//! Sharing stops where one text would need a condition on the database. These stay in each dialect:
//!
//! * opening, and the migrations: types of columns, locks and checks of the server have nothing in common;
//! * transactions: SQLite takes the one write lock, PostgreSQL marks a write so that it can be repeated;
//! * pages: SQLite reads one as a single value, which costs a third, and PostgreSQL reads rows;
//! * two pages of one snapshot: one statement in SQLite, a transaction in PostgreSQL;
//! * the notification of workers: a listener's connection in PostgreSQL, a watch of the file in SQLite;
//! * frozen writers and the version of the contents, which only SQLite's files can tell.

mod batches;
mod checkpoints;
mod claims;
mod columns;
mod events;
mod fetch;
mod files;
pub(crate) mod held_jobs;
mod idempotency;
mod job_state;
mod jobs;
mod keys;
mod leases;
mod lineage;
pub(crate) mod models;
mod paging;
mod references;
mod responses;
mod sessions;
mod sql;
mod steps;
mod usage;
mod workers;

use super::dialect;
