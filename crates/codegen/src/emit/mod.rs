//! Emission of Rust tokens from the intermediate representation.

pub mod context;
mod defaults;
pub mod names;
pub mod server;
pub mod types;
pub mod unions;
pub mod validate;
