//! What a document means, between its text and the code: nothing here knows OpenAPI's syntax or Rust's tokens.

pub mod operation;
pub mod schema;
