//! State that outlives the process: metadata rows and artifact bytes.
//!
//! [`metadata::Metadata`] is the one interface to rows. [`sqlite`] implements it in a file, [`postgres`] for several
//! processes. [`artifacts`] stores the bytes that rows refer to by content hash. A row refers to an artifact only after
//! the artifact is durable. Deletion is the reverse: the reference is deleted first, the bytes are collected afterwards
//! ([`garbage`]).

mod api_error;
pub mod artifacts;
pub mod background;
pub mod backup;
pub mod check;
mod database_error;
pub mod directories;
pub mod directory_lock;
pub mod garbage;
mod kept_connections;
pub mod layout;
mod lease_watch;
pub mod metadata;
mod migrations;
pub mod ownership;
mod paging;
pub mod postgres;
pub mod private;
pub mod records;
mod rows;
mod rules;
pub mod sqlite;

pub use migrations::{SchemaError, SchemaState};

#[cfg(test)]
mod conformance;
