//! From what the document means to Rust tokens.

pub mod context;
pub mod server;
