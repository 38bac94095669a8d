//! Runtime of the servers that `trainyard-codegen` generates from an OpenAPI document.
//!
//! * [`json`] reads the generated types: each error names its path in the body.
//! * [`validation`] checks the limits of a schema on typed values.
//! * [`budget`] bounds the memory of requests.
//! * [`percent`] encodes the text of paths.
//! * `sources` has the files of this crate, for servers with a copy of it (feature `sources`).
//! * `work_threads` runs work that takes much memory (feature `server`).
//! * [`error_chain()`] formats an error with its causes.
//! * `http` decodes requests, encodes responses and gives every error one JSON envelope (feature `server`).

pub mod budget;
mod error_chain;
#[cfg(feature = "server")]
pub mod http;
pub mod json;
pub mod parameter;
pub mod percent;
#[cfg(feature = "sources")]
pub mod sources;
pub mod validation;
#[cfg(feature = "server")]
pub mod work_threads;

pub use error_chain::error_chain;
