//! State that outlives the process: metadata rows and artifact bytes.
//!
//! [`metadata::Metadata`] is the one interface to rows; [`sqlite`] is its embedded implementation,
//! [`postgres`] the one for several processes. [`artifacts`] holds
//! the bytes that rows refer to by content hash. A row refers to an artifact only after the artifact is durable;
//! deleting is the other way round: the reference goes first, the bytes are collected afterwards ([`garbage`]).

pub mod artifacts;
pub mod backup;
pub mod check;
mod database_error;
pub mod garbage;
mod lease_watch;
pub mod metadata;
mod migrations;
mod paging;
pub mod postgres;
pub mod records;
mod references;
mod rows;
pub mod sqlite;

#[cfg(test)]
mod conformance;
