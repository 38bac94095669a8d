//! The linter: what is wrong with a document, where, and what to write instead.
//!
//! First the grammar of OpenAPI 3.0.3 ([`structure`]), so that a misspelt key cannot vanish; then what the document
//! means ([`references`], [`schemas`], [`operations`] …). A finding is an error where the document contradicts the
//! specification or itself in a way that leaves its meaning open, and a warning where the meaning is clear but
//! probably not what the author thinks. Findings must be true: a rule that cannot be sure keeps quiet.

mod foreign;
mod grammar;
mod operations;
mod parameters;
mod references;
mod schemas;
mod security;
mod structure;
mod unions;
mod values;
mod words;

use serde_json::Value;

pub use super::fault::Fault;
use super::source::Source;
use structure::Index;

/// Everything that is wrong with the document `text`, in its order.
pub fn check_text(text: &str) -> Vec<Fault> {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(fault) => return vec![fault],
    };
    let mut faults = check(&source.value());
    source.sort(&mut faults);
    faults
}

/// Everything that is wrong with the document, by pointer.
pub fn check(document: &Value) -> Vec<Fault> {
    if let Some(fault) = version(document) {
        return vec![fault];
    }
    let mut faults = Vec::new();
    let index = Index::of(document, &mut faults);
    references::check(&index, &mut faults);
    for rules in [schemas::check, unions::check, parameters::check, operations::check, security::check] {
        rules(&index, &mut faults);
    }
    faults.sort();
    faults.dedup();
    faults
}

/// Another version of the specification makes every further finding a guess.
fn version(document: &Value) -> Option<Fault> {
    const REMEDY: &str = "3.0.0 to 3.0.4 are read";
    if let Some(version) = document.get("swagger") {
        let message = format!("the document is Swagger {}; {REMEDY}, convert it first", words::json(version));
        return Some(Fault::error("/swagger", message));
    }
    match document.get("openapi") {
        Some(Value::String(version)) if version.starts_with("3.0.") => None,
        Some(Value::String(version)) if version.starts_with("3.") => {
            let message = format!(
                "the version is {version}; {REMEDY}: write 3.0.3, `nullable: true` for the type null and `enum` for const"
            );
            Some(Fault::error("/openapi", message))
        }
        Some(Value::String(version)) => Some(Fault::error("/openapi", format!("the version is {version}; {REMEDY}"))),
        Some(other) => {
            let message = format!("the version is {}, not a string; write `openapi: 3.0.3`", words::found(other));
            Some(Fault::error("/openapi", message))
        }
        None => Some(Fault::error("", "the document says no version; it starts with `openapi: 3.0.3`")),
    }
}
