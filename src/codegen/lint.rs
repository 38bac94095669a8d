//! The house rules of the document.
//!
//! openapiv3, progenitor and typify drop or confuse some things without a word and panic on others. Each rule turns
//! one of those into a fault that names the place, says what is wrong, and says what to write instead.

mod operations;
mod schemas;

use openapiv3::OpenAPI;
use serde_json::Value;

pub use super::fault::{Fault, child};

/// Every fault of the document, in the order of the document's keys.
pub fn check(document: &Value) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    match document["openapi"].as_str() {
        Some(version) if version.starts_with("3.0.") => {}
        other => {
            let found = other.unwrap_or("nothing");
            return Err(vec![Fault::new("/openapi", format!("the version is {found}; progenitor reads 3.0.x only"))]);
        }
    }
    references(document, "", document, &mut faults);
    match serde_json::from_value::<OpenAPI>(document.clone()).map(|api| serde_json::to_value(&api)) {
        Ok(Ok(read)) => lost_keys("", document, &read, &mut faults),
        Ok(Err(error)) => faults.push(Fault::new("", error.to_string())),
        Err(error) => faults.push(Fault::new("", format!("not an OpenAPI 3.0 document: {error}"))),
    }
    operations::check(document, &mut faults);
    schemas::check(document, &mut faults);
    faults.sort();
    faults.dedup();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// openapiv3 drops a key that it does not know: with a misspelt `securty: []` an open route would become closed.
fn lost_keys(pointer: &str, source: &Value, read: &Value, faults: &mut Vec<Fault>) {
    match (source, read) {
        (Value::Object(source), Value::Object(read)) => {
            for (key, value) in source {
                let pointer = child(pointer, key);
                match read.get(key) {
                    Some(other) => lost_keys(&pointer, value, other, faults),
                    None if value.is_null() || value == &Value::Bool(false) => {}
                    None => faults.push(Fault::new(
                        &pointer,
                        "not a key of OpenAPI 3.0 at this place, it would be dropped; correct or remove it, or prefix it with x-",
                    )),
                }
            }
        }
        (Value::Array(source), Value::Array(read)) => {
            for (index, (value, other)) in source.iter().zip(read).enumerate() {
                lost_keys(&format!("{pointer}/{index}"), value, other, faults);
            }
        }
        _ => {}
    }
}

fn references(root: &Value, pointer: &str, node: &Value, faults: &mut Vec<Fault>) {
    match node {
        Value::Object(map) => {
            for (key, value) in map {
                let pointer = child(pointer, key);
                match (key.as_str(), value) {
                    ("$ref", Value::String(reference)) => match reference.strip_prefix('#') {
                        Some(target) if root.pointer(target).is_some() => {}
                        Some(_) => {
                            faults.push(Fault::new(&pointer, format!("{reference} does not exist; correct the name")))
                        }
                        None => faults.push(Fault::new(
                            &pointer,
                            format!("{reference} lies outside; move it into this document"),
                        )),
                    },
                    _ => references(root, &pointer, value, faults),
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                references(root, &format!("{pointer}/{index}"), item, faults);
            }
        }
        _ => {}
    }
}
