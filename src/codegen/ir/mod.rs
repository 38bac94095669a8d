//! What a document means, between its text and the code: nothing here knows OpenAPI's syntax or Rust's tokens.

pub mod fits;
pub mod operation;
pub mod schema;

/// A whole document.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// Every type, by name.
    pub types: Vec<schema::NamedType>,
    /// Every operation, ordered by path and method.
    pub operations: Vec<operation::Operation>,
    /// The tags that have operations, as the operations index them.
    pub tags: Vec<operation::Tag>,
}
