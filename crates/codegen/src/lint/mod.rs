//! Linter: the faults of a document, with path and remedy.
//!
//! It checks the grammar of OpenAPI 3.0.3 first ([`structure`]), to which a document of 3.1 is
//! [reduced](super::openapi_3_1), so that a misspelt key is not ignored, then the meaning ([`references`], [`schemas`],
//! [`operations`] …). A fault is an error if the document contradicts the specification or itself so that its meaning is
//! unclear. It is a warning if the meaning is clear, but probably not the intended one. There are no false positives: a
//! rule that is uncertain reports nothing.

mod foreign;
pub(crate) mod grammar;
pub mod lenient;
mod messages;
mod operations;
mod parameters;
pub mod project_rules;
mod references;
mod schemas;
mod security;
mod structure;
mod unions;
pub(crate) mod values;

use serde_json::Value;

pub use crate::fault::Fault;
use crate::lint::structure::Index;
use crate::openapi_3_1::{Purpose, is_read, reduce};
use crate::source::Source;
pub(crate) use values::is_of_type;

/// Returns the faults of the document `text`, in its order.
pub fn check_text(text: &str) -> Vec<Fault> {
    let source = match Source::parse(text) {
        Ok(source) => source,
        Err(fault) => return vec![fault],
    };
    let mut faults = check(&source.value());
    source.sort(&mut faults);
    faults
}

/// Returns the faults of the document, by pointer.
pub fn check(document: &Value) -> Vec<Fault> {
    let reduced = reduce(document, Purpose::Code { lenient: false });
    let mut faults: Vec<_> =
        check_form(&reduced.document).into_iter().map(|fault| reduced.in_original(fault)).collect();
    faults.extend(reduced.faults);
    faults.sort();
    faults.dedup();
    faults
}

/// Returns the faults of a document in the form of OpenAPI 3.0, by pointer.
pub(crate) fn check_form(document: &Value) -> Vec<Fault> {
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

/// Checks the version. The rules apply to 3.0 and 3.1 only, so another version is the only fault reported.
fn version(document: &Value) -> Option<Fault> {
    const REMEDY: &str = "3.0 and 3.1 are read";
    if let Some(version) = document.get("swagger") {
        let message = format!("the document is Swagger {}; {REMEDY}, convert it first", messages::json(version));
        return Some(Fault::error("/swagger", message));
    }
    match document.get("openapi") {
        Some(Value::String(version)) if is_read(version) => None,
        Some(Value::String(version)) => Some(Fault::error("/openapi", format!("the version is {version}; {REMEDY}"))),
        Some(other) => {
            let message = format!("the version is {}, not a string; write `openapi: 3.0.3`", messages::found(other));
            Some(Fault::error("/openapi", message))
        }
        None => Some(Fault::error("", "the document says no version; it starts with `openapi: 3.0.3`")),
    }
}
