//! OpenAPI 3.1, by way of the form of OpenAPI 3.0 that the other modules read.
//!
//! `reduce` rewrites a document of version 3.1: each keyword becomes its equivalent of 3.0. A keyword without one is
//! an error, or in lenient reading a warning, and the schema gets its widest meaning. `raise` is the opposite: it
//! writes a document of version 3.0 as 3.1.

mod moves;
mod raise;
mod reduce;
mod schemas;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use serde_json::Value;

pub use raise::raise;
pub(crate) use reduce::{Purpose, reduce};

/// Returns whether the document says that it is OpenAPI 3.1.
pub(crate) fn is_3_1(document: &Value) -> bool {
    document.get("openapi").and_then(Value::as_str).is_some_and(|version| is_of(version, "3.1"))
}

/// Returns whether documents of a version are read.
pub(crate) fn is_read(version: &str) -> bool {
    ["3.0", "3.1"].iter().any(|minor| is_of(version, minor))
}

/// Returns whether a version has these two numbers. The last number may be missing.
fn is_of(version: &str, minor: &str) -> bool {
    version.strip_prefix(minor).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
