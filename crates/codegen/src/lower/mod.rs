//! Lowering of a document to its intermediate representation.

pub mod operations;
pub mod schemas;
