//! From the document to what it means.

pub mod schemas;
