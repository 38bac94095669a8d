//! From the document to what it means.

pub mod operations;
pub mod schemas;
