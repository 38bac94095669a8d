//! From what the document means to Rust tokens.

pub mod context;
pub mod server;
mod defaults;
pub mod names;
pub mod types;
pub mod unions;
pub mod validate;
