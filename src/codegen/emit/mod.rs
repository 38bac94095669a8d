//! From what the document means to Rust tokens.

pub mod context;
mod defaults;
pub mod names;
pub mod server;
pub mod types;
pub mod unions;
pub mod validate;
