//! State that outlives the process: metadata rows and artifact bytes.
//!
//! [`metadata::Metadata`] is the one interface to rows; [`sqlite`] is its embedded implementation. [`artifacts`] holds
//! the bytes that rows refer to by content hash. A row refers to an artifact only after the artifact is durable;
//! deleting is the other way round: the reference goes first, the bytes are collected afterwards ([`garbage`]).

pub mod artifacts;
pub mod backup;
pub mod check;
pub mod garbage;
pub mod metadata;
pub mod records;
pub mod sqlite;

#[cfg(test)]
mod conformance;
