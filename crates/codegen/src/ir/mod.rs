//! Intermediate representation of a document, independent of OpenAPI's syntax and of Rust's tokens.

pub mod fits;
pub mod operation;
pub mod schema;

/// A whole document.
#[derive(Clone, Debug, Default)]
pub struct Api {
    /// Types, by name.
    pub types: Vec<schema::NamedType>,
    /// Operations, by path and method.
    pub operations: Vec<operation::Operation>,
    /// Tags that have operations; operations refer to them by index.
    pub tags: Vec<operation::Tag>,
}
